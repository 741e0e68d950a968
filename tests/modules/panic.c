// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/panic.t: an event handler, show_panic, that prints the events of a panic, which
 * nobody is left to read; and "echo 1 >/sys/module/panic/parameters/now" panics.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/lkst_class.h>
#include <linux/lkst_etypes.h>

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

static int panic_now(const char *value, const struct kernel_param *kp)
{
	panic_inner();
	return 0;
}

static const struct kernel_param_ops panic_ops = { .set = panic_now };

module_param_cb(now, &panic_ops, NULL, 0200);

static int __init panic_init(void)
{
	int ret = lkst_eh_device_register(&LKST_EH_DEV(show_panic));

	return ret < 0 ? ret : 0;
}

static void __exit panic_exit(void)
{
	lkst_eh_device_unregister(&LKST_EH_DEV(show_panic));
}

module_init(panic_init);
module_exit(panic_exit);
MODULE_LICENSE("GPL");
