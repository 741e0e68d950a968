// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class CPU and power (0x0c0).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_cpu[] = {
	{}
};
