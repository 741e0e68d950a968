// SPDX-License-Identifier: GPL-2.0
/*
 * Check that the comparison notices damage. The self-test compares copies of the recorded traces,
 * in which one record of each kind, or only a single record, has been damaged in a certain way. The
 * verdict must report exactly this damage.
 */
#include "oracle.h"
#include "tap.h"

/* Damage to a trace, and how it must be reported. */
struct damage {
	const char *name;
	bool (*fits)(const struct trace *trace, size_t at); /* whether record @at can be damaged */
	void (*apply)(struct trace *trace, size_t at);
	int missing;		/* number of missing records to report, or -1 for an extra record */
	bool order;		/* whether it changes only the order of records */
	bool interrupts;	/* whether it needs a trace with records that end an interrupt */
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

/* Whether the record and the next one are of different kinds in the same context. */
static bool different_kinds(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context == b->context && a->kind != b->kind;
}

/* Whether the record and the next one are of the same kind and context, but differ. */
static bool same_kind(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context == b->context && a->kind == b->kind && a->kind != NMI &&
	       memcmp(a->arg, b->arg, sizeof(a->arg));
}

/* Whether the next record begins an interrupt of the same thread. */
static bool before_interrupt(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context < b->context && a->thread == b->thread;
}

/* Whether the record ends an interrupt, and the next one belongs to the interrupted context. */
static bool after_interrupt(const struct trace *trace, size_t at)
{
	const struct event *a = &trace->events[at], *b = a + 1;

	return a->context > b->context && a->thread == b->thread &&
	       kinds[a->kind].flags & KIND_ENDS;
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
	{ "a record repeated", anywhere, repeat, -1 },
	{ "two records swapped", different_kinds, swap, .order = true },
	{ "two records of a kind swapped", same_kind, swap },
	{ "an interrupt begins too early", before_interrupt, swap, .order = true },
	{ "an interrupt ends too late", after_interrupt, swap, .order = true,
	  .interrupts = true },
	{ "another thread", anywhere, change_thread },
	{ "another process", anywhere, change_process },
	{ "another preemption flag", anywhere, change_preempt_off },
	{ "another context", anywhere, change_context },
	{ "another event type", anywhere, change_kind },
};

/* Return a copy of the trace that has room for one more record. */
static struct trace copy_of(const struct trace *trace)
{
	struct trace copy = { .num = trace->num };

	copy.events = malloc((trace->num + 1) * sizeof(*copy.events));
	bail_if(!copy.events, "memory");
	memcpy(copy.events, trace->events, trace->num * sizeof(*copy.events));
	return copy;
}

static struct verdict *verdict_of(const struct trace *lkst, const struct trace *ftrace)
{
	struct verdict *verdict = calloc(1, sizeof(*verdict));

	bail_if(!verdict, "memory");
	compare(verdict, 0, lkst, ftrace);
	return verdict;
}

/*
 * Damage record @at of a copy, and return whether the comparison reports it. If the damage is not
 * about the order, the order is not checked: when one of several equal records is missing, the
 * others seem to come too late.
 */
static bool try(const struct trace *lkst, const struct trace *ftrace, const struct damage *damage,
		size_t at)
{
	struct trace copy = copy_of(lkst);
	bool different = false, misplaced;
	struct verdict *verdict;
	int missing = 0;

	damage->apply(&copy, at);
	verdict = verdict_of(&copy, ftrace);
	misplaced = verdict->misplaced;
	for (int kind = 0; kind < KINDS; kind++) {
		missing += verdict->missing[kind] - verdict->extra[kind];
		different |= differences(verdict, kind) > 0;
	}
	free(verdict);
	free(copy.events);
	if (damage->order)
		return !different && misplaced;
	return different && missing == damage->missing;
}

/*
 * Number of places at which try_places() tries the damage: the first places that fit, from the
 * middle of the trace to the end and then from the beginning. One place is not enough: LKST and
 * ftrace may have an interrupted record and its interrupt in different orders. There, swapping the
 * two records makes the traces equal, so that no difference is left to notice.
 */
#define PLACES 10

static bool try_places(const struct trace *lkst, const struct trace *ftrace,
		       const struct damage *damage, bool *fits)
{
	unsigned int tried = 0;

	for (size_t i = 0; i < lkst->num && tried < PLACES; i++) {
		size_t at = (i + lkst->num / 2) % lkst->num;

		if (at + 1 == lkst->num || !damage->fits(lkst, at))
			continue;
		tried++;
		*fits = true;
		if (try(lkst, ftrace, damage, at))
			return true;
	}
	return false;
}

/*
 * Return whether the damage is detected on the first CPU that has a suitable record, and false if
 * no CPU has one.
 */
static bool try_somewhere(const struct trace lkst[ORACLE_CPUS],
			  const struct trace ftrace[ORACLE_CPUS], const struct damage *damage)
{
	bool fits = false, noticed = false;

	for (int cpu = 0; cpu < ORACLE_CPUS && !fits; cpu++)
		noticed = try_places(&lkst[cpu], &ftrace[cpu], damage, &fits);
	return noticed;
}

static bool has_interrupts(const struct trace *trace)
{
	for (size_t i = 0; i < trace->num; i++)
		if (kinds[trace->events[i].kind].flags & KIND_ENDS)
			return true;
	return false;
}

/*
 * Damage for try_kinds(): REMOVE removes the record. A number less than HALVES says in which half
 * of which argument a bit is flipped.
 */
#define HALVES 8
#define REMOVE HALVES

/*
 * Damage the first record of each kind after the first third of a trace. Return whether compare()
 * finds a difference in exactly these kinds. Records are removed from a copy of LKST's trace. Bits
 * are flipped in a copy of ftrace's trace, because only its records say which halves of the
 * arguments are compared.
 */
static bool try_kinds(const struct trace *lkst, const struct trace *ftrace, unsigned int change)
{
	const struct trace *from = change == REMOVE ? lkst : ftrace;
	bool damaged[KINDS] = {}, good = true;
	struct trace copy = copy_of(from);
	struct verdict *verdict;

	for (size_t i = 0; i < from->num; i++) {
		struct event *event = &copy.events[(i + from->num / 3) % from->num];

		if (damaged[event->kind] || (change < HALVES && event->unknown & 1 << change))
			continue;
		damaged[event->kind] = true;
		if (change == REMOVE)
			event->kind = KINDS;
		else
			event->arg[change / 2] ^= change % 2 ? 1UL << 45 : 1UL << 4;
	}
	trace_clean(&copy);
	verdict = change == REMOVE ? verdict_of(&copy, ftrace) : verdict_of(lkst, &copy);
	for (int kind = 0; kind < KINDS; kind++) {
		bool found = differences(verdict, kind);

		if (damaged[kind] == found)
			continue;
		diag("%s, %s half of argument %u: %s: %s", change == REMOVE ? "missing" : "changed",
		     change % 2 ? "upper" : "lower", change / 2 + 1, kinds[kind].plural,
		     found ? "found by mistake" : "not found");
		good = false;
	}
	free(verdict);
	free(copy.events);
	return good;
}

void selftest(const struct trace lkst[ORACLE_CPUS], const struct trace ftrace[ORACLE_CPUS],
	      void (*report)(bool noticed, const char *damage))
{
	bool missing = true, halves = true;

	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		missing &= try_kinds(&lkst[cpu], &ftrace[cpu], REMOVE);
		for (unsigned int half = 0; half < HALVES; half++)
			halves &= try_kinds(&lkst[cpu], &ftrace[cpu], half);
	}
	report(missing, "a record of each kind is missing");
	report(halves, "a bit is changed in each half of each argument of each kind");
	for (unsigned int i = 0; i < ARRAY_SIZE(damages); i++)
		if (!damages[i].interrupts || has_interrupts(&lkst[0]))
			report(try_somewhere(lkst, ftrace, &damages[i]), damages[i].name);
}
