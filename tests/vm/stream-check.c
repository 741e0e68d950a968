// SPDX-License-Identifier: GPL-2.0
/*
 * Is a stream of records what it must be? It is all recids from the first to the end, but for
 * exactly those that LKST_BUFF_OVFLOW says are lost, in order and each of them once. Each writer's
 * marks are whole, in order, and missing only where something is lost.
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

/* Room for one more at the end of an array. */
static void *grow(void *array, size_t num, size_t *room, size_t size)
{
	if (num < *room)
		return array;
	*room = *room ? 2 * *room : 64;
	array = realloc(array, *room * size);
	if (!array)
		bail_out("memory");
	return array;
}

/* As they come */

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

static unsigned int mark_writer(uint64_t mark)
{
	return mark >> 56;
}

static uint64_t mark_number(uint64_t mark)
{
	return mark & ~(0xffULL << 56);
}

static void check_whole(struct checker *checker, uint64_t recid, uint32_t thread,
			const uint64_t arg[4])
{
	unsigned int writer = mark_writer(arg[0]);
	uint64_t args[4];

	fill_mark(args, writer, mark_number(arg[0]));
	if (writer >= WRITERS || memcmp(args, arg, sizeof(args)) ||
	    thread != (uint32_t)checker->tid[writer])
		wrong(checker, "record %zu, recid %llu, is torn: thread %u, mark %#llx",
		      checker->num, (ull)recid, thread, (ull)arg[0]);
}

static void add_range(struct ranges *ranges, struct range range)
{
	ranges->range = grow(ranges->range, ranges->num, &ranges->room, sizeof(*ranges->range));
	ranges->range[ranges->num++] = range;
}

/* As many losses are told one by one; then the last two are joined (LKST_LOSSES). */
#define LONG_LIST 15

/*
 * When a list turns out to be even longer, the entry that was the last so far is not. What was
 * joined once stays joined when the list gets shorter.
 */
static void check_told(struct checker *checker, struct range range)
{
	struct ranges *told = &checker->told, *loose = &checker->loose;

	if (++checker->run > LONG_LIST)
		add_range(told, loose->range[--loose->num]);
	if (checker->run >= LONG_LIST)
		checker->joined = range.from;
	add_range(range.from == checker->joined ? loose : told, range);
}

static void check_record(struct checker *checker, uint64_t recid, bool raw, unsigned int etype,
			 uint32_t thread, const uint64_t arg[4])
{
	uint64_t mark = 0;

	if (etype == USER_MARK) {
		check_whole(checker, recid, thread, arg);
		mark = arg[0];
	}
	if (etype == BUFF_OVFLOW && arg[1])
		check_told(checker, (struct range){ arg[2], arg[2] + arg[1] });
	else
		checker->run = 0;
	checker->seen = grow(checker->seen, checker->num, &checker->room, sizeof(*checker->seen));
	checker->seen[checker->num++] = (struct seen){ recid, mark, raw };
}

void check_std(struct checker *checker, const struct lkst_log_record *record)
{
	const struct posix_log_entry *posix = &record->posix;
	uint64_t arg[4] = { record->log_arg1, record->log_arg2, record->log_arg3,
			    record->log_arg4 };

	if (posix->log_magic != LKST_LOG_MAGIC || posix->log_format != LKST_LOG_FORMAT ||
	    posix->log_size != LKST_LOG_SIZE || posix->log_processor != checker->cpu ||
	    !posix->log_time.tv_sec)
		wrong(checker, "recid %llu: fixed values, CPU or time", (ull)posix->log_recid);
	checker->next = posix->log_recid + 1;
	check_record(checker, posix->log_recid, false, posix->log_event_type, posix->log_thread,
		     arg);
}

void check_raw(struct checker *checker, const struct lkst_event_record *record)
{
	uint64_t arg[4] = { record->arg[0], record->arg[1], record->arg[2], record->arg[3] };

	if (!record->clock)
		wrong(checker, "record %zu: clock 0", checker->num);
	check_record(checker, record->flags >> LKST_RECORD_LAP_SHIFT, true, record->event_type,
		     record->thread, arg);
}

/* When all are there */

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

static void check_mark(struct checker *checker, uint64_t mark, uint64_t recid)
{
	unsigned int writer = mark_writer(mark);
	uint64_t number = mark_number(mark), missing = number - checker->last[writer] - 1;

	checker->marks++;
	if (number <= checker->last[writer])
		wrong(checker, "recid %llu: writer %u's mark %llu after %llu", (ull)recid, writer,
		      (ull)number, (ull)checker->last[writer]);
	else if (writer < CPUS && checker->last[writer] &&
		 missing > checker->lost - checker->last_lost[writer])
		wrong(checker,
		      "recid %llu: %llu of writer %u's marks are missing, and %llu records",
		      (ull)recid, (ull)missing, writer,
		      (ull)(checker->lost - checker->last_lost[writer]));
	if (writer >= CPUS && number < checker->moving_num && checker->moving[number]++)
		wrong(checker, "recid %llu: mark %llu twice", (ull)recid, (ull)number);
	checker->last[writer] = number;
	checker->last_lost[writer] = checker->lost;
}

#define RECID_MASK ((1U << LKST_RECORD_LAP_BITS) - 1)

/* The recid of a record, which is not before @recid. */
static uint64_t recid_from(const struct seen *seen, uint64_t recid)
{
	return seen->raw ? recid + ((seen->recid - recid) & RECID_MASK) : seen->recid;
}

/* The first range that does not end before @recid. */
static const struct range *range_at(const struct ranges *ranges, uint64_t recid)
{
	size_t low = 0, high = ranges->num;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (ranges->range[middle].to <= recid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ranges->num ? &ranges->range[low] : NULL;
}

/* What is told for sure is passed over; returns the recid that comes then. */
static uint64_t pass_told(struct checker *checker, uint64_t recid)
{
	const struct range *range = range_at(&checker->told, recid);

	if (!range || range->from > recid)
		return recid;
	checker->lost += range->to - recid;
	return range->to;
}

/* As far as @to, if all between is told, for sure or not. */
static bool pass_loose(struct checker *checker, uint64_t recid, uint64_t to)
{
	const struct range *range = range_at(&checker->loose, recid);

	if (to < recid || !range || range->from > recid || range->to < to)
		return false;
	checker->lost += to - recid;
	checker->loosely += to - recid;
	return true;
}

void check_end(struct checker *checker, uint64_t end)
{
	uint64_t start = checker->num ? checker->seen[0].recid : end, recid = start, to;
	size_t i;

	unite(&checker->told, start, end);
	for (i = 0; i < checker->told.num; i++)
		add_range(&checker->loose, checker->told.range[i]);
	unite(&checker->loose, start, end);
	for (i = 0; i < checker->num; i++, recid++) {
		const struct seen *seen = &checker->seen[i];

		recid = pass_told(checker, recid);
		to = recid_from(seen, recid);
		if (to != recid && !pass_loose(checker, recid, to)) {
			wrong(checker, "record %zu of %zu, %s, is recid %llu; it was to be %llu", i,
			      checker->num, seen->raw ? "RAW" : "STD", (ull)seen->recid,
			      (ull)recid);
			return;
		}
		recid = to;
		if (seen->mark)
			check_mark(checker, seen->mark, recid);
	}
	recid = pass_told(checker, recid);
	if (recid != end && !pass_loose(checker, recid, end))
		wrong(checker, "it ends before %llu; it was to end before %llu", (ull)recid,
		      (ull)end);
}

void free_checker(struct checker *checker)
{
	free(checker->seen);
	free(checker->told.range);
	free(checker->loose.range);
}
