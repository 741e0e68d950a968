// SPDX-License-Identifier: GPL-2.0
/*
 * lkstm write, copy: create a maskset, or overwrite an existing one. A maskset determines the event
 * handler of each event type, and thereby which events are recorded.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/base/printable.h"
#include "lib/device/messages.h"
#include "lib/text/etypes.h"
#include "lib/text/maskset.h"
#include "lib/text/words.h"
#include "maskset.h"
#include "messages.h"

#define NEW_NAME "new_maskset"

struct write_options {
	struct maskset_choice choice; /* -m, -n */
	const char *file; /* -f */
	bool select; /* -S */
};

struct copy_options {
	struct maskset_choice choice; /* -m, -n: maskset to copy */
	bool select; /* -S */
	const char *name; /* name of the copy */
};

static const struct lkst_maskset_listent *
maskset_write_find_id(const struct lkst_maskset_list *list, lkst_maskset_id id)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

static const struct lkst_maskset_listent *
maskset_write_find_name(const struct lkst_maskset_list *list, const char *name)
{
	for (size_t i = 0; i < list->num; i++)
		if (!strcmp(list->ent[i].name, name))
			return &list->ent[i];
	return NULL;
}

/* Copy @name, which the user gave, to @to. Fails if the name is invalid or in use. */
static int write_given_name(const char *name, lkst_maskset_id id,
			    const struct lkst_maskset_list *list, char *to, struct lkst_error *err)
{
	const struct lkst_maskset_listent *other = maskset_write_find_name(list, name);
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

/*
 * Choose the name of a maskset for which the user gave none: an overwritten maskset keeps its name,
 * and a new one gets the first free default name.
 */
static void write_automatic_name(lkst_maskset_id id, const struct lkst_maskset_list *list, char *to)
{
	const struct lkst_maskset_listent *old = maskset_write_find_id(list, id);
	int tag = 0;

	if (old) {
		memcpy(to, old->name, LKST_MASKSET_NAME_LEN);
		return;
	}
	do {
		snprintf(to, LKST_MASKSET_NAME_LEN, NEW_NAME "%d", tag++);
	} while (maskset_write_find_name(list, to));
}

/* Determine the id and the name of the maskset to write. */
static int maskset_write_target(struct lkst_device *dev, const struct write_options *opt,
				lkst_maskset_id *id, char *name, struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret = 0;

	*id = opt->choice.id < 0 ? LKST_MASKSET_ID_VOID : (lkst_maskset_id)opt->choice.id;
	if (maskset_check_writable(*id, err))
		return -1;
	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	if (opt->choice.name)
		ret = write_given_name(opt->choice.name, *id, &list, name, err);
	else
		write_automatic_name(*id, &list, name);
	lkst_maskset_list_free(&list);
	return ret;
}

/* Check that LKST is running: otherwise, -S could not select the maskset after writing it. */
static int write_check_running(struct lkst_device *dev, struct lkst_error *err)
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

static int write_parse_file(const char *file, const struct lkst_etypes *types,
			    const struct lkst_evhandler_list *handlers,
			    struct lkst_maskset_body *body, struct lkst_etype_set *left_out,
			    struct lkst_error *err)
{
	bool input = !file || !strcmp(file, "-");
	FILE *from = input ? stdin : fopen(file, "re");
	int ret;

	if (!from) {
		lkst_error_system(err, errno, file, "open");
		return -1;
	}
	ret = lkst_maskset_parse(from, input ? "standard input" : file, types, handlers, body,
				 left_out, err);
	if (!input)
		fclose(from);
	return ret;
}

/*
 * Read the contents of the maskset from @file. @types is set to the event types of the kernel,
 * which the caller must free even after an error.
 */
static int write_get_body(struct lkst_device *dev, const char *file, struct lkst_etypes **types,
			  struct lkst_maskset_body *body, struct lkst_etype_set *left_out,
			  struct lkst_error *err)
{
	struct lkst_evhandler_list handlers;
	int ret;

	*types = lkst_etypes_system(err);
	if (!*types || lkst_evhandler_list_get(dev, &handlers, err))
		return -1;
	ret = write_parse_file(file, *types, &handlers, body, left_out, err);
	lkst_evhandler_list_free(&handlers);
	return ret;
}

static int write_put_body(struct lkst_device *dev, const struct write_options *opt,
			  struct lkst_maskset_body *body, struct lkst_error *err)
{
	lkst_maskset_id id;

	if (lkst_masksets_lock(dev, err) || maskset_write_target(dev, opt, &id, body->name, err) ||
	    lkst_maskset_write(dev, &id, body, err))
		return -1;
	printf("maskset %d %s\n", id, LKST_PRINTABLE(body->name));
	return opt->select ? lkst_maskset_set(dev, id, err) : 0;
}

static int maskset_write_body(struct lkst_device *dev, const void *options,
			      struct lkst_maskset_body *body, struct lkst_error *err)
{
	const struct write_options *opt = options;
	struct lkst_etypes *types = NULL;
	struct lkst_etype_set left_out;
	int ret;

	if (opt->select && write_check_running(dev, err))
		return -1;
	ret = write_get_body(dev, opt->file, &types, body, &left_out, err);
	if (!ret)
		ret = write_put_body(dev, opt, body, err);
	if (!ret)
		maskset_print_left_out(types, &left_out);
	lkst_etypes_free(types);
	return ret;
}

static int write_copy_body(struct lkst_device *dev, const void *options,
			   struct lkst_maskset_body *body, struct lkst_error *err)
{
	const struct copy_options *opt = options;
	const struct write_options to = {
		.choice = { .id = -1, .name = opt->name },
		.select = opt->select,
	};
	lkst_maskset_id id;

	if (opt->select && write_check_running(dev, err))
		return -1;
	id = maskset_chosen(dev, &opt->choice, err);
	return id < 0 || lkst_maskset_read(dev, id, body, err) ?
		       -1 :
		       write_put_body(dev, &to, body, err);
}

/* Call @act to make and write a maskset. @options is passed to @act. Returns the exit status. */
static int write_with_body(int (*act)(struct lkst_device *dev, const void *options,
				      struct lkst_maskset_body *body, struct lkst_error *err),
			   const void *options)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	struct lkst_device *dev;
	struct lkst_error err;
	int ret = -1;

	if (!body) {
		lkst_error_memory(&err, "a maskset");
		return fail(&err);
	}
	dev = lkst_device_open(&err);
	if (dev)
		ret = act(dev, options, body, &err);
	lkst_device_close(dev);
	free(body);
	return ret ? fail(&err) : EXIT_SUCCESS;
}

int maskset_write(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct write_options,
			       "overwrite this one, or give a new one this id; default: a free id"),
		OPT_MASKSET_NAME(
			struct write_options,
			"its name; default: that of the one overwritten, or new_maskset0, ..."),
		OPT_TEXT('f', NULL, "FILE", struct write_options, file,
			 "what it records; default, and \"-\": standard input"),
		OPT_FLAG('S', NULL, struct write_options, select, "select it"),
	};
	static const struct syntax syntax = {
		.usage = "[-m ID] [-n NAME] [-f FILE] [-S]",
		.about = "Write a maskset, and print its id and name.\n",
		SYNTAX_ROWS(rows),
		.stray = "use -f FILE, -n NAME",
		.more = "A line has two words: an event (name or number) and its event handler (name "
			"or\n"
			"id; on: record it, off: do not), as \"lkstm read\" prints them. For several:\n"
			"'int_*', class:memory, 0x010-0x01f, all; the last such line counts. \"#\" "
			"begins a\n"
			"comment. Events that no line names are not recorded.\n",
	};
	struct write_options opt = { .choice.id = -1 };

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	return write_with_body(maskset_write_body, &opt);
}

int maskset_copy(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_MASKSET_ID(struct copy_options, "copy the one with this id"),
		OPT_MASKSET_NAME(struct copy_options, "copy the one with this name"),
		OPT_FLAG('S', NULL, struct copy_options, select, "select the copy"),
	};
	static const struct syntax syntax = {
		.usage = "{-m ID | -n NAME} [-S] NEW",
		.about = "Copy a maskset to a new one called NEW, and print its id and name.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
	};
	struct copy_options opt = { .choice.id = -1 };

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	if ((opt.choice.id < 0) == !opt.choice.name)
		return usage("-m ID or -n NAME is missing");
	if (argc - optind > 1)
		return usage("unexpected argument \"%s\"", argv[optind + 1]);
	if (argc - optind < 1)
		return usage("the name of the copy is missing");
	opt.name = argv[optind];
	return write_with_body(write_copy_body, &opt);
}
