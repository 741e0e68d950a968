/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms of rules, as programs read them. */
#ifndef _LKST_DEVICE_HIST_H
#define _LKST_DEVICE_HIST_H

#include <linux/lkst_maskset.h>

int lkst_hist_ioctl(struct lkst_hist_param *param);

#endif
