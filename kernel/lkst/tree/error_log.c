// SPDX-License-Identifier: GPL-2.0
/*
 * The file "error_log": the latest errors in what programs have written to the
 * files of the tree.
 */
#include <linux/fs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "../device/permission.h"
#include "error_log.h"
#include "file.h"

/* As many errors as tracefs keeps */
#define LKST_TREE_ERRORS	8

/**
 * struct lkst_tree_error - an error
 * @ns: time, as in the kernel log
 * @subject: what is wrong, such as "event filter parse error", copied
 * @command: what was written; the caller's text, copied
 * @error: message, copied
 * @at: position of the wrong word in @command, in bytes
 */
struct lkst_tree_error {
	u64 ns;
	char *subject;
	char *command;
	char *error;
	u32 at;
};

/* The errors, the oldest first. Protected by lkst_tree_log_mutex. */
static struct lkst_tree_error lkst_tree_log[LKST_TREE_ERRORS];
static unsigned int lkst_tree_log_num;
static DEFINE_MUTEX(lkst_tree_log_mutex);

static void lkst_tree_log_free(struct lkst_tree_error *error)
{
	kfree(error->subject);
	kfree(error->command);
	kfree(error->error);
}

/**
 * lkst_tree_log_error() - add an error to the file "error_log"
 * @subject: what is wrong
 * @command: what was written
 * @at: position of the wrong word in @command, in bytes
 * @error: message
 *
 * Nothing is added if there is no memory.
 *
 * Context: may sleep.
 */
void lkst_tree_log_error(const char *subject, const char *command, u32 at, const char *error)
{
	struct lkst_tree_error new = {
		.ns = local_clock(),
		.subject = kstrdup(subject, GFP_KERNEL),
		.command = kstrdup(command, GFP_KERNEL),
		.error = kstrdup(error, GFP_KERNEL),
		.at = at,
	};

	if (!new.subject || !new.command || !new.error) {
		lkst_tree_log_free(&new);
		return;
	}
	mutex_lock(&lkst_tree_log_mutex);
	if (lkst_tree_log_num == LKST_TREE_ERRORS) {
		lkst_tree_log_free(lkst_tree_log);
		lkst_tree_log_num--;
		memmove(lkst_tree_log, lkst_tree_log + 1,
			lkst_tree_log_num * sizeof(*lkst_tree_log));
	}
	lkst_tree_log[lkst_tree_log_num++] = new;
	mutex_unlock(&lkst_tree_log_mutex);
}

/* Remove all errors. */
void lkst_tree_log_clear(void)
{
	mutex_lock(&lkst_tree_log_mutex);
	while (lkst_tree_log_num)
		lkst_tree_log_free(&lkst_tree_log[--lkst_tree_log_num]);
	mutex_unlock(&lkst_tree_log_mutex);
}

static int lkst_tree_error_log_show(struct seq_file *m, void *unused)
{
	const struct lkst_tree_error *error;
	u32 us;
	u64 s;

	mutex_lock(&lkst_tree_log_mutex);
	for (error = lkst_tree_log; error < lkst_tree_log + lkst_tree_log_num; error++) {
		s = div_u64_rem(error->ns, NSEC_PER_SEC, &us);
		seq_printf(m, "[%5llu.%06lu] %s: error: %s\n", s, us / NSEC_PER_USEC,
			   error->subject, error->error);
		seq_puts(m, "  Command: ");
		lkst_tree_show_string(m, error->command);
		seq_printf(m, "\n           %*s^\n", (int)error->at, "");
	}
	mutex_unlock(&lkst_tree_log_mutex);
	return 0;
}

/* As in tracefs, truncating the file removes the errors. */
static int lkst_tree_error_log_open(struct inode *inode, struct file *file)
{
	int ret = lkst_permission();

	if (ret)
		return ret;
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		lkst_tree_log_clear();
	return single_open(file, lkst_tree_error_log_show, NULL);
}

static ssize_t lkst_tree_error_log_write(struct file *file, const char __user *text, size_t count,
					 loff_t *position)
{
	return count;
}

const struct file_operations lkst_tree_error_log_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_error_log_open,
	.read = seq_read,
	.write = lkst_tree_error_log_write,
	.llseek = seq_lseek,
	.release = single_release,
};
