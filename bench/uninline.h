/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included first in each source file of a kernel without LKST, so that, as in a kernel with
 * CONFIG_LKST_LOCK_EVENTS, no lock function is inlined. Then a kernel with masked lock events
 * differs from this kernel only by additional no-ops.
 */
#define CONFIG_UNINLINE_SPIN_UNLOCK 1
#undef CONFIG_INLINE_SPIN_UNLOCK_IRQ
#undef CONFIG_INLINE_READ_UNLOCK
#undef CONFIG_INLINE_READ_UNLOCK_IRQ
#undef CONFIG_INLINE_WRITE_UNLOCK
#undef CONFIG_INLINE_WRITE_UNLOCK_IRQ
