// SPDX-License-Identifier: GPL-2.0
/*
 * Compile the limits of masksets, and apply them to events.
 */
#include <linux/bitmap.h>
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/lkst_etypes.h>

#include "../base/compat.h"
#include "../memory/memory.h"
#include "filter_record.h"
#include "limit.h"
#include "rule.h"
#include "tid_set.h"

/* ---- applying ---- */

static notrace bool lkst_limit_has_user(const struct lkst_limit *limit, struct task_struct *task)
{
	const struct cred *cred = task == current ? rcu_access_pointer(task->cred) :
						    rcu_dereference_raw(task->real_cred);
	unsigned int i;

	for (i = 0; i < limit->users; i++)
		if (limit->user[i] == cred->euid.val)
			return true;
	return false;
}

/*
 * Whether a thread is in one of the cgroups, or in a descendant of one. While
 * RCU is not watching, the thread's cgroup could be freed, so this
 * function returns false. RCU is not watching in the idle loop, and at the
 * beginning and the end of some exceptions.
 */
static notrace bool lkst_limit_has_cgroup(const struct lkst_limit *limit, struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	struct cgroup *cgroup, *ancestor;
	unsigned int i;

	if (!rcu_is_watching())
		return false;
	cgroup = ((struct css_set *)rcu_dereference_raw(task->cgroups))->dfl_cgrp;
	for (i = 0; i < limit->cgroups; i++) {
		ancestor = cgroup_ancestor(cgroup, limit->cgroup[i].level);
		if (ancestor && cgroup_id(ancestor) == limit->cgroup[i].id)
			return true;
	}
#endif
	return false;
}

/* Whether the user and the cgroup of a thread pass. */
static notrace bool lkst_limit_has_owner(const struct lkst_limit *limit, struct task_struct *task)
{
	return (!limit->users || lkst_limit_has_user(limit, task)) &&
	       (!limit->cgroups || lkst_limit_has_cgroup(limit, task));
}

/*
 * Some events also belong to a thread other than the running one: a context
 * switch to the next thread, a wakeup to the woken thread, and a record of a
 * state dump to the thread that it describes. Return the ID of this other
 * thread, or -1 for other events.
 */
static notrace pid_t lkst_limit_other(int etype, const struct lkst_filter_record *record)
{
	switch (etype) {
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
		return record->arg[1] >> 32;
	case LKST_ETYPE_PROCESS_WAKING:
	case LKST_ETYPE_PROCESS_WAKEUP:
	case LKST_ETYPE_PROCESS_STATE:
		return record->arg[0] >> 32;
	default:
		return -1;
	}
}

/* Whether the sets of threads let a thread pass. */
static notrace bool lkst_limit_has_tid(const struct lkst_limit *limit, pid_t tid)
{
	return (!limit->tids || lkst_tid_set_has(limit->tids, tid)) &&
	       !(limit->not_tids && lkst_tid_set_has(limit->not_tids, tid));
}

/* Whether a thread that is not running on this CPU passes. */
static notrace bool lkst_limit_has_other(const struct lkst_limit *limit, pid_t tid)
{
	struct task_struct *task;
	bool ret;

	if (tid < 0 || !lkst_limit_has_tid(limit, tid))
		return false;
	if (!limit->users && !limit->cgroups)
		return true;
	if (!rcu_is_watching())
		return false;
	rcu_read_lock();
	task = pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
	ret = task && lkst_limit_has_owner(limit, task);
	rcu_read_unlock();
	return ret;
}

/**
 * lkst_limit_passes() - apply a limit to an event
 * @limit: the limit
 * @etype: event type
 * @record: arguments of the event
 *
 * Context: any, NMI included, even while RCU is not watching, with preemption
 * off.
 *
 * Return: whether the event is recorded.
 */
notrace bool lkst_limit_passes(const struct lkst_limit *limit, int etype,
			       const struct lkst_filter_record *record)
{
	if (limit->has_cpus && !test_bit(raw_smp_processor_id(), limit->cpus))
		return false;
	if (!limit->has_threads)
		return true;
	if (lkst_limit_has_tid(limit, current->pid) && lkst_limit_has_owner(limit, current))
		return true;
	return lkst_limit_has_other(limit, lkst_limit_other(etype, record));
}

/* ---- compiling ---- */

/**
 * struct lkst_limit_parser - state of the parser
 * @limit: the result
 * @value: the values that follow a word, separated by commas
 * @pids: value of the word "pid", or NULL
 * @children: whether the word "children" was found
 * @error: receives what is wrong
 * @error_size: size of the memory at @error
 */
struct lkst_limit_parser {
	struct lkst_limit *limit;
	char *value;
	char *pids;
	bool children;
	char *error;
	size_t error_size;
};

static __printf(2, 3) int lkst_limit_wrong(const struct lkst_limit_parser *parser,
					   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->error, parser->error_size, format, args);
	va_end(args);
	return -EINVAL;
}

static int lkst_limit_parse_pid(struct lkst_limit_parser *parser)
{
	parser->pids = parser->value;
	return 0;
}

static int lkst_limit_parse_children(struct lkst_limit_parser *parser)
{
	parser->children = true;
	return 0;
}

static int lkst_limit_parse_cpu(struct lkst_limit_parser *parser)
{
	unsigned long *cpus = parser->limit->cpus;

	if (bitmap_parselist(parser->value, cpus, nr_cpu_ids) || bitmap_empty(cpus, nr_cpu_ids))
		return lkst_limit_wrong(parser,
					"\"%s\" is not a list of CPUs (want numbers up to %u, such as 0-3,7)",
					parser->value, nr_cpu_ids - 1);
	parser->limit->has_cpus = true;
	return 0;
}

static int lkst_limit_parse_uid(struct lkst_limit_parser *parser)
{
	struct lkst_limit *limit = parser->limit;
	char *word;
	u32 user;

	while ((word = strsep(&parser->value, ",")) != NULL) {
		if (limit->users == LKST_LIMIT_USERS)
			return lkst_limit_wrong(parser, "too many users (at most %d)",
						LKST_LIMIT_USERS);
		if (kstrtou32(word, 10, &user))
			return lkst_limit_wrong(parser, "\"%s\" is not a user ID (want a number)",
						word);
		limit->user[limit->users++] = user;
	}
	return 0;
}

static int lkst_limit_parse_cgroup(struct lkst_limit_parser *parser)
{
#ifdef CONFIG_CGROUPS
	struct lkst_limit *limit = parser->limit;
	struct cgroup *cgroup;

	if (limit->cgroups == LKST_LIMIT_CGROUPS)
		return lkst_limit_wrong(parser, "too many cgroups (at most %d)",
					LKST_LIMIT_CGROUPS);
	cgroup = cgroup_get_from_path(parser->value);
	if (IS_ERR(cgroup))
		return lkst_limit_wrong(parser,
					"no cgroup \"%s\" (want a path below the mount point of cgroup2)",
					parser->value);
	limit->cgroup[limit->cgroups++] = (struct lkst_limit_cgroup){
		.id = cgroup_id(cgroup),
		.level = cgroup->level,
	};
	cgroup_put(cgroup);
	return 0;
#else
	return lkst_limit_wrong(parser, "this kernel has no cgroups");
#endif
}

static const struct {
	const char *name;
	int (*parse)(struct lkst_limit_parser *parser);
	bool has_value;
	bool repeats;
} lkst_limit_words[] = {
	{ "pid", lkst_limit_parse_pid, .has_value = true },
	{ "children", lkst_limit_parse_children },
	{ "cpu", lkst_limit_parse_cpu, .has_value = true },
	{ "uid", lkst_limit_parse_uid, .has_value = true },
	{ "cgroup", lkst_limit_parse_cgroup, .has_value = true, .repeats = true },
};

/* Take the next word, up to a blank. Returns NULL at the end of the text. */
static char *lkst_limit_next(char **text)
{
	char *word;

	do {
		word = strsep(text, " \t\n");
	} while (word && !*word);
	return word;
}

/* Parse a word and its value. @seen has a bit for each word parsed so far. */
static int lkst_limit_parse_word(struct lkst_limit_parser *parser, const char *word, char **text,
				 unsigned int *seen)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_limit_words); i++) {
		if (strcmp(word, lkst_limit_words[i].name))
			continue;
		if (*seen & BIT(i) && !lkst_limit_words[i].repeats)
			return lkst_limit_wrong(parser, "\"%s\" is given twice", word);
		*seen |= BIT(i);
		parser->value = lkst_limit_words[i].has_value ? lkst_limit_next(text) : NULL;
		if (lkst_limit_words[i].has_value && !parser->value)
			return lkst_limit_wrong(parser, "\"%s\" without a value", word);
		return lkst_limit_words[i].parse(parser);
	}
	return lkst_limit_wrong(parser,
				"unknown word \"%s\" (want pid, children, cpu, uid or cgroup)",
				word);
}

/* Create the set of threads, and add the processes. */
static int lkst_limit_add_processes(struct lkst_limit_parser *parser)
{
	struct lkst_tid_set *tids;
	char *word;
	pid_t pid;

	tids = lkst_tid_set_new(LKST_TID_SET_THREADS |
				(parser->children ? LKST_TID_SET_CHILDREN : 0));
	if (IS_ERR(tids))
		return PTR_ERR(tids);
	parser->limit->tids = tids;
	while ((word = strsep(&parser->pids, ",")) != NULL) {
		if (kstrtoint(word, 10, &pid))
			return lkst_limit_wrong(parser,
						"\"%s\" is not a process ID (want a number)",
						word);
		if (lkst_tid_set_add_process(tids, pid))
			return lkst_limit_wrong(parser, "no process %d", pid);
	}
	return 0;
}

/* Parse a text, and overwrite it meanwhile. Returns 0 or a negative errno. */
static int lkst_limit_parse(struct lkst_limit_parser *parser, char *text)
{
	struct lkst_limit *limit = parser->limit;
	unsigned int seen = 0;
	char *word;
	int ret;

	while ((word = lkst_limit_next(&text)) != NULL) {
		ret = lkst_limit_parse_word(parser, word, &text, &seen);
		if (ret)
			return ret;
	}
	if (!seen)
		return lkst_limit_wrong(parser, "empty limit");
	if (parser->children && !parser->pids)
		return lkst_limit_wrong(parser, "\"children\" without \"pid\"");
	ret = parser->pids ? lkst_limit_add_processes(parser) : 0;
	limit->has_threads = limit->tids || limit->users || limit->cgroups;
	return ret;
}

static void lkst_limit_free(struct lkst_limit *limit)
{
	struct lkst_rule *rule, *next;
	size_t charged = limit->charged;

	for (rule = limit->rules; rule; rule = next) {
		next = rule->next;
		lkst_rule_put(rule);
	}
	lkst_tid_set_put(limit->tids);
	lkst_tid_set_put(limit->not_tids);
	kvfree(limit);
	lkst_memory_uncharge(charged);
}

/* Allocate a limit that excludes nothing yet. @text: the text that is listed */
static struct lkst_limit *lkst_limit_alloc(const char *text)
{
	size_t bytes = offsetof(struct lkst_limit, text) + strlen(text) + 1;
	struct lkst_limit *limit;

	if (!lkst_memory_charge(bytes))
		return NULL;
	limit = kvzalloc(bytes, GFP_KERNEL);
	if (!limit) {
		lkst_memory_uncharge(bytes);
		return NULL;
	}
	limit->charged = bytes;
	refcount_set(&limit->masksets, 1);
	strscpy(limit->text, text, strlen(text) + 1);
	return limit;
}

/**
 * lkst_limit_new_threads() - create a limit of threads
 * @text: the text with which the limit is listed
 * @tids: threads that pass; NULL: all
 * @not_tids: threads that do not pass; NULL: none
 *
 * The limit takes references to the sets.
 *
 * Context: may sleep.
 *
 * Return: the limit, which the caller must put; NULL if there is no memory.
 */
struct lkst_limit *lkst_limit_new_threads(const char *text, struct lkst_tid_set *tids,
					  struct lkst_tid_set *not_tids)
{
	struct lkst_limit *limit = lkst_limit_alloc(text);

	if (!limit)
		return NULL;
	if (tids)
		lkst_tid_set_get(tids);
	if (not_tids)
		lkst_tid_set_get(not_tids);
	limit->tids = tids;
	limit->not_tids = not_tids;
	limit->has_threads = tids || not_tids;
	return limit;
}

/**
 * lkst_limit_new() - compile a limit
 * @text: the limit
 * @error: after -EINVAL, receives what is wrong
 * @error_size: size of the memory at @error
 *
 * Context: may sleep.
 *
 * Return: the limit, which the caller must put; -EINVAL if it is wrong; or an
 * errno of lkst_tid_set_new().
 */
struct lkst_limit *lkst_limit_new(const char *text, char *error, size_t error_size)
{
	struct lkst_limit_parser parser = { .error = error, .error_size = error_size };
	char *copy;
	int ret;

	parser.limit = lkst_limit_alloc(text);
	if (!parser.limit)
		return ERR_PTR(-ENOMEM);
	copy = kstrdup(text, GFP_KERNEL);
	ret = copy ? lkst_limit_parse(&parser, copy) : -ENOMEM;
	kfree(copy);
	if (!ret)
		return parser.limit;
	lkst_limit_free(parser.limit);
	return ERR_PTR(ret);
}

/* Count one more maskset that has a limit. @limit may be NULL. */
void lkst_limit_get(struct lkst_limit *limit)
{
	if (limit)
		refcount_inc(&limit->masksets);
}

/**
 * lkst_limit_put() - count one less maskset, and free the limit after the last
 * @limit: the limit, or NULL. The caller ensures that no event in progress has
 *	read a rule with the limit from the table of the maskset
 *
 * Context: may sleep.
 */
void lkst_limit_put(struct lkst_limit *limit)
{
	if (limit && refcount_dec_and_test(&limit->masksets))
		lkst_limit_free(limit);
}

/**
 * lkst_limit_rule() - get a rule that only applies the limit
 * @limit: the limit
 * @handler: event handler for events that pass
 *
 * Context: may sleep. The caller holds lkst_maskset_mutex.
 *
 * Return: the rule, which belongs to the limit; or an errno of lkst_rule_new().
 */
struct lkst_rule *lkst_limit_rule(struct lkst_limit *limit, unsigned int handler)
{
	struct lkst_rule *rule;

	for (rule = limit->rules; rule; rule = rule->next)
		if (rule->handler == handler)
			return rule;
	rule = lkst_rule_new_limited(limit, handler);
	if (IS_ERR(rule))
		return rule;
	rule->next = limit->rules;
	limit->rules = rule;
	return rule;
}

/*
 * Replace a removed event handler with the default one. The caller holds
 * lkst_maskset_mutex.
 */
void lkst_limit_forget_evhandler(struct lkst_limit *limit, unsigned int handler)
{
	struct lkst_rule *rule;

	for (rule = limit ? limit->rules : NULL; rule; rule = rule->next)
		if (rule->handler == handler)
			WRITE_ONCE(rule->handler, LKST_EVHANDLER_ID_ENTRY_LOG);
}
