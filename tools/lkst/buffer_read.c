// SPDX-License-Identifier: GPL-2.0
/* lkstbuf read. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "command.h"
#include "print.h"

static volatile int stop;

static void on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

/* Let the temporary file be removed before the command ends. */
static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

static int read_to_file(const struct lkst_capture *what, const char *path, struct lkst_error *err)
{
	struct lkst_trace_writer *writer;
	struct lkst_device *dev;
	int ret;

	dev = lkst_device_open(err);
	if (!dev)
		return -1;
	catch_signals();
	writer = lkst_trace_writer_create(path, err);
	ret = writer ? lkst_capture(dev, what, writer, err) : -1;
	if (ret)
		lkst_trace_writer_abort(writer);
	else
		ret = lkst_trace_writer_commit(writer, err);
	lkst_device_close(dev);
	progress_clear();
	return ret;
}

static int read_to_text(const struct lkst_capture *what, struct lkst_error *err)
{
	struct print_options opt = {
		.cpu = -1,
		.order = LKST_NEWEST_FIRST,
		.format.color = color_wanted(),
	};
	struct lkst_filter *filter = malloc(sizeof(*filter));
	struct lkst_etypes *types = NULL;
	struct lkst_trace *trace;
	int fd, ret = -1;

	trace = print_capture(what, &fd, err);
	if (trace)
		types = lkst_trace_etypes(trace, err);
	if (types && filter) {
		lkst_filter_init(filter);
		ret = print_trace(trace, types, filter, &opt, err);
	}
	free(filter);
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	if (fd >= 0)
		close(fd);
	return ret;
}

int buffer_read(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkstbuf read [-c CPU] [-b ID] [-f FILE] [-n NUMBER] [-E FILE]\n"
		"       lkstbuf read -S [-f FILE] [-n NUMBER] [-E FILE]\n\n"
		"Read kernel event buffers.\n\n"
		"  -c CPU     those of this CPU; default: of all\n"
		"  -b ID      those with this id; default: all\n"
		"  -S         the static buffer, and no other\n"
		"  -f FILE    write a trace file, \"-\" for standard output; default: print\n"
		"  -n NUMBER  the oldest so many records of each buffer\n"
		"  -E FILE    event types from FILE, in the format of /proc/lkst_etypes\n";
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' + OPTION_LONG },
		{ NULL, 0, NULL, 0 },
	};
	struct lkst_capture what = {
		.cpu = -1,
		.id = -1,
		.stop = &stop,
		.progress = progress_show,
		.ctx = (void *)"reading",
	};
	const char *file = NULL;
	struct lkst_error err;
	long number;
	int c;

	while ((c = option_next(argc, argv, ":c:b:Sf:n:E:h", longs, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'c':
			if (lkst_parse_range("CPU", optarg, 0, INT32_MAX, &number, &err))
				return usage("%s", err.text);
			what.cpu = (int32_t)number;
			break;
		case 'b':
			if (lkst_parse_range("buffer id", optarg, 0, LKST_BUFFER_ID_MAX, &number,
					     &err))
				return usage("%s", err.text);
			what.id = (lkst_buffer_id)number;
			break;
		case 'S':
			what.static_buffer = true;
			break;
		case 'f':
			file = optarg;
			break;
		case 'n':
			if (lkst_parse_range("number of records", optarg, 1, LONG_MAX, &number,
					     &err))
				return usage("%s", err.text);
			what.max = (uint64_t)number;
			break;
		case 'E':
			what.etypes_path = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	if (what.static_buffer && (what.cpu >= 0 || what.id >= 0))
		return usage("-S is the static buffer, which has neither CPU (-c) nor id (-b)");
	if (file && !strcmp(file, "-") && isatty(STDOUT_FILENO))
		return usage("a trace file is not for a terminal: redirect standard output");
	c = file ? read_to_file(&what, file, &err) : read_to_text(&what, &err);
	return c ? fail(&err) : EXIT_SUCCESS;
}
