// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the name that a process had at the time of a record.
 *
 * An event that contains the name of a thread is an observation (time, name). It is valid until the
 * next observation of the same thread. An event that gives the thread a name (fork, exec, rename)
 * starts a new name. Other events only confirm a name that existed before, so if such an event is
 * the first for a thread, its name also applies to the time before. Some events have only the first
 * 8 bytes of a name: a later, longer name that begins with these bytes completes it.
 *
 * Thread numbers are reused. A thread ends with the context switch that it does not return from or,
 * if switches are not recorded, with its exit. The next name seen for the number belongs to a new
 * thread. Unless an event gave the thread that name, it applies from the end of the old thread on.
 * After an exit without a switch, an event that shows the same name but does not give it is still
 * about the old thread.
 *
 * When the buffers were read, the names of all threads were listed as well. The listed name of a
 * thread is used if no event contains its name. If a number was reused, the listed name belongs to
 * the last thread with this number. A thread that is neither in an event nor listed has no name.
 * Thread 0 is the idle thread of each CPU.
 *
 * When the events of a running kernel are followed, only the current names matter
 * (lkst_names_now()). Each thread then has the name that was learnt last, and at most ENDED_MAX
 * threads that have ended are remembered.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "names.h"

#define ENDED_MAX 4096
#define SHORT	  8 /* bytes of a name that fit in one argument */
#define TEXT_SIZE 72 /* an escaped name and the number of the thread */

_Static_assert(4 * (LKST_COMM_LEN - 1) + sizeof("-4294967295") <= TEXT_SIZE, "name-number");
_Static_assert(TEXT_SIZE >= PUT_SPARE, "put_spared()");

/* Kinds of observations. Those of the same time are sorted in this order. */
enum name_kind {
	GIVEN, /* the event gave the thread this name */
	SEEN,
	EXITING, /* no name: the thread is exiting, but further events may follow */
	EXITED, /* no name: no further events can follow */
};

struct observation {
	int64_t time_ns;
	int64_t until_ns; /* last time the name was seen, with no other name in between */
	char name[LKST_COMM_LEN]; /* 0-terminated */
	enum name_kind kind;
	bool cut; /* the name may be truncated */
};

struct thread {
	uint32_t tid;
	uint32_t tgid; /* process that the thread was last seen in; 0: the same as @tid */
	uint32_t num;
	uint32_t cap; /* always greater than @num */
	uint32_t at; /* where the last search ended, to speed up the next */
	struct observation *obs;
	char end[LKST_COMM_LEN]; /* name when the buffers were read, or the current name */
	bool ended; /* has ended; used with lkst_names_now() */
	uint8_t text_len;
	const char *text_of; /* the name that @text is made from; NULL: none */
	char text[TEXT_SIZE]; /* name-number, padded with spaces */
};

struct lkst_names {
	size_t num;
	size_t size; /* of the hash table, a power of two */
	struct thread **table;
	bool now; /* only current names are needed */
	size_t ended; /* number of threads that have ended */
};

/**
 * lkst_names_new() - make an empty set of names
 *
 * Return: NULL if an allocation fails.
 */
struct lkst_names *lkst_names_new(void)
{
	struct lkst_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->size = 1024;
	names->table = calloc(names->size, sizeof(*names->table));
	if (!names->table) {
		free(names);
		return NULL;
	}
	return names;
}

/**
 * lkst_names_now() - keep only the names at the time of the last event
 * @names: a names object to which no events have been added yet
 *
 * In this mode, lkst_names_finalize() is not needed.
 */
void lkst_names_now(struct lkst_names *names)
{
	names->now = true;
}

/**
 * lkst_names_free() - free names
 * @names: may be NULL
 */
void lkst_names_free(struct lkst_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->size; i++)
		if (names->table[i]) {
			free(names->table[i]->obs);
			free(names->table[i]);
		}
	free(names->table);
	free(names);
}

static size_t names_slot_of(const struct lkst_names *names, uint32_t tid)
{
	size_t i = (tid * 2654435769u) & (names->size - 1);

	while (names->table[i] && names->table[i]->tid != tid)
		i = (i + 1) & (names->size - 1);
	return i;
}

static int names_grow(struct lkst_names *names)
{
	struct thread **old = names->table;
	size_t size = names->size;

	names->table = calloc(size * 2, sizeof(*names->table));
	if (!names->table) {
		names->table = old;
		return -1;
	}
	names->size = size * 2;
	for (size_t i = 0; i < size; i++)
		if (old[i])
			names->table[names_slot_of(names, old[i]->tid)] = old[i];
	free(old);
	return 0;
}

/* Find or add a thread. The caller may change the thread's name, so forget the prepared text. */
static struct thread *names_thread_of(struct lkst_names *names, uint32_t tid)
{
	size_t i = names_slot_of(names, tid);

	if (names->table[i]) {
		names->table[i]->text_of = NULL;
		return names->table[i];
	}
	if (names->num * 2 >= names->size) {
		if (names_grow(names))
			return NULL;
		i = names_slot_of(names, tid);
	}
	names->table[i] = calloc(1, sizeof(struct thread));
	if (!names->table[i])
		return NULL;
	names->table[i]->tid = tid;
	names->num++;
	return names->table[i];
}

/* Rebuild the table without threads that have ended. */
static int names_drop_ended(struct lkst_names *names)
{
	struct thread **old = names->table;

	names->table = calloc(names->size, sizeof(*names->table));
	if (!names->table) {
		names->table = old;
		return -1;
	}
	for (size_t i = 0; i < names->size; i++) {
		if (old[i] && old[i]->ended) {
			free(old[i]);
			names->num--;
		} else if (old[i]) {
			names->table[names_slot_of(names, old[i]->tid)] = old[i];
		}
	}
	names->ended = 0;
	free(old);
	return 0;
}

static void names_set_ended(struct lkst_names *names, struct thread *thread, bool ended)
{
	names->ended += ended;
	names->ended -= thread->ended;
	thread->ended = ended;
}

/*
 * Learn the current name of a thread. @cut is true if @name may be truncated. @given is true if the
 * event reports that the thread got this name, false if it merely mentions the name.
 */
static int names_learn(struct lkst_names *names, uint32_t tid, const char *name, bool cut,
		       bool given)
{
	struct thread *thread = names_thread_of(names, tid);

	if (!thread)
		return -1;
	/*
	 * An event by which the thread got its name proves that the thread has not ended. An event
	 * that merely mentions the name may come from a thread that is exiting.
	 */
	if (given)
		names_set_ended(names, thread, false);
	if (!strncmp(thread->end, name, cut ? SHORT : LKST_COMM_LEN))
		return 0;
	names_set_ended(names, thread, false);
	memset(thread->end, 0, sizeof(thread->end));
	strncpy(thread->end, name, LKST_COMM_LEN - 1);
	return 0;
}

/* Mark a thread as ended. Its last events may still follow. */
static int names_learn_end(struct lkst_names *names, uint32_t tid)
{
	struct thread *thread;

	if (names->ended >= ENDED_MAX && names_drop_ended(names))
		return -1;
	thread = names_thread_of(names, tid);
	if (!thread)
		return -1;
	names_set_ended(names, thread, true);
	return 0;
}

static int names_append(struct thread *thread, const struct observation *obs)
{
	/* Keep room for one more observation, which names_close_last() may add. */
	if (thread->num + 2 > thread->cap) {
		uint32_t cap = thread->cap ? thread->cap * 2 : 2;
		struct observation *obs = realloc(thread->obs, cap * sizeof(*obs));

		if (!obs)
			return -1;
		thread->obs = obs;
		thread->cap = cap;
	}
	thread->obs[thread->num++] = *obs;
	return 0;
}

/*
 * Add an observation at the time when the thread's newest name was last seen. Buffers are read one
 * after the other, so another buffer may show a different name between the first and the last time
 * that this name was seen.
 */
static void names_close_last(struct thread *thread)
{
	struct observation *last = thread->num ? &thread->obs[thread->num - 1] : NULL;

	if (!last || last->until_ns <= last->time_ns)
		return;
	thread->obs[thread->num] = *last;
	last = &thread->obs[thread->num++];
	last->time_ns = last->until_ns;
	last->kind = SEEN;
}

static int names_observe(struct lkst_names *names, uint32_t tid, int64_t time_ns, const char *name,
			 bool cut, enum name_kind kind)
{
	struct observation obs = {
		.time_ns = time_ns, .until_ns = time_ns, .kind = kind, .cut = cut
	};
	struct thread *thread;
	struct observation *last;

	if (!tid || !*name)
		return 0;
	if (names->now)
		return names_learn(names, tid, name, cut, kind == GIVEN);
	thread = names_thread_of(names, tid);
	if (!thread)
		return -1;
	last = thread->num ? &thread->obs[thread->num - 1] : NULL;
	/*
	 * Common case: nothing new. An observation that the thread has ended has no name to match.
	 */
	if (last && kind == SEEN && last->time_ns <= time_ns &&
	    !strncmp(last->name, name, cut ? SHORT : LKST_COMM_LEN)) {
		if (last->until_ns < time_ns)
			last->until_ns = time_ns;
		return 0;
	}
	names_close_last(thread);
	strncpy(obs.name, name, LKST_COMM_LEN - 1);
	return names_append(thread, &obs);
}

static int names_observe_end(struct lkst_names *names, uint32_t tid, int64_t time_ns,
			     enum name_kind kind)
{
	const struct observation obs = { .time_ns = time_ns, .until_ns = time_ns, .kind = kind };
	struct thread *thread;

	if (tid && names->now)
		return names_learn_end(names, tid);
	thread = tid ? names_thread_of(names, tid) : NULL;
	if (!thread)
		return tid ? -1 : 0;
	names_close_last(thread);
	return names_append(thread, &obs);
}

/**
 * lkst_names_belongs() - learn which process a thread belongs to
 * @names: names
 * @tid: thread
 * @tgid: process
 *
 * Return: -1 if an allocation fails.
 */
int lkst_names_belongs(struct lkst_names *names, uint32_t tid, uint32_t tgid)
{
	struct thread *thread = tid != tgid ? names_thread_of(names, tid) : NULL;

	if (thread)
		thread->tgid = tgid;
	return thread || tid == tgid ? 0 : -1;
}

/**
 * lkst_names_process() - get the process that a thread belongs to
 * @names: names
 * @tid: thread
 *
 * Return: number of the process; @tid if the process is unknown.
 */
uint32_t lkst_names_process(const struct lkst_names *names, uint32_t tid)
{
	const struct thread *thread = names->table[names_slot_of(names, tid)];

	return thread && thread->tgid ? thread->tgid : tid;
}

/* Learn a name that is in a single argument. A name of 8 bytes may be truncated. */
static int names_observe_short(struct lkst_names *names, const struct lkst_event *event,
			       uint32_t tid, unsigned int arg)
{
	char name[33];

	lkst_event_text(event, arg, 1, name);
	return names_observe(names, tid, event->time_ns, name, strlen(name) == SHORT, SEEN);
}

static int names_observe_long(struct lkst_names *names, const struct lkst_event *event,
			      uint32_t tid, unsigned int arg, enum name_kind kind)
{
	char name[33];

	lkst_event_text(event, arg, 2, name);
	return names_observe(names, tid, event->time_ns, name, false, kind);
}

static int names_observe_switch(struct lkst_names *names, const struct lkst_event *event)
{
	uint32_t prev = event->arg[0] >> 32;
	char state = (char)event->arg[0];

	if (names_observe_short(names, event, prev, 2) ||
	    names_observe_short(names, event, event->arg[1] >> 32, 3))
		return -1;
	/* A dead thread or a zombie never runs again. */
	return state == 'X' || state == 'Z' ?
		       names_observe_end(names, prev, event->time_ns, EXITED) :
		       0;
}

static int names_observe_exec(struct lkst_names *names, const struct lkst_event *event)
{
	char path[33], *base;

	lkst_event_text(event, 1, 3, path);
	base = strrchr(path, '/');
	if (!base && strlen(path) == 24)
		return 0; /* the end of a long name, whose beginning is unknown */
	return names_observe(names, event->arg[0] >> 32, event->time_ns, base ? base + 1 : path,
			     false, GIVEN);
}

/**
 * lkst_names_observe() - learn the names in an event
 * @names: names
 * @event: event; pass the events of a buffer in order, one buffer after the other
 *
 * Return: -1 if an allocation fails.
 */
int lkst_names_observe(struct lkst_names *names, const struct lkst_event *event)
{
	uint32_t high = event->arg[0] >> 32, low = (uint32_t)event->arg[0];

	if (lkst_names_belongs(names, event->tid, event->tgid))
		return -1;
	if ((event->type == LKST_ETYPE_PROCESS_FORK || event->type == LKST_ETYPE_PROCESS_STATE) &&
	    lkst_names_belongs(names, high, low))
		return -1;
	switch (event->type) {
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
		return names_observe_switch(names, event);
	case LKST_ETYPE_PROCESS_WAKEUP:
	case LKST_ETYPE_PROCESS_WAKING:
	case LKST_ETYPE_PROCESS_STATE:
		return names_observe_long(names, event, high, 2, SEEN);
	case LKST_ETYPE_PROCESS_LTHREADGEN:
		return names_observe_long(names, event, event->tid, 2, SEEN);
	case LKST_ETYPE_PROCESS_SIGSEND:
		return names_observe_short(names, event, event->arg[1] >> 32, 3);
	case LKST_ETYPE_PROCESS_EXIT:
		if (names_observe_short(names, event, high, 2))
			return -1;
		return names_observe_end(names, high, event->time_ns, EXITING);
	case LKST_ETYPE_PROCESS_FORK:
		return names_observe_long(names, event, high, 2, GIVEN);
	case LKST_ETYPE_PROCESS_RENAME:
		return names_observe_long(names, event, low, 1, GIVEN);
	case LKST_ETYPE_PROCESS_EXEC:
		return names_observe_exec(names, event);
	}
	return 0;
}

/**
 * lkst_names_at_end() - learn a name that a thread had when the buffers were read
 * @names: names
 * @tid: thread
 * @name: only the first 15 bytes are used
 *
 * Return: -1 if an allocation fails.
 */
int lkst_names_at_end(struct lkst_names *names, uint32_t tid, const char *name)
{
	struct thread *thread = tid ? names_thread_of(names, tid) : NULL;

	if (!thread)
		return tid ? -1 : 0;
	strncpy(thread->end, name, LKST_COMM_LEN - 1);
	return 0;
}

static int names_by_time(const void *a, const void *b)
{
	const struct observation *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

/* Return whether @next only confirms @last. If so, complete a truncated name in @last. */
static bool names_continues(struct observation *last, const struct observation *next)
{
	if (!strcmp(last->name, next->name))
		return true;
	if (next->cut && !strncmp(last->name, next->name, SHORT))
		return true;
	if (last->cut && next->kind != GIVEN && !strncmp(last->name, next->name, SHORT)) {
		memcpy(last->name, next->name, LKST_COMM_LEN);
		last->cut = false;
		return true;
	}
	return false;
}

/*
 * Keep one observation for each name, with the time from which the name is valid. Returns the
 * observation that ended the thread; its kind is SEEN if the thread did not end.
 */
static struct observation names_merge(struct thread *thread)
{
	struct observation end = { .kind = SEEN }; /* the thread did not end */
	uint32_t n = 0;

	for (uint32_t i = 0; i < thread->num; i++) {
		struct observation next = thread->obs[i];

		if (next.kind >= EXITING) {
			end = next;
			continue;
		}
		if (n && end.kind != EXITED && names_continues(&thread->obs[n - 1], &next)) {
			/*
			 * A thread that is exiting is not named again, so this name belongs to a
			 * new thread with the same ID.
			 */
			if (next.kind == GIVEN)
				end.kind = SEEN;
			continue;
		}
		if (end.kind >= EXITING && next.kind == SEEN && next.time_ns > end.time_ns)
			next.time_ns = end.time_ns + 1;
		end.kind = SEEN;
		thread->obs[n++] = next;
	}
	thread->num = n;
	return end;
}

static void names_finalize(struct thread *thread)
{
	struct observation end, *last, listed = { .kind = SEEN };

	thread->text_of = NULL;
	if (!thread->num)
		return;
	names_close_last(thread);
	qsort(thread->obs, thread->num, sizeof(*thread->obs), names_by_time);
	end = names_merge(thread);
	thread->at = 0;
	if (!thread->num)
		return;
	if (thread->obs[0].kind != GIVEN)
		thread->obs[0].time_ns = INT64_MIN;
	if (!*thread->end)
		return;
	memcpy(listed.name, thread->end, LKST_COMM_LEN);
	last = &thread->obs[thread->num - 1];
	if (end.kind != EXITED && last->cut && names_continues(last, &listed))
		return;
	if (end.kind < EXITING)
		return;
	listed.time_ns = end.time_ns + 1;
	thread->obs[thread->num++] = listed;
}

/**
 * lkst_names_finalize() - prepare for lookups; call it after the last observation
 * @names: names
 */
void lkst_names_finalize(struct lkst_names *names)
{
	for (size_t i = 0; i < names->size; i++)
		if (names->table[i])
			names_finalize(names->table[i]);
}

static const char *names_name_at(struct thread *thread, int64_t time_ns)
{
	if (!thread->num)
		return *thread->end ? thread->end : NULL;
	while (thread->at + 1 < thread->num && thread->obs[thread->at + 1].time_ns <= time_ns)
		thread->at++;
	while (thread->at > 0 && thread->obs[thread->at].time_ns > time_ns)
		thread->at--;
	if (thread->obs[thread->at].time_ns > time_ns)
		return NULL;
	return thread->obs[thread->at].name;
}

/**
 * lkst_names_get() - get the name of a thread
 * @names: after lkst_names_finalize()
 * @tid: thread, not 0
 * @time_ns: time at which the thread had the name; lookups are fastest if the times of consecutive
 *	calls only increase, or only decrease
 *
 * Return: the name, valid until @names is freed; NULL if it is unknown.
 */
const char *lkst_names_get(struct lkst_names *names, uint32_t tid, int64_t time_ns)
{
	struct thread *thread = names->table[names_slot_of(names, tid)];

	return thread ? names_name_at(thread, time_ns) : NULL;
}

/**
 * lkst_names_next() - iterate over the threads that have a name
 * @names: names
 * @at: iterator; 0 at first
 *
 * Return: the last name of the next thread; NULL at the end.
 */
const char *lkst_names_next(const struct lkst_names *names, size_t *at)
{
	while (*at < names->size) {
		const struct thread *thread = names->table[(*at)++];

		if (thread && thread->num)
			return thread->obs[thread->num - 1].name;
		if (thread && *thread->end)
			return thread->end;
	}
	return NULL;
}

static void names_set_text(struct thread *thread, const char *name)
{
	char *p = thread->text;

	thread->text_of = name;
	memset(p, ' ', TEXT_SIZE);
	p = put_printable(p, name, strlen(name));
	p = put_udec(put_char(p, '-'), thread->tid);
	thread->text_len = (uint8_t)(p - thread->text);
}

/**
 * lkst_names_text() - format a thread as name-number
 * @names: as for lkst_names_get()
 * @tid: thread, not 0
 * @time_ns: time at which the thread had the name
 * @len: set to the length in bytes
 *
 * Return: text, padded with spaces for put_spared(), valid until the next call for the thread; NULL
 * if the name is unknown.
 */
const char *lkst_names_text(struct lkst_names *names, uint32_t tid, int64_t time_ns, size_t *len)
{
	struct thread *thread = names->table[names_slot_of(names, tid)];
	const char *name = thread ? names_name_at(thread, time_ns) : NULL;

	if (!name)
		return NULL;
	if (name != thread->text_of)
		names_set_text(thread, name);
	*len = thread->text_len;
	return thread->text;
}
