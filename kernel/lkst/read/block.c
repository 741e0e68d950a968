// SPDX-License-Identifier: GPL-2.0
/*
 * Reading in blocks: read() of a file in LKST_READ_MODE_BLOCK.
 *
 * The file has a position for each CPU that it reads: a recid. The recids of a
 * CPU continue from buffer to buffer. So the position alone determines which
 * record to read next. All records from the position up to the oldest record
 * that still exists, not including that one, are lost.
 *
 * block_ready.c chooses the CPU to read, and block_make.c makes the blocks.
 */
#include <linux/gfp.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/uio.h>
#include <linux/wait.h>

#include "../base/compat.h"
#include "block.h"
#include "block_file.h"
#include "../buffer/buffer.h"
#include "../buffer/queue.h"

static void lkst_block_timer(struct timer_list *timer)
{
	lkst_queue_wake_blocks();
}

/* --- read() and poll() */

/*
 * Return the time in jiffies until something may become readable without a
 * wakeup, or MAX_SCHEDULE_TIMEOUT.
 */
long lkst_block_sleep_timeout(struct lkst_block_file *bf)
{
	long left = MAX_SCHEDULE_TIMEOUT;
	int cpu;

	lkst_block_marks_lock(bf);
	if (bf->timeout)
		left = max(1L, (long)(bf->deadline - jiffies));
	for_each_possible_cpu(cpu)
		if (bf->at[cpu].unfinished || bf->at[cpu].put_off)
			left = 1;
	lkst_block_marks_unlock(bf);
	return left;
}

/*
 * Sleep until there may be something to read. Changing the timeout or a
 * position wakes all sleeping readers, which then check again.
 */
static void lkst_block_sleep(struct lkst_block_file *bf)
{
	DEFINE_WAIT(wait);

	prepare_to_wait(&lkst_queue_block_readers, &wait, TASK_INTERRUPTIBLE);
	if (lkst_block_choose(bf) < 0 && !lkst_block_ended(bf))
		schedule_timeout(lkst_block_sleep_timeout(bf));
	finish_wait(&lkst_queue_block_readers, &wait);
}

/*
 * Start the timer that wakes poll() when a timeout expires. Both read() and
 * poll() must call this function whenever they find nothing to read:
 * edge-triggered epoll checks again only after the next wakeup.
 */
static void lkst_block_arm(struct lkst_block_file *bf)
{
	long left = lkst_block_sleep_timeout(bf);

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
 * @iocb: I/O control block of a file in block mode; says whether to wait
 * @to: user memory
 *
 * Context: may sleep.
 *
 * Return: number of bytes stored, whole blocks only; 0 if the file's CPU is
 * offline and everything has been read; -EINVAL if @to cannot be written or has
 * no room for a block of one record; -EAGAIN if there is nothing to read and
 * the call must not wait; -ERESTARTSYS after a signal.
 */
ssize_t lkst_block_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;
	bool wait = !(file->f_flags & O_NONBLOCK) && !(iocb->ki_flags & IOCB_NOWAIT);

	return lkst_block_read(file->private_data, to, wait);
}

/**
 * lkst_block_read_kernel() - read blocks into memory of the kernel
 * @file: file in block mode
 * @to: memory
 * @size: size of the memory in bytes
 *
 * Context: may sleep, but does not wait for records.
 *
 * Return: as for lkst_block_read_iter().
 */
ssize_t lkst_block_read_kernel(struct file *file, void *to, size_t size)
{
	struct kvec area = { .iov_base = to, .iov_len = size };
	struct iov_iter iter;

	iov_iter_kvec(&iter, ITER_DEST, &area, 1, size);
	return lkst_block_read(file->private_data, &iter, false);
}

/**
 * lkst_block_poll() - check whether read() would wait
 * @file: file in block mode; the caller waits on lkst_queue_block_readers
 *
 * Return: EPOLLIN | EPOLLRDNORM if it would not wait, with EPOLLHUP if the
 * file's CPU is offline and everything has been read; 0 if it would wait.
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

/* --- ioctls */

/*
 * Return the reading state of a file in block mode, or NULL if the file is not
 * in block mode. A file in block mode stays in that mode until it is closed.
 */
static struct lkst_block_file *lkst_block_file(struct file *file)
{
	/* Pairs with the cmpxchg() in lkst_block_bind(). */
	return smp_load_acquire(&file->private_data);
}

/* Whether a file is in block mode. */
bool lkst_block_bound(struct file *file)
{
	return lkst_block_file(file);
}

/**
 * lkst_block_open() - start reading in blocks
 * @cpu: CPU to read, or -1 for all
 *
 * Context: may sleep.
 *
 * Return: the reading state, to be freed with lkst_block_close(); NULL: no
 * memory.
 */
struct lkst_block_file *lkst_block_open(int cpu)
{
	struct lkst_block_file *bf = kvzalloc(struct_size(bf, at, nr_cpu_ids), GFP_KERNEL);
	int i;

	if (!bf)
		return NULL;
	bf->page = (void *)__get_free_page(GFP_KERNEL);
	if (!bf->page) {
		kvfree(bf);
		return NULL;
	}
	bf->cpu = cpu;
	bf->timeout = msecs_to_jiffies(LKST_BLOCK_TIMEOUT_DEFAULT);
	bf->deadline = jiffies + bf->timeout;
	mutex_init(&bf->lock);
	bf->marks = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	timer_setup(&bf->timer, lkst_block_timer, 0);
	for (i = 0; i < nr_cpu_ids; i++)
		bf->at[i].oldest = true;
	lkst_queue_blocks_opened();
	return bf;
}

/**
 * lkst_block_close() - stop reading in blocks
 * @bf: from lkst_block_open(). No thread uses it any longer
 *
 * Context: may sleep.
 */
void lkst_block_close(struct lkst_block_file *bf)
{
	lkst_timer_delete_sync(&bf->timer);
	lkst_queue_blocks_closed();
	free_page((unsigned long)bf->page);
	kvfree(bf);
}

/**
 * lkst_block_bind() - switch a file to block mode
 * @file: open device
 * @cpu: CPU to read, or -1 for all
 *
 * Context: may sleep.
 *
 * Return: 0 on success or if the file is already bound to @cpu in block mode;
 * -EBUSY if it is bound to another CPU; -EINVAL if there is no such CPU;
 * -ENOMEM.
 */
int lkst_block_bind(struct file *file, int cpu)
{
	struct lkst_block_file *bf = lkst_block_file(file), *other;

	if (cpu != -1 && !lkst_cpu_valid(cpu))
		return -EINVAL;
	if (bf)
		return bf->cpu == cpu ? 0 : -EBUSY;
	bf = lkst_block_open(cpu);
	if (!bf)
		return -ENOMEM;
	/*
	 * The cmpxchg is fully ordered: a thread that loads the pointer must
	 * also see the initialized structure. Pairs with the acquire in
	 * lkst_block_file().
	 */
	other = cmpxchg(&file->private_data, NULL, bf);
	if (!other) {
		lkst_queue_wake_blocks();
		return 0;
	}
	lkst_block_close(bf);
	return other->cpu == cpu ? 0 : -EBUSY;
}

/**
 * lkst_block_seek() - set the position of a file in the records of a CPU
 * @file: open device
 * @param: CPU and recid
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if the file is not in block mode or not bound to this CPU,
 * or if the CPU has not reached the recid yet, unless the recid is
 * LKST_BLOCK_RECID_END; -ERESTARTSYS after a signal.
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
	/* Wake readers that are waiting for records after the old position. */
	if (!ret)
		lkst_queue_wake_blocks();
	return ret;
}

/**
 * lkst_block_wait() - set the maximum time until a record becomes readable
 * @file: open device
 * @param: timeout in milliseconds
 *
 * Context: process.
 *
 * Return: 0; -EINVAL if the file is not in block mode.
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
	/* Wake the readers that are sleeping with the old timeout. */
	lkst_queue_wake_blocks();
	return 0;
}

/**
 * lkst_block_flush() - make everything recorded so far readable immediately
 * @file: open device
 *
 * Context: process.
 *
 * Return: 0; -EINVAL if the file is not in block mode.
 */
int lkst_block_flush(struct file *file)
{
	struct lkst_block_file *bf = lkst_block_file(file);

	if (!bf)
		return -EINVAL;
	lkst_block_marks_lock(bf);
	lkst_block_mark(bf);
	lkst_block_marks_unlock(bf);
	lkst_queue_wake_blocks();
	return 0;
}

/**
 * lkst_block_release() - free the reading state when a file is closed
 * @file: open device, which no thread uses any longer
 */
void lkst_block_release(struct file *file)
{
	struct lkst_block_file *bf = file->private_data;

	if (bf)
		lkst_block_close(bf);
}
