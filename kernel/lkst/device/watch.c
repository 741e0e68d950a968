// SPDX-License-Identifier: GPL-2.0
/*
 * Write and read watches.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_maskset.h>

#include "../base/compat.h"
#include "../rules/hist_store.h"
#include "../rules/rule.h"
#include "../source/etype.h"
#include "rule.h"
#include "watch.h"

/* Store a message. Return -EINVAL. */
static int watch_explain(struct lkst_watch_param *param, u32 at, const char *error)
{
	param->error_at = at;
	if (param->error && param->error_size)
		strscpy((char *)(unsigned long)param->error, error,
			min_t(size_t, param->error_size, LKST_WATCH_ERROR_LEN));
	return -EINVAL;
}

/*
 * Check the syntax of the key. Whether the events have its fields is checked
 * only when their rules are compiled, because the fields may change until then.
 */
static int watch_check_key(struct lkst_watch_param *param, const char *text)
{
	size_t len = lkst_watch_key_len(text), i, word = 0;
	unsigned int words = 1;
	bool equals = false;

	for (i = 0; i <= len; i++) {
		char c = i < len ? text[i] : ',';

		if ((c == ',' || c == '=') && i == word)
			return watch_explain(param, i, "the name of a field is missing");
		if (c == '=' && equals)
			return watch_explain(param, i, "unexpected \"=\" (want \",\")");
		if (c == ',' && i < len && ++words > LKST_WATCH_KEYS)
			return watch_explain(param, i, "the key has more than 4 fields");
		if (c == ',' || c == '=') {
			equals = c == '=';
			word = i + 1;
		}
	}
	return 0;
}

/* Check that all actions are about the late span, rather than about the event. */
static int watch_check_actions(struct lkst_watch_param *param,
			       const struct lkst_rule_program *program, u32 at)
{
	unsigned int i;

	for (i = 0; i < program->actions; i++) {
		const struct lkst_action_type *type = program->action[i].type;

		if (!type->run || !strcmp(type->name, "watch"))
			return watch_explain(param, at,
					     "a watch cannot have the actions record, drop and watch");
	}
	return 0;
}

/* Parse the actions after the key, if there are any. */
static int watch_parse(struct lkst_watch_param *param, const char *text,
		       struct lkst_watch_values *begin, struct lkst_rule_program **program)
{
	bool rises;
	const char *actions = lkst_watch_rest(text, &rises);
	struct lkst_rule_param rule = {
		.event_type = param->end,
		.text = (unsigned long)actions,
		.text_size = strlen(actions),
		.error = param->error,
		.error_size = param->error_size,
	};
	u32 at = actions - text;
	int ret;

	*program = NULL;
	if (!*actions)
		return 0;
	if (strncmp(actions, "do", 2) || (actions[2] != ' ' && actions[2] != '\t'))
		return watch_explain(param, at,
				     "unexpected text after the key (want longest or do)");
	ret = lkst_rule_program_of(&rule, begin, program);
	param->error_at = at + rule.error_at;
	if (ret)
		return ret;
	ret = watch_check_actions(param, *program, at);
	if (ret)
		lkst_rule_program_free(*program);
	return ret;
}

static int watch_write_text(struct lkst_watch_param *param, const char *text)
{
	struct lkst_watch_values begin = {};
	struct lkst_rule_program *program;
	struct lkst_watch *watch;
	int ret = watch_check_key(param, text) ?: watch_parse(param, text, &begin, &program);

	if (ret)
		return ret;
	watch = lkst_watch_new(param, text, &begin, program);
	if (IS_ERR(watch))
		return PTR_ERR(watch);
	/* Another process may delete the watch before lkst_hist_written(). */
	refcount_inc(&watch->users);
	ret = lkst_watch_add_new(watch);
	if (!ret && program)
		ret = lkst_hist_written(program);
	lkst_watch_put(watch);
	return ret;
}

/*
 * Whether an event type can begin or end a span of a watch. Watches get their
 * events from rules, so the event type must be able to have a rule.
 */
static bool watch_has_rules(int etype)
{
	return etype >= 0 && etype < LKST_ETYPE_LKST_MIN && lkst_etype_registered(etype);
}

/**
 * lkst_watch_write() - create a watch
 * @param: as for LKST_IOC_WATCH_WRITE, with addresses in kernel memory
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if @param is wrong, or if the text is wrong, in which case
 * the memory at @param->error says why; -ENODEV if an event type does not exist
 * or cannot have a rule; or an errno of lkst_watch_new() or
 * lkst_watch_add_new().
 */
int lkst_watch_write(struct lkst_watch_param *param)
{
	char *text;
	int ret;

	param->error_at = 0;
	if (!param->spans)
		param->spans = LKST_WATCH_SPANS;
	if (!lkst_watch_name_valid(param->name) || !param->text || !param->text_size ||
	    !is_power_of_2(param->spans) || param->spans < LKST_WATCH_SPANS_MIN ||
	    param->spans > LKST_WATCH_SPANS_MAX)
		return -EINVAL;
	if (!watch_has_rules(param->begin) || !watch_has_rules(param->end))
		return -ENODEV;
	text = kmemdup_nul((const void *)(unsigned long)param->text, param->text_size, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = watch_write_text(param, text);
	kfree(text);
	return ret;
}

/**
 * lkst_watch_read() - read a watch
 * @param: as for LKST_IOC_WATCH_READ, with addresses in kernel memory
 *
 * Context: may sleep.
 *
 * Return: 0; -ENOENT if there is no such watch; -EINVAL if the name is not
 * terminated, or the memory for the text is too small; -ENOMEM.
 */
int lkst_watch_read(struct lkst_watch_param *param)
{
	struct lkst_watch_result *result = kvzalloc(sizeof(*result), GFP_KERNEL);
	char *text = kzalloc(LKST_WATCH_TEXT_MAX + 1, GFP_KERNEL);
	int ret = -ENOMEM;
	size_t len;

	if (!result || !text)
		goto out;
	ret = -EINVAL;
	if (strnlen(param->name, sizeof(param->name)) == sizeof(param->name))
		goto out;
	ret = lkst_watch_copy(param, text, param->result ? result : NULL);
	len = strlen(text);
	if (!ret && (!param->text || len > param->text_size))
		ret = -EINVAL;
	if (ret)
		goto out;
	memcpy((void *)(unsigned long)param->text, text, len);
	param->text_size = len;
	if (param->result)
		memcpy((void *)(unsigned long)param->result, result,
		       min_t(size_t, param->result_size, sizeof(*result)));
out:
	kfree(text);
	kvfree(result);
	return ret;
}
