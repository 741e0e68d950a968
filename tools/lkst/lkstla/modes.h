/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the shares of the time that CPUs spent in each mode. */
#ifndef _LKSTLA_MODES_H
#define _LKSTLA_MODES_H

#include <stdio.h>

#include "lib/model.h"

double modes_total(const double mode_ns[LKST_MODE_NUM]);
void modes_print(const double mode_ns[LKST_MODE_NUM], const char *before, const char *between,
		 FILE *to);

#endif
