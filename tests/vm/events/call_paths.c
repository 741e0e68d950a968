// SPDX-License-Identifier: GPL-2.0
/* also: -m32 */
/*
 * call_paths CASE: make system calls that take the path of CASE in the kernel, and print the ID of
 * the thread that makes them. The first and the last call are mark().
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "../tap.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON	     1
#endif
#define DISPATCH_ALLOW 0
#define DISPATCH_BLOCK 1

#define MARK	0x5eed
#define UNKNOWN 4000 /* number of a call that does not exist */

#if defined(__x86_64__)
#define NUMBER_OFFSET offsetof(struct user_regs_struct, orig_rax)
#elif defined(__i386__)
#define NUMBER_OFFSET offsetof(struct user_regs_struct, orig_eax)
#endif

static void mark(void)
{
	syscall(SYS_sched_get_priority_max, MARK);
}

/* Print the ID of this thread, which is about to make the calls. */
static void begin(void)
{
	printf("%d\n", getpid());
	fflush(stdout);
	mark();
}

static void make_calls(void)
{
	syscall(SYS_getuid, 1);
	syscall(SYS_getgid, 2);
	syscall(SYS_sched_get_priority_min, -1);
	syscall(UNKNOWN, 3);
	syscall(-1, 4);
}

static void plain(void)
{
	begin();
	make_calls();
	mark();
}

/* Refuse getuid(). */
static void filtered(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getuid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(code), code };

	bail_if(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges");
	bail_if(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "seccomp");
	plain();
}

static volatile char selector = DISPATCH_ALLOW;

static void allow_calls(int number)
{
	(void)number;
	selector = DISPATCH_ALLOW;
}

/* The kernel rolls back one call and sends SIGSYS instead. */
static void dispatched(void)
{
	signal(SIGSYS, allow_calls);
	bail_if(prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector),
		"system call user dispatch");
	begin();
	selector = DISPATCH_BLOCK;
	syscall(SYS_getuid, 1);
	make_calls();
	mark();
}

#ifdef NUMBER_OFFSET /* x86 */
static void do_nothing(int number)
{
	(void)number;
}

/* The call that returns from a signal handler no longer has a number when it ends. */
static void signalled(void)
{
	signal(SIGTRAP, do_nothing);
	begin();
	asm volatile("int3" : : "a"(7));
	make_calls();
	mark();
}

static void wait_stopped(pid_t child)
{
	int status;

	bail_if(waitpid(child, &status, 0) != child || !WIFSTOPPED(status), "traced child");
}

/* Let the traced child run until it enters or leaves its next call. */
static void next_stop(pid_t child)
{
	bail_if(ptrace(PTRACE_SYSCALL, child, NULL, NULL), "PTRACE_SYSCALL");
	wait_stopped(child);
}

/* A tracer replaces getuid() by getgid(), and getgid() by no call. */
static void traced(void)
{
	pid_t child = start_child();

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		plain();
		_exit(0);
	}
	wait_stopped(child);
	for (;;) {
		long number;

		next_stop(child);
		number = ptrace(PTRACE_PEEKUSER, child, (void *)NUMBER_OFFSET, NULL);
		if (number == SYS_exit_group)
			break;
		if (number == SYS_getuid || number == SYS_getgid)
			bail_if(ptrace(PTRACE_POKEUSER, child, (void *)NUMBER_OFFSET,
				       (void *)(number == SYS_getuid ? SYS_getgid : -1L)),
				"PTRACE_POKEUSER");
		next_stop(child);
	}
	ptrace(PTRACE_DETACH, child, NULL, NULL);
	waitpid(child, NULL, 0);
}
#endif

static const struct {
	const char *name;
	void (*calls)(void);
} cases[] = {
	{ "plain", plain },
	{ "filtered", filtered },
	{ "dispatched", dispatched },
#ifdef NUMBER_OFFSET
	{ "signalled", signalled },
	{ "traced", traced },
#endif
};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 2 && i < ARRAY_SIZE(cases); i++) {
		if (strcmp(cases[i].name, argv[1]))
			continue;
		cases[i].calls();
		return 0;
	}
	fprintf(stderr, "usage: call_paths plain|filtered|dispatched|signalled|traced\n");
	return 2;
}
