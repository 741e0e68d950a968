// SPDX-License-Identifier: GPL-2.0
/* lkstla: analyses traces. */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "arguments.h"
#include "cli/command.h"
#include "cli/json.h"
#include "lib/base/error.h"
#include "messages.h"
#include "run.h"

/* All analyses, in the order in which "lkstla help" lists them */
static const struct analysis *const analyses[] = {
	&analysis_report,
	&analysis_html,
	&analysis_top,
	&analysis_sched,
	&analysis_thread,
	&analysis_why,
	&analysis_offcpu,
	&analysis_wake,
	&analysis_cpu,
	&analysis_map,
	&analysis_irq,
	&analysis_timer,
	&analysis_noise,
	&analysis_profile,
	&analysis_syscall,
	&analysis_lock,
	&analysis_block,
	&analysis_net,
	&analysis_pair,
	&analysis_mem,
	&analysis_diff,
	&analysis_sql,
};

#define ANALYSES (sizeof(analyses) / sizeof(*analyses))

/* Return the analysis that the options select. */
static const struct analysis *lkstla_chosen(const struct analysis *analysis, const void *own)
{
	const struct analysis *instead = analysis->instead ? analysis->instead(own) : NULL;

	return instead ? instead : analysis;
}

static const struct analysis *lkstla_find(const char *name)
{
	for (size_t i = 0; i < ANALYSES; i++)
		if (!strcmp(analyses[i]->name, name))
			return analyses[i];
	return NULL;
}

/* Print a list for which no trace is needed, in the form that the options select. */
static int lkstla_list(const struct analysis *analysis, const struct common_arguments *args,
		       struct lkst_error *err)
{
	struct json_object *all;
	struct table *table;
	int ret = 0;

	if (args->json && args->csv) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_TWO_FORMS);
		return -1;
	}
	if (!args->json && !args->csv) {
		analysis->list();
		return 0;
	}
	table = analysis->list_table(err);
	if (!table)
		return -1;
	if (args->csv) {
		table_print_csv(table, stdout);
	} else {
		all = json_new();
		json_put(all, table_name(table), table_json(table));
		ret = json_print(all, err);
	}
	table_free(table);
	return ret;
}

/* Run the analysis that argv[0] names. */
static int lkstla_run(int argc, char **argv)
{
	const struct analysis *analysis = lkstla_find(argv[0]);
	struct arguments_form form;
	struct arguments *args;
	struct lkst_error err;
	int status;

	/*
	 * program_main() passes only names from the table, but a fuzz target replaces that
	 * function.
	 */
	if (!analysis)
		return EXIT_USAGE;
	args = arguments_new(analysis, &err);
	if (!args)
		return fail(&err);
	arguments_form(analysis, &form);
	if (arguments(&form.syntax, argc, argv, args) == OPTION_STOP)
		status = option_status;
	else if (analysis->lists && analysis->lists(args->own))
		status = lkstla_list(analysis, &args->common, &err) ? fail(&err) : EXIT_SUCCESS;
	else if (arguments_take(analysis, args, argv + optind, &err))
		status = fail(&err);
	else
		status = run_analysis(lkstla_chosen(analysis, args->own), args, argv + optind);
	arguments_free(args);
	return status;
}

int main(int argc, char **argv)
{
	struct command commands[ANALYSES];
	const struct program program = {
		.name = "lkstla",
		.title = "analyse traces of the Linux Kernel State Tracer",
		.commands = commands,
		.num = ANALYSES,
	};

	for (size_t i = 0; i < ANALYSES; i++)
		commands[i] =
			(struct command){ analyses[i]->name, lkstla_run, analyses[i]->summary };
	return program_main(&program, argc, argv);
}
