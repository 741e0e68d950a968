// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out in which system call, context and kernel function a thread was blocked.
 *
 * The stack of a sleep is in a separate event, which is recorded where the thread is switched out.
 * This event can precede or follow the context switch event, and it may even be recorded after the
 * thread has been woken up. So the stack of a sleep is certain only when the thread runs again. If
 * the trace begins in the middle of a system call, the call is known only when it ends. Until then,
 * sleeps are pending.
 */
#include <stdlib.h>
#include <string.h>

#include "folded.h"
#include "lib/base/etype_ids.h"
#include "lib/text/payload.h"
#include "lib/text/symbols.h"

/* ---- lines ---- */

static void sleep_put_cause(struct folded *folded, const struct lkst_thread *thread, uint64_t cause)
{
	char text[STATE_CALL_SIZE + 3] = "in ";

	if (cause >= CAUSE_IN_CALL) {
		cause -= CAUSE_IN_CALL;
		state_syscall_name(thread, (int32_t)(cause >> 8), (uint8_t)cause, text + 3);
		folded_text_add(&folded->text, text);
	} else if (cause == CAUSE_OUTSIDE && (folded->calls || thread->kernel)) {
		folded_text_add(&folded->text, "outside of a call");
	}
}

/* Add the functions of a stack, outermost first. */
static void sleep_put_stack(struct folded *folded, const struct folded_stack *stack)
{
	char name[STATE_SYMBOL_SIZE];

	if (stack->cut)
		folded_text_add(&folded->text, "[cut]");
	for (uint32_t i = stack->num; i-- > 0;) {
		struct lkst_symbols *symbols = folded->export->context->symbols;
		uint64_t address = stack->address[i] - LKST_STACK_BACK;
		struct lkst_symbol symbol;

		/* Different places in a function are the same frame. */
		if (lkst_symbols_find(symbols, address, &symbol))
			address -= symbol.offset;
		else
			address = stack->address[i];
		folded_text_add(&folded->text,
				state_symbol(folded->export->context, address, name, sizeof(name)));
	}
}

static void sleep_add(struct folded *folded, struct folded_thread *thread,
		      const struct folded_sleep *sleep, const struct folded_stack *stack)
{
	char state[16] = "blocked", context[STATE_CONTEXT_SIZE];

	/* Pass the CPU of -c, because -c has already been evaluated for this sleep. */
	if (!sleep->ns || !folded_begin(folded, thread, folded->export->selection->cpu))
		return;
	if (sleep->letter < CAUSE_OTHER)
		snprintf(state, sizeof(state), "blocked %c", CAUSE_LETTERS[sleep->letter]);
	folded_text_add(&folded->text, state);
	sleep_put_cause(folded, thread->thread, sleep->cause);
	if (sleep->context >= 0)
		folded_text_add(&folded->text,
				state_context_text(folded->export->context, sleep->context,
						   sleep->number, "", context));
	if (stack)
		sleep_put_stack(folded, stack);
	folded_add(folded, sleep->ns);
}

/* ---- sleeps whose system call is not known yet ---- */

static bool sleep_same(const struct folded_sleep *a, const struct folded_sleep *b)
{
	return a->letter == b->letter && a->context == b->context && a->number == b->number;
}

static bool sleep_same_stack(const struct folded_stack *a, const struct folded_stack *b)
{
	return a->num == b->num && a->cut == b->cut &&
	       !memcmp(a->address, b->address, a->num * sizeof(*a->address));
}

static void sleep_pend(struct folded *folded, struct folded_thread *thread)
{
	const struct folded_sleep *sleep = &thread->sleep;
	struct folded_pending *pending = thread->pending;
	unsigned int i = 0;

	if (!pending)
		pending = thread->pending = calloc(1, sizeof(*pending));
	if (!pending) {
		states_out_of_memory(&folded->states);
		return;
	}
	while (i < pending->stacks && !(sleep_same(&pending->sleep[i], sleep) &&
					sleep_same_stack(&pending->stack[i], &thread->stack)))
		i++;
	if (i == FOLDED_PENDING_STACKS) {
		pending->ns[sleep->letter] += sleep->ns;
	} else if (i < pending->stacks) {
		pending->sleep[i].ns += sleep->ns;
	} else {
		pending->sleep[i] = *sleep;
		pending->stack[i] = thread->stack;
		pending->stacks++;
	}
}

/* Add all pending sleeps, whose cause is now known. */
static void sleep_settle(struct folded *folded, struct folded_thread *thread, uint64_t cause)
{
	struct folded_pending *pending = thread->pending;

	if (cause == CAUSE_PENDING)
		return;
	if (thread->unplaced && thread->sleep.cause == CAUSE_PENDING)
		thread->sleep.cause = cause;
	if (!pending)
		return;
	for (unsigned int i = 0; i < pending->stacks; i++) {
		pending->sleep[i].cause = cause;
		sleep_add(folded, thread, &pending->sleep[i], &pending->stack[i]);
	}
	for (unsigned int letter = 0; letter <= CAUSE_OTHER; letter++)
		sleep_add(folded, thread,
			  &(struct folded_sleep){ .letter = letter,
						  .cause = cause,
						  .context = -1,
						  .ns = pending->ns[letter] },
			  NULL);
	*pending = (struct folded_pending){ 0 };
}

/* ---- the spans of a thread ---- */

static void sleep_forget_stack(struct folded_thread *thread)
{
	thread->stack.num = 0;
	thread->stack.cut = false;
}

/* Add the last sleep, with the latest stack, unless it has already been added. */
static void sleep_place(struct folded *folded, struct folded_thread *thread)
{
	if (!thread->unplaced)
		return;
	thread->unplaced = false;
	if (thread->sleep.cause == CAUSE_PENDING)
		sleep_pend(folded, thread);
	else
		sleep_add(folded, thread, &thread->sleep, &thread->stack);
	sleep_forget_stack(thread);
}

static void sleep_blocked(struct folded *folded, struct folded_thread *thread,
			  const struct lkst_thread_span *span)
{
	uint64_t settled, cause = cause_blocked(&thread->call, span, &settled);

	sleep_settle(folded, thread, settled);
	/* Check -c now, because the thread may be on another CPU when the sleep is placed. */
	thread->unplaced = states_select_cpu(&folded->states, span->cpu);
	thread->sleep = (struct folded_sleep){
		.letter = cause_letter(span->letter),
		.cause = cause,
		.context = span->context,
		.number = span->number,
		.ns = span->end_ns - span->begin_ns,
	};
	if (!folded->stacks)
		sleep_place(folded, thread);
}

/**
 * folded_sleep_span() - add time in which a thread was blocked
 * @folded: export
 * @thread: thread
 * @span: span of any state
 */
void folded_sleep_span(struct folded *folded, struct folded_thread *thread,
		       const struct lkst_thread_span *span)
{
	bool fresh = thread->fresh;

	cause_begin(&thread->call, span->thread);
	sleep_place(folded, thread);
	thread->fresh = false;
	/* A stack that was recorded before the thread ran does not belong to its next sleep. */
	if (span->state == LKST_STATE_UNKNOWN || (span->state == LKST_STATE_RUNNING && !fresh))
		sleep_forget_stack(thread);
	if (span->state == LKST_STATE_BLOCKED) {
		sleep_blocked(folded, thread, span);
	} else if (span->state == LKST_STATE_UNKNOWN) {
		/* The thread may have entered and left system calls during this span. */
		sleep_settle(folded, thread, CAUSE_UNKNOWN);
		thread->call.known = false;
	}
}

/**
 * folded_sleep_call() - add the pending sleeps, whose cause is known when a system call ends
 * @folded: export
 * @thread: thread
 * @span: call
 */
void folded_sleep_call(struct folded *folded, struct folded_thread *thread,
		       const struct lkst_syscall_span *span)
{
	sleep_settle(folded, thread, cause_returned(&thread->call, span));
}

/**
 * folded_sleep_event() - remember the stack if an event contains one
 * @folded: export
 * @event: event of any type
 */
void folded_sleep_event(struct folded *folded, const struct lkst_event *event)
{
	const struct lkst_thread *of;
	const struct lkst_payload *payload;
	struct folded_thread *thread;
	struct payload_head head;
	size_t num;

	if (event->type != LKST_ETYPE_PROCESS_BLOCK)
		return;
	of = lkst_model_find(folded->states.model, event->source, event->tid);
	/* If clocks differ, the thread may seem to run on another CPU already. */
	if (!of || (of->state == LKST_STATE_RUNNING && of->cpu != event->cpu))
		return;
	thread = folded_thread(folded, of);
	if (!thread)
		return;
	/* If the thread still runs, this is not the stack of its last sleep. */
	if (of->state == LKST_STATE_RUNNING)
		sleep_place(folded, thread);
	payload = payload_of(event, &head);
	num = payload->size / sizeof(uint64_t);
	thread->stack.num = (uint32_t)(num < FOLDED_FRAMES_MAX ? num : FOLDED_FRAMES_MAX);
	thread->stack.cut = payload->cut || num > FOLDED_FRAMES_MAX;
	for (uint32_t i = 0; i < thread->stack.num; i++)
		thread->stack.address[i] = payload_word(event, payload, i * sizeof(uint64_t));
	thread->fresh = true;
}

/**
 * folded_sleep_end() - add the pending sleeps at the end of the trace
 * @folded: export
 * @thread: thread
 */
void folded_sleep_end(struct folded *folded, struct folded_thread *thread)
{
	sleep_settle(folded, thread, CAUSE_UNKNOWN);
	sleep_place(folded, thread);
}
