// SPDX-License-Identifier: GPL-2.0
/*
 * Would the comparison notice? Part of what was recorded is compared again and again, each
 * time with one record of LKST's damaged, and the verdict must name just that.
 */
#include "oracle.h"
#include "tap.h"

/* How much: from one context switch to another, where both traces have a clean edge. */
#define PART_SWITCHES	3000

/**
 * struct damage - what is done to a trace, and how that shows
 * @name: for people
 * @fits: whether it can be done there
 * @apply: do it there
 * @missing: records that are missing then; -1: that are too many
 * @order: only the order is wrong
 */
struct damage {
	const char *name;
	bool (*fits)(const struct trace *trace, size_t at);
	void (*apply)(struct trace *trace, size_t at);
	int missing;
	bool order;
};

static void swap(struct trace *trace, size_t at)
{
	struct event event = trace->events[at];

	trace->events[at] = trace->events[at + 1];
	trace->events[at + 1] = event;
}

static void leave_out(struct trace *trace, size_t at)
{
	trace->num--;
	memmove(&trace->events[at], &trace->events[at + 1],
		(trace->num - at) * sizeof(*trace->events));
}

static void repeat(struct trace *trace, size_t at)
{
	memmove(&trace->events[at + 1], &trace->events[at],
		(trace->num - at) * sizeof(*trace->events));
	trace->num++;
}

static bool anywhere(const struct trace *trace, size_t at)
{
	(void)trace;
	(void)at;
	return true;
}

static bool same_arguments(const struct event *a, const struct event *b)
{
	return !memcmp(a->arg, b->arg, sizeof(a->arg));
}

/* Two neighbours in the same context, of different kinds. */
static bool different_kinds(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context == b->context && a->kind != b->kind;
}

/* Two neighbours of the same kind, that can be told apart. */
static bool same_kind(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context == b->context && a->kind == b->kind && a->kind != NMI &&
	       !same_arguments(a, b);
}

/* An interrupt begins, and the record before it is of the same thread. */
static bool before_interrupt(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context < b->context && a->thread == b->thread && b->kind == HARDWARE_ENTRY;
}

/* An interrupt ends. */
static bool after_interrupt(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context > b->context && a->thread == b->thread && kinds[a->kind].nesting < 0;
}

#define CHANGE(name, change)                                                                       \
	static void change_##name(struct trace *trace, size_t at)                                  \
	{                                                                                          \
		struct event *event = &trace->events[at];                                          \
                                                                                                   \
		change;                                                                            \
	}

CHANGE(arg1_high, event->arg[0] ^= 1UL << 32)
CHANGE(arg1_low, event->arg[0] ^= 1)
CHANGE(arg2, event->arg[1] ^= 1UL << 40)
CHANGE(arg3, event->arg[2] ^= 1)
CHANGE(arg4, event->arg[3] ^= 1UL << 55)
CHANGE(thread, event->thread += 1 << 24)
CHANGE(process, event->process += 1 << 24)
CHANGE(preempt_off, event->preempt_off ^= 1)
CHANGE(context, event->context ^= IN_HARDIRQ)
CHANGE(kind, event->kind = event->kind == RENAME ? MIGRATE : RENAME)

static bool is_switch(const struct trace *trace, size_t at)
{
	return trace->events[at].kind == SWITCH;
}

static bool is_irq(const struct trace *trace, size_t at)
{
	return trace->events[at].kind == HARDWARE_ENTRY;
}

static const struct damage damages[] = {
	{ "a record twice", anywhere, repeat, -1 },
	{ "two records swapped", different_kinds, swap, .order = true },
	{ "two records of a kind swapped", same_kind, swap },
	{ "the beginning of an interrupt too early", before_interrupt, swap, .order = true },
	{ "the end of an interrupt too late", after_interrupt, swap, .order = true },
	{ "a changed upper half of argument 1", is_switch, change_arg1_high },
	{ "a changed lower half of argument 1", is_switch, change_arg1_low },
	{ "a changed argument 2", is_switch, change_arg2 },
	{ "a changed argument 3", is_switch, change_arg3 },
	{ "a changed argument 4", is_irq, change_arg4 },
	{ "another thread", anywhere, change_thread },
	{ "another process", anywhere, change_process },
	{ "preemption off", anywhere, change_preempt_off },
	{ "another context", anywhere, change_context },
	{ "another event type", anywhere, change_kind },
};

static size_t find_switch(const struct trace *trace, size_t nth)
{
	size_t i;

	for (i = 0; i < trace->num; i++)
		if (trace->events[i].kind == SWITCH && !nth--)
			break;
	return i;
}

/* A copy, with room for a record more, from one context switch to another. */
static struct trace part(const struct trace *trace, size_t from, size_t to)
{
	size_t start = find_switch(trace, from), end = find_switch(trace, to);
	struct trace copy = { .num = end - start, .room = end - start + 1 };

	copy.events = malloc(copy.room * sizeof(*copy.events));
	if (!copy.events)
		bail_out("memory");
	memcpy(copy.events, &trace->events[start], copy.num * sizeof(*copy.events));
	return copy;
}

/*
 * Records that cannot be paired are not looked at for their order; and of several that are
 * alike, one that is missing makes the others look as if they came too late.
 */
static bool shows(const struct trace *lkst, const struct trace *ftrace, const struct damage *damage)
{
	struct verdict *verdict = calloc(1, sizeof(*verdict));
	bool different = false, result;
	int missing = 0, kind;

	if (!verdict)
		bail_out("memory");
	compare(verdict, 0, lkst, ftrace);
	for (kind = 0; kind < KINDS; kind++) {
		missing += verdict->missing[kind] - verdict->extra[kind];
		different |= differences(verdict, kind) > 0;
	}
	if (damage->order)
		result = !different && verdict->misplaced;
	else
		result = different && missing == damage->missing;
	free(verdict);
	return result;
}

static bool try(const struct trace *lkst, const struct trace *ftrace, const struct damage *damage,
		size_t at)
{
	struct trace copy = { .num = lkst->num };
	bool noticed;

	copy.events = malloc((lkst->num + 1) * sizeof(*copy.events));
	if (!copy.events)
		bail_out("memory");
	memcpy(copy.events, lkst->events, lkst->num * sizeof(*copy.events));
	damage->apply(&copy, at);
	noticed = shows(&copy, ftrace, damage);
	free(copy.events);
	return noticed;
}

/* In the middle or after it, else before it. False also if it cannot be done at all. */
static bool try_in_the_middle(const struct trace *lkst, const struct trace *ftrace,
			      const struct damage *damage)
{
	size_t at;

	for (at = lkst->num / 2; at + 1 < lkst->num; at++)
		if (damage->fits(lkst, at))
			return try(lkst, ftrace, damage, at);
	for (at = lkst->num / 2; at--;)
		if (damage->fits(lkst, at))
			return try(lkst, ftrace, damage, at);
	return false;
}

/* One record of each kind left out. */
static bool try_each_kind(const struct trace *lkst, const struct trace *ftrace)
{
	static const struct damage missing = { .apply = leave_out, .missing = 1 };
	bool noticed = true;
	size_t at;
	int kind;

	for (kind = 0; kind < KINDS; kind++)
		for (at = lkst->num / 3; at < lkst->num; at++)
			if (lkst->events[at].kind == kind) {
				noticed &= try(lkst, ftrace, &missing, at);
				break;
			}
	return noticed;
}

void selftest(const struct trace *lkst, const struct trace *ftrace,
	      void (*report)(bool noticed, const char *damage))
{
	struct trace l = part(lkst, PART_SWITCHES, 2 * PART_SWITCHES);
	struct trace f = part(ftrace, PART_SWITCHES, 2 * PART_SWITCHES);
	unsigned int i;

	report(try_each_kind(&l, &f), "a record left out, of each kind");
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++)
		report(try_in_the_middle(&l, &f, &damages[i]), damages[i].name);
	free(l.events);
	free(f.events);
}
