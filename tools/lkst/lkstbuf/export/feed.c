// SPDX-License-Identifier: GPL-2.0
/* Passes the events of a trace to the writer of a format. */
#include "cli/command.h"
#include "cli/print.h"
#include "export.h"
#include "lib/base/error.h"
#include "lib/trace/messages.h"
#include "lib/trace/trace.h"

#define FEED_PROGRESS 65536 /* number of events between two progress reports */

struct feed {
	struct export *export;
	const struct export_format *format;
	const struct print_types *types;
	void *writer;
	struct export_losses *losses;
	uint32_t source;
	uint64_t exported;
};

/* Return whether a loss is on a selected CPU and in the selected time. */
static bool feed_selects_loss(const struct lkst_selection *selection, const struct lkst_loss *loss)
{
	return (selection->cpu < 0 || selection->cpu == loss->cpu) &&
	       loss->end_ns >= selection->since_ns && loss->begin_ns <= selection->until_ns;
}

static int feed_loss(struct feed *feed, const struct lkst_event *event, struct lkst_error *err)
{
	struct lkst_loss loss;

	if (!export_losses_before(feed->losses, event, &loss) || !feed->format->loss ||
	    !feed_selects_loss(feed->export->selection, &loss))
		return 0;
	return feed->format->loss(feed->writer, &loss, err);
}

/* Report to the writer each CPU whose last records may be missing. */
static int feed_end_losses(struct feed *feed, struct lkst_error *err)
{
	struct lkst_loss loss;

	for (int32_t cpu = 0; feed->format->loss && cpu < LKST_TRACE_CPUS; cpu++)
		if (export_losses_end(feed->losses, cpu, &loss) &&
		    feed_selects_loss(feed->export->selection, &loss) &&
		    feed->format->loss(feed->writer, &loss, err))
			return -1;
	return 0;
}

static int feed_take(struct feed *feed, const struct lkst_event *event, struct lkst_error *err)
{
	const struct export_format *format = feed->format;
	struct export *export = feed->export;

	if (event->source != feed->source) {
		feed->source = event->source;
		export->types = print_types_of(feed->types, event->source);
		export->context = lkst_trace_source_context(export->trace, event->source);
	}
	if (feed_loss(feed, event, err) ||
	    (format->observe && format->observe(feed->writer, event, err)))
		return -1;
	if (!lkst_selected(export->selection, export->context, event))
		return 0;
	feed->exported++;
	return format->event(feed->writer, event, err);
}

static int feed_events(struct feed *feed, uint64_t max, const volatile int *stop,
		       struct lkst_error *err)
{
	const struct export *export = feed->export;
	uint64_t total = lkst_trace_records(export->trace), done = 0;
	struct lkst_event event;
	int ret = 1;

	if (lkst_trace_rewind(export->trace, LKST_OLDEST_FIRST, err))
		return -1;
	while (!export->out.error && (ret = lkst_trace_next(export->trace, &event, err)) != 0) {
		if (ret < 0 || feed_take(feed, &event, err))
			return -1;
		if (max && feed->exported == max)
			break;
		if (++done % FEED_PROGRESS)
			continue;
		progress_show((void *)"exporting", done, total);
		if (!*stop)
			continue;
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_INTERRUPTED, export->path);
		return -1;
	}
	/* If -n has ended the loop, @ret is 1: the last events of the CPUs have not been read. */
	if (!ret && feed_end_losses(feed, err))
		return -1;
	return feed->format->end ? feed->format->end(feed->writer, err) : 0;
}

/**
 * export_feed() - write the selected events of a trace in a format
 * @export: what to export, and the output, which the caller flushes and closes
 * @format: format
 * @types: event types of the trace
 * @max: maximum number of events; 0: all
 * @stop: set by a signal handler to end early, with LKST_ERR_INTERRUPTED
 * @exported: set to the number of exported events
 * @err: set on failure
 *
 * Return: 0, or -1 on failure. A failed write also returns 0 (see @export->out).
 */
int export_feed(struct export *export, const struct export_format *format,
		const struct print_types *types, uint64_t max, const volatile int *stop,
		uint64_t *exported, struct lkst_error *err)
{
	struct feed feed = {
		.export = export,
		.format = format,
		.types = types,
		.source = UINT32_MAX,
	};
	int ret = -1;

	export->types = export->all = types->all;
	export->context = lkst_trace_context(export->trace);
	feed.losses = export_losses_new(export->trace, err);
	if (feed.losses)
		feed.writer = format->open(export, err);
	if (feed.writer) {
		ret = feed_events(&feed, max, stop, err);
		format->close(feed.writer);
	}
	export_losses_free(feed.losses);
	progress_clear();
	*exported = feed.exported;
	return ret;
}
