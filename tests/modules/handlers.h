/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tests/vm/handlers.c knows of the module handlers.
 */
#ifndef HANDLERS_H
#define HANDLERS_H

#include <linux/types.h>

#define HANDLERS_ETYPE_INNER	0x1f0	/* caused by handlers_causing itself */
#define HANDLERS_PLAIN_ID	0x100	/* the id that handlers_plain asks for */
#define HANDLERS_LONG_MS	20	/* how long handlers_long itself takes */
#define HANDLERS_SLOW_MS	700	/* how long handlers_slow's functions take */
#define HANDLERS_SLOW_RET	42	/* what its control function returns */

/* Communication area of handlers_causing. */
struct handlers_counts {
	__u32 calls;
	__u32 reentered;	/* while it ran in the same context */
	__u32 nested;		/* while it ran in a context that this one interrupted */
	__u32 pad;
};

#endif
