// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the trace of a simulated system: four CPUs and threads that run, sleep, wake each other up,
 * make system calls, are interrupted, move to other CPUs, start and end. Each event is one that a
 * kernel can record in the current state of the system, and no two events have the same time. In
 * two of three traces, some records are lost.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "mksystem.h"
#include "sample.h"

#define CPUS	4
#define THREADS 24
#define RECORDS 4000 /* maximum for each CPU */
#define STEPS	9000
#define DEPTH	2 /* a softirq, and a hard interrupt in it */

enum state {
	NONE,
	RUNNING,
	RUNNABLE,
	WAKING,
	SLEEPING
};

/*
 * @call: system call, or -1. @forked: the thread is new. It first returns from clone(), which its
 * parent has called. @woken: the thread is about to sleep, but has already been woken up
 */
struct thread {
	enum state state;
	uint32_t tid;
	int32_t cpu, call;
	bool forked, woken;
};

/* @irq: -1: softirq; 0: local timer; otherwise the number of the interrupt */
struct cpu {
	struct thread *thread;
	int32_t irq[DEPTH];
	int depth;
	uint64_t recid;
	size_t records;
	struct lkst_log_record record[RECORDS];
};

static struct cpu cpus[CPUS];
static struct thread threads[THREADS];
static uint64_t state_now;
static int64_t now_ns;
static uint32_t next_tid;
static bool lossy;

static uint32_t draw(uint32_t below)
{
	state_now ^= state_now << 13;
	state_now ^= state_now >> 7;
	state_now ^= state_now << 17;
	return (uint32_t)(state_now >> 11) % below;
}

static int32_t number_of(const struct cpu *cpu)
{
	return (int32_t)(cpu - cpus);
}

static void record(struct cpu *cpu, uint32_t type, uint64_t arg0, uint64_t arg1)
{
	const uint64_t arg[4] = { arg0, arg1, text8("thread"), text8("thread") };
	struct lkst_log_record *to = &cpu->record[cpu->records];
	int flags = 0;

	now_ns += 1 + draw(draw(50) ? 3000 : 900000);
	for (int i = 0; i < cpu->depth; i++)
		flags |= cpu->irq[i] < 0 ? LKST_LOG_SOFTIRQ : LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT;
	cpu->recid++;
	if (cpu->records == RECORDS || (lossy && cpu->recid / 16 % 40 == 39))
		return;
	*to = sample_record(number_of(cpu), cpu->recid, now_ns, type,
			    cpu->thread ? cpu->thread->tid : 0, arg);
	to->posix.log_flags = flags;
	cpu->records++;
}

/*
 * Return a random thread in a state, in the queue of a CPU or of any CPU. Return NULL if there is
 * none.
 */
static struct thread *find(enum state state, const struct cpu *cpu)
{
	uint32_t first = draw(THREADS);

	for (uint32_t i = 0; i < THREADS; i++) {
		struct thread *thread = &threads[(first + i) % THREADS];

		if (thread->state == state && (!cpu || thread->cpu == number_of(cpu)))
			return thread;
	}
	return NULL;
}

static void schedule(struct cpu *cpu, uint32_t letter)
{
	struct thread *next = find(RUNNABLE, cpu), *prev = cpu->thread;

	if (next == prev)
		return;
	record(cpu, LKST_ETYPE_PROCESS_CONTEXTSWITCH, pack(prev ? prev->tid : 0, letter),
	       pack(next ? next->tid : 0, 120));
	if (prev) {
		prev->state = letter == 'X'	     ? NONE :
			      (letter & 0xff) == 'R' ? RUNNABLE :
			      prev->woken	     ? WAKING :
						       SLEEPING;
		prev->woken = false;
	}
	cpu->thread = next;
	if (next)
		next->state = RUNNING;
}

static void enqueue(struct cpu *cpu, struct thread *thread, uint32_t new)
{
	record(cpu, LKST_ETYPE_PROCESS_WAKEUP, pack(thread->tid, 120),
	       pack((uint32_t)thread->cpu, new));
	thread->state = RUNNABLE;
}

/*
 * Wake up a sleeping thread, which may move to another CPU. Either @cpu or the CPU of the thread
 * then puts the thread into the queue of the latter.
 */
static void wake(struct cpu *cpu)
{
	struct thread *thread = find(SLEEPING, NULL);
	uint32_t target = draw(CPUS);

	if (!thread)
		return;
	record(cpu, LKST_ETYPE_PROCESS_WAKING, pack(thread->tid, 120), (uint64_t)thread->cpu);
	if (draw(2) && (int32_t)target != thread->cpu) {
		record(cpu, LKST_ETYPE_PROCESS_MIGRATE, thread->tid,
		       pack((uint32_t)thread->cpu, target));
		thread->cpu = (int32_t)target;
	}
	thread->state = WAKING;
	if (draw(2))
		enqueue(cpu, thread, 0);
}

/*
 * Wake up a thread that is still running on another CPU. This has no effect unless the thread is
 * about to sleep. In that case, the CPU of the thread puts the thread into the queue after
 * switching to another thread.
 */
static void wake_running(struct cpu *cpu)
{
	struct thread *thread = find(RUNNING, NULL);

	if (!thread || thread->cpu == number_of(cpu) || thread->call < 0 || thread->woken)
		return;
	record(cpu, LKST_ETYPE_PROCESS_WAKING, pack(thread->tid, 120), (uint64_t)thread->cpu);
	if (draw(2))
		record(cpu, LKST_ETYPE_PROCESS_WAKEUP, pack(thread->tid, 120),
		       pack((uint32_t)thread->cpu, 0));
	else
		thread->woken = true;
}

static void migrate(struct cpu *cpu)
{
	struct thread *thread = find(RUNNABLE, NULL);

	if (!thread || thread->cpu == number_of(cpu))
		return;
	record(cpu, LKST_ETYPE_PROCESS_MIGRATE, thread->tid,
	       pack((uint32_t)thread->cpu, (uint32_t)number_of(cpu)));
	thread->cpu = number_of(cpu);
}

static void fork_thread(struct cpu *cpu)
{
	struct thread *child = find(NONE, NULL);

	if (!child)
		return;
	*child = (struct thread){ SLEEPING, next_tid, number_of(cpu), -1, true, false };
	next_tid = next_tid == 140 ? 100 : next_tid + 1;
	for (int i = 0; i < THREADS; i++)
		if (&threads[i] != child && threads[i].state != NONE &&
		    threads[i].tid == child->tid) {
			child->state = NONE;
			return;
		}
	record(cpu, LKST_ETYPE_PROCESS_FORK, pack(child->tid, child->tid), 0);
	enqueue(cpu, child, 1);
}

static void interrupt(struct cpu *cpu)
{
	int32_t irq = (int32_t)draw(4);

	/* Increment the depth first: the flags of the event include this interrupt. */
	cpu->irq[cpu->depth++] = irq;
	if (irq)
		record(cpu, LKST_ETYPE_INT_HARDWARE_ENTRY, (uint64_t)irq, text8("device"));
	else
		record(cpu, LKST_ETYPE_INT_TIMER_ENTRY, 236, 0);
}

static void leave(struct cpu *cpu)
{
	int32_t irq = cpu->irq[cpu->depth - 1];

	if (irq < 0)
		record(cpu, LKST_ETYPE_INT_SOFTIRQ_EXIT, 1, 0);
	else if (irq)
		record(cpu, LKST_ETYPE_INT_HARDWARE_EXIT, (uint64_t)irq, 1);
	else
		record(cpu, LKST_ETYPE_INT_TIMER_EXIT, 236, 0);
	cpu->depth--;
}

static void softirq(struct cpu *cpu)
{
	cpu->irq[cpu->depth++] = -1;
	record(cpu, LKST_ETYPE_INT_SOFTIRQ_ENTRY, 1, 0);
}

static void syscall_exit(struct cpu *cpu, struct thread *thread)
{
	uint32_t error = draw(3);

	record(cpu, LKST_ETYPE_SYSCALL_EXIT, pack(thread->forked ? 56 : (uint32_t)thread->call, 0),
	       error ? 0 : -1ull - draw(3));
	thread->call = -1;
	thread->forked = false;
}

static void end_thread(struct cpu *cpu)
{
	if (!find(RUNNABLE, NULL) || !find(SLEEPING, NULL))
		return;
	record(cpu, LKST_ETYPE_PROCESS_EXIT, pack(cpu->thread->tid, 120), 0);
	schedule(cpu, 'X');
}

static void step_thread(struct cpu *cpu)
{
	struct thread *thread = cpu->thread;

	if (thread->woken) {
		schedule(cpu, 'S');
	} else if (thread->forked) {
		syscall_exit(cpu, thread);
	} else if (thread->call < 0) {
		thread->call = (int32_t)draw(4);
		record(cpu, LKST_ETYPE_SYSCALL_ENTRY, pack((uint32_t)thread->call, 0), 0);
	} else {
		switch (draw(8)) {
		case 0:
			schedule(cpu, draw(2) ? 'S' : 'D');
			break;
		case 1:
			wake(cpu);
			break;
		case 2:
			if (!draw(4))
				fork_thread(cpu);
			break;
		case 3:
			if (!draw(16))
				end_thread(cpu);
			else
				wake_running(cpu);
			break;
		default:
			syscall_exit(cpu, thread);
		}
	}
}

static void step(struct cpu *cpu)
{
	bool hard = cpu->depth && cpu->irq[cpu->depth - 1] >= 0;
	struct thread *waking = find(WAKING, cpu);
	uint32_t n = draw(16);

	if (!hard && n < 2)
		interrupt(cpu);
	else if (!cpu->depth && n < 3)
		softirq(cpu);
	else if (cpu->depth && n < 10)
		leave(cpu);
	else if (waking && n < 12)
		enqueue(cpu, waking, 0);
	else if (cpu->depth)
		wake(cpu);
	else if (n < 4)
		migrate(cpu);
	else if (!cpu->thread)
		schedule(cpu, 'R');
	else if (n < 6 && !cpu->thread->woken)
		schedule(cpu, n == 4 ? 'R' : 'R' | 0x100);
	else
		step_thread(cpu);
}

/**
 * mksystem_write() - write the trace of a simulated system
 * @writer: writer
 * @seed: determines the trace. If it is not a multiple of 3, records are lost
 * @err: set on failure
 */
int mksystem_write(struct lkst_trace_writer *writer, uint64_t seed, struct lkst_error *err)
{
	state_now = seed * 2 + 88172645463325252;
	lossy = seed % 3;
	now_ns = SAMPLE_NS;
	next_tid = 112;
	for (uint32_t i = 0; i < 12; i++)
		threads[i] = (struct thread){ draw(2) ? SLEEPING : RUNNABLE,
					      100 + i,
					      (int32_t)draw(CPUS),
					      -1,
					      false,
					      false };
	for (int i = 0; i < STEPS; i++)
		step(&cpus[draw(CPUS)]);
	if (sample_write_etypes(writer, err))
		return -1;
	for (int32_t i = 0; i < CPUS; i++) {
		const struct lkst_log_buffer buffer = sample_buffer(i, 0);

		if (lkst_trace_write_records(writer, &buffer, cpus[i].record, cpus[i].records, err))
			return -1;
	}
	return lkst_trace_write_end(writer, err);
}
