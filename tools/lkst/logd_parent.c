// SPDX-License-Identifier: GPL-2.0
/*
 * The process that looks after everything: it sets up buffers and maskset, has children write where
 * that is wanted, and puts everything back. All it does follows from a signal, or from what it
 * sees once a second: CPUs that come, masksets that are selected, files that are gone. The
 * wall clock plays no part in it.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd.h"

enum {
	TICK_MS = 1000,
	END_LIMIT_S = 30, /* children that have not ended by then are killed */
	GONE_LIMIT_S = 5, /* and are waited for so long */
};

/**
 * struct logd_parent - the daemon
 * @opt: options
 * @files: where they are
 * @dev: device
 * @state: shared
 * @children: that write
 * @kallsyms: for them all
 * @cpus: that there can be
 * @online: of each, at the last look
 * @signals: signalfd
 * @timer: timerfd
 * @since: second of the epoch
 * @serial: of the files now
 * @first_serial: of the first files of this process
 * @names: of the files that are written, when the limit on all files was last seen to
 * @want: events are to be written
 * @ending: SIGTERM
 * @reloading: SIGHUP
 * @ticks: of the end, counted from its beginning
 * @ended: that is all
 * @trouble: what is in the way, "" for nothing
 */
struct logd_parent {
	const struct logd_options *opt;
	struct logd_files files;
	struct lkst_device *dev;
	struct logd_state *state;
	struct logd_children *children;
	struct lkst_kallsyms *kallsyms;
	uint32_t cpus;
	bool *online;
	int signals;
	int timer;
	int64_t since;
	uint32_t serial;
	uint32_t first_serial;
	uint64_t names;
	bool want;
	bool ending;
	bool reloading;
	unsigned int ticks;
	bool ended;
	char trouble[256];
};

/* ---- troubles, each told once ---- */

static void set_trouble(struct logd_parent *parent, const struct lkst_error *err)
{
	char text[sizeof(parent->trouble)] = "";

	if (err)
		logd_report_cut(text, sizeof(text), err->text);
	if (!strcmp(text, parent->trouble))
		return;
	if (err)
		logd_report_error(LOG_ERR, NULL, err);
	memcpy(parent->trouble, text, sizeof(text));
}

/* ---- buffers ---- */

static struct logd_ring *ring_of(struct logd_parent *parent, uint32_t cpu)
{
	return &parent->state->cpu[cpu].ring;
}

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
static int enter_rings(struct logd_parent *parent, struct lkst_error *err)
{
	struct lkst_status status;

	if (look_at_cpus(parent, &status, err))
		return -1;
	lkst_status_free(&status);
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		if (parent->online[cpu] && logd_ring_create(parent->dev, (int32_t)cpu, parent->opt,
							    ring_of(parent, cpu), err))
			return -1;
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		if (parent->online[cpu] &&
		    logd_ring_enter(parent->dev, (int32_t)cpu, ring_of(parent, cpu), err))
			return -1;
	return 0;
}

static void remove_rings(struct logd_parent *parent)
{
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		logd_ring_remove(parent->dev, (int32_t)cpu, ring_of(parent, cpu));
}

/* ---- files ---- */

static uint32_t rings(struct logd_parent *parent)
{
	uint32_t num = 0;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		num += ring_of(parent, cpu)->num != 0;
	return num;
}

static uint64_t total(struct logd_parent *parent)
{
	return parent->opt->total ? parent->opt->total :
				    parent->opt->limit * LOGD_TOTAL_FILES * rings(parent);
}

/* What is written may grow up to its limit. */
static void limit_files(struct logd_parent *parent)
{
	uint64_t all = total(parent);
	uint64_t open = parent->opt->limit * logd_children_num(parent->children);

	logd_files_limit(&parent->files, all > open ? all - open : 0, parent->first_serial,
			 parent->state);
}

static int check_total(struct logd_parent *parent, struct lkst_error *err)
{
	uint32_t num = rings(parent);

	if (total(parent) >= parent->opt->limit * num)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_TOTAL, (unsigned long long)total(parent), num,
		       (unsigned long long)parent->opt->limit);
	return -1;
}

/* The files that come now have a serial number that none has. */
static void new_serial(struct logd_parent *parent)
{
	struct lkst_error err;

	if (logd_files_serial(&parent->files, &parent->serial, &err)) {
		parent->serial++;
		set_trouble(parent, &err);
	}
}

/* A file that is not written any more counts as what it is. */
static void watch_files(struct logd_parent *parent)
{
	uint64_t names = 0;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		for (const char *p = parent->state->cpu[cpu].file; *p; p++)
			names = names * 31 + (unsigned char)*p + cpu;
	if (names == parent->names)
		return;
	parent->names = names;
	limit_files(parent);
}

/* ---- children ---- */

static void start_child(struct logd_parent *parent, uint32_t cpu)
{
	const struct logd_child_args args = {
		.opt = parent->opt,
		.files = &parent->files,
		.state = parent->state,
		.cpu = (int32_t)cpu,
		.serial = parent->serial,
		.kallsyms = parent->kallsyms,
	};
	struct lkst_error err;

	/* What one that was killed has left behind is not being written any more. */
	parent->state->cpu[cpu].file[0] = 0;
	if (logd_children_start(parent->children, &args, &err))
		set_trouble(parent, &err);
}

/* Children where events are to be written, and nowhere else. */
static void settle(struct logd_parent *parent)
{
	bool started = false;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++) {
		if (!parent->want) {
			logd_children_tell(parent->children, (int32_t)cpu, LOGD_STOP, 0);
		} else if (!parent->reloading && ring_of(parent, cpu)->num &&
			   logd_children_due(parent->children, (int32_t)cpu)) {
			start_child(parent, cpu);
			started = true;
		}
	}
	if (started)
		limit_files(parent);
}

/* What came while nobody wanted it is no loss. */
static void begin_writing(struct logd_parent *parent)
{
	parent->want = true;
	if (!logd_children_any(parent->children))
		for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
			parent->state->cpu[cpu].next = 0;
	new_serial(parent);
	settle(parent);
}

/* ---- once a second ---- */

static void watch_cpu(struct logd_parent *parent, uint32_t cpu, bool online, int32_t write_buf,
		      struct lkst_error *err)
{
	struct logd_ring *ring = ring_of(parent, cpu);

	if (online && !ring->num) {
		if (logd_ring_create(parent->dev, (int32_t)cpu, parent->opt, ring, err) ||
		    logd_ring_enter(parent->dev, (int32_t)cpu, ring, err))
			return;
		logd_report(LOG_INFO, "CPU %u: has come", cpu);
	} else if (online && !logd_ring_has(ring, write_buf)) {
		if (logd_ring_enter(parent->dev, (int32_t)cpu, ring, err))
			return;
		logd_report(LOG_NOTICE, "CPU %u: recorded in buffer %d; it is back in the ring",
			    cpu, write_buf);
	} else if (!online && parent->online[cpu]) {
		logd_report(LOG_INFO, "CPU %u: has gone", cpu);
		logd_children_tell(parent->children, (int32_t)cpu, LOGD_DRAIN, 0);
	}
	parent->online[cpu] = online;
	logd_ring_tidy(parent->dev, (int32_t)cpu, ring);
}

static void watch_cpus(struct logd_parent *parent, struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(parent->dev, &status, err))
		return;
	for (uint32_t cpu = 0; cpu < parent->cpus && cpu < status.trc.cpu_num; cpu++)
		watch_cpu(parent, cpu, lkst_status_online(&status, cpu), status.write_buf[cpu],
			  err);
	lkst_status_free(&status);
}

static void watch(struct logd_parent *parent)
{
	struct lkst_error err = { 0 };

	watch_cpus(parent, &err);
	if (logd_maskset_watch(parent->dev, parent->state, &err) > 0)
		logd_report(
			LOG_NOTICE,
			"another maskset was selected, %d; recording goes on as that one has it",
			parent->state->before);
	for (uint32_t cpu = 0; cpu < parent->cpus && !err.code; cpu++)
		if (logd_children_silent(parent->children, (int32_t)cpu))
			lkst_error_set(&err, LKST_ERR_SYSTEM, MSG_LOGD_SILENT, cpu);
	set_trouble(parent, err.code ? &err : NULL);
}

/* They have had their time. */
static void end_children(struct logd_parent *parent)
{
	parent->ticks++;
	if (parent->ticks == END_LIMIT_S)
		logd_children_kill(parent->children);
	if (parent->ticks == END_LIMIT_S + GONE_LIMIT_S)
		parent->ended = true;
}

static void tick(struct logd_parent *parent)
{
	if (logd_children_ask(parent->children, parent->state))
		logd_notify("WATCHDOG=1");
	watch_files(parent);
	if (parent->ending)
		end_children(parent);
	else if (!parent->reloading)
		watch(parent);
	settle(parent);
}

/* ---- signals ---- */

static void start_or_stop(struct logd_parent *parent)
{
	if (parent->ending)
		return;
	if (parent->want) {
		logd_report(LOG_INFO, "SIGUSR1: writing ends");
		parent->want = false;
		settle(parent);
	} else {
		logd_report(LOG_INFO, "SIGUSR1: writing begins");
		begin_writing(parent);
	}
}

static void change_files(struct logd_parent *parent)
{
	if (!parent->want) {
		logd_report(LOG_NOTICE, "SIGUSR2: nothing is being written, so no file is changed");
		return;
	}
	new_serial(parent);
	logd_report(LOG_INFO, "SIGUSR2: new files, serial number %u", parent->serial);
	logd_children_tell_all(parent->children, LOGD_NEW_FILE, parent->serial);
	limit_files(parent);
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

static void load_symbols(struct logd_parent *parent)
{
	lkst_kallsyms_free(parent->kallsyms);
	parent->kallsyms = lkst_kallsyms_load(LKST_SYMBOLS_PATH, NULL);
}

static void end_reload(struct logd_parent *parent)
{
	struct lkst_error err = { 0 };

	parent->reloading = false;
	load_symbols(parent);
	if (logd_files_dir(&parent->files, &err) || enter_rings(parent, &err) ||
	    logd_maskset_select(parent->dev, parent->state, &err))
		set_trouble(parent, &err);
	new_serial(parent);
	logd_notify("READY=1");
	settle(parent);
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
	settle(parent);
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
		logd_children_reap(parent->children);
		settle(parent);
		break;
	}
}

/* ---- the loop ---- */

static const char *state_word(const struct logd_parent *parent)
{
	if (parent->ending || (!parent->want && logd_children_any(parent->children)))
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
		tick(parent);
	if (logd_children_any(parent->children))
		return;
	if (parent->ending)
		parent->ended = true;
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
	if (parent->opt->start)
		begin_writing(parent);
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
	uint64_t watchdog_us, ms = TICK_MS;
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
	    logd_files_serial(&parent->files, &parent->first_serial, err))
		return -1;
	if (!enter_rings(parent, err) && !check_total(parent, err) &&
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
	load_symbols(parent);
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
