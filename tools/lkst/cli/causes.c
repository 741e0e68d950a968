// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the system call in which a thread slept. If the trace begins in the middle of the call,
 * only the return from the call shows which call it was, and the span in which the thread slept
 * ends before the return. Such a span is pending until the call returns.
 */
#include <string.h>

#include "causes.h"

/* Return the index of a letter in CAUSE_LETTERS, or CAUSE_OTHER. */
unsigned int cause_letter(char letter)
{
	const char *found = letter ? strchr(CAUSE_LETTERS, letter) : NULL;

	return found ? (unsigned int)(found - CAUSE_LETTERS) : CAUSE_OTHER;
}

/**
 * cause_begin() - begin to process a span of a thread; must precede cause_blocked()
 * @state: what is known about the thread
 * @thread: thread. If the trace shows its creation, the thread was in no call before its first span
 */
void cause_begin(struct cause_state *state, const struct lkst_thread *thread)
{
	if (!state->begun)
		state->known |= thread->created;
	state->begun = true;
}

static uint64_t cause_call(int32_t number, uint8_t abi)
{
	return CAUSE_IN_CALL + ((uint64_t)(uint32_t)number << 8) + abi;
}

/**
 * cause_blocked() - find the cause of a span in which a thread was blocked
 * @state: what is known about the thread
 * @span: span
 * @settled: receives the cause of all pending spans before this one; CAUSE_PENDING: they remain
 *	pending
 *
 * Return: the cause, or CAUSE_PENDING.
 */
uint64_t cause_blocked(struct cause_state *state, const struct lkst_thread_span *span,
		       uint64_t *settled)
{
	*settled = CAUSE_PENDING;
	if (span->syscall != LKST_SYSCALL_NONE) {
		/* The start of this call was recorded, so the thread was in no call before. */
		*settled = CAUSE_OUTSIDE;
		state->known = true;
		return cause_call(span->syscall, span->thread->abi);
	}
	return state->known || span->thread->kernel ? CAUSE_OUTSIDE : CAUSE_PENDING;
}

/**
 * cause_returned() - take a system call that has ended into account
 * @state: what is known about the thread
 * @span: system call
 *
 * Return: the cause of all pending spans; CAUSE_PENDING if no span can be pending.
 */
uint64_t cause_returned(struct cause_state *state, const struct lkst_syscall_span *span)
{
	if (state->known)
		return CAUSE_PENDING;
	state->known = true;
	return span->begin_known ? CAUSE_OUTSIDE : cause_call(span->number, span->abi);
}
