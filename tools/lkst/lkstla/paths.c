// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the system call to which a path belongs. A path is recorded when the call begins, before or
 * after system_call_entry. If the kernel cannot read the path at that time, it is recorded when the
 * call ends, before or after system_call_exit.
 *
 * A path that is recorded outside of a call belongs to the previous call, if that call is of the
 * same kind and lacks this path, and otherwise to the next call. If it seems to belong to the
 * previous call, but the start of that call was not recorded, or records were lost since its end,
 * the path is dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/context.h"
#include "lib/text/files.h"
#include "lib/text/payload.h"
#include "lib/trace/trace.h"
#include "paths.h"
#include "tally.h"
#include "value.h"

/* Damaged input can contain any number of different threads and paths. */
#define PATHS_CALLS_MAX (1u << 18)
#define PATHS_BYTES_MAX ((size_t)64 << 20)

#define PATH_START 16 /* first byte of the path in the payload */
#define PATH_CUT   " [cut]"
#define PATH_ROOM  64 /* the first allocation for a path, in bytes */

/**
 * paths_init() - prepare for paths
 * @paths: paths
 * @run: run
 */
void paths_init(struct paths *paths, const struct run *run)
{
	*paths = (struct paths){ .run = run };
	/* Unit tests run analyses without a trace. */
	paths->wanted = !run->trace || lkst_trace_has_type(run->trace, LKST_ETYPE_SYSCALL_PATH);
}

/**
 * paths_free() - free what the other functions allocated
 * @paths: paths
 */
void paths_free(struct paths *paths)
{
	for (uint32_t i = 0; i < paths->calls; i++)
		for (int k = 0; k < PATHS_PER_CALL; k++)
			free(paths->call[i].path[k].text);
	free(paths->call);
	free(paths->of);
}

/* ---- calls ---- */

/* Return a call by its number; NULL for PATHS_NONE. */
static struct path_call *paths_call_of(const struct paths *paths, uint32_t number)
{
	return number == PATHS_NONE ? NULL : &paths->call[number - 1];
}

/* Stop using a call, unless @number is PATHS_NONE. */
static void paths_release(struct paths *paths, uint32_t *number)
{
	struct path_call *call = paths_call_of(paths, *number);

	if (call && !--call->refs) {
		call->next = paths->free;
		paths->free = *number;
	}
	*number = PATHS_NONE;
}

/*
 * Return the number of an unused call; PATHS_NONE if there are too many calls, or if an allocation
 * failed.
 */
static uint32_t paths_new(struct paths *paths)
{
	uint32_t number = paths->free;
	struct path_call *grown;

	if (number != PATHS_NONE) {
		paths->free = paths->call[number - 1].next;
		return number;
	}
	if (paths->calls >= PATHS_CALLS_MAX)
		return PATHS_NONE;
	grown = tally_cover(paths->call, &paths->room, paths->calls, sizeof(*grown));
	if (!grown) {
		run_out_of_memory(paths->run);
		return PATHS_NONE;
	}
	paths->call = grown;
	return ++paths->calls;
}

/*
 * Find the variable with the number of the latest call of a thread. Returns NULL if an allocation
 * failed.
 */
static uint32_t *paths_latest(struct paths *paths, const struct lkst_thread *thread)
{
	uint32_t *of = tally_cover(paths->of, &paths->threads, thread->index, sizeof(*of));

	if (!of) {
		run_out_of_memory(paths->run);
		return NULL;
	}
	paths->of = of;
	return &of[thread->index];
}

/*
 * Replace the latest call of a thread with a new one without paths. Returns NULL if there are too
 * many calls, or if an allocation failed.
 */
static struct path_call *paths_begin(struct paths *paths, uint32_t *latest, uint64_t which,
				     int64_t begin_ns)
{
	struct path_call *call;

	paths_release(paths, latest);
	*latest = paths_new(paths);
	call = paths_call_of(paths, *latest);
	if (!call)
		return NULL;
	call->refs = 1;
	call->call = which;
	call->open = true;
	call->cut = false;
	call->losses = paths->losses;
	call->begin_ns = begin_ns;
	for (int i = 0; i < PATHS_PER_CALL; i++) {
		call->path[i].argument = 0;
		call->path[i].known = false;
	}
	return call;
}

static uint64_t paths_which(int32_t number, uint8_t abi)
{
	return (uint64_t)(uint32_t)number << 32 | abi;
}

/* ---- paths ---- */

static bool path_is_recorded(const struct path_call *call, uint32_t argument)
{
	for (int i = 0; i < PATHS_PER_CALL; i++)
		if (call->path[i].argument == argument)
			return true;
	return false;
}

/*
 * Allocate memory for a path. If the limit is reached or the allocation fails, returns false, and
 * the path remains unknown.
 */
static bool path_reserve(struct paths *paths, struct path_text *path, size_t size)
{
	size_t room = path->room ? path->room : PATH_ROOM;
	char *grown;

	while (room < size)
		room *= 2;
	if (room == path->room)
		return true;
	if (room - path->room > PATHS_BYTES_MAX - paths->bytes)
		return false;
	grown = realloc(path->text, room);
	if (!grown) {
		run_out_of_memory(paths->run);
		return false;
	}
	paths->bytes += room - path->room;
	path->text = grown;
	path->room = room;
	return true;
}

/*
 * Return the directory to which a path is relative; NULL if it is the current one, or if it is
 * unknown.
 */
static const char *path_directory(const struct paths *paths, const struct lkst_event *event,
				  const struct lkst_payload *payload)
{
	uint32_t fd = (uint32_t)payload_word(event, payload, 8);

	/* Unit tests run analyses without a trace. */
	if (!paths->run->trace || fd > INT32_MAX ||
	    (payload->size > PATH_START && payload->data[PATH_START] == '/'))
		return NULL;
	return lkst_files_name(run_context(paths->run, event->source)->files, event, event->tgid,
			       fd);
}

/*
 * Return whether a path is the second path of rename(), renameat() or renameat2(), which is the new
 * name.
 */
static bool path_is_second(const struct lkst_thread *thread, uint64_t which, uint32_t argument)
{
	char name[32];

	if (argument != 2)
		return argument == 4;
	run_syscall_name(thread, (int32_t)(which >> 32), (uint8_t)which, name);
	return !strcmp(name, "rename");
}

/* Copy the path from an event. */
static void path_take(struct paths *paths, struct path_text *path, const struct lkst_event *event,
		      const struct lkst_payload *payload)
{
	const char *directory = path_directory(paths, event, payload);
	size_t before = directory ? strlen(directory) : 0, len = payload->size - PATH_START;

	/* If the kernel could not read the path, the payload ends before it. */
	path->known = (len || !payload->cut) &&
		      path_reserve(paths, path, before + 1 + len + sizeof(PATH_CUT));
	if (!path->known)
		return;
	if (directory) {
		memcpy(path->text, directory, before);
		if (before && directory[before - 1] != '/')
			path->text[before++] = '/';
	}
	memcpy(path->text + before, payload->data + PATH_START, len);
	strcpy(path->text + before + len, payload->cut ? PATH_CUT : "");
}

/* Return whether the paths belong to a call whose start has not been recorded yet. */
static bool path_awaits_begin(const struct paths *paths, const struct path_call *call)
{
	return call->open && call->begin_ns == INT64_MIN && call->losses == paths->losses;
}

/*
 * Find or begin the call of a thread to which a path belongs. Returns NULL if the path must be
 * dropped, if there are too many calls, or if an allocation failed.
 */
static struct path_call *path_call_of(struct paths *paths, const struct lkst_thread *thread,
				      uint64_t which, uint32_t argument)
{
	uint32_t *latest = paths_latest(paths, thread);
	bool inside = thread->syscall != LKST_SYSCALL_NONE &&
		      paths_which(thread->syscall, thread->abi) == which;
	int64_t begin_ns = inside ? thread->syscall_ns : INT64_MIN;
	struct path_call *call;

	if (!latest)
		return NULL;
	call = paths_call_of(paths, *latest);
	if (!call || call->call != which || path_is_recorded(call, argument))
		return paths_begin(paths, latest, which, begin_ns);
	if (!call->open && !inside)
		return call->cut || call->losses != paths->losses ? NULL : call;
	if (path_awaits_begin(paths, call)) {
		call->begin_ns = begin_ns;
		return call;
	}
	if (call->open && inside && call->begin_ns == begin_ns)
		return call;
	return paths_begin(paths, latest, which, begin_ns);
}

/**
 * paths_loss() - note that records were lost
 * @paths: paths
 */
void paths_loss(struct paths *paths)
{
	paths->losses++;
}

/**
 * paths_event() - take the path from an event
 * @paths: paths
 * @event: event of any type
 */
void paths_event(struct paths *paths, const struct lkst_event *event)
{
	const struct lkst_payload *payload;
	const struct lkst_thread *thread;
	struct payload_head head;
	struct path_call *call;
	uint32_t argument;
	uint64_t which;

	if (event->type != LKST_ETYPE_SYSCALL_PATH)
		return;
	payload = payload_of(event, &head);
	thread = value_thread(paths->run, event);
	if (!thread || payload->size < PATH_START)
		return;
	which = payload_word(event, payload, 0);
	argument = (uint32_t)(payload_word(event, payload, 8) >> 32);
	call = argument ? path_call_of(paths, thread, which, argument) : NULL;
	for (int i = 0; call && i < PATHS_PER_CALL; i++) {
		struct path_text *path = &call->path[i];

		if (path->argument)
			continue;
		path->argument = argument;
		path->second = path_is_second(thread, which, argument);
		path_take(paths, path, event, payload);
		return;
	}
}

/**
 * paths_call() - note that a call has ended, although its paths may be recorded later
 * @paths: paths
 * @span: the call
 */
void paths_call(struct paths *paths, const struct lkst_syscall_span *span)
{
	uint64_t which = paths_which(span->number, span->abi);
	uint32_t *latest = paths->wanted ? paths_latest(paths, span->thread) : NULL;
	struct path_call *call;

	if (!latest)
		return;
	paths_release(paths, &paths->last);
	call = paths_call_of(paths, *latest);
	if (!call || !call->open || call->call != which || !span->begin_known ||
	    (call->begin_ns != span->thread->syscall_ns && !path_awaits_begin(paths, call)))
		call = paths_begin(paths, latest, which, span->thread->syscall_ns);
	if (call) {
		call->open = false;
		call->cut = !span->begin_known;
		call->losses = paths->losses;
	}
	if (span->exited && call) {
		/*
		 * The thread has ended, too. Keep the call here until paths_keep() has been called.
		 */
		paths->last = *latest;
		*latest = PATHS_NONE;
	}
}

/**
 * paths_keep() - keep the paths of a call
 * @paths: paths
 * @span: the call
 * @number: address of a variable with the number of the call that has been kept so far, or with
 *	PATHS_NONE. This function releases that call, and sets the variable to the number of @span
 *
 * Call this right after paths_call() for the same call, before any other function of paths.
 */
void paths_keep(struct paths *paths, const struct lkst_syscall_span *span, uint32_t *number)
{
	uint32_t index = span->thread->index, latest = paths->last;
	struct path_call *call;

	if (!span->exited)
		latest = index < paths->threads ? paths->of[index] : PATHS_NONE;
	call = paths_call_of(paths, latest);
	if (call)
		call->refs++;
	paths_release(paths, number);
	*number = latest;
}

/**
 * paths_get() - get a path of a call
 * @paths: paths
 * @number: number of the call, or PATHS_NONE
 * @second: get the new path of rename() and similar calls, instead of the only path or the old one
 *
 * Return: the path; NULL if the call has no such path, or if it is unknown.
 */
const char *paths_get(const struct paths *paths, uint32_t number, bool second)
{
	const struct path_call *call = paths_call_of(paths, number);

	for (int i = 0; call && i < PATHS_PER_CALL; i++)
		if (call->path[i].known && call->path[i].second == second)
			return call->path[i].text;
	return NULL;
}
