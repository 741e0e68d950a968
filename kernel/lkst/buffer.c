// SPDX-License-Identifier: GPL-2.0
/*
 * The event buffers of each CPU: create, delete, link, list (specification 4.2.2, 4.7.1.3,
 * 4.7.2.4).
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "buffer.h"
#include "cpucall.h"
#include "read.h"
#include "reader.h"
#include "shift.h"
#include "stage.h"
#include "static_buffer.h"

struct lkst_ring lkst_ring_nowhere __ro_after_init = { .index = LKST_INDEX_CLOSED };
DEFINE_PER_CPU(struct lkst_ring *, lkst_ring_current) = &lkst_ring_nowhere;
DEFINE_PER_CPU(struct lkst_cpu *, lkst_cpu);
DEFINE_PER_CPU(unsigned long, lkst_buffer_lost);

/*
 * Protects the tables of buffers, and where they lead. Taken within cpus_read_lock(), as a CPU
 * that comes up takes it with hotplug locked. No page of a process is touched under it.
 */
DEFINE_MUTEX(lkst_buffer_mutex);

/*
 * One create at a time: ids that were found free stay so while memory is got for them. Taken
 * between the two.
 */
static DEFINE_MUTEX(lkst_create_mutex);

static size_t lkst_buffer_default_size;		/* constant after lkst_buffer_init() */

static struct lkst_buffer *lkst_buffer_alloc(int cpu, size_t size, bool reserved_only)
{
	int node = cpu_to_node(cpu);
	struct lkst_buffer *buffer;

	buffer = kzalloc_node(sizeof(*buffer), GFP_KERNEL, node);
	if (!buffer)
		return NULL;
	if (lkst_region_alloc(&buffer->area, size, node, reserved_only)) {
		kfree(buffer);
		return NULL;
	}
	buffer->stretch.clock = lkst_clock_current();
	lkst_ring_init(&buffer->ring, buffer->area.address, size / sizeof(struct lkst_event_record),
		       buffer->stretch.clock);
	seqcount_init(&buffer->session_seq);
	lkst_time_read(&buffer->stretch.start);
	kref_init(&buffer->ref);
	buffer->cpu = cpu;
	buffer->next = LKST_BUFFER_ID_VOID;
	return buffer;
}

static void lkst_buffer_free(struct kref *ref)
{
	struct lkst_buffer *buffer = container_of(ref, struct lkst_buffer, ref);

	lkst_region_free(&buffer->area);
	kfree(buffer);
}

/**
 * lkst_buffer_put() - a buffer is not needed any more
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
 * Whether ordinary memory has room for a buffer that no user asked for. It must
 * leave an eighth of the machine's memory available. Where less than that is
 * available anyway, as huge pages or programs hold the rest, it may take an
 * eighth of what there is. The smallest buffer may always be tried: losing a few
 * pages is better than losing all events of a CPU.
 */
static bool lkst_buffer_fits(size_t size)
{
	long pages = DIV_ROUND_UP(size, PAGE_SIZE), available = si_mem_available();

	return size == LKST_BUFFER_SIZE_MIN || pages <= available / 8 ||
	       available - pages >= (long)(totalram_pages() / 8);
}

/* A buffer of the default size, or of half that, and half again, until there is memory for it. */
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

/* What there is to know of a CPU, which may never have been there. */
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
	/* Pairs with the address dependency of whoever looks at it. */
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
	lkst_region_sign(&buffer->area, LKST_IMAGE_BUFFER, buffer->cpu, id);
	/* Pairs with the address dependency of who finds it without lkst_buffer_mutex. */
	smp_store_release(&c->buffers[id], buffer);
	__set_bit(id, c->ids);
}

/* The lowest id that is free on all of @cpus, or LKST_BUFFER_ID_VOID. */
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
 * lkst_buffer_get() - find a buffer, and keep it from being freed
 * @cpu: any number
 * @id: any number
 *
 * Context: may sleep.
 *
 * Return: the buffer, for lkst_buffer_put(); NULL: there is none.
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

/* Which buffer @cpu records to, or LKST_BUFFER_ID_VOID. */
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

/* Which buffer of @cpu is being read with read(), or LKST_BUFFER_ID_VOID. */
lkst_buffer_id lkst_buffer_being_read(int cpu)
{
	struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);

	return c ? READ_ONCE(c->reading) : LKST_BUFFER_ID_VOID;
}

/* Events that found no buffer on their CPU, since boot. */
u64 lkst_buffer_lost_total(void)
{
	u64 lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu(lkst_buffer_lost, cpu));
	return lost;
}

/* Buffers that LKST makes by itself */

/* A buffer of the CPU that is not in use, or NULL. */
static struct lkst_buffer *lkst_buffer_spare(const struct lkst_cpu *c)
{
	int id;

	for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1)
		if (lkst_buffer_state(c->buffers[id]) == LKST_BUFFER_FREE)
			return c->buffers[id];
	return NULL;
}

/* A new buffer for @cpu, which leads to where the current one does. NULL: no memory, or no id. */
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
 * The id of a buffer in which @cpu can continue, or LKST_BUFFER_ID_VOID. A spare buffer
 * is the last choice: a user made it for something else.
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
 * Renewal: a CPU leaves a buffer whose clock is not the current one, and a CPU
 * without a buffer gets one. The requests are allocated statically, so that
 * making one cannot fail.
 */
static DEFINE_PER_CPU(struct lkst_cpu_request, lkst_renewal_requests);

/*
 * The buffer in which the CPU continues, or LKST_BUFFER_ID_VOID. Written under lkst_buffer_mutex.
 */
static DEFINE_PER_CPU(lkst_buffer_id, lkst_renewal_id) = LKST_BUFFER_ID_VOID;

/*
 * Whether @cpu records with the current clock. Context: with lkst_buffer_mutex, or
 * on @cpu with interrupts off; either keeps its buffer from being freed.
 */
static bool lkst_buffer_is_current(int cpu)
{
	struct lkst_buffer *buffer = lkst_ring_buffer(READ_ONCE(per_cpu(lkst_ring_current, cpu)));

	return buffer && READ_ONCE(buffer->stretch.clock) == lkst_clock_current();
}

/*
 * If the CPU cannot be led to the buffer it records nowhere, rather than with a
 * clock that is wrong. Context: on @cpu with interrupts off, or with
 * lkst_buffer_mutex while it does not run.
 */
static void lkst_renewal_run(int cpu)
{
	lkst_buffer_id id = READ_ONCE(per_cpu(lkst_renewal_id, cpu));

	/* An earlier request, or a user, may have led it to another buffer. */
	if (lkst_buffer_is_current(cpu) || !lkst_shift_to(cpu, id))
		return;
	if (READ_ONCE(per_cpu(lkst_ring_current, cpu)) == &lkst_ring_nowhere)
		return;
	lkst_shift_nowhere(cpu, 0);
	lkst_buffer_missing(cpu);
}

static void lkst_renewal_requested(struct lkst_cpu_request *unused)
{
	lkst_renewal_run(raw_smp_processor_id());
	lkst_queue_wake();
}

/* Returns whether there is a buffer in which the CPU can continue. */
static bool lkst_buffer_renew_cpu(int cpu)
{
	struct lkst_buffer *buffer = lkst_buffer_find(cpu, per_cpu(lkst_renewal_id, cpu));
	unsigned long flags;

	/* A CPU that is stuck has not used the last one, and needs no other. */
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

/* A CPU that has never been online needs no buffer. */
static bool lkst_buffer_needs_renewal(int cpu)
{
	return !lkst_buffer_is_current(cpu) &&
	       (cpu_online(cpu) ||
		READ_ONCE(per_cpu(lkst_ring_current, cpu)) != &lkst_ring_nowhere);
}

/**
 * lkst_buffer_renew() - let every CPU record, and with the current clock
 *
 * A buffer has one clock: when that changes, every CPU continues in another buffer.
 * The buffers so far stay readable. A CPU for which there is no memory stops
 * recording, and its events count as lost; the next call tries again. This waits
 * for no CPU, as one may be stuck.
 *
 * Context: may sleep.
 *
 * Return: whether there was memory for all of them.
 */
bool lkst_buffer_renew(void)
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

/* Lead a CPU that is not recording yet to a buffer. Returns whether there is one. */
static bool lkst_buffer_give(int cpu)
{
	bool given = true;

	mutex_lock(&lkst_buffer_mutex);
	if (per_cpu(lkst_ring_current, cpu) == &lkst_ring_nowhere) {
		lkst_buffer_id id = lkst_buffer_provide(cpu);

		preempt_disable();
		given = !lkst_shift_to(cpu, id);
		preempt_enable();
	}
	mutex_unlock(&lkst_buffer_mutex);
	return given;
}

/*
 * A CPU that goes offline leaves cpu_online_mask first, and records until it is dead. Written only
 * while the CPU does not run, or by lkst_buffer_start().
 */
static DEFINE_PER_CPU(bool, lkst_buffer_recording);

/**
 * lkst_buffer_cpu_records() - whether a CPU may record
 * @cpu: a possible CPU
 *
 * If not, the caller sees all that it has recorded.
 *
 * Context: any.
 */
bool lkst_buffer_cpu_records(int cpu)
{
	/* Pairs with the release in lkst_buffer_dead_cpu(). */
	return smp_load_acquire(per_cpu_ptr(&lkst_buffer_recording, cpu));
}

/* A CPU comes online: it needs a buffer by then. It comes online without one, too. */
static int lkst_buffer_prepare_cpu(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(lkst_buffer_recording, cpu), true);
	if (!lkst_buffer_give(cpu))
		lkst_buffer_missing(cpu);
	return 0;
}

/* A CPU has gone offline: it records nothing more, so what it has recorded can be read now. */
static int lkst_buffer_dead_cpu(unsigned int cpu)
{
	/* The CPU's records before it: lkst_buffer_cpu_records(). */
	smp_store_release(per_cpu_ptr(&lkst_buffer_recording, cpu), false);
	lkst_queue_wake_cpu(cpu);
	return 0;
}

/*
 * Nobody records anywhere. Of a module's variables of each CPU, those that point somewhere come up
 * as NULL.
 */
void __init lkst_buffer_nowhere(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (!per_cpu(lkst_ring_current, cpu))
			per_cpu(lkst_ring_current, cpu) = &lkst_ring_nowhere;
}

/**
 * lkst_buffer_init() - the boot CPU's buffer
 * @size: of every buffer that LKST makes by itself, in bytes; rounded down to a multiple of
 *	4 KB
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_buffer_init(size_t size)
{
	lkst_buffer_nowhere();
	lkst_buffer_default_size = clamp_t(size_t, round_down(size, LKST_BUFFER_SIZE_MIN),
					   LKST_BUFFER_SIZE_MIN, LKST_BUFFER_SIZE_MAX);
	/* A module may be moved to another CPU at any time: it is enough that some CPU has one. */
	return lkst_buffer_give(raw_smp_processor_id()) ? 0 : -ENOMEM;
}

static enum cpuhp_state lkst_buffer_state_prepare;

/**
 * lkst_buffer_start() - give each CPU that comes up its buffer from now on
 *
 * Return: 0 or a negative error.
 */
int __init lkst_buffer_start(void)
{
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		lkst_cpu_request_init(per_cpu_ptr(&lkst_renewal_requests, cpu), lkst_renewal_requested);
	/* Those that are there: before mid 2024 kernels leave them out, in such a state. */
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

/* No CPU gets a buffer any more. */
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
 * Context: may sleep. Nothing is recorded any more, and nobody has a buffer from
 * lkst_buffer_get().
 */
void __lkst_exit lkst_buffer_free_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(lkst_ring_current, cpu), &lkst_ring_nowhere);
	lkst_cpu_request_drain();
	/* For who found a buffer before. */
	lkst_synchronize();
	for_each_possible_cpu(cpu) {
		if (!per_cpu(lkst_cpu, cpu))
			continue;
		lkst_cpu_free(per_cpu(lkst_cpu, cpu));
		per_cpu(lkst_cpu, cpu) = NULL;
	}
}

/* Create */

/* Whether the id is free on all of @cpus; finds one if it is LKST_BUFFER_ID_VOID. */
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
	struct lkst_buffer *buffer, *made = NULL;
	int cpu, ret = -ENOMEM;

	/* On a list first, then into the tables: all of them or none. */
	for_each_cpu(cpu, cpus) {
		buffer = lkst_buffer_alloc(cpu, size, false);
		if (!buffer)
			goto free;
		buffer->next = param->next;
		buffer->made = made;
		made = buffer;
	}
	mutex_lock(&lkst_buffer_mutex);
	for_each_cpu(cpu, cpus)
		if (!lkst_cpu_get(cpu))
			goto unlock;
	for (buffer = made; buffer; buffer = buffer->made)
		lkst_buffer_insert(per_cpu(lkst_cpu, buffer->cpu), buffer, param->id);
	mutex_unlock(&lkst_buffer_mutex);
	return 0;

unlock:
	mutex_unlock(&lkst_buffer_mutex);
free:
	while (made) {
		buffer = made;
		made = buffer->made;
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
 * lkst_buffer_create_on() - create a buffer for a CPU, or for each that is online (4.7.1.3.2)
 * @param: what to create, and what it gets back
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: there can be no such CPU, no such id, or @param->next is the own id; the
 * buffer exists; the size is below 4 KB or too large; -ENOSPC: no id is free; -ENOMEM: there is no
 * memory, or LKST may not take so much. After an error there is no buffer more on any CPU.
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
 * @id: of the buffer, 0 to LKST_BUFFER_ID_MAX, or LKST_BUFFER_ID_VOID: the lowest that is free
 * @size: bytes of records, rounded down to a multiple of 4 KB
 * @next: where a shift from it leads, or LKST_BUFFER_ID_VOID; need not exist yet
 *
 * Context: may sleep. Who can be moved to another CPU does not know for which it is.
 *
 * Return: the id, or an error as lkst_buffer_create_on().
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
 * @cpu: any number
 * @id: any number
 *
 * What nobody has read of it is lost, and that is recorded.
 *
 * Context: may sleep; waits for what happens now.
 *
 * Return: 0; -EINVAL: there is no such buffer, or its id is 0; -EBUSY: it is being written or
 * read; -EINTR: a CPU is stuck, and a fatal signal ended the waiting, before the buffer was deleted
 * or before it was freed; -ENOMEM.
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
	/* Writers that were interrupted before they find it closed, and lkst_console_older(). */
	number = lkst_defer(&buffer->deferred, lkst_buffer_deleted);
	return lkst_deferred_wait(number);
}

/**
 * lkst_buffer_delete() - delete a buffer of this CPU (4.7.2.4.5)
 * @id: of the buffer
 *
 * Context: may sleep. Who can be moved to another CPU does not know of which it is.
 *
 * Return: as lkst_buffer_delete_on().
 */
int lkst_buffer_delete(lkst_buffer_id id)
{
	return lkst_buffer_delete_on(raw_smp_processor_id(), id);
}
EXPORT_SYMBOL_GPL(lkst_buffer_delete);

/* Link */

/**
 * lkst_buffer_link_on() - say where a shift leads (4.7.1.3.5)
 * @cpu: any number
 * @id: buffer
 * @next: where a shift from it leads, need not exist yet; LKST_BUFFER_ID_VOID: nowhere
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: there is no such buffer, @next is no id, or is @id.
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

/* List */

static struct lkst_buffer_listent lkst_buffer_describe(struct lkst_buffer *buffer)
{
	struct lkst_cursor cursor;
	u64 next, offset, dropped;

	lkst_cursor_init(&cursor, buffer);
	dropped = lkst_cursor_dropped(&cursor);
	div64_u64_rem(cursor.end, cursor.ring->slots, &offset);
	next = cursor.stretch.first_recid + (cursor.end - cursor.stretch.first);
	return (struct lkst_buffer_listent) {
		.size = buffer->area.size,
		.write_offset = offset,
		.baseid = next - offset,
		.first_recid = cursor.stretch.first_recid,
		.overwritten = cursor.position - cursor.stretch.first - dropped,
		.dropped = READ_ONCE(cursor.ring->dropped) - cursor.stretch.dropped,
		.id = buffer->id,
		.next = buffer->next,
		.rq_prev = LKST_BUFFER_ID_VOID,
		.rq_next = LKST_BUFFER_ID_VOID,
		.clock = cursor.stretch.clock,
		.state = lkst_buffer_state(buffer),
	};
}

/* The CPU's buffers in order of their ids, as many as there is room for. */
static void lkst_buffer_list_all(struct lkst_cpu *c, struct lkst_buffer_listparam *param)
{
	struct lkst_buffer_listent *list = (void *)(unsigned long)param->listent;
	int id;

	if (!c)
		return;
	for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1) {
		if (param->buffer_num < param->listent_num) {
			struct lkst_buffer_listent *ent = &list[param->buffer_num];

			*ent = lkst_buffer_describe(c->buffers[id]);
			lkst_queue_neighbours(c, c->buffers[id], &ent->rq_prev, &ent->rq_next);
		}
		param->buffer_num++;
	}
}

/**
 * lkst_buffer_list() - list a CPU's buffers (4.7.1.3.7)
 * @param: what is asked for, with an address in kernel memory, and what it gets back
 *
 * A list that is longer than @param->listent_num is cut.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: there can be no such CPU, no @param->listent, or a negative number.
 */
int lkst_buffer_list(struct lkst_buffer_listparam *param)
{
	if (!lkst_cpu_valid(param->cpu) || !param->listent || param->listent_num < 0)
		return -EINVAL;
	param->buffer_num = 0;
	param->write_buf = lkst_buffer_written(param->cpu);
	mutex_lock(&lkst_buffer_mutex);
	lkst_buffer_list_all(per_cpu(lkst_cpu, param->cpu), param);
	lkst_queue_ends(per_cpu(lkst_cpu, param->cpu), &param->rq_head, &param->rq_tail);
	mutex_unlock(&lkst_buffer_mutex);
	lkst_reader_describe(param->cpu, param);
	return 0;
}
