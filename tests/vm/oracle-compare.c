// SPDX-License-Identifier: GPL-2.0
/*
 * Compare two traces of one CPU.
 *
 * Within a context (task, softirq, hardirq, NMI) the order is the same for both tracers, so
 * a kind of event in a context is a sequence that must be equal: that pairs the
 * records. The two probes of a tracepoint run one after the other, LKST's first, and an
 * interrupt may come in between. Then LKST has the interrupted record before those of the
 * interrupt, and ftrace has it after them. So records may have changed places if
 * one context can interrupt the other, the thread is the same, and the interrupted
 * record moved over whole interrupts.
 */
#include <inttypes.h>

#include "oracle.h"
#include "tap.h"

#define KEYS		(KINDS * CONTEXTS)
#define NONE		SIZE_MAX

/* The records of one trace by key; within a key in their order. */
struct index {
	size_t start[KEYS + 1];
	size_t *event;
	size_t *match;		/* by event: its equal in the other trace, or NONE */
};

static unsigned int key_of(const struct event *event)
{
	return event->kind * CONTEXTS + event->context;
}

static void index_make(struct index *index, const struct trace *trace)
{
	size_t next[KEYS], i;

	memset(index, 0, sizeof(*index));
	index->event = malloc((trace->num + 1) * sizeof(*index->event));
	index->match = malloc((trace->num + 1) * sizeof(*index->match));
	if (!index->event || !index->match)
		bail_out("memory");
	for (i = 0; i < trace->num; i++) {
		index->match[i] = NONE;
		index->start[key_of(&trace->events[i]) + 1]++;
	}
	for (i = 0; i < KEYS; i++) {
		index->start[i + 1] += index->start[i];
		next[i] = index->start[i];
	}
	for (i = 0; i < trace->num; i++)
		index->event[next[key_of(&trace->events[i])]++] = i;
}

static void index_free(struct index *index)
{
	free(index->event);
	free(index->match);
}

static int describe(char *to, size_t room, const char *who, const struct event *event)
{
	static const char *const contexts[CONTEXTS] = { "task", "softirq", "hardirq", "NMI" };

	return snprintf(to, room,
			"\n#   %-7s %s thread %" PRIu32 " process %" PRIu32 " %s%s%s %" PRIx64
			" %" PRIx64 " %" PRIx64 " %" PRIx64 " at %" PRId64,
			who, kinds[event->kind].mnemonic, event->thread, event->process,
			contexts[event->context], event->preempt_off ? " preempt-off" : "",
			event->need_resched ? " need-resched" : "", event->arg[0], event->arg[1],
			event->arg[2], event->arg[3], event->time);
}

/* Keep the first difference of its sort. */
static void explain(char reason[REASON_LEN], const char *what, int cpu, const struct event *lkst,
		    const struct event *ftrace)
{
	int len;

	if (*reason)
		return;
	len = snprintf(reason, REASON_LEN, "%s on CPU %d:", what, cpu);
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
 * What another CPU may do between the two probes is no difference: a thread that is switching
 * away for the last time may be reaped, or get another id, and this CPU may be asked
 * to reschedule.
 */
static bool equal_last_switch(const struct event *lkst, const struct event *ftrace)
{
	uint32_t state = lkst->arg[0], ftrace_state = ftrace->arg[0];

	return lkst->kind == SWITCH && (state == 'Z' || state == 'X') &&
	       (state == ftrace_state || ftrace_state == 'X') &&
	       is_thread(lkst->arg[0] >> 32, ftrace) && is_thread(ftrace->arg[0] >> 32, ftrace);
}

bool equal(const struct event *lkst, const struct event *ftrace)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
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

/* Pair the records of one key. */
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

		if (a && b && equal(a, b)) {
			lkst_index->match[l_at] = f_at;
			ftrace_index->match[f_at] = l_at;
			verdict->equal[kind]++;
			l++;
			f++;
		} else if (!a || (b && f + 1 < f_end &&
				  equal(a, &ftrace->events[ftrace_index->event[f + 1]]))) {
			verdict->missing[kind]++;
			explain(verdict->reason[kind], "missing", cpu, NULL, b);
			f++;
		} else if (!b ||
			   (l + 1 < l_end && equal(&lkst->events[lkst_index->event[l + 1]], b))) {
			verdict->extra[kind]++;
			explain(verdict->reason[kind], "extra", cpu, a, NULL);
			l++;
		} else {
			verdict->changed[kind]++;
			explain(verdict->reason[kind], "different", cpu, a, b);
			l++;
			f++;
		}
	}
}

/* A record that ftrace is still to have, while it already had some after it. */
struct late {
	size_t event;		/* of LKST's */
	int nesting;		/* of the interrupts it moved over */
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

/* ftrace has @event now, which is not the first of those that LKST has and ftrace had not. */
static void move(struct verdict *verdict, int cpu, const struct trace *lkst, struct late *late,
		 size_t event)
{
	const struct event *interrupted = &lkst->events[late->event], *by = &lkst->events[event];

	verdict->moved++;
	if (interrupted->context < by->context && interrupted->thread == by->thread) {
		late->nesting += kinds[by->kind].nesting;
		if (late->nesting >= 0)
			return;
	}
	misplace(verdict, cpu, interrupted, by);
}

/* Walk along ftrace's order, and see what of LKST's is skipped and comes later. */
static void check_order(struct verdict *verdict, int cpu, const struct trace *lkst,
			const struct index *lkst_index, const struct trace *ftrace,
			const struct index *ftrace_index)
{
	size_t next = 0, f;
	struct order order = {};
	unsigned int i;

	for (f = 0; f < ftrace->num; f++) {
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
		for (i = 0; i < order.num; i++) {
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
	size_t i;

	for (i = 0; i < lkst->num; i++) {
		int64_t diff;

		if (lkst_index->match[i] == NONE)
			continue;
		diff = ftrace->events[lkst_index->match[i]].time - lkst->events[i].time;
		verdict->early += diff < -TIME_EARLY_NS;
		verdict->time_diffs[diff > 0 ? 64 - __builtin_clzll(diff) : 0]++;
	}
}

void compare(struct verdict *verdict, int cpu, const struct trace *lkst, const struct trace *ftrace)
{
	struct index lkst_index, ftrace_index;
	unsigned int key;

	index_make(&lkst_index, lkst);
	index_make(&ftrace_index, ftrace);
	for (key = 0; key < KEYS; key++)
		pair(verdict, cpu, key, lkst, &lkst_index, ftrace, &ftrace_index);
	check_order(verdict, cpu, lkst, &lkst_index, ftrace, &ftrace_index);
	check_times(verdict, lkst, &lkst_index, ftrace);
	index_free(&lkst_index);
	index_free(&ftrace_index);
}
