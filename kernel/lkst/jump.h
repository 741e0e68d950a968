/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All CPUs go on in another buffer at once.
 */
#ifndef _LKST_JUMP_H
#define _LKST_JUMP_H

void lkst_jump_all(int id);
void lkst_jump_init(void);
void lkst_jump_end(void);

#endif
