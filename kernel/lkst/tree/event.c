// SPDX-License-Identifier: GPL-2.0
/*
 * The files in the directory of an event: "enable" and "id". The file "format"
 * is in format.c.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "../device/permission.h"
#include "../user/registry.h"
#include "event.h"
#include "file.h"
#include "turn.h"

/**
 * struct lkst_tree_look - how to print something about one event
 * @etype: type of the event
 * @show: function that prints it
 * @m: output
 */
struct lkst_tree_look {
	int etype;
	void (*show)(struct seq_file *m, const struct lkst_user_event *event);
	struct seq_file *m;
};

static int lkst_tree_look_at(const struct lkst_user_event *event, void *data)
{
	const struct lkst_tree_look *look = data;

	if (event->etype != look->etype)
		return 0;
	look->show(look->m, event);
	return 1;
}

/*
 * Call a function for the event to which a file belongs. Returns 0; -ENODEV if
 * the event has ended; -EINTR if a fatal signal ended the wait.
 */
int lkst_tree_show(struct seq_file *m,
		   void (*show)(struct seq_file *m, const struct lkst_user_event *event))
{
	struct lkst_tree_look look = { (unsigned long)m->private, show, m };
	int ret = lkst_user_for_each(lkst_tree_look_at, &look);

	return ret < 0 ? ret : ret ? 0 : -ENODEV;
}

static void lkst_tree_show_enable(struct seq_file *m, const struct lkst_user_event *event)
{
	seq_printf(m, "%d\n", lkst_user_event_on(event));
}

static int lkst_tree_enable_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_enable);
}

static int lkst_tree_enable_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_enable_show, inode->i_private);
}

static ssize_t lkst_tree_enable_write(struct file *file, const char __user *text, size_t count,
				      loff_t *position)
{
	const struct lkst_tree_filter filter = {
		.etype = (unsigned long)file_inode(file)->i_private,
	};
	unsigned long value;
	int ret;

	ret = kstrtoul_from_user(text, count, 10, &value);
	if (ret)
		return ret;
	if (value > 1)
		return -EINVAL;
	ret = lkst_tree_turn(&filter, value);
	return ret == -ENOENT ? -ENODEV : ret ?: count;
}

const struct file_operations lkst_tree_enable_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_enable_open,
	.read = seq_read,
	.write = lkst_tree_enable_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static void lkst_tree_show_id(struct seq_file *m, const struct lkst_user_event *event)
{
	seq_printf(m, "%u\n", event->etype);
}

static int lkst_tree_id_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_id);
}

LKST_TREE_FILE(id);
