// SPDX-License-Identifier: GPL-2.0
/*
 * The files "filter" of an event and of a system. A filter is kept here, with
 * the kernel's names of fields. While its event is on, it is also a rule of the
 * maskset "events".
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_maskset.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../device/permission.h"
#include "error_log.h"
#include "event.h"
#include "file.h"
#include "filter.h"
#include "names.h"
#include "rule.h"
#include "turn.h"

/**
 * struct lkst_tree_filter - the filter of an event
 * @text: the filter with the kernel's names, or NULL
 * @condition: the filter with LKST's names, or NULL
 * @wrong: the text that was written last, if it was wrong; else NULL
 * @error: why it was wrong
 * @error_at: position of the wrong word in @wrong
 */
struct lkst_tree_filter {
	char *text;
	char *condition;
	char *wrong;
	char error[LKST_RULE_ERROR_LEN];
	u32 error_at;
};

/* Protected by lkst_tree_maskset_mutex. */
static struct lkst_tree_filter *lkst_tree_filters[LKST_ETYPE_NUM];

/* Return the filter of an event, with LKST's names of the fields, or NULL. */
const char *lkst_tree_filter_of(int etype)
{
	return lkst_tree_filters[etype] ? lkst_tree_filters[etype]->condition : NULL;
}

/* Forget the filter of an event that has ended. */
void lkst_tree_forget_filter(int etype)
{
	struct lkst_tree_filter *filter = lkst_tree_filters[etype];

	if (!filter)
		return;
	kfree(filter->text);
	kfree(filter->condition);
	kfree(filter->wrong);
	kfree(filter);
	lkst_tree_filters[etype] = NULL;
}

/* Forget all filters. The files of the tree have been removed. */
void __lkst_exit lkst_tree_filter_stop(void)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		lkst_tree_forget_filter(etype);
}

/* ---- changes ---- */

/* Store @text as a wrong filter. The filter takes over the text. */
static void lkst_tree_filter_wrong(struct lkst_tree_filter *filter, char *text, u32 at)
{
	lkst_tree_log_error("event filter parse error", text, at, filter->error);
	kfree(filter->wrong);
	filter->wrong = text;
	filter->error_at = at;
}

/* Replace the texts of a filter, which takes over the new ones. */
static void lkst_tree_filter_replace(struct lkst_tree_filter *filter, char *text, char *condition)
{
	kfree(filter->text);
	kfree(filter->condition);
	kfree(filter->wrong);
	filter->text = text;
	filter->condition = condition;
	filter->wrong = NULL;
}

/* Remove the filter of an event, and update its rule. */
static int lkst_tree_clear_filter(int etype)
{
	bool had = lkst_tree_filter_of(etype);

	lkst_tree_forget_filter(etype);
	return had ? lkst_tree_turn_again(etype) : 0;
}

/*
 * Set the filter of an event. If the event is on, the filter takes effect at
 * once. Otherwise, it takes effect when the event is turned on.
 */
static int lkst_tree_set_filter(int etype, const char *text)
{
	struct lkst_tree_filter *filter = lkst_tree_filters[etype];
	struct lkst_rule_param param = { .event_type = etype };
	char *copy, *condition;
	int ret;

	if (!filter)
		filter = kzalloc_obj(*filter, GFP_KERNEL);
	copy = kstrdup(text, GFP_KERNEL);
	if (!filter || !copy) {
		kfree(copy);
		if (!lkst_tree_filters[etype])
			kfree(filter);
		return -ENOMEM;
	}
	lkst_tree_filters[etype] = filter;
	param.error = (unsigned long)filter->error;
	param.error_size = sizeof(filter->error);
	ret = lkst_tree_check_condition(&param, text, &condition);
	if (ret) {
		if (ret == -EINVAL)
			lkst_tree_filter_wrong(filter, copy, param.error_at);
		else
			kfree(copy);
		return ret;
	}
	lkst_tree_filter_replace(filter, copy, condition);
	return lkst_tree_turn_again(etype);
}

static int lkst_tree_collect(const struct lkst_tree_name *event, void *chosen)
{
	__set_bit(event->etype, chosen);
	return 0;
}

/*
 * Set or remove the filter of each event that @match chooses. Succeeds if the
 * filter of at least one event was set or removed: other events of the same
 * system may lack a field that the filter names.
 */
static int lkst_tree_filter_apply(const struct lkst_tree_match *match, char *text)
{
	DECLARE_BITMAP(chosen, LKST_ETYPE_NUM) = {};
	int ret, first = -ENODEV;
	unsigned int etype;
	bool any = false;

	text = strim(text);
	ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	if (ret)
		return ret;
	ret = lkst_tree_for_each(match, lkst_tree_collect, chosen);
	if (ret)
		first = ret;
	else
		for_each_set_bit(etype, chosen, LKST_ETYPE_NUM) {
			ret = strcmp(text, "0") ? lkst_tree_set_filter(etype, text) :
						  lkst_tree_clear_filter(etype);
			any |= !ret;
			if (first == -ENODEV)
				first = ret;
		}
	mutex_unlock(&lkst_tree_maskset_mutex);
	return any ? 0 : first;
}

static ssize_t lkst_tree_filter_write_to(const struct lkst_tree_match *match,
					 const char __user *from, size_t count)
{
	char *text;
	int ret;

	if (count >= LKST_RULE_TEXT_MAX)
		return -E2BIG;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = lkst_tree_filter_apply(match, text);
	kfree(text);
	return ret ?: count;
}

/* ---- the files ---- */

static int lkst_tree_filter_show(struct seq_file *m, void *unused)
{
	const struct lkst_tree_filter *filter;
	int ret = mutex_lock_killable(&lkst_tree_maskset_mutex);

	if (ret)
		return ret;
	filter = lkst_tree_filters[(unsigned long)m->private];
	if (filter && filter->wrong) {
		lkst_tree_show_string(m, filter->wrong);
		seq_printf(m, "\n%*s^\nparse_error: %s\n", (int)filter->error_at, "",
			   filter->error);
	} else if (filter && filter->text) {
		lkst_tree_show_string(m, filter->text);
		seq_putc(m, '\n');
	} else {
		seq_puts(m, "none\n");
	}
	mutex_unlock(&lkst_tree_maskset_mutex);
	return 0;
}

static int lkst_tree_filter_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_filter_show, inode->i_private);
}

static ssize_t lkst_tree_filter_write(struct file *file, const char __user *from, size_t count,
				      loff_t *position)
{
	const struct lkst_tree_match match = {
		.etype = (unsigned long)file_inode(file)->i_private,
	};

	return lkst_tree_filter_write_to(&match, from, count);
}

const struct file_operations lkst_tree_filter_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_filter_open,
	.read = seq_read,
	.write = lkst_tree_filter_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int lkst_tree_filter_all_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "### global filter ###\n"
		 "# Use this to set filters for multiple events.\n"
		 "# Only events with the given fields will be affected.\n"
		 "# If no events are modified, an error message will be displayed here\n");
	return 0;
}

static int lkst_tree_filter_all_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_filter_all_show, NULL);
}

static ssize_t lkst_tree_filter_all_write(struct file *file, const char __user *from, size_t count,
					  loff_t *position)
{
	const struct lkst_tree_match match = { .system = file_inode(file)->i_private };

	return lkst_tree_filter_write_to(&match, from, count);
}

const struct file_operations lkst_tree_filter_all_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_filter_all_open,
	.read = seq_read,
	.write = lkst_tree_filter_all_write,
	.llseek = seq_lseek,
	.release = single_release,
};
