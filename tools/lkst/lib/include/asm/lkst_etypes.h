/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The architecture-specific event types of all architectures: the tools need them all, because a
 * trace may come from any machine. When the tools are built, include/linux/lkst_etypes.h includes
 * this file instead of the kernel's <asm/lkst_etypes.h>, which is only for one architecture.
 */
#ifdef CONFIG_X86
#include "asm-x86/lkst_etypes.h"
#else
#define CONFIG_X86 1
#include "asm-x86/lkst_etypes.h"
#undef CONFIG_X86
#endif
