// SPDX-License-Identifier: GPL-2.0
/* The command lkstbuf previous. */
#include <linux/lkst_image.h>
#include <linux/lkst_previous.h>
#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"
#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "lib/device/previous.h"

struct previous_arguments {
	const char *done;
	bool json;
};

static const struct option_row rows[] = {
	OPT_TEXT(0, "done", "BOOT", struct previous_arguments, done,
		 "mark as read: a later boot may use its memory"),
	OPT_JSON(struct previous_arguments, json),
};

static const struct syntax syntax = {
	.usage = "[--json]\n"
		 "--done BOOT",
	.about = "List previous boots in reserved memory.\n"
		 "BOOT is the id of a boot, or the start of it.\n",
	SYNTAX_ROWS(rows),
};

static const char *buffer_previous_state_name(uint32_t state)
{
	return state == LKST_BOOT_SLOT_READ ? "read" : "unread";
}

static int previous_print_list(const struct lkst_previous *previous)
{
	if (!previous->slot_num) {
		puts("No memory is reserved that outlives a reboot (boot parameter lkst.reserved).");
		return 0;
	}
	if (!previous->num) {
		puts("There is no previous boot.");
		return 0;
	}
	printf("%-6s  %-36s  %-6s  %4s  %10s\n", "number", "boot", "state", "slot", "size (KB)");
	for (size_t i = 0; i < previous->num; i++) {
		const struct lkst_previous_listent *ent = &previous->boot[i];
		char boot[LKST_BOOT_TEXT];

		lkst_boot_text(ent->boot, boot);
		printf("%6llu  %-36s  %-6s  %4u  %10llu\n", (unsigned long long)ent->number, boot,
		       buffer_previous_state_name(ent->state), ent->slot,
		       (unsigned long long)ent->size / 1024);
	}
	return 0;
}

static int buffer_previous_print_json(const struct lkst_previous *previous, struct lkst_error *err)
{
	struct json_object *all = json_new(), *boots = json_list();

	json_int(all, "part_num", previous->slot_num);
	json_uint(all, "part_size", previous->slot_size);
	json_id(all, "own", previous->own, -1);
	for (size_t i = 0; i < previous->num; i++) {
		const struct lkst_previous_listent *ent = &previous->boot[i];
		struct json_object *entry = json_new();
		char boot[LKST_BOOT_TEXT];

		lkst_boot_text(ent->boot, boot);
		json_text(entry, "boot", boot);
		json_uint(entry, "number", ent->number);
		json_text(entry, "state", buffer_previous_state_name(ent->state));
		json_uint(entry, "part", ent->slot);
		json_uint(entry, "size", ent->size);
		json_add(boots, entry);
	}
	json_put(all, "boots", boots);
	return json_print(all, err);
}

static int previous_mark_done(struct lkst_device *dev, const struct lkst_previous *previous,
			      const char *id, struct lkst_error *err)
{
	const struct lkst_previous_listent *boot = lkst_previous_find(previous, id, err);

	return boot ? lkst_previous_done(dev, boot->boot, err) : -1;
}

static int previous_list_or_mark(struct lkst_device *dev, const struct previous_arguments *args,
				 struct lkst_error *err)
{
	struct lkst_previous previous;

	if (lkst_previous_get(dev, &previous, err))
		return -1;
	if (args->done)
		return previous_mark_done(dev, &previous, args->done, err);
	return args->json ? buffer_previous_print_json(&previous, err) :
			    previous_print_list(&previous);
}

int buffer_previous(int argc, char **argv)
{
	struct previous_arguments args = { 0 };
	struct lkst_device *dev;
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (args.done && args.json)
		return usage("--json cannot be combined with --done, which prints nothing");
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = previous_list_or_mark(dev, &args, &err);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
