// SPDX-License-Identifier: GPL-2.0
/* Writes an event as a message of Perfetto. */
#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lib/text/context.h"
#include "lib/text/field.h"
#include "lib/text/names.h"
#include "lkstbuf/export/task_state.h"
#include "perfetto.h"
#include "wire.h"

enum {
	EVENT_TIMESTAMP = 1,
	EVENT_PID = 2,
	EVENT_WAKEUP_NEW = 114,
};

#define SECTOR 512

/**
 * encode_comm() - get the name of a thread
 * @pf: writer
 * @tid: thread
 * @event: event; the thread can have had other names at other times
 * @idle: room for the name of an idle thread
 *
 * Return: the name; NULL if it is unknown.
 */
const char *encode_comm(const struct perfetto *pf, uint32_t tid, const struct lkst_event *event,
			char idle[16])
{
	if (tid)
		return lkst_names_get(pf->export->context->names, tid, event->time_ns);
	snprintf(idle, 16, "swapper/%d", event->cpu);
	return idle;
}

/* Replace bytes from @content to @end that are not valid UTF-8. */
static void encode_clean(uint8_t *content, const uint8_t *end)
{
	const uint8_t *p = content;

	while (p < end && *p < 0x80)
		p++;
	if (p < end)
		put_utf8((char *)content, (char *)content, (size_t)(end - content));
}

static uint8_t *encode_text(uint8_t *p, const struct plan_item *item, struct field_view *view)
{
	uint8_t *content = wire_open(p, item->number);
	char *text = (char *)content;

	if (item->kind == PLAN_IPI)
		text = put_text(text, "IPI ");
	if (item->field->format == LKST_FMT_REG)
		text = put_char(put_text(text, lkst_field_label(view->event, item->field)), '=');
	text = lkst_put_field(text, view, item->field);
	encode_clean(content, (uint8_t *)text);
	return wire_close(content, (uint8_t *)text);
}

static uint8_t *encode_name(struct perfetto *pf, uint8_t *p, uint32_t number, uint32_t tid,
			    const struct lkst_event *event)
{
	char idle[16];
	const char *name = tid == UINT32_MAX ? NULL : encode_comm(pf, tid, event, idle);
	uint8_t *content = wire_open(p, number), *end;

	if (!name)
		return p;
	threads_name(pf, tid);
	end = (uint8_t *)put_text((char *)content, name);
	encode_clean(content, end);
	return wire_close(content, end);
}

static uint64_t encode_signed(const struct lkst_field *field, uint64_t value)
{
	bool whole = field->part == LKST_PART_WHOLE && field->format != LKST_FMT_TID;

	return whole ? value : (uint64_t)(int32_t)value;
}

static uint8_t *encode_item(struct perfetto *pf, uint8_t *p, const struct plan_item *item,
			    struct field_view *view)
{
	const struct lkst_event *event = view->event;
	const struct lkst_field *field = item->field;
	uint64_t value = field ? lkst_field_value(field, event) :
				 event->arg[(item->number - 1) % 4];

	switch (item->kind) {
	case PLAN_TEXT:
	case PLAN_IPI:
		return encode_text(p, item, view);
	case PLAN_NEW_COMM:
		if (threads_named(pf, (uint32_t)value))
			return p;
		/* Fallthrough */
	case PLAN_COMM:
		return encode_name(pf, p, item->number, (uint32_t)value, event);
	case PLAN_ADDRESS:
		return wire_fixed64(p, item->number, value);
	case PLAN_SIGNED:
		value = encode_signed(field, value);
		break;
	case PLAN_STATE:
		value = (uint64_t)task_state_number(value);
		break;
	case PLAN_FUNCTION:
		value = functions_number(pf, field, event);
		break;
	case PLAN_SECTORS:
		value /= SECTOR;
		break;
	case PLAN_TGID:
		value = event->tgid;
		break;
	case PLAN_CPU:
		value = (uint32_t)event->cpu;
		break;
	case PLAN_NOT_IDLE:
		value = UINT32_MAX;
		break;
	case PLAN_ONE:
		value = 1;
		break;
	default:
		break;
	}
	return wire_number(p, item->number, value);
}

/* Return the number of the field of FtraceEvent that contains the event. */
static uint32_t encode_number(const struct message_plan *plan, const struct lkst_event *event)
{
	if (plan->choice && event->type == LKST_ETYPE_PROCESS_WAKEUP &&
	    lkst_field_value(plan->choice, event))
		return EVENT_WAKEUP_NEW;
	return plan->number;
}

/**
 * encode_plan() - choose how an event is written
 * @plan: plan of its type
 * @event: event
 *
 * Perfetto knows only the system calls of the kernel's own ABI.
 *
 * Return: @plan, or its generic plan.
 */
struct message_plan *encode_plan(struct message_plan *plan, const struct lkst_event *event)
{
	bool generic = plan->choice && event->type != LKST_ETYPE_PROCESS_WAKEUP &&
		       lkst_field_value(plan->choice, event);

	return generic ? plan->generic : plan;
}

/**
 * encode_event() - write an event as a message FtraceEvent
 * @pf: writer; @pf->event receives the message
 * @plan: how to write it
 * @event: event
 * @time: its time in the output
 *
 * Return: length of the message in bytes.
 */
size_t encode_event(struct perfetto *pf, const struct message_plan *plan,
		    const struct lkst_event *event, uint64_t time)
{
	struct field_view view = {
		.context = pf->export->context, .event = event, .type = plan->type, .bare = true
	};
	uint8_t *p = wire_number(pf->event, EVENT_TIMESTAMP, time), *content;

	p = wire_number(p, EVENT_PID, event->tid);
	p = content = wire_open(p, encode_number(plan, event));
	for (size_t i = 0; i < plan->num; i++) {
		const struct plan_item *item = &plan->item[i];

		if (item->field && plan->type && lkst_field_is_left_out(event, item->field, false))
			continue;
		p = encode_item(pf, p, item, &view);
	}
	p = wire_close(content, p);
	return (size_t)(p - pf->event);
}

/* Return the type of a field, as in the descriptors of protocol buffers. */
static int32_t encode_type_of(enum plan_kind kind)
{
	enum {
		TYPE_INT64 = 3,
		TYPE_UINT64 = 4,
		TYPE_FIXED64 = 6,
		TYPE_STRING = 9,
	};

	switch (kind) {
	case PLAN_TEXT:
		return TYPE_STRING;
	case PLAN_SIGNED:
		return TYPE_INT64;
	case PLAN_ADDRESS:
		return TYPE_FIXED64;
	default:
		return TYPE_UINT64;
	}
}

/**
 * encode_description() - describe a generic message, before it is used
 * @pf: writer
 * @plan: a generic plan
 * @cpu: CPU of the event
 */
void encode_description(struct perfetto *pf, struct message_plan *plan, int32_t cpu)
{
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__FtraceEventBundle bundle = PF__FTRACE_EVENT_BUNDLE__INIT;
	Pf__FtraceEventBundle__GenericEventDescriptor generic =
		PF__FTRACE_EVENT_BUNDLE__GENERIC_EVENT_DESCRIPTOR__INIT;
	Pf__FtraceEventBundle__GenericEventDescriptor *generics = &generic;
	Pf__EventDescriptor descriptor = PF__EVENT_DESCRIPTOR__INIT;
	Pf__FieldDescriptor fields[PLAN_ITEMS], *list[PLAN_ITEMS];
	char label[PLAN_ITEMS][PLAN_NAME];

	for (size_t i = 0; i < plan->num; i++) {
		pf__field_descriptor__init(&fields[i]);
		plan_label(plan, i, label[i]);
		fields[i].name = label[i];
		fields[i].has_number = fields[i].has_label = fields[i].has_type = true;
		fields[i].number = (int32_t)plan->item[i].number;
		fields[i].label = 1;
		fields[i].type = encode_type_of(plan->item[i].kind);
		list[i] = &fields[i];
	}
	descriptor.name = plan->name;
	descriptor.n_field = plan->num;
	descriptor.field = list;
	generic.has_field_id = true;
	generic.field_id = (int32_t)plan->number;
	generic.event_descriptor = &descriptor;
	bundle.has_cpu = true;
	bundle.cpu = (uint32_t)cpu;
	bundle.n_generic_event_descriptors = 1;
	bundle.generic_event_descriptors = &generics;
	packet.ftrace_events = &bundle;
	perfetto_write(pf, &packet);
	plan->described = true;
}
