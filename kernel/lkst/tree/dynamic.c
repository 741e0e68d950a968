// SPDX-License-Identifier: GPL-2.0
/*
 * The file "dynamic_events": the events of programs and added events, and
 * commands that create and delete them. The file "kprobe_events": the same for
 * added events that are kprobes or kretprobes. synthetic.c has a third file. The
 * file "kprobe_profile": how often these probes were called.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../added/added.h"
#include "../added/fetch.h"
#include "../base/compat.h"
#include "../device/permission.h"
#include "../user/registry.h"
#include "dynamic.h"
#include "error_log.h"
#include "file.h"
#include "tree.h"

/* The first letters of the definitions of added events */
#define LKST_TREE_KPROBES	"pr"
#define LKST_TREE_ADDED		"prfts"

/* ---- added events ---- */

/* Print the definition of an event, if it is a kprobe or a kretprobe. */
static int lkst_tree_show_kprobe(const struct lkst_added_info *info, void *data)
{
	if (!strchr(LKST_TREE_KPROBES, *info->text))
		return 0;
	lkst_tree_show_string(data, info->text);
	seq_putc(data, '\n');
	return 0;
}

static int lkst_tree_show_added(const struct lkst_added_info *info, void *data)
{
	lkst_tree_show_string(data, info->text);
	seq_putc(data, '\n');
	return 0;
}

/* Return the name that "error_log" gives to the parser of a definition. */
static const char *lkst_tree_parser_name(char kind)
{
	switch (kind) {
	case 'f':
	case 't':
		return "trace_fprobe";
	case 's':
		return "synthetic_events";
	default:
		return "trace_kprobe";
	}
}

/*
 * Add or remove an event. The file "error_log" receives what is wrong with the
 * text.
 */
int lkst_tree_added_execute(const char *text)
{
	struct lkst_added_error *error = kzalloc_obj(*error, GFP_KERNEL);
	int ret;

	if (!error)
		return -ENOMEM;
	ret = lkst_added_command(text, error);
	if (ret == -EINVAL && *error->text)
		lkst_tree_log_error(lkst_tree_parser_name(*text), text, error->at, error->text);
	kfree(error);
	lkst_tree_update();
	return ret < 0 ? ret : 0;
}

/**
 * struct lkst_tree_remove - which added events to remove
 * @kinds: first letters of the definitions that are searched
 * @name: "[GROUP/]EVENT", or "GROUP/" for all events of a group
 * @probe: the place and the fields, or at least some of them; NULL: any
 * @command: receives the command that removes an event, if one was found
 */
struct lkst_tree_remove {
	const char *kinds;
	const char *name;
	const char *probe;
	char command[sizeof("-:/") + 2 * LKST_FETCH_NAME];
};

static bool lkst_tree_is_named(const char *definition, const char *name)
{
	size_t len = strlen(name);
	const char *event;

	definition = strchr(definition, ':') + 1;
	event = strchr(definition, '/') + 1;
	if (!len)
		return false;
	if (name[len - 1] == '/')
		return !strncmp(definition, name, len);
	return (!strncmp(definition, name, len) && definition[len] == ' ') ||
	       (!strncmp(event, name, len) && event[len] == ' ');
}

/*
 * Whether the words that follow the name in a definition begin with the words
 * of @probe. As in tracefs, the fields of a synthetic event are not compared.
 */
static bool lkst_tree_has_probe(const char *definition, const char *probe)
{
	size_t len = strlen(probe);

	if (*definition == *LKST_TREE_SYNTHETIC)
		return true;
	definition = strchr(definition, ' ') + 1;
	return !strncmp(definition, probe, len) && (!definition[len] || definition[len] == ' ');
}

static int lkst_tree_match_added(const struct lkst_added_info *info, void *data)
{
	struct lkst_tree_remove *remove = data;
	const char *name;

	if (!strchr(remove->kinds, *info->text) ||
	    !lkst_tree_is_named(info->text, remove->name) ||
	    (remove->probe && !lkst_tree_has_probe(info->text, remove->probe)))
		return 0;
	name = strchr(info->text, ':');
	snprintf(remove->command, sizeof(remove->command), "-%.*s", (int)strcspn(name, " "), name);
	return 1;
}

/*
 * Remove the added events of @kinds that fit "[GROUP/][EVENT] [PROBE]". Returns
 * 0; -ENOENT if none exists; or a negative errno of lkst_added_command().
 */
int lkst_tree_remove_events(const char *kinds, char *text)
{
	struct lkst_tree_remove *remove = kzalloc_obj(*remove, GFP_KERNEL);
	int ret, found = -ENOENT;

	if (!remove)
		return -ENOMEM;
	remove->kinds = kinds;
	remove->name = strsep(&text, " \t");
	remove->probe = text ? skip_spaces(text) : NULL;
	while ((ret = lkst_added_for_each(lkst_tree_match_added, remove)) > 0) {
		ret = lkst_tree_added_execute(remove->command);
		if (ret)
			break;
		found = 0;
	}
	kfree(remove);
	return ret ?: found;
}

/*
 * Execute a line about added events: a definition; or "-:[GROUP/][EVENT]
 * [PROBE]" to remove events, or "!" and a definition.
 */
static int lkst_tree_added_command(const char *kinds, char *command)
{
	if (*command == '!' && command[1] && strchr(kinds, command[1]) && strchr(command, ':'))
		return lkst_tree_remove_events(kinds, strchr(command, ':') + 1);
	if (!strncmp(command, "-:", 2))
		return lkst_tree_remove_events(kinds, command + 2);
	return strchr(kinds, *command) ? lkst_tree_added_execute(command) : -EINVAL;
}

/* Remove the added events of @kinds if a program truncates the file. */
int lkst_tree_open_added(struct file *file, const char *kinds)
{
	int ret = lkst_permission();

	if (!ret && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC) {
		ret = lkst_added_remove_all(kinds);
		lkst_tree_update();
	}
	return ret;
}

static int lkst_tree_kprobes_show(struct seq_file *m, void *unused)
{
	return lkst_added_for_each(lkst_tree_show_kprobe, m);
}

static int lkst_tree_kprobes_open(struct inode *inode, struct file *file)
{
	return lkst_tree_open_added(file, LKST_TREE_KPROBES) ?:
	       single_open(file, lkst_tree_kprobes_show, NULL);
}

static int lkst_tree_kprobe_command(char *command)
{
	command = strim(command);
	return *command && *command != '#' ? lkst_tree_added_command(LKST_TREE_KPROBES, command) :
					     0;
}

static ssize_t lkst_tree_kprobes_write(struct file *file, const char __user *from, size_t count,
				       loff_t *position)
{
	return lkst_tree_execute(from, count, "\n", lkst_tree_kprobe_command);
}

const struct file_operations lkst_tree_kprobes_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_kprobes_open,
	.read = seq_read,
	.write = lkst_tree_kprobes_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* As in tracefs: the name, how often the probe was called, and was missed. */
static int lkst_tree_show_profile(const struct lkst_added_info *info, void *data)
{
	if (strchr(LKST_TREE_KPROBES, *info->text))
		seq_printf(data, "  %-44s %15llu %15llu\n", lkst_user_event_name(info->event),
			   info->hits, info->missed);
	return 0;
}

static int lkst_tree_profile_show(struct seq_file *m, void *unused)
{
	return lkst_added_for_each(lkst_tree_show_profile, m);
}

LKST_TREE_FILE(profile);

/* ---- all events ---- */

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
	return lkst_user_for_each(lkst_tree_dynamic_event, m) ?:
	       lkst_added_for_each(lkst_tree_show_added, m);
}

static int lkst_tree_dynamic_open(struct inode *inode, struct file *file)
{
	return lkst_tree_open_added(file, LKST_TREE_ADDED) ?:
	       single_open(file, lkst_tree_dynamic_show, NULL);
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

/* Delete "[SYSTEM/]NAME [...]": an added event, or an event of programs. */
static int lkst_tree_delete_any(char *command)
{
	char *copy = kstrdup(command, GFP_KERNEL);
	int ret;

	if (!copy)
		return -ENOMEM;
	ret = lkst_tree_remove_events(LKST_TREE_ADDED, copy);
	kfree(copy);
	return ret == -ENOENT ? lkst_tree_delete(command) : ret;
}

/*
 * Execute a line: "u:NAME [FIELDS]" creates an event of programs. With "!u:" or
 * "-:" instead of "u:", the line deletes the event. Other lines are about added
 * events.
 */
static int lkst_tree_command(char *command)
{
	command = strim(command);
	if (!*command || *command == '#')
		return 0;
	if (!strncmp(command, "u:", 2))
		return lkst_tree_create(skip_spaces(command + 2));
	if (!strncmp(command, "!u:", 3))
		return lkst_tree_delete(skip_spaces(command + 3));
	if (!strncmp(command, "-:", 2))
		return lkst_tree_delete_any(skip_spaces(command + 2));
	return lkst_tree_added_command(LKST_TREE_ADDED, command);
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
