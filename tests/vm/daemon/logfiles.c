// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the log files of lkstlogd. It has its own reader, so that it finds errors in the reader
 * that the tools share. It calls the tools' library only to compute checksums and to convert
 * columns.
 *
 *	logfiles check FILE...	prints a line of key=value pairs for each file, CPU and writer of
 *				marks. Fails if a file is damaged, or if the files of a CPU do not
 *				hold each recid from the first to the last exactly once, apart from
 *				the recids in LOSS chunks.
 *	logfiles killed FILE...	the same for files of a daemon that was killed. Repeated recids are
 *				not an error there, because the next daemon may write the last
 *				records of the killed daemon again.
 *	logfiles growing FILE	succeeds if the writer of the file still holds its lock on it
 *	logfiles recids		prints for each CPU the lowest recid that a new daemon can still
 *				read, and the recid of the next record
 *
 * "cpu=N first=A next=B records=R lost=L missing=M twice=T" means that the files of CPU N hold R of
 * the recids A to B - 1. They report L as lost, M are neither in a file nor reported as lost, and T
 * are repeated. "writer=W first=A next=B marks=R lost=L missing=M twice=T" is the same for the
 * marks of writer W of "load".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "lib/lkst.h"
#include "logfiles.h"

unsigned long damages;

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
	for (; *path; path++) {
		struct log_file file = { .path = *path, .cpu = -1 };

		log_file_read(&file);
		print_file(&file);
	}
	report_seen(killed);
	return damages ? 1 : 0;
}

static uint64_t oldest_recid(const struct buffers *buffers)
{
	uint64_t oldest = UINT64_MAX;

	for (int i = 0; i < buffers->param.buffer_num; i++) {
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

	open_lkst();
	for (int cpu = 0; cpu < get_nprocs_conf(); cpu++) {
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
