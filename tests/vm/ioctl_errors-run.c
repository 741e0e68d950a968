// SPDX-License-Identifier: GPL-2.0
/*
 * A row: its call is made, by one who may or by one who may not.
 */
#include <sys/syscall.h>

#include <linux/capability.h>

#include "ioctl_errors.h"

const struct how as_usual;

int call_errno(const struct call *call, union arg *arg, const struct how *how)
{
	void *address = how->elsewhere ? how->address : arg;
	int fd = call_fd >= 0 ? call_fd : lkst_fd;
	long ret;

	if (!call->request)
		ret = read(fd, arg->read.to, arg->read.size);
	else if (_IOC_SIZE(call->request))
		ret = ioctl(fd, call->request, address);
	else
		ret = ioctl(fd, call->request, arg->number);
	return ret < 0 ? errno : 0;
}

static void drop_cap_sys_admin(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		_exit(200);
	data[0].effective &= ~(1U << CAP_SYS_ADMIN);
	if (syscall(SYS_capset, &header, data))
		_exit(201);
}

/* With the descriptor that was opened by one who may. */
static int unprivileged_errno(const struct call *call, union arg *arg, const struct how *how)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		drop_cap_sys_admin();
		_exit(call_errno(call, arg, how));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		bail_out("child");
	return WEXITSTATUS(status);
}

static void nothing(void)
{
}

const char *error_name(int error)
{
	return error ? strerrorname_np(error) : "0";
}

void run(const struct call *call, const struct row *row, const struct how *how)
{
	void (*enter)(void) = row->enter ?: call->enter ?: nothing;
	void (*leave)(void) = row->leave ?: call->leave ?: nothing;
	char *base = state(), *before, *after, *end;
	union arg arg = row->arg;
	bool unchanged, clean;
	int got;

	enter();
	before = state();
	got = how->unprivileged ? unprivileged_errno(call, &arg, how) : call_errno(call, &arg, how);
	after = state();
	unchanged = !got || same(before, after);
	leave();
	end = state();
	clean = same(base, end);
	if (!ok(got == row->error && unchanged && clean, "%s: %s: %s", call->name,
		error_name(row->error), row->what))
		diag("got %s%s%s", error_name(got), unchanged ? "" : "; the call changed the state",
		     clean ? "" : "; not everything is as it was before");
	free(base);
	free(before);
	free(after);
	free(end);
}

void run_rows(const struct call *call, const struct row *rows, unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		run(call, &rows[i], &as_usual);
}

void skip(const struct call *call, int error, const char *what, const char *why)
{
	tap_count++;
	printf("ok %u - %s: %s: %s # SKIP %s\n", tap_count, call->name, error_name(error), what,
	       why);
}
