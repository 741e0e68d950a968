// SPDX-License-Identifier: GPL-2.0
/*
 * Reading in blocks: find the buffer to read, and make a block of its records.
 *
 * A reader changes nothing in the buffers, and no CPU waits for it. So a CPU
 * may reuse a buffer while the reader copies it. The reader copies first and
 * checks afterwards: the block is valid only if the buffer is still in the same
 * session, and no writer has reserved the slot of the oldest copied record
 * again (lkst_cursor_intact()). Otherwise the reader starts over with the
 * record that is the oldest by then.
 *
 * While no writer is active, records are copied straight from the ring, without
 * a check of each record. This is correct, because every reserved record is
 * then either committed or counted as dropped, and the ring knows which records
 * were dropped (lkst_ring_quiescent()). If a writer stays active for longer
 * than it takes to write a record, because it was interrupted, the reader
 * checks each record and stops at the first uncommitted one.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched/signal.h>
#include <linux/uio.h>
#include <linux/lkst_buffer.h>

#include "block_file.h"
#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "../image/image.h"

/*
 * How long the reader waits for an interrupted writer before it skips the
 * writer's record, in jiffies.
 */
#define LKST_BLOCK_RECORD_TIMEOUT HZ

/*
 * How many times a block may be started over because the CPU has overwritten
 * records while they were being copied.
 */
#define LKST_BLOCK_RESTARTS 16

/*
 * Maximum number of records to copy into a block if the CPU may soon overwrite
 * them. If it does, little work is lost.
 */
#define LKST_BLOCK_AT_RISK_MAX 1024

/*
 * Among the buffers of a CPU, find the one with the oldest records at recid
 * @next or later, and set @cursor to its oldest record. Returns NULL if there
 * is no such buffer. Raises *@recorded, if it is lower, to the recid after the
 * newest record in these buffers.
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
 * Lock the buffers. Returns 0, -EAGAIN if a passive reader would have to wait,
 * or -ERESTARTSYS after a signal.
 *
 * A passive reader has a low priority. If it were preempted while it holds the
 * mutex, the waiters would wait until its CPU is idle. So it disables
 * preemption before it takes the mutex, and until it has released the mutex.
 */
static int lkst_block_lock_buffers(const struct lkst_block_file *bf)
{
	if (!bf->passive)
		return mutex_lock_interruptible(&lkst_buffer_mutex) ? -ERESTARTSYS : 0;
	preempt_disable();
	if (mutex_trylock(&lkst_buffer_mutex))
		return 0;
	preempt_enable();
	return -EAGAIN;
}

static void lkst_block_unlock_buffers(const struct lkst_block_file *bf)
{
	mutex_unlock(&lkst_buffer_mutex);
	if (bf->passive)
		preempt_enable();
}

/*
 * Find the buffer to read next, and take a reference to it. Set @cursor to its
 * oldest record, and *@recorded to the recid of the CPU's next record. Returns
 * NULL if no buffer has records at @next or later, or an error of
 * lkst_block_lock_buffers() as a pointer.
 *
 * While a scan is running, the CPU may shift from a buffer that the scan has
 * not reached yet to a second buffer, which the scan has already passed, and
 * then to a third buffer. The scan would find the third buffer, and the records
 * in the second would count as lost. If the third has no records yet, the scan
 * would find nothing, and all records would count as lost.
 *
 * A scan does find every record that was written before the scan began and
 * still exists. This includes all records before the session that the previous
 * scan found, or before *@recorded if the previous scan found no session. So if
 * two scans in a row find the same session, or the same *@recorded, the result
 * is right.
 */
static struct lkst_buffer *lkst_block_find(const struct lkst_block_file *bf, int cpu, u64 next,
					   struct lkst_cursor *cursor, u64 *recorded)
{
	const struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_buffer *buffer;
	u64 first = next, before;
	int ret = lkst_block_lock_buffers(bf);

	if (ret)
		return ERR_PTR(ret);
	*recorded = lkst_block_shift_recid(c);
	do {
		before = first;
		buffer = lkst_block_scan(c, next, cursor, recorded);
		first = buffer ? cursor->session.first_recid : *recorded;
	} while (first > next && first != before);
	if (buffer)
		kref_get(&buffer->ref);
	lkst_block_unlock_buffers(bf);
	return buffer;
}

/*
 * Skip some of the oldest records of a full ring, which the CPU overwrites
 * next. Each time the reader starts over, it skips more of them: 16 records,
 * then 64, then 144, at most half of the ring.
 */
static void lkst_block_skip_margin(struct lkst_cursor *cursor, unsigned int restarts)
{
	unsigned long half = lkst_ring_half(cursor->ring);

	if (cursor->end - cursor->position == cursor->ring->slots)
		lkst_cursor_advance(cursor, min(16UL * restarts * restarts, half));
}

/* --- Make a block */

/**
 * struct lkst_block_work - a block being made
 * @bf: the file
 * @at: position of the file in the CPU's records
 * @cursor: cursor at the first record of the block
 * @to: user memory after the header
 * @room: number of records that fit into @to
 * @header: header of the block
 */
struct lkst_block_work {
	struct lkst_block_file *bf;
	struct lkst_block_position *at;
	struct lkst_cursor cursor;
	struct iov_iter *to;
	u64 room;
	struct lkst_block header;
};

/*
 * Return the position up to which records can be copied, starting at the
 * cursor: @end, or the next dropped record. The records from @from up to @to,
 * excluding @to, were dropped. If the cursor is at one of them, move it past
 * them first.
 */
static u64 lkst_block_pass_dropped(struct lkst_block_work *work, u64 end, u64 from, u64 to)
{
	struct lkst_cursor *cursor = &work->cursor;

	if (cursor->position >= from && cursor->position < to) {
		u64 num = min(to, end) - cursor->position;

		work->header.dropped += num;
		lkst_cursor_advance(cursor, num);
	}
	return from > cursor->position ? min(end, from) : end;
}

/*
 * Decide whether to skip the record at the cursor, which is not committed:
 * either it was dropped, or its writer was interrupted. If it was dropped, or
 * the timeout for its writer has expired, counts the record and returns true.
 * Otherwise, notes that the reader is waiting for the record, and returns
 * false.
 */
static bool lkst_block_pass_unfinished(struct lkst_block_work *work)
{
	const struct lkst_cursor *cursor = &work->cursor;
	struct lkst_block_position *at = work->at;
	struct lkst_event_record record;

	if (lkst_ring_was_dropped(cursor->ring, cursor->position) ||
	    (lkst_ring_idle(cursor->ring) &&
	     lkst_cursor_read(cursor, &record) == LKST_RING_PENDING)) {
		work->header.dropped++;
		return true;
	}
	if (!at->unfinished)
		at->timeout = jiffies + LKST_BLOCK_RECORD_TIMEOUT;
	if (!at->unfinished || time_before(jiffies, at->timeout)) {
		lkst_block_marks_lock(work->bf);
		at->unfinished = true;
		at->again = jiffies + 1;
		lkst_block_marks_unlock(work->bf);
		return false;
	}
	work->header.unfinished++;
	return true;
}

/*
 * Copy records to the file's page, starting at the cursor, and check each. Skip
 * uncommitted records at the cursor for which lkst_block_pass_unfinished()
 * returns true, and stop at any other uncommitted record. Returns the number of
 * records in the page.
 */
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
	/*
	 * If the CPU writes to the records during the copy, the copy is
	 * discarded later.
	 */
	return data_race(copy_to_iter(from, size, to)) == size;
}

/*
 * Copy records straight from the ring, in two parts if they wrap. Returns
 * whether the process's memory could be written.
 */
static bool lkst_block_put_ring(struct iov_iter *to, const struct lkst_cursor *cursor, u64 num)
{
	const struct lkst_ring *ring = cursor->ring;
	unsigned long slot = lkst_index_slot(cursor->index);
	u64 first = min_t(u64, num, ring->slots - slot);

	return lkst_block_put(to, ring->records + slot, first * sizeof(*ring->records)) &&
	       lkst_block_put(to, ring->records, (num - first) * sizeof(*ring->records));
}

/*
 * Wait until no writer is active, for at most LKST_READ_WAIT_NS. Returns
 * whether this succeeded. If so, the cursor's end is now after the newest
 * record, and each record before the end is committed or lies between *@from
 * and *@to.
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
	 * The end is at most a lap after the cursor, even if the CPU has reused
	 * the buffer since the cursor was set up. So the copy stays within the
	 * ring. If the buffer was reused, lkst_cursor_intact() rejects the copy
	 * later.
	 */
	cursor->end = min(lkst_ring_position(cursor->ring, next),
			  cursor->position + cursor->ring->slots);
	return true;
}

/*
 * Copy records, starting at the cursor, and set their number in the header.
 * Returns 0, or -EINVAL if the process's memory cannot be written.
 */
static int lkst_block_records(struct lkst_block_work *work)
{
	struct lkst_cursor *cursor = &work->cursor;
	u64 from, to, end, num;
	bool good;

	if (lkst_block_drain_writers(cursor, &from, &to)) {
		/* This may move the cursor, so compute @num afterwards. */
		end = lkst_block_pass_dropped(work, cursor->end, from, to);
		num = min(work->room, end - cursor->position);
		/*
		 * Copy fewer records if the CPU is still writing to this buffer
		 * and may soon overwrite the first of these records.
		 */
		if (!(READ_ONCE(cursor->ring->index) & LKST_INDEX_CLOSED) &&
		    cursor->end - cursor->position > cursor->ring->slots / 4 * 3)
			num = min_t(u64, num, LKST_BLOCK_AT_RISK_MAX);
		good = lkst_block_put_ring(work->to, cursor, num);
	} else {
		num = lkst_block_collect(work, min_t(u64, work->room, LKST_PAGE_RECORDS));
		good = lkst_block_put(work->to, work->bf->page, num * sizeof(*work->bf->page));
	}
	work->header.count = num;
	return good ? 0 : -EINVAL;
}

/* Set the members of the header that describe the buffer and its clock. */
static void lkst_block_describe(struct lkst_block *header, lkst_buffer_id buffer,
				unsigned int clock, const struct lkst_time *time)
{
	header->buffer = buffer;
	header->clock = clock;
	header->tsc = lkst_time_clock(time, clock);
	header->cpu_freq = lkst_clock_khz(clock);
	header->wall = time->wall;
	header->monotonic = time->monotonic;
}

/*
 * Return a current reading of all clocks. Read the clocks at most once per
 * jiffy, because lkst_time_read() reads each clock several times. Also add the
 * reading to the timeline, which keeps conversions of older timestamps exact.
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
 * Get the reading of the clocks for the header of a block. If LKST still uses
 * the buffer's clock, this is a current reading, because only a current reading
 * shows the rate of the clock since the buffer's latest LKST_SYNC_TIME. If LKST
 * no longer uses that clock, this is the reading from the start of the session,
 * because current readings are not reliable.
 */
static void lkst_block_read_clocks(const struct lkst_block_work *work, struct lkst_time *time)
{
	const struct lkst_cursor *cursor = &work->cursor;
	unsigned int clock = cursor->session.clock;

	*time = cursor->session.start;
	if (clock == lkst_clock_current())
		*time = *lkst_block_now(work->bf);
	else
		time->wall = lkst_time_to_wall(clock, lkst_time_clock(time, clock));
}

/*
 * Make a block from a buffer. Returns 1 on success, 0 if the CPU has
 * overwritten records while they were being copied, -EAGAIN if there is nothing
 * to read yet, or -EINVAL if the process's memory cannot be written.
 */
static int lkst_block_from(struct lkst_block_work *work, struct lkst_buffer *buffer)
{
	struct lkst_block *header = &work->header;
	u64 next = work->at->next, first;
	struct lkst_time time;
	int ret;

	first = lkst_cursor_recid(&work->cursor);
	if (first < next)
		lkst_cursor_advance(&work->cursor, next - first);
	else if (!work->at->oldest)
		header->lost = first - next;
	ret = lkst_block_records(work);
	if (!lkst_cursor_intact(&work->cursor))
		return 0;
	if (ret)
		return ret;
	if (!header->count && !header->lost && !header->dropped && !header->unfinished)
		return -EAGAIN;
	header->first_recid = lkst_cursor_recid(&work->cursor);
	lkst_block_read_clocks(work, &time);
	lkst_block_describe(header, buffer->id, work->cursor.session.clock, &time);
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

/*
 * Make a block that only reports a loss, because no buffer has a record at or
 * after the file's position. Returns 1, or -EAGAIN if nothing was lost.
 */
static int lkst_block_from_none(struct lkst_block_work *work, u64 recorded)
{
	struct lkst_block *header = &work->header;

	if (work->at->oldest)
		lkst_block_move(work->bf, work->at, recorded);
	if (recorded <= work->at->next)
		return -EAGAIN;
	lkst_block_describe(header, LKST_BUFFER_ID_VOID, lkst_clock_current(),
			    lkst_block_now(work->bf));
	header->lost = recorded - work->at->next;
	header->first_recid = recorded;
	return 1;
}

/*
 * Store in @c->read_in_blocks that records before recid @end have been read in
 * blocks, so that lkst_shift_unread() does not report them as lost. If there
 * are several readers, the most advanced reader counts.
 */
static void lkst_block_set_read(struct lkst_cpu *c, s64 end)
{
	s64 before = atomic64_read(&c->read_in_blocks);

	while (end > before && !atomic64_try_cmpxchg(&c->read_in_blocks, &before, end))
		;
}

/*
 * Write the header of a block whose records have been copied, and advance the
 * position of the file. Returns 0, or -EINVAL if the process's memory cannot be
 * written.
 */
static int lkst_block_finish(struct lkst_block_work *work, struct iov_iter *at_header, int cpu,
			     u64 recorded)
{
	struct lkst_block *header = &work->header;
	u64 end = header->first_recid + header->count;

	header->magic = LKST_BLOCK_MAGIC;
	header->version = LKST_BLOCK_VERSION;
	header->header_size = sizeof(*header);
	header->size = sizeof(*header) + header->count * sizeof(struct lkst_event_record);
	header->cpu = cpu;
	header->recorded = max(recorded, end);
	memcpy(header->boot, lkst_image_boot(), sizeof(header->boot));
	if (copy_to_iter(header, sizeof(*header), at_header) != sizeof(*header))
		return -EINVAL;

	lkst_block_move(work->bf, work->at, end);
	if (!work->bf->passive)
		lkst_block_set_read(per_cpu(lkst_cpu, cpu), end);
	return 0;
}

/*
 * Read one block of a CPU. Returns 0; -EAGAIN if there is nothing to read, or
 * if a passive reader would have to wait for the buffers; -EINVAL if the
 * process's memory cannot be written; -ERESTARTSYS after a signal. On error,
 * nothing has been copied.
 */
int lkst_block_one(struct lkst_block_file *bf, int cpu, struct iov_iter *to)
{
	struct iov_iter start = *to;
	unsigned int restarts;
	u64 recorded;
	int ret = 0;

	for (restarts = 0; !ret && restarts <= LKST_BLOCK_RESTARTS; restarts++) {
		struct lkst_block_work work = { .bf = bf, .at = &bf->at[cpu], .to = to };
		struct iov_iter at_header = start;
		struct lkst_buffer *buffer;

		*to = start;
		iov_iter_advance(to, sizeof(work.header));
		work.room = iov_iter_count(to) / sizeof(struct lkst_event_record);
		buffer = lkst_block_find(bf, cpu, work.at->next, &work.cursor, &recorded);
		if (IS_ERR(buffer)) {
			ret = PTR_ERR(buffer);
			break;
		}
		if (buffer) {
			if (lkst_buffer_state(buffer) == LKST_BUFFER_WRITTEN)
				lkst_block_skip_margin(&work.cursor, restarts);
			ret = lkst_block_from(&work, buffer);
			lkst_buffer_put(buffer);
		} else {
			ret = lkst_block_from_none(&work, recorded);
		}
		if (ret > 0)
			ret = lkst_block_finish(&work, &at_header, cpu, recorded) ?: 1;
	}
	if (ret > 0)
		return 0;
	*to = start;
	return ret ?: -EAGAIN;
}

/*
 * Do not choose a CPU before the next jiffy, because lkst_block_one() has
 * returned -EAGAIN for it. So other CPUs get their turn.
 */
void lkst_block_put_off(struct lkst_block_file *bf, int cpu)
{
	struct lkst_block_position *at = &bf->at[cpu];

	lkst_block_marks_lock(bf);
	at->put_off = true;
	at->again = jiffies + 1;
	lkst_block_marks_unlock(bf);
}

/*
 * Skip all records that a CPU has recorded so far, if no record of this CPU has
 * been read yet. They do not count as lost.
 */
void lkst_block_skip(struct lkst_block_file *bf, int cpu)
{
	u64 end = lkst_block_extent(cpu).end;

	lkst_block_marks_lock(bf);
	bf->at[cpu].next = max(bf->at[cpu].next, end);
	lkst_block_marks_unlock(bf);
}

/* Begin again with the oldest record of a CPU that exists. */
void lkst_block_rewind(struct lkst_block_file *bf, int cpu)
{
	struct lkst_block_position *at = &bf->at[cpu];

	lkst_block_marks_lock(bf);
	at->next = 0;
	at->unfinished = false;
	lkst_block_marks_unlock(bf);
	at->oldest = true;
}

/*
 * Read as many blocks as fit, from all CPUs that the file reads. Returns an
 * error only if no block was copied.
 */
int lkst_block_fill(struct lkst_block_file *bf, struct iov_iter *to)
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
		/*
		 * This CPU has nothing to read after all, but another CPU may
		 * have records.
		 */
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
