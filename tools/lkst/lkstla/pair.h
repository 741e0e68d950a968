/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of lkstla pair. */
#ifndef _LKSTLA_PAIR_H
#define _LKSTLA_PAIR_H

#include "analysis.h"
#include "dist.h"
#include "hash.h"
#include "lib/text/etypes.h"

enum pair_kind {
	PAIR_FIELD,	/* an argument of the event */
	PAIR_TID,	/* thread that recorded the event */
	PAIR_CPU,	/* CPU that recorded the event */
	PAIR_PROCESS,	/* process of this thread */
};

/**
 * struct pair_value - a value that events of a type have
 * @kind: kind
 * @field: PAIR_FIELD: the argument
 */
struct pair_value {
	enum pair_kind kind;
	const struct lkst_field *field;
};

/**
 * struct pair_side - the events that begin pairs, or the events that end them
 * @type: number of the event type
 * @etype: description of the event type; NULL: unknown
 * @name: name of the event type
 * @key: value that is the same in both events of a pair
 * @condition: argument in the condition of "if"; NULL if events of the type lack it
 * @events: number of events that meet the condition
 * @unmatched: number of these events for which the other event of the pair was not found
 */
struct pair_side {
	uint32_t type;
	const struct lkst_etype *etype;
	const char *name;
	struct pair_value key;
	const struct lkst_field *condition;
	uint64_t events;
	uint64_t unmatched;
};

enum { PAIR_BEGIN, PAIR_END };

/* Return whether an argument is a string, rather than a number. */
static inline bool pair_is_string(const struct lkst_field *field)
{
	return field->format == LKST_FMT_TEXT && field->part == LKST_PART_WHOLE;
}

/**
 * struct pair_spec - the operands of lkstla pair
 * @side: the events that begin pairs, and the events that end them
 * @want: value that "if" requires
 * @met: whether an event in the window has met the condition
 * @is_number: @want is a number
 * @number: @want as a number, if @is_number is set
 * @group: operand of "group"; NULL: none
 * @group_side: the side whose events have @group_value
 * @group_value: value by which pairs are grouped
 */
struct pair_spec {
	struct pair_side side[2];
	const char *want;
	bool met;
	bool is_number;
	uint64_t number;
	const char *group;
	int group_side;
	struct pair_value group_value;
};

/* pair_words.c */
int pair_parse(struct pair_spec *spec, const struct lkst_etypes *types, char *const *operands,
	       struct lkst_error *err);

#define PAIR_GROUPS_MAX	8192

/**
 * struct pair_group - pairs that have a value in common
 * @rest: this group has the pairs with all values for which there is no separate group, because
 *	there are too many groups
 * @thread: thread; NULL: idle, unknown, or not grouped by threads
 * @id: ID of the thread or process; 0 if not grouped by threads or processes
 * @cpu: CPU of the first event
 * @source: index of the file that contains the first event
 * @text: text of the argument; NULL if not grouped by an argument
 * @dist: durations of the pairs
 */
struct pair_group {
	bool rest;
	const struct lkst_thread *thread;
	uint32_t id;
	int32_t cpu;
	uint32_t source;
	char *text;
	struct dist dist;
};

/**
 * struct pair_groups - the groups
 * @index: table in which the index of a group is found by its value
 * @group: groups
 * @room: number of groups that fit into @group
 */
struct pair_groups {
	struct hash index;
	struct pair_group *group;
	size_t room;
};

/* pair_groups.c */
void pair_groups_init(struct pair_groups *groups);
int pair_groups_find(struct pair_groups *groups, const struct pair_spec *spec,
		     const struct run *run, const struct lkst_event *event);
void pair_groups_free(struct pair_groups *groups);

/* pair_values.c */
uint64_t pair_value(const struct pair_value *value, const struct lkst_event *event);
bool pair_meets(const struct pair_spec *spec, const struct pair_side *side, const struct run *run,
		const struct lkst_event *event);
char *pair_field_text(const struct pair_spec *spec, const struct run *run,
		      const struct lkst_event *event);
const char *pair_group_text(const struct pair_group *group, const struct run *run, char *text);

#endif
