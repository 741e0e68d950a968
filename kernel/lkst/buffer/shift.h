/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Move a CPU from one buffer to another: shift and jump.
 */
#ifndef _LKST_SHIFT_H
#define _LKST_SHIFT_H

#include <linux/types.h>
#include <linux/lkst_buffer.h>

int lkst_shift_next(void);
int lkst_buffer_shift_on(int cpu);
int lkst_buffer_jump_on(int cpu, lkst_buffer_id dest);
int lkst_shift_to(int cpu, int id);
int lkst_shift_keep(lkst_buffer_id *from);
int lkst_shift_discard(int cpu, int id);
int lkst_shift_to_void(int cpu, int unused);
void lkst_shift_rewrite_header(void);
void lkst_shift_timestamp(void *unused);

#endif
