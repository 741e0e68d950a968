// SPDX-License-Identifier: LGPL-2.1
/* Feeds a state model with the events of a trace. lib/model.h documents the function. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/model/state.h"
#include "lib/trace/trace.h"

#define READ_PROGRESS 65536 /* number of events between two calls of progress() */

/*
 * Records of a CPU may be slightly out of order. Stop reading only if an event is later than the
 * end of the window by more than this.
 */
#define READ_LATE_NS 1000000000

#define MSG_READ_EMPTY "the trace has no events"

/*
 * @end_ns: end of the window, at most @newest_ns
 * @ended: bitmap of the CPUs whose records have reached the end of the window
 */
struct model_read {
	struct lkst_model *model;
	struct lkst_trace *trace;
	struct lkst_model_window *window;
	uint32_t boot;
	int64_t newest_ns;
	int64_t end_ns;
	uint64_t ended[MODEL_CPUS / 64];
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
 * event was being recorded. If the model got them without that event, it would count it as lost.
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
	/* The newest record may end the window. An interrupted one can be later. */
	if (event->time_ns > read->end_ns)
		event->time_ns = read->end_ns;
	event->source = read->window->source;
	read_next(read, event);
	return lkst_model_event(read->model, event, err);
}

static int read_events(struct model_read *read, struct lkst_error *err)
{
	uint64_t done = 0, total = lkst_trace_records(read->trace);
	struct lkst_event event;
	int ret;

	while ((ret = lkst_trace_next(read->trace, &event, err)) > 0) {
		if (++done % READ_PROGRESS == 0 && read->window->progress)
			read->window->progress(read->window->ctx, done, total);
		if (lkst_trace_boot(read->trace, event.source) != read->boot)
			continue;
		if (read->end_ns < read->newest_ns && read_is_after(read, &event)) {
			if (read_is_late(read, &event))
				return 0;
			continue;
		}
		if (read_feed(read, &event, err))
			return -1;
	}
	return ret;
}

static int read_window(struct model_read *read, struct lkst_error *err)
{
	size_t len;

	if (read_newest(read, err) || lkst_trace_rewind(read->trace, LKST_OLDEST_FIRST, err))
		return -1;
	read->model->selected = lkst_trace_system(read->trace, "selected", &len);
	lkst_model_open_window(read->model, read->window->begin_ns);
	if (read_events(read, err))
		return -1;
	read_next(read, NULL);
	return lkst_model_cut(read->model, read->end_ns, err);
}

int lkst_model_read(struct lkst_model *model, struct lkst_trace *trace,
		    struct lkst_model_window *window, struct lkst_error *err)
{
	struct lkst_model_window whole = { .begin_ns = INT64_MIN, .end_ns = INT64_MAX };
	struct model_read *read = calloc(1, sizeof(*read));
	int ret;

	if (!read) {
		lkst_error_memory(err, "the trace");
		return -1;
	}
	read->model = model;
	read->trace = trace;
	read->window = window ? window : &whole;
	ret = read_window(read, err);
	free(read);
	return ret;
}
