// SPDX-License-Identifier: GPL-2.0
/*
 * family: a process whose threads, children and grandchildren each call getppid() five times and
 * then print "ROLE TID". It starts the early thread and child, creates the file family.ready, and
 * waits for the file family.go before it starts the others.
 *
 * family call ROLE: call getppid() five times, and print "ROLE TID".
 * family as TID: start a child with this ID, which calls getppid() five times in the role
 * "stranger".
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	_exit(1);
}

static void *call(void *role)
{
	for (int i = 0; i < 5; i++)
		syscall(SYS_getppid);
	dprintf(1, "%s %ld\n", (const char *)role, syscall(SYS_gettid));
	return NULL;
}

static void *call_on_go(void *role)
{
	while (access("family.go", F_OK))
		usleep(10000);
	return call(role);
}

static void *execute(void *role)
{
	execl("/proc/self/exe", "family", "call", (char *)role, NULL);
	die("execl");
	return NULL;
}

static pthread_t start(void *(*function)(void *), char *role)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, role))
		die("pthread_create");
	return thread;
}

/* Start a child that calls the function and exits. */
static pid_t start_child(void *(*function)(void *), char *role)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		function(role);
		_exit(0);
	}
	return pid;
}

static void *child(void *role)
{
	call(role);
	pthread_join(start(call, "child_thread"), NULL);
	waitpid(start_child(call, "grandchild"), NULL, 0);
	return NULL;
}

/* A thread other than the first one executes a program, and gets the ID of the first one. */
static void *execute_in_thread(void *role)
{
	pthread_join(start(execute, role), NULL);
	return NULL;
}

static int family(void)
{
	pthread_t early = start(call_on_go, "early_thread");
	pid_t early_child = start_child(call_on_go, "early_child");
	int ready = open("family.ready", O_CREAT | O_WRONLY, 0644);

	if (ready < 0)
		die("family.ready");
	close(ready);
	call_on_go("main");
	pthread_join(early, NULL);
	waitpid(early_child, NULL, 0);
	pthread_join(start(call, "late_thread"), NULL);
	waitpid(start_child(child, "late_child"), NULL, 0);
	waitpid(start_child(execute_in_thread, "child_exec"), NULL, 0);
	execute_in_thread("exec");
	return 1;
}

static int start_as(pid_t tid)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&tid,
		.set_tid_size = 1,
	};
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	if (pid < 0)
		die("clone3");
	if (!pid) {
		call("stranger");
		_exit(0);
	}
	return waitpid((pid_t)pid, NULL, 0) != pid;
}

int main(int argc, char **argv)
{
	if (argc == 1)
		return family();
	if (argc == 3 && !strcmp(argv[1], "call"))
		return call(argv[2]) != NULL;
	if (argc == 3 && !strcmp(argv[1], "as"))
		return start_as(atoi(argv[2]));
	return 2;
}
