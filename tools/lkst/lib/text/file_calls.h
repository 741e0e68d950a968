/* SPDX-License-Identifier: LGPL-2.1 */
/* What system calls do with file descriptors. */
#ifndef _LKST_LIB_TEXT_FILE_CALLS_H
#define _LKST_LIB_TEXT_FILE_CALLS_H

#include "constants.h"
#include "lib/lkst.h"

/* What a system call does with descriptors. A call can do several of these. */
enum file_call {
	FILE_CALL_TAKES = 1 << 0, /* the first argument is a descriptor */
	FILE_CALL_CLOSES = 1 << 1, /* closes its first argument */
	FILE_CALL_RANGE = 1 << 2, /* closes the descriptors from argument 1 to argument 2 */
	FILE_CALL_SECOND = 1 << 3, /* replaces the descriptor in argument 2 */
	FILE_CALL_RETURNS = 1 << 4, /* returns a new descriptor */
	FILE_CALL_PIPES = 1 << 5, /* opens pipes whose descriptors are not in the record */
	FILE_CALL_SOCKETS = 1 << 6, /* opens sockets whose descriptors are not in the record */
	FILE_CALL_REPLACES = 1 << 7, /* the process ends, or runs another program */
	FILE_CALL_FORKS = 1 << 8, /* returns the number of a new process */
	FILE_CALL_UNSHARES = 1 << 9, /* its first argument has the flags of clone() */
};

/* The calls whose entry or exit changes a table of descriptors. */
#define FILE_CALL_ON_ENTRY                                                            \
	(FILE_CALL_CLOSES | FILE_CALL_RANGE | FILE_CALL_SECOND | FILE_CALL_REPLACES | \
	 FILE_CALL_UNSHARES)
#define FILE_CALL_ON_EXIT \
	(FILE_CALL_RETURNS | FILE_CALL_PIPES | FILE_CALL_SOCKETS | FILE_CALL_FORKS)

/* For each system call, its flags of enum file_call. */
struct file_calls {
	uint16_t flags[CONSTANT_CALL_TABLES][CONSTANT_CALLS_MAX];
};

void file_calls_init(struct file_calls *calls);

/* Return what the system call of a record does; 0: nothing, or the call is unknown. */
static inline unsigned int file_calls_get(const struct file_calls *calls, unsigned int machine,
					  uint64_t arg0)
{
	uint64_t number = arg0 >> 32;
	int table = constant_call_table(machine, (uint32_t)arg0, &number);

	return table < 0 ? 0 : calls->flags[table][number];
}

#endif
