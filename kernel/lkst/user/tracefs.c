// SPDX-License-Identifier: GPL-2.0
/*
 * The files user_events_data and user_events_status of tracefs. Programs for
 * the kernel's user_events look for them there. A kernel that has user_events
 * creates these files itself, so LKST does not.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/stat.h>
#include <linux/uidgid.h>

#include "../base/compat.h"
#include "../base/ksyms.h"
#include "../base/stage.h"
#include "data.h"
#include "files.h"
#include "tracefs.h"

/* NULL if LKST has not created the file. */
static struct dentry *lkst_tracefs_data;
static struct dentry *lkst_tracefs_status;

static int lkst_tracefs_status_open(struct inode *inode, struct file *file)
{
	return single_open(file, lkst_user_status_show, NULL);
}

static const struct file_operations lkst_tracefs_status_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tracefs_status_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

/*
 * Let a group use a file. The group and the mode change in one step, so that
 * the group to which new files of tracefs belong never has access to
 * user_events_data.
 */
static void __init lkst_tracefs_allow(struct dentry *dentry, kgid_t group, umode_t mode)
{
	struct inode *inode = d_inode(dentry);
	struct iattr attr = {
		.ia_valid = ATTR_GID | ATTR_MODE,
		.ia_mode = S_IFREG | mode,
		.ia_gid = group,
	};
	int ret;

	inode_lock(inode);
	ret = notify_change(LKST_NO_IDMAP, dentry, &attr, NULL);
	inode_unlock(inode);
	if (ret)
		pr_warn("lkst: %pd: cannot set the group\n", dentry);
}

/**
 * lkst_tracefs_start() - create the files
 * @group: the group that may use the files, or INVALID_GID for none
 *
 * Nothing else depends on the files, so errors are not reported. LKST does not
 * create the files if tracefs has files with these names already, if lockdown
 * forbids tracing, or if a module cannot find the functions of tracefs.
 */
void __init lkst_tracefs_start(kgid_t group)
{
	lkst_tracefs_data = lkst_tracefs_create("user_events_data", 0600, &lkst_user_data_fops);
	if (!lkst_tracefs_data)
		return;
	lkst_tracefs_status = lkst_tracefs_create("user_events_status", 0440,
						  &lkst_tracefs_status_fops);
	if (!gid_valid(group))
		return;
	lkst_tracefs_allow(lkst_tracefs_data, group, 0660);
	if (lkst_tracefs_status)
		lkst_tracefs_allow(lkst_tracefs_status, group, 0440);
}

/*
 * Remove a file. A program may have a descriptor with O_PATH, through which it
 * could open the file later. tracefs would then call functions of a module that
 * is no longer loaded. make_bad_inode() prevents that.
 */
static void __lkst_exit lkst_tracefs_remove_file(struct dentry *dentry)
{
	struct inode *inode;

	if (!dentry)
		return;
	inode = d_inode(dentry);
	ihold(inode);
	lkst_tracefs_remove(dentry);
	make_bad_inode(inode);
	iput(inode);
}

/* Remove the files. They cannot be open now. */
void __lkst_exit lkst_tracefs_stop(void)
{
	lkst_tracefs_remove_file(lkst_tracefs_status);
	lkst_tracefs_remove_file(lkst_tracefs_data);
}
