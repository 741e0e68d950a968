// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the buffers of this CPU and of its read queue. They use the
 * running LKST.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "../base/suite_test.h"
#include "buffer.h"
#include "cpucall.h"
#include "emit.h"
#include "../dispatch/event.h"
#include "jump.h"
#include "../dispatch/maskset.h"
#include "../read/reader.h"
#include "shift.h"

/* These tests run in User Mode Linux, which has one CPU. */
#define CPU		0
#define SIZE		LKST_BUFFER_SIZE_MIN
#define SLOTS		(SIZE / sizeof(struct lkst_event_record))
#define RESERVED	(SLOTS / 8)

struct buffer_list {
	struct lkst_buffer_listparam param;
	struct lkst_buffer_listent ent[LKST_BUFFER_ID_MAX + 1];
};

static struct buffer_list *list_buffers(struct kunit *test)
{
	struct buffer_list *list = test_alloc(test, sizeof(*list));

	list->param.cpu = CPU;
	list->param.listent_num = ARRAY_SIZE(list->ent);
	list->param.listent = (unsigned long)list->ent;
	KUNIT_ASSERT_EQ(test, lkst_buffer_list(&list->param), 0);
	return list;
}

static struct lkst_buffer_listent buffer_entry(struct kunit *test, lkst_buffer_id id)
{
	struct buffer_list *list = list_buffers(test);

	for (int i = 0; i < list->param.buffer_num; i++)
		if (list->ent[i].id == id)
			return list->ent[i];
	KUNIT_FAIL(test, "there is no buffer %d", id);
	return (struct lkst_buffer_listent) {};
}

static u64 next_recid(const struct lkst_buffer_listent *ent)
{
	return ent->baseid + ent->write_offset;
}

/* Stop LKST before each test, and check that only buffer 0 exists. */
static int buffer_test_init(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, lkst_trc_stop_wait(), 0);
	KUNIT_ASSERT_EQ(test, list_buffers(test)->param.buffer_num, 1);
	return 0;
}

static void buffer_test_exit(struct kunit *test)
{
	lkst_buffer_jump(0);
	lkst_buffer_link_on(CPU, 0, LKST_BUFFER_ID_VOID);
	for (int id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		lkst_buffer_delete(id);
	lkst_trc_start_wait();
}

static void record_marks(unsigned int num)
{
	while (num--)
		lkst_emit_in(raw_cpu_read(lkst_ring_current), LKST_ETYPE_USER_MARK, num, 0,
			     0, 0);
}

static void created_buffer_is_listed(struct kunit *test)
{
	u64 memory = lkst_memory_used();
	struct lkst_buffer_listent ent;

	KUNIT_EXPECT_EQ(test, lkst_buffer_create(7, SIZE + 100, 9), 7);
	ent = buffer_entry(test, 7);
	KUNIT_EXPECT_EQ(test, ent.size, SIZE);
	KUNIT_EXPECT_EQ(test, ent.next, 9);
	KUNIT_EXPECT_EQ(test, ent.state, LKST_BUFFER_FREE);
	KUNIT_EXPECT_EQ(test, ent.rq_prev, LKST_BUFFER_ID_VOID);
	/* The headers take two more pages. */
	KUNIT_EXPECT_EQ(test, lkst_memory_used(), memory + PAGE_ALIGN(SIZE) + 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, lkst_buffer_delete(7), 0);
	KUNIT_EXPECT_EQ(test, lkst_memory_used(), memory);
	KUNIT_EXPECT_EQ(test, list_buffers(test)->param.buffer_num, 1);
}

static void bad_buffers_are_refused(struct kunit *test)
{
	const struct {
		lkst_buffer_id id;
		size_t size;
		lkst_buffer_id next;
	} bad[] = {
		{ 0, SIZE, LKST_BUFFER_ID_VOID },	/* exists */
		{ -1, SIZE, LKST_BUFFER_ID_VOID },
		{ LKST_BUFFER_ID_VOID + 1, SIZE, LKST_BUFFER_ID_VOID },
		{ 5, SIZE, 5 },
		{ 5, SIZE, -1 },
		{ 5, SIZE, LKST_BUFFER_ID_VOID + 1 },
		{ 5, SIZE - 1, LKST_BUFFER_ID_VOID },
		{ 5, LKST_BUFFER_SIZE_MAX + SIZE, LKST_BUFFER_ID_VOID },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, lkst_buffer_create(bad[i].id, bad[i].size, bad[i].next),
				    -EINVAL, "row %u", i);
	KUNIT_EXPECT_EQ(test, list_buffers(test)->param.buffer_num, 1);
}

static void void_selects_the_lowest_free_id(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_buffer_create(2, SIZE, LKST_BUFFER_ID_VOID), 2);
	KUNIT_EXPECT_EQ(test, lkst_buffer_create(LKST_BUFFER_ID_VOID, SIZE, 2), 1);
	KUNIT_EXPECT_EQ(test, lkst_buffer_create(LKST_BUFFER_ID_VOID, SIZE, 2), 3);
	KUNIT_EXPECT_EQ(test, lkst_buffer_create(LKST_BUFFER_ID_VOID, SIZE, 4), -EINVAL);
	for (int id = 4; id <= LKST_BUFFER_ID_MAX; id++)
		lkst_buffer_create(id, SIZE, LKST_BUFFER_ID_VOID);
	KUNIT_EXPECT_EQ(test, lkst_buffer_create(LKST_BUFFER_ID_VOID, SIZE, 2), -ENOSPC);
}

static void a_shift_follows_the_links(struct kunit *test)
{
	struct buffer_list *list;

	KUNIT_EXPECT_EQ(test, lkst_buffer_shift(), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_buffer_link_on(CPU, 0, 1), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_shift(), -EINVAL);
	KUNIT_ASSERT_EQ(test, lkst_buffer_create(1, SIZE, 2), 1);
	KUNIT_ASSERT_EQ(test, lkst_buffer_create(2, SIZE, 0), 2);
	KUNIT_EXPECT_EQ(test, lkst_buffer_shift(), 0);
	KUNIT_EXPECT_EQ(test, list_buffers(test)->param.write_buf, 1);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(1), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(3), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_buffer_shift(), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_shift(), 0);
	list = list_buffers(test);
	KUNIT_EXPECT_EQ(test, list->param.write_buf, 0);
	KUNIT_EXPECT_EQ(test, list->ent[0].state, LKST_BUFFER_WRITTEN);
	KUNIT_EXPECT_EQ(test, lkst_buffer_delete(0), -EINVAL);
}

static void recids_continue_from_buffer_to_buffer(struct kunit *test)
{
	struct lkst_buffer_listent before, after, left;

	KUNIT_ASSERT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_ASSERT_EQ(test, lkst_buffer_create(1, SIZE, LKST_BUFFER_ID_VOID), 1);
	preempt_disable();
	local_irq_disable();
	record_marks(3);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(1), 0);
	lkst_shift_nowhere(CPU, 0);
	local_irq_enable();
	preempt_enable();
	left = buffer_entry(test, 0);
	after = buffer_entry(test, 1);
	KUNIT_EXPECT_EQ(test, after.first_recid, next_recid(&left));
	KUNIT_EXPECT_GT(test, next_recid(&after), after.first_recid);
	/* Recids also continue after the CPU has not recorded for a while. */
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(0), 0);
	before = buffer_entry(test, 0);
	KUNIT_EXPECT_EQ(test, before.first_recid, next_recid(&after));
}

static void expect_order(struct kunit *test)
{
	struct buffer_list *list;

	for (int id = 1; id <= 3; id++)
		KUNIT_ASSERT_EQ(test, lkst_buffer_create(id, SIZE, LKST_BUFFER_ID_VOID), id);
	KUNIT_ASSERT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(2), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(1), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(3), 0);
	KUNIT_ASSERT_EQ(test, lkst_trc_stop_wait(), 0);
	list = list_buffers(test);
	KUNIT_EXPECT_EQ(test, list->param.rq_head, 0);
	KUNIT_EXPECT_EQ(test, list->param.rq_tail, 1);
	KUNIT_EXPECT_EQ(test, list->ent[0].rq_prev, LKST_BUFFER_ID_VOID);
	KUNIT_EXPECT_EQ(test, list->ent[0].rq_next, 2);
	KUNIT_EXPECT_EQ(test, list->ent[2].rq_prev, 0);
	KUNIT_EXPECT_EQ(test, list->ent[2].rq_next, 1);
	KUNIT_EXPECT_EQ(test, list->ent[1].rq_next, LKST_BUFFER_ID_VOID);
	/* Deleting a buffer, or jumping to it, removes it from the queue. */
	KUNIT_EXPECT_EQ(test, lkst_buffer_delete(2), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(1), 0);
	list = list_buffers(test);
	KUNIT_EXPECT_EQ(test, list->param.rq_head, 0);
	KUNIT_EXPECT_EQ(test, list->param.rq_tail, 3);
	KUNIT_EXPECT_EQ(test, list->param.write_buf, 1);
}

static void left_buffers_are_queued_in_order(struct kunit *test)
{
	expect_order(test);
}

/* Check the order of the queue while its counter wraps or changes sign. */
static void queue_order_wraps(struct kunit *test)
{
	const unsigned long num = 1UL << (BITS_PER_LONG - LKST_STATE_BITS);
	const unsigned long orders[] = { num - 4, num - 3, num - 2, num - 1, num / 2 - 2 };

	for (unsigned int i = 0; i < ARRAY_SIZE(orders); i++) {
		per_cpu(lkst_cpu, CPU)->order = orders[i];
		expect_order(test);
		buffer_test_exit(test);
		KUNIT_ASSERT_EQ(test, lkst_trc_stop_wait(), 0);
	}
}

static void an_empty_buffer_is_not_queued(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, lkst_buffer_create(1, SIZE, 0), 1);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(1), 0);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(0), 0);
	KUNIT_EXPECT_EQ(test, buffer_entry(test, 1).state, LKST_BUFFER_FREE);
}

static void first_slots_are_reserved(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, lkst_buffer_create(1, SIZE, 0), 1);
	KUNIT_ASSERT_EQ(test, lkst_buffer_create(2, SZ_1M, 0), 2);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(1), 0);
	KUNIT_EXPECT_EQ(test, buffer_entry(test, 1).write_offset, RESERVED);
	KUNIT_EXPECT_EQ(test, lkst_buffer_jump(2), 0);
	KUNIT_EXPECT_EQ(test, buffer_entry(test, 2).write_offset, 64);
}

/*
 * Simulate a jump in an NMI during a shift. It must take place after the shift.
 */
static void jump_in_a_shift_comes_after_it(struct kunit *test)
{
	unsigned long end = jiffies + 10 * HZ;
	struct lkst_ring *before;
	struct lkst_cpu *c;
	bool stayed;

	KUNIT_ASSERT_EQ(test, lkst_buffer_create(1, SIZE, LKST_BUFFER_ID_VOID), 1);
	local_irq_disable();
	c = this_cpu_read(lkst_cpu);
	before = this_cpu_read(lkst_ring_current);
	WRITE_ONCE(c->shifting, true);
	lkst_jump_all(1);
	stayed = this_cpu_read(lkst_ring_current) == before;
	WRITE_ONCE(c->shifting, false);
	local_irq_enable();
	KUNIT_EXPECT_TRUE(test, stayed);
	while (raw_cpu_read(lkst_ring_current) == before && time_before(jiffies, end))
		msleep(20);
	KUNIT_EXPECT_EQ(test, list_buffers(test)->param.write_buf, 1);
}

/* Read buffer 1. Expect SLOTS records, which is a full buffer, and @counts. */
static void expect_read(struct kunit *test, u64 first_recid, const struct lkst_log_buffer *counts)
{
	struct lkst_log_buffer param = {
		.cpu = CPU,
		.id = 1,
		.read_size = 2 * SLOTS * sizeof(struct lkst_log_record),
		.first_recid = first_recid,
	};
	struct lkst_log_record *records = test_alloc(test, param.read_size);
	u64 oldest = counts->first_recid + counts->overwritten;

	param.buffer = (unsigned long)records;
	KUNIT_ASSERT_EQ(test, lkst_buffer_read(&param), 0);
	KUNIT_EXPECT_EQ(test, param.result_read_size, SLOTS * sizeof(*records));
	for (unsigned int i = 0; i < SLOTS; i++)
		KUNIT_EXPECT_EQ(test, records[i].posix.log_recid, oldest + i);
	KUNIT_EXPECT_EQ(test, param.first_recid, counts->first_recid);
	KUNIT_EXPECT_EQ(test, param.recorded, counts->recorded);
	KUNIT_EXPECT_EQ(test, param.overwritten, counts->overwritten);
	KUNIT_EXPECT_EQ(test, param.dropped, counts->dropped);
	KUNIT_EXPECT_EQ(test, param.unfinished, counts->unfinished);
}

static void a_read_begins_with_the_oldest_record(struct kunit *test)
{
	struct lkst_log_buffer counts = {};
	struct lkst_buffer_listent ent;

	KUNIT_ASSERT_EQ(test, lkst_buffer_create(1, SIZE, LKST_BUFFER_ID_VOID), 1);
	KUNIT_ASSERT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_ASSERT_EQ(test, lkst_buffer_jump(1), 0);
	preempt_disable();
	record_marks(SLOTS + 20);
	preempt_enable();
	KUNIT_ASSERT_EQ(test, lkst_trc_stop_wait(), 0);
	ent = buffer_entry(test, 1);
	counts.first_recid = ent.first_recid;
	counts.recorded = next_recid(&ent) - ent.first_recid;
	counts.overwritten = ent.overwritten;
	KUNIT_ASSERT_GE(test, counts.overwritten, 20);
	KUNIT_ASSERT_EQ(test, counts.recorded - counts.overwritten, SLOTS);
	expect_read(test, 0, &counts);
	expect_read(test, counts.first_recid + counts.overwritten + 1, &counts);
	expect_read(test, U64_MAX, &counts);
}

static struct kunit_case buffer_test_cases[] = {
	KUNIT_CASE(created_buffer_is_listed),
	KUNIT_CASE(bad_buffers_are_refused),
	KUNIT_CASE(void_selects_the_lowest_free_id),
	KUNIT_CASE(a_shift_follows_the_links),
	KUNIT_CASE(recids_continue_from_buffer_to_buffer),
	KUNIT_CASE(left_buffers_are_queued_in_order),
	KUNIT_CASE(queue_order_wraps),
	KUNIT_CASE(an_empty_buffer_is_not_queued),
	KUNIT_CASE(first_slots_are_reserved),
	KUNIT_CASE(jump_in_a_shift_comes_after_it),
	KUNIT_CASE(a_read_begins_with_the_oldest_record),
	{}
};

LKST_TEST_SUITE("lkst-buffer", buffer_test_cases, .init = buffer_test_init,
		.exit = buffer_test_exit);
