/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keep this boot's slot of reserved memory across hibernation.
 */
#ifndef _LKST_HIBERNATE_H
#define _LKST_HIBERNATE_H

struct lkst_boot_slots;
struct lkst_ring;

/**
 * struct lkst_hibernate_client - suspend recording while the kernel makes a
 *	hibernation image
 * @suspend: stop this CPU from recording; returns the ring that it recorded to
 * @resume: switch this CPU back to @ring, which @suspend returned
 *
 * There is one client, buffer/shift.c. Context: process, with interrupts off,
 * while no other CPU is running.
 */
struct lkst_hibernate_client {
	struct lkst_ring *(*suspend)(void);
	void (*resume)(struct lkst_ring *ring);
};

extern const struct lkst_hibernate_client lkst_hibernate_client;

#ifdef CONFIG_HIBERNATION
int lkst_hibernate_start(struct lkst_boot_slots *slots);
void lkst_hibernate_stop(void);
#else
static inline int lkst_hibernate_start(struct lkst_boot_slots *slots) { return 0; }
static inline void lkst_hibernate_stop(void) { }
#endif

#endif
