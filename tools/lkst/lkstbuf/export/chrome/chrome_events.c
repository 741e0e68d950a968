// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the events that are not drawn as slices: instants on the track of their thread or, if they
 * occurred in an interrupt, of the CPU. Marks have a separate track.
 */
#include <stdio.h>
#include <string.h>

#include "chrome.h"
#include "lib/base/put.h"
#include "lib/text/classes.h"
#include "lib/text/etypes.h"
#include "lib/text/out.h"
#include "lib/text/payload.h"

/* Return whether slices and arrows show everything about events of this type. */
static bool event_is_drawn(uint32_t type)
{
	switch (type) {
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
	case LKST_ETYPE_PROCESS_WAKEUP:
	case LKST_ETYPE_PROCESS_WAKING:
	case LKST_ETYPE_INT_HARDWARE_ENTRY:
	case LKST_ETYPE_INT_HARDWARE_EXIT:
	case LKST_ETYPE_INT_SOFTIRQ_ENTRY:
	case LKST_ETYPE_INT_SOFTIRQ_EXIT:
	case LKST_ETYPE_INT_TASKLETHI_ENTRY:
	case LKST_ETYPE_INT_TASKLETHI_EXIT:
	case LKST_ETYPE_INT_TASKLET_ENTRY:
	case LKST_ETYPE_INT_TASKLET_EXIT:
	case LKST_ETYPE_INT_TIMER_ENTRY:
	case LKST_ETYPE_INT_TIMER_EXIT:
	case LKST_ETYPE_INT_IPI_ENTRY:
	case LKST_ETYPE_INT_IPI_EXIT:
	case LKST_ETYPE_EXCEPTION_ENTRY:
	case LKST_ETYPE_EXCEPTION_EXIT:
	case LKST_ETYPE_SYSCALL_ENTRY:
	case LKST_ETYPE_SYSCALL_EXIT:
	case LKST_ETYPE_TIMER_RUN_ENTRY:
	case LKST_ETYPE_TIMER_RUN_EXIT:
	case LKST_ETYPE_TIMER_HR_RUN_ENTRY:
	case LKST_ETYPE_TIMER_HR_RUN_EXIT:
	case LKST_ETYPE_WORK_ENTRY:
	case LKST_ETYPE_WORK_EXIT:
		return true;
	default:
		return false;
	}
}

/*
 * Return whether an event of this type is shown on the track of marks: a mark, a text, a user
 * event, or an event of a user-defined type.
 */
static bool event_is_mark(uint32_t type)
{
	return payload_is_mark(type) || lkst_etype_is_user(type);
}

static struct chrome_track *event_track(struct chrome *chrome, const struct lkst_event *event)
{
	const uint32_t interrupt = LKST_LOG_INTERRUPT | LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ |
				   LKST_LOG_NMI;
	const struct lkst_thread *thread = NULL;
	struct chrome_cpu *cpu;

	if (event_is_mark(event->type))
		return &chrome->marks;
	if (event->tid && !(event->flags & interrupt))
		thread = lkst_model_find(chrome->states.model, chrome->states.window.source,
					 event->tid);
	if (thread)
		return chrome_thread_track(chrome, thread);
	cpu = chrome_cpu(chrome, event->cpu);
	return cpu ? &cpu->track : NULL;
}

/*
 * Format the name of an event. A mark is named by the text that the program recorded, if it
 * recorded one; all other events have the name of their type.
 */
static void event_name(const struct lkst_event *event, const struct lkst_etype *type,
		       char name[CHROME_NAME_SIZE])
{
	if (payload_mark(event, name, CHROME_NAME_SIZE) && *name)
		return;
	if (type)
		snprintf(name, CHROME_NAME_SIZE, "%s", type->name);
	else
		snprintf(name, CHROME_NAME_SIZE, "%s0x%03x",
			 lkst_etype_is_user(event->type) ? LKST_USER_PREFIX : "", event->type);
}

/* Write the thread that recorded an event, with the name that lkstbuf print prints. */
static char *event_put_thread(char *p, const struct chrome *chrome, const struct lkst_event *event)
{
	const char *name = lkst_process_name(chrome->export->context, event);
	char text[STATE_THREAD_SIZE];

	if (!event->tid)
		snprintf(text, sizeof(text), "swapper/%d", event->cpu);
	else
		snprintf(text, sizeof(text), "%s%s%u", name ? name : "", name ? "-" : "",
			 event->tid);
	return chrome_put_text(p, "thread", text);
}

/* Write the values of an event. Returns where the line continues. */
static char *event_put_values(struct chrome *chrome, char *p, const struct lkst_event *event,
			      const struct lkst_etype *type)
{
	if (type) {
		chrome_put_fields(&chrome->writer, p, ",\"fields\":", event);
		return out_room(chrome->writer.out);
	}
	for (int i = 0; i < 4; i++)
		p = put_udec(put_text(p, i ? "," : ",\"arg\":["), event->arg[i]);
	return put_char(p, ']');
}

/**
 * chrome_event() - write a selected event
 * @ctx: export
 * @event: event, which the model has processed
 * @err: set if an allocation has failed
 */
int chrome_event(void *ctx, const struct lkst_event *event, struct lkst_error *err)
{
	struct chrome *chrome = ctx;
	const struct lkst_etype *type = lkst_etype(chrome->export->types, event->type);
	const struct lkst_class *class = lkst_class_of(event->type);
	struct chrome_track *track;
	char name[CHROME_NAME_SIZE], *p;

	(void)err;
	if (!chrome->chosen && event_is_drawn(event->type))
		return 0;
	track = event_track(chrome, event);
	if (!track)
		return 0;
	event_name(event, type, name);
	p = chrome_line(&chrome->writer, 'i', track, event->time_ns, name);
	p = chrome_put_text(p, "cat", class ? class->name : "unknown");
	p = put_text(p, ",\"s\":\"t\",\"args\":{\"event_type\":");
	p = put_dec(put_text(put_udec(p, event->type), ",\"cpu\":"), event->cpu);
	p = event_put_thread(p, chrome, event);
	p = event_put_values(chrome, p, event, type);
	chrome_line_end(&chrome->writer, put_char(p, '}'));
	return 0;
}
