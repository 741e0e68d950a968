// SPDX-License-Identifier: GPL-2.0
/*
 * Write and read the rules of masksets.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "../base/ksyms.h"
#include "../base/stage.h"
#include "../dispatch/action.h"
#include "../dispatch/maskset.h"
#include "../rules/action.h"
#include "../rules/filter.h"
#include "../rules/hist_store.h"
#include "../rules/rule.h"
#include "../source/etype.h"
#include "rule.h"
#include "rule_fields.h"

/**
 * struct lkst_rule_scope - what is needed to parse a rule
 * @parser: the parser
 * @scope: what the words of the rule refer to
 * @fields: fields of the event
 * @args: copy of the description of the event, to which @fields refers
 * @names: names of values, see struct lkst_rule_param; ends with NUL
 */
struct lkst_rule_scope {
	struct lkst_action_parser parser;
	struct lkst_filter_scope scope;
	struct lkst_rule_fields fields;
	char args[4][LKST_ETYPE_TEXT_MAX + 1];
	const char *names;
};

/* ---- parsing ---- */

static bool lkst_rule_constant(void *ctx, const struct lkst_filter_field *field,
			       const char *name, size_t name_len, u64 *value)
{
	const struct lkst_rule_scope *scope = ctx;

	return lkst_rule_name_value(scope->names, field, name, name_len, value);
}

/*
 * Store the name of the function that contains an address. If the function is
 * in a module, sprint_symbol_no_offset() appends the name of the module: remove
 * that name.
 */
static void lkst_rule_function_at(char *symbol, unsigned long address)
{
	sprint_symbol_no_offset(symbol, address);
	symbol[strcspn(symbol, " ")] = 0;
}

/* Find a function by its name, or by an address in it. */
static bool lkst_rule_function(void *ctx, const char *name, size_t len, u64 *address, u64 *size)
{
	unsigned long at, bytes, inside;
	char symbol[KSYM_SYMBOL_LEN];
	bool number;

	if (!len || len >= sizeof(symbol))
		return false;
	memcpy(symbol, name, len);
	symbol[len] = 0;
	number = !kstrtoul(symbol, 0, &inside);
	if (number)
		lkst_rule_function_at(symbol, inside);
	if (!lkst_function(symbol, &at, &bytes) || !bytes)
		return false;
	if (number && inside - at >= bytes)
		return false;
	*address = at;
	*size = bytes;
	return true;
}

static void lkst_rule_describe_args(struct lkst_rule_scope *scope,
				    const struct lkst_etype_desc *desc)
{
	const char *args[ARRAY_SIZE(scope->args)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(args); i++) {
		strscpy(scope->args[i], desc->args[i], sizeof(scope->args[i]));
		args[i] = scope->args[i];
	}
	lkst_rule_fields_of_args(&scope->fields, args);
}

/*
 * Copy the description of the fields of an event. Return 0, or -ENODEV if there
 * is no such event type, or if events of this type cannot have rules.
 */
static int lkst_rule_describe(struct lkst_rule_scope *scope, int etype)
{
	const struct lkst_etype_desc *desc;
	int ret = 0;

	rcu_read_lock();
	desc = lkst_etype_describe(etype);
	if (!desc || etype == LKST_ETYPE_LKST_MORE)
		ret = -ENODEV;
	else if (!desc->fields)
		lkst_rule_describe_args(scope, desc);
	else if (lkst_rule_fields_of_format(&scope->fields, desc->fields))
		ret = -ENODEV;
	rcu_read_unlock();
	scope->scope = (struct lkst_filter_scope){
		.field = scope->fields.field,
		.fields = scope->fields.num,
		.constant = lkst_rule_constant,
		.function = lkst_rule_function,
		.ctx = scope,
	};
	scope->parser.filter.scope = &scope->scope;
	return ret;
}

/*
 * Parse a rule. Return 0 or a negative errno. -EINVAL means that the rule is
 * wrong; the parser then contains a message.
 */
static int lkst_rule_parse(struct lkst_rule_scope *scope, int maskset, int etype,
			   const char *text)
{
	scope->parser.maskset = maskset;
	scope->parser.etype = etype;
	scope->parser.types = lkst_action_types;
	return lkst_rule_describe(scope, etype) ?:
	       lkst_rule_program_parse(&scope->parser, text);
}

/* ---- the device ---- */

/*
 * Return a copy of a text, with a NUL at its end; NULL if there is no memory.
 */
static char *lkst_rule_text(u64 address, size_t size)
{
	return address ? kmemdup_nul((const void *)(unsigned long)address, size, GFP_KERNEL) :
			 kstrdup("", GFP_KERNEL);
}

/* Store a message. Return -EINVAL. */
static int lkst_rule_explain(struct lkst_rule_param *param, u32 at, const char *error)
{
	param->error_at = at;
	if (param->error && param->error_size)
		strscpy((char *)(unsigned long)param->error, error,
			min_t(size_t, param->error_size, LKST_RULE_ERROR_LEN));
	return -EINVAL;
}

/*
 * Compile a rule, and write it. Return -EAGAIN if the description of an event
 * has changed in the meantime.
 */
static int lkst_rule_try_text(struct lkst_rule_param *param, struct lkst_rule_scope *scope,
			      const char *text)
{
	unsigned long generation = lkst_maskset_described();
	struct lkst_rule *rule;
	int ret;

	memset(&scope->parser, 0, sizeof(scope->parser));
	ret = lkst_rule_parse(scope, param->id, param->event_type, text);
	if (ret == -EINVAL)
		return lkst_rule_explain(param, scope->parser.filter.error_at,
					 scope->parser.filter.error);
	if (ret)
		return ret;
	rule = lkst_rule_new(scope->parser.program);
	if (IS_ERR(rule))
		return PTR_ERR(rule);
	/* Another process may replace the rule before lkst_hist_written(). */
	lkst_rule_get(rule);
	ret = lkst_maskset_set_rule(param->id, param->event_type, rule, generation);
	if (!ret)
		ret = lkst_hist_written(rule->program);
	lkst_rule_put(rule);
	return ret;
}

/*
 * A program that registers and unregisters events in a loop changes
 * descriptions all the time. Without a limit, it could make attempts fail for
 * as long as it runs.
 */
#define LKST_RULE_TRIES		100

static int lkst_rule_write_text(struct lkst_rule_param *param, struct lkst_rule_scope *scope,
				const char *text)
{
	int ret = -EAGAIN, i;

	for (i = 0; ret == -EAGAIN && i < LKST_RULE_TRIES; i++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		ret = lkst_rule_try_text(param, scope, text);
		cond_resched();
	}
	return ret == -EAGAIN ? -EBUSY : ret;
}

/**
 * lkst_rule_program_of() - parse a rule that belongs to no maskset
 * @param: as for LKST_IOC_RULE_WRITE, with addresses in kernel memory. @id and
 *	@names are not used
 * @begin: if the actions are those of a watch, receives which fields they use
 *	of the events that begin the spans of the watch; else NULL
 * @program: receives the program
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if the rule is wrong, in which case @param says why; or an
 * errno of lkst_rule_program_parse() or lkst_rule_prepare().
 */
int lkst_rule_program_of(struct lkst_rule_param *param, struct lkst_watch_values *begin,
			 struct lkst_rule_program **program)
{
	struct lkst_rule_scope *scope = kvzalloc(sizeof(*scope), GFP_KERNEL);
	char *text = lkst_rule_text(param->text, param->text_size);
	int ret = -ENOMEM;

	if (scope && text) {
		scope->parser.begin = begin;
		ret = lkst_rule_parse(scope, -1, param->event_type, text);
		*program = scope->parser.program;
		if (ret == -EINVAL)
			lkst_rule_explain(param, scope->parser.filter.error_at,
					  scope->parser.filter.error);
		if (!ret) {
			ret = lkst_rule_prepare(*program);
			if (ret)
				lkst_rule_program_free(*program);
		}
	}
	kfree(text);
	kvfree(scope);
	return ret;
}

/**
 * lkst_rule_write() - write or delete a rule
 * @param: as for LKST_IOC_RULE_WRITE, with addresses in kernel memory
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if the rule is wrong, in which case @param says why; -EBUSY
 * if the descriptions of events changed during each of LKST_RULE_TRIES attempts;
 * or an errno of lkst_rule_new() or lkst_maskset_set_rule().
 */
int lkst_rule_write(struct lkst_rule_param *param)
{
	struct lkst_rule_scope *scope;
	char *text, *names;
	int ret = -ENOMEM;

	param->error_at = 0;
	if (param->event_type < 0 || param->event_type >= LKST_ETYPE_NUM)
		return -ENODEV;
	/*
	 * Readers rely on LKST's own events, and some of these events bypass
	 * lkst_event_rule().
	 */
	if (param->event_type >= LKST_ETYPE_LKST_MIN)
		return lkst_rule_explain(param, LKST_RULE_NO_POSITION,
					 "LKST's own events have no rules");
	if (!param->text_size)
		return lkst_maskset_set_rule(param->id, param->event_type, NULL, 0);
	if (!param->text || (!param->names && param->names_size))
		return -EINVAL;
	scope = kvzalloc(sizeof(*scope), GFP_KERNEL);
	text = lkst_rule_text(param->text, param->text_size);
	names = lkst_rule_text(param->names, param->names_size);
	if (scope && text && names) {
		scope->names = names;
		ret = lkst_rule_write_text(param, scope, text);
	}
	kfree(names);
	kfree(text);
	kvfree(scope);
	return ret;
}

/**
 * lkst_rule_check() - check a condition without writing it as a rule
 * @param: as for lkst_rule_write(), without @id and @names
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if the condition is wrong or missing, or if actions follow
 * it, in which case @param says why; -ENODEV if there is no such event type; or
 * -ENOMEM.
 */
int lkst_rule_check(struct lkst_rule_param *param)
{
	struct lkst_rule_program *program;
	int ret;

	param->error_at = 0;
	ret = lkst_rule_program_of(param, NULL, &program);
	if (ret)
		return ret;
	if (!program->condition || program->actions)
		ret = lkst_rule_explain(param, 0, "want a condition, without actions");
	lkst_rule_program_free(program);
	return ret;
}

/**
 * lkst_rule_read() - read a rule
 * @param: as for LKST_IOC_RULE_READ, with addresses in kernel memory
 *
 * Context: may sleep.
 *
 * Return: 0; -ENOENT if there is no such maskset, or if it has no rule for this
 * or a higher event type; -EINVAL if the memory is too small.
 */
int lkst_rule_read(struct lkst_rule_param *param)
{
	const struct lkst_rule *rule;
	int etype = max(param->event_type, 0), ret = -ENOENT;
	size_t len;

	rcu_read_lock();
	rule = lkst_maskset_next_rule(param->id, &etype);
	if (rule) {
		len = strlen(rule->program->text);
		ret = -EINVAL;
		if (param->text && len <= param->text_size) {
			memcpy((void *)(unsigned long)param->text, rule->program->text, len);
			param->text_size = len;
			param->event_type = etype;
			ret = 0;
		}
	}
	rcu_read_unlock();
	return ret;
}

/* ---- the boot parameter ---- */

/* Find an event type by name. Return its number or -ENODEV. */
static int __init lkst_rule_etype(const char *name)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_etypes_builtin[etype] && !strcmp(lkst_etypes_builtin[etype]->name, name))
			return etype;
	return -ENODEV;
}

/* Find the ';' that ends a rule, outside of quotes, or the end of the text. */
static char * __init lkst_rule_end(char *text)
{
	char quote = 0;

	for (; *text && (quote || *text != ';'); text++) {
		if (quote)
			quote = *text == quote ? 0 : quote;
		else if (*text == '"' || *text == '\'')
			quote = *text;
	}
	return text;
}

static int __init lkst_rule_set(lkst_maskset_id id, char *name)
{
	char error[LKST_RULE_ERROR_LEN] = "", *text = name + strcspn(name, " \t");
	struct lkst_rule_param param = {
		.id = id,
		.error = (unsigned long)error,
		.error_size = sizeof(error),
	};
	int ret;

	if (*text)
		*text++ = 0;
	text = skip_spaces(text);
	if (!strncmp(text, "if ", strlen("if "))) {
		text += strlen("if ");
	} else if (strncmp(text, "do ", strlen("do "))) {
		pr_warn("lkst: lkst.rules=%s%s%s: not a rule (want EVENT if CONDITION do ACTIONS)\n",
			name, *text ? " " : "", text);
		return -EINVAL;
	}
	param.text = (unsigned long)text;
	param.text_size = strlen(text);
	param.event_type = lkst_rule_etype(name);
	ret = lkst_rule_write(&param);
	if (!ret)
		return 0;
	if (*error && param.error_at == LKST_RULE_NO_POSITION)
		pr_warn("lkst: lkst.rules=%s: %s: %s\n", name, text, error);
	else if (*error)
		pr_warn("lkst: lkst.rules=%s: %s: character %u: %s\n", name, text,
			param.error_at + 1, error);
	else if (ret == -ENODEV)
		pr_warn("lkst: lkst.rules=%s: no such event\n", name);
	else
		pr_warn("lkst: lkst.rules=%s: maskset %d does not take a rule: error %d\n", name,
			id, ret);
	return ret;
}

/**
 * lkst_rules_set() - write the rules that a boot parameter contains
 * @id: id of the maskset
 * @text: rules, separated by ";"
 *
 * Return: 0, or a negative errno if a rule is wrong. All other rules are
 * written nevertheless.
 */
int __init lkst_rules_set(lkst_maskset_id id, const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL), *at = copy, *end;
	int ret = copy ? 0 : -ENOMEM;
	bool more = copy;

	while (more) {
		end = lkst_rule_end(at);
		more = *end;
		*end = 0;
		at = strim(at);
		if (*at)
			ret = lkst_rule_set(id, at) ?: ret;
		at = end + 1;
	}
	kfree(copy);
	return ret;
}
