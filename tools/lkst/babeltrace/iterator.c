// SPDX-License-Identifier: LGPL-2.1
/*
 * The events of a CPU are in packets of ITERATOR_PACKET events. If events are missing, the packet
 * before them ends at the last event before the gap. A message about discarded events follows, and
 * then a packet that contains only the first event after the gap. The begin time of that packet is
 * the time of the last event before the gap. The reasons are:
 *
 *  - sink.ctf.fs requires that discarded events begin at the end of a packet, and end at the end of
 *    the next packet.
 *  - Trace Compass shows discarded events from the beginning to the end of the packet that follows
 *    them, and ignores them if that packet is empty.
 *
 * Memory is bounded: an iterator reads a lane (the events of a CPU) through its own view of the
 * trace, which holds one chunk of each file with events of the CPU.
 *
 * A recid is the number of an event: each CPU numbers its events from 0.
 */
#include "iterator.h"

#include <stdlib.h>

#include "classes.h"
#include "fields.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/trace/trace.h"
#include "source.h"

#define ITERATOR_PACKET 8192

enum iterator_state {
	ITERATOR_BEGINNING,
	ITERATOR_EVENTS,
	ITERATOR_ENDED,
};

/**
 * struct iterator - an iterator
 * @self: iterator as Babeltrace knows it
 * @lane: lane (the events of a CPU) that it reads
 * @view: view of the trace
 * @text: room for FIELDS_TEXT bytes
 * @state: position in the stream
 * @event: next event
 * @has_event: whether @event is valid
 * @clock: value of the clock for @event
 * @lost: number of events that are missing before @event
 * @discarded: the message about the @lost events has been produced
 * @packet: open packet; NULL: none
 * @events: number of events in the open packet
 * @is_short: the open packet ends after one event
 * @packet_cpu: CPU whose events the open packet contains
 * @last_clock: value of the clock for the previous event
 * @last_recid: recid of the previous event
 * @seen: there was a previous event
 * @cpu: thread to which the CPU has switched
 */
struct iterator {
	bt_self_message_iterator *self;
	const struct source_lane *lane;
	struct lkst_trace *view;
	char *text;
	enum iterator_state state;
	struct lkst_event event;
	bool has_event;
	uint64_t clock;
	uint64_t lost;
	bool discarded;
	bt_packet *packet;
	uint32_t events;
	bool is_short;
	int32_t packet_cpu;
	uint64_t last_clock;
	uint64_t last_recid;
	bool seen;
	struct fields_cpu cpu;
};

/* ---- reading ---- */

/*
 * Return the number of events that are missing before an event. Return 0 for an event in the static
 * buffer, which counts events of all CPUs and whose recids may restart.
 */
static uint64_t iterator_missing(const struct iterator *iterator, const struct lkst_event *event)
{
	uint64_t gap = event->recid - iterator->last_recid - 1;

	if (!iterator->seen || event->recid <= iterator->last_recid ||
	    event->buffer == LKST_BUFFER_ID_VOID || iterator->lane->boot->selected)
		return 0;
	return gap > event->parts_before ? gap - event->parts_before : 0;
}

/* Read the next event. Returns 1 if there is one; 0 at the end; -1 on error. */
static int iterator_read(struct iterator *iterator, struct lkst_error *err)
{
	struct lkst_event *event = &iterator->event;
	int ret = lkst_trace_next(iterator->view, event, err);

	iterator->has_event = ret > 0;
	if (ret <= 0)
		return ret;
	iterator->clock = clock_value(&iterator->lane->boot->clock, event);
	if (iterator->seen && iterator->clock < iterator->last_clock)
		iterator->clock = iterator->last_clock;
	iterator->lost = iterator_missing(iterator, event);
	iterator->discarded = false;
	if (iterator->lost || (iterator->seen && event->recid <= iterator->last_recid))
		iterator->cpu.known = false;
	return 1;
}

/* Go past the event, because a message about it has been produced. */
static void iterator_pass(struct iterator *iterator)
{
	const struct lkst_event *event = &iterator->event;

	iterator->has_event = false;
	iterator->seen = true;
	iterator->last_clock = iterator->clock;
	iterator->last_recid = event->recid;
	if (event->type == LKST_ETYPE_PROCESS_CONTEXTSWITCH)
		iterator->cpu = (struct fields_cpu){
			.known = true,
			.tid = (uint32_t)(event->arg[1] >> 32),
			.prio = (int32_t)event->arg[1],
		};
}

/* ---- messages ---- */

static bt_message *iterator_end_packet(struct iterator *iterator)
{
	bt_message *message = bt_message_packet_end_create_with_default_clock_snapshot(
		iterator->self, iterator->packet, iterator->last_clock);

	BT_PACKET_PUT_REF_AND_RESET(iterator->packet);
	return message;
}

static bt_message *iterator_begin_packet(struct iterator *iterator)
{
	bt_field *context, *cpu;

	iterator->packet = bt_packet_create(iterator->lane->stream);
	if (!iterator->packet)
		return NULL;
	context = bt_packet_borrow_context_field(iterator->packet);
	cpu = bt_field_structure_borrow_member_field_by_index(context, BOOT_PACKET_CPU);
	bt_field_integer_signed_set_value(cpu, iterator->event.cpu);
	iterator->packet_cpu = iterator->event.cpu;
	iterator->events = 0;
	iterator->is_short = iterator->lost;
	return bt_message_packet_beginning_create_with_default_clock_snapshot(
		iterator->self, iterator->packet,
		iterator->lost ? iterator->last_clock : iterator->clock);
}

static bt_message *iterator_discard(struct iterator *iterator)
{
	bt_message *message = bt_message_discarded_events_create_with_default_clock_snapshots(
		iterator->self, iterator->lane->stream, iterator->last_clock, iterator->clock);

	if (message)
		bt_message_discarded_events_set_count(message, iterator->lost);
	iterator->discarded = true;
	return message;
}

static bt_message *iterator_event(struct iterator *iterator, struct lkst_error *err)
{
	const struct component *source = iterator->lane->source;
	const struct lkst_event *event = &iterator->event;
	const struct lkst_etypes *types = source->types[event->source];
	const struct fields fields = {
		.context = lkst_trace_source_context(source->input.trace, event->source),
		.type = lkst_etype(types, event->type),
		.event = event,
		.cpu = &iterator->cpu,
		.text = iterator->text,
	};
	const struct class *class =
		classes_find(iterator->lane->boot->classes, types, fields.context, event, err);
	bt_message *message;

	if (!class)
		return NULL;
	message = bt_message_event_create_with_packet_and_default_clock_snapshot(
		iterator->self, class->class, iterator->packet, iterator->clock);
	if (message && fields_fill(&fields, class->plan, bt_message_event_borrow_event(message)))
		BT_MESSAGE_PUT_REF_AND_RESET(message);
	if (!message)
		return NULL;
	iterator->events++;
	iterator_pass(iterator);
	return message;
}

/* Return whether the open packet must end before the next event. */
static bool iterator_packet_ends(const struct iterator *iterator)
{
	return !iterator->has_event || (iterator->lost && !iterator->discarded) ||
	       (iterator->is_short && iterator->events) || iterator->events == ITERATOR_PACKET ||
	       iterator->event.cpu != iterator->packet_cpu;
}

/* Produce a message about the next event, or the end of the stream. NULL: an allocation failed. */
static bt_message *iterator_go_on(struct iterator *iterator, struct lkst_error *err)
{
	if (iterator->packet && iterator_packet_ends(iterator))
		return iterator_end_packet(iterator);
	if (!iterator->has_event) {
		iterator->state = ITERATOR_ENDED;
		return bt_message_stream_end_create(iterator->self, iterator->lane->stream);
	}
	if (iterator->lost && !iterator->discarded)
		return iterator_discard(iterator);
	return iterator->packet ? iterator_event(iterator, err) : iterator_begin_packet(iterator);
}

/* Produce the next message. Returns 1 if there is one; 0 at the end; -1 on error. */
static int iterator_message(struct iterator *iterator, const bt_message **message,
			    struct lkst_error *err)
{
	if (iterator->state == ITERATOR_ENDED)
		return 0;
	if (iterator->state == ITERATOR_BEGINNING) {
		iterator->state = ITERATOR_EVENTS;
		*message =
			bt_message_stream_beginning_create(iterator->self, iterator->lane->stream);
	} else {
		if (!iterator->has_event && iterator_read(iterator, err) < 0)
			return -1;
		*message = iterator_go_on(iterator, err);
	}
	if (*message)
		return 1;
	lkst_error_memory(err, "a message");
	return -1;
}

/**
 * iterator_next() - produce messages
 * @self: iterator
 * @messages: result
 * @capacity: number of messages for which @messages has room
 * @count: result: number of messages
 */
bt_message_iterator_class_next_method_status iterator_next(bt_self_message_iterator *self,
							   bt_message_array_const messages,
							   uint64_t capacity, uint64_t *count)
{
	struct iterator *iterator = bt_self_message_iterator_get_data(self);
	struct lkst_error err = { 0 };
	uint64_t num = 0;
	int ret = 1;

	while (num < capacity && ret > 0) {
		ret = iterator_message(iterator, &messages[num], &err);
		if (ret > 0)
			num++;
	}
	if (ret < 0) {
		while (num)
			bt_message_put_ref(messages[--num]);
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self, "%s", err.text);
		return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR;
	}
	*count = num;
	return num ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK :
		     BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

/* ---- creation ---- */

static void iterator_free(struct iterator *iterator)
{
	bt_packet_put_ref(iterator->packet);
	lkst_trace_view_free(iterator->view);
	free(iterator->text);
	free(iterator);
}

/* Return to the beginning of the stream. */
static int iterator_rewind(struct iterator *iterator, struct lkst_error *err)
{
	bt_packet_put_ref(iterator->packet);
	iterator->packet = NULL;
	iterator->state = ITERATOR_BEGINNING;
	iterator->has_event = iterator->seen = iterator->cpu.known = false;
	iterator->lost = 0;
	return lkst_trace_rewind_lane(iterator->view, iterator->lane->index, LKST_OLDEST_FIRST,
				      err);
}

/**
 * iterator_initialize() - initialize an iterator
 * @self: iterator
 * @configuration: configuration
 * @port: port of the lane
 */
bt_message_iterator_class_initialize_method_status
iterator_initialize(bt_self_message_iterator *self,
		    bt_self_message_iterator_configuration *configuration,
		    bt_self_component_port_output *port)
{
	struct iterator *iterator = calloc(1, sizeof(*iterator));
	struct lkst_error err = { 0 };

	if (!iterator)
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	iterator->self = self;
	iterator->lane = bt_self_component_port_get_data(
		bt_self_component_port_output_as_self_component_port(port));
	iterator->text = malloc(FIELDS_TEXT);
	if (iterator->text)
		iterator->view = lkst_trace_view_new(iterator->lane->source->input.trace, &err);
	else
		lkst_error_memory(&err, "an event");
	if (!iterator->view || iterator_rewind(iterator, &err)) {
		iterator_free(iterator);
		BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self, "%s", err.text);
		return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_message_iterator_configuration_set_can_seek_forward(configuration, BT_TRUE);
	bt_self_message_iterator_set_data(self, iterator);
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

/**
 * iterator_finalize() - free an iterator
 * @self: iterator
 */
void iterator_finalize(bt_self_message_iterator *self)
{
	iterator_free(bt_self_message_iterator_get_data(self));
}

/**
 * iterator_can_seek_beginning() - find out whether the iterator can return to the beginning
 * @self: iterator
 * @can: result
 */
bt_message_iterator_class_can_seek_beginning_method_status
iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can)
{
	(void)self;
	*can = BT_TRUE;
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}

/**
 * iterator_seek_beginning() - return to the beginning
 * @self: iterator
 */
bt_message_iterator_class_seek_beginning_method_status
iterator_seek_beginning(bt_self_message_iterator *self)
{
	struct lkst_error err = { 0 };

	if (!iterator_rewind(bt_self_message_iterator_get_data(self), &err))
		return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(self, "%s", err.text);
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_ERROR;
}
