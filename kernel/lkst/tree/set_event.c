// SPDX-License-Identifier: GPL-2.0
/*
 * The files "available_events" and "set_event": the list of events, and the
 * events that are on.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "../device/permission.h"
#include "file.h"
#include "names.h"
#include "turn.h"

static const struct lkst_tree_match lkst_tree_all;

static int lkst_tree_available_event(const struct lkst_tree_name *event, void *data)
{
	lkst_tree_show_string(data, event->system);
	seq_putc(data, ':');
	lkst_tree_show_string(data, event->name);
	seq_putc(data, '\n');
	return 0;
}

static int lkst_tree_available_show(struct seq_file *m, void *unused)
{
	return lkst_tree_for_each(&lkst_tree_all, lkst_tree_available_event, m);
}

LKST_TREE_FILE(available);

static int lkst_tree_set_event(const struct lkst_tree_name *event, void *data)
{
	return lkst_tree_is_on(event->etype) ? lkst_tree_available_event(event, data) : 0;
}

static int lkst_tree_set_show(struct seq_file *m, void *unused)
{
	return lkst_tree_for_each(&lkst_tree_all, lkst_tree_set_event, m);
}

/* As with tracefs, a program that truncates the file turns all events off. */
static int lkst_tree_set_open(struct inode *inode, struct file *file)
{
	int ret = lkst_permission();

	if (ret)
		return ret;
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC) {
		ret = lkst_tree_turn(&lkst_tree_all, false);
		if (ret && ret != -ENOENT)
			return ret;
	}
	return single_open(file, lkst_tree_set_show, NULL);
}

/*
 * Turn on the events that a word names: "NAME", where NAME is a system or an
 * event, or "SYSTEM:NAME", where each part may be "*" or empty. A word that
 * begins with "!" turns the events off instead.
 */
int lkst_tree_set_word(char *word)
{
	struct lkst_tree_match match = {};
	bool on = *word != '!';
	char *name;
	int ret;

	word += !on;
	name = strchr(word, ':');
	if (name) {
		*name++ = '\0';
		match.system = *word && strcmp(word, "*") ? word : NULL;
		match.name = *name && strcmp(name, "*") ? name : NULL;
	} else {
		match.either = word;
	}
	ret = lkst_tree_turn(&match, on);
	return ret == -ENOENT ? -EINVAL : ret;
}

static ssize_t lkst_tree_set_write(struct file *file, const char __user *from, size_t count,
				   loff_t *position)
{
	return lkst_tree_execute(from, count, " \t\n", lkst_tree_set_word);
}

const struct file_operations lkst_tree_set_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_set_open,
	.read = seq_read,
	.write = lkst_tree_set_write,
	.llseek = seq_lseek,
	.release = single_release,
};
