/* SPDX-License-Identifier: LGPL-2.1 */
/* Groups the names and symbols of the kernel that recorded the events. */
#ifndef _LKST_LIB_TEXT_CONTEXT_H
#define _LKST_LIB_TEXT_CONTEXT_H

#include "lib/lkst.h"

struct lkst_files;
struct lkst_names;
struct lkst_symbols;
struct lkst_values;

/**
 * struct lkst_context - data about the kernel that recorded the events
 * @names: names of processes
 * @values: names of values; NULL if unknown
 * @symbols: symbols of the kernel's code; NULL if unknown
 * @files: command lines and files of processes; NULL if unknown
 */
struct lkst_context {
	struct lkst_names *names;
	struct lkst_values *values;
	struct lkst_symbols *symbols;
	struct lkst_files *files;
};

#endif
