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
#include "lib/device/device.h"
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
static void follow_raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Check the CPU of -c, which is not passed to lkst_follow_open() if --longer is given. Print a note
 * if LKST is stopped: otherwise nothing would explain why no events arrive.
 */
static int buffer_follow_check(struct lkst_device *dev, int32_t cpu, struct lkst_error *err)
{
	struct lkst_status status;
	int ret;

	if (lkst_status_get(dev, &status, err))
		return -1;
	ret = cpu >= 0 ? lkst_cpu_check(cpu, status.trc.cpu_num, err) : 0;
	if (!ret && status.trc.state != LKST_TRC_RUNNING)
		print_note("LKST is stopped: no events until \"lkst start\"");
	lkst_status_free(&status);
	return ret;
}

/**
 * struct following - prints live events
 * @follow: returns the events
 * @printer: prints them
 * @longer: finds what took long; NULL without --longer
 * @lost: number of lost events that were reported
 * @parts: number of skipped records that were reported
 */
struct following {
	struct lkst_follow *follow;
	struct printer printer;
	struct lkst_longer *longer;
	uint64_t lost;
	uint64_t parts;
};

/* Print a message with the number by which a counter has grown since the last report. */
static void follow_report_growth(const char *format, uint64_t now, uint64_t *reported)
{
	char text[128];

	if (now == *reported)
		return;
	snprintf(text, sizeof(text), format, (unsigned long long)(now - *reported));
	print_note(text);
	*reported = now;
}

/* Print how many events were lost since the last report. A loss does not end --follow. */
static void follow_report_losses(struct following *following)
{
	follow_report_growth("%llu events were overwritten before they could be read",
			     lkst_follow_lost(following->follow), &following->lost);
	follow_report_growth(MSG_PARTS, lkst_follow_parts_skipped(following->follow),
			     &following->parts);
}

/*
 * Return whether the reader of the pipe has closed it. write() would fail with EPIPE, but there may
 * be no event to write.
 */
static bool follow_pipe_is_closed(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO };

	return poll(&fd, 1, 0) > 0 && fd.revents & POLLERR;
}

/*
 * Print the next event. If none is available yet, report losses, and wait up to WAIT_MS for one.
 * Returns 1 to continue, 0 to stop, -1 on error.
 */
static int follow_on(struct following *following, struct lkst_error *err)
{
	struct printer *printer = &following->printer;
	struct lkst_event event;
	int ret = lkst_follow_next(following->follow, &event, 0, err);

	if (!ret) {
		/* No event is available now: print what is still in the output buffer. */
		ret = printer_flush(printer, err);
		if (ret)
			return ret < 0 ? -1 : 0;
		follow_report_losses(following);
		if (follow_pipe_is_closed())
			return 0;
		ret = lkst_follow_next(following->follow, &event, WAIT_MS, err);
	}
	if (ret <= 0)
		return ret ? -1 : 1;
	if (following->longer && lkst_longer_observe(following->longer, &event, err))
		return -1;
	if (!printer->format.any)
		printer->format.opt.zero_ns = event.time_ns;
	return printer_put(printer, &event);
}

static int follow_events(struct following *following, struct lkst_error *err)
{
	int ret = 1;

	while (!stop && ret > 0)
		ret = follow_on(following, err);
	return ret < 0 ? -1 : 0;
}

static int64_t follow_now_ns(void)
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
	struct following following = { .follow = follow };
	struct selector selector;
	int64_t now = follow_now_ns();
	int ret = -1;

	if (!selector_open(&selector, &args->select, &from, selection, err) &&
	    !times_apply(&args->select.times, now, now, &selection->since_ns, &selection->until_ns,
			 err) &&
	    !printer_start(&following.printer, &args->print, types, from.context, err)) {
		selection->others = print_others(args, types);
		following.longer = selector.longer;
		ret = follow_events(&following, err);
		if (printer_end(&following.printer, ret ? NULL : err))
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
		/*
		 * --longer needs the events of all CPUs: a thread may be woken up on one, and run
		 * on another.
		 */
		.cpu = args->select.longer ? -1 : (int32_t)args->cpu,
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
	follow_raise_file_limit();
	follow = buffer_follow_check(dev, (int32_t)args->cpu, err) ?
			 NULL :
			 lkst_follow_open(dev, &opt, err);
	if (follow && args->etypes)
		types = lkst_etypes_load(args->etypes, err);
	if (follow && (types || !args->etypes))
		ret = follow_with(follow, types ? types : lkst_follow_etypes(follow), args, err);
	lkst_etypes_free(types);
	lkst_follow_close(follow);
	lkst_device_close(dev);
	return ret;
}
