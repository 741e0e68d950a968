/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the module "handlers" and tests/vm/dispatch/handlers.c. */
#ifndef HANDLERS_H
#define HANDLERS_H

#include <linux/types.h>

#define HANDLERS_ETYPE_INNER	0x1f0	/* events that handlers_causing generates itself */
#define HANDLERS_PLAIN_ID	0x100	/* the id that handlers_plain requests */
#define HANDLERS_LONG_MS	20	/* how long handlers_long takes */
#define HANDLERS_SLOW_MS	700	/* how long the functions of handlers_slow take */
#define HANDLERS_SLOW_RET	42	/* the result of the control function of handlers_slow */

/* Control area of handlers_causing: it counts the calls on all CPUs. */
struct handlers_counts {
	__u32 calls;
	__u32 reentered;	/* calls during another call in the same context */
	__u32 nested;		/* calls in a context that interrupted another call */
	__u32 pad;
};

#endif
