// SPDX-License-Identifier: GPL-2.0
/* The command lkstbuf export. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/trace_input.h"
#include "export.h"
#include "lib/base/error.h"
#include "lib/base/replacement.h"
#include "lib/live/capture.h"
#include "lib/text/context.h"
#include "lib/trace/trace.h"
#include "lkstbuf/buffer.h"
#include "lkstbuf/select.h"

#define MSG_OUTPUT	   "-o is missing (-o FILE, or -o - for a pipe)"
#define MSG_FORMAT_MISSING "--format is missing, and the name \"%s\" does not show it (want %s)"
#define MSG_EVENTLESS	   "%s: format %s has no events (want -p, -c, --since or --until)"
#define MSG_TERMINAL	   "refusing to write the format %s to a terminal (redirect standard output)"
#define MSG_BOOTS	   "the files are from different boots (export one boot at a time)"
#define MSG_EXPORT_WRITE   "%s: cannot be written: %s%s"

/**
 * struct export_arguments - the command line of lkstbuf export
 * @input: trace to export
 * @select: events to export
 * @cpu: only this CPU; -1: all
 * @max: maximum number of events; 0: all
 * @etypes: file with event types; NULL: use the event types of the trace
 * @own: also export what LKST's own commands do
 * @format: name of the format; NULL: determined by the suffix of @output
 * @output: output file; "-": standard output
 */
struct export_arguments {
	struct trace_input input;
	struct select_arguments select;
	int64_t cpu;
	int64_t max;
	const char *etypes;
	bool own;
	const char *format;
	const char *output;
};

#define ARGS struct export_arguments

static const struct option_row rows[] = {
	OPT_TEXT(0, "format", "FORMAT", ARGS, format,
		 "perfetto, chrome, folded, trace.dat (default: as OUT ends)"),
	OPT_TEXT('o', "output", "OUT", ARGS, output, "output file; \"-\": standard output"),
	OPT_INPUT(ARGS),
	OPT_NUMBER('c', NULL, "CPU", ARGS, cpu, 0, INT32_MAX, "CPU", "events of this CPU only"),
	OPT_SELECT(ARGS),
	OPT_FLAG(0, "own", ARGS, own, "of the kernel: what LKST's own commands do, too"),
	OPT_NUMBER('n', NULL, "NUMBER", ARGS, max, 1, INT64_MAX, "number of events",
		   "at most this many events, the oldest"),
	OPT_TEXT('E', NULL, "FILE", ARGS, etypes, "event types as in /proc/lkst_etypes"),
};

static const struct syntax syntax = {
	.usage = "[--format FORMAT] [-f FILE...] -o OUT [OPTION...]",
	.about = "Write a trace in the format of another program.\n",
	SYNTAX_ROWS(rows),
	.operands = true,
};

static volatile int stop;

static void export_on_signal(int signal)
{
	stop = signal;
}

static const struct export_format *export_take_format(const struct export_arguments *args,
						      struct lkst_error *err)
{
	const struct export_format *format;
	char names[256];

	if (!args->output) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OUTPUT);
		return NULL;
	}
	if (args->format)
		return export_format_find(args->format, err);
	format = export_format_of(args->output);
	if (format)
		return format;
	export_format_names(names, sizeof(names));
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_FORMAT_MISSING, args->output, names);
	return NULL;
}

/* Check whether a format can be written to the output. */
static int export_check_output(const struct export_format *format, const char *path,
			       struct lkst_error *err)
{
	if (format->text || strcmp(path, "-") != 0 || !isatty(STDOUT_FILENO))
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_TERMINAL, format->name);
	return -1;
}

/* Refuse options that select events if the format does not contain events. */
static int export_check_selection(const struct export_format *format,
				  const struct select_arguments *select, struct lkst_error *err)
{
	const char *option = select->events.num ? "-e" :
			     select->where.num	? "--where" :
			     select->longer	? "--longer" :
						  NULL;

	if (!format->no_events || !option)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EVENTLESS, option, format->name);
	return -1;
}

/* Check the options. Returns the format; NULL with @err set if an option is invalid. */
static const struct export_format *export_check(struct export_arguments *args,
						struct lkst_error *err)
{
	const struct export_format *format;
	const char *why = trace_input_conflict(&args->input);

	if (!why && args->own && !trace_input_live(&args->input))
		why = "--own requires the running kernel (all events of files and images are exported)";
	if (why) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", why);
		return NULL;
	}
	format = export_take_format(args, err);
	if (format && trace_files_have(&args->input.from, args->output)) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_OUTPUT_IS_INPUT);
		return NULL;
	}
	if (!format || export_check_selection(format, &args->select, err) ||
	    select_check(&args->select, err) || export_check_output(format, args->output, err))
		return NULL;
	return format;
}

static int export_failed_write(const char *path, int failed, const char *hint,
			       struct lkst_error *err)
{
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_EXPORT_WRITE, path, strerror(failed), hint);
	return -1;
}

/* Write the output. It is not an error if the reader of a pipe closes it early. */
static int export_write(struct export *export, const struct export_format *format,
			const struct export_arguments *args, const struct print_types *types,
			struct lkst_error *err)
{
	struct replacement file;
	uint64_t exported = 0;
	int failed = 0, ret;

	program_catch_stop(export_on_signal);
	if (replacement_open(&file, args->output, err))
		return -1;
	/* Direct output has no temporary file to remove, so let signals kill the command. */
	if (replacement_direct(&file))
		program_release_stop();
	ret = lkst_out_open(&export->out, file.fd, err);
	if (!ret)
		ret = export_feed(export, format, types, (uint64_t)args->max, &stop, &exported,
				  err);
	if (!ret && !exported && !export->out.error &&
	    (args->cpu >= 0 || select_any(&args->select)))
		ret = select_nothing(&args->select, export->trace, err);
	if (!ret) {
		failed = lkst_out_flush(&export->out);
		if (failed == EPIPE && replacement_direct(&file))
			failed = 0;
		if (!failed)
			failed = replacement_commit(&file);
		if (failed)
			ret = export_failed_write(export->path, failed, file.hint, err);
	}
	if (ret)
		replacement_abort(&file);
	lkst_out_close(&export->out);
	return ret;
}

static bool export_is_one_boot(const struct lkst_trace *trace)
{
	for (size_t i = 1; i < lkst_trace_sources(trace); i++)
		if (lkst_trace_boot(trace, (uint32_t)i) != lkst_trace_boot(trace, 0))
			return false;
	return true;
}

static int export_trace(struct lkst_trace *trace, const struct export_format *format,
			const struct export_arguments *args, struct lkst_error *err)
{
	struct lkst_selection selection;
	struct selector selector = { 0 };
	struct print_types types = { 0 };
	struct export export = {
		.trace = trace,
		.selection = &selection,
		.selects = args->cpu >= 0 || select_any(&args->select) || args->max,
		.path = strcmp(args->output, "-") ? args->output : "standard output",
	};
	int ret = -1;

	lkst_selection_init(&selection);
	selection.cpu = (int32_t)args->cpu;
	if (!lkst_trace_records(trace)) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVENTS);
		return -1;
	}
	if (!export_is_one_boot(trace)) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BOOTS);
		return -1;
	}
	if (!print_types_load(&types, trace, args->etypes, err) &&
	    !selector_open(&selector, &args->select,
			   &(struct selecting){ .trace = trace, .types = types.all }, &selection,
			   err) &&
	    !trace_files_check_cpu(&args->input.from, selection.cpu, trace, err) &&
	    !select_times(&args->select, trace, &selection, NULL, err)) {
		if (trace_input_live(&args->input) && !args->own && !args->select.processes.num)
			selection.others = types.all;
		export.selects |= selection.others != NULL;
		ret = export_write(&export, format, args, &types, err);
	}
	selector_close(&selector);
	print_types_free(&types);
	return ret;
}

static int export_run(struct export_arguments *args, struct lkst_error *err)
{
	const struct export_format *format = export_check(args, err);
	const struct lkst_capture live = {
		.cpu = (int32_t)args->cpu,
		.id = -1,
		.no_long_rings = true,
		.etypes_path = args->etypes,
		.notice = print_hooks.report,
		.progress = progress_show,
		.ctx = (void *)"reading",
	};
	struct lkst_trace *trace = NULL;
	int fd = -1, ret;

	if (format)
		trace = trace_input_open(&args->input, &live, &fd, err);
	if (!trace)
		return -1;
	ret = export_trace(trace, format, args, err);
	/* Fail if events are missing, so that a script notices that the output is incomplete. */
	if (!ret && lkst_trace_incomplete(trace))
		ret = EXIT_FAILURE;
	trace_input_close(trace, fd);
	return ret;
}

int buffer_export(int argc, char **argv)
{
	struct export_arguments args = { .cpu = -1 };
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (trace_input_take(&args.input, argv + optind, MSG_EVENTS_FOLLOW, &err) ||
	    trace_input_take_standard(&args.input, &err))
		ret = -1;
	else
		ret = export_run(&args, &err);
	trace_input_free(&args.input);
	return ret < 0 ? fail(&err) : ret;
}
