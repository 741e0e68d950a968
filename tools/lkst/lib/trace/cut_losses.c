// SPDX-License-Identifier: LGPL-2.1
/*
 * Keeps the losses of a trace when a part of it is written. In that part, recids also have gaps
 * where events were not selected, so gaps no longer show which events were lost. LOSS chunks
 * contain the losses instead.
 *
 * A recid is the number of an event: each CPU numbers its events from 0.
 */
#include <stdlib.h>

#include "chunk.h"
#include "cut_losses.h"
#include "lib/base/error.h"
#include "reader.h"
#include "source.h"
#include "write.h"

struct cut_cpu {
	int32_t cpu;
	uint64_t recid;
};

/* Find or add a CPU. @added is set if it is new. Returns NULL if an allocation fails. */
static struct cut_cpu *cut_losses_cpu(struct cut_losses *losses, int32_t cpu, bool *added)
{
	struct cut_cpu *grown;

	*added = false;
	for (size_t i = 0; i < losses->num; i++)
		if (losses->cpu[i].cpu == cpu)
			return &losses->cpu[i];
	grown = realloc(losses->cpu, (losses->num + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	*added = true;
	losses->cpu = grown;
	grown[losses->num].cpu = cpu;
	return &grown[losses->num++];
}

/**
 * cut_losses_take() - write which events are missing before an event, if any are
 * @losses: events so far
 * @trace: trace
 * @event: event, selected or not
 * @within: the selection includes the CPU and the time of the event
 * @writer: new trace
 * @err: set on failure
 */
int cut_losses_take(struct cut_losses *losses, struct lkst_trace *trace,
		    const struct lkst_event *event, bool within, struct lkst_trace_writer *writer,
		    struct lkst_error *err)
{
	struct cut_cpu *cpu;
	uint64_t next;
	bool added;
	size_t len;

	if (event->buffer == LKST_BUFFER_ID_VOID ||
	    trace_system(&trace->source[event->source], "selected", &len))
		return 0;
	cpu = cut_losses_cpu(losses, event->cpu, &added);
	if (!cpu) {
		lkst_error_memory(err, "the trace");
		return -1;
	}
	next = added ? event->recid : cpu->recid + 1;
	cpu->recid = event->recid;
	if (event->recid <= next || !within)
		return 0;
	return lkst_trace_write_loss(writer, event->cpu, next, event->recid - next, err);
}

/**
 * cut_losses_copy() - write the losses that the files list, if the files have only selected events
 * of other traces
 * @trace: trace
 * @cpu: write only the losses of this CPU; -1: all
 * @writer: new trace
 * @err: set on failure
 */
int cut_losses_copy(const struct lkst_trace *trace, int32_t cpu, struct lkst_trace_writer *writer,
		    struct lkst_error *err)
{
	size_t len;

	/*
	 * Either all files are parts of other traces, or none is. A whole trace may list losses,
	 * such as those between its history and its buffers, but gaps in its recids show these as
	 * well: cut_losses_take() writes them.
	 */
	if (!trace_system(&trace->source[0], "selected", &len))
		return 0;
	for (size_t i = 0; i < trace->losses; i++) {
		const struct loss *loss = &trace->loss[i];

		if ((cpu < 0 || loss->cpu == cpu) &&
		    lkst_trace_write_loss(writer, loss->cpu, loss->first_recid, loss->number, err))
			return -1;
	}
	return 0;
}

/**
 * cut_losses_free() - free the list of CPUs
 * @losses: losses
 */
void cut_losses_free(struct cut_losses *losses)
{
	free(losses->cpu);
}
