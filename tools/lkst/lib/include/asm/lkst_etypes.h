/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What include/linux/lkst_etypes.h includes for the architecture. A trace may come
 * from anywhere: the tools know the event types of every architecture.
 */
#ifdef CONFIG_X86
#include "asm-x86/lkst_etypes.h"
#else
#define CONFIG_X86 1
#include "asm-x86/lkst_etypes.h"
#undef CONFIG_X86
#endif
