/* SPDX-License-Identifier: GPL-2.0 */
/* The option -p, which selects processes. */
#ifndef _PROCESSES_H
#define _PROCESSES_H

#include "lib/lkst.h"

struct lkst_processes;
struct option_words;

struct lkst_processes *processes_take(const struct option_words *words, struct lkst_error *err);

#endif
