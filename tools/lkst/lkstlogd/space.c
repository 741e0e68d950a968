// SPDX-License-Identifier: GPL-2.0
/*
 * Chooses the default limits on log files. Like journald's, they are a share of the size of the
 * file system. Also estimates how much time the files cover at the current rate of events.
 */
#include <sys/statvfs.h>
#include <syslog.h>

#include "cli/logd_options.h"
#include "cli/logd_status.h"
#include "files.h"
#include "lib/live/log.h"
#include "lib/text/context.h"
#include "lib/text/parse.h"
#include "logd.h"
#include "report.h"
#include "space.h"
#include "state.h"
#include "writing.h"

#define MB 1048576ull

enum {
	SHARE = 10, /* percent of the file system that all files may use */
	SHARE_MAX_MB = 4096, /* upper bound of this share, in MB */
	KEEP = 15, /* percent of the file system to leave free for other programs */
	KEEP_MAX_MB = 4096, /* upper bound of the free part, in MB */
	CLOSED = 2, /* all files may use this many times the limits of the open files together */
	LIMIT = 10, /* limit of a file in MB if the size of the file system is unknown */

	MEASURE_MS = 10000, /* time between two measurements of the rate */
	REPORT_MS = 60000, /* time from the first measurement to the report of the estimate */
	SMOOTH_MS = 600000, /* the rate is averaged over this time */
};

/* ---- limits ---- */

static uint64_t logd_space_part(uint64_t bytes, uint64_t percent, uint64_t max_mb)
{
	uint64_t share = bytes / 100 * percent + bytes % 100 * percent / 100;

	return share < max_mb * MB ? share : max_mb * MB;
}

/*
 * Return how many bytes all log files together may use now. The result is at least 1, or 0 if the
 * size of the file system is unknown, which is true of some file systems in memory.
 */
static uint64_t space_total_of_file_system(const struct logd *logd)
{
	uint64_t bytes, share, keep, room;
	struct statvfs st;

	if (statvfs(logd->files.dir, &st) || !st.f_blocks)
		return 0;
	bytes = (uint64_t)st.f_blocks * st.f_frsize;
	share = logd_space_part(bytes, SHARE, SHARE_MAX_MB);
	keep = logd_space_part(bytes, KEEP, KEEP_MAX_MB);
	room = (uint64_t)st.f_bavail * st.f_frsize + logd_files_bytes(&logd->files);
	room = room > keep ? room - keep : 1;
	return share < room ? share : room;
}

/* Round down to whole megabytes, which are easier to read. */
static uint64_t logd_space_rounded(uint64_t bytes)
{
	return bytes > MB ? bytes / MB * MB : bytes;
}

/*
 * Adjust the total limit to the free space. The limit drops when other programs fill the file
 * system, but never below the sum of the limits of the open files.
 */
static void logd_space_share(struct logd *logd)
{
	uint64_t open = logd->opt->limit * logd_rings(logd);
	uint64_t most = open * CLOSED, all = logd_space_rounded(space_total_of_file_system(logd));

	all = all < open ? open : all > most ? most : all;
	if (all == logd->opt->total)
		return;
	logd->settings->opt.total = all;
	/* Make the next logd_watch_files() enforce the new limit. */
	logd->names = 0;
}

/**
 * logd_space_limits() - fill in the limits that neither the configuration nor the command line
 * gives
 * @logd: daemon; its rings must exist, because each CPU with a ring has an open file
 */
void logd_space_limits(struct logd *logd)
{
	struct logd_options *opt = &logd->settings->opt;
	uint32_t rings = logd_rings(logd);
	char limit[32], total[32];
	uint64_t all;

	rings += !rings;
	/* If only the limit of a file is given, logd_total() derives the total limit from it. */
	if (!opt->limit) {
		all = opt->total ? opt->total : space_total_of_file_system(logd);
		opt->limit = all ? logd_space_rounded(all / CLOSED / rings) : LIMIT * MB;
		if (opt->limit < LKST_LOG_LIMIT_MIN)
			opt->limit = LKST_LOG_LIMIT_MIN;
		logd->space.shared = !opt->total && all;
		if (logd->space.shared)
			logd_space_share(logd);
	} else {
		logd->space.shared = false;
	}
	lkst_size_text(opt->limit, limit, sizeof(limit));
	lkst_size_text(logd_total(logd), total, sizeof(total));
	logd_report(LOG_INFO, "files in %s: at most %s for each CPU, %s together",
		    logd->files.dir, limit, total);
}

/* ---- time ---- */

/* Estimate the number of events that a full file holds. */
static double logd_space_capacity(const struct logd *logd, const struct lkst_log_counts *counts)
{
	if (counts->rewound || !counts->bytes)
		return (double)counts->kept;
	return (double)counts->kept * (double)logd->opt->limit / (double)counts->bytes;
}

/*
 * Measure the rate of a CPU. Returns how many seconds its file covers, or 0 if unknown. @ms is the
 * time since the last measurement, and @of is the time over which the rate is averaged, both in ms.
 */
static double logd_space_measure(struct logd *logd, uint32_t cpu, int64_t ms, int64_t of)
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

/* Round down to two significant digits, so that the displayed value rarely changes. */
static uint64_t space_two_digits(double seconds)
{
	uint64_t n = seconds < 1e12 ? (uint64_t)seconds : 1000000000000, unit = 1;

	while (n / unit >= 100)
		unit *= 10;
	return n / unit * unit;
}

static void logd_space_report(struct logd *logd)
{
	char text[32];

	logd->space.reported = true;
	lkst_seconds_text(logd->space.seconds, text, sizeof(text));
	logd_report(LOG_INFO, "at the present rate the files hold the last %s of the busiest CPU",
		    text);
}

/* Estimate how much time the files cover at the current rate of events. */
static void space_watch_rate(struct logd *logd, int64_t now)
{
	struct logd_space *space = &logd->space;
	int64_t ms = space->begin ? now - space->last : 0, of;
	double least = 0;

	/*
	 * The first measurement yields no rate: it counts the records that the rings held when
	 * writing began.
	 */
	if (!space->begin)
		space->begin = now;
	of = now - space->begin < SMOOTH_MS ? now - space->begin : SMOOTH_MS;
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++) {
		double seconds = logd_space_measure(logd, cpu, ms, of);

		if (seconds > 0 && (!(least > 0) || seconds < least))
			least = seconds;
	}
	if (least > 0)
		space->seconds = space_two_digits(least);
	if (space->seconds && !space->reported && now - space->begin >= REPORT_MS)
		logd_space_report(logd);
}

/**
 * logd_space_watch() - check the free space and the rate of events; called once a tick
 * @logd: daemon
 */
void logd_space_watch(struct logd *logd)
{
	struct logd_space *space = &logd->space;
	int64_t now = logd_now_ms();

	if (space->last && now - space->last < MEASURE_MS)
		return;
	if (space->shared)
		logd_space_share(logd);
	if (logd->enabled)
		space_watch_rate(logd, now);
	else
		space->begin = 0;
	space->last = now;
}
