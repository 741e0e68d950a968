/* SPDX-License-Identifier: GPL-2.0 */
/* lkstlogd's own maskset. */
#ifndef _LKSTLOGD_MASKSET_H
#define _LKSTLOGD_MASKSET_H

#include "lib/lkst.h"

struct logd_state;

int logd_maskset_select(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err);
int logd_maskset_watch(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err);
void logd_maskset_restore(struct lkst_device *dev, struct logd_state *state);

#endif
