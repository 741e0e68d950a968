/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The plug-in of Babeltrace 2: the component class source.lkst.trace, which reads LKST's trace
 * files and memory images.
 *
 * plugin.c describes the class, and support.c says which files it can read. source.c is a
 * component: it opens the files (input.c), and makes a trace of Babeltrace from each boot (boot.c)
 * and a stream with an output port from each lane (the events of a CPU). iterator.c produces the
 * messages of a stream. classes.c finds the event class of an event, lttng.c has the names that
 * LTTng's kernel tracer gives to events and fields, plan.c chooses the fields of an event class,
 * and fields.c fills them in.
 */
#ifndef _BABELTRACE_SOURCE_H
#define _BABELTRACE_SOURCE_H

#include <babeltrace2/babeltrace.h>

#include "boot.h"
#include "input.h"
#include "lib/lkst.h"

struct component;

/**
 * struct source_lane - a lane of the trace: a stream with its port
 * @source: component
 * @index: index of the lane
 * @boot: boot that the events are from
 * @stream: stream of the boot's trace
 */
struct source_lane {
	struct component *source;
	size_t index;
	struct ctf_boot *boot;
	bt_stream *stream;
};

/**
 * struct component - a component
 * @self: component as Babeltrace knows it
 * @input: the files
 * @types: event types of each file of @input.trace
 * @boots: number of boots
 * @boot: boots
 * @lanes: number of lanes that have events
 * @lane: these lanes; allocated once, because ports point to them
 */
struct component {
	bt_self_component_source *self;
	struct input input;
	struct lkst_etypes **types;
	size_t boots;
	struct ctf_boot *boot;
	size_t lanes;
	struct source_lane *lane;
};

bt_component_class_initialize_method_status
source_initialize(bt_self_component_source *self, bt_self_component_source_configuration *config,
		  const bt_value *params, void *data);
void source_finalize(bt_self_component_source *self);

#endif
