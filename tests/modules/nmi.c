// SPDX-License-Identifier: GPL-2.0
/*
 * NMIs while events are recorded: a program that writes a struct nmi_order to /proc/lkst_nmi
 * records events in a loop, on its CPU, and sends NMIs to the other CPUs meanwhile, whose handler
 * records events, too. Both kinds are numbered, and counted for tests/vm/nmi.c.
 */
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/lkst.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#include "nmi.h"
#include "pattern.h"

LKST_ETYPE_DEF_MODULE(NMI_ETYPE_TASK, NORMAL, NMI_TASK, "nmi task",
		      "serial:hex", "check:hex", "check:hex", "check:hex");
LKST_ETYPE_DEF_MODULE(NMI_ETYPE_HANDLER, NORMAL, NMI_HANDLER, "nmi handler",
		      "serial:hex", "check:hex", "check:hex", "check:hex");

/* Changed by the CPU itself: @task with preemption off, the rest in its NMIs, which do not nest. */
struct nmi_cpu {
	u64 task;
	u64 nmis;
	u64 handled;
};

static DEFINE_PER_CPU(struct nmi_cpu, nmi_cpus);

/* The last order's; NMIs come only while one is carried out. */
static u32 burst, burst_every = 1;

static void fill(u64 args[4], u64 serial)
{
	pattern_fill(args, (u64)raw_smp_processor_id() << NMI_CPU_SHIFT | serial);
}

static void record_task(u64 serial)
{
	u64 args[4];

	fill(args, serial);
	LKST_HOOK(NMI_TASK, args[0], args[1], args[2], args[3]);
}

static void record_handler(u64 serial)
{
	u64 args[4];

	fill(args, serial);
	LKST_HOOK(NMI_HANDLER, args[0], args[1], args[2], args[3]);
}

static int handle_nmi(unsigned int type, struct pt_regs *regs)
{
	struct nmi_cpu *cpu = raw_cpu_ptr(&nmi_cpus);
	u32 num = ++cpu->nmis % READ_ONCE(burst_every) ? 1 : READ_ONCE(burst);

	while (num--)
		record_handler(++cpu->handled);
	return NMI_HANDLED;
}

/* All CPUs but this one. */
static void send_nmi(void)
{
	apic->send_IPI_allbutself(NMI_VECTOR);
}

static void carry_out(const struct nmi_order *order)
{
	u32 left = order->records;

	while (left) {
		u32 now = order->send_every ? min(left, order->send_every) : left;

		left -= now;
		preempt_disable();
		while (now--)
			record_task(++this_cpu_ptr(&nmi_cpus)->task);
		if (order->send_every)
			send_nmi();
		preempt_enable();
		cond_resched();
	}
}

static ssize_t nmi_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct nmi_order order;

	if (count != sizeof(order))
		return -EINVAL;
	if (copy_from_user(&order, from, sizeof(order)))
		return -EFAULT;
	if (!order.burst_every)
		return -EINVAL;
	WRITE_ONCE(burst, order.burst);
	WRITE_ONCE(burst_every, order.burst_every);
	carry_out(&order);
	return count;
}

static ssize_t nmi_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct nmi_counts counts = { .handler = (unsigned long)handle_nmi };
	int i;

	for (i = 0; i < NMI_CPUS; i++) {
		const struct nmi_cpu *cpu = per_cpu_ptr(&nmi_cpus, i);

		counts.task[i] = READ_ONCE(cpu->task);
		counts.nmis[i] = READ_ONCE(cpu->nmis);
		counts.handled[i] = READ_ONCE(cpu->handled);
	}
	return simple_read_from_buffer(to, count, pos, &counts, sizeof(counts));
}

static const struct proc_ops nmi_ops = {
	.proc_write = nmi_write,
	.proc_read = nmi_read,
	.proc_lseek = default_llseek,
};

static int __init nmi_init(void)
{
	int ret;

	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(NMI_TASK));
	if (ret < 0)
		return ret;
	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(NMI_HANDLER));
	if (ret < 0)
		goto unregister_task;
	ret = register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "lkst_nmi");
	if (ret)
		goto unregister_handler;
	ret = -ENOMEM;
	if (!proc_create("lkst_nmi", 0600, NULL, &nmi_ops))
		goto unregister_nmi;
	return 0;

unregister_nmi:
	unregister_nmi_handler(NMI_LOCAL, "lkst_nmi");
unregister_handler:
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(NMI_HANDLER));
unregister_task:
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(NMI_TASK));
	return ret;
}

static void __exit nmi_exit(void)
{
	remove_proc_entry("lkst_nmi", NULL);
	unregister_nmi_handler(NMI_LOCAL, "lkst_nmi");
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(NMI_HANDLER));
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(NMI_TASK));
}

module_init(nmi_init);
module_exit(nmi_exit);
MODULE_DESCRIPTION("LKST test: NMIs while events are recorded");
MODULE_LICENSE("GPL");
