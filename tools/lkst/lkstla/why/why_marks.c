// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the pairs of marks of --span.
 *
 * A mark is the text of a user_text or user_long_text event, the first argument of a user_mark
 * event, or the name of a user event, with or without its system. In --span FIRST..SECOND, a pair
 * is an occurrence of SECOND and the latest occurrence of FIRST before it. The explanation of the
 * time in between follows the thread that recorded SECOND.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/etypes.h"
#include "lib/text/parse.h"
#include "lib/text/payload.h"
#include "lib/text/words.h"
#include "lkstla/messages.h"
#include "lkstla/value.h"
#include "why.h"

/**
 * why_marks_init() - parse --span
 * @why: state of the analysis
 * @err: set if it is invalid
 */
int why_marks_init(struct why *why, struct lkst_error *err)
{
	const char *span = why->own->span, *dots = span ? strstr(span, "..") : NULL;
	struct why_marks *marks = &why->marks;

	if (!span)
		return 0;
	if (!dots || dots == span || !dots[2] || (size_t)(dots - span) >= WHY_MARK ||
	    strlen(dots + 2) >= WHY_MARK) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_WHY_SPAN, span, WHY_MARK - 1);
		return -1;
	}
	memcpy(marks->from, span, (size_t)(dots - span));
	strcpy(marks->to, dots + 2);
	marks->pairs.delay = calloc(WHY_DELAYS_MAX, sizeof(*marks->pairs.delay));
	if (marks->pairs.delay)
		return 0;
	lkst_error_memory(err, "why");
	return -1;
}

/* Return whether an event is the mark that @mark names. */
static bool why_is_mark(const struct why *why, const struct lkst_event *event, const char *mark)
{
	const struct lkst_etype *type = lkst_etype(why->run->types, event->type);
	const char *name = lkst_etype_bare_name(type);
	char text[WHY_MARK], *end;
	uint64_t number;

	if (name)
		return !strcmp(name, mark) || !strcmp(type->name, mark);

	if (payload_mark(event, text, sizeof(text)))
		return !strcmp(text, mark);
	if (event->type != LKST_ETYPE_USER_MARK)
		return false;
	number = strtoull(mark, &end, 0);
	return !*end && end > mark && number == event->arg[0];
}

/* Remember a mark, so that it can be suggested if a mark of --span does not occur. */
static void why_note_name(struct why *why, const struct lkst_event *event)
{
	const char *name = lkst_etype_bare_name(lkst_etype(why->run->types, event->type));
	struct why_marks *marks = &why->marks;
	char text[WHY_MARK];

	if (name)
		snprintf(text, sizeof(text), "%s", name);
	else if (event->type == LKST_ETYPE_USER_MARK)
		snprintf(text, sizeof(text), "%llu", (unsigned long long)event->arg[0]);
	else if (!payload_mark(event, text, sizeof(text)))
		return;
	for (size_t i = 0; i < marks->names; i++)
		if (!strcmp(marks->name[i], text))
			return;
	if (marks->names < WHY_NAMES)
		strcpy(marks->name[marks->names++], text);
}

/**
 * why_marks_event() - note a mark
 * @why: state of the analysis
 * @event: event
 */
void why_marks_event(struct why *why, const struct lkst_event *event)
{
	struct why_marks *marks = &why->marks;
	struct why_delay delay;

	if (!*marks->from || event->time_ns < why->run->begin_ns ||
	    event->time_ns > why->run->end_ns)
		return;
	if (!marks->seen[0] || !marks->seen[1])
		why_note_name(why, event);
	/* If both marks have the same text, each mark ends one pair and begins the next pair. */
	if (marks->open && why_is_mark(why, event, marks->to)) {
		delay = (struct why_delay){ .thread = value_thread(why->run, event),
					    .begin_ns = marks->open_ns,
					    .end_ns = event->time_ns,
					    .begin_known = true,
					    .end_known = true };
		if (delay.thread && why_selects(why, delay.thread))
			why_delays_add(&marks->pairs, &delay);
		else if (delay.thread)
			marks->other = delay.thread;
		marks->open = false;
	}
	marks->seen[1] |= why_is_mark(why, event, marks->to);
	if (!why_is_mark(why, event, marks->from))
		return;
	marks->seen[0] = marks->open = true;
	marks->open_ns = event->time_ns;
}

static const char *why_name_at(void *ctx, size_t i)
{
	return ((const struct why_marks *)ctx)->name[i];
}

/* List as many of the marks in the window as fit into @text. */
static void why_list_marks(const struct why_marks *marks, char *text, size_t size)
{
	size_t len = (size_t)snprintf(text, size, " (its marks are "), i = 0;

	for (; i < marks->names && len + strlen(marks->name[i]) + strlen(", , ...)") < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s", i ? ", " : "",
					marks->name[i]);
	/* After WHY_NAMES marks, others were not remembered. */
	snprintf(text + len, size - len, i < marks->names || i == WHY_NAMES ? ", ...)" : ")");
}

/*
 * Report that a mark of --span does not occur in the window. Suggest similar marks. If the window
 * has no similar mark, list its marks.
 */
static void why_no_mark(const struct why_marks *marks, const char *mark, struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	size_t n = lkst_suggest(mark, why_name_at, (void *)marks, marks->names, suggestions);
	char text[256];

	if (!marks->names) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NO_MARKS, mark);
		return;
	}
	if (n)
		lkst_suggestions_text(suggestions, n, text, sizeof(text));
	else
		why_list_marks(marks, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NO_MARK, mark, text);
}

/* Report that both marks of --span occur, but that no pair of them is selected. */
static void why_no_pair(const struct why *why, struct lkst_error *err)
{
	const struct why_marks *marks = &why->marks;
	char name[40];

	if (marks->pairs.num)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NO_SPAN, marks->from, marks->to);
	else if (marks->other)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_OTHER_SPAN, marks->to, marks->from,
			       run_thread_name(why->run, marks->other, name));
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NO_PAIR, marks->from, marks->to);
}

/**
 * why_marks_choose() - choose the longest pairs that --at and --over select
 * @why: state of the analysis
 * @delays: result
 * @err: set if there is no pair
 */
int why_marks_choose(const struct why *why, struct why_delays *delays, struct lkst_error *err)
{
	const struct why_marks *marks = &why->marks;

	for (size_t i = 0; i < marks->pairs.num; i++) {
		const struct why_delay *delay = &marks->pairs.delay[i];

		if ((why->own->at &&
		     (why->at_ns < delay->begin_ns || why->at_ns > delay->end_ns)) ||
		    delay->end_ns - delay->begin_ns < why->run->args->over_ns)
			continue;
		why_delays_add(delays, delay);
	}
	if (delays->num)
		return 0;
	if (!marks->seen[0] || !marks->seen[1])
		why_no_mark(marks, marks->seen[0] ? marks->to : marks->from, err);
	else
		why_no_pair(why, err);
	return -1;
}
