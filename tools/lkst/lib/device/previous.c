// SPDX-License-Identifier: LGPL-2.1
/* Lists and reads the previous boots in reserved memory, and marks them as read. */
#include <errno.h>
#include <linux/lkst_image.h>
#include <linux/lkst_previous.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "call.h"
#include "lib/base/error.h"
#include "messages.h"
#include "previous.h"

/**
 * lkst_boot_text() - format the UUID of a boot
 * @id: UUID
 * @text: result
 */
void lkst_boot_text(const uint8_t id[LKST_IMAGE_BOOT_LEN], char text[LKST_BOOT_TEXT])
{
	char *p = text;

	for (int i = 0; i < LKST_IMAGE_BOOT_LEN; i++)
		p += sprintf(p, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
}

/**
 * lkst_boot_begins() - check whether the UUID of a boot begins with a string
 * @text: UUID of the boot as text
 * @id: string; "" is not the beginning of any UUID
 */
bool lkst_boot_begins(const char *text, const char *id)
{
	return *id && !strncasecmp(text, id, strlen(id));
}

/**
 * lkst_previous_get() - list the previous boots in reserved memory, and describe its slots
 * @dev: device
 * @previous: result
 * @err: set on failure
 */
int lkst_previous_get(struct lkst_device *dev, struct lkst_previous *previous,
		      struct lkst_error *err)
{
	struct lkst_previous_listparam param = {
		.listent = address(previous->boot),
		.listent_num = LKST_IMAGE_BOOT_SLOTS_MAX,
	};

	memset(previous, 0, sizeof(*previous));
	if (CALL(dev, LKST_IOC_PREVIOUS_LIST, &param, err))
		return -1;
	previous->num = (size_t)param.boot_num;
	previous->slot_num = (uint32_t)param.slot_num;
	previous->slot_size = param.slot_size;
	previous->own = param.own;
	return 0;
}

/**
 * lkst_previous_unread() - count the boots that have not been read
 * @previous: from lkst_previous_get()
 */
size_t lkst_previous_unread(const struct lkst_previous *previous)
{
	size_t unread = 0;

	for (size_t i = 0; i < previous->num; i++)
		unread += previous->boot[i].state == LKST_BOOT_SLOT_UNREAD;
	return unread;
}

static const struct lkst_previous_listent *
device_previous_newest(const struct lkst_previous *previous)
{
	for (size_t i = previous->num; i--;)
		if (previous->boot[i].state == LKST_BOOT_SLOT_UNREAD)
			return &previous->boot[i];
	return &previous->boot[previous->num - 1];
}

/**
 * lkst_previous_find() - find a previous boot
 * @previous: from lkst_previous_get()
 * @id: UUID of the boot, or the beginning of the UUID; NULL: the newest unread boot or, if all
 *	boots have been read, the newest
 * @err: set if no boot or several boots match
 */
const struct lkst_previous_listent *lkst_previous_find(const struct lkst_previous *previous,
						       const char *id, struct lkst_error *err)
{
	const struct lkst_previous_listent *found = NULL;

	if (!previous->num) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND,
			       previous->slot_num ? MSG_PREVIOUS_NONE : MSG_NO_RESERVED);
		return NULL;
	}
	if (!id)
		return device_previous_newest(previous);
	for (size_t i = 0; i < previous->num; i++) {
		char text[LKST_BOOT_TEXT];

		lkst_boot_text(previous->boot[i].boot, text);
		if (!lkst_boot_begins(text, id))
			continue;
		if (found) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_PREVIOUS_OFTEN, id);
			return NULL;
		}
		found = &previous->boot[i];
	}
	if (!found)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_PREVIOUS_BOOT, id);
	return found;
}

/**
 * lkst_previous_read() - read the memory of a previous boot
 * @dev: device
 * @boot: UUID of the boot
 * @buf: result
 * @len: bytes to read
 * @offset: offset in the slot, in bytes
 * @err: set on failure
 *
 * Return: number of bytes read, less than @len at the end of the slot; -1 on error.
 */
ssize_t lkst_previous_read(struct lkst_device *dev, const uint8_t boot[LKST_IMAGE_BOOT_LEN],
			   void *buf, size_t len, uint64_t offset, struct lkst_error *err)
{
	struct lkst_previous_readparam param = {
		.offset = offset,
		.length = len,
		.buffer = address(buf),
	};
	int ret;

	memcpy(param.boot, boot, sizeof(param.boot));
	ret = CALL(dev, LKST_IOC_PREVIOUS_READ, &param, err);
	if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_PREVIOUS);
	return ret ? -1 : (ssize_t)param.result_length;
}

/**
 * lkst_previous_done() - mark a previous boot as read, so that a later boot may use its memory
 * @dev: device
 * @boot: UUID of the boot
 * @err: set on failure
 */
int lkst_previous_done(struct lkst_device *dev, const uint8_t boot[LKST_IMAGE_BOOT_LEN],
		       struct lkst_error *err)
{
	struct lkst_previous_doneparam param;
	int ret;

	memcpy(param.boot, boot, sizeof(param.boot));
	ret = CALL(dev, LKST_IOC_PREVIOUS_DONE, &param, err);
	if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_PREVIOUS);
	return ret ? -1 : 0;
}
