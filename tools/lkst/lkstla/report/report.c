// SPDX-License-Identifier: GPL-2.0
/* lkstla report: shows what is wrong, how the CPUs spent their time, and the worst delays. */
#include <stdlib.h>

#include "cli/json.h"
#include "lib/base/error.h"
#include "lkstla/messages.h"
#include "report.h"

static const struct option_row report_rows[] = {
	OPT_WORDS(0, "threshold", "NAME=VALUE", struct report_arguments, threshold,
		  "report only what reaches this: cpu-wait=20ms"),
	OPT_FLAG(0, "thresholds", struct report_arguments, thresholds,
		 "list the thresholds, and exit"),
	OPT_TEXT(0, "html", "FILE", struct report_arguments, html,
		 "write a page for a browser, with a timeline"),
};

static const struct analysis *const report_parts[REPORT_PARTS] = {
	[PART_CPU] = &analysis_cpu,	    [PART_SCHED] = &analysis_sched,
	[PART_BLOCK] = &analysis_block,	    [PART_LOCK] = &analysis_lock,
	[PART_SYSCALL] = &analysis_syscall, [PART_NET] = &analysis_net,
	[PART_MEM] = &analysis_mem,
};

static void report_free(void *ctx)
{
	struct report *report = ctx;

	for (int i = 0; i < REPORT_PARTS; i++)
		if (report->part[i])
			report_parts[i]->free(report->part[i]);
	if (report->death)
		report_death.free(report->death);
	history_free(report->past);
	blame_free(&report->history);
	free(report->thread);
	free(report->irqs);
	free(report->first);
	free(report);
}

/*
 * Start the parts, and register their functions with the model. They are registered before the
 * functions of the report, so the model calls them first.
 */
static int report_start_parts(struct report *report, struct lkst_error *err)
{
	const struct run *run = report->run;

	for (int i = 0; i < REPORT_PARTS; i++) {
		report->part[i] = report_parts[i]->start(run, err);
		if (!report->part[i] ||
		    lkst_model_add(run->model, &report_parts[i]->ops, report->part[i], err))
			return -1;
	}
	report_observe_parts(report);
	report->death = report_death.start(run, err);
	if (!report->death)
		return -1;
	return lkst_model_add(run->model, &report_death.ops, report->death, err);
}

/**
 * report_new() - begin a report
 * @run: run
 * @own: options
 * @err: set if an option is invalid, or an allocation fails
 */
struct report *report_new(const struct run *run, const struct report_arguments *own,
			  struct lkst_error *err)
{
	struct report *report = calloc(1, sizeof(*report));

	if (!report) {
		lkst_error_memory(err, "the report");
		return NULL;
	}
	report->run = run;
	blame_init(&report->history);
	if (!report_set_thresholds(report, &own->threshold, err) &&
	    !report_start_parts(report, err))
		return report;
	report_free(report);
	return NULL;
}

static void *report_start(const struct run *run, struct lkst_error *err)
{
	return report_new(run, run->own, err);
}

static void report_early(void *ctx, const struct lkst_event *event)
{
	struct report *report = ctx;

	report_note_first(report, event);
	report_death.early(report->death, event);
}

/* Return what --json prints besides the tables, or NULL. */
static struct json_object *report_json(const struct report *report)
{
	struct json_object *json = report_death.json(report->death);
	struct json_object *past = history_json(report->past, 0);

	if (past && !json)
		json = json_new();
	if (past)
		json_put(json, "history", past);
	return json;
}

static int report_report(void *ctx, const struct run *run, struct tables *to,
			 struct lkst_error *err)
{
	struct report *report = ctx;

	report_finish_parts(report);
	report_rank(report);
	if (report_death.finish(report->death, err))
		return -1;
	if (report_add_tables(report, to, err))
		return -1;
	if (run->args->csv)
		return 0;
	if (history_read(run, &report->past, err))
		return -1;
	if (!run->args->json)
		return report_print_page(report, to, err);
	to->json = report_json(report);
	return 0;
}

static const struct analysis *report_instead(const void *own)
{
	return ((const struct report_arguments *)own)->html ? &analysis_report_page : NULL;
}

/* With --html, --thresholds is not a list but an error, which report_check() reports. */
static bool report_lists(const void *own)
{
	const struct report_arguments *arguments = own;

	return arguments->thresholds && !arguments->html;
}

static int report_check(const struct common_arguments *args, const void *own, char **operands,
			struct lkst_error *err)
{
	const struct report_arguments *arguments = own;
	const char *other = args->json ? "--json" : args->csv ? "--csv" : args->cpu >= 0 ? "-c" :
			    arguments->thresholds ? "--thresholds" : NULL;

	(void)operands;
	if (!arguments->html || !other)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_HTML_OPTION, other);
	return -1;
}

static const char *const report_needs[] = {
	"PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP",    "SYSCALL_ENTRY", "INT_HARDWARE_ENTRY",
	"INT_TIMER_ENTRY",	 "INT_SOFTIRQ_ENTRY", "OOPS_PANIC",    NULL,
};

const struct analysis analysis_report = {
	.name = "report",
	.about = "What is wrong, the most expensive first, each with the command that shows more.\n"
		 "Then where the time of the CPUs went. lkstla-findings(7) explains the findings.\n"
		 "If the machine has died, the page begins with its last minute.\n",
	.refuses = {
		[ANALYSIS_OVER] = "--threshold changes what is reported",
		[ANALYSIS_TOP] = "the other analyses print whole tables",
		[ANALYSIS_SORT] = "the other analyses print tables",
	},
	.row = report_rows,
	.rows = sizeof(report_rows) / sizeof(*report_rows),
	.own_size = sizeof(struct report_arguments),
	.check = report_check,
	.lists = report_lists,
	.list = report_list_thresholds,
	.list_table = report_thresholds_table,
	.instead = report_instead,
	.needs = report_needs,
	.needs_any = true,
	.long_rings = true,
	.ops = {
		.thread = report_on_thread,
		.cpu = report_on_cpu,
		.context = report_on_context,
		.syscall = report_on_syscall,
		.loss = report_on_loss,
		.event = report_on_event,
	},
	.start = report_start,
	.early = report_early,
	.report = report_report,
	.free = report_free,
};
