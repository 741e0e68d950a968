// SPDX-License-Identifier: GPL-2.0
/*
 * Looks at individual events to find failures of the kernel and of programs, late timers, and
 * losses of records.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "lib/base/etype_ids.h"
#include "lkstla/contexts.h"
#include "lkstla/late.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "report.h"

/* Make a case of the time, the CPU and the thread of an event. */
static struct report_case report_case_of(const struct report *report,
					 const struct lkst_event *event)
{
	struct report_case found = report_case_at(event->time_ns, event->time_ns, event->cpu);

	found.value = 1;
	found.thread = value_thread(report->run, event);
	return found;
}

static void report_oops(struct report *report, const struct lkst_event *event)
{
	struct report_case found = report_case_of(report, event);
	char text[33], trap[48], ip[64];

	if (event->type == LKST_ETYPE_OOPS_PANIC) {
		lkst_event_text(event, 0, 4, text);
		snprintf(found.name, sizeof(found.name), "panic: %s", text);
	} else {
		snprintf(found.name, sizeof(found.name), "oops: %s at %s",
			 value_text(report->run, event, "trap", trap, sizeof(trap)),
			 value_text(report->run, event, "ip", ip, sizeof(ip)));
	}
	report->oopsed = found.thread;
	report_add(report, RULE_OOPS, &found);
}

static void report_warning(struct report *report, const struct lkst_event *event)
{
	struct report_case found = report_case_of(report, event);

	value_text(report->run, event, "detector", found.name, sizeof(found.name));
	value_text(report->run, event, "id", found.detail, sizeof(found.detail));
	report_add(report, RULE_WARNING, &found);
}

static void report_lockup(struct report *report, const struct lkst_event *event)
{
	struct report_case found = report_case_of(report, event);

	value_text(report->run, event, "kind", found.name, sizeof(found.name));
	found.thread = lkst_model_find(report->run->model, event->source, (uint32_t)event->arg[0]);
	report_add(report, RULE_LOCKUP, &found);
}

static void report_mce(struct report *report, const struct lkst_event *event)
{
	struct report_case found = report_case_of(report, event);

	value_text(report->run, event, "bank", found.name, sizeof(found.name));
	value_text(report->run, event, "status", found.detail, sizeof(found.detail));
	found.cpu = (int32_t)event->arg[0];
	report_add(report, RULE_MCE, &found);
}

static void report_oom_kill(struct report *report, const struct lkst_event *event)
{
	struct report_case found = report_case_of(report, event);

	found.thread = lkst_model_find(report->run->model, event->source, (uint32_t)event->arg[0]);
	report_add(report, RULE_OOM_KILL, &found);
}

/*
 * Remember that the main thread of a process was killed by a signal that shows an error in the
 * program.
 */
static void report_exit(struct report *report, const struct lkst_event *event)
{
	struct report_case found = report_case_of(report, event);

	/* If an oops killed the thread, that is already a finding. */
	if (event->tid != event->tgid || !value_selects(report->run, event) ||
	    (found.thread && found.thread == report->oopsed))
		return;
	switch (event->arg[1] & 0x7f) {
	case SIGILL:
	case SIGTRAP:
	case SIGABRT:
	case SIGBUS:
	case SIGFPE:
	case SIGSEGV:
	case SIGSYS:
		value_text(report->run, event, "status", found.name, sizeof(found.name));
		report_add(report, RULE_CRASH, &found);
	}
}

/*
 * Return for how long interrupts were disabled before a timer ran in a hard interrupt. They were
 * disabled if only threads and softirqs ran on the CPU after the timer had expired. Just before the
 * interrupt of the timer, the CPU may have handled other pending interrupts.
 */
static int64_t report_irqs_off(const struct report *report, const struct lkst_event *event,
			       int64_t expired, const struct blame *blame)
{
	int64_t ns = blame->ns[BLAME_THREAD] + blame->ns[BLAME_SOFTIRQ], off;

	if (!(event->flags & LKST_LOG_HARDIRQ) || blame->ns[BLAME_UNKNOWN] ||
	    blame->ns[BLAME_IDLE] || blame->ns[BLAME_IRQ] > ns / 8)
		return 0;
	/* If interrupts were not recorded, it is unknown whether any was handled. */
	if (!lkst_model_saw(report->run->model, LKST_ETYPE_INT_TIMER_ENTRY))
		return 0;
	off = report_first_irq(report, event->cpu, expired, event->time_ns) - expired;
	if (off < ns - ns / 8)
		return 0;
	return off < ns ? off : ns;
}

/* Return whether a delay of a timer may be a finding, or the worst occurrence. */
static bool report_matters(const struct report *report, int64_t late)
{
	return late >= report->finding[RULE_TIMER_LATE].threshold ||
	       late >= report->finding[RULE_IRQS_OFF].threshold ||
	       report_is_worst(report, RULE_TIMER_LATE, late);
}

static void report_timer(struct report *report, const struct lkst_event *event)
{
	static const char *const causes[BLAME_NUM] = {
		[BLAME_IDLE] = "idle",
		[BLAME_IRQ] = "in an interrupt",
		[BLAME_SOFTIRQ] = "in a softirq",
		[BLAME_THREAD] = "running a thread",
		[BLAME_UNKNOWN] = "",
	};
	struct report_case found = report_case_of(report, event);
	int64_t late, expired, off;
	struct lkst_cpu_span now;
	struct blame blame;

	if (!run_selects_cpu(report->run, event->cpu) || !late_by(event, &late) ||
	    !report_matters(report, late) ||
	    __builtin_sub_overflow(event->time_ns, late, &expired) ||
	    !lkst_model_cpu(report->run->model, event->source, event->cpu, &now))
		return;
	blame_find(&report->history, &now, expired, event->time_ns, &blame);
	off = report_irqs_off(report, event, expired, &blame);
	found.begin_ns = expired;
	found.value = off ? off : late;
	found.thread = off ? blame.thread : NULL;
	if (off && !run_selects(report->run, found.thread))
		return;
	if (!off && report_is_worst(report, RULE_TIMER_LATE, late)) {
		value_text(report->run, event, "function", found.name, sizeof(found.name));
		snprintf(found.detail, sizeof(found.detail), "%s", causes[blame_main(&blame)]);
	}
	report_add(report, off ? RULE_IRQS_OFF : RULE_TIMER_LATE, &found);
}

static void report_offline(struct report *report, const struct lkst_event *event)
{
	struct report_case found = report_case_of(report, event);

	found.cpu = (int32_t)event->arg[0];
	if (run_selects_cpu(report->run, found.cpu))
		report_add(report, RULE_CPU_OFFLINE, &found);
}

/**
 * report_note_first() - note the first record of each CPU
 * @report: report
 * @event: event, which may be before the window
 */
void report_note_first(struct report *report, const struct lkst_event *event)
{
	struct report_first *first;

	if (event->cpu < 0 || event->cpu >= CONTEXT_CPUS_MAX ||
	    event->buffer == LKST_BUFFER_ID_VOID)
		return;
	first = tally_cover(report->first, &report->firsts, (size_t)event->cpu, sizeof(*first));
	if (!first) {
		run_out_of_memory(report->run);
		return;
	}
	report->first = first;
	if (!first[event->cpu].seen)
		first[event->cpu] = (struct report_first){
			.seen = true, .time_ns = event->recid ? event->time_ns : INT64_MIN
		};
}

void report_on_event(void *ctx, const struct lkst_event *event)
{
	struct report *report = ctx;

	report_note_first(report, event);
	if (!value_in_window(report->run, event->time_ns))
		return;
	switch (event->type) {
	case LKST_ETYPE_OOPS_DIE:
	case LKST_ETYPE_OOPS_PANIC:
		report_oops(report, event);
		break;
	case LKST_ETYPE_OOPS_WARN:
		report_warning(report, event);
		break;
	case LKST_ETYPE_OOPS_LOCKUP:
		report_lockup(report, event);
		break;
	case LKST_ETYPE_OOPS_MCE:
		report_mce(report, event);
		break;
	case LKST_ETYPE_MEM_OOMKILL:
		report_oom_kill(report, event);
		break;
	case LKST_ETYPE_PROCESS_EXIT:
		report_exit(report, event);
		break;
	case LKST_ETYPE_TIMER_HR_RUN_ENTRY:
		report_timer(report, event);
		break;
	case LKST_ETYPE_CPU_OFFLINE:
		report_offline(report, event);
		break;
	}
}

void report_on_loss(void *ctx, const struct lkst_loss *loss)
{
	struct report_case found = report_case_at(loss->begin_ns, loss->end_ns, loss->cpu);

	if (!loss->number)
		return;
	found.value = loss->number < INT64_MAX ? (int64_t)loss->number : INT64_MAX;
	report_add(ctx, RULE_LOST, &found);
}
