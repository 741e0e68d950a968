// SPDX-License-Identifier: GPL-2.0
/*
 * The watches: creating, reading and deleting them, and feeding them with
 * events. watch_table.c pairs the events.
 */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../base/sync.h"
#include "../buffer/buffer.h"
#include "../clock/clock.h"
#include "../memory/memory.h"
#include "../ring/context.h"
#include "rule.h"
#include "watch.h"
#include "watch_direct.h"

/* Protects lkst_watches[] and the figures of watches. */
static DEFINE_MUTEX(lkst_watch_mutex);

/* The watches, in the order of their names; NULL after the last one. */
static struct lkst_watch *lkst_watches[LKST_WATCH_NUM];

/* ---- events ---- */

/* Read the clock that records use, see lkst_watch_time(). */
static notrace u64 watch_time(void)
{
	unsigned int clock = this_cpu_read(lkst_ring_current)->clock;

	BUILD_BUG_ON(LKST_CLOCK_NS >= LKST_WATCH_CLOCKS || LKST_CLOCK_TSC >= LKST_WATCH_CLOCKS);
	if (likely(clock == LKST_ARCH_CLOCK))
		return lkst_watch_time(lkst_clock_read(LKST_ARCH_CLOCK), LKST_ARCH_CLOCK);
	return lkst_watch_time(lkst_clock_read(clock), clock);
}

/*
 * Get the key of an event. @role is LKST_WATCH_BEGIN or LKST_WATCH_END. Returns
 * false if the event lacks a field.
 */
static noinline notrace bool watch_key(const struct lkst_watch_feed *feed, unsigned int role,
				       const struct lkst_filter_record *record, u64 *key)
{
	unsigned int i;

	for (i = 0; i < feed->keys; i++) {
		const struct lkst_filter_test *test = &feed->key[role][i];

		if (!lkst_rule_number(test, record, &key[i]))
			return false;
		key[i] &= test->mask;
		if (test->load == LKST_LOAD_TID)
			key[i] = lkst_watch_thread();
	}
	for (; i < LKST_WATCH_KEYS; i++)
		key[i] = 0;
	return true;
}

/*
 * Get a key that is one argument or the running thread. Returns false if the
 * key is anything else.
 */
static __always_inline bool watch_word(const struct lkst_watch_feed *feed, unsigned int role,
				       const struct lkst_filter_record *record, u64 *word)
{
	if (unlikely(feed->fetch[role] == LKST_WATCH_ANY))
		return false;
	*word = lkst_watch_word(&feed->key[role][0], feed->fetch[role], record->arg[0],
				record->arg[1], record->arg[2], record->arg[3]);
	return true;
}

/*
 * Describe and count a span that is not plain. Returns whether the actions of
 * the watch take place.
 */
static noinline notrace bool watch_describe(const struct lkst_watch_feed *feed,
					    struct lkst_watch_stats *stats,
					    const struct lkst_filter_record *record, u64 end,
					    struct lkst_watch_ended *ended)
{
	struct lkst_watch *watch = feed->watch;
	struct lkst_watch_span *span = &ended->span;
	bool late = watch->rises ? lkst_watch_exceeds(&watch->longest, span->ns) :
				   span->ns > watch->over_ns;

	ended->record = *record;
	watch_key(feed, LKST_WATCH_END, record, span->key);
	span->time = end;
	span->cpu = raw_smp_processor_id();
	span->tid = current->pid;
	lkst_watch_keep(stats, span, watch->attend_ns);
	stats->late += late;
	return (late || watch->each) && !READ_ONCE(watch->deleted);
}

/* Count a span that has ended. Returns whether the actions take place. */
static notrace bool watch_ended(const struct lkst_watch_feed *feed,
				const struct lkst_filter_record *record, u64 begin, u64 end,
				struct lkst_watch_ended *ended)
{
	const struct lkst_watch *watch = feed->watch;
	struct lkst_watch_stats *stats = lkst_watch_stats(watch);
	s64 ticks = end - begin;
	u64 ns;

	if (unlikely(ticks & 1)) {
		stats->missed++;
		return false;
	}
	/* Counters of different CPUs may differ by some ticks. */
	ns = ticks < 0 ? 0 : mul_u64_u64_shr(ticks, watch->rate[end & 1], 32);
	if (lkst_watch_is_plain(stats, ns)) {
		lkst_watch_add(stats, ns);
		return false;
	}
	ended->span.ns = ns;
	return watch_describe(feed, stats, record, end, ended);
}

/* End a span with any key, in any bucket. Returns the same as watch_end(). */
static notrace bool watch_end_any(const struct lkst_watch_feed *feed,
				  const struct lkst_filter_record *record, u64 now,
				  struct lkst_watch_ended *ended)
{
	enum lkst_watch_found found = LKST_WATCH_MISSED;
	u64 key[LKST_WATCH_KEYS], begin;

	if (watch_key(feed, LKST_WATCH_END, record, key))
		found = lkst_watch_end(&feed->watch->table, key, &begin, ended->value);
	if (found == LKST_WATCH_MATCHED)
		return watch_ended(feed, record, begin, now, ended);
	if (found == LKST_WATCH_UNMATCHED)
		lkst_watch_stats(feed->watch)->unmatched++;
	else
		lkst_watch_stats(feed->watch)->missed++;
	return false;
}

/**
 * lkst_watch_end_other() - end a span that lkst_watch_end_plain() has not counted
 * @feed: the action watch(NAME) of the event's rule
 * @record: values of the event
 * @now: when the span ends
 * @begin: when the span began, if lkst_watch_end_plain() has removed it from
 *	the table; else LKST_WATCH_NOT_FOUND
 * @ended: receives the span, if this returns true
 *
 * Context: as for lkst_watch_feed().
 *
 * Return: whether the actions of the watch take place.
 */
noinline notrace bool lkst_watch_end_other(const struct lkst_watch_feed *feed,
					   const struct lkst_filter_record *record, u64 now,
					   u64 begin, struct lkst_watch_ended *ended)
{
	if (begin != LKST_WATCH_NOT_FOUND)
		return watch_ended(feed, record, begin, now, ended);
	return watch_end_any(feed, record, now, ended);
}

/* End a span. Returns whether the actions take place. */
static __always_inline bool watch_end(const struct lkst_watch_feed *feed,
				      const struct lkst_filter_record *record, u64 now,
				      struct lkst_watch_ended *ended)
{
	u64 word, begin = LKST_WATCH_NOT_FOUND;

	if (likely(watch_word(feed, LKST_WATCH_END, record, &word)) &&
	    likely(lkst_watch_end_plain(feed->watch, word, now, &begin)))
		return false;
	return lkst_watch_end_other(feed, record, now, begin, ended);
}

/*
 * Get the values that the watch keeps of an event that begins a span. Returns
 * false if the event lacks a field.
 */
static notrace bool watch_value(const struct lkst_watch_feed *feed,
				const struct lkst_filter_record *record, u64 *value)
{
	const struct lkst_watch_values *begin = &feed->watch->begin;
	unsigned int i;

	for (i = 0; i < begin->num; i++)
		if (!lkst_synth_load(&feed->value[i], record, &value[begin->value[i].word]))
			return false;
	return true;
}

/*
 * Count the outcome of an attempt to begin a span. @ret is not 0 if the attempt
 * has failed. @abandoned is the number of spans that it has abandoned.
 */
static notrace void watch_begun(const struct lkst_watch *watch, int ret, unsigned int abandoned)
{
	struct lkst_watch_stats *stats = lkst_watch_stats(watch);

	stats->missed += ret != 0;
	stats->abandoned += abandoned;
}

/**
 * lkst_watch_begin_crowded() - begin a span if lkst_watch_begin_first() cannot
 * @watch: a watch whose key has one word, and that keeps no values
 * @word: the key
 * @now: when the span begins
 * @claimed: whether lkst_watch_begin_first() has put the span into a slot and
 *	returned LKST_WATCH_CLAIMED. Then this function only makes the span
 *	visible
 *
 * Context: as for lkst_watch_end_plain().
 */
noinline notrace void lkst_watch_begin_crowded(const struct lkst_watch *watch, u64 word, u64 now,
					       bool claimed)
{
	unsigned int abandoned = 0;
	int ret;

	ret = claimed ? lkst_watch_publish(&watch->table, &word, now, &abandoned) :
			lkst_watch_begin(&watch->table, &word, now, NULL, &abandoned);
	watch_begun(watch, ret, abandoned);
}

/* Begin a span with any key, in any bucket. */
static noinline notrace void watch_begin_any(const struct lkst_watch_feed *feed,
					     const struct lkst_filter_record *record, u64 now)
{
	u64 key[LKST_WATCH_KEYS], value[LKST_WATCH_WORDS];
	unsigned int abandoned = 0;
	int ret = -1;

	if (watch_key(feed, LKST_WATCH_BEGIN, record, key) && watch_value(feed, record, value))
		ret = lkst_watch_begin(&feed->watch->table, key, now, value, &abandoned);
	watch_begun(feed->watch, ret, abandoned);
}

static __always_inline void watch_begin(const struct lkst_watch_feed *feed,
					const struct lkst_filter_record *record, u64 now)
{
	u64 word;

	if (likely(watch_word(feed, LKST_WATCH_BEGIN, record, &word)))
		lkst_watch_begin_word(feed->watch, word, now);
	else
		watch_begin_any(feed, record, now);
}

/**
 * lkst_watch_feed() - feed a watch with an event
 * @feed: the action of the event's rule
 * @record: values of the event
 * @ended: receives the span that the event has ended, if this returns true
 *
 * Context: any, NMI included, with preemption off. The caller has called
 * lkst_actions_enter(). Only this function, and the functions of
 * watch_direct.h, change the figures of this context.
 *
 * An exception can cause events in the same context, so these functions can
 * interrupt each other:
 *
 * - None of these functions interrupts lkst_watch_keep(), because all its
 *   callers have called lkst_actions_enter(). Then events of this context cause
 *   no actions, except for events that the action trace() records. That action
 *   runs only after this function has returned.
 * - The functions of watch_direct.h do not call lkst_actions_enter(), and use
 *   the figures of tasks in each context if the span is plain for these.
 *   Another lkst_watch_add() or lkst_watch_keep() can run during their call of
 *   lkst_watch_is_plain(), which reads the limits in a safe order, and before
 *   that of lkst_watch_add(). This does no harm: the shortest span only becomes
 *   shorter, and @floor only rises, so a plain span would still not change
 *   them. They can also interrupt lkst_watch_keep(), which changes the limits
 *   of plain spans in a safe order. Both change @sum and @bucket only with
 *   watch_local_add(), so no increment is lost.
 * - At worst, one increment of @missed or @abandoned is lost.
 *
 * Return: whether the event has ended a span for which the actions of the watch
 * take place.
 */
notrace bool lkst_watch_feed(const struct lkst_watch_feed *feed,
			     const struct lkst_filter_record *record,
			     struct lkst_watch_ended *ended)
{
	u64 now = watch_time();
	bool acts = false;

	if (feed->is[LKST_WATCH_END])
		acts = watch_end(feed, record, now, ended);
	if (feed->is[LKST_WATCH_BEGIN])
		watch_begin(feed, record, now);
	return acts;
}

/* ---- memory ---- */

static size_t watch_figures_bytes(void)
{
	return num_possible_cpus() * sizeof(struct lkst_watch_figures);
}

/* Free a watch that no event can use. */
static void watch_free(struct lkst_watch *watch)
{
	size_t charged = watch->charged;

	if (watch->program) {
		charged += watch->program->bytes;
		lkst_rule_program_free(watch->program);
	}
	free_percpu(watch->figures);
	kvfree(watch->table.value);
	kvfree(watch->table.bucket);
	kvfree(watch);
	lkst_memory_uncharge(charged);
}

/**
 * lkst_watch_put() - drop a user of a watch, and free it after the last one
 * @watch: the watch. No event can use it on behalf of this user
 *
 * Context: may sleep.
 */
void lkst_watch_put(struct lkst_watch *watch)
{
	if (refcount_dec_and_test(&watch->users))
		watch_free(watch);
}

/* Return the length of the key at the beginning of the text of a watch. */
size_t lkst_watch_key_len(const char *text)
{
	return strcspn(text, " \t\n");
}

/*
 * Return the text of a watch after its key and the word "longest". @rises
 * receives whether the text contains this word.
 */
const char *lkst_watch_rest(const char *text, bool *rises)
{
	static const char word[] = "longest";
	const char *rest = skip_spaces(text + lkst_watch_key_len(text));

	*rises = !strncmp(rest, word, strlen(word)) &&
		 (!rest[strlen(word)] || isspace(rest[strlen(word)]));
	return *rises ? skip_spaces(rest + strlen(word)) : rest;
}

/* Return the number of fields of the key of a watch. */
static unsigned int watch_keys(const char *text)
{
	size_t len = lkst_watch_key_len(text), i;
	unsigned int keys = 1;

	for (i = 0; i < len; i++)
		keys += text[i] == ',';
	return keys;
}

static int watch_alloc(struct lkst_watch *watch)
{
	size_t buckets = watch->spans / LKST_WATCH_WAYS;

	watch->table.mask = buckets - 1;
	watch->table.keys = watch_keys(watch->text);
	watch->table.bucket = kvcalloc(buckets, sizeof(*watch->table.bucket), GFP_KERNEL);
	watch->table.values = watch->begin.words;
	if (watch->table.values)
		watch->table.value = kvcalloc(watch->spans,
					      watch->table.values * sizeof(*watch->table.value),
					      GFP_KERNEL);
	watch->figures = alloc_percpu(struct lkst_watch_figures);
	return watch->table.bucket && watch->figures &&
	       (watch->table.value || !watch->table.values) ? 0 : -ENOMEM;
}

/*
 * Forget the longest span. The next span that is longer than over_ns becomes
 * the longest one; if there is no limit, the next span does.
 */
static void watch_set_longest(struct lkst_watch *watch)
{
	atomic64_set(&watch->longest, watch->over_ns == U64_MAX ? 0 : watch->over_ns);
}

/* Set for each clock how long a tick is. */
static void watch_set_rates(struct lkst_watch *watch)
{
	unsigned int clock;

	for (clock = 0; clock < LKST_WATCH_CLOCKS; clock++) {
		watch->rate[clock] = div64_u64(1000000ULL << 32, lkst_clock_khz(clock) ?: 1000000);
		watch->ticks[clock] = div64_u64(U64_MAX, watch->rate[clock]);
	}
}

/**
 * lkst_watch_new() - create a watch
 * @param: its name, event types and limits, which are valid
 * @text: its key and its actions
 * @begin: what its actions need of an event that begins a span
 * @program: its actions, which the watch takes over; NULL: none. Freed after an
 *	error
 *
 * Context: may sleep.
 *
 * Return: the watch, which the caller must put, or -ENOMEM if an allocation
 * fails or LKST would exceed its memory limit.
 */
struct lkst_watch *lkst_watch_new(const struct lkst_watch_param *param, const char *text,
				  const struct lkst_watch_values *begin,
				  struct lkst_rule_program *program)
{
	size_t bytes = sizeof(struct lkst_watch) + watch_figures_bytes() +
		       param->spans / LKST_WATCH_WAYS * sizeof(struct lkst_watch_bucket) +
		       param->spans * begin->words * sizeof(u64);
	size_t all = bytes + (program ? program->bytes : 0);
	struct lkst_watch *watch = NULL;

	if (lkst_memory_charge(all)) {
		watch = kvzalloc(sizeof(*watch), GFP_KERNEL);
		if (!watch)
			lkst_memory_uncharge(all);
	}
	if (!watch) {
		if (program)
			lkst_rule_program_free(program);
		return ERR_PTR(-ENOMEM);
	}
	refcount_set(&watch->users, 1);
	watch->charged = bytes;
	watch->program = program;
	strscpy(watch->name, param->name, sizeof(watch->name));
	strscpy(watch->text, text, sizeof(watch->text));
	watch->etype[LKST_WATCH_BEGIN] = param->begin;
	watch->etype[LKST_WATCH_END] = param->end;
	watch->over_ns = param->over_ns;
	lkst_watch_rest(text, &watch->rises);
	watch->each = program && !watch->rises && param->over_ns == U64_MAX;
	if (!watch->each && !watch->rises)
		watch->attend_ns = param->over_ns + (param->over_ns < U64_MAX);
	watch_set_longest(watch);
	watch->begin = *begin;
	watch->spans = param->spans;
	watch_set_rates(watch);
	if (!watch_alloc(watch))
		return watch;
	lkst_watch_put(watch);
	return ERR_PTR(-ENOMEM);
}

/* ---- the registry ---- */

/* The index of the first watch whose name is not before @name. */
static unsigned int watch_place(const char *name)
{
	unsigned int i;

	lockdep_assert_held(&lkst_watch_mutex);
	for (i = 0; i < LKST_WATCH_NUM && lkst_watches[i]; i++)
		if (strcmp(lkst_watches[i]->name, name) >= 0)
			break;
	return i;
}

/* Return the watch at an index if it has this name, else NULL. */
static struct lkst_watch *watch_named(unsigned int i, const char *name)
{
	if (i == LKST_WATCH_NUM || !lkst_watches[i] || strcmp(lkst_watches[i]->name, name))
		return NULL;
	return lkst_watches[i];
}

/* Whether a name consists of the characters that names of watches may have. */
bool lkst_watch_name_valid(const char *name)
{
	size_t len = strnlen(name, LKST_WATCH_NAME_LEN), i;

	for (i = 0; i < len; i++)
		if (!isascii(name[i]) || (!isalnum(name[i]) && !strchr("_-.", name[i])))
			return false;
	return len && len < LKST_WATCH_NAME_LEN;
}

/**
 * lkst_watch_add_new() - add a watch to the registry
 * @watch: the watch, which the registry takes over
 *
 * Context: may sleep.
 *
 * Return: 0, -EEXIST if there is a watch with this name, or -ENOSPC if there
 * are too many watches. After an error, the watch has been put.
 */
int lkst_watch_add_new(struct lkst_watch *watch)
{
	unsigned int i;
	int ret = 0;

	mutex_lock(&lkst_watch_mutex);
	i = watch_place(watch->name);
	if (watch_named(i, watch->name))
		ret = -EEXIST;
	else if (lkst_watches[LKST_WATCH_NUM - 1])
		ret = -ENOSPC;
	if (!ret) {
		memmove(&lkst_watches[i + 1], &lkst_watches[i],
			(LKST_WATCH_NUM - 1 - i) * sizeof(*lkst_watches));
		lkst_watches[i] = watch;
	}
	mutex_unlock(&lkst_watch_mutex);
	if (ret)
		lkst_watch_put(watch);
	return ret;
}

/* Take the watch at an index out of the registry. */
static struct lkst_watch *watch_take(unsigned int i)
{
	struct lkst_watch *watch = lkst_watches[i];

	memmove(&lkst_watches[i], &lkst_watches[i + 1],
		(LKST_WATCH_NUM - 1 - i) * sizeof(*lkst_watches));
	lkst_watches[LKST_WATCH_NUM - 1] = NULL;
	return watch;
}

/**
 * lkst_watch_delete() - delete a watch
 * @name: its name
 *
 * Actions watch(NAME) that refer to it remain in their rules. They continue to
 * pair events and to count spans, but no span causes actions.
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOENT if there is no such watch.
 */
int lkst_watch_delete(const char *name)
{
	struct lkst_watch *watch;
	unsigned int i;

	mutex_lock(&lkst_watch_mutex);
	i = watch_place(name);
	watch = watch_named(i, name);
	if (watch)
		watch_take(i);
	mutex_unlock(&lkst_watch_mutex);
	if (!watch)
		return -ENOENT;
	WRITE_ONCE(watch->deleted, true);
	lkst_watch_put(watch);
	return 0;
}

/**
 * lkst_watch_reset() - reset the figures of a watch, and start measuring again
 * @name: name of the watch
 *
 * Spans that have begun but not ended are kept.
 *
 * Context: may sleep.
 *
 * Return: 0, -ENOENT if there is no such watch, or -ENOMEM.
 */
int lkst_watch_reset(const char *name)
{
	struct lkst_watch_figures __percpu *figures = alloc_percpu(struct lkst_watch_figures);
	struct lkst_watch *watch;

	if (!figures)
		return -ENOMEM;
	mutex_lock(&lkst_watch_mutex);
	watch = watch_named(watch_place(name), name);
	if (watch) {
		struct lkst_watch_figures __percpu *old = watch->figures;

		watch_set_longest(watch);
		/* A CPU that sees the address must also see the zeros. */
		smp_store_release(&watch->figures, figures);
		figures = old;
		/* Events in progress may still use the old figures. */
		lkst_synchronize();
	}
	mutex_unlock(&lkst_watch_mutex);
	free_percpu(figures);
	return watch ? 0 : -ENOENT;
}

static void watch_read_figures(const struct lkst_watch *watch, struct lkst_watch_result *result)
{
	unsigned int cpu, i;
	u64 time;

	memset(result, 0, sizeof(*result));
	for_each_possible_cpu(cpu)
		for (i = 0; i < LKST_WATCH_CONTEXTS; i++)
			lkst_watch_merge(result, &per_cpu_ptr(watch->figures, cpu)->context[i]);
	result->open = lkst_watch_open(&watch->table);
	for (i = 0; i < result->worst_num; i++) {
		time = result->worst[i].time;
		result->worst[i].time = lkst_time_to_wall(time & 1, time & ~1ULL);
	}
}

/**
 * lkst_watch_copy() - read a watch
 * @param: as for LKST_IOC_WATCH_READ
 * @text: receives the text, LKST_WATCH_TEXT_MAX + 1 bytes
 * @result: receives what it has measured; NULL: not wanted
 *
 * Context: may sleep.
 *
 * Return: 0, or -ENOENT if there is no such watch.
 */
int lkst_watch_copy(struct lkst_watch_param *param, char *text, struct lkst_watch_result *result)
{
	const struct lkst_watch *watch;
	unsigned int i;

	mutex_lock(&lkst_watch_mutex);
	i = watch_place(param->name);
	watch = watch_named(i, param->name);
	if (!param->exact)
		watch = i + !!watch < LKST_WATCH_NUM ? lkst_watches[i + !!watch] : NULL;
	if (watch) {
		memcpy(param->name, watch->name, sizeof(param->name));
		strscpy(text, watch->text, LKST_WATCH_TEXT_MAX + 1);
		param->begin = watch->etype[LKST_WATCH_BEGIN];
		param->end = watch->etype[LKST_WATCH_END];
		param->over_ns = watch->over_ns;
		param->spans = watch->spans;
		if (result)
			watch_read_figures(watch, result);
	}
	mutex_unlock(&lkst_watch_mutex);
	return watch ? 0 : -ENOENT;
}

/* Free all watches. No rule is left. */
void __lkst_exit lkst_watches_end(void)
{
	mutex_lock(&lkst_watch_mutex);
	while (lkst_watches[0])
		lkst_watch_put(watch_take(0));
	mutex_unlock(&lkst_watch_mutex);
}

/* ---- the action watch(NAME) ---- */

/* Find a watch, and become a user of it. */
static struct lkst_watch *watch_get(const struct lkst_filter_word *word)
{
	char name[LKST_WATCH_NAME_LEN];
	struct lkst_watch *watch;

	if (word->len >= sizeof(name))
		return NULL;
	memcpy(name, word->at, word->len);
	name[word->len] = 0;
	mutex_lock(&lkst_watch_mutex);
	watch = watch_named(watch_place(name), name);
	if (watch)
		refcount_inc(&watch->users);
	mutex_unlock(&lkst_watch_mutex);
	return watch;
}

/*
 * Find a field of the key in the event, and store in @test how to read it.
 * Returns 0, or -EINVAL after storing an error for position @at in @parser.
 */
static int watch_field(struct lkst_filter_test *test, struct lkst_action_parser *parser, u32 at,
		       const char *name, size_t len)
{
	const struct lkst_filter_field *field = lkst_filter_find(&parser->filter, name, len);

	if (!field) {
		lkst_filter_error(&parser->filter, at, "the event has no field \"%.*s\" of the key",
				  (int)min_t(size_t, len, LKST_WATCH_NAME_LEN), name);
		return -EINVAL;
	}
	if (field->is_opaque || field->text != LKST_TEXT_NONE) {
		lkst_filter_error(&parser->filter, at, "\"%.*s\" of the key is not a number",
				  (int)len, name);
		return -EINVAL;
	}
	lkst_filter_set_field(test, field);
	if (test->kind == LKST_FILTER_NUMBER && test->load <= LKST_LOAD_ARG4)
		test->kind = LKST_FILTER_ARG;
	return 0;
}

/* How the fast path gets the key of an event. */
static u8 watch_fetch(const struct lkst_watch_feed *feed, unsigned int role)
{
	const struct lkst_filter_test *test = feed->key[role];

	if (feed->keys > 1 || !feed->is[role] || feed->watch->begin.num)
		return LKST_WATCH_ANY;
	if (test->kind == LKST_FILTER_ARG)
		return LKST_WATCH_ARG;
	return test->kind == LKST_FILTER_NUMBER && test->load == LKST_LOAD_TID ? LKST_WATCH_TID :
										 LKST_WATCH_ANY;
}

/*
 * Store how to read the key from the event, for each role that @feed->is gives
 * it.
 */
static int watch_fields(struct lkst_watch_feed *feed, struct lkst_action_parser *parser, u32 at)
{
	const char *text = feed->watch->text, *end = text + lkst_watch_key_len(text);
	unsigned int role;
	int ret = 0;

	while (!ret && text < end && feed->keys < LKST_WATCH_KEYS) {
		size_t len = min_t(size_t, strcspn(text, ","), end - text);
		const char *equals = memchr(text, '=', len);
		const char *second = equals ? equals + 1 : text;

		if (feed->is[LKST_WATCH_BEGIN])
			ret = watch_field(&feed->key[LKST_WATCH_BEGIN][feed->keys], parser, at,
					  text, equals ? equals - text : len);
		if (!ret && feed->is[LKST_WATCH_END])
			ret = watch_field(&feed->key[LKST_WATCH_END][feed->keys], parser, at,
					  second, text + len - second);
		feed->keys++;
		text += len + 1;
	}
	for (role = 0; role < 2; role++)
		feed->fetch[role] = watch_fetch(feed, role);
	return ret;
}

/*
 * For each field that the watch keeps from the event that begins a span,
 * compile how to load the field.
 */
static int watch_values(struct lkst_watch_feed *feed, struct lkst_action_parser *parser, u32 at)
{
	const struct lkst_watch_values *begin = &feed->watch->begin;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && feed->is[LKST_WATCH_BEGIN] && i < begin->num; i++) {
		const struct lkst_watch_value *value = &begin->value[i];
		const struct lkst_filter_field *field;

		field = lkst_filter_find(&parser->filter, value->name, strlen(value->name));
		if (!field) {
			lkst_filter_error(&parser->filter, at,
					  "the event has no field \"%s\" of the actions",
					  value->name);
			return -EINVAL;
		}
		ret = lkst_synth_set_load(&feed->value[i], &parser->filter, at, field,
					  &value->field);
	}
	return ret;
}

/**
 * lkst_watch_feed_new() - parse the argument of the action watch(NAME)
 * @parser: parser of the rule
 * @name: name of the watch
 *
 * Context: may sleep.
 *
 * Return: the action's private data, or -EINVAL after an error, which is in
 * @parser, or -ENOMEM.
 */
struct lkst_watch_feed *lkst_watch_feed_new(struct lkst_action_parser *parser,
					    const struct lkst_filter_word *name)
{
	struct lkst_watch_feed *feed = kzalloc(sizeof(*feed), GFP_KERNEL);
	unsigned int role;
	int ret;

	if (!feed)
		return ERR_PTR(-ENOMEM);
	feed->watch = watch_get(name);
	if (!feed->watch) {
		lkst_filter_error(&parser->filter, name->start, "there is no watch \"%.*s\"",
				  (int)min_t(u32, name->len, LKST_WATCH_NAME_LEN), name->at);
		kfree(feed);
		return ERR_PTR(-EINVAL);
	}
	for (role = 0; role < 2; role++)
		feed->is[role] = feed->watch->etype[role] == parser->etype;
	if (feed->is[LKST_WATCH_BEGIN] || feed->is[LKST_WATCH_END]) {
		ret = watch_fields(feed, parser, name->start) ?:
		      watch_values(feed, parser, name->start);
	} else {
		lkst_filter_error(&parser->filter, name->start,
				  "the watch \"%s\" is about other events", feed->watch->name);
		ret = -EINVAL;
	}
	if (!ret)
		return feed;
	lkst_watch_feed_free(feed);
	return ERR_PTR(ret);
}

/*
 * Return the action watch(NAME) if the functions of watch_direct.h can carry it
 * out, else NULL. They can if the event either begins or ends a span, but not
 * both, and if the key is one argument or the running thread.
 */
const struct lkst_watch_feed *lkst_watch_feed_direct(const void *private)
{
	const struct lkst_watch_feed *feed = private;
	bool begins = feed->is[LKST_WATCH_BEGIN];

	if (begins == feed->is[LKST_WATCH_END] ||
	    feed->fetch[begins ? LKST_WATCH_BEGIN : LKST_WATCH_END] == LKST_WATCH_ANY)
		return NULL;
	return feed;
}

/* Return the actions that an action watch(NAME) carries out, or NULL. */
const struct lkst_rule_program *lkst_watch_feed_actions(const void *private)
{
	const struct lkst_watch_feed *feed = private;

	return feed->watch->program;
}

/* Free an action that no event can use. */
void lkst_watch_feed_free(void *private)
{
	struct lkst_watch_feed *feed = private;

	lkst_watch_put(feed->watch);
	kfree(feed);
}
