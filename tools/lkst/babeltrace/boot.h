/* SPDX-License-Identifier: LGPL-2.1 */
/* Makes a Babeltrace trace from a boot, with a clock, an environment and a stream class. */
#ifndef _BABELTRACE_BOOT_H
#define _BABELTRACE_BOOT_H

#include <babeltrace2/babeltrace.h>

#include "clock.h"
#include "lib/lkst.h"

struct classes;

/**
 * struct ctf_boot - a boot (one run of LKST), and what is made from its files
 * @number: from lkst_trace_boot()
 * @selected: the events were selected from a longer trace, so gaps in the numbers of the events
 *	(recids) are not losses
 * @clock: clock of the trace
 * @trace: trace
 * @stream_class: class of all its streams
 * @classes: its event classes
 */
struct ctf_boot {
	uint32_t number;
	bool selected;
	struct clock clock;
	bt_trace *trace;
	bt_stream_class *stream_class;
	struct classes *classes;
};

/* Members of the context of a packet, and of the context that all events have. */
enum boot_packet_member {
	BOOT_PACKET_CPU,
};

enum boot_event_member {
	BOOT_EVENT_NAME,
	BOOT_EVENT_PID,
	BOOT_EVENT_TID,
	BOOT_EVENT_PGRP,
	BOOT_EVENT_EUID,
	BOOT_EVENT_EGID,
	BOOT_EVENT_FLAGS,
	BOOT_EVENT_RECID,
	BOOT_EVENT_MEMBERS,
};

int boot_make_trace(struct ctf_boot *boot, bt_self_component *self, const struct lkst_trace *trace,
		    struct lkst_error *err);
void boot_free(struct ctf_boot *boot);

#endif
