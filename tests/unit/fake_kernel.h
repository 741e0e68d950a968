/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel that is not there: CPUs with buffers, which are listed and read in blocks. What they hold
 * changes between two reads, and during one: each read() is a step, at which a test can let something
 * happen.
 */
#ifndef _FAKE_KERNEL_H
#define _FAKE_KERNEL_H

#include "lib/liblkst.h"

#define FAKE_CPUS    4
#define FAKE_BUFFERS 4
#define FAKE_RECORDS 70000 /* of a CPU that the kernel remembers */

/* Records from first to before end; those before oldest were overwritten. */
struct fake_buffer {
	bool there;
	uint64_t first, oldest, end;
	uint64_t dropped;
};

/* A record that never was, or is not whole yet. */
enum fake_state {
	WHOLE,
	UNFINISHED,
	DROPPED
};

struct fake_cpu {
	struct fake_buffer buffer[FAKE_BUFFERS];
	int written;
	uint64_t next; /* recid */
	struct lkst_event_record *record; /* by recid, FAKE_RECORDS */
	uint8_t *state; /* as @record */
};

struct fake_kernel {
	int cpus; /* that there are */
	struct fake_cpu cpu[FAKE_CPUS];
	int64_t wall_ns; /* wall clock when the others show 0 */
	int64_t now_ns; /* the latest record's */
	int open; /* files */
	int reads; /* so far */
	void (*at_read)(int n); /* something happens just before the n-th, from 0 on */
	int error; /* that every ioctl gives */
};

extern struct fake_kernel fake;

void fake_begin(int cpus);
struct lkst_event_record *fake_record(int cpu, int64_t time_ns, enum fake_state state);
void fake_sync(int cpu, int64_t time_ns);
void fake_shift(int cpu, int to);
struct lkst_device *fake_device(int (*others)(unsigned long request, void *arg));

#endif
