// SPDX-License-Identifier: GPL-2.0
/* The limits that lkstlogd takes from the file system, and how long it says that files last. */
#include <string.h>
#include <sys/statvfs.h>

#include "logd.h"
#include "tap.h"

#define NUM(array) (sizeof(array) / sizeof(*(array)))
#define MB	   1048576ull
#define GB	   (1024 * MB)

/* ---- in the place of the system and the other parts of the daemon ---- */

static uint64_t size, avail, own;
static uint32_t rings;
static struct lkst_log_counts counts[2];
static int told;

int statvfs(const char *path, struct statvfs *st)
{
	(void)path;
	memset(st, 0, sizeof(*st));
	st->f_frsize = 4096;
	st->f_blocks = size / 4096;
	st->f_bavail = avail / 4096;
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
	told += strstr(format, "at the present rate") != NULL;
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
	memset(&logd, 0, sizeof(logd));
	settings.opt.limit = limit;
	settings.opt.total = total;
	logd.settings = &settings;
	logd.opt = &settings.opt;
	logd.names = 1;
}

static const struct {
	uint64_t size, avail, own;
	uint32_t rings;
	uint64_t limit, total; /* as given */
	uint64_t file, all; /* as they come out */
} cases[] = {
	/* a tenth, 4 GB at most; half of it for what is being written */
	{ 10 * GB, 8 * GB, 0, 4, 0, 0, 128 * MB, GB },
	{ 1000 * GB, 800 * GB, 0, 4, 0, 0, 512 * MB, 4 * GB },
	{ 1000 * GB, 800 * GB, 0, 64, 0, 0, 32 * MB, 4 * GB },
	/* what others need: 15 %, or 4 GB; what is the daemon's own already counts as free */
	{ 10 * GB, 2 * GB, 0, 1, 0, 0, 256 * MB, 512 * MB },
	{ 1000 * GB, 5 * GB, 0, 2, 0, 0, 256 * MB, GB },
	{ 1000 * GB, 4 * GB, 4 * GB, 2, 0, 0, GB, 4 * GB },
	/* never less than files must have, however full it is */
	{ 10 * GB, 0, 0, 4, 0, 0, 256 * 1024, MB },
	{ MB, MB, 0, 2, 0, 0, 256 * 1024, 512 * 1024 },
	/* the size is not known: as the specification has it */
	{ 0, 0, 0, 2, 0, 0, 10 * MB, 200 * MB },
	/* one is given, or both: it holds, whatever the file system */
	{ MB, 0, 0, 2, 10 * MB, 0, 10 * MB, 200 * MB },
	{ MB, 0, 0, 2, 0, 100 * MB, 25 * MB, 100 * MB },
	{ MB, 0, 0, 2, 0, MB, 256 * 1024, MB },
	{ MB, 0, 0, 2, 3 * MB, 50 * MB, 3 * MB, 50 * MB },
};

START_TEST(test_limits)
{
	size = cases[_i].size;
	avail = cases[_i].avail;
	own = cases[_i].own;
	rings = cases[_i].rings;
	begin(cases[_i].limit, cases[_i].total);
	logd_space_limits(&logd);
	ck_assert_uint_eq(logd.opt->limit, cases[_i].file);
	ck_assert_uint_eq(logd_total(&logd), cases[_i].all);
	/* A look at it changes nothing while the file system stays as it is. */
	logd.names = 1;
	logd_space_watch(&logd);
	ck_assert_uint_eq(logd_total(&logd), cases[_i].all);
	ck_assert_uint_eq(logd.names, 1);
}
END_TEST

/* As if the last look was long enough ago. */
static void look(int64_t ms)
{
	logd.space.last -= ms;
	if (logd.space.begin)
		logd.space.begin -= ms;
	logd_space_watch(&logd);
}

START_TEST(test_others)
{
	size = 10 * GB;
	avail = 8 * GB;
	own = 0;
	rings = 4;
	begin(0, 0);
	logd_space_limits(&logd);
	logd_space_watch(&logd);
	/* Others fill it: older files make room, but not those that are being written. */
	avail = 2200 * MB;
	look(1000);
	ck_assert_uint_eq(logd.opt->total, GB);
	look(10000);
	ck_assert_uint_eq(logd.opt->total, 664 * MB);
	ck_assert_uint_eq(logd.names, 0);
	avail = 0;
	look(10000);
	ck_assert_uint_eq(logd.opt->total, 512 * MB);
	ck_assert_uint_eq(logd.opt->limit, 128 * MB);
	avail = 8 * GB;
	look(10000);
	ck_assert_uint_eq(logd.opt->total, GB);
	/* A limit that was given is not shared. */
	begin(0, GB);
	logd_space_limits(&logd);
	avail = 0;
	logd_space_watch(&logd);
	look(10000);
	ck_assert_uint_eq(logd.opt->total, GB);
}
END_TEST

/* ---- time ---- */

/* Files that get so many events in a look, each of 10 bytes. */
static void record(struct logd_state *state, uint64_t first, uint64_t second)
{
	const uint64_t events[] = { first, second };

	for (int i = 0; i < 2; i++) {
		uint64_t room = logd.opt->limit / 10;

		counts[i].kept += events[i];
		if (counts[i].kept > room) {
			counts[i].rewound += counts[i].kept - room;
			counts[i].kept = room;
		}
		counts[i].bytes = counts[i].kept * 10;
		state->cpu[i].kept = counts[i].kept;
		state->cpu[i].rewound = counts[i].rewound;
	}
}

START_TEST(test_time)
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
	logd.want = true;
	/* What was there when writing began came at no rate. */
	record(&state.state, 500000, 0);
	logd_space_watch(&logd);
	ck_assert_uint_eq(logd.space.seconds, 0);
	/* 1048576 events at 100 a second of the busiest CPU, whichever that is */
	for (int i = 0; i < 5; i++) {
		record(&state.state, 100, 1000);
		look(10000);
		ck_assert_uint_ge(logd.space.seconds, 10000);
		ck_assert_uint_le(logd.space.seconds, 10500);
	}
	ck_assert_int_eq(told, 0);
	record(&state.state, 100, 1000);
	look(10000);
	ck_assert_int_eq(told, 1);
	/* Faster: within ten minutes the old rate is as good as forgotten. */
	for (int i = 0; i < 200; i++) {
		record(&state.state, 0, 10000);
		look(10000);
	}
	ck_assert_uint_ge(logd.space.seconds, 1000);
	ck_assert_uint_le(logd.space.seconds, 1150);
	ck_assert_uint_gt(counts[1].rewound, 0);
	ck_assert_int_eq(told, 1);
	/* While nothing is written nothing is learnt, and what comes first afterwards counts for nothing. */
	logd.want = false;
	record(&state.state, 0, 1000000);
	look(10000);
	logd.want = true;
	look(10000);
	ck_assert_uint_ge(logd.space.seconds, 1000);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("logd_space");
	TCase *tc = tcase_create("logd_space");

	tcase_add_loop_test(tc, test_limits, 0, NUM(cases));
	check_id(tc, test_others);
	check_id(tc, test_time);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return run_suite(suite());
}
