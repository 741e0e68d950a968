// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of the records for trace and trace_pipe (kernel/lkst/tree/trace_copy.c): no record is lost
 * if memory is short, or if a record is still being written. The parts of chains are put together.
 * The simulated kernel has one CPU and one buffer.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "tap.h"

/* Instead of the headers that trace_copy.c includes */
#define _LKST_COMPAT_H
#define _LKST_BUFFER_H
#define _LKST_CURSOR_H
#define _LKST_CLOCK_H
#define _LKST_TREE_LINE_H

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define RECORDS	  5000
#define PIPE_CPUS 1

enum lkst_ring_read {
	LKST_RING_READ,
	LKST_RING_PENDING,
	LKST_RING_LAPPED,
};

struct lkst_ring {
	int unused;
};

struct lkst_buffer {
	int cpu, id;
};

struct lkst_cpu {
	struct lkst_buffer *buffers[LKST_BUFFER_ID_MAX + 1];
	unsigned long ids[1];
};

struct lkst_cursor {
	struct lkst_ring *ring;
	struct {
		unsigned int clock;
	} session;
	u64 position, end;
};

struct lkst_tree_event_line {
	s64 ns;
	int cpu;
	u32 order;
	struct lkst_event_record record;
};

struct lkst_tree_layouts {
	int unused;
};

static struct lkst_buffer buffer;
static struct lkst_cpu one = { .buffers = { &buffer }, .ids = { 1 } };
static struct lkst_cpu *lkst_cpu = &one;
static int lkst_buffer_mutex;

static u64 recorded; /* number of records whose slots have been reserved */
static enum lkst_ring_read state[RECORDS];
static bool writing; /* whether a writer is active */
static int allocations = -1; /* how many allocations succeed; -1: all */

#define READ_ONCE(x)			  (x)
#define WRITE_ONCE(x, value)		  ((x) = (value))
#define GFP_KERNEL			  0
#define kfree(p)			  free(p)
#define kvfree(p)			  free(p)
#define cond_resched()			  ((void)0)
#define min_t(type, a, b)		  ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define min3(a, b, c)			  min_t(u32, a, min_t(u32, b, c))
#define mutex_lock_killable(m)		  ((void)*(m), 0)
#define mutex_unlock(m)			  ((void)*(m))
#define num_possible_cpus()		  PIPE_CPUS
#define for_each_possible_cpu(n)	  for ((n) = 0; (n) < PIPE_CPUS; (n)++)
#define per_cpu(name, n)		  ((void)(n), (name))
#define for_each_set_bit(n, bits, size)	  for ((n) = 0; (n) < 1 && *(bits); (n)++)
#define sort(base, num, size, compare, x) ((num) ? qsort(base, num, size, compare) : (void)0)
#define ktime_get_real_ns()		  0
#define lkst_time_to_wall(clock, time)	  ((s64)((void)(clock), (time)))
#define lkst_tree_layouts_free(layouts)	  ((void)(layouts))
#define lkst_etype_of_program(etype)	  ((void)(etype), false)

static void *kvmalloc_array(size_t num, size_t size, int flags)
{
	(void)flags;
	if (!allocations)
		return NULL;
	allocations -= allocations > 0;
	return calloc(num, size);
}

static void *kmalloc(size_t size, int flags)
{
	return kvmalloc_array(1, size, flags);
}

static void lkst_cursor_init(struct lkst_cursor *cursor, struct lkst_buffer *of)
{
	(void)of;
	*cursor = (struct lkst_cursor){ .end = recorded };
}

static void lkst_cursor_seek(struct lkst_cursor *cursor, u64 position)
{
	cursor->position = position;
}

static void lkst_cursor_advance(struct lkst_cursor *cursor, unsigned long num)
{
	cursor->position += num;
}

static u64 lkst_cursor_recid(const struct lkst_cursor *cursor)
{
	return cursor->position;
}

static u64 lkst_cursor_end_recid(const struct lkst_cursor *cursor)
{
	return cursor->end;
}

static enum lkst_ring_read lkst_cursor_read(const struct lkst_cursor *cursor,
					    struct lkst_event_record *record)
{
	*record = (struct lkst_event_record){ .event_type = 1, .clock = cursor->position + 1 };
	return state[cursor->position];
}

static bool lkst_ring_idle(const struct lkst_ring *ring)
{
	(void)ring;
	return !writing;
}

static bool lkst_ring_was_dropped(const struct lkst_ring *ring, u64 position)
{
	(void)ring, (void)position;
	return false;
}

#include "tree/trace_copy.c"

static struct lkst_tree_trace *trace;

static void setup(void)
{
	memset(state, 0, sizeof(state));
	recorded = 0;
	writing = false;
	allocations = -1;
	trace = calloc(1, sizeof(*trace));
	trace->copied = calloc(PIPE_CPUS, sizeof(*trace->copied));
}

static void teardown(void)
{
	lkst_tree_trace_free(trace);
}

/* Copy, and check that the copy consists of the records with numbers from @first to @end - 1. */
static void expect(u64 first, u64 end)
{
	ck_assert_int_eq(lkst_tree_copy(trace), 0);
	ck_assert_uint_eq(trace->num, end - first);
	for (size_t i = 0; i < trace->num; i++)
		ck_assert_uint_eq(trace->line[i].record.clock, first + i + 1);
}

TESTS(.setup = setup, .teardown = teardown);

TEST(a_copy_continues)
{
	recorded = 3;
	expect(0, 3);
	expect(3, 3);
	recorded = RECORDS;
	expect(3, RECORDS);
}
END_TEST

TEST(memory_for_a_part)
{
	recorded = RECORDS;
	allocations = 1;
	expect(0, 1024);
	ck_assert_uint_eq(trace->room, 1024);
	expect(1024, 2048);
	allocations = -1;
	expect(2048, RECORDS);
}
END_TEST

TEST(no_memory)
{
	recorded = 3;
	allocations = 0;
	ck_assert_int_eq(lkst_tree_copy(trace), -ENOMEM);
	ck_assert_uint_eq(trace->num, 0);
	allocations = -1;
	expect(0, 3);
}
END_TEST

TEST(a_record_is_being_written)
{
	recorded = 5;
	state[2] = LKST_RING_PENDING;
	writing = true;
	expect(0, 2);
	expect(2, 2);
	state[2] = LKST_RING_READ;
	writing = false;
	expect(2, 5);
}
END_TEST

/* Without an active writer, a record that cannot be read was dropped. */
TEST(a_record_was_dropped)
{
	recorded = 5;
	state[2] = LKST_RING_PENDING;
	ck_assert_int_eq(lkst_tree_copy(trace), 0);
	ck_assert_uint_eq(trace->num, 4);
	expect(5, 5);
}
END_TEST

/* Each read of the file "trace" shows all records that are finished at that moment. */
TEST(each_copy_begins_anew)
{
	free(trace->copied);
	trace->copied = NULL;
	recorded = 5;
	state[2] = LKST_RING_PENDING;
	writing = true;
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(lkst_tree_copy(trace), 0);
		ck_assert_uint_eq(trace->num, 4);
	}
}
END_TEST

/* ---- chains ---- */

#define SERIAL 7

/* A head with two parts, of 60 bytes, at index 0 */
static void add_chain(void)
{
	struct lkst_event_record record = {
		.event_type = 1,
		.arg = { LKST_CHAIN_HEAD(SERIAL, 2, 0, 60) },
	};

	trace->line = calloc(2000, sizeof(*trace->line));
	memset(&record.arg[1], 'a', 24);
	trace->line[trace->num++].record = record;
}

static void add_part(int cpu, u32 serial, int number, int bytes)
{
	struct lkst_tree_event_line *line = &trace->line[trace->num++];

	line->cpu = cpu;
	line->record.event_type = LKST_ETYPE_LKST_MORE;
	line->record.arg[0] = LKST_CHAIN_PART(serial, number, bytes);
	memset(&line->record.arg[1], 'a' + number, bytes);
}

/* Check that the payload consists of @a times 'a', and so on. */
static void expect_payload(u32 a, u32 b, u32 c)
{
	struct lkst_tree_payload payload = lkst_tree_chain(trace, trace->line);

	ck_assert_uint_eq(payload.bytes, a + b + c);
	for (u32 i = 0; i < payload.bytes; i++)
		ck_assert_int_eq(payload.at[i], i < a ? 'a' : i < a + b ? 'b' : 'c');
}

/* Other events, and parts of chains of another CPU or of other chains, lie between the parts. */
TEST(a_chain)
{
	add_chain();
	trace->num += 3;
	add_part(1, SERIAL, 1, 24);
	add_part(0, SERIAL + 1, 1, 24);
	add_part(0, SERIAL, 1, 24);
	trace->num++;
	add_part(0, SERIAL, 2, 12);
	expect_payload(24, 24, 12);
	expect_payload(24, 24, 12);
}
END_TEST

TEST(a_chain_without_a_part)
{
	add_chain();
	add_part(0, SERIAL, 2, 12);
	expect_payload(24, 0, 0);
}
END_TEST

TEST(a_chain_without_its_end)
{
	add_chain();
	add_part(0, SERIAL, 1, 24);
	expect_payload(24, 24, 0);
}
END_TEST

/* A part that is too far away belongs to another chain: serials repeat. */
TEST(a_part_far_away)
{
	add_chain();
	trace->num += LKST_TREE_CHAIN_SEARCH - 1;
	add_part(0, SERIAL, 1, 24);
	expect_payload(24, 24, 0);
	trace->num = 1 + LKST_TREE_CHAIN_SEARCH;
	add_part(0, SERIAL, 1, 24);
	trace->line[LKST_TREE_CHAIN_SEARCH].record.event_type = 1;
	expect_payload(24, 0, 0);
}
END_TEST

/* A record that has been damaged does not exceed the memory for the payload. */
TEST(a_part_that_is_too_long)
{
	add_chain();
	add_part(0, SERIAL, 1, 24);
	trace->line[1].record.arg[0] = LKST_CHAIN_PART(SERIAL, 1, 255);
	expect_payload(24, 24, 0);
}
END_TEST

TEST(no_memory_for_the_payload)
{
	add_chain();
	add_part(0, SERIAL, 1, 24);
	allocations = 0;
	expect_payload(24, 0, 0);
}
END_TEST

/* Records of the same time stay in their order. */
TEST(the_same_time)
{
	struct lkst_tree_event_line a = { .ns = 5, .order = 1 }, b = { .ns = 5, .order = 2 };

	ck_assert_int_lt(lkst_tree_compare(&a, &b), 0);
	ck_assert_int_gt(lkst_tree_compare(&b, &a), 0);
	b.ns = 4;
	ck_assert_int_gt(lkst_tree_compare(&a, &b), 0);
}
END_TEST
