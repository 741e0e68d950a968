// SPDX-License-Identifier: GPL-2.0
/* Names what threads were blocked in, such as a system call. */
#include <stdio.h>

#include "causes.h"

/**
 * cause_name() - get the name of a cause
 * @thread: thread
 * @cause: cause
 * @calls_seen: whether the trace has system calls. If not, the calls of programs are unknown
 * @text: buffer for the name
 *
 * Return: the name; NULL if the cause is unknown.
 */
const char *cause_name(const struct lkst_thread *thread, uint64_t cause, bool calls_seen,
		       char text[CAUSE_NAME_SIZE])
{
	char name[32];

	if (cause == CAUSE_OUTSIDE)
		return calls_seen || thread->kernel ? "outside of a call" : NULL;
	if (cause < CAUSE_IN_CALL)
		return NULL;
	cause -= CAUSE_IN_CALL;
	run_syscall_name(thread, (int32_t)(cause >> 8), (uint8_t)cause, name);
	snprintf(text, CAUSE_NAME_SIZE, "in %s", name);
	return text;
}
