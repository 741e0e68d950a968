// SPDX-License-Identifier: GPL-2.0
/* Prints the trees of lkstla why: as text, as JSON, and as a table for CSV. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "lib/base/error.h"
#include "lib/text/timestamp.h"
#include "lkstla/wrap.h"
#include "why.h"

static const char *const why_kind_words[WHY_KINDS] = {
	"running", "runnable", "blocked", "unknown", "absent",	"short",
	"until",   "timer",    "pending", "disk",    "handler", "cpu",
};

/* ---- text ---- */

static void why_put_head(struct why *why, const struct why_delay *delay, unsigned int width,
			 FILE *to)
{
	char begin[LKST_TIMESTAMP_SIZE], end[LKST_TIMESTAMP_SIZE], name[40], ms[32];
	double explained = why_explained(why, delay) * 100;
	char *text = NULL;
	size_t len;
	FILE *head = open_memstream(&text, &len);

	if (!head)
		return;
	fprintf(head, "%s ", run_thread_name(why->run, delay->thread, name));
	if (delay->in_call)
		why_put_call(why, &delay->call, head);
	else if (*why->marks.from)
		fprintf(head, "from %s to %s", why->marks.from, why->marks.to);
	else
		fprintf(head, "outside of a system call");
	/* Show 100 % only if everything is explained, so do not round up to it. */
	if (explained > 99.9 && explained < 100)
		explained = 99.9;
	fprintf(head, " %s .. %s %s%s, explained %.*f %%",
		lkst_timestamp_text(delay->begin_ns, begin),
		lkst_timestamp_text(delay->end_ns, end),
		why_ms(delay->end_ns - delay->begin_ns, ms),
		delay->begin_known ? "" : " in the window", explained < 100 && explained > 0,
		explained);
	fclose(head);
	if (text)
		wrap_text(text, 0, width, to);
	putc('\n', to);
	free(text);
}

/* Return the segment that is printed after @i; 0: none. */
static size_t why_after(const struct why *why, size_t i)
{
	if (why->pool[i].child)
		return why->pool[i].child;
	while (i && !why->pool[i].next)
		i = why->pool[i].parent;
	return why->pool[i].next;
}

static void why_put_segment(const struct why *why, const struct why_delay *delay,
			    const struct why_segment *segment, unsigned int width, FILE *to)
{
	int64_t ns = segment->end_ns - segment->begin_ns;
	char ms[32], percent[16] = "";
	int column;

	(void)why;
	if (!segment->depth)
		snprintf(percent, sizeof(percent), "%5.1f %%",
			 100 * (double)ns / (double)(delay->end_ns - delay->begin_ns));
	column = fprintf(to, "%*s%14s  %7s  ", 2 * segment->depth, "", why_ms(ns, ms), percent);
	wrap_text(segment->text, column > 0 ? (size_t)column : 0, width, to);
	if (segment->cut && segment->kind != WHY_MANY)
		fputs(" ...", to);
	putc('\n', to);
}

/**
 * why_put_delay() - print a delay that why_explain() has explained
 * @why: state of the analysis
 * @delay: delay
 * @width: width of the terminal in characters; 0: unlimited
 * @to: output
 */
void why_put_delay(struct why *why, const struct why_delay *delay, unsigned int width, FILE *to)
{
	why_put_head(why, delay, width, to);
	for (size_t i = why->pool[0].child; i; i = why_after(why, i))
		why_put_segment(why, delay, &why->pool[i], width, to);
}

static int why_print_text(struct why *why, const struct why_delays *delays, struct tables *to,
			  struct lkst_error *err)
{
	unsigned int width = terminal_width();
	size_t len;
	FILE *file = open_memstream(&to->text, &len);
	int failed;

	if (!file) {
		lkst_error_memory(err, "why");
		return -1;
	}
	for (size_t i = 0; i < delays->num; i++) {
		why_explain(why, &delays->delay[i]);
		if (i)
			putc('\n', file);
		why_put_delay(why, &delays->delay[i], width, file);
	}
	failed = ferror(file);
	if (!fclose(file) && !failed)
		return 0;
	lkst_error_memory(err, "why");
	return -1;
}

/* ---- JSON ---- */

static void why_json_thread(const struct why *why, struct json_object *to, const char *key,
			    const struct lkst_thread *thread)
{
	char name[40];

	if (thread)
		json_text(to, key, run_thread_name(why->run, thread, name));
	else
		json_put(to, key, NULL);
}

static struct json_object *why_json_children(const struct why *why, size_t parent)
{
	struct json_object *list = json_list();

	for (size_t i = why->pool[parent].child; i; i = why->pool[i].next) {
		const struct why_segment *segment = &why->pool[i];
		struct json_object *entry = json_new();

		json_text(entry, "kind", why_kind_words[segment->kind]);
		json_int(entry, "begin_ns", segment->begin_ns);
		json_int(entry, "end_ns", segment->end_ns);
		why_json_thread(why, entry, "thread", segment->thread);
		json_id(entry, "cpu", segment->cpu, -1);
		why_json_thread(why, entry, "by", segment->other);
		json_flag(entry, "explained", segment->explained);
		json_flag(entry, "cut", segment->cut);
		json_text(entry, "text", segment->text);
		/* At most WHY_DEPTH_MAX levels */
		json_put(entry, "segments", why_json_children(why, i));
		json_add(list, entry);
	}
	return list;
}

static void why_json_call(const struct why *why, struct json_object *to,
			  const struct why_delay *delay)
{
	char *text = NULL;
	size_t len;
	FILE *file = delay->in_call ? open_memstream(&text, &len) : NULL;

	if (file) {
		why_put_call(why, &delay->call, file);
		fclose(file);
	}
	if (text)
		json_text(to, "call", text);
	else
		json_put(to, "call", NULL);
	free(text);
}

static void why_print_json(struct why *why, const struct why_delays *delays, struct tables *to)
{
	to->json = json_list();
	for (size_t i = 0; i < delays->num; i++) {
		const struct why_delay *delay = &delays->delay[i];
		struct json_object *entry = json_new();

		why_explain(why, delay);
		why_json_thread(why, entry, "thread", delay->thread);
		json_uint(entry, "tid", delay->thread->tid);
		why_json_call(why, entry, delay);
		json_int(entry, "begin_ns", delay->begin_ns);
		json_int(entry, "end_ns", delay->end_ns);
		json_flag(entry, "begin_known", delay->begin_known);
		json_flag(entry, "end_known", delay->end_known);
		json_real(entry, "explained", why_explained(why, delay));
		json_put(entry, "segments", why_json_children(why, 0));
		json_add(to->json, entry);
	}
}

/* ---- CSV ---- */

static const struct column why_columns[] = {
	{ "delay", "delay", COLUMN_COUNT },
	{ "depth", "depth", COLUMN_COUNT },
	{ "begin", "begin_ns", COLUMN_TIME },
	{ "end", "end_ns", COLUMN_TIME },
	{ "kind", "kind", COLUMN_TEXT },
	{ "thread", "thread", COLUMN_TEXT },
	{ "cpu", "cpu", COLUMN_COUNT },
	{ "by", "by", COLUMN_TEXT },
	{ "explained", "explained", COLUMN_COUNT },
	{ "text", "text", COLUMN_TEXT },
};

static int why_add_row(const struct why *why, struct table *table, size_t delay,
		       const struct why_segment *segment, struct lkst_error *err)
{
	char name[40], by[40];
	const struct cell cell[] = {
		CELL(delay),
		CELL(segment->depth),
		CELL(segment->begin_ns),
		CELL(segment->end_ns),
		CELL_TEXT(why_kind_words[segment->kind]),
		segment->thread ? CELL_TEXT(run_thread_name(why->run, segment->thread, name)) :
				  CELL_NONE,
		segment->cpu >= 0 ? CELL(segment->cpu) : CELL_NONE,
		segment->other ? CELL_TEXT(run_thread_name(why->run, segment->other, by)) :
				 CELL_NONE,
		CELL(segment->explained),
		CELL_TEXT(segment->text),
	};

	return table_add(table, cell, err);
}

static int why_print_table(struct why *why, const struct why_delays *delays, struct tables *to,
			   struct lkst_error *err)
{
	struct table *table = table_new("why", "Segments", why_columns,
					sizeof(why_columns) / sizeof(*why_columns), err);

	if (!table)
		return -1;
	to->table[to->num++] = table;
	for (size_t i = 0; i < delays->num; i++) {
		why_explain(why, &delays->delay[i]);
		for (size_t k = why->pool[0].child; k; k = why_after(why, k))
			if (why_add_row(why, table, i + 1, &why->pool[k], err))
				return -1;
	}
	return 0;
}

/**
 * why_print() - explain and print delays
 * @why: state of the analysis
 * @delays: delays
 * @to: result
 * @err: set if an allocation fails
 */
int why_print(struct why *why, const struct why_delays *delays, struct tables *to,
	      struct lkst_error *err)
{
	if (why->run->args->csv)
		return why_print_table(why, delays, to, err);
	if (!why->run->args->json)
		return why_print_text(why, delays, to, err);
	why_print_json(why, delays, to);
	return 0;
}
