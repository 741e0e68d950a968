// SPDX-License-Identifier: GPL-2.0
/* lkstbuf print --follow: prints new events until interrupted. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/print.h"
#include "lib/text/etypes.h"
#include "lib/trace/messages.h"
#include "lib/trace/select.h"
#include "print.h"
#include "select.h"

#define WAIT_MS 500 /* time between checks whether the reader has closed the output */

static volatile sig_atomic_t stop;

static void buffer_follow_on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

static void buffer_follow_catch_signals(void)
{
	const struct sigaction action = { .sa_handler = buffer_follow_on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* Raise the limit on open files, usually 1024: --follow opens a file for each CPU. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Print a note if LKST is stopped: otherwise nothing would explain why no events arrive. */
static int report_stopped(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(dev, &status, err))
		return -1;
	if (status.trc.state != LKST_TRC_RUNNING)
		print_note("LKST is stopped: no events until \"lkst start\"");
	lkst_status_free(&status);
	return 0;
}

/* What has been reported so far */
struct follow_reported {
	uint64_t lost;
	uint64_t parts;
};

/* Print a message with the number by which a counter has grown since the last report. */
static void report_growth(const char *format, uint64_t now, uint64_t *reported)
{
	char text[128];

	if (now == *reported)
		return;
	snprintf(text, sizeof(text), format, (unsigned long long)(now - *reported));
	print_note(text);
	*reported = now;
}

/* Print how many events were lost since the last report. A loss does not end --follow. */
static void report_losses(const struct lkst_follow *follow, struct follow_reported *reported)
{
	report_growth("%llu events were overwritten before they could be read",
		      lkst_follow_lost(follow), &reported->lost);
	report_growth(MSG_PARTS, lkst_follow_parts_skipped(follow), &reported->parts);
}

/*
 * Whether the reader of the pipe has closed it. write() would fail with EPIPE, but there may be no
 * event to write.
 */
static bool pipe_is_closed(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO };

	return poll(&fd, 1, 0) > 0 && fd.revents & POLLERR;
}

/*
 * Print the next event. If none is available yet, report losses, and wait up to WAIT_MS for one.
 * Returns 1 to continue, 0 to stop, -1 on error.
 */
static int follow_on(struct lkst_follow *follow, struct printer *printer,
		     struct follow_reported *reported, struct lkst_error *err)
{
	struct lkst_event event;
	int ret = lkst_follow_next(follow, &event, 0, err);

	if (!ret) {
		/* No event is available now: print what is still in the output buffer. */
		ret = printer_flush(printer, err);
		if (ret)
			return ret < 0 ? -1 : 0;
		report_losses(follow, reported);
		if (pipe_is_closed())
			return 0;
		ret = lkst_follow_next(follow, &event, WAIT_MS, err);
	}
	if (ret <= 0)
		return ret ? -1 : 1;
	if (!printer->format.any)
		printer->format.opt.zero_ns = event.time_ns;
	return printer_put(printer, &event);
}

static int follow_events(struct lkst_follow *follow, struct printer *printer,
			 struct lkst_error *err)
{
	struct follow_reported reported = { 0 };
	int ret = 1;

	while (!stop && ret > 0)
		ret = follow_on(follow, printer, &reported, err);
	return ret < 0 ? -1 : 0;
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int follow_with(struct lkst_follow *follow, const struct lkst_etypes *types,
		       struct print_arguments *args, struct lkst_error *err)
{
	struct lkst_selection *selection = &args->print.selection;
	const struct selecting from = { .types = types, .context = lkst_follow_context(follow) };
	struct selector selector;
	struct printer printer;
	int64_t now = now_ns();
	int ret = -1;

	if (!selector_open(&selector, &args->select, &from, selection, err) &&
	    !times_apply(&args->select.times, now, now, &selection->since_ns, &selection->until_ns,
			 err) &&
	    !printer_start(&printer, &args->print, types, from.context, err)) {
		selection->others = print_others(args, types);
		ret = follow_events(follow, &printer, err);
		if (printer_end(&printer, ret ? NULL : err))
			ret = -1;
	}
	selector_close(&selector);
	return ret;
}

/**
 * buffer_follow() - print new events until interrupted
 * @args: command line
 * @err: set on failure
 *
 * SIGINT is the normal way to stop, and not a failure.
 */
int buffer_follow(struct print_arguments *args, struct lkst_error *err)
{
	const struct lkst_follow_options opt = {
		.cpu = (int32_t)args->cpu,
		.history = args->select.times.since != NULL,
		.keep_parts = args->parts,
	};
	struct lkst_device *dev = lkst_device_open(err);
	struct lkst_follow *follow;
	struct lkst_etypes *types = NULL;
	int ret = -1;

	if (!dev)
		return -1;
	buffer_follow_catch_signals();
	raise_file_limit();
	follow = report_stopped(dev, err) ? NULL : lkst_follow_open(dev, &opt, err);
	if (follow && args->etypes)
		types = lkst_etypes_load(args->etypes, err);
	if (follow && (types || !args->etypes))
		ret = follow_with(follow, types ? types : lkst_follow_etypes(follow), args, err);
	lkst_etypes_free(types);
	lkst_follow_close(follow);
	lkst_device_close(dev);
	return ret;
}
