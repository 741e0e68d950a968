// SPDX-License-Identifier: GPL-2.0
/* The tracepoints of each set of events, and access to the files of tracefs that control them. */
#include <fcntl.h>
#include <unistd.h>

#include "tap.h"
#include "tracers.h"

#define TRACEFS "/sys/kernel/tracing/"

const char *const tracepoints[EVENTS_NUM][TRACEPOINTS_MAX + 1] = {
	[EVENTS_GETPPID] = { "syscalls/sys_enter_getppid", "syscalls/sys_exit_getppid" },
	[EVENTS_SYSCALLS] = { "raw_syscalls/sys_enter", "raw_syscalls/sys_exit" },
	[EVENTS_SWITCH] = { "sched/sched_switch" },
};

static int open_tracefs(int flags, const char *name, va_list args)
{
	char path[256] = TRACEFS;
	int fd;

	vsnprintf(path + strlen(TRACEFS), sizeof(path) - strlen(TRACEFS), name, args);
	fd = open(path, flags);
	if (fd < 0)
		bail_out(path);
	return fd;
}

void write_tracefs(const char *text, const char *name, ...)
{
	va_list args;
	int fd;

	va_start(args, name);
	fd = open_tracefs(O_WRONLY | O_TRUNC, name, args);
	va_end(args);
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		bail_out(name);
	close(fd);
}

void read_tracefs(char *text, size_t size, const char *name, ...)
{
	va_list args;
	ssize_t got;
	int fd;

	va_start(args, name);
	fd = open_tracefs(O_RDONLY, name, args);
	va_end(args);
	got = read(fd, text, size - 1);
	close(fd);
	if (got < 0)
		bail_out(name);
	text[got] = '\0';
}
