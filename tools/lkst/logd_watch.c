// SPDX-License-Identifier: GPL-2.0
/*
 * What the parent sees once a second: CPUs that come and go, masksets that are selected, children that
 * hang. The wall clock plays no part in it.
 */
#include <string.h>

#include "lib/messages.h"
#include "logd_parent.h"

enum {
	END_LIMIT_S = 30, /* children that end and write nothing for so long are killed */
	GONE_LIMIT_S = 5, /* and are waited for so long */
	EXTEND_S = 45, /* as the service's TimeoutStopSec= */
};

/* ---- troubles, each told once ---- */

void logd_trouble(struct logd_parent *parent, const struct lkst_error *err)
{
	char text[sizeof(parent->trouble)] = "";

	if (err)
		logd_report_cut(text, sizeof(text), err->text);
	if (!strcmp(text, parent->trouble))
		return;
	if (err)
		logd_report_error(LOG_ERR, NULL, err);
	memcpy(parent->trouble, text, sizeof(text));
}

/* ---- once a second ---- */

static void watch_cpu(struct logd_parent *parent, uint32_t cpu, bool online, int32_t write_buf,
		      struct lkst_error *err)
{
	struct logd_ring *ring = logd_ring_of(parent, cpu);

	if (online && !logd_ring_has(ring, write_buf)) {
		bool first = !ring->num;

		if (logd_ring_back(parent->dev, (int32_t)cpu, parent->opt, ring, err))
			return;
		if (first)
			logd_report(LOG_INFO, "CPU %u: has come", cpu);
		else
			logd_report(LOG_NOTICE,
				    "CPU %u: recorded in buffer %d; it is back in the ring", cpu,
				    write_buf);
	} else if (!online && parent->online[cpu]) {
		logd_report(LOG_INFO, "CPU %u: has gone", cpu);
		logd_children_tell(parent->children, (int32_t)cpu, LOGD_DRAIN, 0);
	}
	parent->online[cpu] = online;
	logd_ring_tidy(parent->dev, (int32_t)cpu, ring);
}

static void watch_cpus(struct logd_parent *parent, struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(parent->dev, &status, err))
		return;
	for (uint32_t cpu = 0; cpu < parent->cpus && cpu < status.trc.cpu_num; cpu++)
		watch_cpu(parent, cpu, lkst_status_online(&status, cpu), status.write_buf[cpu],
			  err);
	lkst_status_free(&status);
}

static void watch(struct logd_parent *parent)
{
	struct lkst_error err = { 0 };

	watch_cpus(parent, &err);
	if (logd_maskset_watch(parent->dev, parent->state, &err) > 0)
		logd_report(
			LOG_NOTICE,
			"another maskset was selected, %d; recording goes on as that one has it",
			parent->state->before);
	for (uint32_t cpu = 0; cpu < parent->cpus && !err.code; cpu++)
		if (logd_children_silent(parent->children, (int32_t)cpu))
			lkst_error_set(&err, LKST_ERR_SYSTEM, MSG_LOGD_SILENT, cpu);
	logd_trouble(parent, err.code ? &err : NULL);
}

/* Another recid that a child has come to, or the end of one. */
static bool goes_on(struct logd_parent *parent)
{
	uint64_t before = parent->written;

	parent->written = 0;
	for (uint32_t cpu = 0; cpu < parent->cpus; cpu++)
		parent->written += parent->state->cpu[cpu].next;
	return parent->written != before;
}

/* A slow disk takes its time, but not for ever. */
static void end_children(struct logd_parent *parent)
{
	parent->ticks++;
	if (goes_on(parent)) {
		parent->ticks = 0;
		logd_notify("EXTEND_TIMEOUT_USEC=%d", EXTEND_S * 1000000);
	}
	if (parent->ticks == END_LIMIT_S)
		logd_children_kill(parent->children);
	if (parent->ticks == END_LIMIT_S + GONE_LIMIT_S)
		parent->ended = true;
}

void logd_tick(struct logd_parent *parent)
{
	if (logd_children_ask(parent->children, parent->state))
		logd_notify("WATCHDOG=1");
	logd_watch_files(parent);
	if (parent->ending)
		end_children(parent);
	else if (!parent->reloading)
		watch(parent);
	logd_settle(parent);
}
