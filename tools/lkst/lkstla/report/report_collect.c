// SPDX-License-Identifier: GPL-2.0
/* Finds delays of threads, and long interrupts and softirqs, in the spans of the model. */
#include <stdio.h>

#include "lkstla/contexts.h"
#include "lkstla/tally.h"
#include "report.h"

/* Find the other CPU that was idle longest between two times, as far as this is known. */
static void report_find_idle(struct report *report, uint32_t source, struct report_case *found)
{
	struct lkst_cpu_span now;
	struct blame blame;

	for (int32_t cpu = 0; cpu < report->cpus; cpu++) {
		if (cpu == found->cpu ||
		    !lkst_model_cpu(report->run->model, source, cpu, &now))
			continue;
		blame_find(&report->history, &now, found->begin_ns, found->at_ns, &blame);
		if (blame.ns[BLAME_IDLE] <= found->idle_ns)
			continue;
		found->idle_ns = blame.ns[BLAME_IDLE];
		found->idle_cpu = cpu;
	}
}

/* Find the thread that ran on the CPU for most of the wait. */
static void report_find_holder(struct report *report, uint32_t source, struct report_case *found)
{
	struct lkst_cpu_span now;
	struct blame blame;

	if (!lkst_model_cpu(report->run->model, source, found->cpu, &now))
		return;
	blame_find(&report->history, &now, found->begin_ns, found->at_ns, &blame);
	if (blame.thread && blame.thread != found->thread)
		found->other = blame.thread;
}

static void report_wait(struct report *report, const struct lkst_thread_span *span)
{
	struct report_case found = report_case_at(span->begin_ns, span->end_ns, span->cpu);

	found.value = tally_length(span->begin_ns, span->end_ns);
	found.thread = span->thread;
	/* Records were lost before the window opened, so the wait may have ended before. */
	if (!found.value)
		return;
	if (report_is_worst(report, RULE_CPU_WAIT, found.value)) {
		found.other = span->behind;
		report_find_holder(report, span->thread->source, &found);
		report_find_idle(report, span->thread->source, &found);
	}
	report_add(report, RULE_CPU_WAIT, &found);
}

void report_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct report *report = ctx;

	if (!context_selects(report->run, span->cpu, span->thread))
		return;
	if (span->state == LKST_STATE_RUNNABLE)
		report_wait(report, span);
}

void report_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct report *report = ctx;

	if (span->cpu >= report->cpus && span->cpu < CONTEXT_CPUS_MAX)
		report->cpus = span->cpu + 1;
	if (blame_add(&report->history, span))
		run_out_of_memory(report->run);
}

void report_on_context(void *ctx, const struct lkst_context_span *span)
{
	struct report *report = ctx;
	bool soft = span->kind == LKST_CONTEXT_SOFTIRQ;
	struct report_case found = report_case_at(span->begin_ns, span->end_ns, span->cpu);
	const struct context_row row = { .id = context_id(span) };
	char name[CONTEXT_NAME_SIZE];

	if ((!soft && span->kind != LKST_CONTEXT_IRQ && span->kind != LKST_CONTEXT_TIMER_IRQ &&
	     span->kind != LKST_CONTEXT_IPI) ||
	    !context_selects(report->run, span->cpu, span->thread))
		return;
	found.value = span->own_ns;
	found.thread = span->thread;
	if (report_is_worst(report, soft ? RULE_SOFTIRQ_LONG : RULE_IRQ_LONG, found.value))
		snprintf(found.name, sizeof(found.name), "%s",
			 context_name(report->run, &row, name));
	report_add(report, soft ? RULE_SOFTIRQ_LONG : RULE_IRQ_LONG, &found);
}
