/* SPDX-License-Identifier: LGPL-2.1 */
/* Collects the names of values on the running kernel, and finds its architecture. */
#ifndef _LKST_LIB_LIVE_SYSTEM_VALUES_H
#define _LKST_LIB_LIVE_SYSTEM_VALUES_H

#include "lib/lkst.h"

char *lkst_values_system(const char *root, size_t *len, struct lkst_error *err);
enum lkst_machine lkst_system_machine(void);

#endif
