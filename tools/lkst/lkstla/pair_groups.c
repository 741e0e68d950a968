// SPDX-License-Identifier: GPL-2.0
/* The groups of lkstla pair. */
#include <stdlib.h>
#include <string.h>

#include "lib/text/field.h"
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

/* Return the FNV-1a hash of bytes. */
static uint64_t pair_hash(const char *bytes, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
	return hash;
}

/*
 * Set the key to a string, array or structure. If this value is longer than the key, the last word
 * of the key is a hash of all bytes that do not fit into the other words.
 */
static void pair_key_bytes(uint64_t key[HASH_WORDS], const char *bytes, size_t len)
{
	const size_t size = HASH_WORDS * sizeof(*key), before = size - sizeof(*key);

	memcpy(key, bytes, len < size ? len : size);
	if (len > size)
		key[HASH_WORDS - 1] = pair_hash(bytes + before, len - before);
}

/*
 * Set the key of an event's group. The address of struct lkst_thread distinguishes threads with the
 * same ID, and the CPU distinguishes idle threads.
 */
static void pair_groups_key(uint64_t key[HASH_WORDS], const struct pair_value *value,
			    const struct lkst_thread *thread, const struct lkst_event *event)
{
	const struct lkst_field *field = value->field;
	char bytes[FIELD_TEXT_SIZE];

	if (value->kind == PAIR_FIELD && field->user &&
	    (field->format == LKST_FMT_TEXT || field->format == LKST_FMT_BYTES)) {
		pair_key_bytes(key, bytes, user_field_bytes(field, event, bytes));
		return;
	}
	if (value->kind == PAIR_FIELD && pair_is_string(field)) {
		lkst_field_text(event, field, bytes);
		pair_key_bytes(key, bytes, strlen(bytes));
		return;
	}
	key[0] = pair_value(value, event);
	if (thread)
		key[1] = 1 + (uint64_t)thread->index;
	if ((value->kind == PAIR_TID || value->kind == PAIR_PROCESS) && !key[0])
		key[2] = 1 + (uint64_t)(uint32_t)event->cpu;
}

/* Fill in a new group with the value of its first event. */
static int pair_group_set(struct pair_group *group, const struct pair_spec *spec,
			  const struct run *run, const struct lkst_event *event)
{
	const struct pair_value *value = &spec->group_value;

	group->cpu = event->cpu;
	group->source = event->source;
	if (value->kind == PAIR_TID || value->kind == PAIR_PROCESS)
		group->id = (uint32_t)pair_value(value, event);
	if (!spec->group || value->kind != PAIR_FIELD || group->rest)
		return 0;
	/* The payload is valid only as long as the event. */
	group->text = pair_field_text(spec, run, event);
	return group->text ? 0 : -1;
}

/**
 * pair_groups_find() - find the group of an event, or add it
 * @groups: groups
 * @spec: operands; without "group", all events are in one group
 * @run: run of the analysis
 * @event: event
 *
 * Return: index of the group; -1 if an allocation failed.
 */
int pair_groups_find(struct pair_groups *groups, const struct pair_spec *spec,
		     const struct run *run, const struct lkst_event *event)
{
	const struct lkst_thread *thread = NULL;
	uint64_t key[HASH_WORDS] = { 0 };
	struct pair_index *entry;
	struct pair_group *group;
	enum hash_result result;

	if (spec->group && spec->group_value.kind == PAIR_TID)
		thread = value_thread(run, event);
	if (spec->group)
		pair_groups_key(key, &spec->group_value, thread, event);
	result = hash_add_row(&groups->index, key, &entry);
	if (result == HASH_FOUND)
		return (int)entry->index;
	if (result != HASH_ADDED)
		return -1;
	entry->index = groups->index.num - 1;
	group = tally_cover(groups->group, &groups->room, entry->index, sizeof(*group));
	if (!group)
		goto no_memory;
	groups->group = group;
	group += entry->index;
	*group = (struct pair_group){ .rest = hash_is_rest(entry), .thread = thread };
	if (pair_group_set(group, spec, run, event))
		goto no_memory;
	return (int)entry->index;

no_memory:
	hash_remove(&groups->index, entry);
	return -1;
}

/**
 * pair_groups_free() - free the groups
 * @groups: groups
 */
void pair_groups_free(struct pair_groups *groups)
{
	for (size_t i = 0; i < groups->index.num; i++) {
		dist_free(&groups->group[i].dist);
		free(groups->group[i].text);
	}
	free(groups->group);
	hash_free(&groups->index);
}
