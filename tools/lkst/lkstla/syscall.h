/* SPDX-License-Identifier: GPL-2.0 */
/* Names system calls. */
#ifndef _LKSTLA_SYSCALL_H
#define _LKSTLA_SYSCALL_H

#include "lib/model.h"

#define CALL_NAME_SIZE 40

void call_name(const struct lkst_syscall_span *span, char text[CALL_NAME_SIZE]);

#endif
