// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of event handlers (specification 4.2.1, 4.7.1.2.6).
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "evhandler.h"

/* How many event handlers there are. */
int lkst_evhandler_num(void)
{
	int id, num = 0;

	for (id = 0; id < ARRAY_SIZE(lkst_evhandlers); id++)
		num += !!lkst_evhandlers[id].name;
	return num;
}

/**
 * lkst_evhandler_list_user() - list the event handlers (4.7.1.2.6)
 * @param: as the process gave it
 *
 * A list that is longer than @param->listent_size is cut.
 *
 * Return: 0, or -EINVAL: @param->listent cannot be written.
 */
int lkst_evhandler_list_user(struct lkst_evhandler_listparam *param)
{
	struct lkst_evhandler_listent __user *to = u64_to_user_ptr(param->listent);
	u64 room = div_u64(param->listent_size, sizeof(*to));
	int id;

	if (!to || (s64)param->listent_size < 0)
		return -EINVAL;
	for (id = 0; id < ARRAY_SIZE(lkst_evhandlers) && room; id++) {
		struct lkst_evhandler_listent entry = { .id = id };

		if (!lkst_evhandlers[id].name)
			continue;
		strscpy_pad(entry.name, lkst_evhandlers[id].name, sizeof(entry.name));
		if (copy_to_user(to++, &entry, sizeof(entry)))
			return -EINVAL;
		room--;
	}
	return 0;
}
