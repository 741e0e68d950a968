// SPDX-License-Identifier: GPL-2.0
/*
 * The log files that lkstlogd writes, read by other code than that of the tools.
 *
 *	logfiles check FILE...	prints a line for each file, CPU and writer of marks, with key=value pairs.
 *				Fails if a file is damaged, or if the files of a CPU do not together hold
 *				each recid from the first to the last once, but for what LOSS chunks tell
 *	logfiles killed FILE...	the same of what a killed daemon has written: the next one may not know
 *				of the last that it wrote, and write it again. That is no failure
 *	logfiles recids		prints for each CPU the lowest recid that a daemon which starts now can
 *				still read, and the one that the CPU's next record gets
 *
 * cpu=N first=A next=B records=R lost=L missing=M twice=T: recids A to B - 1; M of them are in no
 * file and not told as lost; T records are there again.
 * writer=W first=A next=B marks=N missing=M twice=T: of the marks of "load", likewise.
 */
#include <sys/sysinfo.h>

#include "logfiles.h"

unsigned long damages;

void damage(const char *path, const char *what, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", path);
	va_start(args, what);
	vfprintf(stderr, what, args);
	va_end(args);
	fputc('\n', stderr);
	damages++;
}

void add_range(struct ranges *ranges, uint64_t from, uint64_t to)
{
	struct range *last = ranges->num ? &ranges->range[ranges->num - 1] : NULL;

	if (last && last->to == from) {
		last->to = to;
		return;
	}
	if (ranges->num == ranges->room) {
		ranges->room = ranges->room ? 2 * ranges->room : 64;
		ranges->range = realloc(ranges->range, ranges->room * sizeof(*ranges->range));
		if (!ranges->range)
			bail_out("memory");
	}
	ranges->range[ranges->num++] = (struct range){ from, to };
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Sorts them, and makes one of neighbours. Returns how much is in more than one of them. */
uint64_t unite(struct ranges *ranges)
{
	uint64_t twice = 0;
	size_t i, num = 0;

	if (!ranges->num)
		return 0;
	qsort(ranges->range, ranges->num, sizeof(*ranges->range), compare_ranges);
	for (i = 1; i < ranges->num; i++) {
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

static void print_file(const struct log_file *file)
{
	printf("file=%s cpu=%d serial=%u limit=%llu bytes=%llu chunks=%llu records=%llu "
	       "compressed=%llu skipped=%llu first=%llu next=%llu closed=%d growing=%d cut=%d\n",
	       file->path, file->cpu, file->serial, (ull)file->limit, (ull)file->bytes,
	       (ull)file->chunks, (ull)file->records, (ull)file->compressed, (ull)file->skipped,
	       (ull)file->first, (ull)file->next, file->closed, file->growing, file->cut);
}

static int check(char **path, bool killed)
{
	static const struct log_sink sink = { .record = seen_record, .loss = seen_loss };

	for (; *path; path++) {
		struct log_file file = { .path = *path, .cpu = -1 };

		log_file_read(&file, &sink);
		print_file(&file);
	}
	report_seen(killed);
	return damages ? 1 : 0;
}

static uint64_t oldest_recid(const struct buffers *buffers)
{
	uint64_t oldest = UINT64_MAX;
	int i;

	for (i = 0; i < buffers->param.buffer_num; i++) {
		const struct lkst_buffer_listent *ent = &buffers->ent[i];
		uint64_t first = ent->first_recid + ent->overwritten;

		if (first < ent->baseid + ent->write_offset && first < oldest)
			oldest = first;
	}
	return oldest;
}

static int print_recids(void)
{
	struct buffers buffers;
	int cpu;

	open_lkst();
	for (cpu = 0; cpu < get_nprocs_conf(); cpu++) {
		list_buffers(&buffers, cpu);
		printf("cpu=%d oldest=%llu next=%llu\n", cpu, (ull)oldest_recid(&buffers),
		       (ull)cpu_recid(cpu));
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "check"))
		return check(argv + 2, false);
	if (argc > 2 && !strcmp(argv[1], "killed"))
		return check(argv + 2, true);
	if (argc == 3 && !strcmp(argv[1], "growing"))
		return log_file_grows(argv[2]) ? 0 : 1;
	if (argc == 2 && !strcmp(argv[1], "recids"))
		return print_recids();
	fprintf(stderr, "usage: logfiles check FILE... | killed FILE... | growing FILE | recids\n");
	return 2;
}
