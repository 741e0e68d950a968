/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before each file of a kernel without LKST: no lock function is inlined, as with
 * CONFIG_LKST_LOCK_EVENTS. What a kernel with lock events takes more than this one is its no-ops.
 */
#define CONFIG_UNINLINE_SPIN_UNLOCK 1
#undef CONFIG_INLINE_SPIN_UNLOCK_IRQ
#undef CONFIG_INLINE_READ_UNLOCK
#undef CONFIG_INLINE_READ_UNLOCK_IRQ
#undef CONFIG_INLINE_WRITE_UNLOCK
#undef CONFIG_INLINE_WRITE_UNLOCK_IRQ
