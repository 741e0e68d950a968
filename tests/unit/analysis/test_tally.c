// SPDX-License-Identifier: GPL-2.0
/* Durations and sums at their limits, and arrays that grow. */
#include "lkstla/tally.h"
#include "tap.h"

void *__real_reallocarray(void *old, size_t num, size_t size);
void *__wrap_reallocarray(void *old, size_t num, size_t size);

/* Let huge allocations fail: AddressSanitizer would end the program instead. */
void *__wrap_reallocarray(void *old, size_t num, size_t size)
{
	return num > SIZE_MAX / 1024 / size ? NULL : __real_reallocarray(old, num, size);
}

static const struct {
	int64_t begin_ns, end_ns, length_ns;
} lengths[] = {
	{ 0, 0, 0 },
	{ 5, 7, 2 },
	{ 7, 5, 0 },
	{ -7, -5, 2 },
	{ INT64_MIN, INT64_MIN, 0 },
	{ INT64_MIN, 0, INT64_MAX },
	{ -1, INT64_MAX, INT64_MAX },
	{ 0, INT64_MAX, INT64_MAX },
	{ INT64_MIN, INT64_MAX, INT64_MAX },
	{ INT64_MAX, INT64_MIN, 0 },
};

TEST_EACH(length, lengths)
{
	ck_assert_int_eq(tally_length(lengths[_i].begin_ns, lengths[_i].end_ns),
			 lengths[_i].length_ns);
}

TEST(sum)
{
	ck_assert_int_eq(tally_sum(1, 2), 3);
	ck_assert_int_eq(tally_sum(INT64_MAX - 1, 1), INT64_MAX);
	ck_assert_int_eq(tally_sum(INT64_MAX, 1), INT64_MAX);
	ck_assert_int_eq(tally_sum(INT64_MAX, INT64_MAX), INT64_MAX);
}

/* Members keep their values when the array grows, and new ones are zero. */
TEST(cover)
{
	size_t room = 0, before;
	uint64_t *array = tally_cover(NULL, &room, 0, sizeof(*array));

	ck_assert_ptr_nonnull(array);
	for (uint64_t i = 0; i < 1000; i++) {
		before = room;
		array = tally_cover(array, &room, i, sizeof(*array));
		ck_assert_ptr_nonnull(array);
		ck_assert_uint_gt(room, i);
		for (size_t k = before; k < room; k++)
			ck_assert_uint_eq(array[k], 0);
		array[i] = i + 1;
	}
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(array[i], i + 1);
	free(array);
}

TEST(cover_far)
{
	size_t room = 0;
	char *array = tally_cover(NULL, &room, 100000, 1);

	ck_assert_ptr_nonnull(array);
	ck_assert_uint_gt(room, 100000);
	ck_assert_int_eq(array[100000], 0);
	free(array);
}

/* If the allocation fails, or the size overflows, the array does not change. */
TEST(cover_too_far)
{
	size_t room = 0, old;
	uint64_t *array = tally_cover(NULL, &room, 3, sizeof(*array));

	ck_assert_ptr_nonnull(array);
	array[3] = 7;
	old = room;
	ck_assert_ptr_null(tally_cover(array, &room, SIZE_MAX / 4, sizeof(*array)));
	ck_assert_ptr_null(tally_cover(array, &room, SIZE_MAX, sizeof(*array)));
	ck_assert_uint_eq(room, old);
	ck_assert_uint_eq(array[3], 7);
	free(array);
}
