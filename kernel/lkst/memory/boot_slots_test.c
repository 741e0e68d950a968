// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the slots of reserved memory. They use ordinary memory in
 * place of reserved memory, and simulate boots.
 */
#include <linux/ctype.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/swab.h>

#include "../base/compat.h"
#include "../base/suite_test.h"
#include "../image/image.h"
#include "boot_slots.h"

#define SIZE		(LKST_IMAGE_BOOT_SLOTS_MAX * LKST_BOOT_SLOT_SIZE_MIN)
#define PHYSICAL	0x12345000

/* Set up memory with random contents, as after a power failure. */
static int parts_test_init(struct kunit *test)
{
	struct lkst_boot_slots *slots = test_alloc(test, sizeof(*slots));

	slots->physical = PHYSICAL;
	slots->size = SIZE;
	slots->base = kvmalloc(SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, slots->base);
	get_random_bytes(slots->base, SIZE);
	test->priv = slots;
	return 0;
}

static void parts_test_exit(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;

	kvfree(slots->base);
}

static void *page_of(const struct lkst_boot_slots *slots, unsigned int slot, unsigned int copy)
{
	return lkst_boot_slots_start(slots, slot) + (copy ? slots->slot_size - LKST_IMAGE_PAGE : 0);
}

static struct lkst_image_boot_slot *state_of(const struct lkst_boot_slots *slots, unsigned int slot,
					     unsigned int copy)
{
	return page_of(slots, slot, copy) + LKST_IMAGE_STATE;
}

static void seal_header(struct lkst_image_header *header)
{
	header->checksum = lkst_crc32c(&header->version,
				       offsetofend(struct lkst_image_header, metadata) -
				       offsetof(struct lkst_image_header, version));
}

static void seal_state(struct lkst_image_boot_slot *state)
{
	state->checksum = lkst_crc32c(&state->sequence, offsetofend(typeof(*state), reserved) -
				      offsetof(typeof(*state), sequence));
}

/*
 * Simulate a boot. Each byte of its UUID is @name. Return the number of its
 * slot, or -1 if it gets no slot.
 */
static int boot(struct lkst_boot_slots *slots, unsigned int num, bool overwrite, u8 name)
{
	int slot;

	lkst_boot_slots_divide(slots, num);
	slot = lkst_boot_slots_claim(slots, overwrite);
	for (unsigned int copy = 0; copy < 2 && slot >= 0; copy++) {
		struct lkst_image_header *header = page_of(slots, slot, copy);

		memset(header->boot, name, sizeof(header->boot));
		seal_header(header);
	}
	return slot;
}

/* Simulate boots with these names, one after the other. */
static void boot_each(struct lkst_boot_slots *slots, unsigned int num, const char *names)
{
	while (*names)
		boot(slots, num, false, *names++);
}

/*
 * Return the names of the boots that a new boot finds, oldest first. The name
 * of a boot that has been read is in upper case.
 */
static const char *boots(struct kunit *test, struct lkst_boot_slots *slots)
{
	struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX];
	char *text = test_alloc(test, LKST_IMAGE_BOOT_SLOTS_MAX + 1);
	unsigned int num;

	slots->own = -1;
	num = lkst_boot_slots_list(slots, list);
	for (unsigned int i = 0; i < num; i++) {
		KUNIT_EXPECT_EQ(test, list[i].size, slots->slot_size);
		text[i] = list[i].state == LKST_BOOT_SLOT_READ ? toupper(list[i].boot[0]) :
							    list[i].boot[0];
	}
	return text;
}

static void read_boot(struct kunit *test, struct lkst_boot_slots *slots, u8 name)
{
	u8 uuid[LKST_IMAGE_BOOT_LEN];
	int slot;

	memset(uuid, name, sizeof(uuid));
	slot = lkst_boot_slots_find(slots, uuid);
	KUNIT_ASSERT_GE(test, slot, 0);
	lkst_boot_slots_mark_read(slots, slot);
}

static void each_boot_takes_a_slot(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	unsigned int num;

	for (num = LKST_IMAGE_BOOT_SLOTS_MIN; num <= LKST_IMAGE_BOOT_SLOTS_MAX; num++) {
		get_random_bytes(slots->base, SIZE);
		for (unsigned int i = 0; i < num; i++) {
			KUNIT_ASSERT_EQ(test, lkst_boot_slots_divide(slots, num),
					LKST_BOOT_SLOTS_AS_REQUESTED);
			KUNIT_ASSERT_EQ(test, boot(slots, num, false, 'a' + i), i);
		}
		KUNIT_EXPECT_EQ(test, boot(slots, num, false, 'x'), -1);
		KUNIT_EXPECT_EQ(test, slots->own, -1);
		KUNIT_EXPECT_EQ(test, slots->slot_num, num);
		KUNIT_EXPECT_EQ(test, slots->slot_size % LKST_IMAGE_PAGE, 0);
		KUNIT_EXPECT_LE(test, num * slots->slot_size, SIZE);
		KUNIT_EXPECT_TRUE(test, !strncmp(boots(test, slots), "abcdefgh", num));
		KUNIT_EXPECT_EQ(test, strlen(boots(test, slots)), num);
	}
}

static void own_boot_is_not_listed(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX];
	u8 uuid[LKST_IMAGE_BOOT_LEN];

	boot_each(slots, 3, "ab");
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_list(slots, list), 1);
	KUNIT_EXPECT_EQ(test, list[0].boot[0], 'a');
	memset(uuid, 'b', sizeof(uuid));
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_find(slots, uuid), -1);
	memset(uuid, 'a', sizeof(uuid));
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_find(slots, uuid), 0);
	uuid[15] = 'b';
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_find(slots, uuid), -1);
}

static void oldest_read_boot_is_overwritten_first(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;

	boot_each(slots, 4, "abc");
	read_boot(test, slots, 'a');
	read_boot(test, slots, 'b');
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "ABc");

	/* A boot that has been read is kept as long as another slot is free. */
	KUNIT_EXPECT_EQ(test, boot(slots, 4, false, 'd'), 3);
	KUNIT_EXPECT_EQ(test, boot(slots, 4, false, 'e'), 0);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "Bcde");
	KUNIT_EXPECT_EQ(test, boot(slots, 4, false, 'f'), 1);
	KUNIT_EXPECT_EQ(test, boot(slots, 4, false, 'g'), -1);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "cdef");
}

static void unread_boot_is_overwritten_on_request(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;

	boot_each(slots, 2, "ab");
	KUNIT_EXPECT_EQ(test, boot(slots, 2, true, 'c'), 0);
	KUNIT_EXPECT_EQ(test, boot(slots, 2, true, 'd'), 1);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "cd");
	read_boot(test, slots, 'd');

	/* Even with overwrite, slots of unread boots are taken last. */
	KUNIT_EXPECT_EQ(test, boot(slots, 2, true, 'e'), 1);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "ce");
}

static void one_copy_of_a_header_is_enough(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;

	for (unsigned int copy = 0; copy < 2; copy++) {
		get_random_bytes(slots->base, SIZE);
		boot_each(slots, 3, "ab");
		get_random_bytes(page_of(slots, 0, copy), LKST_IMAGE_PAGE);
		/*
		 * The header in one page and the state in the other are also
		 * enough.
		 */
		get_random_bytes(page_of(slots, 1, copy), LKST_IMAGE_STATE);
		get_random_bytes(state_of(slots, 1, !copy), sizeof(struct lkst_image_boot_slot));
		KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 4), LKST_BOOT_SLOTS_AS_UNREAD);
		KUNIT_EXPECT_STREQ(test, boots(test, slots), "ab");
		read_boot(test, slots, 'a');
		KUNIT_EXPECT_STREQ(test, boots(test, slots), "Ab");
		KUNIT_EXPECT_EQ(test, boot(slots, 3, false, 'c'), 2);
	}
}

static void slot_without_header_is_free(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;

	boot_each(slots, 3, "ab");
	((struct lkst_image_header *)page_of(slots, 0, 0))->metadata[7] ^= 1;
	((struct lkst_image_header *)page_of(slots, 0, 1))->boot[7] ^= 1;
	state_of(slots, 1, 0)->number ^= 1;
	state_of(slots, 1, 1)->number ^= 1;
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "");
	KUNIT_EXPECT_EQ(test, boot(slots, 3, false, 'c'), 0);
	KUNIT_EXPECT_EQ(test, boot(slots, 3, false, 'd'), 1);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "cd");
}

/*
 * A reset may occur after one copy of the state was written, or while a copy is
 * being written.
 */
static void newer_state_is_used(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	struct lkst_image_boot_slot before;

	boot(slots, 3, false, 'a');
	before = *state_of(slots, 0, 1);
	slots->own = -1;
	read_boot(test, slots, 'a');
	*state_of(slots, 0, 1) = before;
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "A");
	state_of(slots, 0, 0)->sequence = before.sequence;
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "a");

	/* The newer state is also found when the sequence number wraps. */
	before.sequence = U32_MAX;
	seal_state(&before);
	*state_of(slots, 0, 0) = before;
	*state_of(slots, 0, 1) = before;
	read_boot(test, slots, 'a');
	*state_of(slots, 0, 1) = before;
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "A");
}

/* Expect that a boot is ignored after @change to its header. */
#define EXPECT_IGNORED(change)						\
	do {								\
		*header = good;						\
		(change);						\
		seal_header(header);					\
		KUNIT_EXPECT_STREQ_MSG(test, boots(test, slots), "", #change);	\
	} while (0)

/* A valid checksum is not enough: the values must be plausible as well. */
static void implausible_headers_are_ignored(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	static const struct {
		const char *desc;
		struct lkst_image_boot_slot state;
	} row[] = {
		{ "state 0", { .slot = 0, .slot_num = 3, .state = 0 } },
		{ "unknown state", { .slot = 0, .slot_num = 3, .state = 3 } },
		{ "number of another slot",
		  { .slot = 1, .slot_num = 3, .state = LKST_BOOT_SLOT_READ } },
		{ "too many slots", { .slot = 0, .slot_num = 9, .state = LKST_BOOT_SLOT_READ } },
		{ "too few slots", { .slot = 0, .slot_num = 1, .state = LKST_BOOT_SLOT_READ } },
		{ "slot number too high",
		  { .slot = 3, .slot_num = 3, .state = LKST_BOOT_SLOT_READ } },
		{ "no slots", { .slot = 0, .slot_num = 0, .state = LKST_BOOT_SLOT_UNREAD } },
	};
	struct lkst_image_header *header = page_of(slots, 0, 0);
	static struct lkst_image_header good; /* too large for the stack */

	boot(slots, 3, false, 'a');
	for (unsigned int i = 0; i < ARRAY_SIZE(row); i++) {
		*state_of(slots, 0, 0) = row[i].state;
		seal_state(state_of(slots, 0, 0));
		*state_of(slots, 0, 1) = *state_of(slots, 0, 0);
		lkst_boot_slots_divide(slots, 3);
		KUNIT_EXPECT_STREQ_MSG(test, boots(test, slots), "", "%s", row[i].desc);
	}

	/*
	 * A header is also ignored if it was written for another address or in
	 * another byte order, if it is not marked as the first header page of a
	 * slot, or if its length is implausible.
	 */
	boot(slots, 3, false, 'a');
	memset(page_of(slots, 0, 1), 0, LKST_IMAGE_STATE);
	good = *header;
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "a");
	EXPECT_IGNORED(header->physical = PHYSICAL + 1);
	EXPECT_IGNORED(header->kind = LKST_IMAGE_BUFFER);
	EXPECT_IGNORED(header->copy = 1);
	EXPECT_IGNORED(header->byte_order = swab32(LKST_IMAGE_BYTE_ORDER));
	EXPECT_IGNORED(header->region_length = U64_MAX - LKST_IMAGE_PAGE + 1);
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 3), LKST_BOOT_SLOTS_AS_REQUESTED);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "");
}

static void unread_boot_keeps_the_division(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;

	boot_each(slots, 5, "ab");
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_AS_UNREAD);
	KUNIT_EXPECT_EQ(test, slots->slot_num, 5);
	KUNIT_EXPECT_EQ(test, boot(slots, 2, false, 'c'), 2);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "abc");
	read_boot(test, slots, 'a');
	read_boot(test, slots, 'c');
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_AS_UNREAD);
	read_boot(test, slots, 'b');
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_AS_REQUESTED);
	KUNIT_EXPECT_EQ(test, slots->slot_num, 2);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "");
	KUNIT_EXPECT_EQ(test, boot(slots, 2, false, 'd'), 0);
	KUNIT_EXPECT_EQ(test, boot(slots, 2, false, 'e'), 1);

	/*
	 * No headers of the old division are left between the new header pages.
	 */
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_AS_REQUESTED);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "de");
}

static void memory_size_changes(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;

	/* The memory has grown: the slots stay where they are. */
	slots->size = SIZE / 2;
	boot_each(slots, 2, "ab");
	slots->size = SIZE;
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_AS_UNREAD);
	KUNIT_EXPECT_EQ(test, 4 * slots->slot_size, SIZE);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "ab");

	/* The memory has shrunk, and the slots no longer fit. */
	slots->size = SIZE / 4 + 3 * LKST_IMAGE_PAGE;
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_CONFLICT);

	/* The memory begins at another address. */
	slots->base += SIZE / 4;
	slots->physical += SIZE / 4;
	slots->size = SIZE / 2;
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_CONFLICT);
	lkst_boot_slots_clear(slots);
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(slots, 2), LKST_BOOT_SLOTS_AS_REQUESTED);
	KUNIT_EXPECT_EQ(test, boot(slots, 2, false, 'c'), 0);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "c");
	slots->base -= SIZE / 4;
}

/* If unread boots have two different divisions, no boot is discarded. */
static void conflicting_divisions_are_kept(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv, upper = *slots;

	slots->size = SIZE / 2;
	boot(slots, 2, false, 'a');
	upper.size = SIZE;
	lkst_boot_slots_divide(&upper, 2);
	upper.slot_num = 2;
	upper.slot_size = SIZE / 2;
	memcpy(page_of(&upper, 1, 0), page_of(slots, 0, 0), LKST_IMAGE_PAGE);
	memcpy(page_of(&upper, 1, 1), page_of(slots, 0, 1), LKST_IMAGE_PAGE);
	((struct lkst_image_header *)page_of(&upper, 1, 0))->physical += SIZE / 2;
	((struct lkst_image_header *)page_of(&upper, 1, 0))->region_length =
		SIZE / 2 - 2 * LKST_IMAGE_PAGE;
	state_of(&upper, 1, 0)->slot = 1;
	seal_header(page_of(&upper, 1, 0));
	seal_state(state_of(&upper, 1, 0));
	KUNIT_EXPECT_EQ(test, lkst_boot_slots_divide(&upper, 2), LKST_BOOT_SLOTS_CONFLICT);
}

/*
 * A new boot's slot must not contain regions of the boot that used it before.
 */
static void new_slot_is_empty(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	void *region, *other;

	boot_each(slots, 2, "ab");
	region = lkst_boot_slots_start(slots, 0) + 5 * LKST_IMAGE_PAGE;
	other = lkst_boot_slots_start(slots, 1) + 5 * LKST_IMAGE_PAGE;
	memcpy(region, page_of(slots, 0, 0), LKST_IMAGE_PAGE);
	memcpy(other, page_of(slots, 1, 0), LKST_IMAGE_PAGE);
	slots->own = -1;
	read_boot(test, slots, 'a');
	KUNIT_EXPECT_EQ(test, memcmp(region, LKST_IMAGE_MAGIC, 8), 0);
	KUNIT_EXPECT_EQ(test, boot(slots, 2, false, 'c'), 0);
	KUNIT_EXPECT_NE(test, memcmp(region, LKST_IMAGE_MAGIC, 8), 0);
	KUNIT_EXPECT_EQ(test, memcmp(other, LKST_IMAGE_MAGIC, 8), 0);
}

/*
 * --- Hibernation: the slot is copied before the hibernation image is made,
 * because other boots may use the memory before the kernel is restored.
 */

static struct lkst_boot_slots_copy *save(struct kunit *test, struct lkst_boot_slots *slots)
{
	struct lkst_boot_slots_copy *copy = test_alloc(test, sizeof(*copy));

	copy->data = test_alloc(test, slots->slot_size);
	lkst_boot_slots_save(slots, copy);
	/*
	 * This function is first called right after the hibernation image is
	 * made. No other boot has used the memory yet, so the copy is not
	 * needed.
	 */
	KUNIT_EXPECT_FALSE(test, lkst_boot_slots_restore(slots, copy));
	return copy;
}

/* Return the address of a byte in a record of this boot. */
static u8 *record_of(const struct lkst_boot_slots *slots)
{
	return lkst_boot_slots_start(slots, slots->own) + 3 * LKST_IMAGE_PAGE;
}

/*
 * Simulate a boot of another kernel with the same memory. Return the number of
 * its slot, or -1.
 */
static int other_boot(const struct lkst_boot_slots *slots, unsigned int num, u8 name)
{
	struct lkst_boot_slots other = { slots->base, slots->physical, slots->size };

	return boot(&other, num, false, name);
}

static void copy_is_needed_only_after_a_change(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	struct lkst_boot_slots_copy *copy;

	boot_each(slots, 3, "ab");
	*record_of(slots) = 1;
	copy = save(test, slots);

	/*
	 * The hibernation image has been made, but the kernel may record for a
	 * long time before the power goes off.
	 */
	*record_of(slots) = 2;

	/* The kernel is restored, and the memory has survived. */
	KUNIT_EXPECT_TRUE(test, lkst_boot_slots_restore(slots, copy));
	KUNIT_EXPECT_EQ(test, *record_of(slots), 1);

	/* The kernel hibernates once more. */
	*record_of(slots) = 3;
	copy = save(test, slots);
	KUNIT_EXPECT_EQ(test, *record_of(slots), 3);
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "ab");
}

static void restored_boot_is_the_newest(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	struct lkst_boot_slots_copy *copy;
	static const struct {
		const char *desc;
		bool power_off;
		unsigned int num;	/* slots of the restoring boot, 0 without LKST */
		const char *found;	/* boots that must be found */
	} row[] = {
		{ "reset", false, 3, "aRb" },
		{ "reset, kernel without LKST", false, 0, "ab" },
		{ "power off", true, 3, "Rb" },
		{ "power off, smaller slots", true, 4, "b" },
		{ "power off, larger slots", true, 2, "b" },
		{ "power off, kernel without LKST", true, 0, "b" },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(row); i++) {
		get_random_bytes(slots->base, SIZE);
		boot_each(slots, 3, "ab");
		*record_of(slots) = 1;
		copy = save(test, slots);
		if (row[i].power_off)
			get_random_bytes(slots->base, SIZE);
		if (row[i].num)
			other_boot(slots, row[i].num, 'r');

		KUNIT_EXPECT_TRUE_MSG(test, lkst_boot_slots_restore(slots, copy), "%s",
				      row[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, *record_of(slots), 1, "%s", row[i].desc);
		KUNIT_EXPECT_STREQ_MSG(test, boots(test, slots), row[i].found, "%s", row[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, lkst_boot_slots_divide(slots, 3),
				    LKST_BOOT_SLOTS_AS_REQUESTED, "%s", row[i].desc);
	}
}

/* A boot that crashed before the kernel was restored stays unread. */
static void only_the_restoring_boot_is_marked_read(struct kunit *test)
{
	struct lkst_boot_slots *slots = test->priv;
	struct lkst_boot_slots_copy *copy;

	boot_each(slots, 5, "ab");
	copy = save(test, slots);
	other_boot(slots, 5, 'c');
	other_boot(slots, 5, 'r');
	KUNIT_EXPECT_TRUE(test, lkst_boot_slots_restore(slots, copy));
	KUNIT_EXPECT_STREQ(test, boots(test, slots), "acRb");
}

static struct kunit_case parts_cases[] = {
	KUNIT_CASE(each_boot_takes_a_slot),
	KUNIT_CASE(own_boot_is_not_listed),
	KUNIT_CASE(oldest_read_boot_is_overwritten_first),
	KUNIT_CASE(unread_boot_is_overwritten_on_request),
	KUNIT_CASE(one_copy_of_a_header_is_enough),
	KUNIT_CASE(slot_without_header_is_free),
	KUNIT_CASE(newer_state_is_used),
	KUNIT_CASE(implausible_headers_are_ignored),
	KUNIT_CASE(unread_boot_keeps_the_division),
	KUNIT_CASE(memory_size_changes),
	KUNIT_CASE(conflicting_divisions_are_kept),
	KUNIT_CASE(new_slot_is_empty),
	KUNIT_CASE(copy_is_needed_only_after_a_change),
	KUNIT_CASE(restored_boot_is_the_newest),
	KUNIT_CASE(only_the_restoring_boot_is_marked_read),
	{}
};

LKST_TEST_SUITE("lkst-boot-slots", parts_cases, .init = parts_test_init, .exit = parts_test_exit);
