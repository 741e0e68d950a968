// SPDX-License-Identifier: GPL-2.0
/*
 * The directory lkst/ of debugfs. Its files have the names and the formats of
 * files of tracefs. If the directory is mounted over /sys/kernel/tracing,
 * programs that use these files run unchanged, for example the kernel's own
 * selftests.
 *
 * The directory exists only if the parameter user_events_tree or the parameter
 * events is set. A write to a file "enable" or to "set_event" copies the
 * selected maskset to the maskset "events", turns events on or off in this
 * copy, and selects the copy.
 */
#include <linux/bitmap.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_private.h>

#include "../added/added.h"
#include "../base/compat.h"
#include "../base/stage.h"
#include "../device/permission.h"
#include "../user/data.h"
#include "../user/files.h"
#include "../user/registry.h"
#include "aliases.h"
#include "error_log.h"
#include "event.h"
#include "file.h"
#include "filter.h"
#include "names.h"
#include "pids.h"
#include "system.h"
#include "tree.h"
#include "trigger.h"
#include "turn.h"

static bool lkst_param_tree;
module_param_named(user_events_tree, lkst_param_tree, bool, 0444);
MODULE_PARM_DESC(user_events_tree,
		 "Create the directory lkst/ in debugfs, with the files of tracefs that programs for user_events use");

static char *lkst_param_events;
module_param_named(events, lkst_param_events, charp, 0);
MODULE_PARM_DESC(events,
		 "Turn these events on, such as sched:*,irq:*, and create the directory lkst/ in debugfs");

/**
 * struct lkst_tree_event - the directory of an event
 * @dir: the directory, or NULL
 * @group: the group of an added event, or NULL
 * @label: label of the event for which it was created
 */
struct lkst_tree_event {
	struct dentry *dir;
	struct lkst_tree_group *group;
	const char *label;
};

/* Index: event type - LKST_ETYPE_PROGRAM_MIN. NULL if there is no tree. */
static struct lkst_tree_event *lkst_tree_events;

/*
 * Protects lkst_tree_events. The functions that read and write the files do not
 * take this mutex, because its holder may be waiting for them while it removes
 * a directory.
 */
static DEFINE_MUTEX(lkst_tree_mutex);

static struct dentry *lkst_tree_root;
static struct dentry *lkst_tree_events_dir;
static struct dentry *lkst_tree_user_dirs[LKST_TREE_USER_SYSTEMS];

static int lkst_tree_readme_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "LKST: the files of tracefs, see Documentation/lkst/tree.rst.\n\n"
		 "  dynamic_events, kprobe_events\t- Create/show/remove added events\n"
		 "\t  Format: p[:[<group>/][<event>]] <place> [<args>]\n"
		 "\t          r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
		 "\t          f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
		 "\t          t[:[<group>/][<event>]] <tracepoint> [<args>]\n"
		 "\t          s:[synthetic/]<event> <field> [<field>]\n"
		 "\t          -:[<group>/]<event>\n"
		 "\t    place: [<module>:]<symbol>[+<offset>]|<memaddr>\n"
		 "\tplace (kretprobe): [<module>:]<symbol>[+<offset>]%return|<memaddr>\n"
		 "\t     args: <name>=fetcharg[:type]\n"
		 "\t fetcharg: (%<register>|$stack<N>|$stack|$retval|$comm|$arg<N>),\n"
		 "\t           @<address>, @<symbol>[+|-<offset>], \\imm-value,\n"
		 "\t           +|-[u]<offset>(<fetcharg>)\n"
		 "\t     kernel return probes support: $retval, $arg<N>, $comm\n"
		 "\t     type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string,\n"
		 "\t           symbol, ustring, %pd/%pD, b<bit-width>@<bit-offset>/<size>,\n"
		 "\t           <type>\\[<array-size>\\]\n"
		 "\t    field: <stype> <name>;\n"
		 "\t    stype: u8/16/32/64, s8/16/32/64, int, long, pid_t, char, and\n"
		 "\t           char <name>\\[<size>\\]\n");
	return 0;
}

LKST_TREE_FILE(readme);

static int lkst_tree_status_show(struct seq_file *m, void *unused)
{
	return lkst_user_status_show(m, unused);
}

LKST_TREE_FILE(status);

/* Set a bit in @kept for the directory of an event that has not ended. */
static int lkst_tree_keep(const struct lkst_user_event *event, void *kept)
{
	unsigned int i = event->etype - LKST_ETYPE_PROGRAM_MIN;
	const char *label = lkst_tree_events[i].label;

	if (label && !strcmp(label, event->label))
		__set_bit(i, kept);
	return 0;
}

static int lkst_tree_keep_added(const struct lkst_added_info *info, void *kept)
{
	return lkst_tree_keep(info->event, kept);
}

/* Create the files of an event. */
static void lkst_tree_fill(struct dentry *dir, int number)
{
	void *etype = (void *)(unsigned long)number;

	debugfs_create_file("enable", 0640, dir, etype, &lkst_tree_enable_fops);
	debugfs_create_file("filter", 0640, dir, etype, &lkst_tree_filter_fops);
	debugfs_create_file("format", 0440, dir, etype, &lkst_tree_format_fops);
	debugfs_create_file("hist", 0440, dir, etype, &lkst_tree_hist_fops);
	debugfs_create_file("id", 0440, dir, etype, &lkst_tree_id_fops);
	debugfs_create_file("trigger", 0640, dir, etype, &lkst_tree_trigger_fops);
}

static struct lkst_tree_event *lkst_tree_own(const struct lkst_user_event *event)
{
	return &lkst_tree_events[event->etype - LKST_ETYPE_PROGRAM_MIN];
}

/*
 * Create the directory of an event that has none. If the name of the event
 * cannot be a file name, the event gets no directory.
 */
static int lkst_tree_add_to(struct dentry *system, const struct lkst_user_event *event)
{
	struct lkst_tree_event *own = lkst_tree_own(event);
	struct dentry *dir;

	own->label = kstrdup(event->label, GFP_KERNEL);
	if (!own->label)
		return -ENOMEM;
	dir = debugfs_create_dir(lkst_user_event_name(event), system);
	if (IS_ERR(dir))
		return 0;
	lkst_tree_fill(dir, event->etype);
	own->dir = dir;
	return 0;
}

static int lkst_tree_add(const struct lkst_user_event *event, void *unused)
{
	bool multi = event->flags & LKST_USER_MULTI_FORMAT;

	return lkst_tree_own(event)->label ? 0 :
	       lkst_tree_add_to(lkst_tree_user_dirs[multi], event);
}

static int lkst_tree_add_added(const struct lkst_added_info *info, void *unused)
{
	struct lkst_tree_event *own = lkst_tree_own(info->event);

	if (own->label)
		return 0;
	if (!own->group)
		own->group = lkst_tree_group_get(lkst_tree_events_dir, info->label);
	return own->group ? lkst_tree_add_to(own->group->dir, info->event) : -ENOMEM;
}

/* Remove the directory of an event that has ended. */
static void lkst_tree_remove(struct lkst_tree_event *own, int etype)
{
	debugfs_remove(own->dir);
	lkst_tree_group_put(own->group);
	mutex_lock(&lkst_tree_maskset_mutex);
	lkst_tree_forget_filter(etype);
	lkst_tree_forget_triggers(etype);
	mutex_unlock(&lkst_tree_maskset_mutex);
	kfree(own->label);
	*own = (struct lkst_tree_event){};
}

/*
 * Remove the directories of events that have ended, and create those of new
 * events. Directories are removed outside lkst_user_for_each() and
 * lkst_added_for_each(): removing a directory waits for programs that are
 * reading its files, and these reads may wait for the mutexes of the two
 * functions. Return 0, or a negative errno if some directories are still
 * missing or left over.
 */
static int lkst_tree_sync(void)
{
	DECLARE_BITMAP(kept, LKST_ETYPE_PROGRAM_NUM) = {};
	unsigned int i;
	int ret;

	ret = mutex_lock_killable(&lkst_tree_mutex);
	if (ret)
		return ret;
	if (!lkst_tree_events)
		goto unlock;
	ret = lkst_user_for_each(lkst_tree_keep, kept) ?:
	      lkst_added_for_each(lkst_tree_keep_added, kept);
	if (ret)
		goto unlock;
	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++)
		if (lkst_tree_events[i].label && !test_bit(i, kept))
			lkst_tree_remove(&lkst_tree_events[i], LKST_ETYPE_PROGRAM_MIN + i);
	ret = lkst_user_for_each(lkst_tree_add, NULL) ?:
	      lkst_added_for_each(lkst_tree_add_added, NULL);
unlock:
	mutex_unlock(&lkst_tree_mutex);
	return ret;
}

static void lkst_tree_sync_work(struct work_struct *work)
{
	lkst_tree_sync();
}

static DECLARE_WORK(lkst_tree_work, lkst_tree_sync_work);

/**
 * lkst_tree_update() - update the tree after an event was registered or deleted
 *
 * Returns after the directory of the event has been created or removed. If the
 * process is killed before that, a worker updates the tree.
 *
 * Context: process, may sleep; the caller holds no lock of the registry.
 */
void lkst_tree_update(void)
{
	if (READ_ONCE(lkst_tree_events) && lkst_tree_sync() == -EINTR)
		queue_work(lkst_workqueue(), &lkst_tree_work);
}

/**
 * lkst_tree_changed() - update the tree soon, because an event has ended or has
 *	been added
 *
 * Returns at once. A worker removes or creates the directory of the event.
 *
 * Context: any except NMI.
 */
void lkst_tree_changed(void)
{
	if (READ_ONCE(lkst_tree_events))
		queue_work(lkst_workqueue(), &lkst_tree_work);
}

/*
 * Return the directory of a system if it exists already, because an event type
 * below @etype belongs to the system. Else, return NULL.
 */
static struct dentry * __init lkst_tree_find_system(struct dentry **dirs, int etype,
						    const char *system)
{
	struct lkst_alias alias;

	while (etype--)
		if (lkst_alias_of(etype, &alias) && !strcmp(alias.system, system))
			return dirs[etype];
	return NULL;
}

/* Create the directories of the kernel's events. */
static void __init lkst_tree_add_kernel(struct dentry *parent)
{
	struct dentry **dirs = kcalloc(LKST_ETYPE_USER_MIN, sizeof(*dirs), GFP_KERNEL);
	struct lkst_alias alias;
	int etype;

	for (etype = 0; dirs && etype < LKST_ETYPE_USER_MIN; etype++) {
		if (!lkst_alias_of(etype, &alias))
			continue;
		dirs[etype] = lkst_tree_find_system(dirs, etype, alias.system) ?:
			      lkst_tree_system(parent, alias.system);
		lkst_tree_fill(debugfs_create_dir(alias.name, dirs[etype]), etype);
	}
	kfree(dirs);
}

/* Turn on the events of the parameter "events". */
static void __init lkst_tree_turn_on(const char *events)
{
	char *copy = kstrdup(events, GFP_KERNEL), *rest = copy, *word;

	while ((word = strsep(&rest, ",")))
		if (*word && lkst_tree_set_word(word))
			pr_warn("lkst: lkst.events=%s: no such event\n", word);
	kfree(copy);
}

/**
 * lkst_tree_start() - create the tree if user_events_tree or events is set
 *
 * Nothing else depends on the tree, so errors are ignored, as is usual for
 * debugfs.
 */
void __init lkst_tree_start(void)
{
	struct lkst_tree_event *events;
	struct dentry *dir;
	unsigned int i;

	if (!lkst_param_tree && !lkst_param_events)
		return;
	events = kvcalloc(LKST_ETYPE_PROGRAM_NUM, sizeof(*events), GFP_KERNEL);
	if (!events)
		return;
	if (lkst_tree_turn_start()) {
		kvfree(events);
		return;
	}
	lkst_tree_root = debugfs_create_dir("lkst", NULL);
	debugfs_create_file("README", 0440, lkst_tree_root, NULL, &lkst_tree_readme_fops);
	/*
	 * This file needs no protection against removal while it is in use: an
	 * open file keeps the module loaded. With debugfs_create_file(), the
	 * file would not support writev().
	 */
	debugfs_create_file_unsafe("user_events_data", 0600, lkst_tree_root, NULL,
				   &lkst_user_data_fops);
	debugfs_create_file("user_events_status", 0440, lkst_tree_root, NULL,
			    &lkst_tree_status_fops);
	debugfs_create_file("dynamic_events", 0600, lkst_tree_root, NULL,
			    &lkst_tree_dynamic_fops);
	debugfs_create_file("kprobe_events", 0640, lkst_tree_root, NULL,
			    &lkst_tree_kprobes_fops);
	debugfs_create_file("kprobe_profile", 0440, lkst_tree_root, NULL, &lkst_tree_profile_fops);
	debugfs_create_file("synthetic_events", 0640, lkst_tree_root, NULL,
			    &lkst_tree_synthetic_fops);
	debugfs_create_file("available_events", 0440, lkst_tree_root, NULL,
			    &lkst_tree_available_fops);
	debugfs_create_file("set_event", 0640, lkst_tree_root, NULL, &lkst_tree_set_fops);
	debugfs_create_file("set_event_pid", 0640, lkst_tree_root,
			    (void *)LKST_TREE_PIDS_TRACED, &lkst_tree_pids_fops);
	debugfs_create_file("set_event_notrace_pid", 0640, lkst_tree_root,
			    (void *)LKST_TREE_PIDS_NOT_TRACED, &lkst_tree_pids_fops);
	debugfs_create_file("trace", 0640, lkst_tree_root, NULL, &lkst_tree_trace_fops);
	debugfs_create_file("trace_pipe", 0440, lkst_tree_root, NULL, &lkst_tree_pipe_fops);
	debugfs_create_file("error_log", 0640, lkst_tree_root, NULL, &lkst_tree_error_log_fops);
	debugfs_create_file("tracing_on", 0640, lkst_tree_root, NULL, &lkst_tree_on_fops);
	debugfs_create_file("current_tracer", 0640, lkst_tree_root, NULL, &lkst_tree_tracer_fops);
	debugfs_create_file("available_tracers", 0440, lkst_tree_root, NULL,
			    &lkst_tree_tracers_fops);
	debugfs_create_file("trace_marker", 0220, lkst_tree_root, NULL, &lkst_tree_marker_fops);
	dir = debugfs_create_dir("options", lkst_tree_root);
	debugfs_create_file("event-fork", 0640, dir, NULL, &lkst_tree_fork_fops);
	debugfs_create_file("stacktrace", 0640, dir, NULL, &lkst_tree_stacktrace_fops);
	dir = debugfs_create_dir("events", lkst_tree_root);
	lkst_tree_events_dir = dir;
	debugfs_create_file("enable", 0640, dir, NULL, &lkst_tree_enable_all_fops);
	for (i = 0; i < ARRAY_SIZE(lkst_tree_user_dirs); i++)
		lkst_tree_user_dirs[i] = lkst_tree_system(dir, lkst_tree_user_systems[i]);
	lkst_tree_add_kernel(dir);
	WRITE_ONCE(lkst_tree_events, events);
	lkst_tree_sync();
	if (lkst_param_events)
		lkst_tree_turn_on(lkst_param_events);
}

/* Remove the tree. Afterwards, programs cannot use its files, even if open. */
void __lkst_exit lkst_tree_stop(void)
{
	struct lkst_tree_event *events = lkst_tree_events;
	unsigned int i;

	if (!events)
		return;
	mutex_lock(&lkst_tree_mutex);
	WRITE_ONCE(lkst_tree_events, NULL);
	mutex_unlock(&lkst_tree_mutex);
	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++)
		lkst_tree_group_put(events[i].group);
	debugfs_remove(lkst_tree_root);
	lkst_tree_turn_stop();
	lkst_tree_filter_stop();
	lkst_tree_trigger_stop();
	lkst_tree_pids_stop();
	lkst_tree_log_clear();
	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++)
		kfree(events[i].label);
	kvfree(events);
}

/*
 * Wait for the worker. The registry calls this when no further event can end.
 * lkst_tree_stop() would wait too early: lkst_tree_changed() may have found the
 * tree before it was removed, and may queue the work afterwards. In this case,
 * the work has no effect.
 */
void __lkst_exit lkst_tree_end(void)
{
	cancel_work_sync(&lkst_tree_work);
}
