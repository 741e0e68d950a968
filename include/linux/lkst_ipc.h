/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST hooks for System V IPC calls. A call is recorded when it returns.
 * Each function records @ret, the result of the call, and returns it. The other
 * parameters are the arguments of the call, which are recorded as well.
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

/*
 * *@raddr is the address at which the memory was attached. If the call failed,
 * the requested address @shmaddr is recorded instead.
 */
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
/*
 * These are macros rather than functions, so that the compiler lays out the
 * callers exactly as without LKST.
 */
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
