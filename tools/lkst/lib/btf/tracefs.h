/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads which events ftrace has: the systems of tracepoints, and the fields of events. */
#ifndef _LKST_LIB_BTF_TRACEFS_H
#define _LKST_LIB_BTF_TRACEFS_H

#include "lib/lkst.h"

#define TRACEFS_EVENTS "/sys/kernel/tracing/events"

struct tracefs;

struct tracefs *tracefs_open(const char *directory, struct lkst_error *err);
void tracefs_close(struct tracefs *tracefs);
bool tracefs_exists(const struct tracefs *tracefs);
const char *tracefs_directory(const struct tracefs *tracefs);
const char *tracefs_system(const struct tracefs *tracefs, const char *name);
char *tracefs_format(const struct tracefs *tracefs, const char *name);

#endif
