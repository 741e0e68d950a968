// SPDX-License-Identifier: GPL-2.0
/* The children: starting them, telling them what to do, noticing that they have ended. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/messages.h"
#include "logd.h"

enum {
	NICE = -10, /* what the kernel cannot hold is lost while they wait for a CPU */
	LIVED_MS = 5000, /* one that ends earlier is not started again at once */
	BACKOFF_MS = 1000,
	BACKOFF_MAX_MS = 60000,
	ANSWER_MS = 3000, /* one that takes longer is in trouble */
	HANG_MS = 30000, /* and is killed, if it was to end */
};

/**
 * struct child - a child
 * @pid: 0: there is none
 * @socket: to tell it
 * @ending: it was told to end
 * @owing: nobody was told yet to write the end of what it has begun, or who was has not done it
 * @told: ms, when it was told to end, or has answered since
 * @started: ms
 * @backoff: ms to wait if it fails again
 * @due: ms, when another one may be started
 * @question: that was asked last
 * @asked: ms, when that was
 * @silent: it was told that there is no answer
 */
struct child {
	pid_t pid;
	int socket;
	bool ending;
	bool owing;
	int64_t told;
	int64_t started;
	int64_t backoff;
	int64_t due;
	uint32_t question;
	int64_t asked;
	bool silent;
};

/**
 * struct logd_children - all of them
 * @cpus: that there can be
 * @over: they have had their time
 * @child: by CPU
 */
struct logd_children {
	uint32_t cpus;
	bool over;
	struct child child[];
};

/**
 * logd_children_new() - no children yet
 * @cpus: that there can be
 * @err: no memory
 */
struct logd_children *logd_children_new(uint32_t cpus, struct lkst_error *err)
{
	struct logd_children *children =
		calloc(1, sizeof(*children) + cpus * sizeof(*children->child));

	if (!children) {
		lkst_error_memory(err, "the children");
		return NULL;
	}
	children->cpus = cpus;
	for (uint32_t i = 0; i < cpus; i++)
		children->child[i].socket = -1;
	return children;
}

/**
 * logd_children_free() - no children any more
 * @children: may be NULL
 */
void logd_children_free(struct logd_children *children)
{
	free(children);
}

/**
 * logd_children_num() - how many there are
 * @children: children
 */
uint32_t logd_children_num(const struct logd_children *children)
{
	uint32_t num = 0;

	for (uint32_t i = 0; i < children->cpus; i++)
		num += children->child[i].pid != 0;
	return num;
}

/**
 * logd_children_any() - are there any?
 * @children: children
 */
bool logd_children_any(const struct logd_children *children)
{
	return logd_children_num(children) != 0;
}

/**
 * logd_children_has() - is there one for a CPU?
 * @children: children
 * @cpu: CPU
 */
bool logd_children_has(const struct logd_children *children, int32_t cpu)
{
	return children->child[cpu].pid != 0;
}

/**
 * logd_children_owes() - is what a CPU's child has begun without an end?
 * @children: children
 * @cpu: CPU
 *
 * So it is when it has ended without LOGD_STOP: another one has to write the rest.
 */
bool logd_children_owes(const struct logd_children *children, int32_t cpu)
{
	return children->child[cpu].owing;
}

/**
 * logd_children_owe_any() - does any?
 * @children: children
 */
bool logd_children_owe_any(const struct logd_children *children)
{
	for (uint32_t i = 0; i < children->cpus; i++)
		if (children->child[i].owing)
			return true;
	return false;
}

/**
 * logd_children_due() - may one be started for a CPU now?
 * @children: children
 * @cpu: CPU
 */
bool logd_children_due(const struct logd_children *children, int32_t cpu)
{
	return !children->child[cpu].pid && logd_now_ms() >= children->child[cpu].due;
}

/**
 * logd_become_child() - in a process that the parent has forked: signals are not for it
 * @on_term: but this one may be, SIGTERM, also if it came already; or SIG_IGN
 */
void logd_become_child(void (*on_term)(int))
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGUSR1, SIGUSR2, SIGQUIT };
	const struct sigaction term = { .sa_handler = on_term }; /* it interrupts what waits */
	sigset_t none;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigaction(SIGTERM, &term, NULL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	unsetenv("NOTIFY_SOCKET");
}

/* In the child: what is the parent's only. The parent ends it through its socket, not by signals. */
static void become_child(struct logd_children *children)
{
	logd_become_child(SIG_IGN);
	/* Else the others would not notice that the parent has ended. */
	for (uint32_t i = 0; i < children->cpus; i++)
		if (children->child[i].socket >= 0)
			close(children->child[i].socket);
	if (getpriority(PRIO_PROCESS, 0) > NICE)
		setpriority(PRIO_PROCESS, 0, NICE);
}

/**
 * logd_children_start() - start a child
 * @children: children
 * @args: what it is to do; its parent is set here
 * @err: why not
 */
int logd_children_start(struct logd_children *children, const struct logd_child_args *args,
			struct lkst_error *err)
{
	struct child *child = &children->child[args->cpu];
	struct logd_child_args own = *args;
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		lkst_error_system(err, errno, "child", "socketpair");
		return -1;
	}
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		lkst_error_system(err, errno, "child", "fork");
		close(pair[0]);
		close(pair[1]);
		return -1;
	}
	if (!pid) {
		close(pair[0]);
		become_child(children);
		own.parent = pair[1];
		_exit(logd_child(&own));
	}
	close(pair[1]);
	child->pid = pid;
	args->state->cpu[args->cpu].pid = (uint32_t)pid;
	child->socket = pair[0];
	child->ending = false;
	child->owing = true;
	child->started = logd_now_ms();
	child->silent = false;
	child->question = args->state->cpu[args->cpu].answer;
	return 0;
}

/**
 * logd_children_tell() - tell a child what to do
 * @children: children
 * @cpu: whose child, if there is one
 * @command: what
 * @serial: of the new file, for LOGD_NEW_FILE
 */
void logd_children_tell(struct logd_children *children, int32_t cpu, enum logd_command command,
			uint32_t serial)
{
	struct child *child = &children->child[cpu];
	struct logd_message message = {
		.command = command,
		.serial = serial,
		.question = child->question,
	};

	if (!child->pid || (child->ending && command != LOGD_CHECK))
		return;
	/* One that does not listen has ended, or hangs: then it is told again. */
	if (send(child->socket, &message, sizeof(message), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
	if (command != LOGD_STOP && command != LOGD_QUIT)
		return;
	child->ending = true;
	child->told = logd_now_ms();
	if (command == LOGD_STOP)
		child->owing = false;
}

/**
 * logd_children_tell_all() - tell all of them
 * @children: children
 * @command: what
 * @serial: of the new file, for LOGD_NEW_FILE
 */
void logd_children_tell_all(struct logd_children *children, enum logd_command command,
			    uint32_t serial)
{
	for (uint32_t i = 0; i < children->cpus; i++)
		logd_children_tell(children, (int32_t)i, command, serial);
}

static void kill_child(const struct child *child, uint32_t cpu)
{
	logd_report(LOG_ERR, "CPU %u: the process that writes (%ld) does not end: killed", cpu,
		    (long)child->pid);
	kill(child->pid, SIGKILL);
}

/* Returns whether the child does what it should. */
static bool ask(struct logd_children *children, uint32_t cpu, uint32_t answer)
{
	struct child *child = &children->child[cpu];

	if (answer == child->question) {
		if (child->silent)
			logd_report(LOG_NOTICE,
				    "CPU %u: the process that writes (%ld) answers again", cpu,
				    (long)child->pid);
		child->silent = false;
		child->question++;
		child->asked = child->told = logd_now_ms();
		logd_children_tell(children, (int32_t)cpu, LOGD_CHECK, 0);
		return true;
	}
	if (logd_now_ms() - child->asked < ANSWER_MS)
		return true;
	child->silent = true;
	if (child->ending && logd_now_ms() - child->told >= HANG_MS) {
		kill_child(child, cpu);
		child->told = logd_now_ms();
	}
	return false;
}

/**
 * logd_children_ask() - are all of them well?
 * @children: children
 * @state: has their answers, and gets their trouble
 *
 * To be called once in a while. One that does not answer hangs: logd_children_silent().
 */
bool logd_children_ask(struct logd_children *children, struct logd_state *state)
{
	bool well = true;

	for (uint32_t i = 0; i < children->cpus; i++) {
		if (!children->child[i].pid)
			continue;
		if (!ask(children, i, state->cpu[i].answer))
			well = false;
	}
	return well;
}

/**
 * logd_children_silent() - does the child of a CPU hang?
 * @children: children
 * @cpu: CPU
 */
bool logd_children_silent(const struct logd_children *children, int32_t cpu)
{
	return children->child[cpu].pid && children->child[cpu].silent;
}

static void ended(struct logd_children *children, uint32_t cpu, int status)
{
	struct child *child = &children->child[cpu];
	bool killed = WIFSIGNALED(status);
	int64_t now = logd_now_ms();

	if (killed)
		logd_report(LOG_ERR,
			    "CPU %u: the process that writes (%ld) was killed by signal %d", cpu,
			    (long)child->pid, WTERMSIG(status));
	if (now - child->started >= LIVED_MS || (child->ending && !status))
		child->backoff = 0;
	child->due = (child->ending && !killed) || !child->backoff ? now : now + child->backoff;
	child->backoff = child->backoff ? child->backoff * 2 : BACKOFF_MS;
	if (child->backoff > BACKOFF_MAX_MS)
		child->backoff = BACKOFF_MAX_MS;
	if (killed && !children->over)
		child->owing = true;
	close(child->socket);
	child->socket = -1;
	child->pid = 0;
}

/**
 * logd_children_reap() - see who has ended
 * @children: children
 */
void logd_children_reap(struct logd_children *children)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (uint32_t i = 0; i < children->cpus; i++)
			if (children->child[i].pid == pid)
				ended(children, i, status);
}

/**
 * logd_children_kill() - end those that do not end by themselves; no other one is to follow
 * @children: children
 */
void logd_children_kill(struct logd_children *children)
{
	children->over = true;
	for (uint32_t i = 0; i < children->cpus; i++) {
		children->child[i].owing = false;
		if (children->child[i].pid)
			kill_child(&children->child[i], i);
	}
}
