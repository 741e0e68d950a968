/* SPDX-License-Identifier: GPL-2.0 */
/* Provides the findings of lkstla report to another analysis. */
#ifndef _LKSTLA_FINDINGS_H
#define _LKSTLA_FINDINGS_H

#include "analysis.h"

struct json_object;

/**
 * struct report_arguments - options of lkstla report
 * @thresholds: --thresholds
 * @threshold: --threshold
 * @html: --html
 */
struct report_arguments {
	bool thresholds;
	struct option_words threshold;
	const char *html;
};

/**
 * struct finding - a finding, and its worst occurrence
 * @name: name of the rule, as in lkstla-findings(7)
 * @text: sentence about the worst occurrence
 * @more: command that shows more
 * @count: number of occurrences
 * @begin_ns: start of the worst occurrence; 0: unknown
 * @at_ns: end of the worst occurrence; 0: it has no time
 * @thread: thread to which it happened; NULL: none or unknown
 * @other: thread that caused it; NULL: none or unknown
 * @cpu: CPU; -1: none or unknown
 */
struct finding {
	const char *name;
	const char *text;
	const char *more;
	uint64_t count;
	int64_t begin_ns;
	int64_t at_ns;
	const struct lkst_thread *thread;
	const struct lkst_thread *other;
	int32_t cpu;
};

typedef void finding_observer(void *ctx, const struct finding *finding);

/**
 * struct findings_page - what lkstla report prints other than findings
 * @death: the last minute of a dead machine; NULL: the machine is not dead, or this is unknown
 * @none: text about the rules that were applied, if there are no findings; otherwise NULL
 * @history: what the long rings show, as in --json; NULL: nothing
 * @tables: the tables as in --json, but with times relative to the start of the window
 */
struct findings_page {
	char *death;
	char *none;
	struct json_object *history;
	struct json_object *tables;
};

/*
 * Begin to collect findings. The caller must pass the result to analysis_report.early(), to the
 * functions in analysis_report.ops, and at the end to analysis_report.free().
 */
void *findings_start(const struct run *run, const struct report_arguments *args,
		     struct lkst_error *err);

void findings_finish(void *findings);
int findings_make_page(void *findings, struct findings_page *page, struct lkst_error *err);
int findings_each(void *findings, finding_observer *observer, void *ctx, struct lkst_error *err);

#endif
