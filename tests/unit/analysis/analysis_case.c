// SPDX-License-Identifier: GPL-2.0
/* Runs an analysis without a trace, and returns its tables as text. */
#include <inttypes.h>

#include "analysis_case.h"
#include "tap.h"

struct common_arguments analysis_args;
char **analysis_operands;
const struct lkst_etypes *analysis_types;
struct run analysis_run;
struct lkst_model *analysis_model;
int64_t analysis_c = -1;
const char *analysis_image;
const struct lkst_thread *analysis_selected;

static const struct analysis *analysis;
static void *ctx;
static bool out_of_memory;

bool run_selects(const struct run *run, const struct lkst_thread *thread)
{
	ck_assert_ptr_eq(run, &analysis_run);
	return !analysis_selected || thread == analysis_selected;
}

const char *run_thread_name(const struct run *run, const struct lkst_thread *thread, char text[40])
{
	ck_assert_ptr_eq(run, &analysis_run);
	snprintf(text, 40, "%s%s%u", thread->name, *thread->name ? "-" : "", thread->tid);
	return text;
}

const char *run_system(const struct run *run, const char *key, size_t *len)
{
	ck_assert_ptr_eq(run, &analysis_run);
	ck_assert_str_eq(key, "image");
	*len = analysis_image ? strlen(analysis_image) : 0;
	return analysis_image;
}

const struct lkst_context *run_context(const struct run *run, uint32_t source)
{
	return lkst_trace_source_context(run->trace, source);
}

const char *run_symbol(const struct run *run, uint32_t source, uint64_t address, char *text,
		       size_t size)
{
	ck_assert_ptr_eq(run, &analysis_run);
	snprintf(text, size, "%u:0x%" PRIx64, source, address);
	return text;
}

const char *run_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
			     char text[32])
{
	ck_assert_ptr_nonnull(thread);
	snprintf(text, 32, abi ? "call_%d/%u" : "call_%d", number, abi);
	return text;
}

void run_out_of_memory(const struct run *run)
{
	ck_assert_ptr_eq(run, &analysis_run);
	out_of_memory = true;
}

/**
 * analysis_setup() - start an analysis
 * @to_test: analysis
 * @own: options of this analysis
 */
void analysis_setup(const struct analysis *to_test, const void *own)
{
	analysis = to_test;
	out_of_memory = false;
	analysis_selected = NULL;
	analysis_args = (struct common_arguments){ .cpu = analysis_c };
	/*
	 * An analysis whose operands select threads refuses to start without such an operand, so
	 * pass it a word. The word selects nothing: run_selects() above does not look at it.
	 */
	if (to_test->operands_select)
		analysis_args.processes = (struct option_words){ 1, { "process" } };
	analysis_run = (struct run){
		.args = &analysis_args,
		.own = own,
		.operands = analysis_operands,
		.types = analysis_types,
		.model = analysis_model,
		.end_ns = 1000000,
	};
	ctx = analysis->start(&analysis_run, &err);
	assert_made(ctx);
	if (analysis->apply && own)
		assert_ok(analysis->apply(ctx, own, &err));
}

/* Start the analysis again after analysis_teardown(), with unchanged arguments and window. */
void analysis_restart(void)
{
	ctx = analysis->start(&analysis_run, &err);
	assert_made(ctx);
}

/* Free what the analysis collected. */
void analysis_teardown(void)
{
	analysis->free(ctx);
}

/* Return the argument that run.c would pass to the callbacks. */
void *analysis_ctx(void)
{
	return ctx;
}

/* Pass the span of a thread to the analysis. */
void analysis_span(const struct lkst_thread_span *span)
{
	analysis->ops.thread(ctx, span);
}

/* Return whether the analysis has reported a failed allocation. */
bool analysis_out_of_memory(void)
{
	return out_of_memory;
}

/* Return the tables as CSV, one after the other. The caller must free the text. */
char *analysis_csv(void)
{
	struct tables tables = { 0 };
	size_t len;
	char *text;
	FILE *to = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(to);
	assert_ok(analysis->report(ctx, &analysis_run, &tables, &err));
	for (size_t i = 0; i < tables.num; i++) {
		table_print_csv(tables.table[i], to);
		table_free(tables.table[i]);
	}
	fclose(to);
	return text;
}

/*
 * Run a report that has no tables, and return what it prints on standard output. The caller must
 * free the text.
 */
char *analysis_printed(void)
{
	char *text = NULL;
	size_t len;
	FILE *saved = stdout;

	stdout = open_memstream(&text, &len);
	analysis_check("");
	fclose(stdout);
	stdout = saved;
	return text;
}
