// SPDX-License-Identifier: GPL-2.0
/* Counts the instructions of the plain code: the processor's trap flag causes a SIGTRAP at each. */
#include <signal.h>
#include <ucontext.h>

#include "world.h"

static volatile long executed;

#ifdef __x86_64__
#define REG_IP REG_RIP
/* Change the flags with @instruction, on the stack below the red zone. */
#define CHANGE_FLAGS(instruction)                                                              \
	__asm__ volatile("lea -128(%%rsp), %%rsp\n pushfq\n" instruction ", (%%rsp)\n popfq\n" \
			 "lea 128(%%rsp), %%rsp"                                               \
			 :                                                                     \
			 :                                                                     \
			 : "memory", "cc")
#else
#define REG_IP REG_EIP
#define CHANGE_FLAGS(instruction) \
	__asm__ volatile("pushfl\n" instruction ", (%%esp)\n popfl" : : : "memory", "cc")
#endif

/* Handle SIGTRAP, which arrives before each instruction. The trap flag is clear in this handler. */
static void trapped(int signal, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const char *ip = (const char *)registers[REG_IP];

	(void)signal;
	(void)info;
	executed += ip >= __start_text_record_plain && ip < __stop_text_record_plain;
}

static enum record_written trap_write(struct lkst_ring *ring, u16 etype, u64 a1, u64 a2, u64 a3,
				      u64 a4)
{
	enum record_written result;

	CHANGE_FLAGS("orl $0x100");
	result = record_plain_write(ring, etype, a1, a2, a3, a4);
	CHANGE_FLAGS("andl $~0x100");
	return result;
}

static enum record_result trap_read(const struct lkst_ring *ring, unsigned long index,
				    struct lkst_event_record *out)
{
	enum record_result result;

	CHANGE_FLAGS("orl $0x100");
	result = record_plain_read(ring, index, out);
	CHANGE_FLAGS("andl $~0x100");
	return result;
}

static void check_count(const struct record_start *start, const char *name, long stepped)
{
	if (stepped != executed)
		record_fail("%s: the %s has %ld instructions, the stepped one %ld", start->name,
			    name, executed, stepped);
	executed = 0;
}

/* Check that the stepped code executes as many instructions as the plain code. */
void record_case_trap_counts(const struct record_start *start)
{
	struct sigaction action = { .sa_sigaction = trapped, .sa_flags = SA_SIGINFO };
	struct lkst_event_record record;
	enum record_result result;
	long stepped;

	sigaction(SIGTRAP, &action, NULL);
	record_world_init(start);
	stepped = record_world_write(record_stepped_write, NULL);
	record_world_init(start);
	record_world_write(trap_write, NULL);
	check_count(start, "writer", stepped);
	for (u64 i = 0; i < 2; i++) {
		u64 recid = record_world_oldest() + i;

		stepped = record_world_read(record_stepped_read, recid, NULL, &result, &record);
		record_world_read(trap_read, recid, NULL, &result, &record);
		check_count(start, "reader", stepped);
	}
}
