// SPDX-License-Identifier: GPL-2.0
/*
 * Difficult event handlers: one that generates events itself, one that takes a long time, and some
 * whose control and sysfs functions are missing or slow. tests/vm/dispatch/handlers.c reads their
 * counts.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/lkst.h>
#include <linux/lkst_class.h>
#include <linux/lkst_private.h>

#include "handlers.h"

LKST_ETYPE_DEF_MODULE(HANDLERS_ETYPE_INNER, NORMAL, HANDLERS_INNER, "caused by a handler",
		      "context:dec", "of:hex", "", "");

/* --- A handler that contains a hook, allocates memory, and wakes a thread */

enum { CONTEXT_TASK, CONTEXT_SOFTIRQ, CONTEXT_HARDIRQ, CONTEXT_NMI, CONTEXTS };

struct causing {
	unsigned int depth[CONTEXTS];
	unsigned int calls;
	unsigned int reentered;
	unsigned int nested;
	struct irq_work wake;
};

static DEFINE_PER_CPU(struct causing, causing);
static struct task_struct *sleeper;

static int context(void)
{
	return in_nmi() ? CONTEXT_NMI : in_hardirq() ? CONTEXT_HARDIRQ :
	       in_serving_softirq() ? CONTEXT_SOFTIRQ : CONTEXT_TASK;
}

static void wake_sleeper(struct irq_work *work)
{
	wake_up_process(sleeper);
}

/*
 * Generate further events in all ways that the context of the event allows: in an NMI only with the
 * hook, in other interrupts also by allocating memory, and in a task also by waking a thread.
 * During a wakeup, the scheduler's locks are held, so the handler generates no events.
 */
static void cause_events(int event_type, int context, lkst_arg_t of)
{
	if (event_type == LKST_ETYPE_PROCESS_WAKEUP)
		return;
	LKST_HOOK(HANDLERS_INNER, LKST_ARG(context), of, LKST_ARG(0), LKST_ARG(0));
	if (context == CONTEXT_NMI)
		return;
	kfree(kmalloc(64, __GFP_NOWARN));
	if (context == CONTEXT_TASK) {
		wake_up_process(sleeper);
		irq_work_queue(this_cpu_ptr(&causing.wake));
	}
}

static void causing_handler(void *phookrec, int event_type, lkst_arg_t log_arg1,
			    lkst_arg_t log_arg2, lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	int here = context();

	this_cpu_inc(causing.calls);
	if (this_cpu_inc_return(causing.depth[here]) > 1)
		this_cpu_inc(causing.reentered);
	for (int i = 0; i < here; i++)
		if (this_cpu_read(causing.depth[i]))
			this_cpu_inc(causing.nested);
	cause_events(event_type, here, log_arg2);
	lkst_evhandlerprim_entry_log(phookrec, event_type, log_arg1, log_arg2, log_arg3, log_arg4);
	this_cpu_dec(causing.depth[here]);
}

static int causing_ctrl(void *buf, size_t bufsize)
{
	struct handlers_counts *counts = buf;
	int cpu;

	if (bufsize != sizeof(*counts))
		return -EINVAL;
	*counts = (struct handlers_counts) {};
	for_each_possible_cpu(cpu) {
		const struct causing *c = per_cpu_ptr(&causing, cpu);

		counts->calls += READ_ONCE(c->calls);
		counts->reentered += READ_ONCE(c->reentered);
		counts->nested += READ_ONCE(c->nested);
	}
	return 0;
}

static int sleeper_run(void *unused)
{
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

LKST_EH_DEV_DEF(handlers_causing, causing_handler, causing_ctrl, NULL, NULL);

/* --- A handler that takes a long time */

static atomic_t long_running;

static void long_handler(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			 lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	atomic_inc(&long_running);
	mdelay(HANDLERS_LONG_MS);
	atomic_dec(&long_running);
}

LKST_EH_DEV_DEF(handlers_long, long_handler, NULL, NULL, NULL);

/* --- Handlers whose control and sysfs functions are slow or missing */

static void entry_log(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		      lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	lkst_evhandlerprim_entry_log(phookrec, event_type, log_arg1, log_arg2, log_arg3, log_arg4);
}

static int slow_ctrl(void *buf, size_t bufsize)
{
	msleep(HANDLERS_SLOW_MS);
	return HANDLERS_SLOW_RET;
}

static ssize_t slow_show(struct lkst_eh_device *ehdev, char *buf)
{
	msleep(HANDLERS_SLOW_MS);
	return sysfs_emit(buf, "slow\n");
}

static ssize_t any_store(struct lkst_eh_device *ehdev, const char *buf, size_t size)
{
	return size;
}

LKST_EH_DEV_DEF(handlers_slow, entry_log, slow_ctrl, NULL, slow_show);
LKST_EH_DEV_DEF(handlers_store, entry_log, NULL, any_store, NULL);
LKST_EH_DEV_DEF(handlers_plain, entry_log, NULL, NULL, NULL);

static struct lkst_eh_device *const devices[] = {
	&LKST_EH_DEV(handlers_causing),
	&LKST_EH_DEV(handlers_long),
	&LKST_EH_DEV(handlers_slow),
	&LKST_EH_DEV(handlers_store),
	&LKST_EH_DEV(handlers_plain),
};

static void unregister_devices(unsigned int num)
{
	while (num--)
		lkst_eh_device_unregister(devices[num]);
}

static int __init register_devices(void)
{
	int ret;

	/* Request a fixed id for handlers_plain. The other handlers take any free id. */
	LKST_EH_DEV(handlers_plain).id = HANDLERS_PLAIN_ID;
	for (int i = 0; i < ARRAY_SIZE(devices); i++) {
		ret = lkst_eh_device_register(devices[i]);
		if (ret < 0) {
			unregister_devices(i);
			return ret;
		}
	}
	return 0;
}

static int __init handlers_init(void)
{
	int cpu, ret;

	for_each_possible_cpu(cpu)
		init_irq_work(per_cpu_ptr(&causing.wake, cpu), wake_sleeper);
	sleeper = kthread_run(sleeper_run, NULL, "handlers_sleeper");
	if (IS_ERR(sleeper))
		return PTR_ERR(sleeper);
	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(HANDLERS_INNER));
	if (ret < 0)
		goto stop;
	ret = register_devices();
	if (!ret)
		return 0;
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(HANDLERS_INNER));
stop:
	kthread_stop(sleeper);
	return ret;
}

static void __exit handlers_exit(void)
{
	int cpu;

	unregister_devices(ARRAY_SIZE(devices));
	/*
	 * No handler may still be running after it was unregistered. The test searches the kernel
	 * log for the warning.
	 */
	WARN_ON(atomic_read(&long_running));
	for_each_possible_cpu(cpu)
		WARN_ON(memchr_inv(per_cpu_ptr(causing.depth, cpu), 0, sizeof(causing.depth)));
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(HANDLERS_INNER));
	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&causing.wake, cpu));
	kthread_stop(sleeper);
}

module_init(handlers_init);
module_exit(handlers_exit);

MODULE_DESCRIPTION("LKST test: event handlers that cause events, and slow ones");
MODULE_LICENSE("GPL");
