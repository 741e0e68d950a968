/* SPDX-License-Identifier: LGPL-2.1 */
/* The numbers of the event types: include/linux/lkst_etypes.h in user space. */
#ifndef _LKST_ETYPE_IDS_H
#define _LKST_ETYPE_IDS_H

#define LKST_ETYPE_DEF(number, hook, mnemonic, ...) LKST_ETYPE_##mnemonic = number,
enum lkst_etype_id {
#include "linux/lkst_etypes.h"
};
#undef LKST_ETYPE_DEF

#endif
