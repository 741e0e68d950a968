// SPDX-License-Identifier: GPL-2.0
/* Hash tables: compared with an array, at their maximum, and if allocations fail. */
#include "lkstla/hash.h"
#include "tap.h"

#define KEYS 5000

struct entry {
	struct hash_head head;
	uint64_t value;
};

static struct hash hash;
static bool no_memory;

void *__real_calloc(size_t num, size_t size);
void *__wrap_calloc(size_t num, size_t size);

void *__wrap_calloc(size_t num, size_t size)
{
	return no_memory ? NULL : __real_calloc(num, size);
}

static void setup(void)
{
	hash = (struct hash){ .size = sizeof(struct entry), .max = KEYS };
}

static void teardown(void)
{
	no_memory = false;
	hash_free(&hash);
}

TESTS(.setup = setup, .teardown = teardown);

/* Return the next number of a fixed sequence (xorshift64). */
static uint64_t hash_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Return key @n. Like addresses of structures, keys differ little, and in one word only. */
static const uint64_t *key_of(unsigned int n)
{
	static uint64_t key[HASH_WORDS];

	memset(key, 0, sizeof(key));
	key[n % HASH_WORDS] = 0xffff888000000000 + n * 64ull;
	return key;
}

static void check_all(const bool present[KEYS], size_t num)
{
	struct entry *entry;
	size_t at = 0, seen = 0;

	ck_assert_uint_eq(hash.num, num);
	for (unsigned int n = 0; n < KEYS; n++) {
		entry = hash_find(&hash, key_of(n));
		ck_assert_int_eq(entry != NULL, present[n]);
		if (entry)
			ck_assert_uint_eq(entry->value, n);
	}
	while ((entry = hash_next(&hash, &at)) != NULL) {
		ck_assert(entry->value < KEYS && present[entry->value]);
		seen++;
	}
	ck_assert_uint_eq(seen, num);
}

/* Add and remove random keys. The table is at times nearly full and at times nearly empty. */
TEST(random_keys)
{
	static bool present[KEYS];
	size_t num = 0;

	for (int round = 0; round < 200000; round++) {
		unsigned int n = hash_random() % KEYS;
		bool add = hash_random() % 8 < (round / 20000 % 2 ? 2 : 6);
		struct entry *entry = hash_find(&hash, key_of(n));

		ck_assert_int_eq(entry != NULL, present[n]);
		if (!add && entry) {
			hash_remove(&hash, entry);
			present[n] = false;
			num--;
		} else if (add) {
			ck_assert_int_eq(hash_add(&hash, key_of(n), &entry),
					 present[n] ? HASH_FOUND : HASH_ADDED);
			ck_assert_uint_eq(entry->value, present[n] ? n : 0);
			entry->value = n;
			num += !present[n];
			present[n] = true;
		}
		if (round % 10000 == 0)
			check_all(present, num);
	}
	check_all(present, num);
	hash_clear(&hash);
	memset(present, 0, sizeof(present));
	check_all(present, 0);
}

TEST(full)
{
	struct entry *entry;

	hash.max = 3;
	for (unsigned int n = 0; n < 3; n++)
		ck_assert_int_eq(hash_add(&hash, key_of(n), &entry), HASH_ADDED);
	ck_assert_int_eq(hash_add(&hash, key_of(3), &entry), HASH_FULL);
	ck_assert_ptr_null(entry);
	ck_assert_int_eq(hash_add(&hash, key_of(2), &entry), HASH_FOUND);
	ck_assert(!hash_is_rest(entry));
	ck_assert_int_eq(hash_add_row(&hash, key_of(2), &entry), HASH_FOUND);
	ck_assert(!hash_is_rest(entry));
	ck_assert_int_eq(hash_add_row(&hash, key_of(3), &entry), HASH_ADDED);
	ck_assert(hash_is_rest(entry));
	ck_assert_int_eq(hash_add_row(&hash, key_of(4), &entry), HASH_FOUND);
	ck_assert(hash_is_rest(entry));
	ck_assert_uint_eq(hash.num, 4);
	ck_assert_uint_eq(hash.max, 3);
}

TEST(sorted)
{
	struct entry *entry, **list;
	static const uint64_t keys[][HASH_WORDS] = { { 1, 0, UINT64_MAX }, { 0, 2, 0 }, { 1, 0, 0 },
						     { UINT64_MAX, 0, 0 }, { 0, 1, 5 } };
	static const int order[] = { 4, 1, 2, 0, 3 };

	for (int i = 0; i < NUM(keys); i++)
		ck_assert_int_eq(hash_add(&hash, keys[i], &entry), HASH_ADDED);
	list = (struct entry **)hash_sorted(&hash, hash_compare_keys);
	for (int i = 0; i < NUM(keys); i++)
		ck_assert_mem_eq(list[i]->head.key, keys[order[i]], sizeof(keys[0]));
	free(list);
}

/* If an allocation fails, the table does not change. */
TEST(without_memory)
{
	struct entry *entry;
	unsigned int n = 0;

	no_memory = true;
	ck_assert_ptr_null(hash_find(&hash, key_of(0)));
	ck_assert_int_eq(hash_add(&hash, key_of(0), &entry), HASH_NO_MEMORY);
	ck_assert_ptr_null(entry);
	no_memory = false;
	ck_assert_int_eq(hash_add(&hash, key_of(n++), &entry), HASH_ADDED);
	no_memory = true;
	while (hash_add(&hash, key_of(n), &entry) == HASH_ADDED)
		n++;
	ck_assert_uint_gt(n, 10);
	ck_assert_int_eq(hash_add_row(&hash, key_of(n), &entry), HASH_NO_MEMORY);
	ck_assert_uint_eq(hash.num, n);
	for (unsigned int i = 0; i < n; i++)
		ck_assert_ptr_nonnull(hash_find(&hash, key_of(i)));
	no_memory = false;
	ck_assert_int_eq(hash_add(&hash, key_of(n), &entry), HASH_ADDED);
}
