// SPDX-License-Identifier: GPL-2.0
/*
 * Create, delete and link the event buffers of each CPU (specification 4.2.2,
 * 4.7.1.3, 4.7.2.4).
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/lkst_etypes.h>

#include "buffer.h"
#include "../base/cpu_request.h"
#include "cpucall.h"
#include "emit.h"
#include "long_ring.h"
#include "queue.h"
#include "shift.h"
#include "../base/stage.h"
#include "../memory/static_buffer.h"

struct lkst_ring lkst_ring_void __ro_after_init = { .index = LKST_INDEX_CLOSED };
DEFINE_PER_CPU(struct lkst_ring *, lkst_ring_current) = &lkst_ring_void;
DEFINE_PER_CPU(struct lkst_cpu *, lkst_cpu);
DEFINE_PER_CPU(unsigned long, lkst_buffer_lost);

/*
 * Protects the tables of buffers and lkst_buffer.next. Nests inside
 * cpus_read_lock(), because the callback for a CPU that comes online takes it
 * with hotplug locked. User memory must not be accessed while it is held.
 */
DEFINE_MUTEX(lkst_buffer_mutex);

/*
 * Serializes the creation of buffers: an id that was found free stays free
 * while memory is allocated. Nests inside cpus_read_lock() and outside
 * lkst_buffer_mutex.
 */
static DEFINE_MUTEX(lkst_create_mutex);

static size_t lkst_buffer_default_size;		/* constant after lkst_buffer_init() */

/**
 * lkst_buffer_alloc() - allocate a buffer that no table contains yet
 * @cpu: CPU that will record to the buffer
 * @size: size in bytes of the space for records
 * @reserved_only: whether it must be in reserved memory
 *
 * Context: may sleep.
 *
 * Return: the buffer, with a reference for the caller; NULL: the allocation
 * failed.
 */
struct lkst_buffer *lkst_buffer_alloc(int cpu, size_t size, bool reserved_only)
{
	int node = cpu_to_node(cpu);
	struct lkst_buffer *buffer;

	buffer = kzalloc_node(sizeof(*buffer), GFP_KERNEL, node);
	if (!buffer)
		return NULL;
	if (lkst_region_alloc(&buffer->region, size, node, reserved_only)) {
		kfree(buffer);
		return NULL;
	}
	buffer->session.clock = lkst_clock_current();
	lkst_ring_init(&buffer->ring, buffer->region.address,
		       size / sizeof(struct lkst_event_record), buffer->session.clock);
	seqcount_init(&buffer->session_seq);
	lkst_time_read(&buffer->session.start);
	kref_init(&buffer->ref);
	buffer->cpu = cpu;
	buffer->next = LKST_BUFFER_ID_VOID;
	return buffer;
}

static void lkst_buffer_free(struct kref *ref)
{
	struct lkst_buffer *buffer = container_of(ref, struct lkst_buffer, ref);

	lkst_region_free(&buffer->region);
	kfree(buffer);
}

/**
 * lkst_buffer_put() - drop a reference to a buffer
 * @buffer: from lkst_buffer_get(), or NULL
 *
 * Context: may sleep.
 */
void lkst_buffer_put(struct lkst_buffer *buffer)
{
	if (buffer)
		kref_put(&buffer->ref, lkst_buffer_free);
}

/*
 * Whether a buffer that LKST creates automatically may use ordinary memory. The
 * buffer must leave an eighth of the machine's memory available. On a machine
 * where huge pages or programs hold nearly all memory, no buffer meets this
 * condition. So a buffer is also allowed if it takes at most an eighth of the
 * memory that is available now. The smallest buffer is always allowed: using a
 * few pages is better than losing all events of a CPU.
 */
bool lkst_buffer_fits(size_t size)
{
	long pages = DIV_ROUND_UP(size, PAGE_SIZE), available = si_mem_available();

	return size == LKST_BUFFER_SIZE_MIN || pages <= available / 8 ||
	       available - pages >= (long)(totalram_pages() / 8);
}

/*
 * Allocate a buffer of the default size, or halve the size until it fits.
 * Returns NULL if not even the smallest size can be allocated.
 */
static struct lkst_buffer *lkst_buffer_alloc_fitting(int cpu)
{
	struct lkst_buffer *buffer;
	size_t size;

	for (size = lkst_buffer_default_size; size >= LKST_BUFFER_SIZE_MIN;
	     size = round_down(size / 2, LKST_BUFFER_SIZE_MIN)) {
		buffer = lkst_buffer_alloc(cpu, size, !lkst_buffer_fits(size));
		if (!buffer)
			continue;
		if (size < lkst_buffer_default_size)
			pr_warn("lkst: memory is short: CPU %d gets a buffer of %zu KB instead of %zu\n",
				cpu, size / SZ_1K, lkst_buffer_default_size / SZ_1K);
		return buffer;
	}
	return NULL;
}

/* The tables */

/*
 * Return the struct lkst_cpu of a CPU, which is allocated on first use. Returns
 * NULL if the allocation fails.
 */
static struct lkst_cpu *lkst_cpu_get(int cpu)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);

	lockdep_assert_held(&lkst_buffer_mutex);
	if (c)
		return c;
	c = kzalloc_node(sizeof(*c), GFP_KERNEL, cpu_to_node(cpu));
	if (!c)
		return NULL;
	lkst_queue_init_cpu(c);
	/* Pairs with the address dependency of readers. */
	smp_store_release(per_cpu_ptr(&lkst_cpu, cpu), c);
	return c;
}

static struct lkst_buffer *lkst_buffer_find(int cpu, lkst_buffer_id id)
{
	struct lkst_cpu *c;

	lockdep_assert_held(&lkst_buffer_mutex);
	if (!lkst_cpu_valid(cpu) || !lkst_buffer_id_valid(id))
		return NULL;
	c = per_cpu(lkst_cpu, cpu);
	return c ? c->buffers[id] : NULL;
}

static void lkst_buffer_insert(struct lkst_cpu *c, struct lkst_buffer *buffer, lkst_buffer_id id)
{
	buffer->id = id;
	lkst_region_sign(&buffer->region, LKST_IMAGE_BUFFER, buffer->cpu, id);
	/*
	 * Pairs with the address dependency of readers without
	 * lkst_buffer_mutex.
	 */
	smp_store_release(&c->buffers[id], buffer);
	__set_bit(id, c->ids);
}

/* Return the lowest id that is free on all @cpus, or LKST_BUFFER_ID_VOID. */
static lkst_buffer_id lkst_buffer_free_id(const struct cpumask *cpus)
{
	lkst_buffer_id id;
	int cpu;

	for (id = 0; id <= LKST_BUFFER_ID_MAX; id++) {
		for_each_cpu(cpu, cpus)
			if (lkst_buffer_find(cpu, id))
				break;
		if (cpu >= nr_cpu_ids)
			return id;
	}
	return LKST_BUFFER_ID_VOID;
}

/**
 * lkst_buffer_get() - find a buffer and take a reference to it
 * @cpu: CPU number, not validated by the caller
 * @id: buffer id, not validated by the caller
 *
 * Context: may sleep.
 *
 * Return: the buffer, to be released with lkst_buffer_put(), or NULL if it does
 * not exist.
 */
struct lkst_buffer *lkst_buffer_get(int cpu, lkst_buffer_id id)
{
	struct lkst_buffer *buffer;

	mutex_lock(&lkst_buffer_mutex);
	buffer = lkst_buffer_find(cpu, id);
	if (buffer)
		kref_get(&buffer->ref);
	mutex_unlock(&lkst_buffer_mutex);
	return buffer;
}

/* Return the id of the buffer that @cpu records to, or LKST_BUFFER_ID_VOID. */
lkst_buffer_id lkst_buffer_written(int cpu)
{
	struct lkst_buffer *buffer;
	lkst_buffer_id id;

	mutex_lock(&lkst_buffer_mutex);
	buffer = lkst_ring_buffer(READ_ONCE(per_cpu(lkst_ring_current, cpu)));
	id = buffer ? buffer->id : LKST_BUFFER_ID_VOID;
	mutex_unlock(&lkst_buffer_mutex);
	return id;
}

/*
 * Return the id of the buffer of @cpu that read() is reading, or
 * LKST_BUFFER_ID_VOID.
 */
lkst_buffer_id lkst_buffer_being_read(int cpu)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);

	return c ? READ_ONCE(c->reading) : LKST_BUFFER_ID_VOID;
}

/*
 * Return the number of events lost since boot, for the reasons that struct
 * lkst_trc_status.lost lists.
 */
u64 lkst_buffer_lost_total(void)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu(lkst_buffer_lost, cpu));
	return lost;
}

/* --- Buffers that LKST creates automatically */

/* Return an unused buffer of the CPU, or NULL. */
static struct lkst_buffer *lkst_buffer_spare(const struct lkst_cpu *c)
{
	int id;

	for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1)
		if (lkst_buffer_state(c->buffers[id]) == LKST_BUFFER_FREE)
			return c->buffers[id];
	return NULL;
}

/*
 * Create a buffer for @cpu. It gets the same next buffer as the CPU's current
 * buffer, or none if that would be the new buffer itself. Returns NULL if the
 * allocation fails or no id is free.
 */
static struct lkst_buffer *lkst_buffer_add(struct lkst_cpu *c, int cpu)
{
	struct lkst_buffer *current_buffer, *buffer;
	lkst_buffer_id id = lkst_buffer_free_id(cpumask_of(cpu));

	if (id == LKST_BUFFER_ID_VOID)
		return NULL;
	buffer = lkst_buffer_alloc_fitting(cpu);
	if (!buffer)
		return NULL;
	current_buffer = lkst_ring_buffer(READ_ONCE(per_cpu(lkst_ring_current, cpu)));
	if (current_buffer && current_buffer->next != id)
		buffer->next = current_buffer->next;
	lkst_buffer_insert(c, buffer, id);
	return buffer;
}

/*
 * Find or create a buffer that @cpu can switch to. Returns its id, or
 * LKST_BUFFER_ID_VOID. An unused buffer is the last choice, because a user
 * created it for another purpose.
 */
static lkst_buffer_id lkst_buffer_provide(int cpu)
{
	struct lkst_cpu *c = lkst_cpu_get(cpu);
	struct lkst_buffer *buffer;

	if (!c)
		return LKST_BUFFER_ID_VOID;
	buffer = lkst_buffer_add(c, cpu) ?: lkst_buffer_spare(c);
	return buffer ? buffer->id : LKST_BUFFER_ID_VOID;
}

static void lkst_buffer_missing(int cpu)
{
	lkst_error(LKST_ERROR_NO_BUFFER, cpu);
	pr_warn("lkst: no memory for a buffer of CPU %d: its events are lost until it gets one\n",
		cpu);
}

/*
 * Requests for a renewal. In a renewal, the CPU leaves a buffer whose clock is
 * not the current clock, or gets a buffer if the CPU has none. The requests are
 * allocated statically, so a request cannot fail for lack of memory.
 */
static DEFINE_PER_CPU(struct lkst_cpu_request, lkst_renewal_requests);

/*
 * Id of the buffer that the CPU switches to at a renewal, or
 * LKST_BUFFER_ID_VOID. Written under lkst_buffer_mutex.
 */
static DEFINE_PER_CPU(lkst_buffer_id, lkst_renewal_id) = LKST_BUFFER_ID_VOID;

/*
 * Whether @cpu records with the current clock. To keep the buffer from being
 * freed, the caller holds lkst_buffer_mutex, or runs on @cpu with interrupts
 * off.
 */
static bool lkst_buffer_is_current(int cpu)
{
	struct lkst_buffer *buffer = lkst_ring_buffer(READ_ONCE(per_cpu(lkst_ring_current, cpu)));

	return buffer && READ_ONCE(buffer->session.clock) == lkst_clock_current();
}

/*
 * Switch @cpu to its new buffer. If that fails, the CPU stops recording,
 * because records with a wrong clock are worse than none. Called on @cpu with
 * interrupts off, or with lkst_buffer_mutex held while @cpu is offline.
 */
static void lkst_renewal_run(int cpu)
{
	lkst_buffer_id id = READ_ONCE(per_cpu(lkst_renewal_id, cpu));

	/*
	 * An earlier request or a user may already have switched the CPU to a
	 * buffer with the current clock.
	 */
	if (lkst_buffer_is_current(cpu) || !lkst_shift_to(cpu, id))
		return;
	if (READ_ONCE(per_cpu(lkst_ring_current, cpu)) == &lkst_ring_void)
		return;
	lkst_shift_to_void(cpu, 0);
	lkst_buffer_missing(cpu);
}

static void lkst_renewal_requested(struct lkst_cpu_request *unused)
{
	lkst_renewal_run(raw_smp_processor_id());
	lkst_queue_wake();
}

/*
 * Find or create a buffer that a CPU can switch to, and send the CPU a request
 * to switch. Returns whether there is such a buffer.
 */
static bool lkst_buffer_renew_cpu(int cpu)
{
	struct lkst_buffer *buffer = lkst_buffer_find(cpu, per_cpu(lkst_renewal_id, cpu));
	unsigned long flags;

	/*
	 * If the CPU has not responded to the previous request, it has not used
	 * the buffer of that request. Reuse that buffer.
	 */
	if (!buffer || lkst_buffer_state(buffer) != LKST_BUFFER_FREE)
		WRITE_ONCE(per_cpu(lkst_renewal_id, cpu), lkst_buffer_provide(cpu));
	if (cpu_online(cpu)) {
		lkst_cpu_request_send(cpu, per_cpu_ptr(&lkst_renewal_requests, cpu));
	} else {
		local_irq_save(flags);
		lkst_renewal_run(cpu);
		local_irq_restore(flags);
		lkst_queue_wake_cpu(cpu);
	}
	return per_cpu(lkst_renewal_id, cpu) != LKST_BUFFER_ID_VOID;
}

/*
 * Whether a CPU needs another buffer: its current buffer has an old clock, or
 * the CPU has no buffer. A CPU that is offline and not recording needs no
 * buffer.
 */
static bool lkst_buffer_needs_renewal(int cpu)
{
	return !lkst_buffer_is_current(cpu) &&
	       (cpu_online(cpu) || READ_ONCE(per_cpu(lkst_ring_current, cpu)) != &lkst_ring_void);
}

/*
 * Make every CPU record with the current clock. Returns false if there is no
 * buffer for a CPU that needs one.
 *
 * A buffer has one clock. When the clock changes, every CPU switches to another
 * buffer. The old buffers stay readable. If a CPU does not get a buffer, it
 * stops recording and its events count as lost. The next call tries again. This
 * function does not wait for any CPU, because a CPU may be stuck.
 */
static bool lkst_buffer_renew(void)
{
	bool enough = true;
	int cpu;

	cpus_read_lock();
	mutex_lock(&lkst_create_mutex);
	mutex_lock(&lkst_buffer_mutex);
	for_each_possible_cpu(cpu)
		if (lkst_buffer_needs_renewal(cpu) && !lkst_buffer_renew_cpu(cpu))
			enough = false;
	mutex_unlock(&lkst_buffer_mutex);
	mutex_unlock(&lkst_create_mutex);
	cpus_read_unlock();
	return enough;
}

static bool lkst_clock_renew(unsigned int from)
{
	unsigned int now = lkst_clock_current();
	bool enough = lkst_buffer_renew();

	if (now != from)
		lkst_emit_own(LKST_ETYPE_LKST_CLOCK, from, now, 0, 0);
	return enough;
}

static void lkst_clock_record_time(void)
{
	lkst_emit_time();
	lkst_long_record_time();
	lkst_shift_rewrite_header();
}

const struct lkst_clock_client lkst_clock_client = {
	.record_time = lkst_clock_record_time,
	.renew = lkst_clock_renew,
};

/*
 * Give a CPU a buffer, unless it is already recording to one. Returns whether
 * the CPU has a buffer afterwards.
 */
static bool lkst_buffer_assign(int cpu)
{
	bool assigned = true;

	mutex_lock(&lkst_buffer_mutex);
	if (per_cpu(lkst_ring_current, cpu) == &lkst_ring_void) {
		lkst_buffer_id id = lkst_buffer_provide(cpu);

		preempt_disable();
		assigned = !lkst_shift_to(cpu, id);
		preempt_enable();
	}
	mutex_unlock(&lkst_buffer_mutex);
	return assigned;
}

/*
 * Whether a CPU may record. This is not the same as cpu_online_mask: a CPU that
 * goes offline leaves that mask first, but continues to record until it is
 * dead. Written only before the CPU starts and after it is dead, or by
 * lkst_buffer_start().
 */
static DEFINE_PER_CPU(bool, lkst_buffer_recording);

/**
 * lkst_buffer_cpu_records() - whether a CPU may record
 * @cpu: a possible CPU
 *
 * Context: any.
 *
 * Return: true if it may. If false, all its records are visible to the caller.
 */
bool lkst_buffer_cpu_records(int cpu)
{
	/* Pairs with the release in lkst_buffer_dead_cpu(). */
	return smp_load_acquire(per_cpu_ptr(&lkst_buffer_recording, cpu));
}

/*
 * Give a CPU a buffer before it comes online. If the allocation fails, the CPU
 * comes online anyway, and its events are lost. Returns 0.
 */
static int lkst_buffer_prepare_cpu(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(lkst_buffer_recording, cpu), true);
	if (!lkst_buffer_assign(cpu))
		lkst_buffer_missing(cpu);
	return 0;
}

/*
 * Make the last records of a CPU readable. The CPU is offline and is no longer
 * recording. Returns 0.
 */
static int lkst_buffer_dead_cpu(unsigned int cpu)
{
	/* Makes the CPU's records visible: see lkst_buffer_cpu_records(). */
	smp_store_release(per_cpu_ptr(&lkst_buffer_recording, cpu), false);
	lkst_queue_wake_cpu(cpu);
	return 0;
}

/*
 * Point all CPUs to lkst_ring_void. In a module, the static initializer does
 * not do this: per-CPU pointers of a module start as NULL.
 */
void __init lkst_buffer_set_void(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (!per_cpu(lkst_ring_current, cpu))
			per_cpu(lkst_ring_current, cpu) = &lkst_ring_void;
}

/**
 * lkst_buffer_init() - create the first buffer, for the CPU that runs this
 * @size: size in bytes of each buffer that LKST creates automatically; rounded
 *	down to a multiple of 4 KB
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_buffer_init(size_t size)
{
	lkst_buffer_set_void();
	lkst_buffer_default_size = clamp_t(size_t, round_down(size, LKST_BUFFER_SIZE_MIN),
					   LKST_BUFFER_SIZE_MIN, LKST_BUFFER_SIZE_MAX);
	/*
	 * If LKST is a module, this thread may migrate at any time. It is
	 * enough that one CPU gets a buffer here.
	 */
	return lkst_buffer_assign(raw_smp_processor_id()) ? 0 : -ENOMEM;
}

static enum cpuhp_state lkst_buffer_state_prepare;

/**
 * lkst_buffer_start() - give each CPU a buffer, now or when it comes online
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_buffer_start(void)
{
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		lkst_cpu_request_init(per_cpu_ptr(&lkst_renewal_requests, cpu),
				      lkst_renewal_requested);
	/*
	 * Call lkst_buffer_prepare_cpu() here for the CPUs that are online.
	 * Kernels from before mid-2024 do not call the callback of a
	 * CPUHP_BP_PREPARE_DYN state for CPUs that are already online.
	 */
	cpus_read_lock();
	ret = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN, "lkst:prepare",
						   lkst_buffer_prepare_cpu, lkst_buffer_dead_cpu);
	if (ret >= 0)
		for_each_online_cpu(cpu)
			lkst_buffer_prepare_cpu(cpu);
	cpus_read_unlock();
	lkst_buffer_state_prepare = ret;
	return ret < 0 ? ret : 0;
}

/* Stop giving buffers to CPUs that come online. */
void __lkst_exit lkst_buffer_stop(void)
{
	cpuhp_remove_state_nocalls(lkst_buffer_state_prepare);
}

static void __lkst_exit lkst_cpu_free(struct lkst_cpu *c)
{
	int id;

	irq_work_sync(&c->wake);
	for (id = 0; id <= LKST_BUFFER_ID_MAX; id++)
		lkst_buffer_put(c->buffers[id]);
	kfree(c);
}

/**
 * lkst_buffer_free_all() - free all buffers
 *
 * Context: may sleep. Recording has stopped, and no reference from
 * lkst_buffer_get() is left.
 */
void __lkst_exit lkst_buffer_free_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(lkst_ring_current, cpu), &lkst_ring_void);
	lkst_long_remove_all();
	lkst_cpu_request_drain();
	/*
	 * Wait for events that loaded lkst_ring_current, or the address of a
	 * long ring, before it changed.
	 */
	lkst_synchronize();
	lkst_long_free_all();
	for_each_possible_cpu(cpu) {
		if (!per_cpu(lkst_cpu, cpu))
			continue;
		lkst_cpu_free(per_cpu(lkst_cpu, cpu));
		per_cpu(lkst_cpu, cpu) = NULL;
	}
}

/* Create */

/*
 * Check that @param->id is free on all @cpus. If it is LKST_BUFFER_ID_VOID,
 * replace it with a free id. Returns 0, -EINVAL or -ENOSPC.
 */
static int lkst_buffer_choose(const struct cpumask *cpus, struct lkst_buffer_param *param)
{
	lkst_buffer_id id;
	int cpu;

	if (param->id == LKST_BUFFER_ID_VOID) {
		id = lkst_buffer_free_id(cpus);
		if (id == LKST_BUFFER_ID_VOID)
			return -ENOSPC;
		if (id == param->next)
			return -EINVAL;
		param->id = id;
		return 0;
	}
	for_each_cpu(cpu, cpus)
		if (lkst_buffer_find(cpu, param->id))
			return -EINVAL;
	return 0;
}

static int lkst_buffer_make(const struct cpumask *cpus, const struct lkst_buffer_param *param,
			    size_t size)
{
	struct lkst_buffer *buffer, *created = NULL;
	int cpu, ret = -ENOMEM;

	/*
	 * Collect the buffers of all CPUs in a list before inserting any into a
	 * table: an error must leave no buffer behind.
	 */
	for_each_cpu(cpu, cpus) {
		buffer = lkst_buffer_alloc(cpu, size, false);
		if (!buffer)
			goto free;
		buffer->next = param->next;
		buffer->next_created = created;
		created = buffer;
	}
	mutex_lock(&lkst_buffer_mutex);
	for_each_cpu(cpu, cpus)
		if (!lkst_cpu_get(cpu))
			goto unlock;
	for (buffer = created; buffer; buffer = buffer->next_created)
		lkst_buffer_insert(per_cpu(lkst_cpu, buffer->cpu), buffer, param->id);
	mutex_unlock(&lkst_buffer_mutex);
	return 0;

unlock:
	mutex_unlock(&lkst_buffer_mutex);
free:
	while (created) {
		buffer = created;
		created = buffer->next_created;
		lkst_buffer_put(buffer);
	}
	return ret;
}

static int lkst_buffer_create_cpus(const struct cpumask *cpus, struct lkst_buffer_param *param,
				   size_t size)
{
	int ret;

	mutex_lock(&lkst_create_mutex);
	mutex_lock(&lkst_buffer_mutex);
	ret = lkst_buffer_choose(cpus, param);
	mutex_unlock(&lkst_buffer_mutex);
	if (!ret)
		ret = lkst_buffer_make(cpus, param, size);
	mutex_unlock(&lkst_create_mutex);
	return ret;
}

/**
 * lkst_buffer_create_on() - create a buffer for one or all CPUs (4.7.1.3.2)
 * @param: the buffer to create; id and result_size are set on success
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: not a possible CPU, not a valid id, @param->next is the
 * buffer's own id, the buffer exists already, or the size is below 4 KB or too
 * large; -ENOSPC: no id is free; -ENOMEM: an allocation failed, or LKST would
 * exceed its limit. On error no buffer has been created on any CPU.
 */
int lkst_buffer_create_on(struct lkst_buffer_param *param)
{
	u64 size = param->size & ~(u64)(LKST_BUFFER_SIZE_MIN - 1);
	int ret;

	if (param->cpu != -1 && !lkst_cpu_valid(param->cpu))
		return -EINVAL;
	if (param->id != LKST_BUFFER_ID_VOID &&
	    (!lkst_buffer_id_valid(param->id) || param->id == param->next))
		return -EINVAL;
	if (param->next != LKST_BUFFER_ID_VOID && !lkst_buffer_id_valid(param->next))
		return -EINVAL;
	if (size < LKST_BUFFER_SIZE_MIN || size > LKST_BUFFER_SIZE_MAX)
		return -EINVAL;

	cpus_read_lock();
	ret = lkst_buffer_create_cpus(param->cpu == -1 ? cpu_online_mask : cpumask_of(param->cpu),
				      param, size);
	cpus_read_unlock();
	if (!ret)
		param->result_size = size;
	return ret;
}

/**
 * lkst_buffer_create() - create a buffer for this CPU (4.7.2.4.2)
 * @id: 0 to LKST_BUFFER_ID_MAX, or LKST_BUFFER_ID_VOID for the lowest free id
 * @size: bytes of records, rounded down to a multiple of 4 KB
 * @next: id of the buffer that a shift switches to, which need not exist yet,
 *	or LKST_BUFFER_ID_VOID
 *
 * Context: may sleep. If the caller can migrate, it is unspecified which CPU
 * gets the buffer.
 *
 * Return: the id, or an error of lkst_buffer_create_on().
 */
int lkst_buffer_create(lkst_buffer_id id, size_t size, lkst_buffer_id next)
{
	struct lkst_buffer_param param = {
		.id = id,
		.next = next,
		.cpu = raw_smp_processor_id(),
		.size = size,
	};
	int ret = lkst_buffer_create_on(&param);

	return ret ?: param.id;
}
EXPORT_SYMBOL_GPL(lkst_buffer_create);

/* Delete */

static void lkst_buffer_deleted(struct lkst_deferred *deferred)
{
	lkst_buffer_put(container_of(deferred, struct lkst_buffer, deferred));
}

/**
 * lkst_buffer_delete_on() - delete a buffer of a CPU (4.7.1.3.6)
 * @cpu: CPU number, not validated by the caller
 * @id: buffer id, not validated by the caller
 *
 * Records the loss of the buffer's unread events if the CPU is recording.
 *
 * Context: may sleep; waits for events in progress.
 *
 * Return: 0; -EINVAL: no such buffer, or its id is 0; -EBUSY: it is being
 * written or read; -EINTR: a CPU does not respond, and a fatal signal ended the
 * wait, in which case the buffer may or may not have been deleted; -ENOMEM.
 */
int lkst_buffer_delete_on(int cpu, lkst_buffer_id id)
{
	struct lkst_buffer *buffer;
	long number;
	int ret;

	if (!id || !lkst_cpu_valid(cpu))
		return -EINVAL;
	cpus_read_lock();
	ret = lkst_cpucall(cpu, lkst_shift_discard, id);
	cpus_read_unlock();
	if (ret)
		return ret;
	mutex_lock(&lkst_buffer_mutex);
	buffer = lkst_buffer_find(cpu, id);
	WRITE_ONCE(per_cpu(lkst_cpu, cpu)->buffers[id], NULL);
	__clear_bit(id, per_cpu(lkst_cpu, cpu)->ids);
	mutex_unlock(&lkst_buffer_mutex);
	/*
	 * Interrupted writers and lkst_console_older() may still access the
	 * buffer.
	 */
	number = lkst_defer(&buffer->deferred, lkst_buffer_deleted);
	return lkst_deferred_wait(number);
}

/**
 * lkst_buffer_delete() - delete a buffer of this CPU (4.7.2.4.5)
 * @id: id of the buffer
 *
 * Context: may sleep. If the caller can migrate, it is unspecified which CPU
 * loses the buffer.
 *
 * Return: the same as lkst_buffer_delete_on().
 */
int lkst_buffer_delete(lkst_buffer_id id)
{
	return lkst_buffer_delete_on(raw_smp_processor_id(), id);
}
EXPORT_SYMBOL_GPL(lkst_buffer_delete);

/* Link */

/**
 * lkst_buffer_link_on() - set the next buffer of a buffer (4.7.1.3.5)
 * @cpu: CPU number, not validated by the caller
 * @id: buffer id, not validated by the caller
 * @next: id of the buffer that a shift from @id switches to, which need not
 *	exist yet, or LKST_BUFFER_ID_VOID
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: no such buffer, or @next is not a valid id or equals @id.
 */
int lkst_buffer_link_on(int cpu, lkst_buffer_id id, lkst_buffer_id next)
{
	struct lkst_buffer *buffer;

	if (id == next || (next != LKST_BUFFER_ID_VOID && !lkst_buffer_id_valid(next)))
		return -EINVAL;
	mutex_lock(&lkst_buffer_mutex);
	buffer = lkst_buffer_find(cpu, id);
	if (buffer)
		WRITE_ONCE(buffer->next, next);
	mutex_unlock(&lkst_buffer_mutex);
	return buffer ? 0 : -EINVAL;
}
