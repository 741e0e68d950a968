// SPDX-License-Identifier: GPL-2.0
/*
 * lkstm read, all: show the contents of masksets. A maskset determines the event handler of each
 * event type, and thereby which events are recorded.
 */
#include <stdio.h>
#include <stdlib.h>

#include "choose.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/show.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "lib/text/maskset.h"
#include "maskset.h"

struct read_options {
	struct maskset_choice choice;
	bool every; /* -A */
	const char *etypes; /* -E */
	struct lkst_maskset_style style;
	bool json;
};

/**
 * struct maskset_reading - state of reading masksets
 * @dev: device
 * @types: event types
 * @handlers: event handlers, to show their names
 * @style: output style
 * @value: result as JSON; NULL: print text
 */
struct maskset_reading {
	struct lkst_device *dev;
	struct lkst_etypes *types;
	struct lkst_evhandler_list handlers;
	struct lkst_maskset_style style;
	struct json_object **value;
};

static int reading_begin(struct maskset_reading *reading, const struct read_options *opt,
			 struct lkst_error *err)
{
	reading->types = opt->etypes ? lkst_etypes_load(opt->etypes, err) : lkst_etypes_system(err);
	if (!reading->types)
		return -1;
	reading->dev = lkst_device_open(err);
	if (!reading->dev)
		return -1;
	return lkst_evhandler_list_get(reading->dev, &reading->handlers, err);
}

static void reading_end(struct maskset_reading *reading)
{
	lkst_evhandler_list_free(&reading->handlers);
	lkst_device_close(reading->dev);
	lkst_etypes_free(reading->types);
}

static struct json_object *read_json_labels(const struct lkst_etype *type)
{
	struct json_object *labels = json_list();

	for (int i = 0; i < type->fields; i++)
		if (*type->field[i].label)
			json_add_text(labels, type->field[i].label);
	return labels;
}

static struct json_object *read_json_entry(const struct maskset_reading *reading,
					   const struct lkst_maskset_entry *entry)
{
	const struct lkst_etype *type = lkst_etype(reading->types, (uint32_t)entry->event_type);
	const struct lkst_evhandler_list *handlers = &reading->handlers;
	const char *handler = NULL;
	struct json_object *to = json_new();

	for (size_t i = 0; i < handlers->num; i++)
		if (handlers->ent[i].id == entry->id)
			handler = handlers->ent[i].name;
	json_etype(to, reading->types, (uint32_t)entry->event_type);
	json_int(to, "id", entry->id);
	if (handler)
		json_text(to, "evhandler_name", handler);
	else
		json_put(to, "evhandler_name", NULL);
	if (!reading->style.plain && type)
		json_put(to, "args", read_json_labels(type));
	return to;
}

static struct json_object *read_json_body(const struct maskset_reading *reading, lkst_maskset_id id,
					  const struct lkst_maskset_body *body)
{
	struct json_object *to = json_new(), *entries = json_list();

	json_int(to, "id", id);
	json_text(to, "name", body->name);
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if (lkst_maskset_shows(reading->types, &body->entry[i], &reading->style))
			json_add(entries, read_json_entry(reading, &body->entry[i]));
	json_put(to, "entry", entries);
	return to;
}

static int read_one(struct maskset_reading *reading, lkst_maskset_id id, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	int ret;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	ret = lkst_maskset_read(reading->dev, id, body, err);
	if (!ret && reading->style.unregistered)
		lkst_maskset_complete(body);
	if (!ret && reading->value)
		*reading->value = read_json_body(reading, id, body);
	else if (!ret)
		lkst_maskset_print(stdout, id, body, reading->types, &reading->style);
	free(body);
	return ret;
}

static int maskset_read_list(struct maskset_reading *reading, const struct lkst_maskset_list *list,
			     struct lkst_error *err)
{
	for (size_t i = 0; i < list->num; i++) {
		if (i)
			putchar('\n');
		if (read_one(reading, list->ent[i].id, err))
			return -1;
	}
	return 0;
}

static int json_read_list(struct maskset_reading *reading, const struct lkst_maskset_list *list,
			  struct lkst_error *err)
{
	struct json_object *all = json_list();

	for (size_t i = 0; i < list->num; i++) {
		if (read_one(reading, list->ent[i].id, err)) {
			json_free(all);
			return -1;
		}
		json_add(all, *reading->value);
	}
	*reading->value = all;
	return 0;
}

static int read_every(struct maskset_reading *reading, struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret;

	if (lkst_maskset_list_get(reading->dev, &list, err))
		return -1;
	ret = reading->value ? json_read_list(reading, &list, err) :
			       maskset_read_list(reading, &list, err);
	lkst_maskset_list_free(&list);
	return ret;
}

static int read_chosen(struct maskset_reading *reading, const struct maskset_choice *choice,
		       struct lkst_error *err)
{
	lkst_maskset_id id = maskset_chosen(reading->dev, choice, err);

	return id < 0 ? -1 : read_one(reading, id, err);
}

/* Read masksets into @value as JSON or, if @value is NULL, print them as text. */
static int read_with(const struct read_options *opt, struct json_object **value,
		     struct lkst_error *err)
{
	struct maskset_reading reading = { .style = opt->style, .value = value };
	int ret = reading_begin(&reading, opt, err);

	if (!ret)
		ret = opt->every ? read_every(&reading, err) :
				   read_chosen(&reading, &opt->choice, err);
	reading_end(&reading);
	return ret;
}

static int json_read_with(const struct read_options *opt, struct lkst_error *err)
{
	struct json_object *value;

	return read_with(opt, &value, err) ? -1 : json_print(value, err);
}

int maskset_read(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct read_options,
			       "maskset with this id; default: the selected one"),
		OPT_MASKSET_NAME(struct read_options, "maskset with this name"),
		OPT_FLAG('A', NULL, struct read_options, every, "all masksets"),
		OPT_FLAG('a', NULL, struct read_options, style.unregistered,
			 "also event types that are not registered; not with -d"),
		OPT_FLAG('d', NULL, struct read_options, style.plain,
			 "no descriptions of the event types"),
		OPT_TEXT('E', NULL, "FILE", struct read_options, etypes,
			 "event types from FILE, in the format of /proc/lkst_etypes"),
		OPT_JSON(struct read_options, json),
	};
	static const struct syntax syntax = {
		.usage = "[-m ID | -n NAME | -A] [-a] [-d] [-E FILE] [--json]",
		.about =
			"Show what a maskset records: event type and event handler of each entry.\n"
			"\"lkstm write\" reads it.\n",
		SYNTAX_ROWS(rows),
		.stray = "use -n NAME or -m ID",
	};
	struct read_options opt = { .choice.id = -1 };
	struct lkst_error err;

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	if ((opt.choice.id >= 0) + !!opt.choice.name + opt.every > 1)
		return usage("only one of -m, -n and -A can be given");
	if (opt.style.plain)
		opt.style.unregistered = false;
	if (opt.json ? json_read_with(&opt, &err) : read_with(&opt, NULL, &err))
		return fail(&err);
	return EXIT_SUCCESS;
}

static const struct read_options every = { .every = true };

static int read_text_all(struct lkst_device *dev, struct lkst_error *err)
{
	if (show_masksets(dev, err))
		return -1;
	putchar('\n');
	return read_with(&every, NULL, err);
}

static int maskset_read_json_all(struct lkst_device *dev, struct json_object **value,
				 struct lkst_error *err)
{
	struct json_object *masksets, *contents;

	if (json_masksets(dev, &masksets, err))
		return -1;
	if (read_with(&every, &contents, err)) {
		json_free(masksets);
		return -1;
	}
	*value = json_new();
	json_put(*value, "masksets", masksets);
	json_put(*value, "contents", contents);
	return 0;
}

int maskset_all(int argc, char **argv)
{
	return show_listing("List all masksets and show what they record.\n", argc, argv,
			    read_text_all, maskset_read_json_all);
}
