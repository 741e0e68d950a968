/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event types, from include/linux/lkst_etypes.h. The event types of marks and of LKST's own events
 * are in buffers.h.
 */
#ifndef ETYPES_H
#define ETYPES_H

#define PROCESS_CONTEXTSWITCH 0x001
#define PROCESS_WAKEUP	      0x002
#define INT_HARDWARE_ENTRY    0x010
#define INT_HARDWARE_EXIT     0x011
#define INT_SOFTIRQ_ENTRY     0x012
#define INT_SOFTIRQ_EXIT      0x013
#define SYSCALL_ENTRY	      0x030
#define SYSCALL_EXIT	      0x031

#endif
