// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "cli/messages.h"
#include "lib/base/error.h"
#include "lib/text/timestamp.h"
#include "messages.h"

#define ARGS struct common_arguments

static const struct option_row common_rows[] = {
	OPT_INPUT(ARGS),
	OPT_TIMES(ARGS, times),
	OPT_TEXT(0, "last", "SPAN", ARGS, last,
		 "the last part of the trace, or before --until: 5s"),
	OPT_FLAG(0, "any", ARGS, any, "also the time in which some CPUs have no records"),
	OPT_WORDS('p', NULL, "PROCESS", ARGS, processes,
		  "threads and processes: numbers, names, 'ba*'; !: not"),
	OPT_FLAG(0, "children", ARGS, children, "with -p: their descendants, too"),
	OPT_NUMBER('c', NULL, "CPU", ARGS, cpu, 0, INT32_MAX, "CPU", "this CPU only"),
	OPT_NUMBER(0, "top", "NUMBER", ARGS, top, 1, INT64_MAX, "number of rows",
		   "at most this many rows of each table"),
	OPT_TEXT(0, "over", "SPAN", ARGS, over, "only what took at least this long: 1ms, 250us"),
	OPT_TEXT(0, "sort", "KEY", ARGS, sort,
		 "by this column: its heading, with \"-\" for blanks"),
	OPT_FLAG(0, "json", ARGS, json, NULL),
	OPT_FLAG(0, "csv", ARGS, csv, "the same as JSON or CSV, for programs"),
	OPT_FLAG(0, "no-pager", ARGS, no_pager, "no pager on a terminal"),
};

#define COMMON_ROWS (sizeof(common_rows) / sizeof(*common_rows))

/**
 * arguments_new() - make arguments with their defaults
 * @analysis: analysis
 * @err: set if an allocation fails
 */
struct arguments *arguments_new(const struct analysis *analysis, struct lkst_error *err)
{
	struct arguments *args = calloc(1, sizeof(*args) + analysis->own_size);

	if (!args)
		lkst_error_memory(err, "options");
	else
		args->common.cpu = -1;
	return args;
}

/**
 * arguments_free() - free arguments
 * @args: may be NULL
 */
void arguments_free(struct arguments *args)
{
	if (args)
		trace_input_free(&args->common.input);
	free(args);
}

/* The options that an analysis may reject */
static const struct {
	size_t offset;
	enum analysis_option option;
} refusable[] = {
	{ offsetof(ARGS, processes), ANALYSIS_PROCESSES },
	{ offsetof(ARGS, children), ANALYSIS_PROCESSES },
	{ offsetof(ARGS, cpu), ANALYSIS_CPU },
	{ offsetof(ARGS, over), ANALYSIS_OVER },
	{ offsetof(ARGS, csv), ANALYSIS_CSV },
	{ offsetof(ARGS, no_pager), ANALYSIS_CSV },
	{ offsetof(ARGS, top), ANALYSIS_TOP },
	{ offsetof(ARGS, sort), ANALYSIS_SORT },
	{ offsetof(ARGS, json), ANALYSIS_JSON },
};

/* Return whether the analysis rejects a common option. */
static bool arguments_refuses(const struct analysis *analysis, const struct option_row *row)
{
	for (size_t i = 0; i < sizeof(refusable) / sizeof(*refusable); i++)
		if (row->offset == refusable[i].offset)
			return analysis->refuses[refusable[i].option];
	return false;
}

/**
 * arguments_form() - describe the command line of an analysis
 * @analysis: analysis
 * @form: result
 */
void arguments_form(const struct analysis *analysis, struct arguments_form *form)
{
	size_t own = analysis->rows;

	if (own > ARGUMENTS_ROWS - COMMON_ROWS)
		own = ARGUMENTS_ROWS - COMMON_ROWS;
	for (size_t i = 0; i < own; i++) {
		form->row[i] = analysis->row[i];
		form->row[i].offset += offsetof(struct arguments, own);
	}
	memcpy(form->row + own, common_rows, sizeof(common_rows));
	for (size_t i = own; i < own + COMMON_ROWS; i++)
		form->row[i].hidden = arguments_refuses(analysis, &form->row[i]);
	/* In the help, --json shares the line of --csv. Without --csv, it needs a description. */
	for (size_t i = own; i < own + COMMON_ROWS && analysis->refuses[ANALYSIS_CSV]; i++)
		if (form->row[i].offset == offsetof(ARGS, json))
			form->row[i].help = "a JSON object a line, for programs";
	if (analysis->compares)
		snprintf(form->usage, sizeof(form->usage), "A [B] [OPTION...]");
	else
		snprintf(form->usage, sizeof(form->usage), "%s%s[-f FILE...]%s%s [OPTION...]",
			 analysis->operands ? analysis->operands : "",
			 analysis->operands ? " " : "", analysis->required ? " " : "",
			 analysis->required ? analysis->required : "");
	form->syntax = (struct syntax){
		.usage = form->usage,
		.about = analysis->about,
		.row = form->row,
		.rows = own + COMMON_ROWS,
		.operands = true,
	};
}

/*
 * Return what is wrong if options exclude each other, or if an option lacks another one that it
 * requires. Return NULL if nothing is wrong.
 */
static const char *arguments_conflict(const struct analysis *analysis,
				      const struct common_arguments *args)
{
	const struct {
		bool applies;
		const char *why;
	} conflicts[] = {
		{ args->json && args->csv, MSG_TWO_FORMS },
		{ args->last && args->times.since,
		  "--last cannot be combined with --since (--until can be combined with both)" },
		{ analysis->operands_select && !analysis->operands_threads &&
			  !args->processes.num,
		  "no process is given (numbers or names, as arguments or with -p)" },
		{ analysis->needs_cpu && args->cpu < 0, "no CPU is given (-c 3)" },
		{ args->children && !args->processes.num, "--children requires -p" },
	};

	for (size_t i = 0; i < sizeof(conflicts) / sizeof(*conflicts); i++)
		if (conflicts[i].applies)
			return conflicts[i].why;
	return analysis->compares ? NULL : trace_input_conflict(&args->input);
}

/* Check whether all options apply to the analysis. */
static int arguments_check_refused(const struct analysis *analysis,
				   const struct common_arguments *args, struct lkst_error *err)
{
	const struct {
		bool given;
		enum analysis_option option;
		const char *name;
	} options[] = {
		{ args->processes.num, ANALYSIS_PROCESSES, "-p" },
		{ args->cpu >= 0, ANALYSIS_CPU, "-c" },
		{ args->over, ANALYSIS_OVER, "--over" },
		{ args->csv, ANALYSIS_CSV, "--csv" },
		{ args->no_pager, ANALYSIS_CSV, "--no-pager" },
		{ args->top, ANALYSIS_TOP, "--top" },
		{ args->sort, ANALYSIS_SORT, "--sort" },
		{ args->json, ANALYSIS_JSON, "--json" },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const char *why = analysis->refuses[options[i].option];

		if (!options[i].given || !why)
			continue;
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_REFUSED, options[i].name, why);
		return -1;
	}
	return 0;
}

/* Treat operands that are processes or threads like arguments of -p. */
static int arguments_add_processes(const struct analysis *analysis, struct option_words *words,
				   char **operands, struct lkst_error *err)
{
	for (; *operands; operands++) {
		if (words->num == OPTION_WORDS_MAX) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, "more than %d processes",
				       OPTION_WORDS_MAX);
			return -1;
		}
		words->word[words->num++] = analysis->operands_threads && arguments_tid(*operands) ?
						    arguments_tid(*operands) :
						    *operands;
	}
	return 0;
}

/**
 * arguments_split() - divide the input of an analysis that compares two traces
 * @input: input
 * @side: result: the inputs, which refer to @input
 * @err: set if the input does not consist of two traces
 */
int arguments_split(const struct trace_input *input, struct trace_input side[2],
		    struct lkst_error *err)
{
	size_t files = input->from.num;
	const char *why = NULL;

	/* A side without input is the running kernel. */
	for (size_t i = 0; i < 2; i++)
		side[i] = (struct trace_input){ 0 };
	side[0].previous = input->previous;
	side[0].boot = input->boot;
	side[0].symbols = input->symbols;
	if (files + input->previous > 2)
		why = "more than two traces (want A and B; a directory counts as one)";
	else if (!files && !input->previous)
		why = "no trace is given (want A and B; without B, the running kernel)";
	else if (files == 2 && (input->boot || input->symbols))
		why = "--boot and --symbols require --previous, or an image without B";
	if (why) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", why);
		return -1;
	}
	for (size_t i = 0; i < files; i++)
		side[i + input->previous].from =
			(struct trace_files){ .num = 1, .path = &input->from.path[i] };
	return 0;
}

/**
 * arguments_take() - check and convert the options
 * @analysis: analysis
 * @args: the parsed options
 * @operands: operands, ending with NULL
 * @err: set if an option or an operand is invalid
 */
int arguments_take(const struct analysis *analysis, struct arguments *args, char **operands,
		   struct lkst_error *err)
{
	struct common_arguments *common = &args->common;
	const void *own = args->own;
	char *none = NULL;
	const char *why, *hint = MSG_PROCESSES_FOLLOW;

	common->input.kmemtrace = analysis->kmemtrace;
	if (analysis->compares || analysis->refuses[ANALYSIS_PROCESSES])
		hint = "";
	if (analysis->operands_select &&
	    arguments_add_processes(analysis, &common->processes, operands, err))
		return -1;
	if (trace_input_take(&common->input, analysis->operands ? &none : operands, hint, err) ||
	    trace_input_take_standard(&common->input, err))
		return -1;
	why = arguments_conflict(analysis, common);
	if (why) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", why);
		return -1;
	}
	if (arguments_check_refused(analysis, common, err))
		return -1;
	if (analysis->compares && arguments_split(&common->input, (struct trace_input[2]){ 0 }, err))
		return -1;
	if (analysis->operands && !analysis->operands_select && !*operands) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, "arguments are missing (want %s)",
			       analysis->operands);
		return -1;
	}
	if (analysis->prints && *(const bool *)own && (common->json || common->csv)) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, "%s cannot be combined with %s",
			       analysis->prints, common->json ? "--json" : "--csv");
		return -1;
	}
	if (times_check(&common->times, err) ||
	    (common->last && lkst_span_parse("--last", common->last, &common->last_ns, err)) ||
	    (common->over && lkst_span_parse("--over", common->over, &common->over_ns, err)))
		return -1;
	return analysis->check ? analysis->check(common, own, operands, err) : 0;
}
