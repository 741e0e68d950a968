// SPDX-License-Identifier: LGPL-2.1
#include "boot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classes.h"
#include "field_class.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/trace/trace.h"

#define NS_PER_S 1000000000

/* ---- the environment ---- */

struct boot_key {
	const char *name;
	const char *key;
};

/* Copy a value that the files of the boot contain, with its unprintable characters escaped. */
static int boot_set_value(bt_trace *to, const struct lkst_trace *trace, const struct ctf_boot *boot,
			  const struct boot_key *key)
{
	size_t len;
	const char *value = lkst_trace_boot_system(trace, boot->number, key->key, &len);
	char text[1024];

	if (!value)
		return 0;
	lkst_printable(value, len, text, sizeof(text));
	return bt_trace_set_environment_entry_string(to, key->name, text);
}

/*
 * Trace Compass opens a trace with its views of the kernel if the domain is "kernel". It expects
 * the names of events and fields that the tracer with this name and version uses. The names in
 * lttng.c are from lttng-modules 2.9 and later. The version must be less than 2.11, because
 * sink.ctf.fs expects more entries in the environment of a trace from version 2.11 on.
 */
static int boot_set_tracer(bt_trace *to)
{
	return bt_trace_set_environment_entry_string(to, "domain", "kernel") ||
	       bt_trace_set_environment_entry_string(to, "sysname", "Linux") ||
	       bt_trace_set_environment_entry_string(to, "tracer_name", "lttng-modules") ||
	       bt_trace_set_environment_entry_integer(to, "tracer_major", 2) ||
	       bt_trace_set_environment_entry_integer(to, "tracer_minor", 10) ||
	       bt_trace_set_environment_entry_integer(to, "tracer_patchlevel", 0);
}

static int boot_set_environment(bt_trace *to, const struct lkst_trace *trace,
				const struct ctf_boot *boot)
{
	static const struct boot_key keys[] = {
		{ "hostname", "hostname" },	 { "kernel_release", "kernel" },
		{ "lkst_machine", "machine" },	 { "lkst_cpus", "cpus" },
		{ "lkst_boot_id", "boot_id" },	 { "lkst_run", "lkst" },
		{ "lkst_selected", "selected" }, { "lkst_tools", "tools" },
	};
	int ret = boot_set_tracer(to);

	for (size_t i = 0; !ret && i < sizeof(keys) / sizeof(*keys); i++)
		ret = boot_set_value(to, trace, boot, &keys[i]);
	return ret;
}

/* Name the trace after the machine; sink.ctf.fs makes a directory of this name. */
static int boot_set_name(bt_trace *to)
{
	const bt_value *host =
		bt_trace_borrow_environment_entry_value_by_name_const(to, "hostname");
	const char *name = host ? bt_value_string_get(host) : "";

	return bt_trace_set_name(to, *name && !strchr(name, '/') ? name : "lkst");
}

/* ---- classes ---- */

static int boot_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool boot_parse_uuid(const char *text, size_t len, uint8_t uuid[16])
{
	size_t digits = 0;

	memset(uuid, 0, 16);
	for (size_t i = 0; i < len; i++) {
		int digit = boot_hex_digit(text[i]);

		if (digit < 0 && text[i] == '-')
			continue;
		if (digit < 0 || digits >= 32)
			return false;
		uuid[digits / 2] |= (uint8_t)(digit << (digits % 2 ? 0 : 4));
		digits++;
	}
	return digits == 32;
}

/*
 * Use the UUID of the boot, as LTTng does: Trace Compass correlates traces whose clocks have the
 * same UUID.
 */
static bt_clock_class *boot_clock_class(const struct ctf_boot *boot, bt_self_component *self,
					const struct lkst_trace *trace)
{
	bt_clock_class *clock = bt_clock_class_create(self);
	int64_t seconds = boot->clock.offset_ns / NS_PER_S, rest = boot->clock.offset_ns % NS_PER_S;
	uint8_t uuid[16];
	const char *id;
	size_t len;

	if (!clock)
		return NULL;
	if (rest < 0) {
		rest += NS_PER_S;
		seconds--;
	}
	bt_clock_class_set_frequency(clock, NS_PER_S);
	bt_clock_class_set_offset(clock, seconds, (uint64_t)rest);
	bt_clock_class_set_origin_is_unix_epoch(clock, BT_TRUE);
	id = lkst_trace_boot_system(trace, boot->number, "boot_id", &len);
	if (id && boot_parse_uuid(id, len, uuid))
		bt_clock_class_set_uuid(clock, uuid);
	if (bt_clock_class_set_name(clock, "monotonic") ||
	    bt_clock_class_set_description(clock, "Monotonic clock of the kernel"))
		BT_CLOCK_CLASS_PUT_REF_AND_RESET(clock);
	return clock;
}

static int boot_set_packet_context(bt_stream_class *stream, bt_trace_class *class)
{
	static const struct field_class members[] = {
		[BOOT_PACKET_CPU] = { "cpu_id", FIELD_SIGNED, 32, false },
	};
	bt_field_class *context = field_class_structure(class, members, 1);
	int ret = context ? bt_stream_class_set_packet_context_field_class(stream, context) : -1;

	bt_field_class_put_ref(context);
	return ret;
}

static int boot_set_event_context(bt_stream_class *stream, bt_trace_class *class)
{
	static const struct field_class members[] = {
		[BOOT_EVENT_NAME] = { "procname", FIELD_STRING, 0, false },
		[BOOT_EVENT_PID] = { "pid", FIELD_SIGNED, 32, false },
		[BOOT_EVENT_TID] = { "tid", FIELD_SIGNED, 32, false },
		[BOOT_EVENT_PGRP] = { "pgrp", FIELD_SIGNED, 32, false },
		[BOOT_EVENT_EUID] = { "euid", FIELD_UNSIGNED, 32, false },
		[BOOT_EVENT_EGID] = { "egid", FIELD_UNSIGNED, 32, false },
		[BOOT_EVENT_FLAGS] = { "flags", FIELD_UNSIGNED, 16, true },
		[BOOT_EVENT_RECID] = { "recid", FIELD_UNSIGNED, 64, false },
	};
	bt_field_class *context = field_class_structure(class, members, BOOT_EVENT_MEMBERS);
	int ret = context ? bt_stream_class_set_event_common_context_field_class(stream, context) :
			    -1;

	bt_field_class_put_ref(context);
	return ret;
}

static int boot_make_stream_class(struct ctf_boot *boot, bt_trace_class *class,
				  bt_clock_class *clock)
{
	boot->stream_class = bt_stream_class_create(class);
	if (!boot->stream_class ||
	    bt_stream_class_set_default_clock_class(boot->stream_class, clock))
		return -1;
	bt_stream_class_set_supports_packets(boot->stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
	bt_stream_class_set_supports_discarded_events(boot->stream_class, BT_TRUE, BT_TRUE);
	if (boot_set_packet_context(boot->stream_class, class) ||
	    boot_set_event_context(boot->stream_class, class))
		return -1;
	boot->classes = classes_new(class, boot->stream_class);
	return boot->classes ? 0 : -1;
}

/**
 * boot_make_trace() - make the trace, its stream class and its clock
 * @boot: boot, whose clock is complete
 * @self: component
 * @trace: the files
 * @err: set if an allocation fails
 */
int boot_make_trace(struct ctf_boot *boot, bt_self_component *self, const struct lkst_trace *trace,
		    struct lkst_error *err)
{
	bt_clock_class *clock = boot_clock_class(boot, self, trace);
	bt_trace_class *class = bt_trace_class_create(self);
	int ret = -1;

	if (clock && class && !boot_make_stream_class(boot, class, clock)) {
		boot->trace = bt_trace_create(class);
		ret = boot->trace && !boot_set_environment(boot->trace, trace, boot) &&
				      !boot_set_name(boot->trace) ?
			      0 :
			      -1;
	}
	if (ret)
		lkst_error_memory(err, "a trace");
	bt_trace_class_put_ref(class);
	bt_clock_class_put_ref(clock);
	return ret;
}

/**
 * boot_free() - free what boot_make_trace() made
 * @boot: boot
 */
void boot_free(struct ctf_boot *boot)
{
	classes_free(boot->classes);
	bt_stream_class_put_ref(boot->stream_class);
	bt_trace_put_ref(boot->trace);
}
