/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What values are called on this kernel.
 */
#ifndef _LKST_VALUES_H
#define _LKST_VALUES_H

struct seq_file;

int lkst_values_show(struct seq_file *m, void *unused);
int lkst_values_start(void);

#endif
