// SPDX-License-Identifier: GPL-2.0
/*
 * Starts the daemon: sets up the rings, the maskset and the signals. Ends the daemon: restores the
 * maskset and the buffers that were in use before.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

#include "cli/logd_options.h"
#include "cli/logd_status.h"
#include "conf.h"
#include "files.h"
#include "lib/base/error.h"
#include "lib/live/stream.h"
#include "lib/text/kallsyms.h"
#include "logd.h"
#include "maskset.h"
#include "messages.h"
#include "names.h"
#include "read.h"
#include "ring.h"
#include "space.h"
#include "state.h"
#include "writing.h"

enum {
	NICE = -10
};

/* ---- buffers ---- */

static int setup_get_online_cpus(struct logd *logd, struct lkst_status *status,
				 struct lkst_error *err)
{
	if (lkst_status_get(logd->dev, status, err))
		return -1;
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		logd->online[cpu] = lkst_status_online(status, cpu);
	return 0;
}

/*
 * Switch each online CPU to a ring. All rings are created before any CPU enters its ring, so
 * nothing changes if an allocation fails.
 */
int logd_enter_rings(struct logd *logd, struct lkst_error *err)
{
	struct lkst_status status;

	if (setup_get_online_cpus(logd, &status, err))
		return -1;
	lkst_status_free(&status);
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		if (logd->online[cpu] && logd_ring_create(logd->dev, (int32_t)cpu, logd->opt,
							  &logd->state->cpu[cpu].ring, err))
			return -1;
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		if (logd->online[cpu] &&
		    logd_ring_enter(logd->dev, (int32_t)cpu, &logd->state->cpu[cpu].ring, err))
			return -1;
	return 0;
}

static void setup_remove_rings(struct logd *logd)
{
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		logd_ring_remove(logd->dev, (int32_t)cpu, &logd->state->cpu[cpu].ring);
}

void logd_load_symbols(struct logd *logd)
{
	lkst_kallsyms_free(logd->kallsyms);
	logd->kallsyms = lkst_kallsyms_load(LKST_SYMBOLS_PATH, NULL);
}

static int setup_check_total(struct logd *logd, struct lkst_error *err)
{
	uint32_t num = logd_rings(logd);

	if (logd_total(logd) >= logd->opt->limit * num)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_TOTAL, (unsigned long long)logd_total(logd),
		       num, (unsigned long long)logd->opt->limit);
	return -1;
}

/* ---- start and end ---- */

static void setup_taken_signals(sigset_t *set)
{
	static const int handled[] = { SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD };

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(handled) / sizeof(*handled); i++)
		sigaddset(set, handled[i]);
}

/**
 * logd_init_child() - set up signals in a process that the daemon has forked
 * @on_term: handler for SIGTERM, or SIG_IGN; if a SIGTERM is already pending, the handler is called
 *	for it, too
 */
void logd_init_child(void (*on_term)(int))
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGQUIT };
	const struct sigaction term = { .sa_handler = on_term }; /* no SA_RESTART */
	sigset_t none;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigaction(SIGTERM, &term, NULL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	unsetenv("NOTIFY_SOCKET");
}

/**
 * logd_block_signals() - block the signals that logd_run() reads from the signalfd
 *
 * Must be called before the pid is published, so that no early signal is missed.
 */
void logd_block_signals(void)
{
	sigset_t set;

	/*
	 * If the parent ignores SIGCHLD, the daemon inherits this setting, and would not receive
	 * SIGCHLD.
	 */
	signal(SIGCHLD, SIG_DFL);
	setup_taken_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static int setup_open_signals(struct logd *logd, struct lkst_error *err)
{
	sigset_t set;

	setup_taken_signals(&set);
	logd->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (logd->signals >= 0)
		return 0;
	lkst_error_system(err, errno, "signals", "signalfd");
	return -1;
}

static int setup_open_timer(struct logd *logd, struct lkst_error *err)
{
	uint64_t watchdog_us, ms = LOGD_TICK_MS;
	struct itimerspec time;

	if (sd_watchdog_enabled(0, &watchdog_us) > 0 && watchdog_us / 2000 < ms)
		ms = watchdog_us / 2000 ? watchdog_us / 2000 : 1;
	time.it_interval.tv_sec = (time_t)(ms / 1000);
	time.it_interval.tv_nsec = (long)(ms % 1000) * 1000000;
	time.it_value = time.it_interval;
	logd->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (logd->timer >= 0 && !timerfd_settime(logd->timer, 0, &time, NULL))
		return 0;
	lkst_error_system(err, errno, "timer", "timerfd");
	return -1;
}

static int logd_setup_allocate(struct logd *logd, struct lkst_error *err)
{
	struct lkst_status status;

	logd->dev = lkst_device_open(err);
	if (!logd->dev || lkst_status_get(logd->dev, &status, err))
		return -1;
	logd->cpus = status.trc.cpu_num;
	lkst_status_free(&status);
	logd->online = calloc(logd->cpus, sizeof(*logd->online));
	logd->writer = calloc(logd->cpus, sizeof(*logd->writer));
	logd->space.rate = calloc(logd->cpus, sizeof(*logd->space.rate));
	if (!logd->online || !logd->writer || !logd->space.rate) {
		lkst_error_memory(err, "the CPUs");
		return -1;
	}
	for (uint32_t i = 0; i < logd->cpus; i++)
		logd->writer[i].cpu = (int32_t)i;
	return logd_open_stream(logd, err);
}

static int setup_set_up(struct logd *logd, struct lkst_error *err)
{
	if (logd_files_dir(&logd->files, err) ||
	    logd_files_serial(&logd->files, -1, &logd->first_serial, err))
		return -1;
	if (logd_enter_rings(logd, err))
		goto undo;
	logd_space_limits(logd);
	if (setup_check_total(logd, err))
		goto undo;
	logd_conf_masksets(logd);
	if (!logd_maskset_select(logd->dev, logd->state, err))
		return 0;
undo:
	logd_maskset_restore(logd->dev, logd->state);
	setup_remove_rings(logd);
	return -1;
}

/* Events recorded since an earlier daemon stopped do not count as lost. */
static void setup_forget_gaps(struct logd *logd)
{
	for (uint32_t i = 0; i < logd->cpus; i++)
		logd->state->cpu[i].writing = false;
}

static void setup_free_logd(struct logd *logd)
{
	if (logd->signals >= 0)
		close(logd->signals);
	if (logd->timer >= 0)
		close(logd->timer);
	lkst_kallsyms_free(logd->kallsyms);
	logd_names_free(logd);
	free(logd->writer);
	free(logd->space.rate);
	lkst_stream_close(logd->stream);
	lkst_device_close(logd->dev);
	free(logd->online);
	free(logd);
}

/**
 * logd_begin() - set up everything, but write no records yet
 * @settings: configuration and command line
 * @err: set on failure; the rings and the daemon's maskset are then removed again
 */
struct logd *logd_begin(struct logd_settings *settings, struct lkst_error *err)
{
	const struct logd_options *opt = &settings->opt;
	struct logd *logd = calloc(1, sizeof(*logd));

	if (!logd) {
		lkst_error_memory(err, "the daemon");
		return NULL;
	}
	logd->settings = settings;
	logd->opt = opt;
	logd_conf_report(logd);
	logd->signals = logd->timer = -1;
	logd->since = time(NULL);
	if (logd_files_init(&logd->files, opt->name, err) || logd_setup_allocate(logd, err) ||
	    setup_open_signals(logd, err) || setup_open_timer(logd, err))
		goto fail;
	logd->state = logd_state_open(logd->cpus, err);
	if (!logd->state)
		goto fail;
	if (!opt->start)
		setup_forget_gaps(logd);
	/*
	 * Load symbols before the rings exist: loading takes so long that a ring could fill up.
	 */
	logd_load_symbols(logd);
	if (setup_set_up(logd, err)) {
		logd_state_close(logd->state);
		goto fail;
	}
	/* Raise the priority: while the daemon waits for a CPU, full rings lose records. */
	if (getpriority(PRIO_PROCESS, 0) > NICE)
		setpriority(PRIO_PROCESS, 0, NICE);
	return logd;

fail:
	setup_free_logd(logd);
	return NULL;
}

/**
 * logd_end() - restore masksets and buffers, and free the daemon
 * @logd: daemon; must not be writing
 */
void logd_end(struct logd *logd)
{
	logd_maskset_restore(logd->dev, logd->state);
	setup_remove_rings(logd);
	unlink(LKST_LOGD_STATUS_FILE);
	logd_state_close(logd->state);
	setup_free_logd(logd);
}
