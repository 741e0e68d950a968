// SPDX-License-Identifier: GPL-2.0
/*
 * Reading in blocks: read() of a file in LKST_READ_MODE_BLOCK.
 *
 * The file has a position for each CPU that it reads: a recid. Recids of a CPU continue from buffer
 * to buffer, so the position alone says what to read next, and a gap between the position and the
 * oldest record that is still there is exactly what was lost.
 *
 * A reader changes nothing in the buffers, and nobody waits for it. So the CPU may reuse a buffer
 * while the reader copies it. The reader copies first and checks afterwards: the block counts only
 * if the buffer is still in the same stretch and the oldest slot copied has not come up for writing
 * again (lkst_cursor_intact()). Otherwise the reader starts over, with the oldest record there is
 * by then.
 *
 * Records are copied as they are in memory, without looking at each. That is correct where no
 * writer is active: then every record that was begun is either whole or counted as dropped, and
 * the ring says where the dropped ones are (lkst_ring_quiescent()). Where a writer stays active for
 * longer than a record takes, because something has interrupted it, the reader looks at each record
 * and stops at the first one that is not whole.
 */
#include <linux/gfp.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/uio.h>
#include <linux/wait.h>

#include "block.h"
#include "buffer.h"
#include "compat.h"
#include "image.h"
#include "read.h"

/* How long the reader waits for an interrupted writer before it passes over the record. */
#define LKST_BLOCK_RECORD_TIMEOUT HZ

/* How often a block is started over because the CPU has overwritten what was being copied. */
#define LKST_BLOCK_RESTARTS 16

/*
 * Records copied at once where the CPU is about to overwrite them: few, so that little is
 * copied in vain.
 */
#define LKST_BLOCK_HURRY 1024

/**
 * struct lkst_block_position - how far a file has read a CPU
 * @next: recid of the next record. Written under &lkst_block_file.lock and .marks, so that
 *	holding either is enough to read it
 * @flush: recid; records before it are readable at once. Protected by &lkst_block_file.marks
 * @oldest: the file has not read this CPU yet and starts at the oldest record: nothing
 *	before that counts as lost. Protected by &lkst_block_file.lock
 * @unfinished: the record at @next is, and is waited for. As @next
 * @again: jiffies from which on it is worth another look. As @next
 * @patience: jiffies until which it is waited for. Protected by &lkst_block_file.lock
 */
struct lkst_block_position {
	u64 next;
	u64 flush;
	bool oldest;
	bool unfinished;
	unsigned long again;
	unsigned long patience;
};

/**
 * struct lkst_block_file - an open file that reads in blocks
 * @cpu: that it reads; -1: all
 * @lock: one read() or seek at a time; may be held for as long as a page of the process takes
 * @marks: protects what poll() and a flush need and what must not wait for @lock. Has no trace
 *	point: where each lock is recorded, reading would add to what it reads
 * @timeout: jiffies that a record may wait; 0: for ever. Protected by @marks
 * @deadline: jiffies when the next one is over. Protected by @marks
 * @timer: wakes those who wait in poll() when a timeout is over
 * @page: for records that are looked at one by one
 * @now: what the clocks showed when jiffies was @now_at. Protected by @lock
 * @now_at: see @now; 0: not read yet
 * @at: by CPU
 */
struct lkst_block_file {
	int cpu;
	struct mutex lock;	/* one read() or seek at a time */
	arch_spinlock_t marks;	/* timeout, deadline, at[] */
	unsigned long timeout;
	unsigned long deadline;
	struct timer_list timer;
	struct lkst_event_record *page;
	struct lkst_time now;
	unsigned long now_at;
	struct lkst_block_position at[];
};

static void lkst_block_marks_lock(struct lkst_block_file *bf)
{
	preempt_disable();
	arch_spin_lock(&bf->marks);
}

static void lkst_block_marks_unlock(struct lkst_block_file *bf)
{
	arch_spin_unlock(&bf->marks);
	preempt_enable();
}

/* Files that read in blocks: without any, a buffer that wraps in place need not wake anybody. */
static atomic_t lkst_block_files = ATOMIC_INIT(0);

/* All who wait for something to read in blocks. */
static DECLARE_WAIT_QUEUE_HEAD(lkst_block_queue);

/**
 * lkst_block_reading() - whether any file reads in blocks
 *
 * Context: any, NMI included.
 */
bool lkst_block_reading(void)
{
	return atomic_read(&lkst_block_files);
}

/**
 * lkst_block_wake() - wake all who wait for something to read in blocks
 *
 * Context: any but NMI; takes the lock of the wait queue.
 */
void lkst_block_wake(void)
{
	if (wq_has_sleeper(&lkst_block_queue))
		wake_up_all(&lkst_block_queue);
}

/* Where poll() waits. */
wait_queue_head_t *lkst_block_waiters(void)
{
	return &lkst_block_queue;
}

static void lkst_block_timer(struct timer_list *timer)
{
	lkst_block_wake();
}

/* The CPUs that the file reads. */
static bool lkst_block_reads(const struct lkst_block_file *bf, int cpu)
{
	return bf->cpu == -1 || bf->cpu == cpu;
}

/* What is there to read? */

/**
 * struct lkst_block_extent - what a CPU has recorded
 * @half: recid of the first record in the half of a buffer that it has begun last; records
 *	before it can be read as long as the CPU writes this half
 * @end: recid of its next record
 */
struct lkst_block_extent {
	u64 half;
	u64 end;
};

/* The recid of the first record in the half that the CPU has begun last. */
static u64 lkst_block_half(const struct lkst_cursor *cursor)
{
	u64 first = cursor->stretch.first, begun = max(cursor->end, first + 1) - 1, offset;

	div64_u64_rem(begun, lkst_ring_half(cursor->ring), &offset);
	return cursor->stretch.first_recid + (max(begun - offset, first) - first);
}

/*
 * The recid after the last record of the buffer that the CPU has left last. The CPU may shift
 * meanwhile: an older value is as good as a newer one. On 32-bit, two equal readings show that
 * neither is half old and half new.
 */
static u64 lkst_block_shift_recid(const struct lkst_cpu *c)
{
	u64 recid;

	do {
		recid = data_race(c->recid); /* as said above */
		barrier();
	} while (recid != data_race(c->recid)); /* likewise */
	return recid;
}

static struct lkst_block_extent lkst_block_extent(int cpu)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_block_extent extent = {};
	struct lkst_buffer *buffer;
	struct lkst_cursor cursor;

	if (!c)
		return extent;
	/* A buffer is freed after a grace period. */
	rcu_read_lock();
	buffer = lkst_ring_buffer(READ_ONCE(per_cpu(lkst_ring_current, cpu)));
	if (buffer) {
		lkst_cursor_init(&cursor, buffer);
		extent.half = lkst_block_half(&cursor);
		extent.end = lkst_cursor_end_recid(&cursor);
	} else {
		/* Moves at a shift only; an older value makes the file wait for the next wakeup. */
		extent.end = lkst_block_shift_recid(c);
		extent.half = extent.end;
	}
	rcu_read_unlock();
	return extent;
}

/*
 * How many records are worth reading now: all, if any is in a half of a buffer that the CPU has
 * left, or before the flush mark; or if the CPU is offline and adds none. lkst_record_wake()
 * wakes the reader when a half begins. Called with &lkst_block_file.marks.
 */
static u64 lkst_block_ready(const struct lkst_block_file *bf, int cpu)
{
	const struct lkst_block_position *at = &bf->at[cpu];
	struct lkst_block_extent extent = lkst_block_extent(cpu);

	if (at->next >= extent.end || (at->unfinished && time_before(jiffies, at->again)))
		return 0;
	if (at->next < extent.half || at->next < at->flush || !lkst_buffer_cpu_records(cpu))
		return extent.end - at->next;
	return 0;
}

/* All that was recorded by now is worth reading. Called with &lkst_block_file.marks. */
static void lkst_block_mark(struct lkst_block_file *bf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (lkst_block_reads(bf, cpu))
			bf->at[cpu].flush = lkst_block_extent(cpu).end;
	bf->deadline = jiffies + bf->timeout;
}

/* The CPU with most to read, or -1. */
static int lkst_block_choose(struct lkst_block_file *bf)
{
	int cpu, best = -1;
	u64 most = 0;

	lkst_block_marks_lock(bf);
	if (bf->timeout && time_after_eq(jiffies, bf->deadline))
		lkst_block_mark(bf);
	for_each_possible_cpu(cpu) {
		u64 ready = lkst_block_reads(bf, cpu) ? lkst_block_ready(bf, cpu) : 0;

		if (ready > most) {
			most = ready;
			best = cpu;
		}
	}
	lkst_block_marks_unlock(bf);
	return best;
}

/* A file of one CPU that is offline, and of which everything was read. */
static bool lkst_block_ended(struct lkst_block_file *bf)
{
	bool ended;

	if (bf->cpu == -1 || lkst_buffer_cpu_records(bf->cpu))
		return false;
	lkst_block_marks_lock(bf);
	ended = bf->at[bf->cpu].next >= lkst_block_extent(bf->cpu).end;
	lkst_block_marks_unlock(bf);
	return ended;
}

/* Find the buffer to read */

/*
 * Of the CPU's buffers the one with the lowest recids from @next on. @cursor is at its oldest
 * record. *@recorded: recid of the CPU's next record.
 */
static struct lkst_buffer *lkst_block_scan(const struct lkst_cpu *c, u64 next,
					   struct lkst_cursor *cursor, u64 *recorded)
{
	struct lkst_buffer *best = NULL;
	int id;

	for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1) {
		struct lkst_cursor found;

		lkst_cursor_init(&found, c->buffers[id]);
		*recorded = max(*recorded, lkst_cursor_end_recid(&found));
		if (found.position == found.end || lkst_cursor_end_recid(&found) <= next)
			continue;
		if (best && lkst_cursor_recid(&found) > lkst_cursor_recid(cursor))
			continue;
		best = c->buffers[id];
		*cursor = found;
	}
	return best;
}

/*
 * A scan takes a while. The CPU may have gone from a buffer that the scan has not reached yet to
 * one that it has passed, and on to a third: then the scan finds the third and would take what is
 * in the second for lost. If the third has no records yet, the scan finds nothing, and would take all
 * for lost. Whatever the CPU recorded before the stretch that a scan has found, or before the end
 * that it has seen, is found by a scan that begins afterwards. So the result of two scans that
 * agree on that is right.
 */
static struct lkst_buffer *lkst_block_find(int cpu, u64 next, struct lkst_cursor *cursor,
					   u64 *recorded)
{
	const struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_buffer *buffer;
	u64 first = next, before;

	if (mutex_lock_interruptible(&lkst_buffer_mutex))
		return ERR_PTR(-ERESTARTSYS);
	*recorded = lkst_block_shift_recid(c);
	do {
		before = first;
		buffer = lkst_block_scan(c, next, cursor, recorded);
		first = buffer ? cursor->stretch.first_recid : *recorded;
	} while (first > next && first != before);
	if (buffer)
		kref_get(&buffer->ref);
	mutex_unlock(&lkst_buffer_mutex);
	return buffer;
}

/*
 * The CPU overwrites the oldest records of a full ring. When the reader starts over, it leaves it
 * some of them: 16 records, then 64, then 144, at most half of the ring.
 */
static void lkst_block_leave_margin(struct lkst_cursor *cursor, unsigned int restarts)
{
	unsigned long half = lkst_ring_half(cursor->ring);

	if (cursor->end - cursor->position == cursor->ring->slots)
		lkst_cursor_advance(cursor, min(16UL * restarts * restarts, half));
}

/* Make a block */

/**
 * struct lkst_block_work - a block on its way out
 * @bf: file
 * @at: position in the CPU
 * @cursor: at the first record of the block
 * @to: behind the header
 * @room: records that fit there
 * @head: the header
 */
struct lkst_block_work {
	struct lkst_block_file *bf;
	struct lkst_block_position *at;
	struct lkst_cursor cursor;
	struct iov_iter *to;
	u64 room;
	struct lkst_block head;
};

/*
 * The records from the cursor to @end can be read, but for those from @from to @to, not included.
 */
static u64 lkst_block_pass_dropped(struct lkst_block_work *work, u64 end, u64 from, u64 to)
{
	struct lkst_cursor *cursor = &work->cursor;

	if (cursor->position >= from && cursor->position < to) {
		u64 num = min(to, end) - cursor->position;

		work->head.dropped += num;
		lkst_cursor_advance(cursor, num);
	}
	return from > cursor->position ? min(end, from) : end;
}

/* Not whole: dropped, or its writer was interrupted. Returns whether to pass over it now. */
static bool lkst_block_pass_unfinished(struct lkst_block_work *work)
{
	const struct lkst_cursor *cursor = &work->cursor;
	struct lkst_block_position *at = work->at;
	struct lkst_event_record record;

	if (lkst_ring_was_dropped(cursor->ring, cursor->position) ||
	    (lkst_ring_idle(cursor->ring) &&
	     lkst_cursor_read(cursor, &record) == LKST_RING_PENDING)) {
		work->head.dropped++;
		return true;
	}
	if (!at->unfinished)
		at->patience = jiffies + LKST_BLOCK_RECORD_TIMEOUT;
	if (!at->unfinished || time_before(jiffies, at->patience)) {
		lkst_block_marks_lock(work->bf);
		at->unfinished = true;
		at->again = jiffies + 1;
		lkst_block_marks_unlock(work->bf);
		return false;
	}
	work->head.unfinished++;
	return true;
}

/* Look at each record, from the cursor on. Returns how many whole ones are in the page. */
static unsigned int lkst_block_collect(struct lkst_block_work *work, u64 max)
{
	struct lkst_cursor *cursor = &work->cursor, ahead;
	unsigned int num = 0;

	while (cursor->position < cursor->end) {
		enum lkst_ring_read result = lkst_cursor_read(cursor, work->bf->page);

		if (result == LKST_RING_READ)
			num++;
		if (result != LKST_RING_PENDING || !lkst_block_pass_unfinished(work))
			break;
		lkst_cursor_advance(cursor, 1);
	}
	ahead = *cursor;
	while (num && num < max) {
		lkst_cursor_advance(&ahead, 1);
		if (ahead.position == ahead.end ||
		    lkst_cursor_read(&ahead, work->bf->page + num) != LKST_RING_READ)
			break;
		num++;
	}
	return num;
}

static bool lkst_block_put(struct iov_iter *to, const void *from, size_t size)
{
	/* What is copied while the CPU writes there is found out afterwards and not used. */
	return data_race(copy_to_iter(from, size, to)) == size;
}

/* From the ring as it is, in two pieces where they wrap. */
static bool lkst_block_put_ring(struct iov_iter *to, const struct lkst_cursor *cursor, u64 num)
{
	const struct lkst_ring *ring = cursor->ring;
	unsigned long slot = lkst_index_slot(cursor->index);
	u64 first = min_t(u64, num, ring->slots - slot);

	return lkst_block_put(to, ring->records + slot, first * sizeof(*ring->records)) &&
	       lkst_block_put(to, ring->records, (num - first) * sizeof(*ring->records));
}

/*
 * Wait until no writer is active, as long as a record takes. On success, all records before the
 * cursor's end, as it is then, are whole or between *@from and *@to.
 */
static bool lkst_block_drain_writers(struct lkst_cursor *cursor, u64 *from, u64 *to)
{
	unsigned long next;
	u64 until = 0;

	while (!lkst_ring_quiescent(cursor->ring, &next, from, to)) {
		u64 now = ktime_get_ns();

		if (!until)
			until = now + LKST_READ_WAIT_NS;
		if (now >= until)
			return false;
		cpu_relax();
	}
	/*
	 * Never more than a lap, even if the CPU has come back to the buffer since the cursor was
	 * set up: then the copy stays within the ring, and lkst_cursor_intact() rejects it.
	 */
	cursor->end = min(lkst_ring_position(cursor->ring, next),
			  cursor->position + cursor->ring->slots);
	return true;
}

/* Copy records from the cursor on; -EINVAL: the process's memory cannot be written. */
static int lkst_block_records(struct lkst_block_work *work)
{
	struct lkst_cursor *cursor = &work->cursor;
	u64 from, to, end, num;
	bool good;

	if (lkst_block_drain_writers(cursor, &from, &to)) {
		/* Moves the cursor. */
		end = lkst_block_pass_dropped(work, cursor->end, from, to);
		num = min(work->room, end - cursor->position);
		/* A CPU that is still in the buffer may overwrite the first of them any moment. */
		if (!(READ_ONCE(cursor->ring->index) & LKST_INDEX_CLOSED) &&
		    cursor->end - cursor->position > cursor->ring->slots / 4 * 3)
			num = min_t(u64, num, LKST_BLOCK_HURRY);
		good = lkst_block_put_ring(work->to, cursor, num);
	} else {
		num = lkst_block_collect(work, min_t(u64, work->room, LKST_PAGE_RECORDS));
		good = lkst_block_put(work->to, work->bf->page, num * sizeof(*work->bf->page));
	}
	work->head.count = num;
	return good ? 0 : -EINVAL;
}

/* What the header says of the buffer and its clock. */
static void lkst_block_describe(struct lkst_block *head, lkst_buffer_id buffer, unsigned int clock,
				const struct lkst_time *time)
{
	head->buffer = buffer;
	head->clock = clock;
	head->tsc = lkst_time_clock(time, clock);
	head->cpu_freq = lkst_clock_khz(clock);
	head->wall = time->wall;
	head->monotonic = time->monotonic;
}

/*
 * Read all clocks, at most once per jiffy because one reading takes several reads of each clock.
 * The note in the timeline keeps the conversion of earlier clock values exact.
 */
static const struct lkst_time *lkst_block_now(struct lkst_block_file *bf)
{
	unsigned long at = jiffies ?: 1;

	if (bf->now_at != at) {
		lkst_time_refresh();
		lkst_time_read(&bf->now);
		bf->now_at = at;
	}
	return &bf->now;
}

/*
 * Read the clocks now: behind the last LKST_SYNC_TIME of a buffer nothing else says at which rate
 * its clock runs. A clock that LKST has given up cannot be relied on: then they are those of when
 * the session began.
 */
static void lkst_block_read_clocks(const struct lkst_block_work *work, struct lkst_time *time)
{
	const struct lkst_cursor *cursor = &work->cursor;
	unsigned int clock = cursor->stretch.clock;

	*time = cursor->stretch.start;
	if (clock == lkst_clock_current())
		*time = *lkst_block_now(work->bf);
	else
		time->wall = lkst_time_to_wall(clock, lkst_time_clock(time, clock));
}

/*
 * Read from a buffer. Returns 1 with a block, 0 if the CPU has overwritten what was being copied,
 * -EAGAIN if there is nothing to read yet, -EINVAL.
 */
static int lkst_block_from(struct lkst_block_work *work, struct lkst_buffer *buffer)
{
	struct lkst_block *head = &work->head;
	u64 next = work->at->next, first;
	struct lkst_time time;
	int ret;

	first = lkst_cursor_recid(&work->cursor);
	if (first < next)
		lkst_cursor_advance(&work->cursor, next - first);
	else if (!work->at->oldest)
		head->lost = first - next;
	ret = lkst_block_records(work);
	if (!lkst_cursor_intact(&work->cursor))
		return 0;
	if (ret)
		return ret;
	if (!head->count && !head->lost && !head->dropped && !head->unfinished)
		return -EAGAIN;
	head->first_recid = lkst_cursor_recid(&work->cursor);
	lkst_block_read_clocks(work, &time);
	lkst_block_describe(head, buffer->id, work->cursor.stretch.clock, &time);
	return 1;
}

static void lkst_block_move(struct lkst_block_file *bf, struct lkst_block_position *at, u64 next)
{
	lkst_block_marks_lock(bf);
	at->next = next;
	at->unfinished = false;
	lkst_block_marks_unlock(bf);
	at->oldest = false;
}

/* None of what the CPU has recorded since @at is there any more. */
static int lkst_block_from_none(struct lkst_block_work *work, u64 recorded)
{
	struct lkst_block *head = &work->head;

	if (work->at->oldest)
		lkst_block_move(work->bf, work->at, recorded);
	if (recorded <= work->at->next)
		return -EAGAIN;
	lkst_block_describe(head, LKST_BUFFER_ID_VOID, lkst_clock_current(),
			    lkst_block_now(work->bf));
	head->lost = recorded - work->at->next;
	head->first_recid = recorded;
	return 1;
}

/* For lkst_shift_lost(). With several readers the one that is ahead counts. */
static void lkst_block_hand_out(struct lkst_cpu *c, s64 end)
{
	s64 before = atomic64_read(&c->handed_out);

	while (end > before && !atomic64_try_cmpxchg(&c->handed_out, &before, end))
		;
}

/* The block is whole: write its header before it, and move the position behind it. */
static int lkst_block_finish(struct lkst_block_work *work, struct iov_iter *at_head, int cpu,
			     u64 recorded)
{
	struct lkst_block *head = &work->head;
	u64 end = head->first_recid + head->count;

	head->magic = LKST_BLOCK_MAGIC;
	head->version = LKST_BLOCK_VERSION;
	head->header_size = sizeof(*head);
	head->size = sizeof(*head) + head->count * sizeof(struct lkst_event_record);
	head->cpu = cpu;
	head->recorded = max(recorded, end);
	memcpy(head->boot, lkst_image_boot(), sizeof(head->boot));
	if (copy_to_iter(head, sizeof(*head), at_head) != sizeof(*head))
		return -EINVAL;

	lkst_block_move(work->bf, work->at, end);
	lkst_block_hand_out(per_cpu(lkst_cpu, cpu), end);
	return 0;
}

/* One block of a CPU. Returns 0, or -EAGAIN, -EINVAL, -ERESTARTSYS with nothing copied. */
static int lkst_block_one(struct lkst_block_file *bf, int cpu, struct iov_iter *to)
{
	struct iov_iter start = *to;
	unsigned int restarts;
	u64 recorded;
	int ret = 0;

	for (restarts = 0; !ret && restarts <= LKST_BLOCK_RESTARTS; restarts++) {
		struct lkst_block_work work = { .bf = bf, .at = &bf->at[cpu], .to = to };
		struct iov_iter at_head = start;
		struct lkst_buffer *buffer;

		*to = start;
		iov_iter_advance(to, sizeof(work.head));
		work.room = iov_iter_count(to) / sizeof(struct lkst_event_record);
		buffer = lkst_block_find(cpu, work.at->next, &work.cursor, &recorded);
		if (IS_ERR(buffer)) {
			ret = PTR_ERR(buffer);
			break;
		}
		if (buffer) {
			if (lkst_buffer_state(buffer) == LKST_BUFFER_WRITTEN)
				lkst_block_leave_margin(&work.cursor, restarts);
			ret = lkst_block_from(&work, buffer);
			lkst_buffer_put(buffer);
		} else {
			ret = lkst_block_from_none(&work, recorded);
		}
		if (ret > 0)
			ret = lkst_block_finish(&work, &at_head, cpu, recorded) ?: 1;
	}
	if (ret > 0)
		return 0;
	*to = start;
	return ret ?: -EAGAIN;
}

/* Blocks of all CPUs that have something, as many as fit. An error counts if it is the first. */
static int lkst_block_fill(struct lkst_block_file *bf, struct iov_iter *to)
{
	const size_t least = sizeof(struct lkst_block) + sizeof(struct lkst_event_record);
	size_t count = iov_iter_count(to);
	unsigned int tries = 0;
	int cpu, ret = 0;

	if (count < least)
		return -EINVAL;
	while (iov_iter_count(to) >= least) {
		cpu = lkst_block_choose(bf);
		if (cpu < 0)
			break;
		ret = lkst_block_one(bf, cpu, to);
		/* Nothing to read on this CPU after all: there may be on another one. */
		if (ret == -EAGAIN && tries++ < nr_cpu_ids)
			continue;
		if (ret)
			break;
		if (fatal_signal_pending(current))
			break;
		cond_resched();
	}
	return iov_iter_count(to) < count ? 0 : ret;
}

/* read() and poll() */

/* How many jiffies from now something may become readable without anybody being woken. */
static long lkst_block_patience(struct lkst_block_file *bf)
{
	long left = MAX_SCHEDULE_TIMEOUT;
	int cpu;

	lkst_block_marks_lock(bf);
	if (bf->timeout)
		left = max(1L, (long)(bf->deadline - jiffies));
	for_each_possible_cpu(cpu)
		if (bf->at[cpu].unfinished)
			left = 1;
	lkst_block_marks_unlock(bf);
	return left;
}

/*
 * Sleep until there may be something to read. Whoever changes the timeout or a position wakes all
 * who sleep here, and they look again.
 */
static void lkst_block_sleep(struct lkst_block_file *bf)
{
	DEFINE_WAIT(wait);

	prepare_to_wait(&lkst_block_queue, &wait, TASK_INTERRUPTIBLE);
	if (lkst_block_choose(bf) < 0 && !lkst_block_ended(bf))
		schedule_timeout(lkst_block_patience(bf));
	finish_wait(&lkst_block_queue, &wait);
}

/*
 * Wake those who wait in poll() when a timeout is over. Needed after each look that found nothing,
 * read() included: edge-triggered epoll looks again only after the next wakeup.
 */
static void lkst_block_arm(struct lkst_block_file *bf)
{
	long left = lkst_block_patience(bf);

	if (left != MAX_SCHEDULE_TIMEOUT)
		mod_timer(&bf->timer, jiffies + left);
}

static ssize_t lkst_block_read(struct lkst_block_file *bf, struct iov_iter *to, bool wait)
{
	size_t count = iov_iter_count(to);
	int ret;

	do {
		if (mutex_lock_interruptible(&bf->lock))
			return -ERESTARTSYS;
		ret = lkst_block_fill(bf, to);
		mutex_unlock(&bf->lock);
		if (iov_iter_count(to) < count)
			return count - iov_iter_count(to);
		if (ret && ret != -EAGAIN)
			return ret;
		if (lkst_block_ended(bf))
			return 0;
		if (!wait) {
			lkst_block_arm(bf);
			return -EAGAIN;
		}
		lkst_block_sleep(bf);
	} while (!signal_pending(current));
	return -ERESTARTSYS;
}

/**
 * lkst_block_read_iter() - read blocks
 * @iocb: of a file that reads in blocks; says whether to wait
 * @to: the process's memory
 *
 * Context: may sleep.
 *
 * Return: bytes of whole blocks; 0: the file's CPU is offline, and everything was read; -EINVAL: no
 * room for a block of one record, or @to cannot be written; -EAGAIN: there is nothing, and the
 * call must not wait; -ERESTARTSYS: a signal.
 */
ssize_t lkst_block_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;
	bool wait = !(file->f_flags & O_NONBLOCK) && !(iocb->ki_flags & IOCB_NOWAIT);

	return lkst_block_read(file->private_data, to, wait);
}

/**
 * lkst_block_poll() - whether read() would wait
 * @file: reads in blocks; the caller waits at lkst_block_waiters()
 *
 * Return: EPOLLIN | EPOLLRDNORM: no; 0: yes; with EPOLLHUP: the file's CPU is offline, and
 * everything was read.
 */
__poll_t lkst_block_poll(struct file *file)
{
	struct lkst_block_file *bf = file->private_data;

	if (lkst_block_choose(bf) >= 0)
		return EPOLLIN | EPOLLRDNORM;
	if (lkst_block_ended(bf))
		return EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	lkst_block_arm(bf);
	return 0;
}

/* Requests */

/* NULL: the file does not read in blocks. Once it does, it does so until it is closed. */
static struct lkst_block_file *lkst_block_file(struct file *file)
{
	/* Pairs with the cmpxchg() in lkst_block_bind(): whoever finds it finds it set up. */
	return smp_load_acquire(&file->private_data);
}

/* Whether a file reads in blocks. */
bool lkst_block_bound(struct file *file)
{
	return lkst_block_file(file);
}

/**
 * lkst_block_bind() - let a file read in blocks
 * @file: open device
 * @cpu: that it reads, or -1: all
 *
 * Context: may sleep.
 *
 * Return: 0, also if it does so already; -EBUSY: it reads another CPU in blocks; -EINVAL: there can
 * be no such CPU; -ENOMEM.
 */
int lkst_block_bind(struct file *file, int cpu)
{
	struct lkst_block_file *bf = lkst_block_file(file), *other;
	int i;

	if (cpu != -1 && !lkst_cpu_valid(cpu))
		return -EINVAL;
	if (bf)
		return bf->cpu == cpu ? 0 : -EBUSY;
	bf = kvzalloc(struct_size(bf, at, nr_cpu_ids), GFP_KERNEL);
	if (!bf)
		return -ENOMEM;
	bf->page = (void *)__get_free_page(GFP_KERNEL);
	if (!bf->page) {
		kvfree(bf);
		return -ENOMEM;
	}
	bf->cpu = cpu;
	bf->timeout = msecs_to_jiffies(LKST_BLOCK_TIMEOUT_DEFAULT);
	bf->deadline = jiffies + bf->timeout;
	mutex_init(&bf->lock);
	bf->marks = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	timer_setup(&bf->timer, lkst_block_timer, 0);
	for (i = 0; i < nr_cpu_ids; i++)
		bf->at[i].oldest = true;
	/* Fully ordered: it is set up before anybody finds it. Pairs with lkst_block_file(). */
	other = cmpxchg(&file->private_data, NULL, bf);
	if (!other) {
		atomic_inc(&lkst_block_files);
		lkst_block_wake();
		return 0;
	}
	free_page((unsigned long)bf->page);
	kvfree(bf);
	return other->cpu == cpu ? 0 : -EBUSY;
}

/**
 * lkst_block_seek() - say where a file reads a CPU on
 * @file: open device
 * @param: as the process gave it
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: the file does not read in blocks, or not this CPU, or the CPU has not come to
 * this recid yet; -ERESTARTSYS: a signal.
 */
int lkst_block_seek(struct file *file, const struct lkst_block_seekparam *param)
{
	struct lkst_block_file *bf = lkst_block_file(file);
	struct lkst_block_position *at;
	int ret = 0;
	u64 end;

	if (!bf || !lkst_cpu_valid(param->cpu) || !lkst_block_reads(bf, param->cpu))
		return -EINVAL;
	at = &bf->at[param->cpu];
	if (mutex_lock_interruptible(&bf->lock))
		return -ERESTARTSYS;
	lkst_block_marks_lock(bf);
	end = lkst_block_extent(param->cpu).end;
	if (param->recid <= end || param->recid == LKST_BLOCK_RECID_END) {
		at->next = min(param->recid, end);
		at->flush = 0;
		at->oldest = !param->recid;
		at->unfinished = false;
	} else {
		ret = -EINVAL;
	}
	lkst_block_marks_unlock(bf);
	mutex_unlock(&bf->lock);
	/* Another thread may wait for what comes after the former position. */
	if (!ret)
		lkst_block_wake();
	return ret;
}

/**
 * lkst_block_wait() - say how long a record may wait to be read
 * @file: open device
 * @param: as the process gave it
 *
 * Return: 0; -EINVAL: the file does not read in blocks.
 */
int lkst_block_wait(struct file *file, const struct lkst_block_waitparam *param)
{
	struct lkst_block_file *bf = lkst_block_file(file);

	if (!bf)
		return -EINVAL;
	lkst_block_marks_lock(bf);
	bf->timeout = msecs_to_jiffies(param->timeout);
	bf->deadline = jiffies + bf->timeout;
	lkst_block_marks_unlock(bf);
	/* Those who wait do so by the former timeout. */
	lkst_block_wake();
	return 0;
}

/**
 * lkst_block_flush() - all that was recorded by now can be read at once
 * @file: open device
 *
 * Return: 0; -EINVAL: the file does not read in blocks.
 */
int lkst_block_flush(struct file *file)
{
	struct lkst_block_file *bf = lkst_block_file(file);

	if (!bf)
		return -EINVAL;
	lkst_block_marks_lock(bf);
	lkst_block_mark(bf);
	lkst_block_marks_unlock(bf);
	lkst_block_wake();
	return 0;
}

/**
 * lkst_block_release() - the file is closed
 * @file: open device; nobody reads it any more
 */
void lkst_block_release(struct file *file)
{
	struct lkst_block_file *bf = file->private_data;

	if (!bf)
		return;
	lkst_timer_delete_sync(&bf->timer);
	atomic_dec(&lkst_block_files);
	free_page((unsigned long)bf->page);
	kvfree(bf);
}
