/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Store the session and the lap of a buffer in its header pages. Context: on
 * the buffer's CPU, any context including NMI; on another CPU, only while the
 * buffer's CPU is offline or not recording yet.
 */
#ifndef _LKST_IMAGE_SESSION_H
#define _LKST_IMAGE_SESSION_H

#include <linux/types.h>

struct lkst_region;
struct lkst_session;

void lkst_image_set_session(struct lkst_region *region, const struct lkst_session *session,
			    u64 lap);
void lkst_image_set_lap(struct lkst_region *region, u64 lap);

#endif
