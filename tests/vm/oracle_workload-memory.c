// SPDX-License-Identifier: GPL-2.0
/*
 * The workload for the group memory: what takes and gives back objects and pages, faults of all sorts,
 * and in the end a process that takes all there is.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "oracle_workload.h"

/* What the process that takes all may have before there is no more. */
#define LEFT_KB		(16 << 10)

/* Messages of all sizes: objects of the general caches. */
static void work_messages(void)
{
	static struct {
		long type;
		char text[8000];
	} message = { .type = 1 };
	int queue = msgget(IPC_PRIVATE, 0600), i;

	if (queue < 0)
		die("msgget");
	for_each_round(i, 4000) {
		size_t size = i * 7 % sizeof(message.text);

		if (msgsnd(queue, &message, size, 0) ||
		    msgrcv(queue, &message, sizeof(message.text), 0, 0) != (ssize_t)size)
			die("message");
	}
	msgctl(queue, IPC_RMID, NULL);
}

/* Files, sockets, pipes: objects of caches of their own. */
static void work_descriptors(void)
{
	int i, ends[2];

	for_each_round(i, 800) {
		int fd = memfd_create("oracle", 0);

		if (fd < 0 || ftruncate(fd, 1 << 20) || pwrite(fd, &i, sizeof(i), i * 64) < 0)
			die("memfd");
		close(fd);
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
			die("socketpair");
		close(ends[0]);
		close(ends[1]);
		if (pipe(ends) || fcntl(ends[0], F_SETPIPE_SZ, 4096 << i % 6) < 0)
			die("pipe");
		close(ends[0]);
		close(ends[1]);
	}
}

/* The program's own faults, and the kernel's on its behalf. */
static void work_faults(void)
{
	int zero = open("/dev/zero", O_RDONLY), i;
	const size_t size = 64 << 10;

	for_each_round(i, 500) {
		char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		if (zero < 0 || area == MAP_FAILED)
			die("mmap");
		((volatile char *)area)[i % 4096];
		area[8192 + i % 4096] = 1;
		if (read(zero, area + 16384, 16384) != 16384)
			die("/dev/zero");
		munmap(area, size);
	}
	close(zero);
}

/* Children that write to what they share with their parent. */
static void work_copy(void)
{
	static char shared[64 << 10];
	unsigned int at;
	pid_t pid;
	int i;

	for_each_round(i, 150) {
		memset(shared, i, sizeof(shared));
		pid = start();
		if (!pid) {
			for (at = 0; at < sizeof(shared); at += 4096)
				((volatile char *)shared)[at]++;
			_exit(0);
		}
		finish(pid);
	}
}

/* The kernel is asked to write where it may not. */
static void work_forbidden(void)
{
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int zero = open("/dev/zero", O_RDONLY), i;

	if (page == MAP_FAILED || zero < 0)
		die("mmap");
	for_each_round(i, 300) {
		mprotect(page, 4096, i % 2 ? PROT_READ : PROT_NONE);
		if (read(zero, page, 1) >= 0 || errno != EFAULT)
			die("a page that may not be written was");
	}
	close(zero);
}

static long meminfo(const char *what)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, what, strlen(what)))
			kb = atol(line + strlen(what));
	if (kb < 0)
		die("/proc/meminfo");
	fclose(file);
	return kb;
}

#define MIN_FREE	"/proc/sys/vm/min_free_kbytes"

static int open_min_free(char *text, size_t size)
{
	int fd = open(MIN_FREE, O_RDWR);

	if (fd < 0 || pread(fd, text, size, 0) <= 0)
		die(MIN_FREE);
	return fd;
}

static void set_min_free(int fd, const char *text)
{
	if (pwrite(fd, text, strlen(text), 0) < 0)
		die(MIN_FREE);
}

/* The kernel ends this process before others. */
static void volunteer(void)
{
	put_file("/proc/self/oom_score_adj", "1000");
}

/* More than there is, a page at a time, until the kernel ends that. */
static void __attribute__((noreturn)) take_all(size_t size)
{
	volatile char *area;
	size_t at;

	volunteer();
	area = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED)
		_exit(1);
	for (at = 0; at < size; at += 4096)
		area[at] = 1;
	_exit(2);
}

static pid_t start_spare(void)
{
	pid_t pid = start();

	if (pid)
		return pid;
	volunteer();
	for (;;)
		pause();
}

/*
 * The kernel is to keep nearly all that is free for itself, so there is little to take: kswapd is
 * woken, then there is direct reclaim, then the one who takes it is killed. What it had is not free at
 * once: whoever needs a page before this process has set things right has another one killed. So
 * this one needs none, and there are some to spare.
 */
static void work_exhaust(void)
{
	char before[32] = {}, nearly_all[32];
	int fd = open_min_free(before, sizeof(before) - 1), status;
	long free_kb = meminfo("MemFree:");
	pid_t spare[2], pid;

	spare[0] = start_spare();
	spare[1] = start_spare();
	if (mlockall(MCL_CURRENT))
		die("mlockall");
	snprintf(nearly_all, sizeof(nearly_all), "%ld", free_kb - LEFT_KB);
	pid = start();
	if (!pid) {
		set_min_free(fd, nearly_all);
		take_all(free_kb << 10);
	}
	status = finish(pid);
	set_min_free(fd, before);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		die("nobody was killed");
	kill(spare[0], SIGKILL);
	kill(spare[1], SIGKILL);
	finish(spare[0]);
	finish(spare[1]);
}

const struct workload memory_workload = {
	.together = {
		work_messages, work_descriptors, work_faults, work_copy, work_forbidden,
	},
	.last = { work_exhaust },
};
