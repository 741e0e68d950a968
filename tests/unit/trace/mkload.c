// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the trace of a load that is always the same, except for random durations and one planned
 * change. On CPU 0, the thread "main" wakes up, reads, writes, waits for a lock, issues a request
 * to a disk, and sleeps again, about 500 times a second. On CPU 1, timer interrupts occur. In the
 * first round, main also wakes up the thread "helper", which runs on CPU 1. These are the plans:
 *
 *	same	no change
 *	call	read takes longer
 *	wake	main wakes up helper in every round
 *	lock	main waits longer for the lock
 *	error	write fails
 *	disk	requests to the disk take longer
 *	irq	the interrupt takes longer
 *	gone	the thread main has the name "other"
 *	nolock	waits for locks are not recorded
 */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "mkload.h"
#include "sample.h"

#define ROUNDS	1500
#define RECORDS (ROUNDS * 20)
#define MAIN	100
#define HELPER	200
#define LOCK	0xffff888012345678

struct cpu {
	int32_t number;
	int64_t now_ns;
	uint32_t tid;
	size_t records;
	struct lkst_log_record record[RECORDS];
};

static struct cpu cpus[2];
static const char *planted;
static uint64_t random_now;

static bool is(const char *plan)
{
	return !strcmp(planted, plan);
}

/* Return a random number from half of @mean to one and a half times @mean. */
static int64_t about(int64_t mean)
{
	random_now ^= random_now << 13;
	random_now ^= random_now >> 7;
	random_now ^= random_now << 17;
	return mean / 2 + (int64_t)((random_now >> 11) % (uint64_t)mean);
}

static void record(struct cpu *cpu, int64_t after_ns, uint32_t type, uint64_t arg0, uint64_t arg1,
		   uint64_t arg2, uint64_t arg3)
{
	const uint64_t arg[4] = { arg0, arg1, arg2, arg3 };

	cpu->now_ns += after_ns;
	cpu->record[cpu->records] = sample_record(cpu->number, cpu->records, cpu->now_ns, type,
						  cpu->tid, arg);
	cpu->records++;
}

static void interrupted(struct cpu *cpu, uint32_t type, int64_t after_ns)
{
	record(cpu, after_ns, type, 236, 0, 0, 0);
	cpu->record[cpu->records - 1].posix.log_flags = LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT;
}

static const char *main_name(void)
{
	return is("gone") ? "other" : "main";
}

static void run(struct cpu *cpu, int64_t after_ns, uint32_t tid, const char *name)
{
	record(cpu, after_ns, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(0, 'R'), pack(tid, 120),
	       text8("swapper"), text8(name));
	cpu->tid = tid;
}

static void sleep_again(struct cpu *cpu, const char *name)
{
	record(cpu, 2000, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(cpu->tid, 'S'), pack(0, 120),
	       text8(name), text8("swapper"));
	cpu->tid = 0;
}

static void call(struct cpu *cpu, uint32_t number, int64_t ns, int64_t result)
{
	record(cpu, 1000, LKST_ETYPE_SYSCALL_ENTRY, pack(number, 0), 3, 0, 1);
	record(cpu, ns, LKST_ETYPE_SYSCALL_EXIT, pack(number, 0), (uint64_t)result, 0, 0);
}

static void wait_for_lock(struct cpu *cpu)
{
	record(cpu, 1000, LKST_ETYPE_SYSCALL_ENTRY, pack(82, 0), 0, 0, 0);
	if (!is("nolock")) {
		record(cpu, 500, LKST_ETYPE_LOCK_CONTENTION_BEGIN, LOCK, 32, 0, 0);
		record(cpu, about(is("lock") ? 300000 : 10000), LKST_ETYPE_LOCK_CONTENTION_END, LOCK,
		       0, 0, 0);
	}
	record(cpu, 500, LKST_ETYPE_SYSCALL_EXIT, pack(82, 0), 0, 0, 0);
}

static void use_disk(struct cpu *cpu, int round)
{
	uint64_t sector = (uint64_t)round * 8;

	record(cpu, 1000, LKST_ETYPE_BLOCK_ISSUE, pack(8, 0), sector, pack(4096, 0), 500 + sector);
	record(cpu, about(is("disk") ? 800000 : 50000), LKST_ETYPE_BLOCK_COMPLETE, pack(8, 0), sector,
	       pack(4096, 0), 0);
}

static void wake_helper(struct cpu *cpu, struct cpu *other)
{
	record(cpu, 1000, LKST_ETYPE_PROCESS_WAKING, pack(HELPER, 120), 1, text8("helper"), 0);
	other->now_ns = cpu->now_ns;
	record(other, 2000, LKST_ETYPE_PROCESS_WAKEUP, pack(HELPER, 120), 1, text8("helper"), 0);
	run(other, 3000, HELPER, "helper");
	other->now_ns += about(20000);
	sleep_again(other, "helper");
}

static void step(struct cpu *cpu, struct cpu *other, int round)
{
	int64_t begin_ns = SAMPLE_NS + round * 2000000ll + about(300000);

	cpu->now_ns = begin_ns;
	record(cpu, 0, LKST_ETYPE_PROCESS_WAKING, pack(MAIN, 120), 0, text8(main_name()), 0);
	record(cpu, 1000, LKST_ETYPE_PROCESS_WAKEUP, pack(MAIN, 120), 0, text8(main_name()), 0);
	run(cpu, about(5000), MAIN, main_name());
	call(cpu, 0, about(is("call") ? 400000 : 20000), 1);
	call(cpu, 1, about(3000), is("error") ? -5 : 1);
	wait_for_lock(cpu);
	use_disk(cpu, round);
	if (is("wake") || round == 0)
		wake_helper(cpu, other);
	sleep_again(cpu, main_name());
	other->now_ns = begin_ns + 1600000;
	interrupted(other, LKST_ETYPE_INT_TIMER_ENTRY, 0);
	interrupted(other, LKST_ETYPE_INT_TIMER_EXIT, about(is("irq") ? 100000 : 4000));
}

/**
 * mkload_write() - write the trace of a load
 * @writer: writer
 * @plan: name of the plan
 * @seed: determines the random durations
 * @err: set on failure
 */
int mkload_write(struct lkst_trace_writer *writer, const char *plan, uint64_t seed,
		 struct lkst_error *err)
{
	planted = plan;
	random_now = seed * 2 + 88172645463325252;
	for (int32_t i = 0; i < 2; i++)
		cpus[i].number = i;
	for (int round = 0; round < ROUNDS; round++)
		step(&cpus[0], &cpus[1], round);
	if (sample_write_etypes(writer, err))
		return -1;
	for (int32_t i = 0; i < 2; i++) {
		const struct lkst_log_buffer buffer = sample_buffer(i, 0);

		if (lkst_trace_write_records(writer, &buffer, cpus[i].record, cpus[i].records, err))
			return -1;
	}
	return lkst_trace_write_end(writer, err);
}
