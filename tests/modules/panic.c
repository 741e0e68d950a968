// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/panic.t: an event handler, show_panic, that prints the events of a panic, which
 * nobody is left to read; and "echo 1 >/sys/module/panic/parameters/now" panics. For
 * tests/host/death_console.t the kernel dies in other ways, see kinds[]; and die_handler is an
 * event handler that panics.
 */
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/nmi.h>
#include <linux/string.h>
#include <linux/lkst_class.h>
#include <linux/lkst_etypes.h>
#include <asm/apic.h>
#include <asm/nmi.h>

/* What it prints goes by the default handler, as events do that a handler causes. */
static void show_panic(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		       lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	lkst_arg_t args[] = { log_arg1, log_arg2, log_arg3, log_arg4 };
	char text[sizeof(args) + 1] = "";

	if (event_type == LKST_ETYPE_OOPS_PANIC) {
		memcpy(text, args, sizeof(args));
		pr_emerg("panic-test: message [%s]\n", text);
	} else {
		pr_emerg("panic-test: %s %pB %pB %pB %pB\n",
			 event_type == LKST_ETYPE_OOPS_STACK ? "stack" : "regs",
			 (void *)(unsigned long)args[0], (void *)(unsigned long)args[1],
			 (void *)(unsigned long)args[2], (void *)(unsigned long)args[3]);
	}
}

LKST_EH_DEV_DEF(show_panic, show_panic, NULL, NULL, NULL);

static noinline void panic_inner(void)
{
	panic("panic-test number %d, and more than fits", 42);
}

static void die_handler(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	panic("panic-test: in an event handler");
}

LKST_EH_DEV_DEF(die_handler, die_handler, NULL, NULL, NULL);

static void bug_in_interrupt(struct irq_work *work)
{
	BUG();
}

static void die_in_interrupt(void)
{
	static struct irq_work work = IRQ_WORK_INIT_HARD(bug_in_interrupt);

	irq_work_queue(&work);
}

static void die_of_oops(void)
{
	WRITE_ONCE(*(int *)16, 1);
}

static noinline unsigned int eat_stack(const unsigned int *above)
{
	unsigned int space[128];

	space[0] = *above + 1;
	/* Somebody may hold on to this space: or the compiler would make a loop of the calls. */
	barrier_data(space);
	return space[0] ? eat_stack(space) + space[0] : 0;
}

static void die_of_stack(void)
{
	unsigned int above = 0;

	eat_stack(&above);
}

static int panic_in_nmi(unsigned int type, struct pt_regs *regs)
{
	nmi_panic(regs, "panic-test: in an NMI");
	return NMI_HANDLED;
}

static void die_in_nmi(void)
{
	register_nmi_handler(NMI_LOCAL, panic_in_nmi, 0, "panic-test");
	apic->send_IPI_self(NMI_VECTOR);
}

static int panic_in_probe(struct kprobe *probe, struct pt_regs *regs)
{
	panic("panic-test: at %s", probe->symbol_name);
}

static struct kprobe mutex_probe = { .symbol_name = "lkst_queue_ends" };
static struct kprobe open_probe = { .symbol_name = "lkst_image_session" };
static struct kprobe shift_probe = { .symbol_name = "lkst_shift_leave" };

static void die_at(struct kprobe *probe)
{
	int ret;

	probe->pre_handler = panic_in_probe;
	ret = register_kprobe(probe);
	if (ret)
		pr_alert("panic-test: no probe at %s: %d\n", probe->symbol_name, ret);
}

static void die_with_mutex(void)
{
	die_at(&mutex_probe);
}

static void die_in_open(void)
{
	die_at(&open_probe);
}

static void die_in_shift(void)
{
	die_at(&shift_probe);
}

static const struct {
	const char *name;
	void (*die)(void);
} kinds[] = {
	{ "1", panic_inner },
	{ "interrupt", die_in_interrupt },	/* BUG() in a hard interrupt */
	{ "oops", die_of_oops },		/* with panic_on_oops */
	{ "stack", die_of_stack },		/* overflows: a double fault */
	{ "nmi", die_in_nmi },
	/* Those that follow die later: */
	{ "mutex", die_with_mutex },		/* at lkst_buffer_list(), with lkst_buffer_mutex */
	{ "open", die_in_open },		/* at a shift, before the new buffer is current */
	{ "shift", die_in_shift },		/* at a shift, before the old buffer is closed */
};

static int panic_now(const char *value, const struct kernel_param *kp)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!sysfs_streq(value, kinds[i].name))
			continue;
		kinds[i].die();
		return 0;
	}
	return -EINVAL;
}

static const struct kernel_param_ops panic_ops = { .set = panic_now };

module_param_cb(now, &panic_ops, NULL, 0200);

static int __init panic_init(void)
{
	int ret = lkst_eh_device_register(&LKST_EH_DEV(show_panic));

	if (ret < 0)
		return ret;
	ret = lkst_eh_device_register(&LKST_EH_DEV(die_handler));
	if (ret < 0)
		lkst_eh_device_unregister(&LKST_EH_DEV(show_panic));
	return min(ret, 0);
}

static void __exit panic_exit(void)
{
	lkst_eh_device_unregister(&LKST_EH_DEV(die_handler));
	lkst_eh_device_unregister(&LKST_EH_DEV(show_panic));
}

module_init(panic_init);
module_exit(panic_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Panics when it is loaded, for the tests of LKST");
