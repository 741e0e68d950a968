// SPDX-License-Identifier: GPL-2.0
/*
 * The workload of the group "memory": allocate and free objects and pages, cause page faults of all
 * kinds, and finally use up the memory.
 */
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>

#include "oracle_workload.h"

/* Amount of free memory, in KB, that work_exhaust() does not reserve, but leaves to its child. */
#define LEFT_KB		(16 << 10)

/* Send messages of all sizes, for which the kernel allocates objects from its general caches. */
static void work_messages(void)
{
	static struct {
		long type;
		char text[8000];
	} message = { .type = 1 };
	int queue = msgget(IPC_PRIVATE, 0600);

	die_if(queue < 0, "msgget");
	for_each_round(i, 4000) {
		size_t size = i * 7 % sizeof(message.text);

		if (msgsnd(queue, &message, size, 0) ||
		    msgrcv(queue, &message, sizeof(message.text), 0, 0) != (ssize_t)size)
			die("message");
	}
	msgctl(queue, IPC_RMID, NULL);
}

/* Create files, sockets and pipes, each of which the kernel allocates from a special cache. */
static void work_descriptors(void)
{
	int ends[2];

	for_each_round(i, 800) {
		int fd = memfd_create("oracle", 0);

		if (fd < 0 || ftruncate(fd, 1 << 20) || pwrite(fd, &i, sizeof(i), i * 64) < 0)
			die("memfd");
		close(fd);
		die_if(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
		close(ends[0]);
		close(ends[1]);
		die_if(pipe(ends) || fcntl(ends[0], F_SETPIPE_SZ, 4096 << i % 6) < 0, "pipe");
		close(ends[0]);
		close(ends[1]);
	}
}

/* Cause page faults in the program, and in the kernel on its behalf. */
static void work_faults(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	const size_t size = 64 << 10;

	for_each_round(i, 500) {
		char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		die_if(zero < 0 || area == MAP_FAILED, "mmap");
		((volatile char *)area)[i % 4096];
		area[8192 + i % 4096] = 1;
		die_if(read(zero, area + 16384, 16384) != 16384, "/dev/zero");
		munmap(area, size);
	}
	close(zero);
}

/* Make the kernel copy pages: children write to pages that they share with their parent. */
void work_copy(void)
{
	static char shared[64 << 10];
	pid_t pid;

	for_each_round(i, 150) {
		memset(shared, i, sizeof(shared));
		pid = start();
		if (!pid) {
			for (unsigned int at = 0; at < sizeof(shared); at += 4096)
				((volatile char *)shared)[at]++;
			_exit(0);
		}
		finish(pid);
	}
}

/* Make the kernel try to write to a page that is inaccessible or read-only. */
static void work_forbidden(void)
{
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int zero = open("/dev/zero", O_RDONLY);

	die_if(page == MAP_FAILED || zero < 0, "mmap");
	for_each_round(i, 300) {
		mprotect(page, 4096, i % 2 ? PROT_READ : PROT_NONE);
		die_if(read(zero, page, 1) >= 0 || errno != EFAULT, "a read-only page was written");
	}
	close(zero);
}

static long meminfo(const char *field)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, field, strlen(field)))
			kb = atol(line + strlen(field));
	die_if(kb < 0, "/proc/meminfo");
	fclose(file);
	return kb;
}

#define MIN_FREE	"/proc/sys/vm/min_free_kbytes"

static void set_min_free(int fd, const char *text)
{
	die_if(pwrite(fd, text, strlen(text), 0) < 0, MIN_FREE);
}

/* Make the OOM killer choose this process first. */
static void volunteer(void)
{
	put_file("/proc/self/oom_score_adj", "1000");
}

/* Use up to @size bytes of memory, page by page, until the OOM killer kills this process. */
static void __attribute__((noreturn)) take_all(size_t size)
{
	volatile char *area;

	volunteer();
	area = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED)
		_exit(1);
	for (size_t at = 0; at < size; at += 4096)
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
 * Use up the memory. A child makes the kernel reserve nearly all free memory (MIN_FREE), and then
 * uses the rest. kswapd is woken, then direct reclaim begins, and then the OOM killer kills the
 * child. The memory of the child is not free immediately. If any process needs a page before this
 * process has restored MIN_FREE, the OOM killer selects another victim. So this process must not
 * need a new page, and spare processes serve as further victims.
 */
static void work_exhaust(void)
{
	char before[32] = {}, nearly_all[32];
	int fd = open(MIN_FREE, O_RDWR), status;
	long free_kb = meminfo("MemFree:");
	pid_t spare[2], pid;

	die_if(fd < 0 || pread(fd, before, sizeof(before) - 1, 0) <= 0, MIN_FREE);
	spare[0] = start_spare();
	spare[1] = start_spare();
	die_if(mlockall(MCL_CURRENT), "mlockall");
	snprintf(nearly_all, sizeof(nearly_all), "%ld", free_kb - LEFT_KB);
	pid = start();
	if (!pid) {
		set_min_free(fd, nearly_all);
		take_all(free_kb << 10);
	}
	status = finish(pid);
	set_min_free(fd, before);
	die_if(!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL, "no process was killed");
	kill_and_finish(spare[0]);
	kill_and_finish(spare[1]);
}

const struct workload memory_workload = {
	.name = "memory",
	.together = {
		work_messages, work_descriptors, work_faults, work_copy, work_forbidden,
	},
	.last = { work_exhaust },
};
