// SPDX-License-Identifier: GPL-2.0
/* lkstm config: change some entries of a maskset. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lib/messages.h"
#include "maskset.h"
#include "maskset_choose.h"

/**
 * struct config - what is to be changed
 * @choice: in which maskset
 * @words: for the event types
 * @handler_word: for the event handler
 * @types: those of the kernel
 * @handler: event handler they get
 * @change: the event types
 * @left_out: what was meant, too, but is absent
 */
struct config {
	struct maskset_choice choice;
	const char *words;
	const char *handler_word;
	struct lkst_etypes *types;
	lkst_evhandler_id handler;
	struct lkst_etype_set change;
	struct lkst_etype_set left_out;
};

/* Takes in what @word means and can have the handler; that must be something. */
static int add_word(struct config *config, const char *word, struct lkst_error *err)
{
	unsigned int known = 0, changed = 0, last = 0;
	struct lkst_etype_set set;

	if (lkst_etypes_select(config->types, word, &set, err))
		return -1;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (!lkst_etype_set_has(&set, i) || !lkst_etype(config->types, i))
			continue;
		known++;
		last = i;
		if (lkst_maskset_check_entry(config->types, (int)i, config->handler, NULL)) {
			lkst_etype_set_add(&config->left_out, i);
		} else {
			lkst_etype_set_add(&config->change, i);
			changed++;
		}
	}
	if (changed)
		return 0;
	if (!known)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WORD_UNKNOWN, word);
	else if (known == 1)
		lkst_maskset_check_entry(config->types, (int)last, config->handler, err);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WORD_ABSENT, word);
	return -1;
}

static int add_words(struct config *config, struct lkst_error *err)
{
	char *copy = strdup(config->words), *next = copy, *word;
	int ret = 0;

	if (!copy) {
		lkst_error_memory(err, "the event types");
		return -1;
	}
	while (!ret && (word = lkst_next_word(&next)) != NULL) {
		if (*word) {
			ret = add_word(config, word, err);
		} else {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_EMPTY_EVENT, config->words);
			ret = -1;
		}
	}
	free(copy);
	return ret;
}

static int find_handler(struct lkst_device *dev, struct config *config, struct lkst_error *err)
{
	struct lkst_evhandler_list handlers;

	if (lkst_evhandler_list_get(dev, &handlers, err))
		return -1;
	config->handler = lkst_evhandler_find(&handlers, config->handler_word, err);
	lkst_evhandler_list_free(&handlers);
	return config->handler < 0 ? -1 : 0;
}

/* Which maskset; it must be one that can be written. Returns -1 on an error. */
static lkst_maskset_id find_maskset(struct lkst_device *dev, const struct maskset_choice *choice,
				    struct lkst_error *err)
{
	struct lkst_status status;
	lkst_maskset_id id;
	bool stopped;

	if (lkst_status_get(dev, &status, err))
		return -1;
	stopped = status.trc.state != LKST_TRC_RUNNING;
	lkst_status_free(&status);
	if (stopped && !choice->id && !choice->name) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_STOPPED_SELECTED);
		return -1;
	}
	id = maskset_chosen(dev, choice, err);
	return id < 0 || maskset_check_writable(id, err) ? -1 : id;
}

static int change_maskset(struct lkst_device *dev, const struct config *config,
			  struct lkst_maskset_body *body, struct lkst_error *err)
{
	lkst_maskset_id id = find_maskset(dev, &config->choice, err);

	if (id < 0 || lkst_maskset_read(dev, id, body, err))
		return -1;
	/* Without a name it keeps the one it has; and is not made anew if it was just deleted. */
	body->name[0] = 0;
	/* It has an entry for each registered event type. */
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if (lkst_etype_set_has(&config->change, (unsigned int)body->entry[i].event_type))
			body->entry[i].id = config->handler;
	if (lkst_maskset_check_locks(config->types, body, err))
		return -1;
	return lkst_maskset_write(dev, &id, body, err);
}

static void tell_left_out(const struct config *config)
{
	const char *before = "not recorded, as they are absent in this kernel: ";
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype_set_has(&config->left_out, i)) {
			fprintf(to, "%s%s", before, lkst_etype(config->types, i)->name);
			before = ", ";
		}
	if (!fclose(to) && *text)
		note(text);
	free(text);
}

static int configure(struct lkst_device *dev, struct config *config, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(sizeof(*body));
	int ret = -1;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	if (!find_handler(dev, config, err) && !add_words(config, err))
		ret = change_maskset(dev, config, body, err);
	free(body);
	return ret;
}

static int config_with(struct config *config)
{
	struct lkst_device *dev;
	struct lkst_error err;
	int ret = -1;

	config->types = lkst_etypes_system(&err);
	if (!config->types)
		return fail(&err);
	dev = lkst_device_open(&err);
	if (dev)
		ret = configure(dev, config, &err);
	lkst_device_close(dev);
	if (!ret)
		tell_left_out(config);
	lkst_etypes_free(config->types);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int maskset_config(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' + OPTION_LONG },
		{ NULL, 0, NULL, 0 },
	};
	static const char help[] =
		"Usage: lkstm config [-m ID | -n NAME] EVENTS HANDLER\n\n"
		"Change the event handler of event types in a maskset.\n\n"
		"  -m ID    maskset with this id; default: the selected one\n"
		"  -n NAME  maskset with this name\n"
		"  EVENTS   words, separated by commas: names and numbers of events, 'int_*',\n"
		"           class:memory, 0x010-0x01f, all\n"
		"  HANDLER  event handler, name or id; none or 0: the events are not recorded\n\n"
		"Names of events: /proc/lkst_etypes; of event handlers: \"lkst all\".\n";
	struct config config = { 0 };
	int c;

	while ((c = option_before(argc, argv, ":m:n:h", longs, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'm':
			config.choice.id = optarg;
			break;
		case 'n':
			config.choice.name = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	if (config.choice.id && config.choice.name)
		return usage("only one of -m and -n can be given");
	if (argc - optind > 2)
		return usage("what is \"%s\" for?", argv[optind + 2]);
	if (argc - optind < 2)
		return usage("it takes event types and their event handler");
	config.words = argv[optind];
	config.handler_word = argv[optind + 1];
	return config_with(&config);
}
