// SPDX-License-Identifier: GPL-2.0
/*
 * The functions for kernel code, each row of each table of return values in section 4.7.2 of
 * the specification. Reading /proc/lkst_functions runs them, on the reader's CPU, which must
 * not change, and gives the results in TAP; /proc/lkst_functions_busy those which need a buffer
 * that is being read: tests/vm/functions.c sees to that.
 *
 * Event handler "functions" has the control function that tests/vm/ioctl_errors.c calls.
 */
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>
#include <linux/lkst.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_private.h>
#include "functions.h"

/* Room for the results: a file that does not fit would be made twice. */
#define OUTPUT_SIZE	(256 * 1024)

LKST_ETYPE_DEF_MODULE(OWN_ETYPE, NORMAL, FUNCTIONS, "kernel functions", "arg1:hex", "", "", "");

/* What the event handler "functions" is to do, and what came of it. */
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

/* Inverts its area, and returns what has become of the first byte. */
int own_ctrl(void *buf, size_t bufsize)
{
	u8 *byte = buf;
	size_t i;

	for (i = 0; i < bufsize; i++)
		byte[i] ^= 0xff;
	return bufsize ? byte[0] : -77;
}

/* Returns -ETIMEDOUT if the event handler did not run. */
int in_event_handler(lkst_call call)
{
	WRITE_ONCE(handler_result, -ETIMEDOUT);
	WRITE_ONCE(handler_calls, call);
	LKST_HOOK(FUNCTIONS, LKST_ARG(1), LKST_ARG(0), LKST_ARG(0), LKST_ARG(0));
	WRITE_ONCE(handler_calls, NULL);
	return READ_ONCE(handler_result);
}

static struct snapshot base;

static int functions_show(struct seq_file *m, void *unused)
{
	const char *changed;

	mutex_lock(&run_mutex);
	out = m;
	take_snapshot(&base);
	test_status();
	test_start_stop();
	test_maskset_read();
	test_maskset_write();
	test_masksets();
	test_evhandlers();
	test_register();
	test_no_evhandler_id();
	test_devices();
	test_buffer_read();
	test_buffers();
	test_buffer_limits();
	test_etypes();
	test_atomic();
	take_snapshot(&after);
	changed = difference(&base, &after);
	ok(!changed, "all is as it was before");
	if (changed)
		seq_printf(m, "# changed: %s\n", changed);
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

static void free_areas(void)
{
	vfree(body);
	vfree(masksets);
	vfree(evhandlers);
}

static int __init functions_init(void)
{
	int ret;

	body = vzalloc(LKST_MASKSET_SIZE_MAX);
	masksets = vzalloc(MASKSETS_SIZE);
	evhandlers = vzalloc(EVHANDLERS_SIZE);
	ret = -ENOMEM;
	if (!body || !masksets || !evhandlers)
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
	free_areas();
	return ret;
}

static void __exit functions_exit(void)
{
	remove_proc_entry("lkst_functions", NULL);
	remove_proc_entry("lkst_functions_busy", NULL);
	lkst_evhandler_unregister(own_handler);
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(FUNCTIONS));
	irq_work_sync(&own_irq_work);
	free_areas();
}

module_init(functions_init);
module_exit(functions_exit);
MODULE_DESCRIPTION("Tests of LKST's kernel functions");
MODULE_LICENSE("GPL");
