// SPDX-License-Identifier: GPL-2.0
/*
 * The action trace(EVENT,FIELD...): parsing it, and getting the values of the
 * synthetic event. In a watch, these values can come from both events of a
 * span.
 */
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "../base/number.h"
#include "trace.h"
#include "watch.h"

/* Words that are not fields of the event itself; only in a watch. */
#define TRACE_BEGIN	"begin."
#define TRACE_SPAN	"span"

/* Arguments for "%.*s" that print a word, which is cut if it is long. */
#define TRACE_SHOWN	60
#define TRACE_WORD(word)	(int)min_t(u32, (word)->len, TRACE_SHOWN), (word)->at

/* ---- parsing ---- */

static bool trace_is(const struct lkst_filter_word *word, const char *text)
{
	return word->len == strlen(text) && !memcmp(word->at, text, word->len);
}

static bool trace_begins(const struct lkst_filter_word *word, const char *text)
{
	return word->len > strlen(text) && !memcmp(word->at, text, strlen(text));
}

static void trace_skip(struct lkst_filter_word *word, u32 len)
{
	word->at += len;
	word->start += len;
	word->len -= len;
}

/*
 * Take the next argument, without the blanks around it. After the last one,
 * @rest->at is NULL.
 */
static struct lkst_filter_word trace_next(struct lkst_filter_word *rest)
{
	const char *comma = memchr(rest->at, ',', rest->len);
	struct lkst_filter_word word = *rest;

	if (comma) {
		word.len = comma - rest->at;
		trace_skip(rest, word.len + 1);
	} else {
		rest->at = NULL;
	}
	while (word.len && (*word.at == ' ' || *word.at == '\t'))
		trace_skip(&word, 1);
	while (word.len && (word.at[word.len - 1] == ' ' || word.at[word.len - 1] == '\t'))
		word.len--;
	return word;
}

/* Let a watch keep a field of the events that begin its spans. */
static int trace_keep(struct lkst_action_parser *parser, struct lkst_trace_source *source,
		      struct lkst_filter_word word, const struct lkst_synth_field *to)
{
	struct lkst_watch_values *begin = parser->begin;
	unsigned int words = DIV_ROUND_UP(to->size, sizeof(u64));
	struct lkst_watch_value *value;

	trace_skip(&word, strlen(TRACE_BEGIN));
	if (begin->num == LKST_WATCH_VALUES || begin->words + words > LKST_WATCH_WORDS) {
		lkst_filter_error(&parser->filter, word.start,
				  "too many fields of the begin (at most %d, of %d bytes)",
				  LKST_WATCH_VALUES, (int)(LKST_WATCH_WORDS * sizeof(u64)));
		return -EINVAL;
	}
	source->from = LKST_TRACE_BEGIN;
	value = &begin->value[begin->num];
	if (word.len >= sizeof(value->name)) {
		lkst_filter_error(&parser->filter, word.start,
				  "the name of a field is longer than %d characters",
				  (int)sizeof(value->name) - 1);
		return -EINVAL;
	}
	memcpy(value->name, word.at, word.len);
	value->word = begin->words;
	value->field.is_text = to->is_text;
	value->field.size = to->is_text ? to->size : sizeof(u64);
	source->word = begin->words;
	begin->words += words;
	begin->num++;
	return 0;
}

/* Use the length of the span as the value for a field. */
static int trace_span(struct lkst_action_parser *parser, struct lkst_trace_source *source,
		      const struct lkst_filter_word *word, const struct lkst_synth_field *to)
{
	source->from = LKST_TRACE_SPAN;
	if (!to->is_text)
		return 0;
	lkst_filter_error(&parser->filter, word->start,
			  "\"%.*s\" is a number, but the field for it is a string",
			  TRACE_WORD(word));
	return -EINVAL;
}

/* Parse the value for a field. */
static int trace_source(struct lkst_action_parser *parser, struct lkst_trace_source *source,
			const struct lkst_filter_word *word, const struct lkst_synth_field *to)
{
	const struct lkst_filter_field *from;

	if (trace_begins(word, TRACE_BEGIN) && parser->begin)
		return trace_keep(parser, source, *word, to);
	if (trace_begins(word, TRACE_BEGIN)) {
		lkst_filter_error(&parser->filter, word->start,
				  "\"%.*s\" exists only in the actions of a watch",
				  TRACE_WORD(word));
		return -EINVAL;
	}
	if (trace_is(word, TRACE_SPAN) && parser->begin)
		return trace_span(parser, source, word, to);
	from = lkst_filter_find(&parser->filter, word->at, word->len);
	if (!from) {
		lkst_filter_unknown(&parser->filter, word->start, word->at, word->len);
		return -EINVAL;
	}
	return lkst_synth_set_load(&source->load, &parser->filter, word->start, from, to);
}

static int trace_sources(struct lkst_action_parser *parser, struct lkst_trace *trace,
			 struct lkst_filter_word *rest)
{
	const struct lkst_synth *synth = trace->synth;
	u32 end = rest->start + rest->len;
	struct lkst_filter_word word;
	unsigned int i;
	int ret;

	for (i = 0; i < synth->num && rest->at; i++) {
		word = trace_next(rest);
		ret = trace_source(parser, &trace->source[i], &word, &synth->field[i]);
		if (ret)
			return ret;
	}
	if (i == synth->num && !rest->at)
		return 0;
	lkst_filter_error(&parser->filter, rest->at ? rest->start : end,
			  "too %s values (want %u, one for each field of the event)",
			  rest->at ? "many" : "few", synth->num);
	return -EINVAL;
}

/**
 * lkst_trace_parse() - parse the arguments of the action trace()
 * @parser: parser of the rule
 * @action: receives the private data
 * @args: the arguments
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL after an error, which is in @parser; or -ENOMEM. Even
 * after an error, the caller frees the private data with the action.
 */
int lkst_trace_parse(struct lkst_action_parser *parser, struct lkst_action *action,
		     const struct lkst_filter_word *args)
{
	struct lkst_filter_word rest = *args, name = trace_next(&rest);
	struct lkst_synth *synth = lkst_synth_get(name.at, name.len);
	struct lkst_trace *trace;
	size_t bytes;

	if (!synth) {
		lkst_filter_error(&parser->filter, name.start,
				  "there is no synthetic event \"%.*s\" (want one that was added)",
				  TRACE_WORD(&name));
		return -EINVAL;
	}
	bytes = struct_size(trace, source, synth->num);
	trace = kzalloc(bytes, GFP_KERNEL);
	if (!trace) {
		lkst_synth_put(synth);
		return -ENOMEM;
	}
	trace->synth = synth;
	action->private = trace;
	parser->program->bytes += bytes;
	if (!rest.at) {
		rest = name;
		trace_skip(&rest, rest.len);
		rest.at = NULL;
	}
	return trace_sources(parser, trace, &rest);
}

/* Free an action that no event can use. */
void lkst_trace_free(void *private)
{
	struct lkst_trace *trace = private;

	lkst_synth_put(trace->synth);
	kfree(trace);
}

/* ---- values ---- */

/**
 * lkst_trace_fill() - get the values of a synthetic event
 * @trace: the action
 * @record: values of the event that causes the action. In the actions of a
 *	watch, this is a member of struct lkst_watch_ended
 * @payload: receives the values
 *
 * Context: as for lkst_rule_apply().
 *
 * Return: false if the event lacks a field.
 */
notrace bool lkst_trace_fill(const struct lkst_trace *trace,
			     const struct lkst_filter_record *record, char *payload)
{
	const struct lkst_watch_ended *ended = container_of(record, struct lkst_watch_ended,
							     record);
	unsigned int i;

	for (i = 0; i < trace->synth->num; i++) {
		const struct lkst_trace_source *source = &trace->source[i];
		const struct lkst_synth_field *field = &trace->synth->field[i];
		char *to = payload + field->offset;

		/* Only the parser of a watch stores sources that need @ended. */
		if (source->from == LKST_TRACE_SPAN)
			lkst_number_store(to, ended->span.ns, field->size);
		else if (source->from == LKST_TRACE_BEGIN && field->is_text)
			memcpy(to, &ended->value[source->word], field->size);
		else if (source->from == LKST_TRACE_BEGIN)
			lkst_number_store(to, ended->value[source->word], field->size);
		else if (!lkst_synth_load(&source->load, record, to))
			return false;
	}
	return true;
}
