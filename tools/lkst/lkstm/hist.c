// SPDX-License-Identifier: GPL-2.0
/* lkstm hist: print the histograms of a maskset's rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "hist_print.h"
#include "lib/base/error.h"
#include "lib/device/hists.h"
#include "lib/live/system_values.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/text/words.h"
#include "maskset.h"

/**
 * struct hist_options - command line of lkstm hist
 * @choice: maskset, as named on the command line
 * @reset: delete the entries that are printed
 * @json: print JSON
 * @events: operand that names event types; NULL: all of them
 */
struct hist_options {
	struct maskset_choice choice;
	bool reset;
	bool json;
	const char *events;
};

/**
 * struct hist_reading - state while histograms are printed
 * @opt: command line
 * @types: event types of the kernel
 * @set: event types whose histograms are printed, if the command line names any
 * @names: names of values
 * @list: receives the histograms as JSON; NULL: print text
 * @printed: number of histograms so far
 */
struct hist_reading {
	const struct hist_options *opt;
	struct lkst_etypes *types;
	struct lkst_etype_set set;
	struct hist_names names;
	struct json_object *list;
	unsigned int printed;
};

static int hist_output(struct hist_reading *reading, const struct lkst_hist *hist,
		       struct lkst_error *err)
{
	unsigned int etype = (unsigned int)hist->param.event_type;
	const struct lkst_etype *type = lkst_etype(reading->types, etype);
	struct json_object *value;

	if (hist_load_names(&reading->names, hist, err))
		return -1;
	if (!reading->list) {
		if (reading->printed)
			printf("\n");
		hist_print(hist, &reading->names, type ? type->name : "(unknown event)");
	} else {
		value = hist_json(hist, &reading->names);
		json_etype(value, reading->types, etype);
		json_add(reading->list, value);
	}
	reading->printed++;
	return 0;
}

/* Print the histograms of the event types from @search->etype to @search->last. */
static int hist_read_range(struct lkst_device *dev, struct hist_reading *reading,
			   struct lkst_hist_search search, struct lkst_error *err)
{
	struct lkst_hist *hist;
	int ret = 0;

	while (!ret) {
		if (lkst_hist_read(dev, &search, &hist, err))
			return -1;
		if (!hist)
			break;
		ret = hist_output(reading, hist, err);
		search.etype = (unsigned int)hist->param.event_type;
		search.index = hist->param.index + 1;
		lkst_hist_free(hist);
	}
	return ret;
}

/* Print the histograms of the event types that the operand names, or of all. */
static int hist_read_all(struct lkst_device *dev, struct hist_reading *reading, lkst_maskset_id id,
			 struct lkst_error *err)
{
	struct lkst_hist_search search = {
		.maskset = id,
		.last = LKST_ETYPE_NUM - 1,
		.reset = reading->opt->reset,
	};
	int ret = 0;

	if (!reading->opt->events)
		return hist_read_range(dev, reading, search, err);
	for (unsigned int i = 0; !ret && i < LKST_ETYPE_NUM; i++) {
		search.etype = i;
		search.last = i;
		if (lkst_etype_set_has(&reading->set, i))
			ret = hist_read_range(dev, reading, search, err);
	}
	return ret;
}

static int hist_read_json(struct lkst_device *dev, struct hist_reading *reading, lkst_maskset_id id,
			  struct lkst_error *err)
{
	struct json_object *value = json_new();

	reading->list = json_list();
	if (hist_read_all(dev, reading, id, err)) {
		json_free(reading->list);
		json_free(value);
		return -1;
	}
	json_int(value, "id", id);
	json_put(value, "histograms", reading->list);
	return json_print(value, err);
}

static int hist_select(struct hist_reading *reading, struct lkst_error *err)
{
	char *copy = strdup(reading->opt->events), *next = copy, *word;
	int ret = 0;

	if (!copy) {
		lkst_error_memory(err, "the event types");
		return -1;
	}
	while (!ret && (word = lkst_next_word(&next)) != NULL)
		ret = lkst_etypes_select(reading->types, word, &reading->set, err);
	free(copy);
	return ret;
}

/* Load the descriptions of events, and print the histograms. */
static int hist_read_with(struct hist_reading *reading, struct lkst_error *err)
{
	struct lkst_device *dev;
	lkst_maskset_id id;
	int ret = -1;

	reading->types = lkst_etypes_system(err);
	if (!reading->types || (reading->opt->events && hist_select(reading, err)))
		return -1;
	dev = lkst_device_open(err);
	if (!dev)
		return -1;
	id = maskset_chosen(dev, &reading->opt->choice, err);
	if (id >= 0)
		ret = reading->opt->json ? hist_read_json(dev, reading, id, err) :
					   hist_read_all(dev, reading, id, err);
	lkst_device_close(dev);
	return ret;
}

static int hist_read(const struct hist_options *opt, struct lkst_error *err)
{
	struct hist_reading reading = { .opt = opt };
	int ret;

	reading.names.machine = lkst_system_machine();
	ret = hist_read_with(&reading, err);
	if (reading.names.kallsyms)
		lkst_kallsyms_free(reading.names.kallsyms);
	lkst_etypes_free(reading.types);
	return ret;
}

int maskset_hist(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct hist_options,
			       "maskset with this id; default: the selected one"),
		OPT_MASKSET_NAME(struct hist_options, "maskset with this name"),
		OPT_FLAG(0, "reset", struct hist_options, reset,
			 "delete the entries that are printed; count from 0"),
		OPT_JSON(struct hist_options, json),
	};
	static const struct syntax syntax = {
		.usage = "[-m ID | -n NAME] [--reset] [--json] [EVENTS]",
		.about = "Print the histograms of rules.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
		.more = "  EVENTS  words, separated by commas, as in \"lkstm config\"; default: all\n\n"
			"A rule that counts: lkstm rule EVENT do 'hist(keys=FIELD:vals=FIELD)'\n",
	};
	struct hist_options opt = { .choice.id = -1 };
	struct lkst_error err;

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	if (opt.choice.id >= 0 && opt.choice.name)
		return usage("only one of -m and -n can be given");
	if (argc - optind > 1)
		return usage("unexpected argument \"%s\"", argv[optind + 1]);
	opt.events = argv[optind];
	return hist_read(&opt, &err) ? fail(&err) : EXIT_SUCCESS;
}
