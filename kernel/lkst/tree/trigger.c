// SPDX-License-Identifier: GPL-2.0
/*
 * The file "trigger" of an event. A trigger becomes an action of the event's
 * rule: "traceoff:3 if next_pid == 1" becomes "off:3 if next == 1". The file
 * "hist" shows the histograms of "hist" triggers.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_maskset.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../device/permission.h"
#include "../device/rule.h"
#include "../device/hist.h"
#include "../rules/action.h"
#include "../rules/hist_store.h"
#include "../source/etype.h"
#include "aliases.h"
#include "error_log.h"
#include "event.h"
#include "file.h"
#include "filter.h"
#include "hist.h"
#include "names.h"
#include "rule.h"
#include "translate.h"
#include "trigger.h"
#include "turn.h"

/*
 * The rule of an event with triggers has one action "record" or "drop". All its
 * other actions can be triggers.
 */
#define LKST_TREE_TRIGGERS	(LKST_ACTIONS - 1)

#define LKST_TREE_TRIGGER_LOG	"event trigger parse error"

/* Maximum length of the name of a target, with the NUL */
#define LKST_TREE_TARGET_LEN	128

/**
 * struct lkst_tree_trigger_kind - a kind of trigger
 * @name: its name
 * @action: the action of a rule
 * @group: an event has at most one trigger of each group. If triggers of the
 *	group have targets, it has at most one for each target
 * @has_target: whether ":SYSTEM:EVENT" follows the name
 * @has_hist: whether the definition of a histogram follows the name. An event
 *	has at most one trigger with each definition
 */
struct lkst_tree_trigger_kind {
	const char *name;
	const char *action;
	char group;
	bool has_target;
	bool has_hist;
};

static const struct lkst_tree_trigger_kind lkst_tree_trigger_kinds[] = {
	{ "traceon", "on", 't' },
	{ "traceoff", "off", 't' },
	{ "snapshot", "snapshot", 's' },
	{ "stacktrace", "stack", 'k' },
	{ "enable_event", "enable", 'e', true },
	{ "disable_event", "disable", 'e', true },
	{ "hist", "hist", 'h', .has_hist = true },
};

/**
 * struct lkst_tree_trigger - a trigger
 * @kind: its kind
 * @target: event type of its target, or -1
 * @count: how many times it takes place; 0: without limit
 * @hist: the definition of its histogram with LKST's names, without one of
 *	lkst_tree_hist_states at the end; or NULL
 * @state: LKST_HIST_RUN, LKST_HIST_PAUSE, LKST_HIST_CONT or LKST_HIST_CLEAR
 * @condition: its condition with LKST's names, or NULL
 * @text: what the file shows: the trigger with the kernel's names
 */
struct lkst_tree_trigger {
	const struct lkst_tree_trigger_kind *kind;
	int target;
	unsigned int count;
	char *hist;
	enum lkst_hist_state state;
	char *condition;
	char *text;
};

/**
 * struct lkst_tree_triggers - the triggers of an event
 * @num: number of triggers
 * @trigger: the triggers
 */
struct lkst_tree_triggers {
	unsigned int num;
	struct lkst_tree_trigger trigger[LKST_TREE_TRIGGERS];
};

/* Protected by lkst_tree_maskset_mutex. */
static struct lkst_tree_triggers *lkst_tree_triggers[LKST_ETYPE_NUM];

bool lkst_tree_has_triggers(int etype)
{
	return lkst_tree_triggers[etype] && lkst_tree_triggers[etype]->num;
}

/* ---- rules ---- */

/* What can follow the definition of a histogram. Index: enum lkst_hist_state */
static const char *const lkst_tree_hist_states[] = {
	[LKST_HIST_PAUSE] = ":pause",
	[LKST_HIST_CONT] = ":cont",
	[LKST_HIST_CLEAR] = ":clear",
};

/* Store LKST's name of an event as "(NAME)". */
static void lkst_tree_target_name(int etype, char *to, size_t size)
{
	const struct lkst_etype_desc *desc;

	rcu_read_lock();
	desc = lkst_etype_describe(etype);
	snprintf(to, size, "(%s)", desc ? desc->name : "");
	rcu_read_unlock();
}

/* Store a trigger as an action of a rule. Return the length. */
static int lkst_tree_print_trigger(const struct lkst_tree_trigger *trigger, char *to, size_t size)
{
	char target[LKST_TREE_TARGET_LEN] = "", count[sizeof(":4294967295")] = "";

	if (trigger->hist)
		return scnprintf(to, size, ", hist(%s%s)%s%s", trigger->hist,
				 lkst_tree_hist_states[trigger->state],
				 trigger->condition ? " if " : "", trigger->condition ?: "");
	if (trigger->target >= 0)
		lkst_tree_target_name(trigger->target, target, sizeof(target));
	if (trigger->count)
		snprintf(count, sizeof(count), ":%u", trigger->count);
	return scnprintf(to, size, ", %s%s%s%s%s", trigger->kind->action, target, count,
			 trigger->condition ? " if " : "", trigger->condition ?: "");
}

/**
 * lkst_tree_print_triggers() - write the triggers of an event as the text of actions
 * @etype: event type
 * @to: receives ", ACTION" for each trigger
 * @size: size of the memory at @to
 *
 * Return: the length of the text.
 */
int lkst_tree_print_triggers(int etype, char *to, size_t size)
{
	const struct lkst_tree_triggers *triggers = lkst_tree_triggers[etype];
	unsigned int i;
	int len = 0;

	for (i = 0; triggers && i < triggers->num; i++)
		len += lkst_tree_print_trigger(&triggers->trigger[i], to + len, size - len);
	return len;
}

/* ---- storing triggers ---- */

static void lkst_tree_trigger_free(struct lkst_tree_trigger *trigger)
{
	kfree(trigger->hist);
	kfree(trigger->condition);
	kfree(trigger->text);
}

/* Forget the triggers of an event that has ended. */
void lkst_tree_forget_triggers(int etype)
{
	struct lkst_tree_triggers *triggers = lkst_tree_triggers[etype];

	while (triggers && triggers->num)
		lkst_tree_trigger_free(&triggers->trigger[--triggers->num]);
	kfree(triggers);
	lkst_tree_triggers[etype] = NULL;
}

/* Forget all triggers. The files of the tree have been removed. */
void __lkst_exit lkst_tree_trigger_stop(void)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		lkst_tree_forget_triggers(etype);
}

/*
 * Return the list of triggers of an event. Create an empty list if there is
 * none. Return NULL if there is no memory.
 */
static struct lkst_tree_triggers *lkst_tree_triggers_of(int etype)
{
	if (!lkst_tree_triggers[etype])
		lkst_tree_triggers[etype] = kzalloc_obj(**lkst_tree_triggers, GFP_KERNEL);
	return lkst_tree_triggers[etype];
}

/*
 * Return the position of the trigger in the list that has the same group and
 * target as @trigger, and the same histogram; or -1.
 */
static int lkst_tree_find_trigger(const struct lkst_tree_triggers *triggers,
				  const struct lkst_tree_trigger *trigger)
{
	int i;

	for (i = 0; i < triggers->num; i++)
		if (triggers->trigger[i].kind->group == trigger->kind->group &&
		    triggers->trigger[i].target == trigger->target &&
		    (!trigger->hist || !strcmp(triggers->trigger[i].hist, trigger->hist)))
			return i;
	return -1;
}

/* Take a trigger out of the list. The caller owns it then. */
static struct lkst_tree_trigger lkst_tree_take_trigger(struct lkst_tree_triggers *triggers,
						       unsigned int i)
{
	struct lkst_tree_trigger taken = triggers->trigger[i];

	triggers->num--;
	memmove(&triggers->trigger[i], &triggers->trigger[i + 1],
		(triggers->num - i) * sizeof(*triggers->trigger));
	return taken;
}

static void lkst_tree_delete_trigger(struct lkst_tree_triggers *triggers, unsigned int i)
{
	struct lkst_tree_trigger taken = lkst_tree_take_trigger(triggers, i);

	lkst_tree_trigger_free(&taken);
}

/*
 * Pause, continue or clear the histogram of a trigger, by writing the rule. Any
 * other change of the rule keeps the counts of the histogram, and leaves it
 * paused if it was paused.
 */
static int lkst_tree_set_hist_state(int etype, struct lkst_tree_trigger *trigger,
				    enum lkst_hist_state state)
{
	enum lkst_hist_state before = trigger->state;
	int ret;

	trigger->state = state;
	ret = lkst_tree_turn_again(etype);
	if (ret || state == LKST_HIST_CLEAR)
		trigger->state = before;
	return ret;
}

/* Add a trigger, which the list then owns, and write the rule of the event. */
static int lkst_tree_add_trigger(int etype, struct lkst_tree_triggers *triggers,
				 struct lkst_tree_trigger *trigger)
{
	int ret, i = lkst_tree_find_trigger(triggers, trigger);

	if (i >= 0 && trigger->state != LKST_HIST_RUN)
		return lkst_tree_set_hist_state(etype, &triggers->trigger[i], trigger->state);
	if (i >= 0)
		return -EEXIST;
	if (trigger->state == LKST_HIST_CONT || trigger->state == LKST_HIST_CLEAR)
		return -ENOENT;
	if (trigger->hist && trigger->state == LKST_HIST_RUN)
		trigger->state = LKST_HIST_CONT;
	if (triggers->num == LKST_TREE_TRIGGERS)
		return -ENOSPC;
	triggers->trigger[triggers->num++] = *trigger;
	*trigger = (struct lkst_tree_trigger){};
	ret = lkst_tree_turn_again(etype);
	if (!ret)
		return 0;
	lkst_tree_log_error(LKST_TREE_TRIGGER_LOG, triggers->trigger[triggers->num - 1].text, 0,
			    "the action is not possible");
	lkst_tree_delete_trigger(triggers, triggers->num - 1);
	lkst_tree_turn_again(etype);
	return ret;
}

/*
 * Remove a trigger. After an error, it is still in the list, because the rule
 * of the event may still contain it.
 */
static int lkst_tree_remove_trigger(int etype, struct lkst_tree_triggers *triggers,
				    const struct lkst_tree_trigger *trigger)
{
	int i = lkst_tree_find_trigger(triggers, trigger), ret;
	struct lkst_tree_trigger taken;

	if (i < 0 || triggers->trigger[i].kind != trigger->kind)
		return -ENOENT;
	taken = lkst_tree_take_trigger(triggers, i);
	ret = lkst_tree_turn_again(etype);
	if (ret)
		triggers->trigger[triggers->num++] = taken;
	else
		lkst_tree_trigger_free(&taken);
	return ret;
}

/* ---- parsing ---- */

static int lkst_tree_note_target(const struct lkst_tree_name *event, void *etype)
{
	*(int *)etype = event->etype;
	return 1;
}

/* Parse "SYSTEM:EVENT" at *@rest. Return 0 or -EINVAL. */
static int lkst_tree_parse_target(struct lkst_tree_trigger *trigger, char **rest)
{
	struct lkst_tree_match match = {};

	match.system = strsep(rest, ":");
	match.name = strsep(rest, ":");
	if (!match.name)
		return -EINVAL;
	return lkst_tree_for_each(&match, lkst_tree_note_target, &trigger->target) == 1 ? 0 :
	       -EINVAL;
}

/*
 * Parse "COUNT", or, as the file shows it, "count=COUNT" or "unlimited". Return
 * 0 or -EINVAL.
 */
static int lkst_tree_parse_count(struct lkst_tree_trigger *trigger, const char *text)
{
	if (!text || !strcmp(text, "unlimited"))
		return 0;
	if (!strncmp(text, "count=", strlen("count=")))
		text += strlen("count=");
	return kstrtouint(text, 0, &trigger->count) || !trigger->count ? -EINVAL : 0;
}

static const struct lkst_tree_trigger_kind *lkst_tree_trigger_kind(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_tree_trigger_kinds); i++)
		if (!strcmp(lkst_tree_trigger_kinds[i].name, name))
			return &lkst_tree_trigger_kinds[i];
	return NULL;
}

/* Parse the definition of a histogram. Return 0, -EINVAL or -ENOMEM. */
static int lkst_tree_parse_hist(struct lkst_tree_trigger *trigger, int etype, char *text)
{
	struct lkst_alias alias = {};
	size_t len = text ? strlen(text) : 0, rest;
	int state;

	if (!len)
		return -EINVAL;
	for (state = LKST_HIST_PAUSE; state <= LKST_HIST_CLEAR; state++) {
		rest = len - min(len, strlen(lkst_tree_hist_states[state]));
		if (strcmp(text + rest, lkst_tree_hist_states[state]))
			continue;
		trigger->state = state;
		text[rest] = '\0';
		break;
	}
	lkst_alias_of(etype, &alias);
	trigger->hist = lkst_tree_translate_hist(alias.fields, text);
	return trigger->hist ? 0 : -ENOMEM;
}

/*
 * Parse "NAME[:SYSTEM:EVENT][:COUNT]" or "hist:DEFINITION". Return 0, -EINVAL
 * or -ENOMEM.
 */
static int lkst_tree_parse_action(struct lkst_tree_trigger *trigger, int etype, char *text)
{
	const char *count;
	int ret = 0;

	trigger->kind = lkst_tree_trigger_kind(strsep(&text, ":"));
	if (!trigger->kind)
		return -EINVAL;
	if (trigger->kind->has_hist)
		return lkst_tree_parse_hist(trigger, etype, text);
	if (trigger->kind->has_target)
		ret = text ? lkst_tree_parse_target(trigger, &text) : -EINVAL;
	count = strsep(&text, ":");
	return text ? -EINVAL : ret ?: lkst_tree_parse_count(trigger, count);
}

/*
 * Store the text that the file shows for a trigger. @condition: the condition
 * with the kernel's names, or NULL
 */
static int lkst_tree_trigger_text(struct lkst_tree_trigger *trigger, const char *action,
				  const char *condition)
{
	size_t len = strcspn(action, trigger->hist ? " \t" : ": \t");
	char count[sizeof("count=4294967295")] = "unlimited";

	if (trigger->count)
		snprintf(count, sizeof(count), "count=%u", trigger->count);
	if (trigger->kind->has_target) {
		len += 1 + strcspn(action + len + 1, ": \t");
		len += 1 + strcspn(action + len + 1, ": \t");
	}
	if (trigger->hist && trigger->state != LKST_HIST_RUN)
		len -= strlen(lkst_tree_hist_states[trigger->state]);
	trigger->text = kasprintf(GFP_KERNEL, "%.*s%s%s%s%s", (int)len, action,
				  trigger->hist ? "" : ":", trigger->hist ? "" : count,
				  condition ? " if " : "", condition ?: "");
	return trigger->text ? 0 : -ENOMEM;
}

/* Parse the condition of a trigger, which starts at @at in the line @line. */
static int lkst_tree_parse_condition(struct lkst_tree_trigger *trigger, int etype,
				     const char *line, const char *at)
{
	char error[LKST_RULE_ERROR_LEN] = "";
	struct lkst_rule_param param = {
		.event_type = etype,
		.error = (unsigned long)error,
		.error_size = sizeof(error),
	};
	int ret = lkst_tree_check_condition(&param, at, &trigger->condition);

	if (ret == -EINVAL)
		lkst_tree_log_error(LKST_TREE_TRIGGER_LOG, line, at - line + param.error_at, error);
	return ret;
}

/* Store "hist:SYSTEM:EVENT", which the caller frees; NULL without memory. */
static int lkst_tree_hist_subject(const struct lkst_tree_name *event, void *subject)
{
	*(char **)subject = kasprintf(GFP_KERNEL, "hist:%s:%s", event->system, event->name);
	return 1;
}

/* Log that the definition of a histogram is wrong at a position of the line. */
static void lkst_tree_log_hist(int etype, const char *line, u32 at, const char *error)
{
	const struct lkst_tree_match match = { .etype = etype };
	char *subject = NULL;

	lkst_tree_for_each(&match, lkst_tree_hist_subject, &subject);
	lkst_tree_log_error(subject ?: LKST_TREE_TRIGGER_LOG, line, at, error);
	kfree(subject);
}

/* Check the definition of a histogram. @line: the trigger, "hist:DEFINITION" */
static int lkst_tree_check_hist(const struct lkst_tree_trigger *trigger, int etype,
				const char *line)
{
	static const char before[] = "do drop, hist(";
	char *text = kasprintf(GFP_KERNEL, "%s%s)", before, trigger->hist);
	char error[LKST_RULE_ERROR_LEN] = "";
	struct lkst_rule_param param = {
		.event_type = etype,
		.error = (unsigned long)error,
		.error_size = sizeof(error),
		.text = (unsigned long)text,
		.text_size = text ? strlen(text) : 0,
	};
	struct lkst_rule_program *program;
	struct lkst_alias alias = {};
	u32 at = strlen("hist:");
	int ret;

	if (!text)
		return -ENOMEM;
	ret = lkst_rule_program_of(&param, NULL, &program);
	kfree(text);
	if (!ret)
		lkst_rule_program_free(program);
	if (ret != -EINVAL)
		return ret;
	lkst_alias_of(etype, &alias);
	if (param.error_at >= strlen(before) && param.error_at != LKST_RULE_NO_POSITION)
		at += lkst_tree_translate_hist_back(alias.fields, line + at,
						    param.error_at - strlen(before));
	lkst_tree_log_hist(etype, line, at, error);
	return ret;
}

/*
 * Parse "NAME[...] [if CONDITION]" and fill in @trigger. The caller frees its
 * members, even after an error.
 */
static int lkst_tree_parse_trigger(struct lkst_tree_trigger *trigger, int etype, const char *line)
{
	size_t len = strcspn(line, " \t");
	const char *rest = skip_spaces(line + len), *condition = NULL;
	char *action;
	int ret = 0;

	if (*rest && strncmp(rest, "if ", strlen("if ")))
		return -EINVAL;
	if (*rest)
		condition = skip_spaces(rest + strlen("if "));
	action = kmemdup_nul(line, len, GFP_KERNEL);
	if (!action)
		return -ENOMEM;
	ret = lkst_tree_parse_action(trigger, etype, action);
	kfree(action);
	if (ret) {
		lkst_tree_log_error(LKST_TREE_TRIGGER_LOG, line, 0, "unknown trigger");
		return ret;
	}
	ret = lkst_tree_trigger_text(trigger, line, condition);
	if (!ret && trigger->hist)
		ret = lkst_tree_check_hist(trigger, etype, line);
	if (!ret && condition)
		ret = lkst_tree_parse_condition(trigger, etype, line, condition);
	return ret;
}

/* ---- the file ---- */

/* Execute a line: add a trigger, or remove one if "!" precedes it. */
static int lkst_tree_trigger_execute(int etype, const char *line)
{
	struct lkst_tree_triggers *triggers = lkst_tree_triggers_of(etype);
	struct lkst_tree_trigger trigger = { .target = -1 };
	bool remove = *line == '!';
	int ret;

	if (!triggers)
		return -ENOMEM;
	ret = lkst_tree_parse_trigger(&trigger, etype, line + remove);
	if (!ret)
		ret = remove ? lkst_tree_remove_trigger(etype, triggers, &trigger) :
			       lkst_tree_add_trigger(etype, triggers, &trigger);
	lkst_tree_trigger_free(&trigger);
	return ret;
}

static ssize_t lkst_tree_trigger_write(struct file *file, const char __user *from, size_t count,
				       loff_t *position)
{
	int ret, etype = (unsigned long)file_inode(file)->i_private;
	char *text;

	if (count >= LKST_RULE_TEXT_MAX / 2)
		return -E2BIG;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	if (!ret) {
		ret = lkst_tree_trigger_execute(etype, strim(text));
		mutex_unlock(&lkst_tree_maskset_mutex);
	}
	kfree(text);
	return ret ?: count;
}

static void lkst_tree_show_kinds(struct seq_file *m)
{
	unsigned int i;

	seq_puts(m, "# Available triggers:\n#");
	for (i = 0; i < ARRAY_SIZE(lkst_tree_trigger_kinds); i++)
		seq_printf(m, " %s", lkst_tree_trigger_kinds[i].name);
	seq_putc(m, '\n');
}

/* Return what is shown behind the text of a trigger. */
static const char *lkst_tree_hist_status(const struct lkst_tree_trigger *trigger)
{
	if (!trigger->hist)
		return "";
	return trigger->state == LKST_HIST_PAUSE ? " [paused]" : " [active]";
}

static int lkst_tree_trigger_show(struct seq_file *m, void *unused)
{
	const struct lkst_tree_triggers *triggers;
	int ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	unsigned int i;

	if (ret)
		return ret;
	triggers = lkst_tree_triggers[(unsigned long)m->private];
	if (!triggers || !triggers->num)
		lkst_tree_show_kinds(m);
	for (i = 0; triggers && i < triggers->num; i++) {
		lkst_tree_show_string(m, triggers->trigger[i].text);
		seq_puts(m, lkst_tree_hist_status(&triggers->trigger[i]));
		seq_putc(m, '\n');
	}
	mutex_unlock(&lkst_tree_maskset_mutex);
	return 0;
}

static int lkst_tree_trigger_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_trigger_show, inode->i_private);
}

const struct file_operations lkst_tree_trigger_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_trigger_open,
	.read = seq_read,
	.write = lkst_tree_trigger_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* Print the histograms of an event. */
static int lkst_tree_hist_show(struct seq_file *m, void *unused)
{
	int etype = (unsigned long)m->private, ret;
	const struct lkst_tree_triggers *triggers;
	unsigned int i, num = 0;

	ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	if (ret)
		return ret;
	triggers = lkst_tree_triggers[etype];
	for (i = 0; !ret && triggers && i < triggers->num; i++) {
		const struct lkst_tree_trigger *trigger = &triggers->trigger[i];
		struct lkst_hist *hist;

		if (!trigger->hist)
			continue;
		seq_printf(m, "%s# event histogram\n#\n# trigger info: ", num ? "\n\n" : "");
		lkst_tree_show_string(m, trigger->text);
		seq_printf(m, "%s\n#\n\n", lkst_tree_hist_status(trigger));
		hist = lkst_hist_get_of(lkst_tree_maskset(), etype, num++);
		if (!hist)
			continue;
		ret = lkst_tree_show_hist(m, hist, trigger->text);
		lkst_hist_put(hist);
	}
	mutex_unlock(&lkst_tree_maskset_mutex);
	return ret;
}

static int lkst_tree_hist_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_hist_show, inode->i_private);
}

const struct file_operations lkst_tree_hist_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_hist_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};
