/* SPDX-License-Identifier: GPL-2.0 */
/* Names system calls, and provides their errors to another analysis. */
#ifndef _LKSTLA_SYSCALL_H
#define _LKSTLA_SYSCALL_H

#include "lib/model.h"

#define CALL_NAME_SIZE 40

/**
 * struct call_failures - failures of a system call with one error
 * @call: name of the call
 * @errno_number: errno
 * @error: name of the error, such as "-ENOENT"
 * @number: number of failures
 * @last_ns: end of the last failed call
 * @last: thread that made the last failed call
 */
struct call_failures {
	const char *call;
	uint64_t errno_number;
	char error[32];
	uint64_t number;
	int64_t last_ns;
	const struct lkst_thread *last;
};

bool call_next_failures(const void *calls, size_t *at, struct call_failures *failures);

void call_name(const struct lkst_syscall_span *span, char text[CALL_NAME_SIZE]);

#endif
