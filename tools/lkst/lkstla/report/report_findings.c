// SPDX-License-Identifier: GPL-2.0
/* Keeps the worst occurrence of each rule, and ranks the findings. */
#include "lkstla/tally.h"
#include "report.h"

/**
 * report_is_worst() - check whether an occurrence would be the worst one of a rule
 * @report: report
 * @id: rule
 * @value: value of the occurrence
 *
 * If it would not be the worst one, the caller need not find out its details.
 */
bool report_is_worst(const struct report *report, enum report_rule_id id, int64_t value)
{
	return !report->finding[id].any || value > report->finding[id].worst.value;
}

/**
 * report_add() - add an occurrence
 * @report: report
 * @id: rule
 * @found: occurrence. If it is not the worst one, only its value matters
 */
void report_add(struct report *report, enum report_rule_id id, const struct report_case *found)
{
	struct report_finding *finding = &report->finding[id];

	if (report_is_worst(report, id, found->value)) {
		finding->worst = *found;
		finding->any = true;
	}
	if (report_rules[id].unit != UNIT_COUNT && found->value < finding->threshold)
		return;
	finding->count++;
	finding->total = tally_sum(finding->total, found->value);
}

/**
 * report_is_off() - check whether a rule is not applied, because of -p or of missing events
 * @report: report
 * @id: rule
 */
bool report_is_off(const struct report *report, enum report_rule_id id)
{
	const struct report_rule *rule = &report_rules[id];

	return (rule->flags & REPORT_CPUS && report->run->args->processes.num) ||
	       report_lacks(report->run, rule);
}

/* Return the value by which findings of the same rank are sorted, the highest first. */
static double report_cost(const struct report_finding *finding, enum report_rank rank)
{
	if (rank == RANK_DELAY)
		return (double)finding->total;
	return (double)finding->worst.value / (double)finding->threshold;
}

static bool report_is_finding(const struct report *report, enum report_rule_id id)
{
	const struct report_finding *finding = &report->finding[id];

	if (!finding->count || report_is_off(report, id))
		return false;
	return report_rules[id].unit != UNIT_COUNT || finding->total >= finding->threshold;
}

static bool report_precedes(const struct report *report, enum report_rule_id a,
			    enum report_rule_id b)
{
	enum report_rank rank = report_rules[a].rank;

	if (rank != report_rules[b].rank)
		return rank < report_rules[b].rank;
	return rank != RANK_TROUBLE &&
	       report_cost(&report->finding[a], rank) > report_cost(&report->finding[b], rank);
}

/**
 * report_rank() - put the findings in order
 * @report: report
 */
void report_rank(struct report *report)
{
	report->findings = 0;
	for (int i = 0; i < REPORT_RULES; i++) {
		enum report_rule_id id = (enum report_rule_id)i;
		size_t at = report->findings;

		if (!report_is_finding(report, id))
			continue;
		for (; at && report_precedes(report, id, report->order[at - 1]); at--)
			report->order[at] = report->order[at - 1];
		report->order[at] = id;
		report->findings++;
	}
}
