/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records for testing the conversion to columns. The kernel (history_test.c)
 * and the tools (tests/unit/trace/test_columns.c) must convert them to the same
 * bytes.
 */
#ifndef _LKST_COLUMNS_TEST_H
#define _LKST_COLUMNS_TEST_H

#include <linux/lkst_history.h>

/* CRC-32C of the columns of the first @num records, with the header. */
static const struct {
	__u32 num;
	__u32 crc32c;
} columns_vectors[] = {
	{ 1, 0x47e62075 },
	{ 7, 0xbfcdca68 },
	{ 8, 0xef833db3 },
	{ 9, 0xff783a30 },
	{ 100, 0x1c207cd9 },
	{ LKST_CHUNK_RECORDS - 1, 0x58d26a87 },
	{ LKST_CHUNK_RECORDS, 0xc2a23c79 },
};

/* Return a number that looks random, and that depends on @state only. */
static inline __u64 columns_vector_number(__u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 20;
}

/* Make the header and @num records. */
static inline void columns_vector_make(struct lkst_records_header *header,
				       struct lkst_event_record *record, __u32 num)
{
	__u64 state = 1, clock = 1000000;

	*header = (struct lkst_records_header) {
		.cpu = 3,
		.buffer = 5,
		.clock_kind = 1,
		.record_size = sizeof(*record),
		.count = num,
		.first_recid = 77777,
		.freq_khz = 2000000,
		.arch = "x86_64",
		.record_version = LKST_BUFFER_VERSION,
	};
	for (__u32 i = 0; i < num; i++) {
		__u64 random = columns_vector_number(&state);
		__u64 arg = columns_vector_number(&state);

		clock += random % 5000;
		record[i] = (struct lkst_event_record) {
			.clock = clock,
			.event_type = random % 16 ? random % 20 : 0xfff,
			.flags = random >> 8 & LKST_RECORD_FLAGS,
			.thread = 100 + (random >> 16) % 10,
			.pid = 100,
			.pgrp = 50,
			.arg = { arg, i, ~0ULL, (random >> 24) % 256 },
		};
	}
}

#endif
