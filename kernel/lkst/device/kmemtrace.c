// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace: the events of memory allocators as binary files in debugfs, one
 * for each CPU. Documentation/lkst/kmemtrace.rst describes the files.
 *
 * A read() copies blocks of records from the buffers of the CPU, and converts
 * the records of the events that kmemtrace has, until it has found some.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_etypes.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../buffer/queue.h"
#include "../clock/timeline.h"
#include "../read/block.h"
#include "kmemtrace.h"
#include "permission.h"

#define LKST_KMEMTRACE_ABI	1

enum lkst_kmemtrace_event_id {
	LKST_KMEMTRACE_ALLOC	= 0,
	LKST_KMEMTRACE_FREE	= 1,
};

enum lkst_kmemtrace_type_id {
	LKST_KMEMTRACE_KMALLOC	= 0,
	LKST_KMEMTRACE_CACHE	= 1,
	LKST_KMEMTRACE_PAGES	= 2,
};

/* Target CPU of an allocation without a preferred node. */
#define LKST_KMEMTRACE_SAME_CPU	(-1)

/**
 * struct lkst_kmemtrace_event - an event as read() returns it
 * @event_id: enum lkst_kmemtrace_event_id
 * @type_id: enum lkst_kmemtrace_type_id
 * @size: size of this event in bytes. The event of a free ends before
 *	@requested
 * @sequence: for sorting the events of all CPUs; wraps around
 * @caller: the code that called the allocator, or 0
 * @object: address of the memory, or 0
 * @requested: bytes that the caller asked for
 * @allocated: bytes that the caller got
 * @flags: GFP flags
 * @cpu: target CPU
 */
struct lkst_kmemtrace_event {
	u8 event_id;
	u8 type_id;
	u16 size;
	s32 sequence;
	u64 caller;
	u64 object;
	u64 requested;
	u64 allocated;
	u32 flags;
	s32 cpu;
};

static_assert(sizeof(struct lkst_kmemtrace_event) == 48);

#define LKST_KMEMTRACE_FREE_SIZE	offsetof(struct lkst_kmemtrace_event, requested)

/*
 * Unit of a sequence number: 2^8 ns, which is about the time that it takes to
 * pass an object to another CPU. The number wraps around after 18 minutes.
 */
#define LKST_KMEMTRACE_SEQUENCE_SHIFT	8

/* Maximum number of bytes that one read() copies from the buffers. */
#define LKST_KMEMTRACE_BYTES	SZ_64K

/* Size in bytes of the smallest block that has a record. */
#define LKST_KMEMTRACE_BYTES_MIN \
	(sizeof(struct lkst_block) + sizeof(struct lkst_event_record))

/*
 * Memory for a read(), allocated by the first open(). If each read() allocated
 * it, the allocation would itself be an event.
 */
static void *lkst_kmemtrace_area;

/* Protects lkst_kmemtrace_area and what it points to. */
static DEFINE_MUTEX(lkst_kmemtrace_mutex);

static atomic64_t lkst_kmemtrace_overruns;
static struct dentry *lkst_kmemtrace_dir;

/* Return the first CPU of a node, or LKST_KMEMTRACE_SAME_CPU if it has none. */
static s32 lkst_kmemtrace_cpu(s32 node)
{
	unsigned int cpu;

	if (node < 0 || node >= MAX_NUMNODES || !node_online(node))
		return LKST_KMEMTRACE_SAME_CPU;
	cpu = cpumask_first(cpumask_of_node(node));
	return cpu < nr_cpu_ids ? cpu : LKST_KMEMTRACE_SAME_CPU;
}

static void lkst_kmemtrace_object_alloc(struct lkst_kmemtrace_event *event, u64 requested,
					u64 allocated, u64 gfp_node)
{
	event->event_id = LKST_KMEMTRACE_ALLOC;
	event->requested = requested;
	event->allocated = allocated;
	event->flags = gfp_node >> 32;
	event->cpu = lkst_kmemtrace_cpu(gfp_node);
}

static void lkst_kmemtrace_page(struct lkst_kmemtrace_event *event, u64 pfn)
{
	event->type_id = LKST_KMEMTRACE_PAGES;
	event->caller = 0;
	event->object = pfn == U64_MAX ? 0 : (unsigned long)__va(PFN_PHYS(pfn));
}

/*
 * Convert a record. @ns is its time. Returns the size of the event, or 0 if
 * kmemtrace has no such event.
 */
static size_t lkst_kmemtrace_convert(struct lkst_kmemtrace_event *event,
				     const struct lkst_event_record *record, s64 ns)
{
	*event = (struct lkst_kmemtrace_event){
		.event_id = LKST_KMEMTRACE_FREE,
		.sequence = ns >> LKST_KMEMTRACE_SEQUENCE_SHIFT,
		.caller = record->arg[0],
		.object = record->arg[1],
	};
	switch (record->event_type) {
	case LKST_ETYPE_MEM_KMALLOC:
		lkst_kmemtrace_object_alloc(event, record->arg[2] >> 32, (u32)record->arg[2],
					    record->arg[3]);
		break;
	case LKST_ETYPE_MEM_KFREE:
		break;
	case LKST_ETYPE_MEM_CACHEALLOC:
		event->type_id = LKST_KMEMTRACE_CACHE;
		lkst_kmemtrace_object_alloc(event, record->arg[2], record->arg[2], record->arg[3]);
		break;
	case LKST_ETYPE_MEM_CACHEFREE:
		event->type_id = LKST_KMEMTRACE_CACHE;
		break;
	case LKST_ETYPE_MEM_PAGEALLOC:
		lkst_kmemtrace_page(event, record->arg[0]);
		event->event_id = LKST_KMEMTRACE_ALLOC;
		event->requested = PAGE_SIZE << (record->arg[1] >> 32);
		event->allocated = event->requested;
		event->flags = record->arg[2];
		event->cpu = LKST_KMEMTRACE_SAME_CPU;
		break;
	case LKST_ETYPE_MEM_PAGEFREE:
		lkst_kmemtrace_page(event, record->arg[0]);
		break;
	default:
		return 0;
	}
	/* The format of kmemtrace does not allow an allocation of 0 bytes. */
	if (event->event_id == LKST_KMEMTRACE_ALLOC && !event->requested)
		return 0;
	event->size = event->event_id == LKST_KMEMTRACE_ALLOC ? sizeof(*event) :
								LKST_KMEMTRACE_FREE_SIZE;
	return event->size;
}

/*
 * Convert the records of a block, and store the events at @to. @to may be at a
 * lower address in the same buffer, so that the events overwrite records: each
 * record is read before its event is stored, and an event is smaller than its
 * record. Returns the size of the events.
 */
static size_t lkst_kmemtrace_convert_block(void *to, const struct lkst_block *block)
{
	const struct lkst_event_record *record = (const void *)block + block->header_size;
	u64 tsc = block->tsc, khz = block->cpu_freq, count = block->count, i;
	s64 monotonic = block->monotonic;
	struct lkst_kmemtrace_event event;
	size_t size, bytes = 0;

	for (i = 0; i < count; i++) {
		s64 age = lkst_ticks_ns(tsc - record[i].clock, khz);

		size = lkst_kmemtrace_convert(&event, &record[i], monotonic - age);
		memcpy(to + bytes, &event, size);
		bytes += size;
	}
	return bytes;
}

/**
 * struct lkst_kmemtrace_read - what a read() has found
 * @bytes: size of the events
 * @lost: number of records that could not be read
 * @next: recid at which the read() began; the next read() continues there if
 *	the copy to user memory fails
 */
struct lkst_kmemtrace_read {
	size_t bytes;
	u64 lost;
	u64 next;
};

/* Convert blocks of @size bytes in lkst_kmemtrace_area to events. */
static void lkst_kmemtrace_convert_blocks(struct lkst_kmemtrace_read *read, size_t size)
{
	size_t at, block_size;

	for (at = 0; at < size; at += block_size) {
		const struct lkst_block *block = lkst_kmemtrace_area + at;
		u64 lost = block->lost + block->dropped + block->unfinished;

		block_size = block->size;
		read->lost += lost;
		if (!at)
			read->next = block->first_recid - lost;
		read->bytes += lkst_kmemtrace_convert_block(lkst_kmemtrace_area + read->bytes,
							    block);
	}
}

/*
 * Copy the events of one read of the buffers. Returns their size, which is 0 if
 * the records that were read are not events of kmemtrace; -EAGAIN if there is
 * no record to read.
 */
static ssize_t lkst_kmemtrace_copy(struct file *file, char __user *to, size_t records)
{
	struct lkst_kmemtrace_read read = {};
	struct lkst_block_seekparam back = {
		.cpu = (unsigned long)file_inode(file)->i_private,
	};
	ssize_t ret;

	if (mutex_lock_interruptible(&lkst_kmemtrace_mutex))
		return -ERESTARTSYS;
	/* An event is smaller than its record, so all events fit. */
	ret = lkst_block_read_kernel(file, lkst_kmemtrace_area,
				     clamp_t(u64, records * sizeof(struct lkst_event_record),
					     LKST_KMEMTRACE_BYTES_MIN, LKST_KMEMTRACE_BYTES));
	if (ret > 0) {
		lkst_kmemtrace_convert_blocks(&read, ret);
		ret = read.bytes;
		if (copy_to_user(to, lkst_kmemtrace_area, read.bytes)) {
			back.recid = read.next;
			ret = lkst_block_seek(file, &back) ?: -EFAULT;
		} else {
			atomic64_add(read.lost * sizeof(struct lkst_kmemtrace_event),
				     &lkst_kmemtrace_overruns);
		}
	} else if (!ret) {
		/* The CPU is offline, and all of its records have been read. */
		ret = -EAGAIN;
	}
	mutex_unlock(&lkst_kmemtrace_mutex);
	return ret;
}

/*
 * The relay interface never waits in read(), so a reader calls poll() first.
 * Programs like cat, which do not call poll(), end when read() returns 0. So a
 * read() returns 0 only if no event is left: it skips records that are not
 * events of kmemtrace, and it also returns events that poll() would not report
 * yet. It flushes only once, so it ends even if the CPU keeps recording.
 */
static ssize_t lkst_kmemtrace_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	size_t records = count / sizeof(struct lkst_kmemtrace_event);
	bool flushed = false;
	ssize_t ret;

	ret = lkst_permission();
	if (ret)
		return ret;
	if (!records)
		return -EINVAL;
	do {
		if (signal_pending(current))
			return -ERESTARTSYS;
		cond_resched();
		ret = lkst_kmemtrace_copy(file, to, records);
		if (ret == -EAGAIN && !flushed) {
			ret = lkst_block_flush(file);
			flushed = true;
		}
	} while (!ret);
	return ret == -EAGAIN ? 0 : ret;
}

static __poll_t lkst_kmemtrace_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &lkst_queue_block_readers, wait);
	return lkst_block_poll(file);
}

static int lkst_kmemtrace_open(struct inode *inode, struct file *file)
{
	int ret = lkst_permission();

	if (ret)
		return ret;
	if (mutex_lock_interruptible(&lkst_kmemtrace_mutex))
		return -ERESTARTSYS;
	if (!lkst_kmemtrace_area)
		lkst_kmemtrace_area = kvmalloc(LKST_KMEMTRACE_BYTES, GFP_KERNEL);
	if (!lkst_kmemtrace_area)
		ret = -ENOMEM;
	mutex_unlock(&lkst_kmemtrace_mutex);
	return ret ?: lkst_block_bind(file, (unsigned long)inode->i_private);
}

static int lkst_kmemtrace_release(struct inode *inode, struct file *file)
{
	lkst_block_release(file);
	return 0;
}

static const struct file_operations lkst_kmemtrace_cpu_fops = {
	.owner = THIS_MODULE,
	.open = lkst_kmemtrace_open,
	.read = lkst_kmemtrace_read,
	.poll = lkst_kmemtrace_poll,
	.release = lkst_kmemtrace_release,
};

static int lkst_kmemtrace_overruns_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%llu\n", (u64)atomic64_read(&lkst_kmemtrace_overruns));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(lkst_kmemtrace_overruns);

static int lkst_kmemtrace_abi_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%d\n", LKST_KMEMTRACE_ABI);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(lkst_kmemtrace_abi);

/**
 * lkst_kmemtrace_start() - create the files
 *
 * Errors are ignored, as is usual for debugfs.
 *
 * Context: after lkst_device_start().
 *
 * Return: 0.
 */
int __init lkst_kmemtrace_start(void)
{
	char name[16];
	unsigned int cpu;

	lkst_kmemtrace_dir = debugfs_create_dir("kmemtrace", NULL);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		debugfs_create_file(name, 0400, lkst_kmemtrace_dir, (void *)(unsigned long)cpu,
				    &lkst_kmemtrace_cpu_fops);
	}
	debugfs_create_file("total_overruns", 0400, lkst_kmemtrace_dir, NULL,
			    &lkst_kmemtrace_overruns_fops);
	debugfs_create_file("abi_version", 0400, lkst_kmemtrace_dir, NULL,
			    &lkst_kmemtrace_abi_fops);
	return 0;
}

/* Remove the files. They cannot be open now. */
void __lkst_exit lkst_kmemtrace_stop(void)
{
	debugfs_remove(lkst_kmemtrace_dir);
	kvfree(lkst_kmemtrace_area);
	lkst_kmemtrace_area = NULL;
}
