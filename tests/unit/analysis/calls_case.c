// SPDX-License-Identifier: GPL-2.0
#include "calls_case.h"
#include "lib/text/context.h"
#include "lib/text/names.h"
#include "lib/text/values.h"
#include "tap.h"

struct lkst_thread calls_threads[4] = {
	{ .index = 0, .tid = 100, .name = "a", .machine = LKST_MACHINE_X86_64 },
	{ .index = 1, .tid = 101, .name = "b", .machine = LKST_MACHINE_X86_64 },
	{ .index = 2, .tid = 102, .name = "c", .machine = LKST_MACHINE_X86_64 },
	{ .index = 3, .tid = 103, .name = "d", .machine = LKST_MACHINE_X86_64 },
};

static const struct analysis *analysis;
static struct lkst_thread *reused; /* replaces the older thread with the same thread ID */
static struct lkst_etypes *types;
static bool saw[LKST_ETYPE_USER_MIN]; /* types of the events so far */
static struct lkst_context context;

const struct lkst_thread *lkst_model_find(const struct lkst_model *model, uint32_t source,
					  uint32_t tid)
{
	ck_assert_ptr_eq(model, analysis_run.model);
	ck_assert_uint_eq(source, 0);
	if (reused && reused->tid == tid)
		return reused;
	return tid >= 100 && tid < 104 ? &calls_threads[tid - 100] : NULL;
}

/* CPU 1 is running softirqs. The other CPUs have no events. */
bool lkst_model_cpu(const struct lkst_model *model, uint32_t source, int32_t cpu,
		    struct lkst_cpu_span *now)
{
	ck_assert_ptr_eq(model, analysis_run.model);
	*now = (struct lkst_cpu_span){ .source = source, .cpu = cpu, .mode = LKST_MODE_SOFTIRQ };
	return cpu == 1;
}

bool lkst_model_saw(const struct lkst_model *model, uint32_t type)
{
	ck_assert_ptr_eq(model, analysis_run.model);
	return type < NUM(saw) && saw[type];
}

const struct lkst_context *__wrap_lkst_trace_source_context(const struct lkst_trace *trace,
							    uint32_t source);

const struct lkst_context *__wrap_lkst_trace_source_context(const struct lkst_trace *trace,
							    uint32_t source)
{
	ck_assert_ptr_eq(trace, analysis_run.trace);
	ck_assert_uint_eq(source, 0);
	return &context;
}

/* Start an analysis with the event types of this source tree and without names of values. */
void calls_setup(const struct analysis *to_test, const void *own)
{
	analysis = to_test;
	reused = NULL;
	memset(saw, 0, sizeof(saw));
	types = lkst_etypes_embedded(&err);
	assert_made(types);
	analysis_types = types;
	analysis_setup(analysis, own);
	context.names = lkst_names_new();
	lkst_names_finalize(context.names);
}

void calls_teardown(void)
{
	analysis_teardown();
	analysis_types = NULL;
	lkst_etypes_free(types);
	lkst_names_free(context.names);
	lkst_values_free(context.values);
	context = (struct lkst_context){ 0 };
}

/* Set the names of values: lines as in /proc/lkst_values, without the header. */
void calls_values(const char *text)
{
	char all[4096];

	snprintf(all, sizeof(all), LKST_VALUES_HEADER "\n%s", text);
	lkst_values_free(context.values);
	context.values = lkst_values_parse(all, strlen(all), "text", &err);
	assert_made(context.values);
}

/*
 * From now on, @thread is found by its thread ID, as if the kernel had reused the ID of an older
 * thread.
 */
void calls_reuse(struct lkst_thread *thread)
{
	reused = thread;
}

/* Tell the analysis that records of CPU 0 are missing. */
void calls_loss(int64_t begin_ns, int64_t end_ns)
{
	analysis->ops.loss(analysis_ctx(), &(struct lkst_loss){
		.begin_ns = begin_ns, .end_ns = end_ns, .number = 1 });
}

static void calls_event_of(const struct lkst_event *event)
{
	if (event->type < NUM(saw))
		saw[event->type] = true;
	analysis->ops.event(analysis_ctx(), event);
}

void calls_event(int64_t time_ns, int32_t cpu, uint32_t tid, uint32_t type, uint64_t a1, uint64_t a2,
		 uint64_t a3, uint64_t a4)
{
	calls_event_of(&(struct lkst_event){
		.time_ns = time_ns, .arg = { a1, a2, a3, a4 }, .type = type, .tid = tid, .tgid = tid,
		.cpu = cpu, .machine = LKST_MACHINE_X86_64, .nth = LKST_NTH_UNKNOWN });
}

/* Pass on an event of thread 100 on CPU 0 with a payload, which is valid during the call. */
void calls_payload(int64_t time_ns, uint32_t type, const struct lkst_payload *payload)
{
	struct lkst_event event = {
		.time_ns = time_ns, .type = type, .tid = 100, .tgid = 100,
		.machine = LKST_MACHINE_X86_64, .nth = LKST_NTH_UNKNOWN, .payload = payload,
	};

	event.arg[0] = LKST_CHAIN_HEAD(1, payload->parts, 0, payload->bytes);
	memcpy(&event.arg[1], payload->data, LKST_CHAIN_BYTES);
	calls_event_of(&event);
}

/* Make the report without checking what it contains. */
void calls_report(void)
{
	struct tables tables = { 0 };

	ck_assert(!analysis_out_of_memory());
	assert_ok(analysis->report(analysis_ctx(), &analysis_run, &tables, &err));
	for (size_t i = 0; i < tables.num; i++)
		table_free(tables.table[i]);
}
