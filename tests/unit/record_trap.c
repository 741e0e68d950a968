// SPDX-License-Identifier: GPL-2.0
/*
 * The same with the processor's own single step, on the code without calls in it.
 */
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "record_starts.h"

#define TRAP_FLAG 0x100ul

static struct {
	volatile long left; /* instructions up to the interrupt; negative: there is none */
	volatile long executed;
	void (*run)(void *arg);
	void *arg;
} trap;

#ifdef __x86_64__
#define REG_IP	      REG_RIP
#define PUSH_FLAGS    "pushfq"
#define POP_FLAGS     "popfq"
#define TOP	      "(%%rsp)"
#define PAST_RED_ZONE "lea -128(%%rsp), %%rsp"
#define BACK	      "lea 128(%%rsp), %%rsp"
#else
#define REG_IP	      REG_EIP
#define PUSH_FLAGS    "pushfl"
#define POP_FLAGS     "popfl"
#define TOP	      "(%%esp)"
#define PAST_RED_ZONE ""
#define BACK	      ""
#endif

static void trap_on(void)
{
	__asm__ volatile(PAST_RED_ZONE "\n" PUSH_FLAGS "\n orl $0x100, " TOP "\n" POP_FLAGS
				       "\n" BACK
			 :
			 :
			 : "memory", "cc");
}

static void trap_off(void)
{
	__asm__ volatile(PAST_RED_ZONE "\n" PUSH_FLAGS "\n andl $~0x100, " TOP "\n" POP_FLAGS
				       "\n" BACK
			 :
			 :
			 : "memory", "cc");
}

/* Before each instruction, with the trap flag off while it runs. */
static void trapped(int signal, siginfo_t *info, void *context)
{
	ucontext_t *user = context;
	const char *ip = (const char *)user->uc_mcontext.gregs[REG_IP];

	(void)signal;
	(void)info;
	if (ip < __start_text_record_plain || ip >= __stop_text_record_plain)
		return;
	trap.executed++;
	if (--trap.left)
		return;
	trap.run(trap.arg);
	user->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void trap_begin(void)
{
	struct sigaction action = { .sa_sigaction = trapped, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &action, NULL);
}

/* The plain writer and reader, stepped. */
static enum record_written trap_write(struct lkst_ring *ring, u16 etype, u64 a1, u64 a2, u64 a3,
				      u64 a4)
{
	enum record_written result;

	trap_on();
	result = record_plain_write(ring, etype, a1, a2, a3, a4);
	trap_off();
	return result;
}

static enum record_result trap_read(const struct lkst_ring *ring, unsigned long index,
				    struct lkst_event_record *out)
{
	enum record_result result;

	trap_on();
	result = record_plain_read(ring, index, out);
	trap_off();
	return result;
}

static long trap_count_write(void)
{
	trap.left = -1;
	trap.executed = 0;
	record_world_write(trap_write, NULL, 0);
	return trap.executed;
}

static long trap_count_read(u64 recid)
{
	struct lkst_event_record record;

	trap.left = -1;
	trap.executed = 0;
	trap_read(record_world_ring(), record_index(recid), &record);
	return trap.executed;
}

/* The stepped code has the instructions of the plain one. */
void record_case_trap_counts(const struct record_start *start)
{
	struct lkst_event_record record;
	struct record_steps saved;
	long stepped, trapped;
	unsigned int i;

	trap_begin();
	record_world_init(start);
	stepped = record_world_write(record_stepped_write, NULL, 0);
	record_world_init(start);
	trapped = trap_count_write();
	if (stepped != trapped)
		record_fail("%s: the writer has %ld instructions, the stepped one %ld", start->name,
			    trapped, stepped);
	for (i = 0; i < 2; i++) {
		u64 recid = record_world_oldest() + i;

		record_step_enter(&saved, NULL, 0);
		record_stepped_read(record_world_ring(), record_index(recid), &record);
		stepped = record_step_leave(&saved);
		trapped = trap_count_read(recid);
		if (stepped != trapped)
			record_fail("%s: the reader has %ld instructions, the stepped one %ld",
				    start->name, trapped, stepped);
	}
}

static void write_many(void *arg)
{
	record_world_write_many(*(u64 *)arg);
	record_world_check_all();
}

void record_case_trap_writers(const struct record_start *start)
{
	u64 slots = start->slots, bursts[] = { 1, slots, slots + 1 };
	unsigned int i;
	long at;

	/* Few, since each instruction costs a signal. */
	if (slots != 3 || !start->slot)
		return;
	trap_begin();
	for (i = 0; i < sizeof(bursts) / sizeof(*bursts); i++) {
		trap.run = write_many;
		trap.arg = &bursts[i];
		for (at = 1, trap.left = 0; trap.left <= 0; at++) {
			record_note("%s, %llu nested records before instruction %ld", start->name,
				    bursts[i], at);
			record_world_init(start);
			trap.left = at;
			record_world_write(trap_write, NULL, 0);
			record_world_check_end();
		}
	}
}

void record_case_trap_readers(const struct record_start *start)
{
	u64 slots = start->slots, bursts[] = { 1, slots, slots + 1 };
	unsigned int i;
	long at;

	/* Few, since each instruction costs a signal. */
	if (slots != 3 || !start->slot)
		return;
	trap_begin();
	for (i = 0; i < sizeof(bursts) / sizeof(*bursts); i++) {
		trap.run = write_many;
		trap.arg = &bursts[i];
		for (at = 1, trap.left = 0; trap.left <= 0; at++) {
			struct lkst_event_record record;
			enum record_result result;
			struct record_entry entry;

			record_note("%s, %llu records before instruction %ld of the reader",
				    start->name, bursts[i], at);
			record_world_init(start);
			entry = *record_world_entry(record_world_oldest());
			trap.left = at;
			result = trap_read(record_world_ring(), record_index(entry.recid), &record);
			record_world_check_read(&entry, result, &record);
		}
	}
}
