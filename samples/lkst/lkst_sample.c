// SPDX-License-Identifier: GPL-2.0
/*
 * A template for modules that define an event and an event handler.
 *
 * The event SAMPLE_WRITE occurs when a process writes to /proc/lkst_sample. The
 * handler sample_every is for frequent events: it records only every Nth event
 * of each type on each CPU. N is initially 1. It is set through the control
 * function of the handler, ioctl(LKST_IOC_EVHANDLER_CTRL), or through
 * /sys/class/lkst/sample_every/ctrl.
 *
 * Documentation/lkst/handlers.rst explains this module.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/sysfs.h>
#include <linux/uaccess.h>
#include <linux/lkst.h>
#include <linux/lkst_class.h>
#include <linux/lkst_private.h>

#include "lkst_sample.h"

/* --- The event */

LKST_ETYPE_DEF_MODULE(LKST_SAMPLE_ETYPE, NORMAL, SAMPLE_WRITE, "sample write",
		      "bytes:udec", "text:text", "text:text", "");

static ssize_t sample_write(struct file *file, const char __user *from, size_t count,
			    loff_t *pos)
{
	u64 text[2] = {};

	if (copy_from_user(text, from, min(count, sizeof(text))))
		return -EFAULT;
	LKST_HOOK(SAMPLE_WRITE, LKST_ARG(count), LKST_ARG(text[0]), LKST_ARG(text[1]),
		  LKST_ARG(0));
	return count;
}

static const struct proc_ops sample_proc_ops = {
	.proc_write = sample_write,
};

/* --- The handler */

struct sample_counts {
	unsigned int seen[LKST_ETYPE_NUM];
};

static struct sample_counts __percpu *sample_counts;
static unsigned int sample_every = 1;

/*
 * Record every Nth event. The handler runs in the context of the event, which
 * may be an NMI, so one call of the handler may interrupt another call on the
 * same CPU. Therefore the handler must not take a lock. It uses per-CPU
 * counters, each of which is updated by one instruction.
 */
static void sample_handler(void *phookrec, int event_type, lkst_arg_t log_arg1,
			   lkst_arg_t log_arg2, lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	unsigned int seen = this_cpu_inc_return(sample_counts->seen[event_type]);

	if (seen % READ_ONCE(sample_every) == 0)
		lkst_evhandlerprim_entry_log(phookrec, event_type, log_arg1, log_arg2, log_arg3,
					     log_arg4);
}

static u64 sample_seen(void)
{
	u64 sum = 0;
	int cpu, etype;

	for_each_possible_cpu(cpu)
		for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
			sum += READ_ONCE(per_cpu_ptr(sample_counts, cpu)->seen[etype]);
	return sum;
}

/*
 * Set and get N. No lock is needed: a handler that runs concurrently sees
 * either the old N or the new one.
 */
static int sample_ctrl(void *buf, size_t bufsize)
{
	struct lkst_sample_ctrl *ctrl = buf;

	if (bufsize != sizeof(*ctrl))
		return -EINVAL;
	if (ctrl->every)
		WRITE_ONCE(sample_every, ctrl->every);
	ctrl->every = READ_ONCE(sample_every);
	ctrl->pad = 0;
	ctrl->seen = sample_seen();
	return 0;
}

static ssize_t sample_ctrl_store(struct lkst_eh_device *ehdev, const char *buf, size_t size)
{
	unsigned int every;
	int ret = kstrtouint(buf, 0, &every);

	if (ret)
		return ret;
	if (!every)
		return -EINVAL;
	WRITE_ONCE(sample_every, every);
	return size;
}

static ssize_t sample_ctrl_show(struct lkst_eh_device *ehdev, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(sample_every));
}

LKST_EH_DEV_DEF(sample_every, sample_handler, sample_ctrl, sample_ctrl_store, sample_ctrl_show);

/* --- The module */

static int __init sample_init(void)
{
	int ret;

	sample_counts = alloc_percpu(struct sample_counts);
	if (!sample_counts)
		return -ENOMEM;
	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(SAMPLE_WRITE));
	if (ret < 0)
		goto free;
	/* On success, this returns the id of the handler. */
	ret = lkst_eh_device_register(&LKST_EH_DEV(sample_every));
	if (ret < 0)
		goto unregister_etype;
	ret = -ENOMEM;
	if (!proc_create("lkst_sample", 0200, NULL, &sample_proc_ops))
		goto unregister_handler;
	return 0;

unregister_handler:
	lkst_eh_device_unregister(&LKST_EH_DEV(sample_every));
unregister_etype:
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(SAMPLE_WRITE));
free:
	free_percpu(sample_counts);
	return ret;
}

/*
 * Undo sample_init() in reverse order. No event occurs after the removal of the
 * /proc file. The counters are freed last, because the handler uses them until
 * it is unregistered.
 */
static void __exit sample_exit(void)
{
	remove_proc_entry("lkst_sample", NULL);
	lkst_eh_device_unregister(&LKST_EH_DEV(sample_every));
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(SAMPLE_WRITE));
	free_percpu(sample_counts);
}

module_init(sample_init);
module_exit(sample_exit);

MODULE_DESCRIPTION("LKST: sample module with an event and an event handler");
MODULE_LICENSE("GPL");
