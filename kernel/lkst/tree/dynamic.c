// SPDX-License-Identifier: GPL-2.0
/*
 * The file "dynamic_events": the events of programs, and commands that create
 * and delete them.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "../device/permission.h"
#include "../user/registry.h"
#include "file.h"
#include "tree.h"

static int lkst_tree_dynamic_event(const struct lkst_user_event *event, void *data)
{
	seq_puts(data, "u:");
	lkst_tree_show_string(data, event->name);
	seq_puts(data, event->format->num ? " " : "");
	lkst_tree_show_string(data, event->format->text);
	seq_putc(data, '\n');
	return 0;
}

static int lkst_tree_dynamic_show(struct seq_file *m, void *unused)
{
	return lkst_user_for_each(lkst_tree_dynamic_event, m);
}

static int lkst_tree_dynamic_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_dynamic_show, NULL);
}

/* Register "NAME FIELDS" as an event that persists. */
static int lkst_tree_create(char *command)
{
	const struct lkst_user_who who = { .owner = current_fsuid(), .privileged = true };
	struct lkst_user_event *event = lkst_user_register(command, LKST_USER_PERSIST, &who);

	if (IS_ERR(event))
		return PTR_ERR(event);
	lkst_user_event_put(event);
	lkst_tree_update();
	return 0;
}

/*
 * Delete "[SYSTEM/]NAME [FIELDS]". Without FIELDS, this deletes all events with
 * the name. The caller has removed blanks at the end.
 */
static int lkst_tree_delete(char *command)
{
	char *name = strsep(&command, " \t"), *slash = strchr(name, '/'), *system = NULL;
	int ret;

	if (slash) {
		*slash = '\0';
		system = name;
		name = slash + 1;
	}
	ret = lkst_user_delete(system, name, command);
	lkst_tree_update();
	return ret;
}

/*
 * Execute a line: "u:NAME [FIELDS]" creates an event. With "!u:" or "-:"
 * instead of "u:", the line deletes the event.
 */
static int lkst_tree_command(char *command)
{
	bool deletes = true;

	command = strim(command);
	if (!*command || *command == '#')
		return 0;
	if (!strncmp(command, "u:", 2)) {
		deletes = false;
		command += 2;
	} else if (!strncmp(command, "!u:", 3)) {
		command += 3;
	} else if (!strncmp(command, "-:", 2)) {
		command += 2;
	} else {
		return -EINVAL;
	}
	command = skip_spaces(command);
	return deletes ? lkst_tree_delete(command) : lkst_tree_create(command);
}

static ssize_t lkst_tree_dynamic_write(struct file *file, const char __user *from, size_t count,
				       loff_t *position)
{
	return lkst_tree_execute(from, count, "\n", lkst_tree_command);
}

const struct file_operations lkst_tree_dynamic_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_dynamic_open,
	.read = seq_read,
	.write = lkst_tree_dynamic_write,
	.llseek = seq_lseek,
	.release = single_release,
};
