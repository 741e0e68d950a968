/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms of rules, as programs read them. */
#ifndef _LKST_DEVICE_HIST_H
#define _LKST_DEVICE_HIST_H

#include <linux/lkst_maskset.h>

struct lkst_hist *lkst_hist_get_of(lkst_maskset_id id, int etype, unsigned int index);
int lkst_hist_ioctl(struct lkst_hist_param *param);

#endif
