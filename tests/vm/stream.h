/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the test "stream" share: the checker of a CPU's stream of records.
 */
#ifndef STREAM_H
#define STREAM_H

#include "buffers.h"

#define CPUS	2
#define WRITERS 3 /* one on each CPU, and one that moves */

/* A record as it comes out of read(), in either mode. */
struct item {
	uint64_t recid;
	unsigned int etype;
	uint32_t thread;
	uint64_t arg[4];
};

/* Recids, @to not included. @by: recid of the record that tells of them */
struct range {
	uint64_t from, to, by;
};

struct ranges {
	struct range *range;
	size_t num, room;
};

/**
 * struct checker - what has been seen of a stream
 * @cpu: it is this CPU's
 * @started: a record has been seen
 * @start: recid of the first record
 * @next: one more than the last recid
 * @read: records
 * @lost: recids that were passed over
 * @marks: of the records, how many are a writer's
 * @gaps: what was passed over
 * @told: what LKST_BUFF_OVFLOW says is lost
 * @tid: of each writer
 * @last: of each writer, the last mark's number
 * @last_lost: and @lost then
 * @moving: marks of the writer that moves, a byte each; the checkers of all CPUs share it
 * @moving_num: entries of @moving
 * @wrong: things that are not as they must be
 * @why: the first of them
 */
struct checker {
	int cpu;
	bool started;
	uint64_t start, next;
	uint64_t read, lost, marks;
	struct ranges gaps, told;
	const volatile pid_t *tid;
	uint64_t last[WRITERS];
	uint64_t last_lost[WRITERS];
	volatile unsigned char *moving;
	size_t moving_num;
	unsigned long wrong;
	char why[256];
};

/**
 * struct raw_stream - recids of RAW records, which hold their low bits
 * @next: the recid that is due
 * @sure: it is
 * @held: after a gap of unknown length, the records up to the next LKST_BUFF_SHIFT, which
 *	tells the recid; their recids are those of the shortest gap
 */
struct raw_stream {
	uint64_t next;
	bool sure;
	struct item *held;
	size_t held_num, held_room;
};

/* A writer's mark: its arguments follow from one another, parts of two do not make one. */
void fill_mark(uint64_t arg[4], unsigned int writer, uint64_t number);

void check_item(struct checker *checker, const struct item *item);
/* The stream is over, and @end is one more than the last recid that was to come. */
void check_end(struct checker *checker, uint64_t end);
void free_checker(struct checker *checker);

void check_std(struct checker *checker, struct raw_stream *raw,
	       const struct lkst_log_record *record);
void check_raw(struct checker *checker, struct raw_stream *raw,
	       const struct lkst_event_record *record);
/* The record that comes next in the buffer that is being read has the recid @next. */
void settle_raw(struct checker *checker, struct raw_stream *raw, uint64_t next);
/* No more RAW records for now: what was held takes the shortest gap. */
void flush_raw(struct checker *checker, struct raw_stream *raw);

void selftest(void);

#endif
