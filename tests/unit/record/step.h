/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts between the instructions of the stepped writer and reader.
 */
#ifndef _RECORD_STEP_H
#define _RECORD_STEP_H

#include <stdbool.h>

#include "path.h"

/**
 * struct record_interrupt - one interrupt
 * @at: number of the instruction before which it occurs, in the order of execution, from 1
 * @run: handler; when it returns, the interrupted code resumes
 * @arg: argument of @run
 * @ran: set when the interrupt has occurred; stays false if the code ends before instruction @at
 * @next: the next interrupt of the same code, at a later place, or NULL
 */
struct record_interrupt {
	long at;
	void (*run)(void *arg);
	void *arg;
	bool ran;
	struct record_interrupt *next;
};

/*
 * The pending interrupts of the running code. Between record_step_enter() and record_step_leave(),
 * nested code runs, which has a separate list of pending interrupts.
 */
struct record_steps {
	struct record_interrupt *next;
	long passed; /* number of instructions executed before record_countdown was last set */
	long countdown; /* saved record_countdown while nested code is running */
};

/* Start stepping. @first is the first interrupt or NULL. @saved receives the outer state. */
void record_step_enter(struct record_steps *saved, struct record_interrupt *first);
/* Stop stepping and restore the outer state. Return the number of executed instructions. */
long record_step_leave(const struct record_steps *saved);

#endif
