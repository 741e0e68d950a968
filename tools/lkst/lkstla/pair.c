// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla pair: how much time passes from an event to another one with the same key.
 *
 * Each key has at most one begin without an end: a second begin replaces the first one, which is
 * then unmatched. If records are lost, an end may be among them, and the next end may belong to a
 * later begin. So no pair extends over a loss.
 *
 * If both events have the argument that the condition is about, events that do not meet the
 * condition are ignored. If only one of the two events has this argument, the condition selects
 * pairs, because the other event of such a pair must not be counted as unmatched.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/base/error.h"
#include "lib/text/out.h"
#include "messages.h"
#include "pair.h"
#include "tally.h"
#include "value.h"

/* Maximum number of begins without an end, for which the table takes 48 MB. */
#define PAIR_BEGINS_MAX (3u << 18)

/**
 * struct pair_open - a begin without an end
 * @head: key of the pair
 * @time_ns: time of the begin
 * @group: index of the group of the pair
 * @selected: whether the condition, -c and -p select the pair
 */
struct pair_open {
	struct hash_head head;
	int64_t time_ns;
	uint32_t group;
	bool selected;
};

/**
 * struct pairs - what the analysis collects
 * @run: run of the analysis
 * @spec: operands
 * @open: begins without an end
 * @selected: number of selected elements of @open
 * @groups: groups; without "group", all pairs are in one group
 */
struct pairs {
	const struct run *run;
	struct pair_spec spec;
	struct hash open;
	uint64_t selected;
	struct pair_groups groups;
};

/*
 * Return whether both sides have the same type. Then each event ends a pair and begins the next
 * one.
 */
static bool pair_is_period(const struct pairs *pair)
{
	return pair->spec.side[PAIR_BEGIN].type == pair->spec.side[PAIR_END].type;
}

static void pair_key(const struct pair_side *side, const struct lkst_event *event,
		     uint64_t key[HASH_WORDS])
{
	key[0] = pair_value(&side->key, event);
	/* Each CPU has an idle thread, with thread ID 0. */
	key[1] = side->key.kind == PAIR_TID && !event->tid ? 1 + (uint64_t)(uint32_t)event->cpu : 0;
	key[2] = 0;
}

/*
 * Return whether an event is ignored, because it does not meet a condition that applies to both
 * sides.
 */
static bool pair_ignores(const struct pairs *pair, bool meets)
{
	return !meets && pair->spec.side[PAIR_BEGIN].condition &&
	       pair->spec.side[PAIR_END].condition;
}

/* Check whether an event meets the condition, and note whether any event has met it. */
static bool pair_event_meets(struct pairs *pair, const struct pair_side *side,
			     const struct lkst_event *event)
{
	bool meets = pair_meets(&pair->spec, side, pair->run, event);

	pair->spec.met |= meets && side->condition;
	return meets;
}

/* Return the index of the event's group; -1 if an allocation failed, which is reported. */
static int pair_group_of(struct pairs *pair, const struct lkst_event *event)
{
	int group = pair_groups_find(&pair->groups, &pair->spec, pair->run, event);

	if (group < 0)
		run_out_of_memory(pair->run);
	return group;
}

static void pair_begin(struct pairs *pair, const struct lkst_event *event)
{
	struct pair_side *side = &pair->spec.side[PAIR_BEGIN];
	bool meets = pair_event_meets(pair, side, event), selected;
	uint64_t key[HASH_WORDS];
	struct pair_open *open;
	enum hash_result result;
	int group = 0;

	if (pair_ignores(pair, meets))
		return;
	selected = meets && value_selects(pair->run, event);
	if (selected && pair->spec.group_side == PAIR_BEGIN)
		group = pair_group_of(pair, event);
	if (group < 0)
		return;
	pair_key(side, event, key);
	result = hash_add(&pair->open, key, &open);
	if (result == HASH_NO_MEMORY) {
		run_out_of_memory(pair->run);
		return;
	}
	side->events += selected;
	if (result == HASH_FULL) {
		side->unmatched += selected;
		return;
	}
	/* The begin that is replaced remains without an end. */
	side->unmatched += open->selected;
	pair->selected -= open->selected;
	pair->selected += selected;
	open->time_ns = event->time_ns;
	open->group = (uint32_t)group;
	open->selected = selected;
}

static void pair_add(struct pairs *pair, const struct pair_open *open,
		     const struct lkst_event *event)
{
	int64_t ns = tally_length(open->time_ns, event->time_ns);
	int group = (int)open->group;

	if (ns < pair->run->args->over_ns)
		return;
	if (pair->spec.group_side == PAIR_END)
		group = pair_group_of(pair, event);
	if (group >= 0 && dist_add(&pair->groups.group[group].dist, ns, event->time_ns))
		run_out_of_memory(pair->run);
}

static void pair_end(struct pairs *pair, const struct lkst_event *event)
{
	struct pair_side *side = &pair->spec.side[PAIR_END];
	bool meets = pair_event_meets(pair, side, event);
	uint64_t key[HASH_WORDS];
	struct pair_open *open;

	if (pair_ignores(pair, meets))
		return;
	pair_key(side, event, key);
	open = hash_find(&pair->open, key);
	if (open) {
		pair->selected -= open->selected;
		side->events += meets && open->selected;
		if (meets && open->selected)
			pair_add(pair, open, event);
		hash_remove(&pair->open, open);
	} else if (meets && value_selects(pair->run, event)) {
		side->events++;
		side->unmatched++;
	}
}

static void pair_event(void *ctx, const struct lkst_event *event)
{
	struct pairs *pair = ctx;

	if (!value_in_window(pair->run, event->time_ns))
		return;
	if (event->type == pair->spec.side[PAIR_END].type)
		pair_end(pair, event);
	if (event->type == pair->spec.side[PAIR_BEGIN].type)
		pair_begin(pair, event);
}

/*
 * Forget all begin events before a loss. If the key is the CPU, forget only the begin event of the
 * CPU that lost records. Free the table instead of clearing it: a damaged trace may have a loss
 * after each event, and clearing a large table each time would take long.
 */
static void pair_loss(void *ctx, const struct lkst_loss *loss)
{
	struct pairs *pair = ctx;
	struct pair_side *side = pair->spec.side;
	const uint64_t key[HASH_WORDS] = { (uint32_t)loss->cpu };
	uint64_t before = pair->selected;
	struct pair_open *open;

	if (side[PAIR_BEGIN].key.kind != PAIR_CPU || side[PAIR_END].key.kind != PAIR_CPU) {
		hash_free(&pair->open);
		pair->selected = 0;
	} else {
		open = hash_find(&pair->open, key);
		if (open) {
			pair->selected -= open->selected;
			hash_remove(&pair->open, open);
		}
	}
	side[PAIR_BEGIN].unmatched += before - pair->selected;
}

/* ---- the report ---- */

/*
 * The columns. The heading of the first one is the operand of "group". Without "group", the first
 * column is left out.
 */
static const struct column pair_columns[] = {
	{ NULL, "group", COLUMN_TEXT },
	{ "count", "count", COLUMN_COUNT },
	{ "total ms", "total_ns", COLUMN_MS },
	VALUE_DIST_COLUMNS,
};

static const struct column pair_event_columns[] = {
	{ "event", "event", COLUMN_TEXT },
	{ "events", "events", COLUMN_COUNT },
	{ "unmatched", "unmatched", COLUMN_COUNT },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))

static bool pair_groups_by_cpu(const struct pairs *pair)
{
	return pair->spec.group && pair->spec.group_value.kind == PAIR_CPU;
}

static int pair_add_group(const struct pairs *pair, const struct pair_group *group,
			  struct table *table, struct lkst_error *err)
{
	const bool grouped = pair->spec.group != NULL;
	const struct dist *dist = &group->dist;
	struct cell cell[NUM(pair_columns)];
	char text[OUT_ROOM];

	if (pair_groups_by_cpu(pair))
		cell[0] = group->rest ? CELL_NONE : CELL(group->cpu);
	else
		cell[0] = CELL_TEXT(grouped ? pair_group_text(group, pair->run, text) : NULL);
	cell[1] = CELL(dist->count);
	cell[2] = CELL(dist->sum < INT64_MAX ? dist->sum : INT64_MAX);
	value_dist(dist, &cell[3]);
	return table_add(table, cell + !grouped, err);
}

/*
 * Add the groups that have pairs. In other groups, all begins are unmatched, or --over excludes the
 * pairs.
 */
static int pair_report_groups(const struct pairs *pair, struct tables *to, struct lkst_error *err)
{
	const bool grouped = pair->spec.group != NULL;
	struct column column[NUM(pair_columns)];
	struct table *table;

	memcpy(column, pair_columns, sizeof(column));
	column[0].head = pair->spec.group;
	if (pair_groups_by_cpu(pair))
		column[0].kind = COLUMN_NUMBER;
	table = value_table(to, "pair", "Pairs", column + !grouped, NUM(column) - !grouped, err);
	if (!table)
		return -1;
	for (size_t i = 0; i < pair->groups.index.num; i++)
		if (pair->groups.group[i].dist.count &&
		    pair_add_group(pair, &pair->groups.group[i], table, err))
			return -1;
	return table_sort(table, "total_ns", err);
}

static int pair_report_events(const struct pairs *pair, struct tables *to, struct lkst_error *err)
{
	struct table *table = value_table(to, "events", "Events", pair_event_columns,
					  NUM(pair_event_columns), err);
	const struct pair_side *side = pair->spec.side;
	const bool period = pair_is_period(pair);

	if (!table)
		return -1;
	for (int i = 0; i < 2 - period; i++) {
		uint64_t unmatched = side[i].unmatched + (i == PAIR_BEGIN ? pair->selected : 0);
		const struct cell cell[] = {
			CELL_TEXT(side[i].name),
			CELL(side[i].events),
			period ? CELL_NONE : CELL(unmatched),
		};

		if (table_add(table, cell, err))
			return -1;
	}
	return 0;
}

/* Print a note if no event meets the condition, because its value may be misspelled. */
static void pair_note_condition(const struct pair_spec *spec)
{
	const struct lkst_field *field = spec->side[PAIR_BEGIN].condition;
	char text[256];

	if (!spec->want || spec->met)
		return;
	if (!field)
		field = spec->side[PAIR_END].condition;
	snprintf(text, sizeof(text), MSG_PAIR_NO_VALUE, field->label, spec->want);
	print_note(text);
}

static int pair_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	const struct pairs *pair = ctx;

	(void)run;
	pair_note_condition(&pair->spec);
	return pair_report_groups(ctx, to, err) || pair_report_events(ctx, to, err) ? -1 : 0;
}

/*
 * The event types that the operands name, for the header. A static variable is sufficient, because
 * a command runs only one analysis.
 */
static const char *pair_needs[3];

static void *pair_start(const struct run *run, struct lkst_error *err)
{
	struct pairs *pair = calloc(1, sizeof(*pair));
	size_t needs = 0;

	if (!pair) {
		lkst_error_memory(err, "pair");
		return NULL;
	}
	if (pair_parse(&pair->spec, run->types, run->operands, err)) {
		free(pair);
		return NULL;
	}
	pair->run = run;
	pair->open = (struct hash){ .size = sizeof(struct pair_open), .max = PAIR_BEGINS_MAX };
	pair_groups_init(&pair->groups);
	for (int i = 0; i < 2; i++)
		if (pair->spec.side[i].etype)
			pair_needs[needs++] = lkst_etype_mnemonic(pair->spec.side[i].etype);
	pair_needs[needs] = NULL;
	return pair;
}

static void pair_free(void *ctx)
{
	struct pairs *pair = ctx;

	hash_free(&pair->open);
	pair_groups_free(&pair->groups);
	free(pair);
}

const struct analysis analysis_pair = {
	.name = "pair",
	.summary = "the time from one event to another one, of any two types",
	.about =
		"Pairs of an event BEGIN and the next event END with the same KEY: the thread\n"
		"(tid), the CPU (cpu), or an argument of both, such as irq or skb. thread=next\n"
		"means thread in BEGIN and next in END. \"if\" selects by an argument, and \"group\"\n"
		"makes a row for each tid, cpu, process, or value of an argument. \"at\" is the end\n"
		"of the longest pair. An event is unmatched if the other one was not found.\n",
	.operands = "BEGIN END by KEY [if X=N] [group X]",
	.needs = pair_needs,
	.ops = { .event = pair_event, .loss = pair_loss },
	.start = pair_start,
	.report = pair_report,
	.free = pair_free,
};
