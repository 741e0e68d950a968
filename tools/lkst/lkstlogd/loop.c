// SPDX-License-Identifier: GPL-2.0
/*
 * The main loop: handles signals, calls logd_watch() once a tick, and reads available records. A
 * tick is the expiry of the timer of the daemon, once a second.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "cli/logd_options.h"
#include "conf.h"
#include "files.h"
#include "lib/live/stream.h"
#include "logd.h"
#include "maskset.h"
#include "names.h"
#include "previous.h"
#include "read.h"
#include "report.h"
#include "snapshot.h"
#include "space.h"
#include "writing.h"

enum {
	END_LIMIT_MS = 30000, /* time limit for the exit of the process that saves previous boots */
	EXTEND_S = 45, /* equals TimeoutStopSec= in the systemd unit */
	RETRY_MS = 100,
};

/* ---- status ---- */

static const char *loop_state_word(const struct logd *logd)
{
	if (logd->stopping || (!logd->enabled && logd->draining))
		return "stopping";
	return logd->enabled ? "writing" : "idle";
}

static void loop_show_status(struct logd *logd)
{
	logd_report_status(logd, loop_state_word(logd));
}

/**
 * logd_heartbeat() - update the status and the systemd watchdog if they are due
 * @logd: daemon; must be called only when the daemon makes progress
 */
void logd_heartbeat(struct logd *logd)
{
	int64_t now = logd_now_ms();

	if (now - logd->heartbeat < LOGD_TICK_MS)
		return;
	logd->heartbeat = now;
	logd_notify("WATCHDOG=1");
	if (logd->stopping)
		logd_notify("EXTEND_TIMEOUT_USEC=%d", EXTEND_S * 1000000);
	loop_show_status(logd);
}

/* ---- signals ---- */

static void loop_start_or_stop(struct logd *logd)
{
	if (logd->enabled) {
		logd_report(LOG_INFO, "SIGUSR1: writing ends");
		logd_end_writing(logd);
	} else {
		logd_report(LOG_INFO, "SIGUSR1: writing begins");
		logd_begin_writing(logd);
	}
}

static void loop_change_files(struct logd *logd)
{
	if (!logd->enabled) {
		logd_report(LOG_NOTICE, "SIGUSR2: ignored, because nothing is being written");
		return;
	}
	logd_names_take(logd);
	logd_drain(logd);
	logd_close_files(logd);
	logd_new_serial(logd);
	logd_report(LOG_INFO, "SIGUSR2: new files, serial number %u", logd->serial);
	logd_open_files(logd);
}

/*
 * Handle SIGHUP: apply the configuration again, and start new files. Unwritten records stay in the
 * kernel, and reading continues where the old files end.
 */
static void logd_loop_reload(struct logd *logd)
{
	struct lkst_error err = { 0 };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	logd_report(LOG_INFO, "SIGHUP: restarting");
	logd_notify("RELOADING=1\nMONOTONIC_USEC=%llu",
		    (unsigned long long)now.tv_sec * 1000000 +
			    (unsigned long long)now.tv_nsec / 1000);
	logd_names_take(logd);
	logd_close_files(logd);
	logd_load_symbols(logd);
	logd_conf_reload(logd);
	if (logd_files_dir(&logd->files, &err) || logd_enter_rings(logd, &err) ||
	    logd_maskset_select(logd->dev, logd->state, &err))
		logd_trouble(logd, &err);
	logd_space_limits(logd);
	/* Fork before files are opened, so that the child does not inherit them. */
	logd_begin_previous(logd);
	logd_new_serial(logd);
	if (logd->enabled)
		logd_open_files(logd);
	logd_notify("READY=1");
}

static void loop_begin_end(struct logd *logd)
{
	logd_notify("STOPPING=1");
	logd->stopping = true;
	logd->end_limit = logd_now_ms() + END_LIMIT_MS;
	if (logd->previous)
		kill(logd->previous, SIGTERM);
	if (logd->enabled)
		logd_end_writing(logd);
}

static void loop_take_signal(struct logd *logd, uint32_t number)
{
	if (number == SIGCHLD) {
		if (logd->previous && logd_previous_reap(logd->previous))
			logd->previous = 0;
		logd_snapshot_reap(logd);
		/* The other child processes count events in deleted files. */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		return;
	}
	if (logd->stopping)
		return;
	switch (number) {
	case SIGUSR1:
		loop_start_or_stop(logd);
		break;
	case SIGUSR2:
		loop_change_files(logd);
		break;
	case SIGHUP:
		logd_loop_reload(logd);
		break;
	case SIGTERM:
	case SIGINT:
		loop_begin_end(logd);
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

static void loop_take_events(struct logd *logd, const struct pollfd fds[SOURCES], bool ahead)
{
	struct signalfd_siginfo info;
	bool show = fds[SIGNALS].revents || fds[TIMER].revents;
	uint64_t times;

	if (fds[SIGNALS].revents)
		while (read(logd->signals, &info, sizeof(info)) == sizeof(info))
			loop_take_signal(logd, info.ssi_signo);
	if (fds[TIMER].revents && read(logd->timer, &times, sizeof(times)) == sizeof(times)) {
		logd_notify("WATCHDOG=1");
		logd_watch(logd);
	}
	if ((fds[RECORDS].revents || ahead) && logd->enabled)
		logd_read(logd);
	if (show)
		loop_show_status(logd);
}

/*
 * Return whether the main loop must end: SIGTERM was received, and the process that saves the
 * records of previous boots has exited or exceeded its time limit.
 */
static bool loop_has_ended(const struct logd *logd)
{
	return logd->stopping && (!logd->previous || logd_now_ms() >= logd->end_limit);
}

/**
 * logd_run() - run the daemon until SIGTERM
 * @logd: from logd_begin()
 */
void logd_run(struct logd *logd)
{
	/*
	 * Send READY only here: systemd attributes a notification to the process that sends it, and
	 * the process that systemd started may have forked the daemon.
	 */
	logd_notify("READY=1");
	logd_begin_previous(logd);
	if (logd->opt->start)
		logd_begin_writing(logd);
	loop_show_status(logd);
	while (!loop_has_ended(logd)) {
		bool reads = logd->enabled && !logd->paused;
		bool ahead = reads && lkst_stream_has_block(logd->stream);
		struct pollfd fds[SOURCES] = {
			[SIGNALS] = { .fd = logd->signals, .events = POLLIN },
			[TIMER] = { .fd = logd->timer, .events = POLLIN },
			[RECORDS] = { .fd = reads ? lkst_stream_fd(logd->stream) : -1,
				      .events = POLLIN },
		};

		/*
		 * poll() fails if the kernel cannot allocate memory: pause, check signals and
		 * timer, and try again.
		 */
		if (poll(fds, SOURCES, ahead ? 0 : -1) < 0) {
			fds[SIGNALS].revents = fds[TIMER].revents = POLLIN;
			usleep(RETRY_MS * 1000);
		}
		loop_take_events(logd, fds, ahead);
	}
}
