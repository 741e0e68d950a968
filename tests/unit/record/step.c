// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "step.h"

/* Far more than the number of instructions between two interrupts. */
#define NEVER (1L << 30)

/* record_hook() decrements this before each instruction, and calls record_boundary() at 0. */
long record_countdown = NEVER;

/* The stack may have any alignment here, and all general registers must be preserved. */
void record_boundary(void) __attribute__((no_caller_saved_registers, force_align_arg_pointer,
					  target("general-regs-only")));

static struct record_steps steps;

/*
 * record_hook() preserves all general registers and flags, so it does not affect the code that
 * calls it. That code is compiled to use neither the red zone nor SSE.
 */
#ifdef __x86_64__
#define CX   "%rcx"
#define JCXZ "jrcxz"
#else
#define CX   "%ecx"
#define JCXZ "jecxz"
#endif
__asm__("	.text\n"
	"	.globl record_hook\n"
	"record_hook:\n"
	"	push " CX "\n"
	"	mov record_countdown, " CX "\n"
	"	lea -1(" CX "), " CX "\n"
	"	mov " CX ", record_countdown\n"
	"	" JCXZ " 1f\n"
	"	pop " CX "\n"
	"	ret\n"
	"1:	pushf\n"
	"	cld\n"
	"	call record_boundary\n"
	"	popf\n"
	"	pop " CX "\n"
	"	ret\n");

/* Return the number of instructions from @passed up to the next interrupt. */
static long left(long passed)
{
	return steps.next ? steps.next->at - passed : NEVER;
}

static void arm(long passed)
{
	steps.passed = passed;
	record_countdown = left(passed);
}

void record_step_enter(struct record_steps *saved, struct record_interrupt *first)
{
	*saved = steps;
	saved->countdown = record_countdown;
	steps.next = first;
	arm(0);
}

long record_step_leave(const struct record_steps *saved)
{
	long executed = steps.passed + left(steps.passed) - record_countdown;

	steps = *saved;
	record_countdown = saved->countdown;
	return executed;
}

/* Run the interrupt that is due before the next instruction. */
void record_boundary(void)
{
	struct record_interrupt *interrupt = steps.next;
	struct record_steps saved;

	/*
	 * Without a pending interrupt, the countdown has run out by itself: on 32-bit, a process
	 * that runs all tests can execute NEVER instructions.
	 */
	if (!interrupt) {
		record_countdown = NEVER;
		return;
	}
	steps.next = interrupt->next;
	record_step_enter(&saved, NULL);
	interrupt->run(interrupt->arg);
	interrupt->ran = true;
	record_step_leave(&saved);
	arm(interrupt->at);
}
