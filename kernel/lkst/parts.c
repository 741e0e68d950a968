// SPDX-License-Identifier: GPL-2.0
/*
 * How memory that outlives a reset is divided: a part for each boot, struct lkst_image_part.
 *
 * After the power was off the memory holds noise, and a reset may have come while a header page was
 * written. So nothing in it is believed but by its checksum. Of the two copies of what is known
 * of a part one is enough; if both are gone the part is free.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sort.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/lkst_buffer.h>

#include "compat.h"
#include "image.h"
#include "parts.h"

#define LKST_PART_HEADERS	(2 * LKST_IMAGE_PAGE)

/**
 * struct lkst_part_found - what the header pages of a part say
 * @boot: whose it is; in one of them
 * @size: bytes of the part
 * @state: the newer copy of those that are whole
 */
struct lkst_part_found {
	const u8 *boot;
	size_t size;
	struct lkst_image_part state;
};

/**
 * lkst_boot_slots_start() - where a part begins
 * @parts: memory
 * @part: number of the part
 *
 * Context: any.
 */
void *lkst_boot_slots_start(const struct lkst_boot_slots *parts, unsigned int part)
{
	return parts->base + part * parts->part_size;
}

static void *lkst_part_page(const struct lkst_boot_slots *parts, unsigned int part, unsigned int copy)
{
	void *start = lkst_boot_slots_start(parts, part);

	return copy ? start + parts->part_size - LKST_IMAGE_PAGE : start;
}

static struct lkst_image_part *lkst_part_state(void *page)
{
	return page + LKST_IMAGE_STATE;
}

static u32 lkst_part_checksum(const struct lkst_image_part *state)
{
	return lkst_crc32c(&state->sequence,
			   sizeof(*state) - offsetof(struct lkst_image_part, sequence));
}

static bool lkst_part_state_good(const struct lkst_image_part *state)
{
	return state->checksum == lkst_part_checksum(state) &&
	       (state->state == LKST_PART_UNREAD || state->state == LKST_PART_READ) &&
	       state->part_num >= LKST_IMAGE_PARTS_MIN && state->part_num <= LKST_IMAGE_PARTS_MAX &&
	       state->part < state->part_num;
}

/* Whether the page is one of a part that fits into this memory, and is where it was written. */
static bool lkst_part_header_good(const struct lkst_boot_slots *parts,
				  const struct lkst_image_header *header)
{
	return !memcmp(header->magic, LKST_IMAGE_MAGIC, sizeof(header->magic)) &&
	       header->byte_order == LKST_IMAGE_BYTE_ORDER &&
	       header->kind == LKST_IMAGE_PART &&
	       header->copy <= 1 &&
	       header->physical == parts->physical + ((void *)header - parts->base) &&
	       header->area_length >= LKST_BOOT_SLOT_SIZE_MIN - LKST_PART_HEADERS &&
	       header->area_length <= parts->size - LKST_PART_HEADERS &&
	       header->area_length % LKST_IMAGE_PAGE == 0 &&
	       header->checksum == lkst_crc32c(&header->version,
					       offsetofend(struct lkst_image_header, facts) -
					       offsetof(struct lkst_image_header, version));
}

/* @pages: the two header pages; NULL: is not in this memory. Returns whether there is a boot. */
static bool lkst_part_look(const struct lkst_boot_slots *parts, void *const pages[2],
			   struct lkst_part_found *found)
{
	bool have_state = false;
	unsigned int copy;

	found->boot = NULL;
	for (copy = 0; copy < 2; copy++) {
		const struct lkst_image_header *header = pages[copy];
		const struct lkst_image_part *state;

		if (!header)
			continue;
		if (!found->boot && lkst_part_header_good(parts, header) && header->copy == copy) {
			found->boot = header->boot;
			found->size = header->area_length + LKST_PART_HEADERS;
		}
		state = lkst_part_state(pages[copy]);
		if (lkst_part_state_good(state) &&
		    (!have_state || (s32)(state->sequence - found->state.sequence) > 0)) {
			found->state = *state;
			have_state = true;
		}
	}
	return found->boot && have_state;
}

/* Whether there is a boot in the part. */
static bool lkst_part_get(const struct lkst_boot_slots *parts, unsigned int part,
			  struct lkst_part_found *found)
{
	void *const pages[] = {
		lkst_part_page(parts, part, 0), lkst_part_page(parts, part, 1)
	};

	return lkst_part_look(parts, pages, found) && found->size == parts->part_size &&
	       found->state.part_num == parts->part_num && found->state.part == part;
}

/* One copy after the other: whenever a reset comes, one of them is whole. */
static void lkst_part_put(const struct lkst_boot_slots *parts, unsigned int part,
			  struct lkst_image_part *state)
{
	unsigned int copy;

	state->checksum = lkst_part_checksum(state);
	for (copy = 0; copy < 2; copy++) {
		*lkst_part_state(lkst_part_page(parts, part, copy)) = *state;
		wmb(); /* before the other one */
	}
}

/*
 * Whether the page at @offset is a header page of a part, wherever parts may be. It tells where the
 * other one is, and @start: where the part begins, negative: not in this memory.
 */
static bool lkst_parts_look_at(const struct lkst_boot_slots *parts, size_t offset,
			       struct lkst_part_found *found, s64 *start)
{
	const struct lkst_image_header *header = parts->base + offset;
	void *pages[2] = {};
	s64 end;

	if (!lkst_part_header_good(parts, header))
		return false;
	*start = offset;
	if (header->copy)
		*start -= header->area_length + LKST_IMAGE_PAGE;
	end = *start + header->area_length + LKST_PART_HEADERS;
	if (*start >= 0)
		pages[0] = parts->base + *start;
	if (end <= (s64)parts->size)
		pages[1] = parts->base + end - LKST_IMAGE_PAGE;
	return lkst_part_look(parts, pages, found);
}

/**
 * lkst_boot_slots_divide() - divide memory into parts
 * @parts: base, physical and size are set; the rest is set up. No part is taken yet
 * @num: how many parts, LKST_IMAGE_PARTS_MIN to LKST_IMAGE_PARTS_MAX, unless the memory has an
 *	unread boot in parts that are not so
 *
 * Context: any; looks at each page.
 *
 * Return: what was found. LKST_BOOT_SLOTS_OTHERS: @parts is as these are. LKST_BOOT_SLOTS_ASTRAY: there is no
 * way to keep what was found and to take a part; lkst_boot_slots_clear() gives it up.
 */
enum lkst_parts_found lkst_boot_slots_divide(struct lkst_boot_slots *parts, unsigned int num)
{
	enum lkst_parts_found result = LKST_BOOT_SLOTS_AS_WANTED;
	struct lkst_part_found found;
	bool settled = false;
	size_t offset;
	s64 start;

	parts->own = -1;
	parts->part_num = num;
	parts->part_size = rounddown(parts->size / num, LKST_IMAGE_PAGE);
	for (offset = 0; offset < parts->size; offset += LKST_IMAGE_PAGE) {
		if (!lkst_parts_look_at(parts, offset, &found, &start) ||
		    found.state.state != LKST_PART_UNREAD)
			continue;
		if (start != (s64)found.size * found.state.part ||
		    found.size > parts->size / found.state.part_num)
			return LKST_BOOT_SLOTS_ASTRAY;
		if (found.size != parts->part_size || found.state.part_num != parts->part_num) {
			if (settled)
				return LKST_BOOT_SLOTS_ASTRAY;
			result = LKST_BOOT_SLOTS_OTHERS;
			parts->part_size = found.size;
			parts->part_num = found.state.part_num;
		}
		settled = true;
	}
	return result;
}

/* So that nobody takes what was there before for what comes next. */
static void lkst_parts_wipe(void *from, size_t bytes)
{
	void *page;

	for (page = from; page < from + bytes; page += LKST_IMAGE_PAGE)
		if (!memcmp(page, LKST_IMAGE_MAGIC, sizeof(LKST_IMAGE_MAGIC)))
			memset(page, 0, sizeof(LKST_IMAGE_MAGIC));
}

/**
 * lkst_boot_slots_clear() - give up all that is in the memory
 * @parts: memory
 *
 * Context: any; looks at each page.
 */
void lkst_boot_slots_clear(struct lkst_boot_slots *parts)
{
	lkst_parts_wipe(parts->base, parts->size);
}

/* What a boot takes, the best first. */
enum lkst_part_rank {
	LKST_PART_IS_FREE,
	LKST_PART_IS_READ,
	LKST_PART_IS_UNREAD,
};

static enum lkst_part_rank lkst_part_rank(const struct lkst_boot_slots *parts, unsigned int part,
					  u64 *number)
{
	struct lkst_part_found found;

	*number = 0;
	if (!lkst_part_get(parts, part, &found))
		return LKST_PART_IS_FREE;
	*number = found.state.number;
	return found.state.state == LKST_PART_READ ? LKST_PART_IS_READ : LKST_PART_IS_UNREAD;
}

/* The part to take, of equal ones the oldest; -1: none. */
static int lkst_parts_choose(const struct lkst_boot_slots *parts, bool overwrite)
{
	enum lkst_part_rank best_rank = overwrite ? LKST_PART_IS_UNREAD : LKST_PART_IS_READ;
	u64 best_number = U64_MAX;
	unsigned int part;
	int best = -1;

	for (part = 0; part < parts->part_num; part++) {
		u64 number;
		enum lkst_part_rank rank = lkst_part_rank(parts, part, &number);

		if (rank < best_rank || (rank == best_rank && number < best_number)) {
			best_rank = rank;
			best_number = number;
			best = part;
		}
	}
	return best;
}

/* What makes a boot the newest of those that are there. */
static u64 lkst_parts_next_number(const struct lkst_boot_slots *parts)
{
	struct lkst_part_found found;
	unsigned int part;
	u64 next = 1;

	for (part = 0; part < parts->part_num; part++)
		if (lkst_part_get(parts, part, &found))
			next = max(next, found.state.number + 1);
	return next;
}

/* Until the state is written, the last of all, the part is free. */
static void lkst_part_take(const struct lkst_boot_slots *parts, unsigned int part, u64 number)
{
	void *head = lkst_part_page(parts, part, 0);
	void *tail = lkst_part_page(parts, part, 1);
	phys_addr_t physical = parts->physical + (head - parts->base);
	size_t length = parts->part_size - LKST_PART_HEADERS;
	const struct lkst_image_place place = {
		.kind = LKST_IMAGE_PART,
		.cpu = -1,
		.id = LKST_BUFFER_ID_VOID,
		.area = lkst_image_new_area(),
		.area_length = length,
		.length = length,
		.extent_num = 1,
	};
	struct lkst_image_part state = {
		.number = number,
		.state = LKST_PART_UNREAD,
		.part = part,
		.part_num = parts->part_num,
	};

	memset(lkst_part_state(head), 0, sizeof(state));
	memset(lkst_part_state(tail), 0, sizeof(state));
	wmb(); /* free, before anything of it goes */
	lkst_parts_wipe(head, parts->part_size);
	lkst_image_sign(head, physical, tail, physical + (tail - head), &place);
	wmb(); /* empty, before it is this boot's */
	lkst_part_put(parts, part, &state);
}

/**
 * lkst_boot_slots_claim() - take a part for this boot
 * @parts: memory, from lkst_boot_slots_divide()
 * @overwrite: if there is no other, the one of the oldest boot, though nobody has read it
 *
 * A part that nobody has had is preferred to one that was read: that stays readable for so long.
 *
 * Context: any; looks at each page of the part.
 *
 * Return: the number of the part, which is also noted in @parts, or -1: each part has a boot that
 * nobody has read.
 */
int lkst_boot_slots_claim(struct lkst_boot_slots *parts, bool overwrite)
{
	parts->own = lkst_parts_choose(parts, overwrite);
	if (parts->own >= 0)
		lkst_part_take(parts, parts->own, lkst_parts_next_number(parts));
	return parts->own;
}

/* Whether another boot is in the part. */
static bool lkst_part_get_previous(const struct lkst_boot_slots *parts, unsigned int part,
				   struct lkst_part_found *found)
{
	return part != parts->own && lkst_part_get(parts, part, found);
}

static int lkst_parts_compare(const void *a, const void *b)
{
	const struct lkst_previous_listent *one = a, *other = b;

	return (one->number > other->number) - (one->number < other->number);
}

/**
 * lkst_boot_slots_list() - the boots that are in parts, but for this one
 * @parts: memory
 * @list: out: oldest first
 *
 * Context: any.
 *
 * Return: how many.
 */
unsigned int lkst_boot_slots_list(const struct lkst_boot_slots *parts,
			     struct lkst_previous_listent list[LKST_IMAGE_PARTS_MAX])
{
	struct lkst_part_found found;
	unsigned int part, num = 0;

	for (part = 0; part < parts->part_num; part++) {
		if (!lkst_part_get_previous(parts, part, &found))
			continue;
		list[num] = (struct lkst_previous_listent) {
			.number = found.state.number,
			.size = parts->part_size,
			.part = part,
			.state = found.state.state,
		};
		memcpy(list[num++].boot, found.boot, LKST_IMAGE_BOOT_LEN);
	}
	sort(list, num, sizeof(*list), lkst_parts_compare, NULL);
	return num;
}

/**
 * lkst_boot_slots_find() - where a boot is
 * @parts: memory
 * @boot: its UUID
 *
 * Context: any.
 *
 * Return: the number of the part, or -1: there is no such boot but perhaps this one.
 */
int lkst_boot_slots_find(const struct lkst_boot_slots *parts, const u8 boot[LKST_IMAGE_BOOT_LEN])
{
	struct lkst_part_found found;
	unsigned int part;

	for (part = 0; part < parts->part_num; part++)
		if (lkst_part_get_previous(parts, part, &found) &&
		    !memcmp(found.boot, boot, LKST_IMAGE_BOOT_LEN))
			return part;
	return -1;
}

/**
 * lkst_boot_slots_mark_read() - the next boot may have a part
 * @parts: memory
 * @part: from lkst_boot_slots_find()
 *
 * Context: any.
 */
void lkst_boot_slots_mark_read(struct lkst_boot_slots *parts, unsigned int part)
{
	struct lkst_part_found found;

	if (!lkst_part_get(parts, part, &found))
		return;
	found.state.state = LKST_PART_READ;
	found.state.sequence++;
	lkst_part_put(parts, part, &found.state);
}

/**
 * lkst_boot_slots_save() - copy this boot's part
 * @parts: memory, with a part of this boot's
 * @copy: @copy->data is set; the rest is set up
 *
 * Context: any. Nothing in the part changes until lkst_boot_slots_restore().
 */
void lkst_boot_slots_save(const struct lkst_boot_slots *parts, struct lkst_boot_slots_copy *copy)
{
	copy->num = lkst_boot_slots_list(parts, copy->list);
	memcpy(copy->data, lkst_boot_slots_start(parts, parts->own), parts->part_size);
}

static bool lkst_parts_copy_knows(const struct lkst_boot_slots_copy *copy, const u8 *boot)
{
	unsigned int i;

	for (i = 0; i < copy->num; i++)
		if (!memcmp(copy->list[i].boot, boot, LKST_IMAGE_BOOT_LEN))
			return true;
	return false;
}

/*
 * The kernel that has restored this one is the newest boot that was not there before. It has done
 * what it was started for, so it does not wait for a reader.
 */
static void lkst_parts_pass_restorer(struct lkst_boot_slots *parts, const struct lkst_boot_slots_copy *copy)
{
	struct lkst_previous_listent list[LKST_IMAGE_PARTS_MAX];
	unsigned int num = lkst_boot_slots_list(parts, list);

	while (num--) {
		if (lkst_parts_copy_knows(copy, list[num].boot))
			continue;
		lkst_boot_slots_mark_read(parts, list[num].part);
		return;
	}
}

/* Where there is no boot, there may be pieces of boots that divided the memory in another way. */
static void lkst_parts_wipe_free(const struct lkst_boot_slots *parts)
{
	size_t used = parts->part_num * parts->part_size;
	struct lkst_part_found found;
	unsigned int part;

	for (part = 0; part < parts->part_num; part++)
		if (!lkst_part_get(parts, part, &found))
			lkst_parts_wipe(lkst_boot_slots_start(parts, part), parts->part_size);
	lkst_parts_wipe(parts->base + used, parts->size - used);
}

/**
 * lkst_boot_slots_restore() - return to a copy of this boot's part, unless nothing has happened since
 * @parts: memory, as it was for lkst_boot_slots_save() but for what it holds
 * @copy: from lkst_boot_slots_save()
 *
 * If the memory is as lkst_boot_slots_save() has left it, this leaves a sign that it was there. So a
 * kernel that is restored from a hibernation image, and comes here with the same @copy, finds that
 * the memory has changed since.
 *
 * Context: any; looks at each page.
 *
 * Return: whether the copy was needed. Then this boot is the newest of all that are there, whoever
 * has used the memory meanwhile.
 */
bool lkst_boot_slots_restore(struct lkst_boot_slots *parts, const struct lkst_boot_slots_copy *copy)
{
	void *own = lkst_boot_slots_start(parts, parts->own);
	bool changed = memcmp(own, copy->data, LKST_IMAGE_PAGE);
	struct lkst_part_found found;

	if (changed) {
		memcpy(own, copy->data, parts->part_size);
		lkst_parts_pass_restorer(parts, copy);
		lkst_parts_wipe_free(parts);
	}
	if (lkst_part_get(parts, parts->own, &found)) {
		if (changed)
			found.state.number = lkst_parts_next_number(parts);
		found.state.sequence++;
		lkst_part_put(parts, parts->own, &found.state);
	}
	return changed;
}
