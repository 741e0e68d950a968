// SPDX-License-Identifier: GPL-2.0
/*
 * How much log files may take where nobody has said it: a share of their file system, as journald has
 * it. And what that comes to in time, at the rate at which events come.
 */
#include <sys/statvfs.h>

#include "logd.h"

#define MB 1048576ull

enum {
	SHARE = 10, /* percent of the file system that all files may have, */
	SHARE_MAX_MB = 4096, /* and no more than this */
	KEEP = 15, /* percent of the file system that stays free for others, */
	KEEP_MAX_MB = 4096, /* or this if it is less */
	CLOSED =
		2, /* one part in so many is for files that are being written, the others for older ones */
	LIMIT = 10, /* MB of a file, as the specification has it, where the size of the file system is not known */

	LOOK_MS = 10000, /* between two looks at the rate */
	REPORT_MS = 60000, /* from the first look until users hear of it */
	SMOOTH_MS = 600000, /* over which the rate is averaged */
};

/* ---- limits ---- */

static uint64_t part(uint64_t bytes, uint64_t percent, uint64_t max_mb)
{
	uint64_t share = bytes / 100 * percent + bytes % 100 * percent / 100;

	return share < max_mb * MB ? share : max_mb * MB;
}

/* Bytes for all files, however little room there is; 0: the file system does not tell its size, as some in memory do not. */
static uint64_t total_of_file_system(const struct logd *logd)
{
	uint64_t bytes, share, keep, room;
	struct statvfs st;

	if (statvfs(logd->files.dir, &st) || !st.f_blocks)
		return 0;
	bytes = (uint64_t)st.f_blocks * st.f_frsize;
	share = part(bytes, SHARE, SHARE_MAX_MB);
	keep = part(bytes, KEEP, KEEP_MAX_MB);
	room = (uint64_t)st.f_bavail * st.f_frsize + logd_files_bytes(&logd->files);
	room = room > keep ? room - keep : 1;
	return share < room ? share : room;
}

/* A round number is easier to read. */
static uint64_t logd_space_rounded(uint64_t bytes)
{
	return bytes > MB ? bytes / MB * MB : bytes;
}

/* What all files may have now: less than at first when others fill the file system, down to what is being written. */
static void share(struct logd *logd)
{
	uint64_t open = logd->opt->limit * logd_rings(logd);
	uint64_t most = open * CLOSED, all = logd_space_rounded(total_of_file_system(logd));

	all = all < open ? open : all > most ? most : all;
	if (all == logd->opt->total)
		return;
	logd->settings->opt.total = all;
	/* The next look at the files sees to the limit. */
	logd->names = 0;
}

/**
 * logd_space_limits() - fill in the limits that neither configuration nor command line have
 * @logd: daemon; its rings are there, and tell how many files are written
 */
void logd_space_limits(struct logd *logd)
{
	struct logd_options *opt = &logd->settings->opt;
	uint32_t rings = logd_rings(logd);
	char limit[32], total[32];
	uint64_t all;

	rings += !rings;
	/* Where a file's is given the one on all follows from it: logd_total(). */
	if (!opt->limit) {
		all = opt->total ? opt->total : total_of_file_system(logd);
		opt->limit = all ? logd_space_rounded(all / CLOSED / rings) : LIMIT * MB;
		if (opt->limit < LKST_LOG_LIMIT_MIN)
			opt->limit = LKST_LOG_LIMIT_MIN;
		logd->space.shared = !opt->total && all;
		if (logd->space.shared)
			share(logd);
	} else {
		logd->space.shared = false;
	}
	lkst_size_text(opt->limit, limit, sizeof(limit));
	lkst_size_text(logd_total(logd), total, sizeof(total));
	logd_report(LOG_INFO, "files in %s have up to %s for each CPU, and all of them %s",
		    logd->files.dir, limit, total);
}

/* ---- time ---- */

/* Events that the file holds when it is full. */
static double logd_space_capacity(const struct logd *logd, const struct lkst_log_counts *counts)
{
	if (counts->rewound || !counts->bytes)
		return (double)counts->kept;
	return (double)counts->kept * (double)logd->opt->limit / (double)counts->bytes;
}

/* Seconds that the file of a CPU lasts; 0: not known. @ms: since the last look, @of: over which to average */
static double look(struct logd *logd, uint32_t cpu, int64_t ms, int64_t of)
{
	const struct logd_cpu *state = &logd->state->cpu[cpu];
	struct logd_rate *rate = &logd->space.rate[cpu];
	uint64_t seen = state->kept + state->rewound, before = rate->seen;
	struct lkst_log_counts counts;

	rate->seen = seen;
	if (!ms || seen < before || !logd->writer[cpu].log)
		return 0;
	rate->per_second += ((double)(seen - before) * 1000 / (double)ms - rate->per_second) *
			    (double)ms / (double)of;
	lkst_log_counts(logd->writer[cpu].log, &counts);
	return rate->per_second > 0 ? logd_space_capacity(logd, &counts) / rate->per_second : 0;
}

/* Two digits say enough, and do not change all the time. */
static uint64_t two_digits(double seconds)
{
	uint64_t n = seconds < 1e12 ? (uint64_t)seconds : 1000000000000, unit = 1;

	while (n / unit >= 100)
		unit *= 10;
	return n / unit * unit;
}

static void tell(struct logd *logd)
{
	char text[32];

	logd->space.told = true;
	lkst_seconds_text(logd->space.seconds, text, sizeof(text));
	logd_report(LOG_INFO, "at the present rate the files hold the last %s of the busiest CPU",
		    text);
}

/* How long files last, at the rate at which events come. */
static void watch_rate(struct logd *logd, int64_t now)
{
	struct logd_space *space = &logd->space;
	int64_t ms = space->begin ? now - space->last : 0, of;
	double least = 0;

	/* What the rings held when writing began does not come at any rate: it is there at the first look. */
	if (!space->begin)
		space->begin = now;
	of = now - space->begin < SMOOTH_MS ? now - space->begin : SMOOTH_MS;
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++) {
		double seconds = look(logd, cpu, ms, of);

		if (seconds > 0 && (!(least > 0) || seconds < least))
			least = seconds;
	}
	if (least > 0)
		space->seconds = two_digits(least);
	if (space->seconds && !space->told && now - space->begin >= REPORT_MS)
		tell(logd);
}

/**
 * logd_space_watch() - see how much room there is, and how fast events come; to be called once a tick
 * @logd: daemon
 */
void logd_space_watch(struct logd *logd)
{
	struct logd_space *space = &logd->space;
	int64_t now = logd_now_ms();

	if (space->last && now - space->last < LOOK_MS)
		return;
	if (space->shared)
		share(logd);
	if (logd->want)
		watch_rate(logd, now);
	else
		space->begin = 0;
	space->last = now;
}
