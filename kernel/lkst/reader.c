// SPDX-License-Identifier: GPL-2.0
/*
 * Reading what was recorded as it comes: the read queues and read() in the modes STD and RAW
 * (specification 4.7.1.3.9, 4.7.1.5.1). For read() in blocks, see block.c.
 *
 * A CPU's read queue is those of its buffers that are LKST_BUFFER_QUEUED, in the order in
 * which they were queued. A shift puts a buffer there without a lock, in any context.
 * Whoever takes one out, the reader, a shift that needs it again, or a delete, does so by
 * exchanging its state, so one of them gets it.
 */
#include <linux/bitops.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uio.h>
#include <linux/utsname.h>

#include "block.h"
#include "buffer.h"
#include "compat.h"
#include "read.h"
#include "reader.h"

/* How long a reader waits until those have finished their records who were interrupted in them. */
#define LKST_READER_PATIENCE	HZ

/**
 * struct lkst_reader - a process that is bound to a CPU's read queue
 * @list: of all readers. Protected by lkst_reader_mutex
 * @process: the owner
 * @file: through which it bound itself, only to be compared
 * @cpu: whose queue
 * @users: the list, and each call that is using it
 * @reading: one read() at a time. Held while records are copied to the process, which may take
 *	for ever: only another read() of the process waits for it. Taken before @lock
 * @lock: protects what follows; never held while memory of a process is touched
 * @released: the process is not bound any more
 * @copying: a read() has the buffer, and gives it back if @released
 * @mode: enum lkst_read_mode
 * @buffer: what is being read, or NULL
 * @cursor: where in it; while @copying, behind what was copied before
 * @patience: jiffies until when the head of the queue may make it wait; 0: it does not
 * @page: records on their way. Protected by @reading
 */
struct lkst_reader {
	struct list_head list;
	struct pid *process;
	struct file *file;
	int cpu;
	refcount_t users;
	struct mutex reading;	/* one read() at a time */
	struct mutex lock;	/* the members below */
	bool released;
	bool copying;
	int mode;
	struct lkst_buffer *buffer;
	struct lkst_cursor cursor;
	unsigned long patience;
	void *page;
};

static DEFINE_MUTEX(lkst_reader_mutex);
static LIST_HEAD(lkst_readers);		/* protected by lkst_reader_mutex */

/* Waking */

/*
 * Those who asked poll() before their process was bound. epoll asks once, and goes on waiting where
 * it was told to then.
 */
static DECLARE_WAIT_QUEUE_HEAD(lkst_queue_unbound);

static void lkst_queue_wake_all(struct lkst_cpu *c)
{
	wake_up_all(&c->wait);
	lkst_block_wake();
	if (wq_has_sleeper(&lkst_queue_unbound))
		wake_up_all(&lkst_queue_unbound);
}

static void lkst_reader_woken(struct irq_work *work)
{
	lkst_queue_wake_all(container_of(work, struct lkst_cpu, wake));
}

/**
 * lkst_queue_init_cpu() - set up what readers need of a CPU
 * @c: nobody else knows it yet
 */
void lkst_queue_init_cpu(struct lkst_cpu *c)
{
	init_waitqueue_head(&c->wait);
	init_irq_work(&c->wake, lkst_reader_woken);
	c->reading = LKST_BUFFER_ID_VOID;
}

/**
 * lkst_queue_wake() - wake who waits for this CPU's read queue
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
 * lkst_queue_wake_cpu() - wake who waits for a CPU's read queue
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

/* The queue */

/*
 * Places in the queue are what is above the state bits of lkst_buffer.state. They wrap, on 32-bit
 * after 2^30 shifts of a CPU, so only their distance says which is first. It does as long as they
 * are less than LKST_QUEUE_REACH apart.
 */
#define LKST_QUEUE_REACH	(1UL << (BITS_PER_LONG - 2))

/* Places before and behind all buffers that are queued. */

static unsigned long lkst_queue_start(const struct lkst_cpu *c)
{
	return (READ_ONCE(c->order) << LKST_STATE_BITS) - LKST_QUEUE_REACH;
}

static unsigned long lkst_queue_end(const struct lkst_cpu *c)
{
	return (READ_ONCE(c->order) << LKST_STATE_BITS) + LKST_QUEUE_REACH;
}

/* Whether a buffer is queued, and where. */
static bool lkst_queue_place(const struct lkst_buffer *buffer, unsigned long *place)
{
	long state = buffer ? atomic_long_read(&buffer->state) : LKST_BUFFER_FREE;

	*place = state & ~LKST_STATE_MASK;
	return (state & LKST_STATE_MASK) == LKST_BUFFER_QUEUED;
}

/*
 * The queued buffer that is the next after *@place, which becomes its place; NULL: there is none,
 * and *@place stays. By the time this returns it may have been written anew and queued elsewhere.
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

/* The queued buffer that is the last before @place. */
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
 * lkst_queue_neighbours() - where a buffer stands in the read queue
 * @c: CPU
 * @buffer: of it
 * @prev: gets the id of the one that is read before it, or LKST_BUFFER_ID_VOID
 * @next: gets the id of the one that is read after it, or LKST_BUFFER_ID_VOID
 *
 * Context: with lkst_buffer_mutex.
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
 * lkst_queue_ends() - the ends of a read queue
 * @c: CPU, or NULL
 * @head: gets the id of the buffer that is read next, or LKST_BUFFER_ID_VOID
 * @tail: gets the id of the one that is read last, or LKST_BUFFER_ID_VOID
 *
 * Context: with lkst_buffer_mutex.
 */
void lkst_queue_ends(const struct lkst_cpu *c, lkst_buffer_id *head, lkst_buffer_id *tail)
{
	unsigned long place = c ? lkst_queue_start(c) : 0;

	*head = lkst_queue_id(c ? lkst_queue_after(c, &place) : NULL);
	*tail = lkst_queue_id(c ? lkst_queue_before(c, lkst_queue_end(c)) : NULL);
}

/*
 * The head of the queue. A search may meet a buffer that was queued while it was under way,
 * and have passed the place of one that was queued just before that. What another search
 * finds again was there before it began, and whatever is queued since comes after it.
 */
static struct lkst_buffer *lkst_queue_head(const struct lkst_cpu *c, unsigned long *place)
{
	unsigned long start = lkst_queue_start(c), before;
	struct lkst_buffer *head;

	*place = start;
	do {
		before = *place;
		*place = start;
		/* Who has seen a buffer queued sees those that were queued before it. */
		smp_rmb();
		head = lkst_queue_after(c, place);
	} while (*place != before);
	return head;
}

/*
 * Take the head of the queue. A writer that was interrupted in it is waited for: NULL,
 * with @reader->patience set.
 */
static struct lkst_buffer *lkst_queue_take(struct lkst_reader *reader, struct lkst_cpu *c)
{
	struct lkst_buffer *buffer;
	unsigned long place;
	long state;

	mutex_lock(&lkst_buffer_mutex);
	do {
		buffer = lkst_queue_head(c, &place);
		if (!buffer) {
			WRITE_ONCE(reader->patience, 0);
			break;
		}
		if (!lkst_ring_idle(&buffer->ring) &&
		    (!reader->patience || time_before(jiffies, reader->patience))) {
			if (!reader->patience)
				WRITE_ONCE(reader->patience,
					   (jiffies + LKST_READER_PATIENCE) ?: 1);
			buffer = NULL;
			break;
		}
		/* A shift may be faster; in another place it may be the head no more. */
		state = (long)(place | LKST_BUFFER_QUEUED);
	} while (atomic_long_cmpxchg(&buffer->state, state,
				     (long)(place | LKST_BUFFER_BEING_READ)) != state);
	if (buffer) {
		atomic_dec(&c->queued);
		WRITE_ONCE(c->reading, buffer->id);
		WRITE_ONCE(reader->patience, 0);
	}
	mutex_unlock(&lkst_buffer_mutex);
	return buffer;
}

/* Another process may be bound meanwhile, and read another buffer. */
static void lkst_reader_leave(const struct lkst_reader *reader, struct lkst_cpu *c)
{
	if (!reader->released)
		WRITE_ONCE(c->reading, LKST_BUFFER_ID_VOID);
}

/* The reader has had what was in its buffer. */
static void lkst_reader_finish(struct lkst_reader *reader, struct lkst_cpu *c)
{
	lkst_reader_leave(reader, c);
	reader->buffer->read = reader->cursor.end;
	/* Who takes it next sees that. */
	atomic_long_set_release(&reader->buffer->state, LKST_BUFFER_FREE);
	reader->buffer = NULL;
}

/* The reader goes away in the middle: another one goes on from there. */
static void lkst_reader_give_back(struct lkst_reader *reader, struct lkst_cpu *c)
{
	struct lkst_buffer *buffer = reader->buffer;
	long place = atomic_long_read(&buffer->state) & ~LKST_STATE_MASK;

	lkst_reader_leave(reader, c);
	buffer->read = reader->cursor.position;
	reader->buffer = NULL;
	atomic_inc(&c->queued);
	/* as above */
	atomic_long_set_release(&buffer->state, place | LKST_BUFFER_QUEUED);
}

/* Begin with the next buffer of the queue, if there is one. */
static bool lkst_reader_begin(struct lkst_reader *reader, struct lkst_cpu *c)
{
	reader->buffer = lkst_queue_take(reader, c);
	if (!reader->buffer)
		return false;
	lkst_cursor_init(&reader->cursor, reader->buffer);
	lkst_cursor_seek(&reader->cursor, reader->buffer->read);
	return true;
}

/* Who reads */

static void lkst_reader_put(struct lkst_reader *reader)
{
	if (!refcount_dec_and_test(&reader->users))
		return;
	put_pid(reader->process);
	free_page((unsigned long)reader->page);
	kfree(reader);
}

/*
 * End the binding: a waiting read() returns, and another process can bind to the queue. A read()
 * that is copying keeps its buffer and gives it back when it is done. The unbinding does not wait
 * for it, because the page that it copies to may never become available.
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

/* What this process is bound as. */
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

/* A process that ends closes its descriptors, unless another one shares them with it. */
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

/* What the process is bound as, or will be. Returns an error pointer. */
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

/* The clocks of the buffer that @reader reads next; without a reader or a buffer, those of now. */
static void lkst_reader_date(const struct lkst_reader *reader, struct lkst_buffer_srmodparam *param)
{
	struct lkst_buffer *buffer = reader ? reader->buffer : NULL;
	struct lkst_dating dating;
	struct lkst_time now;

	lkst_time_refresh();
	lkst_time_read(&now);
	mutex_lock(&lkst_buffer_mutex);
	if (reader && !buffer) {
		const struct lkst_cpu *c = per_cpu(lkst_cpu, reader->cpu);
		unsigned long place = lkst_queue_start(c);

		buffer = lkst_queue_after(c, &place);
	}
	if (buffer) {
		struct lkst_cursor cursor;

		lkst_cursor_init(&cursor, buffer);
		lkst_log_date(&dating, cursor.stretch.clock, &cursor.stretch.start);
	} else {
		lkst_log_date(&dating, lkst_clock_current(), &now);
	}
	mutex_unlock(&lkst_buffer_mutex);
	param->xtime = dating.xtime;
	param->tsc = dating.tsc;
	param->cpu_freq = dating.cpu_freq;
	param->clock = dating.clock;
	param->endian_big = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);
	param->buf_ver = LKST_BUFFER_VERSION;
	param->pad = 0;
	strscpy_pad(param->arch, init_utsname()->machine, sizeof(param->arch));
}

static int lkst_reader_bind_blocks(struct file *file, struct lkst_buffer_srmodparam *param)
{
	int ret = lkst_block_bind(file, param->cpu);

	if (!ret)
		lkst_reader_date(NULL, param);
	return ret;
}

/**
 * lkst_reader_bind() - set how read() reads, and what (4.7.1.3.9)
 * @file: an open device; STD and RAW bind the process until it closes a descriptor of it, or ends;
 *	BLOCK binds the file until its last close
 * @param: as the process gave it, and what it gets back
 *
 * A process that is bound to the CPU already changes the mode.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: there is no such CPU or mode; -EBUSY: another process is bound to the
 * CPU, or this one to another CPU, or the file reads in blocks; -ENOMEM.
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
 * lkst_reader_flush() - this process closes a descriptor
 * @file: of this open device
 * @id: not looked at
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
 * lkst_reader_release() - the last descriptor is gone
 * @inode: not looked at
 * @file: of this open device: nobody must be bound through it any more
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

/* read() */

/**
 * struct lkst_reading - a read() on its way
 * @reader: whose
 * @mode: enum lkst_read_mode: the reader's may change while records are copied
 * @size: bytes of a record in this mode
 * @cursor: where it is
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
				reading->reader->cpu, reading->cursor.stretch.clock);
	}
}

/* Fill the page. What cannot be read was dropped, or its writer has not come back. */
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

/* Copy a page of records out, at most. What cannot be copied is copied next time. */
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
 * Take the reader's buffer, or the next one of the queue. Returns 1 with the buffer, 0 if there is
 * none, -EBUSY if the process is not bound any more.
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

/* Copy out what there is. An error counts only if nothing was copied before it. */
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
			clock = reading.cursor.stretch.clock;
		same = clock == reading.cursor.stretch.clock;
		ret = same ? lkst_reading_copy(&reading, to) : 0;
		lkst_reading_end(&reading);
		if (ret || !same || fatal_signal_pending(current))
			break;
		cond_resched();
	}
	return iov_iter_count(to) < count ? 0 : ret;
}

/* Until there is something to read, or a writer that is waited for may have finished. */
static int lkst_reader_wait(struct lkst_reader *reader)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, reader->cpu);

	if (READ_ONCE(reader->patience)) {
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
 * lkst_reader_read_iter() - read what comes from the CPU this process is bound to, or blocks
 *	(4.7.1.5.1)
 * @iocb: says whether to wait
 * @to: the process's memory
 *
 * Context: may sleep.
 *
 * Return: bytes of whole records, all with the same clock; -EBUSY: the process is not bound;
 * -EINVAL: no room for a record, or @to cannot be written; -EAGAIN: there is nothing,
 * and it is not to wait; -ERESTARTSYS: a signal.
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
 * lkst_reader_poll() - whether read() would wait
 * @file: open device
 * @wait: where to register
 *
 * Return: EPOLLIN | EPOLLRDNORM: no; 0: yes; EPOLLERR: the process is not bound.
 */
__poll_t lkst_reader_poll(struct file *file, poll_table *wait)
{
	struct lkst_reader *reader;
	__poll_t ret = 0;
	struct lkst_cpu *c;

	/* epoll asks once, and stays there: the file may be told to read in blocks afterwards. */
	poll_wait(file, lkst_block_waiters(), wait);
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
 * lkst_reader_describe() - the part of BUFFER_LIST that is about reading
 * @cpu: a possible CPU
 * @param: gets it
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
