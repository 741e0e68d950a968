// SPDX-License-Identifier: GPL-2.0
/* Stores facts about threads for lkstla why, and looks them up. why_events.c collects the facts. */
#include <stdlib.h>
#include <string.h>

#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "why_facts.h"

#define WHY_REQUESTS_MAX 65536
#define WHY_DEVICES_MAX	 4096
#define WHY_TIMERS_MAX	 65536

void why_facts_init(struct why_facts *facts, const struct run *run)
{
	facts->run = run;
	facts->now_ns = facts->begin_ns = INT64_MIN;
	facts->limit = WHY_FACTS_BYTES;
	facts->joined = 1;
	facts->requests =
		(struct hash){ .size = sizeof(struct why_pending), .max = WHY_REQUESTS_MAX };
	facts->devices = (struct hash){ .size = sizeof(struct why_device), .max = WHY_DEVICES_MAX };
	facts->timers = (struct hash){ .size = sizeof(struct why_pending), .max = WHY_TIMERS_MAX };
}

void why_facts_free(struct why_facts *facts)
{
	for (size_t i = 0; i < facts->threads; i++) {
		free(facts->thread[i].events.fact);
		free(facts->thread[i].works.fact);
	}
	free(facts->thread);
	free(facts->cpu);
	hash_free(&facts->requests);
	hash_free(&facts->devices);
	hash_free(&facts->timers);
}

/* ---- the lists ---- */

static size_t why_list_before(const struct why_list *list, int64_t time_ns)
{
	size_t low = 0, high = list->num;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->fact[middle].time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Drop the facts before a time, and free the memory that the list no longer needs. */
static void why_list_trim(struct why_facts *facts, struct why_list *list, int64_t time_ns)
{
	size_t drop = why_list_before(list, time_ns);
	struct why_fact *shrunk;

	list->num -= drop;
	if (drop)
		memmove(list->fact, list->fact + drop, list->num * sizeof(*list->fact));
	facts->bytes -= (list->room - list->num) * sizeof(*list->fact);
	list->room = list->num;
	if (!list->num) {
		free(list->fact);
		list->fact = NULL;
		return;
	}
	shrunk = realloc(list->fact, list->num * sizeof(*shrunk));
	if (shrunk)
		list->fact = shrunk;
}

/* Return the time of the oldest fact. */
static int64_t why_facts_oldest(const struct why_facts *facts)
{
	int64_t oldest = facts->now_ns;

	for (size_t i = 0; i < facts->threads; i++) {
		const struct why_thread *thread = &facts->thread[i];

		if (thread->events.num && thread->events.fact[0].time_ns < oldest)
			oldest = thread->events.fact[0].time_ns;
		if (thread->works.num && thread->works.fact[0].time_ns < oldest)
			oldest = thread->works.fact[0].time_ns;
	}
	return oldest;
}

/*
 * Drop the facts from the first half of the time that the facts cover. If all facts have the same
 * time, drop all of them.
 */
static void why_facts_trim(struct why_facts *facts)
{
	int64_t cut = why_facts_oldest(facts);

	cut += tally_length(cut, facts->now_ns) / 2 + 1;
	for (size_t i = 0; i < facts->threads; i++) {
		why_list_trim(facts, &facts->thread[i].events, cut);
		why_list_trim(facts, &facts->thread[i].works, cut);
	}
	if (cut > facts->begin_ns)
		facts->begin_ns = cut;
}

/* Make room for a fact. Returns 0; -1 if an allocation failed, which is reported. */
static int why_list_grow(struct why_facts *facts, struct why_list *list)
{
	size_t more = list->num / 2 + 4;
	struct why_fact *grown;

	if (list->num < list->room)
		return 0;
	if (facts->bytes + more * sizeof(*grown) > facts->limit) {
		why_facts_trim(facts);
		more = list->num / 2 + 4;
	}
	grown = realloc(list->fact, (list->num + more) * sizeof(*grown));
	if (!grown) {
		run_out_of_memory(facts->run);
		return -1;
	}
	facts->bytes += (list->num + more - list->room) * sizeof(*grown);
	list->fact = grown;
	list->room = list->num + more;
	return 0;
}

/**
 * why_facts_thread() - get the facts about a thread
 * @facts: facts
 * @thread: thread
 *
 * Return: the facts, valid until the next call; NULL if an allocation failed, which is reported.
 */
struct why_thread *why_facts_thread(struct why_facts *facts, const struct lkst_thread *thread)
{
	struct why_thread *of =
		tally_cover(facts->thread, &facts->threads, thread->index, sizeof(*of));

	if (!of) {
		run_out_of_memory(facts->run);
		return NULL;
	}
	facts->thread = of;
	return &of[thread->index];
}

/**
 * why_facts_add() - remember a fact about a thread
 * @facts: facts
 * @thread: thread
 * @fact: fact; ignored if it is older than the latest fact, because the list is in order of time
 */
void why_facts_add(struct why_facts *facts, const struct lkst_thread *thread,
		   const struct why_fact *fact)
{
	struct why_thread *of = why_facts_thread(facts, thread);
	struct why_list *list;

	if (!of)
		return;
	list = fact->detail == WHY_DETAIL_WORK ? &of->works : &of->events;
	if (list->num && list->fact[list->num - 1].time_ns > fact->time_ns)
		return;
	if (!why_list_grow(facts, list))
		list->fact[list->num++] = *fact;
}

/**
 * why_facts_signal() - note that a signal woke up a thread
 * @facts: facts
 * @thread: thread
 * @fact: fact to add if there is no fact about this wake-up yet
 */
void why_facts_signal(struct why_facts *facts, const struct lkst_thread *thread,
		      const struct why_fact *fact)
{
	const struct why_thread *of = why_facts_thread(facts, thread);
	struct why_fact *last;

	if (!of)
		return;
	last = of->events.num ? &of->events.fact[of->events.num - 1] : NULL;
	if (last && last->time_ns == fact->time_ns && last->cpu == fact->cpu &&
	    last->detail != WHY_DETAIL_MOVE)
		last->signal = fact->signal;
	else
		why_facts_add(facts, thread, fact);
}

/**
 * why_actor() - get the thread that recorded an event
 * @facts: facts
 * @event: event
 *
 * Return: 1 plus the index of the thread; 0 if an interrupt, a softirq or the idle thread recorded
 * the event.
 */
uint32_t why_actor(const struct why_facts *facts, const struct lkst_event *event)
{
	const struct lkst_thread *thread = NULL;

	if (!(event->flags & (LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ | LKST_LOG_NMI)))
		thread = value_thread(facts->run, event);
	return thread ? thread->index + 1 : 0;
}

/**
 * why_facts_migrate() - note that a thread was moved to the queue of another CPU
 * @facts: facts
 * @thread: thread
 * @from: CPU from which it was moved
 * @to: CPU to which it was moved
 * @time_ns: time
 */
void why_facts_migrate(struct why_facts *facts, const struct lkst_thread *thread, int32_t from,
		       int32_t to, int64_t time_ns)
{
	const struct why_thread *of = why_facts_thread(facts, thread);

	if (of && !of->placing && thread->state == LKST_STATE_RUNNABLE && from >= 0 && to >= 0 &&
	    to < WHY_CPUS_MAX)
		why_facts_add(facts, thread,
			      &(struct why_fact){ .time_ns = time_ns,
						  .extra = (uint32_t)from,
						  .cpu = (int16_t)to,
						  .detail = WHY_DETAIL_MOVE });
}

/**
 * why_facts_work() - note that a thread has executed a work item
 * @facts: facts
 * @span: work item
 */
void why_facts_work(struct why_facts *facts, const struct lkst_context_span *span)
{
	if (span->kind == LKST_CONTEXT_WORK && span->thread)
		why_facts_add(facts, span->thread,
			      &(struct why_fact){ .time_ns = span->begin_ns,
						  .until_ns = span->end_ns,
						  .number = span->number,
						  .cpu = (int16_t)span->cpu,
						  .detail = WHY_DETAIL_WORK });
}

/* Merge a loss with the next one. */
static void why_loss_extend(struct lkst_loss *loss, const struct lkst_loss *next)
{
	if (next->begin_ns < loss->begin_ns)
		loss->begin_ns = next->begin_ns;
	if (next->end_ns > loss->end_ns)
		loss->end_ns = next->end_ns;
	if (next->cpu != loss->cpu)
		loss->cpu = -1;
	if (__builtin_add_overflow(loss->number, next->number, &loss->number))
		loss->number = UINT64_MAX;
}

/* Merge each pair of adjacent losses, which halves their number. */
static void why_losses_join(struct why_facts *facts)
{
	facts->losses = WHY_LOSSES_MAX / 2;
	for (size_t i = 0; i < facts->losses; i++) {
		facts->loss[i] = facts->loss[2 * i];
		why_loss_extend(&facts->loss[i], &facts->loss[2 * i + 1]);
	}
	facts->joined *= 2;
}

/* Remember that records were lost. */
void why_facts_loss(struct why_facts *facts, const struct lkst_loss *loss)
{
	if (facts->losses && facts->in_last < facts->joined) {
		why_loss_extend(&facts->loss[facts->losses - 1], loss);
		facts->in_last++;
	} else {
		if (facts->losses == WHY_LOSSES_MAX)
			why_losses_join(facts);
		facts->loss[facts->losses++] = *loss;
		facts->in_last = 1;
	}
	/* The lost records may include the ends of requests and timers. */
	hash_clear(&facts->requests);
	hash_clear(&facts->devices);
	hash_clear(&facts->timers);
	if (loss->cpu >= 0 && (size_t)loss->cpu < facts->cpus)
		facts->cpu[loss->cpu] = (struct why_cpu){ 0 };
}

/* ---- questions ---- */

static const struct why_thread *why_facts_of(const struct why_facts *facts,
					     const struct lkst_thread *thread)
{
	return thread->index < facts->threads ? &facts->thread[thread->index] : NULL;
}

/**
 * why_facts_wake() - find the data about a wake-up
 * @facts: facts
 * @thread: thread that was woken up
 * @wake: wake-up
 * @after_ns: when the thread last began to run. The wake-up is later than this, but may be earlier
 *	than the sleep
 *
 * Return: the fact; NULL: none.
 */
const struct why_fact *why_facts_wake(const struct why_facts *facts,
				      const struct lkst_thread *thread,
				      const struct lkst_wake *wake, int64_t after_ns)
{
	const struct why_thread *of = why_facts_of(facts, thread);
	size_t i;

	if (!of || wake->time_ns == INT64_MAX)
		return NULL;
	for (i = why_list_before(&of->events, wake->time_ns + 1); i-- > 0;) {
		const struct why_fact *fact = &of->events.fact[i];

		if (fact->time_ns <= after_ns)
			break;
		if (fact->detail == WHY_DETAIL_MOVE)
			continue;
		return fact->cpu == wake->cpu &&
				       (wake->context >= 0 || fact->detail == WHY_DETAIL_SIGNAL) ?
			       fact :
			       NULL;
	}
	return NULL;
}

/**
 * why_facts_move() - find the first move of a thread between two times
 * @facts: facts
 * @thread: thread
 * @after_ns: later than this time
 * @before_ns: earlier than this time
 *
 * Return: the move; NULL: none.
 */
const struct why_fact *why_facts_move(const struct why_facts *facts,
				      const struct lkst_thread *thread, int64_t after_ns,
				      int64_t before_ns)
{
	const struct why_thread *of = why_facts_of(facts, thread);

	if (!of || after_ns == INT64_MAX)
		return NULL;
	for (size_t i = why_list_before(&of->events, after_ns + 1);
	     i < of->events.num && of->events.fact[i].time_ns < before_ns; i++)
		if (of->events.fact[i].detail == WHY_DETAIL_MOVE)
			return &of->events.fact[i];
	return NULL;
}

/**
 * why_facts_work_at() - find the work item that a thread executes at a given time, or else the next
 * one
 * @facts: facts
 * @thread: thread
 * @time_ns: time
 *
 * Return: the work item that ends first after @time_ns; NULL: none.
 */
const struct why_fact *why_facts_work_at(const struct why_facts *facts,
					 const struct lkst_thread *thread, int64_t time_ns)
{
	const struct why_thread *of = why_facts_of(facts, thread);
	size_t i;

	if (!of || time_ns == INT64_MAX)
		return NULL;
	i = why_list_before(&of->works, time_ns + 1);
	if (i && of->works.fact[i - 1].until_ns > time_ns)
		i--;
	return i < of->works.num ? &of->works.fact[i] : NULL;
}

/**
 * why_facts_lost() - find a loss of records in an interval
 * @facts: facts
 * @begin_ns: start of the interval
 * @end_ns: end of the interval
 *
 * Return: the loss that was noticed first; NULL: none.
 */
const struct lkst_loss *why_facts_lost(const struct why_facts *facts, int64_t begin_ns,
				       int64_t end_ns)
{
	for (size_t i = 0; i < facts->losses; i++)
		if (facts->loss[i].begin_ns <= end_ns && facts->loss[i].end_ns >= begin_ns)
			return &facts->loss[i];
	return NULL;
}
