/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The parts of the trace reader among themselves: trace_open.c checks the file and puts
 * it where it can be read at any place, trace_scan.c goes through it once, trace_records.c
 * knows the records of a chunk, trace_merge.c hands them out in order.
 *
 * Nothing that the file says is believed before it was checked against the size of the
 * file and of the structures here.
 */
#ifndef _LKST_TRACE_READER_H
#define _LKST_TRACE_READER_H

#include <byteswap.h>

#include "etype_ids.h"
#include "trace_format.h"

#define TRACE_CPUS	8192	/* that are told apart */

/* A buffer. Its chunks follow each other with recids rising. */
struct stream {
	struct lkst_trace_buffer info;
	uint32_t record_size;
	uint8_t machine;
	uint64_t last_recid;	/* first_recid of the last chunk */
};

/*
 * How many records of OOPS_REGS have followed the event that they belong to. That is known as
 * long as no record is missing.
 */
struct run {
	uint64_t recid;		/* of the last record */
	int32_t cpu;
	uint8_t nth;		/* LKST_NTH_UNKNOWN; else of the next OOPS_REGS */
};

/* Where records are: the first one at offset, their buffer header just before it. */
struct chunk_ref {
	uint64_t offset;
	uint64_t first_recid;
	uint32_t count;
	uint32_t stream;	/* index of it */
	int64_t first_ns;	/* time of its first record */
	int64_t latest_ns;
	int64_t floor_ns;	/* least key in it: of what precedes it in the lane */
	struct run run;		/* before its first record */
	bool regs;		/* it has records of OOPS_REGS */
};

/* Chunks to be read one after the other: those of a CPU, whichever buffer they are of. */
struct lane {
	const struct chunk_ref *ref;
	size_t num;
};

/* A lane being read. Without data when it did not begin yet or has ended. */
struct cursor {
	const struct lane *lane;
	const struct stream *stream;	/* of the chunk */
	size_t chunks_left;
	struct trace_buffer_header head;
	struct trace_clock pair;	/* RAW: to convert with */
	uint8_t *data;
	int64_t floor_ns;	/* least key */
	int64_t *key;
	uint8_t *nth;		/* of each record, NULL when none has one */
	uint32_t count;
	uint32_t at;
	int64_t now;		/* key of the record at @at */
};

struct lkst_trace {
	int fd;
	bool own_fd;
	bool swapped;
	char *name;
	struct lkst_trace_hooks hooks;
	unsigned int reports;	/* not 0: it is not all that it should be */
	uint64_t size;

	size_t streams;
	struct stream *stream;
	size_t refs;
	size_t refs_room;
	struct chunk_ref *ref;	/* in the order of the file; then of the lanes */
	size_t lanes;
	struct lane *lane;
	size_t clocks;
	struct trace_clock *clock;
	char *system;		/* text of the SYSTEM chunk */
	char *etypes;		/* text of the ETYPES chunk */
	size_t etypes_len;
	char *values;		/* text of the VALUES chunk */
	char *symbols;		/* text of the SYMBOLS chunk */
	struct lkst_context context;
	uint64_t cpus[TRACE_CPUS / 64];
	bool types[LKST_ETYPE_NUM];	/* that there are records of */

	uint64_t records;
	uint64_t chunks;
	uint64_t compressed;	/* chunks that could not be read for that */
	bool end;
	struct run run;		/* up to where the file was gone through */

	enum lkst_order order;
	struct cursor *cursor;	/* one for each lane */
	struct cursor **heap;
	size_t heap_num;
};

#define TRACE_SWAP(x)							\
	((x) = sizeof(x) == 8 ? (__typeof__(x))bswap_64((uint64_t)(x)) :	\
	 sizeof(x) == 4 ? (__typeof__(x))bswap_32((uint32_t)(x)) :		\
			  (__typeof__(x))bswap_16((uint16_t)(x)))

/*
 * Go on by one record. Returns its place in the run if it is of OOPS_REGS, else
 * LKST_NTH_UNKNOWN.
 */
static inline uint8_t trace_run_on(struct run *run, const struct lkst_event *event)
{
	uint8_t nth = LKST_NTH_UNKNOWN;

	if (event->recid != run->recid + 1 || event->cpu != run->cpu)
		run->nth = LKST_NTH_UNKNOWN;
	run->recid = event->recid;
	run->cpu = event->cpu;
	/* Those that can have any are just before it. */
	if (event->type < LKST_ETYPE_OOPS_DIE || event->type > LKST_ETYPE_OOPS_REGS)
		return nth;
	if (event->type != LKST_ETYPE_OOPS_REGS) {
		run->nth = 0;
	} else if (run->nth != LKST_NTH_UNKNOWN) {
		nth = run->nth++;
	}
	return nth;
}

/* trace_open.c */
void trace_report(struct lkst_trace *trace, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
ssize_t trace_read_at(struct lkst_trace *trace, void *buf, size_t len, uint64_t offset,
		      struct lkst_error *err);

/* trace_scan.c */
enum lkst_machine trace_machine_of(const char arch[16]);
int trace_scan(struct lkst_trace *trace, uint64_t offset, struct lkst_error *err);

/* trace_records.c */
void trace_swap_buffer_header(struct trace_buffer_header *h);
void trace_swap_clock(struct trace_clock *c);
void trace_prepare(const struct lkst_trace *trace, struct cursor *c);
void trace_get_event(const struct lkst_trace *trace, const struct cursor *c, uint32_t i,
		     struct lkst_event *event);

static inline bool trace_is_hole(const struct cursor *c, uint32_t i)
{
	const struct lkst_event_record *r = (void *)c->data;

	return c->head.record_size == sizeof(*r) && !r[i].clock;
}

int trace_number(const struct lkst_trace *trace, struct cursor *c, const struct run *before);

/* trace_merge.c */
int trace_make_lanes(struct lkst_trace *trace, struct lkst_error *err);
void trace_drop_cursors(struct lkst_trace *trace);

#endif /* _LKST_TRACE_READER_H */
