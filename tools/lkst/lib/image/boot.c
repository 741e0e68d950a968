// SPDX-License-Identifier: LGPL-2.1
/* Chooses one of the boots in an image. */
#include <linux/lkst_image.h>
#include <stdio.h>
#include <string.h>

#include "image.h"
#include "lib/base/error.h"
#include "lib/device/previous.h"
#include "lib/text/parse.h"
#include "messages.h"
#include "source.h"
#include "trace.h"

#define LIST_SIZE 512

static bool boot_has_records(const struct image *image, size_t boot)
{
	for (size_t i = 0; i < image->regions; i++)
		if (image->region[i].boot == boot && (image->region[i].kind == LKST_IMAGE_BUFFER ||
						      image->region[i].kind == LKST_IMAGE_STATIC ||
						      image->region[i].kind == LKST_IMAGE_LONG ||
						      image->region[i].kind == LKST_IMAGE_HISTORY))
			return true;
	return false;
}

/*
 * List the ids of the boots that have a buffer (static or not), a long ring or a history, except
 * boot @but. If there are too many for @list, the rest are omitted. Returns the number of these
 * boots, listed or not.
 */
static size_t list_other_boots(const struct image *image, size_t but, char list[LIST_SIZE])
{
	size_t len = 0, num = 0;

	*list = 0;
	for (size_t i = 0; i < image->boots; i++) {
		if (i == but || !boot_has_records(image, i))
			continue;
		num++;
		if (len + 64 < LIST_SIZE)
			len += (size_t)snprintf(list + len, LIST_SIZE - len, "%s%s",
						len ? ", " : "", image->boot[i].id_text);
		else if (len + 5 < LIST_SIZE)
			len += (size_t)snprintf(list + len, LIST_SIZE - len, " ...");
	}
	return num;
}

static const char *image_boot_name_of(void *ctx, size_t i)
{
	const struct image *image = ctx;

	return image->boot[i].id_text;
}

static int no_such_boot(const struct image *image, const char *id, struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char suggested[LIST_SIZE], list[LIST_SIZE];
	size_t num = lkst_suggest(id, image_boot_name_of, (void *)image, image->boots, suggestions);

	lkst_suggestions_text(suggestions, num, suggested, sizeof(suggested));
	list_other_boots(image, SIZE_MAX, list);
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_BOOT, image->source->name, id, suggested,
		       list);
	return -1;
}

static int image_boot_find_boot(const struct image *image, const char *id, struct lkst_error *err)
{
	char list[LIST_SIZE];
	int found = -1;

	for (size_t i = 0; i < image->boots; i++) {
		if (!boot_has_records(image, i) || !lkst_boot_begins(image->boot[i].id_text, id))
			continue;
		if (found >= 0) {
			list_other_boots(image, SIZE_MAX, list);
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BOOT_OFTEN, image->source->name,
				       id, list);
			return -1;
		}
		found = (int)i;
	}
	return found >= 0 ? found : no_such_boot(image, id, err);
}

/**
 * image_choose_boot() - find the boot that the user named
 * @image: image
 * @id: UUID of the boot, or the beginning of it; NULL: the newest boot that has a buffer, a long
 *	ring or a history
 * @hooks: if @id is NULL, its report() is called with the list of the other boots; may be NULL
 * @err: set if no boot, or several boots, match
 *
 * Return: index of the boot; -1 on error.
 */
int image_choose_boot(const struct image *image, const char *id, const struct image_hooks *hooks,
		      struct lkst_error *err)
{
	char list[LIST_SIZE], text[LIST_SIZE + 256];
	size_t newest = 0;

	while (newest < image->boots && !boot_has_records(image, newest))
		newest++;
	if (newest == image->boots) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_IMAGE_NOTHING, image->source->name,
			       image->source->form);
		return -1;
	}
	if (id)
		return image_boot_find_boot(image, id, err);
	if (list_other_boots(image, newest, list) && hooks && hooks->report) {
		snprintf(text, sizeof(text), MSG_OTHER_BOOTS, image->source->name,
			 image->boot[newest].id_text, list);
		hooks->report(hooks->ctx, text);
	}
	return (int)newest;
}
