// SPDX-License-Identifier: GPL-2.0
/*
 * Reading in blocks: choose a CPU that has enough records to read.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>

#include "block_file.h"
#include "../buffer/buffer.h"
#include "../buffer/cursor.h"

/* Return the recid of the first record in the half that the CPU is writing. */
static u64 lkst_block_half(const struct lkst_cursor *cursor)
{
	u64 first = cursor->session.first, begun = max(cursor->end, first + 1) - 1, offset;

	div64_u64_rem(begun, lkst_ring_half(cursor->ring), &offset);
	return cursor->session.first_recid + (max(begun - offset, first) - first);
}

/*
 * Return the recid after the last record of the buffer that the CPU has left
 * most recently. If the CPU shifts during the read, the old value is as good as
 * the new one. On 32-bit, reading it twice excludes a mix of both.
 */
u64 lkst_block_shift_recid(const struct lkst_cpu *c)
{
	u64 recid;

	do {
		recid = data_race(c->recid); /* as explained above */
		barrier();
	} while (recid != data_race(c->recid)); /* as above */
	return recid;
}

/* Return how far a CPU has recorded. */
struct lkst_block_extent lkst_block_extent(int cpu)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_block_extent extent = {};
	struct lkst_buffer *buffer;
	struct lkst_cursor cursor;

	if (!c)
		return extent;
	/* The buffer stays valid: it is freed after an RCU grace period. */
	rcu_read_lock();
	buffer = lkst_ring_buffer(READ_ONCE(per_cpu(lkst_ring_current, cpu)));
	if (buffer) {
		lkst_cursor_init(&cursor, buffer);
		extent.half = lkst_block_half(&cursor);
		extent.end = lkst_cursor_end_recid(&cursor);
	} else {
		/*
		 * The recid changes only at a shift. If a shift changes it
		 * right after this load, the shift also wakes the reader, which
		 * then checks again.
		 */
		extent.end = lkst_block_shift_recid(c);
		extent.half = extent.end;
	}
	rcu_read_unlock();
	return extent;
}

/*
 * Whether not to read from a CPU before @at->again. Called with
 * &lkst_block_file.marks held.
 */
static bool lkst_block_delayed(const struct lkst_block_position *at)
{
	return (at->unfinished || at->put_off) && time_before(jiffies, at->again);
}

/*
 * Return how many records of a CPU to read now: either all unread records, or
 * 0 if the reader should wait for more. The reader should not wait if some
 * unread records are before the half that the CPU is writing or before
 * at->flush, or if the CPU is offline and therefore adds no records.
 * lkst_queue_wake_half() wakes the reader when the CPU begins to write a half.
 * Called with &lkst_block_file.marks held.
 */
static u64 lkst_block_ready(const struct lkst_block_file *bf, int cpu)
{
	const struct lkst_block_position *at = &bf->at[cpu];
	struct lkst_block_extent extent = lkst_block_extent(cpu);

	if (at->next >= extent.end || lkst_block_delayed(at))
		return 0;
	if (at->next < extent.half || at->next < at->flush || !lkst_buffer_cpu_records(cpu))
		return extent.end - at->next;
	return 0;
}

/*
 * Make everything recorded so far readable. Called with &lkst_block_file.marks
 * held.
 */
void lkst_block_mark(struct lkst_block_file *bf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (lkst_block_reads(bf, cpu))
			bf->at[cpu].flush = lkst_block_extent(cpu).end;
	bf->deadline = jiffies + bf->timeout;
}

/*
 * Return the CPU that has the most records to read now, or -1 if no CPU has
 * any. If the timeout has expired, everything recorded so far becomes readable
 * first.
 */
int lkst_block_choose(struct lkst_block_file *bf)
{
	int cpu, best = -1;
	u64 most = 0;

	lkst_block_marks_lock(bf);
	if (bf->timeout && time_after_eq(jiffies, bf->deadline))
		lkst_block_mark(bf);
	for_each_possible_cpu(cpu) {
		u64 ready = lkst_block_reads(bf, cpu) ? lkst_block_ready(bf, cpu) : 0;

		if (!lkst_block_delayed(&bf->at[cpu]))
			bf->at[cpu].put_off = false;
		if (ready > most) {
			most = ready;
			best = cpu;
		}
	}
	lkst_block_marks_unlock(bf);
	return best;
}

/*
 * Whether the file is bound to one CPU, which is offline, and all records have
 * been read.
 */
bool lkst_block_ended(struct lkst_block_file *bf)
{
	bool ended;

	if (bf->cpu == -1 || lkst_buffer_cpu_records(bf->cpu))
		return false;
	lkst_block_marks_lock(bf);
	ended = bf->at[bf->cpu].next >= lkst_block_extent(bf->cpu).end;
	lkst_block_marks_unlock(bf);
	return ended;
}
