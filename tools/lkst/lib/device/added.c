// SPDX-License-Identifier: LGPL-2.1
/* Adds, removes and reads the events that are added at run time. */
#include <errno.h>
#include <string.h>

#include "added.h"
#include "call.h"
#include "lib/base/error.h"
#include "messages.h"

/* Set @err for the errno @ret of a call that adds or removes an event. */
static void added_failed(int ret, const char *text, struct lkst_error *err)
{
	switch (ret) {
	case ENOENT:
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_ADDED_NONE);
		break;
	case EEXIST:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_ADDED_TAKEN);
		break;
	case EBUSY:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_ADDED_BUSY);
		break;
	case ENOSPC:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_ADDED_MANY);
		break;
	case ENOMEM:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_ADDED_MEMORY);
		break;
	case EOPNOTSUPP:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_ADDED_UNSUPPORTED);
		break;
	case EINVAL:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_ADDED_REFUSED, text);
		break;
	default:
		break;
	}
}

/**
 * lkst_added_control() - add or remove an event
 * @dev: device
 * @text: definition in the kernel's syntax
 * @result: receives the event type or, on failure, what is wrong with the definition
 * @err: set on failure, unless @result says what is wrong
 */
int lkst_added_control(struct lkst_device *dev, const char *text, struct lkst_added_result *result,
		       struct lkst_error *err)
{
	struct lkst_event_param param = {
		.text = address(text),
		.error = address(result->wrong),
		.text_size = (uint32_t)strlen(text),
		.error_size = sizeof(result->wrong),
	};
	int ret;

	*result = (struct lkst_added_result){ 0 };
	if (strlen(text) > LKST_EVENT_TEXT_MAX) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ADDED_LONG, strlen(text),
			       LKST_EVENT_TEXT_MAX);
		return -1;
	}
	ret = CALL(dev, LKST_IOC_EVENT_CONTROL, &param, err);
	result->wrong[sizeof(result->wrong) - 1] = 0;
	result->at = param.error_at;
	result->etype = (unsigned int)param.event_type;
	if (ret > 0 && !*result->wrong)
		added_failed(ret, text, err);
	return ret ? -1 : 0;
}

/**
 * lkst_added_next() - read an added event
 * @dev: device
 * @etype: event type. If no added event has it, the event with the next higher event type is read
 * @event: receives the event
 * @err: set on failure
 *
 * Return: 1; 0: there is no further event; -1: failure.
 */
int lkst_added_next(struct lkst_device *dev, unsigned int etype, struct lkst_added *event,
		    struct lkst_error *err)
{
	struct lkst_event_param param = {
		.text = address(event->text),
		.text_size = LKST_EVENT_TEXT_MAX,
		.event_type = (int32_t)etype,
	};
	int ret = CALL(dev, LKST_IOC_EVENT_READ, &param, err);

	if (ret)
		return ret == ENOENT ? 0 : -1;
	event->etype = (unsigned int)param.event_type;
	event->flags = param.flags;
	event->missed = param.missed;
	event->faults = param.faults;
	event->text[param.text_size < LKST_EVENT_TEXT_MAX ? param.text_size : LKST_EVENT_TEXT_MAX] =
		0;
	return 1;
}
