// SPDX-License-Identifier: GPL-2.0
/*
 * lkstm config: change some entries of a maskset. A maskset determines the event handler of each
 * event type, and thereby which events are recorded.
 */
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "cli/command.h"
#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/text/etypes.h"
#include "lib/text/maskset.h"
#include "lib/text/messages.h"
#include "lib/text/words.h"
#include "maskset.h"
#include "messages.h"

/**
 * struct maskset_config - a change of a maskset
 * @choice: the maskset, as named on the command line
 * @words: argument that names the event types
 * @handler_word: argument that names the event handler
 * @types: event types of the kernel
 * @handler: event handler to set
 * @change: event types to change
 */
struct maskset_config {
	struct maskset_choice choice;
	const char *words;
	const char *handler_word;
	struct lkst_etypes *types;
	lkst_evhandler_id handler;
	struct lkst_maskset_change change;
};

static int maskset_config_add_words(struct maskset_config *config, struct lkst_error *err)
{
	char *copy = strdup(config->words), *next = copy, *word;
	int ret = 0;

	if (!copy) {
		lkst_error_memory(err, "the event types");
		return -1;
	}
	while (!ret && (word = lkst_next_word(&next)) != NULL) {
		if (*word) {
			ret = lkst_maskset_select(config->types, word, config->handler,
						  &config->change, err);
		} else {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EMPTY_EVENT, config->words);
			ret = -1;
		}
	}
	free(copy);
	return ret;
}

static int maskset_config_find_handler(struct lkst_device *dev, struct maskset_config *config,
				       struct lkst_error *err)
{
	struct lkst_evhandler_list handlers;

	if (lkst_evhandler_list_get(dev, &handlers, err))
		return -1;
	config->handler = lkst_evhandler_find(&handlers, config->handler_word, err);
	lkst_evhandler_list_free(&handlers);
	return config->handler < 0 ? -1 : 0;
}

/* Find the maskset, and check that it may be changed. Returns its id, or -1 on error. */
static lkst_maskset_id config_find_maskset(struct lkst_device *dev,
					   const struct maskset_choice *choice,
					   struct lkst_error *err)
{
	struct lkst_status status;
	lkst_maskset_id id;
	bool stopped;

	if (lkst_status_get(dev, &status, err))
		return -1;
	stopped = status.trc.state != LKST_TRC_RUNNING;
	lkst_status_free(&status);
	if (stopped && choice->id < 0 && !choice->name) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_STOPPED_SELECTED);
		return -1;
	}
	id = maskset_chosen(dev, choice, err);
	return id < 0 || maskset_check_writable(id, err) ? -1 : id;
}

static int config_change_maskset(struct lkst_device *dev, const struct maskset_config *config,
				 struct lkst_maskset_body *body, struct lkst_error *err)
{
	lkst_maskset_id id = config_find_maskset(dev, &config->choice, err);

	if (id < 0 || lkst_maskset_read(dev, id, body, err))
		return -1;
	/* An empty name keeps the old name, and makes the write fail if the maskset was deleted. */
	body->name[0] = 0;
	/* The maskset has an entry for each registered event type. */
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if (lkst_etype_set_has(&config->change.set,
				       (unsigned int)body->entry[i].event_type))
			body->entry[i].id = config->handler;
	if (lkst_maskset_check_locks(config->types, body, NULL, err))
		return -1;
	return lkst_maskset_write(dev, &id, body, err);
}

static int maskset_config_configure(struct lkst_device *dev, struct maskset_config *config,
				    struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	int ret = -1;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	if (!maskset_config_find_handler(dev, config, err) &&
	    !maskset_config_add_words(config, err) && !lkst_masksets_lock(dev, err))
		ret = config_change_maskset(dev, config, body, err);
	free(body);
	return ret;
}

static int config_with(struct maskset_config *config)
{
	struct lkst_device *dev;
	struct lkst_error err;
	int ret = -1;

	config->types = lkst_etypes_system(&err);
	if (!config->types)
		return fail(&err);
	dev = lkst_device_open(&err);
	if (dev)
		ret = maskset_config_configure(dev, config, &err);
	lkst_device_close(dev);
	if (!ret)
		maskset_print_left_out(config->types, &config->change.left_out);
	lkst_etypes_free(config->types);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int maskset_config(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct maskset_config,
			       "maskset with this id; default: the selected one"),
		OPT_MASKSET_NAME(struct maskset_config, "maskset with this name"),
	};
	static const struct syntax syntax = {
		.usage = "[-m ID | -n NAME] EVENTS HANDLER",
		.about = "Change the event handler of event types in a maskset.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
		.more = "  EVENTS   words, separated by commas: names and numbers of events, 'int_*',\n"
			"           class:memory, 0x010-0x01f, all, the kernel's tracepoints\n"
			"  HANDLER  event handler, name or id; on: record them (entry_log); off: do not\n\n"
			"Names of events: \"lkstbuf print -h\"; of event handlers: \"lksteh list\".\n",
	};
	struct maskset_config config = { .choice.id = -1 };

	if (arguments(&syntax, argc, argv, &config) == OPTION_STOP)
		return option_status;
	if (config.choice.id >= 0 && config.choice.name)
		return usage("only one of -m and -n can be given");
	if (argc - optind > 2)
		return usage("unexpected argument \"%s\"", argv[optind + 2]);
	if (argc - optind < 2)
		return usage("want event types and their event handler");
	config.words = argv[optind];
	config.handler_word = argv[optind + 1];
	return config_with(&config);
}
