/* SPDX-License-Identifier: LGPL-2.1 */
/* Defines a constant LKST_ETYPE_* for each event type, from include/linux/lkst_etypes.h. */
#ifndef _LKST_ETYPE_IDS_H
#define _LKST_ETYPE_IDS_H

#define LKST_ETYPE_DEF(number, hook, mnemonic, ...) LKST_ETYPE_##mnemonic = number,
enum lkst_etype_id {
#include "linux/lkst_etypes.h"
};
#undef LKST_ETYPE_DEF

#endif
