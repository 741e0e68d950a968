/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event types of an architecture that has none of its own; see
 * linux/lkst_etypes.h.
 */
