// SPDX-License-Identifier: GPL-2.0
/* lkstbuf read. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "command.h"
#include "lib/messages.h"
#include "print.h"

struct read_arguments {
	int64_t cpu;
	int64_t id;
	bool static_buffer;
	const char *file;
	int64_t max;
	const char *etypes;
	bool compress;
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
};

static const struct syntax syntax = {
	.usage = "[-c CPU] [-b ID] [-f FILE [-z]] [-n NUMBER] [-E FILE]\n"
		 "-S [-f FILE [-z]] [-n NUMBER] [-E FILE]",
	.about = "Read kernel event buffers.\n",
	SYNTAX_ROWS(rows),
	.stray = "A file takes -f",
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

static int write_trace(struct lkst_device *dev, const struct lkst_capture *what,
		       const struct read_arguments *args, struct lkst_error *err)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_create(args->file, err);

	if (!writer)
		return -1;
	/* Who is to take it may not: then a second signal ends the command at once. */
	if (lkst_trace_writer_direct(writer))
		catch_signals((int)SA_RESETHAND);
	if (!(args->compress && lkst_trace_writer_compress(writer, err)) &&
	    !lkst_capture(dev, what, writer, err))
		return lkst_trace_writer_commit(writer, err);
	if (err->code == LKST_ERR_INTERRUPTED)
		return interrupted(writer, args->file, err);
	lkst_trace_writer_abort(writer);
	return -1;
}

static int read_to_file(const struct lkst_capture *what, const struct read_arguments *args,
			struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	int ret;

	if (!dev)
		return -1;
	catch_signals(0);
	ret = write_trace(dev, what, args, err);
	lkst_device_close(dev);
	progress_clear();
	return ret;
}

static int read_to_text(const struct lkst_capture *what, struct lkst_error *err)
{
	struct lkst_trace *trace;
	int fd, ret;

	trace = print_capture(what, &fd, err);
	ret = trace ? print_newest(trace, err) : -1;
	lkst_trace_close(trace);
	if (fd >= 0)
		close(fd);
	return ret;
}

int buffer_read(int argc, char **argv)
{
	struct read_arguments args = { .cpu = -1, .id = -1 };
	struct lkst_capture what = {
		.stop = &stop,
		.progress = progress_show,
		.ctx = (void *)"reading",
	};
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (args.static_buffer && (args.cpu >= 0 || args.id >= 0))
		return usage("-S is the static buffer, which has neither CPU (-c) nor id (-b)");
	if (args.compress && !args.file)
		return usage("-z is for a trace file: it goes with -f");
	if (args.file && !strcmp(args.file, "-") && isatty(STDOUT_FILENO))
		return usage("a trace file is not for a terminal: redirect standard output");
	what.cpu = (int32_t)args.cpu;
	what.id = (lkst_buffer_id)args.id;
	what.static_buffer = args.static_buffer;
	what.max = (uint64_t)args.max;
	what.etypes_path = args.etypes;
	ret = args.file ? read_to_file(&what, &args, &err) : read_to_text(&what, &err);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
