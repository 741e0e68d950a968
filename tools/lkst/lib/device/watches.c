// SPDX-License-Identifier: LGPL-2.1
/* Creates, reads and deletes watches. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "lib/base/error.h"
#include "messages.h"
#include "watches.h"

/* Set @err for the errno @ret of a call that creates a watch. */
static void watch_write_failed(int ret, const struct lkst_watch *watch,
			       const struct lkst_watch_param *param, const char *wrong,
			       struct lkst_error *err)
{
	switch (ret) {
	case EINVAL:
		if (*wrong)
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_WATCH_AT, watch->text,
				       param->error_at + 1, wrong);
		else
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_WATCH_INVALID, watch->name);
		break;
	case ENODEV:
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WATCH_NO_EVENT, watch->name);
		break;
	case EEXIST:
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_WATCH_EXISTS, watch->name);
		break;
	case ENOSPC:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_WATCH_MANY, LKST_WATCH_NUM);
		break;
	case ENOMEM:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_WATCH_MEMORY, watch->name);
		break;
	default:
		break;
	}
}

/**
 * lkst_watch_write() - create a watch
 * @dev: device
 * @watch: the watch, without a result
 * @err: set on failure; if @watch->text is wrong, @err contains the position of the mistake
 */
int lkst_watch_write(struct lkst_device *dev, const struct lkst_watch *watch,
		     struct lkst_error *err)
{
	char wrong[LKST_WATCH_ERROR_LEN] = "";
	struct lkst_watch_param param = {
		.over_ns = watch->over_ns,
		.text = address(watch->text),
		.error = address(wrong),
		.text_size = (uint32_t)strlen(watch->text),
		.error_size = sizeof(wrong),
		.begin = (int32_t)watch->begin,
		.end = (int32_t)watch->end,
		.spans = watch->spans,
	};
	int ret;

	snprintf(param.name, sizeof(param.name), "%s", watch->name);
	ret = CALL(dev, LKST_IOC_WATCH_WRITE, &param, err);
	if (ret > 0)
		watch_write_failed(ret, watch, &param, wrong, err);
	return ret ? -1 : 0;
}

/**
 * lkst_watch_read() - read a watch
 * @dev: device
 * @watch: receives the watch; the caller sets @watch->name to the name to look for
 * @exact: read the watch with this name, rather than the first one with a greater name
 * @err: set on failure
 *
 * Return: 0; 1 if there is no such watch; or -1.
 */
int lkst_watch_read(struct lkst_device *dev, struct lkst_watch *watch, bool exact,
		    struct lkst_error *err)
{
	struct lkst_watch_param param = {
		.text = address(watch->text),
		.result = address(&watch->result),
		.text_size = LKST_WATCH_TEXT_MAX,
		.result_size = sizeof(watch->result),
		.exact = exact,
	};
	int ret;

	memcpy(param.name, watch->name, sizeof(param.name));
	ret = CALL(dev, LKST_IOC_WATCH_READ, &param, err);
	if (ret)
		return ret == ENOENT ? 1 : -1;
	memcpy(watch->name, param.name, sizeof(watch->name));
	watch->text[param.text_size] = 0;
	watch->begin = (unsigned int)param.begin;
	watch->end = (unsigned int)param.end;
	watch->over_ns = param.over_ns;
	watch->spans = param.spans;
	return 0;
}

static int watch_call_named(struct lkst_device *dev, unsigned long request, const char *call,
			    const char *name, struct lkst_error *err)
{
	struct lkst_watch_nameparam param;
	int ret;

	memset(&param, 0, sizeof(param));
	snprintf(param.name, sizeof(param.name), "%s", name);
	ret = device_call(dev, request, &param, call, err);
	if (ret == ENOENT)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WATCH_NONE, name);
	else if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_WATCH_NAME, name);
	else if (ret == ENOMEM)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_WATCH_MEMORY, name);
	return ret ? -1 : 0;
}

/* Delete a watch. Rules keep the action watch(NAME), which then has no effect. */
int lkst_watch_delete(struct lkst_device *dev, const char *name, struct lkst_error *err)
{
	return watch_call_named(dev, LKST_IOC_WATCH_DELETE, "LKST_IOC_WATCH_DELETE", name, err);
}

/* Discard what a watch has measured. The watch continues to measure. */
int lkst_watch_reset(struct lkst_device *dev, const char *name, struct lkst_error *err)
{
	return watch_call_named(dev, LKST_IOC_WATCH_RESET, "LKST_IOC_WATCH_RESET", name, err);
}
