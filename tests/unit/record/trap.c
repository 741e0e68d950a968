// SPDX-License-Identifier: GPL-2.0
/* Counts the instructions of the plain code: the processor's trap flag causes a SIGTRAP at each. */
#include <signal.h>
#include <x86intrin.h>

#include "world.h"

#define TRAP_FLAG 0x100

static volatile long executed;

/* Handle SIGTRAP, which arrives before each instruction. The trap flag is clear in this handler. */
static void trapped(int signal, siginfo_t *info, void *context)
{
	const char *ip = info->si_addr;

	(void)signal;
	(void)context;
	executed += ip >= __start_text_record_plain && ip < __stop_text_record_plain;
}

static void start_count(void)
{
	executed = 0;
	__writeeflags(__readeflags() | TRAP_FLAG);
}

static void check_count(const struct record_start *start, const char *name, long stepped)
{
	__writeeflags(__readeflags() & ~TRAP_FLAG);
	if (stepped != executed)
		record_fail("%s: the %s has %ld instructions, the stepped one %ld", start->name,
			    name, executed, stepped);
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
	start_count();
	record_world_write(record_plain_write, NULL);
	check_count(start, "writer", stepped);
	for (u64 i = 0; i < 2; i++) {
		u64 recid = record_world_oldest() + i;

		stepped = record_world_read(record_stepped_read, recid, NULL, &result, &record);
		start_count();
		record_world_read(record_plain_read, recid, NULL, &result, &record);
		check_count(start, "reader", stepped);
	}
}
