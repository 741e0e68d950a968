// SPDX-License-Identifier: GPL-2.0
/*
 * stacks_load: run a process that sleeps in known functions of the kernel, and that passes known
 * paths to system calls, in the current directory. It prints:
 *
 *	pid=PID
 *	reads=NUMBER		sleeps in read() of a pipe
 *	at_least=NS at_most=NS	limits of the total time of these sleeps
 *	file CALL PATH [PATH]	path of the longest call, and the new path of rename()
 *
 * The path of the longest open() is on a page that is not present when the call begins.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "tap.h"

#define READS 20

/* A path that is recorded in several records */
#define FIFO "./a-fifo-whose-name-is-so-long-that-it-does-not-fit-into-a-single-record"

/* Results of the process that sleeps */
struct shared {
	int64_t at_most;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void nap(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* Return a path on a page that is not present until it is accessed. */
static const char *absent(const char *path)
{
	int fd = memfd_create("path", 0);
	char *memory;

	bail_if(fd < 0 || ftruncate(fd, 4096) ||
			pwrite(fd, path, strlen(path) + 1, 0) != (ssize_t)strlen(path) + 1,
		"memfd");
	memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	bail_if(memory == MAP_FAILED, "mmap");
	close(fd);
	return memory;
}

static void sleeper(int from, struct shared *shared, const char *self)
{
	char *const args[] = { "stacks_load", "exit", NULL };
	const char *fifo = absent(FIFO);
	char byte;

	prctl(PR_SET_NAME, "sleeper");
	for (int i = 0; i < READS; i++) {
		int64_t begin = now_ns();

		if (syscall(SYS_read, from, &byte, 1) != 1)
			_exit(2);
		shared->at_most += now_ns() - begin;
	}
	for (int i = 0; i < 10; i++)
		syscall(SYS_openat, AT_FDCWD, "/no/such/file", O_RDONLY);
	/* Wait until another process opens the other end. */
	if (syscall(SYS_openat, AT_FDCWD, fifo, O_RDONLY) < 0)
		_exit(3);
	for (int i = 0; i < 10; i++)
		syscall(SYS_openat, AT_FDCWD, "/no/such/file", O_RDONLY);
	if (syscall(SYS_renameat2, AT_FDCWD, "old name", AT_FDCWD, "new name", 0) ||
	    syscall(SYS_unlinkat, AT_FDCWD, "new name", 0))
		_exit(4);
	execv(self, args);
	_exit(5);
}

/* Wait until a process sleeps. */
static void wait_asleep(pid_t pid)
{
	char path[64], line[256] = "";

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	while (!strstr(line, ") S ")) {
		FILE *file = fopen(path, "r");

		bail_if(!file || !fgets(line, sizeof(line), file), path);
		fclose(file);
		nap(1);
	}
}

int main(int argc, char **argv)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char self[PATH_MAX] = "";
	int64_t at_least = 0;
	int ends[2], status;
	pid_t pid;

	if (argc > 1)
		return 0;
	bail_if(shared == MAP_FAILED || pipe(ends) || readlink("/proc/self/exe", self, PATH_MAX - 1) < 0,
		argv[0]);
	unlink(FIFO);
	bail_if(mkfifo(FIFO, 0600) || close(creat("old name", 0600)), FIFO);
	fflush(stdout);
	pid = fork();
	bail_if(pid < 0, "fork");
	if (!pid)
		sleeper(ends[0], shared, self);
	for (int i = 0; i < READS; i++) {
		int64_t begin;

		wait_asleep(pid);
		begin = now_ns();
		nap(5);
		at_least += now_ns() - begin;
		bail_if(write(ends[1], "x", 1) != 1, "write");
		/* Give the process time to return from read(). */
		nap(5);
	}
	wait_asleep(pid);
	nap(100);
	bail_if(open(FIFO, O_WRONLY) < 0, FIFO);
	bail_if(waitpid(pid, &status, 0) != pid || status, "sleeper");
	printf("pid=%d\nreads=%d\nat_least=%" PRId64 " at_most=%" PRId64 "\n", (int)pid, READS,
	       at_least, shared->at_most);
	printf("file openat " FIFO "\nfile renameat2 old name,new name\nfile unlinkat new name\n"
	       "file execve %s\n",
	       self);
	return 0;
}
