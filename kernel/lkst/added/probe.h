/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probes of added events.
 */
#ifndef _LKST_ADDED_PROBE_H
#define _LKST_ADDED_PROBE_H

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

#include "fetch.h"

struct lkst_synth;
struct lkst_user_event;
struct module;

/* Whether this kernel can have kprobes with arguments. */
#if defined(CONFIG_KRETPROBES) && (defined(CONFIG_X86_64) || defined(CONFIG_ARM64))
#define LKST_HAVE_ADDED_KPROBES
#endif

/* Maximum number of fields of an event that the fast path records. */
#define LKST_ADDED_PICKS	8

/**
 * struct lkst_added_pick - a number that the fast path stores in a record
 * @mask: the bits of the number
 * @from: its position in the arguments or registers, in bytes
 * @to: its position in the payload, in bytes
 */
struct lkst_added_pick {
	u64 mask;
	u16 from;
	u16 to;
};

/**
 * struct lkst_added - an added event
 * @node: in lkst_added_events
 * @event: its entry in the registry of events of programs
 * @synth: for a synthetic event, what the action trace() needs to know about
 *	it; else NULL
 * @etype: event type, or 0 while the event is being added
 * @probe: enum lkst_fetch_probe
 * @chain: whether it is recorded as a chain
 * @picked: whether all fields are in @pick: they are numbers from arguments or
 *	registers
 * @entry_args: for a kretprobe, whether a field begins with an argument, which
 *	is saved at the entry of the function
 * @bytes: size of the payload without the bytes of strings
 * @strings: number of strings
 * @on: whether the event is recorded, and its probe, if any, is attached.
 *	Protected by lkst_added_arm_mutex
 * @registered: whether @ret is registered with the kernel, be it enabled or
 *	disabled. Protected by lkst_added_arm_mutex
 * @failed: whether the last attempt to attach or detach the probe failed. Of
 *	several failures in a row, only the first is reported
 * @tp: the tracepoint, or NULL if its module is not loaded. Protected by
 *	lkst_added_arm_mutex
 * @function: the probe of the tracepoint
 * @ret: the kretprobe, or the kprobe in its member kp
 * @maxactive: as in struct lkst_fetch_parser
 * @symbol: the function or tracepoint, or NULL if @address is set
 * @address: address of the kprobe, or 0
 * @offset: offset of the kprobe in the function
 * @missed: number of events that could not be recorded: calls that the kernel
 *	missed during earlier registrations of @ret, and chains that occurred
 *	while another chain was written in the same context
 * @faults: see struct lkst_event_param
 * @text: the definition. @text and @symbol are part of the allocation of this
 *	structure
 * @hits: for a kprobe or a kretprobe, how many times it was called on each CPU;
 *	else NULL
 * @charged: bytes charged with lkst_memory_charge()
 * @num: number of entries of @field
 * @pick: the fields, if @picked is true
 * @field: the fields. In a field that begins with an argument or a register,
 *	the member value is the position of that argument or register, in bytes
 */
struct lkst_added {
	struct list_head node;
	struct lkst_user_event *event;
	struct lkst_synth *synth;
	unsigned int etype;
	u8 probe;
	bool chain;
	bool picked;
	bool entry_args;
	u16 bytes;
	u16 strings;
	bool on;
	bool registered;
	bool failed;
	struct tracepoint *tp;
	void *function;
#ifdef LKST_HAVE_ADDED_KPROBES
	struct kretprobe ret;
#endif
	unsigned int maxactive;
	const char *symbol;
	u64 address;
	u64 offset;
	atomic_long_t missed;
	atomic_long_t faults;
	const char *text;
	unsigned long __percpu *hits;
	size_t charged;
	unsigned int num;
	struct lkst_added_pick pick[LKST_ADDED_PICKS];
	struct lkst_fetch_field field[];
};

int lkst_added_buffers_start(void);
void lkst_added_buffers_stop(void);
void lkst_added_record(struct lkst_added *added, const void *from);
void lkst_added_prepare(struct lkst_added *added);

#ifdef LKST_HAVE_ADDED_KPROBES
int lkst_added_kprobe_register(struct lkst_added *added);
void lkst_added_kprobe_unregister(struct lkst_added *added);
int lkst_added_kprobe_turn(struct lkst_added *added, bool on);
unsigned long lkst_added_kprobe_missed(const struct lkst_added *added);
bool lkst_added_kprobe_in(const struct lkst_added *added, const struct module *module);
int lkst_added_register_offset(const char *name, size_t len);
unsigned int lkst_added_position(const struct lkst_added *added,
				 const struct lkst_fetch_field *field);
#define LKST_ADDED_ARGS		(IS_ENABLED(CONFIG_X86_64) ? 6 : 8)
#else
static inline int lkst_added_kprobe_register(struct lkst_added *added)
{
	return -EOPNOTSUPP;
}

static inline void lkst_added_kprobe_unregister(struct lkst_added *added)
{
}

static inline int lkst_added_kprobe_turn(struct lkst_added *added, bool on)
{
	return -EOPNOTSUPP;
}

static inline unsigned long lkst_added_kprobe_missed(const struct lkst_added *added)
{
	return 0;
}

static inline bool lkst_added_kprobe_in(const struct lkst_added *added,
					const struct module *module)
{
	return false;
}

static inline unsigned int lkst_added_position(const struct lkst_added *added,
					       const struct lkst_fetch_field *field)
{
	return 0;
}

static inline int lkst_added_register_offset(const char *name, size_t len)
{
	return -ENOENT;
}

#define LKST_ADDED_ARGS		0
#endif

#endif
