// SPDX-License-Identifier: GPL-2.0
/*
 * What the oracle has recorded: a bit of everything, on two CPUs at once. Each function
 * below that a table names is a process; they run side by side, each a fixed number
 * of rounds, or until the time is up.
 *
 *	oracle_workload DIRECTORY	files are written there
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "oracle.h"

#define TIME_LIMIT	20	/* seconds */

static struct timespec deadline;

static void __attribute__((noreturn)) die(const char *what)
{
	fprintf(stderr, "# oracle_workload: %s: %s\n", what, strerror(errno));
	exit(1);
}

static bool time_is_up(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec >= deadline.tv_sec;
}

#define for_each_round(i, n) for (i = 0; i < (n) && !time_is_up(); i++)

static void pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set) && errno != ESRCH)
		die("sched_setaffinity");
}

static pid_t start(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return pid;
}

static int finish(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			die("waitpid");
	return status;
}

static void pause_us(unsigned int us)
{
	struct timespec time = { .tv_nsec = us * 1000L };

	nanosleep(&time, NULL);
}

/* Two processes wake each other through pipes. */
static void work_pipe(void)
{
	int there[2], back[2], i;
	char byte = 0;
	pid_t pid;

	if (pipe(there) || pipe(back))
		die("pipe");
	pid = start();
	if (!pid) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1)
			if (write(back[1], &byte, 1) != 1)
				break;
		_exit(0);
	}
	close(there[0]);
	for_each_round(i, 10000)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			die("pipe");
	close(there[1]);
	finish(pid);
}

/* Threads take turns with a mutex and a condition; others come and go. */
static pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static long turn;

#define TURN_THREADS	3

static void *take_turns(void *arg)
{
	long me = (long)arg, i;

	for (i = 0; i < 800; i++) {
		pthread_mutex_lock(&turn_mutex);
		while (turn % TURN_THREADS != me)
			pthread_cond_wait(&turn_changed, &turn_mutex);
		turn++;
		pthread_cond_broadcast(&turn_changed);
		pthread_mutex_unlock(&turn_mutex);
	}
	return NULL;
}

static void *come_and_go(void *arg)
{
	prctl(PR_SET_NAME, "a name of sixteen");
	if (!arg)
		syscall(SYS_exit, 3);
	return arg;
}

static void work_threads(void)
{
	pthread_t threads[TURN_THREADS], thread;
	long i;

	for (i = 0; i < TURN_THREADS; i++)
		if (pthread_create(&threads[i], NULL, take_turns, (void *)i))
			die("pthread_create");
	for_each_round(i, 150) {
		if (pthread_create(&thread, NULL, come_and_go, (void *)(i % 2)))
			die("pthread_create");
		pthread_join(thread, NULL);
	}
	for (i = 0; i < TURN_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* A process that borrows this one's memory, and ends at once. */
static pid_t start_borrowing(int status)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(status);
	return pid;
}

/* Processes begin and end in each way there is. */
static void work_fork(void)
{
	pid_t pid;
	int i;

	for_each_round(i, 400) {
		pid = i % 5 == 1 ? start_borrowing(i) : start();
		if (!pid) {
			if (i % 5 < 3)
				_exit(i);
			for (;;)
				pause();
		}
		if (i % 5 == 3)
			kill(pid, SIGKILL);
		else if (i % 5 == 4)
			kill(pid, SIGTERM);
		finish(pid);
	}
	/* Children that nobody waits for. */
	signal(SIGCHLD, SIG_IGN);
	for_each_round(i, 50)
		if (!start())
			_exit(0);
}

static void *exec_in_thread(void *path)
{
	execl(path, "true", NULL);
	return NULL;
}

/* Programs, by paths long and short, from a process's first thread and from another. */
static void work_exec(void)
{
	pthread_t thread;
	pid_t pid;
	int i;

	for_each_round(i, 100) {
		pid = start();
		if (pid) {
			finish(pid);
			continue;
		}
		switch (i % 4) {
		case 0:
			execlp("true", "true", NULL);
			break;
		case 1:
			execl("./true-by-a-path-longer-than-a-record", "true", NULL);
			break;
		case 2:
			execlp("sh", "sh", "-c", "seq 20 | sort -r | { read -r a; } >/dev/null; false | true",
			       NULL);
			break;
		case 3:
			if (!pthread_create(&thread, NULL, exec_in_thread, "./true"))
				pthread_join(thread, NULL);
			break;
		}
		_exit(127);
	}
}

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
	(void)signal;
	signals++;
}

static void handle(int signal, int flags)
{
	struct sigaction action = { .sa_handler = count_signal, .sa_flags = flags };

	sigaction(signal, &action, NULL);
}

/* Signals of all sorts; an interval timer sends some from its interrupt. */
static void work_signals(void)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } }, off = {};
	siginfo_t info = { .si_code = SI_QUEUE };
	pid_t pid;
	int i;

	handle(SIGALRM, SA_RESTART);
	handle(SIGUSR1, 0);
	handle(SIGRTMIN + 3, SA_RESTART | SA_NODEFER);
	signal(SIGUSR2, SIG_IGN);
	setitimer(ITIMER_REAL, &often, NULL);

	pid = start();
	if (!pid) {
		handle(SIGCONT, 0);
		for (;;)
			pause();
	}
	for_each_round(i, 2000) {
		kill(pid, i % 8 ? SIGUSR1 : SIGSTOP);
		if (!(i % 8))
			kill(pid, SIGCONT);
		kill(getpid(), SIGUSR2);
		syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1);
		info.si_value.sival_int = i;
		syscall(SYS_rt_sigqueueinfo, pid, SIGRTMIN + 3, &info);
		if (i % 64 == 0)
			pause_us(100);
	}
	setitimer(ITIMER_REAL, &off, NULL);
	kill(pid, SIGKILL);
	finish(pid);
}

/* A process that stops for its tracer, over and over. */
static void work_ptrace(void)
{
	pid_t pid = start();
	int status, i;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		for (;;)
			raise(SIGUSR1);
	}
	for_each_round(i, 200) {
		if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			die("ptrace");
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	}
	kill(pid, SIGKILL);
	while (!WIFSIGNALED(finish(pid)))
		;
}

/* From CPU to CPU: itself, one that runs, one that sleeps. */
static void work_migrate(void)
{
	pid_t runner, sleeper;
	int i;

	runner = start();
	if (!runner)
		for (;;)
			;
	sleeper = start();
	if (!sleeper)
		for (;;)
			pause_us(300);
	for_each_round(i, 400) {
		pin(0, i % 2);
		pin(runner, i / 2 % 2);
		pin(sleeper, i / 3 % 2);
		if (i % 16 == 0)
			pause_us(200);
	}
	kill(runner, SIGKILL);
	kill(sleeper, SIGKILL);
	finish(runner);
	finish(sleeper);
}

/* Waiting for time to pass, in three ways, at changing priorities. */
static void work_timers(void)
{
	struct itimerspec spec = { { 0, 700000 }, { 0, 700000 } };
	struct sched_param fifo = { .sched_priority = 10 }, other = {};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), epoll = epoll_create1(0), i;
	struct epoll_event event = { .events = EPOLLIN };
	uint64_t expired;

	if (timer < 0 || epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event))
		die("timerfd");
	timerfd_settime(timer, 0, &spec, NULL);
	for_each_round(i, 600) {
		setpriority(PRIO_PROCESS, 0, i % 20 - 10);
		sched_setscheduler(0, i % 50 ? SCHED_OTHER : SCHED_FIFO, i % 50 ? &other : &fifo);
		if (epoll_wait(epoll, &event, 1, 1000) == 1 &&
		    read(timer, &expired, sizeof(expired)) < 0)
			die("timerfd");
		pause_us(i % 10 * 50);
	}
}

/* A file on the host: what is written goes out and comes back over virtio. */
static void work_file(void)
{
	static char block[65536];
	int fd = open("oracle-data", O_RDWR | O_CREAT | O_TRUNC, 0600), i;

	if (fd < 0)
		die("oracle-data");
	for_each_round(i, 250) {
		memset(block, i, sizeof(block));
		if (pwrite(fd, block, 512 << i % 8, i * 4096L) < 0 || (i % 4 == 0 && fsync(fd)) ||
		    pread(fd, block, 4096, i * 4096L) < 0)
			die("oracle-data");
	}
	close(fd);
	unlink("oracle-data");
}

/* Two processes send each other datagrams over the loopback device. */
static void work_network(void)
{
	struct sockaddr_in here = { .sin_family = AF_INET }, there = here;
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0), i;
	socklen_t len = sizeof(here);
	struct timeval wait = { 1, 0 };
	char data[200] = {};
	pid_t pid;

	here.sin_addr.s_addr = there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(a, (void *)&here, len) || bind(b, (void *)&there, len) ||
	    getsockname(a, (void *)&here, &len) || getsockname(b, (void *)&there, &len) ||
	    connect(a, (void *)&there, len) || connect(b, (void *)&here, len))
		die("socket");
	pid = start();
	if (!pid) {
		while (recv(b, data, sizeof(data), 0) > 0 && !data[0])
			send(b, data, sizeof(data), 0);
		_exit(0);
	}
	setsockopt(a, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	for_each_round(i, 5000)
		if (send(a, data, sizeof(data), 0) < 0 || recv(a, data, sizeof(data), 0) < 0)
			die("network");
	data[0] = 1;
	send(a, data, sizeof(data), 0);
	finish(pid);
}

/* System calls the 32-bit way, marked, among others. On one CPU all the time. */
static void work_ia32(void)
{
#ifdef __x86_64__
	int i;

	pin(0, 1);
	for_each_round(i, 1000) {
		long result;

		asm volatile("int $0x80"
			     : "=a"(result)
			     : "0"(64 /* getppid */), "b"(ORACLE_IA32_MAGIC), "c"(i), "d"(-i)
			     : "memory", "r8", "r9", "r10", "r11");
		if (result != getppid())
			die("ia32 getppid");
	}
#endif
}

/* A process whose credentials are known. */
static void work_credentials(void)
{
	int i;

	if (setpgid(0, 0) || setresgid(1, ORACLE_CRED_GID, 2) || setresuid(3, ORACLE_CRED_UID, 4))
		die("credentials");
	for_each_round(i, 200)
		syscall(SYS_getppid, ORACLE_CRED_MAGIC, i, -1L);
}

/* The keyboard's lamps, which a tasklet sets. */
static void work_tasklet(void)
{
	int fd = open("/dev/tty1", O_RDWR | O_NOCTTY), i;

	if (fd < 0)
		die("/dev/tty1");
	for_each_round(i, 300)
		if (ioctl(fd, KDSETLED, i % 8))
			die("KDSETLED");
	close(fd);
}

/* SysRq-L makes each CPU interrupt the others with an NMI. */
static void work_nmi(void)
{
	int i;

	for_each_round(i, 3) {
		int fd = open("/proc/sysrq-trigger", O_WRONLY);

		if (fd < 0 || write(fd, "l", 1) != 1)
			die("/proc/sysrq-trigger");
		close(fd);
		pause_us(50000);
	}
}

/* Just computing, so that the other CPU is not idle either, and is interrupted. */
static void work_compute(void)
{
	volatile unsigned long sum = 0;
	unsigned long i;

	for (i = 0; i < 20000000; i++)
		sum += i * i;
}

static void (*const work[])(void) = {
	work_pipe,	work_threads, work_fork,    work_exec, work_signals,
	work_ptrace,	work_migrate, work_timers,  work_file, work_network,
	work_ia32,	work_tasklet, work_nmi,	    work_compute, work_credentials,
};

#define WORKERS		(sizeof(work) / sizeof(work[0]))

int main(int argc, char **argv)
{
	pid_t workers[WORKERS];
	int result = 0;
	unsigned int i;

	if (argc != 2 || chdir(argv[1]))
		die(argc == 2 ? argv[1] : "want a directory");
	if ((symlink("/bin/true", "true") || symlink("true", "true-by-a-path-longer-than-a-record")) &&
	    errno != EEXIST)
		die("symlink");
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += TIME_LIMIT;

	for (i = 0; i < WORKERS; i++) {
		workers[i] = start();
		if (!workers[i]) {
			work[i]();
			exit(0);
		}
	}
	for (i = 0; i < WORKERS; i++) {
		int status = finish(workers[i]);

		if (status) {
			fprintf(stderr, "# oracle_workload: part %u: status %#x\n", i, status);
			result = 1;
		}
	}
	return result;
}
