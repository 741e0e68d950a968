// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class locks (0x080).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_lock[] = {
	{}
};
