// SPDX-License-Identifier: GPL-2.0
/*
 * Hash tables with open addressing and linear probing. Each structure lies in the first free slot
 * at or after the slot that its hash selects, so a search ends at the first free slot.
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"

#define ROOM_MIN 64

static struct hash_head *hash_slot(const struct hash *hash, size_t index)
{
	return (struct hash_head *)((char *)hash->slot + index * hash->size);
}

/*
 * Mix the words so that each bit of the key changes about half of the bits of the hash. The result
 * is never 0, because 0 marks an empty slot.
 */
static uint64_t hash_of(const uint64_t key[HASH_WORDS])
{
	uint64_t sum = 0;

	for (int i = 0; i < HASH_WORDS; i++) {
		sum = (sum ^ key[i]) * 0x9e3779b97f4a7c15;
		sum ^= sum >> 32;
	}
	sum *= 0xd6e8feb86659fd93;
	sum ^= sum >> 32;
	return sum ? sum : 1;
}

/*
 * Return the slot of a key. If the key is not in the table, return the free slot into which it
 * belongs.
 */
static struct hash_head *hash_search(const struct hash *hash, const uint64_t key[HASH_WORDS],
				     uint64_t value)
{
	size_t index = value & (hash->room - 1);
	struct hash_head *head;

	for (;; index = (index + 1) & (hash->room - 1)) {
		head = hash_slot(hash, index);
		if (!head->hash || (head->hash == value && !memcmp(head->key, key, sizeof(head->key))))
			return head;
	}
}

/* Double the number of slots. On failure, the table is unchanged. */
static int hash_grow(struct hash *hash)
{
	struct hash old = *hash;
	struct hash_head *head;
	size_t at = 0;
	void *slot;

	hash->room = old.room ? old.room * 2 : ROOM_MIN;
	slot = calloc(hash->room, hash->size);
	if (!slot) {
		hash->room = old.room;
		return -1;
	}
	hash->slot = slot;
	while ((head = hash_next(&old, &at)) != NULL)
		memcpy(hash_search(hash, head->key, head->hash), head, hash->size);
	free(old.slot);
	return 0;
}

/**
 * hash_find() - find a structure
 * @hash: table
 * @key: key
 *
 * Return: the structure; NULL if the key is not in the table.
 */
void *hash_find(const struct hash *hash, const uint64_t key[HASH_WORDS])
{
	struct hash_head *head;

	if (!hash->num)
		return NULL;
	head = hash_search(hash, key, hash_of(key));
	return head->hash ? head : NULL;
}

/**
 * hash_add() - find a structure, or add it
 * @hash: table
 * @key: key
 * @entry: address of a pointer, which is set to the structure, or to NULL for HASH_FULL and
 *	HASH_NO_MEMORY
 */
enum hash_result hash_add(struct hash *hash, const uint64_t key[HASH_WORDS], void *entry)
{
	uint64_t value = hash_of(key);
	struct hash_head *head = NULL;

	*(void **)entry = NULL;
	if (hash->room)
		head = hash_search(hash, key, value);
	if (!head || !head->hash) {
		if (hash->num >= hash->max)
			return HASH_FULL;
		/* Keep a quarter of the slots free, so that searches are short and always end. */
		if (hash->num >= hash->room - hash->room / 4) {
			if (hash_grow(hash))
				return HASH_NO_MEMORY;
			head = hash_search(hash, key, value);
		}
	}
	*(void **)entry = head;
	if (head->hash)
		return HASH_FOUND;
	memset(head, 0, hash->size);
	memcpy(head->key, key, sizeof(head->key));
	head->hash = value;
	hash->num++;
	return HASH_ADDED;
}

/*
 * Key of the common row for all keys for which the table has no room. No other key has these
 * values.
 */
static const uint64_t rest_key[HASH_WORDS] = { UINT64_MAX, UINT64_MAX, UINT64_MAX };

/**
 * hash_add_row() - find or add a structure that becomes a row of a report
 * @hash: table
 * @key: key
 * @entry: address of a pointer, as in hash_add()
 *
 * If the table is full, use one common structure for all other keys, see hash_is_rest().
 *
 * Return: the same as hash_add(), but never HASH_FULL.
 */
enum hash_result hash_add_row(struct hash *hash, const uint64_t key[HASH_WORDS], void *entry)
{
	enum hash_result result = hash_add(hash, key, entry);

	if (result == HASH_FULL) {
		hash->max++;
		result = hash_add(hash, rest_key, entry);
		hash->max--;
	}
	return result;
}

/**
 * hash_is_rest() - check whether a structure is the common one of hash_add_row()
 * @entry: structure
 */
bool hash_is_rest(const void *entry)
{
	return !memcmp(((const struct hash_head *)entry)->key, rest_key, sizeof(rest_key));
}

/**
 * hash_remove() - remove a structure
 * @hash: table
 * @entry: structure in the table
 *
 * A structure may be in a later slot only because this slot was in use. Such a structure is moved
 * to this slot. Then the slot that it left is treated in the same way.
 */
void hash_remove(struct hash *hash, void *entry)
{
	size_t mask = hash->room - 1, hole = ((char *)entry - (char *)hash->slot) / hash->size;

	for (size_t index = (hole + 1) & mask; hash_slot(hash, index)->hash;
	     index = (index + 1) & mask) {
		size_t first = hash_slot(hash, index)->hash & mask;

		/*
		 * Skip a structure that must not be moved to the hole, because its hash selects a
		 * slot after the hole.
		 */
		if (((index - first) & mask) < ((index - hole) & mask))
			continue;
		memcpy(hash_slot(hash, hole), hash_slot(hash, index), hash->size);
		hole = index;
	}
	hash_slot(hash, hole)->hash = 0;
	hash->num--;
}

/**
 * hash_next() - visit all structures
 * @hash: table, which must not change between the calls
 * @at: position; 0 at the start
 *
 * Return: a structure; NULL after the last one.
 */
void *hash_next(const struct hash *hash, size_t *at)
{
	while (*at < hash->room) {
		struct hash_head *head = hash_slot(hash, (*at)++);

		if (head->hash)
			return head;
	}
	return NULL;
}

/**
 * hash_compare_keys() - compare two structures with different keys
 * @a: address of a pointer to a structure
 * @b: address of a pointer to another structure
 */
int hash_compare_keys(const void *a, const void *b)
{
	const struct hash_head *const *pa = a, *const *pb = b;

	for (int i = 0; i < HASH_WORDS; i++)
		if ((*pa)->key[i] != (*pb)->key[i])
			return (*pa)->key[i] < (*pb)->key[i] ? -1 : 1;
	return 0;
}

/**
 * hash_sorted() - list all structures in the order of a comparison
 * @hash: table
 * @compare: compares two structures, given the addresses of two pointers to them
 *
 * Return: hash->num pointers, which the caller frees; NULL if an allocation failed.
 */
void **hash_sorted(const struct hash *hash, int (*compare)(const void *a, const void *b))
{
	void **list = malloc((hash->num + 1) * sizeof(*list)), *entry;
	size_t at = 0, num = 0;

	if (!list)
		return NULL;
	while ((entry = hash_next(hash, &at)) != NULL)
		list[num++] = entry;
	qsort(list, num, sizeof(*list), compare);
	return list;
}

/**
 * hash_clear() - remove all structures, but keep the memory
 * @hash: table
 */
void hash_clear(struct hash *hash)
{
	if (hash->num)
		memset(hash->slot, 0, hash->room * hash->size);
	hash->num = 0;
}

/**
 * hash_free() - free the memory of a table
 * @hash: table
 */
void hash_free(struct hash *hash)
{
	free(hash->slot);
	*hash = (struct hash){ .size = hash->size, .max = hash->max };
}
