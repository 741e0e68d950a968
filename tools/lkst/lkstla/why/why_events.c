// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out from the events of a trace why interrupts, softirqs and timers occur. When an
 * interrupt, softirq or timer wakes up a thread, the reason is stored as a fact about that thread.
 *
 * The kernel wakes up a thread within the interrupt or softirq that completes a request, or within
 * the function of a timer. So the latest completion in the same interrupt or softirq is the reason
 * for the wake-up.
 */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lkstla/late.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "why_facts.h"

enum {
	SOFT,
	HARD
};

/* Return the time of an event as the model sees it. In the model, time never decreases. */
static int64_t why_now(struct why_facts *facts, const struct lkst_event *event)
{
	if (event->time_ns > facts->now_ns)
		facts->now_ns = event->time_ns;
	if (facts->now_ns > INT64_MAX / 2)
		return INT64_MAX / 2;
	return facts->now_ns < -(INT64_MAX / 2) ? -(INT64_MAX / 2) : facts->now_ns;
}

/*
 * Find or add a CPU. Returns NULL if the number of the CPU is invalid, or if an allocation failed,
 * which is reported.
 */
static struct why_cpu *why_cpu(struct why_facts *facts, int64_t number)
{
	struct why_cpu *cpu;

	if (number < 0 || number >= WHY_CPUS_MAX)
		return NULL;
	cpu = tally_cover(facts->cpu, &facts->cpus, (size_t)number, sizeof(*cpu));
	if (!cpu) {
		run_out_of_memory(facts->run);
		return NULL;
	}
	facts->cpu = cpu;
	return &cpu[number];
}

/* ---- interrupts and softirqs ---- */

static void why_enter(struct why_cpu *cpu, int level, const struct why_fact *entered)
{
	cpu->level[level] = (struct why_level){ .entered = *entered };
	cpu->woken = 0;
}

static void why_leave(struct why_cpu *cpu, int level)
{
	cpu->level[level] = (struct why_level){ 0 };
	cpu->woken = 0;
}

static void why_irq(struct why_facts *facts, struct why_cpu *cpu, const struct lkst_event *event)
{
	struct why_fact fact = { .until_ns = facts->now_ns,
				 .number = event->arg[0],
				 .detail = WHY_DETAIL_IRQ };

	if (event->type == LKST_ETYPE_INT_TIMER_ENTRY)
		fact.extra = WHY_LOCAL_TIMER;
	if (event->type == LKST_ETYPE_INT_IPI_ENTRY) {
		fact.detail = WHY_DETAIL_IPI;
		fact.number = cpu->sent.number;
		fact.since_ns = cpu->sent.since_ns;
		fact.thread = cpu->sent.thread;
		cpu->sent = (struct why_fact){ 0 };
	}
	why_enter(cpu, HARD, &fact);
}

static void why_raise(struct why_facts *facts, struct why_cpu *cpu, const struct lkst_event *event)
{
	uint64_t number = event->arg[0];
	const struct why_fact *irq = &cpu->level[HARD].entered;
	struct why_fact *raised;

	if (number >= WHY_SOFTIRQS || cpu->raised[number].since_ns)
		return;
	raised = &cpu->raised[number];
	raised->since_ns = facts->now_ns;
	raised->thread = why_actor(facts, event);
	if (event->flags & LKST_LOG_HARDIRQ && irq->detail == WHY_DETAIL_IRQ)
		raised->extra = irq->extra ? irq->extra : (uint32_t)irq->number + 1;
}

static void why_softirq(struct why_facts *facts, struct why_cpu *cpu,
			const struct lkst_event *event)
{
	uint64_t number = event->arg[0];
	struct why_fact fact = { 0 };

	if (number < WHY_SOFTIRQS) {
		fact = cpu->raised[number];
		cpu->raised[number] = (struct why_fact){ 0 };
	}
	fact.detail = WHY_DETAIL_SOFTIRQ;
	fact.number = number;
	fact.until_ns = facts->now_ns;
	why_enter(cpu, SOFT, &fact);
}

static void why_send(struct why_facts *facts, const struct lkst_event *event)
{
	struct why_cpu *target = why_cpu(facts, (int64_t)event->arg[0]);

	if (target)
		target->sent = (struct why_fact){ .since_ns = facts->now_ns,
						  .number = event->arg[2],
						  .thread = why_actor(facts, event) };
}

/* ---- timers ---- */

static void why_timer_key(const struct lkst_event *event, bool high, uint64_t key[HASH_WORDS])
{
	key[0] = event->arg[0];
	key[1] = high;
	key[2] = 0;
}

static void why_arm(struct why_facts *facts, const struct lkst_event *event, bool high)
{
	struct why_pending *timer;
	uint64_t key[HASH_WORDS];

	why_timer_key(event, high, key);
	if (hash_add(&facts->timers, key, &timer) == HASH_FULL) {
		hash_clear(&facts->timers);
		hash_add(&facts->timers, key, &timer);
	}
	if (!timer) {
		run_out_of_memory(facts->run);
		return;
	}
	timer->fact =
		(struct why_fact){ .since_ns = facts->now_ns, .thread = why_actor(facts, event) };
}

static struct why_pending *why_armed(struct why_facts *facts, const struct lkst_event *event,
				     bool high)
{
	uint64_t key[HASH_WORDS];

	why_timer_key(event, high, key);
	return hash_find(&facts->timers, key);
}

static void why_disarm(struct why_facts *facts, const struct lkst_event *event, bool high)
{
	struct why_pending *timer = why_armed(facts, event, high);

	if (timer)
		hash_remove(&facts->timers, timer);
}

static void why_expire(struct why_facts *facts, struct why_level *level,
		       const struct lkst_event *event, bool high)
{
	struct why_pending *timer = why_armed(facts, event, high);
	int64_t late_ns;

	level->timer = timer ? timer->fact : (struct why_fact){ 0 };
	level->timer.detail = high ? WHY_DETAIL_HRTIMER : WHY_DETAIL_TIMER;
	level->timer.number = event->arg[1];
	if (!high || !late_by(event, &late_ns) ||
	    __builtin_sub_overflow(facts->now_ns, late_ns, &level->timer.until_ns))
		level->timer.until_ns = 0;
	if (timer)
		hash_remove(&facts->timers, timer);
}

/* ---- wake-ups ---- */

/* Return the innermost interrupt or softirq in which an event occurred; NULL: none. */
static struct why_level *why_level(struct why_cpu *cpu, const struct lkst_event *event)
{
	if (event->flags & LKST_LOG_HARDIRQ)
		return &cpu->level[HARD];
	return event->flags & LKST_LOG_SOFTIRQ ? &cpu->level[SOFT] : NULL;
}

/* Note whether a thread is being woken up, but is not in the queue of a CPU yet. */
static void why_place(struct why_facts *facts, const struct lkst_thread *thread,
		      const struct lkst_event *event)
{
	struct why_thread *of = why_facts_thread(facts, thread);

	if (of)
		of->placing = event->type == LKST_ETYPE_PROCESS_WAKING;
}

static void why_wake(struct why_facts *facts, struct why_cpu *cpu, const struct lkst_event *event)
{
	const struct lkst_thread *thread =
		lkst_model_find(facts->run->model, event->source, (uint32_t)(event->arg[0] >> 32));
	const struct why_level *level = why_level(cpu, event);
	struct why_fact fact;

	if (!thread)
		return;
	why_place(facts, thread, event);
	if (event->type == LKST_ETYPE_PROCESS_WAKEUP &&
	    lkst_model_saw(facts->run->model, LKST_ETYPE_PROCESS_WAKING))
		return;
	cpu->woken = thread->index + 1;
	cpu->woken_ns = facts->now_ns;
	if (!level)
		return;
	fact = level->done.detail  ? level->done :
	       level->timer.detail ? level->timer :
				     level->entered;
	fact.time_ns = facts->now_ns;
	fact.cpu = (int16_t)event->cpu;
	if (fact.detail)
		why_facts_add(facts, thread, &fact);
}

/* The kernel records a signal just after it has woken up a thread of the process. */
static void why_signal(struct why_facts *facts, struct why_cpu *cpu, const struct lkst_event *event)
{
	const struct lkst_thread *woken, *target;

	if (!cpu->woken)
		return;
	woken = lkst_model_thread(facts->run->model, cpu->woken - 1);
	target = lkst_model_find(facts->run->model, event->source, (uint32_t)(event->arg[1] >> 32));
	if (!woken || !target || (woken != target && woken->tgid != target->tgid))
		return;
	why_facts_signal(facts, woken,
			 &(struct why_fact){ .time_ns = cpu->woken_ns,
					     .thread = why_actor(facts, event),
					     .cpu = (int16_t)event->cpu,
					     .detail = WHY_DETAIL_SIGNAL,
					     .signal = (uint8_t)(event->arg[0] >> 32) });
}

/* Note the latest packet that a softirq has received: it may be the reason for the next wake-up. */
static void why_packet(struct why_level *level, const struct lkst_event *event)
{
	if (level && level->entered.detail == WHY_DETAIL_SOFTIRQ)
		memcpy(level->entered.value, &event->arg[2], sizeof(level->entered.value));
}

/**
 * why_facts_event() - update the facts with what an event shows
 * @facts: facts
 * @event: event, which the model has processed
 */
void why_facts_event(struct why_facts *facts, const struct lkst_event *event)
{
	struct why_cpu *cpu;

	facts->now_ns = why_now(facts, event);
	cpu = why_cpu(facts, event->cpu);
	if (!cpu)
		return;
	switch (event->type) {
	case LKST_ETYPE_INT_HARDWARE_ENTRY:
	case LKST_ETYPE_INT_TIMER_ENTRY:
	case LKST_ETYPE_INT_IPI_ENTRY:
		why_irq(facts, cpu, event);
		break;
	case LKST_ETYPE_INT_HARDWARE_EXIT:
	case LKST_ETYPE_INT_TIMER_EXIT:
	case LKST_ETYPE_INT_IPI_EXIT:
		why_leave(cpu, HARD);
		break;
	case LKST_ETYPE_INT_SOFTIRQ_RAISE:
		why_raise(facts, cpu, event);
		break;
	case LKST_ETYPE_INT_SOFTIRQ_ENTRY:
		why_softirq(facts, cpu, event);
		break;
	case LKST_ETYPE_INT_SOFTIRQ_EXIT:
		why_leave(cpu, SOFT);
		break;
	case LKST_ETYPE_CPU_IPI_SEND:
		why_send(facts, event);
		break;
	case LKST_ETYPE_NET_PKTRECV:
		why_packet(why_level(cpu, event), event);
		break;
	case LKST_ETYPE_TIMER_ADD:
	case LKST_ETYPE_TIMER_HR_ADD:
		why_arm(facts, event, event->type == LKST_ETYPE_TIMER_HR_ADD);
		break;
	case LKST_ETYPE_TIMER_DEL:
	case LKST_ETYPE_TIMER_HR_DEL:
		why_disarm(facts, event, event->type == LKST_ETYPE_TIMER_HR_DEL);
		break;
	case LKST_ETYPE_TIMER_RUN_ENTRY:
	case LKST_ETYPE_TIMER_HR_RUN_ENTRY:
		if (why_level(cpu, event))
			why_expire(facts, why_level(cpu, event), event,
				   event->type == LKST_ETYPE_TIMER_HR_RUN_ENTRY);
		break;
	case LKST_ETYPE_TIMER_RUN_EXIT:
	case LKST_ETYPE_TIMER_HR_RUN_EXIT:
		if (why_level(cpu, event))
			why_level(cpu, event)->timer = (struct why_fact){ 0 };
		break;
	case LKST_ETYPE_BLOCK_ISSUE:
		why_disk_issue(facts, event);
		break;
	case LKST_ETYPE_BLOCK_COMPLETE:
		why_disk_complete(facts, why_level(cpu, event), event);
		break;
	case LKST_ETYPE_PROCESS_WAKING:
	case LKST_ETYPE_PROCESS_WAKEUP:
		why_wake(facts, cpu, event);
		break;
	case LKST_ETYPE_PROCESS_SIGSEND:
		why_signal(facts, cpu, event);
		break;
	/* A signal that is recorded later did not cause the last wake-up. */
	case LKST_ETYPE_SYSCALL_ENTRY:
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
		cpu->woken = 0;
		break;
	}
}
