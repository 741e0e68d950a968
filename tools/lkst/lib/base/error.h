/* SPDX-License-Identifier: LGPL-2.1 */
/* Functions with which the library fills in a struct lkst_error. */
#ifndef _LKST_LIB_BASE_ERROR_H
#define _LKST_LIB_BASE_ERROR_H

#include <stdarg.h>
#include <stdio.h>

#include "lib/lkst.h"

void lkst_error_set(struct lkst_error *err, enum lkst_err code, const char *format,
		    ...) __attribute__((format(printf, 3, 4)));
void lkst_error_vset(struct lkst_error *err, enum lkst_err code, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));
void lkst_error_system(struct lkst_error *err, int sys_errno, const char *thing,
		       const char *action);
void lkst_error_memory(struct lkst_error *err, const char *subject);

#endif
