// SPDX-License-Identifier: GPL-2.0
/* Writes an event in the form of a record of the kernel's ring buffer: members, then strings. */
#include <stdio.h>
#include <string.h>

#include "lib/text/context.h"
#include "lib/text/field.h"
#include "lib/text/names.h"
#include "lkstbuf/export/task_state.h"
#include "tracedat.h"

/* Flags of an event, with the values that ftrace uses */
enum {
	FTRACE_IRQS_UNKNOWN = 0x02,
	FTRACE_NEED_RESCHED = 0x04,
	FTRACE_HARDIRQ = 0x08,
	FTRACE_SOFTIRQ = 0x10,
	FTRACE_NMI = 0x40,
};

#define ENCODE_SECTOR  512
#define ENCODE_NO_PRIO (-99) /* no thread has this priority */

static uint8_t encode_flags(uint32_t flags)
{
	return (uint8_t)(FTRACE_IRQS_UNKNOWN |
			 (flags & LKST_LOG_NEED_RESCHED ? FTRACE_NEED_RESCHED : 0) |
			 (flags & (LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT) ? FTRACE_HARDIRQ : 0) |
			 (flags & LKST_LOG_SOFTIRQ ? FTRACE_SOFTIRQ : 0) |
			 (flags & LKST_LOG_NMI ? FTRACE_NMI : 0));
}

/* Write the members that all events have. */
static void encode_common(uint8_t *to, const struct dat_plan *plan, const struct lkst_event *event)
{
	uint8_t flags = encode_flags(event->flags);
	uint8_t preempt_count = event->flags & LKST_LOG_PREEMPT_OFF ? 1 : 0;

	memcpy(to, &plan->id, 2);
	memcpy(to + 2, &flags, 1);
	memcpy(to + 3, &preempt_count, 1);
	memcpy(to + 4, &event->tid, 4);
}

/*
 * Write a string, with escapes for bytes that could control a terminal. A string that does not fit
 * into @room bytes is cut. Returns the length in bytes.
 */
static size_t encode_printable(char *to, size_t room, const char *text, size_t text_len)
{
	size_t len = 0;

	for (size_t i = 0, n; i < text_len; i += n) {
		n = put_printable_length(text + i, text_len - i);
		if (len + (n ? n : 4) > room)
			break;
		n += !n;
		len = (size_t)(put_printable(to + len, text + i, n) - to);
	}
	return len;
}

/* Write the name of a thread. */
static void encode_comm(const struct tracedat *dat, uint8_t *to, uint32_t tid,
			const struct lkst_event *event)
{
	char comm[DAT_COMM_SIZE + PUT_SPARE] = "";
	const char *name;

	if (!tid) {
		snprintf(comm, sizeof(comm), "swapper/%d", event->cpu);
		name = comm;
	} else {
		name = lkst_names_get(dat->export->context->names, tid, event->time_ns);
	}
	if (!name)
		name = "<...>";
	memset(to, 0, DAT_COMM_SIZE);
	encode_printable((char *)to, DAT_COMM_SIZE - 1, name, strlen(name));
}

/*
 * Write a string at @end, and store the offset of the string in the member @item. A string that
 * does not fit is cut. Returns the end of the string.
 */
static uint8_t *encode_text(struct tracedat *dat, const struct dat_item *item,
			    const struct lkst_event *event, const struct lkst_etype *type,
			    uint8_t *end)
{
	struct field_view view = {
		.context = dat->export->context, .event = event, .type = type, .bare = true
	};
	/* Leave room for the terminating zeros of the strings after this one. */
	size_t left = (size_t)(dat->event + DAT_EVENT_MAX - end), len;
	size_t room = left > DAT_ITEMS ? left - DAT_ITEMS - 1 : 0;
	char *text = dat->text, *last;
	uint32_t place;

	if (item->field->format == LKST_FMT_REG)
		text = put_char(put_text(text, lkst_field_label(event, item->field)), '=');
	last = lkst_put_field(text, &view, item->field);
	len = encode_printable((char *)end, room, dat->text, (size_t)(last - dat->text));
	end[len] = 0;
	place = (uint32_t)(end - dat->event) | (uint32_t)(len + 1) << 16;
	memcpy(dat->event + item->offset, &place, sizeof(place));
	return end + len + 1;
}

static uint64_t encode_number(const struct dat_item *item, const struct lkst_event *event)
{
	switch (item->kind) {
	case DAT_STATE:
		return (uint64_t)task_state_number(lkst_field_value(item->field, event));
	case DAT_SECTORS:
		return lkst_field_value(item->field, event) / ENCODE_SECTOR;
	case DAT_SELF:
		return event->tid;
	case DAT_CPU:
		return (uint32_t)event->cpu;
	case DAT_NOT_IDLE:
		return UINT32_MAX;
	case DAT_NO_PRIO:
		return (uint32_t)ENCODE_NO_PRIO;
	case DAT_S64:
		if (item->field && item->field->part != LKST_PART_WHOLE)
			return (uint64_t)(int32_t)lkst_field_value(item->field, event);
		/* Fallthrough */
	default:
		return item->field ? lkst_field_value(item->field, event) : event->arg[item->arg];
	}
}

static void encode_value(uint8_t *to, const struct dat_item *item, const struct lkst_event *event)
{
	uint64_t value;
	uint32_t low;

	if (item->kind == DAT_ARGS) {
		memcpy(to, &event->arg[item->arg], item->size);
		return;
	}
	value = encode_number(item, event);
	low = (uint32_t)value;
	if (item->size == 8)
		memcpy(to, &value, 8);
	else
		memcpy(to, &low, 4);
}

/**
 * dat_encode() - write an event to @dat->event
 * @dat: writer
 * @plan: members of the event
 * @event: event
 *
 * Return: length in bytes.
 */
size_t dat_encode(struct tracedat *dat, const struct dat_plan *plan, const struct lkst_event *event)
{
	uint8_t *end = dat->event + plan->size;

	memset(dat->event, 0, plan->size);
	encode_common(dat->event, plan, event);
	for (size_t i = 0; i < plan->num; i++) {
		const struct dat_item *item = &plan->item[i];
		uint8_t *to = dat->event + item->offset;

		if (item->kind == DAT_TEXT)
			end = encode_text(dat, item, event, plan->type, end);
		else if (item->kind == DAT_COMM)
			encode_comm(dat, to, (uint32_t)lkst_field_value(item->field, event), event);
		else if (item->kind == DAT_SELF_COMM)
			encode_comm(dat, to, event->tid, event);
		else
			encode_value(to, item, event);
	}
	return (size_t)(end - dat->event);
}
