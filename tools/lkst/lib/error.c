// SPDX-License-Identifier: LGPL-2.1
/* Filling in a struct lkst_error. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "messages.h"

/**
 * lkst_error_set() - fill in an error
 * @err: may be NULL: nobody wants to know
 * @code: what kind
 * @format: one of messages.h
 */
void lkst_error_set(struct lkst_error *err, enum lkst_err code, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	err->code = code;
	err->sys_errno = 0;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	/* It may quote a file: nothing in it may control a terminal. */
	for (char *p = err->text; *p; p++)
		if (((unsigned char)*p < 0x20 && *p != '\n') || *p == 0x7f)
			*p = '?';
}

/**
 * lkst_error_system() - fill in an error from a failed system call
 * @err: may be NULL
 * @sys_errno: errno
 * @thing: file name or the like
 * @action: what was tried, for example "open"
 */
void lkst_error_system(struct lkst_error *err, int sys_errno, const char *thing, const char *action)
{
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_SYSTEM, *thing ? thing : "\"\"", action,
		       strerror(sys_errno));
	if (err)
		err->sys_errno = sys_errno;
}

/**
 * lkst_error_memory() - fill in an error: no memory
 * @err: may be NULL
 * @what: it was for
 */
void lkst_error_memory(struct lkst_error *err, const char *what)
{
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MEMORY, what);
	if (err)
		err->sys_errno = ENOMEM;
}
