// SPDX-License-Identifier: GPL-2.0
/*
 * Checks once a tick for changes that the daemon has to react to: a CPU came online or went
 * offline, a user selected another maskset, a rule has taken a snapshot, or a file was removed or
 * could not be written. All timing uses the monotonic clock.
 *
 * A tick is the expiry of the timer of the daemon, once a second.
 */
#include <string.h>
#include <syslog.h>

#include "log.h"
#include "logd.h"
#include "maskset.h"
#include "read.h"
#include "report.h"
#include "ring.h"
#include "snapshot.h"
#include "space.h"
#include "state.h"
#include "writing.h"

/**
 * logd_trouble() - set or clear the current problem; each problem is reported once
 * @logd: daemon
 * @err: the problem; NULL: the problem is solved
 */
void logd_trouble(struct logd *logd, const struct lkst_error *err)
{
	char text[sizeof(logd->trouble)] = "";

	if (err)
		logd_report_cut(text, sizeof(text), err->text);
	if (!strcmp(text, logd->trouble))
		return;
	if (err)
		logd_report_error(LOG_ERR, NULL, err);
	memcpy(logd->trouble, text, sizeof(text));
}

static void watch_cpu(struct logd *logd, uint32_t cpu, bool online, int32_t write_buf,
		      struct lkst_error *err)
{
	struct logd_cpu *state = &logd->state->cpu[cpu];
	bool first = !state->ring.num;

	if (online && !logd_ring_has(&state->ring, write_buf)) {
		if (logd_ring_back(logd->dev, (int32_t)cpu, logd->opt, &state->ring, err))
			return;
		if (first)
			logd_report(LOG_INFO, "CPU %u online", cpu);
		else
			logd_report(LOG_NOTICE,
				    "CPU %u: recorded in buffer %d; it is back in the ring", cpu,
				    write_buf);
		/* A CPU without a ring has a file if the kernel's buffers had records of it. */
		if (first && logd->enabled && !logd->writer[cpu].log)
			logd_open_file(logd, &logd->writer[cpu]);
	} else if (!online && logd->online[cpu]) {
		logd_report(LOG_INFO, "CPU %u offline", cpu);
	}
	logd->online[cpu] = online;
	logd_ring_cleanup(logd->dev, (int32_t)cpu, state);
}

static void watch_cpus(struct logd *logd, struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(logd->dev, &status, err))
		return;
	for (uint32_t cpu = 0; cpu < logd->cpus && cpu < status.trc.cpu_num; cpu++)
		watch_cpu(logd, cpu, lkst_status_online(&status, cpu), status.write_buf[cpu], err);
	lkst_status_free(&status);
}

/**
 * logd_watch() - check for changes; called once a tick
 * @logd: daemon
 */
void logd_watch(struct logd *logd)
{
	struct lkst_error err = { 0 };

	if (logd->stopping)
		return;
	for (uint32_t cpu = 0; cpu < logd->cpus; cpu++)
		logd_log_check(logd, &logd->writer[cpu]);
	logd_watch_files(logd);
	logd_space_watch(logd);
	watch_cpus(logd, &err);
	logd_snapshot_watch(logd);
	if (logd_maskset_watch(logd->dev, logd->state, &err) > 0)
		logd_report(
			LOG_NOTICE,
			"another maskset was selected, %d; recording continues with its rules",
			logd->state->before);
	/* A failed read stays the current problem until a read succeeds. */
	if (err.code || !logd->paused)
		logd_trouble(logd, err.code ? &err : NULL);
	if (logd->enabled)
		logd_retry(logd);
}
