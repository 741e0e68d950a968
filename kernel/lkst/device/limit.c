// SPDX-License-Identifier: GPL-2.0
/*
 * Write and read the limits of masksets.
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../dispatch/maskset.h"
#include "../rules/limit.h"
#include "limit.h"

static int lkst_limit_write(struct lkst_limit_param *param)
{
	char *error = (char *)(unsigned long)param->error, none[1];
	struct lkst_limit *limit;
	char *text;

	if (!param->text_size)
		return lkst_maskset_set_limit(param->id, NULL);
	if (!param->text)
		return -EINVAL;
	text = kmemdup_nul((const char *)(unsigned long)param->text, param->text_size, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	if (error && param->error_size)
		limit = lkst_limit_new(text, error, min_t(size_t, param->error_size,
							  LKST_RULE_ERROR_LEN));
	else
		limit = lkst_limit_new(text, none, sizeof(none));
	kfree(text);
	return IS_ERR(limit) ? PTR_ERR(limit) : lkst_maskset_set_limit(param->id, limit);
}

static int lkst_limit_read(struct lkst_limit_param *param)
{
	const struct lkst_limit *limit;
	size_t len = 0;
	bool found;
	int ret;

	rcu_read_lock();
	limit = lkst_maskset_limit(param->id, &found);
	if (limit)
		len = strlen(limit->text);
	ret = !found ? -ENXIO : len > param->text_size || !param->text ? -EINVAL : 0;
	if (!ret && limit)
		memcpy((void *)(unsigned long)param->text, limit->text, len);
	rcu_read_unlock();
	if (!ret)
		param->text_size = len;
	return ret;
}

/**
 * lkst_limit_call() - write, end or read the limit of a maskset
 * @param: as for LKST_IOC_MASKSET_LIMIT, with addresses in kernel memory
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if @param is wrong, or if the limit is wrong, in which
 * case the memory at @param->error says why; -ENXIO if there is no such
 * maskset; or an errno of lkst_limit_new() or lkst_maskset_set_limit().
 */
int lkst_limit_call(struct lkst_limit_param *param)
{
	switch (param->flags) {
	case 0:
		return lkst_limit_write(param);
	case LKST_LIMIT_READ:
		return lkst_limit_read(param);
	default:
		return -EINVAL;
	}
}
