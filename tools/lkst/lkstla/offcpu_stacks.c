// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla offcpu: finds the stack with which a thread went to sleep. The event with the stack is
 * recorded together with the context switch, just before or just after it. So the stack belongs to
 * the sleep that begins next, or that has just begun. The thread may be woken up before this event
 * is recorded, but it cannot run before the event is recorded. So the stack of a sleep is certain
 * only when the thread runs again.
 */
#include "lib/base/etype_ids.h"
#include "offcpu.h"
#include "tally.h"
#include "value.h"

/* Find or add a place. Returns NULL if an allocation failed. */
static struct offcpu_place *place_get(struct offcpu *offcpu, const uint64_t key[HASH_WORDS],
				      const struct lkst_thread *thread)
{
	struct offcpu_place *place;

	if (hash_add_row(&offcpu->places, key, &place) == HASH_NO_MEMORY) {
		run_out_of_memory(offcpu->run);
		return NULL;
	}
	place->thread = thread;
	return place;
}

static void place_add(struct offcpu_place *to, const struct offcpu_place *from)
{
	if (from->max_ns > to->max_ns || !to->max_at_ns) {
		to->max_ns = from->max_ns;
		to->max_at_ns = from->max_at_ns;
	}
	to->times += from->times;
	to->total_ns = tally_sum(to->total_ns, from->total_ns);
}

/*
 * Remember that a stack has sleeps whose cause is not known yet. Returns the number of the stack;
 * STACK_OTHERS, for which there is always room, if too many stacks have such sleeps.
 */
static uint32_t place_pend(struct offcpu_thread *thread, uint32_t stack)
{
	for (unsigned int i = 0; i < thread->pending_stacks; i++)
		if (thread->pending_stack[i] == stack)
			return stack;
	if (thread->pending_stacks >= OFFCPU_PENDING_MAX - 1)
		stack = STACK_OTHERS;
	if (thread->pending_stacks < OFFCPU_PENDING_MAX)
		thread->pending_stack[thread->pending_stacks++] = stack;
	return stack;
}

/**
 * offcpu_place_sleep() - add the last sleep of a thread to the place with its stack, unless this
 * has been done
 * @offcpu: what is collected
 * @thread: state of the thread
 */
void offcpu_place_sleep(struct offcpu *offcpu, struct offcpu_thread *thread)
{
	const struct offcpu_place sleep = {
		.times = thread->last_begun,
		.total_ns = thread->last_ns,
		.max_ns = thread->last_ns,
		.max_at_ns = thread->last_end_ns,
	};
	uint64_t key[HASH_WORDS] = { 0, thread->last_key[1], thread->last_key[2] };
	uint32_t stack = thread->stack;
	struct offcpu_place *place;

	if (!thread->unplaced)
		return;
	thread->unplaced = false;
	thread->stack = STACK_UNKNOWN;
	if (key[2] == CAUSE_PENDING && key[1] <= CAUSE_OTHER)
		stack = place_pend(thread, stack);
	key[0] = offcpu_place_word(thread->last->index, stack);
	place = place_get(offcpu, key, thread->last);
	if (place)
		place_add(place, &sleep);
}

/**
 * offcpu_place_ended() - add the last sleep to its place, because the next span has ended
 * @offcpu: what is collected
 * @thread: data about the thread of the span
 * @state: state of the thread in the span
 */
void offcpu_place_ended(struct offcpu *offcpu, struct offcpu_thread *thread, enum lkst_state state)
{
	bool fresh = thread->stack_fresh;

	offcpu_place_sleep(offcpu, thread);
	thread->stack_fresh = false;
	/* A stack that was recorded before the thread ran does not belong to its next sleep. */
	if (state == LKST_STATE_UNKNOWN || (state == LKST_STATE_RUNNING && !fresh))
		thread->stack = STACK_UNKNOWN;
}

static void place_settle(struct offcpu *offcpu, const uint64_t pending[HASH_WORDS], uint64_t cause)
{
	const uint64_t key[HASH_WORDS] = { pending[0], pending[1], cause };
	struct offcpu_place *place = hash_find(&offcpu->places, pending), from;

	if (!place)
		return;
	from = *place;
	hash_remove(&offcpu->places, place);
	place = place_get(offcpu, key, from.thread);
	if (place)
		place_add(place, &from);
}

/**
 * offcpu_settle_places() - add all pending sleeps of a thread to the sleeps of their cause
 * @offcpu: what is collected
 * @thread: state of the thread
 * @index: index of the thread
 * @cause: cause
 */
void offcpu_settle_places(struct offcpu *offcpu, struct offcpu_thread *thread, uint32_t index,
			  uint64_t cause)
{
	for (unsigned int i = 0; i < thread->pending_stacks; i++)
		for (unsigned int letter = 0; letter <= CAUSE_OTHER; letter++)
			if (thread->pending >> letter & 1)
				place_settle(
					offcpu,
					(const uint64_t[HASH_WORDS]){
						offcpu_place_word(index, thread->pending_stack[i]),
						letter, CAUSE_PENDING },
					cause);
	thread->pending_stacks = 0;
}

/**
 * offcpu_event() - remember the stack if an event contains one
 * @ctx: what is collected
 * @event: event of any type
 */
void offcpu_event(void *ctx, const struct lkst_event *event)
{
	struct offcpu *offcpu = ctx;
	const struct lkst_thread *of;
	struct offcpu_thread *thread;

	if (event->type != LKST_ETYPE_PROCESS_BLOCK)
		return;
	offcpu->stacks_seen = true;
	of = value_thread(offcpu->run, event);
	/* If the clocks of CPUs differ, the thread may already seem to run on another CPU. */
	if (!of || (of->state == LKST_STATE_RUNNING && of->cpu != event->cpu))
		return;
	thread = offcpu_thread(offcpu, of);
	if (!thread)
		return;
	/* If the thread still runs, this is not the stack of its last sleep. */
	if (of->state == LKST_STATE_RUNNING)
		offcpu_place_sleep(offcpu, thread);
	thread->stack = stacks_add(&offcpu->stacks, event);
	thread->stack_fresh = true;
}
