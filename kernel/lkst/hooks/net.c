// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class network (0x060).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_net[] = {
	{}
};
