// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds out how long threads sleep, and how long they wait for a CPU.
 *
 * A thread sleeps from the context switch at which it stops running and is not runnable, until it
 * is woken up. It waits for a CPU from the wake-up, or from the context switch at which it was
 * preempted, until it runs. If the trace has no wake-ups, a sleep ends when the thread runs. Live
 * events are assumed to have no wake-ups until the first one occurs. If wake-ups are recorded, the
 * first one occurs before any thread that slept runs again.
 *
 * If events of any CPU are missing, or recording was off, nothing is known about the sleeps and
 * waits that began before that.
 */
#include <stdlib.h>

#include "lib/base/etype_ids.h"
#include "longer_state.h"
#include "trace.h"

/**
 * longer_threads_start() - prepare for a trace
 * @longer: operations found so far
 * @trace: trace; NULL: live events
 */
void longer_threads_start(struct lkst_longer *longer, const struct lkst_trace *trace)
{
	size_t len;

	if (trace) {
		longer->wakes = lkst_trace_has_type(trace, LKST_ETYPE_PROCESS_WAKING) ||
				lkst_trace_has_type(trace, LKST_ETYPE_PROCESS_WAKEUP);
		longer->selected = lkst_trace_system(trace, "selected", &len);
	}
	longer->has_spans[LKST_ETYPE_PROCESS_CONTEXTSWITCH] = true;
	longer->has_spans[LKST_ETYPE_PROCESS_WAKING] = true;
	longer->has_spans[LKST_ETYPE_PROCESS_WAKEUP] = true;
}

static struct longer_open longer_thread(const struct lkst_longer *longer,
					const struct lkst_event *event, uint32_t type, uint32_t tid,
					enum longer_name name)
{
	return (struct longer_open){
		.boot = longer->boot,
		.type = type,
		.tid = tid,
		.cpu = -1,
		.mark = {
			.time_ns = event->time_ns,
			.recid = event->recid,
			.cpu = event->cpu,
			.source = event->source,
		},
		.name = name,
		.ends = true,
		.epoch = longer->epoch,
	};
}

/* Find out whether events of the CPU are missing before this one, or recording was off. */
static int longer_check_recid(struct lkst_longer *longer, const struct lkst_event *event)
{
	struct longer_open cpu = longer_thread(longer, event, LONGER_TYPE_CPU, 0, LONGER_TOOK);
	struct longer_open *last;

	if (event->type == LKST_ETYPE_LKST_TRC_START || event->type == LKST_ETYPE_LKST_TRC_STOP ||
	    event->type == LKST_ETYPE_LKST_MASKSET_SET) {
		longer->epoch++;
		longer->wakes &= !longer->live;
	}
	if (longer->selected || event->buffer == LKST_BUFFER_ID_VOID)
		return 0;
	cpu.cpu = event->cpu;
	cpu.ends = false;
	last = longer_find(longer, &cpu);
	if (!last)
		return longer_enter(longer, &cpu);
	/* Records that were left out because they are parts of chains are not missing. */
	longer->epoch += event->recid != last->mark.recid + 1 + event->parts_before;
	last->mark.recid = event->recid;
	return 0;
}

/**
 * longer_threads_know() - check whether it is known that an operation lasts until now
 * @longer: operations found so far
 * @open: operation
 */
bool longer_threads_know(const struct lkst_longer *longer, const struct longer_open *open)
{
	return open->ends && (open->type < LKST_ETYPE_NUM || open->epoch == longer->epoch);
}

/* End a sleep or wait of a thread, if one has begun. @name: name of the span at this event. */
static int longer_threads_end(struct lkst_longer *longer, const struct lkst_event *event,
			      uint32_t type, uint32_t tid, enum longer_name name, bool *ended)
{
	struct longer_open place = longer_thread(longer, event, type, tid, name);
	struct longer_open *begin = longer_leave(longer, &place);
	int ret = 0;

	*ended = begin && begin->epoch == longer->epoch;
	if (*ended)
		ret = longer_end(longer, begin, event, name);
	free(begin);
	return ret;
}

static void longer_forget(struct lkst_longer *longer, const struct lkst_event *event, uint32_t type,
			  uint32_t tid)
{
	struct longer_open place = longer_thread(longer, event, type, tid, LONGER_TOOK);

	free(longer_leave(longer, &place));
}

/* Handle a context switch: the thread that stops running. */
static int longer_prev(struct lkst_longer *longer, const struct lkst_event *event)
{
	uint32_t tid = (uint32_t)(event->arg[0] >> 32), state = (uint32_t)event->arg[0];
	bool runnable = (state & 0xff) == 'R' || state & 0x100;
	struct longer_open place;

	/* A wake-up while the thread was running did not begin a wait. */
	longer_forget(longer, event, LONGER_TYPE_WAIT, tid);
	longer_forget(longer, event, LONGER_TYPE_SLEEP, tid);
	if (!tid || (state & 0xff) == 'Z' || (state & 0xff) == 'X')
		return 0;
	place = longer_thread(longer, event, runnable ? LONGER_TYPE_WAIT : LONGER_TYPE_SLEEP, tid,
			      runnable ? LONGER_PREV_WAIT : LONGER_PREV_SLEEP);
	return longer_enter(longer, &place);
}

/* Handle a context switch: the thread that starts running. */
static int longer_next(struct lkst_longer *longer, const struct lkst_event *event)
{
	uint32_t tid = (uint32_t)(event->arg[1] >> 32);
	bool ended;

	if (!tid)
		return 0;
	if (longer->wakes)
		longer_forget(longer, event, LONGER_TYPE_SLEEP, tid);
	else if (longer_threads_end(longer, event, LONGER_TYPE_SLEEP, tid, LONGER_NEXT_SLEEP,
				    &ended))
		return -1;
	return longer_threads_end(longer, event, LONGER_TYPE_WAIT, tid, LONGER_NEXT_WAIT, &ended);
}

/* Handle the wake-up of a thread. If two events report the wake-up, the first one counts. */
static int longer_wake(struct lkst_longer *longer, const struct lkst_event *event)
{
	uint32_t tid = (uint32_t)(event->arg[0] >> 32);
	struct longer_open place = longer_thread(longer, event, LONGER_TYPE_WAIT, tid, LONGER_WAIT);
	const struct longer_open *wait = longer_find(longer, &place);
	bool slept;

	if (!tid)
		return 0;
	if (longer_threads_end(longer, event, LONGER_TYPE_SLEEP, tid, LONGER_SLEEP, &slept))
		return -1;
	if (wait && wait->epoch == longer->epoch)
		return 0;
	/* If no event showed that the thread slept, it may be running. Then it does not wait. */
	place.ends = slept;
	return longer_enter(longer, &place);
}

/**
 * longer_threads_take() - take an event
 * @longer: operations found so far
 * @event: event
 *
 * Return: 0; -1 if an allocation fails.
 */
int longer_threads_take(struct lkst_longer *longer, const struct lkst_event *event)
{
	if (longer_check_recid(longer, event))
		return -1;
	switch (event->type) {
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
		return longer_next(longer, event) || longer_prev(longer, event) ? -1 : 0;
	case LKST_ETYPE_PROCESS_WAKING:
	case LKST_ETYPE_PROCESS_WAKEUP:
		longer->wakes = true;
		return longer_wake(longer, event);
	default:
		return 0;
	}
}
