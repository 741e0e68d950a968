// SPDX-License-Identifier: GPL-2.0
/*
 * Record SYSCALL_PATH: the paths that programs pass to system calls.
 *
 * A path is read when the system call begins. A tracepoint must not sleep, so
 * the path cannot be read if its page is not present. The system call itself
 * then makes the page present, and the path is read when the call ends. When
 * execve() succeeds, the old memory of the process is gone by then, so the path
 * is taken from the kernel's copy.
 */
#include <linux/binfmts.h>
#include <linux/fcntl.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "../base/stage.h"
#include "../dispatch/chain.h"
#include "../dispatch/event.h"
#include "../source/source.h"
#include "syscall_abi.h"

/*
 * Which arguments of a system call are paths: for each path, its position and,
 * for a call such as openat(), the position of the directory's file descriptor.
 * Positions are counted from 1; 0: none.
 */
#define LKST_PATH_AT(dir, path)		((dir) << 4 | (path))
#define LKST_PATH_TWO(first, second)	((first) | (second) << 8)
#define LKST_PATH_ONE			LKST_PATH_AT(0, 1)
#define LKST_PATH_RENAME		LKST_PATH_TWO(LKST_PATH_AT(0, 1), LKST_PATH_AT(0, 2))
#define LKST_PATH_RENAMEAT		LKST_PATH_TWO(LKST_PATH_AT(1, 2), LKST_PATH_AT(3, 4))

#define LKST_PATHS_MAX			2	/* paths of a call */

/* Return which arguments of a native call are paths, or 0. */
static unsigned int lkst_path_native(long number)
{
	switch (number) {
#ifdef __NR_open
	case __NR_open:
#endif
#ifdef __NR_creat
	case __NR_creat:
#endif
#ifdef __NR_unlink
	case __NR_unlink:
#endif
	case __NR_execve:
		return LKST_PATH_ONE;
	case __NR_openat:
	case __NR_openat2:
	case __NR_unlinkat:
	case __NR_execveat:
		return LKST_PATH_AT(1, 2);
#ifdef __NR_rename
	case __NR_rename:
		return LKST_PATH_RENAME;
#endif
#ifdef __NR_renameat
	case __NR_renameat:
#endif
	case __NR_renameat2:
		return LKST_PATH_RENAMEAT;
	}
	return 0;
}

/*
 * The numbers of the 32-bit calls of x86 and of ARM, which native headers do
 * not define. They never change.
 */
#if defined(CONFIG_X86)
enum {
	LKST_COMPAT_OPENAT	= 295,
	LKST_COMPAT_UNLINKAT	= 301,
	LKST_COMPAT_RENAMEAT	= 302,
	LKST_COMPAT_RENAMEAT2	= 353,
	LKST_COMPAT_EXECVEAT	= 358,
};
#elif defined(CONFIG_ARM64)
enum {
	LKST_COMPAT_OPENAT	= 322,
	LKST_COMPAT_UNLINKAT	= 328,
	LKST_COMPAT_RENAMEAT	= 329,
	LKST_COMPAT_RENAMEAT2	= 382,
	LKST_COMPAT_EXECVEAT	= 387,
};
#endif

#if (defined(CONFIG_X86) || defined(CONFIG_ARM64)) && defined(CONFIG_COMPAT)
enum {
	LKST_COMPAT_OPEN	= 5,
	LKST_COMPAT_CREAT	= 8,
	LKST_COMPAT_UNLINK	= 10,
	LKST_COMPAT_EXECVE	= 11,
	LKST_COMPAT_RENAME	= 38,
	LKST_COMPAT_OPENAT2	= 437,
};

static unsigned int lkst_path_compat(long number)
{
	switch (number) {
	case LKST_COMPAT_OPEN:
	case LKST_COMPAT_CREAT:
	case LKST_COMPAT_UNLINK:
	case LKST_COMPAT_EXECVE:
		return LKST_PATH_ONE;
	case LKST_COMPAT_OPENAT:
	case LKST_COMPAT_OPENAT2:
	case LKST_COMPAT_UNLINKAT:
	case LKST_COMPAT_EXECVEAT:
		return LKST_PATH_AT(1, 2);
	case LKST_COMPAT_RENAME:
		return LKST_PATH_RENAME;
	case LKST_COMPAT_RENAMEAT:
	case LKST_COMPAT_RENAMEAT2:
		return LKST_PATH_RENAMEAT;
	}
	return 0;
}
#else
static unsigned int lkst_path_compat(long number)
{
	return 0;
}
#endif

/* Like lkst_path_native(), for x32. Some x32 calls have their own numbers. */
static unsigned int lkst_path_x32(long number)
{
#ifdef CONFIG_X86_X32_ABI
	enum {
		LKST_X32_EXECVE		= 520,
		LKST_X32_EXECVEAT	= 545,
	};

	number &= ~__X32_SYSCALL_BIT;
	if (number == LKST_X32_EXECVE)
		return LKST_PATH_ONE;
	return number == LKST_X32_EXECVEAT ? LKST_PATH_AT(1, 2) : lkst_path_native(number);
#else
	return 0;
#endif
}

static unsigned int lkst_path_arguments(long number, enum lkst_abi abi)
{
	switch (abi) {
	case LKST_ABI_NATIVE:
		return lkst_path_native(number);
	case LKST_ABI_X32:
		return lkst_path_x32(number);
	case LKST_ABI_IA32:
	case LKST_ABI_COMPAT:
		return lkst_path_compat(number);
	}
	return 0;
}

/*
 * Buffers to which paths are copied before they are recorded, one for each CPU.
 * Only the probes here use them, in the context of a thread and with preemption
 * off until the path has been recorded. So two users of a buffer cannot
 * interrupt each other. Allocated before the probe of sys_enter is registered.
 */
struct lkst_path_text {
	char text[PATH_MAX];
};

static struct lkst_path_text __percpu *lkst_path_texts;

/**
 * struct lkst_path_call - a system call with paths
 * @call: first word of the payload: number and ABI
 * @arguments: which arguments are paths, see lkst_path_arguments()
 * @argument: arguments of the call
 */
struct lkst_path_call {
	u64 call;
	unsigned int arguments;
	unsigned long argument[6];
};

/*
 * System calls whose paths could not be read when the calls began. An entry
 * belongs to the thread @owner until that thread sets @owner to 0. No other
 * thread uses the other members meanwhile. Threads whose IDs have the same
 * remainder share an entry. A thread that finds its entry in use records its
 * paths as unknown.
 */
#define LKST_PATH_WAITS		64

static struct lkst_path_wait {
	u32 owner;
	unsigned int missing;	/* bit n: path n has not been recorded */
	struct lkst_path_call call;
} lkst_path_waits[LKST_PATH_WAITS];

static struct lkst_path_wait *lkst_path_wait_entry(pid_t thread)
{
	return &lkst_path_waits[thread % LKST_PATH_WAITS];
}

/*
 * Return the entry of a thread if paths of its system call have not been
 * recorded yet, else NULL.
 */
static struct lkst_path_wait *lkst_path_wait_of(pid_t thread)
{
	struct lkst_path_wait *wait = lkst_path_wait_entry(thread);

	return READ_ONCE(wait->owner) == thread ? wait : NULL;
}

/*
 * Remember the paths in @missing, which are recorded when the system call ends.
 * Return false if another call uses the entry.
 */
static bool lkst_path_let_wait(const struct lkst_path_call *call, unsigned int missing)
{
	struct lkst_path_wait *wait = lkst_path_wait_entry(current->pid);

	if (!lkst_path_wait_of(current->pid) && cmpxchg(&wait->owner, 0, current->pid))
		return false;
	wait->missing = missing;
	wait->call = *call;
	return true;
}

static void lkst_path_wait_end(struct lkst_path_wait *wait)
{
	/*
	 * Pairs with the cmpxchg() in lkst_path_let_wait(): the next thread
	 * that takes the entry writes to it only after the present thread has
	 * read it.
	 */
	smp_store_release(&wait->owner, 0);
}

/*
 * Free the entries of calls that were in progress when the probes were turned
 * off. If such an entry stayed in use, the next system call that its thread
 * finishes would record the old path; if the thread exited in the meantime,
 * nothing would free the entry. Called before the first probe is registered.
 * Context: may sleep.
 */
static bool lkst_path_forget(void)
{
	const struct lkst_source *source;
	bool waited = false;
	unsigned int i;

	/*
	 * If an earlier attempt to register the probes failed halfway, some
	 * probes are on and use the entries.
	 */
	for (source = lkst_sources_path; source->kind; source++)
		if (source->on)
			return true;
	for (i = 0; i < LKST_PATH_WAITS; i++) {
		if (!READ_ONCE(lkst_path_waits[i].owner))
			continue;
		/* Probes that have been unregistered may still be running. */
		if (!waited)
			lkst_tracepoint_synchronize();
		waited = true;
		WRITE_ONCE(lkst_path_waits[i].owner, 0);
	}
	return true;
}

/*
 * The next two functions return the position of path @n, or of its directory's
 * file descriptor, among the arguments. Positions are counted from 1; 0: none.
 */
static unsigned int lkst_path_position(const struct lkst_path_call *call, unsigned int n)
{
	return call->arguments >> 8 * n & 0xf;
}

static unsigned int lkst_path_dir_position(const struct lkst_path_call *call, unsigned int n)
{
	return call->arguments >> (8 * n + 4) & 0xf;
}

/*
 * Record path @n of a call. @length is the length of @text, or negative if the
 * path is unknown: then the payload ends before the path, and is marked as
 * incomplete.
 */
static void lkst_path_record(const struct lkst_path_call *call, unsigned int n, const char *text,
			     long length)
{
	unsigned int dir = lkst_path_dir_position(call, n);
	struct lkst_payload payload = {
		.word = {
			call->call,
			LKST_ARG32(lkst_path_position(call, n),
				   dir ? (int)call->argument[dir - 1] : AT_FDCWD),
		},
		.words = 2,
		.data = text,
		.bytes = max(length, 0L),
		.flags = length < 0 || length >= PATH_MAX ? LKST_CHAIN_CUT : 0,
	};

	lkst_event_chain(LKST_ETYPE_SYSCALL_PATH, &payload);
}

/*
 * Copy path @n of a call to @text, unless a page is not present. Return its
 * length, PATH_MAX if it is longer than a path may be, or a negative errno.
 */
static long lkst_path_read(const struct lkst_path_call *call, unsigned int n, char *text)
{
	const void __user *from = (void __user *)call->argument[lkst_path_position(call, n) - 1];
	long length;

	pagefault_disable();
	length = strncpy_from_user(text, from, PATH_MAX);
	pagefault_enable();
	return length;
}

/*
 * Record the paths in @wanted that can be read. If @last is true, also record
 * the others, as unknown. Return the paths that have not been recorded.
 */
static unsigned int lkst_path_record_all(const struct lkst_path_call *call, unsigned int wanted,
					 bool last)
{
	char *text = raw_cpu_ptr(lkst_path_texts)->text;
	unsigned int n, missing = 0;
	long length;

	for (n = 0; n < LKST_PATHS_MAX; n++) {
		if (!(wanted >> n & 1) || !lkst_path_position(call, n))
			continue;
		length = lkst_path_read(call, n, text);
		if (length >= 0 || last)
			lkst_path_record(call, n, text, length);
		else
			missing |= 1 << n;
	}
	return missing;
}

/*
 * Get the arguments of a call. For a 32-bit call of a 64-bit program, the
 * kernel ignores the upper halves of the registers.
 */
static void lkst_path_get_arguments(struct lkst_path_call *call, struct pt_regs *regs,
				    enum lkst_abi abi)
{
	unsigned int i;

	syscall_get_arguments(current, regs, call->argument);
	if (abi != LKST_ABI_IA32 && abi != LKST_ABI_COMPAT)
		return;
	for (i = 0; i < ARRAY_SIZE(call->argument); i++)
		call->argument[i] = (u32)call->argument[i];
}

#define LKST_PATHS_ALL		((1 << LKST_PATHS_MAX) - 1)

static void lkst_probe_sys_enter_path(void *data, struct pt_regs *regs, long number)
{
	enum lkst_abi abi = lkst_abi(number);
	struct lkst_path_call call = { .arguments = lkst_path_arguments(number, abi) };
	unsigned int missing;

	if (!call.arguments)
		return;
	call.call = LKST_ARG32(number, abi);
	lkst_path_get_arguments(&call, regs, abi);
	lkst_syscall_probe_begin();
	missing = lkst_path_record_all(&call, LKST_PATHS_ALL, false);
	if (missing && !lkst_path_let_wait(&call, missing))
		lkst_path_record_all(&call, missing, true);
	lkst_syscall_probe_end();
}

static void lkst_probe_sys_exit_path(void *data, struct pt_regs *regs, long ret)
{
	struct lkst_path_wait *wait = lkst_path_wait_of(current->pid);

	if (!wait)
		return;
	lkst_syscall_probe_begin();
	lkst_path_record_all(&wait->call, wait->missing, true);
	lkst_path_wait_end(wait);
	lkst_syscall_probe_end();
}

/*
 * Record the kernel's copy of the path. It has the same text as the path that
 * the program passed, unless that path is relative to a directory other than
 * the current one: then the copy begins with /dev/fd/. A thread that was not
 * the leader of its process has just got the leader's ID, so its entry is found
 * by @old_pid.
 */
static void lkst_probe_sched_process_exec_path(void *data, struct task_struct *task,
					       pid_t old_pid, struct linux_binprm *bprm)
{
	struct lkst_path_wait *wait = lkst_path_wait_of(old_pid);

	if (!wait)
		return;
	lkst_probe_begin();
	lkst_path_record(&wait->call, 0, bprm->filename, strlen(bprm->filename));
	lkst_path_wait_end(wait);
	lkst_probe_end();
}

/* A thread that exits in a system call does not return from it. */
static void lkst_probe_sched_process_exit_path(void *data, struct task_struct *task,
					       bool group_dead)
{
	struct lkst_path_wait *wait = lkst_path_wait_of(current->pid);

	if (wait)
		lkst_path_wait_end(wait);
}

/* Up to 6.12 the tracepoint does not say whether this is the last thread. */
static void lkst_probe_sched_process_exit_path_task(void *data, struct task_struct *task)
{
	lkst_probe_sched_process_exit_path(data, task, false);
}

/* Allocate the memory for paths. Context: may sleep. */
static bool lkst_path_prepare(void)
{
	if (!lkst_path_texts)
		lkst_path_texts = alloc_percpu(struct lkst_path_text);
	return lkst_path_texts;
}

/* Free the memory for paths. All probes must have ended. */
void __lkst_exit lkst_path_end(void)
{
	free_percpu(lkst_path_texts);
}

/*
 * The probe of sys_enter is turned on last, because the other probes complete
 * what it has begun. All are late sources, as in syscall.c.
 */
struct lkst_source lkst_sources_path[] = {
	LKST_SOURCE_PREPARED(sched_process_exec, lkst_probe_sched_process_exec_path,
			     lkst_path_forget, LKST_ETYPE_SYSCALL_PATH),
	LKST_SOURCE_LATE(sched_process_exit,
			 LKST_PROBE_PROTOTYPE(sched_process_exit,
					      lkst_probe_sched_process_exit_path,
					      lkst_probe_sched_process_exit_path_task),
			 LKST_ETYPE_SYSCALL_PATH),
	LKST_SOURCE_LATE(sys_exit, lkst_probe_sys_exit_path, LKST_ETYPE_SYSCALL_PATH),
	LKST_SOURCE_PREPARED(sys_enter, lkst_probe_sys_enter_path, lkst_path_prepare,
			     LKST_ETYPE_SYSCALL_PATH),
	{}
};
