// SPDX-License-Identifier: GPL-2.0
/*
 * Store rules, and apply them to events.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../memory/memory.h"
#include "../ring/context.h"
#include "filter.h"
#include "limit.h"
#include "rule.h"
#include "watch.h"

struct lkst_rule *lkst_rules[LKST_RULE_NUM];

/*
 * The program of rules that have neither a condition nor actions. Each event
 * meets its condition. It is static, so it is never freed, and its number of
 * users does not matter.
 */
struct lkst_rule_program lkst_rule_no_program = {
	.simple = true,
	.records = { false, true },
	.text = "",
};

/* Serializes changes of lkst_rules[] and of lkst_rule_texts. */
static DEFINE_MUTEX(lkst_rule_mutex);

/* ---- strings in the memory of programs ---- */

/* task, softirq, hardirq and NMI */
#define LKST_RULE_CONTEXTS	4

/**
 * struct lkst_rule_text - memory of a CPU for strings of programs
 * @busy: a bit for each context that is using its memory. Only the CPU itself
 *	changes it. Nested contexts restore it before they return
 * @text: memory for each context
 */
struct lkst_rule_text {
	unsigned int busy;
	char text[LKST_RULE_CONTEXTS][LKST_FILTER_USTRING];
};

/* Allocated for the first rule with ".ustring", and kept after that. */
static struct lkst_rule_text __percpu *lkst_rule_texts;

/* Bytes to copy in one step. */
#define LKST_RULE_STEP		64

/*
 * Copy a string. Returns its length, which is at most LKST_FILTER_USTRING, or
 * -EFAULT. No step crosses the end of a page, so a string just before an
 * unmapped page can be read.
 */
static notrace int lkst_rule_copy_text(char *to, unsigned long address)
{
	unsigned int len = 0, now, end;

	while (len < LKST_FILTER_USTRING) {
		now = LKST_RULE_STEP - (address + len) % LKST_RULE_STEP;
		now = min_t(unsigned int, now, LKST_FILTER_USTRING - len);
		if (copy_from_user_nofault(to + len, (const void __user *)(address + len), now))
			return -EFAULT;
		end = strnlen(to + len, now);
		len += end;
		if (end < now)
			break;
	}
	return len;
}

/*
 * Read a string of the running program. A page fault may cause an event whose
 * rule reads a string, too. The read for this nested event fails because the
 * memory of this context is busy, so there is no recursion.
 */
static notrace const char *lkst_filter_user_text(u64 address, u32 *size)
{
	unsigned int context = lkst_context_index(lkst_context_count());
	struct lkst_rule_text *texts;
	int len;

	/* A kernel thread may have borrowed the memory of any program. */
	if (!current->mm || address != (unsigned long)address)
		return NULL;
	texts = raw_cpu_ptr(lkst_rule_texts);
	if (texts->busy & BIT(context))
		return NULL;
	texts->busy |= BIT(context);
	barrier();
	len = lkst_rule_copy_text(texts->text[context], address);
	if (len < 0) {
		barrier();
		texts->busy &= ~BIT(context);
		return NULL;
	}
	*size = len;
	return texts->text[context];
}

static notrace void lkst_filter_user_done(void)
{
	barrier();
	raw_cpu_ptr(lkst_rule_texts)->busy &= ~BIT(lkst_context_index(lkst_context_count()));
}

static size_t lkst_rule_texts_size(void)
{
	return num_possible_cpus() * sizeof(struct lkst_rule_text);
}

/* Allocate the memory for strings of programs. Returns 0 or -ENOMEM. */
static int lkst_rule_texts_start(void)
{
	struct lkst_rule_text __percpu *texts;

	lockdep_assert_held(&lkst_rule_mutex);
	if (lkst_rule_texts)
		return 0;
	if (!lkst_memory_charge(lkst_rule_texts_size()))
		return -ENOMEM;
	texts = alloc_percpu(struct lkst_rule_text);
	if (!texts) {
		lkst_memory_uncharge(lkst_rule_texts_size());
		return -ENOMEM;
	}
	/* A CPU that sees a rule must also see the memory. */
	smp_store_release(&lkst_rule_texts, texts);
	return 0;
}

/* ---- the running thread ---- */

/*
 * How many times preemption is disabled in order to handle an event, the same
 * as LKST_EVENT_DEPTH of dispatch/.
 */
#define LKST_RULE_DEPTH		2

static notrace u64 lkst_filter_context(unsigned int load)
{
	const struct cred *cred = rcu_access_pointer(current->cred);

	switch (load) {
	case LKST_LOAD_PID:
		return current->tgid;
	case LKST_LOAD_TID:
		return current->pid;
	case LKST_LOAD_UID:
		return cred->euid.val;
	case LKST_LOAD_GID:
		return cred->egid.val;
	case LKST_LOAD_CPU:
		return raw_smp_processor_id();
	default:
		return lkst_context_flags(lkst_context_count(), LKST_RULE_DEPTH);
	}
}

/*
 * If another CPU is renaming the thread, the name may be a mix of the old and
 * the new name.
 */
static notrace const char *lkst_filter_comm(u32 *size)
{
	*size = sizeof(current->comm);
	return current->comm;
}

#include "filter_eval.h"

/**
 * lkst_rule_meets() - check whether an event meets a condition
 * @filter: the condition
 * @record: values of the event
 *
 * lkst_rule_apply() inlines the evaluation of the condition. All other
 * functions call this one.
 *
 * Context: as for lkst_rule_apply().
 */
noinline notrace bool lkst_rule_meets(const struct lkst_rule_filter *filter,
				      const struct lkst_filter_record *record)
{
	return lkst_rule_filter_matches(filter, record);
}

/* Whether an action may take place once more. If so, count it. */
static notrace bool lkst_rule_count(struct lkst_action *action)
{
	int left = READ_ONCE(action->left);

	while (left > 0)
		if (try_cmpxchg(&action->left, &left, left - 1))
			return true;
	return left < 0;
}

/**
 * lkst_rule_fire() - determine which actions an event causes
 * @program: program of a rule or of a watch
 * @met: whether the event meets the condition of the program
 * @fired: the caller has set @record and @blocked, and @actions to 0
 *
 * Context: as for lkst_rule_apply().
 *
 * Return: whether the event is recorded.
 */
noinline notrace bool lkst_rule_fire(struct lkst_rule_program *program, bool met,
				     struct lkst_rule_fired *fired)
{
	bool record = false, drop = false;
	unsigned int i;

	for (i = 0; i < program->actions; i++) {
		struct lkst_action *action = &program->action[i];
		unsigned int when = action->type->when;
		bool now = when == LKST_ACTION_RECORD || when == LKST_ACTION_DROP;

		if ((fired->blocked && !now) ||
		    !(action->filter ? lkst_rule_meets(action->filter, &fired->record) : met) ||
		    !lkst_rule_count(action))
			continue;
		if (!now)
			fired->actions |= BIT(i);
		else if (when == LKST_ACTION_RECORD)
			record = true;
		else
			drop = true;
	}
	fired->program = program;
	if (program->recording == LKST_RULE_IF_MET)
		return met;
	return !drop && (record || program->recording == LKST_RULE_UNLESS_DROP);
}

/* Return the event handler of a rule with a gate, or LKST_EVHANDLER_ID_NONE. */
static noinline notrace unsigned int lkst_rule_gated_handler(const struct lkst_rule *rule)
{
	if (!READ_ONCE(rule->gate->open))
		return LKST_EVHANDLER_ID_NONE;
	return READ_ONCE(rule->handler) ?: LKST_EVHANDLER_ID_ENTRY_LOG;
}

/**
 * lkst_rule_apply() - apply a rule to an event
 * @id: id of the rule, from the table of a maskset
 * @etype: event type
 * @fired: the caller has set @record and @blocked. Receives the actions that
 *	the caller must carry out
 *
 * Context: any, NMI included, even while RCU is not watching, with preemption
 * off.
 *
 * Return: id of the event handler to call, or LKST_EVHANDLER_ID_NONE if the
 * event is not recorded.
 */
notrace unsigned int lkst_rule_apply(unsigned int id, int etype, struct lkst_rule_fired *fired)
{
	const struct lkst_rule *rule = lkst_rule_find(id);
	struct lkst_rule_program *program = rule->program;
	bool met;

	fired->actions = 0;
	if (rule->limit && !lkst_limit_passes(rule->limit, etype, &fired->record))
		return LKST_EVHANDLER_ID_NONE;
	if (!program)
		return READ_ONCE(rule->handler);
	met = !program->condition ||
	      lkst_rule_filter_matches(program->condition, &fired->record);
	if (likely(program->simple)) {
		fired->program = program;
		if (met && !fired->blocked)
			fired->actions = program->fires;
		met = program->records[met];
	} else {
		met = lkst_rule_fire(program, met, fired);
	}
	if (!met)
		return LKST_EVHANDLER_ID_NONE;
	return unlikely(rule->gate) ? lkst_rule_gated_handler(rule) : READ_ONCE(rule->handler);
}

/**
 * lkst_rule_act() - determine the actions of a rule that belongs to no maskset
 * @program: the rule. Whether it records the event is ignored
 * @fired: as for lkst_rule_apply()
 *
 * Context: as for lkst_rule_apply().
 */
notrace void lkst_rule_act(struct lkst_rule_program *program, struct lkst_rule_fired *fired)
{
	fired->actions = 0;
	if (program->actions)
		lkst_rule_fire(program,
			       !program->condition ||
				       lkst_rule_meets(program->condition, &fired->record),
			       fired);
}

/**
 * lkst_rule_passes() - check whether a rule concerns an event
 * @id: id of the rule, from the table of a maskset
 * @etype: event type
 * @record: values of the event
 *
 * Changes nothing: no action is counted.
 *
 * Context: as for lkst_rule_apply().
 *
 * Return: false if the rule neither records the event, nor has any actions.
 */
notrace bool lkst_rule_passes(unsigned int id, int etype, const struct lkst_filter_record *record)
{
	const struct lkst_rule *rule = lkst_rule_find(id);
	const struct lkst_rule_program *program = rule->program;

	if (rule->limit && !lkst_limit_passes(rule->limit, etype, record))
		return false;
	if (program && program->actions)
		return true;
	if (rule->gate && !READ_ONCE(rule->gate->open))
		return false;
	return !program || !program->condition || lkst_rule_meets(program->condition, record);
}

/**
 * lkst_rule_number() - read a number of an event
 * @field: from lkst_filter_set_field()
 * @record: values of the event
 * @value: receives the number; bits above the size of the field are undefined
 *
 * Context: as for lkst_rule_apply().
 *
 * Return: false if the data of the event is too short.
 */
notrace bool lkst_rule_number(const struct lkst_filter_test *field,
			      const struct lkst_filter_record *record, u64 *value)
{
	return lkst_filter_number(field, record, value);
}

/**
 * lkst_rule_string() - find a string of an event
 * @field: from lkst_filter_set_field()
 * @record: values of the event
 * @size: receives its maximum size
 *
 * After it has used a string, the caller must call lkst_rule_string_done().
 *
 * Context: as for lkst_rule_apply().
 *
 * Return: the string, which ends with NUL or after @size bytes; NULL if
 * the event has no such string.
 */
notrace const char *lkst_rule_string(const struct lkst_filter_test *field,
				     const struct lkst_filter_record *record, u32 *size)
{
	return lkst_filter_string(field, record, size);
}

/* Release a string from lkst_rule_string(). */
notrace void lkst_rule_string_done(const struct lkst_filter_test *field)
{
	if (field->text == LKST_TEXT_USER)
		lkst_filter_user_done();
}

/* ---- storing rules ---- */

/* Give a rule the lowest free id. Returns 0, or -ENOSPC if no id is free. */
static int lkst_rule_add(struct lkst_rule *rule)
{
	unsigned int i;

	lockdep_assert_held(&lkst_rule_mutex);
	for (i = 0; i < LKST_RULE_NUM && lkst_rules[i]; i++)
		;
	if (i == LKST_RULE_NUM)
		return -ENOSPC;
	rule->id = LKST_RULE_ID_MIN + i;
	/* A CPU that sees the id in a table must also see the rule. */
	smp_store_release(&lkst_rules[i], rule);
	return 0;
}

static bool lkst_rule_filter_reads_user(const struct lkst_rule_filter *filter)
{
	unsigned int i;

	for (i = 0; filter && i < filter->tests; i++)
		if (filter->test[i].text == LKST_TEXT_USER)
			return true;
	return false;
}

static bool lkst_rule_reads_user(const struct lkst_rule_program *program)
{
	unsigned int i;
	bool reads;

	if (!program)
		return false;
	reads = lkst_rule_filter_reads_user(program->condition);
	for (i = 0; i < program->actions; i++)
		reads |= lkst_rule_filter_reads_user(program->action[i].filter);
	return reads;
}

/**
 * lkst_rule_prepare() - allocate what events need to evaluate a program
 * @program: a program that belongs to no rule. For the programs of rules,
 *	lkst_rule_new() allocates this
 *
 * Context: may sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int lkst_rule_prepare(const struct lkst_rule_program *program)
{
	int ret = 0;

	mutex_lock(&lkst_rule_mutex);
	if (lkst_rule_reads_user(program))
		ret = lkst_rule_texts_start();
	mutex_unlock(&lkst_rule_mutex);
	return ret;
}

/*
 * Drop a user of a program, and free the program after the last one. @program
 * may be NULL.
 */
static void lkst_rule_put_program(struct lkst_rule_program *program)
{
	bool last;

	if (!program || program == &lkst_rule_no_program)
		return;
	mutex_lock(&lkst_rule_mutex);
	last = !--program->users;
	mutex_unlock(&lkst_rule_mutex);
	if (!last)
		return;
	lkst_memory_uncharge(program->bytes);
	lkst_rule_program_free(program);
}

/**
 * lkst_rule_gate_new() - create a gate
 * @open: whether it is open
 *
 * Context: may sleep.
 *
 * Return: the gate, which the caller must put; NULL if there is no memory.
 */
struct lkst_rule_gate *lkst_rule_gate_new(bool open)
{
	struct lkst_rule_gate *gate;

	if (!lkst_memory_charge(sizeof(*gate)))
		return NULL;
	gate = kzalloc_obj(*gate, GFP_KERNEL);
	if (!gate) {
		lkst_memory_uncharge(sizeof(*gate));
		return NULL;
	}
	refcount_set(&gate->users, 1);
	gate->open = open;
	return gate;
}

/* Drop a user of a gate, which may be NULL, and free it after the last one. */
void lkst_rule_gate_put(struct lkst_rule_gate *gate)
{
	if (!gate || !refcount_dec_and_test(&gate->users))
		return;
	kfree(gate);
	lkst_memory_uncharge(sizeof(*gate));
}

static void lkst_rule_free(struct lkst_rule *rule)
{
	lkst_rule_put_program(rule->program);
	lkst_rule_gate_put(rule->gate);
	kfree(rule);
	lkst_memory_uncharge(sizeof(*rule));
}

/* Return the kind of a rule's fast path, and set the fields that it uses. */
static unsigned int lkst_rule_kind(struct lkst_rule *rule, const struct lkst_watch_feed *feed)
{
	unsigned int role;
	bool tid;

	if (!feed)
		return LKST_RULE_RECORD;
	role = feed->is[LKST_WATCH_BEGIN] ? LKST_WATCH_BEGIN : LKST_WATCH_END;
	tid = feed->fetch[role] == LKST_WATCH_TID;
	rule->feed = feed;
	rule->watch = feed->watch;
	rule->key = &feed->key[role][0];
	if (role == LKST_WATCH_BEGIN)
		return tid ? LKST_RULE_BEGIN_TID : LKST_RULE_BEGIN_ARG;
	return tid ? LKST_RULE_END_TID : LKST_RULE_END_ARG;
}

/**
 * lkst_rule_assign() - set the event handler and the limit of a rule
 * @rule: a rule that no maskset contains yet
 * @handler: the event handler
 * @limit: the limit, or NULL
 */
void lkst_rule_assign(struct lkst_rule *rule, unsigned int handler, struct lkst_limit *limit)
{
	const struct lkst_rule_program *program = rule->program;

	rule->handler = handler;
	rule->limit = limit;
	rule->direct = LKST_RULE_INDIRECT;
	if (!program || !program->fast || handler != LKST_EVHANDLER_ID_ENTRY_LOG || limit ||
	    rule->gate)
		return;
	rule->direct = lkst_rule_kind(rule, program->direct);
	rule->drops = program->condition;
	rule->filter = program->filter;
	rule->only = program->only;
	if (rule->only)
		rule->direct |= LKST_RULE_COMPARES;
	else if (rule->filter)
		rule->direct |= LKST_RULE_FILTERS;
}

/* Allocate a rule. On success, it takes over one user of @program. */
static struct lkst_rule *lkst_rule_alloc(struct lkst_rule_program *program)
{
	struct lkst_rule *rule;

	if (!lkst_memory_charge(sizeof(*rule)))
		return NULL;
	rule = kzalloc_obj(*rule, GFP_KERNEL);
	if (!rule) {
		lkst_memory_uncharge(sizeof(*rule));
		return NULL;
	}
	rule->program = program;
	refcount_set(&rule->users, 1);
	return rule;
}

/*
 * Create a rule for a program, and take over one user of the program from the
 * caller. On error, this user has been dropped. Returns the rule or an error.
 */
static struct lkst_rule *lkst_rule_publish(struct lkst_rule_program *program,
					   unsigned int handler, struct lkst_limit *limit,
					   struct lkst_rule_gate *gate)
{
	struct lkst_rule *rule = lkst_rule_alloc(program);
	int ret = 0;

	if (!rule) {
		lkst_rule_put_program(program);
		return ERR_PTR(-ENOMEM);
	}
	if (gate)
		refcount_inc(&gate->users);
	rule->gate = gate;
	lkst_rule_assign(rule, handler, limit);
	mutex_lock(&lkst_rule_mutex);
	if (lkst_rule_reads_user(program))
		ret = lkst_rule_texts_start();
	if (!ret)
		ret = lkst_rule_add(rule);
	mutex_unlock(&lkst_rule_mutex);
	if (!ret)
		return rule;
	lkst_rule_free(rule);
	return ERR_PTR(ret);
}

/**
 * lkst_rule_new() - create a rule with the default event handler
 * @program: the program, which the rule takes over; after an error, it has been
 *	freed
 *
 * Context: may sleep.
 *
 * Return: the rule, which the caller must put; -ENOMEM if an allocation fails
 * or LKST would exceed its memory limit; -ENOSPC if there are too many rules.
 */
struct lkst_rule *lkst_rule_new(struct lkst_rule_program *program)
{
	if (!lkst_memory_charge(program->bytes)) {
		lkst_rule_program_free(program);
		return ERR_PTR(-ENOMEM);
	}
	program->users = 1;
	return lkst_rule_publish(program, LKST_EVHANDLER_ID_ENTRY_LOG, NULL, NULL);
}

/**
 * lkst_rule_new_limited() - create a rule that only applies a limit
 * @limit: its limit
 * @handler: its event handler
 *
 * Context: may sleep.
 *
 * Return: as for lkst_rule_new().
 */
struct lkst_rule *lkst_rule_new_limited(struct lkst_limit *limit, unsigned int handler)
{
	return lkst_rule_publish(NULL, handler, limit, NULL);
}

/**
 * lkst_rule_copy() - copy a rule, with another event handler, limit or gate
 * @rule: a rule with a program; NULL: use lkst_rule_no_program
 * @handler: the event handler
 * @limit: the limit, or NULL
 * @gate: the gate, of which the copy becomes another user, or NULL
 *
 * The copy shares the program, so actions continue to count.
 *
 * Context: may sleep.
 *
 * Return: as for lkst_rule_new().
 */
struct lkst_rule *lkst_rule_copy(const struct lkst_rule *rule, unsigned int handler,
				 struct lkst_limit *limit, struct lkst_rule_gate *gate)
{
	struct lkst_rule_program *program = rule ? rule->program : &lkst_rule_no_program;

	mutex_lock(&lkst_rule_mutex);
	program->users++;
	mutex_unlock(&lkst_rule_mutex);
	return lkst_rule_publish(program, handler, limit, gate);
}

/* Add a user to a rule. */
void lkst_rule_get(struct lkst_rule *rule)
{
	refcount_inc(&rule->users);
}

/**
 * lkst_rule_put() - drop a user of a rule, and free it after the last one
 * @rule: the rule. If the user is a maskset, the caller ensures that no event
 *	in progress has read the rule's id from the table of this maskset
 *
 * Context: may sleep.
 */
void lkst_rule_put(struct lkst_rule *rule)
{
	if (!refcount_dec_and_test(&rule->users))
		return;
	mutex_lock(&lkst_rule_mutex);
	WRITE_ONCE(lkst_rules[rule->id - LKST_RULE_ID_MIN], NULL);
	mutex_unlock(&lkst_rule_mutex);
	lkst_rule_free(rule);
}

static void lkst_rule_put_deferred(struct lkst_deferred *deferred)
{
	lkst_rule_put(container_of(deferred, struct lkst_rule, deferred));
}

/*
 * Drop a user of a rule once no event can use it. Only the maskset that is in
 * lkst_masksets[] drops its rules in this way, so rule->deferred is used at
 * most once.
 */
void lkst_rule_put_later(struct lkst_rule *rule)
{
	lkst_defer(&rule->deferred, lkst_rule_put_deferred);
}

/* Free the memory for strings of programs. No rule is left. */
void __lkst_exit lkst_rules_end(void)
{
	if (!lkst_rule_texts)
		return;
	free_percpu(lkst_rule_texts);
	lkst_rule_texts = NULL;
	lkst_memory_uncharge(lkst_rule_texts_size());
}
