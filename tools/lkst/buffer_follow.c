// SPDX-License-Identifier: GPL-2.0
/* lkstbuf print --follow: events as they come, until interrupted. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "buffer_print.h"
#include "command.h"
#include "lib/messages.h"

#define WAIT_MS 500 /* until it is looked whether the reader is still there */

static volatile sig_atomic_t stop;

static void on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/* Following takes a file for each CPU, and the usual limit is 1024. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Nothing comes then, and nothing would tell why. */
static int report_stopped(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(dev, &status, err))
		return -1;
	if (status.trc.state != LKST_TRC_RUNNING)
		note("LKST is stopped: events come after \"lkst start\"");
	lkst_status_free(&status);
	return 0;
}

/* Each loss is told once; events go on. */
static void tell_losses(const struct lkst_follow *follow, uint64_t *told)
{
	uint64_t lost = lkst_follow_lost(follow);
	char text[80];

	if (lost == *told)
		return;
	snprintf(text, sizeof(text), "%llu events were overwritten before they could be read",
		 (unsigned long long)(lost - *told));
	note(text);
	*told = lost;
}

/* A pipe whose reader has gone; what is written tells that only when there is something. */
static bool reader_gone(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO };

	return poll(&fd, 1, 0) > 0 && fd.revents & POLLERR;
}

/* 1: go on; 0: enough; -1: error. */
static int follow_on(struct lkst_follow *follow, struct printer *printer, uint64_t *told,
		     struct lkst_error *err)
{
	struct lkst_event event;
	int ret = lkst_follow_next(follow, &event, 0, err);

	if (!ret) {
		/* Nothing is kept back while there is nothing to print. */
		ret = printer_flush(printer, err);
		if (ret)
			return ret < 0 ? -1 : 0;
		tell_losses(follow, told);
		if (reader_gone())
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
	uint64_t told = 0;
	int ret = 1;

	while (!stop && ret > 0)
		ret = follow_on(follow, printer, &told, err);
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
	struct selector selector;
	struct printer printer;
	int64_t now = now_ns();
	int ret = -1;

	if (!selector_open(&selector, &args->select, NULL, types, selection, err) &&
	    !select_span(&args->select, now, now, selection, err) &&
	    !printer_start(&printer, &args->print, types, lkst_follow_context(follow), err)) {
		selection->others = print_others(args, types);
		ret = follow_events(follow, &printer, err);
		if (printer_end(&printer, ret ? NULL : err))
			ret = -1;
	}
	selector_close(&selector);
	return ret;
}

/**
 * buffer_follow() - print events as they come
 * @args: command line
 * @err: why not
 *
 * A signal that interrupts is how users end it, which is no failure.
 */
int buffer_follow(struct print_arguments *args, struct lkst_error *err)
{
	const struct lkst_follow_options opt = {
		.cpu = (int32_t)args->cpu,
		.history = args->select.since != NULL,
	};
	struct lkst_device *dev = lkst_device_open(err);
	struct lkst_follow *follow;
	struct lkst_etypes *types = NULL;
	int ret = -1;

	if (!dev)
		return -1;
	catch_signals();
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
