/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a program registers a user event, it passes the address of a bit in its
 * memory. LKST sets this bit while the event is recorded. An enabler represents
 * such a bit.
 */
#ifndef _LKST_USER_ENABLER_H
#define _LKST_USER_ENABLER_H

#include <linux/types.h>

struct lkst_user_event;

/*
 * The registry of user events defines these functions, which the enablers call.
 *
 * lkst_user_event_on() returns whether the event is recorded now. Context:
 * process context; the caller holds a mutex of the enablers. The function must
 * not wait for a lock that may be held while a function of the enablers is
 * called.
 *
 * lkst_user_event_get() takes another reference; the caller already has one.
 * Context: any except NMI; it must not sleep.
 *
 * lkst_user_event_put() drops a reference. Context: process context, without
 * locks of the enablers.
 */
bool lkst_user_event_on(const struct lkst_user_event *event);
void lkst_user_event_get(struct lkst_user_event *event);
void lkst_user_event_put(struct lkst_user_event *event);

/* The next three act on the memory of the current process, and may sleep. */
int lkst_enabler_check(unsigned long address, unsigned int bit);
int lkst_enabler_add(struct lkst_user_event *event, unsigned long address, unsigned int bit,
		     unsigned int size, bool privileged);
int lkst_enabler_remove(unsigned long address, unsigned int bit);

void lkst_enablers_update(void);
void lkst_enablers_flush(void);
int lkst_enablers_start(void);
void lkst_enablers_stop(void);

#endif
