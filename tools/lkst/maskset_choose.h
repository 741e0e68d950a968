/* SPDX-License-Identifier: GPL-2.0 */
/* Which maskset -m and -n mean. */
#ifndef _MASKSET_CHOOSE_H
#define _MASKSET_CHOOSE_H

#include "lib/liblkst.h"

/**
 * struct maskset_choice - what the command line says
 * @id: of -m, or NULL
 * @name: of -n, or NULL
 */
struct maskset_choice {
	const char *id;
	const char *name;
};

lkst_maskset_id maskset_find_name(struct lkst_device *dev, const char *name,
				  struct lkst_error *err);
lkst_maskset_id maskset_chosen(struct lkst_device *dev, const struct maskset_choice *choice,
			       struct lkst_error *err);
int maskset_parse_id(const char *text, lkst_maskset_id *id, struct lkst_error *err);
int maskset_check_writable(lkst_maskset_id id, struct lkst_error *err);

#endif
