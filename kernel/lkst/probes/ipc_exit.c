// SPDX-License-Identifier: GPL-2.0
/*
 * Record the events of class "ipc" (0x070), System V IPC, when the system calls
 * return. Used in kernels without LKST's hooks for these events.
 */
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/ipc.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>
#include <asm/unistd.h>
#ifdef CONFIG_IA32_EMULATION
#include <asm/unistd_32_ia32.h>
#endif
#include <trace/events/syscalls.h>

#include "../dispatch/event.h"
#include "../source/source.h"

/*
 * The numbers of one call: in the native ABI, for 32-bit programs, and as the
 * call code of ipc(). A field is -1 if the call has no such number.
 */
struct lkst_ipc_call {
	int native;
	int ia32;
	int ipc;
	int etype;
};

#ifdef CONFIG_IA32_EMULATION
#define LKST_IA32(call)		__NR_ia32_##call
#else
#define LKST_IA32(call)		-1
#endif

/* 32-bit programs have no separate number for semop(). */
static const struct lkst_ipc_call lkst_ipc_calls[] = {
	{ __NR_semget, LKST_IA32(semget), SEMGET, LKST_ETYPE_IPC_SEMGET },
#ifdef __NR_semop
	{ __NR_semop, -1, SEMOP, LKST_ETYPE_IPC_SEMOP },
#endif
	{ __NR_semtimedop, LKST_IA32(semtimedop_time64), SEMTIMEDOP, LKST_ETYPE_IPC_SEMOP },
	{ __NR_msgget, LKST_IA32(msgget), MSGGET, LKST_ETYPE_IPC_MSGGET },
	{ __NR_msgsnd, LKST_IA32(msgsnd), MSGSND, LKST_ETYPE_IPC_MSGSND },
	{ __NR_msgrcv, LKST_IA32(msgrcv), MSGRCV, LKST_ETYPE_IPC_MSGRCV },
	{ __NR_shmget, LKST_IA32(shmget), SHMGET, LKST_ETYPE_IPC_SHMGET },
	{ __NR_shmat, LKST_IA32(shmat), SHMAT, LKST_ETYPE_IPC_SHMAT },
	{ __NR_shmdt, LKST_IA32(shmdt), SHMDT, LKST_ETYPE_IPC_SHMDT },
};

static void lkst_ipc_record(int etype, long ret, const unsigned long *args)
{
	switch (etype) {
	case LKST_ETYPE_IPC_SEMGET:
		lkst_event(etype, (u32)args[0], LKST_ARG32(args[1], args[2]), ret, 0);
		break;
	case LKST_ETYPE_IPC_SEMOP:
		lkst_event(etype, LKST_ARG((int)args[0]), (u32)args[2], ret, 0);
		break;
	case LKST_ETYPE_IPC_MSGGET:
		lkst_event(etype, (u32)args[0], (u32)args[1], ret, 0);
		break;
	case LKST_ETYPE_IPC_MSGSND:
		lkst_event(etype, LKST_ARG((int)args[0]), LKST_ARG32(args[2], args[3]), ret, 0);
		break;
	case LKST_ETYPE_IPC_MSGRCV:
		lkst_event(etype, LKST_ARG((int)args[0]), LKST_ARG32(args[2], args[4]), ret, 0);
		break;
	case LKST_ETYPE_IPC_SHMGET:
		lkst_event(etype, (u32)args[0], args[1], (u32)args[2], ret);
		break;
	case LKST_ETYPE_IPC_SHMAT:
		/* On error, record the address that the caller requested. */
		if (IS_ERR_VALUE(ret))
			lkst_event(etype, LKST_ARG((int)args[0]), (u32)args[2], ret, args[1]);
		else
			lkst_event(etype, LKST_ARG((int)args[0]), (u32)args[2], 0, ret);
		break;
	case LKST_ETYPE_IPC_SHMDT:
		lkst_event(etype, args[0], ret, 0, 0);
		break;
	}
}

#ifdef CONFIG_IA32_EMULATION
/*
 * Put the arguments of ipc() in the order of the native call. ipc() takes the
 * call code, three integers and a pointer.
 */
static void lkst_ipc_unpack(int etype, unsigned long *args)
{
	unsigned long first = args[1], second = args[2], third = args[3], pointer = args[4];

	args[0] = etype == LKST_ETYPE_IPC_SHMDT ? pointer : first;
	args[1] = second;
	args[2] = third;
	switch (etype) {
	case LKST_ETYPE_IPC_SEMOP:
		args[2] = second;
		break;
	case LKST_ETYPE_IPC_MSGSND:
		args[2] = second;
		args[3] = third;
		break;
	case LKST_ETYPE_IPC_MSGRCV:
		args[2] = second;
		args[4] = third;
		break;
	case LKST_ETYPE_IPC_SHMAT:
		args[1] = pointer;
		args[2] = second;
		break;
	}
}

static bool lkst_ipc_by_ipc(long number)
{
	return in_ia32_syscall() && number == __NR_ia32_ipc;
}

/*
 * Return the result of a call through ipc(). For shmat(), ipc() returns 0, and
 * stores the address of the attached memory in user memory. Its third argument
 * points there.
 */
static long lkst_ipc_result(int etype, long ret, const unsigned long *args)
{
	u32 address;

	if (etype != LKST_ETYPE_IPC_SHMAT || ret ||
	    copy_from_user_nofault(&address, compat_ptr(args[3]), sizeof(address)))
		return ret;
	return address;
}

static bool lkst_ipc_is(const struct lkst_ipc_call *call, long number, const unsigned long *args)
{
	/*
	 * The number is -1 if there was no system call, for instance after
	 * sigreturn().
	 */
	if (number < 0)
		return false;
	if (!in_ia32_syscall())
		return number == call->native;
	/* The upper half of the call code is a version number. */
	return number == __NR_ia32_ipc ? (u16)args[0] == call->ipc : number == call->ia32;
}
#else
static void lkst_ipc_unpack(int etype, unsigned long *args)
{
}

static bool lkst_ipc_by_ipc(long number)
{
	return false;
}

static long lkst_ipc_result(int etype, long ret, const unsigned long *args)
{
	return ret;
}

/*
 * Whether the system call @number is @call, made by a native program. 32-bit
 * programs use other numbers, which the table does not contain.
 */
static bool lkst_ipc_is(const struct lkst_ipc_call *call, long number, const unsigned long *args)
{
#if defined(CONFIG_COMPAT) && !defined(CONFIG_X86)
	if (in_compat_syscall())
		return false;
#endif
	return number == call->native;
}
#endif

static long lkst_ipc_number(struct pt_regs *regs)
{
	long number = syscall_get_nr(current, regs);

#ifdef CONFIG_X86_X32_ABI
	number &= ~__X32_SYSCALL_BIT;
#endif
	return number;
}

static void lkst_probe_ipc_exit(void *data, struct pt_regs *regs, long ret)
{
	long number = lkst_ipc_number(regs);
	const struct lkst_ipc_call *call;
	unsigned long args[6];

	syscall_get_arguments(current, regs, args);
	for (call = lkst_ipc_calls; call < lkst_ipc_calls + ARRAY_SIZE(lkst_ipc_calls); call++) {
		if (!lkst_ipc_is(call, number, args))
			continue;
		if (lkst_ipc_by_ipc(number)) {
			ret = lkst_ipc_result(call->etype, ret, args);
			lkst_ipc_unpack(call->etype, args);
		}
		lkst_ipc_record(call->etype, ret, args);
		return;
	}
}

struct lkst_source lkst_sources_ipc[] = {
	LKST_SOURCE_LATE(sys_exit, lkst_probe_ipc_exit, LKST_ETYPE_IPC_SEMGET,
			 LKST_ETYPE_IPC_SEMOP, LKST_ETYPE_IPC_MSGGET, LKST_ETYPE_IPC_MSGSND,
			 LKST_ETYPE_IPC_MSGRCV, LKST_ETYPE_IPC_SHMGET, LKST_ETYPE_IPC_SHMAT,
			 LKST_ETYPE_IPC_SHMDT),
	{}
};
