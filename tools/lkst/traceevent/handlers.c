// SPDX-License-Identifier: LGPL-2.1
/*
 * The handlers of the classes and events of TraceEvent(). Each handler is a BPF program that is
 * registered as an event handler of LKST. The name of the event handler contains the class and the
 * event, so that other programs that use TraceEvent() find the handler, too.
 */
#include "handlers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
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
	uint32_t program; /* id of the BPF program */
	lkst_evhandler_id also; /* another handler of the same event types, or 0 */
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
	struct lkst_evhandler_bpf_info info;
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
		info = (struct lkst_evhandler_bpf_info){ .id = list[i].id };
		if (strcmp(name, list[i].name) ||
		    recorder_call(fd, LKST_IOC_EVHANDLER_BPF_READ, &info) < 0)
			continue;
		handler->id = info.id;
		handler->program = info.program;
		handler->also = info.also;
		handlers_num++;
	}
	return 0;
}

static struct handler *handlers_find(int class, int event)
{
	for (unsigned int i = 0; i < handlers_num; i++)
		if (handlers[i].class == class && handlers[i].event == event)
			return &handlers[i];
	return NULL;
}

static bool handlers_has_type(const struct handler *handler, int type)
{
	return classes_has_type(handler->class, handler->event, type);
}

/* How the event types of a handler relate to those of a class or event */
enum {
	HANDLERS_BOTH = 1, /* the handler and the class or event have common event types */
	HANDLERS_MORE = 2, /* the handler has event types that the class or event lacks */
	HANDLERS_LESS = 4, /* the handler lacks event types of the class or event */
};

static unsigned int handlers_compare(const struct handler *handler, int class, int event)
{
	unsigned int relation = 0;

	for (int type = 0; type < LKST_ETYPE_NUM; type++) {
		bool here = handlers_has_type(handler, type);

		if (classes_has_type(class, event, type))
			relation |= here ? HANDLERS_BOTH : HANDLERS_LESS;
		else if (here)
			relation |= HANDLERS_MORE;
	}
	return relation;
}

/*
 * Whether a class or event can get a handler: each of its event types may have only one other
 * handler. An earlier handler of the class or event itself does not count, because it is replaced.
 */
static bool handlers_have_room(int class, int event)
{
	const struct handler *replaced = handlers_find(class, event);

	for (int type = 0; type < LKST_ETYPE_NUM; type++) {
		unsigned int num = 0;

		for (unsigned int i = 0; i < handlers_num; i++)
			num += &handlers[i] != replaced && handlers_has_type(&handlers[i], type);
		if (num > 1 && classes_has_type(class, event, type))
			return false;
	}
	return true;
}

/* Let two programs decide about the events of @handler: its own, and that of the handler @also. */
static int handlers_join(int fd, const struct handler *handler, lkst_evhandler_id also)
{
	union bpf_attr attr = { .prog_id = handler->program };
	struct lkst_evhandler_bpf_param param = {
		.fd = (int)syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr)),
		.also = also,
	};
	int ret;

	if (param.fd < 0)
		return -1;
	handlers_name(param.name, handler->class, handler->event);
	ret = recorder_call(fd, LKST_IOC_EVHANDLER_BPF, &param);
	close(param.fd);
	return ret;
}

/**
 * handlers_add() - make a BPF program the handler of a class or event, in place of an earlier one
 * @fd: device
 * @class: class
 * @event: event; CLASSES_ANY: all of the class
 * @program: descriptor of the program
 *
 * If two handlers have common event types, one of them must have all event types of the other one.
 * For the common event types, LKST calls the handler that has fewer event types, and this handler
 * also runs the program of the other one.
 *
 * Return: 0, or -1 with errno. After an error, the program may be an event handler that no maskset
 * uses; the next call for the same class or event replaces it.
 */
int handlers_add(int fd, int class, int event, int program)
{
	struct lkst_evhandler_bpf_param param = { .fd = program };
	const struct handler *smaller[HANDLERS_MAX];
	unsigned int smaller_num = 0;

	for (unsigned int i = 0; i < handlers_num; i++) {
		unsigned int relation = handlers_compare(&handlers[i], class, event);

		if (&handlers[i] == handlers_find(class, event) || !(relation & HANDLERS_BOTH))
			continue;
		if (relation == (HANDLERS_BOTH | HANDLERS_LESS | HANDLERS_MORE) ||
		    !handlers_have_room(class, event)) {
			errno = ENOTSUP;
			return -1;
		}
		if (relation & HANDLERS_LESS)
			smaller[smaller_num++] = &handlers[i];
		else
			param.also = handlers[i].id;
	}
	handlers_name(param.name, class, event);
	if (recorder_call(fd, LKST_IOC_EVHANDLER_BPF, &param) < 0)
		return -1;
	for (unsigned int i = 0; i < smaller_num; i++)
		if (handlers_join(fd, smaller[i], param.id) < 0)
			return -1;
	return handlers_load(fd);
}

/**
 * handlers_delete() - delete the handler of a class or event
 * @fd: device
 * @class: class
 * @event: event; CLASSES_ANY: the handler of the class
 */
int handlers_delete(int fd, int class, int event)
{
	const struct handler *handler = handlers_find(class, event);

	if (!handler) {
		errno = EFAULT; /* out of order */
		return -1;
	}
	if (recorder_number(fd, LKST_IOC_EVHANDLER_BPF_DELETE, handler->id) < 0)
		return -1;
	return handlers_load(fd);
}

/* Return the handler of an event type, or LKST_EVHANDLER_ID_NONE. */
lkst_evhandler_id handlers_id(int type)
{
	lkst_evhandler_id id = LKST_EVHANDLER_ID_NONE;

	for (unsigned int i = 0; i < handlers_num; i++)
		if (handlers_has_type(&handlers[i], type) &&
		    (id == LKST_EVHANDLER_ID_NONE || handlers[i].also))
			id = handlers[i].id;
	return id;
}
