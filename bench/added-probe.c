// SPDX-License-Identifier: GPL-2.0
/*
 * For bench/added: probes that do nothing. They show how many instructions the kernel takes to call
 * a probe of any tracer. Writing 1 to the parameter "probe" attaches a kprobe to the system call
 * getppid(), 2 attaches a kretprobe, and 0 detaches it.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

static int probe_begins(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

static int probe_returns(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe begins;
static struct kretprobe returns;
static unsigned int attached;

static void probe_detach(void)
{
	if (attached == 1)
		unregister_kprobe(&begins);
	else if (attached == 2)
		unregister_kretprobe(&returns);
	attached = 0;
}

static int probe_attach(unsigned int kind)
{
	static const char symbol[] = "__x64_sys_getppid";
	int ret;

	if (kind == 1) {
		begins = (struct kprobe){ .symbol_name = symbol, .pre_handler = probe_begins };
		ret = register_kprobe(&begins);
	} else {
		returns = (struct kretprobe){ .kp.symbol_name = symbol, .handler = probe_returns };
		ret = register_kretprobe(&returns);
	}
	if (!ret)
		attached = kind;
	return ret;
}

static int probe_set(const char *value, const struct kernel_param *kp)
{
	unsigned int kind;
	int ret = kstrtouint(value, 0, &kind);

	if (ret)
		return ret;
	if (kind > 2)
		return -EINVAL;
	probe_detach();
	return kind ? probe_attach(kind) : 0;
}

static const struct kernel_param_ops probe_ops = { .set = probe_set };

module_param_cb(probe, &probe_ops, NULL, 0200);

static int __init added_probe_init(void)
{
	return 0;
}

static void __exit added_probe_exit(void)
{
	probe_detach();
}

module_init(added_probe_init);
module_exit(added_probe_exit);

MODULE_DESCRIPTION("LKST bench: probes that do nothing");
MODULE_LICENSE("GPL");
