// SPDX-License-Identifier: LGPL-2.1
/*
 * Records the events of a program as user events. Each function below records one user event, which
 * has the number of the QNX event as a field.
 */
#include "insert.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lkst/event.h"
#include "traceevent/sys/trace.h"

#define INSERT_TEXT 1024 /* maximum size of a text, with its NUL */

/* Return the result of a command that has put an event into the trace. */
static int insert_result(void)
{
	if (lkst_event_fd() >= 0)
		return 0;
	errno = access("/dev/lkst_user_events", F_OK) ? ENOTSUP : EPERM;
	return -1;
}

/* The event of a command must be in the range for users. */
static int insert_check(int event)
{
	if (event >= _NTO_TRACE_USERFIRST && event <= _NTO_TRACE_USERLAST)
		return 0;
	errno = ENOTSUP;
	return -1;
}

/**
 * insert_event() - put an event with any header into the trace
 * @header: header, with class and event
 * @stamp: time stamp, which is recorded as a field, because LKST records its own time stamp
 * @data0: first number
 * @data1: second number
 */
int insert_event(uint32_t header, uint32_t stamp, int data0, int data1)
{
	LKST_EVENT(traceevent_event, "class=%u event=%u stamp=%u data0=%d data1=%d",
		   _NTO_TRACE_GETEVENT_C(header), _NTO_TRACE_GETEVENT(header), stamp, data0, data1);
	return insert_result();
}

/**
 * insert_numbers() - put an event with two numbers into the trace
 * @event: event
 * @data0: first number
 * @data1: second number
 */
int insert_numbers(int event, int data0, int data1)
{
	if (insert_check(event))
		return -1;
	LKST_EVENT(traceevent_simple, "event=%d data0=%d data1=%d", event, data0, data1);
	return insert_result();
}

/* An event of insert_list(), as it is written to the file of the user events. */
struct insert_numbers {
	uint32_t index;
	int32_t class;
	int32_t event;
	uint32_t where; /* where @data is: its offset from the end of @where, and its size */
	uint32_t data[LKST_EVENT_BYTES / sizeof(uint32_t)];
};

/**
 * insert_list() - put an event with a list of numbers into the trace
 * @class: class
 * @event: event
 * @data: numbers
 * @num: number of elements of @data; those that do not fit are left out
 */
int insert_list(int class, int event, const unsigned int *data, unsigned int num)
{
	static struct lkst_event_site site = { LKST_EVENT_NEW, 0, 0, NULL, NULL };
	const unsigned int most = sizeof(((struct insert_numbers *)NULL)->data) / sizeof(*data);
	struct insert_numbers out = { .class = class, .event = event };
	int saved = errno;
	size_t size;

	if (class == _NTO_TRACE_USER && insert_check(event))
		return -1;
	if (__atomic_load_n(&site.word, __ATOMIC_RELAXED) & LKST_EVENT_NEW)
		lkst_event_register(&site, "traceevent_combine s32 class; s32 event; "
					   "__rel_loc u32[] data");
	if (__atomic_load_n(&site.word, __ATOMIC_ACQUIRE) == LKST_EVENT_ON) {
		size = (num < most ? num : most) * sizeof(*data);
		if (size)
			memcpy(out.data, data, size);
		out.index = site.index;
		out.where = (uint32_t)size << 16;
		/* This fails with EBADF if the event was turned off in the meantime. */
		syscall(SYS_write, __atomic_load_n(site.fd, __ATOMIC_RELAXED), &out,
			offsetof(struct insert_numbers, data) + size);
	}
	errno = saved;
	return insert_result();
}

/**
 * insert_text() - put an event with a text into the trace
 * @event: event
 * @text: text
 */
int insert_text(int event, const char *text)
{
	if (insert_check(event))
		return -1;
	LKST_EVENT(traceevent_string, "event=%d text=%s", event, text);
	return insert_result();
}

int trace_logi(int code, unsigned int data0, unsigned int data1)
{
	return insert_numbers(code, (int)data0, (int)data1);
}

int trace_logb(int code, unsigned int *buf, unsigned int len)
{
	return insert_list(_NTO_TRACE_USER, code, buf, len);
}

int trace_logbc(int class_, int event, unsigned int *buf, unsigned int len)
{
	return insert_list(class_, event, buf, len);
}

int trace_vnlogf(int code, unsigned int max, const char *fmt, va_list arglist)
{
	char text[INSERT_TEXT];

	if (vsnprintf(text, max < sizeof(text) ? max + 1 : sizeof(text), fmt, arglist) < 0) {
		errno = EINVAL;
		return -1;
	}
	return insert_text(code, text);
}

int trace_nlogf(int code, unsigned int max, const char *fmt, ...)
{
	va_list arglist;
	int ret;

	va_start(arglist, fmt);
	ret = trace_vnlogf(code, max, fmt, arglist);
	va_end(arglist);
	return ret;
}

int trace_logf(int code, const char *fmt, ...)
{
	va_list arglist;
	int ret;

	va_start(arglist, fmt);
	ret = trace_vnlogf(code, INSERT_TEXT - 1, fmt, arglist);
	va_end(arglist);
	return ret;
}

int trace_func_enter(void *this_fn, void *call_site)
{
	LKST_EVENT(traceevent_func_enter, "function=%p call_site=%p", this_fn, call_site);
	return insert_result();
}

int trace_func_exit(void *this_fn, void *call_site)
{
	LKST_EVENT(traceevent_func_exit, "function=%p call_site=%p", this_fn, call_site);
	return insert_result();
}

int trace_here(void)
{
	LKST_EVENT(traceevent_here, "address=%p", __builtin_return_address(0));
	return insert_result();
}
