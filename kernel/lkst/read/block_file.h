/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Open files in block mode (LKST_READ_MODE_BLOCK). Shared by block.c,
 * block_make.c and block_ready.c, and by the history, which reads in blocks
 * without a file.
 */
#ifndef _LKST_BLOCK_FILE_H
#define _LKST_BLOCK_FILE_H

#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>

#include "../clock/timeline.h"

struct iov_iter;
struct lkst_cpu;
struct lkst_event_record;

/**
 * struct lkst_block_position - position of a file in the records of a CPU
 * @next: recid of the next record. Written under both &lkst_block_file.lock and
 *	.marks, so holding either is enough to read it
 * @flush: records before this recid are readable immediately. Protected by
 *	&lkst_block_file.marks
 * @oldest: whether no record of this CPU has been read yet. If so, reading
 *	starts at the oldest record that exists, and older ones do not count as
 *	lost. Protected by &lkst_block_file.lock
 * @unfinished: whether the reader is waiting for the record at @next to be
 *	committed. Protected like @next
 * @put_off: whether the CPU is not chosen before @again, see
 *	lkst_block_put_off(). Protected by &lkst_block_file.marks
 * @again: time in jiffies at which to check that record or the CPU again.
 *	Protected like @next
 * @timeout: time in jiffies at which to stop waiting for that record. Protected
 *	by &lkst_block_file.lock
 */
struct lkst_block_position {
	u64 next;
	u64 flush;
	bool oldest;
	bool unfinished;
	bool put_off;
	unsigned long again;
	unsigned long timeout;
};

/**
 * struct lkst_block_file - an open file in block mode
 * @cpu: CPU to read, or -1 for all
 * @passive: whether records stay unread for the read queue and for snapshots
 *	although they have been read from this file, and the reader never waits
 *	for the buffers. Constant after opening. Only one thread uses such a
 *	file, so it does not take @lock
 * @lock: allows one read() or seek at a time. May be held for a long time,
 *	because copying to the process may fault
 * @marks: protects the members that poll() and a flush use, because neither may
 *	wait for @lock. This is an arch_spinlock_t, which has no hook: lock
 *	events would add records to the buffers while they are read
 * @timeout: maximum time until a record becomes readable, in jiffies, or 0 for
 *	no limit. Protected by @marks
 * @deadline: time in jiffies at which the current timeout expires. Protected by
 *	@marks
 * @timer: wakes poll() when a timeout expires
 * @page: a page for records that are copied and checked one by one. Protected
 *	by @lock
 * @now: reading of the clocks when jiffies was @now_at. Protected by @lock
 * @now_at: value of jiffies at which @now was read, or 0 if not read yet
 * @at: position in the records of each CPU
 */
struct lkst_block_file {
	int cpu;
	bool passive;
	struct mutex lock;	/* one read() or seek at a time */
	arch_spinlock_t marks;	/* protects timeout, deadline, at[] */
	unsigned long timeout;
	unsigned long deadline;
	struct timer_list timer;
	struct lkst_event_record *page;
	struct lkst_time now;
	unsigned long now_at;
	struct lkst_block_position at[];
};

/**
 * struct lkst_block_extent - how far a CPU has recorded
 * @half: recid of the first record in the half of a buffer that the CPU is
 *	writing. Records before it are readable, and stay so until the CPU
 *	leaves this half
 * @end: recid of the CPU's next record
 */
struct lkst_block_extent {
	u64 half;
	u64 end;
};

static inline void lkst_block_marks_lock(struct lkst_block_file *bf)
{
	preempt_disable();
	arch_spin_lock(&bf->marks);
}

static inline void lkst_block_marks_unlock(struct lkst_block_file *bf)
{
	arch_spin_unlock(&bf->marks);
	preempt_enable();
}

/* Whether the file is bound to @cpu or to all CPUs. */
static inline bool lkst_block_reads(const struct lkst_block_file *bf, int cpu)
{
	return bf->cpu == -1 || bf->cpu == cpu;
}

u64 lkst_block_shift_recid(const struct lkst_cpu *c);
struct lkst_block_extent lkst_block_extent(int cpu);
void lkst_block_mark(struct lkst_block_file *bf);
int lkst_block_choose(struct lkst_block_file *bf);
bool lkst_block_ended(struct lkst_block_file *bf);
long lkst_block_sleep_timeout(struct lkst_block_file *bf);
int lkst_block_one(struct lkst_block_file *bf, int cpu, struct iov_iter *to);
void lkst_block_put_off(struct lkst_block_file *bf, int cpu);
void lkst_block_skip(struct lkst_block_file *bf, int cpu);
void lkst_block_rewind(struct lkst_block_file *bf, int cpu);
struct lkst_block_file *lkst_block_open(int cpu);
void lkst_block_close(struct lkst_block_file *bf);
int lkst_block_fill(struct lkst_block_file *bf, struct iov_iter *to);

#endif
