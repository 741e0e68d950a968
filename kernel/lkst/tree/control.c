// SPDX-License-Identifier: GPL-2.0
/*
 * The files "tracing_on", "current_tracer", "available_tracers" and
 * "options/stacktrace".
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/lkst.h>

#include "../device/permission.h"
#include "../dispatch/maskset.h"
#include "file.h"

static int lkst_tree_on_show(struct seq_file *m, void *unused)
{
	struct lkst_trc_status status;

	lkst_maskset_status(&status);
	seq_printf(m, "%d\n", status.state == LKST_TRC_RUNNING);
	return 0;
}

static int lkst_tree_on_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_on_show, NULL);
}

static ssize_t lkst_tree_on_write(struct file *file, const char __user *text, size_t count,
				  loff_t *position)
{
	unsigned long value;
	int ret;

	ret = kstrtoul_from_user(text, count, 10, &value);
	if (ret)
		return ret;
	ret = value ? lkst_trc_start_wait() : lkst_trc_pause_wait();
	return ret ?: count;
}

const struct file_operations lkst_tree_on_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_on_open,
	.read = seq_read,
	.write = lkst_tree_on_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* The only tracer is "nop", with which the kernel traces only events. */
static int lkst_tree_tracers_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "nop\n");
	return 0;
}

LKST_TREE_FILE(tracers);

static int lkst_tree_tracer_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_tracers_show, NULL);
}

static int lkst_tree_set_tracer(char *name)
{
	return strcmp(name, "nop") ? -EINVAL : 0;
}

static ssize_t lkst_tree_tracer_write(struct file *file, const char __user *text, size_t count,
				      loff_t *position)
{
	return lkst_tree_execute(text, count, " \t\n", lkst_tree_set_tracer);
}

const struct file_operations lkst_tree_tracer_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_tracer_open,
	.read = seq_read,
	.write = lkst_tree_tracer_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/*
 * In tracefs, this option lets each event record a stack. In this tree, only
 * triggers record stacks, so the option is always 0.
 */
static int lkst_tree_stacktrace_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "0\n");
	return 0;
}

static int lkst_tree_stacktrace_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_stacktrace_show, NULL);
}

static ssize_t lkst_tree_stacktrace_write(struct file *file, const char __user *text, size_t count,
					  loff_t *position)
{
	int ret = lkst_tree_read_switch(text, count);

	return ret > 0 ? -EINVAL : ret ?: count;
}

const struct file_operations lkst_tree_stacktrace_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_stacktrace_open,
	.read = seq_read,
	.write = lkst_tree_stacktrace_write,
	.llseek = seq_lseek,
	.release = single_release,
};
