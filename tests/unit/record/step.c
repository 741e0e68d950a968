// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "step.h"

/* Far more than the number of instructions between two interrupts. */
#define NEVER (1L << 30)

/* record_hook() decrements this before each instruction, and calls record_boundary() at 0. */
long record_countdown = NEVER;
void record_boundary(void);

static struct record_steps steps;

/*
 * record_hook() preserves all general registers and flags, so it does not affect the code that
 * calls it. That code is compiled to use neither the red zone nor SSE.
 */
#ifdef __x86_64__
__asm__("	.text\n"
	"	.globl record_hook\n"
	"record_hook:\n"
	"	pushq %rcx\n"
	"	movq record_countdown(%rip), %rcx\n"
	"	leaq -1(%rcx), %rcx\n"
	"	movq %rcx, record_countdown(%rip)\n"
	"	jrcxz 1f\n"
	"	popq %rcx\n"
	"	ret\n"
	"1:	pushfq\n"
	"	cld\n"
	"	pushq %rax\n"
	"	pushq %rdx\n"
	"	pushq %rsi\n"
	"	pushq %rdi\n"
	"	pushq %r8\n"
	"	pushq %r9\n"
	"	pushq %r10\n"
	"	pushq %r11\n"
	"	pushq %rbp\n"
	"	movq %rsp, %rbp\n"
	"	andq $-16, %rsp\n"
	"	call record_boundary\n"
	"	movq %rbp, %rsp\n"
	"	popq %rbp\n"
	"	popq %r11\n"
	"	popq %r10\n"
	"	popq %r9\n"
	"	popq %r8\n"
	"	popq %rdi\n"
	"	popq %rsi\n"
	"	popq %rdx\n"
	"	popq %rax\n"
	"	popfq\n"
	"	popq %rcx\n"
	"	ret\n");
#else
__asm__("	.text\n"
	"	.globl record_hook\n"
	"record_hook:\n"
	"	pushl %ecx\n"
	"	movl record_countdown, %ecx\n"
	"	leal -1(%ecx), %ecx\n"
	"	movl %ecx, record_countdown\n"
	"	jecxz 1f\n"
	"	popl %ecx\n"
	"	ret\n"
	"1:	pushfl\n"
	"	cld\n"
	"	pushl %eax\n"
	"	pushl %edx\n"
	"	pushl %ebp\n"
	"	movl %esp, %ebp\n"
	"	andl $-16, %esp\n"
	"	call record_boundary\n"
	"	movl %ebp, %esp\n"
	"	popl %ebp\n"
	"	popl %edx\n"
	"	popl %eax\n"
	"	popfl\n"
	"	popl %ecx\n"
	"	ret\n");
#endif

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

/* Run the interrupt that is due before the next instruction. Called by record_hook(). */
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
