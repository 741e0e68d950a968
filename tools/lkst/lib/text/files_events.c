// SPDX-License-Identifier: LGPL-2.1
/*
 * Learns from events when descriptors change.
 *
 * System calls that close, replace or return a descriptor change it. A new program (exec), and the
 * start and the end of a process, change all of its descriptors. Each change ends the intervals in
 * which names from the previous table are valid, and begins those in which names from the next
 * table are valid. So the order in which events are passed to lkst_files_observe() does not matter.
 *
 * A system call takes effect at some time between its entry and its exit. If the table may have
 * been read at that time, it is unknown whether the table shows the old or the new file, and the
 * name is not used at all.
 */
#include <string.h>

#include "files.h"
#include "files_table.h"
#include "lib/base/etype_ids.h"

#define FILES_CLONE_FILES  0x400
#define FILES_CLONE_THREAD 0x10000

#define FILES_RANGE_UNSHARE (1u << 1)
#define FILES_RANGE_CLOEXEC (1u << 2)

static const struct files_interval files_never = { FILES_NEVER, INT64_MIN };

/* ---- changes ---- */

/*
 * Something changes at @time, so limit the interval in which the names of a table are valid. If the
 * table may have been read at @time, its names are never valid.
 */
static void files_limit(const struct files_process *process, int64_t time,
			struct files_interval *interval)
{
	if (time < process->begin - FILES_MARGIN_NS) {
		if (interval->since < time)
			interval->since = time;
	} else if (time > process->end + FILES_MARGIN_NS) {
		if (interval->until > time)
			interval->until = time;
	} else {
		*interval = files_never;
	}
}

/* Handle the start or the end of a process, or its change to another program. */
static void files_change_program(struct lkst_files *files, uint32_t tgid, int64_t time)
{
	struct files_process *near[2];

	files_near(files, tgid, time, near);
	for (int i = 0; i < 2; i++)
		if (near[i] && !near[i]->fixed)
			files_limit(near[i], time, &near[i]->program);
}

static void files_change(struct lkst_files *files, uint32_t tgid, int64_t time, uint64_t first,
			 uint64_t last)
{
	struct files_process *near[2];

	files_near(files, tgid, time, near);
	for (int i = 0; i < 2; i++) {
		struct files_process *process = near[i];
		struct files_held *held;

		if (!process || process->fixed)
			continue;
		held = first == last ? files_find(process, (uint32_t)first) : process->held;
		for (; held && held < process->held + process->num && held->fd <= last; held++)
			if (held->fd >= first)
				files_limit(process, time, &held->valid);
	}
}

/* Handle a system call that may have opened descriptors of a kind ("pipe:", "socket:"). */
static void files_change_kind(struct lkst_files *files, uint32_t tgid, int64_t time,
			      const char *kind)
{
	struct files_process *near[2];

	files_near(files, tgid, time, near);
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; near[i] && !near[i]->fixed && k < near[i]->num; k++)
			if (!strncmp(near[i]->held[k].name, kind, strlen(kind)))
				files_limit(near[i], time, &near[i]->held[k].valid);
}

/*
 * Forget the names of a process, because its threads do not share a table, or two processes share
 * one.
 */
static void files_forget(struct lkst_files *files, uint32_t tgid)
{
	for (size_t i = files_after(files, tgid, INT64_MIN);
	     i < files->num && files->process[i].tgid == tgid; i++)
		if (!files->process[i].fixed)
			files->process[i].covered = files_never;
}

/* ---- events ---- */

static void files_entry(struct lkst_files *files, const struct lkst_event *event, int64_t time)
{
	unsigned int call = file_calls_get(&files->calls, event->machine, event->arg[0]);
	uint64_t first = (uint32_t)event->arg[1], second = (uint32_t)event->arg[2];

	if (call & FILE_CALL_CLOSES)
		files_change(files, event->tgid, time, first, first);
	if (call & FILE_CALL_SECOND)
		files_change(files, event->tgid, time, second, second);
	if (call & FILE_CALL_RANGE && !(event->arg[3] & FILES_RANGE_CLOEXEC))
		files_change(files, event->tgid, time, first, second);
	if (call & FILE_CALL_REPLACES)
		files_change_program(files, event->tgid, time);
	if ((call & FILE_CALL_UNSHARES && event->arg[1] & FILES_CLONE_FILES) ||
	    (call & FILE_CALL_RANGE && event->arg[3] & FILES_RANGE_UNSHARE))
		files_forget(files, event->tgid);
}

static void files_exit(struct lkst_files *files, const struct lkst_event *event, int64_t time)
{
	unsigned int call = file_calls_get(&files->calls, event->machine, event->arg[0]);
	int64_t result = (int64_t)event->arg[1];

	if (result < 0 || result > INT32_MAX)
		return;
	if (call & FILE_CALL_RETURNS)
		files_change(files, event->tgid, time, (uint64_t)result, (uint64_t)result);
	if (call & FILE_CALL_PIPES)
		files_change_kind(files, event->tgid, time, "pipe:");
	if (call & FILE_CALL_SOCKETS)
		files_change_kind(files, event->tgid, time, "socket:");
	if (call & FILE_CALL_FORKS && result)
		files_change_program(files, (uint32_t)result, time);
}

static void files_fork(struct lkst_files *files, const struct lkst_event *event, int64_t time)
{
	uint32_t child = (uint32_t)(event->arg[0] >> 32), tgid = (uint32_t)event->arg[0];
	bool thread = event->arg[1] & FILES_CLONE_THREAD;

	if (child == tgid)
		files_change_program(files, child, time);
	if (thread == !!(event->arg[1] & FILES_CLONE_FILES))
		return;
	files_forget(files, event->tgid);
	files_forget(files, tgid);
}

/**
 * lkst_files_concerns() - check whether an event must be passed to lkst_files_observe()
 * @files: tables
 * @machine: machine that recorded the event
 * @type: its type
 * @arg0: its first argument
 */
bool lkst_files_concerns(const struct lkst_files *files, unsigned int machine, uint32_t type,
			 uint64_t arg0)
{
	switch (type) {
	case LKST_ETYPE_SYSCALL_ENTRY:
		return file_calls_get(&files->calls, machine, arg0) & FILE_CALL_ON_ENTRY;
	case LKST_ETYPE_SYSCALL_EXIT:
		return file_calls_get(&files->calls, machine, arg0) & FILE_CALL_ON_EXIT;
	case LKST_ETYPE_PROCESS_FORK:
	case LKST_ETYPE_PROCESS_EXEC:
	case LKST_ETYPE_PROCESS_EXIT:
	case LKST_ETYPE_LKST_INIT:
	case LKST_ETYPE_LKST_TRC_START:
	case LKST_ETYPE_LKST_TRC_STOP:
	case LKST_ETYPE_LKST_MASKSET_SET:
		return true;
	}
	return false;
}

/**
 * lkst_files_observe() - learn from an event which descriptors change
 * @files: tables, after lkst_files_start()
 * @event: event; in any order
 *
 * Return: -1 if an allocation fails.
 */
int lkst_files_observe(struct lkst_files *files, const struct lkst_event *event)
{
	uint32_t thread = (uint32_t)(event->arg[0] >> 32);
	int64_t time;

	if (!files_time(files, event, &time)) {
		/*
		 * The time of this event is unknown, so events do not show how long names are
		 * valid.
		 */
		files->partial = true;
		return 0;
	}
	switch (event->type) {
	case LKST_ETYPE_SYSCALL_ENTRY:
		files_entry(files, event, time);
		break;
	case LKST_ETYPE_SYSCALL_EXIT:
		files_exit(files, event, time);
		break;
	case LKST_ETYPE_PROCESS_FORK:
		files_fork(files, event, time);
		break;
	case LKST_ETYPE_PROCESS_EXEC:
		files_change_program(files, event->tgid, time);
		break;
	case LKST_ETYPE_PROCESS_EXIT:
		if (thread == event->tgid)
			files_change_program(files, thread, time);
		break;
	default:
		time = (int64_t)((uint64_t)time + (uint64_t)files->offset_ns);
		return lkst_files_break(files, time, time);
	}
	return 0;
}
