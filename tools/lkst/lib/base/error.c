// SPDX-License-Identifier: LGPL-2.1
/* Fills in struct lkst_error. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "messages.h"
#include "printable.h"

/*
 * Store @text in @err, escaped so that the strings quoted in it can neither control the terminal
 * nor start a new line. Only the newlines of the format remain. To find them, @text is compared
 * with @flat, which has the same arguments, but whose format has spaces instead of newlines.
 */
static void error_set_text(struct lkst_error *err, const char *text, const char *flat)
{
	const char *end = err->text + sizeof(err->text);
	char *p = err->text;

	for (size_t len; *text && p + 1 < end; text += len, flat += len) {
		for (len = 0; text[len] && text[len] == flat[len]; len++)
			;
		lkst_printable(text, len, p, (size_t)(end - p));
		p += strlen(p);
		if (text[len] && p + 1 < end) {
			*p++ = '\n';
			*p = 0;
			len++;
		}
	}
}

/**
 * lkst_error_vset() - fill in an error
 * @err: result
 * @code: kind of error
 * @format: from messages.h
 * @args: arguments of @format
 */
void lkst_error_vset(struct lkst_error *err, enum lkst_err code, const char *format, va_list args)
{
	char text[sizeof(err->text)], flat[sizeof(err->text)], flat_format[sizeof(err->text)];
	va_list again;

	*err = (struct lkst_error){ .code = code };
	snprintf(flat_format, sizeof(flat_format), "%s", format);
	for (char *p = flat_format; (p = strchr(p, '\n')) != NULL;)
		*p = ' ';
	va_copy(again, args);
	vsnprintf(text, sizeof(text), format, args);
	vsnprintf(flat, sizeof(flat), flat_format, again);
	va_end(again);
	error_set_text(err, text, flat);
}

/**
 * lkst_error_set() - fill in an error
 * @err: may be NULL if the caller does not need it
 * @code: kind of error
 * @format: from messages.h
 */
void lkst_error_set(struct lkst_error *err, enum lkst_err code, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	lkst_error_vset(err, code, format, args);
	va_end(args);
}

/**
 * lkst_error_system() - fill in an error from a failed system call
 * @err: may be NULL
 * @sys_errno: errno
 * @thing: file name or similar
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
 * lkst_error_memory() - fill in an error that reports a failed allocation
 * @err: may be NULL
 * @subject: what the memory was for
 */
void lkst_error_memory(struct lkst_error *err, const char *subject)
{
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MEMORY, subject);
	if (err)
		err->sys_errno = ENOMEM;
}
