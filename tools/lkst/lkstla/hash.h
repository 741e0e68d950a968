/* SPDX-License-Identifier: GPL-2.0 */
/* Hash tables of structures with a key of three numbers, in a limited amount of memory. */
#ifndef _LKSTLA_HASH_H
#define _LKSTLA_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_WORDS	3

/**
 * struct hash_head - first member of the structures in a hash table
 * @key: key
 * @hash: hash of the key; 0: the slot is empty
 */
struct hash_head {
	uint64_t key[HASH_WORDS];
	uint64_t hash;
};

/**
 * struct hash - a hash table
 * @size: size of the structures in bytes, set by the user
 * @max: maximum number of structures, set by the user
 * @num: number of structures
 * @room: number of slots: 0 or a power of two
 * @slot: slots
 *
 * Initialize it with zeros apart from @size and @max. hash_add() moves the structures when the
 * table grows, and hash_remove() moves some of them.
 */
struct hash {
	size_t size;
	size_t max;
	size_t num;
	size_t room;
	void *slot;
};

/* What hash_add() did */
enum hash_result {
	HASH_FOUND,	/* found a structure with this key */
	HASH_ADDED,	/* added a structure, whose members other than the head are 0 */
	HASH_FULL,	/* found none, and the table has its maximum number of structures */
	HASH_NO_MEMORY,	/* found none, and the table cannot grow */
};

enum hash_result hash_add(struct hash *hash, const uint64_t key[HASH_WORDS], void *entry);
enum hash_result hash_add_row(struct hash *hash, const uint64_t key[HASH_WORDS], void *entry);
bool hash_is_rest(const void *entry);
void **hash_sorted(const struct hash *hash, int (*compare)(const void *a, const void *b));
int hash_compare_keys(const void *a, const void *b);
void *hash_find(const struct hash *hash, const uint64_t key[HASH_WORDS]);
void hash_remove(struct hash *hash, void *entry);
void *hash_next(const struct hash *hash, size_t *at);
void hash_clear(struct hash *hash);
void hash_free(struct hash *hash);

#endif
