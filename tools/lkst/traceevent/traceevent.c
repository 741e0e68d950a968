// SPDX-License-Identifier: LGPL-2.1
/* TraceEvent(): the commands, and how they change the maskset. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#include <linux/lkst_evhandler.h>

#include "lib/base/etype_ids.h"
#include "traceevent/classes.h"
#include "traceevent/handlers.h"
#include "traceevent/insert.h"
#include "traceevent/recorder.h"
#include "traceevent/sys/trace.h"
#include "traceevent/threads.h"

/* No function has a lower address, because Linux does not let programs map the first page. */
#define TRACEEVENT_FUNCTIONS 4096

/* The modes that this program has set: ring mode, and for each row of classes_table[], wide mode */
static bool traceevent_ring;
static bool traceevent_wide[CLASSES_ROWS_MAX];

_Static_assert(LKST_ETYPE_USER_LONG_TEXT < LKST_ETYPE_PROGRAM_MIN,
	       "built-in types precede user events");

static int traceevent_unsupported(void)
{
	errno = ENOTSUP;
	return -1;
}

/* ---- changes of the maskset ---- */

static int32_t *traceevent_handler(struct lkst_maskset_body *body, int type)
{
	for (unsigned int i = 0; i < body->len; i++)
		if (body->entry[i].event_type == type)
			return &body->entry[i].id;
	return NULL;
}

/* Turn event types on, if they exist in this kernel, or off. */
static void traceevent_set(struct lkst_maskset_body *body, const struct lkst_maskset_body *all,
			   const uint16_t types[CLASSES_TYPES], bool on)
{
	const int32_t *existing;
	int32_t *handler;

	for (unsigned int i = 0; i < CLASSES_TYPES && types[i]; i++) {
		handler = traceevent_handler(body, types[i]);
		existing = traceevent_handler((struct lkst_maskset_body *)all, types[i]);
		if (handler && existing)
			*handler = on ? handlers_id(types[i]) ?: *existing : LKST_EVHANDLER_ID_NONE;
	}
}

static bool traceevent_is_on(struct lkst_maskset_body *body, const uint16_t types[CLASSES_TYPES])
{
	const int32_t *handler;

	for (unsigned int i = 0; i < CLASSES_TYPES && types[i]; i++) {
		handler = traceevent_handler(body, types[i]);
		if (handler && *handler != LKST_EVHANDLER_ID_NONE)
			return true;
	}
	return false;
}

/* Turn a range of event types on, if they exist in this kernel, or off. */
static void traceevent_set_range(struct lkst_maskset_body *body,
				 const struct lkst_maskset_body *all, int first, int last, bool on)
{
	uint16_t types[CLASSES_TYPES] = { 0 };

	for (unsigned int i = 0; i < body->len; i++) {
		if (body->entry[i].event_type < first || body->entry[i].event_type > last)
			continue;
		types[0] = (uint16_t)body->entry[i].event_type;
		traceevent_set(body, all, types, on);
	}
}

static bool traceevent_applies(const struct recorder_change *change, const struct classes_row *row)
{
	return change->class == _NTO_TRACE_EMPTY ||
	       classes_selects(row, change->class, change->event);
}

/* Add or delete events. */
static void traceevent_filter(const struct recorder_change *change, struct lkst_maskset_body *body,
			      const struct lkst_maskset_body *all)
{
	if (change->class == _NTO_TRACE_EMPTY)
		traceevent_set_range(body, all, 0, LKST_ETYPE_LKST_INIT - 1, change->on);
	if (change->class == _NTO_TRACE_USER) {
		/* The last type of the range stands for events that are registered later. */
		traceevent_set_range(body, all, LKST_ETYPE_PROGRAM_MIN, LKST_ETYPE_USER_EVENTS_NEW,
				     change->on);
	}
	/*
	 * An event type that is recorded only in wide mode may belong to several rows. So when rows
	 * in fast mode are added, leave such event types as they are: another row may need them.
	 * But if all classes are added, traceevent_set_range() has turned on these event types, so
	 * turn them off.
	 */
	for (unsigned int i = 0; i < classes_rows; i++)
		if (traceevent_applies(change, &classes_table[i]) &&
		    (change->class == _NTO_TRACE_EMPTY || !change->on || traceevent_wide[i]))
			traceevent_set(body, all, classes_table[i].wide,
				       change->on && traceevent_wide[i]);
	for (unsigned int i = 0; i < classes_rows; i++)
		if (traceevent_applies(change, &classes_table[i]))
			traceevent_set(body, all, classes_table[i].fast, change->on);
}

/* Record the events in wide or fast mode. Those that are off stay off. */
static void traceevent_mode(const struct recorder_change *change, struct lkst_maskset_body *body,
			    const struct lkst_maskset_body *all)
{
	for (unsigned int i = 0; i < classes_rows; i++) {
		if (!traceevent_applies(change, &classes_table[i]))
			continue;
		traceevent_wide[i] = change->on;
		if (traceevent_is_on(body, classes_table[i].fast))
			traceevent_set(body, all, classes_table[i].wide, change->on);
	}
}

/* Choose what happens when a buffer is full: it wraps in place, or LKST stops. */
static void traceevent_full(const struct recorder_change *change, struct lkst_maskset_body *body,
			    const struct lkst_maskset_body *all)
{
	int32_t *handler = traceevent_handler(body, LKST_ETYPE_LKST_BUFF_OVFLOW);

	(void)all;
	if (handler)
		*handler = change->on ? LKST_EVHANDLER_ID_ENTRY_LOG : LKST_EVHANDLER_ID_STOP_AFTER;
}

static bool traceevent_selects(const struct recorder_change *change, int type)
{
	return classes_has_type(change->class, change->event, type);
}

/* Limit events to a process or thread, or remove this limit. */
static void traceevent_limit(const struct recorder_change *change, struct lkst_maskset_body *body,
			     const struct lkst_maskset_body *all)
{
	(void)all;
	for (unsigned int i = 0; i < body->len; i++) {
		/* Events that are not registered yet cannot have rules. */
		if (body->entry[i].event_type == LKST_ETYPE_USER_EVENTS_NEW ||
		    !traceevent_selects(change, body->entry[i].event_type))
			continue;
		if (change->on)
			threads_limit(body->entry[i].event_type, change->pid, change->tid);
		else
			threads_unlimit(body->entry[i].event_type);
	}
}

/* Use the handlers that exist now. */
static void traceevent_handle(const struct recorder_change *change, struct lkst_maskset_body *body,
			      const struct lkst_maskset_body *all)
{
	(void)all;
	for (unsigned int i = 0; i < body->len; i++)
		if (body->entry[i].id != LKST_EVHANDLER_ID_NONE &&
		    traceevent_selects(change, body->entry[i].event_type))
			body->entry[i].id = handlers_id(body->entry[i].event_type) ?:
						    LKST_EVHANDLER_ID_ENTRY_LOG;
}

/* Find the handlers, and add or delete one. */
static int traceevent_prepare(int fd, const struct recorder_change *change)
{
	if (handlers_load(fd))
		return -1;
	if (change->apply != traceevent_handle)
		return 0;
	return change->on ? handlers_add(fd, change->class, change->event, change->program) :
			    handlers_delete(fd, change->class, change->event);
}

/*
 * Get the rule of an event type that is turned on, or whose filter changes. Return false if the
 * rule stays as it is.
 */
static bool traceevent_rule(const struct recorder_change *change, int type, bool was_on,
			    char text[LKST_RULE_TEXT_MAX])
{
	if (was_on && (change->apply != traceevent_limit || !traceevent_selects(change, type)))
		return false;
	return threads_rule(type, text);
}

static int traceevent_make_change(struct recorder_change *change)
{
	bool known = change->class == _NTO_TRACE_EMPTY;

	change->prepare = traceevent_prepare;
	change->rule = traceevent_rule;
	for (unsigned int i = 0; i < classes_rows && !known; i++)
		known = classes_selects(&classes_table[i], change->class, change->event);
	return known ? recorder_change(change) : traceevent_unsupported();
}

static int traceevent_change(void (*apply)(const struct recorder_change *,
					   struct lkst_maskset_body *,
					   const struct lkst_maskset_body *),
			     bool on, int class, int event)
{
	struct recorder_change change = {
		.apply = apply,
		.on = on,
		.class = class,
		.event = event,
	};

	return traceevent_make_change(&change);
}

static int traceevent_set_full(bool ring)
{
	if (!ring && recorder_stop_at_once())
		return -1;
	return traceevent_change(traceevent_full, ring, _NTO_TRACE_EMPTY, CLASSES_ANY);
}

static int traceevent_alloc(unsigned int buffers, void **first)
{
	if (recorder_alloc(buffers))
		return -1;
	/* The memory of LKST's buffers is not visible to programs. */
	if (first)
		*first = NULL;
	return traceevent_set_full(traceevent_ring);
}

/*
 * Free the buffers that TraceEvent() allocated. The buffers that LKST uses from now on overwrite
 * their oldest events when they are full.
 */
static int traceevent_dealloc(void)
{
	return recorder_dealloc() ? -1 : traceevent_set_full(true);
}

/* ---- commands ---- */

static int traceevent_buffer(int cmd, va_list args)
{
	unsigned int buffers;
	uint64_t address;

	switch (cmd) {
	case _NTO_TRACE_ALLOCBUFFER:
		buffers = va_arg(args, unsigned int);
		return traceevent_alloc(buffers, va_arg(args, void **));
	case _NTO_TRACE_DEALLOCBUFFER:
		return traceevent_dealloc();
	case _NTO_TRACE_FLUSHBUFFER:
		return recorder_flush();
	case _NTO_TRACE_QUERYEVENTS:
		return recorder_count();
	case _NTO_TRACE_SETBUFFER:
		address = va_arg(args, paddr64_t);
		return recorder_set_memory(address, va_arg(args, size_t));
	case _NTO_TRACE_SETRINGMODE:
	case _NTO_TRACE_SETLINEARMODE:
		traceevent_ring = cmd == _NTO_TRACE_SETRINGMODE;
		return traceevent_set_full(traceevent_ring);
	case _NTO_TRACE_START:
	case _NTO_TRACE_STARTNOSTATE:
		return recorder_start(cmd == _NTO_TRACE_START);
	default:
		return recorder_stop();
	}
}

static int traceevent_filters(int cmd, va_list args)
{
	bool wide = cmd == _NTO_TRACE_SETALLCLASSESWIDE || cmd == _NTO_TRACE_SETCLASSWIDE ||
		    cmd == _NTO_TRACE_SETEVENTWIDE;
	int class;

	switch (cmd) {
	case _NTO_TRACE_ADDALLCLASSES:
	case _NTO_TRACE_DELALLCLASSES:
		return traceevent_change(traceevent_filter, cmd == _NTO_TRACE_ADDALLCLASSES,
					 _NTO_TRACE_EMPTY, CLASSES_ANY);
	case _NTO_TRACE_SETALLCLASSESFAST:
	case _NTO_TRACE_SETALLCLASSESWIDE:
		return traceevent_change(traceevent_mode, wide, _NTO_TRACE_EMPTY, CLASSES_ANY);
	}
	class = va_arg(args, int);
	if (class == _NTO_TRACE_EMPTY)
		return traceevent_unsupported();
	switch (cmd) {
	case _NTO_TRACE_ADDCLASS:
	case _NTO_TRACE_DELCLASS:
		return traceevent_change(traceevent_filter, cmd == _NTO_TRACE_ADDCLASS, class,
					 CLASSES_ANY);
	case _NTO_TRACE_SETCLASSFAST:
	case _NTO_TRACE_SETCLASSWIDE:
		return traceevent_change(traceevent_mode, wide, class, CLASSES_ANY);
	}
	return traceevent_change(cmd == _NTO_TRACE_ADDEVENT || cmd == _NTO_TRACE_DELEVENT ?
					 traceevent_filter :
					 traceevent_mode,
				 wide || cmd == _NTO_TRACE_ADDEVENT, class,
				 va_arg(args, int) & 0xffff);
}

/* Set or clear a filter by process or thread. */
static int traceevent_threads(int cmd, va_list args)
{
	bool of_event = cmd >= _NTO_TRACE_SETEVENTPID;
	bool of_thread = cmd == _NTO_TRACE_SETCLASSTID || cmd == _NTO_TRACE_SETEVENTTID;
	struct recorder_change change = {
		.apply = traceevent_limit,
		.on = of_thread || cmd == _NTO_TRACE_SETCLASSPID || cmd == _NTO_TRACE_SETEVENTPID,
		.event = CLASSES_ANY,
		.tid = THREADS_ANY,
	};

	change.class = va_arg(args, int);
	/* LKST's own events have no rules, because readers of the trace rely on these events. */
	if (change.class == _NTO_TRACE_EMPTY || change.class == _NTO_TRACE_CONTROL)
		return traceevent_unsupported();
	if (of_event)
		change.event = va_arg(args, int) & 0xffff;
	if (change.on)
		change.pid = va_arg(args, pid_t);
	if (of_thread)
		change.tid = va_arg(args, tid_t);
	return traceevent_make_change(&change);
}

/* Add or delete the handler of a class or event. */
static int traceevent_handlers(int cmd, va_list args)
{
	struct recorder_change change = {
		.apply = traceevent_handle,
		.on = cmd == _NTO_TRACE_ADDCLASSEVHANDLER || cmd == _NTO_TRACE_ADDEVENTHANDLER,
		.event = CLASSES_ANY,
	};
	uintptr_t function;

	change.class = va_arg(args, int);
	/* Readers of the trace rely on LKST's own events. */
	if (change.class == _NTO_TRACE_EMPTY || change.class == _NTO_TRACE_CONTROL)
		return traceevent_unsupported();
	if (cmd == _NTO_TRACE_ADDEVENTHANDLER || cmd == _NTO_TRACE_DELEVENTHANDLER)
		change.event = va_arg(args, int) & 0xffff;
	if (change.on) {
		/* The kernel cannot call a function of a program when an event occurs. */
		function = (uintptr_t)va_arg(args, int (*)(event_data_t *));
		if (function >= TRACEEVENT_FUNCTIONS)
			return traceevent_unsupported();
		change.program = (int)function;
	}
	return traceevent_make_change(&change);
}

static int traceevent_insert(int cmd, va_list args)
{
	const unsigned int *data;
	int first, second, third;

	first = va_arg(args, int);
	switch (cmd) {
	case _NTO_TRACE_INSERTEVENT:
		second = va_arg(args, int);
		third = va_arg(args, int);
		return insert_event((uint32_t)first, (uint32_t)second, third, va_arg(args, int));
	case _NTO_TRACE_INSERTSUSEREVENT:
		second = va_arg(args, int);
		return insert_numbers(first, second, va_arg(args, int));
	case _NTO_TRACE_INSERTCUSEREVENT:
		data = va_arg(args, const unsigned int *);
		return insert_list(_NTO_TRACE_USER, first, data, va_arg(args, unsigned int));
	case _NTO_TRACE_INSERTCCLASSEVENT:
		second = va_arg(args, int);
		data = va_arg(args, const unsigned int *);
		return insert_list(first, second, data, va_arg(args, unsigned int));
	default:
		return insert_text(first, va_arg(args, const char *));
	}
}

static int traceevent_command(int cmd, va_list args)
{
	if (cmd >= _NTO_TRACE_ALLOCBUFFER && cmd <= _NTO_TRACE_STOP)
		return traceevent_buffer(cmd, args);
	if (cmd >= _NTO_TRACE_SETALLCLASSESFAST && cmd <= _NTO_TRACE_DELEVENT)
		return traceevent_filters(cmd, args);
	if (cmd >= _NTO_TRACE_SETCLASSPID && cmd <= _NTO_TRACE_CLREVENTTID)
		return traceevent_threads(cmd, args);
	if (cmd >= _NTO_TRACE_INSERTEVENT && cmd <= _NTO_TRACE_INSERTCCLASSEVENT)
		return traceevent_insert(cmd, args);
	if (cmd >= _NTO_TRACE_ADDCLASSEVHANDLER && cmd <= _NTO_TRACE_DELEVENTHANDLER)
		return traceevent_handlers(cmd, args);
	return traceevent_unsupported();
}

int TraceEvent(int cmd, ...)
{
	va_list args;
	int ret;

	va_start(args, cmd);
	ret = traceevent_command(cmd, args);
	va_end(args);
	return ret;
}
