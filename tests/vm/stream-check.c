// SPDX-License-Identifier: GPL-2.0
/*
 * Is a stream of records what it must be? recids ascend, none comes twice, what is passed over is
 * exactly what LKST_BUFF_OVFLOW says is lost, and each writer's marks are whole, in order, and
 * missing only where something is lost.
 */
#include "stream.h"

static void __attribute__((format(printf, 2, 3)))
wrong(struct checker *checker, const char *why, ...)
{
	va_list args;

	if (checker->wrong++)
		return;
	va_start(args, why);
	vsnprintf(checker->why, sizeof(checker->why), why, args);
	va_end(args);
}

static void add_range(struct ranges *ranges, uint64_t from, uint64_t to, uint64_t by)
{
	if (ranges->num == ranges->room) {
		ranges->room = ranges->room ? 2 * ranges->room : 64;
		ranges->range = realloc(ranges->range, ranges->room * sizeof(*ranges->range));
		if (!ranges->range)
			bail_out("memory");
	}
	ranges->range[ranges->num++] = (struct range){ from, to, by };
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Sorted, without those outside [@start, @end), and with neighbours made one. */
static void unite(struct ranges *ranges, uint64_t start, uint64_t end)
{
	size_t i, num = 0;

	if (!ranges->num)
		return;
	qsort(ranges->range, ranges->num, sizeof(*ranges->range), compare_ranges);
	for (i = 0; i < ranges->num; i++) {
		struct range range = ranges->range[i];

		if (range.from < start)
			range.from = start;
		if (range.to > end)
			range.to = end;
		if (range.from >= range.to)
			continue;
		if (num && range.from <= ranges->range[num - 1].to) {
			if (range.to > ranges->range[num - 1].to)
				ranges->range[num - 1].to = range.to;
			continue;
		}
		ranges->range[num++] = range;
	}
	ranges->num = num;
}

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
	value = (value ^ value >> 27) * 0x94d049bb133111eb;
	return value ^ value >> 31;
}

void fill_mark(uint64_t arg[4], unsigned int writer, uint64_t number)
{
	int i;

	arg[0] = (uint64_t)writer << 56 | number;
	for (i = 1; i < 4; i++)
		arg[i] = mix(arg[i - 1]);
}

static void check_mark(struct checker *checker, const struct item *item)
{
	unsigned int writer = item->arg[0] >> 56;
	uint64_t number = item->arg[0] & ~(0xffULL << 56), args[4], missing;

	fill_mark(args, writer, number);
	if (writer >= WRITERS || memcmp(args, item->arg, sizeof(args)) ||
	    item->thread != (uint32_t)checker->tid[writer]) {
		wrong(checker, "recid %llu is torn: thread %u, mark %#llx", (ull)item->recid,
		      item->thread, (ull)item->arg[0]);
		return;
	}
	if (number <= checker->last[writer])
		wrong(checker, "recid %llu: writer %u's mark %llu after %llu", (ull)item->recid,
		      writer, (ull)number, (ull)checker->last[writer]);
	missing = number - checker->last[writer] - 1;
	if (writer < CPUS && checker->last[writer] &&
	    missing > checker->lost - checker->last_lost[writer])
		wrong(checker,
		      "recid %llu: %llu of writer %u's marks are missing, and %llu records",
		      (ull)item->recid, (ull)missing, writer,
		      (ull)(checker->lost - checker->last_lost[writer]));
	if (writer >= CPUS && number < checker->moving_num && checker->moving[number]++)
		wrong(checker, "recid %llu: mark %llu twice", (ull)item->recid, (ull)number);
	checker->last[writer] = number;
	checker->last_lost[writer] = checker->lost;
	checker->marks++;
}

void check_item(struct checker *checker, const struct item *item)
{
	if (!checker->started) {
		checker->started = true;
		checker->start = item->recid;
		checker->next = item->recid;
	}
	if (item->recid < checker->next)
		wrong(checker, "recid %llu after %llu", (ull)item->recid, (ull)checker->next - 1);
	if (item->recid > checker->next) {
		add_range(&checker->gaps, checker->next, item->recid, 0);
		checker->lost += item->recid - checker->next;
	}
	checker->next = item->recid + 1;
	checker->read++;
	if (item->etype == BUFF_OVFLOW && item->arg[1])
		add_range(&checker->told, item->arg[2], item->arg[2] + item->arg[1], item->recid);
	else if (item->etype == USER_MARK)
		check_mark(checker, item);
}

/* The first range that is not in both. */
static void compare(struct checker *checker)
{
	const struct ranges *gaps = &checker->gaps, *told = &checker->told;
	size_t i;

	for (i = 0; i < gaps->num || i < told->num; i++) {
		struct range gap = i < gaps->num ? gaps->range[i] :
						   (struct range){ ~0ULL, ~0ULL, 0 };
		struct range said = i < told->num ? told->range[i] :
						    (struct range){ ~0ULL, ~0ULL, 0 };

		if (gap.from == said.from && gap.to == said.to)
			continue;
		wrong(checker,
		      "%llu to %llu are missing, and told are %llu to %llu (%zu of %zu gaps, %zu told)",
		      (ull)gap.from, (ull)gap.to, (ull)said.from, (ull)said.to, i, gaps->num,
		      told->num);
		return;
	}
}

/* Whether all of a range is in a gap. */
static bool is_gap(const struct checker *checker, struct range range)
{
	size_t low = 0, high = checker->gaps.num;

	if (range.from < checker->start)
		range.from = checker->start;
	if (range.from >= range.to)
		return true;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (checker->gaps.range[middle].to < range.to)
			low = middle + 1;
		else
			high = middle;
	}
	return low < checker->gaps.num && checker->gaps.range[low].from <= range.from;
}

/* Nothing that was read is said to be lost. */
static void check_told(struct checker *checker)
{
	size_t i;

	for (i = 0; i < checker->told.num; i++)
		if (!is_gap(checker, checker->told.range[i]))
			wrong(checker, "recid %llu says that %llu to %llu are missing",
			      (ull)checker->told.range[i].by, (ull)checker->told.range[i].from,
			      (ull)checker->told.range[i].to);
}

void check_end(struct checker *checker, uint64_t end)
{
	if (checker->next > end)
		wrong(checker, "recid %llu, and %llu was to be the last", (ull)checker->next - 1,
		      (ull)end - 1);
	if (checker->next < end) {
		add_range(&checker->gaps, checker->next, end, 0);
		checker->lost += end - checker->next;
	}
	if (checker->read + checker->lost != end - checker->start)
		wrong(checker, "%llu read, %llu lost, of %llu", (ull)checker->read,
		      (ull)checker->lost, (ull)(end - checker->start));
	check_told(checker);
	unite(&checker->told, checker->start, end);
	compare(checker);
}

void free_checker(struct checker *checker)
{
	free(checker->gaps.range);
	free(checker->told.range);
}

/* Both modes */

#define RECID_MASK ((1U << LKST_RECORD_LAP_BITS) - 1)

static void hold(struct raw_stream *raw, const struct item *item)
{
	if (raw->held_num == raw->held_room) {
		raw->held_room = raw->held_room ? 2 * raw->held_room : 1024;
		raw->held = realloc(raw->held, raw->held_room * sizeof(*raw->held));
		if (!raw->held)
			bail_out("memory");
	}
	raw->held[raw->held_num++] = *item;
}

void flush_raw(struct checker *checker, struct raw_stream *raw)
{
	size_t i;

	for (i = 0; i < raw->held_num; i++)
		check_item(checker, &raw->held[i]);
	raw->held_num = 0;
}

/* What was held ends where the next record is @next. */
void settle_raw(struct checker *checker, struct raw_stream *raw, uint64_t next)
{
	uint64_t more = next - raw->next;
	size_t i;

	if (!raw->held_num || next < raw->next || more & RECID_MASK)
		return;
	for (i = 0; i < raw->held_num; i++)
		raw->held[i].recid += more;
	flush_raw(checker, raw);
	raw->next = next;
	raw->sure = true;
}

void check_std(struct checker *checker, struct raw_stream *raw,
	       const struct lkst_log_record *record)
{
	const struct posix_log_entry *posix = &record->posix;
	struct item item = { .recid = posix->log_recid,
			     .etype = posix->log_event_type,
			     .thread = posix->log_thread,
			     .arg = { record->log_arg1, record->log_arg2, record->log_arg3,
				      record->log_arg4 } };

	if (posix->log_magic != LKST_LOG_MAGIC || posix->log_format != LKST_LOG_FORMAT ||
	    posix->log_size != LKST_LOG_SIZE || posix->log_processor != checker->cpu ||
	    !posix->log_time.tv_sec)
		wrong(checker, "recid %llu: fixed values, CPU or time", (ull)item.recid);
	settle_raw(checker, raw, item.recid);
	flush_raw(checker, raw);
	check_item(checker, &item);
	raw->next = item.recid + 1;
	raw->sure = true;
}

/* LKST_BUFF_SHIFT is among the first records of its buffer, and tells the recid of the very first. */
static uint64_t shift_recid(const struct item *shift)
{
	return shift->arg[2] + ((shift->recid - shift->arg[2]) & RECID_MASK);
}

void check_raw(struct checker *checker, struct raw_stream *raw,
	       const struct lkst_event_record *record)
{
	unsigned int ahead = ((record->flags >> LKST_RECORD_LAP_SHIFT) - raw->next) & RECID_MASK;
	struct item item = { .recid = raw->next + ahead,
			     .etype = record->event_type,
			     .thread = record->thread,
			     .arg = { record->arg[0], record->arg[1], record->arg[2],
				      record->arg[3] } };

	if (!record->clock)
		wrong(checker, "recid %llu: clock 0", (ull)item.recid);
	/* Another gap, and the one before is still open: that was a short one. */
	if (ahead) {
		flush_raw(checker, raw);
		raw->sure = false;
	}
	if (!raw->sure) {
		hold(raw, &item);
		raw->next = item.recid + 1;
		if (item.etype == BUFF_SHIFT)
			settle_raw(checker, raw, shift_recid(&item) + 1);
		return;
	}
	check_item(checker, &item);
	raw->next = item.recid + 1;
}
