// SPDX-License-Identifier: GPL-2.0
/*
 * The process that looks after everything. All it does follows from a signal, or from what it sees once
 * a second.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd_parent.h"

/* ---- signals ---- */

static void start_or_stop(struct logd_parent *parent)
{
	if (parent->ending)
		return;
	if (parent->want) {
		logd_report(LOG_INFO, "SIGUSR1: writing ends");
		parent->want = false;
		logd_settle(parent);
	} else {
		logd_report(LOG_INFO, "SIGUSR1: writing begins");
		logd_begin_writing(parent, false);
	}
}

static void change_files(struct logd_parent *parent)
{
	if (!parent->want) {
		logd_report(LOG_NOTICE, "SIGUSR2: nothing is being written, so no file is changed");
		return;
	}
	logd_new_serial(parent);
	logd_report(LOG_INFO, "SIGUSR2: new files, serial number %u", parent->serial);
	logd_children_tell_all(parent->children, LOGD_NEW_FILE, parent->serial);
	logd_limit_files(parent);
}

static void begin_reload(struct logd_parent *parent)
{
	struct timespec now;

	if (parent->ending || parent->reloading)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	logd_report(LOG_INFO, "SIGHUP: begins anew");
	logd_notify("RELOADING=1\nMONOTONIC_USEC=%llu",
		    (unsigned long long)now.tv_sec * 1000000 +
			    (unsigned long long)now.tv_nsec / 1000);
	parent->reloading = true;
	logd_children_tell_all(parent->children, LOGD_QUIT, 0);
}

static void end_reload(struct logd_parent *parent)
{
	struct lkst_error err = { 0 };

	parent->reloading = false;
	logd_load_symbols(parent);
	if (logd_files_dir(&parent->files, &err) || logd_enter_rings(parent, &err) ||
	    logd_maskset_select(parent->dev, parent->state, &err))
		logd_trouble(parent, &err);
	logd_begin_previous(parent);
	logd_new_serial(parent);
	logd_notify("READY=1");
	logd_settle(parent);
}

static void begin_end(struct logd_parent *parent)
{
	if (parent->ending)
		return;
	logd_notify("STOPPING=1");
	parent->ending = true;
	parent->reloading = false;
	parent->want = false;
	parent->ticks = 0;
	if (parent->previous)
		kill(parent->previous, SIGTERM);
	logd_settle(parent);
}

static void take_signal(struct logd_parent *parent, uint32_t number)
{
	switch (number) {
	case SIGUSR1:
		start_or_stop(parent);
		break;
	case SIGUSR2:
		change_files(parent);
		break;
	case SIGHUP:
		begin_reload(parent);
		break;
	case SIGTERM:
	case SIGINT:
		begin_end(parent);
		break;
	case SIGCHLD:
		if (parent->previous && logd_previous_reap(parent->previous))
			parent->previous = 0;
		logd_children_reap(parent->children);
		logd_settle(parent);
		break;
	}
}

/* ---- the loop ---- */

/* Children there are, or there have to be some for what writing that ends has left over. */
static bool is_busy(const struct logd_parent *parent)
{
	return logd_children_any(parent->children) ||
	       (!parent->want && logd_children_owe_any(parent->children));
}

static const char *state_word(const struct logd_parent *parent)
{
	if (parent->ending || (!parent->want && is_busy(parent)))
		return "stopping";
	if (parent->reloading)
		return "reloading";
	return parent->want ? "writing" : "idle";
}

static void show_status(struct logd_parent *parent)
{
	logd_report_status(parent->state, state_word(parent), parent->since, parent->trouble,
			   parent->files.dir);
}

static void take_events(struct logd_parent *parent, const struct pollfd fds[2])
{
	struct signalfd_siginfo info;
	uint64_t times;

	if (fds[0].revents)
		while (read(parent->signals, &info, sizeof(info)) == sizeof(info))
			take_signal(parent, info.ssi_signo);
	if (fds[1].revents && read(parent->timer, &times, sizeof(times)) == sizeof(times))
		logd_tick(parent);
	if (is_busy(parent))
		return;
	if (parent->ending)
		parent->ended = parent->ended || !parent->previous;
	else if (parent->reloading)
		end_reload(parent);
}

/**
 * logd_parent_run() - do what the daemon does, until it is told to end
 * @parent: from logd_parent_begin()
 * @err: why that is not possible
 */
int logd_parent_run(struct logd_parent *parent, struct lkst_error *err)
{
	/* They count for this process from now on: it may have forked since it began. */
	logd_notify("READY=1");
	logd_begin_previous(parent);
	if (parent->opt->start)
		logd_begin_writing(parent, true);
	show_status(parent);
	while (!parent->ended) {
		struct pollfd fds[] = {
			{ .fd = parent->signals, .events = POLLIN },
			{ .fd = parent->timer, .events = POLLIN },
		};

		if (poll(fds, 2, -1) < 0 && errno != EINTR) {
			lkst_error_system(err, errno, "lkstlogd", "poll");
			return -1;
		}
		take_events(parent, fds);
		show_status(parent);
	}
	return 0;
}
