/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event buffers: each CPU has its own, and records into one of them.
 */
#ifndef _LKST_BUFFER_H
#define _LKST_BUFFER_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/lkst_buffer.h>

#include "clock.h"
#include "context.h"
#include "record.h"

struct page;

/* Bytes of records a buffer can hold; always a multiple of LKST_BUFFER_SIZE_MIN. */
#define LKST_BUFFER_SIZE_MIN	SZ_4K
#define LKST_BUFFER_SIZE_MAX	min_t(unsigned long, SZ_1G, \
				      LKST_SLOTS_MAX * sizeof(struct lkst_event_record))

/*
 * What a buffer's memory is made of: physically contiguous extents, so that it can be
 * found in a memory image.
 */
struct lkst_extent {
	struct page *pages;
	unsigned int order;
};

/**
 * struct lkst_buffer - an event buffer
 * @ring: its records
 * @list: of its CPU, in order of @id. Protected by lkst_buffer_mutex
 * @id: 0 to LKST_BUFFER_ID_MAX
 * @next: where a shift leads
 * @size: bytes of records
 * @start: the clocks when the buffer was created, or as soon after as they ran
 * @extents: its memory; one is used as it is mapped anyway, several are mapped as one
 * @extent_num: entries of @extents
 *
 * Buffers live for ever: there is no way yet to delete one.
 */
struct lkst_buffer {
	struct lkst_ring ring;
	struct list_head list;
	lkst_buffer_id id;
	lkst_buffer_id next;
	size_t size;
	struct lkst_time start;
	struct lkst_extent *extents;
	unsigned int extent_num;
};

/*
 * Where this CPU records to; NULL: nowhere. A writer loads it once, with preemption off;
 * it may be replaced from another CPU, and a writer that is under way then finishes in
 * the ring it began with.
 */
DECLARE_PER_CPU(struct lkst_ring *, lkst_ring_current);

/* Events that found no buffer on their CPU. */
DECLARE_PER_CPU(unsigned long, lkst_buffer_lost);

struct lkst_log_buffer;
struct lkst_buffer_listparam;

int lkst_buffer_init(size_t size);
int lkst_buffer_start(void);
void lkst_buffer_renew(void);
lkst_buffer_id lkst_buffer_written(int cpu);
u64 lkst_buffer_lost_total(void);
int lkst_buffer_read_user(struct lkst_log_buffer *param);
int lkst_buffer_list_user(struct lkst_buffer_listparam *param);
void lkst_log_expand(struct lkst_log_record *out, const struct lkst_event_record *record,
		     u64 recid, int cpu, unsigned int clock);
void lkst_log_describe(struct lkst_log_buffer *param, unsigned int clock,
		       const struct lkst_time *start);

#endif
