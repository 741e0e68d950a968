// SPDX-License-Identifier: GPL-2.0
/*
 * The event buffers of each CPU: create, list, read (specification 4.2.2, 4.7.1.3).
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "buffer.h"
#include "static_buffer.h"

/*
 * How long a reader waits for a record that is being written. Its writer does not sleep
 * and takes less than a microsecond, unless it was interrupted.
 */
#define LKST_READ_WAIT_NS	50000

/*
 * How often a read starts again because the record it was at has been overwritten, each
 * time further away from those that are next: the writer may be the faster one.
 */
#define LKST_READ_RESTARTS	16

DEFINE_PER_CPU(struct lkst_ring *, lkst_ring_current);
DEFINE_PER_CPU(unsigned long, lkst_buffer_lost);

static DEFINE_MUTEX(lkst_buffer_mutex);
static DEFINE_PER_CPU(struct list_head, lkst_buffers);	/* protected by lkst_buffer_mutex */
static size_t lkst_buffer_default_size;			/* constant after lkst_buffer_init() */

static struct lkst_buffer *lkst_ring_buffer(struct lkst_ring *ring)
{
	return ring ? container_of(ring, struct lkst_buffer, ring) : NULL;
}

/* Memory */

static void lkst_extents_free(struct lkst_buffer *buffer)
{
	while (buffer->extent_num--)
		__free_pages(buffer->extents[buffer->extent_num].pages,
			     buffer->extents[buffer->extent_num].order);
	kfree(buffer->extents);
}

static unsigned long lkst_buffer_pages(const struct lkst_buffer *buffer)
{
	return DIV_ROUND_UP(buffer->size, PAGE_SIZE);
}

/* Take the memory in pieces as large as can be had, the largest first. */
static int lkst_extents_alloc(struct lkst_buffer *buffer, int node)
{
	unsigned long left = lkst_buffer_pages(buffer);
	unsigned int order = MAX_ORDER - 1, room = 0;

	buffer->extents = NULL;
	buffer->extent_num = 0;
	while (left) {
		struct page *pages;

		order = min_t(unsigned int, order, ilog2(left));
		if (buffer->extent_num == room) {
			struct lkst_extent *more;

			room += 16;
			more = krealloc_array(buffer->extents, room, sizeof(*more), GFP_KERNEL);
			if (!more)
				goto free;
			buffer->extents = more;
		}
		pages = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
					 __GFP_NORETRY, order);
		if (!pages) {
			if (!order--)
				goto free;
			continue;
		}
		buffer->extents[buffer->extent_num++] = (struct lkst_extent) { pages, order };
		left -= 1UL << order;
	}
	return 0;
free:
	lkst_extents_free(buffer);
	return -ENOMEM;
}

static void *lkst_extents_map(const struct lkst_buffer *buffer)
{
	struct page **pages;
	unsigned long n = 0;
	unsigned int i, j;
	void *map;

	if (buffer->extent_num == 1)
		return page_address(buffer->extents[0].pages);

	pages = kvmalloc_array(lkst_buffer_pages(buffer), sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return NULL;
	for (i = 0; i < buffer->extent_num; i++)
		for (j = 0; j < 1U << buffer->extents[i].order; j++)
			pages[n++] = buffer->extents[i].pages + j;
	map = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return map;
}

/* Buffers */

static struct lkst_buffer *lkst_buffer_alloc(int cpu, size_t size)
{
	int node = cpu_to_node(cpu);
	struct lkst_buffer *buffer;
	void *records;

	buffer = kzalloc_node(sizeof(*buffer), GFP_KERNEL, node);
	if (!buffer)
		return NULL;
	buffer->size = size;
	if (lkst_extents_alloc(buffer, node))
		goto free_buffer;
	records = lkst_extents_map(buffer);
	if (!records)
		goto free_extents;

	buffer->next = LKST_BUFFER_ID_VOID;
	lkst_ring_init(&buffer->ring, records, size / sizeof(struct lkst_event_record),
		       lkst_clock_current());
	lkst_time_read(&buffer->start);
	return buffer;

free_extents:
	lkst_extents_free(buffer);
free_buffer:
	kfree(buffer);
	return NULL;
}

/*
 * A buffer of the default size, or of half that, and half again, until an eighth of the
 * machine's memory stays free beside it: nobody asked for it now, and a machine whose
 * clock goes bad, or that gets another CPU, has other worries.
 */
static struct lkst_buffer *lkst_buffer_alloc_fitting(int cpu)
{
	struct lkst_buffer *buffer;
	size_t size;

	for (size = lkst_buffer_default_size; size >= LKST_BUFFER_SIZE_MIN;
	     size = round_down(size / 2, LKST_BUFFER_SIZE_MIN)) {
		long left = si_mem_available() - (long)DIV_ROUND_UP(size, PAGE_SIZE);

		if (left < (long)(totalram_pages() / 8))
			continue;
		buffer = lkst_buffer_alloc(cpu, size);
		if (!buffer)
			continue;
		if (size < lkst_buffer_default_size)
			pr_warn("lkst: memory is short: CPU %d gets a buffer of %zu KB instead of %zu\n",
				cpu, size / SZ_1K, lkst_buffer_default_size / SZ_1K);
		return buffer;
	}
	return NULL;
}

static struct lkst_buffer *lkst_buffer_find(int cpu, lkst_buffer_id id)
{
	struct lkst_buffer *buffer;

	lockdep_assert_held(&lkst_buffer_mutex);
	list_for_each_entry(buffer, per_cpu_ptr(&lkst_buffers, cpu), list)
		if (buffer->id == id)
			return buffer;
	return NULL;
}

/* Give @cpu a new buffer, with the next id, and let it record there. */
static int lkst_buffer_add(int cpu)
{
	struct list_head *buffers = per_cpu_ptr(&lkst_buffers, cpu);
	struct lkst_buffer *buffer;

	lockdep_assert_held(&lkst_buffer_mutex);
	buffer = lkst_buffer_alloc_fitting(cpu);
	if (!buffer)
		return -ENOMEM;
	if (!list_empty(buffers))
		buffer->id = list_last_entry(buffers, struct lkst_buffer, list)->id + 1;
	list_add_tail(&buffer->list, buffers);
	/* Pairs with the address dependency of whoever records: the ring is set up first. */
	smp_store_release(per_cpu_ptr(&lkst_ring_current, cpu), &buffer->ring);
	return 0;
}

/**
 * lkst_buffer_renew() - let every CPU go on in a fresh buffer
 *
 * For a change of the clock: a buffer has one. The buffers so far stay readable. A CPU for
 * which there is no memory stops recording; its events count as lost.
 *
 * Context: may sleep.
 */
void lkst_buffer_renew(void)
{
	int cpu;

	mutex_lock(&lkst_buffer_mutex);
	for_each_possible_cpu(cpu) {
		if (!per_cpu(lkst_ring_current, cpu) || !lkst_buffer_add(cpu))
			continue;
		WRITE_ONCE(per_cpu(lkst_ring_current, cpu), NULL);
		lkst_error(LKST_ERROR_NO_BUFFER, cpu);
	}
	mutex_unlock(&lkst_buffer_mutex);
}

/* A CPU comes up: it needs a buffer by then. It comes up without one, too. */
static int lkst_buffer_prepare_cpu(unsigned int cpu)
{
	mutex_lock(&lkst_buffer_mutex);
	if (list_empty(per_cpu_ptr(&lkst_buffers, cpu)) && lkst_buffer_add(cpu))
		lkst_error(LKST_ERROR_NO_BUFFER, cpu);
	mutex_unlock(&lkst_buffer_mutex);
	return 0;
}

/**
 * lkst_buffer_init() - the boot CPU's buffer
 * @size: of every buffer that LKST makes by itself, in bytes; rounded down to a multiple of
 *	4 KB
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_buffer_init(size_t size)
{
	int cpu, ret;

	lkst_buffer_default_size = clamp_t(size_t, round_down(size, LKST_BUFFER_SIZE_MIN),
					   LKST_BUFFER_SIZE_MIN, LKST_BUFFER_SIZE_MAX);
	for_each_possible_cpu(cpu)
		INIT_LIST_HEAD(per_cpu_ptr(&lkst_buffers, cpu));
	mutex_lock(&lkst_buffer_mutex);
	ret = lkst_buffer_add(raw_smp_processor_id());
	mutex_unlock(&lkst_buffer_mutex);
	return ret;
}

/**
 * lkst_buffer_start() - give each CPU that comes up its buffer from now on
 *
 * Return: 0 or a negative error.
 */
int __init lkst_buffer_start(void)
{
	int ret = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "lkst:prepare",
				    lkst_buffer_prepare_cpu, NULL);

	return ret < 0 ? ret : 0;
}

/* Which buffer @cpu records to, or LKST_BUFFER_ID_VOID. */
lkst_buffer_id lkst_buffer_written(int cpu)
{
	struct lkst_buffer *buffer = lkst_ring_buffer(READ_ONCE(per_cpu(lkst_ring_current, cpu)));

	return buffer ? buffer->id : LKST_BUFFER_ID_VOID;
}

/* Events that found no buffer on their CPU, since boot. */
u64 lkst_buffer_lost_total(void)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu(lkst_buffer_lost, cpu));
	return lost;
}

/* Reading */

/**
 * lkst_log_expand() - write a record in the form of POSIX 1003.25 (table 4-1, 4-2)
 * @out: gets it
 * @record: a whole record
 * @recid: its id
 * @cpu: where it was written
 * @clock: enum lkst_clock, of its buffer
 */
void lkst_log_expand(struct lkst_log_record *out, const struct lkst_event_record *record,
		     u64 recid, int cpu, unsigned int clock)
{
	struct timespec64 time = ns_to_timespec64(lkst_time_to_wall(clock, record->clock));
	u32 flags = (u32)(record->flags & LKST_RECORD_FLAGS) << LKST_LOG_RECORD_SHIFT;

	if (flags & (LKST_LOG_HARDIRQ | LKST_LOG_NMI))
		flags |= LKST_LOG_INTERRUPT;
	*out = (struct lkst_log_record) {
		.posix = {
			.log_magic = LKST_LOG_MAGIC,
			.log_recid = recid,
			.log_size = LKST_LOG_SIZE,
			.log_format = LKST_LOG_FORMAT,
			.log_event_type = record->event_type,
			.log_facility = LKST_LOG_FACILITY,
			.log_severity = LKST_LOG_SEVERITY,
			.log_uid = record->uid,
			.log_gid = record->gid,
			.log_pid = record->pid,
			.log_pgrp = record->pgrp,
			.log_flags = flags,
			.log_time = { time.tv_sec, time.tv_nsec },
			.log_thread = record->thread,
			.log_processor = cpu,
		},
		.log_arg1 = record->arg[0],
		.log_arg2 = record->arg[1],
		.log_arg3 = record->arg[2],
		.log_arg4 = record->arg[3],
	};
}

/* What a reader needs to know of a buffer to make use of its records. */
void lkst_log_describe(struct lkst_log_buffer *param, unsigned int clock,
		       const struct lkst_time *start)
{
	u64 tsc = lkst_time_clock(start, clock);
	struct timespec64 time = ns_to_timespec64(lkst_time_to_wall(clock, tsc));

	param->tsc = tsc;
	param->xtime.tv_sec = time.tv_sec;
	param->xtime.tv_usec = time.tv_nsec / NSEC_PER_USEC;
	param->cpu_freq = lkst_clock_khz(clock);
	param->clock = clock;
	param->endian_big = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);
	param->buf_ver = LKST_BUFFER_VERSION;
	param->pad = 0;
	strscpy_pad(param->arch, init_utsname()->machine, sizeof(param->arch));
}

/**
 * struct lkst_cursor - a reader on its way through a buffer
 * @ring: what it reads
 * @recid: of the next record
 * @end: where it stops
 * @index: the next record's place
 */
struct lkst_cursor {
	struct lkst_ring *ring;
	u64 recid;
	u64 end;
	unsigned long index;
};

/* From the oldest record there is to the newest. */
static void lkst_cursor_init(struct lkst_cursor *cursor, struct lkst_ring *ring)
{
	unsigned long next = lkst_ring_next(ring);

	cursor->ring = ring;
	cursor->end = lkst_ring_recid(ring, next);
	cursor->recid = cursor->end;
	cursor->index = next;
	if (cursor->end < ring->slots) {
		cursor->recid = 0;
		cursor->index = 0;
	} else {
		cursor->recid -= ring->slots;
		cursor->index -= 1UL << LKST_SLOT_BITS;
	}
}

/* Pass over @num records, no more than a lap. */
static void lkst_cursor_advance(struct lkst_cursor *cursor, unsigned long num)
{
	num = min_t(u64, num, cursor->end - cursor->recid);
	cursor->recid += num;
	cursor->index = lkst_index_normal(cursor->index + num, cursor->ring->slots);
}

/*
 * As lkst_ring_read(), and a record that is being written gets the time it needs. Without
 * a writer under way it is one that was dropped.
 */
static enum lkst_ring_read lkst_cursor_read(const struct lkst_cursor *cursor,
					    struct lkst_event_record *record)
{
	enum lkst_ring_read result;
	u64 until;

	/*
	 * In its slot is an older record, which a writer that was interrupted for 2^11 laps
	 * makes look like it.
	 */
	if (lkst_ring_was_dropped(cursor->ring, cursor->recid))
		return LKST_RING_PENDING;
	result = lkst_ring_read(cursor->ring, cursor->index, record);
	if (result != LKST_RING_PENDING)
		return result;
	/* The first look may have been before the commit and this one after it. */
	until = ktime_get_ns() + LKST_READ_WAIT_NS;
	do {
		cpu_relax();
		result = lkst_ring_read(cursor->ring, cursor->index, record);
	} while (result == LKST_RING_PENDING && READ_ONCE(cursor->ring->depth) &&
		 ktime_get_ns() < until);
	return result;
}

/* Records on their way to user space, a page full at a time. */
struct lkst_batch {
	struct lkst_log_record *records;
	unsigned int num;
	struct lkst_log_record __user *to;
};

#define LKST_BATCH_RECORDS	(PAGE_SIZE / sizeof(struct lkst_log_record))

static int lkst_batch_flush(struct lkst_batch *batch)
{
	if (copy_to_user(batch->to, batch->records, batch->num * sizeof(*batch->records)))
		return -EINVAL;
	batch->to += batch->num;
	batch->num = 0;
	return 0;
}

/* Of a ring's first @recid records, how many were dropped. */
static u64 lkst_ring_dropped_before(const struct lkst_ring *ring, u64 recid)
{
	u64 since = lkst_ring_dropped_since(ring, recid), dropped = READ_ONCE(ring->dropped);

	/* While others write, the two may not belong together. */
	return since < dropped ? min(dropped - since, recid) : 0;
}

/*
 * Copy out the records of @buffer from the oldest on, at most @max. What has been
 * overwritten before it was reached makes the copy begin again, so that the result has
 * no gap but for dropped and unfinished records; when that happens too often, it ends there.
 * The counts are of what was passed, so they add up whatever is written meanwhile.
 */
static int lkst_buffer_copy_user(struct lkst_buffer *buffer, int cpu, struct lkst_batch *batch,
				 u64 max, struct lkst_log_buffer *param)
{
	struct lkst_log_record __user *start = batch->to;
	unsigned int restarts = 0;
	struct lkst_cursor cursor;
	u64 done;
	int ret;

restart:
	lkst_cursor_init(&cursor, &buffer->ring);
	lkst_cursor_advance(&cursor, buffer->ring.slots / (LKST_READ_RESTARTS + 1) * restarts);
	param->dropped = lkst_ring_dropped_before(&buffer->ring, cursor.recid);
	param->overwritten = cursor.recid - param->dropped;
	param->unfinished = 0;
	batch->to = start;
	batch->num = 0;
	done = 0;

	for (; cursor.recid < cursor.end && done < max; lkst_cursor_advance(&cursor, 1)) {
		struct lkst_event_record record;

		switch (lkst_cursor_read(&cursor, &record)) {
		case LKST_RING_PENDING:
			if (lkst_ring_was_dropped(&buffer->ring, cursor.recid))
				param->dropped++;
			else
				param->unfinished++;
			continue;
		case LKST_RING_LAPPED:
			if (++restarts > LKST_READ_RESTARTS) {
				cursor.end = cursor.recid;
				continue;
			}
			goto restart;
		case LKST_RING_READ:
			break;
		}
		lkst_log_expand(&batch->records[batch->num++], &record, cursor.recid, cpu,
				buffer->ring.clock);
		done++;
		if (batch->num < LKST_BATCH_RECORDS)
			continue;
		ret = lkst_batch_flush(batch);
		if (ret)
			return ret;
		if (fatal_signal_pending(current))
			break;
		cond_resched();
	}
	ret = lkst_batch_flush(batch);
	if (ret)
		return ret;
	param->recorded = cursor.end;
	param->result_read_size = (batch->to - start) * sizeof(*start);
	return 0;
}

/**
 * lkst_buffer_read_user() - read a buffer into a process's memory (4.7.1.3.1)
 * @param: as the process gave it, and what it gets back
 *
 * Return: 0, or -EINVAL: there is no such buffer, @param->buffer cannot be written, or
 * @param->read_size has no room for a record; -ENOMEM.
 */
int lkst_buffer_read_user(struct lkst_log_buffer *param)
{
	struct lkst_batch batch = { .to = u64_to_user_ptr(param->buffer) };
	u64 max = div_u64(param->read_size, sizeof(*batch.records));
	struct lkst_buffer *buffer = NULL;
	bool from_static = param->cpu == -1 && param->id == LKST_BUFFER_ID_VOID;
	int ret;

	if (!batch.to || !max)
		return -EINVAL;
	if (!from_static) {
		if (param->cpu < 0 || param->cpu >= nr_cpu_ids || !cpu_possible(param->cpu))
			return -EINVAL;
		mutex_lock(&lkst_buffer_mutex);
		buffer = lkst_buffer_find(param->cpu, param->id);
		mutex_unlock(&lkst_buffer_mutex);
		if (!buffer)
			return -EINVAL;
	}

	lkst_time_refresh();
	if (from_static)
		return lkst_static_buffer_read_user(batch.to, max, param);

	batch.records = (void *)__get_free_page(GFP_KERNEL);
	if (!batch.records)
		return -ENOMEM;
	lkst_log_describe(param, buffer->ring.clock, &buffer->start);
	ret = lkst_buffer_copy_user(buffer, param->cpu, &batch, max, param);
	free_page((unsigned long)batch.records);
	return ret;
}

static struct lkst_buffer_listent lkst_buffer_describe(const struct lkst_buffer *buffer)
{
	const struct lkst_ring *ring = &buffer->ring;
	u64 next = lkst_ring_recid(ring, lkst_ring_next(ring));
	u64 oldest = next > ring->slots ? next - ring->slots : 0, offset;

	div64_u64_rem(next, ring->slots, &offset);
	return (struct lkst_buffer_listent) {
		.size = buffer->size,
		.write_offset = offset,
		.baseid = next - offset,
		.overwritten = oldest - lkst_ring_dropped_before(ring, oldest),
		.dropped = READ_ONCE(ring->dropped),
		.id = buffer->id,
		.next = buffer->next,
		.rq_prev = LKST_BUFFER_ID_VOID,
		.rq_next = LKST_BUFFER_ID_VOID,
		.clock = ring->clock,
	};
}

/**
 * lkst_buffer_list_user() - list a CPU's buffers (4.7.1.3.7)
 * @param: as the process gave it, and what it gets back
 *
 * Return: 0, or -EINVAL: there can be no such CPU, or @param->listent cannot be written;
 * -ENOMEM.
 */
int lkst_buffer_list_user(struct lkst_buffer_listparam *param)
{
	void __user *to = u64_to_user_ptr(param->listent);
	int room = min(param->listent_num, LKST_BUFFER_ID_MAX + 1), num = 0, ret = 0;
	struct lkst_buffer_listent *list;
	struct lkst_buffer *buffer;

	if (param->cpu < 0 || param->cpu >= nr_cpu_ids || !cpu_possible(param->cpu))
		return -EINVAL;
	if (!to || room < 0)
		return -EINVAL;
	list = kvmalloc_array(room ?: 1, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;

	/* A CPU that comes up waits for this mutex: no page of the process is touched in it. */
	mutex_lock(&lkst_buffer_mutex);
	list_for_each_entry(buffer, per_cpu_ptr(&lkst_buffers, param->cpu), list) {
		if (num < room)
			list[num] = lkst_buffer_describe(buffer);
		num++;
	}
	param->buffer_num = num;
	param->write_buf = lkst_buffer_written(param->cpu);
	mutex_unlock(&lkst_buffer_mutex);

	if (copy_to_user(to, list, min(num, room) * sizeof(*list)))
		ret = -EINVAL;
	kvfree(list);
	param->read_buf = LKST_BUFFER_ID_VOID;
	param->rq_head = LKST_BUFFER_ID_VOID;
	param->rq_tail = LKST_BUFFER_ID_VOID;
	param->owner = LKST_BUFFER_OWNER_NONE;
	param->read_pos = 0;
	return ret;
}
