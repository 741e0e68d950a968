// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/lkstla_cpu_vm.t: use the CPU in a chosen context. Writing a
 * number of milliseconds to the parameter "thread", "softirq" or "irq" executes
 * a loop for that time. Interrupts are enabled, so the timer interrupt, in
 * which the kernel samples what the CPU is doing, interrupts the loop.
 */
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>

/* Duration, protected by the lock of the module's parameters. */
static u64 spending_ns;
static DECLARE_COMPLETION(spent);

static void spending_loop(void)
{
	u64 end = ktime_get_ns() + spending_ns;

	while (ktime_get_ns() < end)
		barrier();
	complete(&spent);
}

static void spending_in_softirq(struct tasklet_struct *tasklet)
{
	spending_loop();
}

static DECLARE_TASKLET(spending_tasklet, spending_in_softirq);

/* Called with interrupts disabled, in an interrupt that the CPU sent to itself. */
static void spending_in_irq(struct irq_work *work)
{
	local_irq_enable();
	spending_loop();
	local_irq_disable();
}

static DEFINE_IRQ_WORK(spending_work, spending_in_irq);

static void spend_thread(void)
{
	spending_loop();
}

/* The softirq runs when softirqs are enabled again, and not in ksoftirqd. */
static void spend_softirq(void)
{
	local_bh_disable();
	tasklet_schedule(&spending_tasklet);
	local_bh_enable();
}

static void spend_irq(void)
{
	irq_work_queue(&spending_work);
}

static int spend(const char *text, const struct kernel_param *param)
{
	void (*how)(void) = param->arg;
	unsigned int ms;
	int ret = kstrtouint(text, 0, &ms);

	if (ret)
		return ret;
	spending_ns = (u64)ms * NSEC_PER_MSEC;
	reinit_completion(&spent);
	how();
	wait_for_completion(&spent);
	return 0;
}

static const struct kernel_param_ops spending_ops = { .set = spend };

module_param_cb(thread, &spending_ops, spend_thread, 0200);
module_param_cb(softirq, &spending_ops, spend_softirq, 0200);
module_param_cb(irq, &spending_ops, spend_irq, 0200);

static int __init spending_init(void)
{
	return 0;
}

static void __exit spending_exit(void)
{
	tasklet_kill(&spending_tasklet);
	irq_work_sync(&spending_work);
}

module_init(spending_init);
module_exit(spending_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: uses the CPU in a chosen context");
