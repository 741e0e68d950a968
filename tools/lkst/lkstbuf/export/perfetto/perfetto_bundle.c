// SPDX-License-Identifier: GPL-2.0
/*
 * Collects the events of a CPU, and writes them as a bundle.
 *
 * Context switches and wake-ups are the most frequent events of many traces, and Perfetto has a
 * compact form for them, in which each argument is a list of the values of all events. This form
 * contains neither the thread that was switched out nor the thread that woke up another thread.
 * Instead, Perfetto assumes the thread to which the last switch on the CPU switched. If that is
 * wrong, for example after a loss, the event is written in the long form.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lkstbuf/export/task_state.h"
#include "perfetto.h"
#include "wire.h"

#define BUNDLE_BYTES	16384
#define BUNDLE_SWITCHES 512
#define BUNDLE_NAMES	128 /* a power of two */

enum {
	TRACE_PACKET = 1,
	PACKET_FTRACE_EVENTS = 1,
	PACKET_SEQUENCE = 10,
	PACKET_FLAGS = 13,
	BUNDLE_EVENT = 2,
	SEQUENCE_NEEDS_STATE = 2,
};

/* Flags of an event, with the values that ftrace uses */
enum {
	FTRACE_NEED_RESCHED = 0x04,
	FTRACE_HARDIRQ = 0x08,
	FTRACE_SOFTIRQ = 0x10,
};

/*
 * Indexes of the arguments of process_contextswitch and process_waking. Most arguments consist of
 * two values, one in the upper and one in the lower half.
 */
enum {
	SWITCH_PREV = 0, /* prev, prev_state */
	SWITCH_NEXT = 1, /* next, next_prio */
	WAKING_THREAD = 0, /* thread, prio */
	WAKING_CPU = 1,
};

/* Context switches or wake-ups in the compact form, with an array for each value. */
struct compact {
	size_t num;
	uint64_t latest; /* time of the last entry */
	uint64_t time[BUNDLE_SWITCHES];
	int32_t pid[BUNDLE_SWITCHES];
	int32_t prio[BUNDLE_SWITCHES];
	uint32_t comm[BUNDLE_SWITCHES];
};

/*
 * @num: number of names
 * @name: names in the order in which they were added
 * @slot: hash table: index of a name plus one; 0: empty
 */
struct bundle_names {
	size_t num;
	char name[BUNDLE_NAMES][LKST_COMM_LEN];
	uint8_t slot[BUNDLE_NAMES];
};

/*
 * @cpu: CPU
 * @lost: records are missing before the first event
 * @running_known: @running is valid
 * @running: thread to which the last switch switched
 * @switched: time of that switch
 */
struct bundle {
	int32_t cpu;
	bool lost;
	bool running_known;
	uint32_t running;
	uint64_t switched;
	struct compact switches;
	int64_t state[BUNDLE_SWITCHES];
	struct compact wakings;
	int32_t target_cpu[BUNDLE_SWITCHES];
	uint32_t flags[BUNDLE_SWITCHES];
	struct bundle_names names;
	size_t len;
	uint8_t bytes[BUNDLE_BYTES];
};

static struct bundle *bundle_of(struct perfetto *pf, int32_t cpu, struct lkst_error *err)
{
	struct bundle *bundle;

	if (cpu < 0 || cpu >= PERFETTO_CPUS) {
		lkst_error_set(
			err, LKST_ERR_FORMAT,
			"an event is from CPU %d (Perfetto accepts CPUs 0 to %d; -c selects a CPU)",
			cpu, PERFETTO_CPUS - 1);
		return NULL;
	}
	if (pf->bundle[cpu])
		return pf->bundle[cpu];
	bundle = calloc(1, sizeof(*bundle));
	if (!bundle) {
		lkst_error_memory(err, "the events of a CPU");
		return NULL;
	}
	bundle->cpu = cpu;
	pf->bundle[cpu] = bundle;
	return bundle;
}

/**
 * bundle_free() - free a bundle
 * @bundle: may be NULL
 */
void bundle_free(struct bundle *bundle)
{
	free(bundle);
}

/* Fill in the compact form. @list is room for pointers to the names. */
static void bundle_fill_compact(struct bundle *bundle, char *list[BUNDLE_NAMES],
				Pf__FtraceEventBundle__CompactSched *compact)
{
	struct compact *switches = &bundle->switches, *wakings = &bundle->wakings;

	for (size_t i = 0; i < bundle->names.num; i++)
		list[i] = bundle->names.name[i];
	compact->n_intern_table = bundle->names.num;
	compact->intern_table = list;
	compact->n_switch_timestamp = compact->n_switch_prev_state = compact->n_switch_next_pid =
		compact->n_switch_next_prio = compact->n_switch_next_comm_index = switches->num;
	compact->switch_timestamp = switches->time;
	compact->switch_prev_state = bundle->state;
	compact->switch_next_pid = switches->pid;
	compact->switch_next_prio = switches->prio;
	compact->switch_next_comm_index = switches->comm;
	compact->n_waking_timestamp = compact->n_waking_pid = compact->n_waking_target_cpu =
		compact->n_waking_prio = compact->n_waking_comm_index =
			compact->n_waking_common_flags = wakings->num;
	compact->waking_timestamp = wakings->time;
	compact->waking_pid = wakings->pid;
	compact->waking_target_cpu = bundle->target_cpu;
	compact->waking_prio = wakings->prio;
	compact->waking_comm_index = wakings->comm;
	compact->waking_common_flags = bundle->flags;
}

/* Write a bundle, except its events that are in the long form. Returns its length. */
static size_t bundle_pack(struct bundle *bundle, uint8_t *to)
{
	Pf__FtraceEventBundle__CompactSched compact = PF__FTRACE_EVENT_BUNDLE__COMPACT_SCHED__INIT;
	Pf__FtraceEventBundle message = PF__FTRACE_EVENT_BUNDLE__INIT;
	char *list[BUNDLE_NAMES];

	message.has_cpu = true;
	message.cpu = (uint32_t)bundle->cpu;
	message.has_lost_events = message.lost_events = bundle->lost;
	if (bundle->switches.num || bundle->wakings.num) {
		bundle_fill_compact(bundle, list, &compact);
		message.compact_sched = &compact;
	}
	return pf__ftrace_event_bundle__pack(&message, to);
}

static uint8_t *bundle_put(uint8_t *p, const void *bytes, size_t len)
{
	memcpy(p, bytes, len);
	return p + len;
}

/* Write a bundle: the part that was packed, and events. */
static void bundle_write(struct perfetto *pf, const uint8_t *packed, size_t packed_len,
			 const uint8_t *events, size_t len)
{
	uint8_t head[2 * WIRE_VARINT_MAX], tail[4 * WIRE_VARINT_MAX], *p, *end;
	struct lkst_out *out = &pf->export->out;

	end = wire_number(tail, PACKET_SEQUENCE, PERFETTO_SEQUENCE);
	end = wire_number(end, PACKET_FLAGS, SEQUENCE_NEEDS_STATE);
	p = wire_varint(wire_tag(head, PACKET_FTRACE_EVENTS, WIRE_BYTES), packed_len + len);
	p = wire_varint(wire_tag((uint8_t *)out_room(out), TRACE_PACKET, WIRE_BYTES),
			(size_t)(p - head) + packed_len + len + (size_t)(end - tail));
	p = wire_varint(wire_tag(p, PACKET_FTRACE_EVENTS, WIRE_BYTES), packed_len + len);
	p = bundle_put(p, packed, packed_len);
	p = bundle_put(p, events, len);
	p = bundle_put(p, tail, (size_t)(end - tail));
	out_end(out, (char *)p);
}

static void bundle_reset(struct bundle *bundle)
{
	bundle->lost = false;
	bundle->switches.num = bundle->wakings.num = bundle->len = 0;
	bundle->names.num = 0;
	memset(bundle->names.slot, 0, sizeof(bundle->names.slot));
}

/**
 * bundle_flush() - write the events of a CPU
 * @pf: writer
 * @cpu: CPU
 */
void bundle_flush(struct perfetto *pf, int32_t cpu)
{
	struct bundle *bundle = pf->bundle[cpu];

	if (!bundle || (!bundle->len && !bundle->switches.num && !bundle->wakings.num))
		return;
	bundle_write(pf, pf->packet, bundle_pack(bundle, pf->packet), bundle->bytes, bundle->len);
	bundle_reset(bundle);
}

/**
 * bundle_lose() - record that records of a CPU are missing
 * @pf: writer
 * @cpu: CPU
 * @err: set on failure
 */
int bundle_lose(struct perfetto *pf, int32_t cpu, struct lkst_error *err)
{
	struct bundle *bundle = bundle_of(pf, cpu, err);

	if (!bundle)
		return -1;
	bundle_flush(pf, cpu);
	bundle->lost = true;
	bundle->running_known = false;
	return 0;
}

/* Add an event in the long form. */
static void bundle_add_long(struct perfetto *pf, struct bundle *bundle,
			    const struct message_plan *plan, const struct lkst_event *event,
			    uint64_t time)
{
	size_t len = encode_event(pf, plan, event, time);
	uint8_t head[2 * WIRE_VARINT_MAX], *p;
	size_t head_len;

	p = wire_varint(wire_tag(head, BUNDLE_EVENT, WIRE_BYTES), len);
	head_len = (size_t)(p - head);
	if (bundle->len + head_len + len > BUNDLE_BYTES)
		bundle_flush(pf, bundle->cpu);
	if (head_len + len > BUNDLE_BYTES) {
		/* The event is so large that it gets a separate bundle. */
		memmove(pf->event + head_len, pf->event, len);
		memcpy(pf->event, head, head_len);
		bundle_write(pf, pf->packet, bundle_pack(bundle, pf->packet), pf->event,
			     head_len + len);
		bundle_reset(bundle);
		return;
	}
	p = bundle_put(bundle->bytes + bundle->len, head, head_len);
	bundle_put(p, pf->event, len);
	bundle->len += head_len + len;
}

/* Return the index of a name in the bundle's table; -1 if there is no room. */
static int bundle_name(struct bundle *bundle, const char *name)
{
	struct bundle_names *names = &bundle->names;
	size_t len = strlen(name), slot = 0;
	char clean[sizeof(names->name[0])];

	for (size_t i = 0; i < len; i++)
		slot = slot * 31 + (unsigned char)name[i];
	*put_utf8(clean, name, len) = 0;
	for (;; slot++) {
		slot %= BUNDLE_NAMES;
		if (!names->slot[slot])
			break;
		if (!strcmp(names->name[names->slot[slot] - 1], clean))
			return names->slot[slot] - 1;
	}
	/* Leave a slot empty, so that each search ends. */
	if (names->num == BUNDLE_NAMES - 1)
		return -1;
	strcpy(names->name[names->num], clean);
	names->slot[slot] = (uint8_t)(names->num + 1);
	return (int)names->num++;
}

/*
 * Add the values that both switches and wake-ups have. Returns the index of the new entry; -1 if
 * the name of the thread is unknown.
 */
static int compact_add(struct perfetto *pf, struct bundle *bundle, struct compact *compact,
		       uint64_t thread_prio, const struct lkst_event *event, uint64_t time)
{
	uint32_t tid = (uint32_t)(thread_prio >> 32);
	char idle[16];
	const char *name = encode_comm(pf, tid, event, idle);
	int comm;
	size_t i;

	if (!name)
		return -1;
	if (compact->num == BUNDLE_SWITCHES)
		bundle_flush(pf, bundle->cpu);
	comm = bundle_name(bundle, name);
	if (comm < 0) {
		bundle_flush(pf, bundle->cpu);
		comm = bundle_name(bundle, name);
	}
	threads_name(pf, tid);
	i = compact->num++;
	compact->time[i] = i ? time - compact->latest : time;
	compact->latest = time;
	compact->pid[i] = (int32_t)tid;
	compact->prio[i] = (int32_t)thread_prio;
	compact->comm[i] = (uint32_t)comm;
	return (int)i;
}

static bool compact_is_late(const struct compact *compact, uint64_t time)
{
	return compact->num && time < compact->latest;
}

/* Add a context switch in the compact form. Returns false if that is not possible. */
static bool bundle_add_switch(struct perfetto *pf, struct bundle *bundle,
			      const struct lkst_event *event, uint64_t time)
{
	uint32_t prev = (uint32_t)(event->arg[SWITCH_PREV] >> 32);
	bool fits = bundle->running_known && bundle->running == prev && event->tid == prev &&
		    !compact_is_late(&bundle->switches, time);
	int i;

	bundle->running_known = true;
	bundle->running = (uint32_t)(event->arg[SWITCH_NEXT] >> 32);
	bundle->switched = time;
	if (!fits)
		return false;
	i = compact_add(pf, bundle, &bundle->switches, event->arg[SWITCH_NEXT], event, time);
	if (i < 0)
		return false;
	bundle->state[i] = task_state_number((uint32_t)event->arg[SWITCH_PREV]);
	return true;
}

static uint32_t bundle_flags(uint32_t flags)
{
	return (flags & LKST_LOG_NEED_RESCHED ? FTRACE_NEED_RESCHED : 0) |
	       (flags & LKST_LOG_HARDIRQ ? FTRACE_HARDIRQ : 0) |
	       (flags & LKST_LOG_SOFTIRQ ? FTRACE_SOFTIRQ : 0);
}

/* Add a wake-up in the compact form. Returns false if that is not possible. */
static bool bundle_add_waking(struct perfetto *pf, struct bundle *bundle,
			      const struct lkst_event *event, uint64_t time)
{
	uint32_t tid = (uint32_t)(event->arg[WAKING_THREAD] >> 32);
	int i;

	/* In this form, a wake-up does not contain the thread that wakes up the other one. */
	if (!bundle->running_known || bundle->running != event->tid || time < bundle->switched ||
	    compact_is_late(&bundle->wakings, time) || !threads_named(pf, tid))
		return false;
	i = compact_add(pf, bundle, &bundle->wakings, event->arg[WAKING_THREAD], event, time);
	if (i < 0)
		return false;
	bundle->target_cpu[i] = (int32_t)(event->arg[WAKING_CPU]);
	bundle->flags[i] = bundle_flags(event->flags);
	return true;
}

/**
 * bundle_add() - add an event
 * @pf: writer
 * @plan: how the event is written in the long form
 * @event: event
 * @time: its time in the output
 * @err: set on failure
 */
int bundle_add(struct perfetto *pf, const struct message_plan *plan, const struct lkst_event *event,
	       uint64_t time, struct lkst_error *err)
{
	struct bundle *bundle = bundle_of(pf, event->cpu, err);
	bool added = false;

	if (!bundle)
		return -1;
	if (event->type == LKST_ETYPE_PROCESS_CONTEXTSWITCH)
		added = bundle_add_switch(pf, bundle, event, time);
	else if (event->type == LKST_ETYPE_PROCESS_WAKING)
		added = bundle_add_waking(pf, bundle, event, time);
	if (!added)
		bundle_add_long(pf, bundle, plan, event, time);
	return 0;
}
