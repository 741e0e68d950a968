// SPDX-License-Identifier: LGPL-2.1
/*
 * Determines for which times a trace has all records. Only for these times, the name of a descriptor
 * is certain: otherwise, the record of an open() or close() may be missing. A recid is the number of
 * an event: each CPU numbers its events from 0.
 */
#include <stdlib.h>

#include "files.h"
#include "files_table.h"

/**
 * lkst_files_break() - report that records may be missing
 * @files: tables
 * @from_ns: time of the last record before them; INT64_MIN: none
 * @to_ns: time of the first record after them; INT64_MAX: none
 *
 * If there are very many breaks, the last ones are merged into one long break.
 *
 * Return: -1 if an allocation fails.
 */
int lkst_files_break(struct lkst_files *files, int64_t from_ns, int64_t to_ns)
{
	const uint64_t offset = (uint64_t)files->offset_ns;
	const struct files_break gap = {
		from_ns == INT64_MIN ? from_ns : (int64_t)((uint64_t)from_ns - offset),
		to_ns == INT64_MAX ? to_ns : (int64_t)((uint64_t)to_ns - offset),
	};

	if (files->gaps == FILES_BREAKS_MAX) {
		struct files_break *last = &files->gap[files->gaps - 1];

		last->from = gap.from < last->from ? gap.from : last->from;
		last->to = gap.to > last->to ? gap.to : last->to;
		return 0;
	}
	if (files->gaps == files->gaps_room) {
		size_t room = files->gaps_room ? files->gaps_room * 2 : 64;
		struct files_break *grown = realloc(files->gap, room * sizeof(*grown));

		if (!grown)
			return -1;
		files->gap = grown;
		files->gaps_room = room;
	}
	files->gap[files->gaps++] = gap;
	return 0;
}

/**
 * lkst_files_lane() - report up to which recid the trace has the records of a CPU
 * @files: tables
 * @cpu: CPU
 * @next_recid: recid after its last record
 * @latest_ns: time of its latest record
 *
 * Return: -1 if an allocation fails.
 */
int lkst_files_lane(struct lkst_files *files, int32_t cpu, uint64_t next_recid, int64_t latest_ns)
{
	struct files_lane *grown = realloc(files->lane, (files->lanes + 1) * sizeof(*grown));

	if (!grown)
		return -1;
	files->lane = grown;
	grown[files->lanes++] =
		(struct files_lane){ cpu, next_recid,
				     (int64_t)((uint64_t)latest_ns - (uint64_t)files->offset_ns) };
	return 0;
}

static int files_cover_compare(const void *pa, const void *pb)
{
	const struct files_break *a = pa, *b = pb;

	return a->from < b->from ? -1 : a->from > b->from;
}

static int files_cover_by_cpu(const void *pa, const void *pb)
{
	const struct files_lane *a = pa, *b = pb;

	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

/*
 * Return whether the trace has the records of a CPU up to a recid. If lkst_files_lane() was called
 * several times for the CPU, its recids are from several runs of LKST, so the answer is unknown,
 * and this returns false.
 */
static bool files_cover_has(const struct lkst_files *files, const struct files_cpu *cpu)
{
	const struct files_lane key = { .cpu = cpu->cpu };
	const struct files_lane *lane = files->lanes ? bsearch(&key, files->lane, files->lanes,
							       sizeof(key), files_cover_by_cpu) :
						       NULL;

	if (!cpu->recid || !lane)
		return !cpu->recid;
	if ((lane > files->lane && lane[-1].cpu == cpu->cpu) ||
	    (lane + 1 < files->lane + files->lanes && lane[1].cpu == cpu->cpu))
		return false;
	return lane->next_recid >= cpu->recid;
}

static void files_cover_tables(struct lkst_files *files)
{
	if (files->lanes)
		qsort(files->lane, files->lanes, sizeof(*files->lane), files_cover_by_cpu);
	for (struct files_table *table = files->tables; table; table = table->next) {
		table->reached = table->cpus && !files->partial;
		for (size_t i = 0; i < table->cpus && table->reached; i++)
			table->reached = files_cover_has(files, &table->cpu[i]);
	}
}

static void files_cover_never(struct files_process *process)
{
	process->covered = (struct files_interval){ FILES_NEVER, INT64_MIN };
}

/*
 * Limit the time in which the names of a process can be used. The breaks are sorted by their
 * beginning, and @to of each break is the latest end of this break and of all breaks before it.
 */
static void files_cover_breaks(const struct lkst_files *files, struct files_process *process)
{
	struct files_interval *covered = &process->covered;
	size_t low = 0, high = files->gaps;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (files->gap[mid].from <= process->end)
			low = mid + 1;
		else
			high = mid;
	}
	if (low && files->gap[low - 1].to >= process->begin)
		files_cover_never(process);
	else if (low && files->gap[low - 1].to > covered->since)
		covered->since = files->gap[low - 1].to;
	if (low < files->gaps && files->gap[low].from < covered->until)
		covered->until = files->gap[low].from;
}

/**
 * lkst_files_finalize() - determine when each name is valid
 * @files: tables, after the last lkst_files_observe(), lkst_files_break() and lkst_files_lane()
 */
void lkst_files_finalize(struct lkst_files *files)
{
	int64_t latest = files->lanes ? INT64_MAX : INT64_MIN;

	files_cover_tables(files);
	if (files->gaps)
		qsort(files->gap, files->gaps, sizeof(*files->gap), files_cover_compare);
	for (size_t i = 1; i < files->gaps; i++)
		if (files->gap[i].to < files->gap[i - 1].to)
			files->gap[i].to = files->gap[i - 1].to;
	for (size_t i = 0; i < files->lanes; i++)
		if (files->lane[i].latest < latest)
			latest = files->lane[i].latest;
	for (size_t i = 0; i < files->num; i++) {
		struct files_process *process = &files->process[i];
		int64_t end = latest > process->end ? latest : process->end;

		if (process->fixed)
			continue;
		if (process->covered.until > end)
			process->covered.until = end;
		if (process->table->reached)
			files_cover_breaks(files, process);
		else
			files_cover_never(process);
	}
}
