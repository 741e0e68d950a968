// SPDX-License-Identifier: GPL-2.0
/* lkstm read, all: what masksets say. */
#include <stdlib.h>

#include "command.h"
#include "lib/messages.h"
#include "maskset.h"
#include "maskset_choose.h"
#include "show.h"

struct read_options {
	struct maskset_choice choice;
	bool every; /* -A */
	const char *etypes; /* -E */
	struct lkst_maskset_style style;
};

static int show_one(struct lkst_device *dev, lkst_maskset_id id, const struct lkst_etypes *types,
		    const struct lkst_maskset_style *style, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(sizeof(*body));
	int ret;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	ret = lkst_maskset_read(dev, id, body, err);
	if (!ret)
		lkst_maskset_print(stdout, id, body, types, style);
	free(body);
	return ret;
}

static int show_every(struct lkst_device *dev, const struct lkst_etypes *types,
		      const struct lkst_maskset_style *style, struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret = 0;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	for (size_t i = 0; !ret && i < list.num; i++) {
		if (i)
			putchar('\n');
		ret = show_one(dev, list.ent[i].id, types, style, err);
	}
	lkst_maskset_list_free(&list);
	return ret;
}

static int read_with(const struct read_options *opt, struct lkst_error *err)
{
	struct lkst_etypes *types;
	struct lkst_device *dev;
	lkst_maskset_id id;
	int ret = -1;

	types = opt->etypes ? lkst_etypes_load(opt->etypes, err) : lkst_etypes_system(err);
	if (!types)
		return -1;
	dev = lkst_device_open(err);
	if (dev && opt->every) {
		ret = show_every(dev, types, &opt->style, err);
	} else if (dev) {
		id = maskset_chosen(dev, &opt->choice, err);
		if (id >= 0)
			ret = show_one(dev, id, types, &opt->style, err);
	}
	lkst_device_close(dev);
	lkst_etypes_free(types);
	return ret;
}

int maskset_read(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' + OPTION_LONG },
		{ NULL, 0, NULL, 0 },
	};
	static const char help[] =
		"Usage: lkstm read [-m ID | -n NAME | -A] [-a] [-d] [-E FILE]\n\n"
		"Show what a maskset records: event type and event handler of each entry.\n"
		"\"lkstm write\" reads it.\n\n"
		"  -m ID    maskset with this id; default: the selected one\n"
		"  -n NAME  maskset with this name\n"
		"  -A       all masksets\n"
		"  -a       entries of event types that are not registered, too; not with -d\n"
		"  -d       no descriptions of the event types\n"
		"  -E FILE  event types from FILE, in the format of /proc/lkst_etypes\n";
	struct read_options opt = { 0 };
	struct lkst_error err;
	int c;

	while ((c = option_next(argc, argv, ":m:n:AadE:h", longs, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'm':
			opt.choice.id = optarg;
			break;
		case 'n':
			opt.choice.name = optarg;
			break;
		case 'A':
			opt.every = true;
			break;
		case 'a':
			opt.style.unregistered = true;
			break;
		case 'd':
			opt.style.plain = true;
			break;
		case 'E':
			opt.etypes = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	if (!!opt.choice.id + !!opt.choice.name + opt.every > 1)
		return usage("only one of -m, -n and -A can be given");
	return read_with(&opt, &err) ? fail(&err) : EXIT_SUCCESS;
}

int maskset_all(int argc, char **argv)
{
	static const char help[] = "Usage: lkstm all\n\n"
				   "List all masksets and show what they record.\n";
	static const struct read_options opt = { .every = true };
	struct lkst_device *dev;
	struct lkst_error err;
	int ret;

	if (no_arguments(argc, argv, help) == OPTION_STOP)
		return option_status;
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = show_masksets(dev, &err);
	lkst_device_close(dev);
	if (!ret) {
		putchar('\n');
		ret = read_with(&opt, &err);
	}
	return ret ? fail(&err) : EXIT_SUCCESS;
}
