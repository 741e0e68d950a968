// SPDX-License-Identifier: LGPL-2.1
/*
 * Process names, right at the time of each record.
 *
 * Every event that tells a thread's name is an observation (time, name). An
 * observation holds from its time to the next one of the same thread. Events that
 * give the thread a name (fork, exec, rename) begin something new; the others only
 * saw what was already so, and the first of a thread therefore holds for the time
 * before it as well. Of some events only the first 8 bytes are known: a later, longer
 * name that begins with them completes them.
 *
 * Thread numbers are used again. A thread is gone after the switch that it does not
 * come back from, or, where switches are not recorded, after its exit; what is seen
 * next under its number has been there ever since.
 *
 * Names that the kernel listed when the trace was read out serve threads of which no
 * event told the name, and numbers whose last owner in the trace has gone. A thread
 * that is still unknown has no name; thread 0 is each CPU's idle thread.
 *
 * Who follows a kernel asks for the time of the last event only. Then the names are those that
 * were learnt last (lkst_names_now()), and of threads that have ended no more is kept than
 * ENDED_MAX.
 */
#include <stdlib.h>
#include <string.h>

#include "etype_ids.h"
#include "liblkst.h"
#include "put.h"

#define ENDED_MAX 4096
#define SHORT	  8 /* bytes of a name that one argument has room for */
#define TEXT_SIZE 72 /* a name that is escaped, and its number */

_Static_assert(4 * (LKST_COMM_LEN - 1) + sizeof("-4294967295") <= TEXT_SIZE, "name-number");
_Static_assert(TEXT_SIZE >= PUT_SPARE, "put_spared()");

/* In the order in which they count when they are of the same time. */
enum kind {
	GIVEN, /* by this event: it was another name before */
	SEEN,
	ENDED, /* no name: the thread's exit, something may follow yet */
	GONE, /* no name: nothing can follow */
};

struct observation {
	int64_t time_ns;
	int64_t until_ns; /* seen again up to then, without another name in between */
	char name[LKST_COMM_LEN]; /* ends with 0 */
	enum kind kind;
	bool cut; /* there may be more of it */
};

struct thread {
	uint32_t tid;
	uint32_t tgid; /* the process it was last seen to belong to; 0: itself */
	uint32_t num;
	uint32_t cap; /* always more */
	uint32_t at; /* where the last search ended */
	struct observation *obs;
	char end[LKST_COMM_LEN]; /* name when the trace was read out; or now */
	bool ended; /* now */
	uint8_t text_len;
	const char *text_of; /* the name that @text has; NULL: none */
	char text[TEXT_SIZE]; /* name-number, and blanks */
};

struct lkst_names {
	size_t num;
	size_t size; /* of the table, a power of two */
	struct thread **table;
	bool now; /* names of now only */
	size_t ended; /* threads that are */
};

/**
 * lkst_names_new() - names, none known yet
 *
 * Return: NULL when there is no memory.
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
 * lkst_names_now() - from now on only the names of the last event's time will be asked for
 * @names: names without events yet
 *
 * They need not be settled then.
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

static int grow(struct lkst_names *names)
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

/* What is learnt of it may be another name. */
static struct thread *thread_of(struct lkst_names *names, uint32_t tid)
{
	size_t i = names_slot_of(names, tid);

	if (names->table[i]) {
		names->table[i]->text_of = NULL;
		return names->table[i];
	}
	if (names->num * 2 >= names->size) {
		if (grow(names))
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

/* Drop the threads that have ended: a table without them. */
static int drop_ended(struct lkst_names *names)
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

static void set_ended(struct lkst_names *names, struct thread *thread, bool ended)
{
	names->ended += ended;
	names->ended -= thread->ended;
	thread->ended = ended;
}

/* A name that is true now. */
static int learn(struct lkst_names *names, uint32_t tid, const char *name, bool cut, bool given)
{
	struct thread *thread = thread_of(names, tid);

	if (!thread)
		return -1;
	/* What only saw it may be on its way out. */
	if (given)
		set_ended(names, thread, false);
	if (!strncmp(thread->end, name, cut ? SHORT : LKST_COMM_LEN))
		return 0;
	set_ended(names, thread, false);
	memset(thread->end, 0, sizeof(thread->end));
	strncpy(thread->end, name, LKST_COMM_LEN - 1);
	return 0;
}

/* Its last events are still to come. */
static int learn_end(struct lkst_names *names, uint32_t tid)
{
	struct thread *thread;

	if (names->ended >= ENDED_MAX && drop_ended(names))
		return -1;
	thread = thread_of(names, tid);
	if (!thread)
		return -1;
	set_ended(names, thread, true);
	return 0;
}

static int append(struct thread *thread, const struct observation *what)
{
	/* One more for close_last(). */
	if (thread->num + 2 > thread->cap) {
		uint32_t cap = thread->cap ? thread->cap * 2 : 2;
		struct observation *obs = realloc(thread->obs, cap * sizeof(*obs));

		if (!obs)
			return -1;
		thread->obs = obs;
		thread->cap = cap;
	}
	thread->obs[thread->num++] = *what;
	return 0;
}

/*
 * The buffers come one after the other: another one may tell of another name between the
 * first time and the last that a name was seen. Then the last one counts again.
 */
static void close_last(struct thread *thread)
{
	struct observation *last = thread->num ? &thread->obs[thread->num - 1] : NULL;

	if (!last || last->until_ns <= last->time_ns)
		return;
	thread->obs[thread->num] = *last;
	last = &thread->obs[thread->num++];
	last->time_ns = last->until_ns;
	last->kind = SEEN;
}

static int observe(struct lkst_names *names, uint32_t tid, int64_t time_ns, const char *name,
		   bool cut, enum kind kind)
{
	struct observation what = {
		.time_ns = time_ns, .until_ns = time_ns, .kind = kind, .cut = cut
	};
	struct thread *thread;
	struct observation *last;

	if (!tid || !*name)
		return 0;
	if (names->now)
		return learn(names, tid, name, cut, kind == GIVEN);
	thread = thread_of(names, tid);
	if (!thread)
		return -1;
	last = thread->num ? &thread->obs[thread->num - 1] : NULL;
	/* The usual case by far: nothing new. A thread that is gone has no name to compare. */
	if (last && kind == SEEN && last->time_ns <= time_ns &&
	    !strncmp(last->name, name, cut ? SHORT : LKST_COMM_LEN)) {
		if (last->until_ns < time_ns)
			last->until_ns = time_ns;
		return 0;
	}
	close_last(thread);
	strncpy(what.name, name, LKST_COMM_LEN - 1);
	return append(thread, &what);
}

static int observe_end(struct lkst_names *names, uint32_t tid, int64_t time_ns, enum kind kind)
{
	const struct observation what = { .time_ns = time_ns, .until_ns = time_ns, .kind = kind };
	struct thread *thread;

	if (tid && names->now)
		return learn_end(names, tid);
	thread = tid ? thread_of(names, tid) : NULL;
	if (!thread)
		return tid ? -1 : 0;
	close_last(thread);
	return append(thread, &what);
}

/**
 * lkst_names_belongs() - learn which process a thread belongs to
 * @names: names
 * @tid: thread
 * @tgid: process
 *
 * Return: -1 when there is no memory.
 */
int lkst_names_belongs(struct lkst_names *names, uint32_t tid, uint32_t tgid)
{
	struct thread *thread = tid != tgid ? thread_of(names, tid) : NULL;

	if (thread)
		thread->tgid = tgid;
	return thread || tid == tgid ? 0 : -1;
}

/**
 * lkst_names_process() - the process that a thread belongs to
 * @names: names
 * @tid: thread
 *
 * Return: its number; @tid where no other is known.
 */
uint32_t lkst_names_process(const struct lkst_names *names, uint32_t tid)
{
	const struct thread *thread = names->table[names_slot_of(names, tid)];

	return thread && thread->tgid ? thread->tgid : tid;
}

/* A name of one argument: 8 bytes that may be all of it or not. */
static int observe_short(struct lkst_names *names, const struct lkst_event *event, uint32_t tid,
			 unsigned int arg)
{
	char name[33];

	lkst_event_text(event, arg, 1, name);
	return observe(names, tid, event->time_ns, name, strlen(name) == SHORT, SEEN);
}

static int observe_long(struct lkst_names *names, const struct lkst_event *event, uint32_t tid,
			unsigned int arg, enum kind kind)
{
	char name[33];

	lkst_event_text(event, arg, 2, name);
	return observe(names, tid, event->time_ns, name, false, kind);
}

static int observe_switch(struct lkst_names *names, const struct lkst_event *event)
{
	uint32_t prev = event->arg[0] >> 32;
	char state = (char)event->arg[0];

	if (observe_short(names, event, prev, 2) ||
	    observe_short(names, event, event->arg[1] >> 32, 3))
		return -1;
	/* Dead or a zombie: it never runs again. */
	return state == 'X' || state == 'Z' ? observe_end(names, prev, event->time_ns, GONE) : 0;
}

static int observe_exec(struct lkst_names *names, const struct lkst_event *event)
{
	char path[33], *base;

	lkst_event_text(event, 1, 3, path);
	base = strrchr(path, '/');
	if (!base && strlen(path) == 24)
		return 0; /* the end of a long name: its beginning is not known */
	return observe(names, event->arg[0] >> 32, event->time_ns, base ? base + 1 : path, false,
		       GIVEN);
}

/**
 * lkst_names_observe() - learn the names that an event tells
 * @names: names
 * @event: events of one buffer in order; the buffers one after the other
 *
 * Return: -1 when there is no memory.
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
		return observe_switch(names, event);
	case LKST_ETYPE_PROCESS_WAKEUP:
	case LKST_ETYPE_PROCESS_STATE:
		return observe_long(names, event, high, 2, SEEN);
	case LKST_ETYPE_PROCESS_LTHREADGEN:
		return observe_long(names, event, event->tid, 2, SEEN);
	case LKST_ETYPE_PROCESS_SIGSEND:
		return observe_short(names, event, event->arg[1] >> 32, 3);
	case LKST_ETYPE_PROCESS_EXIT:
		if (observe_short(names, event, high, 2))
			return -1;
		return observe_end(names, high, event->time_ns, ENDED);
	case LKST_ETYPE_PROCESS_FORK:
		return observe_long(names, event, high, 2, GIVEN);
	case LKST_ETYPE_PROCESS_RENAME:
		return observe_long(names, event, low, 1, GIVEN);
	case LKST_ETYPE_PROCESS_EXEC:
		return observe_exec(names, event);
	}
	return 0;
}

/**
 * lkst_names_at_end() - learn a name that was true when the trace was read out
 * @names: names
 * @tid: thread
 * @name: at most 15 bytes count
 *
 * Return: -1 when there is no memory.
 */
int lkst_names_at_end(struct lkst_names *names, uint32_t tid, const char *name)
{
	struct thread *thread = tid ? thread_of(names, tid) : NULL;

	if (!thread)
		return tid ? -1 : 0;
	strncpy(thread->end, name, LKST_COMM_LEN - 1);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct observation *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

/* Does next say no more than that last still holds? Then last may learn its end. */
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

/* Only names remain, each with the time from which on it holds. Returns the thread's end. */
static struct observation names_merge(struct thread *thread)
{
	struct observation end = { .kind = SEEN }; /* it did not end */
	uint32_t n = 0;

	for (uint32_t i = 0; i < thread->num; i++) {
		struct observation next = thread->obs[i];

		if (next.kind >= ENDED) {
			end = next;
			continue;
		}
		if (n && end.kind != GONE && names_continues(&thread->obs[n - 1], &next)) {
			/* What is on its way out is given no name. */
			if (next.kind == GIVEN)
				end.kind = SEEN;
			continue;
		}
		if (end.kind >= ENDED && next.kind == SEEN && next.time_ns > end.time_ns)
			next.time_ns = end.time_ns + 1;
		end.kind = SEEN;
		thread->obs[n++] = next;
	}
	thread->num = n;
	return end;
}

static void settle(struct thread *thread)
{
	struct observation end, *last, listed = { .kind = SEEN };

	thread->text_of = NULL;
	if (!thread->num)
		return;
	close_last(thread);
	qsort(thread->obs, thread->num, sizeof(*thread->obs), by_time);
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
	if (end.kind != GONE && last->cut && names_continues(last, &listed))
		return;
	if (end.kind < ENDED)
		return;
	listed.time_ns = end.time_ns + 1;
	thread->obs[thread->num++] = listed;
}

/**
 * lkst_names_finalize() - after the last observation, before the first question
 * @names: names
 */
void lkst_names_finalize(struct lkst_names *names)
{
	for (size_t i = 0; i < names->size; i++)
		if (names->table[i])
			settle(names->table[i]);
}

static const char *name_at(struct thread *thread, int64_t time_ns)
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
 * lkst_names_get() - what a thread was called
 * @names: after lkst_names_finalize()
 * @tid: thread, not 0
 * @time_ns: when; quickest when asked in order, either way
 *
 * Return: the name, NULL when it is not known. Good until @names is freed.
 */
const char *lkst_names_get(struct lkst_names *names, uint32_t tid, int64_t time_ns)
{
	struct thread *thread = names->table[names_slot_of(names, tid)];

	return thread ? name_at(thread, time_ns) : NULL;
}

/**
 * lkst_names_next() - go through the threads that have a name
 * @names: names
 * @at: 0 at first; where to go on
 *
 * Return: the last name that a thread had; NULL when there is no more thread.
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

static void set_text(struct thread *thread, const char *name)
{
	char *p = thread->text;

	thread->text_of = name;
	memset(p, ' ', TEXT_SIZE);
	p = put_printable(p, name, strlen(name));
	p = put_udec(put_char(p, '-'), thread->tid);
	thread->text_len = (uint8_t)(p - thread->text);
}

/**
 * lkst_names_text() - a thread as it is printed, name-number
 * @names: as for lkst_names_get()
 * @tid: likewise
 * @time_ns: likewise
 * @len: bytes of it
 *
 * Return: text with blanks behind it, as put_spared() takes it, NULL when the name is not known. Good
 * until the next question about the thread.
 */
const char *lkst_names_text(struct lkst_names *names, uint32_t tid, int64_t time_ns, size_t *len)
{
	struct thread *thread = names->table[names_slot_of(names, tid)];
	const char *name = thread ? name_at(thread, time_ns) : NULL;

	if (!name)
		return NULL;
	if (name != thread->text_of)
		set_text(thread, name);
	*len = thread->text_len;
	return thread->text;
}
