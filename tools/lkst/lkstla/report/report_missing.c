// SPDX-License-Identifier: GPL-2.0
/* Finds the rules that cannot be applied because the trace lacks their events. */
#include <stdio.h>

#include "lkstla/mask.h"
#include "lkstla/missing.h"
#include "report.h"

/* Return whether an event is known not to have been recorded. */
static bool report_is_masked(const struct runner *runner, const char *word)
{
	const struct lkst_etype *type = missing_etype(runner->run.types, word);

	return !type || !type->present || (runner->mask && mask_hides(runner->mask, type->number));
}

/**
 * report_lacks() - check whether the trace lacks events that a rule needs
 * @run: run
 * @rule: rule
 *
 * With REPORT_RARE, an event that the trace lacks counts only if it cannot have been recorded.
 */
bool report_lacks(const struct run *run, const struct report_rule *rule)
{
	const struct runner *runner = runner_of(run);
	bool lacks = false, has = false;

	for (const char *const *word = rule->needs; *word; word++) {
		const struct lkst_etype *type = missing_etype(run->types, *word);
		bool in_trace = type && missing_has_type(runner, type->number);

		has |= in_trace;
		if (!in_trace)
			lacks |= !(rule->flags & REPORT_RARE) || report_is_masked(runner, *word);
	}
	return lacks && !(rule->flags & REPORT_ANY && has);
}

/**
 * report_missing_text() - describe events that the trace lacks, and how to record them
 * @run: run
 * @words: mnemonics of events, ending with NULL
 * @text: result
 * @size: size of @text
 */
void report_missing_text(const struct run *run, const char *const *words, char *text, size_t size)
{
	char missing[MISSING_SIZE];

	missing_text(runner_of(run), words, true, missing);
	snprintf(text, size, "%s", missing);
}
