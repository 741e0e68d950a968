// SPDX-License-Identifier: GPL-2.0
/*
 * Would the comparison notice? What was recorded is compared again and again, with a record of each
 * kind damaged, or with one record damaged in one way or another: the verdict must name just that.
 */
#include "oracle.h"
#include "tap.h"

/**
 * struct damage - what is done to a trace, and how that shows
 * @name: for people
 * @fits: whether it can be done there
 * @apply: do it there
 * @missing: records that are missing then; -1: that are too many
 * @order: only the order is wrong
 * @interrupts: needs kinds that end an interrupt
 */
struct damage {
	const char *name;
	bool (*fits)(const struct trace *trace, size_t at);
	void (*apply)(struct trace *trace, size_t at);
	int missing;
	bool order;
	bool interrupts;
};

static void swap(struct trace *trace, size_t at)
{
	struct event event = trace->events[at];

	trace->events[at] = trace->events[at + 1];
	trace->events[at + 1] = event;
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

	return a->context < b->context && a->thread == b->thread;
}

/* An interrupt ends. */
static bool after_interrupt(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context > b->context && a->thread == b->thread && kinds[a->kind].nesting < 0;
}

#define CHANGE(name, change)                                      \
	static void change_##name(struct trace *trace, size_t at) \
	{                                                         \
		struct event *event = &trace->events[at];         \
                                                                  \
		change;                                           \
	}

CHANGE(thread, event->thread += 1 << 24)
CHANGE(process, event->process += 1 << 24)
CHANGE(preempt_off, event->preempt_off ^= 1)
CHANGE(context, event->context ^= IN_HARDIRQ)
CHANGE(kind, event->kind = event->kind == RENAME ? MIGRATE : RENAME)

static const struct damage damages[] = {
	{ "a record twice", anywhere, repeat, -1 },
	{ "two records swapped", different_kinds, swap, .order = true },
	{ "two records of a kind swapped", same_kind, swap },
	{ "the beginning of an interrupt too early", before_interrupt, swap, .order = true },
	{ "the end of an interrupt too late", after_interrupt, swap, .order = true,
	  .interrupts = true },
	{ "another thread", anywhere, change_thread },
	{ "another process", anywhere, change_process },
	{ "preemption off", anywhere, change_preempt_off },
	{ "another context", anywhere, change_context },
	{ "another event type", anywhere, change_kind },
};

/* With room for a record more. */
static struct trace copy_of(const struct trace *trace)
{
	struct trace copy = { .num = trace->num };

	copy.events = malloc((trace->num + 1) * sizeof(*copy.events));
	if (!copy.events)
		bail_out("memory");
	memcpy(copy.events, trace->events, trace->num * sizeof(*copy.events));
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
	struct trace copy = copy_of(lkst);
	bool noticed;

	damage->apply(&copy, at);
	noticed = shows(&copy, ftrace, damage);
	free(copy.events);
	return noticed;
}

/*
 * From the middle on, then from the beginning, at the first few places that fit: where a record that was
 * interrupted between the two tracers has moved over the interrupt, damage may put it right.
 */
#define PLACES 10

static bool try_places(const struct trace *lkst, const struct trace *ftrace,
		       const struct damage *damage, bool *fits)
{
	unsigned int tried = 0;
	bool noticed = false;
	size_t i;

	for (i = 0; i < lkst->num && tried < PLACES && !noticed; i++) {
		size_t at = (i + lkst->num / 2) % lkst->num;

		if (at + 1 == lkst->num || !damage->fits(lkst, at))
			continue;
		tried++;
		noticed = try(lkst, ftrace, damage, at);
	}
	*fits = tried;
	return noticed;
}

/* On the first CPU where it can be done; false also if there is none. */
static bool try_somewhere(const struct trace lkst[ORACLE_CPUS],
			  const struct trace ftrace[ORACLE_CPUS], const struct damage *damage)
{
	bool fits = false, noticed = false;
	int cpu;

	for (cpu = 0; cpu < ORACLE_CPUS && !fits; cpu++)
		noticed = try_places(&lkst[cpu], &ftrace[cpu], damage, &fits);
	return noticed;
}

static bool has_interrupts(const struct trace *trace)
{
	size_t i;

	for (i = 0; i < trace->num; i++)
		if (kinds[trace->events[i].kind].nesting < 0)
			return true;
	return false;
}

/* In which kinds the two differ. */
static void find_different(bool different[KINDS], const struct trace *lkst,
			   const struct trace *ftrace)
{
	struct verdict *verdict = calloc(1, sizeof(*verdict));
	int kind;

	if (!verdict)
		bail_out("memory");
	compare(verdict, 0, lkst, ftrace);
	for (kind = 0; kind < KINDS; kind++)
		different[kind] = differences(verdict, kind) > 0;
	free(verdict);
}

static bool found_all(const bool damaged[KINDS], const bool found[KINDS], const char *what)
{
	bool good = true;
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		if (damaged[kind] == found[kind])
			continue;
		diag("%s of %s: %s", what, kinds[kind].plural,
		     found[kind] ? "found though there is none" : "not found");
		good = false;
	}
	return good;
}

/* From a third on, then from the beginning. */
#define for_each_from_third(i, at, trace) \
	for (i = 0; i < (trace)->num && (at = (i + (trace)->num / 3) % (trace)->num, true); i++)

/* One record of each kind left out of LKST's trace. */
static bool try_missing(const struct trace *lkst, const struct trace *ftrace)
{
	bool damaged[KINDS] = {}, found[KINDS];
	struct trace copy = copy_of(lkst);
	size_t i, at;

	for_each_from_third(i, at, lkst) if (!damaged[lkst->events[at].kind])
	{
		damaged[lkst->events[at].kind] = true;
		copy.events[at].kind = KINDS;
	}
	copy.num = 0;
	for (i = 0; i < lkst->num; i++)
		if (copy.events[i].kind < KINDS)
			copy.events[copy.num++] = copy.events[i];
	find_different(found, &copy, ftrace);
	free(copy.events);
	return found_all(damaged, found, "a missing record");
}

/*
 * A bit of one half of an argument, in a record of each kind, where ftrace knows that half: so it is
 * its trace which is damaged.
 */
static bool try_half(const struct trace *lkst, const struct trace *ftrace, unsigned int half)
{
	bool damaged[KINDS] = {}, found[KINDS];
	struct trace copy = copy_of(ftrace);
	char what[64];
	size_t i, at;

	for_each_from_third(i, at, ftrace)
	{
		struct event *event = &copy.events[at];

		if (damaged[event->kind] || event->unknown & 1 << half)
			continue;
		damaged[event->kind] = true;
		event->arg[half / 2] ^= half % 2 ? 1UL << 45 : 1UL << 4;
	}
	find_different(found, lkst, &copy);
	free(copy.events);
	snprintf(what, sizeof(what), "a change in the %s half of argument %u",
		 half % 2 ? "upper" : "lower", half / 2 + 1);
	return found_all(damaged, found, what);
}

void selftest(const struct trace lkst[ORACLE_CPUS], const struct trace ftrace[ORACLE_CPUS],
	      void (*report)(bool noticed, const char *damage))
{
	bool missing = true, halves = true;
	unsigned int half, i;
	int cpu;

	for (cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		missing &= try_missing(&lkst[cpu], &ftrace[cpu]);
		for (half = 0; half < 8; half++)
			halves &= try_half(&lkst[cpu], &ftrace[cpu], half);
	}
	report(missing, "a record left out, of each kind");
	report(halves, "a bit changed, in each half of each argument, of each kind");
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++)
		if (!damages[i].interrupts || has_interrupts(&lkst[0]))
			report(try_somewhere(lkst, ftrace, &damages[i]), damages[i].name);
}
