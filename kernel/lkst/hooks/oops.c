// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class oops (0x0b0).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_oops[] = {
	{}
};
