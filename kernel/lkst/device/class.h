/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The class "lkst" in sysfs: /dev/lkst and the event handlers.
 */
#ifndef _LKST_CLASS_H
#define _LKST_CLASS_H

struct class;

/* The class; NULL before lkst_class_start() and while LKST is off. */
extern struct class *lkst_class;

int lkst_class_start(void);
void lkst_class_stop(void);

#endif
