/* SPDX-License-Identifier: LGPL-2.1 */
/* Formats sets of CPUs. */
#ifndef _LKST_LIB_BASE_CPUSET_H
#define _LKST_LIB_BASE_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void lkst_cpu_set_text(const uint64_t *set, size_t bits, char *text, size_t size);

#endif
