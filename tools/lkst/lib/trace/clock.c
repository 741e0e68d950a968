// SPDX-License-Identifier: LGPL-2.1
/*
 * Converts readings of a buffer's clock to wall clock time.
 *
 * A "pair" relates a buffer's clock to time: it consists of a value of this clock, and the time at
 * the same moment (on the monotonic clock and the wall clock). LKST_SYNC_TIME records and the
 * buffer headers in chunks contain pairs. The recid of a record determines the two pairs between
 * which the record was made. The record's clock value cannot determine them, because clocks can
 * restart.
 *
 * The monotonic clock is assumed to advance at a constant rate from one pair to the next. The same
 * is assumed of the wall clock if its difference from the monotonic clock changes by less than
 * SAME_NS. Otherwise the wall clock was set in between. The difference in the earlier pair then
 * applies until another CPU records the first pair that shows the change.
 *
 * If the buffer's clock and the monotonic clock advanced by different amounts between two pairs,
 * the machine slept in between. The times of records from after the sleep are computed from the
 * first pair that any CPU recorded after the sleep, even if that pair is later than the record.
 *
 * The pair in the header of a chunk was read after the records of the chunk were made. It ends the
 * last interval if no record provides a later pair.
 *
 * Within one run of a kernel, records are sorted by the monotonic clock. To sort records of several
 * runs, a constant is added to the times of each run: the latest known difference between its wall
 * clock and its monotonic clock.
 */
#include <stdlib.h>

#include "clock.h"
#include "cursor.h"
#include "format.h"
#include "reader.h"
#include "source.h"

#define SAME_NS		1000000 /* if wall - monotonic changes by more, the wall clock was set */
#define RATE_DIFFERS	0.01 /* if rates differ by more, the pairs span a restart or a sleep */
#define RATE_STEERED	0.0005 /* maximum frequency adjustment by NTP: 500 ppm (MAXFREQ) */
#define SYNCS_PER_CHUNK 64 /* maximum number of pairs to keep from a chunk */

/**
 * trace_add_sync() - add the pair in an LKST_SYNC_TIME record
 * @trace: trace
 * @c: chunk of the record
 * @event: recid and arguments of the record
 *
 * Return: -1 if an allocation fails; otherwise 0, even if the chunk has too many pairs to keep this
 * one.
 */
int trace_add_sync(struct lkst_trace *trace, const struct cursor *c, const struct lkst_event *event)
{
	uint32_t boot = trace_boot_of(trace, c->stream), same = 0;
	struct sync *sync = trace->sync;

	for (size_t i = trace->syncs; i-- > 0 && same < SYNCS_PER_CHUNK; same++)
		if (sync[i].boot != boot || sync[i].cpu != c->header.cpu ||
		    sync[i].recid < c->header.first_recid)
			break;
	if (same == SYNCS_PER_CHUNK)
		return 0;
	if (trace->syncs == trace->syncs_room) {
		size_t room = trace->syncs_room ? trace->syncs_room * 2 : 64;

		sync = realloc(sync, room * sizeof(*sync));
		if (!sync)
			return -1;
		trace->sync = sync;
		trace->syncs_room = room;
	}
	sync[trace->syncs++] = (struct sync){
		.boot = boot,
		.cpu = c->header.cpu,
		.kind = c->header.clock_kind,
		.recid = event->recid,
		.pair = {
			.clock = event->arg[1],
			.freq_khz = event->arg[2],
			.wall_ns = (int64_t)((event->arg[0] >> 32) * 1000000000u +
					     (event->arg[0] & UINT32_MAX)),
			.monotonic_ns = (int64_t)event->arg[3],
		},
	};
	return 0;
}

static int clock_compare(const void *pa, const void *pb)
{
	const struct sync *a = pa, *b = pb;

	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->recid < b->recid ? -1 : a->recid > b->recid;
}

static int64_t clock_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t clock_plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void clock_set_offset(struct boot *boot, const struct pair *pair)
{
	if (pair->monotonic_ns == TRACE_UNKNOWN_NS ||
	    (boot->monotonic && pair->monotonic_ns < boot->newest_ns))
		return;
	boot->monotonic = true;
	boot->newest_ns = pair->monotonic_ns;
	boot->offset_ns = clock_minus(pair->wall_ns, pair->monotonic_ns);
}

/**
 * trace_sort_syncs() - sort the pairs; call it after the last trace_add_sync() and before lookups
 * @trace: trace
 */
void trace_sort_syncs(struct lkst_trace *trace)
{
	if (trace->syncs)
		qsort(trace->sync, trace->syncs, sizeof(*trace->sync), clock_compare);
	for (size_t i = 0; i < trace->syncs; i++)
		clock_set_offset(&trace->boot[trace->sync[i].boot], &trace->sync[i].pair);
}

/* Return the pair in the header of a chunk. */
static struct pair clock_own_pair(const struct lkst_records_header *header)
{
	struct pair pair = {
		.clock = header->tsc,
		.freq_khz = header->freq_khz,
		.wall_ns = (int64_t)((uint64_t)header->xtime_s * 1000000000u +
				     (uint64_t)header->xtime_us * 1000u),
		.monotonic_ns = TRACE_UNKNOWN_NS,
	};

	if (header->flags & LKST_RECORDS_HAS_MONOTONIC) {
		pair.wall_ns = clock_plus(pair.wall_ns, header->xtime_ns);
		pair.monotonic_ns = header->monotonic_ns;
	}
	return pair;
}

/**
 * trace_set_offsets() - take the offset of the wall clock from the header of a RAW chunk
 * @trace: trace
 * @c: chunk
 */
void trace_set_offsets(struct lkst_trace *trace, const struct cursor *c)
{
	const struct pair pair = clock_own_pair(&c->header);

	clock_set_offset(&trace->boot[trace_boot_of(trace, c->stream)], &pair);
}

static uint64_t clock_distance(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0 ? b - a : a - b;
}

/*
 * Consider the chunk's own pair and the pairs from CLOCK chunks, but not those from sync records.
 * Return the pair that is nearest to @clock.
 */
static struct pair clock_nearest(const struct lkst_trace *trace, const struct cursor *c,
				 uint64_t clock)
{
	uint32_t boot = trace_boot_of(trace, c->stream);
	struct pair best = clock_own_pair(&c->header);

	for (size_t i = 0; i < trace->clocks; i++) {
		const struct trace_clock *pair = &trace->clock[i];

		if (trace->clock_boot[i] != boot || pair->clock_kind != c->header.clock_kind ||
		    !pair->freq_khz || (pair->cpu >= 0 && pair->cpu != c->header.cpu))
			continue;
		if (clock_distance(clock, pair->clock) < clock_distance(clock, best.clock))
			best = (struct pair){ pair->clock, pair->freq_khz, pair->wall_ns,
					      pair->monotonic_ns };
	}
	return best;
}

/* An interval of time that starts at a pair and, if possible, ends at another. */
struct interval {
	struct pair from;
	uint64_t ticks; /* length; 0: open-ended */
	int64_t until; /* monotonic time at the end of the interval, in ns */
	double rate; /* ns of the monotonic clock per tick */
	double drift; /* ns per tick by which the wall clock gains on the monotonic clock */
	bool before; /* @rate also applies to the time before @from */
	uint64_t set_ticks; /* ticks after @from at which the change by @set takes effect */
	int64_t set; /* ns by which the wall clock was set; 0 if it was not set */
	int64_t slept; /* clock_slept_between(@from, @resumed); 0: no sleep */
	struct pair resumed; /* first pair after the sleep */
};

/* Return the ns by which the wall clock was set or adjusted between two pairs. */
static int64_t clock_set_between(const struct pair *from, const struct pair *to)
{
	return clock_minus(clock_minus(to->wall_ns, to->monotonic_ns),
			   clock_minus(from->wall_ns, from->monotonic_ns));
}

static bool clock_is_set(int64_t set)
{
	return set <= -SAME_NS || set >= SAME_NS;
}

static struct interval clock_make_interval(const struct pair *from, const struct pair *to)
{
	struct interval interval = { .from = *from };
	uint64_t ticks, ns;
	int64_t set;
	double rate;

	if (!to || from->monotonic_ns == TRACE_UNKNOWN_NS || to->monotonic_ns == TRACE_UNKNOWN_NS ||
	    !from->freq_khz)
		return interval;
	ticks = to->clock - from->clock;
	ns = (uint64_t)to->monotonic_ns - (uint64_t)from->monotonic_ns;
	if (!ticks || (int64_t)ticks < 0 || (int64_t)ns <= 0)
		return interval;
	rate = (double)ns / (double)ticks;
	if (__builtin_fabs(rate * (double)from->freq_khz / 1e6 - 1) > RATE_DIFFERS)
		return interval;
	set = clock_set_between(from, to);
	interval.ticks = ticks;
	interval.until = to->monotonic_ns;
	interval.rate = rate;
	if (!clock_is_set(set))
		interval.drift = (double)set / (double)ticks;
	return interval;
}

/* Return the ns from a pair to a reading of its clock; negative if the reading is earlier. */
static int64_t clock_since(const struct pair *pair, uint64_t clock)
{
	bool before = (int64_t)(clock - pair->clock) < 0;
	uint64_t ticks = before ? pair->clock - clock : clock - pair->clock;
	uint64_t khz = pair->freq_khz, ns;

	if (!khz)
		return 0;
	/* Convert whole milliseconds and the remainder separately to avoid an overflow. */
	ns = ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
	return (int64_t)(before ? -ns : ns);
}

/*
 * Return how long the machine slept between two pairs, in ns: how much more the buffer's clock
 * advanced than the monotonic clock. The result is negative if the buffer's clock restarted, and 0
 * if the difference is small or unknown.
 */
static int64_t clock_slept_between(const struct pair *from, const struct pair *to)
{
	int64_t awake = clock_minus(to->monotonic_ns, from->monotonic_ns), slept;

	if (from->monotonic_ns == TRACE_UNKNOWN_NS || to->monotonic_ns == TRACE_UNKNOWN_NS ||
	    !from->freq_khz || awake <= 0)
		return 0;
	slept = clock_minus(clock_since(from, to->clock), awake);
	return __builtin_fabs((double)slept) > RATE_DIFFERS * (double)awake + SAME_NS ? slept : 0;
}

/*
 * Return whether the record with this clock value was made after the sleep. No record is made
 * during the sleep. The first CPU that resumes records a pair, @interval->resumed, within
 * milliseconds of the wakeup. Records made between the wakeup and this pair have a clock value just
 * below the pair's value, so a value that precedes the pair by less than half of the sleep is from
 * after the sleep.
 * If the clock restarted during the sleep, values from after the sleep are below the value in
 * @interval->from.
 */
static bool clock_after_sleep(const struct interval *interval, uint64_t clock)
{
	if (interval->slept < 0)
		return clock_since(&interval->from, clock) < -SAME_NS;
	return interval->slept && clock_since(&interval->resumed, clock) > -interval->slept / 2;
}

static void clock_date(const struct interval *interval, uint64_t clock, int64_t *wall,
		       int64_t *monotonic)
{
	const struct pair *from = clock_after_sleep(interval, clock) ? &interval->resumed :
								       &interval->from;
	uint64_t ticks = clock - from->clock;
	int64_t ns, drift = 0;

	if (ticks <= interval->ticks && interval->ticks) {
		ns = (int64_t)((double)ticks * interval->rate);
		drift = (int64_t)((double)ticks * interval->drift);
		if (interval->set && ticks >= interval->set_ticks)
			drift = interval->set;
	} else if (interval->before && (int64_t)ticks < 0) {
		ns = (int64_t)((double)(int64_t)ticks * interval->rate);
	} else {
		ns = clock_since(from, clock);
	}
	*wall = clock_plus(clock_plus(from->wall_ns, ns), drift);
	*monotonic = from->monotonic_ns == TRACE_UNKNOWN_NS ? TRACE_UNKNOWN_NS :
							      clock_plus(from->monotonic_ns, ns);
}

/* Return the index of the first sync of the chunk's CPU with this recid or a later one. */
static size_t clock_first_sync(const struct lkst_trace *trace, const struct cursor *c,
			       uint64_t recid)
{
	const struct sync key = { .boot = trace_boot_of(trace, c->stream),
				  .cpu = c->header.cpu,
				  .recid = recid };
	size_t low = 0, high = trace->syncs;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (clock_compare(&trace->sync[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct sync *clock_sync_at(const struct lkst_trace *trace, const struct cursor *c,
					size_t i)
{
	const struct sync *sync = i < trace->syncs ? &trace->sync[i] : NULL;

	return sync && sync->boot == trace_boot_of(trace, c->stream) && sync->cpu == c->header.cpu ?
		       sync :
		       NULL;
}

/*
 * Return the pair of sync @i; NULL if the chunk is from a different CPU or kind of clock, or if the
 * pair lacks the rate of the clock.
 */
static const struct pair *clock_pair_at(const struct lkst_trace *trace, const struct cursor *c,
					size_t i)
{
	const struct sync *sync = clock_sync_at(trace, c, i);

	return sync && sync->kind == c->header.clock_kind && sync->pair.freq_khz ? &sync->pair :
										   NULL;
}

/*
 * Return the pair of sync @i if it has the same boot and kind of clock as the chunk, is from a
 * different CPU, and is earlier than @to; otherwise NULL.
 */
static const struct pair *clock_pair_of_other_cpu(const struct lkst_trace *trace,
						  const struct cursor *c, size_t i,
						  const struct pair *to)
{
	const struct sync *sync = &trace->sync[i];

	return sync->boot == trace_boot_of(trace, c->stream) && sync->cpu != c->header.cpu &&
			       sync->kind == c->header.clock_kind &&
			       sync->pair.monotonic_ns < to->monotonic_ns ?
		       &sync->pair :
		       NULL;
}

/*
 * Of the pairs of other CPUs before @to, return the last one that is not after @clock. If all are
 * after @clock, return the first one. Return NULL if no pairs exist.
 */
static const struct pair *clock_other_pair_before(const struct lkst_trace *trace,
						  const struct cursor *c, uint64_t clock,
						  const struct pair *to)
{
	const struct pair *best = NULL;
	int64_t best_since = 0;

	for (size_t i = 0; i < trace->syncs; i++) {
		const struct pair *pair = clock_pair_of_other_cpu(trace, c, i, to);
		int64_t since;

		if (!pair)
			continue;
		since = (int64_t)(clock - pair->clock);
		if (!best || (since >= 0 ? best_since < 0 || since < best_since :
					   best_since < 0 && since > best_since)) {
			best = pair;
			best_since = since;
		}
	}
	return best;
}

/*
 * Return @interval, which ends at @to. If the wall clock was set within the interval, and another
 * CPU recorded a pair after the change and before @to, fill in @interval.set and
 * @interval.set_ticks. The change takes effect at the first such pair.
 */
static struct interval clock_with_set(const struct lkst_trace *trace, const struct cursor *c,
				      struct interval interval, const struct pair *to)
{
	int64_t set = interval.ticks ? clock_set_between(&interval.from, to) : 0;

	for (size_t i = 0; clock_is_set(set) && i < trace->syncs; i++) {
		const struct pair *pair = clock_pair_of_other_cpu(trace, c, i, to);
		uint64_t ticks = pair ? pair->clock - interval.from.clock : UINT64_MAX;

		if (ticks > interval.ticks || clock_is_set(clock_set_between(pair, to)) ||
		    (interval.set && ticks > interval.set_ticks))
			continue;
		interval.set = set;
		interval.set_ticks = ticks;
	}
	return interval;
}

/*
 * Return @interval. If the machine slept after @interval.from, fill in @interval.slept and
 * @interval.resumed, the first pair of any CPU after the sleep. If @certain is set, @to is from a
 * record of this CPU, and the sleep is the last one before @to. Otherwise, @to is the chunk's own
 * pair, which may be from before the sleep, so pairs after @to are also tried.
 */
static struct interval clock_with_sleep(const struct lkst_trace *trace, const struct cursor *c,
					struct interval interval, const struct pair *to,
					bool certain)
{
	const struct pair *from = &interval.from,
			  *resumed = clock_slept_between(from, to) ? to : NULL;
	const struct pair last = { .monotonic_ns = INT64_MAX };

	for (size_t i = 0; (resumed || !certain) && i < trace->syncs; i++) {
		const struct pair *pair =
			clock_pair_of_other_cpu(trace, c, i, resumed ? resumed : &last);

		if (pair && clock_slept_between(from, pair) &&
		    !(certain && clock_slept_between(pair, to)))
			resumed = pair;
	}
	if (resumed) {
		interval.slept = clock_slept_between(from, resumed);
		interval.resumed = *resumed;
	}
	return interval;
}

/*
 * Return an interval for the records before @first, the first pair. The interval has the rate
 * between @first and @own if that is plausible, and otherwise the nominal rate.
 */
static struct interval clock_make_interval_before(const struct pair *first, const struct pair *own)
{
	struct interval interval = clock_make_interval(first, own);
	double nominal = interval.rate * (double)first->freq_khz / 1e6;

	interval.before = interval.ticks && __builtin_fabs(nominal - 1) <= RATE_STEERED;
	return interval;
}

/*
 * Return the interval for the records between the syncs @next - 1 and @next. @clock is the clock
 * value of the first of these records.
 */
static struct interval clock_interval_at(const struct lkst_trace *trace, const struct cursor *c,
					 size_t next, uint64_t clock)
{
	const struct pair *from = next ? clock_pair_at(trace, c, next - 1) : NULL;
	const struct pair *to = clock_pair_at(trace, c, next);
	const struct pair own = clock_own_pair(&c->header);
	const struct pair *other;
	struct interval interval;
	struct pair near;

	if (from) {
		interval = to ? clock_with_set(trace, c, clock_make_interval(from, to), to) :
				clock_make_interval(from, &own);
		return interval.ticks ? interval :
					clock_with_sleep(trace, c, interval, to ? to : &own, to);
	}
	near = clock_nearest(trace, c, clock);
	if (!to)
		return clock_make_interval(&near, NULL);
	/*
	 * If the wall clock was set or the machine slept before this CPU's first pair, an earlier
	 * pair of another CPU gives the times of the records from before the change or the sleep.
	 */
	other = clock_other_pair_before(trace, c, clock, to);
	if (other && clock_is_set(clock_set_between(other, to))) {
		interval = clock_make_interval(other, to);
		if (interval.ticks)
			return clock_with_set(trace, c, interval, to);
	}
	if (other && clock_slept_between(other, to))
		return clock_with_sleep(trace, c, clock_make_interval(other, NULL), to, true);
	/*
	 * These records precede this CPU's first pair. Interpolate between the first pair and the
	 * nearest pair in a header or CLOCK chunk. If the rate between these two is implausible,
	 * which happens early in a boot, or if the wall clock was set in between, extrapolate from
	 * the first pair. Extrapolating from the nearest pair instead would make time go backwards
	 * between chunks whose nearest pairs differ.
	 */
	interval = clock_make_interval(&near, to);
	return interval.ticks && !clock_is_set(clock_set_between(&near, to)) ?
		       interval :
		       clock_make_interval_before(to, &own);
}

/**
 * trace_date_raw() - compute the times and keys of the RAW records of a chunk
 * @trace: trace with all syncs
 * @c: chunk
 */
void trace_date_raw(const struct lkst_trace *trace, struct cursor *c)
{
	const struct boot *boot = &trace->boot[trace_boot_of(trace, c->stream)];
	const struct lkst_event_record *r = (void *)c->data;
	size_t next = clock_first_sync(trace, c, c->header.first_recid);
	const struct sync *sync = clock_sync_at(trace, c, next);
	struct interval interval = { 0 };
	int64_t latest = c->floor_ns;
	bool known = false;

	c->has_monotonic = true;
	for (uint32_t i = 0; i < c->count; i++) {
		struct record_time *time = &c->time[i];

		while (sync && sync->recid <= c->header.first_recid + i) {
			sync = clock_sync_at(trace, c, ++next);
			known = false;
		}
		if (r[i].clock) {
			if (!known)
				interval = clock_interval_at(trace, c, next, r[i].clock);
			known = true;
			int64_t key;

			clock_date(&interval, r[i].clock, &time->wall, &time->monotonic);
			key = boot->monotonic && time->monotonic != TRACE_UNKNOWN_NS ?
				      clock_plus(time->monotonic, boot->offset_ns) :
				      time->wall;
			latest = key > latest ? key : latest;
		}
		time->key = latest;
	}
}

/**
 * trace_date_std() - compute the monotonic times of the STD records of a chunk
 * @trace: trace with all syncs
 * @c: chunk whose records contain their wall clock times
 */
void trace_date_std(const struct lkst_trace *trace, struct cursor *c)
{
	const struct lkst_log_record *r = (void *)c->data;
	size_t next = clock_first_sync(trace, c, c->count ? r[0].posix.log_recid : 0);
	const struct sync *before = next ? clock_sync_at(trace, c, next - 1) : NULL;
	const struct sync *sync = clock_sync_at(trace, c, next);
	int64_t offset;

	c->has_monotonic = before || sync;
	for (uint32_t i = 0; c->has_monotonic && i < c->count; i++) {
		if (!i || (sync && sync->recid <= r[i].posix.log_recid)) {
			const struct pair *pair;

			while (sync && sync->recid <= r[i].posix.log_recid) {
				before = sync;
				sync = clock_sync_at(trace, c, ++next);
			}
			pair = before ? &before->pair : &sync->pair;
			offset = clock_minus(pair->wall_ns, pair->monotonic_ns);
		}
		c->time[i].monotonic = clock_minus(c->time[i].wall, offset);
	}
}
