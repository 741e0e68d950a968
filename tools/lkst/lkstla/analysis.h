/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of an analysis. Each analysis is an element of analyses[] in lkstla.c: it names the
 * callbacks that the state model calls, and turns what they collected into tables. Options, input,
 * window, header and output are common to all of them (run.c).
 */
#ifndef _LKSTLA_ANALYSIS_H
#define _LKSTLA_ANALYSIS_H

#include <stdio.h>

#include "cli/options.h"
#include "cli/times.h"
#include "cli/trace_input.h"
#include "lib/lkst.h"
#include "lib/model.h"
#include "table.h"

/**
 * struct common_arguments - options that all analyses have
 * @input: -f, --previous, --boot, --symbols and operands; without them, the running kernel
 * @times: --since and --until, as in lkstbuf print
 * @last: --last: length of the analysed part, which is at the end of the trace
 * @last_ns: @last in nanoseconds
 * @any: --any: also analyse the time in which only some CPUs have records
 * @processes: -p: only these threads and processes, and with --children their descendants. Analyses
 *	use this through run_selects()
 * @cpu: -c: only this CPU; -1: all CPUs. Analyses use this through run_selects_cpu()
 * @top: --top: at most this many rows; 0: all
 * @over: argument of --over
 * @over_ns: @over in nanoseconds: only what took at least this long; 0: all
 * @sort: --sort: key of a column; NULL: the order that the analysis chooses
 * @json: --json
 * @csv: --csv
 * @no_pager: --no-pager
 */
struct common_arguments {
	struct trace_input input;
	struct time_arguments times;
	const char *last;
	int64_t last_ns;
	bool any;
	struct option_words processes;
	bool children;
	int64_t cpu;
	int64_t top;
	const char *over;
	int64_t over_ns;
	const char *sort;
	bool json;
	bool csv;
	bool no_pager;
};

/**
 * struct run - one run of an analysis
 * @args: the common options
 * @own: options of the analysis, a structure of the size @own_size in struct analysis
 * @operands: operands, ending with NULL, as part of argv. NULL if @operands in struct analysis is
 *	NULL
 * @model: the state model
 * @trace: the trace
 * @types: event types of the trace
 * @begin_ns: start of the window
 * @end_ns: end of the window
 * @oldest_ns: time of the oldest event of the trace
 * @newest_ns: time of the newest event
 * @cpus: number of CPUs with events; known when report() is called
 * @first: in the second run of an analysis that compares two traces: what start() returned in the
 *	first run; otherwise NULL
 *
 * If the trace has files of several boots, only the newest boot's files are analysed. The member
 * source has the same value in all events and spans, even if the trace consists of several files.
 */
struct run {
	const struct common_arguments *args;
	const void *own;
	char **operands;
	struct lkst_model *model;
	struct lkst_trace *trace;
	const struct lkst_etypes *types;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t oldest_ns;
	int64_t newest_ns;
	size_t cpus;
	void *first;
};

/**
 * struct tables - what an analysis prints
 * @num: number of tables, at most TABLES_MAX
 * @table: the tables, which belong to this structure
 * @printed: the analysis has printed its result itself, for another program (--folded). Then it
 *	adds no tables, and the header is printed to standard error
 * @quiet: with @printed: do not print the header
 * @text: printed instead of the tables, unless --json or --csv is given; from malloc(), and belongs
 *	to this structure. NULL: none
 * @header: printed instead of the header; from malloc(), and belongs to this structure. NULL: the
 *	usual header
 * @window: replaces the header in the output of --json. NULL: the usual header
 * @json: object that --json prints in addition to the tables, under the name of the analysis; NULL:
 *	none
 */
#define TABLES_MAX 8
struct tables {
	size_t num;
	struct table *table[TABLES_MAX];
	bool printed;
	bool quiet;
	char *text;
	char *header;
	struct json_object *window;
	struct json_object *json;
};

/* Common options that an analysis may reject, because they do not apply to it */
enum analysis_option {
	ANALYSIS_PROCESSES,	/* -p and --children */
	ANALYSIS_CPU,		/* -c */
	ANALYSIS_OVER,		/* --over */
	ANALYSIS_CSV,		/* --csv, and --no-pager */
	ANALYSIS_TOP,		/* --top */
	ANALYSIS_SORT,		/* --sort */
	ANALYSIS_JSON,		/* --json */
	ANALYSIS_OPTIONS,
};

/**
 * struct analysis - an analysis
 * @name: subcommand
 * @summary: description in the list of subcommands, at most 60 characters; NULL: the analysis
 *	shares the line of the next one
 * @about: description of its output in --help: lines of at most 80 characters, each ending with
 *	"\n"
 * @operands: its operands in the usage, such as "BEGIN END by KEY". NULL: the operands are trace
 *	files
 * @compares: the analysis compares two traces: it runs once for each, and prints its result in the
 *	second run
 * @operands_select: the operands are threads and processes, like the arguments of -p
 * @operands_threads: with @operands_select: the operands are threads, can also have the form
 *	NAME-NUMBER, as in tables, and are optional
 * @refuses: for each common option that it rejects: why, or what to use instead; NULL: it accepts
 *	the option
 * @required: required options in the usage, such as "-o FILE"; NULL: none
 * @needs_cpu: -c is required
 * @row: options that only this analysis has; may be NULL
 * @rows: number of elements of @row
 * @own_size: size of the structure that receives the options in @row
 * @prints: name of an option in @row with which the analysis prints its result itself. The value of
 *	this option is the first member of the structure that receives the options. NULL: none
 * @check: checks the options in @row and the operands before the input is opened; may be NULL
 * @lists: called with the options in @row before the operands are checked: returns whether the
 *	options request a list, for which no trace is needed; NULL: no such option
 * @list: with @lists: prints the list
 * @list_table: with @lists: makes a table of the list, for --json and --csv
 * @instead: called with the options in @row: returns an analysis that has the same options and must
 *	run instead, or NULL; may be NULL
 * @needs: mnemonics or names of the event types without which the result is empty or wrong, ending
 *	with NULL
 * @needs_any: one of the event types in @needs is enough. Then @helps must contain them, too
 * @long_rings: reads the long rings, too
 * @kmemtrace: also reads files of kmemtrace
 * @writes_file: the result is a file rather than tables, so the header goes to standard error
 * @helps: mnemonics or names of event types that make the result better, ending with NULL; may be
 *	NULL
 * @ops: functions that the model calls with the result of start()
 * @start: allocates what the analysis collects. Called before the first event
 * @apply: applies the options in @row to what start() returned. Called after start() unless the
 *	analysis runs as a part of another one, whose options are different. May be NULL
 * @early: called for each event before the window, before the model processes the event. May be
 *	NULL
 * @report: adds tables to @to. Called after the last event
 * @free: frees what start() allocated
 * @tick: reports intervals; NULL if the analysis has no intervals. Before an event at or after
 *	@tick_ns in struct runner is processed, @tick is called with the time of that event. Returns
 *	1 to stop, 0 to continue, -1 on error. Without input, such an analysis follows the running
 *	kernel. Then @tick is also called while no events arrive, with a time before which no
 *	further event is expected
 * @idle: with @tick: called several times a second while the running kernel is followed. Returns 1
 *	to stop, 0 to continue
 */
struct analysis {
	const char *name;
	const char *summary;
	const char *about;
	const char *operands;
	bool compares;
	bool operands_select;
	bool operands_threads;
	const char *refuses[ANALYSIS_OPTIONS];
	const char *required;
	bool needs_cpu;
	const struct option_row *row;
	size_t rows;
	size_t own_size;
	const char *prints;
	int (*check)(const struct common_arguments *args, const void *own, char **operands,
		     struct lkst_error *err);
	bool (*lists)(const void *own);
	void (*list)(void);
	struct table *(*list_table)(struct lkst_error *err);
	const struct analysis *(*instead)(const void *own);
	const char *const *needs;
	bool needs_any;
	bool long_rings;
	bool kmemtrace;
	bool writes_file;
	const char *const *helps;
	struct lkst_model_ops ops;
	void *(*start)(const struct run *run, struct lkst_error *err);
	int (*apply)(void *ctx, const void *own, struct lkst_error *err);
	void (*early)(void *ctx, const struct lkst_event *event);
	int (*report)(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err);
	void (*free)(void *ctx);
	int (*tick)(void *ctx, int64_t now_ns, struct lkst_error *err);
	int (*idle)(void *ctx);
};

/* run.c */
void run_out_of_memory(const struct run *run);

static inline bool run_selects_cpu(const struct run *run, int32_t cpu)
{
	return run->args->cpu < 0 || run->args->cpu == cpu;
}

/* input.c */
void run_put_input(const struct run *run, FILE *to);
bool run_is_kmemtrace(const struct run *run);

/* names.c */
bool run_selects(const struct run *run, const struct lkst_thread *thread);
const char *run_thread_name(const struct run *run, const struct lkst_thread *thread, char text[40]);
const char *run_system(const struct run *run, const char *key, size_t *len);
const struct lkst_context *run_context(const struct run *run, uint32_t source);
const char *run_symbol(const struct run *run, uint32_t source, uint64_t address, char *text,
		       size_t size);
const char *run_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
			     char text[32]);

extern const struct analysis analysis_sched, analysis_thread, analysis_cpu, analysis_irq,
	analysis_timer, analysis_noise, analysis_syscall, analysis_offcpu, analysis_wake,
	analysis_lock, analysis_block, analysis_net, analysis_mem, analysis_pair,
	analysis_profile, analysis_map, analysis_sql, analysis_top, analysis_why,
	analysis_report, analysis_report_page, analysis_diff, analysis_html;

#endif
