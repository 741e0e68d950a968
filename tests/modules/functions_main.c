// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of LKST's functions for kernel code (section 4.7.2 of the specification). Reading
 * /proc/lkst_functions runs the tests on the CPU of the reading process, which must not migrate,
 * and returns the results in TAP. Reading /proc/lkst_functions_busy runs the tests that need a
 * buffer that is being read. tests/vm/dispatch/functions.c provides such a buffer.
 *
 * The event handler "functions" has a control function, which tests/vm/device/ioctl_errors.c calls.
 */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/lkst.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_private.h>
#include "functions.h"

/*
 * Size in bytes of the buffer for the results. If the results did not fit, seq_file would enlarge
 * the buffer and run the tests again.
 */
#define OUTPUT_SIZE	(256 * 1024)

LKST_ETYPE_DEF_MODULE(OWN_ETYPE, NORMAL, FUNCTIONS, "kernel functions", "arg1:hex", "", "", "");

/* The call that the event handler "functions" makes, and its result. */
static lkst_call handler_calls;
static int handler_result;
int own_handler;

void own_evhandler(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		   lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	lkst_call call = READ_ONCE(handler_calls);

	if (!call)
		return;
	WRITE_ONCE(handler_calls, NULL);
	WRITE_ONCE(handler_result, call());
}

/* Control function. Invert the bytes of @buf. Return the new first byte, or -77 if it is empty. */
static int own_ctrl(void *buf, size_t bufsize)
{
	u8 *byte = buf;

	for (size_t i = 0; i < bufsize; i++)
		byte[i] ^= 0xff;
	return bufsize ? byte[0] : -77;
}

/*
 * Make a call in the event handler. A worker turns the event on, but only some time after the
 * maskset was selected, so repeat the event until the handler has run. Return the call's result, or
 * -ETIMEDOUT if the handler did not run within 30 s.
 */
int in_event_handler(lkst_call call)
{
	unsigned long deadline = jiffies + 30 * HZ;

	WRITE_ONCE(handler_result, -ETIMEDOUT);
	WRITE_ONCE(handler_calls, call);
	do {
		LKST_HOOK(FUNCTIONS, LKST_ARG(1), LKST_ARG(0), LKST_ARG(0), LKST_ARG(0));
		if (!READ_ONCE(handler_calls))
			break;
		msleep(1);
	} while (time_before(jiffies, deadline));
	WRITE_ONCE(handler_calls, NULL);
	return READ_ONCE(handler_result);
}

/* Serializes the tests. */
static DEFINE_MUTEX(run_mutex);
static struct snapshot base;

static int functions_show(struct seq_file *m, void *unused)
{
	mutex_lock(&run_mutex);
	out = m;
	take_snapshot(&base);
	test_calls();
	test_atomic();
	take_snapshot(&after);
	report(!has_changed(&base, &after), "the tests leave the state of LKST unchanged");
	mutex_unlock(&run_mutex);
	return 0;
}

static int functions_busy_show(struct seq_file *m, void *unused)
{
	mutex_lock(&run_mutex);
	out = m;
	test_busy();
	mutex_unlock(&run_mutex);
	return 0;
}

static int functions_open(struct inode *inode, struct file *file)
{
	return single_open_size(file, pde_data(inode), NULL, OUTPUT_SIZE);
}

static const struct proc_ops functions_ops = {
	.proc_open = functions_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init functions_init(void)
{
	int ret = alloc_lists();

	if (ret)
		goto free;
	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(FUNCTIONS));
	if (ret < 0)
		goto free;
	ret = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "functions", own_evhandler,
				      own_ctrl);
	if (ret < 0)
		goto unregister;
	own_handler = ret;
	if (!proc_create_data("lkst_functions", 0400, NULL, &functions_ops, functions_show) ||
	    !proc_create_data("lkst_functions_busy", 0400, NULL, &functions_ops,
			      functions_busy_show)) {
		ret = -ENOMEM;
		goto remove;
	}
	return 0;

remove:
	remove_proc_subtree("lkst_functions", NULL);
	lkst_evhandler_unregister(own_handler);
unregister:
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(FUNCTIONS));
free:
	free_lists();
	return ret;
}

static void __exit functions_exit(void)
{
	remove_proc_entry("lkst_functions", NULL);
	remove_proc_entry("lkst_functions_busy", NULL);
	lkst_evhandler_unregister(own_handler);
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(FUNCTIONS));
	irq_work_sync(&own_irq_work);
	free_lists();
}

module_init(functions_init);
module_exit(functions_exit);
MODULE_DESCRIPTION("Tests of LKST's kernel functions");
MODULE_LICENSE("GPL");
