// SPDX-License-Identifier: GPL-2.0
#include "irq_case.h"
#include "lib/text/context.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "tap.h"

static struct lkst_context context;
static uint64_t recid[4];

const struct lkst_context *__wrap_lkst_trace_source_context(const struct lkst_trace *trace,
							    uint32_t source);

const struct lkst_context *__wrap_lkst_trace_source_context(const struct lkst_trace *trace,
							    uint32_t source)
{
	ck_assert_ptr_eq(trace, analysis_run.trace);
	ck_assert_uint_lt(source, 2);
	return &context;
}

/**
 * irq_setup() - start an analysis, with a window from 0 to 1 ms
 * @analysis: analysis
 * @own: options of this analysis
 * @cpu: argument of -c, or -1 for all CPUs
 */
void irq_setup(const struct analysis *analysis, const void *own, int64_t cpu)
{
	static const char symbols[] = SYMBOLS_HEADER "\n"
						     "ffffffff81001000 ffffffff81001100 first\n"
						     "ffffffff81001100 ffffffff81001200 second\n"
						     "ffffffffa0000000 ffffffffa0000100 third\t[module]\n";

	memset(recid, 0, sizeof(recid));
	analysis_c = cpu;
	analysis_setup(analysis, own);
	analysis_run.begin_ns = IRQ_WALL_NS;
	analysis_run.end_ns = IRQ_WALL_NS + 1000000;
	analysis_run.model = lkst_model_new(false, &err);
	assert_made(analysis_run.model);
	assert_ok(lkst_model_add(analysis_run.model, &analysis->ops, analysis_ctx(), &err));
	context.symbols = lkst_symbols_new();
	assert_made(context.symbols);
	assert_ok(lkst_symbols_add(context.symbols, symbols, strlen(symbols), "symbols", &err));
	lkst_symbols_finalize(context.symbols);
}

void irq_teardown(void)
{
	ck_assert(!analysis_out_of_memory());
	analysis_teardown();
	lkst_model_free(analysis_run.model);
	lkst_values_free(context.values);
	lkst_symbols_free(context.symbols);
	context = (struct lkst_context){ 0 };
	analysis_c = -1;
}

/* Set the names of values: lines as in /proc/lkst_values, without the header. */
void irq_values(const char *text)
{
	char all[4096];

	snprintf(all, sizeof(all), LKST_VALUES_HEADER "\n%s", text);
	lkst_values_free(context.values);
	context.values = lkst_values_parse(all, strlen(all), "text", &err);
	assert_made(context.values);
}

/* Begin the window. */
void irq_open(int64_t time_ns)
{
	analysis_run.begin_ns = IRQ_WALL_NS + time_ns;
	lkst_model_open_window(analysis_run.model, analysis_run.begin_ns);
}

static void irq_record(int64_t time_ns, int32_t cpu, uint32_t tid, uint32_t flags, uint32_t type,
		       const uint64_t arg[4])
{
	struct lkst_event event = {
		.time_ns = IRQ_WALL_NS + time_ns,
		.monotonic_ns = time_ns,
		.recid = recid[cpu & 3]++,
		.type = type,
		.tid = tid,
		.tgid = tid,
		.flags = flags,
		.cpu = cpu,
		.machine = LKST_MACHINE_X86_64,
		.nth = LKST_NTH_UNKNOWN,
	};

	memcpy(event.arg, arg, sizeof(event.arg));
	assert_ok(lkst_model_event(analysis_run.model, &event, &err));
}

void irq_event(int64_t time_ns, int32_t cpu, uint32_t tid, uint32_t flags, uint32_t type,
	       uint64_t a1, uint64_t a2, uint64_t a3)
{
	irq_record(time_ns, cpu, tid, flags, type, (uint64_t[4]){ a1, a2, a3 });
}

static uint64_t irq_name(uint32_t tid)
{
	char name[8 + 1] = "";

	if (tid == 15)
		return text8("ksoftirq");
	snprintf(name, sizeof(name), "t%u", tid % 100000);
	return text8(name);
}

/* Record a switch from @prev, now in @state (as in ps), to @next. Thread N is called tN. */
void irq_switch(int64_t time_ns, int32_t cpu, uint32_t prev, char state, uint32_t next)
{
	irq_record(time_ns, cpu, prev, 0, LKST_ETYPE_PROCESS_CONTEXTSWITCH,
		   (uint64_t[4]){ pack(prev, (uint32_t)state), pack(next, 120), irq_name(prev),
				  irq_name(next) });
}

/* End the window. */
void irq_end(int64_t time_ns)
{
	assert_ok(lkst_model_cut(analysis_run.model, IRQ_WALL_NS + time_ns, &err));
}

const struct lkst_thread *irq_thread(uint32_t tid)
{
	const struct lkst_thread *thread = lkst_model_find(analysis_run.model, 0, tid);

	ck_assert_ptr_nonnull(thread);
	return thread;
}
