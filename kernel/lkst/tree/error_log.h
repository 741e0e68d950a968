/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The latest errors in what programs have written to the files of the tree.
 */
#ifndef _LKST_TREE_ERROR_LOG_H
#define _LKST_TREE_ERROR_LOG_H

#include <linux/types.h>

void lkst_tree_log_error(const char *subject, const char *command, u32 at, const char *error);
void lkst_tree_log_clear(void);

#endif
