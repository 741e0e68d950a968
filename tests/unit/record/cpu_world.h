/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU with buffers, and a reference model that keeps each event and everything that readers
 * returned. Each recid must belong to one event, in the order of the events, or a shift must have
 * reported it as lost.
 */
#ifndef _RECORD_CPU_WORLD_H
#define _RECORD_CPU_WORLD_H

#include "case.h"
#include "script.h"

#define RECORD_BUFFERS_MAX 3

/* How the maskset handles LKST's own events. */
enum record_own {
	RECORD_OWN, /* record them */
	RECORD_OWN_SHIFT, /* record them, and shift at LKST_BUFF_OVFLOW */
	RECORD_OWN_MASKED,
};

#define RECORD_LAST_LAP (~0ull) /* the last lap that an index can count */

/* The state in which a test starts. */
struct cpu_start {
	const char *name;
	unsigned int buffers;
	unsigned long slots;
	u64 lap;
	enum record_own own;
};

/*
 * The world for scripts (script.h) with a CPU and its buffers. Its operations are those of the CPU,
 * and of readers on other CPUs:
 *   e  record an event
 *   f  record as many events as a buffer has slots
 *   u  record events until the last slot of the buffer is used
 *   k  record a chain; the number is the length of its payload in words
 *   m  move the thread whose chain is interrupted to another CPU, unless preemption is off
 *   s  shift
 *   j  shift to the first buffer
 *   n  stop recording, then continue in the first buffer
 *   t  record LKST_SYNC_TIME
 *   o  write the header pages of the current buffer again
 *   a  advance the next buffer; the number is how many laps
 *   r  read all buffers in the queue, and mark them as free
 *   h  make the slow reader take the buffer at the head of the queue
 *   b  read all buffers without removing them from the queue
 *   l  read all buffers with lkst_buffer_read()
 *   i  read the buffers from their memory alone, as if the machine had died
 *   d  make the machine die: nothing is checked at the end of the script
 *   q  check that the CPU has left the first buffer
 *
 * At the end of a script, the readers read everything that is left. Then all recids, the losses and
 * the order of the events are checked.
 */
extern const struct record_world cpu_world;

/* Mark recids that a shift reports as lost to the reader of the queue. */
void record_cpu_lost(u64 first, u64 recids);

#endif
