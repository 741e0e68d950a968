// SPDX-License-Identifier: GPL-2.0
/*
 * The variable part of a buffer's header pages: the current session and a
 * recent lap. With them, a reader that has only an image of memory can give
 * each record its recid (Documentation/lkst/image.rst).
 *
 * The machine may die at any instruction. So the session is stored twice. Each
 * copy is changed only while the other one is complete. At any moment at least
 * one of them is complete, and its checksum shows that. If both are complete,
 * the one with the greater sequence number is newer. There is one writer at a
 * time: the buffer's CPU, with interrupts off, between lkst_shift_hold() and
 * lkst_shift_release(); or another CPU, while the buffer's CPU is offline or
 * not recording yet.
 *
 * The lap is one word, which the checksum does not cover. Each writer that
 * starts a lap stores it, in any context. The late store of an interrupted
 * writer must not replace a later lap, so the store is a compare-and-exchange.
 * If that fails, a nested writer has stored a later lap.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/stddef.h>

#include "buffer.h"
#include "../base/compat.h"
#include "image_session.h"

#define LKST_SESSION_COPIES	2

/* The checksum covers everything from the sequence number up to the lap. */
#define LKST_SESSION_CRC_FROM	offsetof(struct lkst_image_session, sequence)
#define LKST_SESSION_CRC_END	offsetof(struct lkst_image_session, lap)
static_assert(!(LKST_SESSION_CRC_END % sizeof(u64)));

static struct lkst_image_session *lkst_session_copy(const struct lkst_region *region,
						    unsigned int copy)
{
	const struct lkst_extent *first = &region->extents[0];

	return first->data + lkst_extent_header(first, copy) + LKST_IMAGE_STATE;
}

static void lkst_session_store(struct lkst_image_session *to, const struct lkst_image_session *from)
{
	unsigned int i;

	for (i = 0; i < LKST_SESSION_CRC_END / sizeof(long); i++)
		WRITE_ONCE(((unsigned long *)to)[i], ((const unsigned long *)from)[i]);
}

/**
 * lkst_image_set_session() - store a buffer's new session in its header pages
 * @region: memory of the buffer
 * @session: the new session
 * @lap: current lap of the ring
 *
 * Context: on the buffer's CPU, any context including NMI; on another CPU, only
 * while the buffer's CPU is offline or not recording yet. The caller serializes
 * updates of the same buffer.
 */
void lkst_image_set_session(struct lkst_region *region, const struct lkst_session *session,
			    u64 lap)
{
	struct lkst_image_session image = {
		.sequence = lkst_session_copy(region, 0)->sequence + 1,
		.first = session->first,
		.first_recid = session->first_recid,
		.clock = session->clock,
		.khz = lkst_clock_khz(session->clock),
		.clock_start = lkst_time_clock(&session->start, session->clock),
		.monotonic = session->start.monotonic,
		.wall = session->start.wall,
		.boottime = session->start.boot,
	};
	unsigned int copy;

	image.checksum = lkst_crc32c(&image.sequence, LKST_SESSION_CRC_END - LKST_SESSION_CRC_FROM);
	lkst_image_set_lap(region, lap);
	for (copy = 0; copy < LKST_SESSION_COPIES; copy++) {
		/*
		 * A CPU that observes a store to this copy must also observe
		 * all earlier stores to the other copy.
		 */
		smp_wmb();
		lkst_session_store(lkst_session_copy(region, copy), &image);
	}
}

/*
 * Store a lap in one copy, unless the copy has a later one. On 32-bit this
 * writes only the low half, because a ring's lap is 32 bits wide there.
 */
static void lkst_session_store_lap(struct lkst_image_session *to, unsigned long lap)
{
	unsigned long *at = (unsigned long *)&to->lap + lkst_commit_half();
	unsigned long old = READ_ONCE(*at);

	if ((long)(lap - old) > 0)
		lkst_local_try_cmpxchg(at, &old, lap);
}

/**
 * lkst_image_set_lap() - store a buffer's new lap in its header pages
 * @region: memory of the buffer
 * @lap: current lap of the ring
 *
 * Context: on the buffer's CPU, any context including NMI; on another CPU, only
 * while the buffer's CPU is offline or not recording yet.
 */
void lkst_image_set_lap(struct lkst_region *region, u64 lap)
{
	unsigned int copy;

	for (copy = 0; copy < LKST_SESSION_COPIES; copy++)
		lkst_session_store_lap(lkst_session_copy(region, copy), lap);
}
