// SPDX-License-Identifier: GPL-2.0
/*
 * load SEED [call | wake | lock]: for two seconds, each of these processes repeats its step. The
 * seed determines in which order the processes start, and for each step how much the process reads
 * or writes and how long it sleeps afterwards.
 *
 *	caller		reads 32 KB of /dev/zero; with "call", 64 KB
 *	waker		writes to /dev/null; with "wake", also to a pipe
 *	woken		reads from the pipe
 *	holder		writes 512 KB of a file; with "lock", 2 MB, so that it holds the lock of the
 *			file for longer
 *	waiter		eight processes: write a byte of the same file
 *	parent		creates a process that ends immediately
 *	toucher		maps 16 pages of memory, and uses them
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUN_NS	 2000000000
#define STEP_US	 10000
#define WAIT_US	 3000
#define READ	 (32 << 10)
#define WRITE	 (512 << 10)
#define FILE_MAX (2 * 4 * WRITE)
#define MAP	 (16 * 4096)

static const char *plan;
static uint64_t seed;
static int64_t end_ns;
static int zero, null, file, pipes[2];
static char *bytes;

static void bail_if(bool failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	exit(1);
}

/* Return a random number from 0 to @below - 1 (xorshift). */
static uint64_t random_below(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % below;
}

/* Return a random size, which is @mean on average. */
static size_t random_size(size_t mean) { return mean / 2 + random_below(mean + 1); }

static bool planned(const char *name) { return !strcmp(plan, name); }

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Sleep until the next step. Return false at the end. */
static bool next_step(unsigned int mean_us)
{
	const struct timespec nap = { .tv_nsec = 1000 * (long)random_below(2 * mean_us) };

	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL);
	return now_ns() < end_ns;
}

static void call(void)
{
	size_t mean = planned("call") ? 2 * READ : READ;

	while (next_step(STEP_US)) {
		size_t size = random_size(mean);

		bail_if(read(zero, bytes, size) != (ssize_t)size, "read");
	}
}

static void wake(void)
{
	close(pipes[0]);
	while (next_step(STEP_US)) {
		bail_if(write(null, bytes, 1) != 1, "write");
		if (planned("wake"))
			bail_if(write(pipes[1], bytes, 1) != 1, "write");
	}
}

/* Ends when the waker has closed the pipe. */
static void be_woken(void)
{
	char byte;

	close(pipes[1]);
	while (read(pipes[0], &byte, 1) == 1)
		;
}

static void hold(void)
{
	size_t mean = planned("lock") ? 4 * WRITE : WRITE;

	while (next_step(STEP_US)) {
		size_t size = random_size(mean);

		bail_if(pwrite(file, bytes, size, 0) != (ssize_t)size, "pwrite");
	}
}

static void wait_for_lock(void)
{
	while (next_step(WAIT_US))
		bail_if(pwrite(file, bytes, 1, 0) != 1, "pwrite");
}

static void create(void)
{
	while (next_step(STEP_US)) {
		pid_t pid = fork();

		bail_if(pid < 0, "fork");
		if (!pid)
			_exit(0);
		bail_if(waitpid(pid, NULL, 0) != pid, "waitpid");
	}
}

static void touch(void)
{
	while (next_step(STEP_US)) {
		char *map = mmap(NULL, MAP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		bail_if(map == MAP_FAILED, "mmap");
		memset(map, 1, MAP);
		bail_if(munmap(map, MAP), "munmap");
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} jobs[] = {
	{ "caller", call },	     { "waker", wake },		  { "woken", be_woken },
	{ "holder", hold },	     { "waiter", wait_for_lock }, { "waiter", wait_for_lock },
	{ "waiter", wait_for_lock }, { "waiter", wait_for_lock }, { "waiter", wait_for_lock },
	{ "waiter", wait_for_lock }, { "waiter", wait_for_lock }, { "waiter", wait_for_lock },
	{ "parent", create },	     { "toucher", touch },
};

#define JOBS (sizeof(jobs) / sizeof(*jobs))

static void start(size_t job)
{
	pid_t pid = fork();

	bail_if(pid < 0, "fork");
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, jobs[job].name);
	seed += job * 0x9e3779b97f4a7c15;
	for (int i = 0; i < 10; i++)
		random_below(1);
	jobs[job].run();
	exit(0);
}

int main(int argc, char **argv)
{
	size_t order[JOBS];
	int status, failed = 0;

	seed = strtoull(argc > 1 ? argv[1] : "1", NULL, 10) * 0x5851f42d4c957f2d + 1;
	plan = argc > 2 ? argv[2] : "";
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	file = syscall(SYS_memfd_create, "load", 0);
	bail_if(zero < 0 || null < 0 || file < 0 || pipe(pipes), "open");
	bytes = malloc(FILE_MAX);
	bail_if(!bytes, "malloc");
	memset(bytes, 1, FILE_MAX);
	/* The pages of the file exist already when the load starts. */
	bail_if(write(file, bytes, FILE_MAX) != FILE_MAX, "write");
	end_ns = now_ns() + RUN_NS;
	for (size_t i = 0; i < JOBS; i++) {
		size_t other = random_below(i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (size_t i = 0; i < JOBS; i++)
		start(order[i]);
	close(pipes[0]);
	close(pipes[1]);
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}
