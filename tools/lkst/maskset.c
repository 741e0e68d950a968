// SPDX-License-Identifier: GPL-2.0
/* lkstm list, read, set, find, all. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lib/messages.h"
#include "maskset.h"
#include "show.h"

static const struct option help_only[] = {
	{ "help", no_argument, NULL, 'h' + OPTION_LONG },
	{ NULL, 0, NULL, 0 },
};

int maskset_list(int argc, char **argv)
{
	static const char help[] = "Usage: lkstm list\n\n"
				   "List all masksets: id, name, entries, events that are recorded.\n";

	if (no_arguments(argc, argv, help) == OPTION_STOP)
		return option_status;
	return with_device(show_masksets);
}

static const char *list_name(void *ctx, size_t i)
{
	return ((struct lkst_maskset_list *)ctx)->ent[i].name;
}

/* The maskset that users name. Returns its id, -1 on an error. */
static lkst_maskset_id find_name(struct lkst_device *dev, const char *name, struct lkst_error *err)
{
	const char *near[LKST_NEAR_MAX];
	struct lkst_maskset_list list;
	lkst_maskset_id id = -1;
	char text[256];
	size_t n;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	for (size_t i = 0; i < list.num; i++)
		if (!strcmp(list.ent[i].name, name))
			id = list.ent[i].id;
	if (id < 0) {
		n = lkst_near(name, list_name, &list, list.num, near);
		lkst_near_text(near, n, text, sizeof(text));
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET_NAME, name,
			       n ? text : MSG_ALL_MASKSETS);
	}
	lkst_maskset_list_free(&list);
	return id;
}

/* What -m or -n names; by default the selected one. Returns the id, -1 on an error. */
static lkst_maskset_id chosen(struct lkst_device *dev, const char *id, const char *name,
			      struct lkst_error *err)
{
	long value;

	if (name)
		return find_name(dev, name, err);
	if (!id)
		return LKST_MASKSET_ID_VOID;
	if (lkst_parse_range("maskset id", id, 0, LKST_MASKSET_ID_MAX, &value, err))
		return -1;
	return (lkst_maskset_id)value;
}

struct read_options {
	bool unregistered; /* -a */
	bool plain; /* -d */
	const struct lkst_etypes *types;
};

static void show_entry(const struct lkst_maskset_entry *entry, const struct read_options *opt)
{
	const struct lkst_etype *type = lkst_etype(opt->types, (uint32_t)entry->event_type);
	const char *comma = "";

	if (!type && (opt->plain || !opt->unregistered))
		return;
	printf("0x%03x 0x%03x", (unsigned int)entry->event_type, (unsigned int)entry->id);
	if (!opt->plain && type) {
		printf("  # %s(", type->name);
		for (int i = 0; i < type->fields; i++) {
			if (!*type->field[i].label)
				continue;
			printf("%s%s", comma, type->field[i].label);
			comma = ", ";
		}
		putchar(')');
	} else if (!opt->plain) {
		printf("  # not registered");
	}
	putchar('\n');
}

static int show_body(struct lkst_device *dev, lkst_maskset_id id, const char *title,
		     const struct read_options *opt, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(sizeof(*body));
	int ret;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	ret = lkst_maskset_read(dev, id, body, err);
	if (!ret) {
		printf("# maskset %s %s\n# event_type event_handler\n", title, body->name);
		for (lkst_maskset_table_len i = 0; i < body->len; i++)
			show_entry(&body->entry[i], opt);
	}
	free(body);
	return ret;
}

static int show_one(struct lkst_device *dev, lkst_maskset_id id, const struct read_options *opt,
		    struct lkst_error *err)
{
	struct lkst_status status;
	char title[16];

	if (id == LKST_MASKSET_ID_VOID) {
		if (lkst_status_get(dev, &status, err))
			return -1;
		id = status.trc.current_maskset_id;
		lkst_status_free(&status);
	}
	snprintf(title, sizeof(title), "%d", id);
	return show_body(dev, id, title, opt, err);
}

static int show_every(struct lkst_device *dev, const struct read_options *opt,
		      struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret = 0;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	for (size_t i = 0; !ret && i < list.num; i++) {
		if (i)
			putchar('\n');
		ret = show_one(dev, list.ent[i].id, opt, err);
	}
	lkst_maskset_list_free(&list);
	return ret;
}

static int read_with(const char *id_text, const char *name, bool every, const char *etypes,
		     struct read_options *opt, struct lkst_error *err)
{
	struct lkst_etypes *types;
	struct lkst_device *dev;
	lkst_maskset_id id;
	int ret = -1;

	types = etypes ? lkst_etypes_load(etypes, err) : lkst_etypes_system(err);
	if (!types)
		return -1;
	opt->types = types;
	dev = lkst_device_open(err);
	if (dev) {
		id = chosen(dev, id_text, name, err);
		if (id >= 0)
			ret = every ? show_every(dev, opt, err) : show_one(dev, id, opt, err);
	}
	lkst_device_close(dev);
	lkst_etypes_free(types);
	return ret;
}

int maskset_read(int argc, char **argv)
{
	static const char help[] =
		"Usage: lkstm read [-m ID | -n NAME | -A] [-a] [-d] [-E FILE]\n\n"
		"Show what a maskset records: event type and event handler of each entry.\n\n"
		"  -m ID    maskset with this id; default: the selected one\n"
		"  -n NAME  maskset with this name\n"
		"  -A       all masksets\n"
		"  -a       entries of event types that are not registered, too; not with -d\n"
		"  -d       no descriptions of the event types\n"
		"  -E FILE  event types from FILE, in the format of /proc/lkst_etypes\n";
	const char *id = NULL, *name = NULL, *etypes = NULL;
	struct read_options opt = { 0 };
	struct lkst_error err;
	bool every = false;
	int c;

	while ((c = option_next(argc, argv, ":m:n:AadE:h", help_only, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'm':
			id = optarg;
			break;
		case 'n':
			name = optarg;
			break;
		case 'A':
			every = true;
			break;
		case 'a':
			opt.unregistered = true;
			break;
		case 'd':
			opt.plain = true;
			break;
		case 'E':
			etypes = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	if (!!id + !!name + every > 1)
		return usage("only one of -m, -n and -A can be given");
	return read_with(id, name, every, etypes, &opt, &err) ? fail(&err) : EXIT_SUCCESS;
}

int maskset_all(int argc, char **argv)
{
	static const char help[] = "Usage: lkstm all\n\n"
				   "List all masksets and show what they record.\n";
	struct read_options opt = { 0 };
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
		ret = read_with(NULL, NULL, true, NULL, &opt, &err);
	}
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int maskset_set(int argc, char **argv)
{
	static const char help[] = "Usage: lkstm set -m ID | -n NAME\n\n"
				   "Select a maskset.\n\n"
				   "  -m ID    the one with this id\n"
				   "  -n NAME  the one with this name\n";
	const char *id_text = NULL, *name = NULL;
	struct lkst_device *dev;
	struct lkst_error err;
	lkst_maskset_id id;
	int c, ret;

	while ((c = option_next(argc, argv, ":m:n:h", help_only, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'm':
			id_text = optarg;
			break;
		case 'n':
			name = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	if (!id_text == !name)
		return usage("one of -m and -n says which maskset");
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	id = chosen(dev, id_text, name, &err);
	ret = id < 0 ? -1 : lkst_maskset_set(dev, id, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
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
	id = find_name(dev, name, &err);
	lkst_device_close(dev);
	if (id >= 0)
		printf("%d\n", id);
	else if (err.code == LKST_ERR_NOT_FOUND)
		printf("%d\n", LKST_MASKSET_ID_VOID);
	return id < 0 ? fail(&err) : EXIT_SUCCESS;
}
