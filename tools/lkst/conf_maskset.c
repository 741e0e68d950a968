// SPDX-License-Identifier: GPL-2.0
/* The masksets that the configuration defines: are their rules right, and into the kernel with them. */
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "lib/messages.h"

/**
 * struct world - what rules can name
 * @conf: configuration
 * @dev: device; NULL: there is none here, so only what no kernel knows is wrong
 * @types: event types
 * @handlers: event handlers; empty without a device
 * @masksets: those in the kernel; empty without a device
 */
struct world {
	struct conf *conf;
	struct lkst_device *dev;
	struct lkst_etypes *types;
	struct lkst_evhandler_list handlers;
	struct lkst_maskset_list masksets;
};

static int world_begin(struct world *world, struct lkst_error *err)
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

static void world_end(struct world *world)
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

/* The event types of a rule. @why: what is wrong with it. Returns the event handler, -1: a rule that is wrong. */
static lkst_evhandler_id read_rule(const struct world *world, const struct conf_rule *rule,
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

/* A maskset that is complete: entry i is of event type i. */
static int apply_rule(const struct world *world, const struct conf_rule *rule,
		      struct lkst_maskset_body *body, struct lkst_error *err)
{
	struct lkst_maskset_change change;
	struct lkst_error why = { 0 };
	lkst_evhandler_id handler = read_rule(world, rule, &change, &why);

	if (handler < 0)
		return conf_add_error(world->conf, &rule->at, &why, err);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype_set_has(&change.set, i))
			body->entry[i].id = handler;
	return 0;
}

/* What the rules change. A maskset that is not there is one that records nothing. */
static int read_from(const struct world *world, const struct conf_maskset *maskset,
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
	/* One that is defined before this one will be there when this one is written. */
	for (const struct conf_maskset *m = world->conf->maskset; m < maskset; m++)
		if (!strcmp(m->name, maskset->from))
			return 0;
	if (!world->dev)
		return 0;
	lkst_error_set(&why, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET_NAME, maskset->from,
		       MSG_ALL_MASKSETS);
	return conf_add_error(world->conf, &maskset->from_at, &why, err);
}

/* Only what is an event type here, or is recorded, has an entry. */
static void drop_absent(const struct world *world, struct lkst_maskset_body *body)
{
	lkst_maskset_table_len len = 0;

	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		if (lkst_etype(world->types, (uint32_t)body->entry[i].event_type) ||
		    body->entry[i].id != LKST_EVHANDLER_ID_NONE)
			body->entry[len++] = body->entry[i];
	body->len = len;
}

/* Returns 0 with @body, 1 when what it says together is wrong, -1 on an error. */
static int make_body(const struct world *world, const struct conf_maskset *maskset,
		     struct lkst_maskset_body *body, struct lkst_error *err)
{
	struct lkst_error why = { 0 };

	if (read_from(world, maskset, body, err))
		return -1;
	lkst_maskset_complete(body);
	for (size_t i = 0; i < maskset->rules; i++)
		if (apply_rule(world, &maskset->rule[i], body, err))
			return -1;
	drop_absent(world, body);
	snprintf(body->name, sizeof(body->name), "%s", maskset->name);
	if (!lkst_maskset_check_locks(world->types, body, NULL, &why))
		return 0;
	return conf_add_error(world->conf, &maskset->at, &why, err) ? -1 : 1;
}

static int write_body(struct world *world, struct lkst_maskset_body *body, struct lkst_error *err)
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

/* ---- all of them ---- */

static int each(struct conf *conf, struct lkst_device *dev, bool write, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	struct world world = { .conf = conf, .dev = dev };
	int ret = -1;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	if (!world_begin(&world, err))
		ret = 0;
	for (size_t i = 0; i < conf->masksets && ret >= 0; i++) {
		ret = make_body(&world, &conf->maskset[i], body, err);
		if (!ret && write)
			ret = write_body(&world, body, err);
	}
	world_end(&world);
	free(body);
	return ret < 0 ? -1 : 0;
}

/**
 * conf_masksets_check() - are the rules right?
 * @conf: configuration; what is wrong is added to its errors
 * @dev: device; NULL: there is none, so names of event handlers and masksets are not known
 * @err: why that cannot be told
 */
int conf_masksets_check(struct conf *conf, struct lkst_device *dev, struct lkst_error *err)
{
	return conf->masksets ? each(conf, dev, false, err) : 0;
}

/**
 * conf_masksets_write() - write the masksets that the configuration defines
 * @conf: configuration; what is wrong is added to its errors, and left out
 * @dev: device
 * @err: why not
 */
int conf_masksets_write(struct conf *conf, struct lkst_device *dev, struct lkst_error *err)
{
	return conf->masksets ? each(conf, dev, true, err) : 0;
}
