// SPDX-License-Identifier: GPL-2.0
/*
 * The files "set_event_pid" and "set_event_notrace_pid": lists of the threads
 * whose events are recorded, or not recorded. The file "options/event-fork":
 * whether the threads and processes that listed threads create are added.
 *
 * The lists are a limit of the maskset "events".
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/uaccess.h>

#include "../base/stage.h"
#include "../device/permission.h"
#include "../dispatch/maskset.h"
#include "../rules/limit.h"
#include "../rules/tid_set.h"
#include "file.h"
#include "pids.h"
#include "turn.h"

/*
 * The lists; NULL if none has been written. Protected by
 * lkst_tree_maskset_mutex.
 */
static struct lkst_tid_set *lkst_tree_pids[LKST_TREE_PIDS];

/* Whether the lists follow forks. Protected by lkst_tree_maskset_mutex. */
static bool lkst_tree_pids_fork;

/* ---- the limit ---- */

/* Whether the limit of a maskset consists of the lists. */
static bool lkst_tree_pids_written(lkst_maskset_id id)
{
	const struct lkst_limit *limit;
	bool found, written;

	rcu_read_lock();
	limit = lkst_maskset_limit(id, &found);
	written = limit && limit->tids == lkst_tree_pids[LKST_TREE_PIDS_TRACED] &&
		  limit->not_tids == lkst_tree_pids[LKST_TREE_PIDS_NOT_TRACED];
	rcu_read_unlock();
	return written;
}

/* Limit a maskset to the lists, or end its limit if there are no lists. */
static int lkst_tree_pids_replace(lkst_maskset_id id)
{
	struct lkst_tid_set *traced = lkst_tree_pids[LKST_TREE_PIDS_TRACED];
	struct lkst_tid_set *not_traced = lkst_tree_pids[LKST_TREE_PIDS_NOT_TRACED];
	struct lkst_limit *limit;

	if (!traced && !not_traced)
		return lkst_maskset_set_limit(id, NULL);
	limit = lkst_limit_new_threads("threads in set_event_pid", traced, not_traced);
	return limit ? lkst_maskset_set_limit(id, limit) : -ENOMEM;
}

/**
 * lkst_tree_pids_write() - limit a maskset to the lists, if there are any
 * @id: the maskset
 *
 * Context: may sleep.
 *
 * Return: 0 or a negative errno, as for lkst_maskset_set_limit().
 */
int lkst_tree_pids_write(lkst_maskset_id id)
{
	if (!lkst_tree_pids[LKST_TREE_PIDS_TRACED] && !lkst_tree_pids[LKST_TREE_PIDS_NOT_TRACED])
		return 0;
	return lkst_tree_pids_written(id) ? 0 : lkst_tree_pids_replace(id);
}

/* Forget the lists. The files of the tree have been removed. */
void __lkst_exit lkst_tree_pids_stop(void)
{
	unsigned int list;

	for (list = 0; list < LKST_TREE_PIDS; list++)
		lkst_tid_set_put(lkst_tree_pids[list]);
}

/* ---- changing a list ---- */

static unsigned int lkst_tree_pids_follows(void)
{
	return lkst_tree_pids_fork ? LKST_TID_SET_THREADS | LKST_TID_SET_CHILDREN : 0;
}

/*
 * Remove a list. After an error, the list is still there, because the limit may
 * still contain it. Returns 0 or a negative errno.
 */
static int lkst_tree_pids_remove(unsigned long list)
{
	struct lkst_tid_set *set = lkst_tree_pids[list];
	lkst_maskset_id id = lkst_tree_maskset();
	bool written = lkst_tree_pids_written(id);
	int ret = 0;

	lkst_tree_pids[list] = NULL;
	if (written)
		ret = lkst_tree_pids_replace(id);
	if (ret)
		lkst_tree_pids[list] = set;
	else
		lkst_tid_set_put(set);
	return ret;
}

static int lkst_tree_pids_clear(unsigned long list)
{
	int ret = mutex_lock_killable(&lkst_tree_maskset_mutex);

	if (ret)
		return ret;
	if (lkst_tree_pids[list])
		ret = lkst_tree_pids_remove(list);
	mutex_unlock(&lkst_tree_maskset_mutex);
	return ret;
}

/*
 * Add the thread IDs in a text to a set, or only check them if @set is NULL.
 * Returns the number of thread IDs, or -EINVAL if a word is not a thread ID.
 */
static int lkst_tree_pids_parse(const char *text, struct lkst_tid_set *set)
{
	char word[sizeof("-2147483648")];
	int tid, num = 0;
	size_t len;

	for (text = skip_spaces(text); *text; text = skip_spaces(text + len), num++) {
		len = strcspn(text, " \t\n\v\f\r");
		if (len >= sizeof(word))
			return -EINVAL;
		memcpy(word, text, len);
		word[len] = '\0';
		if (kstrtoint(word, 0, &tid) || tid < 0 || tid >= PID_MAX_LIMIT)
			return -EINVAL;
		if (set)
			lkst_tid_set_add(set, tid);
	}
	return num;
}

/* Add the thread IDs in a text, which is correct, to a list. */
static int lkst_tree_pids_add(unsigned long list, const char *text)
{
	struct lkst_tid_set *set = lkst_tree_pids[list];
	int ret;

	if (set) {
		lkst_tree_pids_parse(text, set);
		return lkst_tree_turn_limited();
	}
	set = lkst_tid_set_new(lkst_tree_pids_follows());
	if (IS_ERR(set))
		return PTR_ERR(set);
	lkst_tree_pids_parse(text, set);
	lkst_tree_pids[list] = set;
	ret = lkst_tree_turn_limited();
	if (!ret)
		return 0;
	lkst_tree_pids[list] = NULL;
	lkst_tid_set_put(set);
	return ret;
}

static bool lkst_tree_pids_exists(pid_t tid)
{
	bool exists;

	rcu_read_lock();
	exists = !tid || pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return exists;
}

/*
 * Remove threads that have ended. Only sets that do not follow forks need this:
 * in such a set, a new thread with the same ID would be a member.
 */
static void lkst_tree_pids_prune(struct lkst_tid_set *set)
{
	pid_t tid;

	for (tid = lkst_tid_set_next(set, 0); tid >= 0; tid = lkst_tid_set_next(set, tid + 1))
		if (!lkst_tree_pids_exists(tid))
			lkst_tid_set_remove(set, tid);
}

static void lkst_tree_pids_follow(struct lkst_tid_set *set)
{
	bool followed = set->follows;

	lkst_tid_set_follow(set, lkst_tree_pids_follows());
	if (followed && !lkst_tree_pids_fork)
		lkst_tree_pids_prune(set);
}

/* ---- the files of the lists ---- */

static int lkst_tree_pids_show(struct seq_file *m, void *unused)
{
	const struct lkst_tid_set *set;
	pid_t tid;
	int ret = mutex_lock_killable(&lkst_tree_maskset_mutex);

	if (ret)
		return ret;
	set = lkst_tree_pids[(unsigned long)m->private];
	for (tid = set ? lkst_tid_set_next(set, 0) : -1; tid >= 0;
	     tid = lkst_tid_set_next(set, tid + 1))
		if (!lkst_tree_pids_fork || lkst_tree_pids_exists(tid))
			seq_printf(m, "%d\n", tid);
	mutex_unlock(&lkst_tree_maskset_mutex);
	return 0;
}

/* As with tracefs, a program that truncates the file removes the list. */
static int lkst_tree_pids_open(struct inode *inode, struct file *file)
{
	int ret = lkst_permission();

	if (!ret && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		ret = lkst_tree_pids_clear((unsigned long)inode->i_private);
	return ret ?: single_open(file, lkst_tree_pids_show, inode->i_private);
}

/* Add thread IDs to the list: all of them, or none if one is wrong. */
static ssize_t lkst_tree_pids_write_file(struct file *file, const char __user *from, size_t count,
					 loff_t *position)
{
	unsigned long list = (unsigned long)file_inode(file)->i_private;
	char *text;
	int ret;

	if (count > PAGE_SIZE)
		return -E2BIG;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = lkst_tree_pids_parse(text, NULL);
	if (ret > 0) {
		ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
		if (!ret) {
			ret = lkst_tree_pids_add(list, text);
			mutex_unlock(&lkst_tree_maskset_mutex);
		}
	}
	kfree(text);
	return ret ?: count;
}

const struct file_operations lkst_tree_pids_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_pids_open,
	.read = seq_read,
	.write = lkst_tree_pids_write_file,
	.llseek = seq_lseek,
	.release = single_release,
};

/* ---- the option ---- */

static int lkst_tree_fork_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%d\n", READ_ONCE(lkst_tree_pids_fork));
	return 0;
}

static int lkst_tree_fork_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_fork_show, NULL);
}

static ssize_t lkst_tree_fork_write(struct file *file, const char __user *text, size_t count,
				    loff_t *position)
{
	int value = lkst_tree_read_switch(text, count), ret;
	unsigned int list;

	if (value < 0)
		return value;
	ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	if (ret)
		return ret;
	WRITE_ONCE(lkst_tree_pids_fork, value);
	for (list = 0; list < LKST_TREE_PIDS; list++)
		if (lkst_tree_pids[list])
			lkst_tree_pids_follow(lkst_tree_pids[list]);
	mutex_unlock(&lkst_tree_maskset_mutex);
	return count;
}

const struct file_operations lkst_tree_fork_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_fork_open,
	.read = seq_read,
	.write = lkst_tree_fork_write,
	.llseek = seq_lseek,
	.release = single_release,
};
