/* SPDX-License-Identifier: LGPL-2.1 */
/* Stores strings in the arguments of an event that a program records. */
#ifndef _LKST_LIB_TEXT_ENTRY_H
#define _LKST_LIB_TEXT_ENTRY_H

#include "lib/lkst.h"

struct lkst_field;

const struct lkst_field *lkst_etype_text(const struct lkst_etype *type, unsigned int nth);
size_t lkst_entry_cut(const char *text, size_t room);
size_t lkst_entry_put_text(struct lkst_entry_args *args, const struct lkst_field *field,
			   const char *text);

#endif
