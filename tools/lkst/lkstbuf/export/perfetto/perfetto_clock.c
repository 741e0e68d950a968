// SPDX-License-Identifier: GPL-2.0
/*
 * Determines the times in a Perfetto trace.
 *
 * The time of an event is from the wall clock, which may be set. Perfetto needs a clock that only
 * advances, and small numbers take fewer bytes. So the times in the output begin at 1 s, and
 * advance like the kernel's monotonic clock. A clock snapshot contains the corresponding time of
 * the wall clock. Another snapshot is written each time the wall clock has been set. Between two
 * snapshots, the difference between the times is constant, so no nanosecond is lost.
 */
#include "perfetto.h"

#define CLOCK_BEGIN_NS 1000000000

enum {
	CLOCK_REALTIME_ID = 1,
	CLOCK_MONOTONIC_ID = 3,
	CLOCK_BOOTTIME_ID = 6,
};

enum {
	SEQUENCE_CLEARED = 1,
};

static void clock_put_snapshot(struct perfetto *pf, uint64_t time, bool first)
{
	const struct steady *clock = &pf->clock;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__ClockSnapshot snapshot = PF__CLOCK_SNAPSHOT__INIT;
	Pf__ClockSnapshot__Clock clocks[3], *list[3];
	const struct {
		uint32_t id;
		int64_t offset_ns;
	} values[] = {
		{ CLOCK_BOOTTIME_ID, 0 },
		{ CLOCK_REALTIME_ID, clock->offset_ns },
		{ CLOCK_MONOTONIC_ID, clock->monotonic_ns },
	};

	for (size_t i = 0; i < 3; i++) {
		pf__clock_snapshot__clock__init(&clocks[i]);
		clocks[i].has_clock_id = clocks[i].has_timestamp = true;
		clocks[i].clock_id = values[i].id;
		clocks[i].timestamp = time + (uint64_t)values[i].offset_ns;
		list[i] = &clocks[i];
	}
	snapshot.n_clocks = clock->monotonic ? 3 : 2;
	snapshot.clocks = list;
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = CLOCK_BOOTTIME_ID;
	packet.clock_snapshot = &snapshot;
	packet.has_timestamp = true;
	packet.timestamp = time;
	packet.has_sequence_flags = first;
	packet.sequence_flags = SEQUENCE_CLEARED;
	perfetto_write(pf, &packet);
}

/**
 * clock_time() - get the time of an event in the output
 * @pf: writer
 * @event: event
 *
 * Writes a clock snapshot if needed.
 */
uint64_t clock_time(struct perfetto *pf, const struct lkst_event *event)
{
	bool first = !pf->clock.set;
	uint64_t time;

	if (steady_step(&pf->clock, event, CLOCK_BEGIN_NS, &time))
		clock_put_snapshot(pf, time, first);
	return time;
}

/**
 * clock_convert() - convert a time of the wall clock to a time of the output
 * @pf: writer, after the first event
 * @time_ns: time, nanoseconds since the epoch
 *
 * Return: the time, with the offset of the latest snapshot of the clocks; at least 0.
 */
uint64_t clock_convert(const struct perfetto *pf, int64_t time_ns)
{
	int64_t time = (int64_t)((uint64_t)time_ns - (uint64_t)pf->clock.offset_ns);

	return time < 0 ? 0 : (uint64_t)time;
}
