/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Actions of rules, and the parser of rules:
 *
 *	rule       = [ condition ] [ "do" action { "," action } ]
 *	action     = NAME [ "(" ARGUMENTS ")" ] [ ":" COUNT ] [ "if" condition ]
 *
 * Each kind of action is a row of a table: its name, a function that parses the
 * arguments when the rule is written, and a function that carries the action
 * out. This file and action_parse.c also compile in user space.
 */
#ifndef _LKST_RULES_ACTION_H
#define _LKST_RULES_ACTION_H

#include "filter.h"

#define LKST_ACTIONS	8	/* maximum number of actions of a rule */

struct lkst_action;
struct lkst_action_parser;
struct lkst_filter_record;
struct lkst_rule_program;
struct lkst_watch_feed;
struct lkst_watch_values;

/*
 * When an action takes place. The actions "record" and "drop" only decide
 * whether the event is recorded.
 */
enum lkst_action_when {
	LKST_ACTION_AFTER,	/* afterwards, even if the event was dropped */
	LKST_ACTION_START,	/* before the event is recorded: starts LKST */
	LKST_ACTION_RECORD,	/* the event is recorded */
	LKST_ACTION_DROP,	/* the event is not recorded */
};

/**
 * struct lkst_action_type - a kind of action
 * @name: its name
 * @args: what its arguments are, for messages; NULL: it takes none
 * @when: enum lkst_action_when
 * @records: event type of the events that the action records; 0: none
 * @parse: parse the arguments, and set @private of the action. For an action
 *	without arguments, the parameter args is the name of the action.
 *	Returns 0; -EINVAL after lkst_filter_error(&parser->filter, ...); or
 *	another errno. May sleep. NULL: there is nothing to parse
 * @run: carry out the action, with preemption off, in any context in which the
 *	event occurs: NMI included, even while RCU is not watching. Events that
 *	@run causes do not run actions. NULL for LKST_ACTION_RECORD and
 *	LKST_ACTION_DROP
 * @inner: return the actions that this action may carry out in turn, or NULL if
 *	there are none. The pointer itself is NULL if actions of this kind never
 *	carry out others
 * @free: free @private once no event can use it. May sleep. NULL: there is
 *	nothing to free
 * @direct: return the action watch(NAME) if the fast path of watches can carry
 *	it out without @run, else NULL: see lkst_rule_program.direct. If @direct
 *	is NULL, the fast path never can
 */
struct lkst_action_type {
	const char *name;
	const char *args;
	__u8 when;
	__u16 records;
	int (*parse)(struct lkst_action_parser *parser, struct lkst_action *action,
		     const struct lkst_filter_word *args);
	void (*run)(int etype, const struct lkst_filter_record *record, void *private);
	const struct lkst_rule_program *(*inner)(const void *private);
	void (*free)(void *private);
	const struct lkst_watch_feed *(*direct)(const void *private);
};

/**
 * struct lkst_action - an action of a rule
 * @type: its kind
 * @private: what @type has parsed
 * @filter: its condition; NULL: that of the rule
 * @left: how many times it may still take place; -1: without limit
 * @target: event type whose recording it turns on or off, set by the function
 *	type->parse; -1: none
 */
struct lkst_action {
	const struct lkst_action_type *type;
	void *private;
	struct lkst_rule_filter *filter;
	int left;
	int target;
};

/* Which events a rule records. */
enum lkst_rule_recording {
	LKST_RULE_IF_MET,	/* those that meet its condition */
	LKST_RULE_IF_RECORD,	/* those for which "record" takes place */
	LKST_RULE_UNLESS_DROP,	/* those for which "drop" does not take place */
};

/**
 * struct lkst_rule_program - a parsed rule
 * @condition: its condition; NULL: each event meets it
 * @recording: enum lkst_rule_recording
 * @early: whether an action precedes the record
 * @simple: whether all actions take place for each event that meets @condition
 * @records: if @simple: entry 0 says whether events that do not meet @condition
 *	are recorded, and entry 1 whether events that meet it are
 * @fires: if @simple: a bit for each action other than "record" and "drop"
 * @fast: whether the rule has no actions except "record" and @direct, no
 *	counts, and no condition except @filter
 * @direct: if @fast: the action watch(NAME); NULL: none
 * @filter: if @fast: the condition, of the rule or of @direct. NULL: each event
 *	meets it
 * @only: if @fast: the comparison of @filter. NULL if @filter is NULL,
 *	has several comparisons, or one of a kind other than LKST_FILTER_ARG
 * @actions: number of actions
 * @action: its actions
 * @bytes: memory that it takes
 * @users: number of rules that share the program. Protected by the mutex of
 *	rule.c
 * @text: the rule as it was written
 */
struct lkst_rule_program {
	struct lkst_rule_filter *condition;
	__u8 recording;
	bool early;
	bool simple;
	bool records[2];
	__u32 fires;
	bool fast;
	const struct lkst_watch_feed *direct;
	const struct lkst_rule_filter *filter;
	const struct lkst_filter_test *only;
	unsigned int actions;
	struct lkst_action action[LKST_ACTIONS];
	size_t bytes;
	unsigned int users;
	char text[];
};

/**
 * struct lkst_action_parser - state of the parser of rules
 * @filter: the caller has set @scope, and the rest to 0. After an error, @error
 *	and @error_at are set. Functions that parse arguments pass it to
 *	lkst_filter_find() to look up fields of the event
 * @types: the kinds of actions; ends with a row without a name
 * @maskset: maskset of the rule
 * @etype: event type of the rule
 * @begin: for the actions of a watch: receives the fields, of the events that
 *	begin spans, that these actions use; NULL: not the actions of a watch
 * @program: the result
 */
struct lkst_action_parser {
	struct lkst_filter_parser filter;
	const struct lkst_action_type *types;
	int maskset;
	int etype;
	struct lkst_watch_values *begin;
	struct lkst_rule_program *program;
};

int lkst_rule_program_parse(struct lkst_action_parser *parser, const char *text);
void lkst_rule_program_free(struct lkst_rule_program *program);
int lkst_action_number(struct lkst_action_parser *parser, const struct lkst_filter_word *word,
		       unsigned int max, unsigned int *value);

#endif
