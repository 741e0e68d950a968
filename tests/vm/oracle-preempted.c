// SPDX-License-Identifier: GPL-2.0
/*
 * Where a kernel does not turn preemption off around a tracepoint's probes (7.2), a thread may be
 * preempted after LKST's probe and before ftrace's: then LKST has the record before the switch,
 * and ftrace has it after the thread came back, maybe on another CPU. Such a record of ftrace's
 * is put back to where the thread was preempted, so that the rest of the comparison need not
 * know.
 *
 * What a thread does by itself, apart from interrupts, comes in one order for both tracers. So a
 * record is put back only over records that its own thread made with preemption off, one of which
 * at least says that it was preempted, and only if that makes the two orders equal.
 */
#include <stdio.h>

#include "oracle.h"
#include "tap.h"

/* As LKST adds it to the state of a thread that is preempted; see events.md. */
#define STATE_PREEMPTED ('R' | 0x100)

/* A record in one of the traces. */
struct place {
	int64_t time;
	size_t index;
	uint32_t thread;
	int cpu;
};

/* From where to before which. */
struct move {
	struct place from;
	struct place to;
};

struct moves {
	struct move *move;
	size_t num;
};

static int in_order(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->cpu != b->cpu && a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* What threads have recorded, by thread, in its order. A CPU's idle thread is not preempted. */
static struct place *threads_of(const struct trace traces[ORACLE_CPUS], size_t *num)
{
	struct place *places;
	size_t i;
	int cpu;

	for (*num = 0, cpu = 0; cpu < ORACLE_CPUS; cpu++)
		*num += traces[cpu].num;
	places = malloc((*num + 1) * sizeof(*places));
	if (!places)
		bail_out("memory");
	for (*num = 0, cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (i = 0; i < traces[cpu].num; i++) {
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

/* Would they say the same, but that the thread was preempted in between? */
static bool equal_if_preempted(const struct event *lkst, const struct event *ftrace)
{
	struct event other = *ftrace;

	other.preempted = true;
	return !lkst->preempt_off && equal(lkst, &other);
}

static bool is_preemption(const struct event *event)
{
	return event->kind == SWITCH && (uint32_t)event->arg[0] == STATE_PREEMPTED;
}

/* Whether LKST's @event is what ftrace has at places[*late], after a preemption. */
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
 * The two orders of one thread. Where they differ in another way, compare() is to say so. Where
 * another thread was due and the same one went on all the same, that is no move.
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
		if (equal(event_at(lkst, l), event_at(ftrace, f)) ||
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
	if (!moves->move)
		bail_out("memory");
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

	if (a->to.cpu != b->to.cpu)
		return a->to.cpu - b->to.cpu;
	return a->to.index < b->to.index ? -1 : a->to.index > b->to.index;
}

/* No move's target is moved itself: that was recorded with preemption off. */
static void apply(struct moves *moves, struct trace ftrace[ORACLE_CPUS])
{
	struct trace result[ORACLE_CPUS] = {};
	bool *moved[ORACLE_CPUS];
	size_t i, m = 0;
	int cpu;

	for (cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		moved[cpu] = calloc(ftrace[cpu].num + 1, sizeof(**moved));
		if (!moved[cpu])
			bail_out("memory");
	}
	for (i = 0; i < moves->num; i++)
		moved[moves->move[i].from.cpu][moves->move[i].from.index] = true;
	qsort(moves->move, moves->num, sizeof(*moves->move), by_target);
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (i = 0; i < ftrace[cpu].num; i++) {
			for (; m < moves->num && moves->move[m].to.cpu == cpu &&
			       moves->move[m].to.index == i;
			     m++)
				trace_add(&result[cpu], event_at(ftrace, &moves->move[m].from));
			if (!moved[cpu][i])
				trace_add(&result[cpu], &ftrace[cpu].events[i]);
		}
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++) {
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

	if (!file)
		bail_out("/proc/kallsyms");
	/* What protects them then. */
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
