// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/logd, runs on the host: measures the CPU time for writing recorded events to a log
 * file.
 *
 *	logd-feed RECORDS ROOT DIRECTORY EVENTS LIMIT plain|zstd
 *
 * RECORDS is a file of struct lkst_event_record, and ROOT contains /proc of the machine that
 * recorded them. Prints the user time and the system time for each event in ns, and the bytes in
 * the file for each event.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "../tools/lkst/lib/device/run.h"
#include "../tools/lkst/lib/live/log.h"

#define RUN_RECORDS 16384 /* records that a read() of 1 MB returns */

static void __attribute__((noreturn)) die(const char *msg)
{
	fprintf(stderr, "logd-feed: %s: %s\n", msg, strerror(errno));
	exit(1);
}

static const struct lkst_event_record *load(const char *path, size_t *num)
{
	int fd = open(path, O_RDONLY);
	struct stat stat;
	void *bytes;

	if (fd < 0 || fstat(fd, &stat))
		die(path);
	bytes = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (bytes == MAP_FAILED)
		die(path);
	*num = stat.st_size / sizeof(struct lkst_event_record);
	return bytes;
}

static void stop(const struct lkst_error *err)
{
	fprintf(stderr, "logd-feed: %s\n", err->text);
	exit(1);
}

static double used_ns(const struct timeval *time)
{
	return time->tv_sec * 1e9 + time->tv_usec * 1e3;
}

/* Writes @events events: the same records repeatedly, with consecutive recids. */
static uint64_t feed(struct lkst_log *log, const struct lkst_event_record *record, size_t num,
		     uint64_t events)
{
	struct lkst_run run = {
		.buffer = 1, .clock = LKST_CLOCK_TSC, .freq_khz = 2000000, .arch = "x86_64"
	};
	struct lkst_error err;
	uint64_t done = 0;
	size_t at = 0;

	while (done < events) {
		run.num = num - at < RUN_RECORDS ? num - at : RUN_RECORDS;
		run.first_recid = done;
		run.record = &record[at];
		if (lkst_log_write(log, &run, &err))
			stop(&err);
		done += run.num;
		at = (at + run.num) % num;
	}
	return done;
}

int main(int argc, char **argv)
{
	const struct lkst_event_record *record;
	struct lkst_log_options opt = {};
	struct lkst_log_counts counts;
	struct rusage before, after;
	struct lkst_error err;
	struct lkst_log *log;
	uint64_t events;
	size_t num;
	int dir;

	if (argc != 7) {
		fprintf(stderr,
			"usage: logd-feed RECORDS ROOT DIRECTORY EVENTS LIMIT plain|zstd\n");
		return 2;
	}
	record = load(argv[1], &num);
	dir = open(argv[3], O_RDONLY | O_DIRECTORY);
	opt.limit = strtoull(argv[5], NULL, 0);
	opt.compress = !strcmp(argv[6], "zstd");
	opt.root = argv[2];
	if (asprintf((char **)&opt.etypes_path, "%s/proc/lkst_etypes", argv[2]) < 0)
		die("memory");
	log = lkst_log_create(dir, "feed", &opt, &err);
	if (!log)
		stop(&err);
	getrusage(RUSAGE_SELF, &before);
	events = feed(log, record, num, strtoull(argv[4], NULL, 0));
	lkst_log_counts(log, &counts);
	if (lkst_log_close(log, &err))
		stop(&err);
	getrusage(RUSAGE_SELF, &after);
	printf("%.1f %.1f %.1f\n", (used_ns(&after.ru_utime) - used_ns(&before.ru_utime)) / events,
	       (used_ns(&after.ru_stime) - used_ns(&before.ru_stime)) / events,
	       (double)counts.bytes / counts.kept);
	return 0;
}
