/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event types: what is known of each.
 */
#ifndef _LKST_ETYPE_H
#define _LKST_ETYPE_H

#include <linux/lkst_etypes.h>
#include <linux/lkst.h>

struct lkst_etype_desc {
	const char *mnemonic;		/* NULL: there is no such type */
	const char *hook;
	const char *name;
	const char *args[4];
};

extern const struct lkst_etype_desc lkst_etypes[LKST_ETYPE_NUM];

/* Whether there is such a type; any number is allowed. */
static inline bool lkst_etype_registered(int etype)
{
	return etype >= 0 && etype < LKST_ETYPE_NUM && lkst_etypes[etype].mnemonic;
}

int lkst_etype_start(void);

#endif
