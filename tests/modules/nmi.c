// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/vm/events/nmi.c: send NMIs while events are recorded. When a program writes a struct
 * nmi_request to /proc/lkst_nmi, the program's CPU records events in a loop, and sends NMIs to the
 * other CPUs. The NMI handler records events, too. The events of both kinds are numbered. Reading
 * the file returns a struct nmi_counts.
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

/*
 * Counts of a CPU, which only the CPU itself changes: @task with preemption off, @nmis and @handled
 * in its NMIs, which do not nest.
 */
struct nmi_cpu {
	u64 task;
	u64 nmis;
	u64 handled;
};

static DEFINE_PER_CPU(struct nmi_cpu, nmi_cpus);

/* Copied from the latest request. burst_every is never 0, because the handler divides by it. */
static u32 burst, burst_every = 1;

/* Record event number @serial of this CPU. A macro, because LKST_HOOK() needs a literal name. */
#define RECORD(hook, serial) do {						\
	u64 args[4];								\
										\
	pattern_fill(args, (u64)raw_smp_processor_id() << NMI_CPU_SHIFT | (serial)); \
	LKST_HOOK(hook, args[0], args[1], args[2], args[3]);			\
} while (0)

static int handle_nmi(unsigned int type, struct pt_regs *regs)
{
	struct nmi_cpu *cpu = raw_cpu_ptr(&nmi_cpus);
	u32 num = ++cpu->nmis % READ_ONCE(burst_every) ? 1 : READ_ONCE(burst);

	while (num--)
		RECORD(NMI_HANDLER, ++cpu->handled);
	return NMI_HANDLED;
}

/* Send an NMI to all CPUs but this one. */
static void send_nmi(void)
{
	apic->send_IPI_allbutself(NMI_VECTOR);
}

static void execute(const struct nmi_request *request)
{
	u32 left = request->records;

	while (left) {
		u32 now = request->send_every ? min(left, request->send_every) : left;

		left -= now;
		preempt_disable();
		while (now--)
			RECORD(NMI_TASK, ++this_cpu_ptr(&nmi_cpus)->task);
		if (request->send_every)
			send_nmi();
		preempt_enable();
		cond_resched();
	}
}

static ssize_t nmi_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct nmi_request request;

	if (count != sizeof(request))
		return -EINVAL;
	if (copy_from_user(&request, from, sizeof(request)))
		return -EFAULT;
	if (!request.burst_every)
		return -EINVAL;
	WRITE_ONCE(burst, request.burst);
	WRITE_ONCE(burst_every, request.burst_every);
	execute(&request);
	return count;
}

static ssize_t nmi_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct nmi_counts counts = { .handler = (unsigned long)handle_nmi };

	for (int i = 0; i < NMI_CPUS; i++) {
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
