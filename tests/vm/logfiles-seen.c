// SPDX-License-Identifier: GPL-2.0
/* What all files hold together: recids of each CPU, marks of each writer. */
#include "logfiles.h"
#include "marks.h"

static struct {
	struct ranges seen, lost;
} cpus[CPUS_MAX];

static struct ranges marks[MARK_WRITERS];

static void seen_mark(int cpu, uint64_t recid, const struct lkst_event_record *record)
{
	uint64_t number = mark_number(record->arg[0]);

	/* Not one of "load". */
	if (!record->arg[1] && !record->arg[2] && !record->arg[3])
		return;
	if (!mark_is_whole(record->arg)) {
		fprintf(stderr, "CPU %d recid %llu: the mark %#llx is torn\n", cpu, (ull)recid,
			(ull)record->arg[0]);
		damages++;
		return;
	}
	add_range(&marks[mark_writer(record->arg[0])], number, number + 1);
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
	size_t i;

	for (i = 0; i < ranges->num; i++)
		sum += ranges->range[i].to - ranges->range[i].from;
	return sum;
}

/* Of what is in @lost, how much lies in [@from, @to). */
static uint64_t covered(const struct ranges *lost, uint64_t from, uint64_t to)
{
	uint64_t covered = 0;
	size_t i;

	for (i = 0; i < lost->num; i++) {
		uint64_t begin = lost->range[i].from > from ? lost->range[i].from : from;
		uint64_t end = lost->range[i].to < to ? lost->range[i].to : to;

		if (begin < end)
			covered += end - begin;
	}
	return covered;
}

/* What lies between neighbours of @seen and is not in @lost; @told: what is. */
static uint64_t between(const char *what, const struct ranges *seen, const struct ranges *lost,
			uint64_t *told)
{
	uint64_t missing = 0;
	size_t i;

	*told = 0;
	for (i = 1; i < seen->num; i++) {
		uint64_t from = seen->range[i - 1].to, to = seen->range[i].from;
		uint64_t here = covered(lost, from, to);

		*told += here;
		missing += to - from - here;
		if (to - from > here)
			fprintf(stderr, "%s: %llu to %llu are missing\n", what, (ull)from,
				(ull)to - 1);
	}
	return missing;
}

/* Prints a line that begins with @what. Returns how many are missing, or there again unless that may be. */
static uint64_t report(const char *what, const char *unit, struct ranges *seen, struct ranges *lost,
		       bool again)
{
	uint64_t twice, missing, told;

	if (!seen->num)
		return 0;
	twice = unite(seen);
	unite(lost);
	missing = between(what, seen, lost, &told);
	printf("%s first=%llu next=%llu %s=%llu lost=%llu missing=%llu twice=%llu\n", what,
	       (ull)seen->range[0].from, (ull)seen->range[seen->num - 1].to, unit, (ull)sum(seen),
	       (ull)told, (ull)missing, (ull)twice);
	return missing + (again ? 0 : twice);
}

/* Marks may be missing, where records are lost. @killed: records may be there again. */
void report_seen(bool killed)
{
	struct ranges none = {};
	unsigned int i;
	char what[32];

	for (i = 0; i < CPUS_MAX; i++) {
		snprintf(what, sizeof(what), "cpu=%u", i);
		if (report(what, "records", &cpus[i].seen, &cpus[i].lost, killed))
			damages++;
	}
	for (i = 0; i < MARK_WRITERS; i++) {
		snprintf(what, sizeof(what), "writer=%u", i);
		report(what, "marks", &marks[i], &none, killed);
	}
}
