// SPDX-License-Identifier: GPL-2.0
/*
 * The files "enable" and "id" of an event, and the file "enable" of a system.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "../device/permission.h"
#include "../dispatch/maskset.h"
#include "event.h"
#include "file.h"
#include "names.h"
#include "turn.h"

/**
 * struct lkst_tree_look - how to print something about one event
 * @show: function that prints it
 * @m: output
 */
struct lkst_tree_look {
	void (*show)(struct seq_file *m, const struct lkst_tree_name *event);
	struct seq_file *m;
};

static int lkst_tree_look_at(const struct lkst_tree_name *event, void *data)
{
	const struct lkst_tree_look *look = data;

	look->show(look->m, event);
	return 1;
}

/*
 * Call @show for the event to which a file belongs. Returns 0; -ENODEV if the
 * event has ended; -EINTR if a fatal signal interrupts lkst_tree_for_each().
 */
int lkst_tree_show(struct seq_file *m,
		   void (*show)(struct seq_file *m, const struct lkst_tree_name *event))
{
	const struct lkst_tree_match match = { .etype = (unsigned long)m->private };
	struct lkst_tree_look look = { show, m };
	int ret = lkst_tree_for_each(&match, lkst_tree_look_at, &look);

	return ret < 0 ? ret : ret ? 0 : -ENODEV;
}

static void lkst_tree_show_id(struct seq_file *m, const struct lkst_tree_name *event)
{
	seq_printf(m, "%u\n", event->etype);
}

static int lkst_tree_id_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_id);
}

LKST_TREE_FILE(id);

static void lkst_tree_show_enable(struct seq_file *m, const struct lkst_tree_name *event)
{
	int gate = lkst_maskset_gate(event->etype);

	/* As in tracefs, "*" means that triggers turn the event on and off. */
	if (gate < 0)
		seq_printf(m, "%d\n", lkst_tree_is_on(event->etype));
	else
		seq_printf(m, "%d*\n", gate);
}

static int lkst_tree_enable_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_enable);
}

static int lkst_tree_enable_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_enable_show, inode->i_private);
}

/* Turn events on if a program writes 1, and off if it writes 0. */
static ssize_t lkst_tree_turn_from(const struct lkst_tree_match *match, const char __user *text,
				   size_t count)
{
	int ret = lkst_tree_read_switch(text, count);

	if (ret < 0)
		return ret;
	ret = lkst_tree_turn(match, ret);
	return ret == -ENOENT ? -ENODEV : ret ?: count;
}

static ssize_t lkst_tree_enable_write(struct file *file, const char __user *text, size_t count,
				      loff_t *position)
{
	const struct lkst_tree_match match = {
		.etype = (unsigned long)file_inode(file)->i_private,
	};

	return lkst_tree_turn_from(&match, text, count);
}

const struct file_operations lkst_tree_enable_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_enable_open,
	.read = seq_read,
	.write = lkst_tree_enable_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* Set bit 0 of @seen if an event is off, or bit 1 if it is on. */
static int lkst_tree_note_enable(const struct lkst_tree_name *event, void *seen)
{
	*(unsigned int *)seen |= BIT(lkst_tree_is_on(event->etype));
	return 0;
}

/* Print "1" or "0", or "X" if some events are on and others are off. */
static int lkst_tree_enable_all_show(struct seq_file *m, void *unused)
{
	static const char shown[] = { '0', '0', '1', 'X' };
	const struct lkst_tree_match match = { .system = m->private };
	unsigned int seen = 0;
	int ret = lkst_tree_for_each(&match, lkst_tree_note_enable, &seen);

	if (ret)
		return ret;
	seq_printf(m, "%c\n", shown[seen]);
	return 0;
}

static int lkst_tree_enable_all_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_enable_all_show, inode->i_private);
}

static ssize_t lkst_tree_enable_all_write(struct file *file, const char __user *text, size_t count,
					  loff_t *position)
{
	const struct lkst_tree_match match = { .system = file_inode(file)->i_private };

	return lkst_tree_turn_from(&match, text, count);
}

const struct file_operations lkst_tree_enable_all_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_enable_all_open,
	.read = seq_read,
	.write = lkst_tree_enable_all_write,
	.llseek = seq_lseek,
	.release = single_release,
};
