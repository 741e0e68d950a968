/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file through which programs register and record events.
 */
#ifndef _LKST_USER_DATA_H
#define _LKST_USER_DATA_H

#include <linux/fs.h>

extern const struct file_operations lkst_user_data_fops;

int lkst_data_start(void);
void lkst_data_stop(void);

#endif
