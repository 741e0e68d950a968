/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event buffers: each CPU has its own, and records into one of them.
 */
#ifndef _LKST_BUFFER_H
#define _LKST_BUFFER_H

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/sizes.h>
#include <linux/wait.h>
#include <linux/lkst_buffer.h>

#include "clock.h"
#include "context.h"
#include "memory.h"
#include "record.h"
#include "sync.h"

struct lkst_reader;

/* Bytes of records a buffer can hold; always a multiple of LKST_BUFFER_SIZE_MIN. */
#define LKST_BUFFER_SIZE_MIN	SZ_4K
#define LKST_BUFFER_SIZE_MAX	min_t(unsigned long, SZ_1G, \
				      LKST_SLOTS_MAX * sizeof(struct lkst_event_record))

/**
 * struct lkst_session - what a buffer was written with since a shift or jump last led to it
 * @first: position in the ring of the first record
 * @first_recid: its recid; positions and recids go up together
 * @dropped: of the ring, when it began
 * @clock: enum lkst_clock
 * @start: the clocks then, or as soon after as they ran
 */
struct lkst_session {
	u64 first;
	u64 first_recid;
	unsigned long dropped;
	unsigned int clock;
	struct lkst_time start;
};

/**
 * struct lkst_buffer - an event buffer
 * @ring: its records
 * @state: enum lkst_buffer_state in the low LKST_STATE_BITS; above them, of a buffer that is
 *	queued or being read, its place in the order of the queue. Changed by compare and
 *	exchange, but from LKST_BUFFER_WRITTEN by the CPU alone, and from
 *	LKST_BUFFER_BEING_READ by the reader alone
 * @stretch: written by the CPU, while @state is LKST_BUFFER_WRITTEN
 * @session_seq: for those on other CPUs who read @stretch
 * @read: position where read() begins or goes on; whoever moves @state away from
 *	LKST_BUFFER_WRITTEN or LKST_BUFFER_BEING_READ has written it
 * @id: 0 to LKST_BUFFER_ID_MAX
 * @next: where a shift leads, there may be no such buffer. Written under lkst_buffer_mutex
 * @cpu: that records here
 * @area: memory of the records
 * @made: the next one of those that are being created together
 * @deferred: takes the reference of the table back
 * @ref: of the table, and of those who are reading it
 */
struct lkst_buffer {
	struct lkst_ring ring;
	atomic_long_t state;
	struct lkst_session stretch;
	seqcount_t session_seq;
	u64 read;
	lkst_buffer_id id;
	lkst_buffer_id next;
	int cpu;
	struct lkst_region area;
	struct lkst_buffer *made;
	struct lkst_deferred deferred;
	struct kref ref;
};

#define LKST_STATE_BITS		2
#define LKST_STATE_MASK		((1L << LKST_STATE_BITS) - 1)

static inline enum lkst_buffer_state lkst_buffer_state(const struct lkst_buffer *buffer)
{
	return atomic_long_read(&buffer->state) & LKST_STATE_MASK;
}

/**
 * struct lkst_loss - records without a gap that nobody can read any more
 * @first: recid of the first
 * @end: recid after the last
 * @buffer: in which the last of them were
 */
struct lkst_loss {
	u64 first;
	u64 end;
	lkst_buffer_id buffer;
};

/**
 * struct lkst_cpu - a CPU that has or had buffers
 * @buffers: by id. Written under lkst_buffer_mutex; read there and by the CPU itself, whose
 *	events are waited for (lkst_defer()) before one is freed
 * @ids: which of @buffers there are. Protected by lkst_buffer_mutex
 * @recid: of the next record when the last buffer was shifted away. The CPU's
 * @shifting: a shift is under way. The CPU's
 * @order: of the buffer that was queued last; wraps. The CPU's
 * @handed_out: recid after the last one that was read in blocks. The readers'
 * @queued: how many buffers are queued; may for a moment be more
 * @wait: for a buffer to be queued
 * @wake: wakes those
 * @reader: who reads, protected by lkst_reader_mutex
 * @reading: id of the buffer that is being read, or LKST_BUFFER_ID_VOID
 *
 * "The CPU's" are changed by the CPU itself with interrupts off, or under lkst_buffer_mutex
 * while it does not run.
 */
struct lkst_cpu {
	struct lkst_buffer *buffers[LKST_BUFFER_ID_MAX + 1];
	DECLARE_BITMAP(ids, LKST_BUFFER_ID_MAX + 1);
	u64 recid;
	bool shifting;
	unsigned long order;
	atomic64_t handed_out;
	atomic_t queued;
	wait_queue_head_t wait;
	struct irq_work wake;
	struct lkst_reader *reader;
	lkst_buffer_id reading;
};

/* Closed, and no buffer's: what a writer finds on a CPU that records nowhere. Never written. */
extern struct lkst_ring lkst_ring_nowhere;

/*
 * Where this CPU records to. A writer loads it once, with preemption off. Only the CPU itself
 * replaces it, with interrupts off, or others while the CPU does not run.
 */
DECLARE_PER_CPU(struct lkst_ring *, lkst_ring_current);

/* NULL: the CPU has never been there, and nobody made a buffer for it. */
DECLARE_PER_CPU(struct lkst_cpu *, lkst_cpu);

/* Events that found no buffer on their CPU. */
DECLARE_PER_CPU(unsigned long, lkst_buffer_lost);

extern struct mutex lkst_buffer_mutex;

/* NULL: nowhere. */
static inline struct lkst_buffer *lkst_ring_buffer(struct lkst_ring *ring)
{
	return ring == &lkst_ring_nowhere ? NULL : container_of(ring, struct lkst_buffer, ring);
}

/* Whether there can be such a CPU; any number is allowed. */
static inline bool lkst_cpu_valid(int cpu)
{
	return cpu >= 0 && cpu < nr_cpu_ids && cpu_possible(cpu);
}

static inline bool lkst_buffer_id_valid(lkst_buffer_id id)
{
	return id >= 0 && id <= LKST_BUFFER_ID_MAX;
}

void lkst_buffer_nowhere(void);
int lkst_buffer_init(size_t size);
int lkst_buffer_start(void);
bool lkst_buffer_cpu_records(int cpu);
void lkst_buffer_stop(void);
void lkst_buffer_free_all(void);
bool lkst_buffer_renew(void);
struct lkst_buffer *lkst_buffer_get(int cpu, lkst_buffer_id id);
void lkst_buffer_put(struct lkst_buffer *buffer);
lkst_buffer_id lkst_buffer_written(int cpu);
lkst_buffer_id lkst_buffer_being_read(int cpu);
u64 lkst_buffer_lost_total(void);
int lkst_buffer_create_on(struct lkst_buffer_param *param);
int lkst_buffer_delete_on(int cpu, lkst_buffer_id id);
int lkst_buffer_link_on(int cpu, lkst_buffer_id id, lkst_buffer_id next);
int lkst_buffer_list(struct lkst_buffer_listparam *param);

#endif
