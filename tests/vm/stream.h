/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the test "stream" share: the checker of a CPU's stream of records.
 */
#ifndef STREAM_H
#define STREAM_H

#include "buffers.h"

#define CPUS	2
#define WRITERS 3 /* one on each CPU, and one that moves */

/* Recids, @to not included. */
struct range {
	uint64_t from, to;
};

struct ranges {
	struct range *range;
	size_t num, room;
};

/* A record that was read. @mark: its first argument, if it is a writer's mark, or 0 */
struct seen {
	uint64_t recid;
	uint64_t mark;
	bool raw; /* of the recid, the low bits are known */
};

/**
 * struct checker - what has been seen of a stream
 * @cpu: it is this CPU's
 * @next: one more than the last recid that is known
 * @seen: records, in the order in which they came; the first is not RAW
 * @num: entries of @seen
 * @room: allocated
 * @told: what LKST_BUFF_OVFLOW says is lost
 * @loose: likewise, in lists so long that their last entry may cover records that are not
 * @joined: where the last one of @loose begins
 * @run: LKST_BUFF_OVFLOW records that came last, one after the other
 * @lost: recids that are
 * @loosely: of these, how many nothing but @loose tells of
 * @marks: of the records, how many are a writer's
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
	uint64_t next;
	struct seen *seen;
	size_t num, room;
	struct ranges told, loose;
	uint64_t joined;
	size_t run;
	uint64_t lost, loosely, marks;
	const volatile pid_t *tid;
	uint64_t last[WRITERS];
	uint64_t last_lost[WRITERS];
	volatile unsigned char *moving;
	size_t moving_num;
	unsigned long wrong;
	char why[256];
};

/* A writer's mark: its arguments follow from one another, parts of two do not make one. */
void fill_mark(uint64_t arg[4], unsigned int writer, uint64_t number);

void check_std(struct checker *checker, const struct lkst_log_record *record);
void check_raw(struct checker *checker, const struct lkst_event_record *record);
/* The stream is over, and @end is one more than the last recid that was to come. */
void check_end(struct checker *checker, uint64_t end);
void free_checker(struct checker *checker);

void selftest(void);

#endif
