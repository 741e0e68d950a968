/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An empty table, for architectures without their own event types. See
 * linux/lkst_etypes.h.
 */
