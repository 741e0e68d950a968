// SPDX-License-Identifier: GPL-2.0
/*
 * The limits that lkstlogd derives from the file system, and its estimate of how much time its
 * files cover.
 */
#include <sys/statvfs.h>

#include "cli/logd_options.h"
#include "lib/live/log.h"
#include "lkstlogd/logd.h"
#include "lkstlogd/space.h"
#include "lkstlogd/state.h"
#include "tap.h"

#define MB	   1048576ull
#define GB	   (1024 * MB)

/* ---- stubs for the system and the rest of the daemon ---- */

static uint64_t size, avail, own;
static uint32_t rings;
static struct lkst_log_counts counts[2];
static int reported;

int statvfs(const char *path, struct statvfs *st)
{
	(void)path;
	*st = (struct statvfs){ .f_frsize = 1, .f_blocks = size, .f_bavail = avail };
	return 0;
}

uint64_t logd_files_bytes(const struct logd_files *files)
{
	(void)files;
	return own;
}

uint32_t logd_rings(const struct logd *logd)
{
	(void)logd;
	return rings;
}

uint64_t logd_total(const struct logd *logd)
{
	return logd->opt->total ? logd->opt->total :
				  logd->opt->limit * LOGD_TOTAL_FILES * logd_rings(logd);
}

void logd_report(int priority, const char *format, ...)
{
	(void)priority;
	reported += strstr(format, "at the present rate") != NULL;
}

void lkst_log_counts(const struct lkst_log *log, struct lkst_log_counts *to)
{
	*to = *(const struct lkst_log_counts *)(const void *)log;
}

/* ---- limits ---- */

static struct logd_settings settings;
static struct logd logd;

static void begin(uint64_t limit, uint64_t total)
{
	settings.opt.limit = limit;
	settings.opt.total = total;
	logd = (struct logd){ .settings = &settings, .opt = &settings.opt, .names = 1 };
}

static const struct {
	uint64_t size, avail, own;
	uint32_t rings;
	uint64_t limit, total; /* limits in the options, for a file and for all files; 0: not set */
	uint64_t file, all; /* resulting limits, for a file and for all files */
} cases[] = {
	/*
	 * All files together may use a tenth of the file system, at most 4 GB. The current files
	 * of all CPUs together may use half of that.
	 */
	{ 10 * GB, 8 * GB, 0, 4, 0, 0, 128 * MB, GB },
	{ 1000 * GB, 800 * GB, 0, 4, 0, 0, 512 * MB, 4 * GB },
	{ 1000 * GB, 800 * GB, 0, 64, 0, 0, 32 * MB, 4 * GB },
	/* 15 % of the file system, at most 4 GB, stays free; the daemon's own files count as free */
	{ 10 * GB, 2 * GB, 0, 1, 0, 0, 256 * MB, 512 * MB },
	{ 1000 * GB, 5 * GB, 0, 2, 0, 0, 256 * MB, GB },
	{ 1000 * GB, 4 * GB, 4 * GB, 2, 0, 0, GB, 4 * GB },
	/* the limit of a file is at least 256 KB, however full the file system is */
	{ 10 * GB, 0, 0, 4, 0, 0, 256 * 1024, MB },
	{ MB, MB, 0, 2, 0, 0, 256 * 1024, 512 * 1024 },
	/* a file system of unknown size: the default limit of the LKST 2.01 specification */
	{ 0, 0, 0, 2, 0, 0, 10 * MB, 200 * MB },
	/* limits in the options take precedence over the size of the file system */
	{ MB, 0, 0, 2, 10 * MB, 0, 10 * MB, 200 * MB },
	{ MB, 0, 0, 2, 0, 100 * MB, 25 * MB, 100 * MB },
	{ MB, 0, 0, 2, 0, MB, 256 * 1024, MB },
	{ MB, 0, 0, 2, 3 * MB, 50 * MB, 3 * MB, 50 * MB },
};

TEST_EACH(test_limits, cases)
{
	size = cases[_i].size;
	avail = cases[_i].avail;
	own = cases[_i].own;
	rings = cases[_i].rings;
	begin(cases[_i].limit, cases[_i].total);
	logd_space_limits(&logd);
	ck_assert_uint_eq(logd.opt->limit, cases[_i].file);
	ck_assert_uint_eq(logd_total(&logd), cases[_i].all);
	/* Another check changes nothing while the file system has not changed. */
	logd.names = 1;
	logd_space_watch(&logd);
	ck_assert_uint_eq(logd_total(&logd), cases[_i].all);
	ck_assert_uint_eq(logd.names, 1);
}

/* Pretend that the last check was @ms milliseconds earlier, and check again. */
static void check(int64_t ms)
{
	logd.space.last -= ms;
	if (logd.space.begin)
		logd.space.begin -= ms;
	logd_space_watch(&logd);
}

/* Check again after @ms ms, with @now bytes available. The limit of all files must be @total. */
static void check_total(uint64_t now, int64_t ms, uint64_t total)
{
	avail = now;
	check(ms);
	ck_assert_uint_eq(logd.opt->total, total);
}

/* When other programs fill the file system, older files are deleted, but not the current ones. */
TEST(test_others)
{
	size = 10 * GB;
	avail = 8 * GB;
	own = 0;
	rings = 4;
	begin(0, 0);
	logd_space_limits(&logd);
	logd_space_watch(&logd);
	check_total(2200 * MB, 1000, GB);
	check_total(2200 * MB, 10000, 664 * MB);
	ck_assert_uint_eq(logd.names, 0);
	check_total(0, 10000, 512 * MB);
	ck_assert_uint_eq(logd.opt->limit, 128 * MB);
	check_total(8 * GB, 10000, GB);
	/* An explicit limit does not change, even if other programs fill the file system. */
	begin(0, GB);
	logd_space_limits(&logd);
	logd_space_watch(&logd);
	check_total(0, 10000, GB);
}

/* ---- how much time the files cover ---- */

/*
 * Pretend that since the last check, 10 seconds ago, CPU 0 has written @first events and CPU 1
 * @second events, of 10 bytes each. Check again.
 */
static void record(struct logd_state *state, uint64_t first, uint64_t second)
{
	const uint64_t events[] = { first, second }, room = logd.opt->limit / 10;

	for (int i = 0; i < 2; i++) {
		counts[i].kept += events[i];
		if (counts[i].kept > room) {
			counts[i].rewound += counts[i].kept - room;
			counts[i].kept = room;
		}
		counts[i].bytes = counts[i].kept * 10;
		state->cpu[i].kept = counts[i].kept;
		state->cpu[i].rewound = counts[i].rewound;
	}
	check(10000);
}

static void check_seconds(uint64_t least, uint64_t most)
{
	ck_assert_uint_ge(logd.space.seconds, least);
	ck_assert_uint_le(logd.space.seconds, most);
}

TEST(test_time)
{
	static struct {
		struct logd_state state;
		struct logd_cpu cpu[2];
	} state;
	struct logd_writer writer[2] = { { .cpu = 0, .log = (void *)&counts[0] },
					 { .cpu = 1, .log = (void *)&counts[1] } };
	struct logd_rate rate[2] = { { 0 }, { 0 } };

	size = 0;
	rings = 2;
	begin(10 * MB, 0);
	logd.cpus = 2;
	logd.state = &state.state;
	logd.writer = writer;
	logd.space.rate = rate;
	logd.enabled = true;
	/* Events that were written before the first check do not count towards the rate. */
	record(&state.state, 500000, 0);
	check_seconds(0, 0);
	/*
	 * The CPU with the highest rate determines the estimate. CPU 1 records 100 events per
	 * second, and its file has room for 1048576 events.
	 */
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(reported, 0);
		record(&state.state, 100, 1000);
		check_seconds(10000, 10500);
	}
	ck_assert_int_eq(reported, 1);
	/* After half an hour at ten times the rate, the old rate hardly counts. */
	for (int i = 0; i < 200; i++)
		record(&state.state, 0, 10000);
	check_seconds(1000, 1150);
	ck_assert_uint_gt(counts[1].rewound, 0);
	ck_assert_int_eq(reported, 1);
	/* Neither a pause in writing nor the events recorded during the pause change the rate. */
	logd.enabled = false;
	record(&state.state, 0, 1000000);
	logd.enabled = true;
	check(10000);
	ck_assert_uint_ge(logd.space.seconds, 1000);
}
