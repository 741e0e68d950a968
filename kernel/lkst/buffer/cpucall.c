// SPDX-License-Identifier: GPL-2.0
/*
 * Call functions on other CPUs and wait for them. Only a CPU itself writes to
 * its buffers, so a shift on another CPU must be carried out by that CPU.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "../base/compat.h"
#include "../base/cpu_request.h"
#include "buffer.h"
#include "cpucall.h"

/**
 * struct lkst_cpucall - a request to a CPU; the caller waits for the result
 * @request: delivers the request
 * @done: completed when the request has been carried out
 * @claimed: set by the CPU before it calls @func, or by the caller when it
 *	gives up, whichever comes first
 * @users: reference count; the caller and the CPU hold one reference each
 * @func: function to call
 * @cpu: argument of @func
 * @arg: argument of @func
 * @ret: result of @func
 * @rcu: frees the structure after an RCU grace period, since the kernel may
 *	access @request until the interrupt on the CPU ends
 */
struct lkst_cpucall {
	struct lkst_cpu_request request;
	struct completion done;
	atomic_t claimed;
	refcount_t users;
	lkst_cpucall_func func;
	int cpu;
	int arg;
	int ret;
	struct rcu_head rcu;
};

static void lkst_cpucall_put(struct lkst_cpucall *call)
{
	if (refcount_dec_and_test(&call->users))
		kfree_rcu(call, rcu);
}

static void lkst_cpucall_run(struct lkst_cpu_request *request)
{
	struct lkst_cpucall *call = container_of(request, struct lkst_cpucall, request);

	if (!atomic_xchg(&call->claimed, 1)) {
		call->ret = call->func(call->cpu, call->arg);
		complete(&call->done);
	}
	lkst_cpucall_put(call);
}

/*
 * Wait for the call. Returns its result, or -EINTR after a fatal signal. When
 * this returns, the function has either been called or never will be.
 */
static int lkst_cpucall_wait(struct lkst_cpucall *call)
{
	if (wait_for_completion_killable(&call->done)) {
		if (!atomic_xchg(&call->claimed, 1))
			return -EINTR;
		wait_for_completion(&call->done);
	}
	return call->ret;
}

static struct lkst_cpucall *lkst_cpucall_send(int cpu, lkst_cpucall_func func, int arg)
{
	struct lkst_cpucall *call = kzalloc_obj(*call, GFP_KERNEL);

	if (!call)
		return NULL;
	lkst_cpu_request_init(&call->request, lkst_cpucall_run);
	init_completion(&call->done);
	refcount_set(&call->users, 2);
	call->func = func;
	call->cpu = cpu;
	call->arg = arg;
	lkst_cpu_request_send(cpu, &call->request);
	return call;
}

/*
 * Call the function on this CPU, on behalf of a CPU that is offline. Returns
 * its result. lkst_buffer_mutex ensures that only one thread does so at a time.
 */
static int lkst_cpucall_offline(int cpu, lkst_cpucall_func func, int arg)
{
	unsigned long flags;
	int ret;

	lockdep_assert_held(&lkst_buffer_mutex);
	local_irq_save(flags);
	ret = func(cpu, arg);
	local_irq_restore(flags);
	return ret;
}

/**
 * lkst_cpucall() - call a function on a CPU, and wait for it
 * @cpu: a possible CPU
 * @func: function to call
 * @arg: argument of @func
 *
 * If the CPU is stuck, a fatal signal ends the wait, and the function will not
 * be called. If the CPU is offline, the function is called on this CPU.
 *
 * Context: may sleep. cpus_read_lock() is held, and lkst_buffer_mutex is not.
 *
 * Return: the result of @func, -ENOMEM, or -EINTR.
 */
int lkst_cpucall(int cpu, lkst_cpucall_func func, int arg)
{
	struct lkst_cpucall *call;
	int ret;

	lockdep_assert_cpus_held();
	if (!cpu_online(cpu)) {
		mutex_lock(&lkst_buffer_mutex);
		ret = lkst_cpucall_offline(cpu, func, arg);
		mutex_unlock(&lkst_buffer_mutex);
		return ret;
	}
	call = lkst_cpucall_send(cpu, func, arg);
	if (!call)
		return -ENOMEM;
	ret = lkst_cpucall_wait(call);
	lkst_cpucall_put(call);
	return ret;
}
