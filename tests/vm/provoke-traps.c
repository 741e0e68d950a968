// SPDX-License-Identifier: GPL-2.0
/*
 * Exceptions of the processor that a program can have, page faults apart.
 */
#include "provoke.h"

#define EXCEPTIONS "exception_entry exception_exit"

#if defined(__x86_64__) || defined(__i386__)
#include <asm/ldt.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#define TIMES 5

/* Vectors of exceptions. */
enum {
	DE = 0,
	DB = 1,
	BP = 3,
	OF = 4,
	BR = 5,
	UD = 6,
	NP = 11,
	SS = 12,
	GP = 13,
	MF = 16,
	AC = 17,
	XF = 19
};

#ifdef __x86_64__
#define REG_IP REG_RIP
#else
#define REG_IP REG_EIP
#endif

static sigjmp_buf out;
static volatile uintptr_t trap_ip;

/* Flag AC would go on making traps, in here. */
#ifdef __x86_64__
#define CLEAR_AC "pushfq; andq $~0x40000, (%%rsp); popfq"
#else
#define CLEAR_AC "pushfl; andl $~0x40000, (%%esp); popfl"
#endif

static void handler(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *user = context;

	(void)signal;
	(void)info;
	asm volatile(CLEAR_AC ::: "memory", "cc");
	trap_ip = user->uc_mcontext.gregs[REG_IP];
	siglongjmp(out, 1);
}

/* How often it made a trap. Not made for one @func, of which there must be one copy. */
static unsigned int __attribute__((noipa)) trap(void (*func)(void))
{
	static const int signals[] = { SIGFPE, SIGTRAP, SIGILL, SIGSEGV, SIGBUS };
	struct sigaction catch = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	volatile unsigned int i, traps = 0;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &catch, NULL);
	for (i = 0; i < TIMES; i++) {
		if (sigsetjmp(out, 1))
			traps++;
		else
			func();
	}
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	return traps;
}

/* Each is recorded with where it was, also when it is over. */
static void expect_traps(void (*func)(void), unsigned int vector, unsigned int error_code,
			 uint64_t address)
{
	const uint32_t thread = gettid_own();
	unsigned int traps = trap(func);

	if (!traps) {
		cannot("this processor, or what emulates it, does not do it");
		return;
	}
	if (traps != TIMES)
		bail_out("a signal for each trap");
	expect(TIMES, "exception_entry", BOTH(1, vector, error_code), ARG(2, trap_ip),
	       ARG(3, address), .thread = thread);
	expect(TIMES, "exception_entry", HIGH(1, vector), .thread = thread);
	expect(TIMES, "exception_exit", BOTH(1, vector, error_code), ARG(2, trap_ip),
	       .thread = thread);
	expect(TIMES, "exception_exit", HIGH(1, vector), .thread = thread);
}

static void divide(void)
{
	unsigned int high = 0, low = 1, by = 0;

	asm volatile("divl %2" : "+d"(high), "+a"(low) : "r"(by) : "cc");
}

/* The processor stops after each instruction while flag TF is set. */
static void single_step(void)
{
#ifdef __x86_64__
	asm volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; nop;"
		     "lea 128(%%rsp), %%rsp" ::
			     : "memory", "cc");
#else
	asm volatile("pushfl; orl $0x100, (%%esp); popfl; nop" ::: "memory", "cc");
#endif
}

static void int3(void)
{
	asm volatile("int3");
}

static void int4(void)
{
	asm volatile("int $4");
}

static void undefined(void)
{
	asm volatile("ud2");
}

/* Only for the kernel. */
static void halt(void)
{
	asm volatile("hlt");
}

static void unaligned(void)
{
	static uint32_t words[2];

#ifdef __x86_64__
	asm volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x40000, (%%rsp); popfq;"
		     "movl 1(%0), %%eax; " CLEAR_AC "; lea 128(%%rsp), %%rsp" ::"r"(words)
		     : "eax", "memory", "cc");
#else
	asm volatile(
		"pushfl; orl $0x40000, (%%esp); popfl; movl 1(%0), %%eax; " CLEAR_AC ::"r"(words)
		: "eax", "memory", "cc");
#endif
}

/* Divides by zero, with that allowed to trap. */
static void x87(void)
{
	const uint16_t control = 0x37b;

	asm volatile("fninit; fldcw %0; fld1; fldz; fdivrp; fwait; fninit" ::"m"(control));
}

static void sse(void)
{
	const uint32_t control = 0x1d80;
	const float one = 1, zero = 0;

	asm volatile("ldmxcsr %0; movss %1, %%xmm0; divss %2, %%xmm0" ::"m"(control), "m"(one),
		     "m"(zero));
}

/* A segment that is not present: loading it traps, with its selector but for the RPL. */
#define SELECTOR 7

static void make_segment(void)
{
	struct user_desc segment = { .entry_number = SELECTOR >> 3,
				     .limit = 0xfffff,
				     .seg_32bit = 1,
				     .limit_in_pages = 1,
				     .seg_not_present = 1,
				     .useable = 1 };

	if (syscall(SYS_modify_ldt, 0x11, &segment, sizeof(segment)))
		bail_out("modify_ldt");
}

static void load_es(void)
{
	asm volatile("movl %0, %%es" ::"r"(SELECTOR));
}

static void load_ss(void)
{
	asm volatile("movl %0, %%ss" ::"r"(SELECTOR));
}

#ifndef __x86_64__
static void overflow(void)
{
	asm volatile("movb $127, %%al; addb $1, %%al; into" ::: "eax", "cc");
}

static void bounds(void)
{
	static const int32_t range[2] = { 0, 9 };

	asm volatile("boundl %0, %1" ::"r"(10), "m"(range));
}
#endif

/* Tests */

/* In DR6, which is the address of a debug exception. */
#define DR_STEP 0x4000

#define TRAP_TEST(name, ...)                     \
	static void test_##name(void)            \
	{                                        \
		expect_traps(name, __VA_ARGS__); \
	}

TRAP_TEST(divide, DE, 0, 0)
TRAP_TEST(single_step, DB, 0, DR_STEP)
TRAP_TEST(int3, BP, 0, 0)
TRAP_TEST(int4, OF, 0, 0)
TRAP_TEST(undefined, UD, 0, 0)
TRAP_TEST(halt, GP, 0, 0)
TRAP_TEST(unaligned, AC, 0, 0)
TRAP_TEST(x87, MF, 0, 0)
TRAP_TEST(sse, XF, 0, 0)
#ifndef __x86_64__
TRAP_TEST(overflow, OF, 0, 0)
TRAP_TEST(bounds, BR, 0, 0)
#endif

static void test_load_es(void)
{
	make_segment();
	expect_traps(load_es, NP, SELECTOR & ~3, 0);
}

static void test_load_ss(void)
{
	make_segment();
	expect_traps(load_ss, SS, SELECTOR & ~3, 0);
}

const struct test trap_tests[] = {
	{ "division-by-zero", EXCEPTIONS, test_divide },
	{ "single-step", EXCEPTIONS, test_single_step },
	{ "int3", EXCEPTIONS, test_int3 },
	{ "int4", EXCEPTIONS, test_int4 },
	{ "undefined-opcode", EXCEPTIONS, test_undefined },
	{ "hlt", EXCEPTIONS, test_halt },
	{ "segment-not-present", EXCEPTIONS, test_load_es },
	{ "stack-segment", EXCEPTIONS, test_load_ss },
	{ "unaligned", EXCEPTIONS, test_unaligned },
	{ "x87", EXCEPTIONS, test_x87 },
	{ "sse", EXCEPTIONS, test_sse },
#ifndef __x86_64__
	{ "into", EXCEPTIONS, test_overflow },
	{ "bound", EXCEPTIONS, test_bounds },
#endif
	{},
};
#else
/* Not run, as there are no such event types. */
const struct test trap_tests[] = {
	{ "division-by-zero", EXCEPTIONS, NULL },
	{ "int3", EXCEPTIONS, NULL },
	{},
};
#endif
