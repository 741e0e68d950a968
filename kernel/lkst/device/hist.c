// SPDX-License-Identifier: GPL-2.0
/*
 * Read histograms of rules.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../dispatch/maskset.h"
#include "../rules/hist_store.h"
#include "../rules/rule.h"
#include "hist.h"

/* Return histogram @index of a rule, or NULL. */
static struct lkst_hist *lkst_hist_of_rule(const struct lkst_rule *rule, unsigned int index)
{
	const struct lkst_rule_program *program = rule->program;
	struct lkst_hist *hist;
	unsigned int i;

	for (i = 0; i < program->actions; i++) {
		hist = lkst_hist_of(&program->action[i]);
		if (hist && !index--)
			return hist;
	}
	return NULL;
}

/*
 * Find the histogram that @param describes. If it does not exist, find the
 * first histogram of the next event type that has one, unless @exact is true.
 * Take a reference to the histogram, and store its event type and its index in
 * @param.
 * Return NULL if no histogram was found.
 */
static struct lkst_hist *lkst_hist_next(struct lkst_hist_param *param, bool exact)
{
	int etype = max(param->event_type, 0);
	struct lkst_hist *hist = NULL;
	const struct lkst_rule *rule;

	rcu_read_lock();
	for (; !hist; etype++) {
		rule = lkst_maskset_next_rule(param->id, &etype);
		if (!rule || (exact && etype != param->event_type))
			break;
		if (etype != param->event_type)
			param->index = 0;
		param->event_type = etype;
		hist = lkst_hist_of_rule(rule, param->index);
	}
	if (hist)
		lkst_hist_get(hist);
	rcu_read_unlock();
	return hist;
}

/**
 * lkst_hist_get_of() - find a histogram
 * @id: maskset
 * @etype: event type of its rule
 * @index: which of the histograms of the rule, from 0
 *
 * Context: any.
 *
 * Return: the histogram, which the caller must release with lkst_hist_put();
 * NULL if it does not exist.
 */
struct lkst_hist *lkst_hist_get_of(lkst_maskset_id id, int etype, unsigned int index)
{
	struct lkst_hist_param param = { .id = id, .event_type = etype, .index = index };

	return lkst_hist_next(&param, true);
}

static void lkst_hist_describe(const struct lkst_hist *hist, struct lkst_hist_param *param)
{
	const struct lkst_hist_def *def = &hist->def;
	size_t len = strlen(hist->text);

	if (param->text)
		memcpy((void *)(unsigned long)param->text, hist->text,
		       min_t(size_t, len, param->text_size));
	param->text_size = len;
	param->flags = READ_ONCE(hist->paused) ? LKST_HIST_PAUSED : 0;
	param->hits = 0;
	param->drops = 0;
	param->entries = 0;
	param->entries_max = def->size * num_possible_cpus();
	param->entry_size = lkst_hist_entry_bytes(def);
	param->keys = def->keys;
	param->vals = def->vals;
	memset(param->field, 0, sizeof(param->field));
	memcpy(param->field, def->field, def->keys * sizeof(*def->field));
	memcpy(param->field + def->keys, def->field + LKST_HIST_KEYS,
	       def->vals * sizeof(*def->field));
}

/* Copy the sorted entries to the program. Return 0, -EFAULT or -EINTR. */
static int lkst_hist_store(const struct lkst_hist_merge *merge, struct lkst_hist_param *param)
{
	char __user *to = u64_to_user_ptr(param->data);
	size_t i;

	for (i = 0; i < merge->entries; i++) {
		if (copy_to_user(to + i * param->entry_size, merge->list[i], param->entry_size))
			return -EFAULT;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	param->hits = merge->hits;
	param->drops = merge->drops;
	param->entries = merge->entries;
	return 0;
}

static int lkst_hist_read_data(struct lkst_hist *hist, bool reset, struct lkst_hist_param *param)
{
	struct lkst_hist_merge merge;
	int ret;

	if (param->data_size < (u64)param->entries_max * param->entry_size)
		return -ENOSPC;
	ret = lkst_hist_read(hist, reset, &merge);
	if (ret)
		return ret;
	ret = lkst_hist_store(&merge, param);
	lkst_hist_read_end(&merge);
	return ret;
}

/**
 * lkst_hist_ioctl() - read a histogram
 * @param: as for LKST_IOC_HIST_READ, but with the address of @text in kernel
 *	memory
 *
 * Context: may sleep.
 *
 * Return: 0; -ENOENT if lkst_hist_next() finds no histogram; -ENOSPC if the
 * memory at @data is too small; -EINVAL if the flags are unknown; -ENOMEM,
 * -EFAULT or -EINTR.
 */
int lkst_hist_ioctl(struct lkst_hist_param *param)
{
	bool reset = param->flags & LKST_HIST_RESET;
	struct lkst_hist *hist;
	int ret = 0;

	if (param->flags & ~LKST_HIST_RESET)
		return -EINVAL;
	hist = lkst_hist_next(param, reset);
	if (!hist)
		return -ENOENT;
	lkst_hist_describe(hist, param);
	if (param->data_size)
		ret = lkst_hist_read_data(hist, reset, param);
	lkst_hist_put(hist);
	return ret;
}
