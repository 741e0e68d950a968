/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LKST_STATE_DUMP_H
#define _LKST_STATE_DUMP_H

int lkst_state_dump(void);

#endif
