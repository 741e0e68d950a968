// SPDX-License-Identifier: GPL-2.0
/*
 * Having something done on another CPU. A buffer is only written by its CPU, so whoever
 * wants another CPU to shift asks it to.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "buffer.h"
#include "compat.h"
#include "cpucall.h"

/**
 * struct lkst_cpucall - a request to a CPU that somebody waits for
 * @ask: brings it there
 * @done: it has been carried out
 * @claimed: by who carries it out, or by who does not want it any more
 * @users: who asked, and who carries it out
 * @func: what to do
 * @cpu: for @func
 * @arg: for @func
 * @ret: from @func
 * @rcu: the kernel may look at @ask until the interrupt ends
 */
struct lkst_cpucall {
	struct lkst_cpu_request ask;
	struct completion done;
	atomic_t claimed;
	refcount_t users;
	lkst_cpucall_func func;
	int cpu;
	int arg;
	int ret;
	struct rcu_head rcu;
};

/* Requests to CPUs that have not been carried out. */
static atomic_t lkst_asked = ATOMIC_INIT(0);

/* What was asked for is over, but for the way out of LKST. */
static void lkst_ask_done(void)
{
	/* Pairs with the acquire in lkst_cpu_request_drain(). */
	atomic_dec_return_release(&lkst_asked);
}

static void lkst_ask_run(void *info)
{
	struct lkst_cpu_request *ask = info;

	/*
	 * The kernel is through with the csd. Whoever comes from here on asks once more; this does
	 * what those want who came before. Pairs with the exchange in lkst_cpu_request_send(): both are full
	 * barriers.
	 */
	atomic_xchg(&ask->made, 0);
	ask->func(ask);
	lkst_ask_done();
}

/**
 * lkst_cpu_request_init() - prepare a request
 * @ask: is not being made
 * @func: what the CPU is to do; @ask may be gone when it returns
 *
 * Context: any.
 */
void lkst_cpu_request_init(struct lkst_cpu_request *ask, void (*func)(struct lkst_cpu_request *ask))
{
	INIT_CSD(&ask->csd, lkst_ask_run, ask);
	atomic_set(&ask->made, 0);
	ask->func = func;
}

/**
 * lkst_cpu_request_send() - ask a CPU for something, in an interrupt
 * @cpu: an online CPU, which stays online
 * @ask: what for. While the CPU has not come to it, there is no other: it then finds what was
 * written before this
 *
 * Context: any but NMI. Several CPUs may do so at once.
 */
void lkst_cpu_request_send(int cpu, struct lkst_cpu_request *ask)
{
	/*
	 * The kernel looks whether a csd is in use, and then takes it. Two CPUs that are between
	 * the one and the other would queue it twice, and the queue would lead round in a circle:
	 * only one of them gets past this.
	 */
	if (atomic_xchg(&ask->made, 1))
		return;
	atomic_inc(&lkst_asked);
	if (smp_call_function_single_async(cpu, &ask->csd)) {
		atomic_set_release(&ask->made, 0);
		lkst_ask_done();
	}
}

/**
 * lkst_cpu_request_drain() - wait for what CPUs were asked for
 *
 * The kernel makes calls that somebody waits for before others that came earlier, so to wait for
 * one of one's own is not enough. When all have said that they are done, they may still be in code
 * that goes with a module: the interrupt that they are in has to end.
 *
 * Context: may sleep. Nobody asks for anything any more. A CPU that takes no interrupts is waited
 * for.
 */
void lkst_cpu_request_drain(void)
{
	while (atomic_read_acquire(&lkst_asked))
		usleep_range(100, 1000);
	kick_all_cpus_sync();
}

static void lkst_cpucall_put(struct lkst_cpucall *call)
{
	if (refcount_dec_and_test(&call->users))
		kfree_rcu(call, rcu);
}

static void lkst_cpucall_run(struct lkst_cpu_request *ask)
{
	struct lkst_cpucall *call = container_of(ask, struct lkst_cpucall, ask);

	if (!atomic_xchg(&call->claimed, 1)) {
		call->ret = call->func(call->cpu, call->arg);
		complete(&call->done);
	}
	lkst_cpucall_put(call);
}

/* Either the call has been made when this returns, or it never will be. */
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
	lkst_cpu_request_init(&call->ask, lkst_cpucall_run);
	init_completion(&call->done);
	refcount_set(&call->users, 2);
	call->func = func;
	call->cpu = cpu;
	call->arg = arg;
	lkst_cpu_request_send(cpu, &call->ask);
	return call;
}

/* Whoever does that holds lkst_buffer_mutex: nobody else does it at the same time. */
static int lkst_cpucall_instead(int cpu, lkst_cpucall_func func, int arg)
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
 * lkst_cpucall() - have a CPU call a function, and wait for it
 * @cpu: a possible CPU
 * @func: what to call
 * @arg: what to pass
 *
 * If the CPU is stuck, a fatal signal ends the waiting, and there will be no call.
 *
 * Context: may sleep; with cpus_read_lock(), without lkst_buffer_mutex.
 *
 * Return: what @func returned, -ENOMEM, or -EINTR.
 */
int lkst_cpucall(int cpu, lkst_cpucall_func func, int arg)
{
	struct lkst_cpucall *call;
	int ret;

	lockdep_assert_cpus_held();
	if (!cpu_online(cpu)) {
		mutex_lock(&lkst_buffer_mutex);
		ret = lkst_cpucall_instead(cpu, func, arg);
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
