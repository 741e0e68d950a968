// SPDX-License-Identifier: GPL-2.0
/* Lists the findings for another analysis. */
#include <stdlib.h>

#include "lkstla/findings.h"
#include "report.h"

/**
 * findings_start() - collect what may become findings, with the default thresholds
 * @run: run
 * @err: set if an allocation fails
 */
void *findings_start(const struct run *run, struct lkst_error *err)
{
	static const struct report_arguments defaults;

	return report_new(run, &defaults, err);
}

static int findings_show(const struct report *report, enum report_rule_id id,
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
 * findings_finish() - find what only the whole trace shows, and order the findings
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
 * @ctx: its argument
 * @err: set if an allocation fails
 */
int findings_each(void *findings, finding_observer *observer, void *ctx, struct lkst_error *err)
{
	const struct report *report = findings;

	for (size_t i = 0; i < report->findings; i++)
		if (findings_show(report, report->order[i], observer, ctx, err))
			return -1;
	return 0;
}
