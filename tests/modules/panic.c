// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/panic.t: "echo 1 >/sys/module/panic/parameters/now" makes the kernel panic. The
 * event handler show_panic prints the events of the panic, because no program runs after a panic to
 * read them.
 *
 * For tests/host/death_console.t: other words make the kernel die in other ways, which kinds[]
 * lists, and the event handler die_handler panics.
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

/* Print the event. LKST passes the events that printing generates to the default handler. */
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
	/*
	 * Let the address of @space escape. Otherwise the compiler would turn the
	 * recursion into a loop.
	 */
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

static void die_at(const char *symbol)
{
	static struct kprobe probe = { .pre_handler = panic_in_probe };
	int ret;

	probe.symbol_name = symbol;
	ret = register_kprobe(&probe);
	if (ret)
		pr_alert("panic-test: no probe at %s: %d\n", symbol, ret);
}

static const struct {
	const char *name;
	void (*die)(void);
	const char *symbol;	/* if @die is NULL: die at the next call of this function */
} kinds[] = {
	{ "1", panic_inner },
	{ "interrupt", die_in_interrupt },	/* BUG() in a hard interrupt */
	{ "oops", die_of_oops },		/* with panic_on_oops */
	{ "stack", die_of_stack },		/* stack overflow: a double fault */
	{ "nmi", die_in_nmi },
	/* in lkst_buffer_list(), with lkst_buffer_mutex held */
	{ "mutex", .symbol = "lkst_queue_ends" },
	/* in a shift, before the new buffer becomes current */
	{ "open", .symbol = "lkst_image_set_session" },
	/* in a shift, before the old buffer is closed */
	{ "shift", .symbol = "lkst_shift_leave" },
};

static int panic_now(const char *value, const struct kernel_param *kp)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!sysfs_streq(value, kinds[i].name))
			continue;
		if (kinds[i].symbol)
			die_at(kinds[i].symbol);
		else
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
MODULE_DESCRIPTION("LKST test: panics in various ways on request");
