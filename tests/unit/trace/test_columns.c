// SPDX-License-Identifier: GPL-2.0
/* Records in columns (trace/columns.c): decoding restores the records, and rejects damaged data. */
#include <byteswap.h>

#include "lib/trace/columns.h"
#include "lib/trace/format.h"
#include "lib/base/crc32c.h"
#include "tap.h"

#include "../../../kernel/lkst/history/columns_test.h"

#define HEADER	     sizeof(struct lkst_records_header)
#define SIZE_OF(std) ((std) ? sizeof(struct lkst_log_record) : sizeof(struct lkst_event_record))

static uint8_t records[TRACE_COLUMNS_MAX], columns[TRACE_COLUMNS_MAX], payload[TRACE_COLUMNS_MAX];

static struct lkst_records_header header_of(bool std, size_t num)
{
	return (struct lkst_records_header){
		.cpu = 3, .count = num, .record_size = (uint32_t)SIZE_OF(std), .first_recid = 77,
	};
}

static void fill_with_noise(void)
{
	for (size_t i = 0; i < sizeof(records); i++)
		records[i] = (uint8_t)rand();
}

/* Fill records[] with typical events: few types, and a clock that increases. */
static void fill_with_events(size_t num)
{
	struct lkst_event_record *r = (void *)records;

	memset(records, 0, sizeof(records));
	for (size_t i = 0; i < num; i++)
		r[i] = (struct lkst_event_record){
			.clock = 1000000000000 + i * 1234, .event_type = (uint16_t)(0x30 + i % 3),
			.thread = 100,
			.arg = { i % 3, 5, 6, 7 },
		};
}

static void check_same(bool std, size_t num)
{
	const struct lkst_records_header header = header_of(std, num);
	size_t len, back;

	memset(payload, 0x55, sizeof(payload));
	len = trace_columns_from(&header, records, columns);
	ck_assert_uint_eq(len, HEADER + num * (SIZE_OF(std) + TRACE_COLUMNS_KEY));
	back = trace_columns_to(columns, len, false, NULL, payload, HEADER + num * SIZE_OF(std));
	ck_assert_uint_eq(back, HEADER + num * SIZE_OF(std));
	ck_assert(!memcmp(payload, &header, HEADER));
	ck_assert(!memcmp(payload + HEADER, records, num * SIZE_OF(std)));
	ck_assert_uint_eq(payload[back], 0x55);
}

TEST_LOOP(test_same, 12)
{
	static const size_t nums[] = { 1, 2, 3, 100, 4095, 4096 };
	size_t num = nums[_i / 2];
	bool std = _i % 2;

	fill_with_noise();
	check_same(std, num);
	fill_with_events(num);
	check_same(std, num);
	memset(records, 0xff, sizeof(records));
	check_same(std, num);
}

static bool is_0x31(uint32_t type)
{
	return type == 0x31;
}

/* If only some event types are wanted, the other records have only a type, CPU, time and recid. */
TEST_LOOP(test_wanted, 2)
{
	const size_t num = 1000;
	const bool std = _i;
	const struct lkst_records_header header = header_of(std, num);
	const struct lkst_event_record *raw = (void *)(payload + HEADER);
	const struct lkst_log_record *log = (void *)(payload + HEADER);
	struct lkst_event_record *from_raw = (void *)records;
	struct lkst_log_record *from_log = (void *)records;
	size_t len;

	fill_with_noise();
	for (size_t i = 0; i < num; i++) {
		if (std)
			from_log[i].posix.log_event_type = (int)(0x30 + i % 5);
		else
			from_raw[i].event_type = (uint16_t)(0x30 + i % 5);
	}
	memset(payload, 0x55, sizeof(payload));
	len = trace_columns_from(&header, records, columns);
	ck_assert_uint_eq(trace_columns_to(columns, len, false, is_0x31, payload, sizeof(payload)),
			  HEADER + num * SIZE_OF(std));
	for (size_t i = 0; i < num; i++) {
		if (i % 5 == 1) {
			ck_assert(!memcmp(payload + HEADER + i * SIZE_OF(std),
					  records + i * SIZE_OF(std), SIZE_OF(std)));
		} else if (std) {
			ck_assert_int_eq(log[i].posix.log_event_type, 0x30 + (int)(i % 5));
			ck_assert_uint_eq(log[i].posix.log_recid, from_log[i].posix.log_recid);
			ck_assert_int_eq(log[i].posix.log_processor,
					 from_log[i].posix.log_processor);
			ck_assert(!memcmp(&log[i].posix.log_time, &from_log[i].posix.log_time,
					  sizeof(log[i].posix.log_time)));
			ck_assert_uint_eq(log[i].log_arg1, 0);
		} else {
			ck_assert_uint_eq(raw[i].event_type, 0x30 + i % 5);
			ck_assert_uint_eq(raw[i].clock, from_raw[i].clock);
			ck_assert_uint_eq(raw[i].arg[0], 0);
		}
	}
}

/* The kernel makes the same columns of the same records. */
TEST_LOOP(test_vectors, sizeof(columns_vectors) / sizeof(*columns_vectors))
{
	struct lkst_records_header header;
	size_t len;

	columns_vector_make(&header, (void *)records, columns_vectors[_i].num);
	len = trace_columns_from(&header, records, columns);
	ck_assert_uint_eq(lkst_crc32c(columns, len), columns_vectors[_i].crc32c);
}

/* The encoding of the example in the documentation (trace-file.rst), byte for byte. */
TEST(test_layout)
{
	struct lkst_event_record r[3] = {
		{ .clock = 0x100, .event_type = 0x031, .thread = 0x0a0b0c0d, .arg = { 1 } },
		{ .clock = 0x1ff, .event_type = 0xf030, .thread = 2, .arg = { 2 } },
		{ .clock = 0x1fe, .event_type = 0x031, .thread = 3, .arg = { 3 } },
	};
	const struct lkst_records_header header = header_of(false, 3);
	static const uint8_t key[] = { 0x31, 0x30, 0x31, 0, 0, 0 };
	static const uint8_t clock[] = { 0xff, 0x00, 0xff, 0x00, 0x01, 0xff, 0x00, 0x00, 0xff };
	static const uint8_t thread[] = { 2, 0x0d, 3, 0, 0x0c, 0, 0, 0x0b, 0, 0, 0x0a, 0 };
	static const uint8_t arg[] = { 2, 1, 3, 0, 0, 0 };
	const uint8_t *at = columns + HEADER;

	ck_assert_uint_eq(trace_columns_from(&header, r, columns), HEADER + 3 * 66);
	ck_assert(!memcmp(columns, &header, HEADER));
	ck_assert(!memcmp(at, key, sizeof(key)));
	at += sizeof(key);
	ck_assert(!memcmp(at, clock, sizeof(clock)));
	at += 3 * 8;
	ck_assert(!memcmp(at + 3 * 4, thread, sizeof(thread)));
	ck_assert(!memcmp(at + 3 * 8 * 3, arg, sizeof(arg)));
}

/* A machine with the opposite byte order encodes the same numbers, so its columns are the same. */
TEST(test_swapped)
{
	struct lkst_records_header header = header_of(false, 100);
	size_t len;

	fill_with_events(100);
	len = trace_columns_from(&header, records, columns);
	header.count = bswap_64(header.count);
	header.record_size = bswap_32(header.record_size);
	memcpy(columns, &header, HEADER);
	ck_assert_uint_eq(trace_columns_to(columns, len, true, NULL, payload, sizeof(payload)),
			  HEADER + 100 * 64);
	for (size_t i = 0; i < 100 * 64; i += 8) {
		uint64_t own, other;

		memcpy(&own, records + i, 8);
		memcpy(&other, payload + HEADER + i, 8);
		ck_assert_uint_eq(other, bswap_64(own));
	}
}

TEST(test_refused)
{
	struct lkst_records_header header = header_of(true, 100);
	size_t len, back = HEADER + 100 * 112;

	fill_with_events(100);
	len = trace_columns_from(&header, records, columns);
	ck_assert_uint_eq(trace_columns_to(columns, len, false, NULL, payload, back), back);
	ck_assert_uint_eq(trace_columns_to(columns, len, false, NULL, payload, back - 1), 0);
	ck_assert_uint_eq(trace_columns_to(columns, len, true, NULL, payload, sizeof(payload)), 0);
	/* If the columns are truncated, only the buffer's header is decoded. */
	ck_assert_uint_eq(trace_columns_to(columns, len - 1, false, NULL, payload, back), HEADER);
	ck_assert_uint_eq(trace_columns_to(columns, HEADER, false, NULL, payload, back), HEADER);
	ck_assert_uint_eq(trace_columns_to(columns, HEADER - 1, false, NULL, payload, back), 0);
	ck_assert_uint_eq(trace_columns_to(columns, len, false, NULL, payload, HEADER - 1), 0);
	/* The key of the second record is an invalid number. */
	columns[HEADER + 100 + 1] = 0x10;
	ck_assert_uint_eq(trace_columns_to(columns, len, false, NULL, payload, back), 0);
	header.count = 4097;
	memcpy(columns, &header, HEADER);
	ck_assert_uint_eq(trace_columns_to(columns, len, false, NULL, payload, sizeof(payload)), 0);
	header.count = 0;
	memcpy(columns, &header, HEADER);
	ck_assert_uint_eq(trace_columns_to(columns, len, false, NULL, payload, sizeof(payload)), HEADER);
	header = header_of(true, 100);
	header.record_size = 72;
	memcpy(columns, &header, HEADER);
	ck_assert_uint_eq(trace_columns_to(columns, len, false, NULL, payload, sizeof(payload)), 0);
}
