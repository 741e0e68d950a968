/* SPDX-License-Identifier: GPL-2.0 */
/* The parent, among its own parts. */
#ifndef _LOGD_PARENT_H
#define _LOGD_PARENT_H

#include "logd.h"

enum {
	LOGD_TICK_MS = 1000
};

/**
 * struct logd_parent - the daemon
 * @opt: options
 * @files: where they are
 * @dev: device
 * @state: shared
 * @children: that write
 * @kallsyms: for them all
 * @previous: process that saves previous boots; 0: there is none
 * @cpus: that there can be
 * @online: of each, at the last look
 * @signals: signalfd
 * @timer: timerfd
 * @since: second of the epoch
 * @serial: of the files now
 * @next_serial: the lowest that the next ones may have
 * @first_serial: of the first files of this process
 * @names: of the files that are written, when the limit on all files was last seen to
 * @want: events are to be written
 * @ending: SIGTERM
 * @reloading: SIGHUP
 * @ticks: of the end, counted from its beginning, or from when something was written last
 * @written: how far the children were then
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
	pid_t previous;
	uint32_t cpus;
	bool *online;
	int signals;
	int timer;
	int64_t since;
	uint32_t serial;
	uint32_t next_serial;
	uint32_t first_serial;
	uint64_t names;
	bool want;
	bool ending;
	bool reloading;
	unsigned int ticks;
	uint64_t written;
	bool ended;
	char trouble[256];
};

static inline struct logd_ring *logd_ring_of(struct logd_parent *parent, uint32_t cpu)
{
	return &parent->state->cpu[cpu].ring;
}

/* logd_setup.c */
int logd_enter_rings(struct logd_parent *parent, struct lkst_error *err);
void logd_load_symbols(struct logd_parent *parent);

/* logd_writing.c */
uint32_t logd_rings(struct logd_parent *parent);
uint64_t logd_total(struct logd_parent *parent);
void logd_limit_files(struct logd_parent *parent);
void logd_watch_files(struct logd_parent *parent);
void logd_new_serial(struct logd_parent *parent);
void logd_settle(struct logd_parent *parent);
void logd_begin_writing(struct logd_parent *parent, bool first);
void logd_begin_previous(struct logd_parent *parent);

/* logd_watch.c */
void logd_trouble(struct logd_parent *parent, const struct lkst_error *err);
void logd_tick(struct logd_parent *parent);

#endif
