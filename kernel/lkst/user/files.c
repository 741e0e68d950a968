// SPDX-License-Identifier: GPL-2.0
/*
 * The device /dev/lkst_user_events, and /proc/lkst_user_events_status, which
 * lists the events of programs.
 */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/moduleparam.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/string_helpers.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../device/class.h"
#include "../tree/tree.h"
#include "budget.h"
#include "data.h"
#include "files.h"
#include "registry.h"
#include "tracefs.h"

#define LKST_USER_FILE		"lkst_user_events"
#define LKST_USER_STATUS	"lkst_user_events_status"

/* The group that may use the device, or UINT_MAX for none. */
static unsigned int lkst_param_gid = UINT_MAX;
module_param_named(user_events_gid, lkst_param_gid, uint, 0444);
MODULE_PARM_DESC(user_events_gid,
		 "ID of the group that may use /dev/" LKST_USER_FILE " and user_events_data");

/**
 * struct lkst_status - what /proc/lkst_user_events_status counts
 * @m: output
 * @active: number of events
 * @busy: number of events that are recorded
 */
struct lkst_status {
	struct seq_file *m;
	unsigned int active;
	unsigned int busy;
};

/**
 * lkst_user_show_text() - print a text that a program has chosen
 * @m: output
 * @text: the text
 * @len: its length, in bytes
 *
 * Characters that cannot be printed become octal escapes. So a text cannot look
 * like another line of a file.
 */
void lkst_user_show_text(struct seq_file *m, const char *text, size_t len)
{
	seq_escape_mem(m, text, len, ESCAPE_NAP | ESCAPE_OCTAL | ESCAPE_APPEND, "\\");
}

static int lkst_status_event(const struct lkst_user_event *event, void *data)
{
	const char *name = lkst_user_event_name(event);
	struct lkst_status *status = data;
	bool on = lkst_user_event_on(event);

	lkst_user_show_text(status->m, name, strlen(name));
	seq_puts(status->m, on ? " # Used by lkst\n" : "\n");
	status->active++;
	status->busy += on;
	return 0;
}

/**
 * lkst_user_status_show() - print the text of user_events_status
 * @m: output
 * @unused: not used
 *
 * If events were over a budget, a line "Dropped: N" follows, which the kernel's
 * own user_events do not have.
 *
 * Context: process, may sleep.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait.
 */
int lkst_user_status_show(struct seq_file *m, void *unused)
{
	struct lkst_status status = { .m = m };
	unsigned long dropped = lkst_budget_dropped();
	int ret = lkst_user_for_each(lkst_status_event, &status);

	if (ret)
		return ret;
	seq_printf(m, "\nActive: %u\nBusy: %u\n", status.active, status.busy);
	if (dropped)
		seq_printf(m, "Dropped: %lu\n", dropped);
	return 0;
}

/* Return the group that may use the files, or an invalid one. */
static kgid_t lkst_user_group(void)
{
	return make_kgid(&init_user_ns, lkst_param_gid);
}

static char *lkst_user_devnode(LKST_DEVNODE_DEVICE *dev, umode_t *mode, kuid_t *uid, kgid_t *gid)
{
	kgid_t group = lkst_user_group();

	if (!gid_valid(group))
		return NULL;
	if (mode)
		*mode = 0660;
	if (gid)
		*gid = group;
	return NULL;
}

static const struct device_type lkst_user_type = {
	.name = LKST_USER_FILE,
	.devnode = lkst_user_devnode,
};

static struct cdev lkst_user_cdev;
static struct device *lkst_user_device;

static void lkst_user_device_free(struct device *dev)
{
	kfree(dev);
}

/*
 * Add the device to the class of /dev/lkst. device_create() would do the same,
 * but cannot set the type of the device.
 */
static int __init lkst_user_device_add(dev_t number)
{
	struct device *dev = kzalloc_obj(*dev, GFP_KERNEL);
	int ret;

	if (!dev)
		return -ENOMEM;
	device_initialize(dev);
	dev->devt = number;
	dev->class = lkst_class;
	dev->type = &lkst_user_type;
	dev->release = lkst_user_device_free;
	ret = dev_set_name(dev, LKST_USER_FILE) ?: device_add(dev);
	if (ret) {
		put_device(dev);
		return ret;
	}
	lkst_user_device = dev;
	return 0;
}

/* Only the users of the device may read the file. */
static int __init lkst_user_status_add(void)
{
	struct proc_dir_entry *entry;
	kgid_t group = lkst_user_group();

	if (!IS_ENABLED(CONFIG_PROC_FS))
		return 0;
	entry = proc_create_single(LKST_USER_STATUS, 0440, NULL, lkst_user_status_show);
	if (!entry)
		return -ENOMEM;
	if (gid_valid(group))
		proc_set_user(entry, GLOBAL_ROOT_UID, group);
	return 0;
}

/**
 * lkst_user_files_start() - create the files
 *
 * Context: after lkst_device_start().
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_user_files_start(void)
{
	dev_t number;
	int ret;

	ret = lkst_data_start();
	if (ret)
		return ret;
	ret = alloc_chrdev_region(&number, 0, 1, LKST_USER_FILE);
	if (ret)
		goto data;
	cdev_init(&lkst_user_cdev, &lkst_user_data_fops);
	lkst_user_cdev.owner = THIS_MODULE;
	ret = cdev_add(&lkst_user_cdev, number, 1);
	if (ret)
		goto unregister;
	ret = lkst_user_device_add(number);
	if (ret)
		goto del;
	ret = lkst_user_status_add();
	if (ret)
		goto device;
	lkst_tracefs_start(lkst_user_group());
	lkst_tree_start();
	return 0;

device:
	device_unregister(lkst_user_device);
del:
	cdev_del(&lkst_user_cdev);
unregister:
	unregister_chrdev_region(number, 1);
data:
	lkst_data_stop();
	return ret;
}

/* Remove the files. They cannot be open now. */
void __lkst_exit lkst_user_files_stop(void)
{
	dev_t number = lkst_user_cdev.dev;

	lkst_tree_stop();
	lkst_tracefs_stop();
	if (IS_ENABLED(CONFIG_PROC_FS))
		remove_proc_entry(LKST_USER_STATUS, NULL);
	device_unregister(lkst_user_device);
	cdev_del(&lkst_user_cdev);
	unregister_chrdev_region(number, 1);
	lkst_data_stop();
}
