/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lkstla diff: compares two traces. diff_collect.c passes each thing that happens in a trace to
 * diff_series.c, which counts it in a row and in a slice of the window. diff_compare.c and
 * diff_stats.c compare the rows of the two traces, and diff.c prints the result.
 */
#ifndef _LKSTLA_DIFF_H
#define _LKSTLA_DIFF_H

#include "diff_stats.h"
#include "lkstla/hash.h"
#include "lkstla/run.h"

#define DIFF_NAME 192

/**
 * enum diff_kind - what a row is about
 * @DIFF_WAKE: wake-ups of a thread by a thread, interrupt or other context; the time of a wake-up
 *	is how long the thread that was woken up then waited for a CPU and ran
 * @DIFF_LOCK: waits for a lock
 * @DIFF_CALL: a system call of a thread
 * @DIFF_BLOCK: requests to a block device
 * @DIFF_RUN: time in which a thread ran; each uninterrupted run counts once
 * @DIFF_WAIT: time for which a thread waited for a CPU
 * @DIFF_IRQ: a hard interrupt
 * @DIFF_SOFTIRQ: a softirq
 * @DIFF_TIMER: function of a timer or tasklet
 * @DIFF_WORK: work item
 * @DIFF_EXCEPTION: an exception
 */
enum diff_kind {
	DIFF_WAKE,
	DIFF_LOCK,
	DIFF_CALL,
	DIFF_BLOCK,
	DIFF_RUN,
	DIFF_WAIT,
	DIFF_IRQ,
	DIFF_SOFTIRQ,
	DIFF_TIMER,
	DIFF_WORK,
	DIFF_EXCEPTION,
	DIFF_KINDS,
};

extern const char *const diff_kind_names[DIFF_KINDS];

/**
 * struct diff_arguments - options of lkstla diff
 * @all: --all: also show what did not change by more than noise
 * @change: --change: minimum change, in percent
 * @confidence: --confidence, in percent
 * @worth: --worth: time per second that a change must cost or save to be shown
 */
struct diff_arguments {
	bool all;
	int64_t change;
	int64_t confidence;
	const char *worth;
};

/* ---- diff_series.c ---- */

/**
 * struct diff_series - a row: counts and times of one kind of occurrence in one of the traces
 * @kind: what it is about
 * @name: name of the row, which is the same in all traces
 * @count: how often the thing happened
 * @failed: how many of these calls, requests or waits for locks failed
 * @total_ns: total time that it took, inside the window
 * @busy_ns: CALL: the part of @total_ns in which the thread ran or waited for a CPU
 * @locked_ns: CALL: the part of @total_ns in which the thread waited for locks
 * @asleep_ns: CALL: the part of @total_ns that the thread spent in interruptible sleep
 * @squares: sum of the squares of the times of all items. The time of an item that extends over
 *	several slices is first divided into one part for each slice
 * @counts: @count by slice
 * @fails: @failed by slice
 * @times: @total_ns by slice
 * @block: a distribution of the durations for each block of time; empty if @no_dist is set. All
 *	blocks are equally long
 * @first_ns: start of the first block: the time at which the first duration ended
 * @block_ns: length of a block; 0: no durations
 * @no_dist: whether the row has no distributions, because they would need too much memory
 */
struct diff_series {
	enum diff_kind kind;
	char name[DIFF_NAME];
	uint64_t count;
	uint64_t failed;
	double total_ns;
	double busy_ns;
	double locked_ns;
	double asleep_ns;
	double squares;
	double counts[DIFF_SLICES];
	double fails[DIFF_SLICES];
	double times[DIFF_SLICES];
	struct dist block[DIFF_BLOCKS];
	int64_t first_ns;
	int64_t block_ns;
	bool no_dist;
};

/**
 * struct diff_thread - data about a thread
 * @raw: name of the thread when @group was made
 * @group: name of the thread without numbers, so that "kworker/0:1" and "kworker/1:2" share a row
 * @hash: hash of @group
 * @wake: row of the last wake-up; NULL: unknown
 * @locked_ns: time for which it waited for locks in its current system call
 * @asleep_ns: time that it spent in interruptible sleep in this call
 */
struct diff_thread {
	char raw[LKST_COMM_LEN];
	char group[LKST_COMM_LEN + 8];
	uint64_t hash;
	struct diff_series *wake;
	double locked_ns;
	double asleep_ns;
};

/**
 * struct diff_side - one of the two traces
 * @run: run
 * @begin_ns: start of the window
 * @slice_ns: length of a slice
 * @seconds: length of the window
 * @rows: pointers to struct diff_series by name
 * @ids: pointers to the same rows by the data of an event, so that most events need no name
 * @thread: threads, by index
 * @room: number of members of @thread
 * @groups: total number of groups of buckets in the distributions, see dist.h
 * @engine: the analyses lock and block, which find waits and requests
 * @header: the header as text
 * @window: the header as JSON
 * @file: name of the trace
 * @cpus: number of CPUs
 * @lost: number of lost records
 * @has: for each kind, whether the trace has its events
 */
struct diff_side {
	const struct run *run;
	int64_t begin_ns;
	int64_t slice_ns;
	double seconds;
	struct hash rows;
	struct hash ids;
	struct diff_thread *thread;
	size_t room;
	size_t groups;
	void *engine[2];
	char *header;
	struct json_object *window;
	char file[256];
	size_t cpus;
	uint64_t lost;
	bool has[DIFF_KINDS];
};

/* An entry of the tables of struct diff_side */
struct diff_entry {
	struct hash_head head;
	struct diff_series *series;
};

/**
 * struct diff_item - an occurrence that is counted in a row
 * @begin_ns: start
 * @end_ns: end, which determines the slice in which it is counted
 * @time_ns: the time that it took, between @begin_ns and @end_ns
 * @ended: whether it ended at @end_ns; only such items are counted
 * @whole: whether both its start and its end are known; then @time_ns is its duration
 * @failed: whether the call, the request or the wait for a lock failed
 */
struct diff_item {
	int64_t begin_ns;
	int64_t end_ns;
	int64_t time_ns;
	bool ended;
	bool whole;
	bool failed;
};

typedef void diff_namer(struct diff_side *side, const void *of, char name[DIFF_NAME]);

void diff_side_init(struct diff_side *side, const struct run *run);
void diff_side_free(struct diff_side *side);
void diff_group_name(const char *name, char group[LKST_COMM_LEN + 8]);
uint64_t diff_hash(const char *text, uint64_t from);
struct diff_series *diff_row(struct diff_side *side, enum diff_kind kind,
			     const uint64_t id[HASH_WORDS - 1], diff_namer *namer, const void *of);
struct diff_series *diff_row_like(const struct diff_side *side, const struct diff_series *series);
struct diff_series *diff_others(const struct diff_side *side, enum diff_kind kind);
bool diff_is_full(const struct diff_side *side);
int diff_add(struct diff_side *side, struct diff_series *series, const struct diff_item *item);

/* ---- diff_collect.c ---- */

extern const char *const *const diff_events[DIFF_KINDS];

void diff_collect_thread(void *ctx, const struct lkst_thread_span *span);
void diff_collect_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake);
void diff_collect_syscall(void *ctx, const struct lkst_syscall_span *span);
void diff_collect_context(void *ctx, const struct lkst_context_span *span);
void diff_collect_event(void *ctx, const struct lkst_event *event);
void diff_collect_loss(void *ctx, const struct lkst_loss *loss);
int diff_collect_start(struct diff_side *side, struct lkst_error *err);
void diff_collect_end(struct diff_side *side);
void diff_collect_free(struct diff_side *side);

/* ---- diff_compare.c ---- */

enum diff_measure {
	DIFF_RATE,
	DIFF_ERRORS,
	DIFF_TOTAL,
	DIFF_P50,
	DIFF_P99,
	DIFF_MEASURES,
};

/**
 * struct diff_change - a figure of both traces
 * @kind: kind of the row
 * @name: name of the row; the memory belongs to one of the sides
 * @measure: which figure
 * @only: the row exists only in this trace: 'A' or 'B'; 0: in both
 * @a: value in A: a number per second, nanoseconds per second, or nanoseconds
 * @b: value in B
 * @ratio: confidence interval of b / a
 * @worth_ns: how much more time per second B needs because of this change
 * @score: number by which the changes are sorted, in descending order
 * @changed: whether the change exceeds both the noise and the limits
 */
struct diff_change {
	enum diff_kind kind;
	const char *name;
	enum diff_measure measure;
	char only;
	double a;
	double b;
	struct diff_ratio ratio;
	double worth_ns;
	double score;
	bool changed;
};

/**
 * struct diff_limits - what counts as a change
 * @factor: factor, at least 1. The whole confidence interval of the ratio must be above this
 *	factor, or below its inverse
 * @worth_ns: time per second that a change must cost or save
 * @chance: probability that at least one figure counts as changed although only its noise differs
 */
struct diff_limits {
	double factor;
	double worth_ns;
	double chance;
};

struct diff_change *diff_compare(struct diff_side *a, struct diff_side *b,
				 const struct diff_limits *limits, size_t *num);

#endif
