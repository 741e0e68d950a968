// SPDX-License-Identifier: GPL-2.0
/*
 * The read queue of a CPU, and the functions that wake its readers. The queue
 * consists of those buffers of the CPU that are LKST_BUFFER_QUEUED, in the
 * order in which they were queued.
 *
 * A shift queues a buffer without a lock, in any context. A reader, a shift
 * that needs the buffer again, and a deletion each take a buffer out of the
 * queue by a compare-and-exchange of its state, so only one of them gets it.
 */
#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/wait.h>

#include "buffer.h"
#include "queue.h"

/* How long readers wait for writers that were interrupted, in jiffies. */
#define LKST_QUEUE_TIMEOUT	HZ

/* --- Waking */

DECLARE_WAIT_QUEUE_HEAD(lkst_queue_unbound);
DECLARE_WAIT_QUEUE_HEAD(lkst_queue_block_readers);

/*
 * Number of open files in block mode. If it is 0, a CPU that begins to write a
 * half of its buffer need not wake any reader.
 */
static atomic_t lkst_queue_block_files = ATOMIC_INIT(0);

/* Count an open file that enters block mode. */
void lkst_queue_blocks_opened(void)
{
	atomic_inc(&lkst_queue_block_files);
}

/* A file in block mode is being closed: stop counting it. */
void lkst_queue_blocks_closed(void)
{
	atomic_dec(&lkst_queue_block_files);
}

/**
 * lkst_queue_wake_blocks() - wake the readers in block mode
 *
 * Context: any but NMI. Takes the lock of the wait queue.
 */
void lkst_queue_wake_blocks(void)
{
	if (wq_has_sleeper(&lkst_queue_block_readers))
		wake_up_all(&lkst_queue_block_readers);
}

/**
 * lkst_queue_wake_all() - wake all readers that are waiting for a CPU's records
 * @c: CPU
 *
 * Context: any but NMI. Takes the locks of the wait queues.
 */
void lkst_queue_wake_all(struct lkst_cpu *c)
{
	wake_up_all(&c->wait);
	lkst_queue_wake_blocks();
	if (wq_has_sleeper(&lkst_queue_unbound))
		wake_up_all(&lkst_queue_unbound);
}

static void lkst_queue_woken(struct irq_work *work)
{
	lkst_queue_wake_all(container_of(work, struct lkst_cpu, wake));
}

/**
 * lkst_queue_init_cpu() - initialize the members of a CPU that readers use
 * @c: not published yet
 */
void lkst_queue_init_cpu(struct lkst_cpu *c)
{
	init_waitqueue_head(&c->wait);
	init_irq_work(&c->wake, lkst_queue_woken);
	c->reading = LKST_BUFFER_ID_VOID;
}

/**
 * lkst_queue_wake() - wake the readers of this CPU's records
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_queue_wake(void)
{
	struct lkst_cpu *c = raw_cpu_read(lkst_cpu);

	if (c)
		irq_work_queue(&c->wake);
}

/**
 * lkst_queue_wake_half() - wake readers in block mode when the CPU begins to
 *	write a half of its buffer
 *
 * From then on, these readers can read the records in the other half, until the
 * CPU gets there and overwrites them.
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_queue_wake_half(void)
{
	if (atomic_read(&lkst_queue_block_files))
		lkst_queue_wake();
}

/**
 * lkst_queue_wake_cpu() - wake the readers of a CPU's records
 * @cpu: a possible CPU
 *
 * Context: may sleep.
 */
void lkst_queue_wake_cpu(int cpu)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);

	if (c)
		lkst_queue_wake_all(c);
}

/* --- Order */

/*
 * The bits of lkst_buffer.state above the state bits are the buffer's place in
 * the queue. Places wrap, on 32-bit after 2^30 shifts of a CPU. So only the
 * distance between two places says which is first. This works while they are
 * less than LKST_QUEUE_DISTANCE_MAX apart.
 */
#define LKST_QUEUE_DISTANCE_MAX	(1UL << (BITS_PER_LONG - 2))

/*
 * The places of all queued buffers are after lkst_queue_start() and before
 * lkst_queue_end().
 */

static unsigned long lkst_queue_start(const struct lkst_cpu *c)
{
	return (READ_ONCE(c->order) << LKST_STATE_BITS) - LKST_QUEUE_DISTANCE_MAX;
}

static unsigned long lkst_queue_end(const struct lkst_cpu *c)
{
	return (READ_ONCE(c->order) << LKST_STATE_BITS) + LKST_QUEUE_DISTANCE_MAX;
}

/* Return whether a buffer is queued. *@place receives its place. */
static bool lkst_queue_place(const struct lkst_buffer *buffer, unsigned long *place)
{
	long state = buffer ? atomic_long_read(&buffer->state) : LKST_BUFFER_FREE;

	*place = state & ~LKST_STATE_MASK;
	return (state & LKST_STATE_MASK) == LKST_BUFFER_QUEUED;
}

/*
 * Return the first queued buffer after *@place, and store its place in *@place.
 * At the end of the queue, return NULL and leave *@place unchanged. By the time
 * this function returns, the CPU may have reused the buffer, and may have
 * queued it in another place.
 */
static struct lkst_buffer *lkst_queue_after(const struct lkst_cpu *c, unsigned long *place)
{
	unsigned long from = *place, found;
	struct lkst_buffer *after = NULL;
	int id;

	lockdep_assert_held(&lkst_buffer_mutex);
	for (id = 0; id <= LKST_BUFFER_ID_MAX; id++) {
		if (!lkst_queue_place(c->buffers[id], &found) || (long)(found - from) <= 0 ||
		    (after && found - from > *place - from))
			continue;
		*place = found;
		after = c->buffers[id];
	}
	return after;
}

/* Return the last queued buffer before @place, or NULL. */
static struct lkst_buffer *lkst_queue_before(const struct lkst_cpu *c, unsigned long place)
{
	struct lkst_buffer *before = NULL;
	unsigned long best = 0, found;
	int id;

	lockdep_assert_held(&lkst_buffer_mutex);
	for (id = 0; id <= LKST_BUFFER_ID_MAX; id++) {
		if (!lkst_queue_place(c->buffers[id], &found) || (long)(place - found) <= 0 ||
		    (before && place - found > place - best))
			continue;
		best = found;
		before = c->buffers[id];
	}
	return before;
}

static lkst_buffer_id lkst_queue_id(const struct lkst_buffer *buffer)
{
	return buffer ? buffer->id : LKST_BUFFER_ID_VOID;
}

/**
 * lkst_queue_neighbours() - get the neighbours of a buffer in the read queue
 * @c: CPU
 * @buffer: buffer of this CPU
 * @prev: receives the id of the buffer to be read before it, or
 *	LKST_BUFFER_ID_VOID
 * @next: receives the id of the buffer to be read after it, or
 *	LKST_BUFFER_ID_VOID
 *
 * Context: lkst_buffer_mutex is held.
 */
void lkst_queue_neighbours(const struct lkst_cpu *c, const struct lkst_buffer *buffer,
			   lkst_buffer_id *prev, lkst_buffer_id *next)
{
	unsigned long place;
	bool queued = lkst_queue_place(buffer, &place);

	*prev = lkst_queue_id(queued ? lkst_queue_before(c, place) : NULL);
	*next = lkst_queue_id(queued ? lkst_queue_after(c, &place) : NULL);
}

/**
 * lkst_queue_ends() - get both ends of a read queue
 * @c: CPU, or NULL
 * @head: receives the id of the buffer to be read first, or LKST_BUFFER_ID_VOID
 * @tail: receives the id of the buffer to be read last, or LKST_BUFFER_ID_VOID
 *
 * Context: lkst_buffer_mutex is held.
 */
void lkst_queue_ends(const struct lkst_cpu *c, lkst_buffer_id *head, lkst_buffer_id *tail)
{
	unsigned long place = c ? lkst_queue_start(c) : 0;

	*head = lkst_queue_id(c ? lkst_queue_after(c, &place) : NULL);
	*tail = lkst_queue_id(c ? lkst_queue_before(c, lkst_queue_end(c)) : NULL);
}

/*
 * Return the head of the queue, or NULL, and store its place in *@place. A
 * search may find a buffer that was queued during the search, and may have
 * missed one that was queued just before that buffer. If the next search finds
 * the same buffer, that buffer was queued before the next search began, and all
 * buffers queued since then come after it. So this function searches until two
 * searches in a row find the same buffer.
 */
static struct lkst_buffer *lkst_queue_head(const struct lkst_cpu *c, unsigned long *place)
{
	unsigned long start = lkst_queue_start(c), before;
	struct lkst_buffer *head;

	*place = start;
	do {
		before = *place;
		*place = start;
		/*
		 * A CPU that has seen a queued buffer must also see all buffers
		 * that were queued before it.
		 */
		smp_rmb();
		head = lkst_queue_after(c, place);
	} while (*place != before);
	return head;
}

/**
 * lkst_queue_first() - get the buffer to be read next
 * @c: CPU
 *
 * Context: lkst_buffer_mutex is held. A shift may take the buffer at any time.
 *
 * Return: the buffer, or NULL if no buffer is queued.
 */
struct lkst_buffer *lkst_queue_first(const struct lkst_cpu *c)
{
	unsigned long place = lkst_queue_start(c);

	return lkst_queue_after(c, &place);
}

/* --- Take a buffer, and put it back */

/**
 * lkst_queue_take() - take the head of a read queue
 * @c: CPU
 * @timeout: time in jiffies at which to stop waiting for writers that were
 *	interrupted while they wrote to the head, or 0 if there is no such
 *	writer. The caller initialises it with 0 and keeps it between calls.
 *	Other threads may read it
 *
 * Context: may sleep.
 *
 * Return: the buffer, which is now LKST_BUFFER_BEING_READ. NULL with *@timeout
 * 0 if the queue is empty. NULL with *@timeout set if a writer that was
 * interrupted while it wrote to the head has not finished its record.
 */
struct lkst_buffer *lkst_queue_take(struct lkst_cpu *c, unsigned long *timeout)
{
	struct lkst_buffer *buffer;
	unsigned long place;
	long state;

	mutex_lock(&lkst_buffer_mutex);
	do {
		buffer = lkst_queue_head(c, &place);
		if (!buffer) {
			WRITE_ONCE(*timeout, 0);
			break;
		}
		if (!lkst_ring_idle(&buffer->ring) &&
		    (!*timeout || time_before(jiffies, *timeout))) {
			if (!*timeout)
				WRITE_ONCE(*timeout, (jiffies + LKST_QUEUE_TIMEOUT) ?: 1);
			buffer = NULL;
			break;
		}
		/*
		 * The CPU may take the buffer first and queue it again, in
		 * another place where it need not be the head. So compare the
		 * place as well.
		 */
		state = (long)(place | LKST_BUFFER_QUEUED);
	} while (atomic_long_cmpxchg(&buffer->state, state,
				     (long)(place | LKST_BUFFER_BEING_READ)) != state);
	if (buffer) {
		atomic_dec(&c->queued);
		WRITE_ONCE(c->reading, buffer->id);
		WRITE_ONCE(*timeout, 0);
	}
	mutex_unlock(&lkst_buffer_mutex);
	return buffer;
}

/**
 * lkst_queue_release() - release a buffer that has been read completely
 * @buffer: from lkst_queue_take()
 * @read: position in the ring up to which the buffer was read
 */
void lkst_queue_release(struct lkst_buffer *buffer, u64 read)
{
	buffer->read = read;
	/* A CPU that observes the new state must also observe ->read. */
	atomic_long_set_release(&buffer->state, LKST_BUFFER_FREE);
}

/**
 * lkst_queue_put_back() - queue a partly read buffer again, in its old place
 * @c: CPU
 * @buffer: from lkst_queue_take()
 * @read: position in the ring up to which the buffer was read
 */
void lkst_queue_put_back(struct lkst_cpu *c, struct lkst_buffer *buffer, u64 read)
{
	long place = atomic_long_read(&buffer->state) & ~LKST_STATE_MASK;

	buffer->read = read;
	atomic_inc(&c->queued);
	/* As in lkst_queue_release(). */
	atomic_long_set_release(&buffer->state, place | LKST_BUFFER_QUEUED);
}
