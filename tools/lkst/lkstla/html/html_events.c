// SPDX-License-Identifier: GPL-2.0
/* Adds to the page the events that are not shown as spans, the marks, and the losses of records. */
#include "html.h"
#include "lib/base/etype_ids.h"
#include "lib/text/payload.h"
#include "lib/text/words.h"
#include "lib/trace/trace.h"
#include "lkstla/tally.h"

/* Return whether an event is visible as the start or the end of a span. */
static bool event_is_shown(uint32_t type)
{
	switch (type) {
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
	case LKST_ETYPE_PROCESS_WAKEUP:
	case LKST_ETYPE_PROCESS_WAKING:
	case LKST_ETYPE_PROCESS_STATE:
	case LKST_ETYPE_INT_HARDWARE_ENTRY:
	case LKST_ETYPE_INT_HARDWARE_EXIT:
	case LKST_ETYPE_INT_TIMER_ENTRY:
	case LKST_ETYPE_INT_TIMER_EXIT:
	case LKST_ETYPE_INT_IPI_ENTRY:
	case LKST_ETYPE_INT_IPI_EXIT:
	case LKST_ETYPE_INT_SOFTIRQ_ENTRY:
	case LKST_ETYPE_INT_SOFTIRQ_EXIT:
	case LKST_ETYPE_INT_SOFTIRQ_RAISE:
	case LKST_ETYPE_INT_TASKLETHI_ENTRY:
	case LKST_ETYPE_INT_TASKLETHI_EXIT:
	case LKST_ETYPE_INT_TASKLET_ENTRY:
	case LKST_ETYPE_INT_TASKLET_EXIT:
	case LKST_ETYPE_EXCEPTION_ENTRY:
	case LKST_ETYPE_EXCEPTION_EXIT:
	case LKST_ETYPE_SYSCALL_ENTRY:
	case LKST_ETYPE_SYSCALL_EXIT:
	case LKST_ETYPE_SYSCALL_PATH:
	case LKST_ETYPE_TIMER_RUN_ENTRY:
	case LKST_ETYPE_TIMER_RUN_EXIT:
	case LKST_ETYPE_TIMER_HR_RUN_ENTRY:
	case LKST_ETYPE_TIMER_HR_RUN_EXIT:
	case LKST_ETYPE_WORK_ENTRY:
	case LKST_ETYPE_WORK_EXIT:
	case LKST_ETYPE_BLOCK_ISSUE:
	case LKST_ETYPE_BLOCK_COMPLETE:
	case LKST_ETYPE_NET_PKTSEND:
	case LKST_ETYPE_NET_PKTSENDQ:
	case LKST_ETYPE_NET_PKTRECV:
	case LKST_ETYPE_NET_PKTRECVQ:
	case LKST_ETYPE_LOCK_CONTENTION_BEGIN:
	case LKST_ETYPE_LOCK_CONTENTION_END:
	case LKST_ETYPE_CPU_IDLE_ENTRY:
	case LKST_ETYPE_CPU_IDLE_EXIT:
		return true;
	default:
		return false;
	}
}

static void event_add_mark(struct html *html, const struct lkst_event *event,
			   const struct lkst_thread *thread)
{
	const char *name = lkst_etype_bare_name(lkst_etype(html->run->types, event->type));
	struct html_mark *mark;

	if (html->marks++ >= HTML_MARKS_MAX)
		return;
	mark = tally_cover(html->mark, &html->mark_room, html->marks - 1, sizeof(*mark));
	if (!mark) {
		run_out_of_memory(html->run);
		return;
	}
	html->mark = mark;
	mark += html->marks - 1;
	*mark = (struct html_mark){
		.at_ns = html_time(html, event->time_ns),
		.thread = thread,
		.cpu = event->cpu,
	};
	if (name)
		snprintf(mark->text, sizeof(mark->text), "%s", name);
	else if (!payload_mark(event, mark->text, sizeof(mark->text)))
		snprintf(mark->text, sizeof(mark->text), "%llu", (unsigned long long)event->arg[0]);
}

/* Format the arguments of an event as lkstbuf print --json does. */
static void event_set_text(struct html *html, const struct lkst_event *event, uint64_t *value)
{
	html->format.context = lkst_trace_source_context(html->run->trace, event->source);
	html->text.len = 0;
	if (lkst_format_json_fields(&html->format, event))
		html_chunks_set_text(&html->chunks, value, html->text.buf, html->text.len);
}

void html_on_event(void *ctx, const struct lkst_event *event)
{
	struct html *html = ctx;
	int64_t at_ns = html_time(html, event->time_ns);
	const struct lkst_thread *thread;
	uint64_t *value;

	paths_event(&html->paths, event);
	if (event->type >= LKST_ETYPE_NUM || event->cpu < 0 ||
	    !value_in_window(html->run, event->time_ns))
		return;
	html->event_count[event->type]++;
	if (event_is_shown(event->type) || !value_selects(html->run, event))
		return;
	thread = value_thread(html->run, event);
	/* Marks are counted even if the chunks already have the maximum number of these events. */
	if (payload_is_mark(event->type))
		event_add_mark(html, event, thread);
	if (html->event_stored[event->type] >= HTML_EVENTS_EACH)
		return;
	value = html_chunks_add(&html->chunks, HTML_EVENT, (uint32_t)event->cpu, at_ns, at_ns);
	if (!value) {
		run_out_of_memory(html->run);
		return;
	}
	html->event_stored[event->type]++;
	value[EVENT_TYPE] = event->type;
	value[EVENT_THREAD] = html_thread_number(thread);
	event_set_text(html, event, value);
}

void html_on_loss(void *ctx, const struct lkst_loss *loss)
{
	struct html *html = ctx;
	struct lkst_loss *added;

	paths_loss(&html->paths);
	if (html->losses++ >= HTML_LOSSES_MAX)
		return;
	added = tally_cover(html->loss, &html->loss_room, html->losses - 1, sizeof(*added));
	if (!added) {
		run_out_of_memory(html->run);
		return;
	}
	html->loss = added;
	added[html->losses - 1] = *loss;
}
