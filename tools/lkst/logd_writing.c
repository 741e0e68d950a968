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

/* The files that come now have a serial number that none has, nor had one that was moved away. */
void logd_new_serial(struct logd_parent *parent)
{
	struct lkst_error err;
	uint32_t serial;

	if (logd_files_serial(&parent->files, -1, &serial, &err))
		logd_trouble(parent, &err);
	else if (serial > parent->next_serial)
		parent->next_serial = serial;
	parent->serial = parent->next_serial;
	if (parent->next_serial < LOGD_SERIAL_MAX)
		parent->next_serial++;
}

static uint64_t hash(uint64_t before, const char *text)
{
	for (; *text; text++)
		before = before * 31 + (unsigned char)*text;
	return before;
}

/* A file that is not written any more counts as what it is, and so does one of a previous boot. */
void logd_watch_files(struct logd_parent *parent)
{
	uint64_t names = 0;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		names = hash(names + cpu, parent->state->cpu[cpu].file);
	names = hash(names, parent->state->previous.file);
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
	/* Somebody may have removed it, and the child needs it. */
	if (logd_state_dir(&err) || logd_children_start(parent->children, &args, &err))
		logd_trouble(parent, &err);
}

/* Is somebody to write what a CPU records; or when writing ends, what is left of it? */
static bool is_wanted(struct logd_parent *parent, uint32_t cpu)
{
	if (!parent->want)
		return logd_children_owes(parent->children, (int32_t)cpu);
	return !parent->reloading && logd_ring_of(parent, cpu)->num;
}

/* Children where events are to be written, and nowhere else. */
void logd_settle(struct logd_parent *parent)
{
	bool started = false;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++) {
		if (is_wanted(parent, cpu) && logd_children_due(parent->children, (int32_t)cpu)) {
			start_child(parent, cpu);
			started = true;
		}
		if (!parent->want)
			logd_children_tell(parent->children, (int32_t)cpu, LOGD_STOP, 0);
	}
	if (started)
		logd_limit_files(parent);
}

/* What came while nobody wanted it is no loss. */
static void forget_idle(struct logd_parent *parent)
{
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		if (!logd_children_has(parent->children, (int32_t)cpu) &&
		    !logd_children_owes(parent->children, (int32_t)cpu))
			parent->state->cpu[cpu].next = 0;
}

/* Where a daemon that was killed has stopped is known, unless LKST has begun anew since. */
static void forget_later(struct logd_parent *parent)
{
	uint64_t end;

	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		if (logd_ring_end(parent->dev, (int32_t)cpu, &end, NULL) ||
		    parent->state->cpu[cpu].next > end)
			parent->state->cpu[cpu].next = 0;
}

/* @first: the daemon begins with it. */
void logd_begin_writing(struct logd_parent *parent, bool first)
{
	parent->want = true;
	if (first)
		forget_later(parent);
	else
		forget_idle(parent);
	logd_new_serial(parent);
	logd_settle(parent);
}

/* ---- previous boots ---- */

/*
 * What there is of them that nobody has read. Errors are told: logs are written nevertheless. There are
 * no children at this time whose sockets the new process would keep open.
 */
void logd_begin_previous(struct logd_parent *parent)
{
	uint64_t all = logd_total(parent), open = parent->opt->limit * logd_rings(parent);
	struct logd_previous_args args = {
		.opt = parent->opt,
		.files = &parent->files,
		.state = parent->state,
		.max = all > open ? all - open : 0,
	};
	struct lkst_previous previous;
	struct lkst_error err;
	size_t unread;

	if (parent->opt->no_previous || parent->previous)
		return;
	if (lkst_previous_get(parent->dev, &previous, &err)) {
		logd_report_error(LOG_WARNING, "previous boots", &err);
		return;
	}
	unread = lkst_previous_unread(&previous);
	if (!unread)
		return;
	/* Older than what comes now: so are their serial numbers. */
	logd_new_serial(parent);
	args.serial = parent->serial;
	if (parent->next_serial < LOGD_SERIAL_MAX - unread)
		parent->next_serial += (uint32_t)unread - 1;
	if (logd_previous_start(&args, &parent->previous, &err))
		logd_report_error(LOG_ERR, "previous boots", &err);
}
