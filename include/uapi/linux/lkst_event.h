/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Events that are added at run time: tracepoints, kprobes and kretprobes, with
 * fields that are fetched from arguments, registers and memory, and synthetic
 * events, which rules and watches make from the fields of other events.
 */
#ifndef _UAPI_LINUX_LKST_EVENT_H
#define _UAPI_LINUX_LKST_EVENT_H

#include <linux/lkst.h>

#define LKST_EVENT_TEXT_MAX	4096	/* maximum size of a definition, in bytes */
#define LKST_EVENT_ERROR_LEN	256	/* including the terminating NUL */

/*
 * Flags of struct lkst_event_param:
 *
 *	GONE	the kernel does not have the tracepoint or the function now,
 *		because its module is not loaded
 *	ON	the selected maskset records the event, so its probe, if it has
 *		one, is attached
 */
#define LKST_EVENT_GONE		0x1
#define LKST_EVENT_ON		0x2

/**
 * struct lkst_event_param - argument of ioctl(LKST_IOC_EVENT_CONTROL) and
 *	ioctl(LKST_IOC_EVENT_READ)
 * @text: in: address of a definition, which need not end with 0. For a READ,
 *	the kernel stores the definition here
 * @error: in: address for a message. If a CONTROL fails because the definition
 *	is wrong, the kernel stores here what is wrong with it, else "". 0:
 *	nothing is stored. Ignored by a READ
 * @text_size: in: size of the definition in bytes, at most LKST_EVENT_TEXT_MAX.
 *	For a READ, size of the memory at @text; out: size of the definition that
 *	was read
 * @error_size: in: size of the memory at @error in bytes
 * @error_at: out: if the definition is wrong, position of the error in bytes
 * @event_type: in: in a READ, event type; out: event type of the event that was
 *	added, removed or read
 * @flags: out: in a READ, LKST_EVENT_GONE and LKST_EVENT_ON; else 0
 * @pad: must be 0
 * @missed: out: in a READ, number of times that the kernel could not call the
 *	probe, or that an action could not make the synthetic event
 * @faults: out: in a READ, number of times that the memory of a field could not
 *	be read. A number is then 0, and a string "(fault)"
 *
 * A definition has the syntax of the kernel's dynamic_events:
 *
 *	p[:[GROUP/]EVENT] [MODULE:]SYMBOL[+OFFSET] [NAME=]FETCH[:TYPE] ...
 *	r[MAXACTIVE][:[GROUP/]EVENT] [MODULE:]SYMBOL [NAME=]FETCH[:TYPE] ...
 *	t[:[GROUP/]EVENT] TRACEPOINT [NAME=]FETCH[:TYPE] ...
 *	s:[GROUP/]EVENT TYPE NAME; TYPE NAME ...
 *	-:[GROUP/]EVENT
 *
 * The last form removes an event. A READ reads the first added event whose
 * event type is @event_type or higher.
 */
struct lkst_event_param {
	__aligned_u64 text;
	__aligned_u64 error;
	__u32 text_size;
	__u32 error_size;
	__u32 error_at;
	__s32 event_type;
	__u32 flags;
	__u32 pad;
	__aligned_u64 missed;
	__aligned_u64 faults;
};

#define LKST_IOC_EVENT_CONTROL	_IOWR(LKST_IOC_MAGIC, 0x50, struct lkst_event_param)
#define LKST_IOC_EVENT_READ	_IOWR(LKST_IOC_MAGIC, 0x51, struct lkst_event_param)

#endif /* _UAPI_LINUX_LKST_EVENT_H */
