// SPDX-License-Identifier: GPL-2.0
/*
 * The events of class "ipc" (0x070), System V IPC, whose sources are hooks.
 */
#include "../dispatch/event.h"
#include "../source/source.h"

struct lkst_source lkst_sources_ipc[] = {
	LKST_SOURCE_HOOK(LKST_ETYPE_IPC_SEMGET, LKST_ETYPE_IPC_SEMOP, LKST_ETYPE_IPC_MSGGET,
			 LKST_ETYPE_IPC_MSGSND, LKST_ETYPE_IPC_MSGRCV, LKST_ETYPE_IPC_SHMGET,
			 LKST_ETYPE_IPC_SHMAT, LKST_ETYPE_IPC_SHMDT),
	{}
};
