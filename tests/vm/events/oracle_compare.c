// SPDX-License-Identifier: GPL-2.0
/*
 * Compare LKST's trace of a CPU with ftrace's trace of the same CPU.
 *
 * Within a context (task, softirq, hardirq, NMI) the order is the same for both tracers. So the
 * records of one kind in one context form the same sequence in both traces. The records of two
 * such sequences are paired in order. A missing or extra record is skipped.
 *
 * Across contexts the order may differ. LKST's probe of a tracepoint runs before ftrace's, and an
 * interrupt may arrive between the two probes. Then LKST has the interrupted record before the
 * records of the interrupt, and ftrace has it after them. So two records may be in a different
 * order if the context of one can interrupt the context of the other, the thread is the same, and
 * the records between the two places of the interrupted record are those of whole interrupts.
 */
#include <inttypes.h>

#include "oracle.h"
#include "tap.h"

#define KEYS		(KINDS * CONTEXTS)
#define NONE		SIZE_MAX

/*
 * Indexes of the records of one trace, sorted by key_of(). The records of key k are
 * event[start[k]] to event[start[k + 1] - 1], in the order of the trace.
 */
struct index {
	size_t start[KEYS + 1];
	size_t *event;
	size_t *match; /* for each record, index of its counterpart in the other trace, or NONE */
};

static unsigned int key_of(const struct event *event)
{
	return event->kind * CONTEXTS + event->context;
}

static void index_make(struct index *index, const struct trace *trace)
{
	size_t next[KEYS];

	memset(index, 0, sizeof(*index));
	index->event = malloc((trace->num + 1) * sizeof(*index->event));
	index->match = malloc((trace->num + 1) * sizeof(*index->match));
	bail_if(!index->event || !index->match, "memory");
	for (size_t i = 0; i < trace->num; i++) {
		index->match[i] = NONE;
		index->start[key_of(&trace->events[i]) + 1]++;
	}
	for (size_t i = 0; i < KEYS; i++) {
		index->start[i + 1] += index->start[i];
		next[i] = index->start[i];
	}
	for (size_t i = 0; i < trace->num; i++)
		index->event[next[key_of(&trace->events[i])]++] = i;
}

static void index_free(struct index *index)
{
	free(index->event);
	free(index->match);
}

static int describe(char *to, size_t room, const char *source, const struct event *event)
{
	static const char *const contexts[CONTEXTS] = { "task", "softirq", "hardirq", "NMI" };

	return snprintf(to, room,
			"\n#   %-7s %s thread %" PRIu32 " process %" PRIu32 " %s%s%s %" PRIx64
			" %" PRIx64 " %" PRIx64 " %" PRIx64 " at %" PRId64,
			source, kinds[event->kind].mnemonic, event->thread, event->process,
			contexts[event->context], event->preempt_off ? " preempt-off" : "",
			event->need_resched ? " need-resched" : "", event->arg[0], event->arg[1],
			event->arg[2], event->arg[3], event->time);
}

/* Write a message about a difference to @reason, unless @reason already holds a message. */
static void explain(char reason[REASON_LEN], const char *problem, int cpu, const struct event *lkst,
		    const struct event *ftrace)
{
	int len;

	if (*reason)
		return;
	len = snprintf(reason, REASON_LEN, "%s on CPU %d:", problem, cpu);
	if (lkst)
		len += describe(reason + len, REASON_LEN - len, "LKST", lkst);
	if (ftrace && len < REASON_LEN)
		describe(reason + len, REASON_LEN - len, "ftrace", ftrace);
}

static bool is_thread(uint32_t id, const struct event *ftrace)
{
	return id == ftrace->thread || (ftrace->alias && id == ftrace->alias);
}

/*
 * Whether both records are the last switch of an exiting thread. State and id of the thread may
 * differ, because another CPU may reap the thread or change its id between the two probes.
 */
static bool equal_last_switch(const struct event *lkst, const struct event *ftrace)
{
	uint32_t state = lkst->arg[0], ftrace_state = ftrace->arg[0];

	return lkst->kind == SWITCH && (state == 'Z' || state == 'X') &&
	       (state == ftrace_state || ftrace_state == 'X') &&
	       is_thread(lkst->arg[0] >> 32, ftrace) && is_thread(ftrace->arg[0] >> 32, ftrace);
}

bool same_event(const struct event *lkst, const struct event *ftrace)
{
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t known = 0;

		if (!(ftrace->unknown & 1 << 2 * i))
			known |= UINT32_MAX;
		if (!(ftrace->unknown & 2 << 2 * i))
			known |= (uint64_t)UINT32_MAX << 32;
		if (!((lkst->arg[i] ^ ftrace->arg[i]) & known))
			continue;
		if (i || !equal_last_switch(lkst, ftrace))
			return false;
	}
	return lkst->kind == ftrace->kind && lkst->context == ftrace->context &&
	       is_thread(lkst->thread, ftrace) && lkst->process == ftrace->process &&
	       lkst->preempt_off == ftrace->preempt_off &&
	       (!lkst->need_resched || ftrace->need_resched || ftrace->preempted);
}

/* Pair the records of one key, and count equal, missing, extra and changed records. */
static void pair(struct verdict *verdict, int cpu, unsigned int key, const struct trace *lkst,
		 struct index *lkst_index, const struct trace *ftrace, struct index *ftrace_index)
{
	size_t l = lkst_index->start[key], l_end = lkst_index->start[key + 1];
	size_t f = ftrace_index->start[key], f_end = ftrace_index->start[key + 1];
	enum kind kind = key / CONTEXTS;

	while (l < l_end || f < f_end) {
		size_t l_at = l < l_end ? lkst_index->event[l] : NONE;
		size_t f_at = f < f_end ? ftrace_index->event[f] : NONE;
		const struct event *a = l < l_end ? &lkst->events[l_at] : NULL;
		const struct event *b = f < f_end ? &ftrace->events[f_at] : NULL;

		if (a && b && same_event(a, b)) {
			lkst_index->match[l_at] = f_at;
			ftrace_index->match[f_at] = l_at;
			verdict->equal[kind]++;
		} else if (!a || (b && f + 1 < f_end &&
				  same_event(a, &ftrace->events[ftrace_index->event[f + 1]]))) {
			verdict->missing[kind]++;
			explain(verdict->reason[kind], "missing", cpu, NULL, b);
			a = NULL;
		} else if (!b || (l + 1 < l_end &&
				  same_event(&lkst->events[lkst_index->event[l + 1]], b))) {
			verdict->extra[kind]++;
			explain(verdict->reason[kind], "extra", cpu, a, NULL);
			b = NULL;
		} else {
			verdict->changed[kind]++;
			explain(verdict->reason[kind], "different", cpu, a, b);
		}
		l += !!a;
		f += !!b;
	}
}

/* A record that comes later in ftrace's trace than in LKST's. */
struct late {
	size_t event; /* index of the record in LKST's trace */
	int nesting; /* interrupt entries minus exits among the records that it has passed */
};

#define LATE_MAX	256

struct order {
	struct late late[LATE_MAX];
	unsigned int num;
};

static void misplace(struct verdict *verdict, int cpu, const struct event *first,
		     const struct event *second)
{
	verdict->misplaced++;
	explain(verdict->order_reason, "wrong order", cpu, first, second);
}

/*
 * Move a record past @event, the next record in ftrace's trace: LKST has @late->event before
 * @event, but ftrace has it after @event. Report this unless an interrupt explains it.
 */
static void move(struct verdict *verdict, int cpu, const struct trace *lkst, struct late *late,
		 size_t event)
{
	const struct event *interrupted = &lkst->events[late->event], *by = &lkst->events[event];

	verdict->moved++;
	if (interrupted->context < by->context && interrupted->thread == by->thread) {
		late->nesting += nesting(by->kind);
		if (late->nesting >= 0)
			return;
	}
	misplace(verdict, cpu, interrupted, by);
}

/*
 * Walk the pairs in ftrace's order. A record of LKST that the walk passes over comes later in
 * ftrace's trace. move() checks whether an interrupt explains this.
 */
static void check_order(struct verdict *verdict, int cpu, const struct trace *lkst,
			const struct index *lkst_index, const struct trace *ftrace,
			const struct index *ftrace_index)
{
	size_t next = 0;
	struct order order = {};

	for (size_t f = 0; f < ftrace->num; f++) {
		size_t at = ftrace_index->match[f];

		if (at == NONE)
			continue;
		for (; next < at; next++) {
			if (lkst_index->match[next] == NONE)
				continue;
			if (order.num == LATE_MAX) {
				misplace(verdict, cpu, &lkst->events[next], &lkst->events[at]);
				return;
			}
			order.late[order.num++] = (struct late){ .event = next };
		}
		if (at == next)
			next++;
		for (unsigned int i = 0; i < order.num; i++) {
			if (order.late[i].event < at) {
				move(verdict, cpu, lkst, &order.late[i], at);
			} else if (order.late[i].event == at) {
				if (order.late[i].nesting)
					misplace(verdict, cpu, &lkst->events[at], NULL);
				memmove(&order.late[i], &order.late[i + 1],
					(--order.num - i) * sizeof(order.late[0]));
				break;
			}
		}
	}
}

static void check_times(struct verdict *verdict, const struct trace *lkst,
			const struct index *lkst_index, const struct trace *ftrace)
{
	for (size_t i = 0; i < lkst->num; i++) {
		int64_t diff;

		if (lkst_index->match[i] == NONE)
			continue;
		diff = ftrace->events[lkst_index->match[i]].time - lkst->events[i].time;
		verdict->early += diff < -TIME_EARLY_NS;
		verdict->soon += diff < TIME_SOON_NS;
		verdict->timed++;
	}
}

void compare(struct verdict *verdict, int cpu, const struct trace *lkst, const struct trace *ftrace)
{
	struct index lkst_index, ftrace_index;

	index_make(&lkst_index, lkst);
	index_make(&ftrace_index, ftrace);
	for (unsigned int key = 0; key < KEYS; key++)
		pair(verdict, cpu, key, lkst, &lkst_index, ftrace, &ftrace_index);
	check_order(verdict, cpu, lkst, &lkst_index, ftrace, &ftrace_index);
	check_times(verdict, lkst, &lkst_index, ftrace);
	index_free(&lkst_index);
	index_free(&ftrace_index);
}
