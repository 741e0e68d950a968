/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watches: each measures the time between two events with the same key. The
 * rules of the events feed it with the action watch(NAME). If a span is too
 * long, the watch carries out actions of its own.
 */
#ifndef _LKST_RULES_WATCH_H
#define _LKST_RULES_WATCH_H

#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_watch.h>

#include "action.h"
#include "filter_record.h"
#include "synth.h"
#include "watch_table.h"

#define LKST_WATCH_CONTEXTS	4	/* task, softirq, hardirq and NMI */
#define LKST_WATCH_CLOCKS	2

/* What a watch keeps of an event that begins a span */
#define LKST_WATCH_VALUES	8	/* fields */
#define LKST_WATCH_WORDS	8	/* words that they take */

/* In place of the time at which a span began: the span has not been found. */
#define LKST_WATCH_NOT_FOUND	U64_MAX

enum {
	LKST_WATCH_BEGIN,
	LKST_WATCH_END,
};

/**
 * struct lkst_watch_value - a field of the events that begin spans
 * @name: its name
 * @word: position of the value in the words that the watch keeps
 * @field: size and kind of the value in these words
 */
struct lkst_watch_value {
	char name[LKST_WATCH_NAME_LEN];
	u8 word;
	struct lkst_synth_field field;
};

/**
 * struct lkst_watch_values - what a watch keeps of an event that begins a span
 * @num: number of fields
 * @words: number of words that they take
 * @value: the fields
 */
struct lkst_watch_values {
	unsigned int num;
	unsigned int words;
	struct lkst_watch_value value[LKST_WATCH_VALUES];
};

/**
 * struct lkst_watch_figures - figures of a watch on a CPU
 * @context: the figures of each kind of context, of which tasks come first
 */
struct lkst_watch_figures {
	struct lkst_watch_stats context[LKST_WATCH_CONTEXTS];
};

/**
 * struct lkst_watch - a watch
 * @name: its name; "" once it has been deleted
 * @deleted: whether it has been deleted, so that no span causes actions
 * @users: number of users: the registry, and each action watch(NAME)
 * @etype: event types that begin and end a span
 * @over_ns: longer spans are late
 * @each: whether the actions take place for each span: there are actions, but
 *	no length beyond which a span is late
 * @rises: whether only spans that are longer than @longest are late
 * @attend_ns: shorter spans are not late and do not cause actions
 * @longest: @over_ns, or the longest span that has been late. Only for @rises
 * @rate: for each clock, 2^32 times the nanoseconds of a tick
 * @ticks: for each clock, the greatest number of ticks whose product with @rate
 *	fits in 64 bits, which is more than 4 seconds
 * @begin: what is kept of an event that begins a span, for the actions
 * @table: spans that have begun
 * @figures: the figures of each CPU. Replaced under the mutex of watch.c, and
 *	not freed while an event may use them
 * @program: actions for late spans; NULL: none
 * @charged: bytes charged with lkst_memory_charge(), without @program
 * @spans: number of spans for which there is room
 * @text: see struct lkst_watch_param
 */
struct lkst_watch {
	char name[LKST_WATCH_NAME_LEN];
	bool deleted;
	refcount_t users;
	int etype[2];
	u64 over_ns;
	bool each;
	bool rises;
	u64 attend_ns;
	atomic64_t longest;
	u64 rate[LKST_WATCH_CLOCKS];
	u64 ticks[LKST_WATCH_CLOCKS];
	struct lkst_watch_values begin;
	struct lkst_watch_table table;
	struct lkst_watch_figures __percpu *figures;
	struct lkst_rule_program *program;
	size_t charged;
	u32 spans;
	char text[LKST_WATCH_TEXT_MAX + 1];
};

/* What the key of an event is, for the fast path (watch_direct.h). */
enum lkst_watch_fetch {
	LKST_WATCH_ANY,		/* any fields, or the watch keeps values */
	LKST_WATCH_ARG,		/* one argument, or a part of it */
	LKST_WATCH_TID,		/* the running thread */
};

/**
 * struct lkst_watch_feed - an action watch(NAME)
 * @watch: the watch
 * @is: whether the event begins spans, and whether it ends spans
 * @fetch: what the key is in an event that begins or ends spans: enum
 *	lkst_watch_fetch
 * @keys: number of fields of the key
 * @key: the fields of the key in an event that begins or ends spans
 * @value: how to get what is kept of an event that begins a span
 */
struct lkst_watch_feed {
	struct lkst_watch *watch;
	bool is[2];
	u8 fetch[2];
	unsigned int keys;
	struct lkst_filter_test key[2][LKST_WATCH_KEYS];
	struct lkst_synth_load value[LKST_WATCH_VALUES];
};

/**
 * struct lkst_watch_ended - a span that has ended
 * @record: values of the event that ended it
 * @span: the span
 * @value: what was kept of the event that began it
 */
struct lkst_watch_ended {
	struct lkst_filter_record record;
	struct lkst_watch_span span;
	u64 value[LKST_WATCH_WORDS];
};

struct lkst_watch_feed *lkst_watch_feed_new(struct lkst_action_parser *parser,
					    const struct lkst_filter_word *name);
const struct lkst_rule_program *lkst_watch_feed_actions(const void *feed);
void lkst_watch_feed_free(void *feed);
const struct lkst_watch_feed *lkst_watch_feed_direct(const void *feed);
bool lkst_watch_feed(const struct lkst_watch_feed *feed, const struct lkst_filter_record *record,
		     struct lkst_watch_ended *ended);
void lkst_watch_begin_crowded(const struct lkst_watch *watch, u64 word, u64 now, bool claimed);
bool lkst_watch_end_other(const struct lkst_watch_feed *feed,
			  const struct lkst_filter_record *record, u64 now, u64 begin,
			  struct lkst_watch_ended *ended);

bool lkst_watch_name_valid(const char *name);
size_t lkst_watch_key_len(const char *text);
const char *lkst_watch_rest(const char *text, bool *rises);
struct lkst_watch *lkst_watch_new(const struct lkst_watch_param *param, const char *text,
				  const struct lkst_watch_values *begin,
				  struct lkst_rule_program *program);
int lkst_watch_add_new(struct lkst_watch *watch);
void lkst_watch_put(struct lkst_watch *watch);
int lkst_watch_copy(struct lkst_watch_param *param, char *text, struct lkst_watch_result *result);
int lkst_watch_delete(const char *name);
int lkst_watch_reset(const char *name);
void lkst_watches_end(void);

#endif
