// SPDX-License-Identifier: GPL-2.0
/* The groups of lkstla pair. */
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "tally.h"
#include "value.h"

struct pair_index {
	struct hash_head head;
	size_t index;
};

/**
 * pair_groups_init() - make an empty set of groups
 * @groups: result
 */
void pair_groups_init(struct pair_groups *groups)
{
	*groups = (struct pair_groups){
		.index = { .size = sizeof(struct pair_index), .max = PAIR_GROUPS_MAX },
	};
}

/* Return whether a value is a string, array or structure of a user event. */
static bool pair_is_bytes(const struct lkst_field *field)
{
	return field->user && (field->format == LKST_FMT_TEXT || field->format == LKST_FMT_BYTES);
}

/*
 * Set the key of an event's group. The address of struct lkst_thread distinguishes threads with the
 * same ID, and the CPU distinguishes idle threads. Only the first 24 bytes of a string are used.
 */
static void pair_groups_key(uint64_t key[HASH_WORDS], const struct pair_value *value,
			    const struct lkst_thread *thread, const struct lkst_event *event)
{
	char bytes[LKST_CHAIN_BYTES_MAX];

	memset(key, 0, HASH_WORDS * sizeof(*key));
	if (value->kind == PAIR_FIELD && pair_is_bytes(value->field)) {
		size_t len = user_field_bytes(value->field, event, bytes);

		memcpy(key, bytes,
		       len < sizeof(*key) * HASH_WORDS ? len : sizeof(*key) * HASH_WORDS);
		return;
	}
	if (value->kind == PAIR_FIELD && pair_is_string(value->field)) {
		for (int i = 0; i < value->field->args && i < HASH_WORDS; i++)
			key[i] = event->arg[value->field->arg + i];
		return;
	}
	key[0] = pair_value(value, event);
	if (thread)
		key[1] = 1 + (uint64_t)thread->index;
	if ((value->kind == PAIR_TID || value->kind == PAIR_PROCESS) && !key[0])
		key[2] = 1 + (uint64_t)(uint32_t)event->cpu;
}

/**
 * pair_groups_find() - find the group of an event, or add it
 * @groups: groups
 * @value: value by which pairs are grouped
 * @run: run of the analysis
 * @event: event
 *
 * Return: index of the group; -1 if an allocation failed.
 */
int pair_groups_find(struct pair_groups *groups, const struct pair_value *value,
		     const struct run *run, const struct lkst_event *event)
{
	const struct lkst_thread *thread = value->kind == PAIR_TID ? value_thread(run, event) :
								     NULL;
	uint64_t key[HASH_WORDS];
	struct pair_index *entry;
	struct pair_group *group;
	enum hash_result result;

	pair_groups_key(key, value, thread, event);
	result = hash_add_row(&groups->index, key, &entry);
	if (result == HASH_FOUND)
		return (int)entry->index;
	if (result != HASH_ADDED)
		return -1;
	entry->index = groups->index.num - 1;
	group = tally_cover(groups->group, &groups->room, entry->index, sizeof(*group));
	if (!group) {
		hash_remove(&groups->index, entry);
		return -1;
	}
	groups->group = group;
	group[entry->index] = (struct pair_group){
		.rest = hash_is_rest(entry),
		.thread = thread,
		.event = *event,
	};
	/* The payload is valid only as long as the event. */
	group[entry->index].event.payload = NULL;
	return (int)entry->index;
}

/**
 * pair_groups_free() - free the groups
 * @groups: groups
 */
void pair_groups_free(struct pair_groups *groups)
{
	for (size_t i = 0; i < groups->index.num; i++)
		dist_free(&groups->group[i].dist);
	free(groups->group);
	hash_free(&groups->index);
}
