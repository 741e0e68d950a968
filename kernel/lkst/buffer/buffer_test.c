// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the buffers of this CPU and of its read queue. They use the
 * running kernel's LKST.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>

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

static void buffer_counts_as_memory(struct kunit *test)
{
	u64 memory = lkst_memory_used();

	KUNIT_EXPECT_EQ(test, lkst_buffer_create(7, SIZE + 100, LKST_BUFFER_ID_VOID), 7);
	/* The buffer's headers take two more pages. */
	KUNIT_EXPECT_EQ(test, lkst_memory_used(), memory + PAGE_ALIGN(SIZE) + 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, lkst_buffer_delete(7), 0);
	KUNIT_EXPECT_EQ(test, lkst_memory_used(), memory);
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
	lkst_shift_to_void(CPU, 0);
	local_irq_enable();
	preempt_enable();
	left = buffer_entry(test, 0);
	after = buffer_entry(test, 1);
	KUNIT_EXPECT_EQ(test, after.first_recid, next_recid(&left));
	KUNIT_EXPECT_GT(test, next_recid(&after), after.first_recid);
	/* Recids also continue after a pause in recording. */
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

/*
 * Check the order of the queue, also when the counter that defines the order
 * wraps or changes sign.
 */
static void left_buffers_are_queued_in_order(struct kunit *test)
{
	const unsigned long num = 1UL << (BITS_PER_LONG - LKST_STATE_BITS);
	const unsigned long orders[] = { 0, num - 4, num - 3, num - 2, num - 1, num / 2 - 2 };

	for (unsigned int i = 0; i < ARRAY_SIZE(orders); i++) {
		per_cpu(lkst_cpu, CPU)->order = orders[i];
		expect_order(test);
		buffer_test_exit(test);
		KUNIT_ASSERT_EQ(test, lkst_trc_stop_wait(), 0);
	}
}

/*
 * Simulate a jump that an NMI requests during a shift. The CPU must jump, but
 * not before the shift has ended.
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

static struct kunit_case buffer_test_cases[] = {
	KUNIT_CASE(buffer_counts_as_memory),
	KUNIT_CASE(recids_continue_from_buffer_to_buffer),
	KUNIT_CASE(left_buffers_are_queued_in_order),
	KUNIT_CASE(jump_in_a_shift_comes_after_it),
	{}
};

LKST_TEST_SUITE("lkst-buffer", buffer_test_cases, .init = buffer_test_init,
		.exit = buffer_test_exit);
