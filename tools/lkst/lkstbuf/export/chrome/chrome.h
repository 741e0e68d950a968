/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files of the format chrome: the Trace Event Format of Chrome, which
 * Perfetto, speedscope and the Firefox profiler read.
 *
 * chrome.c begins and ends the file. chrome_cpus.c draws which thread runs on each CPU, and the
 * interrupts and softirqs during that time. chrome_calls.c draws the system calls and exceptions of
 * threads, and chrome_threads.c the states inside them. chrome_pieces.c writes the states, and the
 * arrows from wakers. chrome_events.c writes all other events as instants. chrome_track.c writes
 * the lines, and chrome_hold.c holds them back.
 */
#ifndef _LKSTBUF_EXPORT_CHROME_H
#define _LKSTBUF_EXPORT_CHROME_H

#include "chrome_track.h"
#include "cli/state_names.h"
#include "lib/base/etype_ids.h"
#include "lkstbuf/export/states.h"

/*
 * Thread IDs are less than CHROME_TIDS (PID_MAX_LIMIT in the kernel). If a thread ID is reused, the
 * later thread gets a number that is higher by CHROME_TIDS, so that viewers do not confuse the two
 * threads. Tracks that do not belong to threads have higher numbers than all threads.
 */
#define CHROME_TIDS	 (1u << 22)
#define CHROME_USES_MAX	 255
#define CHROME_PID_CPUS	 (1u << 30)
#define CHROME_CPUS_MAX	 8192
#define CHROME_TID_MARKS (CHROME_PID_CPUS + CHROME_CPUS_MAX)

/**
 * struct chrome_cpu - a CPU
 * @track: its track
 * @running: a slice CHROME_RUN has begun and not ended
 * @thread: with @running: the thread, or NULL if it is unknown what is running
 * @run_end_ns: with @running: the time up to which the model has reported this slice
 */
struct chrome_cpu {
	struct chrome_track track;
	bool running;
	const struct lkst_thread *thread;
	int64_t run_end_ns;
};

/**
 * struct chrome_piece - time in which a thread stayed in one state and in one slice around it
 * @begin_ns: start
 * @end_ns: end
 * @state: state
 * @letter: BLOCKED: letter of the state as in ps; 0: unknown
 * @cpu: as in struct lkst_thread_span
 * @context: BLOCKED: as in struct lkst_thread_span
 * @number: number of @context
 * @preempted: RUNNABLE: the thread was switched out while runnable
 * @wake: RUNNABLE: what woke up the thread
 * @behind: RUNNABLE: thread that was running instead
 */
struct chrome_piece {
	int64_t begin_ns;
	int64_t end_ns;
	enum lkst_state state;
	char letter;
	int32_t cpu;
	int context;
	uint64_t number;
	bool preempted;
	struct lkst_wake wake;
	const struct lkst_thread *behind;
};

/*
 * Maximum number of pieces that are held back until it is known whether the thread is in a system
 * call
 */
#define CHROME_PENDING_MAX 16

/* Pieces that are held back. Unused structures are in a list in struct chrome. */
struct chrome_pending {
	struct chrome_pending *next;
	unsigned int num;
	struct chrome_piece piece[CHROME_PENDING_MAX];
};

/**
 * struct chrome_thread - a thread
 * @thread: thread
 * @track: its track
 * @choice: whether -p selects it
 * @piece_ns: time up to which the states have been written or are pending
 * @call_known: whether it is known if the thread is in a system call
 * @late: @call_known is false, but the states had to be written nevertheless
 * @pending: pieces that are written as soon as @call_known is true; NULL: none
 */
struct chrome_thread {
	const struct lkst_thread *thread;
	struct chrome_track track;
	struct states_choice choice;
	int64_t piece_ns;
	bool call_known;
	bool late;
	struct chrome_pending *pending;
};

/**
 * struct chrome - an export in the format chrome
 * @export: the export
 * @states: the model
 * @writer: writes lines
 * @calls: whether the trace has system calls
 * @chosen: the command line chooses events, so events that are drawn as slices are written as well
 * @cpu: by number; NULL: not seen
 * @thread: by index in the model; NULL: not looked up yet
 * @threads: number of members of @thread
 * @uses: by thread ID: number of threads that have had this ID; NULL before the first thread
 * @unused: list of structures that can be reused
 * @marks: track of the marks
 * @arrows: number of arrows so far
 * @lost: number of records that are missing
 */
struct chrome {
	struct export *export;
	struct states states;
	struct chrome_writer writer;
	bool calls;
	bool chosen;
	struct chrome_cpu *cpu[CHROME_CPUS_MAX];
	struct chrome_thread **thread;
	size_t threads;
	uint8_t *uses;
	struct chrome_pending *unused;
	struct chrome_track marks;
	uint64_t arrows;
	uint64_t lost;
};

/* chrome_cpus.c */
struct chrome_cpu *chrome_cpu(struct chrome *chrome, int32_t number);
void chrome_cpu_follow(struct chrome *chrome, int32_t number);
void chrome_cpu_span(void *ctx, const struct lkst_cpu_span *span);
void chrome_cpu_loss(void *ctx, const struct lkst_loss *loss);
void chrome_cpu_context_begin(struct chrome *chrome, const struct lkst_context_span *span,
			      const struct chrome_slice *slice);
void chrome_cpus_end(struct chrome *chrome);

/* chrome_threads.c */
struct chrome_thread *chrome_thread(struct chrome *chrome, const struct lkst_thread *thread);
struct chrome_track *chrome_thread_track(struct chrome *chrome, const struct lkst_thread *thread);
bool chrome_select(struct chrome *chrome, struct chrome_thread *thread, int32_t cpu);
void chrome_thread_flush(struct chrome *chrome, struct chrome_thread *thread, int64_t before_ns);
void chrome_thread_give_up(struct chrome *chrome, struct chrome_thread *thread);
void chrome_thread_split(struct chrome *chrome, struct chrome_thread *thread, int64_t at_ns);
void chrome_thread_span(void *ctx, const struct lkst_thread_span *span);
void chrome_threads_end(struct chrome *chrome);

/* chrome_calls.c */
void chrome_syscall_begin(void *ctx, const struct lkst_syscall_span *span);
void chrome_syscall(void *ctx, const struct lkst_syscall_span *span);
void chrome_context_begin(void *ctx, const struct lkst_context_span *span);
void chrome_context(void *ctx, const struct lkst_context_span *span);

/* chrome_pieces.c */
void chrome_piece_write(struct chrome *chrome, struct chrome_thread *thread,
			const struct chrome_piece *piece);

/* chrome_events.c */
int chrome_event(void *ctx, const struct lkst_event *event, struct lkst_error *err);

static inline struct lkst_names *chrome_names(const struct chrome *chrome)
{
	return chrome->export->context->names;
}

#endif
