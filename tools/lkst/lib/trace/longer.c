// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds long operations, which are pairs of events that are far apart in time.
 *
 * Two event types are a pair if their mnemonics differ only in the suffix (INT_TIMER_ENTRY and
 * INT_TIMER_EXIT). This includes event types of modules. Events are matched by thread or, for
 * idle threads, by CPU. A thread has at most one entry of each type without an exit: a second entry
 * replaces the first. If the first argument of both types has the same description, such as the
 * number of a system call, its values must be equal: if they differ, events in between were lost.
 * Block requests are matched by device and sector. longer_threads.c finds when threads sleep and
 * wait for a CPU.
 *
 * An operation without an end is assumed to last until the end of the trace. A system call in which
 * the thread exits does not count.
 *
 * Among events that are read while the kernel records them ("live events"), an operation is found
 * only when it ends. It is shown at the event that ends it, but not at the event that began it.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/etypes.h"
#include "lib/text/format.h"
#include "longer.h"
#include "longer_state.h"
#include "trace.h"

/* Return the length of the mnemonic without the suffix @end; 0 if it does not have this suffix. */
static size_t longer_stem(const char *mnemonic, const char *end)
{
	size_t len = strlen(mnemonic), n = strlen(end);

	return len > n && !strcmp(mnemonic + len - n, end) ? len - n : 0;
}

static void longer_add_pair(struct lkst_longer *longer, const struct lkst_etype *entry,
			    const struct lkst_etype *exit)
{
	longer->exit_of[entry->number] = exit->number;
	longer->is_exit[exit->number] = true;
	longer->has_spans[entry->number] = longer->has_spans[exit->number] = true;
	longer->same[exit->number] = *entry->arg[0] && !strcmp(entry->arg[0], exit->arg[0]);
}

/* Find pairs of event types with these suffixes. */
static void longer_find_exits(struct lkst_longer *longer, const struct lkst_etypes *types,
			      const char *begin, const char *end)
{
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *entry = types->type[i];
		size_t len = entry ? longer_stem(entry->mnemonic, begin) : 0;

		for (unsigned int k = 0; len && k < LKST_ETYPE_NUM; k++) {
			const struct lkst_etype *exit = types->type[k];

			if (exit && !strncmp(entry->mnemonic, exit->mnemonic, len) &&
			    !strcmp(exit->mnemonic + len, end))
				longer_add_pair(longer, entry, exit);
		}
	}
}

static int longer_by_place(const void *pa, const void *pb)
{
	return memcmp(pa, pb, offsetof(struct longer_open, mark));
}

static struct longer_open longer_place_of(const struct lkst_longer *longer,
					  const struct lkst_event *event, uint32_t type,
					  uint32_t tid)
{
	struct longer_open place = { .boot = longer->boot, .type = type, .tid = tid };

	place.cpu = tid ? -1 : event->cpu;
	place.mark = longer_mark_of(event);
	place.arg = event->arg[0];
	place.ends = true;
	return place;
}

/**
 * longer_enter() - record that an operation begins
 * @longer: operations found so far
 * @place: the operation; replaces an earlier operation with equal members up to @key
 *
 * Return: 0; -1 if an allocation fails.
 */
int longer_enter(struct lkst_longer *longer, const struct longer_open *place)
{
	struct longer_open **node = tsearch(place, &longer->open, longer_by_place);

	if (!node)
		return -1;
	if (*node == place) {
		*node = malloc(sizeof(*place));
		if (!*node) {
			/* Remove the new node: the tree must not point to the caller's memory. */
			*node = (struct longer_open *)place;
			tdelete(place, &longer->open, longer_by_place);
			return -1;
		}
		longer->opened++;
	}
	**node = *place;
	return 0;
}

/**
 * longer_find() - find an operation that has begun
 * @longer: operations found so far
 * @place: the members up to @key identify the operation
 */
struct longer_open *longer_find(const struct lkst_longer *longer, const struct longer_open *place)
{
	struct longer_open **node = tfind(place, &longer->open, longer_by_place);

	return node ? *node : NULL;
}

/**
 * longer_leave() - remove an operation
 * @longer: operations found so far
 * @place: the members up to @key identify the operation
 *
 * Return: the operation, which the caller frees; NULL if it has not begun.
 */
struct longer_open *longer_leave(struct lkst_longer *longer, const struct longer_open *place)
{
	struct longer_open *open = longer_find(longer, place);

	if (open) {
		tdelete(place, &longer->open, longer_by_place);
		longer->opened--;
	}
	return open;
}

/*
 * Return whether at least @longer->least_ns passed. A damaged trace can contain any times, so the
 * difference is computed without a signed overflow.
 */
static bool longer_took_long(const struct lkst_longer *longer, int64_t from_ns, int64_t until_ns)
{
	return until_ns >= from_ns &&
	       (uint64_t)until_ns - (uint64_t)from_ns >= (uint64_t)longer->least_ns;
}

/**
 * longer_end() - record that an operation ends
 * @longer: operations found so far
 * @begin: the operation, as longer_find() or longer_leave() returned it
 * @end: the event that ends it
 * @name: name of the span at that event
 *
 * Return: 0; -1 if an allocation fails.
 */
int longer_end(struct lkst_longer *longer, const struct longer_open *begin,
	       const struct lkst_event *end, enum longer_name name)
{
	struct longer_mark first = begin->mark, last = longer_mark_of(end);

	if (!longer_took_long(longer, first.time_ns, last.time_ns))
		return 0;
	first.name = begin->name;
	last.name = name;
	first.ended = last.ended = true;
	first.ns = last.ns = (uint64_t)last.time_ns - (uint64_t)first.time_ns;
	return longer_marks_add(longer, first) || longer_marks_add(longer, last) ? -1 : 0;
}

static int longer_take_exit(struct lkst_longer *longer, const struct lkst_event *event)
{
	struct longer_open exit = longer_place_of(longer, event, event->type, event->tid);
	struct longer_open *entry = longer_leave(longer, &exit);
	int ret = 0;

	if (entry && (!longer->same[event->type] || entry->arg == exit.arg))
		ret = longer_end(longer, entry, event, LONGER_TOOK);
	free(entry);
	return ret;
}

static int longer_take_request(struct lkst_longer *longer, const struct lkst_event *event)
{
	struct longer_open place = longer_place_of(longer, event, LKST_ETYPE_BLOCK_COMPLETE, 0);
	struct longer_open *issue;
	int ret = 0;

	place.cpu = -1;
	place.key[0] = event->arg[0];
	place.key[1] = event->arg[1];
	if (event->type == LKST_ETYPE_BLOCK_ISSUE)
		return longer_enter(longer, &place);
	issue = longer_leave(longer, &place);
	if (issue)
		ret = longer_end(longer, issue, event, LONGER_TOOK);
	free(issue);
	return ret;
}

static int longer_take(struct lkst_longer *longer, const struct lkst_event *event)
{
	if (longer_threads_take(longer, event))
		return -1;
	if (event->type >= LKST_ETYPE_NUM)
		return 0;
	/* The last system call of a thread does not return. */
	if (event->type == LKST_ETYPE_PROCESS_EXIT) {
		struct longer_open call = longer_place_of(longer, event, LKST_ETYPE_SYSCALL_EXIT,
							  (uint32_t)(event->arg[0] >> 32));

		free(longer_leave(longer, &call));
	}
	if (event->type == LKST_ETYPE_BLOCK_ISSUE || event->type == LKST_ETYPE_BLOCK_COMPLETE)
		return longer_take_request(longer, event);
	if (longer->exit_of[event->type]) {
		struct longer_open place =
			longer_place_of(longer, event, longer->exit_of[event->type], event->tid);

		return longer_enter(longer, &place);
	}
	return longer->is_exit[event->type] ? longer_take_exit(longer, event) : 0;
}

/*
 * Free all operations without an end. First mark each of them that began at least @longer->least_ns
 * before the end of the trace.
 */
static int longer_take_rest(struct lkst_longer *longer)
{
	int ret = 0;

	while (longer->open) {
		struct longer_open *open = *(struct longer_open **)longer->open;
		int64_t newest_ns = longer->newest_ns[open->boot];

		tdelete(open, &longer->open, longer_by_place);
		if (!ret && longer_threads_know(longer, open) &&
		    longer_took_long(longer, open->mark.time_ns, newest_ns)) {
			open->mark.name = open->name;
			open->mark.ns = (uint64_t)newest_ns - (uint64_t)open->mark.time_ns;
			ret = longer_marks_add(longer, open->mark);
		}
		free(open);
	}
	return ret;
}

static int longer_scan(struct lkst_longer *longer, struct lkst_trace *trace, struct lkst_error *err)
{
	struct lkst_event event;
	int ret = lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err);

	if (ret)
		return -1;
	while ((ret = lkst_trace_next(trace, &event, err)) > 0) {
		longer->boot = lkst_trace_boot(trace, event.source);
		longer->newest_ns[longer->boot] = event.time_ns;
		if (longer_take(longer, &event)) {
			lkst_error_memory(err, "what took long");
			return -1;
		}
	}
	if (!ret && longer_take_rest(longer)) {
		lkst_error_memory(err, "what took long");
		ret = -1;
	}
	longer_marks_sort(longer);
	return ret;
}

static struct lkst_longer *longer_new(const struct lkst_etypes *types, int64_t least_ns,
				      size_t boots, struct lkst_error *err)
{
	struct lkst_longer *longer = calloc(1, sizeof(*longer));

	if (longer)
		longer->newest_ns = calloc(boots, sizeof(int64_t));
	if (!longer || !longer->newest_ns) {
		lkst_error_memory(err, "what took long");
		lkst_longer_free(longer);
		return NULL;
	}
	longer->least_ns = least_ns;
	longer->has_spans[LKST_ETYPE_BLOCK_ISSUE] = longer->has_spans[LKST_ETYPE_BLOCK_COMPLETE] =
		true;
	longer_find_exits(longer, types, "_ENTRY", "_EXIT");
	longer_find_exits(longer, types, "_BEGIN", "_END");
	return longer;
}

/**
 * lkst_longer_find() - find long operations
 * @trace: trace; it is read to the end, so rewind it afterwards
 * @types: its event types
 * @least_ns: minimum duration, in nanoseconds
 * @err: set on failure
 */
struct lkst_longer *lkst_longer_find(struct lkst_trace *trace, const struct lkst_etypes *types,
				     int64_t least_ns, struct lkst_error *err)
{
	struct lkst_longer *longer =
		longer_new(types, least_ns, lkst_trace_sources(trace) + 1, err);

	if (!longer)
		return NULL;
	longer_threads_start(longer, trace);
	if (!longer_scan(longer, trace, err))
		return longer;
	lkst_longer_free(longer);
	return NULL;
}

/**
 * lkst_longer_live() - prepare for live events
 * @types: event types
 * @least_ns: minimum duration, in nanoseconds
 * @err: set if an allocation fails
 */
struct lkst_longer *lkst_longer_live(const struct lkst_etypes *types, int64_t least_ns,
				     struct lkst_error *err)
{
	struct lkst_longer *longer = longer_new(types, least_ns, 1, err);

	if (!longer)
		return NULL;
	longer->live = true;
	longer_threads_start(longer, NULL);
	return longer;
}

/**
 * lkst_longer_observe() - take the next live event
 * @longer: from lkst_longer_live()
 * @event: event; each event of all CPUs must be observed, oldest first
 * @err: set if an allocation fails
 *
 * After this, lkst_longer_has() and lkst_longer_spans() return whether this event ends a long
 * operation. Nothing is known about an operation that began before the first event that was
 * observed.
 */
int lkst_longer_observe(struct lkst_longer *longer, const struct lkst_event *event,
			struct lkst_error *err)
{
	if (longer->opened >= LONGER_OPEN_MAX) {
		tdestroy(longer->open, free);
		longer->open = NULL;
		longer->opened = 0;
	}
	longer->num = 0;
	if (longer_take(longer, event)) {
		lkst_error_memory(err, "what took long");
		return -1;
	}
	longer_marks_keep(longer, event);
	return 0;
}

/**
 * lkst_longer_free() - free the result
 * @longer: may be NULL
 */
void lkst_longer_free(struct lkst_longer *longer)
{
	if (!longer)
		return;
	tdestroy(longer->open, free);
	free(longer->newest_ns);
	free(longer->mark);
	free(longer);
}
