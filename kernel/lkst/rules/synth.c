// SPDX-License-Identifier: GPL-2.0
/*
 * The list of synthetic events, and reading their values from other events.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "../base/number.h"
#include "../memory/memory.h"
#include "rule.h"
#include "synth.h"

static DEFINE_MUTEX(lkst_synth_mutex);
static LIST_HEAD(lkst_synth_events);

/* ---- the list ---- */

static size_t synth_bytes(unsigned int num)
{
	return struct_size((struct lkst_synth *)NULL, field, num);
}

/**
 * lkst_synth_new() - allocate a synthetic event
 * @num: number of fields
 *
 * Context: may sleep.
 *
 * Return: the event, which the caller must put; NULL if there is no memory. All
 * members except @node, @users and @num are 0.
 */
struct lkst_synth *lkst_synth_new(unsigned int num)
{
	struct lkst_synth *synth;

	if (!lkst_memory_charge(synth_bytes(num)))
		return NULL;
	synth = kzalloc(synth_bytes(num), GFP_KERNEL);
	if (!synth) {
		lkst_memory_uncharge(synth_bytes(num));
		return NULL;
	}
	INIT_LIST_HEAD(&synth->node);
	refcount_set(&synth->users, 1);
	synth->num = num;
	return synth;
}

/* Let actions find an event, all members of which are set. */
void lkst_synth_add(struct lkst_synth *synth)
{
	mutex_lock(&lkst_synth_mutex);
	list_add_tail(&synth->node, &lkst_synth_events);
	mutex_unlock(&lkst_synth_mutex);
}

/**
 * lkst_synth_remove() - no longer let actions find an event
 * @synth: the event
 *
 * Context: may sleep.
 *
 * Return: 0, or -EBUSY if an action makes the event.
 */
int lkst_synth_remove(struct lkst_synth *synth)
{
	int ret = 0;

	mutex_lock(&lkst_synth_mutex);
	if (refcount_read(&synth->users) > 1)
		ret = -EBUSY;
	else
		list_del_init(&synth->node);
	mutex_unlock(&lkst_synth_mutex);
	return ret;
}

/**
 * lkst_synth_get() - find an event, and become a user of it
 * @name: its name, with or without the group LKST_SYNTH_GROUP
 * @len: length of the name
 *
 * Context: may sleep.
 *
 * Return: the event, which the caller must put, or NULL.
 */
struct lkst_synth *lkst_synth_get(const char *name, size_t len)
{
	static const char group[] = LKST_SYNTH_GROUP ":";
	struct lkst_synth *synth, *found = NULL;

	mutex_lock(&lkst_synth_mutex);
	list_for_each_entry(synth, &lkst_synth_events, node) {
		const char *label = synth->label;

		if (!memchr(name, ':', len) && !strncmp(label, group, strlen(group)))
			label += strlen(group);
		if (strlen(label) != len || memcmp(label, name, len))
			continue;
		refcount_inc(&synth->users);
		found = synth;
		break;
	}
	mutex_unlock(&lkst_synth_mutex);
	return found;
}

/* Drop a user of an event, and free the event after the last one. */
void lkst_synth_put(struct lkst_synth *synth)
{
	if (!synth || !refcount_dec_and_test(&synth->users))
		return;
	/*
	 * When LKST is unloaded, the event is still in the list, because
	 * nothing has called lkst_synth_remove().
	 */
	mutex_lock(&lkst_synth_mutex);
	list_del(&synth->node);
	mutex_unlock(&lkst_synth_mutex);
	lkst_memory_uncharge(synth_bytes(synth->num));
	kfree(synth);
}

/* ---- values ---- */

/**
 * lkst_synth_set_load() - prepare to read a field of another event
 * @load: receives how to read it
 * @parser: parser of the rule, for errors
 * @at: position of the field in the rule
 * @from: the field of the other event
 * @to: the field of the synthetic event
 *
 * Return: 0, or -EINVAL after an error, which is in @parser.
 */
int lkst_synth_set_load(struct lkst_synth_load *load, struct lkst_filter_parser *parser, u32 at,
			const struct lkst_filter_field *from, const struct lkst_synth_field *to)
{
	bool is_text = from->text != LKST_TEXT_NONE;

	if (from->is_opaque || is_text != to->is_text) {
		lkst_filter_error(parser, at, "\"%.*s\" is not a %s, but the field for it is one",
				  (int)from->name_len, from->name,
				  to->is_text ? "string" : "number");
		return -EINVAL;
	}
	lkst_filter_set_field(&load->field, from);
	load->size = to->size;
	load->is_signed = from->is_signed;
	return 0;
}

static notrace bool synth_load_text(const struct lkst_synth_load *load,
				    const struct lkst_filter_record *record, char *to)
{
	u32 size, i = 0;
	const char *text = lkst_rule_string(&load->field, record, &size);

	if (!text)
		return false;
	for (; i < size && i < load->size && text[i]; i++)
		to[i] = text[i];
	memset(to + i, 0, load->size - i);
	lkst_rule_string_done(&load->field);
	return true;
}

/**
 * lkst_synth_load() - read a field of another event
 * @load: from lkst_synth_set_load()
 * @record: values of the other event
 * @to: receives the value. A number is extended or cut to the size of the
 *	synthetic event's field; the rest of a string is filled with 0
 *
 * Context: as for lkst_rule_apply().
 *
 * Return: false if the event lacks the field.
 */
notrace bool lkst_synth_load(const struct lkst_synth_load *load,
			     const struct lkst_filter_record *record, void *to)
{
	u64 value;

	if (load->field.text != LKST_TEXT_NONE)
		return synth_load_text(load, record, to);
	if (!lkst_rule_number(&load->field, record, &value))
		return false;
	lkst_number_store(to, lkst_filter_extend(&load->field, load->is_signed, value),
			  load->size);
	return true;
}
