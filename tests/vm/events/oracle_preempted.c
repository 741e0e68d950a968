// SPDX-License-Identifier: GPL-2.0
/*
 * Some kernels (Linux 7.2) leave preemption on while the probes of a tracepoint are running. Then a
 * thread may be preempted after LKST's probe and before ftrace's. LKST has the record before the
 * context switch, and ftrace has it after the thread continues, possibly on another CPU. This file
 * moves such records of ftrace back to the position in the trace at which the thread was preempted,
 * so that compare() need not handle them.
 *
 * Apart from interrupts, both tracers record the events of a thread in the same order. So a record
 * is moved back only if that makes the two orders equal. The record then moves past other records
 * of its thread. All of these must have been made with preemption off, and at least one must say
 * that the thread was preempted.
 */
#include <stdio.h>

#include "oracle.h"
#include "tap.h"

/* State of a preempted thread, to which LKST adds 0x100: see include/linux/lkst_etypes.h. */
#define STATE_PREEMPTED ('R' | 0x100)

/* Time, thread and position (CPU and index) of a record in the traces of one tracer. */
struct place {
	int64_t time;
	size_t index;
	uint32_t thread;
	int cpu;
};

/* A move: the record at @from is inserted before @to. */
struct move {
	struct place from;
	struct place to;
};

struct moves {
	struct move *move;
	size_t num;
};

static int by(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int in_order(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	if (a->cpu == b->cpu)
		return by(a->thread, b->thread) ?: by(a->index, b->index);
	return by(a->thread, b->thread) ?: by(a->time, b->time) ?: by(a->cpu, b->cpu);
}

/*
 * Return the places of all records in task context, sorted by thread and, within a thread, in
 * recording order. Idle threads are left out, because they are never preempted.
 */
static struct place *threads_of(const struct trace traces[ORACLE_CPUS], size_t *num)
{
	struct place *places;
	int cpu;

	for (*num = 0, cpu = 0; cpu < ORACLE_CPUS; cpu++)
		*num += traces[cpu].num;
	places = malloc((*num + 1) * sizeof(*places));
	bail_if(!places, "memory");
	for (*num = 0, cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (size_t i = 0; i < traces[cpu].num; i++) {
			const struct event *event = &traces[cpu].events[i];

			if (event->context == IN_TASK && event->thread)
				places[(*num)++] =
					(struct place){ event->time, i, event->thread, cpu };
		}
	qsort(places, *num, sizeof(*places), in_order);
	return places;
}

static struct event *event_at(const struct trace traces[ORACLE_CPUS], const struct place *place)
{
	return &traces[place->cpu].events[place->index];
}

/* Whether the records are equal if the thread was preempted between the two probes. */
static bool equal_if_preempted(const struct event *lkst, const struct event *ftrace)
{
	struct event other = *ftrace;

	other.preempted = true;
	return !lkst->preempt_off && same_event(lkst, &other);
}

static bool is_preemption(const struct event *event)
{
	return event->kind == SWITCH && (uint32_t)event->arg[0] == STATE_PREEMPTED;
}

/*
 * Whether ftrace has the counterpart of LKST's @event only after a preemption. @late is set to the
 * index of that ftrace record in @places.
 */
static bool find_late(const struct event *event, const struct trace ftrace[ORACLE_CPUS],
		      const struct place *places, size_t num, size_t *late)
{
	bool preempted = false;
	size_t i;

	for (i = 0; i < num && event_at(ftrace, &places[i])->preempt_off; i++)
		preempted |= is_preemption(event_at(ftrace, &places[i]));
	if (i == num || !preempted)
		return false;
	*late = i;
	return equal_if_preempted(event, event_at(ftrace, &places[i]));
}

/*
 * Compare the two orders of the records of one thread, and note the moves that are needed. Other
 * differences are left for compare() to report. A record need not be moved if a reschedule was due,
 * but the same thread continued.
 */
static void find_moves(struct moves *moves, const struct trace lkst[ORACLE_CPUS],
		       const struct place *l, const struct place *l_end,
		       const struct trace ftrace[ORACLE_CPUS], struct place *f,
		       const struct place *f_end)
{
	for (; l < l_end && f < f_end; l++, f++) {
		struct place from;
		size_t late;

		if (equal_if_preempted(event_at(lkst, l), event_at(ftrace, f))) {
			event_at(ftrace, f)->preempted = true;
			continue;
		}
		if (same_event(event_at(lkst, l), event_at(ftrace, f)) ||
		    !find_late(event_at(lkst, l), ftrace, f, f_end - f, &late))
			continue;
		from = f[late];
		event_at(ftrace, &from)->preempted = true;
		moves->move[moves->num++] = (struct move){ .from = from, .to = *f };
		memmove(&f[1], &f[0], late * sizeof(*f));
		*f = from;
	}
}

static size_t same_thread(const struct place *places, size_t num)
{
	size_t i = 0;

	while (i < num && places[i].thread == places[0].thread)
		i++;
	return i;
}

static void find_all_moves(struct moves *moves, const struct trace lkst[ORACLE_CPUS],
			   const struct trace ftrace[ORACLE_CPUS])
{
	size_t l_num, f_num, l = 0, f = 0;
	struct place *l_places = threads_of(lkst, &l_num), *f_places = threads_of(ftrace, &f_num);

	moves->num = 0;
	moves->move = malloc((f_num + 1) * sizeof(*moves->move));
	bail_if(!moves->move, "memory");
	while (l < l_num && f < f_num) {
		size_t l_len = same_thread(&l_places[l], l_num - l);
		size_t f_len = same_thread(&f_places[f], f_num - f);
		uint32_t l_thread = l_places[l].thread, f_thread = f_places[f].thread;

		if (l_thread == f_thread)
			find_moves(moves, lkst, &l_places[l], &l_places[l + l_len], ftrace,
				   &f_places[f], &f_places[f + f_len]);
		if (l_thread <= f_thread)
			l += l_len;
		if (f_thread <= l_thread)
			f += f_len;
	}
	free(l_places);
	free(f_places);
}

static int by_target(const void *one, const void *other)
{
	const struct move *a = one, *b = other;

	return by(a->to.cpu, b->to.cpu) ?: by(a->to.index, b->to.index);
}

/*
 * Carry out the moves. The target of a move is never moved itself, because it was recorded with
 * preemption off.
 */
static void apply(struct moves *moves, struct trace ftrace[ORACLE_CPUS])
{
	struct trace result[ORACLE_CPUS] = {};
	bool *moved[ORACLE_CPUS];
	size_t m = 0;

	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		moved[cpu] = calloc(ftrace[cpu].num + 1, sizeof(**moved));
		bail_if(!moved[cpu], "memory");
	}
	for (size_t i = 0; i < moves->num; i++)
		moved[moves->move[i].from.cpu][moves->move[i].from.index] = true;
	qsort(moves->move, moves->num, sizeof(*moves->move), by_target);
	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (size_t i = 0; i < ftrace[cpu].num; i++) {
			for (; m < moves->num && moves->move[m].to.cpu == cpu &&
			       moves->move[m].to.index == i;
			     m++)
				trace_add(&result[cpu], event_at(ftrace, &moves->move[m].from));
			if (!moved[cpu][i])
				trace_add(&result[cpu], &ftrace[cpu].events[i]);
		}
	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		free(moved[cpu]);
		free(ftrace[cpu].events);
		ftrace[cpu] = result[cpu];
	}
}

bool probes_are_preempted(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], name[256];
	bool found = false;

	bail_if(!file, "/proc/kallsyms");
	/* A kernel that leaves preemption on protects the probes with tracepoint_srcu instead. */
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%*s %*s %255s", name) == 1 &&
			!strcmp(name, "tracepoint_srcu");
	fclose(file);
	return found;
}

size_t put_back_preempted(const struct trace lkst[ORACLE_CPUS], struct trace ftrace[ORACLE_CPUS])
{
	struct moves moves;

	find_all_moves(&moves, lkst, ftrace);
	apply(&moves, ftrace);
	free(moves.move);
	return moves.num;
}
