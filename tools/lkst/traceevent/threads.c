// SPDX-License-Identifier: LGPL-2.1
/*
 * The filters by process and thread. Each is a rule of LKST: a condition under which an event is
 * recorded.
 *
 * In the kernel, only an event type that is turned on can have a rule. So this file remembers the
 * filters of all event types until the program ends, and the rule is written when the event type is
 * turned on.
 */
#include "threads.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/etype_ids.h"

/* The filter that this program has set or cleared for an event type */
static struct threads_filter {
	enum {
		THREADS_UNKNOWN,
		THREADS_ALL,
		THREADS_LIMITED
	} state;
	pid_t pid;
	pid_t tid;
} threads_filter[LKST_ETYPE_NUM];

/*
 * Some events belong to a second thread, which is in one of these fields: the thread to which a CPU
 * switches, the thread that is woken up, or the thread that a state dump describes. The limits of
 * masksets (lkstm limit) treat these events in the same way.
 */
static const struct {
	int type;
	const char *field;
} threads_second[] = {
	{ LKST_ETYPE_PROCESS_CONTEXTSWITCH, "next" },
	{ LKST_ETYPE_PROCESS_WAKING, "thread" },
	{ LKST_ETYPE_PROCESS_WAKEUP, "thread" },
	{ LKST_ETYPE_PROCESS_STATE, "thread" },
};

/* Set the filter of an event type: record it only for a process, or for one of its threads. */
void threads_limit(int type, pid_t pid, pid_t tid)
{
	threads_filter[type] = (struct threads_filter){ THREADS_LIMITED, pid, tid };
}

/* Clear the filter of an event type: record it for all threads. */
void threads_unlimit(int type)
{
	threads_filter[type].state = THREADS_ALL;
}

/* Append to a rule. If it becomes too long, its text becomes "||", which the kernel refuses. */
static void __attribute__((__format__(__printf__, 3, 4)))
threads_append(char text[LKST_RULE_TEXT_MAX], size_t *used, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	*used += (size_t)vsnprintf(text + *used, LKST_RULE_TEXT_MAX - *used, format, args);
	va_end(args);
	if (*used >= LKST_RULE_TEXT_MAX)
		*used = (size_t)sprintf(text, "||");
}

/* Append the threads that a process has now. Those whose IDs follow each other are one range. */
static void threads_append_process(char text[LKST_RULE_TEXT_MAX], size_t *used, const char *field,
				   pid_t pid)
{
	pid_t tid, first = pid, last = pid;
	char path[32];
	struct dirent *entry;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		tid = (pid_t)strtol(entry->d_name, NULL, 10);
		if (tid <= 0 || tid == pid)
			continue;
		if (tid != last + 1) {
			threads_append(text, used, " || %s == %d..%d", field, first, last);
			first = tid;
		}
		last = tid;
	}
	threads_append(text, used, " || %s == %d..%d", field, first, last);
	if (tasks)
		closedir(tasks);
}

/**
 * threads_rule() - get the rule for the filter of an event type
 * @type: event type
 * @text: receives the rule; "": there is no filter
 *
 * Return: false if this program has neither set nor cleared the filter.
 */
bool threads_rule(int type, char text[LKST_RULE_TEXT_MAX])
{
	const struct threads_filter *filter = &threads_filter[type];
	const char *second = NULL;
	size_t used = 0;

	text[0] = 0;
	if (filter->state != THREADS_LIMITED)
		return filter->state == THREADS_ALL;
	for (unsigned int i = 0; i < sizeof(threads_second) / sizeof(*threads_second); i++)
		if (threads_second[i].type == type)
			second = threads_second[i].field;
	threads_append(text, &used, "common_pid == %d", filter->pid);
	if (filter->tid != THREADS_ANY)
		threads_append(text, &used, " && common_tid == %d", filter->tid);
	if (second && filter->tid != THREADS_ANY)
		threads_append(text, &used, " || %s == %d", second, filter->tid);
	else if (second)
		threads_append_process(text, &used, second, filter->pid);
	return true;
}
