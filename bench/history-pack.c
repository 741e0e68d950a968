// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/history, runs on the host: history-pack RECORDS EVENTS
 *
 * RECORDS is a file of struct lkst_event_record. Compresses EVENTS of them, repeatedly if there are
 * fewer, in chunks as the kernel does, and prints the CPU time for a million events in ms.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "lib/device/run.h"
#include "lib/trace/format.h"
#include "lib/trace/pack.h"

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "history-pack: %s: %s\n", what, strerror(errno));
	exit(1);
}

static const struct lkst_event_record *load(const char *path, size_t *num)
{
	int fd = open(path, O_RDONLY);
	struct stat stat;
	void *bytes;

	if (fd < 0 || fstat(fd, &stat))
		die(path);
	*num = stat.st_size / sizeof(struct lkst_event_record);
	bytes = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (bytes == MAP_FAILED || *num < LKST_CHUNK_RECORDS)
		die(path);
	return bytes;
}

static double cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int argc, char **argv)
{
	const struct lkst_event_record *record;
	struct trace_packer packer;
	size_t num, chunks, at = 0;
	double begin;

	if (argc != 3) {
		fprintf(stderr, "usage: history-pack RECORDS EVENTS\n");
		return 2;
	}
	record = load(argv[1], &num);
	if (trace_packer_open(&packer, TRACE_PACK_FAST))
		die("memory");
	chunks = strtoul(argv[2], NULL, 0) / LKST_CHUNK_RECORDS;
	begin = cpu_ns();
	for (size_t i = 0; i < chunks; i++) {
		const struct lkst_run run = {
			.buffer = 1, .clock = LKST_CLOCK_TSC, .freq_khz = 2000000, .arch = "x86_64",
		};
		struct lkst_records_header header = trace_run_header(&run);

		header.count = LKST_CHUNK_RECORDS;
		header.first_recid = i * LKST_CHUNK_RECORDS;
		packer.len = 0;
		if (trace_pack(&packer, TRACE_RECORDS_RAW, &header, sizeof(header), &record[at],
			       LKST_CHUNK_RECORDS * sizeof(*record)))
			die("trace_pack");
		at += LKST_CHUNK_RECORDS;
		if (at + LKST_CHUNK_RECORDS > num)
			at = 0;
	}
	printf("%.1f\n", (cpu_ns() - begin) / 1e6 / (chunks * LKST_CHUNK_RECORDS) * 1e6);
	trace_packer_close(&packer);
	return 0;
}
