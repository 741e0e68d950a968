/* SPDX-License-Identifier: GPL-2.0 */
/* Converts the states of threads to the numbers in the kernel's event sched_switch. */
#ifndef _LKSTBUF_EXPORT_TASK_STATE_H
#define _LKSTBUF_EXPORT_TASK_STATE_H

#include <stdint.h>
#include <string.h>

#define TASK_STATE_PREEMPTED 0x100

/* Return the number of a state, which is an argument with the format "state". */
static inline int64_t task_state_number(uint64_t state)
{
	static const char letters[] = "SDTtXZPI";
	const char *found = state & 0xff ? strchr(letters, (int)(state & 0xff)) : NULL;
	int64_t number = found ? 1ll << (found - letters) : 0;

	return state & 0x100 ? number | TASK_STATE_PREEMPTED : number;
}

#endif
