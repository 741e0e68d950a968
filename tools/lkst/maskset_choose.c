// SPDX-License-Identifier: GPL-2.0
/* Which maskset is meant, and what holds for all that change one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "command.h"
#include "lib/messages.h"
#include "maskset_choose.h"

static const char *name_at(void *ctx, size_t i)
{
	return ((struct lkst_maskset_list *)ctx)->ent[i].name;
}

/**
 * maskset_find_name() - the maskset of that name
 * @dev: device
 * @name: exactly
 * @err: there is none, with the names that are near
 *
 * Return: its id, -1 on an error.
 */
lkst_maskset_id maskset_find_name(struct lkst_device *dev, const char *name, struct lkst_error *err)
{
	const char *near[LKST_NEAR_MAX];
	struct lkst_maskset_list list;
	lkst_maskset_id id = -1;
	char text[256];
	size_t n;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	for (size_t i = 0; i < list.num; i++)
		if (!strcmp(list.ent[i].name, name))
			id = list.ent[i].id;
	if (id < 0) {
		n = lkst_near(name, name_at, &list, list.num, near);
		lkst_near_text(near, n, text, sizeof(text));
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET_NAME, name,
			       n ? text : MSG_ALL_MASKSETS);
	}
	lkst_maskset_list_free(&list);
	return id;
}

/* The selected one. While LKST is stopped that is the one that records nothing. */
static lkst_maskset_id selected(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_status status;
	lkst_maskset_id id;

	if (lkst_status_get(dev, &status, err))
		return -1;
	id = status.trc.current_maskset_id;
	lkst_status_free(&status);
	return id;
}

/**
 * maskset_chosen() - the maskset that the command line means
 * @dev: device
 * @choice: not both; neither means the selected one
 * @err: why not
 *
 * Return: its id, -1 on an error. An id need not be that of a maskset.
 */
lkst_maskset_id maskset_chosen(struct lkst_device *dev, const struct maskset_choice *choice,
			       struct lkst_error *err)
{
	if (choice->name)
		return maskset_find_name(dev, choice->name, err);
	return choice->id < 0 ? selected(dev, err) : (lkst_maskset_id)choice->id;
}

/**
 * maskset_check_writable() - can this maskset be written?
 * @id: of a maskset
 * @err: why not
 */
int maskset_check_writable(lkst_maskset_id id, struct lkst_error *err)
{
	static const struct {
		const char *name, *records;
	} fixed[] = {
		[LKST_MASKSET_ID_RNOTHING] = { "nothing", "no event" },
		[LKST_MASKSET_ID_RALL] = { "all", "all events" },
	};

	if ((size_t)id >= sizeof(fixed) / sizeof(*fixed))
		return 0;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_MASKSET_FIXED, id, fixed[id].name,
		       fixed[id].records);
	return -1;
}

/**
 * maskset_lock() - wait until nobody else changes masksets, and keep others from it
 * @dev: device; closing it unlocks
 * @err: why not
 *
 * A change is to read, and to write: one that another lkstm made in between would get lost. It is
 * not for the time in which input is awaited, which may come from an lkstm, too.
 */
int maskset_lock(struct lkst_device *dev, struct lkst_error *err)
{
	int ret;

	do {
		ret = flock(lkst_device_fd(dev), LOCK_EX);
	} while (ret && errno == EINTR);
	if (ret)
		lkst_error_system(err, errno, LKST_DEVICE_PATH, "lock");
	return ret;
}

/**
 * maskset_note_left_out() - tell which events were meant, too, but cannot be recorded
 * @types: those of the kernel
 * @left_out: of them
 */
void maskset_note_left_out(const struct lkst_etypes *types, const struct lkst_etype_set *left_out)
{
	const char *before = "not recorded, as they are absent in this kernel: ";
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype_set_has(left_out, i)) {
			fprintf(to, "%s%s", before, lkst_etype(types, i)->name);
			before = ", ";
		}
	if (!fclose(to) && *text)
		note(text);
	free(text);
}
