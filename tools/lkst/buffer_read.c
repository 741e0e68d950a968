// SPDX-License-Identifier: GPL-2.0
/* lkstbuf read. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "buffer_select.h"
#include "command.h"
#include "lib/messages.h"
#include "print.h"
#include "trace_files.h"

struct read_arguments {
	int64_t cpu;
	int64_t id;
	bool static_buffer;
	const char *file;
	int64_t max;
	const char *etypes;
	bool compress;
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
		   "number of records", "the oldest so many records of each buffer"),
	OPT_TEXT('E', "etypes", "FILE", struct read_arguments, etypes,
		 "event types from FILE, in the format of /proc/lkst_etypes"),
	OPT_FLAG('z', "compress", struct read_arguments, compress,
		 "compress the trace file (zstd)"),
	OPT_SELECT(struct read_arguments),
	OPT_WORDS(0, "trace", "TRACE", struct read_arguments, traces,
		  "from a trace file, or from all in a directory"),
	OPT_TEXT(0, "image", "IMAGE", struct read_arguments, image,
		 "from an image of memory, not from the kernel"),
	OPT_FLAG(0, "previous", struct read_arguments, previous,
		 "what a previous boot has left; -f marks it as read"),
	OPT_FLAG(0, "keep", struct read_arguments, keep, "do not mark it as read"),
	OPT_TEXT(0, "boot", "BOOT", struct read_arguments, boot,
		 "its id, or how that begins; default: the newest one"),
	OPT_TEXT(0, "symbols", "FILE", struct read_arguments, symbols,
		 "symbols of its kernel: /proc/kallsyms of then, System.map"),
};

static const struct syntax syntax = {
	.usage = "[-c CPU] [-b ID] [-f FILE [-z]] [-n NUMBER] [-E FILE]\n"
		 "-S [-f FILE [-z]] [-n NUMBER] [-E FILE]\n"
		 "{--image IMAGE | --previous} [OPTION...]\n"
		 "--trace TRACE... [OPTION...] -f FILE",
	.about = "Read kernel event buffers.\n",
	SYNTAX_ROWS(rows),
	.operands = true,
};

static volatile int stop;

static void on_signal(int signal)
{
	stop = signal;
}

/* Let the trace be given up in order. */
static void catch_signals(int flags)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* What cannot be taken back, as on a pipe, at least becomes a trace that is whole. */
static int interrupted(struct lkst_trace_writer *writer, const char *path, struct lkst_error *err)
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

/* Where records are read: one of the two. */
struct origin {
	struct lkst_device *dev;
	struct image_reading *image;
	const struct lkst_capture *what;
};

static int open_origin(struct origin *origin, const struct lkst_capture *what,
		       const struct image_arguments *image, struct lkst_error *err)
{
	*origin = (struct origin){ .what = what };
	if (image)
		origin->image = image_reading_open(image, err);
	else
		origin->dev = lkst_device_open(err);
	return origin->image || origin->dev ? 0 : -1;
}

static void close_origin(struct origin *origin)
{
	image_reading_close(origin->image);
	lkst_device_close(origin->dev);
}

static int fill_all(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct origin *origin = ctx;

	return origin->image ? image_reading_write(origin->image, writer, err) :
			       lkst_capture(origin->dev, origin->what, writer, err);
}

/* Writes a trace; returns 0, or not with @err set. */
struct filling {
	int (*fill)(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err);
	void *ctx;
};

/* @kept: out: what was written is in a file by now, and stays there through a reset. */
static int write_trace(const struct filling *filling, const struct read_arguments *args, bool *kept,
		       struct lkst_error *err)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_create(args->file, err);

	if (!writer)
		return -1;
	*kept = !lkst_trace_writer_direct(writer);
	/* Who is to take it may not: then a second signal ends the command at once. */
	if (!*kept)
		catch_signals((int)SA_RESETHAND);
	if (!(args->compress && lkst_trace_writer_compress(writer, err)) &&
	    !filling->fill(filling->ctx, writer, err))
		return lkst_trace_writer_commit(writer, err);
	if (err->code == LKST_ERR_INTERRUPTED)
		return interrupted(writer, args->file, err);
	lkst_trace_writer_abort(writer);
	return -1;
}

/* Only what is whole, and in its place, is there for whoever looks for it later. */
static int mark_as_read(struct image_reading *reading, const struct read_arguments *args, bool kept,
			struct lkst_error *err)
{
	if (kept && args->cpu < 0 && args->id < 0)
		return image_reading_done(reading, err);
	note(kept ? MSG_PREVIOUS_PART : MSG_PREVIOUS_NO_FILE);
	return 0;
}

static int read_to_file(const struct lkst_capture *what, const struct image_arguments *image,
			const struct read_arguments *args, struct lkst_error *err)
{
	struct origin origin;
	const struct filling filling = { fill_all, &origin };
	bool kept = false;
	int ret = -1;

	catch_signals(0);
	if (!open_origin(&origin, what, image, err))
		ret = write_trace(&filling, args, &kept, err);
	if (!ret && args->previous && !args->keep)
		ret = mark_as_read(origin.image, args, kept, err);
	close_origin(&origin);
	progress_clear();
	return ret;
}

/* A trace, of which a part is wanted. */
struct cutting {
	struct lkst_trace *trace;
	const struct read_arguments *args;
	const char *how; /* the options that select, for whoever reads the part */
};

static int fill_part(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err)
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
	    !selector_open(&selector, select, cutting->trace, types.all, &selection, err) &&
	    !select_check_cpu(cutting->args->from.path, cutting->args->from.num, selection.cpu,
			      cutting->trace, err) &&
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

/* The options that select, on one line, to be freed; NULL: no memory. */
static char *selected_how(const struct read_arguments *args)
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
	if (select->longer)
		buffer_read_put_words(to, "--longer", select->longer);
	if (select->since)
		buffer_read_put_words(to, "--since", select->since);
	if (select->until)
		buffer_read_put_words(to, "--until", select->until);
	return fclose(to) ? NULL : text;
}

static int read_part(const struct lkst_capture *what, const struct image_arguments *image,
		     const struct read_arguments *args, struct lkst_error *err)
{
	char *how = selected_how(args);
	struct cutting cutting = { .args = args, .how = how && *how ? how + 1 : "all" };
	const struct filling filling = { fill_part, &cutting };
	bool kept = false;
	int fd = -1, ret = -1;

	catch_signals(0);
	if (!how)
		lkst_error_memory(err, "the trace");
	else if (args->from.num)
		cutting.trace = lkst_trace_open_files(args->from.path, args->from.num, &print_hooks,
						      err);
	else
		cutting.trace = image ? print_image(image, &fd, err) :
					print_capture(what, &fd, err);
	if (cutting.trace)
		ret = write_trace(&filling, args, &kept, err);
	/* A script must not take a part for the whole. */
	if (!ret && lkst_trace_incomplete(cutting.trace))
		ret = EXIT_FAILURE;
	if (!ret && args->previous && !args->keep)
		note(MSG_PREVIOUS_PART);
	lkst_trace_close(cutting.trace);
	if (fd >= 0)
		close(fd);
	free(how);
	progress_clear();
	return ret;
}

/* Returns the exit status that what is missing has earned, -1 on an error. */
static int read_to_text(const struct lkst_capture *what, const struct image_arguments *image,
			struct lkst_error *err)
{
	struct lkst_trace *trace;
	int fd, ret;

	trace = image ? print_image(image, &fd, err) : print_capture(what, &fd, err);
	ret = trace ? print_newest(trace, err) : -1;
	if (!ret && lkst_trace_incomplete(trace))
		ret = EXIT_FAILURE;
	lkst_trace_close(trace);
	if (fd >= 0)
		close(fd);
	return ret;
}

static const char *conflict(const struct read_arguments *args)
{
	bool image = args->image || args->previous;

	if (args->image && args->previous)
		return "--image and --previous: one of them";
	if (args->traces.num &&
	    (image || args->id >= 0 || args->static_buffer || args->max || args->etypes))
		return "--trace goes with -c and what selects events, not with other options";
	if ((args->traces.num || select_any(&args->select)) && !args->file)
		return "-e, -p, --longer, --since, --until, --trace: they go with -f; lkstbuf print prints";
	if (image && (args->max || args->etypes))
		return "-n and -E are for the running kernel: they do not go with --image, --previous";
	if (!image && (args->boot || args->symbols))
		return "--boot and --symbols go with --image or --previous";
	if (args->keep && !(args->previous && args->file))
		return "--keep goes with --previous and -f: nothing else is marked as read";
	if (args->static_buffer && (args->cpu >= 0 || args->id >= 0))
		return "-S is the static buffer, which has neither CPU (-c) nor id (-b)";
	if (args->compress && !args->file)
		return "-z is for a trace file: it goes with -f";
	if (args->file && !strcmp(args->file, "-") && isatty(STDOUT_FILENO))
		return "a trace file is not for a terminal: redirect standard output";
	return NULL;
}

int buffer_read(int argc, char **argv)
{
	struct read_arguments args = { .cpu = -1, .id = -1 };
	struct lkst_capture what = {
		.stop = &stop,
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
	why = conflict(&args);
	if (why)
		return usage("%s", why);
	if (!args.traces.num && argv[optind])
		return usage(MSG_OPERAND, argv[optind], " ",
			     "A file takes -f, one to be read --trace");
	if (trace_files_take(&args.from, &args.traces, argv + optind, &err)) {
		trace_files_free(&args.from);
		return fail(&err);
	}
	what.cpu = (int32_t)args.cpu;
	what.id = (lkst_buffer_id)args.id;
	what.static_buffer = args.static_buffer;
	what.max = (uint64_t)args.max;
	what.etypes_path = args.etypes;
	from = (struct image_arguments){
		.path = args.image,
		.boot = args.boot,
		.symbols = args.symbols,
		.cpu = what.cpu,
		.id = what.id,
		.static_buffer = what.static_buffer,
		.stop = args.file ? &stop : NULL,
	};
	if (args.image || args.previous)
		image = &from;
	if (select_check(&args.select, &err))
		ret = -1;
	else if (args.from.num || select_any(&args.select))
		ret = read_part(&what, image, &args, &err);
	else
		ret = args.file ? read_to_file(&what, image, &args, &err) :
				  read_to_text(&what, image, &err);
	trace_files_free(&args.from);
	return ret < 0 ? fail(&err) : ret;
}
