/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Make all CPUs switch to another buffer immediately.
 */
#ifndef _LKST_JUMP_H
#define _LKST_JUMP_H

void lkst_jump_all(int id);
void lkst_jump_init(void);
void lkst_jump_end(void);

#endif
