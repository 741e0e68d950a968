// SPDX-License-Identifier: LGPL-2.1
/*
 * The handlers of classes and events, which are BPF programs. The name of an event handler of LKST
 * contains the class and the event, so that other programs find it, too.
 */
#include "handlers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/lkst_evhandler.h>

#include "lib/base/etype_ids.h"
#include "traceevent/classes.h"
#include "traceevent/recorder.h"

enum {
	HANDLERS_MAX = CLASSES_ROWS_MAX * 2,
};

/* The handlers, as handlers_load() found them */
static struct handler {
	int class;
	int event; /* CLASSES_ANY: handler of the class */
	lkst_evhandler_id id;
} handlers[HANDLERS_MAX];
static unsigned int handlers_num;

static void handlers_name(char name[LKST_EVHANDLER_NAME_LEN], int class, int event)
{
	if (event == CLASSES_ANY)
		snprintf(name, LKST_EVHANDLER_NAME_LEN, "traceevent_%d", class);
	else
		snprintf(name, LKST_EVHANDLER_NAME_LEN, "traceevent_%d_%d", class, event);
}

/**
 * handlers_load() - find the existing handlers
 * @fd: device
 */
int handlers_load(int fd)
{
	static struct lkst_evhandler_listent list[LKST_EVHANDLER_ID_MAX + 1];
	struct lkst_evhandler_listparam param = {
		.listent_size = sizeof(list),
		.listent = (uintptr_t)list,
	};
	char name[LKST_EVHANDLER_NAME_LEN];

	memset(list, 0, sizeof(list));
	if (recorder_call(fd, LKST_IOC_EVHANDLER_LIST, &param) < 0)
		return -1;
	handlers_num = 0;
	for (unsigned int i = 0; i <= LKST_EVHANDLER_ID_MAX && handlers_num < HANDLERS_MAX; i++) {
		struct handler *handler = &handlers[handlers_num];

		handler->event = CLASSES_ANY;
		if (sscanf(list[i].name, "traceevent_%d_%d", &handler->class, &handler->event) < 1)
			continue;
		handlers_name(name, handler->class, handler->event);
		handler->id = list[i].id;
		handlers_num += !strcmp(name, list[i].name);
	}
	return 0;
}

/* Whether a handler applies to an event type to which a class or event belongs, too. */
static bool handlers_overlaps(const struct handler *handler, int class, int event)
{
	for (int type = 0; type < LKST_ETYPE_NUM; type++)
		if (classes_has_type(handler->class, handler->event, type) &&
		    classes_has_type(class, event, type))
			return true;
	return false;
}

/**
 * handlers_add() - make a BPF program the handler of a class or event, or replace it
 * @fd: device
 * @class: class
 * @event: event; CLASSES_ANY: all of the class
 * @program: descriptor of the program
 *
 * LKST calls one event handler for each event.
 */
int handlers_add(int fd, int class, int event, int program)
{
	struct lkst_evhandler_bpf_param param = { .fd = program };

	for (unsigned int i = 0; i < handlers_num; i++) {
		if ((handlers[i].class != class || handlers[i].event != event) &&
		    handlers_overlaps(&handlers[i], class, event)) {
			errno = ENOTSUP;
			return -1;
		}
	}
	handlers_name(param.name, class, event);
	return recorder_call(fd, LKST_IOC_EVHANDLER_BPF, &param) < 0 ? -1 : handlers_load(fd);
}

/**
 * handlers_delete() - delete the handler of a class or event
 * @fd: device
 * @class: class
 * @event: event; CLASSES_ANY: the handler of the class
 */
int handlers_delete(int fd, int class, int event)
{
	for (unsigned int i = 0; i < handlers_num; i++)
		if (handlers[i].class == class && handlers[i].event == event)
			return recorder_number(fd, LKST_IOC_EVHANDLER_BPF_DELETE, handlers[i].id) <
					       0 ?
				       -1 :
				       handlers_load(fd);
	errno = EFAULT; /* out of order */
	return -1;
}

/* Return the handler of an event type, or LKST_EVHANDLER_ID_NONE. */
lkst_evhandler_id handlers_id(int type)
{
	for (unsigned int i = 0; i < handlers_num; i++)
		if (classes_has_type(handlers[i].class, handlers[i].event, type))
			return handlers[i].id;
	return LKST_EVHANDLER_ID_NONE;
}
