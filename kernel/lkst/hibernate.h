/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory set aside, across a hibernation.
 */
#ifndef _LKST_HIBERNATE_H
#define _LKST_HIBERNATE_H

struct lkst_boot_slots;

#ifdef CONFIG_HIBERNATION
int lkst_hibernate_start(struct lkst_boot_slots *parts);
void lkst_hibernate_stop(void);
#else
static inline int lkst_hibernate_start(struct lkst_boot_slots *parts) { return 0; }
static inline void lkst_hibernate_stop(void) { }
#endif

#endif
