/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts between the instructions of the stepped writer and reader.
 */
#ifndef _RECORD_STEP_H
#define _RECORD_STEP_H

#include <stdbool.h>

/**
 * struct record_interrupt - one interrupt
 * @at: before which instruction of what is interrupted, counted as executed, from 1
 * @run: what it does; on return the code goes on where it was
 * @arg: for @run
 * @ran: set by then: the code was that long
 */
struct record_interrupt {
	long at;
	void (*run)(void *arg);
	void *arg;
	bool ran;
};

/*
 * What comes between the instructions of the code that is running. Nested code has its
 * own: record_step_enter() before and record_step_leave() after it.
 */
struct record_steps {
	struct record_interrupt *next, *end;
	long passed; /* instructions when record_countdown was last set */
	long countdown; /* of record_countdown, while nested code runs */
};

/* @num interrupts, in the order of @at, each at another place. */
void record_step_enter(struct record_steps *saved, struct record_interrupt *interrupts,
		       unsigned int num);
/* Returns how many instructions were executed. */
long record_step_leave(const struct record_steps *saved);

#endif
