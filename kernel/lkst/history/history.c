// SPDX-License-Identifier: GPL-2.0
/*
 * The compressed history (Documentation/lkst/history.rst). A thread reads the
 * buffers of all CPUs in blocks, compresses each block, and adds it as a chunk
 * to the history of its CPU.
 *
 * The thread is an ordinary reader in block mode: it changes nothing in the
 * buffers, and no CPU waits for it. If it is too slow, the CPU overwrites
 * records that are then missing in the history, and the thread counts them.
 *
 * It wakes when a CPU has filled half of its buffer, so it does nothing on an
 * idle machine, and it causes few events itself.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/uio.h>
#include <linux/utsname.h>
#include <linux/wait.h>
#include <uapi/linux/sched/types.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../buffer/buffer.h"
#include "../buffer/queue.h"
#include "../clock/clock.h"
#include "../memory/memory.h"
#include "../read/block_file.h"
#include "history.h"
#include "pack.h"
#include "store.h"

/*
 * A store has a description for each LKST_HISTORY_CHUNK_BYTES of its memory. If
 * chunks are smaller on average, their number limits the history.
 */
#define LKST_HISTORY_CHUNK_BYTES	SZ_1K

/* Minimum time between two attempts to allocate memory, in jiffies. */
#define LKST_HISTORY_RETRY		(60 * HZ)

/* How often the thread checks whether memory is still short, in jiffies. */
#define LKST_HISTORY_BACKOFF		HZ

/*
 * How long the thread compresses before it checks how much CPU time it has
 * taken, in ns.
 */
#define LKST_HISTORY_TURN_NS		(10 * NSEC_PER_MSEC)

/*
 * The thread may save up its share of this time, in ns, and use it at once. So
 * it can catch up with a burst of events.
 */
#define LKST_HISTORY_SAVED_NS		(10LL * NSEC_PER_SEC)

/**
 * struct lkst_history_cpu - the history of a CPU
 * @store: the chunks; NULL: the CPU has no history
 * @lost: number of events that should be in a chunk but are not. Protected by
 *	lkst_history_lock
 * @reported: whether the kernel log says that there was no memory. For the
 *	thread only
 * @region: memory of the chunks
 */
struct lkst_history_cpu {
	struct lkst_store *store;
	u64 lost;
	bool reported;
	struct lkst_region region;
};

static DEFINE_PER_CPU(struct lkst_history_cpu, lkst_histories);

/* Size of each history in bytes; 0: no CPU has one. */
static size_t lkst_history_bytes __ro_after_init;

static unsigned int lkst_history_percent = LKST_HISTORY_SHARE;

/*
 * Protects what lkst_history_status() reads. It is held for short times only,
 * and not while a chunk is copied: a thread with a low priority must not be
 * preempted while others wait for it. Readers of chunks need no lock, see
 * store.c.
 */
static DEFINE_SPINLOCK(lkst_history_lock);

/* What the thread uses. Constant while it runs, except for the contents. */
static struct task_struct *lkst_history_thread;
static struct lkst_block_file *lkst_history_file;
static struct lkst_packer *lkst_history_packer;
static struct lkst_records *lkst_history_records;

/* Value of get_jiffies_64() before which no memory is allocated. */
static u64 lkst_history_retry;

/*
 * Value of ktime_get_ns() at which the CPU time that the thread has taken is
 * within its share.
 */
static s64 lkst_history_due;

/*
 * The accounts of the CPU time: up to which CPU time of the thread, and up to
 * which value of ktime_get_ns(), lkst_history_cpu_ns is complete.
 */
static s64 lkst_history_accounted;
static s64 lkst_history_accounted_at;

static atomic64_t lkst_history_cpu_ns;
static atomic64_t lkst_history_backoffs;
static bool lkst_history_waiting;

/* A block becomes a chunk in place: one header replaces the other. */
static_assert(sizeof(struct lkst_block) == sizeof(struct lkst_records_header));
static_assert(LKST_HISTORY_SIZE_MIN >= 2 * LKST_HISTORY_CHUNK_MAX);

/**
 * lkst_history_init() - set the size of the history
 * @size: size of the history of each CPU in bytes; 0: no history
 *
 * The history of all CPUs may take at most half of the limit on LKST's memory,
 * so that it does not displace the buffers. This function halves the size until
 * it meets this condition.
 */
void __init lkst_history_init(size_t size)
{
	size_t fits = round_down(size, LKST_IMAGE_PAGE);

	while (fits && (u64)fits * num_possible_cpus() > lkst_memory_max() / 2)
		fits = round_down(fits / 2, LKST_IMAGE_PAGE);
	if (fits < LKST_HISTORY_SIZE_MIN)
		fits = 0;
	if (fits < round_down(size, LKST_IMAGE_PAGE))
		pr_notice("lkst: each of %u CPUs gets %zuK of history instead of %zuK (together, they may take at most half of lkst.memory)\n",
			  num_possible_cpus(), fits / SZ_1K, size / SZ_1K);
	lkst_history_bytes = fits;
}

/* Return the size of the history of each CPU in bytes; 0: no CPU has one. */
size_t lkst_history_size(void)
{
	return lkst_history_bytes;
}

/**
 * lkst_history_set_share() - limit the CPU time of the compression
 * @percent: share of one CPU, 1 to 100
 *
 * Context: any.
 */
void lkst_history_set_share(unsigned int percent)
{
	WRITE_ONCE(lkst_history_percent, percent);
}

/* Return the share that lkst_history_set_share() has set. */
unsigned int lkst_history_share(void)
{
	return READ_ONCE(lkst_history_percent);
}

/* --- Memory */

static void lkst_history_free_store(struct lkst_store *store)
{
	if (!store)
		return;
	lkst_memory_uncharge(store->chunk_max * sizeof(*store->chunks));
	kvfree(store->chunks);
	kfree(store);
}

/* Allocate a store without memory for the chunks. Returns NULL on failure. */
static struct lkst_store *lkst_history_alloc_store(int node)
{
	unsigned int max = lkst_history_bytes / LKST_HISTORY_CHUNK_BYTES;
	struct lkst_store *store = kzalloc_node(sizeof(*store), GFP_KERNEL, node);

	if (!store)
		return NULL;
	if (lkst_memory_charge(max * sizeof(*store->chunks))) {
		store->chunks = kvmalloc_array(max, sizeof(*store->chunks), GFP_KERNEL);
		store->chunk_max = max;
		if (store->chunks)
			return store;
		lkst_memory_uncharge(max * sizeof(*store->chunks));
	}
	kfree(store);
	return NULL;
}

/* Give a CPU its history. Returns 0 or -ENOMEM. */
static int lkst_history_provide(int cpu)
{
	struct lkst_history_cpu *to = per_cpu_ptr(&lkst_histories, cpu);
	struct lkst_store *store = lkst_history_alloc_store(cpu_to_node(cpu));

	if (!store)
		return -ENOMEM;
	if (lkst_region_alloc(&to->region, lkst_history_bytes, cpu_to_node(cpu),
			      !lkst_buffer_fits(lkst_history_bytes))) {
		lkst_history_free_store(store);
		return -ENOMEM;
	}
	lkst_store_init(store, to->region.address, lkst_history_bytes, store->chunks,
			store->chunk_max);
	lkst_region_sign(&to->region, LKST_IMAGE_HISTORY, cpu, LKST_BUFFER_ID_VOID);
	/* Pairs with the acquire in lkst_history_store(). */
	smp_store_release(&to->store, store);
	return 0;
}

/* Return the chunks of a CPU, or NULL. LKST must not be unloaded meanwhile. */
static struct lkst_store *lkst_history_store(int cpu)
{
	/* Pairs with the release in lkst_history_provide(). */
	return smp_load_acquire(per_cpu_ptr(&lkst_histories.store, cpu));
}

/*
 * Return the chunks of a CPU. If it has none, give it its history, which begins
 * with the oldest record that exists. Returns NULL if memory is short, or was
 * short recently.
 */
static struct lkst_store *lkst_history_get(int cpu)
{
	struct lkst_store *store = lkst_history_store(cpu);
	bool *reported = per_cpu_ptr(&lkst_histories.reported, cpu);

	if (store || time_before64(get_jiffies_64(), lkst_history_retry))
		return store;
	if (!lkst_history_provide(cpu)) {
		lkst_block_rewind(lkst_history_file, cpu);
		return lkst_history_store(cpu);
	}
	lkst_history_retry = get_jiffies_64() + LKST_HISTORY_RETRY;
	if (!*reported)
		pr_notice("lkst: CPU %d has no history: %s\n", cpu,
			  lkst_memory_used() + lkst_history_bytes > lkst_memory_max() ?
			  "the limit lkst.memory is reached" : "memory is short");
	*reported = true;
	return NULL;
}

/* --- Compression */

/*
 * Replace the header of a block with that of a chunk, and clear the bits of the
 * records that have no meaning, because they do not compress.
 */
static void lkst_history_describe(struct lkst_records *records, const struct lkst_block *block)
{
	u32 us, ns;
	u64 s = div_u64_rem(block->wall, NSEC_PER_SEC, &ns);
	u64 i;

	us = ns / NSEC_PER_USEC;
	records->header = (struct lkst_records_header) {
		.cpu = block->cpu,
		.buffer = block->buffer,
		.clock_kind = block->clock,
		.record_size = sizeof(*records->record),
		.count = block->count,
		.first_recid = block->first_recid,
		.xtime_s = s,
		.xtime_us = us,
		.xtime_ns = ns - us * NSEC_PER_USEC,
		.tsc = block->tsc,
		.freq_khz = block->cpu_freq,
		.record_version = LKST_BUFFER_VERSION,
		.flags = LKST_RECORDS_HAS_MONOTONIC,
		.monotonic_ns = block->monotonic,
	};
	strscpy_pad(records->header.arch, init_utsname()->machine, sizeof(records->header.arch));
	for (i = 0; i < block->count; i++)
		records->record[i].flags &= LKST_RECORD_FLAGS;
}

/*
 * Count events of a CPU that are in no chunk. Called with lkst_history_lock
 * held.
 */
static void lkst_history_lose(int cpu, u64 lost)
{
	per_cpu(lkst_histories.lost, cpu) += lost;
}

/*
 * Add a chunk to the history of a CPU. @lost is the number of events before it
 * that are in no chunk.
 */
static void lkst_history_add(struct lkst_store *store, const struct lkst_records *records,
			     u64 lost)
{
	s64 since = lkst_time_to_wall(records->header.clock_kind, records->record[0].clock);
	struct lkst_chunk_header chunk;
	const void *payload;
	void *to;

	payload = lkst_pack(lkst_history_packer, records, &chunk);
	spin_lock(&lkst_history_lock);
	to = lkst_store_reserve(store, chunk.length);
	spin_unlock(&lkst_history_lock);
	memcpy(to, payload, chunk.length);
	cond_resched();
	spin_lock(&lkst_history_lock);
	lkst_store_commit(store, &chunk, records->header.count, since);
	lkst_history_lose(records->header.cpu, lost);
	spin_unlock(&lkst_history_lock);
}

/*
 * Compress a block of a CPU, or skip its records if it has no history. Returns
 * false if there is no block now.
 */
static bool lkst_history_one(int cpu)
{
	struct kvec area = { .iov_base = lkst_history_records,
			     .iov_len = sizeof(*lkst_history_records) };
	struct lkst_store *store = lkst_history_get(cpu);
	struct lkst_block block;
	struct iov_iter to;
	u64 lost;

	if (!store) {
		lkst_block_skip(lkst_history_file, cpu);
		return true;
	}
	iov_iter_kvec(&to, ITER_DEST, &area, 1, area.iov_len);
	if (lkst_block_one(lkst_history_file, cpu, &to))
		return false;
	memcpy(&block, lkst_history_records, sizeof(block));
	lost = block.lost + block.dropped + block.unfinished;
	if (block.count) {
		lkst_history_describe(lkst_history_records, &block);
		lkst_history_add(store, lkst_history_records, lost);
	} else {
		spin_lock(&lkst_history_lock);
		lkst_history_lose(cpu, lost);
		spin_unlock(&lkst_history_lock);
	}
	return true;
}

/* --- The thread */

static bool lkst_history_has_work(void)
{
	return lkst_block_choose(lkst_history_file) >= 0;
}

/*
 * Whether memory is short: less than a sixteenth of it is available. The thread
 * itself needs no more memory, but the CPU time is then better spent on
 * reclaiming memory.
 */
static bool lkst_history_memory_short(void)
{
	return si_mem_available() < (long)(totalram_pages() / 16);
}

/*
 * Sleep for @timeout jiffies. The freezer and kthread_stop() end the sleep
 * early.
 */
static void lkst_history_sleep(long timeout)
{
	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_timeout(timeout);
	__set_current_state(TASK_RUNNING);
	try_to_freeze();
}

/*
 * Add the CPU time that the thread has taken since the last call to its
 * accounts. Returns it in ns. The scheduler updates the CPU time at ticks and
 * when the thread sleeps. The rest is in the result of a later call.
 *
 * On 32-bit, the scheduler may write the CPU time while it is read. So the
 * result is limited to the time that has passed.
 */
static u64 lkst_history_account(void)
{
	s64 runtime = current->se.sum_exec_runtime, now = ktime_get_ns();
	s64 taken = clamp_t(s64, runtime - lkst_history_accounted, 0,
			    now - lkst_history_accounted_at);

	lkst_history_accounted = runtime;
	lkst_history_accounted_at = now;
	atomic64_add(taken, &lkst_history_cpu_ns);
	return taken;
}

/* Account for a turn, and sleep until the CPU time is within the share. */
static void lkst_history_rest(void)
{
	u64 taken = lkst_history_account();
	s64 now = lkst_history_accounted_at;

	lkst_history_due = max(lkst_history_due, now - LKST_HISTORY_SAVED_NS) +
			   div_u64(taken * 100, lkst_history_share());
	if (lkst_history_due > now)
		lkst_history_sleep(nsecs_to_jiffies(lkst_history_due - now) + 1);
	else
		try_to_freeze();
}

/* Compress what is ready, for at most LKST_HISTORY_TURN_NS. */
static void lkst_history_turn(void)
{
	u64 begin = ktime_get_ns();
	int cpu;

	do {
		cpu = lkst_block_choose(lkst_history_file);
		if (cpu < 0)
			break;
		if (!lkst_history_one(cpu))
			lkst_block_put_off(lkst_history_file, cpu);
		cond_resched();
	} while (ktime_get_ns() - begin < LKST_HISTORY_TURN_NS && !kthread_should_stop());
	lkst_history_rest();
}

/* Wait as long as memory is short. */
static void lkst_history_back_off(void)
{
	if (!lkst_history_memory_short())
		return;
	atomic64_inc(&lkst_history_backoffs);
	WRITE_ONCE(lkst_history_waiting, true);
	while (lkst_history_memory_short() && !kthread_should_stop())
		lkst_history_sleep(LKST_HISTORY_BACKOFF);
	WRITE_ONCE(lkst_history_waiting, false);
}

static int lkst_history_run(void *unused)
{
	static const struct sched_attr idle = {
		.size = sizeof(idle),
		.sched_policy = SCHED_IDLE,
	};

	if (sched_setattr_nocheck(current, &idle))
		set_user_nice(current, MAX_NICE);
	set_freezable();
	lkst_history_accounted_at = ktime_get_ns();
	while (!kthread_should_stop()) {
		wait_event_freezable_timeout(lkst_queue_block_readers,
					     lkst_history_has_work() || kthread_should_stop(),
					     lkst_block_sleep_timeout(lkst_history_file));
		lkst_history_back_off();
		if (kthread_should_stop())
			break;
		lkst_history_turn();
	}
	return 0;
}

/* Free everything. The thread does not run. */
static void __lkst_exit lkst_history_free(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct lkst_history_cpu *from = per_cpu_ptr(&lkst_histories, cpu);

		if (from->store)
			lkst_region_free(&from->region);
		lkst_history_free_store(from->store);
		from->store = NULL;
	}
	if (lkst_history_file)
		lkst_block_close(lkst_history_file);
	lkst_history_file = NULL;
	lkst_packer_close(lkst_history_packer);
	lkst_history_packer = NULL;
	if (lkst_history_records)
		lkst_memory_uncharge(sizeof(*lkst_history_records));
	kvfree(lkst_history_records);
	lkst_history_records = NULL;
}

/* Allocate what the thread needs. Returns 0 or -ENOMEM. */
static int __init lkst_history_alloc(void)
{
	lkst_history_packer = lkst_packer_open();
	lkst_history_file = lkst_block_open(-1);
	if (!lkst_history_packer || !lkst_history_file ||
	    !lkst_memory_charge(sizeof(*lkst_history_records)))
		return -ENOMEM;
	lkst_history_records = kvmalloc(sizeof(*lkst_history_records), GFP_KERNEL);
	if (!lkst_history_records) {
		lkst_memory_uncharge(sizeof(*lkst_history_records));
		return -ENOMEM;
	}
	lkst_history_file->passive = true;
	/* The records stay in the buffer until half of it is full. */
	lkst_history_file->timeout = 0;
	return 0;
}

/**
 * lkst_history_start() - start the history, if it is configured
 *
 * Context: may sleep. All CPUs that are online have a buffer.
 *
 * Return: 0, even if there is no memory for the history.
 */
int __init lkst_history_start(void)
{
	struct task_struct *thread;
	int cpu;

	if (!lkst_history_bytes)
		return 0;
	if (!lkst_history_alloc()) {
		for_each_online_cpu(cpu)
			lkst_history_get(cpu);
		thread = kthread_run(lkst_history_run, NULL, "lkst_history");
		if (!IS_ERR(thread)) {
			WRITE_ONCE(lkst_history_thread, thread);
			return 0;
		}
	}
	lkst_history_free();
	lkst_history_bytes = 0;
	pr_warn("lkst: no memory for the history\n");
	return 0;
}

/* Stop the history. No thread reads it any longer. */
void __lkst_exit lkst_history_stop(void)
{
	if (!lkst_history_thread)
		return;
	/* On a busy machine, a thread that runs on idle CPUs only would not end. */
	sched_set_normal(lkst_history_thread, 0);
	kthread_stop(lkst_history_thread);
	lkst_history_thread = NULL;
	lkst_history_free();
}

/* --- The ioctls */

/**
 * struct lkst_history_copy - a copy in progress
 * @store: source
 * @number: number of the next chunk
 * @done: number of bytes that have been copied
 * @skipped: number of chunks that were overwritten before they were copied
 */
struct lkst_history_copy {
	const struct lkst_store *store;
	u64 number;
	u64 done;
	u64 skipped;
};

/* Continue with the oldest chunk. */
static void lkst_history_copy_skip(struct lkst_history_copy *copy)
{
	u64 first = lkst_store_first(copy->store);

	copy->skipped += first - copy->number;
	copy->number = first;
}

/*
 * Copy the next chunk. Returns 0 if it was copied or has been overwritten;
 * -ENOBUFS if it does not fit; -EINVAL if the memory cannot be written.
 */
static int lkst_history_copy_one(struct lkst_history_copy *copy, struct iov_iter *to)
{
	struct lkst_store_chunk chunk;
	size_t copied;

	if (!lkst_store_find(copy->store, copy->number, &chunk)) {
		lkst_history_copy_skip(copy);
		return 0;
	}
	if (iov_iter_count(to) < chunk.bytes)
		return -ENOBUFS;
	/* The copy is discarded if the chunk was overwritten in the meantime. */
	copied = data_race(copy_to_iter(lkst_store_chunk_data(copy->store, &chunk), chunk.bytes,
					to));
	if (copied != chunk.bytes)
		return -EINVAL;
	if (!lkst_store_intact(copy->store, copy->number)) {
		iov_iter_revert(to, copied);
		lkst_history_copy_skip(copy);
		return 0;
	}
	copy->number++;
	copy->done += copied;
	return 0;
}

/**
 * lkst_history_read() - copy chunks (LKST_IOC_HISTORY_READ)
 * @param: the CPU and the position; receives the result
 * @to: destination, @param->size bytes
 *
 * Context: may sleep.
 *
 * Return: 0; -ENODATA: there is no history; -EINVAL: there is no such CPU, the
 * position is not valid, or @to cannot be written; -ENOBUFS: the next chunk
 * does not fit.
 */
int lkst_history_read(struct lkst_history_read *param, struct iov_iter *to)
{
	struct lkst_history_copy copy = {};
	int ret = 0;

	if (!lkst_cpu_valid(param->cpu))
		return -EINVAL;
	if (!READ_ONCE(lkst_history_thread))
		return -ENODATA;
	copy.store = lkst_history_store(param->cpu);
	if (!copy.store) {
		if (param->position > LKST_STORE_FIRST)
			return -EINVAL;
		param->position = LKST_STORE_FIRST;
		param->result = 0;
		param->skipped = 0;
		return 0;
	}
	copy.number = param->position ?: lkst_store_first(copy.store);
	if (copy.number > lkst_store_next(copy.store))
		return -EINVAL;
	while (!ret && copy.number < lkst_store_next(copy.store) &&
	       !fatal_signal_pending(current)) {
		ret = lkst_history_copy_one(&copy, to);
		cond_resched();
	}
	if (ret == -EINVAL || (ret && !copy.done))
		return ret;
	param->position = copy.number;
	param->result = copy.done;
	param->skipped = copy.skipped;
	return 0;
}

static void lkst_history_status_cpu(struct lkst_history_status *status,
				    const struct lkst_store *store)
{
	struct lkst_store_chunk oldest;
	u64 first = lkst_store_first(store);

	status->size = store->size;
	status->used = store->used;
	status->chunks = lkst_store_next(store) - first;
	status->events = store->events;
	status->overwritten = store->overwritten;
	if (status->chunks && lkst_store_find(store, first, &oldest))
		status->since = oldest.since;
}

/**
 * lkst_history_status() - describe the history of a CPU
 *	(LKST_IOC_HISTORY_STATUS)
 * @status: the CPU; receives the description
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if @status->cpu is not a possible CPU.
 */
int lkst_history_status(struct lkst_history_status *status)
{
	const struct lkst_store *store;

	if (!lkst_cpu_valid(status->cpu))
		return -EINVAL;
	*status = (struct lkst_history_status) { .cpu = status->cpu };
	if (!READ_ONCE(lkst_history_thread))
		return 0;
	status->flags = LKST_HISTORY_ON;
	if (READ_ONCE(lkst_history_waiting))
		status->flags |= LKST_HISTORY_WAITING;
	status->cpu_ns = atomic64_read(&lkst_history_cpu_ns);
	status->backoffs = atomic64_read(&lkst_history_backoffs);
	store = lkst_history_store(status->cpu);
	spin_lock(&lkst_history_lock);
	status->lost = per_cpu(lkst_histories.lost, status->cpu);
	if (store)
		lkst_history_status_cpu(status, store);
	spin_unlock(&lkst_history_lock);
	return 0;
}
