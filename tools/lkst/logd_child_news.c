// SPDX-License-Identifier: GPL-2.0
/*
 * What a CPU recorded last is in a buffer that may not be full for long: when it has grown quiet, the
 * end of what happened would be missing in the file. So the child looks now and then whether there is
 * something new, and has it written.
 *
 * Writing causes events, too, on an idle machine most of those that there are. If they counted, each
 * write would be a reason for the next. So records count that are of processes, but neither of the
 * daemon's own nor of those that only work on its behalf.
 */
#include "logd_child.h"

enum {
	LOOK_MS = 5000, /* from one look to the next, and from the last write */
	LATE_MS = 60000, /* after which FEW need not be there */
	FEW = 64, /* records, as an event that wakes a process makes */
	AT_ONCE = 256, /* records that are looked at */
};

/* What was read up to now is written: nothing new, and no need to look before long. */
void child_wrote(struct child *child)
{
	int64_t now = logd_now_ms();

	child->looked = child->run.first_recid + child->run.num;
	child->news = 0;
	child->next_look = now + LOOK_MS;
	child->late = now + LATE_MS;
}

static bool is_own(const struct child *child, int32_t pid)
{
	const struct logd_state *state = child->args->state;

	if (pid == child->parent)
		return true;
	for (uint32_t i = 0; i < state->cpus; i++)
		if (state->cpu[i].pid == (uint32_t)pid)
			return true;
	return false;
}

/*
 * The idle task and the kernel's threads are in no process group; they write the files, among other
 * things. Process 1 is told by the parent how it goes.
 */
static bool is_news(const struct child *child, const struct lkst_log_record *record)
{
	return record->posix.log_pgrp && record->posix.log_pid != 1 &&
	       !is_own(child, record->posix.log_pid);
}

/* Returns whether there may be more. */
static bool look_at_some(struct child *child, lkst_buffer_id id)
{
	static struct lkst_log_record record[AT_ONCE];
	struct lkst_log_buffer buffer = {
		.cpu = child->args->cpu,
		.id = id,
		.read_size = sizeof(record),
		.buffer = (uintptr_t)record,
		.first_recid = child->looked,
	};
	size_t num;

	if (lkst_buffer_read(child->dev, &buffer, NULL))
		return false;
	num = buffer.result_read_size / sizeof(*record);
	for (size_t i = 0; i < num; i++) {
		child->looked = record[i].posix.log_recid + 1;
		child->news += is_news(child, &record[i]);
	}
	return num == AT_ONCE;
}

/**
 * child_has_news() - is there something that ought to be in the file soon?
 * @child: child, which has nothing to read now
 *
 * It looks every LOOK_MS only, at what has come since. Who sees to it that the child wakes is the
 * parent, whose question comes once a second anyway.
 */
bool child_has_news(struct child *child)
{
	int64_t now = logd_now_ms();
	struct lkst_buffer_list list;

	if (now < child->next_look ||
	    lkst_buffer_list_get(child->dev, child->args->cpu, &list, NULL))
		return false;
	child->next_look = now + LOOK_MS;
	while (child->news < FEW && look_at_some(child, list.param.write_buf))
		;
	lkst_buffer_list_free(&list);
	return child->news >= FEW || (child->news && now >= child->late);
}
