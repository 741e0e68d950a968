// SPDX-License-Identifier: LGPL-2.1
/* Reads the slot of a previous boot in reserved memory, through the kernel. */
#include <linux/lkst_previous.h>
#include <stdlib.h>
#include <sys/types.h>

#include "forms.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/device/previous.h"
#include "source.h"

struct previous {
	struct lkst_device *dev;
	struct lkst_previous_listent boot;
};

static uint64_t previous_next(void *ctx, uint64_t at)
{
	const struct previous *previous = ctx;

	return at < previous->boot.size ? at : IMAGE_NOWHERE;
}

static ssize_t previous_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	struct previous *previous = ctx;

	if (at >= previous->boot.size)
		return 0;
	return lkst_previous_read(previous->dev, previous->boot.boot, buf, len, at, err);
}

static void previous_close(void *ctx)
{
	free(ctx);
}

/**
 * image_source_previous() - open a previous boot
 * @dev: device, which must stay open
 * @boot: from LKST_IOC_PREVIOUS_LIST
 * @err: set if an allocation fails
 */
struct image_source *image_source_previous(struct lkst_device *dev,
					   const struct lkst_previous_listent *boot,
					   struct lkst_error *err)
{
	struct previous *previous = calloc(1, sizeof(*previous));
	struct image_source *source =
		previous ? image_source_new(LKST_DEVICE_PATH, "previous boot", previous, err) :
			   NULL;

	if (!source) {
		free(previous);
		lkst_error_memory(err, "a previous boot");
		return NULL;
	}
	*previous = (struct previous){ dev, *boot };
	source->size = boot->size;
	source->next = previous_next;
	source->read = previous_read;
	source->close = previous_close;
	return source;
}
