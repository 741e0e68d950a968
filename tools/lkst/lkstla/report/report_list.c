// SPDX-License-Identifier: GPL-2.0
/* Provides the findings, and the rest of the report, to lkstla html. */
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "lib/base/error.h"
#include "lkstla/findings.h"
#include "report.h"

#define LIST_THREADS 20 /* maximum number of rows in the table of threads */

/**
 * findings_start() - begin to collect occurrences, which may become findings
 * @run: run
 * @args: options, of which only the thresholds are used
 * @err: set if an option is invalid, or an allocation fails
 */
void *findings_start(const struct run *run, const struct report_arguments *args,
		     struct lkst_error *err)
{
	return report_new(run, args, err);
}

static int report_list_findings_show(const struct report *report, enum report_rule_id id,
				     finding_observer *observer, void *ctx, struct lkst_error *err)
{
	const struct report_finding *finding = &report->finding[id];
	const struct report_case *worst = &finding->worst;
	char *text, *more = NULL;
	int ret = -1;

	if (!report_expand(report, id, report_rules[id].text, &text, err) &&
	    !report_more(report, id, &more, err)) {
		observer(ctx, &(struct finding){ .name = report_rules[id].name,
						 .text = text,
						 .more = more,
						 .count = finding->count,
						 .begin_ns = worst->begin_ns,
						 .at_ns = worst->at_ns,
						 .thread = worst->thread,
						 .other = worst->other,
						 .cpu = worst->cpu });
		ret = 0;
	}
	free(text);
	free(more);
	return ret;
}

/**
 * findings_finish() - complete the findings after the last event, and sort them
 * @findings: from findings_start(), after the last event
 */
void findings_finish(void *findings)
{
	report_finish_parts(findings);
	report_rank(findings);
}

/**
 * findings_each() - list the findings
 * @findings: after findings_finish()
 * @observer: called for each finding, in the order of lkstla report
 * @ctx: argument of @observer
 * @err: set if an allocation fails
 */
int findings_each(void *findings, finding_observer *observer, void *ctx, struct lkst_error *err)
{
	const struct report *report = findings;

	for (size_t i = 0; i < report->findings; i++)
		if (report_list_findings_show(report, report->order[i], observer, ctx, err))
			return -1;
	return 0;
}

/* ---- the rest of the report ---- */

/*
 * Return the text about the last minute of a dead machine; "" if the machine is not known to be
 * dead; NULL if an allocation fails.
 */
static char *list_death(const struct report *report, struct lkst_error *err)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	int failed;

	if (to) {
		failed = report_death.text(report->death, 0, to, err);
		if (!fclose(to) && !failed)
			return text;
		free(text);
		if (failed)
			return NULL;
	}
	lkst_error_memory(err, "the report");
	return NULL;
}

static struct json_object *list_tables(struct report *report, struct lkst_error *err)
{
	struct json_object *all = NULL;
	struct tables tables = { 0 };

	if (!report_add_tables(report, &tables, err)) {
		all = json_new();
		for (size_t i = 0; i < tables.num; i++) {
			struct table *table = tables.table[i];

			table_shift_times(table, report->run->begin_ns);
			if (!strcmp(table_name(table), "sched") &&
			    !table_sort(table, "run-ms", err))
				table_limit(table, LIST_THREADS);
			json_put(all, table_name(table), table_json(table));
		}
	}
	for (size_t i = 0; i < tables.num; i++)
		table_free(tables.table[i]);
	return all;
}

/**
 * findings_make_page() - get what lkstla report prints other than findings
 * @findings: after findings_finish()
 * @page: result; the caller frees its members
 * @err: set if an allocation fails
 */
int findings_make_page(void *findings, struct findings_page *page, struct lkst_error *err)
{
	struct report *report = findings;
	char none[REPORT_NONE_SIZE];

	*page = (struct findings_page){ 0 };
	if (report_death.finish(report->death, err))
		return -1;
	page->death = list_death(report, err);
	if (!page->death)
		return -1;
	if (!*page->death) {
		free(page->death);
		page->death = NULL;
	}
	if (history_read(report->run, &report->past, err))
		return -1;
	page->history = history_json(report->past, report->run->begin_ns);
	page->tables = list_tables(report, err);
	if (!page->tables)
		return -1;
	if (report->findings)
		return 0;
	report_none_text(report, none, sizeof(none));
	page->none = strdup(none);
	if (page->none)
		return 0;
	lkst_error_memory(err, "the report");
	return -1;
}
