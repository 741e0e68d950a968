// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/vm/device/rt_hog.t: while this module is loaded, a thread occupies a CPU with
 * preemption off. The CPU takes interrupts, but passes no quiescent state, so RCU waits for it.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/preempt.h>

static unsigned int cpu = 1;
module_param(cpu, uint, 0);

static struct task_struct *thread;
static DECLARE_COMPLETION(begun);

static int hold(void *unused)
{
	preempt_disable();
	complete(&begun);
	while (!kthread_should_stop()) {
		touch_nmi_watchdog();
		cpu_relax();
	}
	preempt_enable();
	return 0;
}

static int __init holding_init(void)
{
	thread = kthread_create(hold, NULL, "holding");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	kthread_bind(thread, cpu);
	wake_up_process(thread);
	wait_for_completion(&begun);
	return 0;
}

static void __exit holding_exit(void)
{
	kthread_stop(thread);
}

module_init(holding_init);
module_exit(holding_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a CPU that passes no quiescent state");
