/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of lkstla thread. thread.c collects it; thread_tables.c, thread_files.c and
 * thread_wakes.c print it.
 */
#ifndef _LKSTLA_THREAD_H
#define _LKSTLA_THREAD_H

#include "analysis.h"
#include "causes.h"
#include "hash.h"
#include "paths.h"
#include "wakers.h"

/*
 * Third word of the key of a struct thread_part: why a thread is runnable. For a blocked thread,
 * this word is an enum cause instead.
 */
enum thread_runnable {
	THREAD_UNKNOWN,	  /* not recorded */
	THREAD_WOKEN,	  /* the thread was woken up */
	THREAD_PREEMPTED, /* the thread was switched out while runnable */
};

/**
 * struct thread_sum - statistics of spans
 * @times: number of spans that began in the window
 * @total_ns: total length of all spans
 * @max_ns: length of the longest span
 * @max_at_ns: end of the longest span
 */
struct thread_sum {
	uint64_t times;
	int64_t total_ns;
	int64_t max_ns;
	int64_t max_at_ns;
};

/**
 * struct thread_part - time in which a thread was runnable or blocked for one cause
 * @head: key: index of the thread; 256 times the state, plus the index in CAUSE_LETTERS; cause
 * @sum: time
 */
struct thread_part {
	struct hash_head head;
	struct thread_sum sum;
};

/**
 * struct thread_call - system calls
 * @head: key: index of the thread; ABI plus 256 times the number of the call
 * @thread: thread
 * @errors: number of calls that returned an error
 * @calls: time in the calls; its @times includes the calls that began before the window
 * @state_ns: time by state
 * @file: file of the descriptor of the longest call; NULL: unknown
 * @paths: number of the longest call in struct paths
 */
struct thread_call {
	struct hash_head head;
	const struct lkst_thread *thread;
	uint64_t errors;
	struct thread_sum calls;
	int64_t state_ns[LKST_STATE_NUM];
	const char *file;
	uint32_t paths;
};

/**
 * struct thread_wake - wake-ups of a thread by another one, or by an interrupt
 * @head: key: index of the thread that was woken up; waker_kind_key(); number of the waker
 * @woken: thread that was woken up
 * @waker: what woke it up
 * @times: number of wake-ups
 */
struct thread_wake {
	struct hash_head head;
	const struct lkst_thread *woken;
	struct waker waker;
	uint64_t times;
};

/**
 * struct thread_times - where the time of a thread went
 * @thread: thread; NULL: it has no span in the window
 * @selected: it was selected at the end of at least one span. Whether it is selected can change
 *	with its name
 * @ended: the end of the thread was recorded
 * @begin_ns: start of its first span
 * @end_ns: end of its last span
 * @mode_ns: time in which it ran, by mode
 * @call: what is known about its system call
 * @pending: time in which it was blocked for CAUSE_PENDING, by the index in CAUSE_LETTERS
 */
struct thread_times {
	const struct lkst_thread *thread;
	bool selected;
	bool ended;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t mode_ns[LKST_MODE_NUM];
	struct cause_state call;
	struct thread_sum pending[CAUSE_OTHER + 1];
};

/**
 * struct threads - what the analysis collects
 * @run: run
 * @times: where the time of each thread went, by index of the thread
 * @room: number of members of @times
 * @parts: table of struct thread_part
 * @calls: table of struct thread_call
 * @wakes: table of struct thread_wake
 * @paths: paths of the system calls
 * @calls_seen: the trace has system calls
 */
struct threads {
	const struct run *run;
	struct thread_times *times;
	size_t room;
	struct hash parts;
	struct hash calls;
	struct hash wakes;
	struct paths paths;
	bool calls_seen;
};

/* Return whether the thread with this index is selected. */
static inline bool threads_select(const struct threads *threads, uint64_t index)
{
	return index < threads->room && threads->times[index].selected;
}

/* Name of the row for system calls or wake-ups that have no row because there were too many */
#define THREADS_REST "(others)"

#define COLUMNS(column) column, sizeof(column) / sizeof(*(column))

int threads_report_commands(const struct threads *threads, const struct run *run,
			    struct tables *to, struct lkst_error *err);
int threads_report_files(const struct threads *threads, struct tables *to, struct lkst_error *err);
int threads_report_wakes(const struct threads *threads, const struct run *run, struct tables *to,
			 struct lkst_error *err);
int threads_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err);

#endif
