// SPDX-License-Identifier: GPL-2.0
/* lkstbuf print --summary, as text or JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/pager.h"
#include "lib/text/classes.h"
#include "lib/text/etypes.h"
#include "lib/trace/summary.h"
#include "lib/trace/trace.h"
#include "print.h"

static void buffer_summary_put_system(struct json_object *object, const struct lkst_trace *trace,
				      const char *key)
{
	size_t len;
	const char *value = lkst_trace_system(trace, key, &len);
	char text[512];

	if (!value)
		return;
	snprintf(text, sizeof(text), "%.*s", (int)len, value);
	json_text(object, key, text);
}

static void buffer_summary_put_cpus(struct json_object *object, const struct lkst_trace *trace)
{
	size_t len;
	const char *value = lkst_trace_system(trace, "cpus", &len);

	if (value)
		json_uint(object, "cpus", strtoul(value, NULL, 10));
}

static struct json_object *summary_classes_of(const struct lkst_summary *summary)
{
	struct json_object *list = json_list(), *entry;

	for (size_t i = 0; i < lkst_classes_num; i++) {
		const struct lkst_class *class = &lkst_classes[i];
		uint64_t events = 0;

		for (unsigned int n = class->first; n <= class->last; n++)
			events += summary->type[n];
		if (!events)
			continue;
		entry = json_new();
		json_text(entry, "class", class->name);
		json_uint(entry, "events", events);
		json_add(list, entry);
	}
	return list;
}

static struct json_object *summary_types_of(const struct lkst_summary *summary,
					    const struct lkst_etypes *types)
{
	struct json_object *list = json_list(), *entry;

	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (!summary->type[i])
			continue;
		entry = json_new();
		json_etype(entry, types, i);
		json_uint(entry, "events", summary->type[i]);
		json_add(list, entry);
	}
	return list;
}

static struct json_object *summary_cpus_of(const struct lkst_summary *summary)
{
	struct json_object *list = json_list(), *entry;

	for (unsigned int i = 0; i < LKST_SUMMARY_CPUS; i++) {
		if (!summary->cpu[i])
			continue;
		entry = json_new();
		json_uint(entry, "cpu", i);
		json_uint(entry, "events", summary->cpu[i]);
		json_add(list, entry);
	}
	return list;
}

static void buffer_summary_put_count(struct json_object *entry, const char *key, bool counted,
				     uint64_t value)
{
	if (counted)
		json_uint(entry, key, value);
	else
		json_put(entry, key, NULL);
}

static struct json_object *summary_buffers_of(const struct lkst_trace *trace, int32_t cpu)
{
	static const char *const clocks[] = { "ns", "tsc" };
	struct json_object *list = json_list(), *entry;

	for (size_t i = 0; i < lkst_trace_buffers(trace); i++) {
		struct lkst_trace_buffer b;
		bool counted;

		lkst_trace_buffer(trace, i, &b);
		if (cpu >= 0 && b.cpu != cpu && b.cpu >= 0)
			continue;
		entry = json_new();
		json_id(entry, "cpu", b.cpu, -1);
		json_id(entry, "id", b.cpu < 0 ? LKST_BUFFER_ID_VOID : b.id, LKST_BUFFER_ID_VOID);
		counted = lkst_trace_buffer_counted(&b);
		buffer_summary_put_count(entry, "recorded", counted, b.recorded);
		json_uint(entry, "read", b.records);
		buffer_summary_put_count(entry, "overwritten", counted, b.overwritten);
		buffer_summary_put_count(entry, "dropped", counted, b.dropped);
		buffer_summary_put_count(entry, "unfinished", counted, b.unfinished);
		json_text(entry, "clock", b.clock < 2 ? clocks[b.clock] : "unknown");
		json_add(list, entry);
	}
	return list;
}

static struct json_object *summary_gaps_of(const struct lkst_trace *trace, int32_t cpu)
{
	struct json_object *list = json_list(), *entry;

	for (size_t i = 0; i < lkst_trace_gaps(trace); i++) {
		const struct lkst_trace_gap *gap = lkst_trace_gap(trace, i);

		if (cpu >= 0 && gap->cpu != cpu)
			continue;
		entry = json_new();
		json_text(entry, "boot", gap->boot);
		json_int(entry, "cpu", gap->cpu);
		json_uint(entry, "missing", gap->missing);
		json_uint(entry, "gaps", gap->gaps);
		json_add(list, entry);
	}
	return list;
}

static int buffer_summary_print_json(const struct lkst_summary *summary,
				     const struct lkst_trace *trace,
				     const struct lkst_etypes *types, int32_t cpu,
				     struct lkst_error *err)
{
	static const char *const system[] = { "kernel", "machine", "hostname", "selected" };
	struct json_object *all = json_new();

	for (size_t i = 0; i < sizeof(system) / sizeof(*system); i++)
		buffer_summary_put_system(all, trace, system[i]);
	buffer_summary_put_cpus(all, trace);
	json_uint(all, "events", summary->events);
	json_uint(all, "lost", lkst_trace_lost(trace));
	json_uint(all, "missing", lkst_trace_missing(trace));
	json_uint(all, "parts_skipped", lkst_trace_parts_skipped(trace));
	if (summary->events) {
		json_int(all, "first_ns", summary->first_ns);
		json_int(all, "last_ns", summary->last_ns);
	}
	json_put(all, "classes", summary_classes_of(summary));
	json_put(all, "types", summary_types_of(summary, types));
	json_uint(all, "no_type", summary->other);
	json_put(all, "by_cpu", summary_cpus_of(summary));
	json_put(all, "buffers", summary_buffers_of(trace, cpu));
	json_put(all, "gaps", summary_gaps_of(trace, cpu));
	return json_print(all, err);
}

/**
 * buffer_summary() - print a summary of a trace
 * @trace: trace
 * @types: event types
 * @args: command line
 * @events: set to the number of events counted
 * @err: set on failure
 */
int buffer_summary(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct print_arguments *args, uint64_t *events, struct lkst_error *err)
{
	struct lkst_summary *summary = lkst_summary_count(trace, &args->print.selection, err);
	int32_t cpu = args->print.selection.cpu;
	int ret = 0;

	if (!summary)
		return -1;
	*events = summary->events;
	if (args->json) {
		ret = buffer_summary_print_json(summary, trace, types, cpu, err);
	} else {
		if (!args->no_pager)
			pager_start();
		lkst_summary_print(summary, trace, types, cpu, stdout);
		ret = pager_end(err);
	}
	free(summary);
	return ret;
}
