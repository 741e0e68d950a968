/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The parts of the trace reader among themselves. A trace is made of files, here sources.
 *
 * trace_source.c opens a file and puts it where it can be read at any place, trace_scan.c goes
 * through it once, chunk by chunk, trace_payload.c takes in what they tell, trace_clock.c finds
 * out what time it was, trace_records.c knows the records of a chunk, trace_lanes.c finds out
 * which chunks are to be read one after the other, trace_merge.c hands the records out in
 * order, trace_gaps.c finds out what is missing between the files, trace_open.c has them work
 * together.
 *
 * Nothing that a file says is believed before it was checked against the size of the file and
 * of the structures here. Of the records no more than one chunk of each track is in memory, else
 * only where they are (struct chunk_ref).
 */
#ifndef _LKST_TRACE_READER_H
#define _LKST_TRACE_READER_H

#include <byteswap.h>

#include "etype_ids.h"
#include "trace_format.h"

#define TRACE_CPUS	8192	/* that are told apart */
#define TRACE_TEXT_MAX	(64u * 1024 * 1024) /* bytes of a chunk that is read as a whole */
#define TRACE_RECORDS_MAX (TRACE_CHUNK_RECORDS * sizeof(struct lkst_log_record))
#define TRACE_UNKNOWN_NS INT64_MIN

/* One run of LKST in a kernel, of which several files may tell. */
struct boot {
	char *id;		/* of the kernel's run; "": not known; then it has one file */
	char lkst[LKST_BOOT_TEXT]; /* of LKST's; "": not known */
	struct lkst_names *names;
	bool monotonic;		/* @offset_ns is known */
	int64_t newest_ns;	/* monotonic time that it is from */
	int64_t offset_ns;	/* wall clock - monotonic clock, the last that is known */
};

/* A file. */
struct source {
	int fd;
	bool own_fd;
	bool swapped;
	bool growing;		/* somebody writes to it */
	bool log;		/* has a LOG chunk: it goes round, and END is anywhere */
	bool end;
	bool damaged;		/* the compressed file that it was */
	char *name;
	uint32_t boot;
	unsigned int reports;
	uint64_t size;		/* of what is the trace */
	uint64_t first_chunk;
	char *system;		/* text of the SYSTEM chunk */
	char *etypes;		/* text of the ETYPES chunk */
	size_t etypes_len;
	char *values;		/* text of the VALUES chunk */
	uint64_t symbols_len;	/* bytes of SYMBOLS chunks */
	bool bad_symbols;	/* what is wrong with one was told */
	struct lkst_context context;
	uint64_t records;
	uint64_t chunks;
	uint64_t compressed;	/* chunks that could not be read for that */
	uint64_t lost;		/* told by LOSS chunks */
	uint64_t end_records;	/* as END has it; UINT64_MAX: it does not tell */
};

/* A buffer. But for those of log files, its chunks follow each other with recids rising. */
struct stream {
	struct lkst_trace_buffer info;
	uint32_t source;
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

/* A chunk of records. */
struct chunk_ref {
	uint64_t offset;	/* of its payload in the file */
	uint64_t length;	/* of its payload, as far as the file has it */
	uint64_t first_recid;
	uint64_t last_recid;	/* at least */
	uint32_t checksum;	/* of a whole payload */
	uint32_t count;
	uint32_t stream;	/* index of it */
	uint32_t lane;
	uint32_t track;
	uint16_t compression;
	bool cut;		/* not all of the payload is there */
	bool regs;		/* it has records of OOPS_REGS */
	int64_t first_ns;	/* key of its first record */
	int64_t latest_ns;
	int64_t floor_ns;	/* least key in it: of what precedes it in the lane */
	struct run run;		/* before its first record */
};

/* Events of a CPU that a file counts as lost. */
struct loss {
	uint32_t boot;
	int32_t cpu;
	uint64_t first_recid;
	uint64_t number;
};

/* What two clocks showed when a buffer's clock showed @clock. */
struct pair {
	uint64_t clock;
	uint64_t freq_khz;
	int64_t wall_ns;
	int64_t monotonic_ns;	/* TRACE_UNKNOWN_NS: not known */
};

/* One that is from a record of LKST_SYNC_TIME. Sorted by boot, CPU and recid. */
struct sync {
	uint32_t boot;
	int32_t cpu;
	uint32_t kind;		/* enum lkst_clock */
	uint64_t recid;
	struct pair pair;
};

/* A track being read. @room is 0 before it begins and after it has ended. */
struct cursor {
	const struct track *track;
	const struct stream *stream;	/* of the chunk */
	size_t chunks_left;
	bool ended;
	struct trace_buffer_header head;
	uint32_t room;		/* records of a chunk that there is room for */
	uint8_t *raw;		/* payload of the chunk */
	uint8_t *data;		/* records in it */
	int64_t floor_ns;	/* least key */
	int64_t *key;		/* of each record, what it is merged by */
	int64_t *wall;		/* wall clock */
	int64_t *monotonic;	/* where it is known */
	bool has_monotonic;
	uint8_t *nth;		/* of each record, NULL when none has one */
	uint32_t count;
	uint32_t at;
	int64_t now;		/* key of the record at @at */
	uint64_t recid;		/* of it */
};

/* Chunks whose recids rise. */
struct track {
	struct chunk_ref *ref;
	size_t num;
};

/*
 * Tracks whose records have an order, that of the recids: those of a CPU, whichever buffers and
 * files they are of. More than one where files have the same records.
 */
struct lane {
	struct track *track;
	size_t tracks;
	int64_t rank;		/* among the lanes: by CPU */
	struct cursor *cursor;	/* one for each track */
	struct cursor *now;	/* that has the next record; NULL: none */
};

/* What unpacking takes, kept from chunk to chunk. All zeros: nothing yet. */
struct unpacker {
	void *zstd;
	uint8_t *columns;
};

/* When a lane comes: the least first, in either order of reading. */
struct turn {
	int64_t key;	/* of its next record */
	int64_t rank;	/* at the same time: by CPU */
	struct lane *lane;
};

struct lkst_trace {
	struct lkst_trace_hooks hooks;
	size_t sources;
	struct source *source;
	size_t boots;
	struct boot *boot;
	uint64_t total;		/* bytes of all files, for progress */
	uint64_t done;		/* of those that were gone through */

	size_t streams;
	struct stream *stream;
	size_t refs;
	size_t refs_room;
	struct chunk_ref *ref;	/* in the order of the files; then of the tracks */
	size_t tracks;
	struct track *track;
	size_t lanes;
	struct lane *lane;
	size_t clocks;
	struct trace_clock *clock; /* of CLOCK chunks */
	uint32_t *clock_boot;	/* whose each is */
	size_t syncs;
	size_t syncs_room;
	struct sync *sync;
	uint64_t cpus[TRACE_CPUS / 64];
	bool types[LKST_ETYPE_NUM];	/* that there are records of */
	size_t losses;
	struct loss *loss;
	size_t gaps;
	struct lkst_trace_gap *gap; /* at most one for each lane */
	uint64_t overtaken;	/* records that were written over before they were read */
	struct run run;		/* up to where the file was gone through */
	uint8_t *packed;	/* payload as it is in the file */
	uint64_t packed_room;
	struct unpacker unpacker;

	enum lkst_order order;
	struct cursor *cursor;	/* of all lanes */
	struct turn *heap;	/* of lanes that have not ended */
	size_t heap_num;
	struct turn runner_up;	/* the lane that comes next but for the first; none: never */
};

#define TRACE_SWAP(x)							\
	((x) = sizeof(x) == 8 ? (__typeof__(x))bswap_64((uint64_t)(x)) :	\
	 sizeof(x) == 4 ? (__typeof__(x))bswap_32((uint32_t)(x)) :		\
			  (__typeof__(x))bswap_16((uint16_t)(x)))

/*
 * Go on by one record. Returns its place in the run if it is of OOPS_REGS, else
 * LKST_NTH_UNKNOWN.
 */
static inline uint8_t trace_count_oops_regs(struct run *run, uint64_t recid, int32_t cpu, uint32_t type)
{
	if (recid != run->recid + 1 || cpu != run->cpu)
		run->nth = LKST_NTH_UNKNOWN;
	run->recid = recid;
	run->cpu = cpu;
	/* Those that can have any are just before it. */
	if (type < LKST_ETYPE_OOPS_DIE || type > LKST_ETYPE_OOPS_REGS)
		return LKST_NTH_UNKNOWN;
	if (type != LKST_ETYPE_OOPS_REGS)
		run->nth = 0;
	else if (run->nth != LKST_NTH_UNKNOWN)
		return run->nth++;
	return LKST_NTH_UNKNOWN;
}

/* trace_source.c */
void trace_report(struct lkst_trace *trace, struct source *source, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void trace_note(struct lkst_trace *trace, const struct source *source, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
ssize_t trace_read_at(const struct source *source, void *buf, size_t len, uint64_t offset,
		      struct lkst_error *err);
int trace_resize(struct source *source, struct lkst_error *err);
int trace_source_open(struct source *source, struct lkst_error *err);
void trace_source_close(struct source *source);
const char *trace_system(const struct source *source, const char *key, size_t *len);

/* trace_scan.c */
bool trace_good_header(const struct source *source, const uint8_t *raw,
		       struct trace_chunk_header *chunk);
bool trace_is_file_header(const uint8_t *raw);
int trace_find_boot(struct source *source, struct boot *boot, struct lkst_error *err);
int trace_scan(struct lkst_trace *trace, struct source *source, struct lkst_error *err);

/* trace_payload.c */
struct chunk_place {
	const struct trace_chunk_header *chunk;
	uint64_t offset;	/* of the payload */
	uint64_t there;		/* bytes of it in the file */
	bool cut;
};

enum lkst_machine trace_machine_of(const char arch[16]);
int trace_payload(struct lkst_trace *trace, struct source *source, struct cursor *c,
		  const struct chunk_place *place, uint8_t *payload, uint64_t len,
		  struct lkst_error *err);
int trace_learn_syncs(struct lkst_trace *trace, const struct cursor *c, struct lkst_error *err);
int trace_learn_raw(struct lkst_trace *trace, struct lkst_error *err);

/* trace_unpack.c */
uint64_t trace_length_limit(unsigned int type);
bool trace_packed_limit(const struct trace_chunk_header *chunk);

/* A payload as it is in the file. */
struct packed {
	unsigned int compression;
	bool swapped;		/* of a machine of the other byte order */
	const uint8_t *data;
	size_t len;
};

size_t trace_unpack(struct unpacker *unpacker, const struct packed *packed, uint8_t *raw,
		    size_t room, bool *whole);
void trace_unpacker_close(struct unpacker *unpacker);
uint8_t *trace_packed_room(struct lkst_trace *trace, uint64_t len);

/* trace_clock.c */
int trace_add_sync(struct lkst_trace *trace, const struct cursor *c,
		   const struct lkst_event *event);
void trace_sort_syncs(struct lkst_trace *trace);
void trace_set_offsets(struct lkst_trace *trace, const struct cursor *c);
void trace_date_raw(const struct lkst_trace *trace, struct cursor *c);
void trace_date_std(const struct lkst_trace *trace, struct cursor *c);

/* trace_records.c */
void trace_swap_buffer_header(struct trace_buffer_header *h);
void trace_swap_clock(struct trace_clock *c);
void trace_swap_records(struct cursor *c);
int trace_cursor_open(struct cursor *c, uint32_t records);
void trace_cursor_close(struct cursor *c);
int trace_load(struct lkst_trace *trace, struct cursor *c, const struct chunk_ref *ref,
	       struct lkst_error *err);
void trace_prepare(const struct lkst_trace *trace, struct cursor *c);
void trace_get_event(const struct lkst_trace *trace, const struct cursor *c, uint32_t i,
		     struct lkst_event *event);
int trace_number(struct cursor *c, const struct run *before);

static inline bool trace_is_raw(const struct cursor *c)
{
	return c->head.record_size == sizeof(struct lkst_event_record);
}

static inline bool trace_is_hole(const struct cursor *c, uint32_t i)
{
	const struct lkst_event_record *r = (void *)c->data;

	return trace_is_raw(c) && !r[i].clock;
}

static inline uint64_t trace_recid(const struct cursor *c, uint32_t i)
{
	const struct lkst_log_record *r = (void *)c->data;

	return trace_is_raw(c) ? c->head.first_recid + i : r[i].posix.log_recid;
}

static inline uint32_t trace_type(const struct cursor *c, uint32_t i)
{
	const struct lkst_event_record *raw = (void *)c->data;
	const struct lkst_log_record *std = (void *)c->data;

	return trace_is_raw(c) ? raw[i].event_type : (uint32_t)std[i].posix.log_event_type;
}

/* In STD records of the static buffer each has its own. */
static inline int32_t trace_cpu(const struct cursor *c, uint32_t i)
{
	const struct lkst_log_record *std = (void *)c->data;

	return c->head.cpu < 0 && !trace_is_raw(c) ? std[i].posix.log_processor : c->head.cpu;
}

static inline uint32_t trace_boot_of(const struct lkst_trace *trace, const struct stream *stream)
{
	return trace->source[stream->source].boot;
}

/* trace_lanes.c */
int trace_make_lanes(struct lkst_trace *trace, struct lkst_error *err);
int trace_set_floors(struct lkst_trace *trace, struct lkst_error *err);
struct chunk_ref *trace_next_chunk(const struct lane *lane, size_t *at);

/* trace_gaps.c */
int trace_find_gaps(struct lkst_trace *trace, struct lkst_error *err);

/* trace_merge.c */
void trace_drop_cursors(struct lkst_trace *trace);

#endif /* _LKST_TRACE_READER_H */
