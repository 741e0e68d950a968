// SPDX-License-Identifier: GPL-2.0
/*
 * What changes in the header pages of a buffer: notes of what its records are, so that who has
 * nothing but an image of memory can give each its recid (Documentation/lkst/image.rst).
 *
 * The machine may die at any instruction. A stretch note is there twice, and the second copy is not
 * touched before the first one is whole, nor the first before the second is. So at each moment one
 * of them at least is whole: the checksum tells which. If both are, the greater sequence number is
 * that of the newer. There is one writer at a time: the buffer's CPU with interrupts off and a
 * shift under way (lkst_shift_hold()), or somebody else while that does not run.
 *
 * A lap note is one word, and is not covered by the checksum: whoever begins a lap stores it, in
 * any context. An interrupted writer's late store must not replace a later lap, so it is made by
 * compare-and-exchange; if that fails, somebody that came in between has stored a later one.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stddef.h>

#include "buffer.h"
#include "compat.h"
#include "image.h"

#define LKST_NOTE_COPIES	2

/* What the checksum is of: from the sequence number on, and not the lap. */
#define LKST_NOTE_FROM		offsetof(struct lkst_image_session, sequence)
#define LKST_NOTE_END		offsetof(struct lkst_image_session, lap)
static_assert(!(LKST_NOTE_END % sizeof(u64)));

static struct lkst_image_session *lkst_note(const struct lkst_region *area, unsigned int copy)
{
	const struct lkst_extent *first = &area->extents[0];

	return first->data + lkst_extent_header(first, copy) + LKST_IMAGE_STATE;
}

static void lkst_note_store(struct lkst_image_session *to, const struct lkst_image_session *note)
{
	unsigned int i;

	for (i = 0; i < LKST_NOTE_END / sizeof(long); i++)
		WRITE_ONCE(((unsigned long *)to)[i], ((const unsigned long *)note)[i]);
}

/**
 * lkst_image_session() - note what the records of a buffer are from now on
 * @area: of the buffer
 * @stretch: that has begun
 * @lap: the ring's
 *
 * Context: any, NMI included; by the buffer's CPU, or while that does not run. One at a time.
 */
void lkst_image_session(struct lkst_region *area, const struct lkst_session *stretch, u64 lap)
{
	struct lkst_image_session note = {
		.sequence = lkst_note(area, 0)->sequence + 1,
		.first = stretch->first,
		.first_recid = stretch->first_recid,
		.clock = stretch->clock,
		.khz = lkst_clock_khz(stretch->clock),
		.clock_start = lkst_time_clock(&stretch->start, stretch->clock),
		.monotonic = stretch->start.monotonic,
		.wall = stretch->start.wall,
		.boottime = stretch->start.boot,
	};
	unsigned int copy;

	note.checksum = lkst_crc32c(&note.sequence, LKST_NOTE_END - LKST_NOTE_FROM);
	lkst_image_lap(area, lap);
	for (copy = 0; copy < LKST_NOTE_COPIES; copy++) {
		/* The other copy is whole before this one is not, for who looks from elsewhere. */
		smp_wmb();
		lkst_note_store(lkst_note(area, copy), &note);
	}
}

/* On 32-bit that is the low half: the ring's laps have no more bits. */
static void lkst_note_lap(struct lkst_image_session *note, unsigned long lap)
{
	unsigned long *at = (unsigned long *)&note->lap + lkst_commit_half();
	unsigned long old = READ_ONCE(*at);

	if ((long)(lap - old) > 0)
		lkst_local_try_cmpxchg(at, &old, lap);
}

/**
 * lkst_image_lap() - note that a lap was begun
 * @area: of the buffer
 * @lap: the ring's
 *
 * Context: any, NMI included; by the buffer's CPU, or while that does not run.
 */
void lkst_image_lap(struct lkst_region *area, u64 lap)
{
	unsigned int copy;

	for (copy = 0; copy < LKST_NOTE_COPIES; copy++)
		lkst_note_lap(lkst_note(area, copy), lap);
}
