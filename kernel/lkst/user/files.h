/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /dev/lkst_user_events and /proc/lkst_user_events_status.
 */
#ifndef _LKST_USER_FILES_H
#define _LKST_USER_FILES_H

#include <linux/types.h>

struct seq_file;

void lkst_user_show_text(struct seq_file *m, const char *text, size_t len);
int lkst_user_status_show(struct seq_file *m, void *unused);
int lkst_user_files_start(void);
void lkst_user_files_stop(void);

#endif
