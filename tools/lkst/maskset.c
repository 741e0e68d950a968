// SPDX-License-Identifier: GPL-2.0
/* lkstm list, set, find, delete: masksets as a whole. */
#include <stdlib.h>

#include "command.h"
#include "lib/messages.h"
#include "maskset.h"
#include "maskset_choose.h"
#include "show.h"

static const struct option help_only[] = {
	{ "help", no_argument, NULL, 'h' + OPTION_LONG },
	{ NULL, 0, NULL, 0 },
};

int maskset_list(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkstm list\n\n"
		"List all masksets: id, name, entries, events that are recorded.\n";

	if (no_arguments(argc, argv, help) == OPTION_STOP)
		return option_status;
	return with_device(show_masksets);
}

/* A subcommand that does one thing to the maskset that -m or -n names. */
static int with_maskset(int argc, char **argv, const char *help,
			int (*act)(struct lkst_device *dev, lkst_maskset_id id,
				   struct lkst_error *err))
{
	struct maskset_choice choice = { 0 };
	struct lkst_device *dev;
	struct lkst_error err;
	lkst_maskset_id id;
	int c, ret;

	while ((c = option_next(argc, argv, ":m:n:h", help_only, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'm':
			choice.id = optarg;
			break;
		case 'n':
			choice.name = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	if (!choice.id == !choice.name)
		return usage("one of -m and -n says which maskset");
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	id = maskset_chosen(dev, &choice, &err);
	ret = id < 0 ? -1 : act(dev, id, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int maskset_set(int argc, char **argv)
{
	static const char help[] = "Usage: lkstm set -m ID | -n NAME\n\n"
				   "Select a maskset.\n\n"
				   "  -m ID    the one with this id\n"
				   "  -n NAME  the one with this name\n";

	return with_maskset(argc, argv, help, lkst_maskset_set);
}

int maskset_delete(int argc, char **argv)
{
	static const char help[] = "Usage: lkstm delete -m ID | -n NAME\n\n"
				   "Delete a maskset, which is not the selected one.\n\n"
				   "  -m ID    the one with this id\n"
				   "  -n NAME  the one with this name\n";

	return with_maskset(argc, argv, help, lkst_maskset_delete);
}

int maskset_find(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkstm find -n NAME\n\n"
		"Print the id of the maskset with this name; 255 and failure when there is none.\n";
	const char *name = NULL;
	struct lkst_device *dev;
	struct lkst_error err;
	lkst_maskset_id id;
	int c;

	while ((c = option_next(argc, argv, ":n:h", help_only, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'n':
			name = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	if (!name)
		return usage("-n says which name to find");
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	id = maskset_find_name(dev, name, &err);
	lkst_device_close(dev);
	if (id >= 0)
		printf("%d\n", id);
	else if (err.code == LKST_ERR_NOT_FOUND)
		printf("%d\n", LKST_MASKSET_ID_VOID);
	return id < 0 ? fail(&err) : EXIT_SUCCESS;
}
