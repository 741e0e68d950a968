/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compressed history of each CPU (Documentation/lkst/history.rst).
 */
#ifndef _LKST_HISTORY_H
#define _LKST_HISTORY_H

#include <linux/sizes.h>
#include <linux/types.h>
#include <linux/lkst_history.h>

struct iov_iter;

/*
 * Minimum size in bytes of the history of a CPU. It must have room for some
 * chunks.
 */
#define LKST_HISTORY_SIZE_MIN	SZ_1M
#define LKST_HISTORY_SIZE_MAX	((unsigned long)SZ_1G)

/* Share of a CPU that the compression may take, in percent. */
#define LKST_HISTORY_SHARE	5

void lkst_history_init(size_t size);
size_t lkst_history_size(void);
void lkst_history_set_share(unsigned int percent);
unsigned int lkst_history_share(void);
int lkst_history_start(void);
void lkst_history_stop(void);
int lkst_history_read(struct lkst_history_read *param, struct iov_iter *to);
int lkst_history_status(struct lkst_history_status *status);

#endif
