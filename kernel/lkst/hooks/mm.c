// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class memory (0x040).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_mm[] = {
	{}
};
