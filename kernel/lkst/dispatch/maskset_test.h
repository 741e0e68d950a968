/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers that the tests with masksets share. They write small masksets, check
 * whether events are recorded, and clean up after each test.
 */
#ifndef _LKST_MASKSET_TEST_H
#define _LKST_MASKSET_TEST_H

#include <linux/irqflags.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/lkst_private.h>

#include "../base/suite_test.h"
#include "../buffer/buffer.h"
#include "event.h"
#include "evhandler.h"
#include "maskset.h"
#include "maskset_select.h"

/*
 * The ids of the masksets that the tests write, which are the lowest free ids,
 * and the id of the default event handler.
 */
#define A	3
#define B	4
#define C	5
#define LOG	LKST_EVHANDLER_ID_ENTRY_LOG

/*
 * Generate one USER_MARK event. Return how many records this has added to this
 * CPU's buffer.
 */
static inline u64 marks_recorded(void)
{
	struct lkst_ring *ring;
	u64 before, after;
	unsigned long flags;

	local_irq_save(flags);
	ring = this_cpu_read(lkst_ring_current);
	before = lkst_ring_position(ring, lkst_ring_next(ring));
	lkst_event_preemptible(LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	after = lkst_ring_position(ring, lkst_ring_next(ring));
	local_irq_restore(flags);
	return after - before;
}

static inline struct lkst_trc_status status(void)
{
	struct lkst_trc_status status = {};

	lkst_maskset_status(&status);
	return status;
}

static inline void has_probe(struct tracepoint *tp, void *probed)
{
	if (!strcmp(tp->name, "sched_switch"))
		*(bool *)probed = !!rcu_access_pointer(tp->funcs);
}

/* Whether the source of PROCESS_CONTEXTSWITCH is on. */
static inline bool source_is_on(void)
{
	bool probed = false;

	for_each_kernel_tracepoint(has_probe, &probed);
	return probed;
}

#define ENTRIES_MAX	4

/* A struct lkst_maskset_body with room for a few entries. */
struct small_body {
	char name[LKST_MASKSET_NAME_LEN];
	lkst_maskset_table_len len;
	struct lkst_maskset_entry entry[ENTRIES_MAX];
};

static inline struct lkst_maskset_param param_of(lkst_maskset_id id, const void *body, u64 size)
{
	return (struct lkst_maskset_param) {
		.id = id,
		.maskset_size = size,
		.maskset = (unsigned long)body,
	};
}

/* Read a maskset into memory that is freed when the test ends. */
static inline struct lkst_maskset_body *read_maskset(struct kunit *test, lkst_maskset_id id)
{
	struct lkst_maskset_body *body = test_alloc(test, LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_param param = param_of(id, body, LKST_MASKSET_SIZE_MAX);

	KUNIT_ASSERT_EQ(test, lkst_maskset_read(&param), 0);
	return body;
}

/* Return a maskset's handler for an event type, or -ENOENT. */
static inline int handler_of(struct kunit *test, lkst_maskset_id id, int etype)
{
	const struct lkst_maskset_body *body = read_maskset(test, id);

	for (int i = 0; i < body->len; i++)
		if (body->entry[i].event_type == etype)
			return body->entry[i].id;
	return -ENOENT;
}

/*
 * Write a maskset with @len entries, each { event type, event handler }. Return
 * its id or an error.
 */
static inline int write_entries(lkst_maskset_id id, const char *name, unsigned int len,
				const struct lkst_maskset_entry *entries)
{
	struct small_body body = { .len = len };
	struct lkst_maskset_param param = param_of(id, &body, sizeof(body));
	int ret;

	strscpy(body.name, name, sizeof(body.name));
	memcpy(body.entry, entries, len * sizeof(*entries));
	ret = lkst_maskset_write(&param);
	return ret ?: param.id;
}

#define PUT(id, name, ...)								\
	write_entries(id, name,								\
		      sizeof((struct lkst_maskset_entry[]) { __VA_ARGS__ }) /		\
		      sizeof(struct lkst_maskset_entry),				\
		      (struct lkst_maskset_entry[]) { __VA_ARGS__ })

/*
 * Run after each test: select the default maskset, and remove the masksets and
 * the event handlers that the test has left behind.
 */
static inline void forget_masksets(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	for (int id = A; id < LKST_MASKSET_ID_RDETAILED; id++)
		lkst_maskset_delete(id);
	for (int id = LKST_EVHANDLER_ID_USER_MIN; id <= LKST_EVHANDLER_ID_MAX; id++)
		lkst_evhandler_unregister(id);
	KUNIT_EXPECT_EQ(test, status().maskset_num, 4);
}

#endif
