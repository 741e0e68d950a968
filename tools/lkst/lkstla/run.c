// SPDX-License-Identifier: GPL-2.0
/* Runs an analysis: opens the input, feeds the model with the events, and prints the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arguments.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/messages.h"
#include "cli/no_match.h"
#include "cli/pager.h"
#include "cli/print.h"
#include "cli/processes.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/live/capture.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "mask.h"
#include "messages.h"
#include "run.h"

/**
 * run_out_of_memory() - report that an allocation failed in a callback of the model
 * @run: run, which fails after this event
 */
void run_out_of_memory(const struct run *run)
{
	struct lkst_error err;

	lkst_error_memory(&err, "the analysis");
	lkst_model_fail(run->model, &err);
}

/*
 * Find or add the losses of a CPU, whose number the model has checked. Returns NULL if an
 * allocation fails.
 */
static struct lost_records *run_loss_of(struct runner *runner, int32_t cpu)
{
	struct lost_records *grown;

	if (runner->loss_of[cpu])
		return &runner->loss[runner->loss_of[cpu] - 1];
	grown = realloc(runner->loss, (runner->losses + 1) * sizeof(*grown));
	if (!grown) {
		run_out_of_memory(&runner->run);
		return NULL;
	}
	runner->loss = grown;
	grown[runner->losses] = (struct lost_records){ .cpu = cpu };
	runner->loss_of[cpu] = (uint16_t)++runner->losses;
	return &grown[runner->losses - 1];
}

static void run_on_loss(void *ctx, const struct lkst_loss *loss)
{
	struct runner *runner = ctx;
	struct lost_records *of;

	/*
	 * If the number of lost records is 0, an unknown number may be missing at the end of the
	 * trace. The header mentions this separately.
	 */
	if (!loss->number)
		return;
	of = run_loss_of(runner, loss->cpu);
	if (!of)
		return;
	if (!of->number || loss->begin_ns < of->begin_ns)
		of->begin_ns = loss->begin_ns;
	if (!of->number || loss->end_ns > of->end_ns)
		of->end_ns = loss->end_ns;
	of->number += loss->number;
}

/**
 * run_forget_losses() - forget the losses so far, at the start of an interval
 * @runner: run
 */
void run_forget_losses(struct runner *runner)
{
	for (size_t i = 0; i < runner->losses; i++)
		runner->loss_of[runner->loss[i].cpu] = 0;
	runner->losses = 0;
	runner->stops = runner->off_ns = 0;
}

/* Note for how long recording was off in the window, if it was off up to @end_ns. */
static void run_end_stop(struct runner *runner, int64_t end_ns)
{
	int64_t begin_ns = runner->stop_ns;

	runner->stop_ns = INT64_MAX;
	if (begin_ns < runner->window.begin_ns)
		begin_ns = runner->window.begin_ns;
	if (begin_ns >= end_ns)
		return;
	runner->stops++;
	runner->off_ns += (uint64_t)end_ns - (uint64_t)begin_ns;
	runner->off_begin_ns = begin_ns;
	runner->off_end_ns = end_ns;
}

static const struct lkst_model_ops run_ops = {
	.loss = run_on_loss,
};

/* Add a CPU to a bitmap. Returns true if the CPU was already in it, or if its number is invalid. */
static bool run_mark_cpu(uint64_t cpus[RUNNER_CPUS / 64], int32_t cpu)
{
	uint64_t bit, before;

	if (cpu < 0 || cpu >= RUNNER_CPUS)
		return true;
	bit = 1ull << (cpu % 64);
	before = cpus[cpu / 64];
	cpus[cpu / 64] |= bit;
	return before & bit;
}

/**
 * run_next() - prepare for an event
 * @runner: run
 * @event: event, which the model has not processed; NULL: the window is about to be closed
 */
void run_next(struct runner *runner, const struct lkst_event *event)
{
	struct lkst_model *model = runner->run.model;

	/* Determine whether the threads that the last event has added are selected. */
	if (runner->processes)
		for (; runner->threads < lkst_model_threads(model); runner->threads++)
			names_choose(runner, lkst_model_thread(model, (uint32_t)runner->threads));
	runner->now_ns = event ? event->time_ns : runner->window.end_ns;
	if (event)
		runner->run.cpus += !run_mark_cpu(runner->cpu_seen, event->cpu);
	if (!event || event->type == LKST_ETYPE_LKST_TRC_START)
		run_end_stop(runner, runner->now_ns);
	else if (event->type == LKST_ETYPE_LKST_TRC_STOP)
		runner->stop_ns = event->time_ns;
}

/* Make the analysis report the intervals that ended before an event. */
static void run_tick(struct runner *runner, int64_t now_ns)
{
	struct lkst_error err;

	if (runner->done || now_ns < runner->tick_ns)
		return;
	lkst_error_set(&err, LKST_ERR_INTERRUPTED, "stopped");
	runner->done = runner->analysis->tick(runner->ctx, now_ns, &err);
	if (runner->done)
		lkst_model_fail(runner->run.model, &err);
}

static void run_on_next(void *ctx, const struct lkst_event *event)
{
	struct runner *runner = ctx;

	if (event)
		run_tick(runner, event->time_ns);
	run_next(runner, event);
	/*
	 * After the first event of the window, the model reports all events, even if they are
	 * older.
	 */
	runner->opened |= !event || event->time_ns >= runner->window.begin_ns;
	if (!runner->opened && runner->analysis->early)
		runner->analysis->early(runner->ctx, event);
}

/* Show the progress, unless the analysis reports intervals: its output shows the progress. */
static void run_on_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct runner *runner = ctx;

	if (runner->analysis->tick)
		return;
	progress_show((void *)"analysing", done, total);
}

/*
 * Feed the model with all events up to the end of the window, and close the window. Returns 0; 1 if
 * the analysis stopped before the end; -1 on error.
 */
static int run_feed(struct runner *runner, struct lkst_error *err)
{
	struct lkst_model_window window = {
		.begin_ns = runner->window.begin_ns,
		.end_ns = runner->window.end_ns,
		.ctx = runner,
		.next = run_on_next,
		.progress = run_on_progress,
	};
	int ret = lkst_model_read(runner->run.model, runner->run.trace, &window, err);

	progress_clear();
	return ret && runner->done > 0 ? 1 : ret;
}

/* Sort the tables as --sort requires, and limit them to the rows of --top. */
static int run_arrange(const struct runner *runner, struct tables *tables, struct lkst_error *err)
{
	const struct common_arguments *args = runner->run.args;
	bool sorted = false;
	struct lkst_error other;

	for (size_t i = 0; args->sort && i < tables->num; i++)
		/* If no table has the column, the error lists the columns of the first table. */
		sorted |= !table_sort(tables->table[i], args->sort, i ? &other : err);
	if (args->sort && tables->num && !sorted)
		return -1;
	for (size_t i = 0; args->top && i < tables->num; i++)
		table_limit(tables->table[i], (size_t)args->top);
	return 0;
}

static int run_print_json(const struct runner *runner, const struct tables *tables,
			  struct lkst_error *err)
{
	struct json_object *all = json_new();

	json_put(all, "window", tables->window ? tables->window : header_json(runner));
	for (size_t i = 0; i < tables->num; i++)
		json_put(all, table_name(tables->table[i]), table_json(tables->table[i]));
	if (tables->json)
		json_put(all, runner->analysis->name, tables->json);
	return json_print(all, err);
}

static void run_print_header(const struct runner *runner, const struct tables *tables,
			     unsigned int width, FILE *to)
{
	if (tables->header)
		fputs(tables->header, to);
	else
		header_print(runner, width, to);
}

static int run_print_text(const struct runner *runner, const struct tables *tables,
			  struct lkst_error *err)
{
	unsigned int width = terminal_width();
	bool color = color_enabled();

	if (!runner->run.args->no_pager)
		pager_start();
	run_print_header(runner, tables, width, stdout);
	if (tables->text)
		printf("\n%s", tables->text);
	for (size_t i = 0; i < tables->num && !tables->text; i++) {
		putchar('\n');
		if (tables->num > 1)
			table_print_title(tables->table[i], color, stdout);
		table_print_text(tables->table[i], width, color, stdout);
	}
	return pager_end(err);
}

static int run_print(const struct runner *runner, const struct tables *tables,
		     struct lkst_error *err)
{
	const struct common_arguments *args = runner->run.args;

	if (tables->quiet)
		return 0;
	if (args->json && !tables->printed)
		return run_print_json(runner, tables, err);
	if (!args->csv && !tables->printed)
		return run_print_text(runner, tables, err);
	run_print_header(runner, tables, 0, stderr);
	for (size_t i = 0; i < tables->num; i++)
		table_print_csv(tables->table[i], stdout);
	return 0;
}

/* Return whether -p selects any thread. Names may have changed since names_choose() was called. */
static bool run_selects_any(struct runner *runner)
{
	const struct lkst_model *model = runner->run.model;

	for (size_t i = 0; !runner->any_selected && i < lkst_model_threads(model); i++)
		run_selects(&runner->run, lkst_model_thread(model, (uint32_t)i));
	return runner->any_selected;
}

/* Return whether the number is that of a thread or a process. */
static bool run_has_number(void *ctx, uint64_t number)
{
	const struct runner *runner = ctx;
	const struct lkst_model *model = runner->run.model;

	for (size_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);

		if (thread->tid == number || thread->tgid == number)
			return true;
	}
	return false;
}

/* Report that no thread matches -p, and suggest similar names. */
static int run_no_threads(struct runner *runner, struct lkst_error *err)
{
	const struct no_match_numbers numbers = { run_has_number, runner };
	const struct run *run = &runner->run;
	bool operands = runner->analysis->operands_select && run->operands && *run->operands;

	no_match(operands ? MSG_NO_OPERANDS : MSG_NO_THREADS, &run->args->processes, false,
		 run->trace, &numbers, err);
	operands_hint(runner->analysis, run->operands, err);
	return -1;
}

/* Print a note if some words of -p match no thread, although others do. */
static void run_note_words(struct runner *runner)
{
	const struct no_match_numbers numbers = { run_has_number, runner };
	struct lkst_error note;

	if (!runner->run.trace)
		return;
	lkst_error_set(&note, LKST_ERR_NOT_FOUND, MSG_SOME_UNKNOWN);
	no_match_add_words(&runner->run.args->processes, runner->run.trace, &numbers, &note);
	if (strcmp(note.text, MSG_SOME_UNKNOWN))
		print_notes(&note);
}

/*
 * Return whether the result is for another program. Then the header is printed to standard error.
 */
static bool run_is_for_program(const struct runner *runner)
{
	const struct analysis *analysis = runner->analysis;

	return analysis->writes_file || (analysis->prints && *(const bool *)runner->run.own);
}

static int run_report(struct runner *runner, void *ctx, struct lkst_error *err)
{
	struct tables tables = { .printed = run_is_for_program(runner) }, none = tables;
	int ret = -1;

	/* Without the events that the analysis needs, the report would be empty or wrong. */
	if (header_check_needs(runner, err)) {
		run_print(runner, &none, NULL);
		fflush(stdout);
		return -1;
	}
	if (runner->processes && !run_selects_any(runner))
		return run_no_threads(runner, err);
	if (runner->processes)
		run_note_words(runner);
	runner->reported = !runner->analysis->report(ctx, &runner->run, &tables, err);
	if (runner->reported && !run_arrange(runner, &tables, err)) {
		ret = run_print(runner, &tables, err);
	} else {
		json_free(tables.window);
		json_free(tables.json);
	}
	for (size_t i = 0; i < tables.num; i++)
		table_free(tables.table[i]);
	free(tables.text);
	free(tables.header);
	return ret;
}

/**
 * run_add_listeners() - register the functions of the analysis with the model
 * @runner: run
 * @err: set if an allocation fails
 */
int run_add_listeners(struct runner *runner, struct lkst_error *err)
{
	struct lkst_model *model = runner->run.model;

	return lkst_model_add(model, &run_ops, runner, err) ||
	       lkst_model_add(model, &runner->analysis->ops, runner->ctx, err);
}

/* Run the analysis on an open trace with a known window. */
static int run_window(struct runner *runner, struct lkst_error *err)
{
	const struct analysis *analysis = runner->analysis;
	struct lkst_model *model = lkst_model_new(false, err);
	void *ctx = NULL;
	int ret = -1;

	runner->run.model = model;
	if (model)
		ctx = analysis->start(&runner->run, err);
	runner->ctx = ctx;
	if (ctx && (!analysis->apply || !analysis->apply(ctx, runner->run.own, err)) &&
	    !run_add_listeners(runner, err))
		ret = run_feed(runner, err);
	if (ret >= 0)
		ret = ret ? 0 : run_report(runner, ctx, err);
	/*
	 * After the first of two runs, keep what the analysis has collected: the second run needs
	 * it.
	 */
	if (ctx && (!analysis->compares || runner->run.first)) {
		analysis->free(ctx);
		runner->ctx = NULL;
	}
	lkst_model_free(model);
	return ret;
}

/*
 * Find the first file of the boot that is analysed, and print a note if the trace has other boots.
 */
static void run_choose_boot(struct runner *runner, const struct trace_bounds *bounds)
{
	struct lkst_trace *trace = runner->run.trace;
	bool others = false;

	for (size_t i = lkst_trace_sources(trace); i-- > 0;)
		if (lkst_trace_boot(trace, (uint32_t)i) == bounds->boot)
			runner->source = (uint32_t)i;
		else
			others = true;
	if (others)
		print_note(MSG_BOOTS);
}

/* Check that the trace has records of the CPU given with -c. */
static int run_check_cpu(const struct common_arguments *args, const struct lkst_trace *trace,
			 struct lkst_error *err)
{
	int32_t cpu = (int32_t)args->cpu;
	char cpus[256];

	if (args->input.from.num || cpu < 0 || lkst_trace_has_cpu(trace, cpu))
		return trace_files_check_cpu(&args->input.from, cpu, trace, err);
	lkst_trace_cpu_text(trace, cpus, sizeof(cpus));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU_IN, "the trace", (long)cpu, cpus);
	return -1;
}

/*
 * Files of kmemtrace have neither processes nor the time of day. Their trace
 * begins at 0, so print its times without the offset of the time zone.
 */
static int run_check_kmemtrace(const struct run *run, struct lkst_error *err)
{
	if (!run_is_kmemtrace(run))
		return 0;
	setenv("TZ", "UTC0", 1);
	tzset();
	if (!run->args->processes.num)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_KMEMTRACE_PROCESSES);
	return -1;
}

static int run_trace(struct runner *runner, struct lkst_error *err)
{
	const struct common_arguments *args = runner->run.args;
	struct lkst_trace *trace = runner->run.trace;
	struct trace_bounds bounds;
	int ret;

	if (run_check_kmemtrace(&runner->run, err) || run_check_cpu(args, trace, err))
		return -1;
	ret = window_bounds(trace, &bounds, err);
	if (ret > 0)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENTS);
	if (ret || window_choose(args, &bounds, &runner->window, err))
		return -1;
	run_choose_boot(runner, &bounds);
	runner->run.begin_ns = runner->window.begin_ns;
	runner->run.end_ns = runner->window.end_ns;
	runner->run.oldest_ns = bounds.oldest_ns;
	runner->run.newest_ns = bounds.newest_ns;
	return run_window(runner, err);
}

static int run_with_types(struct runner *runner, struct lkst_error *err)
{
	const struct option_words *words = &runner->run.args->processes;
	struct print_types types;
	int ret = -1;

	if (!print_types_load(&types, runner->run.trace, NULL, err)) {
		runner->run.types = types.all;
		if (words->num)
			runner->processes = processes_take(words, err);
		if (!words->num || runner->processes)
			ret = run_trace(runner, err);
	}
	lkst_processes_free(runner->processes);
	print_types_free(&types);
	return ret;
}

static void run_init(struct runner *runner, const struct analysis *analysis, struct arguments *args,
		     char **operands)
{
	*runner = (struct runner){
		.run.args = &args->common,
		.run.own = args->own,
		.run.operands = analysis->operands ? operands : NULL,
		.analysis = analysis,
		.args = &args->common,
		.tick_ns = INT64_MAX,
		.stop_ns = INT64_MAX,
	};
}

/* Open the input of the command line, and analyse it. Returns the exit status. */
static int run_input(struct runner *runner, struct lkst_error *err)
{
	const struct trace_input *input = &runner->run.args->input;
	const struct lkst_capture live = {
		.cpu = -1,
		.id = -1,
		.no_long_rings = !runner->analysis->long_rings,
		.notice = print_hooks.report,
		.progress = progress_show,
		.ctx = (void *)"reading",
	};
	struct lkst_trace *trace;
	int fd = -1, status;

	trace = runner->run.trace = trace_input_open(input, &live, &fd, err);
	if (trace && trace_input_live(input))
		runner->mask = mask_read();
	else if (!trace && trace_input_live(input))
		operands_hint(runner->analysis, runner->run.operands, err);
	if (!trace || run_with_types(runner, err))
		status = fail(err);
	else
		status = lkst_trace_incomplete(trace) ? EXIT_FAILURE : EXIT_SUCCESS;
	trace_input_close(trace, fd);
	return status;
}

/* Free what a run has allocated, except its context. */
static void run_end(struct runner *runner)
{
	free(runner->mask);
	free(runner->choice);
	free(runner->loss);
}

/* Run an analysis that compares two traces. Returns the exit status. */
static int run_both(struct runner *runner, struct arguments *args, struct lkst_error *err)
{
	const struct analysis *analysis = runner->analysis;
	const struct trace_input input = args->common.input;
	struct trace_input side[2];
	int first, second = EXIT_SUCCESS;
	bool reported;
	void *ctx;

	if (arguments_split(&input, side, err))
		return fail(err);
	args->common.input = side[0];
	first = run_input(runner, err);
	ctx = runner->ctx;
	reported = runner->reported;
	run_end(runner);
	run_init(runner, analysis, args, NULL);
	/* If a trace is damaged, compare what could be read of it. */
	if (reported) {
		args->common.input = side[1];
		runner->run.first = ctx;
		second = run_input(runner, err);
	}
	if (ctx)
		analysis->free(ctx);
	args->common.input = input;
	return second ? second : first;
}

/**
 * run_analysis() - run an analysis, and print its result
 * @analysis: analysis
 * @args: the command line, which has been checked
 * @operands: operands, ending with NULL
 *
 * Return: exit status. As with lkstbuf print, it shows whether events are missing.
 */
int run_analysis(const struct analysis *analysis, struct arguments *args, char **operands)
{
	struct runner *runner = malloc(sizeof(*runner));
	struct lkst_error err;
	int status;

	if (!runner) {
		lkst_error_memory(&err, "the analysis");
		return fail(&err);
	}
	run_init(runner, analysis, args, operands);
	if (analysis->compares)
		status = run_both(runner, args, &err);
	else if (!analysis->tick || !trace_input_live(&args->common.input))
		status = run_input(runner, &err);
	else
		status = live_run(runner, &err) ? fail(&err) : EXIT_SUCCESS;
	run_end(runner);
	free(runner);
	return status;
}
