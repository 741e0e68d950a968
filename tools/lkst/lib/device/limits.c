// SPDX-License-Identifier: LGPL-2.1
/* Writes and reads the limits of masksets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "lib/base/error.h"
#include "limits.h"
#include "messages.h"

/* Set @err for the errno @ret of a call. */
static void limit_failed(int ret, lkst_maskset_id maskset, const char *wrong,
			 struct lkst_error *err)
{
	switch (ret) {
	case EINVAL:
		if (*wrong)
			lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", wrong);
		else
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LIMIT_REFUSED, (long)maskset);
		break;
	case ENXIO:
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET, (long)maskset);
		break;
	case ENOSPC:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LIMIT_RULES);
		break;
	case ENOMEM:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LIMIT_MEMORY);
		break;
	case EOPNOTSUPP:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LIMIT_NO_FORKS);
		break;
	default:
		break;
	}
}

/**
 * lkst_limit_write() - limit a maskset, or end its limit
 * @dev: device
 * @maskset: id of the maskset
 * @text: the new limit, see struct lkst_limit_param; "": end the old limit
 * @err: set on failure
 */
int lkst_limit_write(struct lkst_device *dev, lkst_maskset_id maskset, char *text,
		     struct lkst_error *err)
{
	size_t len = strlen(text);
	char wrong[LKST_RULE_ERROR_LEN] = "";
	struct lkst_limit_param param = {
		.id = maskset,
		.text = address(text),
		.error = address(wrong),
		.text_size = (uint32_t)len,
		.error_size = sizeof(wrong),
	};
	int ret;

	if (len > LKST_LIMIT_TEXT_MAX) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_LIMIT_LONG, len, LKST_LIMIT_TEXT_MAX);
		return -1;
	}
	ret = CALL(dev, LKST_IOC_MASKSET_LIMIT, &param, err);
	if (ret > 0)
		limit_failed(ret, maskset, wrong, err);
	return ret ? -1 : 0;
}

/**
 * lkst_limit_read() - read the limit of a maskset
 * @dev: device
 * @maskset: id of the maskset
 * @err: set on failure
 *
 * Return: the limit, to be freed; "" if none exists; NULL on error.
 */
char *lkst_limit_read(struct lkst_device *dev, lkst_maskset_id maskset, struct lkst_error *err)
{
	char *text = calloc(1, LKST_LIMIT_TEXT_MAX + 1);
	struct lkst_limit_param param = {
		.id = maskset,
		.flags = LKST_LIMIT_READ,
		.text = address(text),
		.text_size = LKST_LIMIT_TEXT_MAX,
	};
	int ret;

	if (!text) {
		lkst_error_memory(err, "a limit");
		return NULL;
	}
	ret = CALL(dev, LKST_IOC_MASKSET_LIMIT, &param, err);
	if (!ret)
		return text;
	if (ret > 0)
		limit_failed(ret, maskset, "", err);
	free(text);
	return NULL;
}
