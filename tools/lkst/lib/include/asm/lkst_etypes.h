/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The event types that only one architecture has, from all architectures, because a trace may come
 * from any machine. When the tools are built, include/linux/lkst_etypes.h includes this file, not
 * the kernel's <asm/lkst_etypes.h>, which has the event types of a single architecture.
 */
#ifdef CONFIG_X86
#include "asm-x86/lkst_etypes.h"
#else
#define CONFIG_X86 1
#include "asm-x86/lkst_etypes.h"
#undef CONFIG_X86
#endif
