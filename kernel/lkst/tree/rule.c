// SPDX-License-Identifier: GPL-2.0
/*
 * Write the filter and the triggers of an event as a rule of the maskset
 * "events". If an event is off but has triggers, the maskset does not mask the
 * event, so that the triggers can take place. Its rule drops the event instead.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../device/rule.h"
#include "../dispatch/maskset.h"
#include "aliases.h"
#include "filter.h"
#include "rule.h"
#include "translate.h"
#include "trigger.h"

/**
 * lkst_tree_has_rule() - whether an event needs a rule
 * @etype: event type
 * @on: whether the event is on
 */
bool lkst_tree_has_rule(int etype, bool on)
{
	return lkst_tree_has_triggers(etype) || (on && lkst_tree_filter_of(etype));
}

/*
 * Store the text of the rule of an event that needs one. Return 0, or -E2BIG if
 * there is not enough room.
 */
static int lkst_tree_print_rule(int etype, bool on, char *to, size_t size)
{
	const char *filter = on ? lkst_tree_filter_of(etype) : NULL;
	size_t len;

	if (!lkst_tree_has_triggers(etype)) {
		len = scnprintf(to, size, "%s", filter);
	} else {
		len = scnprintf(to, size, "do %s%s%s", on ? "record" : "drop",
				filter ? " if " : "", filter ?: "");
		len += lkst_tree_print_triggers(etype, to + len, size - len);
	}
	return len < size - 1 ? 0 : -E2BIG;
}

/**
 * lkst_tree_write_rule() - write the rule of an event, or delete it
 * @id: the maskset
 * @etype: event type
 * @on: whether the event is on
 *
 * Return: 0 or a negative errno, as for lkst_rule_write().
 */
int lkst_tree_write_rule(lkst_maskset_id id, int etype, bool on)
{
	struct lkst_rule_param param = { .id = id, .event_type = etype };
	char *text;
	int ret;

	if (!lkst_tree_has_rule(etype, on)) {
		ret = lkst_maskset_set_rule(id, etype, NULL, 0);
		return ret == -ENOENT ? 0 : ret;
	}
	text = kzalloc(LKST_RULE_TEXT_MAX, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = lkst_tree_print_rule(etype, on, text, LKST_RULE_TEXT_MAX);
	param.text = (unsigned long)text;
	param.text_size = strlen(text);
	if (!ret)
		ret = lkst_rule_write(&param);
	kfree(text);
	return ret;
}

/**
 * lkst_tree_check_condition() - check a condition with the kernel's names
 * @param: as for lkst_rule_check(), without a text
 * @text: the condition
 * @translated: receives the condition with LKST's names, which the caller
 *	frees; NULL after an error
 *
 * Return: as for lkst_rule_check(). After -EINVAL, param->error_at is the
 * position of the error in @text.
 */
int lkst_tree_check_condition(struct lkst_rule_param *param, const char *text, char **translated)
{
	struct lkst_alias alias = {};
	int ret;

	lkst_alias_of(param->event_type, &alias);
	*translated = lkst_tree_translate(alias.fields, text);
	if (!*translated)
		return -ENOMEM;
	param->text = (unsigned long)*translated;
	param->text_size = strlen(*translated);
	ret = lkst_rule_check(param);
	if (!ret)
		return 0;
	param->error_at = lkst_tree_translate_back(alias.fields, text, param->error_at);
	kfree(*translated);
	*translated = NULL;
	return ret;
}
