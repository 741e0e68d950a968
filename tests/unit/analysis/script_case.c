// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <time.h>

#include "lib/text/context.h"
#include "lib/text/names.h"
#include "lib/text/values.h"
#include "script_case.h"

static struct lkst_context context;
static struct lkst_etypes *types;

const struct lkst_context *__wrap_lkst_trace_source_context(const struct lkst_trace *trace,
							    uint32_t source);

const struct lkst_context *__wrap_lkst_trace_source_context(const struct lkst_trace *trace,
							    uint32_t source)
{
	(void)trace;
	(void)source;
	return &context;
}

/**
 * script_setup() - make the model that analysis_setup() passes to an analysis
 * @values: names of values: lines as in /proc/lkst_values, without the header
 */
void script_setup(const char *values)
{
	char all[4096];

	setenv("TZ", "UTC", 1);
	tzset();
	types = lkst_etypes_embedded(&err);
	assert_made(types);
	context.names = lkst_names_new();
	lkst_names_finalize(context.names);
	snprintf(all, sizeof(all), LKST_VALUES_HEADER "\n%s", values);
	context.values = lkst_values_parse(all, strlen(all), "values", &err);
	assert_made(context.values);
	model = lkst_model_new(false, &err);
	assert_made(model);
	analysis_model = model;
	analysis_types = types;
}

/* Set the end of the window and of the trace, after analysis_setup(). */
void script_window(int64_t end_ns)
{
	analysis_run.newest_ns = analysis_run.end_ns = end_ns;
}

/* Run a script, and end the window. */
void script_run(const char *script)
{
	model_script(script);
	assert_ok(lkst_model_cut(model, analysis_run.end_ns, &err));
	ck_assert(!analysis_out_of_memory());
}

/* Free the analysis and the model. */
void script_teardown(void)
{
	analysis_teardown();
	lkst_model_free(model);
	model = analysis_model = NULL;
	analysis_types = NULL;
	lkst_etypes_free(types);
	lkst_names_free(context.names);
	lkst_values_free(context.values);
	context = (struct lkst_context){ 0 };
}
