// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out where records of a CPU are missing.
 *
 * The numbers of a CPU's records (recids) increase by one from record to record, so a gap shows
 * that records are missing. If a trace contains only selected events, there is also a gap wherever
 * events were not selected. Such a trace lists the records that had been lost before the selection.
 */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "lib/base/error.h"
#include "lib/trace/reader.h"
#include "lib/trace/trace.h"

/*
 * The last event of a CPU.
 *
 * @seen: the CPU has had events
 * @recid: recid of the last event
 * @time_ns: its time
 * @next: index, in the list of losses in the trace, of the first loss that may be after the last
 *	event; only used if the trace contains only selected events
 */
struct losses_cpu {
	bool seen;
	uint64_t recid;
	int64_t time_ns;
	size_t next;
};

/*
 * @newest_ns: time of the newest event of all CPUs
 * @ends: which CPUs lack their last records
 */
struct export_losses {
	const struct lkst_trace *trace;
	bool selected;
	int64_t newest_ns;
	struct lkst_trace_ends ends;
	struct losses_cpu cpu[LKST_TRACE_CPUS];
};

/**
 * export_losses_new() - prepare to look for losses
 * @trace: trace
 * @err: set if an allocation fails
 */
struct export_losses *export_losses_new(const struct lkst_trace *trace, struct lkst_error *err)
{
	struct export_losses *losses = calloc(1, sizeof(*losses));
	size_t len;

	if (!losses) {
		lkst_error_memory(err, "the export");
		return NULL;
	}
	losses->trace = trace;
	losses->selected = lkst_trace_system(trace, "selected", &len);
	losses->newest_ns = INT64_MIN;
	lkst_trace_ends(trace, lkst_trace_boot(trace, 0), &losses->ends);
	return losses;
}

/*
 * Return how many of the records from @first to @end - 1 of a CPU the trace lists as lost. The list
 * is in order of recids.
 */
static uint64_t losses_listed(const struct export_losses *losses, struct losses_cpu *last,
			      int32_t cpu, uint64_t first, uint64_t end)
{
	const struct lkst_trace *trace = losses->trace;
	uint64_t lost = 0;

	for (; last->next < trace->losses; last->next++) {
		const struct loss *loss = &trace->loss[last->next];
		uint64_t from = loss->first_recid, to;

		if (from >= end)
			break;
		if (loss->cpu != cpu)
			continue;
		if (__builtin_add_overflow(from, loss->number, &to) || to > end)
			to = end;
		if (from < first)
			from = first;
		if (from < to) {
			lost += to - from;
			first = to;
		}
	}
	return lost;
}

/**
 * export_losses_before() - find out whether records are missing before an event
 * @losses: from export_losses_new()
 * @event: next event of the trace
 * @loss: result
 *
 * Return: true if records are missing between the previous event of the CPU and this one.
 */
bool export_losses_before(struct export_losses *losses, const struct lkst_event *event,
			  struct lkst_loss *loss)
{
	struct losses_cpu *last, before;
	uint64_t gap;

	/* The static buffer has its own recids, which do not count all events of a CPU. */
	if (event->buffer == LKST_BUFFER_ID_VOID || event->cpu < 0 || event->cpu >= LKST_TRACE_CPUS)
		return false;
	if (event->time_ns > losses->newest_ns)
		losses->newest_ns = event->time_ns;
	last = &losses->cpu[event->cpu];
	before = *last;
	last->seen = true;
	last->recid = event->recid;
	last->time_ns = event->time_ns;
	if (!before.seen || event->recid <= before.recid)
		return false;
	gap = event->recid - before.recid - 1;
	if (!gap)
		return false;
	*loss = (struct lkst_loss){
		.cpu = event->cpu,
		.begin_ns = before.time_ns,
		.end_ns = event->time_ns,
	};
	if (losses->selected)
		loss->number =
			losses_listed(losses, last, event->cpu, before.recid + 1, event->recid);
	else if (gap > event->parts_before)
		loss->number = gap - event->parts_before;
	return loss->number;
}

/**
 * export_losses_end() - find out whether the last records of a CPU may be missing
 * @losses: from export_losses_new(), after the last event of the trace
 * @number: CPU
 * @loss: result. Its number of records is 0, because it is unknown
 *
 * Return: true if they may be missing, and other CPUs have later records.
 */
bool export_losses_end(const struct export_losses *losses, int32_t number, struct lkst_loss *loss)
{
	const struct losses_cpu *cpu = &losses->cpu[number];

	if (!cpu->seen || cpu->time_ns >= losses->newest_ns ||
	    !(losses->ends.lacking[number / 64] >> number % 64 & 1))
		return false;
	*loss = (struct lkst_loss){
		.cpu = number,
		.begin_ns = cpu->time_ns,
		.end_ns = losses->newest_ns,
	};
	return true;
}

/**
 * export_losses_free() - stop looking for losses
 * @losses: may be NULL
 */
void export_losses_free(struct export_losses *losses)
{
	free(losses);
}
