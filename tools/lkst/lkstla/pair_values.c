// SPDX-License-Identifier: GPL-2.0
/* The values of events that lkstla pair compares and shows. */
#include <stdio.h>
#include <string.h>

#include "lib/text/field.h"
#include "lib/text/out.h"
#include "pair.h"

/**
 * pair_value() - get a value of an event
 * @value: value; not a string
 * @event: event
 */
uint64_t pair_value(const struct pair_value *value, const struct lkst_event *event)
{
	switch (value->kind) {
	case PAIR_TID:
		return event->tid;
	case PAIR_CPU:
		return (uint32_t)event->cpu;
	case PAIR_PROCESS:
		return event->tgid;
	case PAIR_FIELD:
		break;
	}
	return lkst_field_value(value->field, event);
}

static struct field_view pair_view(const struct pair_side *side, const struct run *run,
				   const struct lkst_event *event)
{
	return (struct field_view){
		.context = lkst_trace_source_context(run->trace, event->source),
		.event = event,
		.type = side->etype,
	};
}

/*
 * Return whether a value is equal to the number in the condition. A value that is half of an
 * argument has 32 bits.
 */
static bool pair_is_number(const struct lkst_field *field, uint64_t value, uint64_t number)
{
	if (field->part != LKST_PART_HIGH && field->part != LKST_PART_LOW)
		return value == number;
	return value == (uint32_t)number &&
	       (number <= UINT32_MAX || (int64_t)number == (int32_t)(uint32_t)number);
}

/*
 * Return whether a value is equal to @want: its text or, if the value is a number with a name, that
 * name.
 */
static bool pair_is_text(const struct lkst_field *field, struct field_view view, const char *want)
{
	char text[OUT_ROOM];
	const char *name;

	view.bare = true;
	*lkst_put_field(text, &view, field) = 0;
	if (!strcasecmp(text, want))
		return true;
	name = view.is_number ? lkst_field_name(&view) : NULL;
	return name && !strcasecmp(name, want);
}

/**
 * pair_meets() - check whether an event meets the condition of "if"
 * @spec: operands
 * @side: side of the event
 * @run: run of the analysis
 * @event: event
 *
 * Return: true also if only the other event has the argument of the condition.
 */
bool pair_meets(const struct pair_spec *spec, const struct pair_side *side, const struct run *run,
		const struct lkst_event *event)
{
	const struct lkst_field *field = side->condition;
	char text[FIELD_TEXT_SIZE];

	if (!field)
		return true;
	if (field->user && !user_field_exists(field, event))
		return false;
	if (pair_is_string(field)) {
		lkst_field_text(event, field, text);
		return !strcmp(text, spec->want);
	}
	if (spec->is_number)
		return pair_is_number(field, lkst_field_value(field, event), spec->number);
	return pair_is_text(field, pair_view(side, run, event), spec->want);
}

/**
 * pair_field_text() - get the text of the argument by which pairs are grouped
 * @spec: operands with a "group" that is an argument
 * @run: run of the analysis
 * @event: event
 *
 * Return: the text, which the caller must free; NULL if an allocation failed.
 */
char *pair_field_text(const struct pair_spec *spec, const struct run *run,
		      const struct lkst_event *event)
{
	const struct lkst_field *field = spec->group_value.field;
	struct field_view view = pair_view(&spec->side[spec->group_side], run, event);
	char text[OUT_ROOM];

	if (pair_is_string(field))
		lkst_field_text(event, field, text);
	else
		*lkst_put_field(text, &view, field) = 0;
	return strdup(text);
}

/* Write the name of a thread or of a process. A process has the name of its first thread. */
static const char *pair_thread_text(const struct pair_group *group, const struct run *run,
				    char *text)
{
	const struct lkst_thread *thread = group->thread;

	if (!group->id)
		snprintf(text, OUT_ROOM, "swapper/%d", group->cpu);
	if (group->id && !thread)
		thread = lkst_model_find(run->model, group->source, group->id);
	if (group->id && thread)
		return run_thread_name(run, thread, text);
	if (group->id)
		snprintf(text, OUT_ROOM, "<%u>", group->id);
	return text;
}

/**
 * pair_group_text() - get the value that the pairs of a group have in common
 * @group: group of pairs, for any "group" of the command line but "cpu"
 * @run: run of the analysis
 * @text: memory for the result, OUT_ROOM bytes
 *
 * Return: the value, valid as long as @group and @text.
 */
const char *pair_group_text(const struct pair_group *group, const struct run *run, char *text)
{
	if (group->rest)
		return strcpy(text, "(others)");
	return group->text ? group->text : pair_thread_text(group, run, text);
}
