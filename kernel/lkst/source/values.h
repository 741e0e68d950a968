/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names that values of event arguments have on this kernel.
 */
#ifndef _LKST_VALUES_H
#define _LKST_VALUES_H

#include <linux/types.h>

struct seq_file;

size_t lkst_value_text(char *to, size_t size, const char *format, size_t len, u64 value);
int lkst_values_show(struct seq_file *m, void *unused);
int lkst_values_start(void);
void lkst_values_stop(void);

#endif
