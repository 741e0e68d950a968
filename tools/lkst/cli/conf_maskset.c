// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the masksets that the configuration defines, and writes them to the kernel. A maskset
 * determines the event handler of each event type, and thereby which events are recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "lib/base/error.h"
#include "lib/device/messages.h"
#include "lib/text/etypes.h"
#include "lib/text/maskset.h"
#include "lib/text/messages.h"
#include "lib/text/words.h"
#include "messages.h"

/**
 * struct world - the names that rules can refer to
 * @conf: configuration
 * @dev: device; NULL: LKST is not loaded, so only errors that do not depend on the kernel are
 *	reported
 * @types: event types
 * @handlers: event handlers; empty without a device
 * @masksets: masksets in the kernel; empty without a device
 */
struct world {
	struct conf *conf;
	struct lkst_device *dev;
	struct lkst_etypes *types;
	struct lkst_evhandler_list handlers;
	struct lkst_maskset_list masksets;
};

static int conf_world_begin(struct world *world, struct lkst_error *err)
{
	world->types = lkst_etypes_system(err);
	if (!world->types)
		return -1;
	if (!world->dev)
		return 0;
	return lkst_evhandler_list_get(world->dev, &world->handlers, err) ||
			       lkst_maskset_list_get(world->dev, &world->masksets, err) ?
		       -1 :
		       0;
}

static void conf_world_end(struct world *world)
{
	lkst_maskset_list_free(&world->masksets);
	lkst_evhandler_list_free(&world->handlers);
	lkst_etypes_free(world->types);
}

static lkst_maskset_id conf_maskset_find_id(const struct world *world, const char *name)
{
	for (size_t i = 0; i < world->masksets.num; i++)
		if (!strcmp(world->masksets.ent[i].name, name))
			return world->masksets.ent[i].id;
	return LKST_MASKSET_ID_VOID;
}

/* ---- rules ---- */

/* Parse a rule. Returns its event handler, or -1 with @why set if the rule is invalid. */
static lkst_evhandler_id conf_read_rule(const struct world *world, const struct conf_rule *rule,
					struct lkst_maskset_change *change, struct lkst_error *why)
{
	char *copy = strdup(rule->events), *next = copy, *word;
	lkst_evhandler_id handler = LKST_EVHANDLER_ID_NONE;

	memset(change, 0, sizeof(*change));
	if (world->dev)
		handler = lkst_evhandler_find(&world->handlers, rule->handler, why);
	if (!copy)
		lkst_error_memory(why, "the configuration");
	while (!why->code && (word = lkst_next_word(&next)) != NULL) {
		if (*word)
			lkst_maskset_select(world->types, word, handler, change, why);
		else
			lkst_error_set(why, LKST_ERR_FORMAT, MSG_EMPTY_EVENT, rule->events);
	}
	free(copy);
	return why->code ? -1 : handler;
}

/* Apply a rule to a maskset that has an entry for every event type: entry i is for type i. */
static int conf_apply_rule(const struct world *world, const struct conf_rule *rule,
			   struct lkst_maskset_body *body, struct lkst_error *err)
{
	struct lkst_maskset_change change;
	struct lkst_error why = { 0 };
	lkst_evhandler_id handler = conf_read_rule(world, rule, &change, &why);

	if (handler < 0)
		return conf_add_error(world->conf, &rule->at, &why, err);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype_set_has(&change.set, i))
			body->entry[i].id = handler;
	return 0;
}

/*
 * Fill @body with the maskset that the rules start from. If they start from an empty maskset, or
 * from one that the kernel does not have, @body becomes a maskset that records nothing.
 */
static int conf_read_from(const struct world *world, const struct conf_maskset *maskset,
			  struct lkst_maskset_body *body, struct lkst_error *err)
{
	struct lkst_error why = { 0 };
	lkst_maskset_id id;

	memset(body, 0, sizeof(*body));
	if (!maskset->from)
		return 0;
	id = conf_maskset_find_id(world, maskset->from);
	if (id != LKST_MASKSET_ID_VOID)
		return lkst_maskset_read(world->dev, id, body, err);
	/*
	 * The kernel does not have @from. This is not an error if the configuration defines @from
	 * before this maskset, because writing the configuration then creates @from first.
	 */
	for (const struct conf_maskset *m = world->conf->maskset; m < maskset; m++)
		if (!strcmp(m->name, maskset->from))
			return 0;
	if (!world->dev)
		return 0;
	lkst_error_set(&why, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET_NAME, maskset->from,
		       MSG_ALL_MASKSETS);
	return conf_add_error(world->conf, &maskset->from_at, &why, err);
}

/* Drop entries of event types that the kernel does not have, unless a handler is set for them. */
static void conf_drop_absent(const struct world *world, struct lkst_maskset_body *body)
{
	lkst_maskset_table_len len = 0;

	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if (lkst_etype(world->types, (uint32_t)body->entry[i].event_type) ||
		    body->entry[i].id != LKST_EVHANDLER_ID_NONE)
			body->entry[len++] = body->entry[i];
	body->len = len;
}

/*
 * Build the maskset in @body. Returns 0, -1 on error, or 1 if an event handler would generate the
 * events that it handles. That error is added to the errors of the configuration.
 */
static int conf_make_body(const struct world *world, const struct conf_maskset *maskset,
			  struct lkst_maskset_body *body, struct lkst_error *err)
{
	struct lkst_error why = { 0 };

	if (conf_read_from(world, maskset, body, err))
		return -1;
	lkst_maskset_complete(body);
	for (size_t i = 0; i < maskset->rules; i++)
		if (conf_apply_rule(world, &maskset->rule[i], body, err))
			return -1;
	conf_drop_absent(world, body);
	snprintf(body->name, sizeof(body->name), "%s", maskset->name);
	if (!lkst_maskset_check_locks(world->types, body, NULL, &why))
		return 0;
	return conf_add_error(world->conf, &maskset->at, &why, err) ? -1 : 1;
}

static int conf_maskset_write_body(struct world *world, struct lkst_maskset_body *body,
				   struct lkst_error *err)
{
	lkst_maskset_id id = conf_maskset_find_id(world, body->name);
	bool new = id == LKST_MASKSET_ID_VOID;

	if (lkst_maskset_write(world->dev, &id, body, err))
		return -1;
	if (!new)
		return 0;
	lkst_maskset_list_free(&world->masksets);
	return lkst_maskset_list_get(world->dev, &world->masksets, err);
}

/* ---- all masksets ---- */

static int conf_maskset_each(struct conf *conf, struct lkst_device *dev, bool write,
			     struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	struct world world = { .conf = conf, .dev = dev };
	int ret = -1;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	if (!conf_world_begin(&world, err))
		ret = 0;
	for (size_t i = 0; i < conf->masksets && ret >= 0; i++) {
		ret = conf_make_body(&world, &conf->maskset[i], body, err);
		if (!ret && write)
			ret = conf_maskset_write_body(&world, body, err);
	}
	conf_world_end(&world);
	free(body);
	return ret < 0 ? -1 : 0;
}

/**
 * conf_masksets_check() - check the rules of all masksets
 * @conf: configuration; errors in rules are added to it
 * @dev: device; NULL: LKST is not loaded, so names of event handlers and masksets are not checked
 * @err: set if the check itself fails
 */
int conf_masksets_check(struct conf *conf, struct lkst_device *dev, struct lkst_error *err)
{
	return conf->masksets ? conf_maskset_each(conf, dev, false, err) : 0;
}

/**
 * conf_masksets_write() - write the masksets that the configuration defines
 * @conf: configuration; invalid rules are ignored, and their errors are added to it
 * @dev: device
 * @err: set on failure
 */
int conf_masksets_write(struct conf *conf, struct lkst_device *dev, struct lkst_error *err)
{
	return conf->masksets ? conf_maskset_each(conf, dev, true, err) : 0;
}
