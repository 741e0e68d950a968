// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/print, bench/export, bench/lkstla and bench/html, runs on the host: creates a
 * trace of any size, like one that lkstbuf read -z writes.
 *
 *	make-trace FILE CPUS EVENTS
 *
 * Each CPU runs its own threads, which make system calls. A thread sleeps only in a system call,
 * and a certain other thread of the same CPU or a certain softirq wakes it up, so the states that
 * follow from the events are as consistent as in a real trace. The CPUs record at random times, all
 * at the same average rate, so the next event is almost always from a different CPU. The first event
 * of each CPU is its only user_mark.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tools/lkst/lib/base/etype_ids.h"
#include "../tools/lkst/lib/device/run.h"
#include "../tools/lkst/lib/text/etypes.h"
#include "../tools/lkst/lib/trace/write.h"

#define CHUNK	 4096
#define THREADS	 8 /* on each CPU */
#define IDLE	 THREADS /* the number of the idle thread */
#define CALLS	 4 /* different system calls of a thread */
#define FREQ_KHZ 2000000
#define START	 1000000000000 /* first reading of the clock */
#define STEP	 500 /* average clock ticks between two events, counting the events of all CPUs */
#define BOOT	 "boot_id=00000000-0000-4000-8000-000000000001\n"

enum state {
	RUNNABLE,
	SLEEPING
};

struct cpu {
	int32_t number;
	uint64_t clock;
	uint64_t random;
	uint64_t recid;
	uint32_t now; /* current thread of the CPU */
	uint32_t woken; /* the thread whose wake-up is half recorded; IDLE: none */
	bool in_softirq;
	uint32_t vector; /* of the softirq */
	enum state state[THREADS + 1];
	bool in_call[THREADS + 1];
	uint32_t call[THREADS + 1]; /* number of the system call */
};

static void __attribute__((noreturn)) stop(const struct lkst_error *err)
{
	fprintf(stderr, "make-trace: %s\n", err->text);
	exit(1);
}

static uint64_t random_of(struct cpu *cpu)
{
	cpu->random ^= cpu->random << 13;
	cpu->random ^= cpu->random >> 7;
	cpu->random ^= cpu->random << 17;
	return cpu->random;
}

static uint32_t tid_of(const struct cpu *cpu, uint32_t thread)
{
	return thread == IDLE ? 0 : (uint32_t)(1000 + cpu->number * THREADS) + thread;
}

static uint64_t high_low(uint64_t high, uint64_t low)
{
	return high << 32 | low;
}

static uint64_t text_of(const char text[8])
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return word;
}

static uint64_t name_of(uint32_t thread)
{
	return text_of(thread == IDLE ? "swapper/" : "worker\0");
}

/* Returns a runnable thread other than the current one, beginning at a random one; IDLE: none. */
static uint32_t next_thread(const struct cpu *cpu, uint64_t random)
{
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t thread = (uint32_t)((random + i) % THREADS);

		if (thread != cpu->now && cpu->state[thread] == RUNNABLE)
			return thread;
	}
	return IDLE;
}

/* Returns the thread that the softirq or the current thread can wake up; IDLE: none. */
static uint32_t sleeper_of(const struct cpu *cpu)
{
	uint32_t thread = cpu->in_softirq ? cpu->vector : cpu->now == IDLE ? IDLE : cpu->now ^ 1;

	return cpu->state[thread] == SLEEPING ? thread : IDLE;
}

/* The current thread sleeps if it is in a system call. Otherwise the next thread preempts it. */
static void switch_thread(struct cpu *cpu, struct lkst_event_record *r, uint32_t next)
{
	uint32_t now = cpu->now;

	if (now != IDLE && cpu->in_call[now])
		cpu->state[now] = SLEEPING;
	r->event_type = LKST_ETYPE_PROCESS_CONTEXTSWITCH;
	r->arg[0] = high_low(tid_of(cpu, now), cpu->state[now] == SLEEPING ? 'S' : 'R');
	r->arg[1] = high_low(tid_of(cpu, next), 120);
	r->arg[2] = name_of(now);
	r->arg[3] = name_of(next);
	cpu->now = next;
}

/* A wake-up is two events: the first call records the first event, and the next call the second. */
static void wake_thread(struct cpu *cpu, struct lkst_event_record *r, uint32_t thread)
{
	r->arg[0] = high_low(tid_of(cpu, thread), 120);
	r->arg[2] = name_of(thread);
	if (cpu->woken == IDLE) {
		r->event_type = LKST_ETYPE_PROCESS_WAKING;
		r->arg[1] = (uint32_t)cpu->number;
		cpu->woken = thread;
		return;
	}
	r->event_type = LKST_ETYPE_PROCESS_WAKEUP;
	r->arg[1] = high_low((uint32_t)cpu->number, 0);
	cpu->state[thread] = RUNNABLE;
	cpu->woken = IDLE;
}

static void enter_or_leave_softirq(struct cpu *cpu, struct lkst_event_record *r, uint64_t random)
{
	if (!cpu->in_softirq)
		cpu->vector = random & 7;
	r->event_type = cpu->in_softirq ? LKST_ETYPE_INT_SOFTIRQ_EXIT :
					  LKST_ETYPE_INT_SOFTIRQ_ENTRY;
	r->flags = LKST_RECORD_SOFTIRQ;
	r->arg[0] = cpu->vector;
	cpu->in_softirq = !cpu->in_softirq;
}

static void enter_or_leave_call(struct cpu *cpu, struct lkst_event_record *r, uint64_t random)
{
	uint32_t *call = &cpu->call[cpu->now];
	bool *in_call = &cpu->in_call[cpu->now];

	if (*in_call) {
		r->event_type = LKST_ETYPE_SYSCALL_EXIT;
		r->arg[1] = random >> 8 & 4095;
	} else {
		*call = cpu->now * CALLS + random % CALLS;
		r->event_type = LKST_ETYPE_SYSCALL_ENTRY;
		r->arg[1] = 3;
		r->arg[2] = 0x7ffc00000000 + (random >> 8 & 0xff8);
		r->arg[3] = 4096;
	}
	r->arg[0] = (uint64_t)*call << 32; /* the lower half is the ABI */
	*in_call = !*in_call;
}

/* Choose what happens next, and do it. */
static void step(struct cpu *cpu, struct lkst_event_record *r, uint64_t random)
{
	uint32_t next = next_thread(cpu, random), sleeper = sleeper_of(cpu);
	uint32_t choice = random >> 32 & 7;
	bool can_switch = next != IDLE || cpu->in_call[cpu->now];

	if (cpu->woken != IDLE)
		wake_thread(cpu, r, cpu->woken);
	else if (sleeper != IDLE && choice < (cpu->in_softirq ? 4 : 2))
		wake_thread(cpu, r, sleeper);
	else if (cpu->in_softirq || choice == 2)
		enter_or_leave_softirq(cpu, r, random >> 40);
	else if (can_switch && (choice == 3 || cpu->now == IDLE))
		switch_thread(cpu, r, next);
	else if (cpu->now == IDLE)
		enter_or_leave_softirq(cpu, r, random >> 40);
	else
		enter_or_leave_call(cpu, r, random >> 40);
}

static void make_event(struct cpu *cpu, struct lkst_event_record *r, uint32_t cpus)
{
	uint64_t random = random_of(cpu);
	uint32_t pid = tid_of(cpu, cpu->now == IDLE ? IDLE : 0);

	cpu->clock += 1 + random % (2ull * STEP * cpus);
	*r = (struct lkst_event_record){
		.clock = cpu->clock,
		.thread = tid_of(cpu, cpu->now),
		.pid = pid,
		.pgrp = pid,
		.uid = 1000,
		.gid = 1000,
		.flags = cpu->in_softirq ? LKST_RECORD_SOFTIRQ : 0,
	};
	step(cpu, r, random);
}

static void write_cpu(struct lkst_trace_writer *writer, int32_t number, uint32_t cpus,
		      uint64_t events)
{
	static struct lkst_event_record record[CHUNK];
	struct lkst_run run = {
		.cpu = number,
		.buffer = 0,
		.clock = LKST_CLOCK_TSC,
		.record = record,
		.monotonic_ns = START / (FREQ_KHZ / 1000000),
		.xtime_ns = 1700000000000000000,
		.tsc = START,
		.freq_khz = FREQ_KHZ,
		.arch = "x86_64",
	};
	struct cpu cpu = { .number = number,
			   .clock = START,
			   .random = 88172645463325252u + number,
			   .woken = IDLE };
	struct lkst_error err;

	for (; events; events -= run.num) {
		run.num = events < CHUNK ? events : CHUNK;
		run.first_recid = cpu.recid;
		for (size_t i = 0; i < run.num; i++)
			make_event(&cpu, &record[i], cpus);
		if (!cpu.recid)
			record[0].event_type = LKST_ETYPE_USER_MARK;
		cpu.recid += run.num;
		if (lkst_trace_write_run(writer, &run, &err))
			stop(&err);
	}
}

int main(int argc, char **argv)
{
	struct lkst_trace_writer *writer;
	struct lkst_etypes *types;
	struct lkst_error err;
	uint64_t events;
	uint32_t cpus;
	size_t len;
	char *text;

	if (argc != 4) {
		fprintf(stderr, "usage: make-trace FILE CPUS EVENTS\n");
		return 2;
	}
	cpus = (uint32_t)strtoul(argv[2], NULL, 0);
	events = strtoull(argv[3], NULL, 0);
	types = lkst_etypes_embedded(&err);
	text = types ? lkst_etypes_text(types, &len, &err) : NULL;
	writer = text ? lkst_trace_writer_create(argv[1], &err) : NULL;
	if (!writer || lkst_trace_writer_compress(writer, &err) ||
	    lkst_trace_write_system(writer, BOOT, &err) ||
	    lkst_trace_write_etypes(writer, text, len, &err))
		stop(&err);
	for (uint32_t i = 0; i < cpus; i++)
		write_cpu(writer, (int32_t)i, cpus, events / cpus + (i < events % cpus));
	if (lkst_trace_write_end(writer, &err) || lkst_trace_writer_commit(writer, &err))
		stop(&err);
	free(text);
	lkst_etypes_free(types);
	return 0;
}
