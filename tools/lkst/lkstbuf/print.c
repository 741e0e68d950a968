// SPDX-License-Identifier: GPL-2.0
/* The command lkstbuf print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/print.h"
#include "cli/trace_input.h"
#include "lib/base/error.h"
#include "lib/live/capture.h"
#include "lib/text/classes.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/format.h"
#include "lib/text/timestamp.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "messages.h"
#include "print.h"
#include "select.h"

#define MSG_SUMMARY							\
	"-n, -r, -V, -C, -S and --time cannot be combined with --summary, which prints no events"

static const char *const time_styles[] = {
	[LKST_TIME_LOCAL] = "local", [LKST_TIME_UTC] = "utc", [LKST_TIME_RELATIVE] = "relative",
	[LKST_TIME_DELTA] = "delta", [LKST_TIME_RAW] = "raw", NULL,
};

#define ARGS struct print_arguments

static const struct option_row rows[] = {
	OPT_INPUT(ARGS),
	OPT_FLAG('F', "follow", ARGS, follow, "new events, until interrupted"),
	OPT_NUMBER('c', NULL, "CPU", ARGS, cpu, 0, INT32_MAX, "CPU", "events of this CPU only"),
	OPT_SELECT(ARGS),
	OPT_FLAG(0, "long-ring", ARGS, input.long_rings, "the long rings, not the buffers"),
	OPT_FLAG(0, "own", ARGS, own, "of the kernel: what LKST's own commands do, too"),
	OPT_NUMBER('n', NULL, "NUMBER", ARGS, max, 1, INT64_MAX, "number of events",
		   "at most this many events"),
	OPT_FLAG('r', NULL, ARGS, reverse, "oldest event first"),
	OPT_FLAG('V', NULL, ARGS, verbose, "all arguments, even without a description"),
	OPT_FLAG(0, "parts", ARGS, parts, "the other records of events that take several, too"),
	OPT_CHOICE(0, "time", "STYLE", ARGS, time, time_styles, "--time",
		   "local, utc, relative, delta (to the line before), raw"),
	OPT_FLAG('C', NULL, ARGS, csv, NULL),
	OPT_FLAG('S', NULL, ARGS, epoch, "CSV; -S: with seconds and microseconds, not the date"),
	OPT_FLAG(0, "json", ARGS, json, "JSON, an object on each line"),
	OPT_FLAG(0, "summary", ARGS, summary, "numbers: time, rate, classes, CPUs, losses"),
	OPT_TEXT('E', NULL, "FILE", ARGS, etypes, "event types as in /proc/lkst_etypes"),
	OPT_FLAG(0, "no-pager", ARGS, no_pager, "no pager on a terminal"),
	OPT_FLAG('h', NULL, ARGS, help, "this help, and the names of all classes, events and fields"),
};

static const struct syntax syntax = {
	.usage = "[-f FILE...] [-F] [-e EVENTS] [-n NUMBER] [OPTION...]",
	.about = "Print a trace, newest event first.\n",
	SYNTAX_ROWS(rows),
	.operands = true,
};

/* Pairs of options that exclude each other. */
static const struct {
	size_t one, other; /* offsets of two bools in the arguments */
	const char *why;
} conflicts[] = {
#define CONFLICT(a, b, why)                               \
	{                                                 \
		offsetof(ARGS, a), offsetof(ARGS, b), why \
	}
	CONFLICT(csv, json, "-C and --json cannot be combined"),
	CONFLICT(summary, follow, "--summary cannot be combined with --follow, which has no end"),
	CONFLICT(summary, reverse, MSG_SUMMARY),
	CONFLICT(summary, verbose, MSG_SUMMARY),
	CONFLICT(summary, csv, MSG_SUMMARY),
#undef CONFLICT
};

static bool buffer_print_is_set(const struct print_arguments *args, size_t member)
{
	return *(const bool *)((const char *)args + member);
}

static const char *buffer_print_conflict(const struct print_arguments *args)
{
	for (size_t i = 0; i < sizeof(conflicts) / sizeof(*conflicts); i++)
		if (buffer_print_is_set(args, conflicts[i].one) &&
		    buffer_print_is_set(args, conflicts[i].other))
			return conflicts[i].why;
	if (args->epoch && !args->csv)
		return "-S requires -C";
	if (args->summary && (args->max || args->time >= 0))
		return MSG_SUMMARY;
	if (args->follow && args->select.times.until)
		return "--until cannot be combined with --follow, which ends when it is interrupted";
	if (args->follow && args->input.long_rings)
		return "--long-ring cannot be combined with --follow, which reads the buffers";
	if (args->own && !trace_input_live(&args->input))
		return "--own requires the running kernel (all events of files and images are printed)";
	if (args->follow && args->input.from.num)
		return "-f cannot be combined with --follow, which reads the running kernel";
	if ((args->csv || args->json) && args->time > LKST_TIME_UTC)
		return "--time with -C or --json: local or utc";
	if (args->epoch && args->time >= 0)
		return "--time cannot be combined with -S, which prints seconds since the epoch";
	if (args->input.previous && (args->input.from.num || args->follow))
		return "-f and --follow cannot be combined with --previous, which reads a previous boot";
	return trace_input_conflict(&args->input);
}

/* Check that --since does not refer to the oldest event, which --follow does not know. */
static int print_check_follow(const struct print_arguments *args, struct lkst_error *err)
{
	const char *since = args->select.times.since;
	struct lkst_timestamp timestamp;

	if (!args->follow || !since || lkst_timestamp_parse("--since", since, false, &timestamp, err) ||
	    timestamp.from != LKST_TIMESTAMP_OLDEST)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_FOLLOW_OLDEST, since);
	return -1;
}

/* Check and convert the options. Returns an exit status: 0 if all are valid. */
static int print_take_arguments(struct print_arguments *args)
{
	struct print_options *print = &args->print;
	const char *why = buffer_print_conflict(args);
	struct lkst_error err;

	if (why)
		return usage("%s", why);
	lkst_selection_init(&print->selection);
	print->selection.cpu = (int32_t)args->cpu;
	print->max = (uint64_t)args->max;
	print->order = args->reverse || args->follow ? LKST_OLDEST_FIRST : LKST_NEWEST_FIRST;
	print->form = args->csv ? PRINT_CSV : args->json ? PRINT_JSON : PRINT_TEXT;
	print->format.time = args->time < 0 ? LKST_TIME_LOCAL : (enum lkst_time_style)args->time;
	print->format.verbose = args->verbose;
	print->format.epoch = args->epoch;
	print->format.width = print->form == PRINT_TEXT ? terminal_width() : 0;
	print->format.color = print->form == PRINT_TEXT && color_enabled();
	args->select.times.utc = args->time == LKST_TIME_UTC;
	return select_check(&args->select, &err) || print_check_follow(args, &err) ? fail(&err) : 0;
}

static int print_selected(struct lkst_trace *trace, const struct print_types *types,
			  const struct print_arguments *args, struct lkst_error *err)
{
	uint64_t shown;
	int ret;

	progress_clear();
	if (args->summary) {
		ret = buffer_summary(trace, types->all, args, &shown, err);
	} else {
		if (args->print.form == PRINT_TEXT && !args->no_pager)
			pager_start();
		ret = print_trace(trace, types, &args->print, &shown, err);
		if (pager_end(ret ? NULL : err))
			ret = -1;
	}
	if (ret || shown || (args->cpu < 0 && !select_any(&args->select)))
		return ret;
	return select_nothing(&args->select, trace, err);
}

/*
 * Whether the buffers of the running kernel may have all events to print, because only the newest
 * events are wanted. Options that need older events exclude this: they compare times with the
 * oldest event, or need names or the begins of spans.
 */
static bool print_only_newest(const struct print_arguments *args)
{
	const struct select_arguments *select = &args->select;

	return trace_input_live(&args->input) && !args->input.long_rings && args->max &&
	       !args->reverse && args->time != LKST_TIME_RELATIVE && !select->processes.num &&
	       !select->where.num && !select->longer && !select->times.since &&
	       !select->times.until;
}

/* Print the trace. Returns 0; 1 if nothing was printed, because @older is needed; -1 on error. */
static int print_with(struct lkst_trace *trace, struct print_arguments *args,
		      const struct lkst_capture_older *older, struct lkst_error *err)
{
	int64_t *zero_ns = args->time == LKST_TIME_RELATIVE ? &args->print.format.zero_ns : NULL;
	struct lkst_selection *selection = &args->print.selection;
	struct selector selector = { 0 };
	struct print_types types;
	int ret = -1;

	lkst_trace_keep_parts(trace, args->parts);
	if (!print_types_load(&types, trace, args->etypes, err) &&
	    !selector_open(&selector, &args->select,
			   &(struct selecting){ .trace = trace, .types = types.all }, selection,
			   err) &&
	    !trace_files_check_cpu(&args->input.from, (int32_t)args->cpu, trace, err) &&
	    !select_times(&args->select, trace, selection, zero_ns, err)) {
		selection->others = print_others(args, types.all);
		ret = newest_lacks(trace, &args->print, older, err);
		if (!ret) {
			print_note_release(true);
			ret = print_selected(trace, &types, args, err);
		}
	}
	selector_close(&selector);
	print_types_free(&types);
	return ret;
}

/* Open the input. If @older is not NULL, leave out the history of the kernel, and set @older. */
static struct lkst_trace *buffer_print_open(const struct print_arguments *args,
					    struct lkst_capture_older *older, int *fd,
					    struct lkst_error *err)
{
	const struct lkst_capture live = {
		.cpu = (int32_t)args->cpu,
		.id = -1,
		.no_long_rings = !args->input.long_rings,
		.no_history = args->input.long_rings || older,
		.older = older,
		.etypes_path = args->etypes,
		.notice = print_hooks.report,
		.progress = progress_show,
		.ctx = (void *)"reading",
	};

	return trace_input_open(&args->input, &live, fd, err);
}

/* Print the names of an event's arguments. Arguments of the same name are next to each other. */
static void print_put_field_names(const struct lkst_etype *type)
{
	const char *before = "";

	for (int i = 0; i < type->fields; i++) {
		const char *label = type->field[i].label;

		if (!*label || !strcmp(label, before))
			continue;
		printf("%s%s", *before ? ", " : "  ", label);
		before = label;
	}
}

static void print_put_event(const struct lkst_etype *type)
{
	bool fields = type->fields && *type->field[0].label;

	printf("  0x%03x  %-*s", type->number, fields ? LKST_NAME_WIDTH : 0, type->name);
	print_put_field_names(type);
	puts(type->present ? "" : "  (absent in that kernel)");
}

static void print_put_names(const struct lkst_etypes *types)
{
	puts("\nClasses:");
	for (size_t i = 0; i < lkst_classes_num; i++)
		printf("  class:%-12s 0x%03x-0x%03x  %s\n", lkst_classes[i].name,
		       lkst_classes[i].first, lkst_classes[i].last, lkst_classes[i].title);
	puts("\nEvents, and the fields that --where accepts:");
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (types->type[i])
			print_put_event(types->type[i]);
}

static void print_put_help(const struct print_arguments *args, const struct lkst_etypes *types)
{
	if (!args->no_pager)
		pager_start();
	options_help(&syntax, "lkstbuf print", stdout);
	print_put_names(types);
}

/*
 * Print the help text and the names of events and fields. The names come from the file given with
 * -E or, without -E, from the trace to print or the running kernel.
 */
static int buffer_print_help(const struct print_arguments *args, struct lkst_error *err)
{
	struct print_types types = { 0 };
	struct lkst_etypes *kernel = NULL;
	struct lkst_trace *trace = NULL;
	int fd = -1, ret = 0;

	if (!trace_input_live(&args->input) && !args->etypes) {
		trace = buffer_print_open(args, NULL, &fd, err);
		ret = trace ? print_types_load(&types, trace, NULL, err) : -1;
	} else {
		kernel = args->etypes ? lkst_etypes_load(args->etypes, err) :
					lkst_etypes_system(err);
		ret = kernel ? 0 : -1;
	}
	if (!ret) {
		print_put_help(args, kernel ? kernel : types.all);
		ret = pager_end(err);
	}
	print_types_free(&types);
	lkst_etypes_free(kernel);
	trace_input_close(trace, fd);
	return ret;
}

/*
 * Print the input, without the history of the kernel if @older is not NULL. Returns an exit status;
 * -1 if nothing was printed, because the history is needed.
 */
static int print_once(struct print_arguments *args, struct lkst_capture_older *older)
{
	struct lkst_trace *trace;
	struct lkst_error err;
	int fd = -1, ret, status;

	trace = buffer_print_open(args, older, &fd, &err);
	if (!trace) {
		print_note_release(true);
		return fail(&err);
	}
	if (args->input.long_rings && !lkst_trace_records(trace))
		print_note(MSG_NO_LONG_RINGS);
	ret = print_with(trace, args, older, &err);
	print_note_release(ret <= 0);
	/* Fail if events are missing, so that a script notices that the output is incomplete. */
	status = lkst_trace_incomplete(trace) ? EXIT_FAILURE : EXIT_SUCCESS;
	trace_input_close(trace, fd);
	if (ret > 0)
		return -1;
	return ret ? fail(&err) : status;
}

/*
 * Print the input. Read the history only if the buffers lack some of the events, because it takes
 * much longer to decompress the history than to read the buffers.
 */
static int print_all(struct print_arguments *args)
{
	struct lkst_capture_older older = { .num = 0 };
	int status = -1;

	if (print_only_newest(args)) {
		print_note_hold();
		status = print_once(args, &older);
	}
	return status >= 0 ? status : print_once(args, NULL);
}

static int run_print(struct print_arguments *args)
{
	int status = print_take_arguments(args);
	struct lkst_error err;

	if (status)
		return status;
	if (args->follow)
		return buffer_follow(args, &err) ? fail(&err) : EXIT_SUCCESS;
	return print_all(args);
}

/* List the files to print. --follow reads the running kernel, whatever standard input is. */
static int print_take_files(struct print_arguments *args, char **operands, struct lkst_error *err)
{
	if (trace_input_take(&args->input, operands, MSG_EVENTS_FOLLOW, err))
		return -1;
	return args->follow ? 0 : trace_input_take_standard(&args->input, err);
}

int buffer_print(int argc, char **argv)
{
	struct print_arguments args = { .cpu = -1, .time = -1 };
	struct lkst_error err;
	int status;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (print_take_files(&args, argv + optind, &err))
		status = fail(&err);
	else if (args.help)
		status = buffer_print_help(&args, &err) ? fail(&err) : EXIT_SUCCESS;
	else
		status = run_print(&args);
	trace_input_free(&args.input);
	return status;
}
