// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds pairs of entry and exit events that are far apart in time.
 *
 * Two event types are a pair if their mnemonics differ only in the suffix (INT_TIMER_ENTRY and
 * INT_TIMER_EXIT). This includes event types of modules. Events are matched by thread or, for
 * idle threads, by CPU. A thread has at most one entry of each type without an exit: a second entry
 * replaces the first. If the first argument of both types has the same description, such as the
 * number of a system call, its values must be equal: if they differ, events in between were lost.
 *
 * For an entry without an exit, the time until the end of the trace counts. A system call in which
 * the thread exits does not count.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/etypes.h"
#include "longer.h"

/* Identifies an event of a trace; also the sort key. */
struct mark {
	int64_t time_ns;
	uint64_t recid;
	int32_t cpu;
	uint32_t source;
};

/* An entry whose exit has not been seen. @type is the type of the exit. */
struct open {
	uint32_t source;
	uint32_t type;
	uint32_t tid;
	int32_t cpu; /* CPU of an idle thread; -1 for any other thread */
	struct mark mark;
	uint64_t arg;
};

struct lkst_longer {
	int64_t least_ns;
	uint16_t exit_of[LKST_ETYPE_NUM]; /* exit type of an entry type; 0: not an entry */
	bool is_exit[LKST_ETYPE_NUM];
	bool same[LKST_ETYPE_NUM]; /* for an exit type: its first argument must equal the entry's */
	void *open; /* search tree of struct open */
	struct mark *mark;
	size_t num;
	size_t room;
};

/* Return the length of the mnemonic without the suffix @end; 0 if it does not have this suffix. */
static size_t longer_stem(const char *mnemonic, const char *end)
{
	size_t len = strlen(mnemonic), n = strlen(end);

	return len > n && !strcmp(mnemonic + len - n, end) ? len - n : 0;
}

static void add_pair(struct lkst_longer *longer, const struct lkst_etype *entry,
		     const struct lkst_etype *exit)
{
	longer->exit_of[entry->number] = exit->number;
	longer->is_exit[exit->number] = true;
	longer->same[exit->number] = *entry->arg[0] && !strcmp(entry->arg[0], exit->arg[0]);
}

/* Find pairs of event types with these suffixes. */
static void find_exits(struct lkst_longer *longer, const struct lkst_etypes *types,
		       const char *begin, const char *end)
{
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *entry = types->type[i];
		size_t len = entry ? longer_stem(entry->mnemonic, begin) : 0;

		for (unsigned int k = 0; len && k < LKST_ETYPE_NUM; k++) {
			const struct lkst_etype *exit = types->type[k];

			if (exit && !strncmp(entry->mnemonic, exit->mnemonic, len) &&
			    !strcmp(exit->mnemonic + len, end))
				add_pair(longer, entry, exit);
		}
	}
}

static struct mark mark_of(const struct lkst_event *event)
{
	return (struct mark){ event->time_ns, event->recid, event->cpu, event->source };
}

static int by_mark(const void *pa, const void *pb)
{
	const struct mark *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->recid != b->recid)
		return a->recid < b->recid ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return (a->source > b->source) - (a->source < b->source);
}

static int by_place(const void *pa, const void *pb)
{
	return memcmp(pa, pb, offsetof(struct open, mark));
}

static struct open longer_place_of(const struct lkst_event *event, uint32_t type, uint32_t tid)
{
	struct open place = { .source = event->source, .type = type, .tid = tid };

	place.cpu = tid ? -1 : event->cpu;
	place.mark = mark_of(event);
	place.arg = event->arg[0];
	return place;
}

static int longer_add(struct lkst_longer *longer, struct mark mark)
{
	if (longer->num == longer->room) {
		size_t room = longer->room ? longer->room * 2 : 256;
		struct mark *grown = realloc(longer->mark, room * sizeof(*grown));

		if (!grown)
			return -1;
		longer->mark = grown;
		longer->room = room;
	}
	longer->mark[longer->num++] = mark;
	return 0;
}

static int longer_enter(struct lkst_longer *longer, const struct open *place)
{
	struct open **node = tsearch(place, &longer->open, by_place);

	if (!node)
		return -1;
	if (*node == place) {
		*node = malloc(sizeof(*place));
		if (!*node) {
			/* Remove the new node: the tree must not point to the caller's memory. */
			*node = (struct open *)place;
			tdelete(place, &longer->open, by_place);
			return -1;
		}
	}
	**node = *place;
	return 0;
}

/* Remove an entry from the tree. Returns the entry, which the caller frees; NULL if not found. */
static struct open *longer_leave(struct lkst_longer *longer, const struct open *place)
{
	struct open **node = tfind(place, &longer->open, by_place), *open;

	if (!node)
		return NULL;
	open = *node;
	tdelete(place, &longer->open, by_place);
	return open;
}

/*
 * Return whether at least @longer->least_ns passed. A damaged trace can contain any times, so the
 * difference is computed without a signed overflow.
 */
static bool took_long(const struct lkst_longer *longer, int64_t from_ns, int64_t until_ns)
{
	return until_ns >= from_ns &&
	       (uint64_t)until_ns - (uint64_t)from_ns >= (uint64_t)longer->least_ns;
}

static int take_exit(struct lkst_longer *longer, const struct lkst_event *event)
{
	struct open exit = longer_place_of(event, event->type, event->tid);
	struct open *entry = longer_leave(longer, &exit);
	int ret = 0;

	if (entry && (!longer->same[event->type] || entry->arg == exit.arg) &&
	    took_long(longer, entry->mark.time_ns, event->time_ns))
		ret = longer_add(longer, entry->mark) || longer_add(longer, exit.mark) ? -1 : 0;
	free(entry);
	return ret;
}

static int longer_take(struct lkst_longer *longer, const struct lkst_event *event)
{
	if (event->type >= LKST_ETYPE_NUM)
		return 0;
	/* The last system call of a thread does not return. */
	if (event->type == LKST_ETYPE_PROCESS_EXIT) {
		struct open call = longer_place_of(event, LKST_ETYPE_SYSCALL_EXIT,
						   (uint32_t)(event->arg[0] >> 32));

		free(longer_leave(longer, &call));
	}
	if (longer->exit_of[event->type]) {
		struct open place =
			longer_place_of(event, longer->exit_of[event->type], event->tid);

		return longer_enter(longer, &place);
	}
	return longer->is_exit[event->type] ? take_exit(longer, event) : 0;
}

/*
 * Free all entries without an exit. First mark each of them that is at least @longer->least_ns
 * before the end of the trace.
 */
static int take_rest(struct lkst_longer *longer, int64_t newest_ns)
{
	int ret = 0;

	while (longer->open) {
		struct open *entry = *(struct open **)longer->open;

		tdelete(entry, &longer->open, by_place);
		if (!ret && took_long(longer, entry->mark.time_ns, newest_ns))
			ret = longer_add(longer, entry->mark);
		free(entry);
	}
	return ret;
}

static int longer_scan(struct lkst_longer *longer, struct lkst_trace *trace, struct lkst_error *err)
{
	struct lkst_event event = { .time_ns = INT64_MIN };
	int ret = lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err);

	if (ret)
		return -1;
	while ((ret = lkst_trace_next(trace, &event, err)) > 0)
		if (longer_take(longer, &event)) {
			lkst_error_memory(err, "what took long");
			return -1;
		}
	if (!ret && take_rest(longer, event.time_ns)) {
		lkst_error_memory(err, "what took long");
		ret = -1;
	}
	if (longer->num)
		qsort(longer->mark, longer->num, sizeof(*longer->mark), by_mark);
	return ret;
}

/**
 * lkst_longer_find() - find pairs of entry and exit events that are far apart in time
 * @trace: trace; it is read to the end, so rewind it afterwards
 * @types: its event types
 * @least_ns: minimum time between the two events, in nanoseconds
 * @err: set on failure
 */
struct lkst_longer *lkst_longer_find(struct lkst_trace *trace, const struct lkst_etypes *types,
				     int64_t least_ns, struct lkst_error *err)
{
	struct lkst_longer *longer = calloc(1, sizeof(*longer));

	if (!longer) {
		lkst_error_memory(err, "what took long");
		return NULL;
	}
	longer->least_ns = least_ns;
	find_exits(longer, types, "_ENTRY", "_EXIT");
	find_exits(longer, types, "_BEGIN", "_END");
	if (!longer_scan(longer, trace, err))
		return longer;
	lkst_longer_free(longer);
	return NULL;
}

/**
 * lkst_longer_has() - check whether an event belongs to a pair that was found
 * @longer: from lkst_longer_find()
 * @event: event of the trace
 */
bool lkst_longer_has(const struct lkst_longer *longer, const struct lkst_event *event)
{
	struct mark mark = mark_of(event);

	return event->type < LKST_ETYPE_NUM &&
	       (longer->exit_of[event->type] || longer->is_exit[event->type]) && longer->num &&
	       bsearch(&mark, longer->mark, longer->num, sizeof(mark), by_mark);
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
	free(longer->mark);
	free(longer);
}
