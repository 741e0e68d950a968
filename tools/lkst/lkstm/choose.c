// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the maskset that the command line names, and locks masksets for changes. A maskset
 * determines the event handler of each event type, and thereby which events are recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/device/messages.h"
#include "lib/text/etypes.h"
#include "lib/text/parse.h"
#include "lib/text/words.h"
#include "messages.h"

static const char *choose_name_at(void *ctx, size_t i)
{
	return ((struct lkst_maskset_list *)ctx)->ent[i].name;
}

/**
 * maskset_find_name() - find a maskset by its name
 * @dev: device
 * @name: exact name
 * @err: set on failure; if there is no such maskset, it lists similar names
 *
 * Return: its id, -1 on error.
 */
lkst_maskset_id maskset_find_name(struct lkst_device *dev, const char *name, struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
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
		n = lkst_suggest(name, choose_name_at, &list, list.num, suggestions);
		lkst_suggestions_text(suggestions, n, text, sizeof(text));
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET_NAME, name,
			       n ? text : MSG_ALL_MASKSETS);
	}
	lkst_maskset_list_free(&list);
	return id;
}

/*
 * Return the id of the selected maskset, or -1 on error. While LKST is stopped, the selected
 * maskset is the one that records nothing.
 */
static lkst_maskset_id choose_selected(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_status status;
	lkst_maskset_id id;

	if (lkst_status_get(dev, &status, err))
		return -1;
	id = status.trc.current_maskset_id;
	lkst_status_free(&status);
	return id;
}

/**
 * maskset_chosen() - get the maskset that the command line names
 * @dev: device
 * @choice: -m, -n, or neither for the selected maskset
 * @err: set on failure
 *
 * Return: its id, -1 on error. An id given with -m is returned even if there is no such maskset.
 */
lkst_maskset_id maskset_chosen(struct lkst_device *dev, const struct maskset_choice *choice,
			       struct lkst_error *err)
{
	if (choice->name)
		return maskset_find_name(dev, choice->name, err);
	return choice->id < 0 ? choose_selected(dev, err) : (lkst_maskset_id)choice->id;
}

/**
 * maskset_check_writable() - check that a maskset may be changed
 * @id: id of the maskset
 * @err: set if the maskset must not be changed
 */
int maskset_check_writable(lkst_maskset_id id, struct lkst_error *err)
{
	static const struct {
		const char *name, *records;
	} fixed[] = {
		[LKST_MASKSET_ID_RNOTHING] = { "nothing", "no event" },
		[LKST_MASKSET_ID_RALL] = { "all", "all events" },
	};

	if ((size_t)id >= sizeof(fixed) / sizeof(*fixed))
		return 0;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_MASKSET_FIXED, id, fixed[id].name,
		       fixed[id].records);
	return -1;
}

/**
 * maskset_print_left_out() - print a note that lists the requested events that cannot be recorded
 * @types: event types of the kernel
 * @left_out: requested events that are absent in this kernel
 */
void maskset_print_left_out(const struct lkst_etypes *types, const struct lkst_etype_set *left_out)
{
	const char *before = "not recorded, because they are absent in this kernel: ";
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype_set_has(left_out, i)) {
			fprintf(to, "%s%s", before, lkst_etype(types, i)->name);
			before = ", ";
		}
	if (!fclose(to) && *text)
		print_note(text);
	free(text);
}
