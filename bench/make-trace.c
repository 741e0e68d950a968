// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/print and bench/lkstla, runs on the host: creates a trace of any size, like one
 * that lkstbuf read -z writes.
 *
 *	make-trace FILE CPUS EVENTS
 *
 * Each CPU switches between its own threads, which make system calls. Softirqs and wakeups occur
 * between the system calls. The CPUs record at random times, all at the same average rate, so the
 * next event is almost always from a different CPU. The first event of each CPU is its only
 * user_mark.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tools/lkst/lib/base/etype_ids.h"
#include "../tools/lkst/lib/device/run.h"
#include "../tools/lkst/lib/text/etypes.h"
#include "../tools/lkst/lib/trace/write.h"

#define CHUNK	 4096
#define THREADS	 8 /* on each CPU */
#define FREQ_KHZ 2000000
#define START	 1000000000000 /* first reading of the clock */
#define STEP	 500 /* average clock ticks between two events, counting those of all CPUs */
#define BOOT	 "boot_id=00000000-0000-4000-8000-000000000001\n"

struct cpu {
	int32_t number;
	uint64_t clock;
	uint64_t random;
	uint64_t recid;
	uint32_t now; /* current thread of the CPU */
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
	return (uint32_t)(1000 + cpu->number * THREADS) + thread;
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

static void switch_thread(struct cpu *cpu, struct lkst_event_record *r)
{
	uint32_t next = (uint32_t)(random_of(cpu) % THREADS);

	r->event_type = LKST_ETYPE_PROCESS_CONTEXTSWITCH;
	r->arg[0] = high_low(r->thread, 'S');
	r->arg[1] = high_low(tid_of(cpu, next), 120);
	r->arg[2] = text_of("worker\0");
	r->arg[3] = text_of("worker\0");
	cpu->now = next;
}

static void make_event(struct cpu *cpu, struct lkst_event_record *r, uint32_t cpus)
{
	uint64_t random = random_of(cpu);

	cpu->clock += 1 + random % (2ull * STEP * cpus);
	*r = (struct lkst_event_record){
		.clock = cpu->clock,
		.thread = tid_of(cpu, cpu->now),
		.pid = tid_of(cpu, 0),
		.pgrp = tid_of(cpu, 0),
		.uid = 1000,
		.gid = 1000,
	};
	switch (random >> 32 & 7) {
	case 0:
		switch_thread(cpu, r);
		return;
	case 1:
		r->event_type = LKST_ETYPE_PROCESS_WAKEUP;
		r->arg[0] = high_low(tid_of(cpu, random >> 40 & 7), 120);
		r->arg[1] = high_low((uint32_t)cpu->number, 0);
		r->arg[2] = text_of("worker\0");
		return;
	case 2:
	case 3:
		r->event_type = random >> 32 & 1 ? LKST_ETYPE_INT_SOFTIRQ_ENTRY :
						   LKST_ETYPE_INT_SOFTIRQ_EXIT;
		r->flags = LKST_RECORD_SOFTIRQ;
		r->arg[0] = random >> 40 & 7;
		return;
	case 4:
	case 5:
		r->event_type = LKST_ETYPE_SYSCALL_ENTRY;
		r->arg[0] = random >> 40 & 63;
		r->arg[1] = 3;
		r->arg[2] = 0x7ffc00000000 + (random >> 48 & 0xff8);
		r->arg[3] = 4096;
		return;
	default:
		r->event_type = LKST_ETYPE_SYSCALL_EXIT;
		r->arg[0] = random >> 40 & 63;
		r->arg[1] = random >> 46 & 4095;
	}
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
			   .random = 88172645463325252u + number };
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
