// SPDX-License-Identifier: GPL-2.0
/* Provoke the processor exceptions that a program can cause, apart from page faults. */
#include "provoke.h"

#if defined(__x86_64__) || defined(__i386__)
#include <asm/ldt.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#define TIMES 5

/* Vector numbers of exceptions. */
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

/*
 * BEGIN and END protect the red zone from the stack operations between them. CLEAR_AC clears the
 * flag AC, which would cause more exceptions in the signal handler.
 */
#ifdef __x86_64__
#define REG_IP		REG_RIP
#define BEGIN		"lea -128(%%rsp), %%rsp; "
#define END		"; lea 128(%%rsp), %%rsp"
#define SET_FLAG(flag)	"pushfq; orq $" flag ", (%%rsp); popfq; "
#define CLEAR_AC	"pushfq; andq $~0x40000, (%%rsp); popfq"
#else
#define REG_IP		REG_EIP
#define BEGIN		""
#define END		""
#define SET_FLAG(flag)	"pushfl; orl $" flag ", (%%esp); popfl; "
#define CLEAR_AC	"pushfl; andl $~0x40000, (%%esp); popfl"
#endif

static sigjmp_buf out;
static volatile uintptr_t trap_ip;

static void handler(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *user = context;

	(void)signal;
	(void)info;
	asm volatile(CLEAR_AC ::: "memory", "cc");
	trap_ip = user->uc_mcontext.gregs[REG_IP];
	siglongjmp(out, 1);
}

/*
 * Call the step of the test TIMES times. Return how many of the calls ended with a signal. noipa
 * keeps the compiler from making several copies of this function, each specialized for some of the
 * tests.
 */
static unsigned int __attribute__((noipa)) count_traps(void)
{
	static const int signals[] = { SIGFPE, SIGTRAP, SIGILL, SIGSEGV, SIGBUS };
	struct sigaction catch = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	volatile unsigned int i, traps = 0;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &catch, NULL);
	for (i = 0; i < TIMES; i++) {
		if (sigsetjmp(out, 1))
			traps++;
		else
			current->steps[0]();
	}
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
	return traps;
}

static void trap(void)
{
	unsigned int traps = count_traps();

	if (!traps)
		values.skip = "this processor, or its emulation, does not support it";
	bail_if(traps % TIMES, "number of signals differs from that of exceptions");
	values.at[0] = trap_ip;
}

#define DEFINE_TRAP(name, ...)             \
	static void name(void)             \
	{                                  \
		asm volatile(__VA_ARGS__); \
	}

static const uint32_t words[2];
static const uint16_t x87_control = 0x37b; /* enables the exception for a division by zero */
static const uint32_t sse_control = 0x1d80; /* enables the same exception */
static const float one = 1, zero = 0;

DEFINE_TRAP(divide, "movl $1, %%eax; xorl %%ecx, %%ecx; xorl %%edx, %%edx; divl %%ecx" ::
	    : "eax", "ecx", "edx", "cc")
DEFINE_TRAP(single_step, BEGIN SET_FLAG("0x100") "nop" END :: : "memory", "cc")
DEFINE_TRAP(int3, "int3")
DEFINE_TRAP(int4, "int $4")
DEFINE_TRAP(undefined, "ud2")
DEFINE_TRAP(privileged, "hlt")
DEFINE_TRAP(unaligned, BEGIN SET_FLAG("0x40000") "movl 1(%0), %%eax; " CLEAR_AC END ::"r"(words)
	    : "eax", "memory", "cc")
DEFINE_TRAP(x87, "fninit; fldcw %0; fld1; fldz; fdivrp; fwait; fninit" ::"m"(x87_control))
DEFINE_TRAP(sse, "ldmxcsr %0; movss %1, %%xmm0; divss %2, %%xmm0" ::"m"(sse_control), "m"(one),
	    "m"(zero))
#ifndef __x86_64__
DEFINE_TRAP(overflow, "movb $127, %%al; addb $1, %%al; into" ::: "eax", "cc")
DEFINE_TRAP(bounds, "boundl %0, %1" ::"r"(10), "m"(*(const uint64_t *)(const int32_t[]){ 0, 9 }))
#endif

/*
 * Selector of a segment that is not present. Loading it causes an exception, whose error code is
 * the selector without its RPL.
 */
#define SELECTOR 7

static void make_segment(void)
{
	struct user_desc segment = { .entry_number = SELECTOR >> 3,
				     .limit = 0xfffff,
				     .seg_32bit = 1,
				     .limit_in_pages = 1,
				     .seg_not_present = 1,
				     .useable = 1 };

	bail_if(syscall(SYS_modify_ldt, 0x11, &segment, sizeof(segment)), "modify_ldt");
}

static void load_es(void)
{
	make_segment();
	asm volatile("movl %0, %%es" ::"r"(SELECTOR));
}

static void load_ss(void)
{
	make_segment();
	asm volatile("movl %0, %%ss" ::"r"(SELECTOR));
}

/*
 * The single-step bit of DR6. For a debug exception, exception_entry has DR6 instead of an address.
 */
#define DR_STEP 0x4000

/* Expect an entry and an exit for each exception, and no other exceptions with that vector. */
#define TRAP(name, step, vector, error_code, address)                                              \
	{ name, .run = trap, .steps = { step }, .expected = {                                      \
		{ TIMES, "exception_entry", BOTH(1, vector, error_code), VALUE(2, 0),              \
		  ARG(3, address), .by = OWN },                                                    \
		{ TIMES, "exception_entry", HIGH(1, vector), .by = OWN },                          \
		{ TIMES, "exception_exit", BOTH(1, vector, error_code), VALUE(2, 0), .by = OWN },  \
		{ TIMES, "exception_exit", HIGH(1, vector), .by = OWN } } }

const struct test trap_tests[] = {
	TRAP("division-by-zero", divide, DE, 0, 0),
	TRAP("single-step", single_step, DB, 0, DR_STEP),
	TRAP("int3", int3, BP, 0, 0),
	TRAP("int4", int4, OF, 0, 0),
	TRAP("undefined-opcode", undefined, UD, 0, 0),
	TRAP("hlt", privileged, GP, 0, 0),
	TRAP("segment-not-present", load_es, NP, SELECTOR & ~3, 0),
	TRAP("stack-segment", load_ss, SS, SELECTOR & ~3, 0),
	TRAP("unaligned", unaligned, AC, 0, 0),
	TRAP("x87", x87, MF, 0, 0),
	TRAP("sse", sse, XF, 0, 0),
#ifndef __x86_64__
	TRAP("into", overflow, OF, 0, 0),
	TRAP("bound", bounds, BR, 0, 0),
#endif
	{},
};
#else
/* On other machines these tests are skipped, because the event types do not exist. */
#define ABSENT { { 0, "exception_entry" }, { 0, "exception_exit" } }

const struct test trap_tests[] = {
	{ "division-by-zero", .expected = ABSENT },
	{ "int3", .expected = ABSENT },
	{},
};
#endif
