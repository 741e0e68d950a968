// SPDX-License-Identifier: GPL-2.0
/* Formats a system call with its arguments and its result: read(fd 3 /file, 0x7f00, 40) = 12 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text/constants.h"
#include "lkstla/delays.h"
#include "why.h"

/*
 * The arguments of each call: f: descriptor, d: signed, u: unsigned, x: hexadecimal, p: address. A
 * record contains only the first three arguments. The arguments of calls that are not listed are
 * shown as hexadecimal numbers.
 */
static const struct why_call_row {
	const char *name;
	const char *arguments;
} why_call_rows[] = {
	{ "accept", "f" },	 { "accept4", "f" },	{ "clock_nanosleep", "uxp" },
	{ "clone", "x" },	 { "clone3", "pu" },	{ "close", "f" },
	{ "connect", "fpu" },	 { "epoll_pwait", "fpu" }, { "epoll_wait", "fpu" },
	{ "execve", "p" },	 { "exit", "d" },	{ "exit_group", "d" },
	{ "fallocate", "fxu" },	 { "fcntl", "fux" },	{ "fdatasync", "f" },
	{ "flock", "fx" },	 { "fork", "" },	{ "fstat", "f" },
	{ "fsync", "f" },	 { "ftruncate", "fu" }, { "futex", "pxu" },
	{ "getdents64", "fpu" }, { "ioctl", "fxp" },	{ "kill", "du" },
	{ "lseek", "fd" },	 { "madvise", "pux" },	{ "membarrier", "ux" },
	{ "mmap", "pux" },	 { "mprotect", "pux" }, { "msync", "pux" },
	{ "munmap", "pu" },	 { "nanosleep", "p" },	{ "openat", "dpx" },
	{ "pause", "" },	 { "poll", "pud" },	{ "ppoll", "pu" },
	{ "pread64", "fpu" },	 { "pwrite64", "fpu" }, { "read", "fpu" },
	{ "readv", "fpu" },	 { "recvfrom", "fpu" }, { "recvmsg", "fpx" },
	{ "rt_sigsuspend", "p" }, { "sched_yield", "" }, { "select", "u" },
	{ "sendfile", "ff" },	 { "sendmsg", "fpx" },	{ "sendto", "fpu" },
	{ "sync", "" },		 { "sync_file_range", "fuu" }, { "syncfs", "f" },
	{ "vfork", "" },	 { "wait4", "dpx" },	{ "waitid", "ud" },
	{ "write", "fpu" },	 { "writev", "fpu" },
};

/**
 * delays_call_arguments() - get the formats of the arguments of a system call
 * @name: name of the call
 *
 * Return: a letter for each argument, at most three: f: descriptor, d: signed, u: unsigned, x:
 * hexadecimal, p: address.
 */
const char *delays_call_arguments(const char *name)
{
	for (size_t i = 0; i < sizeof(why_call_rows) / sizeof(*why_call_rows); i++)
		if (!strcmp(why_call_rows[i].name, name))
			return why_call_rows[i].arguments;
	return "xxx";
}

/* Write a file descriptor, and the path of its file if that is known. */
static void why_put_file(const struct why *why, const struct lkst_syscall_span *call, int arg,
			 FILE *to)
{
	const struct lkst_thread *thread = call->thread;
	const struct lkst_event event = {
		.time_ns = call->begin_ns,
		.monotonic_ns = INT64_MIN, /* unknown */
		.tid = thread->tid,
		.tgid = thread->tgid ? thread->tgid : thread->tid,
		.cpu = thread->cpu,
		.source = thread->source,
		.machine = thread->machine,
	};
	int fd = (int)call->arg[arg];
	const char *file = fd < 0 ? NULL :
				    lkst_process_file(run_context(why->run, thread->source), &event,
						      (uint32_t)fd);

	fprintf(to, "fd %d%s%s", fd, file ? " " : "", file ? file : "");
}

static void why_put_result(const struct why *why, const struct lkst_syscall_span *call, FILE *to)
{
	const char *error = constant_error(-(uint64_t)call->result);

	if (call->exited)
		fprintf(to, ", in which the thread ended");
	else if (!call->end_known && call->end_ns < why->run->end_ns)
		fprintf(to, ", whose end was not recorded");
	else if (!call->end_known)
		fprintf(to, ", which did not return in the window");
	else if (call->result < 0 && call->result >= -4095 && error)
		fprintf(to, " = -%s", error);
	else if (call->result < -4095 || call->result > UINT32_MAX)
		fprintf(to, " = 0x%" PRIx64, (uint64_t)call->result);
	else
		fprintf(to, " = %" PRId64, call->result);
}

/**
 * why_put_call() - write a system call
 * @why: state of the analysis
 * @call: system call
 * @to: output
 */
void why_put_call(const struct why *why, const struct lkst_syscall_span *call, FILE *to)
{
	char room[32];
	const char *name = run_syscall_name(call->thread, call->number, call->abi, room);
	const char *arguments = delays_call_arguments(name);

	fprintf(to, "%s(", name);
	if (!call->begin_known)
		fprintf(to, "arguments not recorded");
	for (int i = 0; call->begin_known && arguments[i]; i++) {
		fputs(i ? ", " : "", to);
		if (arguments[i] == 'f')
			why_put_file(why, call, i, to);
		else if (arguments[i] == 'd')
			fprintf(to, "%d", (int)call->arg[i]);
		else if (arguments[i] == 'u')
			fprintf(to, "%" PRIu64, call->arg[i]);
		else
			fprintf(to, "0x%" PRIx64, call->arg[i]);
	}
	putc(')', to);
	why_put_result(why, call, to);
}
