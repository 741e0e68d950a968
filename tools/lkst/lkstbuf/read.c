// SPDX-License-Identifier: GPL-2.0
/* The command lkstbuf read. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "cli/command.h"
#include "cli/image_reading.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/trace_files.h"
#include "lib/base/error.h"
#include "lib/live/capture.h"
#include "lib/text/context.h"
#include "lib/trace/cut.h"
#include "lib/trace/messages.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "lib/trace/write.h"
#include "messages.h"
#include "select.h"

struct read_arguments {
	int64_t cpu;
	int64_t id;
	bool static_buffer;
	const char *file;
	int64_t max;
	const char *etypes;
	bool compress;
	bool no_files;
	const char *image;
	bool previous;
	const char *boot;
	const char *symbols;
	bool keep;
	struct option_words traces;
	struct trace_files from;
	struct select_arguments select;
};

static const struct option_row rows[] = {
	OPT_NUMBER('c', "cpu", "CPU", struct read_arguments, cpu, 0, INT32_MAX, "CPU",
		   "buffers of this CPU; default: of all"),
	OPT_NUMBER('b', "buffer", "ID", struct read_arguments, id, 0, LKST_BUFFER_ID_MAX,
		   "buffer id", "buffers with this id; default: all"),
	OPT_FLAG('S', "static", struct read_arguments, static_buffer,
		 "the static buffer, and no other"),
	OPT_TEXT('f', "file", "FILE", struct read_arguments, file,
		 "write a trace file, \"-\": standard output; default: print"),
	OPT_NUMBER('n', "number", "NUMBER", struct read_arguments, max, 1, LONG_MAX,
		   "number of records", "at most this many records of each buffer, oldest first"),
	OPT_TEXT('E', "etypes", "FILE", struct read_arguments, etypes,
		 "event types from FILE, in the format of /proc/lkst_etypes"),
	OPT_FLAG('z', "compress", struct read_arguments, compress,
		 "compress the trace file (zstd)"),
	OPT_FLAG(0, "no-files", struct read_arguments, no_files,
		 "without command lines and names of open files"),
	OPT_SELECT(struct read_arguments),
	OPT_WORDS(0, "trace", "TRACE", struct read_arguments, traces,
		  "from a trace file, or from all in a directory"),
	OPT_TEXT(0, "image", "IMAGE", struct read_arguments, image,
		 "from an image of memory, not from the kernel"),
	OPT_FLAG(0, "previous", struct read_arguments, previous,
		 "from a previous boot; -f marks it as read"),
	OPT_FLAG(0, "keep", struct read_arguments, keep, "do not mark it as read"),
	OPT_TEXT(0, "boot", "BOOT", struct read_arguments, boot,
		 "its id or the start of it; default: the newest"),
	OPT_TEXT(0, "symbols", "FILE", struct read_arguments, symbols,
		 "symbols of its kernel: saved /proc/kallsyms or System.map"),
};

static const struct syntax syntax = {
	.usage = "[-c CPU] [-b ID] [-f FILE [-z]] [-n NUMBER] [-E FILE]\n"
		 "-S [-f FILE [-z]] [-n NUMBER] [-E FILE]\n"
		 "{--image IMAGE | --previous} [OPTION...]\n"
		 "--trace TRACE... [OPTION...] -f FILE",
	.about = "Read kernel event buffers and the compressed history.\n",
	SYNTAX_ROWS(rows),
	.operands = true,
};

static volatile int stop;

static void buffer_read_on_signal(int signal)
{
	stop = signal;
}

/* Catch signals, so that the command can clean up the trace file before it exits. */
static void buffer_read_catch_signals(int flags)
{
	struct sigaction action = { .sa_handler = buffer_read_on_signal, .sa_flags = flags };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/*
 * Handle an interruption: discard a trace file, but complete a trace on a pipe, which has already
 * received part of it. Returns -1 with @err set.
 */
static int buffer_read_interrupted(struct lkst_trace_writer *writer, const char *path,
				   struct lkst_error *err)
{
	bool direct = lkst_trace_writer_direct(writer);

	if (!direct)
		lkst_trace_writer_abort(writer);
	else if (lkst_trace_writer_commit(writer, err))
		return -1;
	lkst_error_set(err, LKST_ERR_INTERRUPTED, direct ? MSG_INTERRUPTED_PART : MSG_INTERRUPTED,
		       strcmp(path, "-") ? path : "standard output");
	return -1;
}

/* The source of the records: either @dev or @image is set. */
struct origin {
	struct lkst_device *dev;
	struct image_reading *image;
	const struct lkst_capture *options;
};

static int read_open_origin(struct origin *origin, const struct lkst_capture *options,
			    const struct image_arguments *image, struct lkst_error *err)
{
	*origin = (struct origin){ .options = options };
	if (image)
		origin->image = image_reading_open(image, err);
	else
		origin->dev = lkst_device_open(err);
	return origin->image || origin->dev ? 0 : -1;
}

static void read_close_origin(struct origin *origin)
{
	image_reading_close(origin->image);
	lkst_device_close(origin->dev);
}

static int read_fill_all(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct origin *origin = ctx;

	return origin->image ? image_reading_write(origin->image, writer, err) :
			       lkst_capture(origin->dev, origin->options, writer, err);
}

/* A callback that fills a trace, and its context. It returns 0, or -1 with @err set. */
struct filling {
	int (*fill)(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err);
	void *ctx;
};

/* Write a trace. @kept is set if the trace goes to a file on disk, where it survives a reset. */
static int buffer_read_write_trace(const struct filling *filling, const struct read_arguments *args,
				   bool *kept, struct lkst_error *err)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_create(args->file, err);

	if (!writer)
		return -1;
	*kept = !lkst_trace_writer_direct(writer);
	/* Writing to a pipe may block for a long time, so let a second signal kill the command. */
	if (!*kept)
		buffer_read_catch_signals((int)SA_RESETHAND);
	if (!(args->compress && lkst_trace_writer_compress(writer, err)) &&
	    !filling->fill(filling->ctx, writer, err))
		return lkst_trace_writer_commit(writer, err);
	if (err->code == LKST_ERR_INTERRUPTED)
		return buffer_read_interrupted(writer, args->file, err);
	lkst_trace_writer_abort(writer);
	return -1;
}

/* Mark the boot as read, but only if all of its data is in a file on disk. */
static int mark_as_read(struct image_reading *reading, const struct read_arguments *args, bool kept,
			struct lkst_error *err)
{
	if (kept && args->cpu < 0 && args->id < 0)
		return image_reading_done(reading, err);
	print_note(kept ? MSG_PREVIOUS_PART : MSG_PREVIOUS_NO_FILE);
	return 0;
}

static int read_to_file(const struct lkst_capture *options, const struct image_arguments *image,
			const struct read_arguments *args, struct lkst_error *err)
{
	struct origin origin;
	const struct filling filling = { read_fill_all, &origin };
	bool kept = false;
	int ret = -1;

	buffer_read_catch_signals(0);
	if (!read_open_origin(&origin, options, image, err))
		ret = buffer_read_write_trace(&filling, args, &kept, err);
	if (!ret && args->previous && !args->keep)
		ret = mark_as_read(origin.image, args, kept, err);
	read_close_origin(&origin);
	progress_clear();
	return ret;
}

/* A trace from which the selected events are copied. */
struct cutting {
	struct lkst_trace *trace;
	const struct read_arguments *args;
	const char *how; /* the options that select events; recorded in the new trace */
};

static int read_fill_part(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct cutting *cutting = ctx;
	const struct select_arguments *select = &cutting->args->select;
	struct lkst_selection selection;
	struct selector selector = { 0 };
	struct print_types types;
	int ret = -1;

	lkst_selection_init(&selection);
	selection.cpu = (int32_t)cutting->args->cpu;
	if (!print_types_load(&types, cutting->trace, NULL, err) &&
	    !selector_open(&selector, select,
			   &(struct selecting){ .trace = cutting->trace, .types = types.all },
			   &selection, err) &&
	    !trace_files_check_cpu(&cutting->args->from, selection.cpu, cutting->trace, err) &&
	    !select_times(select, cutting->trace, &selection, NULL, err))
		ret = lkst_trace_cut(cutting->trace, types.all, &selection, cutting->how, &stop,
				     writer, err);
	if (ret > 0)
		ret = select_any(select) ? select_nothing(select, cutting->trace, err) : 0;
	selector_close(&selector);
	print_types_free(&types);
	return ret;
}

static void buffer_read_put_words(FILE *to, const char *option, const char *word)
{
	fprintf(to, " %s ", option);
	for (; *word; word++)
		putc((unsigned char)*word < 0x20 || *word == 0x7f ? '?' : *word, to);
}

/*
 * Return the options that select events, as one line that the caller must free. Returns NULL if an
 * allocation fails.
 */
static char *read_selected_how(const struct read_arguments *args)
{
	const struct select_arguments *select = &args->select;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (args->cpu >= 0)
		fprintf(to, " -c %lld", (long long)args->cpu);
	for (size_t i = 0; i < select->events.num; i++)
		buffer_read_put_words(to, "-e", select->events.word[i]);
	for (size_t i = 0; i < select->processes.num; i++)
		buffer_read_put_words(to, "-p", select->processes.word[i]);
	if (select->only)
		fputs(" --only", to);
	for (size_t i = 0; i < select->where.num; i++)
		buffer_read_put_words(to, "--where", select->where.word[i]);
	if (select->longer)
		buffer_read_put_words(to, "--longer", select->longer);
	if (select->times.since)
		buffer_read_put_words(to, "--since", select->times.since);
	if (select->times.until)
		buffer_read_put_words(to, "--until", select->times.until);
	return fclose(to) ? NULL : text;
}

static int read_part(const struct lkst_capture *options, const struct image_arguments *image,
		     const struct read_arguments *args, struct lkst_error *err)
{
	char *how = read_selected_how(args);
	struct cutting cutting = { .args = args, .how = how && *how ? how + 1 : "all" };
	const struct filling filling = { read_fill_part, &cutting };
	bool kept = false;
	int fd = -1, ret = -1;

	buffer_read_catch_signals(0);
	if (!how)
		lkst_error_memory(err, "the trace");
	else if (args->from.num)
		cutting.trace =
			lkst_trace_open_files(args->from.path, args->from.num, &print_hooks, err);
	else
		cutting.trace = image ? print_image(image, &print_hooks, &fd, err) :
					print_capture(options, &print_hooks, &fd, err);
	if (cutting.trace && args->no_files)
		lkst_trace_drop_files(cutting.trace);
	if (cutting.trace)
		ret = buffer_read_write_trace(&filling, args, &kept, err);
	/* Fail if events are missing, so that a script notices that the trace is incomplete. */
	if (!ret && lkst_trace_incomplete(cutting.trace))
		ret = EXIT_FAILURE;
	if (!ret && args->previous && !args->keep)
		print_note(MSG_PREVIOUS_PART);
	lkst_trace_close(cutting.trace);
	if (fd >= 0)
		close(fd);
	free(how);
	progress_clear();
	return ret;
}

/* Print all records as text. Returns 0, EXIT_FAILURE if records are missing, or -1 on error. */
static int read_to_text(const struct lkst_capture *options, const struct image_arguments *image,
			struct lkst_error *err)
{
	struct lkst_trace *trace;
	int fd, ret;

	trace = image ? print_image(image, &print_hooks, &fd, err) :
			print_capture(options, &print_hooks, &fd, err);
	ret = trace ? print_newest(trace, err) : -1;
	if (!ret && lkst_trace_incomplete(trace))
		ret = EXIT_FAILURE;
	lkst_trace_close(trace);
	if (fd >= 0)
		close(fd);
	return ret;
}

static const char *buffer_read_conflict(const struct read_arguments *args)
{
	bool image = args->image || args->previous;

	if (args->image && args->previous)
		return "--image and --previous cannot be combined";
	if (args->traces.num &&
	    (image || args->id >= 0 || args->static_buffer || args->max || args->etypes))
		return "--trace can only be combined with -c and with options that select events";
	if ((args->traces.num || select_any(&args->select)) && !args->file)
		return "-e, -p, --where, --longer, --since, --until and --trace require -f (to print, use lkstbuf print)";
	if (args->no_files && image)
		return "--no-files cannot be combined with --image or --previous, which have no such names";
	if (image && (args->max || args->etypes))
		return "-n and -E cannot be combined with --image or --previous: they are for the running kernel";
	if (!image && (args->boot || args->symbols))
		return "--boot and --symbols require --image or --previous";
	if (args->keep && !(args->previous && args->file))
		return "--keep requires --previous and -f";
	if (args->static_buffer && (args->cpu >= 0 || args->id >= 0))
		return "-c and -b cannot be combined with -S: the static buffer has no CPU and no id";
	if (args->compress && !args->file)
		return "-z requires -f";
	if (args->file && !strcmp(args->file, "-") && isatty(STDOUT_FILENO))
		return "refusing to write a trace file to a terminal (redirect standard output)";
	return NULL;
}

int buffer_read(int argc, char **argv)
{
	struct read_arguments args = { .cpu = -1, .id = -1 };
	struct lkst_capture options = {
		.stop = &stop,
		.notice = print_hooks.report,
		.progress = progress_show,
		.ctx = (void *)"reading",
	};
	const struct image_arguments *image = NULL;
	struct image_arguments from;
	struct lkst_error err;
	const char *why;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	why = buffer_read_conflict(&args);
	if (why)
		return usage("%s", why);
	if (!args.traces.num && argv[optind])
		return usage(MSG_OPERAND, argv[optind], ": ",
			     "-f FILE is written, --trace FILE is read");
	if (trace_files_take(&args.from, &args.traces, argv + optind, MSG_EVENTS_FOLLOW, &err)) {
		trace_files_free(&args.from);
		return fail(&err);
	}
	options.cpu = (int32_t)args.cpu;
	options.id = (lkst_buffer_id)args.id;
	options.static_buffer = args.static_buffer;
	options.max = (uint64_t)args.max;
	options.etypes_path = args.etypes;
	options.no_files = args.no_files;
	from = (struct image_arguments){
		.path = args.image,
		.boot = args.boot,
		.symbols = args.symbols,
		.cpu = options.cpu,
		.id = options.id,
		.static_buffer = options.static_buffer,
		.stop = args.file ? &stop : NULL,
	};
	if (args.image || args.previous)
		image = &from;
	if (select_check(&args.select, &err))
		ret = -1;
	else if (args.from.num || select_any(&args.select))
		ret = read_part(&options, image, &args, &err);
	else
		ret = args.file ? read_to_file(&options, image, &args, &err) :
				  read_to_text(&options, image, &err);
	trace_files_free(&args.from);
	return ret < 0 ? fail(&err) : ret;
}
