// SPDX-License-Identifier: GPL-2.0
#include <linux/lkst_previous.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "image_reading.h"
#include "lib/base/error.h"
#include "lib/device/previous.h"
#include "lib/image/image.h"
#include "lib/image/source.h"
#include "lib/image/trace.h"
#include "lib/image/selection.h"
#include "lib/text/context.h"

struct image_reading {
	struct lkst_device *dev; /* for a previous boot; else NULL */
	struct image *image;
	struct image_selection selection;
	struct image_hooks hooks;
};

static void image_reading_report(void *ctx, const char *text)
{
	(void)ctx;
	print_note(text);
}

/*
 * Find the boot that @boot names, open its slot of the reserved memory as an image, and set @id to
 * the UUID of the boot. The caller must select the data of this boot, because the slot may also
 * contain other data.
 */
static struct image_source *image_reading_open_previous(struct image_reading *reading,
							const char *boot, char id[LKST_BOOT_TEXT],
							struct lkst_error *err)
{
	const struct lkst_previous_listent *found;
	struct lkst_previous previous;

	reading->dev = lkst_device_open(err);
	if (!reading->dev || lkst_previous_get(reading->dev, &previous, err))
		return NULL;
	found = lkst_previous_find(&previous, boot, err);
	if (!found)
		return NULL;
	lkst_boot_text(found->boot, id);
	return image_source_previous(reading->dev, found, err);
}

static int image_reading_open_image(struct image_reading *reading,
				    const struct image_arguments *args, struct lkst_error *err)
{
	const char *boot = args->boot;
	struct image_source *source;
	char id[LKST_BOOT_TEXT];
	int chosen;

	source = args->path ? image_source_open(args->path, err) :
			      image_reading_open_previous(reading, boot, id, err);
	if (!source)
		return -1;
	reading->hooks.ctx = (void *)"looking through the image";
	reading->image = image_scan(source, &reading->hooks, err);
	if (!reading->image)
		return -1;
	chosen = image_choose_boot(reading->image, args->path ? boot : id, &reading->hooks, err);
	reading->selection.boot = (uint32_t)chosen;
	reading->hooks.ctx = (void *)"reading";
	return chosen < 0 ? -1 : 0;
}

/**
 * image_reading_open() - open an image, and find LKST's data in it
 * @args: what to read
 * @err: set on failure
 */
struct image_reading *image_reading_open(const struct image_arguments *args, struct lkst_error *err)
{
	struct image_reading *reading = calloc(1, sizeof(*reading));

	if (!reading) {
		lkst_error_memory(err, "an image");
		return NULL;
	}
	reading->hooks = (struct image_hooks){
		.report = image_reading_report,
		.progress = progress_show,
		.stop = args->stop,
	};
	reading->selection = (struct image_selection){
		.cpu = args->cpu,
		.id = args->id,
		.static_buffer = args->static_buffer,
		.symbols = args->symbols,
	};
	if (!image_reading_open_image(reading, args, err))
		return reading;
	image_reading_close(reading);
	return NULL;
}

/**
 * image_reading_write() - write the records as a trace
 * @reading: image
 * @writer: writer, which the caller commits or aborts
 * @err: set on failure
 */
int image_reading_write(struct image_reading *reading, struct lkst_trace_writer *writer,
			struct lkst_error *err)
{
	return image_trace(reading->image, &reading->selection, &reading->hooks, writer, NULL, err);
}

/**
 * image_reading_done() - mark a previous boot as read; does nothing if the image is a file
 * @reading: image
 * @err: set on failure
 */
int image_reading_done(struct image_reading *reading, struct lkst_error *err)
{
	const struct image_boot *boot = &reading->image->boot[reading->selection.boot];

	return reading->dev ? lkst_previous_done(reading->dev, boot->id, err) : 0;
}

/**
 * image_reading_close() - close an image
 * @reading: may be NULL
 */
void image_reading_close(struct image_reading *reading)
{
	if (!reading)
		return;
	if (reading->image)
		image_free(reading->image);
	lkst_device_close(reading->dev);
	free(reading);
}
