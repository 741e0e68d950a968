/* SPDX-License-Identifier: GPL-2.0 */
/* The options -m and -n, which name a maskset. */
#ifndef _LKSTM_CHOOSE_H
#define _LKSTM_CHOOSE_H

#include "cli/options.h"
#include "lib/lkst.h"

struct lkst_etype_set;

/**
 * struct maskset_choice - a maskset named on the command line
 * @id: argument of -m; -1: none
 * @name: argument of -n; NULL: none
 */
struct maskset_choice {
	int64_t id;
	const char *name;
};

/* Option rows; @type must have a member @choice of type struct maskset_choice. */
#define OPT_MASKSET_ID(type, help) \
	OPT_NUMBER('m', NULL, "ID", type, choice.id, 0, LKST_MASKSET_ID_MAX, "maskset id", help)
#define OPT_MASKSET_NAME(type, help) OPT_TEXT('n', NULL, "NAME", type, choice.name, help)

lkst_maskset_id maskset_find_name(struct lkst_device *dev, const char *name,
				  struct lkst_error *err);
lkst_maskset_id maskset_chosen(struct lkst_device *dev, const struct maskset_choice *choice,
			       struct lkst_error *err);
int maskset_check_writable(lkst_maskset_id id, struct lkst_error *err);
void maskset_print_left_out(const struct lkst_etypes *types, const struct lkst_etype_set *left_out);

#endif
