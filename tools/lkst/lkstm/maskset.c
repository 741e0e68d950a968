// SPDX-License-Identifier: GPL-2.0
/*
 * lkstm list, set, find, delete: operate on whole masksets. A maskset determines the event handler
 * of each event type, and thereby which events are recorded.
 */
#include <stdio.h>
#include <stdlib.h>

#include "choose.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/show.h"
#include "maskset.h"

struct args {
	struct maskset_choice choice;
	bool json;
};

int maskset_list(int argc, char **argv)
{
	return show_listing("List all masksets: id, name, entries, events that are recorded.\n",
			    argc, argv, show_masksets, json_masksets);
}

static int maskset_choose_and_act(const struct maskset_choice *choice,
				  int (*act)(struct lkst_device *dev, lkst_maskset_id id,
					     struct lkst_error *err),
				  struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	lkst_maskset_id id;
	int ret;

	if (!dev)
		return -1;
	id = maskset_chosen(dev, choice, err);
	ret = id < 0 ? -1 : act(dev, id, err);
	lkst_device_close(dev);
	return ret;
}

/* Run a subcommand that calls @act for the maskset named with -m or -n. */
static int with_maskset(int argc, char **argv, const char *about,
			int (*act)(struct lkst_device *dev, lkst_maskset_id id,
				   struct lkst_error *err))
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct args, "the one with this id"),
		OPT_MASKSET_NAME(struct args, "the one with this name"),
	};
	const struct syntax syntax = {
		.usage = "-m ID | -n NAME",
		.about = about,
		SYNTAX_ROWS(rows),
		.stray = "use -n NAME or -m ID",
	};
	struct args args = { .choice.id = -1 };
	struct lkst_error err;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if ((args.choice.id < 0) == !args.choice.name)
		return usage("-m ID or -n NAME is missing");
	return maskset_choose_and_act(&args.choice, act, &err) ? fail(&err) : EXIT_SUCCESS;
}

int maskset_set(int argc, char **argv)
{
	return with_maskset(argc, argv, "Select a maskset.\n", lkst_maskset_set);
}

int maskset_delete(int argc, char **argv)
{
	return with_maskset(argc, argv, "Delete a maskset other than the selected one.\n",
			    lkst_maskset_delete);
}

/* Print the id of the maskset named @name. @id is -1 if there is no such maskset. */
static int maskset_print_found(const char *name, lkst_maskset_id id, bool json,
			       struct lkst_error *err)
{
	struct json_object *found;

	if (!json) {
		printf("%d\n", id < 0 ? LKST_MASKSET_ID_VOID : id);
		return 0;
	}
	found = json_new();
	json_text(found, "name", name);
	json_id(found, "id", id, -1);
	return json_print(found, err);
}

static int find(const struct args *args, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	lkst_maskset_id id;

	if (!dev)
		return -1;
	id = maskset_find_name(dev, args->choice.name, err);
	lkst_device_close(dev);
	if (id < 0 && err->code != LKST_ERR_NOT_FOUND)
		return -1;
	return maskset_print_found(args->choice.name, id, args->json, id < 0 ? NULL : err) ||
			       id < 0 ?
		       -1 :
		       0;
}

int maskset_find(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_NAME(struct args, "exactly this one"),
		OPT_JSON(struct args, json),
	};
	static const struct syntax syntax = {
		.usage = "-n NAME [--json]",
		.about =
			"Print the id of the maskset with this name; 255 and failure when there is "
			"none.\n",
		SYNTAX_ROWS(rows),
		.stray = "use -n NAME",
	};
	struct args args = { .choice.id = -1 };
	struct lkst_error err;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (!args.choice.name)
		return usage("-n NAME is missing");
	return find(&args, &err) ? fail(&err) : EXIT_SUCCESS;
}
