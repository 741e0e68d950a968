// SPDX-License-Identifier: GPL-2.0
/* Collects the contents of all files: the recids of each CPU, and the marks of each writer. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/lkst.h"
#include "logfiles.h"
#include "marks.h"

/* A range of recids or mark numbers, from @from up to but not including @to. */
struct range {
	uint64_t from, to;
};

struct ranges {
	struct range *range;
	size_t num, room;
};

static struct {
	struct ranges seen, lost;
} cpus[CPUS_MAX];

static struct ranges marks[MARK_WRITERS];

static void add_range(struct ranges *ranges, uint64_t from, uint64_t to)
{
	struct range *last = ranges->num ? &ranges->range[ranges->num - 1] : NULL;

	if (last && last->to == from) {
		last->to = to;
		return;
	}
	if (ranges->num == ranges->room) {
		ranges->room = ranges->room ? 2 * ranges->room : 64;
		ranges->range = realloc(ranges->range, ranges->room * sizeof(*ranges->range));
		bail_if(!ranges->range, "memory");
	}
	ranges->range[ranges->num++] = (struct range){ from, to };
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Sort the ranges, and join neighbours. Returns how many numbers were in more than one of them. */
static uint64_t unite(struct ranges *ranges)
{
	uint64_t twice = 0;
	size_t num = 0;

	if (!ranges->num)
		return 0;
	qsort(ranges->range, ranges->num, sizeof(*ranges->range), compare_ranges);
	for (size_t i = 1; i < ranges->num; i++) {
		struct range *last = &ranges->range[num], range = ranges->range[i];

		if (range.from > last->to) {
			ranges->range[++num] = range;
			continue;
		}
		twice += (range.to < last->to ? range.to : last->to) - range.from;
		if (range.to > last->to)
			last->to = range.to;
	}
	ranges->num = num + 1;
	return twice;
}

static void seen_mark(int cpu, uint64_t recid, const struct lkst_event_record *record)
{
	uint64_t number = mark_number(record->arg[0]);

	/* Skip a mark that "load" has not recorded. Such a mark has at most one argument. */
	if (!record->arg[1] && !record->arg[2] && !record->arg[3])
		return;
	if (mark_is_whole(record->arg))
		add_range(&marks[mark_writer(record->arg[0])], number, number + 1);
	else
		damage("marks", "CPU %d recid %llu: %#llx is corrupt", cpu, (ull)recid,
		       (ull)record->arg[0]);
}

void seen_record(int cpu, uint64_t recid, const struct lkst_event_record *record)
{
	add_range(&cpus[cpu].seen, recid, recid + 1);
	if (record->event_type == USER_MARK)
		seen_mark(cpu, recid, record);
}

void seen_loss(int cpu, uint64_t first, uint64_t num)
{
	add_range(&cpus[cpu].lost, first, first + num);
}

static uint64_t sum(const struct ranges *ranges)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ranges->num; i++)
		sum += ranges->range[i].to - ranges->range[i].from;
	return sum;
}

/* Add to @ranges the numbers in @lost from @first up to but not including @next. */
static void add_lost(struct ranges *ranges, const struct ranges *lost, uint64_t first, uint64_t next)
{
	for (size_t i = 0; i < lost->num; i++) {
		uint64_t from = lost->range[i].from > first ? lost->range[i].from : first;
		uint64_t to = lost->range[i].to < next ? lost->range[i].to : next;

		if (from < to)
			add_range(ranges, from, to);
	}
}

/*
 * Print a line that begins with @name and describes @seen and @lost. Return how many numbers are in
 * neither of them, plus, unless @again is set, how many are repeated. Changes @seen.
 */
static uint64_t report(const char *name, const char *unit, struct ranges *seen,
		       const struct ranges *lost, bool again)
{
	uint64_t twice, present, known, first, next;

	if (!seen->num)
		return 0;
	twice = unite(seen);
	present = sum(seen);
	first = seen->range[0].from;
	next = seen->range[seen->num - 1].to;
	add_lost(seen, lost, first, next);
	unite(seen);
	known = sum(seen);
	for (size_t i = 1; i < seen->num; i++)
		fprintf(stderr, "%s: %llu to %llu are missing\n", name,
			(ull)seen->range[i - 1].to, (ull)seen->range[i].from - 1);
	printf("%s first=%llu next=%llu %s=%llu lost=%llu missing=%llu twice=%llu\n", name,
	       (ull)first, (ull)next, unit, (ull)present, (ull)(known - present),
	       (ull)(next - first - known), (ull)twice);
	return next - first - known + (again ? 0 : twice);
}

/*
 * Print which records of each CPU and which marks of each writer the files contain. A recid that is
 * neither present nor reported as lost counts as damage, and so does a repeated one unless @killed
 * is set. A missing mark does not: its record may be among the lost ones.
 */
void report_seen(bool killed)
{
	struct ranges none = {};
	char name[32];

	for (unsigned int i = 0; i < CPUS_MAX; i++) {
		snprintf(name, sizeof(name), "cpu=%u", i);
		if (report(name, "records", &cpus[i].seen, &cpus[i].lost, killed))
			damages++;
	}
	for (unsigned int i = 0; i < MARK_WRITERS; i++) {
		snprintf(name, sizeof(name), "writer=%u", i);
		report(name, "marks", &marks[i], &none, killed);
	}
}
