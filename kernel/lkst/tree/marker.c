// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trace_marker": a text that a program writes becomes the event
 * "ftrace:print", which is user_long_text.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_buffer.h>

#include "../device/permission.h"
#include "../device/text.h"
#include "file.h"

static int lkst_tree_marker_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: stream_open(inode, file);
}

/*
 * Record a text, without a newline at its end. If the text is too long for an
 * event, record its first part and return that length. The program then writes
 * the rest.
 */
static ssize_t lkst_tree_marker_write(struct file *file, const char __user *from, size_t count,
				      loff_t *position)
{
	char *text;

	count = min_t(size_t, count, LKST_CHAIN_BYTES_MAX);
	text = memdup_user(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	lkst_text_record(text, count - (count && text[count - 1] == '\n'));
	kfree(text);
	return count;
}

const struct file_operations lkst_tree_marker_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_marker_open,
	.write = lkst_tree_marker_write,
};
