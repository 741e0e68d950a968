/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST event buffers for kernel code (specification 4.7.2.4).
 */
#ifndef _LINUX_LKST_BUFFER_H
#define _LINUX_LKST_BUFFER_H

#include <uapi/linux/lkst_buffer.h>

int lkst_buffer_read(struct lkst_log_buffer *lbuffer);
int lkst_buffer_create(lkst_buffer_id id, size_t size, lkst_buffer_id next);
int lkst_buffer_delete(lkst_buffer_id id);
int lkst_buffer_jump(lkst_buffer_id next);
int lkst_buffer_shift(void);

#endif
