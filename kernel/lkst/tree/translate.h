/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions and definitions of histograms with the kernel's names of fields.
 */
#ifndef _LKST_TREE_TRANSLATE_H
#define _LKST_TREE_TRANSLATE_H

#include <linux/types.h>

char *lkst_tree_translate(const char *aliases, const char *text);
char *lkst_tree_translate_hist(const char *aliases, const char *text);
u32 lkst_tree_translate_back(const char *aliases, const char *text, u32 at);
u32 lkst_tree_translate_hist_back(const char *aliases, const char *text, u32 at);

#endif
