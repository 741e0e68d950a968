// SPDX-License-Identifier: GPL-2.0
/* The format of trace-cmd and KernelShark: trace.dat. */
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/temporary.h"
#include "lib/text/out.h"
#include "lkstbuf/export/formats.h"
#include "tracedat.h"

static void tracedat_close(void *writer)
{
	struct tracedat *dat = writer;

	if (dat->spool.fd >= 0)
		close(dat->spool.fd);
	dat_pages_free(dat);
	dat_threads_free(dat->threads);
	dat_plans_free(dat->plans);
	free(dat->text);
	free(dat);
}

static void *tracedat_open(struct export *export, struct lkst_error *err)
{
	struct tracedat *dat = calloc(1, sizeof(*dat));

	if (!dat) {
		lkst_error_memory(err, "the export");
		return NULL;
	}
	dat->export = export;
	dat->spool.fd = -1;
	dat->text = malloc(OUT_ROOM + PUT_SPARE);
	if (!dat->text)
		lkst_error_memory(err, "the export");
	else if ((dat->plans = dat_plans_new(err)) && (dat->threads = dat_threads_new(err)) &&
		 (dat->spool.fd = lkst_temporary_file(err)) >= 0)
		return dat;
	tracedat_close(dat);
	return NULL;
}

/*
 * Return the time of an event: the kernel's monotonic clock or, if it is unknown, the wall clock.
 */
static uint64_t tracedat_time(struct tracedat *dat, const struct lkst_event *event)
{
	bool first = !dat->clock.set;
	int64_t begin_ns = event->monotonic_ns != INT64_MIN ? event->monotonic_ns : event->time_ns;
	uint64_t time;

	steady_step(&dat->clock, event, begin_ns < 0 ? 0 : begin_ns, &time);
	if (first)
		dat->offset_ns = dat->clock.offset_ns;
	return time;
}

static int tracedat_event(void *writer, const struct lkst_event *event, struct lkst_error *err)
{
	struct tracedat *dat = writer;
	uint64_t time = tracedat_time(dat, event);
	struct dat_plan *plan = dat_plans_get(dat->plans, dat->export->types, event, err);

	if (!plan || dat_pages_add(dat, event, time, dat_encode(dat, plan, event), err))
		return -1;
	plan->used = true;
	dat_threads_see(dat, event);
	return 0;
}

static int tracedat_loss(void *writer, const struct lkst_loss *loss, struct lkst_error *err)
{
	struct tracedat *dat = writer;

	/*
	 * If the number is unknown, no event of the CPU follows (lkst_model_read()). The format can
	 * show a loss only before an event, so leave this one out.
	 */
	if (!loss->number)
		return 0;
	return dat_pages_lose(dat, loss->cpu, loss->number, err);
}

static int tracedat_end(void *writer, struct lkst_error *err)
{
	struct tracedat *dat = writer;

	if (dat_pages_end(dat, err))
		return -1;
	dat_threads_end(dat);
	dat_header_write(dat);
	for (uint32_t cpu = 0; cpu < dat->cpus; cpu++)
		if (dat_spool_copy(&dat->spool, dat_pages_of(dat, cpu), &dat->export->out, err))
			return -1;
	return 0;
}

const struct export_format export_tracedat = {
	.name = "trace.dat",
	.suffix = ".dat",
	.open = tracedat_open,
	.loss = tracedat_loss,
	.event = tracedat_event,
	.end = tracedat_end,
	.close = tracedat_close,
};
