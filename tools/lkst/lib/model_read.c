// SPDX-License-Identifier: LGPL-2.1
/* Feeds a state model with the events of a trace. lib/model.h documents the function. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/model/state.h"
#include "lib/trace/trace.h"
#include "model_read.h"

#define READ_PROGRESS 65536 /* number of events between two calls of progress() */

/*
 * Records of a CPU may be slightly out of order. Stop reading only if an event is later than the
 * end of the window by more than this time.
 */
#define READ_LATE_NS 1000000000

#define MSG_READ_EMPTY "the trace has no events"

_Static_assert(MODEL_CPUS == LKST_TRACE_CPUS, "bitmaps of CPUs");

/*
 * @end_ns: end of the window, at most @newest_ns
 * @latest_ns: latest time of the events so far
 * @done: number of events read
 * @total: number of records of the trace
 * @ended: bitmap of the CPUs whose records have reached the end of the window
 * @ends: CPUs whose last records may be missing
 * @expected: number of CPUs that may have records after the window, but of which no such record has
 *	been read yet. 0 unless a file lacks its end (@ends.cut): these records do not matter if
 *	all files are complete
 */
struct model_read {
	struct lkst_model *model;
	struct lkst_trace *trace;
	struct lkst_model_window *window;
	uint32_t boot;
	int64_t newest_ns;
	int64_t end_ns;
	int64_t latest_ns;
	uint64_t done;
	uint64_t total;
	uint64_t ended[MODEL_CPUS / 64];
	struct lkst_trace_ends ends;
	unsigned int expected;
};

/* Find the newest event, which determines the boot. */
static int read_newest(struct model_read *read, struct lkst_error *err)
{
	struct lkst_event event;
	int ret;

	if (lkst_trace_rewind(read->trace, LKST_NEWEST_FIRST, err))
		return -1;
	ret = lkst_trace_next(read->trace, &event, err);
	if (!ret)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_READ_EMPTY);
	if (ret <= 0)
		return -1;
	read->boot = lkst_trace_boot(read->trace, event.source);
	read->newest_ns = event.time_ns;
	read->end_ns = read->window->end_ns < event.time_ns ? read->window->end_ns : event.time_ns;
	for (size_t i = lkst_trace_sources(read->trace); i-- > 0;)
		if (lkst_trace_boot(read->trace, (uint32_t)i) == read->boot)
			read->window->source = (uint32_t)i;
	return 0;
}

/*
 * Return whether an event is after the window. The first such event of a CPU shows the model
 * whether records before it are missing. All events that follow it on the CPU count as after the
 * window, even if their times are earlier: these are from interrupts that occurred while the first
 * event was being recorded. If the model got them without the first event, it would count the first
 * event as lost.
 */
static bool read_is_after(struct model_read *read, const struct lkst_event *event)
{
	int32_t cpu = event->cpu;
	uint64_t bit;

	if (cpu < 0 || cpu >= MODEL_CPUS || event->buffer == LKST_BUFFER_ID_VOID)
		return event->time_ns > read->end_ns;
	bit = 1ull << cpu % 64;
	if (event->time_ns > read->end_ns && !(read->ended[cpu / 64] & bit)) {
		struct lkst_event after = *event;

		read->ended[cpu / 64] |= bit;
		if (read->ends.cut && read->ends.cpus[cpu / 64] & bit)
			read->expected--;
		after.source = read->window->source;
		lkst_model_after(read->model, &after);
	}
	return read->ended[cpu / 64] & bit;
}

/* Return whether an event is so late that no event of the window can follow. */
static bool read_is_late(const struct model_read *read, const struct lkst_event *event)
{
	int64_t late_ns;

	return __builtin_sub_overflow(event->time_ns, read->end_ns, &late_ns) ?
		       event->time_ns > read->end_ns :
		       late_ns > READ_LATE_NS;
}

static void read_next(const struct model_read *read, const struct lkst_event *event)
{
	if (read->window->next)
		read->window->next(read->window->ctx, event);
}

static int read_feed(struct model_read *read, struct lkst_event *event, struct lkst_error *err)
{
	/*
	 * If the trace ends within the window, @end_ns is the time of the newest event. An event
	 * whose recording was interrupted can be before that event in the trace, but have a later
	 * time.
	 */
	if (event->time_ns > read->end_ns)
		event->time_ns = read->end_ns;
	event->source = read->window->source;
	read_next(read, event);
	return lkst_model_event(read->model, event, err);
}

/**
 * model_read_push() - feed the model with the next event of the trace
 * @read: from model_read_open()
 * @event: event; may be changed
 * @err: set on failure
 *
 * Return: 1 if there may be more events; 0 if all further events are after the window; -1 on error.
 */
int model_read_push(struct model_read *read, struct lkst_event *event, struct lkst_error *err)
{
	if (++read->done % READ_PROGRESS == 0 && read->window->progress)
		read->window->progress(read->window->ctx, read->done, read->total);
	if (lkst_trace_boot(read->trace, event->source) != read->boot)
		return 1;
	if (event->time_ns > read->latest_ns)
		read->latest_ns = event->time_ns;
	if (read->end_ns < read->newest_ns && read_is_after(read, event))
		return read->expected || !read_is_late(read, event);
	return read_feed(read, event, err) ? -1 : 1;
}

/**
 * model_read_end() - close the window after its last event
 * @read: from model_read_open(). If the caller has not pushed all events of the window, the window
 *	ends with the last one that it has pushed
 * @err: set on failure
 */
int model_read_end(struct model_read *read, struct lkst_error *err)
{
	if (read->latest_ns < read->end_ns)
		read->end_ns = read->latest_ns;
	read_next(read, NULL);
	if (read->ends.cut) {
		for (size_t i = 0; i < MODEL_CPUS / 64; i++)
			read->ended[i] |= read->ends.cpus[i] & ~read->ends.lacking[i];
		recording_lose_end(read->model, read->window->source, read->ended,
				   window_time(read->end_ns));
	}
	return lkst_model_cut(read->model, read->end_ns, err);
}

/**
 * model_read_step() - feed the model with the next event
 * @read: from model_read_open()
 * @err: set on failure
 *
 * Return: 1 if there may be more events; 0 after the last event of the window, and after
 * lkst_model_cut() has been called for the end of the window; -1 on error.
 */
int model_read_step(struct model_read *read, struct lkst_error *err)
{
	struct lkst_event event;
	int ret = lkst_trace_next(read->trace, &event, err);

	if (ret > 0)
		ret = model_read_push(read, &event, err);
	return ret ? ret : model_read_end(read, err);
}

/**
 * model_read_open() - prepare for feeding a model
 * @model: as for lkst_model_read()
 * @trace: trace, which must not be used otherwise until model_read_close(). A caller of
 *	model_read_push() reads the trace, from the oldest event on
 * @window: the time for which the model reports, which must exist until model_read_close()
 * @err: set on failure
 */
struct model_read *model_read_open(struct lkst_model *model, struct lkst_trace *trace,
				   struct lkst_model_window *window, struct lkst_error *err)
{
	struct model_read *read = calloc(1, sizeof(*read));
	size_t len;

	if (!read) {
		lkst_error_memory(err, "the trace");
		return NULL;
	}
	read->model = model;
	read->trace = trace;
	read->window = window;
	read->total = lkst_trace_records(trace);
	read->latest_ns = INT64_MIN;
	if (read_newest(read, err) || lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err)) {
		free(read);
		return NULL;
	}
	lkst_trace_ends(trace, read->boot, &read->ends);
	for (size_t i = 0; read->ends.cut && i < MODEL_CPUS / 64; i++)
		read->expected += (unsigned int)__builtin_popcountll(read->ends.cpus[i]);
	model->selected = lkst_trace_system(trace, "selected", &len);
	lkst_model_open_window(model, window->begin_ns);
	return read;
}

/**
 * model_read_done() - get the number of events read so far, in the window or not
 * @read: from model_read_open()
 */
uint64_t model_read_done(const struct model_read *read)
{
	return read->done;
}

/**
 * model_read_close() - stop feeding a model
 * @read: from model_read_open(); may be NULL
 */
void model_read_close(struct model_read *read)
{
	free(read);
}

int lkst_model_read(struct lkst_model *model, struct lkst_trace *trace,
		    struct lkst_model_window *window, struct lkst_error *err)
{
	struct lkst_model_window whole = { .begin_ns = INT64_MIN, .end_ns = INT64_MAX };
	struct model_read *read =
		model_read_open(model, trace, window ? window : &whole, err);
	int ret;

	if (!read)
		return -1;
	do
		ret = model_read_step(read, err);
	while (ret > 0);
	model_read_close(read);
	return ret;
}
