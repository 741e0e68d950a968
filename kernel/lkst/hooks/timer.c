// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class timers (0x090).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_timer[] = {
	{}
};
