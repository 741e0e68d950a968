/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files of the test "buffers". All masksets except SET_MEMORY record only the
 * test's marks and LKST's own events, so the test knows which records a buffer must contain.
 */
#ifndef BUFFERS_TEST_H
#define BUFFERS_TEST_H

#include "processes.h"

#define CPUS   2
#define NO_CPU 9999
#define SMALL  4096 /* size of the smallest buffer in bytes */
#define SLOTS  (SMALL / RECORD_SIZE)

/*
 * Number of events that fill a new buffer of the smallest size, except for the slots that stay
 * unused at first (see reserve()).
 */
#define ROOM (SLOTS - SLOTS / 8)

/*
 * Masksets. All of them except SET_NOTHING record USER_MARK. All except SET_NOTHING, SET_MARKS,
 * SET_OVFLOW and SET_MEMORY record LKST_BUFF_SHIFT.
 */
enum {
	SET_NOTHING = LKST_MASKSET_ID_RNOTHING,
	SET_WRAP = 100, /* LKST_BUFF_OVFLOW is recorded */
	SET_SHIFT, /* the handler of LKST_BUFF_OVFLOW shifts */
	SET_SHIFT_DW, /* the handler of LKST_BUFF_OVFLOW shifts and wakes readers */
	SET_UNREPORTED, /* LKST_BUFF_OVFLOW is masked */
	SET_SYNC, /* LKST_BUFF_OVFLOW and LKST_SYNC_TIME are recorded */
	SET_MARKS, /* only marks are recorded */
	SET_OVFLOW, /* only marks and LKST_BUFF_OVFLOW are recorded */
	SET_MEMORY, /* marks and memory allocations are recorded */
};

void test_ioctls(void);
void test_read_from(void);
void test_shift(void);
void test_overflow(void);
void test_reader(void);
void test_blocks(void);
void test_hotplug(void);
void test_memory(void);

void select_maskset(int id);

/* Select SET_NOTHING, make buffer 0 the current buffer of the CPU, and delete all others. */
void reset(int cpu);

/*
 * Call reset(), and create a ring of the buffers 1 to @num with @size bytes each. Make buffer 1 the
 * current one, and empty the read queue.
 */
void prepare(int cpu, int num, uint64_t size);

/* Call prepare() for CPU 0 with the smallest buffers, and select @maskset. */
void prepare_ring(int num, int maskset);

/* Record @num marks with the numbers @first, @first + 1, ... */
void marks(int cpu, uint64_t first, unsigned int num);

/* Record @num marks on CPU 0, numbered from @first, and shift, so that their buffer is queued. */
void queue_marks(uint64_t first, unsigned int num);

/* The state of the buffers of all CPUs, and the size of LKST's memory in bytes. */
struct snapshot {
	struct buffers buffers[CPUS];
	uint64_t memory;
};

void take_snapshot(struct snapshot *snapshot);
bool unchanged(const struct snapshot *before);

/* Check that a call fails with the error @expected and changes nothing. Recording must be off. */
#define refused(expected, call, ...)                                              \
	do {                                                                      \
		static struct snapshot snapshot;                                  \
		int error;                                                        \
                                                                                  \
		take_snapshot(&snapshot);                                         \
		error = (call);                                                   \
		if (gives(error, expected, __VA_ARGS__) && !unchanged(&snapshot)) \
			ok(false, "... and changes nothing");                     \
	} while (0)

/* Expected records: @num marks, numbered from @arg[0], or one other event and its arguments. */
struct expected {
	int etype;
	uint64_t arg[3];
	unsigned int num;
};

#define MARKS(first, num)	     { USER_MARK, { first }, num }
#define A_SHIFT(from, to, first)     { BUFF_SHIFT, { from, to, first }, 1 }
#define AN_OVERFLOW(id, lost, first) { BUFF_OVFLOW, { id, lost, first }, 1 }

/*
 * Whether the records have consecutive recids and match @expected, of which the first @overwritten
 * records must be missing. The last entry of @expected has the event type 0. @num is the number of
 * records, or the negated errno of the call that read them, which never matches.
 */
bool compare_records(const struct lkst_log_record *records, long num, long overwritten,
		     const struct expected *expected);

#define records_are(records, num, ...) \
	compare_records(records, num, 0, (struct expected[]){ __VA_ARGS__, {} })

/* Read a buffer of up to 4096 records. Return the number of records. */
size_t read_all(int cpu, int id, struct lkst_log_buffer *param, struct lkst_log_record *records);

/*
 * Whether BUFFER_READ has returned these counts, and has counted no dropped or unfinished records.
 */
bool counts_are(const struct lkst_log_buffer *param, uint64_t first, uint64_t recorded,
		uint64_t overwritten);

#endif
