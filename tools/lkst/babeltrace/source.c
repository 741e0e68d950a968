// SPDX-License-Identifier: LGPL-2.1
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/trace/trace.h"

/* ---- parameters ---- */

/* Print a sentence about damage or losses, unless the user asked for errors only. */
static void source_report(void *ctx, const char *text)
{
	const struct component *source = ctx;
	const bt_component *component = bt_self_component_as_component(
		bt_self_component_source_as_self_component(source->self));

	if (bt_component_get_logging_level(component) <= BT_LOGGING_LEVEL_WARNING)
		fprintf(stderr, "source.lkst.trace: %s\n", text);
}

/* Get a string parameter. Returns 0 if it is valid or missing. */
static int source_take_text(const bt_value *params, const char *name, const char **text,
			    struct lkst_error *err)
{
	const bt_value *value = bt_value_map_borrow_entry_value_const(params, name);

	if (!value)
		return 0;
	if (!bt_value_is_string(value)) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, "parameter \"%s\": must be a string", name);
		return -1;
	}
	*text = bt_value_string_get(value);
	return 0;
}

static int source_take_inputs(const bt_value *params, struct input_options *options,
			      struct lkst_error *err)
{
	const bt_value *inputs = bt_value_map_borrow_entry_value_const(params, "inputs");
	uint64_t num = inputs && bt_value_is_array(inputs) ? bt_value_array_get_length(inputs) : 0;

	if (!num) {
		lkst_error_set(err, LKST_ERR_ARGUMENT,
			       "parameter \"inputs\": must be an array of file names");
		return -1;
	}
	options->path = calloc(num, sizeof(*options->path));
	if (!options->path) {
		lkst_error_memory(err, "the inputs");
		return -1;
	}
	for (; options->num < num; options->num++) {
		const bt_value *path =
			bt_value_array_borrow_element_by_index_const(inputs, options->num);

		if (!bt_value_is_string(path)) {
			lkst_error_set(err, LKST_ERR_ARGUMENT,
				       "parameter \"inputs\": must contain only strings");
			return -1;
		}
		options->path[options->num] = bt_value_string_get(path);
	}
	return 0;
}

static bt_value_map_foreach_entry_const_func_status
source_check_name(const char *name, const bt_value *value, void *ctx)
{
	static const char *const known[] = { "inputs", "boot", "symbols" };
	struct lkst_error *err = ctx;

	(void)value;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(name, known[i]))
			return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	lkst_error_set(err, LKST_ERR_ARGUMENT,
		       "parameter \"%s\": is unknown (the parameters are inputs, boot and symbols)",
		       name);
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

static int source_take(const bt_value *params, struct input_options *options,
		       struct lkst_error *err)
{
	return bt_value_map_foreach_entry_const(params, source_check_name, err) ||
	       source_take_inputs(params, options, err) ||
	       source_take_text(params, "boot", &options->boot, err) ||
	       source_take_text(params, "symbols", &options->symbols, err);
}

/* ---- the trace ---- */

static int source_load_types(struct component *source, struct lkst_error *err)
{
	size_t num = lkst_trace_sources(source->input.trace);

	source->types = calloc(num + 1, sizeof(*source->types));
	if (!source->types) {
		lkst_error_memory(err, "event types");
		return -1;
	}
	for (size_t i = 0; i < num; i++) {
		source->types[i] = lkst_trace_source_etypes(source->input.trace, (uint32_t)i, err);
		if (!source->types[i])
			return -1;
	}
	return 0;
}

/* Return the boot that an event is from. @source->boot has room for one boot for each file. */
static struct ctf_boot *source_boot(struct component *source, const struct lkst_event *event)
{
	uint32_t number = lkst_trace_boot(source->input.trace, event->source);
	struct ctf_boot *boot;
	size_t len;

	for (size_t i = 0; i < source->boots; i++)
		if (source->boot[i].number == number)
			return &source->boot[i];
	boot = &source->boot[source->boots++];
	boot->number = number;
	boot->selected = lkst_trace_boot_system(source->input.trace, number, "selected", &len);
	return boot;
}

/*
 * Read the first event of a lane in the given order. Returns 1 on success; 0 if the lane is empty;
 * -1 on error.
 */
static int source_first(struct component *source, size_t lane, enum lkst_order order,
			struct lkst_event *event, struct lkst_error *err)
{
	if (lkst_trace_rewind_lane(source->input.trace, lane, order, err))
		return -1;
	return lkst_trace_next(source->input.trace, event, err);
}

/* List the lanes that have events, and find their boots. */
static int source_find_lanes(struct component *source, struct lkst_error *err)
{
	size_t num = lkst_trace_lanes(source->input.trace);

	source->lane = calloc(num + 1, sizeof(*source->lane));
	source->boot = calloc(lkst_trace_sources(source->input.trace) + 1, sizeof(*source->boot));
	if (!source->lane || !source->boot) {
		lkst_error_memory(err, "the CPUs");
		return -1;
	}
	for (size_t i = 0; i < num; i++) {
		struct source_lane *lane = &source->lane[source->lanes];
		struct lkst_event event;
		int ret = source_first(source, i, LKST_NEWEST_FIRST, &event, err);

		if (ret < 0)
			return -1;
		if (!ret)
			continue;
		*lane = (struct source_lane){ .source = source,
					      .index = i,
					      .boot = source_boot(source, &event) };
		clock_see_newest(&lane->boot->clock, &event);
		source->lanes++;
	}
	return 0;
}

/*
 * Make the port of a lane, and its stream. If the trace is converted to CTF, the file of the stream
 * gets the name of the stream.
 */
static int source_add_port(struct component *source, struct source_lane *lane,
			   const struct lkst_event *oldest, struct lkst_error *err)
{
	bool is_static = oldest->buffer == LKST_BUFFER_ID_VOID;
	char name[64];

	lane->stream = bt_stream_create(lane->boot->stream_class, lane->boot->trace);
	if (is_static)
		snprintf(name, sizeof(name), "static");
	else
		snprintf(name, sizeof(name), "cpu%d", oldest->cpu);
	if (!lane->stream || bt_stream_set_name(lane->stream, name)) {
		lkst_error_memory(err, "a stream");
		return -1;
	}
	snprintf(name + strlen(name), sizeof(name) - strlen(name), "-%zu", lane->index);
	if (bt_self_component_source_add_output_port(source->self, name, lane, NULL)) {
		lkst_error_memory(err, "a port");
		return -1;
	}
	return 0;
}

/* Complete the clocks of the boots, and make their traces, streams and ports. */
static int source_make(struct component *source, struct lkst_error *err)
{
	bt_self_component *self = bt_self_component_source_as_self_component(source->self);
	struct lkst_event *oldest = calloc(source->lanes + 1, sizeof(*oldest));
	int ret = 0;

	if (!oldest) {
		lkst_error_memory(err, "the CPUs");
		return -1;
	}
	for (size_t i = 0; !ret && i < source->lanes; i++) {
		ret = source_first(source, source->lane[i].index, LKST_OLDEST_FIRST, &oldest[i],
				   err) < 0;
		clock_see_oldest(&source->lane[i].boot->clock, &oldest[i]);
	}
	for (size_t i = 0; !ret && i < source->boots; i++)
		ret = boot_make_trace(&source->boot[i], self, source->input.trace, err);
	for (size_t i = 0; !ret && i < source->lanes; i++)
		ret = source_add_port(source, &source->lane[i], &oldest[i], err);
	free(oldest);
	return ret ? -1 : 0;
}

static int source_open(struct component *source, const bt_value *params, struct lkst_error *err)
{
	struct input_options options = { .report = source_report, .ctx = source };
	int ret = -1;

	source->input.fd = -1;
	if (!source_take(params, &options, err))
		ret = input_open(&source->input, &options, err);
	if (!ret && (source_load_types(source, err) || source_find_lanes(source, err)))
		ret = -1;
	if (!ret && !source->lanes) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, "%s: contains no events", options.path[0]);
		ret = -1;
	}
	free(options.path);
	return ret ? -1 : source_make(source, err);
}

static void source_free(struct component *source)
{
	for (size_t i = 0; i < source->lanes; i++)
		bt_stream_put_ref(source->lane[i].stream);
	for (size_t i = 0; i < source->boots; i++)
		boot_free(&source->boot[i]);
	for (size_t i = 0; source->types && i < lkst_trace_sources(source->input.trace); i++)
		lkst_etypes_free(source->types[i]);
	free(source->lane);
	free(source->boot);
	free(source->types);
	input_close(&source->input);
	free(source);
}

/**
 * source_initialize() - initialize a component
 * @self: component
 * @configuration: not used
 * @params: parameters
 * @data: not used
 */
bt_component_class_initialize_method_status
source_initialize(bt_self_component_source *self,
		  bt_self_component_source_configuration *configuration, const bt_value *params,
		  void *data)
{
	bt_self_component *component = bt_self_component_source_as_self_component(self);
	struct component *source = calloc(1, sizeof(*source));
	struct lkst_error err = { 0 };

	(void)configuration;
	(void)data;
	if (!source)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	source->self = self;
	if (!source_open(source, params, &err)) {
		bt_self_component_set_data(component, source);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
	}
	source_free(source);
	BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component, "%s", err.text);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

/**
 * source_finalize() - free a component
 * @self: component
 */
void source_finalize(bt_self_component_source *self)
{
	source_free(bt_self_component_get_data(bt_self_component_source_as_self_component(self)));
}
