// SPDX-License-Identifier: LGPL-2.1
/* Summarizes a trace in numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/classes.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "select.h"
#include "summary.h"
#include "trace.h"

#define TOP 12 /* number of event types to list, beginning with the most frequent */

static int summary_count(struct lkst_trace *trace, const struct lkst_selection *selection,
			 struct lkst_summary *counts, struct lkst_error *err)
{
	struct lkst_event event;
	int ret;

	if (lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err))
		return -1;
	while ((ret = lkst_trace_next(trace, &event, err)) > 0) {
		if (!lkst_selected(selection, lkst_trace_source_context(trace, event.source),
				   &event))
			continue;
		if (!counts->events || event.time_ns < counts->first_ns)
			counts->first_ns = event.time_ns;
		if (!counts->events || event.time_ns > counts->last_ns)
			counts->last_ns = event.time_ns;
		counts->events++;
		if (event.type < LKST_ETYPE_NUM)
			counts->type[event.type]++;
		else
			counts->other++;
		if (event.cpu >= 0 && event.cpu < LKST_SUMMARY_CPUS)
			counts->cpu[event.cpu]++;
	}
	return ret;
}

static void summary_put_system(const struct lkst_trace *trace, const char *title, const char *key,
			       FILE *to)
{
	size_t len;
	const char *value = lkst_trace_system(trace, key, &len);
	char text[4096];

	if (value)
		fprintf(to, "%-12s %s\n", title, lkst_printable(value, len, text, sizeof(text)));
}

static void summary_put_time(const char *title, int64_t ns, FILE *to)
{
	time_t second = (time_t)(ns / 1000000000);
	char text[64];
	struct tm tm;

	if (!localtime_r(&second, &tm) || !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		strcpy(text, "?");
	fprintf(to, "%-12s %s.%09lld", title, text, (long long)llabs(ns % 1000000000));
	if (strftime(text, sizeof(text), "%z", &tm))
		fprintf(to, " %s", text);
	putc('\n', to);
}

static double summary_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void summary_put_span(const struct lkst_summary *counts, FILE *to)
{
	double seconds = (double)((uint64_t)counts->last_ns - (uint64_t)counts->first_ns) / 1e9;

	fprintf(to, "%-12s %llu\n", "events", (unsigned long long)counts->events);
	if (!counts->events)
		return;
	summary_put_time("from", counts->first_ns, to);
	summary_put_time("to", counts->last_ns, to);
	fprintf(to, "%-12s %.6f s\n", "duration", seconds);
	if (seconds > 0)
		fprintf(to, "%-12s %.0f events/s\n", "rate", (double)counts->events / seconds);
}

static void summary_put_classes(const struct lkst_summary *counts, FILE *to)
{
	fprintf(to, "\n%-24s %12s %8s\n", "class", "events", "share");
	for (size_t i = 0; i < lkst_classes_num; i++) {
		const struct lkst_class *class = &lkst_classes[i];
		uint64_t sum = 0;

		for (unsigned int n = class->first; n <= class->last; n++)
			sum += counts->type[n];
		if (sum)
			fprintf(to, "%-24s %12llu %7.1f%%\n", class->title, (unsigned long long)sum,
				summary_percent(sum, counts->events));
	}
	if (counts->other)
		fprintf(to, "%-24s %12llu %7.1f%%\n", "no event type",
			(unsigned long long)counts->other,
			summary_percent(counts->other, counts->events));
}

static void summary_put_cpus(const struct lkst_summary *counts, FILE *to)
{
	fprintf(to, "\n%-24s %12s %8s\n", "CPU", "events", "share");
	for (unsigned int cpu = 0; cpu < LKST_SUMMARY_CPUS; cpu++)
		if (counts->cpu[cpu])
			fprintf(to, "%-24u %12llu %7.1f%%\n", cpu,
				(unsigned long long)counts->cpu[cpu],
				summary_percent(counts->cpu[cpu], counts->events));
}

static void summary_put_events(const struct lkst_summary *counts, const struct lkst_etypes *types,
			       FILE *to)
{
	bool shown[LKST_ETYPE_NUM] = { false };

	fprintf(to, "\n%-24s %12s %8s\n", "most frequent events", "events", "share");
	for (int i = 0; i < TOP; i++) {
		unsigned int best = LKST_ETYPE_NUM;
		const struct lkst_etype *type;
		char number[16];

		for (unsigned int n = 0; n < LKST_ETYPE_NUM; n++)
			if (counts->type[n] && !shown[n] &&
			    (best == LKST_ETYPE_NUM || counts->type[n] > counts->type[best]))
				best = n;
		if (best == LKST_ETYPE_NUM)
			break;
		shown[best] = true;
		type = lkst_etype(types, best);
		snprintf(number, sizeof(number), "%s0x%03x",
			 lkst_etype_is_user(best) ? LKST_USER_PREFIX : "", best);
		fprintf(to, "%-24s %12llu %7.1f%%\n", type ? type->name : number,
			(unsigned long long)counts->type[best],
			summary_percent(counts->type[best], counts->events));
	}
}

/* Print a counter of a buffer if it is known. Log files do not contain these counters. */
static void summary_put_count(bool counted, uint64_t value, FILE *to)
{
	if (counted)
		fprintf(to, " %12llu", (unsigned long long)value);
	else
		fprintf(to, " %12s", "-");
}

/*
 * Print the counters of the buffers. The counters include events that the selection leaves out.
 */
static void summary_put_buffers(const struct lkst_trace *trace, int32_t cpu, FILE *to)
{
	static const char *const clocks[] = { "ns", "tsc" };

	fprintf(to, "\n%-8s %-8s %12s %12s %12s %12s %12s  %s\n", "CPU", "buffer", "recorded",
		"read", "overwritten", "dropped", "unfinished", "clock");
	for (size_t i = 0; i < lkst_trace_buffers(trace); i++) {
		struct lkst_trace_buffer b;
		char where[16] = "all", id[16] = "static";

		lkst_trace_buffer(trace, i, &b);
		if (cpu >= 0 && b.cpu != cpu && b.cpu >= 0)
			continue;
		if (b.cpu >= 0) {
			snprintf(where, sizeof(where), "%d", b.cpu);
			snprintf(id, sizeof(id), "%d", b.id);
		}
		fprintf(to, "%-8s %-8s", where, id);
		summary_put_count(lkst_trace_buffer_counted(&b), b.recorded, to);
		summary_put_count(true, b.records, to);
		summary_put_count(lkst_trace_buffer_counted(&b), b.overwritten, to);
		summary_put_count(lkst_trace_buffer_counted(&b), b.dropped, to);
		summary_put_count(lkst_trace_buffer_counted(&b), b.unfinished, to);
		fprintf(to, "  %s\n", b.clock < 2 ? clocks[b.clock] : "?");
	}
}

/* Print the gaps between files. @cpu: only gaps of this CPU; -1: all. */
static void summary_put_gaps(const struct lkst_trace *trace, int32_t cpu, FILE *to)
{
	bool any = false;

	for (size_t i = 0; i < lkst_trace_gaps(trace); i++) {
		const struct lkst_trace_gap *gap = lkst_trace_gap(trace, i);

		if (cpu >= 0 && gap->cpu != cpu)
			continue;
		if (!any)
			fprintf(to, "\n%-24s %12s %8s\n", "between files, CPU", "missing", "gaps");
		any = true;
		fprintf(to, "%-24d %12llu %8llu\n", gap->cpu, (unsigned long long)gap->missing,
			(unsigned long long)gap->gaps);
	}
}

/**
 * lkst_summary_count() - count the events of a trace
 * @trace: trace
 * @selection: which events to count
 * @err: set on failure
 *
 * Return: the summary, to be freed by the caller; NULL on error.
 */
struct lkst_summary *lkst_summary_count(struct lkst_trace *trace,
					const struct lkst_selection *selection,
					struct lkst_error *err)
{
	struct lkst_summary *summary = calloc(1, sizeof(*summary));

	if (!summary)
		lkst_error_memory(err, "the summary");
	if (summary && summary_count(trace, selection, summary, err)) {
		free(summary);
		summary = NULL;
	}
	return summary;
}

/**
 * lkst_summary_print() - print the summary of a trace
 * @summary: from lkst_summary_count()
 * @trace: the trace
 * @types: event types
 * @cpu: only buffers and gaps of this CPU, and the static buffer; -1: all
 * @to: output
 */
void lkst_summary_print(const struct lkst_summary *summary, struct lkst_trace *trace,
			const struct lkst_etypes *types, int32_t cpu, FILE *to)
{
	summary_put_system(trace, "kernel", "kernel", to);
	summary_put_system(trace, "machine", "machine", to);
	summary_put_system(trace, "host", "hostname", to);
	summary_put_system(trace, "CPUs", "cpus", to);
	summary_put_system(trace, "selected", "selected", to);
	summary_put_span(summary, to);
	if (lkst_trace_lost(trace))
		fprintf(to, "%-12s %llu\n", "lost", (unsigned long long)lkst_trace_lost(trace));
	if (lkst_trace_missing(trace))
		fprintf(to, "%-12s %llu between the files\n", "missing",
			(unsigned long long)lkst_trace_missing(trace));
	if (lkst_trace_parts_skipped(trace))
		fprintf(to, "%-12s %llu records of type lkst_more\n", "skipped",
			(unsigned long long)lkst_trace_parts_skipped(trace));
	summary_put_classes(summary, to);
	summary_put_cpus(summary, to);
	summary_put_events(summary, types, to);
	summary_put_buffers(trace, cpu, to);
	summary_put_gaps(trace, cpu, to);
}
