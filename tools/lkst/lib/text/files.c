// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the file that a descriptor referred to at the time of an event.
 *
 * The descriptors of all processes were read one or more times while the events were recorded
 * ("tables"). A name from a table also applies to other times, as long as nothing has changed the
 * descriptor in between (files_events.c), and no events are missing between the two times
 * (files_cover.c). So each name has an interval in which it is valid. At other times it is unknown.
 *
 * The events do not show that a descriptor is closed through io_uring, or by another process that
 * shares the table (CLONE_FILES without CLONE_THREAD) and began to do so before the trace. Files
 * that were opened and closed between two tables have no name here, although an event with the path
 * of the open() may contain it.
 */
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "files_table.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "text.h"

/**
 * lkst_files_new() - make an empty set of tables
 *
 * Return: NULL if an allocation fails.
 */
struct lkst_files *lkst_files_new(void)
{
	struct lkst_files *files = calloc(1, sizeof(*files));

	if (files)
		file_calls_init(&files->calls);
	return files;
}

static void files_free_table(struct files_table *table)
{
	free(table->text);
	free(table->cpu);
	free(table->held);
	free(table);
}

/**
 * lkst_files_free() - free tables
 * @files: may be NULL
 */
void lkst_files_free(struct lkst_files *files)
{
	if (!files)
		return;
	while (files->tables) {
		struct files_table *table = files->tables;

		files->tables = table->next;
		files_free_table(table);
	}
	free(files->process);
	free(files->gap);
	free(files->lane);
	free(files);
}

/**
 * lkst_files_empty() - check whether there are no tables
 * @files: may be NULL
 */
bool lkst_files_empty(const struct lkst_files *files)
{
	return !files || !files->num;
}

/**
 * lkst_files_need_events() - check whether names depend on events
 * @files: tables, after lkst_files_start()
 */
bool lkst_files_need_events(const struct lkst_files *files)
{
	return files->derived;
}

static int files_compare_process(const void *pa, const void *pb)
{
	const struct files_process *a = pa, *b = pb;

	if (a->tgid != b->tgid)
		return a->tgid < b->tgid ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static bool files_has_table(const struct lkst_files *files, const struct files_table *table)
{
	for (const struct files_table *t = files->tables; t; t = t->next)
		if (t->monotonic_ns == table->monotonic_ns && t->wall_ns == table->wall_ns)
			return true;
	return false;
}

/**
 * lkst_files_add() - add a table
 * @files: tables, before lkst_files_start()
 * @text: the contents of a FILES chunk. If its table has the same time as an earlier table, it is
 *	ignored: a program that writes several trace files puts the same table into each of them
 * @len: length in bytes
 * @err: set if the text is invalid, or an allocation fails
 */
int lkst_files_add(struct lkst_files *files, const char *text, size_t len, struct lkst_error *err)
{
	struct files_table *table = calloc(1, sizeof(*table));
	size_t before = files->num;

	if (table)
		table->text = text_copy(text, len);
	if (!table || !table->text) {
		free(table);
		lkst_error_memory(err, "file names");
		return -1;
	}
	if (files_parse(files, table, err)) {
		files_free_table(table);
		return -1;
	}
	if (files_has_table(files, table)) {
		files->held -= table->num;
		files->num = before;
		files_free_table(table);
		return 0;
	}
	table->next = files->tables;
	files->tables = table;
	files->num_tables++;
	files->offset_ns = (int64_t)((uint64_t)table->wall_ns - (uint64_t)table->monotonic_ns);
	return 0;
}

/**
 * lkst_files_start() - prepare for events
 * @files: after the last lkst_files_add()
 * @offset_ns: wall clock minus monotonic clock; NULL: use the offset of a table
 */
void lkst_files_start(struct lkst_files *files, const int64_t *offset_ns)
{
	if (offset_ns)
		files->offset_ns = *offset_ns;
	for (size_t i = 0; i < files->num; i++)
		files->derived |= !files->process[i].fixed;
	if (files->num)
		qsort(files->process, files->num, sizeof(*files->process), files_compare_process);
}

/**
 * lkst_files_clock_set() - report that the wall clock was set while events were recorded
 * @files: tables
 *
 * Names are then known only for events that have a monotonic time.
 */
void lkst_files_clock_set(struct lkst_files *files)
{
	files->clock_set = true;
}

/**
 * lkst_files_partial() - report that the trace has only selected events
 * @files: tables
 *
 * The events then do not show how long a name is valid. A name is used only if its table states how
 * long it is valid.
 */
void lkst_files_partial(struct lkst_files *files)
{
	files->partial = true;
}

/* ---- times ---- */

/* Find the monotonic time of an event. Returns false if it is unknown. */
bool files_time(const struct lkst_files *files, const struct lkst_event *event, int64_t *time)
{
	*time = event->monotonic_ns;
	if (*time != INT64_MIN)
		return true;
	*time = (int64_t)((uint64_t)event->time_ns - (uint64_t)files->offset_ns);
	return !files->clock_set;
}

/* ---- finding a process ---- */

/*
 * Return the index of the first entry of a process that begins after @time. If none exists,
 * return the index of the first entry of the next process.
 */
size_t files_after(const struct lkst_files *files, uint32_t tgid, int64_t time)
{
	size_t low = 0, high = files->num;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct files_process *process = &files->process[mid];

		if (process->tgid < tgid || (process->tgid == tgid && process->begin <= time))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Find the entries of a process that are next to @time: [0] is the last one that begins at or
 * before @time, and [1] is the first one after @time. An entry is NULL if there is no such entry.
 */
void files_near(const struct lkst_files *files, uint32_t tgid, int64_t time,
		struct files_process *near[2])
{
	size_t at = files_after(files, tgid, time);

	near[0] = at && files->process[at - 1].tgid == tgid ? &files->process[at - 1] : NULL;
	near[1] = at < files->num && files->process[at].tgid == tgid ? &files->process[at] : NULL;
}

struct files_held *files_find(const struct files_process *process, uint32_t fd)
{
	size_t low = 0, high = process->num;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (process->held[mid].fd < fd)
			low = mid + 1;
		else
			high = mid;
	}
	return low < process->num && process->held[low].fd == fd ? &process->held[low] : NULL;
}

static bool files_in(struct files_interval interval, int64_t time)
{
	return time > interval.since && time <= interval.until;
}

/* A name that a table has for a descriptor, and the time for which it is valid. */
struct files_known {
	const char *name;
	struct files_interval valid;
};

/*
 * Return the name of a descriptor at @time according to a table. The name is NULL if it is unknown.
 */
static struct files_known files_known_at(const struct files_process *process, uint32_t fd,
					 int64_t time)
{
	const struct files_held *held = process ? files_find(process, fd) : NULL;
	struct files_known known = { 0 };

	if (!held)
		return known;
	known.valid = files_both(held->valid, files_both(process->program, process->covered));
	if (files_in(known.valid, time))
		known.name = held->name;
	return known;
}

/*
 * Return false if another table, next to @time, contradicts a name that is valid at @time: if the
 * two tables differ, but no event shows a change between them, the change was not recorded.
 */
static bool files_agree(const struct files_process *other, uint32_t fd,
			const struct files_known *known, int64_t time)
{
	const struct files_held *same = other ? files_find(other, fd) : NULL;

	if (!other || known->valid.since >= other->end || known->valid.until < other->begin)
		return true;
	/* The descriptor may have changed shortly before or after the other table was read. */
	if (time >= other->begin - FILES_MARGIN_NS && time <= other->end + FILES_MARGIN_NS)
		return false;
	return same && !strcmp(same->name, known->name);
}

/**
 * lkst_files_name() - find the file that a descriptor referred to
 * @files: after lkst_files_finalize(); may be NULL
 * @event: the event whose time matters
 * @tgid: process
 * @fd: descriptor
 *
 * Return: for example "/etc/passwd", "pipe:[1234]" or "anon_inode:[eventpoll]"; NULL: unknown.
 */
const char *lkst_files_name(const struct lkst_files *files, const struct lkst_event *event,
			    uint32_t tgid, uint32_t fd)
{
	struct files_known before, after;
	struct files_process *near[2];
	int64_t time;

	if (lkst_files_empty(files) || !files_time(files, event, &time))
		return NULL;
	files_near(files, tgid, time, near);
	before = files_known_at(near[0], fd, time);
	after = files_known_at(near[1], fd, time);
	if (before.name && after.name)
		return strcmp(before.name, after.name) ? NULL : before.name;
	if (before.name)
		return files_agree(near[1], fd, &before, time) ? before.name : NULL;
	return after.name && files_agree(near[0], fd, &after, time) ? after.name : NULL;
}

/**
 * lkst_files_first() - find the file that the first argument of a system call stands for
 * @files: after lkst_files_finalize(); may be NULL
 * @event: a system_call_entry
 *
 * Return: as lkst_files_name(); NULL if the argument is not a descriptor.
 */
const char *lkst_files_first(const struct lkst_files *files, const struct lkst_event *event)
{
	if (lkst_files_empty(files) || event->type != LKST_ETYPE_SYSCALL_ENTRY ||
	    !(file_calls_get(&files->calls, event->machine, event->arg[0]) & FILE_CALL_TAKES))
		return NULL;
	return lkst_files_name(files, event, event->tgid, (uint32_t)event->arg[1]);
}

/**
 * lkst_files_command() - find the command line of a process
 * @files: after lkst_files_finalize(); may be NULL
 * @event: the event whose time matters
 * @tgid: process
 *
 * Return: the arguments, with blanks between them. Blanks, backslashes and control characters in an
 * argument are written as octal escapes. NULL: unknown.
 */
const char *lkst_files_command(const struct lkst_files *files, const struct lkst_event *event,
			       uint32_t tgid)
{
	struct files_process *near[2];
	int64_t time;

	if (lkst_files_empty(files) || !files_time(files, event, &time))
		return NULL;
	files_near(files, tgid, time, near);
	for (int i = 1; i >= 0; i--)
		if (near[i] && near[i]->command && *near[i]->command &&
		    files_in(near[i]->program, time))
			return near[i]->command;
	return NULL;
}

/**
 * lkst_files_next_command() - list the command lines of processes
 * @files: after lkst_files_start(); may be NULL
 * @at: position in the list, initially 0
 * @tgid: set to the process. A process is listed each time that its descriptors were read
 *
 * Return: as lkst_files_command(); NULL: there are no more command lines.
 */
const char *lkst_files_next_command(const struct lkst_files *files, size_t *at, uint32_t *tgid)
{
	while (files && *at < files->num) {
		const struct files_process *process = &files->process[(*at)++];

		if (process->command && *process->command) {
			*tgid = process->tgid;
			return process->command;
		}
	}
	return NULL;
}
