// SPDX-License-Identifier: GPL-2.0
/*
 * Feeds the events of the running kernel to an analysis that reports intervals.
 *
 * The events that are already in the buffers are processed first. From them, the model learns what
 * the threads are doing. The first interval begins only when the program starts.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "cli/command.h"
#include "cli/processes.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/trace/select.h"
#include "messages.h"
#include "run.h"

#define WAIT_MS	    50 /* time between two calls of idle() while no events arrive */
#define IDLE_EACH   4096 /* number of events between two calls of idle() */
#define LATE_NS	    300000000 /* an event is read at most this long after it occurred */
#define SET_BACK_NS 2000000000 /* longer steps back mean that the clock was set */

static int64_t live_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Raise the limit on open files, which is usually 1024, because a file is opened for each CPU. */
static void live_raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Find out what the kernel records now. */
static int live_check(struct runner *runner, struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_status status;
	int ret = 0;

	if (lkst_status_get(dev, &status, err))
		return -1;
	runner->stopped = status.trc.state != LKST_TRC_RUNNING;
	if (runner->args->cpu >= 0)
		ret = lkst_cpu_check((int32_t)runner->args->cpu, status.trc.cpu_num, err);
	lkst_status_free(&status);
	if (!ret)
		ret = lkst_maskset_read(dev, LKST_MASKSET_ID_VOID, runner->mask, err);
	return ret;
}

/* Make the analysis report the intervals that have ended. Returns the same values as tick(). */
static int live_tick(struct runner *runner, struct lkst_device *dev, int64_t now_ns,
		     struct lkst_error *err)
{
	if (now_ns < runner->tick_ns)
		return 0;
	if (live_check(runner, dev, err))
		return -1;
	return runner->analysis->tick(runner->ctx, now_ns, err);
}

/*
 * Handle an event. If @event is NULL, no event had arrived by @now_ns. Returns the same values as
 * tick().
 */
static int live_step(struct runner *runner, struct lkst_device *dev, struct lkst_event *event,
		     int64_t now_ns, struct lkst_error *err)
{
	int ret;

	if (!event)
		return live_tick(runner, dev, now_ns - LATE_NS, err);
	if (runner->now_ns >= runner->run.begin_ns &&
	    event->time_ns < runner->now_ns - SET_BACK_NS) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_CLOCK_SET,
			       (long long)(runner->now_ns - event->time_ns) / 1000000000);
		return -1;
	}
	ret = live_tick(runner, dev, event->time_ns, err);
	if (ret)
		return ret;
	run_next(runner, event);
	return lkst_model_event(runner->run.model, event, err);
}

static int live_feed(struct runner *runner, struct lkst_device *dev, struct lkst_error *err)
{
	unsigned int events = 0;
	int ret = 0;

	lkst_model_open_window(runner->run.model, runner->run.begin_ns);
	while (!ret) {
		struct lkst_event event;
		/*
		 * Get the time before checking for events. The program may have to wait for a CPU
		 * in between, and the check says nothing about events that arrive later.
		 */
		int64_t now_ns = live_now_ns();
		int got = lkst_follow_next(runner->follow, &event, WAIT_MS, err);

		if (got < 0)
			return -1;
		ret = live_step(runner, dev, got ? &event : NULL, now_ns, err);
		if (!ret && (!got || ++events % IDLE_EACH == 0))
			ret = runner->analysis->idle(runner->ctx);
	}
	return ret < 0 ? -1 : 0;
}

static int live_with_follow(struct runner *runner, struct lkst_device *dev, struct lkst_error *err)
{
	const struct option_words *words = &runner->args->processes;
	int ret = -1;

	runner->run.types = lkst_follow_etypes(runner->follow);
	runner->run.begin_ns = runner->window.begin_ns = live_now_ns();
	runner->run.end_ns = runner->window.end_ns = INT64_MAX;
	if (words->num) {
		runner->processes = processes_take(words, err);
		if (!runner->processes)
			return -1;
	}
	runner->run.model = lkst_model_new(false, err);
	if (runner->run.model)
		runner->ctx = runner->analysis->start(&runner->run, err);
	if (runner->ctx && !run_add_listeners(runner, err))
		ret = live_feed(runner, dev, err);
	if (runner->ctx)
		runner->analysis->free(runner->ctx);
	lkst_model_free(runner->run.model);
	lkst_processes_free(runner->processes);
	return ret;
}

static int live_with_device(struct runner *runner, struct lkst_device *dev, struct lkst_error *err)
{
	const struct lkst_follow_options opt = { .cpu = -1, .history = true };
	int ret = -1;

	runner->mask = malloc(LKST_MASKSET_SIZE_MAX);
	if (!runner->mask) {
		lkst_error_memory(err, "the maskset");
		return -1;
	}
	if (live_check(runner, dev, err))
		return -1;
	live_raise_file_limit();
	runner->follow = lkst_follow_open(dev, &opt, err);
	if (runner->follow)
		ret = live_with_follow(runner, dev, err);
	lkst_follow_close(runner->follow);
	return ret;
}

/**
 * live_run() - analyse the events of the running kernel until the analysis stops
 * @runner: run
 * @err: set on failure
 */
int live_run(struct runner *runner, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	int ret;

	if (!dev)
		return -1;
	ret = live_with_device(runner, dev, err);
	lkst_device_close(dev);
	return ret;
}
