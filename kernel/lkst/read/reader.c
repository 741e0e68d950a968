// SPDX-License-Identifier: GPL-2.0
/*
 * read() and poll() in the modes STD and RAW: a process is bound to the read
 * queue of a CPU, and reads the buffers in the queue one after the other
 * (specification 4.7.1.3.9, 4.7.1.5.1). For the queue, see buffer/queue.c. For
 * read() in blocks, see block.c.
 */
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uio.h>

#include "block.h"
#include "../buffer/buffer.h"
#include "../base/compat.h"
#include "../buffer/cursor.h"
#include "../buffer/queue.h"
#include "log.h"
#include "reader.h"

/**
 * struct lkst_reader - a process that is bound to a CPU's read queue
 * @list: list of all readers. Protected by lkst_reader_mutex
 * @process: the process
 * @file: file through which it was bound, only used for comparison
 * @cpu: CPU of the queue
 * @users: reference count: one for the list, and one for each call in progress
 * @reading: allows one read() at a time. Held while records are copied to the
 *	process, which may take forever. Only another read() of the same process
 *	waits for this mutex. Taken before @lock
 * @lock: protects the members below. Must not be held while user memory is
 *	accessed
 * @released: whether the process is no longer bound
 * @copying: whether a read() is using the buffer; when that read() ends, it
 *	puts the buffer back if @released is set
 * @mode: enum lkst_read_mode
 * @buffer: buffer being read, or NULL
 * @cursor: position in @buffer; while @copying, it is not up to date
 * @timeout: time in jiffies at which to stop waiting for an interrupted writer,
 *	or 0; see lkst_queue_take()
 * @page: a page for records to be copied. Protected by @reading
 */
struct lkst_reader {
	struct list_head list;
	struct pid *process;
	struct file *file;
	int cpu;
	refcount_t users;
	struct mutex reading;	/* one read() at a time */
	struct mutex lock;	/* protects the members below */
	bool released;
	bool copying;
	int mode;
	struct lkst_buffer *buffer;
	struct lkst_cursor cursor;
	unsigned long timeout;
	void *page;
};

static DEFINE_MUTEX(lkst_reader_mutex);
static LIST_HEAD(lkst_readers);		/* protected by lkst_reader_mutex */

/* --- The buffer that the reader reads */

/*
 * Store in @c that no buffer of the CPU is being read, unless the reader has
 * been unbound: another process may have been bound in the meantime, and may be
 * reading another buffer.
 */
static void lkst_reader_leave(const struct lkst_reader *reader, struct lkst_cpu *c)
{
	if (!reader->released)
		WRITE_ONCE(c->reading, LKST_BUFFER_ID_VOID);
}

/* Release the reader's buffer, which has been read completely. */
static void lkst_reader_finish(struct lkst_reader *reader, struct lkst_cpu *c)
{
	lkst_reader_leave(reader, c);
	lkst_queue_release(reader->buffer, reader->cursor.end);
	reader->buffer = NULL;
}

/*
 * Queue the buffer of a reader that stops before the buffer's end, so that
 * another reader continues from there.
 */
static void lkst_reader_give_back(struct lkst_reader *reader, struct lkst_cpu *c)
{
	lkst_reader_leave(reader, c);
	lkst_queue_put_back(c, reader->buffer, reader->cursor.position);
	reader->buffer = NULL;
}

/* Take the next buffer from the queue. Returns whether the queue had one. */
static bool lkst_reader_begin(struct lkst_reader *reader, struct lkst_cpu *c)
{
	reader->buffer = lkst_queue_take(c, &reader->timeout);
	if (!reader->buffer)
		return false;
	lkst_cursor_init(&reader->cursor, reader->buffer);
	lkst_cursor_seek(&reader->cursor, reader->buffer->read);
	return true;
}

/* --- Binding */

static void lkst_reader_put(struct lkst_reader *reader)
{
	if (!refcount_dec_and_test(&reader->users))
		return;
	put_pid(reader->process);
	free_page((unsigned long)reader->page);
	kfree(reader);
}

/*
 * End the binding: a waiting read() returns, and another process can be bound
 * to the queue. A read() that is copying keeps its buffer, and puts it back
 * when it is done. This function does not wait for that read(), because the
 * user memory that it copies to may never become available.
 */
static void lkst_reader_unbind(struct lkst_reader *reader)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, reader->cpu);

	lockdep_assert_held(&lkst_reader_mutex);
	list_del(&reader->list);
	WRITE_ONCE(c->reader, NULL);
	mutex_lock(&reader->lock);
	if (reader->buffer && !reader->copying)
		lkst_reader_give_back(reader, c);
	WRITE_ONCE(c->reading, LKST_BUFFER_ID_VOID);
	reader->released = true;
	mutex_unlock(&reader->lock);
	lkst_queue_wake_all(c);
	lkst_reader_put(reader);
}

/* Return the reader of this process, or NULL if the process is not bound. */
static struct lkst_reader *lkst_reader_find(void)
{
	struct lkst_reader *reader;

	lockdep_assert_held(&lkst_reader_mutex);
	list_for_each_entry(reader, &lkst_readers, list)
		if (reader->process == task_tgid(current))
			return reader;
	return NULL;
}

static struct lkst_reader *lkst_reader_get(void)
{
	struct lkst_reader *reader;

	mutex_lock(&lkst_reader_mutex);
	reader = lkst_reader_find();
	if (reader)
		refcount_inc(&reader->users);
	mutex_unlock(&lkst_reader_mutex);
	return reader;
}

/*
 * Whether the process of a reader is still running. A process that exits is
 * unbound when it closes its descriptors. But if it shares its descriptor table
 * with another process, the descriptors stay open.
 */
static bool lkst_reader_alive(const struct lkst_reader *reader)
{
	struct task_struct *task;
	bool alive;

	rcu_read_lock();
	task = pid_task(reader->process, PIDTYPE_TGID);
	alive = task && !(READ_ONCE(task->signal->flags) & SIGNAL_GROUP_EXIT) &&
		atomic_read(&task->signal->live);
	rcu_read_unlock();
	return alive;
}

static struct lkst_reader *lkst_reader_alloc(struct file *file, int cpu)
{
	struct lkst_reader *reader = kzalloc_obj(*reader, GFP_KERNEL);

	if (!reader)
		return NULL;
	reader->page = (void *)__get_free_page(GFP_KERNEL);
	if (!reader->page) {
		kfree(reader);
		return NULL;
	}
	reader->process = get_pid(task_tgid(current));
	reader->file = file;
	reader->cpu = cpu;
	refcount_set(&reader->users, 1);
	mutex_init(&reader->reading);
	mutex_init(&reader->lock);
	return reader;
}

/*
 * Return the reader of this process, or bind the process to the CPU and return
 * a new reader. On failure, return an error pointer: -EBUSY if this process is
 * bound to another CPU, or another process to this CPU, or -ENOMEM.
 */
static struct lkst_reader *lkst_reader_for(struct file *file, int cpu)
{
	struct lkst_reader *reader = lkst_reader_find();
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);

	if (reader)
		return reader->cpu == cpu ? reader : ERR_PTR(-EBUSY);
	if (c->reader && lkst_reader_alive(c->reader))
		return ERR_PTR(-EBUSY);
	reader = lkst_reader_alloc(file, cpu);
	if (!reader)
		return ERR_PTR(-ENOMEM);
	if (c->reader)
		lkst_reader_unbind(c->reader);
	list_add(&reader->list, &lkst_readers);
	WRITE_ONCE(c->reader, reader);
	return reader;
}

/*
 * Store in @param the reading of the clocks from the start of the session that
 * @reader reads next, or a current reading if there is no reader or no buffer.
 */
static void lkst_reader_date(const struct lkst_reader *reader, struct lkst_buffer_srmodparam *param)
{
	struct lkst_buffer *buffer = reader ? reader->buffer : NULL;
	struct lkst_timebase timebase;
	struct lkst_time now;

	lkst_time_refresh();
	lkst_time_read(&now);
	mutex_lock(&lkst_buffer_mutex);
	if (reader && !buffer)
		buffer = lkst_queue_first(per_cpu(lkst_cpu, reader->cpu));
	if (buffer) {
		struct lkst_cursor cursor;

		lkst_cursor_init(&cursor, buffer);
		lkst_log_timebase(&timebase, cursor.session.clock, &cursor.session.start);
	} else {
		lkst_log_timebase(&timebase, lkst_clock_current(), &now);
	}
	mutex_unlock(&lkst_buffer_mutex);
	lkst_log_describe(param, &timebase);
}

static int lkst_reader_bind_blocks(struct file *file, struct lkst_buffer_srmodparam *param)
{
	int ret = lkst_block_bind(file, param->cpu);

	if (!ret)
		lkst_reader_date(NULL, param);
	return ret;
}

/**
 * lkst_reader_bind() - choose the mode of read(), and which CPU it reads
 *	(4.7.1.3.9)
 * @file: an open device. STD and RAW bind the process, until it closes a
 *	descriptor of @file or exits. BLOCK binds the file, until its last close
 * @param: CPU and mode; receives the data with which a reader converts
 *	timestamps
 *
 * If the process is already bound to the CPU, only its mode changes.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if there is no such CPU or mode; -EBUSY if another process
 * is bound to the CPU, this process is bound to another CPU, or the file is
 * already in block mode and @param differs; -ENOMEM.
 */
int lkst_reader_bind(struct file *file, struct lkst_buffer_srmodparam *param)
{
	struct lkst_reader *reader;
	int ret = 0;

	if (param->mode == LKST_READ_MODE_BLOCK)
		return lkst_reader_bind_blocks(file, param);
	if (!lkst_cpu_valid(param->cpu) || !per_cpu(lkst_cpu, param->cpu) ||
	    (param->mode != LKST_READ_MODE_STD && param->mode != LKST_READ_MODE_RAW))
		return -EINVAL;
	if (lkst_block_bound(file))
		return -EBUSY;
	mutex_lock(&lkst_reader_mutex);
	reader = lkst_reader_for(file, param->cpu);
	if (!IS_ERR(reader))
		refcount_inc(&reader->users);
	mutex_unlock(&lkst_reader_mutex);
	if (IS_ERR(reader))
		return PTR_ERR(reader);

	mutex_lock(&reader->lock);
	if (reader->released) {
		ret = -EBUSY;
	} else {
		reader->mode = param->mode;
		lkst_reader_date(reader, param);
	}
	mutex_unlock(&reader->lock);
	lkst_reader_put(reader);
	return ret;
}

/**
 * lkst_reader_flush() - unbind this process when it closes a descriptor
 * @file: the open device
 * @id: not used
 *
 * Return: 0.
 */
int lkst_reader_flush(struct file *file, fl_owner_t id)
{
	struct lkst_reader *reader;

	mutex_lock(&lkst_reader_mutex);
	reader = lkst_reader_find();
	if (reader && reader->file == file)
		lkst_reader_unbind(reader);
	mutex_unlock(&lkst_reader_mutex);
	return 0;
}

/**
 * lkst_reader_release() - unbind all processes after the last descriptor of a
 *	file has been closed
 * @inode: not used
 * @file: the open device through which the processes were bound
 *
 * Return: 0.
 */
int lkst_reader_release(struct inode *inode, struct file *file)
{
	struct lkst_reader *reader, *next;

	mutex_lock(&lkst_reader_mutex);
	list_for_each_entry_safe(reader, next, &lkst_readers, list)
		if (reader->file == file)
			lkst_reader_unbind(reader);
	mutex_unlock(&lkst_reader_mutex);
	lkst_block_release(file);
	return 0;
}

/* --- read() */

/**
 * struct lkst_reading - a read() in progress
 * @reader: reader of the process
 * @mode: enum lkst_read_mode; the reader's mode may change during the read()
 * @size: size of a record in this mode, in bytes
 * @cursor: position in the buffer
 */
struct lkst_reading {
	struct lkst_reader *reader;
	int mode;
	size_t size;
	struct lkst_cursor cursor;
};

static void lkst_reading_put(struct lkst_reading *reading, unsigned int i,
			     struct lkst_event_record *record)
{
	u64 recid = lkst_cursor_recid(&reading->cursor);
	void *page = reading->reader->page;

	if (reading->mode == LKST_READ_MODE_RAW) {
		record->flags |= (u16)(recid << LKST_RECORD_LAP_SHIFT);
		((struct lkst_event_record *)page)[i] = *record;
	} else {
		lkst_log_expand((struct lkst_log_record *)page + i, record, recid,
				reading->reader->cpu, reading->cursor.session.clock);
	}
}

/*
 * Fill the page with at most @max records. Skip records that were dropped, or
 * whose writer is still interrupted. Returns the number of records.
 */
static unsigned int lkst_reading_collect(struct lkst_reading *reading, unsigned int max)
{
	struct lkst_cursor *cursor = &reading->cursor;
	unsigned int num = 0;

	for (; num < max && cursor->position < cursor->end; lkst_cursor_advance(cursor, 1)) {
		struct lkst_event_record record;

		if (lkst_cursor_read(cursor, &record) == LKST_RING_READ)
			lkst_reading_put(reading, num++, &record);
	}
	return num;
}

/*
 * Copy at most a page of records. Returns 0, or -EINVAL if @to cannot be
 * written; in this case the next call copies the same records again.
 */
static int lkst_reading_copy(struct lkst_reading *reading, struct iov_iter *to)
{
	unsigned int max = min_t(size_t, PAGE_SIZE, iov_iter_count(to)) / reading->size;
	u64 start = reading->cursor.position;
	size_t bytes, copied;

	bytes = lkst_reading_collect(reading, max) * reading->size;
	copied = copy_to_iter(reading->reader->page, bytes, to);
	if (copied == bytes)
		return 0;
	iov_iter_revert(to, copied);
	lkst_cursor_seek(&reading->cursor, start);
	return -EINVAL;
}

/*
 * Use the reader's buffer, or take the next one from the queue. Returns 1 if
 * there is a buffer, 0 if the queue is empty, -EBUSY if the process is no
 * longer bound.
 */
static int lkst_reading_begin(struct lkst_reading *reading)
{
	struct lkst_reader *reader = reading->reader;
	int ret = -EBUSY;

	mutex_lock(&reader->lock);
	if (!reader->released) {
		ret = reader->buffer || lkst_reader_begin(reader, per_cpu(lkst_cpu, reader->cpu));
		reader->copying = ret;
		reading->cursor = reader->cursor;
	}
	mutex_unlock(&reader->lock);
	return ret;
}

static void lkst_reading_end(struct lkst_reading *reading)
{
	struct lkst_reader *reader = reading->reader;
	struct lkst_cpu *c = per_cpu(lkst_cpu, reader->cpu);

	mutex_lock(&reader->lock);
	reader->copying = false;
	reader->cursor = reading->cursor;
	if (reader->cursor.position == reader->cursor.end)
		lkst_reader_finish(reader, c);
	else if (reader->released)
		lkst_reader_give_back(reader, c);
	mutex_unlock(&reader->lock);
}

/*
 * Copy as many records as are available and fit, all with the same clock.
 * Returns an error only if it occurs before any record has been copied.
 */
static int lkst_reader_fill(struct lkst_reader *reader, struct iov_iter *to)
{
	struct lkst_reading reading = { .reader = reader, .mode = READ_ONCE(reader->mode) };
	size_t count = iov_iter_count(to);
	unsigned int clock = 0;
	int ret = 0;

	reading.size = reading.mode == LKST_READ_MODE_RAW ? sizeof(struct lkst_event_record) :
							    sizeof(struct lkst_log_record);
	if (count < reading.size)
		return READ_ONCE(reader->released) ? -EBUSY : -EINVAL;
	while (iov_iter_count(to) >= reading.size) {
		bool same;

		ret = lkst_reading_begin(&reading);
		if (ret <= 0)
			break;
		if (iov_iter_count(to) == count)
			clock = reading.cursor.session.clock;
		same = clock == reading.cursor.session.clock;
		ret = same ? lkst_reading_copy(&reading, to) : 0;
		lkst_reading_end(&reading);
		if (ret || !same || fatal_signal_pending(current))
			break;
		cond_resched();
	}
	return iov_iter_count(to) < count ? 0 : ret;
}

/*
 * Wait until there is something to read, or until an interrupted writer may
 * have finished. Returns 0, or -ERESTARTSYS after a signal.
 */
static int lkst_reader_wait(struct lkst_reader *reader)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, reader->cpu);

	if (READ_ONCE(reader->timeout)) {
		schedule_timeout_interruptible(1);
		return signal_pending(current) ? -ERESTARTSYS : 0;
	}
	return wait_event_interruptible(c->wait, atomic_read(&c->queued) > 0 ||
						READ_ONCE(reader->released));
}

static ssize_t lkst_reader_read(struct lkst_reader *reader, struct iov_iter *to, bool wait)
{
	size_t count = iov_iter_count(to);
	int ret;

	do {
		if (mutex_lock_interruptible(&reader->reading))
			return -ERESTARTSYS;
		ret = lkst_reader_fill(reader, to);
		mutex_unlock(&reader->reading);
		if (ret || iov_iter_count(to) < count)
			return ret ?: (ssize_t)(count - iov_iter_count(to));
		ret = wait ? lkst_reader_wait(reader) : -EAGAIN;
	} while (!ret);
	return ret;
}

/**
 * lkst_reader_read_iter() - read records of the bound CPU, or read in blocks
 *	(4.7.1.5.1)
 * @iocb: I/O control block; says whether to wait
 * @to: user memory
 *
 * Context: may sleep.
 *
 * Return: for a file in block mode, as for lkst_block_read_iter(). Otherwise,
 * number of bytes stored: whole records, all with the same clock; -EBUSY if the
 * process is not bound; -EINVAL if @to cannot be written or has no room for a
 * record; -EAGAIN if there is nothing to read and the call must not wait;
 * -ERESTARTSYS after a signal.
 */
ssize_t lkst_reader_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	bool wait = !(iocb->ki_filp->f_flags & O_NONBLOCK) && !(iocb->ki_flags & IOCB_NOWAIT);
	struct lkst_reader *reader;
	ssize_t ret;

	if (lkst_block_bound(iocb->ki_filp))
		return lkst_block_read_iter(iocb, to);
	reader = lkst_reader_get();
	if (!reader)
		return -EBUSY;
	ret = lkst_reader_read(reader, to, wait);
	lkst_reader_put(reader);
	return ret;
}

/**
 * lkst_reader_poll() - check whether read() would wait
 * @file: open device
 * @wait: poll table
 *
 * Return: for a file in block mode, as for lkst_block_poll(). Otherwise,
 * EPOLLIN | EPOLLRDNORM if read() would not wait; 0 if it would wait; EPOLLERR
 * if the process is not bound.
 */
__poll_t lkst_reader_poll(struct file *file, poll_table *wait)
{
	struct lkst_reader *reader;
	__poll_t ret = 0;
	struct lkst_cpu *c;

	/*
	 * Wait on this queue in any mode: epoll calls this only once, and the
	 * file may be switched to block mode later.
	 */
	poll_wait(file, &lkst_queue_block_readers, wait);
	if (lkst_block_bound(file))
		return lkst_block_poll(file);
	reader = lkst_reader_get();
	if (!reader) {
		poll_wait(file, &lkst_queue_unbound, wait);
		return EPOLLERR;
	}
	c = per_cpu(lkst_cpu, reader->cpu);
	poll_wait(file, &c->wait, wait);
	if (READ_ONCE(reader->buffer) || atomic_read(&c->queued) > 0)
		ret = EPOLLIN | EPOLLRDNORM;
	lkst_reader_put(reader);
	return ret;
}

/**
 * lkst_reader_describe() - set the members of LKST_IOC_BUFFER_LIST that
 *	describe the reader
 * @cpu: a possible CPU
 * @param: receives the result
 */
void lkst_reader_describe(int cpu, struct lkst_buffer_listparam *param)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
	struct lkst_reader *reader;

	param->read_buf = LKST_BUFFER_ID_VOID;
	param->owner = LKST_BUFFER_OWNER_NONE;
	param->read_pos = 0;
	if (!c)
		return;
	mutex_lock(&lkst_reader_mutex);
	reader = c->reader && lkst_reader_alive(c->reader) ? c->reader : NULL;
	if (reader)
		refcount_inc(&reader->users);
	mutex_unlock(&lkst_reader_mutex);
	if (!reader)
		return;

	param->owner = pid_nr(reader->process);
	mutex_lock(&reader->lock);
	if (reader->buffer) {
		param->read_buf = reader->buffer->id;
		param->read_pos = lkst_cursor_recid(&reader->cursor);
	}
	mutex_unlock(&reader->lock);
	lkst_reader_put(reader);
}
