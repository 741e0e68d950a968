// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the lists of masksets and of event handlers. A maskset determines the event handler of each
 * event type, and thereby which events are recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/device/bpf.h"
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

static void show_evhandlers_bpf(const struct lkst_evhandler_bpf_info *info, const char *actions)
{
	static char shown[4 * LKST_RULE_TEXT_MAX + 1];

	printf("  (BPF program %u, tag ", info->program);
	for (size_t i = 0; i < sizeof(info->tag); i++)
		printf("%02x", info->tag[i]);
	printf(": %llu runs, %llu drops, %llu acts, %llu nested, %llu unsafe)",
	       (unsigned long long)info->runs, (unsigned long long)info->drops,
	       (unsigned long long)info->acts, (unsigned long long)info->nested,
	       (unsigned long long)info->unsafe);
	if (info->also)
		printf(" also 0x%03x", (unsigned int)info->also);
	if (*actions)
		printf(" %s", lkst_printable(actions, strlen(actions), shown, sizeof(shown)));
}

/* A BPF program that has been deleted since the list was read is shown without counts. */
static int show_evhandlers_one(struct lkst_device *dev, const struct lkst_evhandler_listent *ent,
			       struct lkst_error *err)
{
	struct lkst_evhandler_bpf_info info;
	char *actions = NULL;
	int bpf = lkst_bpf_read(dev, ent->id, &info, &actions, err);

	if (bpf < 0)
		return -1;
	printf("0x%03x  %s", (unsigned int)ent->id, LKST_PRINTABLE(ent->name));
	if (bpf) {
		show_evhandlers_bpf(&info, actions);
		free(actions);
	}
	putchar('\n');
	return 0;
}

/**
 * show_evhandlers() - print the list of event handlers
 * @dev: device
 * @err: set on failure
 */
int show_evhandlers(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_evhandler_list list;
	int ret = 0;

	if (lkst_evhandler_list_get(dev, &list, err))
		return -1;
	printf("%5s  %s\n", "id", "name");
	for (size_t i = 0; !ret && i < list.num; i++)
		ret = show_evhandlers_one(dev, &list.ent[i], err);
	lkst_evhandler_list_free(&list);
	return ret;
}

static struct json_object *show_evhandlers_json_bpf(const struct lkst_evhandler_bpf_info *info,
						    const char *actions)
{
	struct json_object *bpf = json_new();
	char tag[2 * sizeof(info->tag) + 1];

	for (size_t i = 0; i < sizeof(info->tag); i++)
		snprintf(tag + 2 * i, 3, "%02x", info->tag[i]);
	json_uint(bpf, "program", info->program);
	json_text(bpf, "tag", tag);
	json_uint(bpf, "runs", info->runs);
	json_uint(bpf, "drops", info->drops);
	json_uint(bpf, "acts", info->acts);
	json_uint(bpf, "nested", info->nested);
	json_uint(bpf, "unsafe", info->unsafe);
	json_uint(bpf, "also", (unsigned int)info->also);
	json_text(bpf, "actions", actions);
	return bpf;
}

static int show_evhandlers_json_one(struct lkst_device *dev,
				    const struct lkst_evhandler_listent *ent,
				    struct json_object *list, struct lkst_error *err)
{
	struct lkst_evhandler_bpf_info info;
	struct json_object *handler;
	char *actions = NULL;
	int bpf = lkst_bpf_read(dev, ent->id, &info, &actions, err);

	if (bpf < 0)
		return -1;
	handler = json_new();
	json_int(handler, "id", ent->id);
	json_text(handler, "name", ent->name);
	if (bpf) {
		json_put(handler, "bpf", show_evhandlers_json_bpf(&info, actions));
		free(actions);
	}
	json_add(list, handler);
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
	int ret = 0;

	if (lkst_evhandler_list_get(dev, &list, err))
		return -1;
	*value = json_list();
	for (size_t i = 0; !ret && i < list.num; i++)
		ret = show_evhandlers_json_one(dev, &list.ent[i], *value, err);
	lkst_evhandler_list_free(&list);
	if (ret)
		json_free(*value);
	return ret;
}
