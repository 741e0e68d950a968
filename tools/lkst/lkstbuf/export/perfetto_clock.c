// SPDX-License-Identifier: GPL-2.0
/*
 * Determines the times in a Perfetto trace.
 *
 * The time of an event is the wall clock, which somebody may set. Perfetto needs a clock that only
 * advances, and small numbers take fewer bytes. So the times in the output begin at 1 s, and
 * advance as the kernel's monotonic clock. A clock snapshot tells which wall-clock time that is.
 * There is another snapshot each time that the wall clock was set. Between two snapshots, the
 * difference between the times is constant, so no nanosecond is lost.
 */
#include "perfetto.h"

#define CLOCK_BEGIN_NS 1000000000
/* The clocks of the CPUs differ by less than this. A larger step means that the clock was set. */
#define CLOCK_STEP_NS 10000000

enum {
	CLOCK_REALTIME_ID = 1,
	CLOCK_MONOTONIC_ID = 3,
	CLOCK_BOOTTIME_ID = 6,
};

enum {
	SEQUENCE_CLEARED = 1,
};

static int64_t steady_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t steady_distance(int64_t a, int64_t b)
{
	int64_t ns;

	if (__builtin_sub_overflow(a, b, &ns) || ns == INT64_MIN)
		return INT64_MAX;
	return ns < 0 ? -ns : ns;
}

static void clock_put_snapshot(struct perfetto *pf, uint64_t time)
{
	const struct perfetto_clock *clock = &pf->clock;
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
	packet.has_sequence_flags = !clock->set;
	packet.sequence_flags = SEQUENCE_CLEARED;
	perfetto_write(pf, &packet);
}

/* Return the time of an event in the output by the clock that only advances, if it is known. */
static int64_t steady_time(const struct perfetto *pf, const struct lkst_event *event)
{
	const struct perfetto_clock *clock = &pf->clock;

	if (clock->monotonic && event->monotonic_ns != INT64_MIN)
		return steady_minus(event->monotonic_ns, clock->monotonic_ns);
	return steady_minus(event->time_ns, clock->offset_ns);
}

/* Begin a new relation between the clocks, in which the event is at the time @time. */
static void clock_step(struct perfetto *pf, const struct lkst_event *event, int64_t time)
{
	struct perfetto_clock *clock = &pf->clock;

	clock->offset_ns = steady_minus(event->time_ns, time);
	clock_put_snapshot(pf, (uint64_t)time);
	clock->set = true;
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
	struct perfetto_clock *clock = &pf->clock;
	int64_t steady, time;

	if (!clock->set) {
		clock->monotonic = event->monotonic_ns != INT64_MIN;
		if (clock->monotonic)
			clock->monotonic_ns = steady_minus(event->monotonic_ns, CLOCK_BEGIN_NS);
		clock_step(pf, event, CLOCK_BEGIN_NS);
	}
	steady = steady_time(pf, event);
	/* Damaged records can have any time. Perfetto's times are not negative. */
	if (steady < 0)
		steady = (int64_t)clock->latest;
	time = steady_minus(event->time_ns, clock->offset_ns);
	if (time < 0 || steady_distance(time, steady) > CLOCK_STEP_NS) {
		clock_step(pf, event, steady);
		time = steady;
	}
	if ((uint64_t)time > clock->latest)
		clock->latest = (uint64_t)time;
	return (uint64_t)time;
}

/**
 * clock_convert() - convert a time, by the latest relation between the clocks
 * @pf: writer, after the first event
 * @time_ns: time, nanoseconds since the epoch
 */
uint64_t clock_convert(const struct perfetto *pf, int64_t time_ns)
{
	int64_t time = steady_minus(time_ns, pf->clock.offset_ns);

	return time < 0 ? 0 : (uint64_t)time;
}
