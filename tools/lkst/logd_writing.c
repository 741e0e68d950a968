// SPDX-License-Identifier: GPL-2.0
/* Where events are to be written there are children and files, and nowhere else. */
#include <string.h>

#include "logd_parent.h"

/* ---- files ---- */

uint32_t logd_rings(struct logd_parent *parent)
{
	uint32_t num = 0;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		num += logd_ring_of(parent, cpu)->num != 0;
	return num;
}

uint64_t logd_total(struct logd_parent *parent)
{
	return parent->opt->total ? parent->opt->total :
				    parent->opt->limit * LOGD_TOTAL_FILES * logd_rings(parent);
}

/* What is written may grow up to its limit. */
void logd_limit_files(struct logd_parent *parent)
{
	uint64_t all = logd_total(parent);
	uint64_t open = parent->opt->limit * logd_children_num(parent->children);

	logd_files_limit(&parent->files, all > open ? all - open : 0, parent->first_serial,
			 parent->state);
}

/* The files that come now have a serial number that none has. */
void logd_new_serial(struct logd_parent *parent)
{
	struct lkst_error err;

	if (logd_files_serial(&parent->files, &parent->serial, &err)) {
		parent->serial++;
		logd_trouble(parent, &err);
	}
}

/* A file that is not written any more counts as what it is. */
void logd_watch_files(struct logd_parent *parent)
{
	uint64_t names = 0;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		for (const char *p = parent->state->cpu[cpu].file; *p; p++)
			names = names * 31 + (unsigned char)*p + cpu;
	if (names == parent->names)
		return;
	parent->names = names;
	logd_limit_files(parent);
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
		logd_trouble(parent, &err);
}

/* Children where events are to be written, and nowhere else. */
void logd_settle(struct logd_parent *parent)
{
	bool started = false;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++) {
		if (!parent->want) {
			logd_children_tell(parent->children, (int32_t)cpu, LOGD_STOP, 0);
		} else if (!parent->reloading && logd_ring_of(parent, cpu)->num &&
			   logd_children_due(parent->children, (int32_t)cpu)) {
			start_child(parent, cpu);
			started = true;
		}
	}
	if (started)
		logd_limit_files(parent);
}

/* What came while nobody wanted it is no loss. */
void logd_begin_writing(struct logd_parent *parent)
{
	parent->want = true;
	if (!logd_children_any(parent->children))
		for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
			parent->state->cpu[cpu].next = 0;
	logd_new_serial(parent);
	logd_settle(parent);
}
