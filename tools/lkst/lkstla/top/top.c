// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla top: shows figures of other analyses, interval by interval.
 *
 * At the end of an interval, the model cuts all spans and reports their parts, so the figures of
 * all intervals add up to the figures of the whole time. Then the interval's frame is made, and all
 * figures are reset. Threads that have ended are forgotten, so memory does not grow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "lib/base/error.h"
#include "lib/model/trim.h"
#include "lib/text/timestamp.h"
#include "lkstla/messages.h"
#include "lkstla/tally.h"
#include "lkstla/terminal.h"
#include "top.h"

#define TOP_INTERVAL_NS 1000000000
#define TOP_LIVE_MIN_NS 100000000
#define TOP_GAP		10 /* more intervals without an event than this become one interval */

/* ---- intervals ---- */

/* Make the frame of the interval, which ends at @end_ns. Returns NULL on failure. */
static struct top_frame *top_frame(struct top *top, int64_t end_ns, struct lkst_error *err)
{
	struct top_frame *frame = calloc(1, sizeof(*frame));
	struct runner *runner = top->runner;
	const int64_t last_ns = runner->run.end_ns;

	if (!frame) {
		lkst_error_memory(err, "an interval");
		return NULL;
	}
	/* The functions below use the end of the window, which is restored afterwards. */
	runner->run.end_ns = runner->window.end_ns = end_ns;
	if (top_collect_fill(top, frame, err)) {
		frame_free(frame);
		frame = NULL;
	}
	runner->run.end_ns = runner->window.end_ns = last_ns;
	return frame;
}

static void top_print_text(struct top *top, struct top_frame *frame)
{
	if (top->done)
		putchar('\n');
	frame_print_header(frame, 0, stdout);
	putchar('\n');
	frame_print_view(frame, top->display.ui.view, 0, false, stdout);
}

/*
 * Print or draw a frame, which then belongs to this function. Returns 0; 1 if the output is closed;
 * -1 on failure.
 */
static int top_show(struct top *top, struct top_frame *frame, struct lkst_error *err)
{
	int ret = 0;

	if (top->screen) {
		if (top->display.ui.paused) {
			frame_free(frame);
			return 0;
		}
		frame_free(top->display.shown);
		top->display.shown = frame;
		top_view_draw(&top->display);
		return 0;
	}
	frame_limit(frame, top->runner->args->top);
	if (top->runner->args->json)
		ret = frame_print_json(frame, err);
	else
		top_print_text(top, frame);
	frame_free(frame);
	/* program_end() reports the error. */
	return ret ? ret : fflush(stdout) || ferror(stdout);
}

/* Forget the interval that has ended at @end_ns, and begin the next one. */
static int top_begin(struct top *top, int64_t end_ns, struct lkst_error *err)
{
	struct runner *runner = top->runner;

	runner->run.begin_ns = runner->window.begin_ns = end_ns;
	/*
	 * lkst_model_trim() changes the indexes of the threads, so first clear the tables that are
	 * indexed by them.
	 */
	if (top_collect_start(top, err))
		return -1;
	/* Opening a window also resets the counts of the model. */
	lkst_model_open_window(runner->run.model, end_ns);
	lkst_model_trim(runner->run.model);
	names_trim(runner);
	run_forget_losses(runner);
	return 0;
}

/* Show the interval that ends at @end_ns. Returns the same values as tick(). */
static int top_end(struct top *top, int64_t end_ns, struct lkst_error *err)
{
	struct top_frame *frame = top_frame(top, end_ns, err);
	int ret = frame ? top_show(top, frame, err) : -1;

	if (ret)
		return ret;
	top->done++;
	return top->own->count && top->done >= top->own->count;
}

/*
 * Show an interval of a file for as long as it took when it was recorded. Returns 1 to stop, 0 to
 * continue.
 */
static int top_wait(struct top *top)
{
	int64_t left_ms = top->interval_ns / 1000000;

	if (top->runner->follow)
		return 0;
	do {
		int step = left_ms < 50 ? (int)left_ms : 50;

		if (top_view_keys(&top->display, step))
			return 1;
		if (!top->display.ui.paused)
			left_ms -= step;
	} while (left_ms > 0);
	return 0;
}

static int top_interval(struct top *top, int64_t end_ns, struct lkst_error *err)
{
	int ret;

	top->cutting = true;
	ret = lkst_model_cut(top->runner->run.model, end_ns, err);
	top->cutting = false;
	if (ret)
		return -1;
	ret = top_end(top, end_ns, err);
	if (!ret)
		ret = top_begin(top, end_ns, err);
	if (!ret && top->screen)
		ret = top_wait(top);
	return ret ? ret : terminal_stopping();
}

/* Set the end of the next interval. A long time without events becomes a single interval. */
static void top_next(struct top *top, int64_t now_ns)
{
	struct runner *runner = top->runner;
	int64_t steps = tally_length(runner->tick_ns, now_ns) / top->interval_ns;

	if (steps <= TOP_GAP)
		steps = 1;
	if (__builtin_add_overflow(runner->tick_ns, steps * top->interval_ns, &runner->tick_ns))
		runner->tick_ns = INT64_MAX;
}

static int top_tick(void *ctx, int64_t now_ns, struct lkst_error *err)
{
	struct top *top = ctx;

	while (top->runner->tick_ns <= now_ns && top->runner->tick_ns < INT64_MAX) {
		int ret = top_interval(top, top->runner->tick_ns, err);

		if (ret)
			return ret;
		top_next(top, now_ns);
	}
	return 0;
}

static int top_idle(void *ctx)
{
	struct top *top = ctx;

	if (top->screen)
		return top_view_keys(&top->display, 0);
	return terminal_stopping();
}

/*
 * At the end of a trace, show the last interval. On a screen, keep it there until the user quits.
 */
static int top_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct top *top = ctx;
	int ret = 0;

	to->printed = to->quiet = true;
	if (run->end_ns > run->begin_ns)
		ret = top_end(top, run->end_ns, err);
	if (ret || !top->screen)
		return ret < 0 ? -1 : 0;
	top->display.ui.paused = false;
	snprintf(top->display.ui.message, sizeof(top->display.ui.message),
		 "The trace has ended (q: quit).");
	top_view_draw(&top->display);
	while (!top_view_keys(&top->display, 1000))
		;
	return 0;
}

/* ---- start and end ---- */

/* Check options that require or exclude each other. */
static int top_check(const struct runner *runner, const struct top_arguments *own,
		     int64_t interval_ns, struct lkst_error *err)
{
	const struct common_arguments *args = runner->args;
	const char *why = NULL;

	if (runner->follow && interval_ns < TOP_LIVE_MIN_NS)
		why = "--interval must be at least 100ms, unless the trace is a file";
	else if (runner->follow &&
		 (args->times.since || args->times.until || args->last || args->any))
		why = "--since, --until, --last and --any require a trace (-f FILE or --previous)";
	else if (args->json && own->batch)
		why = "--batch cannot be combined with --json";
	if (!why)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", why);
	return -1;
}

static void top_free(void *ctx)
{
	struct top *top = ctx;

	if (top->screen)
		terminal_leave();
	frame_free(top->display.shown);
	top_collect_free(top);
	free(top);
}

static int top_open_screen(struct top *top, struct lkst_error *err)
{
	terminal_catch_signals();
	if (top->own->batch || top->runner->args->json || !isatty(STDIN_FILENO) ||
	    !isatty(STDOUT_FILENO))
		return 0;
	if (terminal_enter(err))
		return -1;
	top->screen = true;
	top_view_draw(&top->display);
	return 0;
}

static void *top_start(const struct run *run, struct lkst_error *err)
{
	struct top *top = calloc(1, sizeof(*top));
	struct runner *runner = runner_of(run);

	if (!top) {
		lkst_error_memory(err, "top");
		return NULL;
	}
	top->runner = top->display.runner = runner;
	top->own = run->own;
	top->interval_ns = TOP_INTERVAL_NS;
	top->display.ui.view = (enum top_view)top->own->view;
	top->display.ui.all = top->own->all;
	strcpy(top->display.sort[TOP_THREADS], "run-%");
	strcpy(top->display.sort[TOP_CALLS], "total-ms");
	strcpy(top->display.sort[TOP_INTERRUPTS], "total-ms");
	if (run->args->sort)
		snprintf(top->display.sort[top->own->view], TOP_SORT_SIZE, "%s", run->args->sort);
	top_threads_init(&top->threads, run->begin_ns);
	top_calls_init(&top->calls, run->begin_ns);
	if ((top->own->interval &&
	     lkst_span_parse("--interval", top->own->interval, &top->interval_ns, err)) ||
	    top_check(runner, top->own, top->interval_ns, err) || top_collect_start(top, err) ||
	    top_open_screen(top, err)) {
		top_free(top);
		return NULL;
	}
	if (__builtin_add_overflow(run->begin_ns, top->interval_ns, &runner->tick_ns))
		runner->tick_ns = INT64_MAX;
	return top;
}

static const char *const top_view_words[] = { "threads", "syscalls", "interrupts", "cpus", NULL };

static const struct option_row top_rows[] = {
	OPT_TEXT('d', "interval", "SPAN", struct top_arguments, interval,
		 "length of an interval: 500ms; default: 1s"),
	OPT_NUMBER('n', "count", "NUMBER", struct top_arguments, count, 1, INT64_MAX,
		   "number of intervals", "end after this many intervals"),
	OPT_FLAG('b', "batch", struct top_arguments, batch, "text for each interval, no screen"),
	OPT_CHOICE(0, "view", "VIEW", struct top_arguments, view, top_view_words, "view",
		   "threads, syscalls, interrupts or cpus"),
	OPT_FLAG('a', "all", struct top_arguments, all, "also threads that did nothing but sleep"),
};

static const char *const top_needs[] = {
	"PROCESS_CONTEXTSWITCH",
	"PROCESS_WAKEUP",
	"SYSCALL_ENTRY",
	"SYSCALL_EXIT",
	"INT_HARDWARE_ENTRY",
	"INT_HARDWARE_EXIT",
	"INT_TIMER_ENTRY",
	"INT_TIMER_EXIT",
	"INT_IPI_ENTRY",
	"INT_IPI_EXIT",
	"INT_SOFTIRQ_ENTRY",
	"INT_SOFTIRQ_EXIT",
	NULL,
};

const struct analysis analysis_top = {
	.name = "top",
	.summary = "threads, system calls, interrupts and CPUs, every second",
	.about =
		"What threads, system calls, interrupts and CPUs do, every second, live or from a\n"
		"file. Without a terminal, prints text. On a terminal, h lists the keys.\n",
	.refuses = {
		[ANALYSIS_OVER] = "--sort and --top choose the rows",
		[ANALYSIS_CSV] = "--json is for programs",
	},
	.row = top_rows,
	.rows = sizeof(top_rows) / sizeof(*top_rows),
	.own_size = sizeof(struct top_arguments),
	.needs = top_needs,
	.needs_any = true,
	.helps = top_needs,
	.ops = {
		.thread = top_collect_thread,
		.cpu = top_collect_cpu,
		.context = top_collect_context,
		.syscall = top_collect_syscall,
		.wake = top_collect_wake,
		.migrate = top_collect_migrate,
		.event = top_collect_event,
	},
	.start = top_start,
	.report = top_report,
	.free = top_free,
	.tick = top_tick,
	.idle = top_idle,
};
