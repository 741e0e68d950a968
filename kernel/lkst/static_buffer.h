/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The buffer that exists before any other: for what happens while LKST starts, and for
 * its own errors.
 */
#ifndef _LKST_STATIC_BUFFER_H
#define _LKST_STATIC_BUFFER_H

#include <linux/types.h>
#include <linux/lkst.h>

struct iov_iter;
struct lkst_log_buffer;

int lkst_static_buffer_start(void);
void lkst_static_buffer_end(void);
void lkst_static_buffer_none(void);
void lkst_static_buffer_write(unsigned int outer, int etype, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_error(enum lkst_error_code code, u64 detail);
u64 lkst_static_buffer_next(void);
size_t lkst_static_buffer_size(void);
int lkst_static_buffer_read(struct lkst_log_buffer *param, u64 max, struct iov_iter *to);

#endif
