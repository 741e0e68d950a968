// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class block (0x0a0).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_block[] = {
	{}
};
