/* SPDX-License-Identifier: GPL-2.0 */
/* Why a thread was blocked: the letter of its state, and the system call in which it slept. */
#ifndef _CAUSES_H
#define _CAUSES_H

#include "lib/model.h"

/* States of blocked threads that are counted separately; all others count as CAUSE_OTHER. */
#define CAUSE_LETTERS "SDTI"
#define CAUSE_OTHER   4

/**
 * enum cause - where a thread was blocked
 * @CAUSE_UNKNOWN: not recorded
 * @CAUSE_PENDING: not known yet: the next system call event of the thread shows it
 * @CAUSE_OUTSIDE: outside of a system call
 * @CAUSE_IN_CALL: in a system call; the value is CAUSE_IN_CALL + ABI + 256 * number of the call
 *
 * The type of a cause is uint64_t.
 */
enum cause {
	CAUSE_UNKNOWN,
	CAUSE_PENDING,
	CAUSE_OUTSIDE,
	CAUSE_IN_CALL = 16,
};

/**
 * struct cause_state - data about the system call of a thread
 * @begun: there was a span or a system call of the thread
 * @known: it is known whether the thread is in a system call
 */
struct cause_state {
	bool begun;
	bool known;
};

unsigned int cause_letter(char letter);
void cause_begin(struct cause_state *state, const struct lkst_thread *thread);
uint64_t cause_blocked(struct cause_state *state, const struct lkst_thread_span *span,
		       uint64_t *settled);
uint64_t cause_returned(struct cause_state *state, const struct lkst_syscall_span *span);

#endif
