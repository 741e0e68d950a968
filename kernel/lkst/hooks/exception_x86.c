// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class exceptions (0x020) of x86.
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_exception_x86[] = {
	{}
};
