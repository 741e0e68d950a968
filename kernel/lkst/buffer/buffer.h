/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event buffers. Each CPU has its own buffers, and records to one of them.
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

#include "../clock/clock.h"
#include "../ring/context.h"
#include "../memory/memory.h"
#include "../ring/record.h"
#include "../base/sync.h"

struct lkst_reader;

/*
 * Limits on the space for records in a buffer, in bytes. The space is a
 * multiple of LKST_BUFFER_SIZE_MIN.
 */
#define LKST_BUFFER_SIZE_MIN	SZ_4K
#define LKST_BUFFER_SIZE_MAX	min_t(unsigned long, SZ_1G, \
				      LKST_SLOTS_MAX * sizeof(struct lkst_event_record))

/**
 * struct lkst_session - one use of a buffer, from opening to closing
 * @first: position in the ring of the session's first record
 * @first_recid: recid of the first record; recid - position is constant during
 *	the session
 * @dropped: number of records that the ring had dropped before the session
 * @clock: enum lkst_clock of the records
 * @start: reading of all clocks at the start. lkst_shift_timestamp() completes
 *	it if the kernel was not keeping time yet
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
 * @ring: the records
 * @state: enum lkst_buffer_state in the low LKST_STATE_BITS. The bits above are
 *	the buffer's place in the read queue (see queue.c), if the buffer is
 *	queued or being read. Changed by compare-and-exchange, with two
 *	exceptions: while it is LKST_BUFFER_WRITTEN, only the buffer's CPU
 *	changes it, and while it is LKST_BUFFER_BEING_READ, only the reader or
 *	the deletion that has set it changes it
 * @session: the current session. Written by the CPU while @state is
 *	LKST_BUFFER_WRITTEN
 * @session_seq: lets readers of @session on other CPUs detect a change
 * @read: position at which read() starts or continues. Must be written before
 *	@state leaves LKST_BUFFER_WRITTEN or LKST_BUFFER_BEING_READ
 * @kept: whether a snapshot keeps the buffer, so that no shift may take it while
 *	it is queued. Written by the CPU before @state leaves
 *	LKST_BUFFER_WRITTEN
 * @id: 0 to LKST_BUFFER_ID_MAX
 * @next: id of the buffer that a shift switches to, which need not exist.
 *	Written under lkst_buffer_mutex
 * @cpu: the CPU that records to this buffer
 * @region: memory of the records
 * @next_created: the next in a list of buffers that are being created together,
 *	or NULL
 * @deferred: deferred call that drops the table's reference
 * @ref: reference count; the table and readers hold references
 */
struct lkst_buffer {
	struct lkst_ring ring;
	atomic_long_t state;
	struct lkst_session session;
	seqcount_t session_seq;
	u64 read;
	bool kept;
	lkst_buffer_id id;
	lkst_buffer_id next;
	int cpu;
	struct lkst_region region;
	struct lkst_buffer *next_created;
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
 * struct lkst_loss - a run of records that can no longer be read
 * @first: recid of the first record
 * @end: recid after the last record
 * @buffer: id of the buffer that held the last of them
 */
struct lkst_loss {
	u64 first;
	u64 end;
	lkst_buffer_id buffer;
};

/**
 * struct lkst_cpu - a CPU that has or had buffers
 * @buffers: buffers by id. Written under lkst_buffer_mutex. Events and the
 *	console dump read the table without the mutex; lkst_defer() waits for
 *	both before a buffer is freed
 * @ids: which entries of @buffers exist. Protected by lkst_buffer_mutex
 * @recid: recid of the first record after the latest shift. CPU-local
 * @shifting: whether a shift is in progress. CPU-local
 * @order: place, in the read queue, of the buffer that was queued last. Wraps.
 *	CPU-local
 * @read_in_blocks: recid after the last record that was read in blocks
 *	(read/block.c). Written by readers
 * @queued: number of queued buffers; can be too high for a moment
 * @wait: wait queue of readers that are waiting for a buffer to be queued
 * @wake: wakes the readers of this CPU from any context, such as an NMI
 * @reader: the process that reads the queue. Protected by lkst_reader_mutex
 * @reading: id of the buffer that is being read, or LKST_BUFFER_ID_VOID
 *
 * "CPU-local" members are changed by the CPU itself with interrupts off, or
 * under lkst_buffer_mutex while the CPU is offline or not recording yet.
 */
struct lkst_cpu {
	struct lkst_buffer *buffers[LKST_BUFFER_ID_MAX + 1];
	DECLARE_BITMAP(ids, LKST_BUFFER_ID_MAX + 1);
	u64 recid;
	bool shifting;
	unsigned long order;
	atomic64_t read_in_blocks;
	atomic_t queued;
	wait_queue_head_t wait;
	struct irq_work wake;
	struct lkst_reader *reader;
	lkst_buffer_id reading;
};

/*
 * The ring of a CPU that is not recording. It is closed, belongs to no buffer,
 * and is never written.
 */
extern struct lkst_ring lkst_ring_void;

/*
 * The ring that this CPU records to. A writer loads the pointer once, with
 * preemption off. It is changed by this CPU with interrupts off, or by another
 * CPU while this one is offline, or while LKST starts or stops.
 */
DECLARE_PER_CPU(struct lkst_ring *, lkst_ring_current);

/* NULL if the CPU has never been online and no buffer was created for it. */
DECLARE_PER_CPU(struct lkst_cpu *, lkst_cpu);

/*
 * Number of events lost on this CPU, for the reasons that struct
 * lkst_trc_status.lost lists.
 */
DECLARE_PER_CPU(unsigned long, lkst_buffer_lost);

extern struct mutex lkst_buffer_mutex;

/* Return the buffer of a ring, or NULL for lkst_ring_void. */
static inline struct lkst_buffer *lkst_ring_buffer(struct lkst_ring *ring)
{
	return ring == &lkst_ring_void ? NULL : container_of(ring, struct lkst_buffer, ring);
}

/* Whether @cpu is a possible CPU. @cpu may be any number. */
static inline bool lkst_cpu_valid(int cpu)
{
	return cpu >= 0 && cpu < nr_cpu_ids && cpu_possible(cpu);
}

static inline bool lkst_buffer_id_valid(lkst_buffer_id id)
{
	return id >= 0 && id <= LKST_BUFFER_ID_MAX;
}

struct lkst_buffer *lkst_buffer_alloc(int cpu, size_t size, bool reserved_only);
bool lkst_buffer_fits(size_t size);
void lkst_buffer_set_void(void);
int lkst_buffer_init(size_t size);
int lkst_buffer_start(void);
bool lkst_buffer_cpu_records(int cpu);
void lkst_buffer_stop(void);
void lkst_buffer_free_all(void);
struct lkst_buffer *lkst_buffer_get(int cpu, lkst_buffer_id id);
void lkst_buffer_put(struct lkst_buffer *buffer);
lkst_buffer_id lkst_buffer_written(int cpu);
lkst_buffer_id lkst_buffer_being_read(int cpu);
u64 lkst_buffer_lost_total(void);
int lkst_buffer_create_on(struct lkst_buffer_param *param);
int lkst_buffer_delete_on(int cpu, lkst_buffer_id id);
int lkst_buffer_link_on(int cpu, lkst_buffer_id id, lkst_buffer_id next);

#endif
