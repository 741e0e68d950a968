// SPDX-License-Identifier: GPL-2.0
/* Finds the events that an analysis uses and that the trace does not contain. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/classes.h"
#include "lib/trace/trace.h"
#include "mask.h"
#include "missing.h"

/* If at least this many events of a class are missing, the class is named instead of the events. */
#define MISSING_CLASS_MIN 3

/* Why a trace does not contain an event */
enum missing_why {
	MISSING_NOT, /* the trace does contain the event */
	MISSING_MASKED, /* the maskset excludes the event */
	MISSING_UNKNOWN, /* the maskset excluded the event, or it did not happen */
	MISSING_QUIET, /* the maskset includes the event, but it did not happen */
	MISSING_ABSENT, /* the kernel cannot record it */
};

/**
 * missing_etype() - find an event type
 * @types: event types
 * @word: mnemonic or name
 *
 * Return: the type; NULL if the kernel of the trace does not know it.
 */
const struct lkst_etype *missing_etype(const struct lkst_etypes *types, const char *word)
{
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		if (type && (!strcmp(type->mnemonic, word) || !strcmp(type->name, word)))
			return type;
	}
	return NULL;
}

/**
 * missing_name() - get the name of an event
 * @type: type of the event; NULL if the kernel of the trace does not know it
 * @word: mnemonic or name
 * @text: buffer for the name
 */
void missing_name(const struct lkst_etype *type, const char *word, char text[64])
{
	snprintf(text, 64, "%s", type ? type->name : word);
	for (; !type && *text; text++)
		*text = (char)tolower((unsigned char)*text);
}

/**
 * missing_has_type() - check whether the trace contains events of a type
 * @runner: run
 * @type: event type
 *
 * If the running kernel is followed, this checks whether the kernel records the type now.
 */
bool missing_has_type(const struct runner *runner, uint32_t type)
{
	if (!runner->follow)
		return lkst_trace_has_type(runner->run.trace, type);
	return runner->mask ? !mask_hides(runner->mask, type) :
			      lkst_model_saw(runner->run.model, type);
}

/*
 * Return why events of a type are missing. If the trace has some, they are not missing, even if the
 * window has none.
 */
static enum missing_why missing_why(const struct runner *runner, const struct lkst_etype *type)
{
	if (!type)
		return MISSING_ABSENT;
	if (missing_has_type(runner, type->number))
		return MISSING_NOT;
	if (!type->present)
		return MISSING_ABSENT;
	if (!runner->mask)
		return MISSING_UNKNOWN;
	return mask_hides(runner->mask, type->number) ? MISSING_MASKED : MISSING_QUIET;
}

/*
 * Return the class of @of if at least MISSING_CLASS_MIN of @words are in this class, all of these
 * words are missing for the reason @why, and the trace has no event of the class. Otherwise, return
 * NULL.
 */
static const struct lkst_class *missing_class(const struct runner *runner, const char *const *words,
					      const struct lkst_etype *of, enum missing_why why)
{
	const struct lkst_class *class = of ? lkst_class_of(of->number) : NULL;
	size_t num = 0;

	if (!class || why == MISSING_ABSENT)
		return NULL;
	for (uint32_t type = class->first; type <= class->last; type++)
		if (missing_has_type(runner, type))
			return NULL;
	for (; *words; words++) {
		const struct lkst_etype *type = missing_etype(runner->run.types, *words);

		if (!type || lkst_class_of(type->number) != class)
			continue;
		if (missing_why(runner, type) != why)
			return NULL;
		num++;
	}
	return num >= MISSING_CLASS_MIN ? class : NULL;
}

/*
 * List the events, or their classes, that are missing for the reason @why. Returns the number of
 * events in the list, where a class counts as two events.
 */
static size_t missing_list(const struct runner *runner, const char *const *words,
			   enum missing_why why, const char *separator, char text[MISSING_SIZE])
{
	const struct lkst_class *last = NULL;
	size_t len = 0, num = 0;

	*text = 0;
	for (const char *const *word = words; word && *word; word++) {
		const struct lkst_etype *type = missing_etype(runner->run.types, *word);
		const struct lkst_class *class;
		char name[64];

		if (missing_why(runner, type) != why)
			continue;
		class = missing_class(runner, words, type, why);
		if (class && class == last)
			continue;
		last = class;
		missing_name(type, *word, name);
		len += (size_t)snprintf(text + len, MISSING_SIZE - len, "%s%s%s",
					num ? separator : "", class ? "class:" : "",
					class ? class->name : name);
		if (len >= MISSING_SIZE)
			len = MISSING_SIZE - 1;
		num += class ? 2 : 1;
	}
	return num;
}

/*
 * Return whether one of the events that are missing for the reason @why is a lock event. Lock
 * events cannot be recorded while lkstlogd is running.
 */
static bool missing_has_locks(const struct runner *runner, const char *const *words,
			      enum missing_why why)
{
	for (const char *const *word = words; word && *word; word++) {
		const struct lkst_etype *type = missing_etype(runner->run.types, *word);

		if (type && type->number >= LKST_ETYPE_LOCK_MIN &&
		    type->number <= LKST_ETYPE_LOCK_MAX && missing_why(runner, type) == why)
			return true;
	}
	return false;
}

static void missing_add(char text[MISSING_SIZE], const char *part)
{
	size_t len = strlen(text);

	snprintf(text + len, MISSING_SIZE - len, "%s%s", len ? "; " : "", part);
}

/*
 * Add the events that are missing for the reason @why to @text: @before, the list of the events,
 * @after, and how to record the events.
 */
static void missing_add_part(const struct runner *runner, const char *const *words,
			     enum missing_why why, const char *before, const char *after,
			     char text[MISSING_SIZE])
{
	char list[MISSING_SIZE], part[3 * MISSING_SIZE];
	size_t num = missing_list(runner, words, why, ", ", list);
	int len;

	if (!num)
		return;
	len = snprintf(part, sizeof(part), "%s%s%s", before, list, after);
	if (why == MISSING_MASKED || why == MISSING_UNKNOWN) {
		missing_list(runner, words, why, ",", list);
		snprintf(part + len, sizeof(part) - (size_t)len,
			 " (to record %s: lkstm config %s entry_log%s)", num > 1 ? "them" : "it", list,
			 missing_has_locks(runner, words, why) ?
				 "; lock events cannot be recorded while lkstlogd is running" :
				 "");
	}
	missing_add(text, part);
}

/**
 * missing_text() - describe the events that the trace does not contain, and how to record them
 * @runner: run
 * @words: mnemonics or names of events, ending with NULL; may be NULL
 * @quiet: include events that would have been recorded, but did not happen
 * @text: result, empty if no event is missing
 */
void missing_text(const struct runner *runner, const char *const *words, bool quiet,
		  char text[MISSING_SIZE])
{
	*text = 0;
	missing_add_part(runner, words, MISSING_MASKED, "", " not recorded", text);
	missing_add_part(runner, words, MISSING_UNKNOWN, "no ", " in the trace", text);
	missing_add_part(runner, words, MISSING_ABSENT,
			 run_is_kmemtrace(&runner->run) ? "kmemtrace does not record " :
							  "that kernel cannot record ",
			 "", text);
	if (quiet)
		missing_add_part(runner, words, MISSING_QUIET, "no ", " happened", text);
}

static bool missing_any_is(const struct runner *runner, const char *const *words,
			   enum missing_why why)
{
	for (; *words; words++)
		if (missing_why(runner, missing_etype(runner->run.types, *words)) == why)
			return true;
	return false;
}

/**
 * missing_has_any() - check whether the trace has at least one of these events
 * @runner: run
 * @words: mnemonics or names of events, ending with NULL
 */
bool missing_has_any(const struct runner *runner, const char *const *words)
{
	return missing_any_is(runner, words, MISSING_NOT);
}

/**
 * missing_is_unsure() - check whether it is unknown why the trace lacks one of these events
 * @runner: run
 * @words: mnemonics or names of events, ending with NULL
 *
 * Return: true if the trace does not show whether one of the events did not happen, or was not
 * recorded.
 */
bool missing_is_unsure(const struct runner *runner, const char *const *words)
{
	return missing_any_is(runner, words, MISSING_UNKNOWN);
}
