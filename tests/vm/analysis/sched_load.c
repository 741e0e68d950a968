// SPDX-License-Identifier: GPL-2.0
/*
 * sched_load [-n NAME] [START STOP]: run three processes that share a CPU. The third one has this
 * name (default: copier), so that tests in the same boot can distinguish theirs. The commands START
 * and STOP start and stop recording (default: "lkst start" and "lkst stop"). Print what the kernel
 * counted for each process:
 *
 *	pid=PID name=NAME cpu=NS run=NS wait=NS slices=N voluntary=N involuntary=N syscr=N syscw=N
 *
 * "-" means that this kernel does not have the count. The processes sleep while recording starts
 * and stops and while the counts are read, so the trace and the counts cover exactly the same time.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "tap.h"

#define COPIES	200	/* calls of read(), write() and, without success, close() */
#define NAPS	50	/* sleeps of 1 ms */

#define HOG_TIME	(600 * (CLOCKS_PER_SEC / 1000))
#define STEP_MAX	(100 * (CLOCKS_PER_SEC / 1000))
#define PREEMPTIONS	20

enum { CPU, RUN, WAIT, SLICES, VOLUNTARY, INVOLUNTARY, SYSCR, SYSCW, COUNTS };

static const char *const names[COUNTS] = {
	"cpu", "run", "wait", "slices", "voluntary", "involuntary", "syscr", "syscw",
};

struct counts {
	int64_t count[COUNTS]; /* -1: not counted */
};

struct child {
	const char *name;
	void (*work)(void);
	pid_t pid;
	int start; /* pipe; each byte starts a step */
	struct counts before, after;
};

static void nap(long ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

/* How many hogs have begun, and how many have competed for long enough; in shared memory */
static struct hogs {
	atomic_int begun, done;
} *hogs;

static long preemptions(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw;
}

/*
 * Use the CPU, with few system calls, until both hogs have used it for 600 ms while they competed,
 * and both have been preempted 20 times. If an emulated CPU pauses, the kernel counts the pause as
 * CPU time of the hog that runs, and then lets the other hog run for the same time. So each pass of
 * the loop counts as at most 100 ms.
 */
static void work_hog(void)
{
	clock_t spent = 0, last = clock();
	long before = preemptions();
	bool done = false;

	atomic_fetch_add(&hogs->begun, 1);
	while (atomic_load(&hogs->done) < 2) {
		clock_t step;

		for (unsigned int i = 0; i < 10000000; i++)
			asm volatile("");
		step = clock() - last;
		last += step;
		if (atomic_load(&hogs->begun) < 2)
			continue;
		spent += step < STEP_MAX ? step : STEP_MAX;
		if (!done && spent >= HOG_TIME && preemptions() - before >= PREEMPTIONS) {
			done = true;
			atomic_fetch_add(&hogs->done, 1);
		}
	}
}

/* Sleep often, and make a known number of system calls. */
static void work_copier(void)
{
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
	char byte;

	bail_if(zero < 0 || null < 0, "open");
	for (int i = 0; i < COPIES; i++) {
		bail_if(read(zero, &byte, 1) != 1 || write(null, &byte, 1) != 1, "copy");
		close(-1);
		if (i % (COPIES / NAPS) == 0)
			nap(1000000);
	}
}

static struct child children[] = {
	{ "hog1", work_hog }, { "hog2", work_hog }, { "copier", work_copier },
};

/* Send a byte when ready, and wait for the next step. */
static void child_wait(int ready, int start)
{
	char byte = 0;

	if (write(ready, &byte, 1) != 1 || read(start, &byte, 1) != 1)
		_exit(1);
}

static void start(struct child *child, int ready)
{
	cpu_set_t last;
	int pipes[2];

	bail_if(pipe2(pipes, O_CLOEXEC), "pipe");
	child->start = pipes[1];
	child->pid = start_child();
	if (child->pid)
		return;
	close(pipes[1]);
	CPU_ZERO(&last);
	CPU_SET(1, &last);
	bail_if(sched_setaffinity(0, sizeof(last), &last), "sched_setaffinity");
	prctl(PR_SET_NAME, child->name);
	/* Avoid page faults while the process is recorded. */
	mlockall(MCL_CURRENT);
	child_wait(ready, pipes[0]);
	child->work();
	child_wait(ready, pipes[0]);
	_exit(0);
}

/* Read a file of a process. Returns NULL if it cannot be read. */
static const char *read_proc(pid_t pid, const char *name)
{
	static char text[4096];
	char path[64];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len < 0)
		return NULL;
	text[len] = 0;
	return text;
}

/*
 * Return whether a process sleeps and the kernel has counted its last context switch.
 * /proc/PID/stat shows the state S already before the kernel counts the switch. A read of
 * /proc/PID/syscall waits until the kernel has counted the switch.
 */
static bool sleeps(pid_t pid)
{
	const char *text = read_proc(pid, "stat");
	const char *end = text ? strrchr(text, ')') : NULL;

	if (!end || end[1] != ' ' || end[2] != 'S')
		return false;
	text = read_proc(pid, "syscall");
	return text && strncmp(text, "running", 7);
}

/* Wait until all children wait for the next step. */
static void wait_for_children(int ready)
{
	char byte;

	for (size_t i = 0; i < ARRAY_SIZE(children); i++)
		bail_if(read(ready, &byte, 1) != 1, "read");
	for (size_t i = 0; i < ARRAY_SIZE(children); i++)
		while (!sleeps(children[i].pid))
			nap(10000000);
}

static void next_step(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(children); i++)
		bail_if(write(children[i].start, "", 1) != 1, "write");
}

/* Return the number that follows a label; -1 if the label is missing. */
static int64_t number_after(const char *text, const char *label)
{
	const char *found = text ? strstr(text, label) : NULL;

	return found ? strtoll(found + strlen(label), NULL, 10) : -1;
}

static void read_counts(pid_t pid, struct counts *to)
{
	struct timespec cpu;
	clockid_t clock;
	const char *text;

	for (int i = 0; i < COUNTS; i++)
		to->count[i] = -1;
	bail_if(clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &cpu), "CPU time");
	to->count[CPU] = cpu.tv_sec * INT64_C(1000000000) + cpu.tv_nsec;
	text = read_proc(pid, "schedstat");
	/* Without CONFIG_SCHEDSTATS, the file does not exist or contains zeros. */
	if (text && strncmp(text, "0 0 0", 5))
		sscanf(text, "%" SCNd64 " %" SCNd64 " %" SCNd64, &to->count[RUN], &to->count[WAIT],
		       &to->count[SLICES]);
	text = read_proc(pid, "status");
	to->count[VOLUNTARY] = number_after(text, "\nvoluntary_ctxt_switches:");
	to->count[INVOLUNTARY] = number_after(text, "\nnonvoluntary_ctxt_switches:");
	text = read_proc(pid, "io");
	to->count[SYSCR] = number_after(text, "syscr:");
	to->count[SYSCW] = number_after(text, "syscw:");
}

static void print_counts(const struct child *child)
{
	printf("pid=%d name=%s", (int)child->pid, child->name);
	for (int i = 0; i < COUNTS; i++) {
		if (child->before.count[i] < 0 || child->after.count[i] < 0)
			printf(" %s=-", names[i]);
		else
			printf(" %s=%" PRId64, names[i],
			       child->after.count[i] - child->before.count[i]);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	bool named = argc > 2 && !strcmp(argv[1], "-n");
	char **commands = argv + (named ? 3 : 1);
	const char *start_command = commands[0] ? commands[0] : "lkst start";
	const char *stop_command = commands[0] ? commands[1] : "lkst stop";
	int ready[2];
	int status, failed = 0;

	if (named)
		children[ARRAY_SIZE(children) - 1].name = argv[2];
	bail_if(commands[0] && !commands[1], "STOP is missing");
	bail_if(pipe2(ready, O_CLOEXEC), "pipe");
	hogs = mmap(NULL, sizeof(*hogs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bail_if(hogs == MAP_FAILED, "mmap");
	for (size_t i = 0; i < ARRAY_SIZE(children); i++)
		start(&children[i], ready[1]);
	wait_for_children(ready[0]);
	for (size_t i = 0; i < ARRAY_SIZE(children); i++)
		read_counts(children[i].pid, &children[i].before);
	bail_if(system(start_command), start_command);
	next_step();
	wait_for_children(ready[0]);
	bail_if(system(stop_command), stop_command);
	for (size_t i = 0; i < ARRAY_SIZE(children); i++)
		read_counts(children[i].pid, &children[i].after);
	next_step();
	for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
		print_counts(&children[i]);
		failed |= waitpid(children[i].pid, &status, 0) < 0 || status;
	}
	return failed;
}
