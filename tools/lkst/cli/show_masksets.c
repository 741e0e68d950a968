// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the lists of masksets and of event handlers. A maskset determines the event handler of each
 * event type, and thereby which events are recorded.
 */
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "show.h"

/* Count the event types that a maskset records. Returns -1 on error. */
static int show_masksets_count_recorded(struct lkst_device *dev, lkst_maskset_id id,
					struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	int num = -1;

	if (!body)
		lkst_error_memory(err, "a maskset");
	else if (!lkst_maskset_read(dev, id, body, err))
		num = 0;
	for (lkst_maskset_table_len i = 0; num >= 0 && i < body->len; i++)
		num += body->entry[i].id != LKST_EVHANDLER_ID_NONE;
	free(body);
	return num;
}

/* Call @show for each maskset, with the number of event types that the maskset records. */
static int each_maskset(struct lkst_device *dev, const struct lkst_maskset_list *list,
			void (*show)(void *ctx, const struct lkst_maskset_listent *ent, int events,
				     bool selected),
			void *ctx, struct lkst_error *err)
{
	for (size_t i = 0; i < list->num; i++) {
		int events = show_masksets_count_recorded(dev, list->ent[i].id, err);

		if (events >= 0)
			show(ctx, &list->ent[i], events, list->ent[i].id == list->current);
		else if (err->code != LKST_ERR_NOT_FOUND) /* not found: deleted in the meantime */
			return -1;
	}
	return 0;
}

static void show_masksets_show_maskset(void *ctx, const struct lkst_maskset_listent *ent,
				       int events, bool selected)
{
	(void)ctx;
	printf("%4d  %-*s  %7u  %6d  %s\n", ent->id, LKST_MASKSET_NAME_LEN - 1,
	       LKST_PRINTABLE(ent->name), ent->len, events, selected ? "selected" : "-");
}

/**
 * show_masksets() - print the list of masksets
 * @dev: device
 * @err: set on failure
 */
int show_masksets(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	printf("%4s  %-*s  %7s  %6s  %s\n", "id", LKST_MASKSET_NAME_LEN - 1, "name", "entries",
	       "events", "state");
	ret = each_maskset(dev, &list, show_masksets_show_maskset, NULL, err);
	lkst_maskset_list_free(&list);
	return ret;
}

static void show_masksets_json_maskset(void *ctx, const struct lkst_maskset_listent *ent,
				       int events, bool selected)
{
	struct json_object *maskset = json_new();

	json_int(maskset, "id", ent->id);
	json_text(maskset, "name", ent->name);
	json_uint(maskset, "len", ent->len);
	json_int(maskset, "events", events);
	json_flag(maskset, "selected", selected);
	json_add(ctx, maskset);
}

/**
 * json_masksets() - get the masksets as a JSON value
 * @dev: device
 * @value: result
 * @err: set on failure
 */
int json_masksets(struct lkst_device *dev, struct json_object **value, struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int ret;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	*value = json_list();
	ret = each_maskset(dev, &list, show_masksets_json_maskset, *value, err);
	lkst_maskset_list_free(&list);
	if (ret)
		json_free(*value);
	return ret;
}

/**
 * show_evhandlers() - print the list of event handlers
 * @dev: device
 * @err: set on failure
 */
int show_evhandlers(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_evhandler_list list;

	if (lkst_evhandler_list_get(dev, &list, err))
		return -1;
	printf("%5s  %s\n", "id", "name");
	for (size_t i = 0; i < list.num; i++)
		printf("0x%03x  %s\n", (unsigned int)list.ent[i].id,
		       LKST_PRINTABLE(list.ent[i].name));
	lkst_evhandler_list_free(&list);
	return 0;
}

/**
 * json_evhandlers() - get the event handlers as a JSON value
 * @dev: device
 * @value: result
 * @err: set on failure
 */
int json_evhandlers(struct lkst_device *dev, struct json_object **value, struct lkst_error *err)
{
	struct lkst_evhandler_list list;

	if (lkst_evhandler_list_get(dev, &list, err))
		return -1;
	*value = json_list();
	for (size_t i = 0; i < list.num; i++) {
		struct json_object *handler = json_new();

		json_int(handler, "id", list.ent[i].id);
		json_text(handler, "name", list.ent[i].name);
		json_add(*value, handler);
	}
	lkst_evhandler_list_free(&list);
	return 0;
}
