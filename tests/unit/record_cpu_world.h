/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU with buffers, and beside it a reference that knows each event and takes note of what
 * readers are given. Every recid must be one event's, in the order of the events, or a shift
 * must have said that it is lost.
 */
#ifndef _RECORD_CPU_WORLD_H
#define _RECORD_CPU_WORLD_H

#include "record_buffers.h"
#include "record_case.h"
#include "record_step.h"

/* Where a test begins. */
struct cpu_start {
	const char *name;
	unsigned int buffers;
	unsigned long slots;
	u64 lap;
	enum record_own own;
};

/* The n-th, until the next is asked for, or NULL. None masks LKST's own events. */
const struct cpu_start *cpu_start(unsigned int n);

void cpu_begin(const struct cpu_start *start);

/* What a CPU does, and what readers elsewhere do meanwhile. Can be nested. */
enum cpu_op {
	CPU_EVENT = 'e',
	CPU_FILL = 'f', /* as many events as a buffer has slots */
	CPU_LAST = 'u', /* events up to the last slot */
	CPU_SHIFT = 's',
	CPU_JUMP = 'j', /* to the first buffer */
	CPU_STOP = 'n', /* the CPU records nowhere, and then to the first buffer */
	CPU_TIME = 't', /* LKST_SYNC_TIME */
	CPU_NOTE = 'o', /* the buffer's note is written again */
	CPU_READ = 'r', /* the queue is read */
	CPU_TAKE = 'h', /* a reader begins with the head of the queue, and is slow */
	CPU_LOOK = 'b', /* all buffers are read, and nothing is taken away */
	CPU_LOG = 'l', /* likewise by lkst_buffer_read() */
	CPU_IMAGE = 'i', /* the machine dies, and its memory is read */
};

/* With @num interrupts. Returns the instructions it took. */
long cpu_do(enum cpu_op op, struct record_interrupt *interrupts, unsigned int num);
/* Each of a text of them. */
void cpu_run(const char *ops);
/* The same for an interrupt. */
void cpu_interrupt(void *ops);

/* A shift says that these recids are lost to who reads the queue. */
void record_cpu_lost(u64 first, u64 recids);

/* Nothing is under way. */
void cpu_end(void);

#endif
