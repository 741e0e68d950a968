/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fake kernel: CPUs with buffers, which can be listed and read in blocks, with long rings, and
 * with histories. A test can change the buffers at any time, even while lkst_capture() or another
 * function reads them: see fake_play().
 */
#ifndef _FAKE_KERNEL_H
#define _FAKE_KERNEL_H

#include "lib/lkst.h"

#define FAKE_CPUS    4
#define FAKE_BUFFERS 4
#define FAKE_RECORDS 70000 /* maximum number of records of a CPU */

/* A buffer with the recids from first to end - 1. Records before oldest were overwritten. */
struct fake_buffer {
	bool exists;
	uint64_t first, oldest, end;
	uint64_t dropped;
};

/* The state of a record: complete, not committed yet, or dropped and missing for good. */
enum fake_state {
	WHOLE,
	UNFINISHED,
	DROPPED
};

/*
 * A long ring whose oldest events were overwritten. The event with the recid N was recorded when
 * the clocks showed N ns. Recids that are multiples of @hole are holes.
 */
struct fake_long {
	uint64_t first_recid, recorded; /* as in struct lkst_log_buffer */
	uint64_t kept; /* number of events that were not overwritten; 0: there is no long ring */
	uint64_t hole; /* 0: there are no holes */
};

#define FAKE_CHUNKS 8

/*
 * A history: chunks of any bytes. The position of chunk N is N + 1. The chunks before @oldest were
 * overwritten.
 */
struct fake_history {
	int chunks, oldest;
	uint8_t *chunk[FAKE_CHUNKS];
	size_t size[FAKE_CHUNKS];
};

struct fake_cpu {
	struct fake_history history;
	struct fake_long long_ring;
	struct fake_buffer buffer[FAKE_BUFFERS];
	int written;
	uint64_t next; /* recid of the next record */
	struct lkst_event_record *record; /* FAKE_RECORDS records; the index is the recid */
	uint8_t *state; /* enum fake_state of each record */
};

struct fake_kernel {
	int cpus; /* number of CPUs */
	struct fake_cpu cpu[FAKE_CPUS];
	int64_t wall_ns; /* wall clock time at which the other clocks are 0 */
	int64_t now_ns; /* time of the latest record */
	int open; /* number of open files of the device */
	int reads; /* number of read() calls so far */
	const char *script; /* the argument of fake_play() */
	int masked; /* event type that the selected maskset masks; 0: none */
	int error; /* errno with which every ioctl fails; 0: none fails */
	int history_error; /* errno with which the ioctls for the history fail; 0: none fails */
	bool plain; /* fake_compress() makes chunks that are not compressed */
	bool one_chunk; /* LKST_IOC_HISTORY_READ copies one chunk at a time */
	int history_reads; /* number of calls of LKST_IOC_HISTORY_READ so far */
	/* Called before each LKST_IOC_HISTORY_READ; may be NULL. */
	void (*before_history)(void);
};

extern struct fake_kernel fake;

void fake_begin(int cpus);
struct lkst_event_record *fake_record(int cpu, int64_t time_ns, enum fake_state state);
void fake_sync(int cpu, int64_t time_ns);
void fake_shift(int cpu, int to);
uint8_t *fake_compress(int cpu, lkst_buffer_id buffer, uint64_t first, uint64_t num);
void fake_play(const char *script);
struct lkst_device *fake_device(void);

#endif
