/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of masksets and those of which is selected have in common: small masksets, and
 * whether events are recorded.
 */
#ifndef _LKST_MASKSET_TEST_H
#define _LKST_MASKSET_TEST_H

#include <linux/irqflags.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/lkst_private.h>

#include "buffer.h"
#include "event.h"
#include "maskset.h"

/* What the tests write: the lowest ids that are free, and event handler 1. */
#define A	3
#define B	4
#define C	5
#define LOG	LKST_EVHANDLER_ID_ENTRY_LOG

/* How many records one USER_MARK makes. */
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

/* As struct lkst_maskset_body, with room for a few. */
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

/* Write entries as { event type, event handler }. Returns the id or the error. */
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

#endif
