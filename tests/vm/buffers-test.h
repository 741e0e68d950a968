/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the test "buffers" share. They all record nothing but what they ask for, so that
 * every record of a buffer is known.
 */
#ifndef BUFFERS_TEST_H
#define BUFFERS_TEST_H

#include "buffers.h"

#define CPUS  2
#define SMALL 4096 /* bytes of the smallest buffer */
#define SLOTS (SMALL / RECORD_SIZE)

/* Masksets; all but the first record USER_MARK, and all but the last two LKST_BUFF_SHIFT. */
enum {
	SET_NOTHING = LKST_MASKSET_ID_RNOTHING,
	SET_WRAP = 100, /* LKST_BUFF_OVFLOW is recorded */
	SET_SHIFT, /* it shifts */
	SET_SHIFT_DW, /* and wakes who reads */
	SET_UNTOLD, /* it is masked */
	SET_SYNC, /* LKST_SYNC_TIME as well */
	SET_MARKS, /* nothing but marks */
	SET_OVFLOW, /* nothing but marks and overflows */
};

void test_create(void);
void test_delete(void);
void test_link(void);
void test_list(void);
void test_read_ioctl(void);
void test_read_from(void);
void test_shift(void);
void test_overflow(void);
void test_reader(void);
void test_blocks(void);

void select_maskset(int id);

/* The CPU is left with buffer 0 alone, being written, and nothing is recorded. */
void reset(int cpu);

/* After reset(): buffers 1 to @num in a ring, 1 is written, and the read queue is empty. */
void prepare(int cpu, int num, uint64_t size);

/* Records @num marks, numbered from @first on. */
void marks(int cpu, uint64_t first, unsigned int num);

/* How the buffers of all CPUs are, and what memory they take. */
struct snapshot {
	struct buffers buffers[CPUS];
	uint64_t memory;
};

void take_snapshot(struct snapshot *snapshot);
bool unchanged(const struct snapshot *before);

/* A call that fails so leaves everything as it was. Call it while nothing is recorded. */
#define refused(want, call, ...)                                              \
	do {                                                                  \
		static struct snapshot snapshot;                              \
		int error;                                                    \
                                                                              \
		take_snapshot(&snapshot);                                     \
		error = (call);                                               \
		if (gives(error, want, __VA_ARGS__) && !unchanged(&snapshot)) \
			ok(false, "... and leaves all as it was");            \
	} while (0)

/* A record that must be there. */
struct want {
	int etype;
	uint64_t arg[3];
};

/* These records, and no others, with ascending recids that end before @next. */
bool records_are(const struct lkst_log_record *records, size_t num, const struct want *want,
		 size_t want_num);

/* Reads a whole buffer of up to 4096 records; returns how many. */
size_t read_all(int cpu, int id, struct lkst_log_buffer *param, struct lkst_log_record *records);

#endif
