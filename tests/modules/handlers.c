// SPDX-License-Identifier: GPL-2.0
/*
 * Event handlers that do what is hard to survive: one that causes events itself, one that takes
 * long, and some with few or slow functions. tests/vm/handlers.c asks them how it went.
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

/* --- A handler that allocates, wakes somebody, and hits a trace point */

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
 * What a handler may do depends on where its events occur. These occur in system calls and
 * interrupts, where a thread may be woken, but a wakeup itself holds the scheduler's locks.
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
	int here = context(), i;

	this_cpu_inc(causing.calls);
	if (this_cpu_inc_return(causing.depth[here]) > 1)
		this_cpu_inc(causing.reentered);
	for (i = 0; i < here; i++)
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

/* --- A handler that takes long */

static atomic_t long_running;

static void long_handler(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			 lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	atomic_inc(&long_running);
	mdelay(HANDLERS_LONG_MS);
	atomic_dec(&long_running);
}

LKST_EH_DEV_DEF(handlers_long, long_handler, NULL, NULL, NULL);

/* --- Handlers whose other functions are slow or missing */

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

/* The name of the device. */
LKST_EH_DEV_DEF(lkst, entry_log, NULL, NULL, NULL);

static struct lkst_eh_device *const devices[] = {
	&LKST_EH_DEV(handlers_causing),
	&LKST_EH_DEV(handlers_long),
	&LKST_EH_DEV(handlers_slow),
	&LKST_EH_DEV(handlers_store),
	&LKST_EH_DEV(handlers_plain),
};

/* --- The errors of lkst_eh_device_register() that leave nothing behind */

static bool __init errors_are_right(void)
{
	static struct lkst_eh_device no_name = { .id = LKST_EVHANDLER_ID_VOID,
						 .evhandler = entry_log };
	static struct lkst_eh_device no_handler = { .id = LKST_EVHANDLER_ID_VOID, .name = "x" };
	static struct lkst_eh_device bad_id = { .id = LKST_EVHANDLER_ID_USER_MIN - 1,
						.name = "x", .evhandler = entry_log };
	static struct lkst_eh_device same_name = { .id = LKST_EVHANDLER_ID_VOID,
						   .name = "handlers_plain",
						   .evhandler = entry_log };
	const struct {
		const char *what;
		struct lkst_eh_device *ehdev;
	} rows[] = {
		{ "NULL", NULL },
		{ "no name", &no_name },
		{ "no handler", &no_handler },
		{ "bad id", &bad_id },
		{ "a name that is taken", &same_name },
		{ "the name of /dev/lkst", &LKST_EH_DEV(lkst) },
		{ "registered already", &LKST_EH_DEV(handlers_plain) },
	};
	bool good = true;
	int i, ret;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		ret = lkst_eh_device_register(rows[i].ehdev);
		if (ret == -EINVAL)
			continue;
		pr_err("handlers: lkst_eh_device_register(%s) = %d\n", rows[i].what, ret);
		good = false;
	}
	if (lkst_evhandler_get_id("x") != LKST_EVHANDLER_ID_VOID ||
	    lkst_evhandler_get_id("lkst") != LKST_EVHANDLER_ID_VOID) {
		pr_err("handlers: one that could not be registered is there\n");
		good = false;
	}
	/* None of these is registered: nothing happens. */
	lkst_eh_device_unregister(NULL);
	lkst_eh_device_unregister(&bad_id);
	return good;
}

static void unregister_devices(unsigned int num)
{
	while (num--)
		lkst_eh_device_unregister(devices[num]);
}

static int __init register_devices(void)
{
	int i, ret;

	/* As the specification has it; the others take what is free. */
	LKST_EH_DEV(handlers_plain).id = HANDLERS_PLAIN_ID;
	for (i = 0; i < ARRAY_SIZE(devices); i++) {
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
	if (ret)
		goto unregister;
	if (errors_are_right())
		return 0;
	ret = -EPROTO;
	unregister_devices(ARRAY_SIZE(devices));
unregister:
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(HANDLERS_INNER));
stop:
	kthread_stop(sleeper);
	return ret;
}

static void __exit handlers_exit(void)
{
	int cpu;

	unregister_devices(ARRAY_SIZE(devices));
	/* Nobody runs what was unregistered. The test looks for the warning. */
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
