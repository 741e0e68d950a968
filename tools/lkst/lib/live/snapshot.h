/* SPDX-License-Identifier: LGPL-2.1 */
/* Describes the current state of the system for a trace. */
#ifndef _LKST_SNAPSHOT_H
#define _LKST_SNAPSHOT_H

#include "lib/lkst.h"

struct lkst_process;

#define SNAPSHOT_SYSTEM_MAX 4096

void snapshot_system(uint32_t cpus, char text[SNAPSHOT_SYSTEM_MAX]);
struct lkst_process *snapshot_processes(size_t *num, struct lkst_error *err);

#endif
