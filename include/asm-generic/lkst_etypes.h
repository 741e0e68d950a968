/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For architectures without event types of their own: an empty table. See
 * linux/lkst_etypes.h.
 */
