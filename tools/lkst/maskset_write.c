// SPDX-License-Identifier: GPL-2.0
/* lkstm write: a new maskset, or a new text for one. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lib/messages.h"
#include "maskset.h"
#include "maskset_choose.h"

#define NEW_NAME "new_maskset"

struct write_options {
	const char *id; /* -m */
	const char *name; /* -n */
	const char *file; /* -f */
	bool select; /* -S */
};

static const struct lkst_maskset_listent *find_id(const struct lkst_maskset_list *list,
						  lkst_maskset_id id)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

static const struct lkst_maskset_listent *find_name(const struct lkst_maskset_list *list,
						    const char *name)
{
	for (size_t i = 0; i < list->num; i++)
		if (!strcmp(list->ent[i].name, name))
			return &list->ent[i];
	return NULL;
}

/* The name that users want. */
static int given_name(const char *name, lkst_maskset_id id, const struct lkst_maskset_list *list,
		      char *to, struct lkst_error *err)
{
	const struct lkst_maskset_listent *other = find_name(list, name);
	size_t len = strlen(name);
	bool good = len && len < LKST_MASKSET_NAME_LEN;

	for (size_t i = 0; i < len; i++)
		good &= !iscntrl((unsigned char)name[i]);
	if (!good) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_MASKSET_NAME, name,
			       LKST_MASKSET_NAME_LEN - 1);
		return -1;
	}
	if (other && other->id != id) {
		if (id == LKST_MASKSET_ID_VOID && !maskset_check_writable(other->id, NULL))
			lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_MASKSET_OVERWRITE, other->id,
				       name, other->id);
		else
			lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_MASKSET_TAKEN, other->id, name);
		return -1;
	}
	memcpy(to, name, len + 1);
	return 0;
}

/* An overwritten maskset keeps its name, a new one gets the first that is free. */
static void automatic_name(lkst_maskset_id id, const struct lkst_maskset_list *list, char *to)
{
	const struct lkst_maskset_listent *old = find_id(list, id);
	int tag = 0;

	if (old) {
		memcpy(to, old->name, LKST_MASKSET_NAME_LEN);
		return;
	}
	do {
		snprintf(to, LKST_MASKSET_NAME_LEN, NEW_NAME "%d", tag++);
	} while (find_name(list, to));
}

/* Which id and which name. */
static int target(struct lkst_device *dev, const struct write_options *opt, lkst_maskset_id *id,
		  char *name, struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret = 0;

	*id = LKST_MASKSET_ID_VOID;
	if (opt->id && (maskset_parse_id(opt->id, id, err) || maskset_check_writable(*id, err)))
		return -1;
	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	if (opt->name)
		ret = given_name(opt->name, *id, &list, name, err);
	else
		automatic_name(*id, &list, name);
	lkst_maskset_list_free(&list);
	return ret;
}

/* A maskset that is written to be selected is not written when it cannot be. */
static int check_running(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_status status;
	bool running;

	if (lkst_status_get(dev, &status, err))
		return -1;
	running = status.trc.state == LKST_TRC_RUNNING;
	lkst_status_free(&status);
	if (running)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_STOPPED);
	return -1;
}

static int parse_file(struct lkst_device *dev, const char *file, struct lkst_maskset_body *body,
		      struct lkst_error *err)
{
	struct lkst_etypes *types = lkst_etypes_system(err);
	bool input = !file || !strcmp(file, "-");
	struct lkst_evhandler_list handlers;
	FILE *from;
	int ret = -1;

	if (!types)
		return -1;
	if (lkst_evhandler_list_get(dev, &handlers, err))
		goto free_types;
	from = input ? stdin : fopen(file, "re");
	if (!from) {
		lkst_error_system(err, errno, file, "open");
		goto free_handlers;
	}
	ret = lkst_maskset_parse(from, input ? "standard input" : file, types, &handlers, body,
				 err);
	if (!input)
		fclose(from);
free_handlers:
	lkst_evhandler_list_free(&handlers);
free_types:
	lkst_etypes_free(types);
	return ret;
}

static int write_body(struct lkst_device *dev, const struct write_options *opt,
		      struct lkst_maskset_body *body, struct lkst_error *err)
{
	lkst_maskset_id id;

	if (opt->select && check_running(dev, err))
		return -1;
	if (parse_file(dev, opt->file, body, err) || target(dev, opt, &id, body->name, err) ||
	    lkst_maskset_write(dev, &id, body, err))
		return -1;
	printf("maskset %d %s\n", id, body->name);
	return opt->select ? lkst_maskset_set(dev, id, err) : 0;
}

static int write_with(const struct write_options *opt)
{
	struct lkst_maskset_body *body = malloc(sizeof(*body));
	struct lkst_device *dev;
	struct lkst_error err;
	int ret = -1;

	if (!body) {
		lkst_error_memory(&err, "a maskset");
		return fail(&err);
	}
	dev = lkst_device_open(&err);
	if (dev)
		ret = write_body(dev, opt, body, &err);
	lkst_device_close(dev);
	free(body);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int maskset_write(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' + OPTION_LONG },
		{ NULL, 0, NULL, 0 },
	};
	static const char help[] =
		"Usage: lkstm write [-m ID] [-n NAME] [-f FILE] [-S]\n\n"
		"Write a maskset, and print its id and name.\n\n"
		"  -m ID    overwrite this one, or give a new one this id; default: a free id\n"
		"  -n NAME  its name; default: that of the one overwritten, or new_maskset0, ...\n"
		"  -f FILE  what it records; default, and \"-\": standard input\n"
		"  -S       select it\n\n"
		"A line has an event (name or number) and its event handler (name or id; none or\n"
		"0: not recorded), as \"lkstm read\" prints them; \"#\" begins a comment. Events\n"
		"that no line names are not recorded.\n";
	struct write_options opt = { 0 };
	int c;

	while ((c = option_next(argc, argv, ":m:n:f:Sh", longs, help)) != OPTION_END) {
		switch (c) {
		case OPTION_STOP:
			return option_status;
		case 'm':
			opt.id = optarg;
			break;
		case 'n':
			opt.name = optarg;
			break;
		case 'f':
			opt.file = optarg;
			break;
		case 'S':
			opt.select = true;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
	}
	return write_with(&opt);
}
