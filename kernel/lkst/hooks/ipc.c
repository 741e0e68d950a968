// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class System V IPC (0x070).
 */
#include "../event.h"
#include "../source.h"

struct lkst_source lkst_sources_ipc[] = {
	LKST_SOURCE_HOOK(LKST_ETYPE_IPC_SEMGET, LKST_ETYPE_IPC_SEMOP, LKST_ETYPE_IPC_MSGGET,
			 LKST_ETYPE_IPC_MSGSND, LKST_ETYPE_IPC_MSGRCV, LKST_ETYPE_IPC_SHMGET,
			 LKST_ETYPE_IPC_SHMAT, LKST_ETYPE_IPC_SHMDT),
	{}
};
