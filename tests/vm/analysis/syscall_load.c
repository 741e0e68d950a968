// SPDX-License-Identifier: GPL-2.0
/*
 * syscall_load [START STOP SCRIPT]: make known system calls between two marks, and print them:
 *
 *	pid=PID
 *	want CALL NUMBER ERROR		ERROR is "-" for success
 *	syscr=NUMBER			as in /proc/PID/io; left out if the kernel does not count
 *	syscw=NUMBER
 *
 * The process that makes the calls is stopped while the marks are recorded and the counts are read. The
 * shell command START runs before the first mark, and STOP after the second one. In both commands,
 * $WORKER is the PID of the process. After its calls, the process runs SCRIPT with a shell, and
 * waits for it.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "tap.h"

#define CLOSES	300
#define READS	200
#define WRITES	150
#define OPENS	100
#define NAPS	50
#define GETS	400

/* Do not use raise(), which would make additional calls. */
static void stop(void)
{
	syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP);
}

static void work(int zero, int null)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	char byte;

	for (int i = 0; i < CLOSES; i++)
		syscall(SYS_close, -1);
	for (int i = 0; i < READS; i++)
		if (syscall(SYS_read, zero, &byte, 1) != 1)
			_exit(2);
	for (int i = 0; i < WRITES; i++)
		if (syscall(SYS_write, null, &byte, 1) != 1)
			_exit(3);
	for (int i = 0; i < OPENS; i++)
		syscall(SYS_openat, AT_FDCWD, "/nonexistent", O_RDONLY, 0);
	for (int i = 0; i < NAPS; i++)
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL);
	for (int i = 0; i < GETS; i++)
		syscall(SYS_getppid);
}

static void run_script(const char *script)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execlp("sh", "sh", script, NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		_exit(4);
}

static pid_t start_worker(const char *script)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pid_t pid;

	bail_if(zero < 0 || null < 0, "open");
	pid = start_child();
	if (pid)
		return pid;
	/* Do not stay stopped if the test ends early. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stop();
	work(zero, null);
	if (script)
		run_script(script);
	stop();
	_exit(0);
}

/* Run a shell command, if there is one, with $WORKER set to @pid. */
static void run_command(const char *command, pid_t pid)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)pid);
	bail_if(setenv("WORKER", number, 1), "setenv");
	bail_if(command && system(command), command);
}

static void wait_for_stop(pid_t pid)
{
	int status;

	bail_if(waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status), "waitpid");
}

/* Read the counts of reads and writes. Returns false if this kernel does not count them. */
static bool read_io(pid_t pid, int64_t count[2])
{
	char path[64], line[128];
	bool read = false;
	FILE *io;

	snprintf(path, sizeof(path), "/proc/%d/io", (int)pid);
	io = fopen(path, "r");
	while (io && fgets(line, sizeof(line), io)) {
		read |= sscanf(line, "syscr: %" SCNd64, &count[0]) == 1;
		sscanf(line, "syscw: %" SCNd64, &count[1]);
	}
	if (io)
		fclose(io);
	return read;
}

int main(int argc, char **argv)
{
	bool commands = argc == 4;
	pid_t pid = start_worker(commands ? argv[3] : NULL);
	int64_t before[2] = { 0 }, after[2] = { 0 };
	bool counted;
	int status;

	wait_for_stop(pid);
	counted = read_io(pid, before);
	run_command(commands ? argv[1] : NULL, pid);
	bail_if(system("lkstlogger -ev user_mark -a1 1"), "lkstlogger");
	kill(pid, SIGCONT);
	wait_for_stop(pid);
	bail_if(system("lkstlogger -ev user_mark -a1 2"), "lkstlogger");
	run_command(commands ? argv[2] : NULL, pid);
	read_io(pid, after);
	kill(pid, SIGCONT);
	bail_if(waitpid(pid, &status, 0) != pid, "waitpid");

	printf("pid=%d\n", (int)pid);
	printf("want close %d EBADF\nwant read %d -\nwant write %d -\n", CLOSES, READS, WRITES);
	printf("want openat %d ENOENT\nwant clock_nanosleep %d -\nwant getppid %d -\n", OPENS, NAPS, GETS);
	if (counted)
		printf("syscr=%" PRId64 "\nsyscw=%" PRId64 "\n", after[0] - before[0],
		       after[1] - before[1]);
	return status != 0;
}
