// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class modules and work (0x0d0).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_work[] = {
	{}
};
