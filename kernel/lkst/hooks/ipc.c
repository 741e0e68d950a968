// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class System V IPC (0x070).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_ipc[] = {
	{}
};
