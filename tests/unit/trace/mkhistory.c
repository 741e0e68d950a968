// SPDX-License-Identifier: GPL-2.0
/*
 * Adds long rings to a trace: two hours of CPU 0, with a digest each minute, up to the start of the
 * sample trace. CPU 0 is busy for 35 % of the time and, in the last half hour, for 85 %. CPU 1 has
 * digests that no kernel records.
 */
#include "mkhistory.h"

#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/device/run.h"
#include "sample.h"

#define MINUTE	  (60 * 1000000000ull)
#define MINUTES	  120
#define UPTIME_NS (10000 * 1000000000ull) /* monotonic clock at the start of the sample trace */

/* The records of a long ring */
struct ring {
	struct lkst_event_record record[3 * MINUTES];
	size_t num;
};

static void ring_add(struct ring *ring, uint64_t before_ns, uint16_t type, const uint64_t arg[4])
{
	struct lkst_event_record *record = &ring->record[ring->num++];

	*record = (struct lkst_event_record){ .clock = UPTIME_NS - before_ns, .event_type = type };
	memcpy(record->arg, arg, sizeof(record->arg));
}

static int ring_write(const struct ring *ring, int32_t cpu, struct lkst_trace_writer *writer,
		      struct lkst_error *err)
{
	const struct lkst_run run = {
		.cpu = cpu,
		.buffer = LKST_BUFFER_ID_LONG,
		.clock = LKST_CLOCK_NS,
		.num = ring->num,
		.record = ring->record,
		.monotonic_ns = UPTIME_NS,
		.xtime_ns = SAMPLE_NS,
		.tsc = UPTIME_NS,
		.freq_khz = 1000000,
	};

	return lkst_trace_write_run(writer, &run, err);
}

static void history_add_minute(struct ring *ring, uint32_t minute)
{
	const bool late = minute >= 90;
	const uint32_t user_ms = late ? 45000 : 15000;
	const uint64_t digest[4] = { PACK(60000, minute == 100 ? 12 : 0), PACK(user_ms, 0),
				     PACK(6000, 0), PACK(54000 - user_ms, UINT32_MAX) };
	const uint64_t all[4] = { PACK(late ? 4 : 2, 0), PACK(0, late ? 512 << 10 : 1024 << 10),
				  PACK(UINT32_MAX, late ? 5000 : 0), PACK(0, 0) };
	const uint64_t before_ns = (MINUTES - 1 - minute) * MINUTE;

	ring_add(ring, before_ns, LKST_ETYPE_LKST_DIGEST, digest);
	ring_add(ring, before_ns, LKST_ETYPE_LKST_DIGEST_SYSTEM, all);
}

static void history_add_events(struct ring *ring, uint32_t minute)
{
	const uint64_t text[4] = { text8("abcdefgh"), text8("ijklmnop"), text8("qrstuvwx"),
				   text8("yz\"012345") };
	const uint64_t error[4] = { PACK(3, 0), text8("disk fai"), text8("lure") };
	const uint64_t notice[4] = { PACK(5, 0), text8("no news") };
	const uint64_t mark[4] = { minute };
	const uint64_t before_ns = (MINUTES - 1 - minute) * MINUTE - MINUTE / 2;

	if (minute == 10)
		ring_add(ring, before_ns, LKST_ETYPE_USER_MARK, mark);
	if (minute == 80)
		ring_add(ring, before_ns, LKST_ETYPE_USER_TEXT, text);
	if (minute == 100)
		ring_add(ring, before_ns, LKST_ETYPE_OOPS_PRINTK, error);
	if (minute == 101)
		ring_add(ring, before_ns, LKST_ETYPE_OOPS_PRINTK, notice);
}

/* Add a digest with unknown figures, and one with figures that exceed its time. */
static void history_add_odd(struct ring *ring)
{
	const uint64_t unknown[4] = { PACK(UINT32_MAX, 0), PACK(UINT32_MAX, UINT32_MAX),
				      PACK(UINT32_MAX, UINT32_MAX), PACK(UINT32_MAX, UINT32_MAX) };
	const uint64_t much[4] = { PACK(1, 0), PACK(UINT32_MAX - 1, UINT32_MAX - 1),
				   PACK(UINT32_MAX - 1, UINT32_MAX - 1), PACK(0, UINT32_MAX - 1) };

	ring_add(ring, 50 * MINUTE + MINUTE / 2, LKST_ETYPE_LKST_DIGEST, unknown);
	ring_add(ring, 10 * MINUTE + MINUTE / 2, LKST_ETYPE_LKST_DIGEST, much);
}

/**
 * mkhistory_write() - write the long rings
 * @writer: writer of the trace, to which the caller adds the sample trace
 * @err: set on failure
 */
int mkhistory_write(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	static struct ring ring[2];

	for (uint32_t minute = 0; minute < MINUTES; minute++) {
		history_add_minute(&ring[0], minute);
		history_add_events(&ring[0], minute);
	}
	history_add_odd(&ring[1]);
	if (ring_write(&ring[0], 0, writer, err))
		return -1;
	return ring_write(&ring[1], 1, writer, err);
}
