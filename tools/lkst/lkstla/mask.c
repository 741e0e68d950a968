// SPDX-License-Identifier: GPL-2.0
/*
 * Finds out which event types the running kernel does not record. A trace file does not contain the
 * maskset with which it was recorded, so this is known only if the buffers of the running kernel
 * are analysed.
 *
 * A maskset determines the event handler of each event type, and thereby which events are recorded.
 */
#include <stdlib.h>

#include "mask.h"

/**
 * mask_read() - read the selected maskset of the running kernel
 *
 * Return: the maskset, to be freed with free(); NULL if it cannot be read. That is not an error:
 * the header then says that it is unknown whether an event was masked.
 */
struct lkst_maskset_body *mask_read(void)
{
	struct lkst_maskset_body *mask = malloc(LKST_MASKSET_SIZE_MAX);
	struct lkst_device *dev = mask ? lkst_device_open(NULL) : NULL;

	if (!dev || lkst_maskset_read(dev, LKST_MASKSET_ID_VOID, mask, NULL)) {
		free(mask);
		mask = NULL;
	}
	lkst_device_close(dev);
	return mask;
}

/**
 * mask_hides() - check whether an event type is not recorded
 * @mask: maskset
 * @type: event type. A type that the maskset does not list is not recorded
 */
bool mask_hides(const struct lkst_maskset_body *mask, uint32_t type)
{
	for (lkst_maskset_table_len i = 0; i < mask->len; i++)
		if ((uint32_t)mask->entry[i].event_type == type)
			return mask->entry[i].id == LKST_EVHANDLER_ID_NONE;
	return true;
}
