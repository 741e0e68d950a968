// SPDX-License-Identifier: GPL-2.0
/*
 * The workload of the group "processes": many different activities, which cause all kinds of system
 * calls, interrupts and signals.
 */
#include <arpa/inet.h>
#include <linux/kd.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "oracle.h"
#include "oracle_workload.h"

/* Make two processes wake each other through pipes. */
void work_pipe(void)
{
	int ping[2], pong[2];
	char byte = 0;
	pid_t pid;

	die_if(pipe(ping) || pipe(pong), "pipe");
	pid = start();
	if (!pid) {
		close(ping[1]);
		while (read(ping[0], &byte, 1) == 1)
			if (write(pong[1], &byte, 1) != 1)
				break;
		_exit(0);
	}
	close(ping[0]);
	for_each_round(i, 10000)
		die_if(write(ping[1], &byte, 1) != 1 || read(pong[0], &byte, 1) != 1, "pipe");
	close(ping[1]);
	finish(pid);
}

/*
 * Threads take turns by means of a mutex and a condition variable, while other threads start and
 * exit.
 */
static pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static long turn;

#define TURN_THREADS	3

static void *take_turns(void *arg)
{
	long self = (long)arg;

	for (long i = 0; i < 800; i++) {
		pthread_mutex_lock(&turn_mutex);
		while (turn % TURN_THREADS != self)
			pthread_cond_wait(&turn_changed, &turn_mutex);
		turn++;
		pthread_cond_broadcast(&turn_changed);
		pthread_mutex_unlock(&turn_mutex);
	}
	return NULL;
}

static void *exit_immediately(void *arg)
{
	prctl(PR_SET_NAME, "a name of sixteen");
	if (!arg)
		syscall(SYS_exit, 3);
	return arg;
}

static void work_threads(void)
{
	pthread_t threads[TURN_THREADS], thread;

	for (long i = 0; i < TURN_THREADS; i++)
		die_if(pthread_create(&threads[i], NULL, take_turns, (void *)i), "pthread_create");
	for_each_round(i, 150) {
		die_if(pthread_create(&thread, NULL, exit_immediately, i % 2 ? "" : NULL),
		       "pthread_create");
		pthread_join(thread, NULL);
	}
	for (long i = 0; i < TURN_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Start a child by vfork(). The child shares the memory of this process, and exits immediately. */
static pid_t start_borrowing(int status)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(status);
	return pid;
}

/* Start processes, some by vfork(), that exit or are killed by a signal. */
void work_fork(void)
{
	pid_t pid;

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
	/* Start children that this process does not wait for. */
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

/*
 * Execute programs with long and short paths, from the first thread of a process and from another
 * one.
 */
void work_exec(void)
{
	pthread_t thread;
	pid_t pid;

	if ((symlink("/bin/true", "true") ||
	     symlink("true", "true-by-a-path-longer-than-a-record")) &&
	    errno != EEXIST)
		die("symlink");
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

/* Send signals of all kinds. Some are sent by an interval timer, from its interrupt. */
static void work_signals(void)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } }, off = {};
	siginfo_t info = { .si_code = SI_QUEUE };
	pid_t pid;

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
	kill_and_finish(pid);
}

/* Trace a process that stops for its tracer over and over. */
static void work_ptrace(void)
{
	pid_t pid = start();
	int status;

	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		for (;;)
			raise(SIGUSR1);
	}
	for_each_round(i, 200) {
		die_if(waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status), "ptrace");
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	}
	kill(pid, SIGKILL);
	while (!WIFSIGNALED(finish(pid)))
		;
}

/* Move three processes from CPU to CPU: this one, a running one, and a sleeping one. */
static void work_migrate(void)
{
	pid_t runner, sleeper;

	runner = start();
	if (!runner)
		for (;;)
			;
	sleeper = start();
	if (!sleeper)
		for (;;)
			pause_us(300);
	for_each_round(i, 400) {
		pin_process(0, i % 2);
		pin_process(runner, i / 2 % 2);
		pin_process(sleeper, i / 3 % 2);
		if (i % 16 == 0)
			pause_us(200);
	}
	kill_and_finish(runner);
	kill_and_finish(sleeper);
}

/* Change the priority and the scheduling policy, wait for a timer, and sleep, many times. */
static void work_timers(void)
{
	struct itimerspec spec = { { 0, 700000 }, { 0, 700000 } };
	struct sched_param fifo = { .sched_priority = 10 }, other = {};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), epoll = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN };
	uint64_t expired;

	die_if(timer < 0 || epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event), "timerfd");
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

/* Write and read a file on the host, over virtio. */
static void work_file(void)
{
	static char block[65536];
	int fd = open("oracle-data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	die_if(fd < 0, "oracle-data");
	for_each_round(i, 250) {
		memset(block, i, sizeof(block));
		if (pwrite(fd, block, 512 << i % 8, i * 4096L) < 0 || (i % 4 == 0 && fsync(fd)) ||
		    pread(fd, block, 4096, i * 4096L) < 0)
			die("oracle-data");
	}
	close(fd);
	unlink("oracle-data");
}

/* Make 32-bit system calls with ORACLE_IA32_MAGIC as an argument, all on one CPU. */
static void work_ia32(void)
{
#ifdef __x86_64__
	pin_process(0, 1);
	for_each_round(i, 1000) {
		long result;

		asm volatile("int $0x80"
			     : "=a"(result)
			     : "0"(64 /* getppid */), "b"(ORACLE_IA32_MAGIC), "c"(i), "d"(-i)
			     : "memory", "r8", "r9", "r10", "r11");
		die_if(result != getppid(), "ia32 getppid");
	}
#endif
}

/* Make system calls, with ORACLE_CRED_MAGIC as an argument, in a process with known credentials. */
static void work_credentials(void)
{
	die_if(setpgid(0, 0) || setresgid(1, ORACLE_CRED_GID, 2) || setresuid(3, ORACLE_CRED_UID, 4),
	       "credentials");
	for_each_round(i, 200)
		syscall(SYS_getppid, ORACLE_CRED_MAGIC, i, -1L);
}

/* Change the LEDs of the keyboard. The kernel sets them in a tasklet. */
static void work_tasklet(void)
{
	int fd = open("/dev/tty1", O_RDWR | O_NOCTTY);

	die_if(fd < 0, "/dev/tty1");
	for_each_round(i, 300)
		die_if(ioctl(fd, KDSETLED, i % 8), "KDSETLED");
	close(fd);
}

/* Use the kernel's SysRq-l (lower case): a CPU interrupts the others with NMIs. */
static void work_nmi(void)
{
	for_each_round(i, 3) {
		int fd = open("/proc/sysrq-trigger", O_WRONLY);

		die_if(fd < 0 || write(fd, "l", 1) != 1, "/proc/sysrq-trigger");
		close(fd);
		pause_us(50000);
	}
}

/* Compute, so that the CPUs are not idle, and interrupts arrive while user code is running. */
static void work_compute(void)
{
	for (unsigned long i = 0; i < 20000000; i++)
		asm volatile("" : : "r"(i * i));
}

const struct workload processes_workload = {
	.name = "processes",
	.together = {
		work_pipe,	work_threads, work_fork,    work_exec, work_signals,
		work_ptrace,	work_migrate, work_timers,  work_file, work_datagrams,
		work_ia32,	work_tasklet, work_nmi,	    work_compute, work_credentials,
	},
};
