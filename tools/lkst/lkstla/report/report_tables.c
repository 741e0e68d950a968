// SPDX-License-Identifier: GPL-2.0
/* The tables of lkstla report. JSON and CSV consist of all tables; the page shows some of them. */
#include <stdio.h>
#include <stdlib.h>

#include "lkstla/sched.h"
#include "lkstla/value.h"
#include "report.h"

#define NUM(array) (sizeof(array) / sizeof(*(array)))

static const struct column finding_columns[] = {
	{ "finding", "finding", COLUMN_TEXT },
	{ "count", "count", COLUMN_COUNT },
	{ "worst", "worst", COLUMN_REAL },
	{ "total", "total", COLUMN_REAL },
	{ "threshold", "threshold", COLUMN_REAL },
	{ "unit", "unit", COLUMN_TEXT },
	{ "begin", "begin_ns", COLUMN_TIME },
	{ "at", "at_ns", COLUMN_TIME },
	{ "thread", "thread", COLUMN_TEXT },
	{ "by", "by", COLUMN_TEXT },
	{ "CPU", "cpu", COLUMN_COUNT },
	{ "text", "text", COLUMN_TEXT },
	{ "more", "more", COLUMN_TEXT },
};

static const struct column worst_columns[] = {
	{ "worst", "finding", COLUMN_TEXT },
	{ "ms", "worst_ns", COLUMN_MS },
	{ "at", "at_ns", COLUMN_TIME },
	{ "what", "text", COLUMN_TEXT },
};

static const struct column missing_columns[] = {
	{ "not looked for", "finding", COLUMN_TEXT },
	{ "events", "events", COLUMN_TEXT },
};

static struct cell report_time_cell(int64_t time_ns)
{
	return time_ns ? CELL(time_ns) : CELL_NONE;
}

static int report_add_finding(const struct report *report, enum report_rule_id id,
			      struct table *table, struct lkst_error *err)
{
	const struct report_finding *finding = &report->finding[id];
	const struct report_case *worst = &finding->worst;
	const struct report_rule *rule = &report_rules[id];
	char thread[40], other[40], *text, *more = NULL;
	int ret = -1;

	if (!report_expand(report, id, rule->text, &text, err) &&
	    !report_more(report, id, &more, err))
		ret = table_add(
			table,
			(struct cell[]){ CELL_TEXT(rule->name), CELL(finding->count),
					 CELL_REAL(report_real(rule->unit, worst->value)),
					 CELL_REAL(report_real(rule->unit, finding->total)),
					 CELL_REAL(report_real(rule->unit, finding->threshold)),
					 CELL_TEXT(report_unit_name(rule->unit)),
					 report_time_cell(worst->begin_ns),
					 report_time_cell(worst->at_ns),
					 value_thread_cell(report->run, worst->thread, thread),
					 value_thread_cell(report->run, worst->other, other),
					 worst->cpu >= 0 ? CELL(worst->cpu) : CELL_NONE,
					 CELL_TEXT(text), CELL_TEXT(more) },
			err);
	free(text);
	free(more);
	return ret;
}

static int report_add_findings(const struct report *report, struct tables *to,
			       struct lkst_error *err)
{
	struct table *table =
		value_table(to, "findings", "Findings", finding_columns, NUM(finding_columns), err);
	int ret = table ? 0 : -1;

	for (size_t i = 0; i < report->findings && !ret; i++)
		ret = report_add_finding(report, report->order[i], table, err);
	return ret;
}

static int report_add_worst(const struct report *report, struct tables *to, struct lkst_error *err)
{
	struct table *table = value_table(to, "worst", "Worst of each kind", worst_columns,
					  NUM(worst_columns), err);
	int ret = table ? 0 : -1;

	for (int i = 0; i < REPORT_RULES && !ret; i++) {
		const struct report_finding *finding = &report->finding[i];
		char *text;

		if (!finding->any || report_rules[i].unit != UNIT_TIME)
			continue;
		ret = report_expand(report, (enum report_rule_id)i, report_rules[i].text, &text,
				    err);
		if (!ret)
			ret = table_add(table,
					(struct cell[]){ CELL_TEXT(report_rules[i].name),
							 CELL(finding->worst.value),
							 report_time_cell(finding->worst.at_ns),
							 CELL_TEXT(text) },
					err);
		free(text);
	}
	return ret;
}

static int report_add_missing(const struct report *report, struct tables *to,
			      struct lkst_error *err)
{
	struct table *table = value_table(to, "not_looked_for", "Not looked for", missing_columns,
					  NUM(missing_columns), err);
	int ret = table ? 0 : -1;

	for (int i = 0; i < REPORT_RULES && !ret; i++) {
		char events[1024] = "";
		struct cell cell[] = { CELL_TEXT(report_rules[i].name), CELL_NONE };

		if (!report_is_off(report, (enum report_rule_id)i))
			continue;
		if (report_lacks(report->run, &report_rules[i])) {
			report_missing_text(report->run, report_rules[i].needs, events,
					    sizeof(events));
			cell[1] = CELL_TEXT(events);
		}
		ret = table_add(table, cell, err);
	}
	return ret;
}

/**
 * report_add_tables() - add all tables
 * @report: report, whose findings have been ranked
 * @to: result
 * @err: set if an allocation fails
 */
int report_add_tables(struct report *report, struct tables *to, struct lkst_error *err)
{
	return report_add_findings(report, to, err) ||
			       analysis_cpu.report(report->part[PART_CPU], report->run, to, err) ||
			       sched_report_threads(report->part[PART_SCHED], report->run, to,
						    err) ||
			       report_add_worst(report, to, err) ||
			       report_add_missing(report, to, err) ?
		       -1 :
		       0;
}
