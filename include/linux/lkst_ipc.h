/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace points of System V IPC, where a call returns: each of these is its result, recorded. The
 * other arguments are those of the call.
 */
#ifndef _LINUX_LKST_IPC_H
#define _LINUX_LKST_IPC_H

#include <linux/lkst_hook.h>

#if IS_ENABLED(CONFIG_LKST)
static inline long lkst_ipc_semget(long ret, key_t key, int nsems, int semflg)
{
	LKST_HOOK_INLINE(IPC_SEMGET, (u32)key, LKST_ARG32(nsems, semflg), LKST_ARG(ret), 0);
	return ret;
}

static inline long lkst_ipc_semop(long ret, int semid, unsigned int nsops)
{
	LKST_HOOK_INLINE(IPC_SEMOP, LKST_ARG(semid), nsops, LKST_ARG(ret), 0);
	return ret;
}

static inline long lkst_ipc_msgget(long ret, key_t key, int msgflg)
{
	LKST_HOOK_INLINE(IPC_MSGGET, (u32)key, (u32)msgflg, LKST_ARG(ret), 0);
	return ret;
}

static inline long lkst_ipc_msgsnd(long ret, int msqid, size_t msgsz, int msgflg)
{
	LKST_HOOK_INLINE(IPC_MSGSND, LKST_ARG(msqid), LKST_ARG32(msgsz, msgflg), LKST_ARG(ret), 0);
	return ret;
}

static inline long lkst_ipc_msgrcv(long ret, int msqid, size_t msgsz, int msgflg)
{
	LKST_HOOK_INLINE(IPC_MSGRCV, LKST_ARG(msqid), LKST_ARG32(msgsz, msgflg), LKST_ARG(ret), 0);
	return ret;
}

static inline long lkst_ipc_shmget(long ret, key_t key, size_t size, int shmflg)
{
	LKST_HOOK_INLINE(IPC_SHMGET, (u32)key, size, (u32)shmflg, LKST_ARG(ret));
	return ret;
}

/* @raddr: where the memory was attached, if it was; else where it was to be is recorded. */
static inline long lkst_ipc_shmat(long ret, int shmid, const void __user *shmaddr, int shmflg,
				  const unsigned long *raddr)
{
	LKST_HOOK_INLINE(IPC_SHMAT, LKST_ARG(shmid), (u32)shmflg, LKST_ARG(ret),
			 ret ? LKST_ARGP(shmaddr) : *raddr);
	return ret;
}

static inline long lkst_ipc_shmdt(long ret, const void __user *shmaddr)
{
	LKST_HOOK_INLINE(IPC_SHMDT, LKST_ARGP(shmaddr), LKST_ARG(ret), 0, 0);
	return ret;
}
#else
/* Not functions: code must not even be laid out differently. */
#define lkst_ipc_semget(ret, ...)	(ret)
#define lkst_ipc_semop(ret, ...)	(ret)
#define lkst_ipc_msgget(ret, ...)	(ret)
#define lkst_ipc_msgsnd(ret, ...)	(ret)
#define lkst_ipc_msgrcv(ret, ...)	(ret)
#define lkst_ipc_shmget(ret, ...)	(ret)
#define lkst_ipc_shmat(ret, ...)	(ret)
#define lkst_ipc_shmdt(ret, ...)	(ret)
#endif

#endif
