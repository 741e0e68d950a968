// SPDX-License-Identifier: GPL-2.0
/* The loop: signals, a look around once a tick, and records that can be read. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd.h"

enum {
	END_LIMIT_MS = 30000, /* that the process which saves previous boots may take to end */
	EXTEND_S = 45, /* as the service's TimeoutStopSec= */
	POLL_AGAIN_MS = 100,
};

/* ---- what others see ---- */

static const char *state_word(const struct logd *logd)
{
	if (logd->ending || (!logd->want && logd->draining))
		return "stopping";
	return logd->want ? "writing" : "idle";
}

static void show_status(struct logd *logd)
{
	logd_report_status(logd, state_word(logd));
}

/**
 * logd_beat() - say that all is well, if it is time for it
 * @logd: daemon; makes progress
 */
void logd_beat(struct logd *logd)
{
	int64_t now = logd_now_ms();

	if (now - logd->beat < LOGD_TICK_MS)
		return;
	logd->beat = now;
	logd_notify("WATCHDOG=1");
	if (logd->ending)
		logd_notify("EXTEND_TIMEOUT_USEC=%d", EXTEND_S * 1000000);
	show_status(logd);
}

/* ---- signals ---- */

static void start_or_stop(struct logd *logd)
{
	if (logd->want) {
		logd_report(LOG_INFO, "SIGUSR1: writing ends");
		logd_end_writing(logd);
	} else {
		logd_report(LOG_INFO, "SIGUSR1: writing begins");
		logd_begin_writing(logd);
	}
}

static void change_files(struct logd *logd)
{
	if (!logd->want) {
		logd_report(LOG_NOTICE, "SIGUSR2: nothing is being written, so no file is changed");
		return;
	}
	logd_drain(logd);
	logd_close_files(logd);
	logd_new_serial(logd);
	logd_report(LOG_INFO, "SIGUSR2: new files, serial number %u", logd->serial);
	logd_open_files(logd);
}

/* What is in the kernel stays there, and is read on where the files end. */
static void logd_loop_reload(struct logd *logd)
{
	struct lkst_error err = { 0 };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	logd_report(LOG_INFO, "SIGHUP: restarting");
	logd_notify("RELOADING=1\nMONOTONIC_USEC=%llu",
		    (unsigned long long)now.tv_sec * 1000000 +
			    (unsigned long long)now.tv_nsec / 1000);
	logd_close_files(logd);
	logd_load_symbols(logd);
	logd_conf_reload(logd);
	if (logd_files_dir(&logd->files, &err) || logd_enter_rings(logd, &err) ||
	    logd_maskset_select(logd->dev, logd->state, &err))
		logd_trouble(logd, &err);
	logd_space_limits(logd);
	/* It inherits no file that is being written. */
	logd_begin_previous(logd);
	logd_new_serial(logd);
	if (logd->want)
		logd_open_files(logd);
	logd_notify("READY=1");
}

static void begin_end(struct logd *logd)
{
	logd_notify("STOPPING=1");
	logd->ending = true;
	logd->end_limit = logd_now_ms() + END_LIMIT_MS;
	if (logd->previous)
		kill(logd->previous, SIGTERM);
	if (logd->want)
		logd_end_writing(logd);
}

static void take_signal(struct logd *logd, uint32_t number)
{
	if (number == SIGCHLD) {
		if (logd->previous && logd_previous_reap(logd->previous))
			logd->previous = 0;
		/* Those that count events in deleted files. */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		return;
	}
	if (logd->ending)
		return;
	switch (number) {
	case SIGUSR1:
		start_or_stop(logd);
		break;
	case SIGUSR2:
		change_files(logd);
		break;
	case SIGHUP:
		logd_loop_reload(logd);
		break;
	case SIGTERM:
	case SIGINT:
		begin_end(logd);
		break;
	}
}

/* ---- the loop ---- */

enum {
	SIGNALS,
	TIMER,
	RECORDS,
	SOURCES
};

static void take_events(struct logd *logd, const struct pollfd fds[SOURCES], bool ahead)
{
	struct signalfd_siginfo info;
	bool show = fds[SIGNALS].revents || fds[TIMER].revents;
	uint64_t times;

	if (fds[SIGNALS].revents)
		while (read(logd->signals, &info, sizeof(info)) == sizeof(info))
			take_signal(logd, info.ssi_signo);
	if (fds[TIMER].revents && read(logd->timer, &times, sizeof(times)) == sizeof(times)) {
		logd_notify("WATCHDOG=1");
		logd_watch(logd);
	}
	if ((fds[RECORDS].revents || ahead) && logd->want)
		logd_read(logd);
	if (show)
		show_status(logd);
}

/* It could not be told to end, or does not. */
static bool has_ended(const struct logd *logd)
{
	return logd->ending && (!logd->previous || logd_now_ms() >= logd->end_limit);
}

/**
 * logd_run() - do what the daemon does, until it is told to end
 * @logd: from logd_begin()
 */
void logd_run(struct logd *logd)
{
	/* These count for this process from now on: it may have forked since it began. */
	logd_notify("READY=1");
	logd_begin_previous(logd);
	if (logd->opt->start)
		logd_begin_writing(logd);
	show_status(logd);
	while (!has_ended(logd)) {
		bool reads = logd->want && !logd->resting;
		bool ahead = reads && lkst_stream_has_block(logd->stream);
		struct pollfd fds[SOURCES] = {
			[SIGNALS] = { .fd = logd->signals, .events = POLLIN },
			[TIMER] = { .fd = logd->timer, .events = POLLIN },
			[RECORDS] = { .fd = reads ? lkst_stream_fd(logd->stream) : -1,
				      .events = POLLIN },
		};

		/* It fails for lack of memory, which the next one may have. */
		if (poll(fds, SOURCES, ahead ? 0 : -1) < 0) {
			fds[SIGNALS].revents = fds[TIMER].revents = POLLIN;
			usleep(POLL_AGAIN_MS * 1000);
		}
		take_events(logd, fds, ahead);
	}
}
