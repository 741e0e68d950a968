// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "lib/messages.h"
#include "print.h"

static void report(void *ctx, const char *text)
{
	(void)ctx;
	note(text);
}

const struct lkst_trace_hooks print_hooks = {
	.ctx = (void *)"reading",
	.report = report,
	.progress = progress_show,
};

/**
 * print_trace() - print the events of a trace on standard output
 * @trace: trace
 * @types: event types
 * @filter: only these
 * @opt: how
 * @err: why not
 */
int print_trace(struct lkst_trace *trace, const struct lkst_etypes *types,
		const struct lkst_filter *filter, const struct print_options *opt,
		struct lkst_error *err)
{
	struct lkst_format format;
	struct lkst_event event;
	struct lkst_out out;
	uint64_t shown = 0;
	int ret;

	progress_clear();
	if (lkst_trace_rewind(trace, opt->order, err) || lkst_out_open(&out, STDOUT_FILENO, err))
		return -1;
	lkst_format_init(&format, &out, types, lkst_trace_context(trace), &opt->format);
	if (!opt->csv)
		lkst_format_head(&format);
	while ((ret = lkst_trace_next(trace, &event, err)) > 0 && !out.error) {
		if ((opt->cpu >= 0 && event.cpu != opt->cpu) ||
		    !lkst_filter_shows(filter, event.type))
			continue;
		if (opt->csv)
			lkst_format_csv(&format, &event);
		else
			lkst_format_event(&format, &event);
		if (++shown == opt->max)
			break;
	}
	/* A reader that has seen enough is no failure. */
	if (lkst_out_flush(&out) && out.error != EPIPE) {
		lkst_error_system(err, out.error, "standard output", "write");
		ret = -1;
	}
	lkst_out_close(&out);
	return ret < 0 ? -1 : 0;
}

/**
 * print_capture() - read the kernel's buffers to print them
 * @what: which
 * @fd: to be closed after the trace
 * @err: why not
 */
struct lkst_trace *print_capture(const struct lkst_capture *what, int *fd, struct lkst_error *err)
{
	struct lkst_trace_writer *writer = NULL;
	struct lkst_trace *trace = NULL;
	struct lkst_device *dev;

	*fd = -1;
	dev = lkst_device_open(err);
	if (!dev)
		return NULL;
	*fd = lkst_temporary_file(err);
	if (*fd >= 0)
		writer = lkst_trace_writer_temporary(*fd, err);
	if (writer && lkst_capture(dev, what, writer, err)) {
		lkst_trace_writer_abort(writer);
		writer = NULL;
	}
	if (writer && !lkst_trace_writer_commit(writer, err))
		trace = lkst_trace_open_fd(*fd, "kernel", &print_hooks, err);
	lkst_device_close(dev);
	if (!trace && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return trace;
}
