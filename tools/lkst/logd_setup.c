// SPDX-License-Identifier: GPL-2.0
/* Beginning and end of the daemon: everything is set up, and put back. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd_parent.h"

/* ---- buffers ---- */

static int look_at_cpus(struct logd_parent *parent, struct lkst_status *status,
			struct lkst_error *err)
{
	if (lkst_status_get(parent->dev, status, err))
		return -1;
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		parent->online[cpu] = lkst_status_online(status, cpu);
	return 0;
}

/* First all memory is taken, then anything is changed. */
int logd_enter_rings(struct logd_parent *parent, struct lkst_error *err)
{
	struct lkst_status status;

	if (look_at_cpus(parent, &status, err))
		return -1;
	lkst_status_free(&status);
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		if (parent->online[cpu] && logd_ring_create(parent->dev, (int32_t)cpu, parent->opt,
							    logd_ring_of(parent, cpu), err))
			return -1;
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		if (parent->online[cpu] &&
		    logd_ring_enter(parent->dev, (int32_t)cpu, logd_ring_of(parent, cpu), err))
			return -1;
	return 0;
}

static void remove_rings(struct logd_parent *parent)
{
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		logd_ring_remove(parent->dev, (int32_t)cpu, logd_ring_of(parent, cpu));
}

void logd_load_symbols(struct logd_parent *parent)
{
	lkst_kallsyms_free(parent->kallsyms);
	parent->kallsyms = lkst_kallsyms_load(LKST_SYMBOLS_PATH, NULL);
}

static int check_total(struct logd_parent *parent, struct lkst_error *err)
{
	uint32_t num = logd_rings(parent);

	if (logd_total(parent) >= parent->opt->limit * num)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_TOTAL, (unsigned long long)logd_total(parent),
		       num, (unsigned long long)parent->opt->limit);
	return -1;
}

/* ---- begin and end ---- */

static void taken_signals(sigset_t *set)
{
	static const int taken[] = { SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD };

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		sigaddset(set, taken[i]);
}

/**
 * logd_parent_block_signals() - signals wait until logd_parent_run() takes them
 *
 * Before anybody can know whom to send one.
 */
void logd_parent_block_signals(void)
{
	sigset_t set;

	/* One that was ignored before would not come. */
	signal(SIGCHLD, SIG_DFL);
	taken_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static int open_signals(struct logd_parent *parent, struct lkst_error *err)
{
	sigset_t set;

	taken_signals(&set);
	parent->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (parent->signals >= 0)
		return 0;
	lkst_error_system(err, errno, "signals", "signalfd");
	return -1;
}

static int open_timer(struct logd_parent *parent, struct lkst_error *err)
{
	uint64_t watchdog_us, ms = LOGD_TICK_MS;
	struct itimerspec time;

	if (sd_watchdog_enabled(0, &watchdog_us) > 0 && watchdog_us / 2000 < ms)
		ms = watchdog_us / 2000 ? watchdog_us / 2000 : 1;
	time.it_interval.tv_sec = (time_t)(ms / 1000);
	time.it_interval.tv_nsec = (long)(ms % 1000) * 1000000;
	time.it_value = time.it_interval;
	parent->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (parent->timer >= 0 && !timerfd_settime(parent->timer, 0, &time, NULL))
		return 0;
	lkst_error_system(err, errno, "timer", "timerfd");
	return -1;
}

static int allocate(struct logd_parent *parent, struct lkst_error *err)
{
	struct lkst_status status;

	parent->dev = lkst_device_open(err);
	if (!parent->dev || lkst_status_get(parent->dev, &status, err))
		return -1;
	parent->cpus = status.trc.cpu_num;
	lkst_status_free(&status);
	parent->online = calloc(parent->cpus, sizeof(*parent->online));
	if (!parent->online) {
		lkst_error_memory(err, "the CPUs");
		return -1;
	}
	parent->children = logd_children_new(parent->cpus, err);
	return parent->children ? 0 : -1;
}

static int set_up(struct logd_parent *parent, struct lkst_error *err)
{
	if (logd_files_dir(&parent->files, err) ||
	    logd_files_serial(&parent->files, -1, &parent->first_serial, err))
		return -1;
	if (!logd_enter_rings(parent, err) && !check_total(parent, err) &&
	    !logd_maskset_select(parent->dev, parent->state, err))
		return 0;
	logd_maskset_restore(parent->dev, parent->state);
	remove_rings(parent);
	return -1;
}

static void free_parent(struct logd_parent *parent)
{
	if (parent->signals >= 0)
		close(parent->signals);
	if (parent->timer >= 0)
		close(parent->timer);
	lkst_kallsyms_free(parent->kallsyms);
	logd_children_free(parent->children);
	lkst_device_close(parent->dev);
	free(parent->online);
	free(parent);
}

/**
 * logd_parent_begin() - set up everything; nothing is written yet
 * @opt: options
 * @err: why not: then nothing is left behind
 */
struct logd_parent *logd_parent_begin(const struct logd_options *opt, struct lkst_error *err)
{
	struct logd_parent *parent = calloc(1, sizeof(*parent));

	if (!parent) {
		lkst_error_memory(err, "the daemon");
		return NULL;
	}
	parent->opt = opt;
	parent->signals = parent->timer = -1;
	parent->since = time(NULL);
	if (logd_files_init(&parent->files, opt->name, err) || allocate(parent, err) ||
	    open_signals(parent, err) || open_timer(parent, err))
		goto fail;
	parent->state = logd_state_open(parent->cpus, err);
	if (!parent->state)
		goto fail;
	if (set_up(parent, err)) {
		logd_state_end(parent->state);
		goto fail;
	}
	logd_load_symbols(parent);
	return parent;

fail:
	free_parent(parent);
	return NULL;
}

/**
 * logd_parent_end() - put everything back
 * @parent: its children have ended
 */
void logd_parent_end(struct logd_parent *parent)
{
	logd_maskset_restore(parent->dev, parent->state);
	remove_rings(parent);
	unlink(LKST_LOGD_STATUS_FILE);
	logd_state_end(parent->state);
	free_parent(parent);
}
