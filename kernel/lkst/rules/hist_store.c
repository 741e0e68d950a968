// SPDX-License-Identifier: GPL-2.0
/*
 * Allocate and read histograms, and count the events of the action "hist".
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "../base/compat.h"
#include "../base/sync.h"
#include "../memory/memory.h"
#include "action.h"
#include "hist_store.h"

/*
 * Number of entries for which a reader allocates memory, beyond those in use.
 */
#define LKST_HIST_MORE		128

/**
 * struct lkst_hist_use - an action "hist"
 * @hist: the histogram, which actions with the same name share
 * @def: the definition for the event type of the action
 */
struct lkst_hist_use {
	struct lkst_hist *hist;
	struct lkst_hist_def def;
};

static LIST_HEAD(lkst_hists);

/*
 * Protects lkst_hists, and serializes readers and changes of
 * lkst_hist.table[].
 */
static DEFINE_MUTEX(lkst_hist_mutex);

/* ---- memory ---- */

static void lkst_hist_free_tables(struct lkst_hist_table **table)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		vfree(table[cpu]);
}

/*
 * Allocate an empty table for each CPU. Return 0 or -ENOMEM. After -ENOMEM, the
 * caller must free the tables that have been allocated.
 */
static int lkst_hist_alloc_tables(const struct lkst_hist_def *def, struct lkst_hist_table **table)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		table[cpu] = vzalloc_node(lkst_hist_table_bytes(def), cpu_to_node(cpu));
		if (!table[cpu])
			return -ENOMEM;
		lkst_hist_table_init(def, table[cpu]);
	}
	return 0;
}

static size_t lkst_hist_tables_bytes(const struct lkst_hist_def *def)
{
	return num_possible_cpus() * PAGE_ALIGN(lkst_hist_table_bytes(def));
}

static void lkst_hist_free(struct lkst_hist *hist)
{
	size_t charged = hist->charged;

	lkst_hist_free_tables(hist->table);
	kfree(hist->text);
	kfree(hist);
	lkst_memory_uncharge(charged);
}

/* Create a histogram with one user. Return it, or NULL. */
static struct lkst_hist *lkst_hist_alloc(const struct lkst_hist_parser *parser)
{
	struct lkst_hist *hist;
	size_t bytes = struct_size(hist, table, nr_cpu_ids);
	size_t charge = bytes + lkst_hist_tables_bytes(&parser->def);

	if (!lkst_memory_charge(charge))
		return NULL;
	hist = kzalloc(bytes, GFP_KERNEL);
	if (!hist) {
		lkst_memory_uncharge(charge);
		return NULL;
	}
	hist->charged = charge;
	hist->def = parser->def;
	hist->text = kmemdup_nul(parser->args.at, parser->args.len, GFP_KERNEL);
	if (!hist->text || lkst_hist_alloc_tables(&hist->def, hist->table)) {
		lkst_hist_free(hist);
		return NULL;
	}
	refcount_set(&hist->users, 1);
	return hist;
}

/**
 * lkst_hist_of() - return the histogram of an action
 * @action: the action
 *
 * Context: the caller holds rcu_read_lock() while it uses the histogram, or
 * until it has called lkst_hist_get().
 *
 * Return: the histogram; NULL if the action is not "hist".
 */
struct lkst_hist *lkst_hist_of(const struct lkst_action *action)
{
	const struct lkst_hist_use *use = action->private;

	return action->type->run == lkst_hist_action_run ? use->hist : NULL;
}

/* Add a user to a histogram. */
void lkst_hist_get(struct lkst_hist *hist)
{
	refcount_inc(&hist->users);
}

/**
 * lkst_hist_put() - drop a user of a histogram, and free it after the last one
 * @hist: the histogram
 *
 * Context: may sleep.
 */
void lkst_hist_put(struct lkst_hist *hist)
{
	if (!refcount_dec_and_mutex_lock(&hist->users, &lkst_hist_mutex))
		return;
	list_del(&hist->node);
	mutex_unlock(&lkst_hist_mutex);
	lkst_hist_free(hist);
}

/* ---- reading ---- */

/*
 * Replace the tables with empty ones. @old receives the former tables, which no
 * CPU uses any longer. Return 0 or -ENOMEM.
 */
static int lkst_hist_replace(struct lkst_hist *hist, struct lkst_hist_table **old)
{
	struct lkst_hist_table **new;
	unsigned int cpu;

	lockdep_assert_held(&lkst_hist_mutex);
	new = kcalloc(nr_cpu_ids, sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	if (lkst_hist_alloc_tables(&hist->def, new)) {
		lkst_hist_free_tables(new);
		kfree(new);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu) {
		old[cpu] = hist->table[cpu];
		/* A CPU that sees the table must also see it initialized. */
		smp_store_release(&hist->table[cpu], new[cpu]);
	}
	kfree(new);
	lkst_synchronize();
	return 0;
}

static size_t lkst_hist_merge_bytes(const struct lkst_hist_merge *merge)
{
	return merge->max * (lkst_hist_entry_bytes(merge->def) + 2 * sizeof(*merge->list));
}

/**
 * lkst_hist_read_end() - free the memory of lkst_hist_read()
 * @merge: the result of lkst_hist_read()
 */
void lkst_hist_read_end(struct lkst_hist_merge *merge)
{
	kvfree(merge->entry);
	kvfree(merge->list);
	kvfree(merge->scratch);
	lkst_memory_uncharge(lkst_hist_merge_bytes(merge));
}

static int lkst_hist_merge_alloc(struct lkst_hist_merge *merge)
{
	if (!lkst_memory_charge(lkst_hist_merge_bytes(merge)))
		return -ENOMEM;
	merge->entry = kvmalloc_array(merge->max, lkst_hist_entry_bytes(merge->def), GFP_KERNEL);
	merge->list = kvmalloc_array(merge->max, sizeof(*merge->list), GFP_KERNEL);
	merge->scratch = kvmalloc_array(merge->max, sizeof(*merge->scratch), GFP_KERNEL);
	if (merge->entry && merge->list && merge->scratch)
		return 0;
	lkst_hist_read_end(merge);
	return -ENOMEM;
}

/* Merge tables. Return 0, or -ENOMEM, after which nothing needs to be freed. */
static int lkst_hist_merge_tables(const struct lkst_hist *hist,
				  struct lkst_hist_table *const *table,
				  struct lkst_hist_merge *merge)
{
	bool again;

	do {
		*merge = (struct lkst_hist_merge){
			.def = &hist->def,
			.table = table,
			.tables = nr_cpu_ids,
			.max = lkst_hist_used(table, nr_cpu_ids) + LKST_HIST_MORE,
		};
		if (lkst_hist_merge_alloc(merge))
			return -ENOMEM;
		lkst_hist_merge(merge);
		/* During the merge, CPUs may have added too many entries. */
		again = merge->cut;
		if (again)
			lkst_hist_read_end(merge);
	} while (again);
	return 0;
}

/*
 * Replace the tables of a histogram with empty ones, and read the old ones. If
 * the entries cannot be read, they are lost. Return 0 or -ENOMEM.
 */
static int lkst_hist_read_reset(struct lkst_hist *hist, struct lkst_hist_merge *merge)
{
	struct lkst_hist_table **old;
	int ret = -ENOMEM;

	if (!lkst_memory_charge(lkst_hist_tables_bytes(&hist->def)))
		return -ENOMEM;
	old = kcalloc(nr_cpu_ids, sizeof(*old), GFP_KERNEL);
	if (old)
		ret = lkst_hist_replace(hist, old);
	if (!ret) {
		ret = merge ? lkst_hist_merge_tables(hist, old, merge) : 0;
		lkst_hist_free_tables(old);
	}
	kfree(old);
	lkst_memory_uncharge(lkst_hist_tables_bytes(&hist->def));
	return ret;
}

/**
 * lkst_hist_read() - read the entries of a histogram
 * @hist: the histogram, of which the caller is a user until
 *	lkst_hist_read_end()
 * @reset: whether to delete the entries that are read
 * @merge: receives the entries
 *
 * Context: may sleep.
 *
 * Return: 0; the caller must call lkst_hist_read_end(). -ENOMEM, or -EINTR
 * after a fatal signal.
 */
int lkst_hist_read(struct lkst_hist *hist, bool reset, struct lkst_hist_merge *merge)
{
	int ret = mutex_lock_killable(&lkst_hist_mutex);

	if (ret)
		return ret;
	ret = reset ? lkst_hist_read_reset(hist, merge) :
		      lkst_hist_merge_tables(hist, hist->table, merge);
	mutex_unlock(&lkst_hist_mutex);
	return ret;
}

/* ---- the action ---- */

/* Return the length of a definition without ":cont" or the like at its end. */
static size_t lkst_hist_stem(const char *text, size_t len)
{
	static const char *const states[] = { ":pause", ":cont", ":continue", ":clear" };
	size_t state_len;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		state_len = strlen(states[i]);
		if (len >= state_len && !strncmp(text + len - state_len, states[i], state_len))
			return len - state_len;
	}
	return len;
}

/* Whether the definition of a histogram was written like that of an action. */
static bool lkst_hist_same_text(const struct lkst_hist *hist, const struct lkst_filter_word *args)
{
	size_t len = lkst_hist_stem(hist->text, strlen(hist->text));

	return len == lkst_hist_stem(args->at, args->len) && !strncmp(hist->text, args->at, len);
}

/* Whether an earlier action of the rule that is being parsed contains @hist. */
static bool lkst_hist_is_taken(const struct lkst_hist *hist,
			       const struct lkst_rule_program *program)
{
	const struct lkst_hist_use *use;
	unsigned int i;

	for (i = 0; i < program->actions; i++) {
		use = program->action[i].private;
		if (program->action[i].type->run == lkst_hist_action_run && use &&
		    use->hist == hist)
			return true;
	}
	return false;
}

/*
 * Whether a new action can continue a histogram. If the action gives a name,
 * the histogram must have this name. Otherwise the histogram must be of a rule
 * for the same maskset and event type, must have the same keys, sums and size,
 * and must not belong to an earlier action of the rule.
 */
static bool lkst_hist_continues(const struct lkst_action_parser *parser,
				const struct lkst_hist_def *def, const struct lkst_hist *hist)
{
	if (*def->name)
		return !strcmp(hist->def.name, def->name);
	return hist->maskset == parser->maskset && hist->etype == parser->etype &&
	       lkst_hist_compatible(&hist->def, def) &&
	       !lkst_hist_is_taken(hist, parser->program);
}

/*
 * Find the histogram that a new action continues, and add a user to it.
 * @same_text: whether its definition must have been written in the same way.
 * Return NULL if there is none.
 */
static struct lkst_hist *lkst_hist_find(const struct lkst_action_parser *parser,
					const struct lkst_hist_parser *from, bool same_text)
{
	struct lkst_hist *hist;

	lockdep_assert_held(&lkst_hist_mutex);
	list_for_each_entry(hist, &lkst_hists, node)
		if (lkst_hist_continues(parser, &from->def, hist) &&
		    (!same_text || lkst_hist_same_text(hist, &from->args)) &&
		    refcount_inc_not_zero(&hist->users))
			return hist;
	return NULL;
}

/*
 * Create a histogram for an action, or continue one. Return it, or an error. A
 * histogram that is continued does not change before lkst_hist_written().
 */
static struct lkst_hist *lkst_hist_choose(const struct lkst_action_parser *parser,
					  const struct lkst_hist_parser *from)
{
	const struct lkst_hist_def *def = &from->def;
	struct lkst_hist *hist = NULL;

	lockdep_assert_held(&lkst_hist_mutex);
	/*
	 * A rule can contain several histograms with the same keys and sums, but
	 * sorted in another way. Each of them must continue its own.
	 */
	if (*def->name || def->state != LKST_HIST_RUN)
		hist = lkst_hist_find(parser, from, true) ?: lkst_hist_find(parser, from, false);
	if (hist)
		return hist;
	hist = lkst_hist_alloc(from);
	if (!hist)
		return ERR_PTR(-ENOMEM);
	hist->maskset = parser->maskset;
	hist->etype = parser->etype;
	hist->paused = def->state == LKST_HIST_PAUSE;
	/*
	 * A new histogram comes first, so that lkst_hist_find() finds it before
	 * older ones.
	 */
	list_add(&hist->node, &lkst_hists);
	return hist;
}

/* Pause, continue or clear a histogram that exists. Return 0 or -ENOMEM. */
static int lkst_hist_set_state(struct lkst_hist *hist, unsigned int state)
{
	lockdep_assert_held(&lkst_hist_mutex);
	if (state == LKST_HIST_CLEAR)
		return lkst_hist_read_reset(hist, NULL);
	if (state != LKST_HIST_RUN)
		WRITE_ONCE(hist->paused, state == LKST_HIST_PAUSE);
	return 0;
}

/* Set the histogram of an action. */
static int lkst_hist_attach(struct lkst_action_parser *parser,
			    const struct lkst_hist_parser *from, struct lkst_hist_use *use)
{
	struct lkst_hist *hist;

	mutex_lock(&lkst_hist_mutex);
	hist = lkst_hist_choose(parser, from);
	mutex_unlock(&lkst_hist_mutex);
	if (IS_ERR(hist))
		return PTR_ERR(hist);
	if (lkst_hist_compatible(&hist->def, &from->def)) {
		use->hist = hist;
		return 0;
	}
	lkst_hist_put(hist);
	lkst_filter_error(&parser->filter, from->args.start,
			  "histogram \"%s\" has other keys or sums, or another size",
			  from->def.name);
	return -EINVAL;
}

/* lkst_action_type.parse of "hist" */
int lkst_hist_action_parse(struct lkst_action_parser *parser, struct lkst_action *action,
			   const struct lkst_filter_word *args)
{
	struct lkst_hist_parser *from = kzalloc(sizeof(*from), GFP_KERNEL);
	struct lkst_hist_use *use = kzalloc(sizeof(*use), GFP_KERNEL);
	int ret = -ENOMEM;

	if (from && use) {
		from->filter = &parser->filter;
		from->args = *args;
		ret = lkst_hist_parse(from) ? lkst_hist_attach(parser, from, use) : -EINVAL;
	}
	if (!ret) {
		use->def = from->def;
		action->private = use;
		parser->program->bytes += sizeof(*use);
		use = NULL;
	}
	kfree(use);
	kfree(from);
	return ret;
}

/**
 * lkst_hist_written() - pause, continue or clear the histograms of a rule
 * @program: the rule, which has been written. The caller keeps it from being
 *	freed
 *
 * Actions such as hist(keys=pid:clear) change histograms that exist. This is
 * done last, so that a rule that is refused changes nothing.
 *
 * Context: may sleep.
 *
 * Return: 0; or -ENOMEM if a histogram could not be cleared.
 */
int lkst_hist_written(const struct lkst_rule_program *program)
{
	const struct lkst_hist_use *use;
	unsigned int i;
	int ret = 0;

	mutex_lock(&lkst_hist_mutex);
	for (i = 0; i < program->actions; i++) {
		use = program->action[i].private;
		if (program->action[i].type->run == lkst_hist_action_run)
			ret = lkst_hist_set_state(use->hist, use->def.state) ?: ret;
	}
	mutex_unlock(&lkst_hist_mutex);
	return ret;
}

/* lkst_action_type.run of "hist" */
notrace void lkst_hist_action_run(int etype, const struct lkst_filter_record *record,
				  void *private)
{
	const struct lkst_hist_use *use = private;
	const struct lkst_hist *hist = use->hist;

	if (!READ_ONCE(hist->paused))
		lkst_hist_add(&use->def, READ_ONCE(hist->table[raw_smp_processor_id()]), record);
}

/* lkst_action_type.free of "hist" */
void lkst_hist_action_free(void *private)
{
	struct lkst_hist_use *use = private;

	lkst_hist_put(use->hist);
	kfree(use);
}
