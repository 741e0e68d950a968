// SPDX-License-Identifier: GPL-2.0
/*
 * Divide reserved memory, which survives a reset, into slots, one for each
 * boot.
 *
 * After a power failure the memory contains noise, and a reset may come while a
 * header page is being written. So only data with a valid checksum is used. A
 * slot has two copies of its header, and one of them is enough. If both are
 * invalid, the slot is free.
 *
 * A boot is "unread" until a program has read its log and says so with
 * LKST_IOC_PREVIOUS_DONE. The slot of an unread boot is not reused, unless
 * lkst.overwrite allows it.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sort.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/lkst_buffer.h>

#include "../base/compat.h"
#include "../image/image.h"
#include "boot_slots.h"

#define LKST_BOOT_SLOT_HEADERS	(2 * LKST_IMAGE_PAGE)

/**
 * struct lkst_boot_slot_found - contents of the header pages of a slot
 * @boot: UUID of the boot that owns the slot; points into a header page
 * @size: size of the slot in bytes
 * @state: the newer of the valid copies of the state
 */
struct lkst_boot_slot_found {
	const u8 *boot;
	size_t size;
	struct lkst_image_boot_slot state;
};

/**
 * lkst_boot_slots_start() - get the address of a slot
 * @slots: the reserved memory
 * @slot: number of the slot, from 0
 *
 * Context: any.
 *
 * Return: address of the slot's first header page.
 */
void *lkst_boot_slots_start(const struct lkst_boot_slots *slots, unsigned int slot)
{
	return slots->base + slot * slots->slot_size;
}

static void *lkst_boot_slot_page(const struct lkst_boot_slots *slots, unsigned int slot,
				 unsigned int copy)
{
	void *start = lkst_boot_slots_start(slots, slot);

	return copy ? start + slots->slot_size - LKST_IMAGE_PAGE : start;
}

static struct lkst_image_boot_slot *lkst_boot_slot_state(void *page)
{
	return page + LKST_IMAGE_STATE;
}

static u32 lkst_boot_slot_checksum(const struct lkst_image_boot_slot *state)
{
	return lkst_crc32c(&state->sequence,
			   sizeof(*state) - offsetof(struct lkst_image_boot_slot, sequence));
}

static bool lkst_boot_slot_state_good(const struct lkst_image_boot_slot *state)
{
	return state->checksum == lkst_boot_slot_checksum(state) &&
	       (state->state == LKST_BOOT_SLOT_UNREAD || state->state == LKST_BOOT_SLOT_READ) &&
	       state->slot_num >= LKST_IMAGE_BOOT_SLOTS_MIN &&
	       state->slot_num <= LKST_IMAGE_BOOT_SLOTS_MAX &&
	       state->slot < state->slot_num;
}

/*
 * Whether the page is the header of a slot that fits into the reserved memory,
 * and the page is still at the physical address for which it was written.
 */
static bool lkst_boot_slot_header_good(const struct lkst_boot_slots *slots,
				       const struct lkst_image_header *header)
{
	return !memcmp(header->magic, LKST_IMAGE_MAGIC, sizeof(header->magic)) &&
	       header->byte_order == LKST_IMAGE_BYTE_ORDER &&
	       header->kind == LKST_IMAGE_BOOT_SLOT &&
	       header->copy <= 1 &&
	       header->physical == slots->physical + ((void *)header - slots->base) &&
	       header->region_length >= LKST_BOOT_SLOT_SIZE_MIN - LKST_BOOT_SLOT_HEADERS &&
	       header->region_length <= slots->size - LKST_BOOT_SLOT_HEADERS &&
	       header->region_length % LKST_IMAGE_PAGE == 0 &&
	       header->checksum == lkst_crc32c(&header->version,
					       offsetofend(struct lkst_image_header, metadata) -
					       offsetof(struct lkst_image_header, version));
}

/*
 * Read a slot from its two header pages. A page is NULL if it would lie outside
 * the reserved memory. Returns whether the slot holds a boot.
 */
static bool lkst_boot_slot_read(const struct lkst_boot_slots *slots, void *const pages[2],
				struct lkst_boot_slot_found *found)
{
	bool have_state = false;
	unsigned int copy;

	found->boot = NULL;
	for (copy = 0; copy < 2; copy++) {
		const struct lkst_image_header *header = pages[copy];
		const struct lkst_image_boot_slot *state;

		if (!header)
			continue;
		if (!found->boot && lkst_boot_slot_header_good(slots, header) &&
		    header->copy == copy) {
			found->boot = header->boot;
			found->size = header->region_length + LKST_BOOT_SLOT_HEADERS;
		}
		state = lkst_boot_slot_state(pages[copy]);
		if (lkst_boot_slot_state_good(state) &&
		    (!have_state || (s32)(state->sequence - found->state.sequence) > 0)) {
			found->state = *state;
			have_state = true;
		}
	}
	return found->boot && have_state;
}

/* Read a slot by its number. Returns whether the slot holds a boot. */
static bool lkst_boot_slot_get(const struct lkst_boot_slots *slots, unsigned int slot,
			       struct lkst_boot_slot_found *found)
{
	void *const pages[] = {
		lkst_boot_slot_page(slots, slot, 0), lkst_boot_slot_page(slots, slot, 1)
	};

	return lkst_boot_slot_read(slots, pages, found) && found->size == slots->slot_size &&
	       found->state.slot_num == slots->slot_num && found->state.slot == slot;
}

/*
 * Write the state to both header pages of a slot, one after the other. A reset
 * during the write damages only one copy.
 */
static void lkst_boot_slot_put(const struct lkst_boot_slots *slots, unsigned int slot,
			       struct lkst_image_boot_slot *state)
{
	unsigned int copy;

	state->checksum = lkst_boot_slot_checksum(state);
	for (copy = 0; copy < 2; copy++) {
		*lkst_boot_slot_state(lkst_boot_slot_page(slots, slot, copy)) = *state;
		wmb(); /* this copy is complete before the next one changes */
	}
}

/*
 * Read a slot if the page at @offset is one of its two header pages. The length
 * in this header determines where the other header page is. @start receives the
 * offset of the slot, which is negative if the slot begins before the reserved
 * memory. Returns whether the page belongs to a slot that holds a boot.
 */
static bool lkst_boot_slots_read_at(const struct lkst_boot_slots *slots, size_t offset,
				    struct lkst_boot_slot_found *found, s64 *start)
{
	const struct lkst_image_header *header = slots->base + offset;
	void *pages[2] = {};
	s64 end;

	if (!lkst_boot_slot_header_good(slots, header))
		return false;
	*start = offset;
	if (header->copy)
		*start -= header->region_length + LKST_IMAGE_PAGE;
	end = *start + header->region_length + LKST_BOOT_SLOT_HEADERS;
	if (*start >= 0)
		pages[0] = slots->base + *start;
	if (end <= (s64)slots->size)
		pages[1] = slots->base + end - LKST_IMAGE_PAGE;
	return lkst_boot_slot_read(slots, pages, found);
}

/**
 * lkst_boot_slots_divide() - divide reserved memory into slots
 * @slots: the caller sets base, physical and size; the rest is set up here, but
 *	no slot is taken for this boot
 * @num: number of slots, LKST_IMAGE_BOOT_SLOTS_MIN to LKST_IMAGE_BOOT_SLOTS_MAX
 *
 * The unread boots in the memory may have divided it into slots of a different
 * size or number. In that case their division is used instead of @num, and the
 * function returns LKST_BOOT_SLOTS_AS_UNREAD. It returns
 * LKST_BOOT_SLOTS_CONFLICT if no division agrees with the slots of all unread
 * boots. Then only lkst_boot_slots_clear() makes the memory usable.
 *
 * Context: any. Reads every page.
 *
 * Return: enum lkst_boot_slots_found.
 */
enum lkst_boot_slots_found lkst_boot_slots_divide(struct lkst_boot_slots *slots, unsigned int num)
{
	enum lkst_boot_slots_found result = LKST_BOOT_SLOTS_AS_REQUESTED;
	struct lkst_boot_slot_found found;
	bool determined = false;
	size_t offset;
	s64 start;

	slots->own = -1;
	slots->slot_num = num;
	slots->slot_size = rounddown(slots->size / num, LKST_IMAGE_PAGE);
	for (offset = 0; offset < slots->size; offset += LKST_IMAGE_PAGE) {
		if (!lkst_boot_slots_read_at(slots, offset, &found, &start) ||
		    found.state.state != LKST_BOOT_SLOT_UNREAD)
			continue;
		if (start != (s64)found.size * found.state.slot ||
		    found.size > slots->size / found.state.slot_num)
			return LKST_BOOT_SLOTS_CONFLICT;
		if (found.size != slots->slot_size || found.state.slot_num != slots->slot_num) {
			if (determined)
				return LKST_BOOT_SLOTS_CONFLICT;
			result = LKST_BOOT_SLOTS_AS_UNREAD;
			slots->slot_size = found.size;
			slots->slot_num = found.state.slot_num;
		}
		determined = true;
	}
	return result;
}

/*
 * Invalidate all header pages in a range, so that readers do not mistake old
 * headers for new ones.
 */
static void lkst_boot_slots_wipe(void *from, size_t bytes)
{
	void *page;

	for (page = from; page < from + bytes; page += LKST_IMAGE_PAGE)
		if (!memcmp(page, LKST_IMAGE_MAGIC, sizeof(LKST_IMAGE_MAGIC)))
			memset(page, 0, sizeof(LKST_IMAGE_MAGIC));
}

/**
 * lkst_boot_slots_clear() - discard everything in the reserved memory
 * @slots: the reserved memory
 *
 * Context: any. Reads every page.
 */
void lkst_boot_slots_clear(struct lkst_boot_slots *slots)
{
	lkst_boot_slots_wipe(slots->base, slots->size);
}

/* The kinds of slots that a new boot may take, in order of preference. */
enum lkst_boot_slot_rank {
	LKST_BOOT_SLOT_IS_FREE,
	LKST_BOOT_SLOT_IS_READ,
	LKST_BOOT_SLOT_IS_UNREAD,
};

static enum lkst_boot_slot_rank lkst_boot_slot_rank(const struct lkst_boot_slots *slots,
						    unsigned int slot,
						    u64 *number)
{
	struct lkst_boot_slot_found found;

	*number = 0;
	if (!lkst_boot_slot_get(slots, slot, &found))
		return LKST_BOOT_SLOT_IS_FREE;
	*number = found.state.number;
	return found.state.state == LKST_BOOT_SLOT_READ ? LKST_BOOT_SLOT_IS_READ :
						     LKST_BOOT_SLOT_IS_UNREAD;
}

/*
 * Choose a slot for this boot: a slot of the best rank and, if there are
 * several, the one with the oldest boot. Returns -1 if no slot may be taken.
 */
static int lkst_boot_slots_choose(const struct lkst_boot_slots *slots, bool overwrite)
{
	enum lkst_boot_slot_rank best_rank = overwrite ? LKST_BOOT_SLOT_IS_UNREAD :
							 LKST_BOOT_SLOT_IS_READ;
	u64 best_number = U64_MAX;
	unsigned int slot;
	int best = -1;

	for (slot = 0; slot < slots->slot_num; slot++) {
		u64 number;
		enum lkst_boot_slot_rank rank = lkst_boot_slot_rank(slots, slot, &number);

		if (rank < best_rank || (rank == best_rank && number < best_number)) {
			best_rank = rank;
			best_number = number;
			best = slot;
		}
	}
	return best;
}

/* Return the number that makes a boot the newest one in the memory. */
static u64 lkst_boot_slots_next_number(const struct lkst_boot_slots *slots)
{
	struct lkst_boot_slot_found found;
	unsigned int slot;
	u64 next = 1;

	for (slot = 0; slot < slots->slot_num; slot++)
		if (lkst_boot_slot_get(slots, slot, &found))
			next = max(next, found.state.number + 1);
	return next;
}

/*
 * Make this boot the owner of a slot. The state is written last: if a reset
 * comes earlier, the slot is free.
 */
static void lkst_boot_slot_take(const struct lkst_boot_slots *slots, unsigned int slot, u64 number)
{
	void *head = lkst_boot_slot_page(slots, slot, 0);
	void *tail = lkst_boot_slot_page(slots, slot, 1);
	phys_addr_t physical = slots->physical + (head - slots->base);
	size_t length = slots->slot_size - LKST_BOOT_SLOT_HEADERS;
	const struct lkst_image_place place = {
		.kind = LKST_IMAGE_BOOT_SLOT,
		.cpu = -1,
		.id = LKST_BUFFER_ID_VOID,
		.region = lkst_image_new_region(),
		.region_length = length,
		.length = length,
		.extent_num = 1,
	};
	struct lkst_image_boot_slot state = {
		.number = number,
		.state = LKST_BOOT_SLOT_UNREAD,
		.slot = slot,
		.slot_num = slots->slot_num,
	};

	memset(lkst_boot_slot_state(head), 0, sizeof(state));
	memset(lkst_boot_slot_state(tail), 0, sizeof(state));
	wmb(); /* the slot is free before it is overwritten */
	lkst_boot_slots_wipe(head, slots->slot_size);
	lkst_image_sign(head, physical, tail, physical + (tail - head), &place);
	wmb(); /* the headers are complete before this boot owns the slot */
	lkst_boot_slot_put(slots, slot, &state);
}

/**
 * lkst_boot_slots_claim() - take a slot for this boot
 * @slots: the reserved memory, after lkst_boot_slots_divide()
 * @overwrite: if no other slot is left, take the oldest unread boot's slot
 *
 * A free slot is preferred to the slot of a boot that has been read, so a boot
 * that has been read stays readable for as long as possible.
 *
 * Context: any. Reads every page of the slot.
 *
 * Return: number of the slot, also stored in @slots->own, or -1 if all slots
 * hold unread boots.
 */
int lkst_boot_slots_claim(struct lkst_boot_slots *slots, bool overwrite)
{
	slots->own = lkst_boot_slots_choose(slots, overwrite);
	if (slots->own >= 0)
		lkst_boot_slot_take(slots, slots->own, lkst_boot_slots_next_number(slots));
	return slots->own;
}

/* Read a slot. Returns whether it holds a previous boot. */
static bool lkst_boot_slot_get_previous(const struct lkst_boot_slots *slots, unsigned int slot,
					struct lkst_boot_slot_found *found)
{
	return slot != slots->own && lkst_boot_slot_get(slots, slot, found);
}

static int lkst_boot_slots_compare(const void *a, const void *b)
{
	const struct lkst_previous_listent *one = a, *other = b;

	return (one->number > other->number) - (one->number < other->number);
}

/**
 * lkst_boot_slots_list() - list the previous boots
 * @slots: the reserved memory
 * @list: receives the boots, oldest first
 *
 * Context: any.
 *
 * Return: number of boots.
 */
unsigned int lkst_boot_slots_list(const struct lkst_boot_slots *slots,
				  struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX])
{
	struct lkst_boot_slot_found found;
	unsigned int slot, num = 0;

	for (slot = 0; slot < slots->slot_num; slot++) {
		if (!lkst_boot_slot_get_previous(slots, slot, &found))
			continue;
		list[num] = (struct lkst_previous_listent) {
			.number = found.state.number,
			.size = slots->slot_size,
			.slot = slot,
			.state = found.state.state,
		};
		memcpy(list[num++].boot, found.boot, LKST_IMAGE_BOOT_LEN);
	}
	sort(list, num, sizeof(*list), lkst_boot_slots_compare, NULL);
	return num;
}

/**
 * lkst_boot_slots_find() - find a previous boot
 * @slots: the reserved memory
 * @boot: UUID of the boot
 *
 * Context: any.
 *
 * Return: number of the slot, or -1 if no previous boot has this UUID.
 */
int lkst_boot_slots_find(const struct lkst_boot_slots *slots, const u8 boot[LKST_IMAGE_BOOT_LEN])
{
	struct lkst_boot_slot_found found;
	unsigned int slot;

	for (slot = 0; slot < slots->slot_num; slot++)
		if (lkst_boot_slot_get_previous(slots, slot, &found) &&
		    !memcmp(found.boot, boot, LKST_IMAGE_BOOT_LEN))
			return slot;
	return -1;
}

/**
 * lkst_boot_slots_mark_read() - mark a boot as read, so that its slot can be
 *	reused by a later boot
 * @slots: the reserved memory
 * @slot: from lkst_boot_slots_find()
 *
 * Context: any.
 */
void lkst_boot_slots_mark_read(struct lkst_boot_slots *slots, unsigned int slot)
{
	struct lkst_boot_slot_found found;

	if (!lkst_boot_slot_get(slots, slot, &found))
		return;
	found.state.state = LKST_BOOT_SLOT_READ;
	found.state.sequence++;
	lkst_boot_slot_put(slots, slot, &found.state);
}

/**
 * lkst_boot_slots_save() - copy this boot's slot
 * @slots: the reserved memory, with a slot of this boot
 * @copy: the caller sets @copy->data; the rest is set up here
 *
 * Context: any. Nothing in the slot may change until lkst_boot_slots_restore().
 */
void lkst_boot_slots_save(const struct lkst_boot_slots *slots, struct lkst_boot_slots_copy *copy)
{
	copy->num = lkst_boot_slots_list(slots, copy->list);
	memcpy(copy->data, lkst_boot_slots_start(slots, slots->own), slots->slot_size);
}

static bool lkst_boot_slots_copy_contains(const struct lkst_boot_slots_copy *copy, const u8 *boot)
{
	unsigned int i;

	for (i = 0; i < copy->num; i++)
		if (!memcmp(copy->list[i].boot, boot, LKST_IMAGE_BOOT_LEN))
			return true;
	return false;
}

/*
 * Find the boot that has restored this kernel from the hibernation image, and
 * mark it as read. It is the newest boot that was not in the reserved memory
 * when @copy was made. It did nothing but restore this kernel, so its log need
 * not be kept for a reader.
 */
static void lkst_boot_slots_skip_restorer(struct lkst_boot_slots *slots,
					  const struct lkst_boot_slots_copy *copy)
{
	struct lkst_previous_listent list[LKST_IMAGE_BOOT_SLOTS_MAX];
	unsigned int num = lkst_boot_slots_list(slots, list);

	while (num--) {
		if (lkst_boot_slots_copy_contains(copy, list[num].boot))
			continue;
		lkst_boot_slots_mark_read(slots, list[num].slot);
		return;
	}
}

/*
 * Wipe the slots that hold no boot, and the memory after the last slot. They
 * may contain headers left by boots that divided the memory differently.
 */
static void lkst_boot_slots_wipe_free(const struct lkst_boot_slots *slots)
{
	size_t used = slots->slot_num * slots->slot_size;
	struct lkst_boot_slot_found found;
	unsigned int slot;

	for (slot = 0; slot < slots->slot_num; slot++)
		if (!lkst_boot_slot_get(slots, slot, &found))
			lkst_boot_slots_wipe(lkst_boot_slots_start(slots, slot), slots->slot_size);
	lkst_boot_slots_wipe(slots->base + used, slots->size - used);
}

/**
 * lkst_boot_slots_restore() - restore this boot's slot from a copy if the slot
 *	has changed
 * @slots: the reserved memory, as passed to lkst_boot_slots_save()
 * @copy: from lkst_boot_slots_save()
 *
 * Called after the hibernation image has been made, and again in the kernel
 * that is restored from the image. The first call finds the slot unchanged, and
 * then changes its state. So the second call, with the same @copy, always finds
 * that the slot has changed.
 *
 * If the copy was needed, this boot becomes the newest in the memory, no matter
 * which kernels have used the memory meanwhile.
 *
 * Context: any. Reads every page.
 *
 * Return: whether the copy was needed.
 */
bool lkst_boot_slots_restore(struct lkst_boot_slots *slots, const struct lkst_boot_slots_copy *copy)
{
	void *own = lkst_boot_slots_start(slots, slots->own);
	bool changed = memcmp(own, copy->data, LKST_IMAGE_PAGE);
	struct lkst_boot_slot_found found;

	if (changed) {
		memcpy(own, copy->data, slots->slot_size);
		lkst_boot_slots_skip_restorer(slots, copy);
		lkst_boot_slots_wipe_free(slots);
	}
	if (lkst_boot_slot_get(slots, slots->own, &found)) {
		if (changed)
			found.state.number = lkst_boot_slots_next_number(slots);
		found.state.sequence++;
		lkst_boot_slot_put(slots, slots->own, &found.state);
	}
	return changed;
}
