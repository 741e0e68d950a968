// SPDX-License-Identifier: GPL-2.0
/*
 * On the host: runs QEMU, passes on what guest-run sends, and sees to it that the VM ends.
 *
 *   host-run VERDICT CONSOLE QEMU-ERRORS BOOT-LIMIT LIMIT QEMU [ARG...]
 *
 * QEMU finds its end of the channel as file descriptor 3. CONSOLE is the file with the guest
 * kernel's messages, watched for a panic. Limits are seconds, 0 for none. How it went is written
 * to VERDICT: "exit N", "panic", "time-limit", "no-boot", "stopped", "signal N", "qemu N".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frame.h"

#define QEMU_FD	   3
#define TICK_MS	   250 /* how often the console is looked at */
#define POWEROFF_S 10 /* what the guest gets to power off after FRAME_EXIT */
#define TERM_S	   3 /* what QEMU gets to end after SIGTERM */

static const char panic_end[] = "---[ end Kernel panic";

struct vm {
	pid_t qemu;
	int channel; /* to guest-run; -1 once QEMU has closed it */
	int console; /* -1 until QEMU has made the file */
	const char *console_path;
	size_t panic_matched; /* bytes of panic_end seen at the end of the console so far */
	int ready;
	int exited; /* FRAME_EXIT came */
	int status; /* COMMAND's, valid with exited */
	char buf[sizeof(struct frame) + FRAME_DATA_MAX];
	size_t fill;
};

static void die(const char *what)
{
	fprintf(stderr, "lkst-vm: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void write_all(int fd, const char *p, size_t size)
{
	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("output");
		p += n;
		size -= n;
	}
}

static void handle_frame(struct vm *vm, const struct frame *head, const char *data)
{
	switch (head->type) {
	case FRAME_READY:
		vm->ready = 1;
		break;
	case FRAME_STDOUT:
		write_all(STDOUT_FILENO, data, head->size);
		break;
	case FRAME_STDERR:
		write_all(STDERR_FILENO, data, head->size);
		break;
	case FRAME_EXIT:
		vm->exited = 1;
		vm->status = (unsigned char)data[0];
		if (send(vm->channel, "\n", 1, MSG_NOSIGNAL) < 0)
			perror("lkst-vm: telling the guest that its output has arrived");
		break;
	default:
		fprintf(stderr, "lkst-vm: frame of unknown type %#x from the guest\n", head->type);
		exit(1);
	}
}

static void read_channel(struct vm *vm)
{
	size_t done = 0;
	ssize_t n = read(vm->channel, vm->buf + vm->fill, sizeof(vm->buf) - vm->fill);

	if (n <= 0) {
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			return;
		close(vm->channel);
		vm->channel = -1;
		return;
	}
	vm->fill += n;
	while (vm->fill - done >= sizeof(struct frame)) {
		struct frame head;

		memcpy(&head, vm->buf + done, sizeof(head));
		if (head.size > FRAME_DATA_MAX) {
			fputs("lkst-vm: frame too long from the guest\n", stderr);
			exit(1);
		}
		if (vm->fill - done < sizeof(head) + head.size)
			break;
		handle_frame(vm, &head, vm->buf + done + sizeof(head));
		done += sizeof(head) + head.size;
	}
	vm->fill -= done;
	memmove(vm->buf, vm->buf + done, vm->fill);
}

/*
 * Does the console, since the last look, say that a panic is over? A kernel that is told not to
 * reboot stays there.
 */
static int console_shows_panic(struct vm *vm)
{
	char buf[4096];
	ssize_t n, i;

	if (vm->console < 0)
		vm->console = open(vm->console_path, O_RDONLY | O_CLOEXEC);
	while (vm->console >= 0 && (n = read(vm->console, buf, sizeof(buf))) > 0) {
		for (i = 0; i < n; i++) {
			if (buf[i] != panic_end[vm->panic_matched])
				vm->panic_matched = buf[i] == panic_end[0];
			else if (!panic_end[++vm->panic_matched])
				return 1;
		}
	}
	return 0;
}

static void start_qemu(struct vm *vm, const char *errors, char **argv, const sigset_t *sigmask)
{
	int pair[2], err = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (err < 0)
		die(errors);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		die("socketpair");
	vm->channel = pair[0];
	vm->qemu = fork();
	if (vm->qemu < 0)
		die("fork");
	if (vm->qemu) {
		close(pair[1]);
		close(err);
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pair[1] == QEMU_FD)
		fcntl(QEMU_FD, F_SETFD, 0);
	else
		dup2(pair[1], QEMU_FD);
	dup2(err, STDERR_FILENO);
	sigprocmask(SIG_SETMASK, sigmask, NULL);
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Ends QEMU if it still runs. Returns its wait status. */
static int stop_qemu(struct vm *vm)
{
	double patience = now() + TERM_S;
	int status;

	kill(vm->qemu, SIGTERM);
	while (waitpid(vm->qemu, &status, WNOHANG) == 0) {
		if (now() > patience)
			kill(vm->qemu, SIGKILL);
		poll(NULL, 0, 20);
	}
	return status;
}

/* Returns a signal that asks us to end, or 0. */
static int read_signal(int sigfd, struct vm *vm, int *qemu_status, int *qemu_ended)
{
	struct signalfd_siginfo info;

	if (read(sigfd, &info, sizeof(info)) != sizeof(info))
		return 0;
	if (info.ssi_signo != SIGCHLD)
		return info.ssi_signo;
	if (waitpid(vm->qemu, qemu_status, WNOHANG) == vm->qemu)
		*qemu_ended = 1;
	return 0;
}

static void supervise(struct vm *vm, int sigfd, FILE *verdict, double boot_limit, double limit)
{
	double start = now(), exit_seen = 0;
	int qemu_status = 0, qemu_ended = 0, sig = 0;

	while (!qemu_ended) {
		struct pollfd fds[2] = { { .fd = sigfd, .events = POLLIN },
					 { .fd = vm->channel, .events = POLLIN } };
		const char *why = NULL;

		poll(fds, 2, TICK_MS);
		if (fds[1].revents)
			read_channel(vm);
		if (fds[0].revents)
			sig = read_signal(sigfd, vm, &qemu_status, &qemu_ended);
		if (qemu_ended)
			break;
		if (vm->exited && !exit_seen)
			exit_seen = now();
		if (sig) {
			stop_qemu(vm);
			fprintf(verdict, "signal %d\n", sig);
			return;
		}
		if (vm->exited) {
			if (now() - exit_seen < POWEROFF_S)
				continue;
			stop_qemu(vm);
			break;
		}
		if (console_shows_panic(vm))
			why = "panic";
		else if (!vm->ready && boot_limit > 0 && now() - start > boot_limit)
			why = "no-boot";
		else if (limit > 0 && now() - start > limit)
			why = vm->ready ? "time-limit" : "no-boot";
		if (why) {
			stop_qemu(vm);
			fprintf(verdict, "%s\n", why);
			return;
		}
	}
	while (vm->channel >= 0)
		read_channel(vm);
	if (vm->exited)
		fprintf(verdict, "exit %d\n", vm->status);
	else if (qemu_ended && WIFEXITED(qemu_status) && WEXITSTATUS(qemu_status))
		fprintf(verdict, "qemu %d\n", WEXITSTATUS(qemu_status));
	else if (qemu_ended && WIFSIGNALED(qemu_status))
		fprintf(verdict, "qemu %d\n", 128 + WTERMSIG(qemu_status));
	else
		fprintf(verdict, "%s\n", vm->ready ? "stopped" : "no-boot");
}

int main(int argc, char **argv)
{
	static const int ends_us[] = { SIGINT, SIGTERM, SIGHUP };
	static struct vm vm = { .console = -1 };
	sigset_t mask, old;
	FILE *verdict;
	size_t i;
	int sigfd;

	if (argc < 7) {
		fputs("usage: host-run VERDICT CONSOLE QEMU-ERRORS BOOT-LIMIT LIMIT QEMU [ARG...]\n",
		      stderr);
		return 1;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	verdict = fopen(argv[1], "we");
	if (!verdict)
		die(argv[1]);
	vm.console_path = argv[2];

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	/*
	 * The shell ignores SIGINT for a command in the background, and an ignored signal reaches
	 * no signalfd.
	 */
	for (i = 0; i < sizeof(ends_us) / sizeof(ends_us[0]); i++) {
		sigaddset(&mask, ends_us[i]);
		signal(ends_us[i], SIG_DFL);
	}
	sigprocmask(SIG_BLOCK, &mask, &old);
	sigfd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (sigfd < 0)
		die("signalfd");

	start_qemu(&vm, argv[3], argv + 6, &old);
	supervise(&vm, sigfd, verdict, atof(argv[4]), atof(argv[5]));
	return fclose(verdict) ? 1 : 0;
}
