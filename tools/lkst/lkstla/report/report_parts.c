// SPDX-License-Identifier: GPL-2.0
/* Finds occurrences in the results of other analyses, which run as parts of the report. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/constants.h"
#include "lkstla/block.h"
#include "lkstla/contexts.h"
#include "lkstla/cpu.h"
#include "lkstla/lock.h"
#include "lkstla/mem_objects.h"
#include "lkstla/net.h"
#include "lkstla/syscall.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "report.h"

#define SECOND_NS 1000000000LL

/* In a window that is shorter than this, a share of the time is not significant. */
#define SHARE_WINDOW_NS 100000000

/* ---- block devices ---- */

/* Name a request: "WRITE of 4096 bytes on sda, sector 8". */
static void report_name_request(const struct report *report, const struct block_done *done,
				char text[REPORT_NAME_SIZE])
{
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_ISSUE,
		.arg = { done->device, 0, (uint32_t)done->operation },
	};
	char device[32], operation[32];
	int len;

	value_text(report->run, &event, "device", device, sizeof(device));
	value_text(report->run, &event, "operation", operation, sizeof(operation));
	len = snprintf(text, REPORT_NAME_SIZE, "%s of %llu bytes on %s", operation,
		       (unsigned long long)done->bytes, device);
	if (done->begin_known)
		len += snprintf(text + len, REPORT_NAME_SIZE - (size_t)len, ", sector %llu,",
				(unsigned long long)done->sector);
	if (!done->end_known)
		snprintf(text + len, REPORT_NAME_SIZE - (size_t)len, " which has not completed,");
}

static void report_io_error(struct report *report, const struct block_done *done,
			    struct report_case *found)
{
	const char *name = constant_error(-(uint64_t)done->error);

	found->value = 1;
	if (name)
		snprintf(found->detail, sizeof(found->detail), "-%s", name);
	else
		snprintf(found->detail, sizeof(found->detail), "%lld", (long long)done->error);
	report_add(report, RULE_IO_ERROR, found);
}

static void report_block(void *ctx, const struct block_done *done)
{
	struct report *report = ctx;
	struct report_case found = report_case_at(done->begin_ns, done->end_ns, done->cpu);

	if (!run_selects(report->run, done->thread) ||
	    (report->run->args->cpu >= 0 && done->cpu != report->run->args->cpu))
		return;
	found.thread = done->thread;
	found.value = done->begin_known ? tally_length(done->begin_ns, done->end_ns) : 0;
	if (done->error < 0 || report_is_worst(report, RULE_BLOCK_SLOW, found.value))
		report_name_request(report, done, found.name);
	if (done->begin_known)
		report_add(report, RULE_BLOCK_SLOW, &found);
	if (done->error < 0)
		report_io_error(report, done, &found);
}

/* ---- locks ---- */

static void report_lock(void *ctx, const struct lock_done *done)
{
	struct report *report = ctx;
	struct report_case found = report_case_at(done->begin_ns, done->end_ns, done->cpu);
	const struct report_thread *thread;
	char lock[64];

	if (!done->begin_known || !context_selects(report->run, done->cpu, done->thread))
		return;
	found.value = tally_length(done->begin_ns, done->end_ns);
	if (!report_is_worst(report, RULE_LOCK_WAIT, found.value)) {
		report_add(report, RULE_LOCK_WAIT, &found);
		return;
	}
	found.thread = done->thread;
	snprintf(found.name, sizeof(found.name), "%s %s%s", done->kind,
		 run_symbol(report->run, 0, done->lock, lock, sizeof(lock)),
		 done->end_known ? "" : ", and still waits");
	snprintf(found.detail, sizeof(found.detail), "%s", done->call);
	found.other = done->owner;
	thread = done->thread && !done->owner ? report_thread_of(report, done->thread) : NULL;
	/* The thread that releases a sleeping lock wakes up the next thread that waits for it. */
	if (thread && done->end_known && thread->woken_ns >= done->begin_ns)
		found.other = thread->waker;
	report_add(report, RULE_LOCK_WAIT, &found);
}

/**
 * report_observe_parts() - subscribe to what the parts find
 * @report: report, whose parts have been started
 */
void report_observe_parts(struct report *report)
{
	block_observe(report->part[PART_BLOCK], report_block, report);
	lock_observe(report->part[PART_LOCK], report_lock, report);
}

/* ---- after the last event ---- */

/*
 * Return how often something happened per second. A window shorter than a second counts as a
 * second.
 */
static int64_t report_rate(const struct report *report, uint64_t number)
{
	int64_t ns = tally_length(report->run->begin_ns, report->run->end_ns);

	return (int64_t)((double)number / ((double)(ns > SECOND_NS ? ns : SECOND_NS) / SECOND_NS));
}

/*
 * Programs expect these errors if they do not want to wait, or if their wait is interrupted or
 * times out.
 */
static bool report_is_expected(uint64_t number)
{
	switch (number) {
	case EAGAIN:
	case EINTR:
	case EINPROGRESS:
	case ETIMEDOUT:
		return true;
	default:
		return number >= 512 && number <= 516; /* ERESTARTSYS etc.: the call is restarted */
	}
}

static void report_errors(struct report *report)
{
	struct call_failures failures;
	size_t at = 0;

	while (call_next_failures(report->part[PART_SYSCALL], &at, &failures)) {
		struct report_case found = report_case_at(0, failures.last_ns, -1);

		if (report_is_expected(failures.errno_number))
			continue;
		found.value = report_rate(report, failures.number);
		found.number = (int64_t)failures.number;
		found.thread = failures.last;
		snprintf(found.name, sizeof(found.name), "%s", failures.call);
		snprintf(found.detail, sizeof(found.detail), "%s", failures.error);
		report_add(report, RULE_ERRORS, &found);
	}
}

static void report_drops(struct report *report)
{
	struct net_drops drops;
	size_t at = 0;

	while (net_next_drops(report->part[PART_NET], &at, &drops)) {
		struct report_case found = report_case_at(0, drops.last_ns, -1);

		found.value = report_rate(report, drops.packets);
		found.number = (int64_t)drops.packets;
		snprintf(found.name, sizeof(found.name), "%s", drops.reason);
		snprintf(found.detail, sizeof(found.detail), "%s", drops.location);
		report_add(report, RULE_DROPS, &found);
	}
}

static void report_memory(struct report *report)
{
	struct mem *mem = report->part[PART_MEM];

	mem_objects_sum(mem);
	for (size_t i = 0; i < mem->sites; i++) {
		const struct mem_site *site = &mem->site[i];
		struct report_case found = report_case_at(0, 0, -1);

		if (site->kind == MEM_KINDS || !mem_knows_live(mem, site))
			continue;
		found.value = site->requested < INT64_MAX ? (int64_t)site->requested : INT64_MAX;
		run_symbol(report->run, 0, site->caller, found.name, sizeof(found.name));
		report_add(report, RULE_MEM_GREW, &found);
	}
}

/*
 * Return the time for which a CPU was idle while threads waited for other CPUs, minus the waits
 * that are reported as separate findings.
 */
static int64_t report_idle_queued(const struct report *report, const struct cpu_figures *figures)
{
	int64_t reported = report->finding[RULE_CPU_WAIT].total;

	return figures->idle_queued_ns > (uint64_t)reported ?
		       (int64_t)(figures->idle_queued_ns - (uint64_t)reported) :
		       0;
}

static void report_cpu(struct report *report, int32_t cpu, const struct cpu_figures *figures)
{
	double window = (double)tally_length(report->run->begin_ns, report->run->end_ns);
	double irqs = figures->mode_ns[LKST_MODE_HARDIRQ] + figures->mode_ns[LKST_MODE_SOFTIRQ];
	struct report_case found = report_case_at(0, 0, cpu);

	found.value = (int64_t)(irqs / window * 1e6);
	report_add(report, RULE_IRQ_BUSY, &found);
	found.value = (int64_t)((double)report_idle_queued(report, figures) / window * 1e6);
	report_add(report, RULE_IDLE_QUEUED, &found);
}

static void report_cpus(struct report *report)
{
	struct cpu_figures figures;

	if (tally_length(report->run->begin_ns, report->run->end_ns) < SHARE_WINDOW_NS)
		return;
	for (int32_t cpu = 0; cpu < report->cpus; cpu++)
		if (cpu_get(report->part[PART_CPU], cpu, &figures))
			report_cpu(report, cpu, &figures);
}

/**
 * report_finish_parts() - add what the parts have collected
 * @report: report, after the last event
 */
void report_finish_parts(struct report *report)
{
	block_finish(report->part[PART_BLOCK]);
	lock_finish(report->part[PART_LOCK]);
	report_errors(report);
	report_drops(report);
	report_memory(report);
	report_cpus(report);
}
