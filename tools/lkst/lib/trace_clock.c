// SPDX-License-Identifier: LGPL-2.1
/*
 * What time it was when a buffer's clock showed something.
 *
 * Records of LKST_SYNC_TIME tell pairs of readings, so do the headers of chunks. A record is
 * between two pairs, by its recid, as clocks can begin again: there the monotonic clock went
 * evenly. So did the wall clock if it was as far from the monotonic one at both; else it was
 * set in between, and the pair before counts until another CPU notes it. If the
 * clock and the monotonic clock advanced by different amounts between two pairs, the machine slept
 * in between. A record from after the sleep is dated from the first pair that any CPU noted after
 * it, which may be later than the record. The chunk's own pair is
 * that of a time at which its records were there already: it ends what no record ends.
 *
 * What the monotonic clock showed orders the records of one run of a kernel; to order those of
 * several, the newest distance of the wall clock from it is added, to all of a run the same.
 */
#include <stdlib.h>

#include "trace_reader.h"

#define SAME_NS		1000000 /* the wall clock was set if its distance changed by more */
#define RATE_DIFFERS	0.01 /* by more: the two pairs are not of one stretch of time */
#define RATE_STEERED	0.0005 /* by no more the kernel steers its clock (ntp_adjtime) */
#define SYNCS_PER_CHUNK 64 /* more tell nothing */

/**
 * trace_add_sync() - note the times that a record of LKST_SYNC_TIME tells
 * @trace: trace
 * @c: chunk that it is in
 * @event: its recid and arguments
 *
 * Return: -1 when there is no memory.
 */
int trace_add_sync(struct lkst_trace *trace, const struct cursor *c, const struct lkst_event *event)
{
	uint32_t boot = trace_boot_of(trace, c->stream), same = 0;
	struct sync *sync = trace->sync;

	for (size_t i = trace->syncs; i-- > 0 && same < SYNCS_PER_CHUNK; same++)
		if (sync[i].boot != boot || sync[i].cpu != c->head.cpu ||
		    sync[i].recid < c->head.first_recid)
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
		.cpu = c->head.cpu,
		.kind = c->head.clock_kind,
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

static int compare(const void *pa, const void *pb)
{
	const struct sync *a = pa, *b = pb;

	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->recid < b->recid ? -1 : a->recid > b->recid;
}

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void set_offset(struct boot *boot, const struct pair *pair)
{
	if (pair->monotonic_ns == TRACE_UNKNOWN_NS ||
	    (boot->monotonic && pair->monotonic_ns < boot->newest_ns))
		return;
	boot->monotonic = true;
	boot->newest_ns = pair->monotonic_ns;
	boot->offset_ns = minus(pair->wall_ns, pair->monotonic_ns);
}

/**
 * trace_sort_syncs() - after the last one, before the first question
 * @trace: trace
 */
void trace_sort_syncs(struct lkst_trace *trace)
{
	if (trace->syncs)
		qsort(trace->sync, trace->syncs, sizeof(*trace->sync), compare);
	for (size_t i = 0; i < trace->syncs; i++)
		set_offset(&trace->boot[trace->sync[i].boot], &trace->sync[i].pair);
}

/* That of the chunk's header. */
static struct pair own_pair(const struct trace_buffer_header *head)
{
	struct pair pair = {
		.clock = head->tsc,
		.freq_khz = head->freq_khz,
		.wall_ns = (int64_t)((uint64_t)head->xtime_s * 1000000000u +
				     (uint64_t)head->xtime_us * 1000u),
		.monotonic_ns = TRACE_UNKNOWN_NS,
	};

	if (head->flags & TRACE_HAS_MONOTONIC) {
		pair.wall_ns = plus(pair.wall_ns, head->xtime_ns);
		pair.monotonic_ns = head->monotonic_ns;
	}
	return pair;
}

/**
 * trace_set_offsets() - learn how far the clocks are clock_apart from the header of a RAW chunk
 * @trace: trace
 * @c: chunk
 */
void trace_set_offsets(struct lkst_trace *trace, const struct cursor *c)
{
	const struct pair pair = own_pair(&c->head);

	set_offset(&trace->boot[trace_boot_of(trace, c->stream)], &pair);
}

static uint64_t clock_apart(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0 ? b - a : a - b;
}

/* Where no record tells: the clock_nearest of the chunk's own pair and those of CLOCK chunks. */
static struct pair clock_nearest(const struct lkst_trace *trace, const struct cursor *c, uint64_t clock)
{
	uint32_t boot = trace_boot_of(trace, c->stream);
	struct pair best = own_pair(&c->head);

	for (size_t i = 0; i < trace->clocks; i++) {
		const struct trace_clock *pair = &trace->clock[i];

		if (trace->clock_boot[i] != boot || pair->clock_kind != c->head.clock_kind ||
		    !pair->freq_khz || (pair->cpu >= 0 && pair->cpu != c->head.cpu))
			continue;
		if (clock_apart(clock, pair->clock) < clock_apart(clock, best.clock))
			best = (struct pair){ pair->clock, pair->freq_khz, pair->wall_ns,
					      pair->monotonic_ns };
	}
	return best;
}

/* A stretch of time: from a pair on, up to another one if that is of use. */
struct stretch {
	struct pair from;
	uint64_t ticks; /* of it; 0: it has no end */
	int64_t until; /* monotonic time at its end */
	double rate; /* ns per tick of the monotonic clock */
	double drift; /* ns per tick of the wall clock from it */
	bool before; /* @rate holds before @from, too */
	uint64_t set_ticks; /* from here on it is known that the wall clock was set */
	int64_t set; /* by so much, or 0 */
	int64_t slept; /* slept_between(@from, @woke); 0: no sleep */
	struct pair woke; /* the first after the sleep */
};

/* By how much the wall clock was set, or adjusted, between two pairs. */
static int64_t set_between(const struct pair *from, const struct pair *to)
{
	return minus(minus(to->wall_ns, to->monotonic_ns),
		     minus(from->wall_ns, from->monotonic_ns));
}

static bool is_set(int64_t set)
{
	return set <= -SAME_NS || set >= SAME_NS;
}

static struct stretch make_interval(const struct pair *from, const struct pair *to)
{
	struct stretch stretch = { .from = *from };
	uint64_t ticks, ns;
	int64_t set;
	double rate;

	if (!to || from->monotonic_ns == TRACE_UNKNOWN_NS || to->monotonic_ns == TRACE_UNKNOWN_NS ||
	    !from->freq_khz)
		return stretch;
	ticks = to->clock - from->clock;
	ns = (uint64_t)to->monotonic_ns - (uint64_t)from->monotonic_ns;
	if (!ticks || (int64_t)ticks < 0 || (int64_t)ns <= 0)
		return stretch;
	rate = (double)ns / (double)ticks;
	if (__builtin_fabs(rate * (double)from->freq_khz / 1e6 - 1) > RATE_DIFFERS)
		return stretch;
	set = set_between(from, to);
	stretch.ticks = ticks;
	stretch.until = to->monotonic_ns;
	stretch.rate = rate;
	if (!is_set(set))
		stretch.drift = (double)set / (double)ticks;
	return stretch;
}

/* Nanoseconds from the pair to when its clock showed this. */
static int64_t since(const struct pair *pair, uint64_t clock)
{
	bool before = (int64_t)(clock - pair->clock) < 0;
	uint64_t ticks = before ? pair->clock - clock : clock - pair->clock;
	uint64_t khz = pair->freq_khz, ns;

	if (!khz)
		return 0;
	/* Whole milliseconds, and what is left of one. */
	ns = ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
	return (int64_t)(before ? -ns : ns);
}

/* ns by which the clock advanced more than the monotonic clock; negative if the clock restarted. */
static int64_t slept_between(const struct pair *from, const struct pair *to)
{
	int64_t awake = minus(to->monotonic_ns, from->monotonic_ns), slept;

	if (from->monotonic_ns == TRACE_UNKNOWN_NS || to->monotonic_ns == TRACE_UNKNOWN_NS ||
	    !from->freq_khz || awake <= 0)
		return 0;
	slept = minus(since(from, to->clock), awake);
	return __builtin_fabs((double)slept) > RATE_DIFFERS * (double)awake + SAME_NS ? slept : 0;
}

/*
 * Whether a record is from after the sleep. The first CPU notes a pair within milliseconds of the
 * wakeup, so a clock value in the second half of the sleep is from after it. If the clock
 * restarted, the values after the sleep are below that of @from.
 */
static bool after_sleep(const struct stretch *stretch, uint64_t clock)
{
	if (stretch->slept < 0)
		return since(&stretch->from, clock) < -SAME_NS;
	return stretch->slept && since(&stretch->woke, clock) > -stretch->slept / 2;
}

static void clock_date(const struct stretch *stretch, uint64_t clock, int64_t *wall, int64_t *monotonic)
{
	const struct pair *from = after_sleep(stretch, clock) ? &stretch->woke : &stretch->from;
	uint64_t ticks = clock - from->clock;
	int64_t ns, drift = 0;

	if (ticks <= stretch->ticks && stretch->ticks) {
		ns = (int64_t)((double)ticks * stretch->rate);
		drift = (int64_t)((double)ticks * stretch->drift);
		if (stretch->set && ticks >= stretch->set_ticks)
			drift = stretch->set;
	} else if (stretch->before && (int64_t)ticks < 0) {
		ns = (int64_t)((double)(int64_t)ticks * stretch->rate);
	} else {
		ns = since(from, clock);
	}
	*wall = plus(plus(from->wall_ns, ns), drift);
	*monotonic = from->monotonic_ns == TRACE_UNKNOWN_NS ? TRACE_UNKNOWN_NS :
							      plus(from->monotonic_ns, ns);
}

/* The first sync of the chunk's CPU with this recid or a later one. */
static size_t first_sync(const struct lkst_trace *trace, const struct cursor *c, uint64_t recid)
{
	const struct sync what = { .boot = trace_boot_of(trace, c->stream),
				   .cpu = c->head.cpu,
				   .recid = recid };
	size_t low = 0, high = trace->syncs;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(&trace->sync[mid], &what) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct sync *sync_at(const struct lkst_trace *trace, const struct cursor *c, size_t i)
{
	const struct sync *sync = i < trace->syncs ? &trace->sync[i] : NULL;

	return sync && sync->boot == trace_boot_of(trace, c->stream) && sync->cpu == c->head.cpu ?
		       sync :
		       NULL;
}

/* Likewise, but of the chunk's clock. */
static const struct pair *pair_at(const struct lkst_trace *trace, const struct cursor *c, size_t i)
{
	const struct sync *sync = sync_at(trace, c, i);

	return sync && sync->kind == c->head.clock_kind && sync->pair.freq_khz ? &sync->pair : NULL;
}

/* The pair of sync @i if another CPU noted it, of the same clock as the chunk's, before @to. */
static const struct pair *others_pair(const struct lkst_trace *trace, const struct cursor *c,
				      size_t i, const struct pair *to)
{
	const struct sync *sync = &trace->sync[i];

	return sync->boot == trace_boot_of(trace, c->stream) && sync->cpu != c->head.cpu &&
			       sync->kind == c->head.clock_kind &&
			       sync->pair.monotonic_ns < to->monotonic_ns ?
		       &sync->pair :
		       NULL;
}

/* Of what other CPUs noted before @to, the last up to @clock, or the first there is; or NULL. */
static const struct pair *others_before(const struct lkst_trace *trace, const struct cursor *c,
					uint64_t clock, const struct pair *to)
{
	const struct pair *best = NULL;
	int64_t best_since = 0;

	for (size_t i = 0; i < trace->syncs; i++) {
		const struct pair *pair = others_pair(trace, c, i, to);
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

/* If the wall clock was set in a stretch, which ends with @to: from when on another CPU knew. */
static struct stretch with_set(const struct lkst_trace *trace, const struct cursor *c,
			       struct stretch stretch, const struct pair *to)
{
	int64_t set = stretch.ticks ? set_between(&stretch.from, to) : 0;

	for (size_t i = 0; is_set(set) && i < trace->syncs; i++) {
		const struct pair *pair = others_pair(trace, c, i, to);
		uint64_t ticks = pair ? pair->clock - stretch.from.clock : UINT64_MAX;

		if (ticks > stretch.ticks || is_set(set_between(pair, to)) ||
		    (stretch.set && ticks > stretch.set_ticks))
			continue;
		stretch.set = set;
		stretch.set_ticks = ticks;
	}
	return stretch;
}

/*
 * If the machine slept after @stretch.from, find the first pair after the sleep, of any CPU.
 * @certain: @to is from a record of this CPU, so the pair must agree with it. Otherwise @to is the
 * chunk's own pair, which may be from before the sleep.
 */
static struct stretch with_sleep(const struct lkst_trace *trace, const struct cursor *c,
				 struct stretch stretch, const struct pair *to, bool certain)
{
	const struct pair *from = &stretch.from, *woke = slept_between(from, to) ? to : NULL;
	const struct pair last = { .monotonic_ns = INT64_MAX };

	for (size_t i = 0; (woke || !certain) && i < trace->syncs; i++) {
		const struct pair *pair = others_pair(trace, c, i, woke ? woke : &last);

		if (pair && slept_between(from, pair) && !(certain && slept_between(pair, to)))
			woke = pair;
	}
	if (woke) {
		stretch.slept = slept_between(from, woke);
		stretch.woke = *woke;
	}
	return stretch;
}

/* Before the first pair the clocks went as they do behind it, or else at the nominal rate. */
static struct stretch make_interval_before(const struct pair *first, const struct pair *own)
{
	struct stretch stretch = make_interval(first, own);
	double nominal = stretch.rate * (double)first->freq_khz / 1e6;

	stretch.before = stretch.ticks && __builtin_fabs(nominal - 1) <= RATE_STEERED;
	return stretch;
}

/* For the records from the sync before @next on. @clock: of the first of them. */
static struct stretch interval_at(const struct lkst_trace *trace, const struct cursor *c,
				 size_t next, uint64_t clock)
{
	const struct pair *from = next ? pair_at(trace, c, next - 1) : NULL;
	const struct pair *to = pair_at(trace, c, next);
	const struct pair own = own_pair(&c->head);
	const struct pair *other;
	struct stretch stretch;
	struct pair near;

	if (from) {
		stretch = to ? with_set(trace, c, make_interval(from, to), to) :
			       make_interval(from, &own);
		return stretch.ticks ? stretch :
				       with_sleep(trace, c, stretch, to ? to : &own, to);
	}
	near = clock_nearest(trace, c, clock);
	if (!to)
		return make_interval(&near, NULL);
	/*
	 * If the wall clock was set or the machine slept before this CPU's first pair, an earlier
	 * pair of another CPU dates the records from before that.
	 */
	other = others_before(trace, c, clock, to);
	if (other && is_set(set_between(other, to))) {
		stretch = make_interval(other, to);
		if (stretch.ticks)
			return with_set(trace, c, stretch, to);
	}
	if (other && slept_between(other, to))
		return with_sleep(trace, c, make_interval(other, NULL), to, true);
	/*
	 * Before the first one: the chunk's own pair is of use if the clocks went evenly from
	 * it to the record. In the first moments of a boot they did not, and chunks that have
	 * different pairs would go back in time from one to the next.
	 */
	stretch = make_interval(&near, to);
	return stretch.ticks && !is_set(set_between(&near, to)) ? stretch :
								  make_interval_before(to, &own);
}

/**
 * trace_date_raw() - find out when the RAW records of a chunk were made, and their keys
 * @trace: trace with all syncs
 * @c: chunk
 */
void trace_date_raw(const struct lkst_trace *trace, struct cursor *c)
{
	const struct boot *boot = &trace->boot[trace_boot_of(trace, c->stream)];
	const struct lkst_event_record *r = (void *)c->data;
	size_t next = first_sync(trace, c, c->head.first_recid);
	const struct sync *sync = sync_at(trace, c, next);
	struct stretch stretch = { 0 };
	int64_t latest = c->floor_ns;
	bool known = false;

	c->has_monotonic = true;
	for (uint32_t i = 0; i < c->count; i++) {
		int64_t time;

		while (sync && sync->recid <= c->head.first_recid + i) {
			sync = sync_at(trace, c, ++next);
			known = false;
		}
		if (r[i].clock) {
			if (!known)
				stretch = interval_at(trace, c, next, r[i].clock);
			known = true;
			clock_date(&stretch, r[i].clock, &c->wall[i], &c->monotonic[i]);
			time = boot->monotonic && c->monotonic[i] != TRACE_UNKNOWN_NS ?
				       plus(c->monotonic[i], boot->offset_ns) :
				       c->wall[i];
			latest = time > latest ? time : latest;
		}
		c->key[i] = latest;
	}
}

/**
 * trace_date_std() - find out what the monotonic clock showed at the STD records of a chunk
 * @trace: trace with all syncs
 * @c: chunk, whose records have their wall clock
 */
void trace_date_std(const struct lkst_trace *trace, struct cursor *c)
{
	const struct lkst_log_record *r = (void *)c->data;
	size_t next = first_sync(trace, c, c->count ? r[0].posix.log_recid : 0);
	const struct sync *before = next ? sync_at(trace, c, next - 1) : NULL;
	const struct sync *sync = sync_at(trace, c, next);
	int64_t offset;

	c->has_monotonic = before || sync;
	for (uint32_t i = 0; c->has_monotonic && i < c->count; i++) {
		if (!i || (sync && sync->recid <= r[i].posix.log_recid)) {
			const struct pair *pair;

			while (sync && sync->recid <= r[i].posix.log_recid) {
				before = sync;
				sync = sync_at(trace, c, ++next);
			}
			pair = before ? &before->pair : &sync->pair;
			offset = minus(pair->wall_ns, pair->monotonic_ns);
		}
		c->monotonic[i] = minus(c->wall[i], offset);
	}
}
