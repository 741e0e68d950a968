// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/vm/why/why.t: a module that delays processes while it is loaded. The parameter "what"
 * is the kind of delay: irqs (interrupts are disabled), softirqs (a tasklet takes long), or work (a
 * work item waits for another one). The parameter "ms" is the length of the delay.
 */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/workqueue.h>

static char *what = "";
module_param(what, charp, 0400);
MODULE_PARM_DESC(what, "irqs, softirqs or work");

static unsigned int ms = 300;
module_param(ms, uint, 0400);
MODULE_PARM_DESC(ms, "milliseconds");

static void delaying_tasklet_fn(struct tasklet_struct *unused)
{
	mdelay(ms);
}

static DECLARE_TASKLET(delaying_tasklet, delaying_tasklet_fn);

static void delaying_first_fn(struct work_struct *unused)
{
	msleep(ms);
}

static void delaying_second_fn(struct work_struct *unused)
{
	msleep(ms / 10);
}

static DECLARE_WORK(delaying_first, delaying_first_fn);
static DECLARE_WORK(delaying_second, delaying_second_fn);

static void delaying_irqs(void)
{
	unsigned long flags;

	local_irq_save(flags);
	mdelay(ms);
	local_irq_restore(flags);
}

static void delaying_softirqs(void)
{
	tasklet_schedule(&delaying_tasklet);
	tasklet_kill(&delaying_tasklet);
}

/* An ordered queue executes one item after the other. */
static int delaying_work(void)
{
	struct workqueue_struct *queue = alloc_ordered_workqueue("delaying", 0);

	if (!queue)
		return -ENOMEM;
	queue_work(queue, &delaying_first);
	queue_work(queue, &delaying_second);
	flush_work(&delaying_second);
	destroy_workqueue(queue);
	return 0;
}

static int __init delaying_init(void)
{
	if (!strcmp(what, "work"))
		return delaying_work();
	if (!strcmp(what, "irqs"))
		delaying_irqs();
	else if (!strcmp(what, "softirqs"))
		delaying_softirqs();
	else
		return -EINVAL;
	return 0;
}

static void __exit delaying_exit(void)
{
}

module_init(delaying_init);
module_exit(delaying_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a module that delays processes");
