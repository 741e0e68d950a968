/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files that run an analysis. Analyses use only analysis.h. */
#ifndef _LKSTLA_RUN_H
#define _LKSTLA_RUN_H

#include "analysis.h"
#include "window.h"

struct arguments;
struct json_object;
struct lkst_processes;

/**
 * struct lost_records - records of a CPU that are missing in the window
 * @cpu: CPU
 * @number: number of records
 * @begin_ns: time of the last record before the first missing one
 * @end_ns: time of the first record after the last missing one
 */
struct lost_records {
	int32_t cpu;
	uint64_t number;
	int64_t begin_ns;
	int64_t end_ns;
};

/* Whether a thread is selected, and the facts on which this depends, see names.c */
struct thread_choice {
	uint32_t tid;
	int64_t first_ns;
	char name[LKST_COMM_LEN];
	uint32_t tgid;
	uint32_t parent;
	bool known;
	bool inherits;	/* -p matches the thread or, with --children, an ancestor */
	bool selected;
};

#define RUNNER_CPUS 8192

/**
 * struct runner - a run, and what analyses do not see of it
 * @run: the part that the analysis sees
 * @analysis: the analysis
 * @window: the window
 * @now_ns: time of the latest event
 * @opened: an event in or after the window has been seen
 * @tick_ns: time at which tick() of the analysis is called next; INT64_MAX: never
 * @done: what tick() returned, if not 0
 * @ctx: what start() of the analysis returned
 * @reported: report() of the analysis succeeded
 * @follow: the running kernel, if its new events are analysed instead of a trace; otherwise NULL
 * @stopped: the running kernel is not recording
 * @args: the common options; not const, because lkstla top changes them
 * @source: index of the first file of the boot
 * @mask: maskset of the running kernel, if its buffers are analysed; NULL: unknown
 * @processes: selection of -p; NULL: all threads
 * @any_selected: at least one thread was selected
 * @threads: number of threads for which names_choose() has been called
 * @choices: number of elements of @choice
 * @choice: for each thread, whether it is selected
 * @losses: number of elements of @loss
 * @loss: losses in the window by CPU
 * @loss_of: for each CPU: 1 plus the index in @loss; 0: none
 * @stop_ns: time at which recording was stopped, if it is stopped; INT64_MAX: it is not
 * @stops: number of times at which recording was off in the window
 * @off_ns: total length of these times
 * @off_begin_ns: start of the latest of these times
 * @off_end_ns: end of the latest of these times
 * @cpu_seen: bitmap of CPUs with events
 */
struct runner {
	struct run run;
	const struct analysis *analysis;
	struct window window;
	int64_t now_ns;
	bool opened;
	int64_t tick_ns;
	int done;
	void *ctx;
	bool reported;
	struct lkst_follow *follow;
	bool stopped;
	struct common_arguments *args;
	uint32_t source;
	struct lkst_maskset_body *mask;
	struct lkst_processes *processes;
	bool any_selected;
	size_t threads;
	size_t choices;
	struct thread_choice *choice;
	size_t losses;
	struct lost_records *loss;
	uint16_t loss_of[RUNNER_CPUS];
	int64_t stop_ns;
	uint64_t stops;
	uint64_t off_ns;
	int64_t off_begin_ns;
	int64_t off_end_ns;
	uint64_t cpu_seen[RUNNER_CPUS / 64];
};

/* Called by lkstla.c. Returns the exit status. */
int run_analysis(const struct analysis *analysis, struct arguments *args, char **operands);

/* run.c */
void run_forget_losses(struct runner *runner);
void run_next(struct runner *runner, const struct lkst_event *event);
int run_add_listeners(struct runner *runner, struct lkst_error *err);

/* live.c */
int live_run(struct runner *runner, struct lkst_error *err);

/* names.c */
void names_choose(struct runner *runner, const struct lkst_thread *thread);
void names_forget(struct runner *runner);
void names_trim(struct runner *runner);

/* header.c */
void header_print(const struct runner *runner, unsigned int width, FILE *to);
struct json_object *header_json(const struct runner *runner);
void header_print_wrapped(const char *text, unsigned int width, FILE *to);
int header_check_needs(const struct runner *runner, struct lkst_error *err);

static inline struct runner *runner_of(const struct run *run)
{
	return (struct runner *)(uintptr_t)((const char *)run - offsetof(struct runner, run));
}

#endif
