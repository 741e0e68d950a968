// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of memory that outlives a reset, on memory that outlives what the tests call a boot.
 */
#include <kunit/test.h>
#include <linux/ctype.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/swab.h>

#include "compat.h"
#include "image.h"
#include "parts.h"

#define SIZE		(LKST_IMAGE_PARTS_MAX * LKST_BOOT_SLOT_SIZE_MIN)
#define PHYSICAL	0x12345000

/* What a power cycle leaves. */
static int parts_test_init(struct kunit *test)
{
	struct lkst_boot_slots *parts = kunit_kzalloc(test, sizeof(*parts), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, parts);
	parts->physical = PHYSICAL;
	parts->size = SIZE;
	parts->base = kvmalloc(SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, parts->base);
	get_random_bytes(parts->base, SIZE);
	test->priv = parts;
	return 0;
}

static void parts_test_exit(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;

	kvfree(parts->base);
}

static void *page_of(const struct lkst_boot_slots *parts, unsigned int part, unsigned int copy)
{
	return lkst_boot_slots_start(parts, part) + (copy ? parts->part_size - LKST_IMAGE_PAGE : 0);
}

static struct lkst_image_part *state_of(const struct lkst_boot_slots *parts, unsigned int part,
					unsigned int copy)
{
	return page_of(parts, part, copy) + LKST_IMAGE_STATE;
}

static void seal_header(struct lkst_image_header *header)
{
	header->checksum = lkst_crc32c(&header->version,
				       offsetofend(struct lkst_image_header, facts) -
				       offsetof(struct lkst_image_header, version));
}

static void seal_state(struct lkst_image_part *state)
{
	state->checksum = lkst_crc32c(&state->sequence, offsetofend(typeof(*state), reserved) -
				      offsetof(typeof(*state), sequence));
}

/* A boot, which is called @name instead of this one's UUID. Returns its part. */
static int boot(struct lkst_boot_slots *parts, unsigned int num, bool overwrite, u8 name)
{
	unsigned int copy;
	int part;

	lkst_boot_slots_divide(parts, num);
	part = lkst_boot_slots_claim(parts, overwrite);
	for (copy = 0; copy < 2 && part >= 0; copy++) {
		struct lkst_image_header *header = page_of(parts, part, copy);

		memset(header->boot, name, sizeof(header->boot));
		seal_header(header);
	}
	return part;
}

/* What a boot to come finds: names, oldest first; in capitals if they were read. */
static const char *boots(struct kunit *test, struct lkst_boot_slots *parts)
{
	struct lkst_previous_listent list[LKST_IMAGE_PARTS_MAX];
	char *text = kunit_kzalloc(test, LKST_IMAGE_PARTS_MAX + 1, GFP_KERNEL);
	unsigned int i, num;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, text);
	parts->own = -1;
	num = lkst_boot_slots_list(parts, list);
	for (i = 0; i < num; i++) {
		KUNIT_EXPECT_EQ(test, list[i].size, parts->part_size);
		text[i] = list[i].state == LKST_PART_READ ? toupper(list[i].boot[0]) :
							    list[i].boot[0];
	}
	return text;
}

static void read_boot(struct kunit *test, struct lkst_boot_slots *parts, u8 name)
{
	u8 uuid[LKST_IMAGE_BOOT_LEN];
	int part;

	memset(uuid, name, sizeof(uuid));
	part = lkst_boot_slots_find(parts, uuid);
	KUNIT_ASSERT_GE(test, part, 0);
	lkst_boot_slots_mark_read(parts, part);
}

static void each_boot_has_a_part(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	unsigned int num, i;

	for (num = LKST_IMAGE_PARTS_MIN; num <= LKST_IMAGE_PARTS_MAX; num++) {
		get_random_bytes(parts->base, SIZE);
		for (i = 0; i < num; i++) {
			KUNIT_ASSERT_EQ(test, lkst_boot_slots_divide(parts, num), LKST_BOOT_SLOTS_AS_WANTED);
			KUNIT_ASSERT_EQ(test, boot(parts, num, false, 'a' + i), i);
		}
		KUNIT_EXPECT_EQ(test, boot(parts, num, false, 'x'), -1);
		KUNIT_EXPECT_EQ(test, parts->own, -1);
		KUNIT_EXPECT_EQ(test, parts->part_num, num);
		KUNIT_EXPECT_EQ(test, parts->part_size % LKST_IMAGE_PAGE, 0);
		KUNIT_EXPECT_LE(test, num * parts->part_size, SIZE);
		KUNIT_EXPECT_TRUE(test, !strncmp(boots(test, parts), "abcdefgh", num));
		KUNIT_EXPECT_EQ(test, strlen(boots(test, parts)), num);
	}
}

static void own_boot_is_no_previous_one(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	struct lkst_previous_listent list[LKST_IMAGE_PARTS_MAX];
	u8 uuid[LKST_IMAGE_BOOT_LEN];

	boot(parts, 3, false, 'a');
	boot(parts, 3, false, 'b');
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_list(parts, list), 1);
	KUNIT_EXPECT_EQ(test, list[0].boot[0], 'a');
	memset(uuid, 'b', sizeof(uuid));
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_find(parts, uuid), -1);
	memset(uuid, 'a', sizeof(uuid));
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_find(parts, uuid), 0);
	uuid[15] = 'b';
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_find(parts, uuid), -1);
}

static void oldest_of_the_read_ones_goes_first(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;

	boot(parts, 4, false, 'a');
	boot(parts, 4, false, 'b');
	boot(parts, 4, false, 'c');
	read_boot(test, parts, 'a');
	read_boot(test, parts, 'b');
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "ABc");

	/* As long as there is a free one, what was read stays. */
	KUNIT_EXPECT_EQ(test, boot(parts, 4, false, 'd'), 3);
	KUNIT_EXPECT_EQ(test, boot(parts, 4, false, 'e'), 0);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "Bcde");
	KUNIT_EXPECT_EQ(test, boot(parts, 4, false, 'f'), 1);
	KUNIT_EXPECT_EQ(test, boot(parts, 4, false, 'g'), -1);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "cdef");
}

static void overwritten_by_choice(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;

	boot(parts, 2, false, 'a');
	boot(parts, 2, false, 'b');
	KUNIT_EXPECT_EQ(test, boot(parts, 2, true, 'c'), 0);
	KUNIT_EXPECT_EQ(test, boot(parts, 2, true, 'd'), 1);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "cd");
	read_boot(test, parts, 'd');

	/* Also then what nobody has read comes last. */
	KUNIT_EXPECT_EQ(test, boot(parts, 2, true, 'e'), 1);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "ce");
}

static void one_copy_of_a_header_is_enough(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	unsigned int copy;

	for (copy = 0; copy < 2; copy++) {
		get_random_bytes(parts->base, SIZE);
		boot(parts, 3, false, 'a');
		boot(parts, 3, false, 'b');
		get_random_bytes(page_of(parts, 0, copy), LKST_IMAGE_PAGE);
		/* And so are two halves. */
		get_random_bytes(page_of(parts, 1, copy), LKST_IMAGE_STATE);
		get_random_bytes(state_of(parts, 1, !copy), sizeof(struct lkst_image_part));
		KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 4), LKST_BOOT_SLOTS_OTHERS);
		KUNIT_EXPECT_STREQ(test, boots(test, parts), "ab");
		read_boot(test, parts, 'a');
		KUNIT_EXPECT_STREQ(test, boots(test, parts), "Ab");
		KUNIT_EXPECT_EQ(test, boot(parts, 3, false, 'c'), 2);
	}
}

static void without_a_header_a_part_is_free(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;

	boot(parts, 3, false, 'a');
	boot(parts, 3, false, 'b');
	((struct lkst_image_header *)page_of(parts, 0, 0))->facts[7] ^= 1;
	((struct lkst_image_header *)page_of(parts, 0, 1))->boot[7] ^= 1;
	state_of(parts, 1, 0)->number ^= 1;
	state_of(parts, 1, 1)->number ^= 1;
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "");
	KUNIT_EXPECT_EQ(test, boot(parts, 3, false, 'c'), 0);
	KUNIT_EXPECT_EQ(test, boot(parts, 3, false, 'd'), 1);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "cd");
}

/* A reset came between the two copies, or while one of them was written. */
static void newer_state_is_right(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	struct lkst_image_part before;

	boot(parts, 3, false, 'a');
	before = *state_of(parts, 0, 1);
	parts->own = -1;
	read_boot(test, parts, 'a');
	*state_of(parts, 0, 1) = before;
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "A");
	state_of(parts, 0, 0)->sequence = before.sequence;
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "a");

	/* Sequences go round. */
	before.sequence = U32_MAX;
	seal_state(&before);
	*state_of(parts, 0, 0) = before;
	*state_of(parts, 0, 1) = before;
	read_boot(test, parts, 'a');
	*state_of(parts, 0, 1) = before;
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "A");
}

/* Checksums are right, and yet it makes no sense. */
static void what_makes_no_sense_is_not_there(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	static const struct {
		const char *what;
		struct lkst_image_part state;
	} row[] = {
		{ "no state", { .part = 0, .part_num = 3, .state = 0 } },
		{ "unknown state", { .part = 0, .part_num = 3, .state = 3 } },
		{ "another part", { .part = 1, .part_num = 3, .state = LKST_PART_READ } },
		{ "too many", { .part = 0, .part_num = 9, .state = LKST_PART_READ } },
		{ "too few", { .part = 0, .part_num = 1, .state = LKST_PART_READ } },
		{ "no such part", { .part = 3, .part_num = 3, .state = LKST_PART_READ } },
		{ "none", { .part = 0, .part_num = 0, .state = LKST_PART_UNREAD } },
	};
	struct lkst_image_header *header;
	unsigned int i;

	boot(parts, 3, false, 'a');
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		*state_of(parts, 0, 0) = row[i].state;
		seal_state(state_of(parts, 0, 0));
		*state_of(parts, 0, 1) = *state_of(parts, 0, 0);
		lkst_boot_slots_divide(parts, 3);
		KUNIT_EXPECT_STREQ_MSG(test, boots(test, parts), "", "%s", row[i].what);
	}

	/* The memory was elsewhere, or belongs to something else. */
	boot(parts, 3, false, 'a');
	memset(page_of(parts, 0, 1), 0, LKST_IMAGE_STATE);
	header = page_of(parts, 0, 0);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "a");
	header->physical++;
	seal_header(header);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "");
	header->physical--;
	header->kind = LKST_IMAGE_BUFFER;
	seal_header(header);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "");
	header->kind = LKST_IMAGE_PART;
	header->copy = 1;
	seal_header(header);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "");
	header->copy = 0;
	header->byte_order = swab32(LKST_IMAGE_BYTE_ORDER);
	seal_header(header);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "");
	header->byte_order = LKST_IMAGE_BYTE_ORDER;
	header->area_length = U64_MAX - LKST_IMAGE_PAGE + 1;
	seal_header(header);
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 3), LKST_BOOT_SLOTS_AS_WANTED);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "");
}

static void parts_stay_as_long_as_one_is_unread(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;

	boot(parts, 5, false, 'a');
	boot(parts, 5, false, 'b');
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_OTHERS);
	KUNIT_EXPECT_EQ(test, parts->part_num, 5);
	KUNIT_EXPECT_EQ(test, boot(parts, 2, false, 'c'), 2);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "abc");
	read_boot(test, parts, 'a');
	read_boot(test, parts, 'c');
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_OTHERS);
	read_boot(test, parts, 'b');
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_AS_WANTED);
	KUNIT_EXPECT_EQ(test, parts->part_num, 2);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "");
	KUNIT_EXPECT_EQ(test, boot(parts, 2, false, 'd'), 0);
	KUNIT_EXPECT_EQ(test, boot(parts, 2, false, 'e'), 1);

	/* Nothing is left of those before, in places that are no header pages now. */
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_AS_WANTED);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "de");
}

static void memory_of_another_size(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;

	/* It grows: parts stay where they are. */
	parts->size = SIZE / 2;
	boot(parts, 2, false, 'a');
	boot(parts, 2, false, 'b');
	parts->size = SIZE;
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_OTHERS);
	KUNIT_EXPECT_EQ(test, 4 * parts->part_size, SIZE);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "ab");

	/* It shrinks: what is left of them is in the way. */
	parts->size = SIZE / 4 + 3 * LKST_IMAGE_PAGE;
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_ASTRAY);

	/* It begins elsewhere. */
	parts->base += SIZE / 4;
	parts->physical += SIZE / 4;
	parts->size = SIZE / 2;
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_ASTRAY);
	lkst_boot_slots_clear(parts);
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(parts, 2), LKST_BOOT_SLOTS_AS_WANTED);
	KUNIT_EXPECT_EQ(test, boot(parts, 2, false, 'c'), 0);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "c");
	parts->base -= SIZE / 4;
}

/* Two kinds of parts at once: neither is lost unless it was asked for. */
static void parts_that_do_not_go_together(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv, upper = *parts;

	parts->size = SIZE / 2;
	boot(parts, 2, false, 'a');
	upper.size = SIZE;
	lkst_boot_slots_divide(&upper, 2);
	upper.part_num = 2;
	upper.part_size = SIZE / 2;
	memcpy(page_of(&upper, 1, 0), page_of(parts, 0, 0), LKST_IMAGE_PAGE);
	memcpy(page_of(&upper, 1, 1), page_of(parts, 0, 1), LKST_IMAGE_PAGE);
	((struct lkst_image_header *)page_of(&upper, 1, 0))->physical += SIZE / 2;
	((struct lkst_image_header *)page_of(&upper, 1, 0))->area_length =
		SIZE / 2 - 2 * LKST_IMAGE_PAGE;
	state_of(&upper, 1, 0)->part = 1;
	seal_header(page_of(&upper, 1, 0));
	seal_state(state_of(&upper, 1, 0));
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(&upper, 2), LKST_BOOT_SLOTS_ASTRAY);
}

/* Areas of the boot that had the part are not to be found in what the next one leaves. */
static void part_taken_is_empty(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	void *area, *other;

	boot(parts, 2, false, 'a');
	boot(parts, 2, false, 'b');
	area = lkst_boot_slots_start(parts, 0) + 5 * LKST_IMAGE_PAGE;
	other = lkst_boot_slots_start(parts, 1) + 5 * LKST_IMAGE_PAGE;
	memcpy(area, page_of(parts, 0, 0), LKST_IMAGE_PAGE);
	memcpy(other, page_of(parts, 1, 0), LKST_IMAGE_PAGE);
	parts->own = -1;
	read_boot(test, parts, 'a');
	KUNIT_EXPECT_EQ(test, memcmp(area, LKST_IMAGE_MAGIC, 8), 0);
	KUNIT_EXPECT_EQ(test, boot(parts, 2, false, 'c'), 0);
	KUNIT_EXPECT_NE(test, memcmp(area, LKST_IMAGE_MAGIC, 8), 0);
	KUNIT_EXPECT_EQ(test, memcmp(other, LKST_IMAGE_MAGIC, 8), 0);
}

/* --- Hibernation: the memory is copied, and used by others before the boot returns to it. */

static struct lkst_boot_slots_copy *save(struct kunit *test, struct lkst_boot_slots *parts)
{
	struct lkst_boot_slots_copy *copy = kunit_kzalloc(test, sizeof(*copy), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, copy);
	copy->data = kunit_kzalloc(test, parts->part_size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, copy->data);
	lkst_boot_slots_save(parts, copy);
	return copy;
}

/* A record of this boot's. */
static u8 *record_of(const struct lkst_boot_slots *parts)
{
	return lkst_boot_slots_start(parts, parts->own) + 3 * LKST_IMAGE_PAGE;
}

/* Another kernel with the same memory. Returns its part. */
static int other_boot(const struct lkst_boot_slots *parts, unsigned int num, u8 name)
{
	struct lkst_boot_slots other = { parts->base, parts->physical, parts->size };

	return boot(&other, num, false, name);
}

static void copy_is_needed_only_after_a_change(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	struct lkst_boot_slots_copy *copy;

	boot(parts, 3, false, 'a');
	boot(parts, 3, false, 'b');
	*record_of(parts) = 1;
	copy = save(test, parts);

	/* The image was made. The kernel goes on, and may even use the memory for long. */
	KUNIT_EXPECT_FALSE(test, lkst_boot_slots_restore(parts, copy));
	*record_of(parts) = 2;

	/* The kernel was restored, and the memory has survived. */
	KUNIT_EXPECT_TRUE(test, lkst_boot_slots_restore(parts, copy));
	KUNIT_EXPECT_EQ(test, *record_of(parts), 1);

	/* It hibernates once more. */
	*record_of(parts) = 3;
	copy = save(test, parts);
	KUNIT_EXPECT_FALSE(test, lkst_boot_slots_restore(parts, copy));
	KUNIT_EXPECT_EQ(test, *record_of(parts), 3);
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "ab");
}

static void restored_boot_is_the_newest(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	struct lkst_boot_slots_copy *copy;
	unsigned int i;
	static const struct {
		const char *what;
		bool power_off;
		unsigned int num;	/* parts of the kernel that restores; 0: it has no LKST */
		const char *left;	/* boots that are there in the end */
	} row[] = {
		{ "reset", false, 3, "aRb" },
		{ "reset, no LKST", false, 0, "ab" },
		{ "power off", true, 3, "Rb" },
		{ "power off, other parts", true, 4, "b" },
		{ "power off, larger parts", true, 2, "b" },
		{ "power off, no LKST", true, 0, "b" },
	};

	for (i = 0; i < ARRAY_SIZE(row); i++) {
		get_random_bytes(parts->base, SIZE);
		boot(parts, 3, false, 'a');
		boot(parts, 3, false, 'b');
		*record_of(parts) = 1;
		copy = save(test, parts);
		KUNIT_EXPECT_FALSE(test, lkst_boot_slots_restore(parts, copy));
		if (row[i].power_off)
			get_random_bytes(parts->base, SIZE);
		if (row[i].num)
			other_boot(parts, row[i].num, 'r');

		KUNIT_EXPECT_TRUE_MSG(test, lkst_boot_slots_restore(parts, copy), "%s", row[i].what);
		KUNIT_EXPECT_EQ_MSG(test, *record_of(parts), 1, "%s", row[i].what);
		KUNIT_EXPECT_STREQ_MSG(test, boots(test, parts), row[i].left, "%s", row[i].what);
		KUNIT_EXPECT_EQ_MSG(test, lkst_boot_slots_divide(parts, 3), LKST_BOOT_SLOTS_AS_WANTED,
				    "%s", row[i].what);
	}
}

/* One that died before the kernel was restored is kept for a reader. */
static void only_the_restoring_boot_is_passed_over(struct kunit *test)
{
	struct lkst_boot_slots *parts = test->priv;
	struct lkst_boot_slots_copy *copy;

	boot(parts, 5, false, 'a');
	boot(parts, 5, false, 'b');
	copy = save(test, parts);
	KUNIT_EXPECT_FALSE(test, lkst_boot_slots_restore(parts, copy));
	other_boot(parts, 5, 'c');
	other_boot(parts, 5, 'r');
	KUNIT_EXPECT_TRUE(test, lkst_boot_slots_restore(parts, copy));
	KUNIT_EXPECT_STREQ(test, boots(test, parts), "acRb");
}

static struct kunit_case parts_cases[] = {
	KUNIT_CASE(each_boot_has_a_part),
	KUNIT_CASE(own_boot_is_no_previous_one),
	KUNIT_CASE(oldest_of_the_read_ones_goes_first),
	KUNIT_CASE(overwritten_by_choice),
	KUNIT_CASE(one_copy_of_a_header_is_enough),
	KUNIT_CASE(without_a_header_a_part_is_free),
	KUNIT_CASE(newer_state_is_right),
	KUNIT_CASE(what_makes_no_sense_is_not_there),
	KUNIT_CASE(parts_stay_as_long_as_one_is_unread),
	KUNIT_CASE(memory_of_another_size),
	KUNIT_CASE(parts_that_do_not_go_together),
	KUNIT_CASE(part_taken_is_empty),
	KUNIT_CASE(copy_is_needed_only_after_a_change),
	KUNIT_CASE(restored_boot_is_the_newest),
	KUNIT_CASE(only_the_restoring_boot_is_passed_over),
	{}
};

static struct kunit_suite parts_suite = {
	.name = "lkst_boot_slots",
	.init = parts_test_init,
	.exit = parts_test_exit,
	.test_cases = parts_cases,
};

kunit_test_suite(parts_suite);
