// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla report: each finding alone, on both sides of its threshold. Threads are "a" to "z", with
 * the IDs 101 to 126.
 */
#include <stdlib.h>
#include <time.h>

#include "analysis_case.h"
#include "cli/options.h"
#include "lib/text/context.h"
#include "lib/text/names.h"
#include "lib/text/values.h"
#include "lkstla/report/report.h"
#include "model_case.h"

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

unsigned int terminal_width(void)
{
	return 0;
}

bool color_enabled(void)
{
	return false;
}

/* All events are recorded. */
bool report_lacks(const struct run *run, const struct report_rule *rule)
{
	(void)run;
	(void)rule;
	return false;
}

void report_missing_text(const struct run *run, const char *const *words, char *text, size_t size)
{
	(void)run;
	(void)words;
	snprintf(text, size, "missing");
}

/* Run a script up to @end_ns, with options of --threshold. */
static void begin(const char *script, int64_t end_ns, const struct report_arguments *own)
{
	static const char values[] = LKST_VALUES_HEADER "\nblkop enum 1 WRITE\n";

	setenv("TZ", "UTC", 1);
	tzset();
	types = lkst_etypes_embedded(&err);
	assert_made(types);
	context.names = lkst_names_new();
	lkst_names_finalize(context.names);
	context.values = lkst_values_parse(values, strlen(values), "values", &err);
	assert_made(context.values);
	model = lkst_model_new(false, &err);
	assert_made(model);
	analysis_model = model;
	analysis_types = types;
	analysis_setup(&analysis_report, own);
	analysis_run.newest_ns = analysis_run.end_ns = end_ns;
	assert_ok(lkst_model_add(model, &analysis_report.ops, analysis_ctx(), &err));
	model_script(script);
	assert_ok(lkst_model_cut(model, end_ns, &err));
	ck_assert(!analysis_out_of_memory());
}

static void done(void)
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

/* Return the page. The caller must free it. */
static char *page(void)
{
	struct tables tables = { 0 };

	assert_ok(analysis_report.report(analysis_ctx(), &analysis_run, &tables, &err));
	ck_assert_ptr_nonnull(tables.text);
	for (size_t i = 0; i < tables.num; i++)
		table_free(tables.table[i]);
	return tables.text;
}

/* Check the part of the page before WHERE THE CPUS WERE. */
static void check(const char *name, const char *script, int64_t end_ns, const char *threshold,
		  const char *expected)
{
	struct report_arguments own = { .threshold.num = threshold != NULL,
					.threshold.word = { threshold } };
	char *text, *rest;

	begin(script, end_ns, &own);
	text = page();
	rest = strstr(text, "\nWHERE THE CPUS WERE\n");
	ck_assert_ptr_nonnull(rest);
	*rest = 0;
	ck_assert_msg(!strcmp(text, expected), "%s: got\n%swant\n%s", name, text, expected);
	free(text);
	done();
}

#define NONE "FINDINGS\n    No findings. "

static const struct finding_case {
	const char *name;
	const char *script;
	int64_t end_ns;
	const char *below; /* a threshold that is not reached */
	const char *at;	   /* one that is just reached; NULL: the default */
	const char *expected;
} cases[] = {
	{ "cpu-wait",
	  "1/c:0 sys 1 1; 1:1000000 switch c>idle S; 0/a:1000000 switch a>b S; 0/b:2000000 waking a;"
	  "0/b:2000000 wakeup a 0; 0/b:152000000 switch b>a S; 1/idle:155000000 switch idle>c R",
	  160000000, "cpu-wait=150001us", "cpu-wait=150ms",
	  " 1  101 waited 150 ms for CPU 0, held by 102; CPU 1 was idle for at least 150 ms of it\n"
	  "    at 00:00:00.152000, cpu-wait\n"
	  "    lkstla why 101 --at 00:00:00.152000\n" },
	{ "irq-long",
	  "0/a:1000000 sys 0 3; 0h:2000000 irq 24 nic; 0h:9000000 irqx 24; 0:10000000 ret 0 1",
	  11000000, "irq-long=7001us", "irq-long=7ms",
	  " 1  interrupt nic took 7.0 ms on CPU 0, and interrupted 101\n"
	  "    at 00:00:00.009000, irq-long\n"
	  "    lkstbuf print -r -c 0 --since 00:00:00.002000 --until 00:00:00.009001\n" },
	{ "softirq-long",
	  "0/a:1000000 sys 0 3; 0s:2000000 soft 3; 0s:32000000 softx 3; 0:35000000 ret 0 1",
	  40000000, "softirq-long=30001us", NULL,
	  " 1  softirq NET_RX took 30.0 ms on CPU 0, and interrupted 101\n"
	  "    at 00:00:00.032000, softirq-long\n"
	  "    lkstbuf print -r -c 0 --since 00:00:00.002000 --until 00:00:00.032001\n" },
};

/* Each finding is reported alone, and only from its threshold on. */
TEST(findings)
{
	char expected[2048], none[4096];

	for (size_t i = 0; i < NUM(cases); i++) {
		const struct finding_case *c = &cases[i];
		struct report_arguments own = { .threshold = { 1, { c->below } } };
		char *text;

		snprintf(expected, sizeof(expected), "FINDINGS\n%s", c->expected);
		check(c->name, c->script, c->end_ns, c->at, expected);
		begin(c->script, c->end_ns, &own);
		text = page();
		snprintf(none, sizeof(none), "%s below: %s", c->name, text);
		ck_assert_msg(!strncmp(text, NONE, strlen(NONE)), "%s", none);
		free(text);
		done();
	}
}

/* Several occurrences of one kind are one finding. The most expensive kind comes first. */
TEST(several)
{
	check("several",
	      "0/a:1000000 sys 0 3; 0h:2000000 irq 24 nic; 0h:9000000 irqx 24; 0h:10000000 irq 24 nic;"
	      "0h:18000000 irqx 24; 0s:20000000 soft 3; 0s:60000000 softx 3; 0:70000000 ret 0 1",
	      71000000, NULL,
	      "FINDINGS\n"
	      " 1  softirq NET_RX took 40.0 ms on CPU 0, and interrupted 101\n"
	      "    at 00:00:00.060000, softirq-long\n"
	      "    lkstbuf print -r -c 0 --since 00:00:00.020000 --until 00:00:00.060001\n"
	      " 2  interrupt nic took 8.0 ms on CPU 0, and interrupted 101\n"
	      "    worst at 00:00:00.018000, 2 times, in total 15.0 ms, irq-long\n"
	      "    lkstbuf print -r -c 0 --since 00:00:00.010000 --until 00:00:00.018001\n");
}

/* Return what start() says about an argument of --threshold. */
static const char *refused(const char *word)
{
	struct report_arguments own = { .threshold = { 1, { word } } };
	struct run run = { .args = &analysis_args, .own = &own };

	ck_assert_ptr_null(analysis_report.start(&run, &err));
	return err.text;
}

TEST(thresholds)
{
	ck_assert_str_eq(refused("cpu-wiat=1ms"),
			 "--threshold \"cpu-wiat\": unknown name; did you mean \"cpu-wait\"? "
			 "(lkstla report --thresholds lists them)");
	ck_assert_str_eq(refused("cpu-wait"), "--threshold \"cpu-wait\": want cpu-wait=VALUE, which is "
					      "a time: 250us, 20ms, 1.5s");
	ck_assert_str_eq(refused("cpu-wait=0"), "--threshold \"cpu-wait=0\": want cpu-wait=VALUE, which "
						"is a time: 250us, 20ms, 1.5s");
}
