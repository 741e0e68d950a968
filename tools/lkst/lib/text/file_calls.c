// SPDX-License-Identifier: LGPL-2.1
/*
 * The table of system calls that take, return, open or close file descriptors. Calls are listed by
 * name, because the numbers differ between machines. Calls that pass descriptors in memory
 * (recvmsg, io_uring, ioctl) are not listed as opening or closing any.
 */
#include <stdlib.h>
#include <string.h>

#include "file_calls.h"

#define T FILE_CALL_TAKES
#define R FILE_CALL_RETURNS

/* Sorted by name. */
static const struct file_calls_row {
	const char *name;
	uint16_t flags;
} file_calls_rows[] = {
	{ "_llseek", T },
	{ "accept", T | R },
	{ "accept4", T | R },
	{ "bind", T },
	{ "cachestat", T },
	{ "clone", FILE_CALL_FORKS },
	{ "clone3", FILE_CALL_FORKS },
	{ "close", T | FILE_CALL_CLOSES },
	{ "close_range", FILE_CALL_RANGE },
	{ "connect", T },
	{ "copy_file_range", T },
	{ "creat", R },
	{ "dup", T | R },
	{ "dup2", T | R | FILE_CALL_SECOND },
	{ "dup3", T | R | FILE_CALL_SECOND },
	{ "epoll_create", R },
	{ "epoll_create1", R },
	{ "epoll_ctl", T },
	{ "epoll_pwait", T },
	{ "epoll_pwait2", T },
	{ "epoll_wait", T },
	{ "eventfd", R },
	{ "eventfd2", R },
	{ "execve", FILE_CALL_REPLACES },
	{ "execveat", T | FILE_CALL_REPLACES },
	{ "exit_group", FILE_CALL_REPLACES },
	{ "faccessat", T },
	{ "faccessat2", T },
	{ "fadvise64", T },
	{ "fadvise64_64", T },
	{ "fallocate", T },
	{ "fanotify_init", R },
	{ "fanotify_mark", T },
	{ "fchdir", T },
	{ "fchmod", T },
	{ "fchmodat", T },
	{ "fchmodat2", T },
	{ "fchown", T },
	{ "fchown32", T },
	{ "fchownat", T },
	{ "fcntl", T },
	{ "fcntl64", T },
	{ "fdatasync", T },
	{ "fgetxattr", T },
	{ "finit_module", T },
	{ "flistxattr", T },
	{ "flock", T },
	{ "fork", FILE_CALL_FORKS },
	{ "fremovexattr", T },
	{ "fsconfig", T },
	{ "fsetxattr", T },
	{ "fsmount", T | R },
	{ "fsopen", R },
	{ "fspick", T | R },
	{ "fstat", T },
	{ "fstat64", T },
	{ "fstatat64", T },
	{ "fstatfs", T },
	{ "fstatfs64", T },
	{ "fsync", T },
	{ "ftruncate", T },
	{ "ftruncate64", T },
	{ "futimesat", T },
	{ "getdents", T },
	{ "getdents64", T },
	{ "getpeername", T },
	{ "getsockname", T },
	{ "getsockopt", T },
	{ "inotify_add_watch", T },
	{ "inotify_init", R },
	{ "inotify_init1", R },
	{ "inotify_rm_watch", T },
	{ "io_uring_enter", T },
	{ "io_uring_register", T },
	{ "io_uring_setup", R },
	{ "ioctl", T },
	{ "kexec_file_load", T },
	{ "landlock_add_rule", T },
	{ "landlock_create_ruleset", R },
	{ "landlock_restrict_self", T },
	{ "linkat", T },
	{ "listen", T },
	{ "lseek", T },
	{ "memfd_create", R },
	{ "memfd_secret", R },
	{ "mkdirat", T },
	{ "mknodat", T },
	{ "mount_setattr", T },
	{ "move_mount", T },
	{ "mq_getsetattr", T },
	{ "mq_notify", T },
	{ "mq_open", R },
	{ "mq_timedreceive", T },
	{ "mq_timedreceive_time64", T },
	{ "mq_timedsend", T },
	{ "mq_timedsend_time64", T },
	{ "name_to_handle_at", T },
	{ "newfstatat", T },
	{ "oldfstat", T },
	{ "open", R },
	{ "open_by_handle_at", T | R },
	{ "open_tree", T | R },
	{ "openat", T | R },
	{ "openat2", T | R },
	{ "perf_event_open", R },
	{ "pidfd_getfd", T | R },
	{ "pidfd_open", R },
	{ "pidfd_send_signal", T },
	{ "pipe", FILE_CALL_PIPES },
	{ "pipe2", FILE_CALL_PIPES },
	{ "pread64", T },
	{ "preadv", T },
	{ "preadv2", T },
	{ "process_madvise", T },
	{ "process_mrelease", T },
	{ "pwrite64", T },
	{ "pwritev", T },
	{ "pwritev2", T },
	{ "quotactl_fd", T },
	{ "read", T },
	{ "readahead", T },
	{ "readlinkat", T },
	{ "readv", T },
	{ "recvfrom", T },
	{ "recvmmsg", T },
	{ "recvmmsg_time64", T },
	{ "recvmsg", T },
	{ "renameat", T },
	{ "renameat2", T },
	{ "sendfile", T },
	{ "sendfile64", T },
	{ "sendmmsg", T },
	{ "sendmsg", T },
	{ "sendto", T },
	{ "setns", T },
	{ "setsockopt", T },
	{ "shutdown", T },
	{ "signalfd", T | R },
	{ "signalfd4", T | R },
	{ "socket", R },
	{ "socketpair", FILE_CALL_SOCKETS },
	{ "splice", T },
	{ "statx", T },
	{ "sync_file_range", T },
	{ "syncfs", T },
	{ "tee", T },
	{ "timerfd_create", R },
	{ "timerfd_gettime", T },
	{ "timerfd_gettime64", T },
	{ "timerfd_settime", T },
	{ "timerfd_settime64", T },
	{ "unlinkat", T },
	{ "unshare", FILE_CALL_UNSHARES },
	{ "userfaultfd", R },
	{ "utimensat", T },
	{ "utimensat_time64", T },
	{ "vfork", FILE_CALL_FORKS },
	{ "vmsplice", T },
	{ "write", T },
	{ "writev", T },
};

#undef T
#undef R

static int file_calls_compare(const void *name, const void *row)
{
	return strcmp(name, ((const struct file_calls_row *)row)->name);
}

/**
 * file_calls_init() - look up all system calls
 * @calls: result
 */
void file_calls_init(struct file_calls *calls)
{
	const size_t size = sizeof(*file_calls_rows);

	memset(calls, 0, sizeof(*calls));
	for (int table = 0; table < CONSTANT_CALL_TABLES; table++)
		for (unsigned int i = 0; i < CONSTANT_CALLS_MAX; i++) {
			const char *name = constant_call(table, i);
			const struct file_calls_row *row =
				name ? bsearch(name, file_calls_rows,
					       sizeof(file_calls_rows) / size, size,
					       file_calls_compare) :
				       NULL;

			if (row)
				calls->flags[table][i] = row->flags;
		}
}
