// SPDX-License-Identifier: GPL-2.0
/*
 * Runs in the VM: runs COMMAND, and sends its output and exit status to the host.
 *
 *   guest-run PORT ARGV-FILE
 *
 * ARGV-FILE contains COMMAND and its arguments, each terminated by a NUL. If the file is empty,
 * guest-run runs a shell on the terminal /dev/hvc0. COMMAND writes to pipes and not to the port,
 * because COMMAND may open /dev/stdout again, and a port can be opened only once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frame.h"

#define ACK_WAIT_MS 60000

static int port;

static void die(const char *msg)
{
	fprintf(stderr, "guest-run: %s: %s\n", msg, strerror(errno));
	exit(1);
}

static void write_all(int fd, const void *data, size_t size)
{
	const char *p = data;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("write to the host");
		p += n;
		size -= n;
	}
}

static void send_frame(enum frame_type type, const void *data, size_t size)
{
	static char buf[sizeof(struct frame) + FRAME_DATA_MAX];
	struct frame header = { .type = type, .size = size };

	memcpy(buf, &header, sizeof(header));
	if (size)
		memcpy(buf + sizeof(header), data, size);
	write_all(port, buf, sizeof(header) + size);
}

/* Reads ARGV-FILE. Returns the argument vector, which is empty if the file is empty. */
static char **read_argv(const char *path)
{
	struct stat st;
	size_t argc = 0;
	char **argv, *text, *p;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) < 0)
		die(path);
	text = malloc(st.st_size + 1);
	argv = calloc(st.st_size + 1, sizeof(*argv));
	if (!text || !argv)
		die("memory");
	if (read(fd, text, st.st_size) != st.st_size)
		die(path);
	close(fd);
	for (p = text; p < text + st.st_size; p += strlen(p) + 1)
		argv[argc++] = p;
	return argv;
}

static _Noreturn void exec_command(char **argv)
{
	execvp(argv[0], argv);
	fprintf(stderr, "lkst-vm: %s: %s in the VM\n", argv[0],
		errno == ENOENT ? "not found" : strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static pid_t start_shell(void)
{
	char *argv[] = { "-", NULL }; /* a login shell */
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	setsid();
	fd = open("/dev/hvc0", O_RDWR);
	if (fd < 0)
		die("/dev/hvc0");
	ioctl(fd, TIOCSCTTY, 1);
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
	if (fd > 2)
		close(fd);
	execv("/bin/bash", argv);
	execv("/bin/sh", argv);
	die("/bin/sh");
	return -1;
}

static pid_t start_command(char **argv, int out[2], int err[2])
{
	pid_t pid = fork();
	int null;

	if (pid)
		return pid;
	/* Leave process group 0, the group of kernel threads, as init does for its programs. */
	setsid();
	null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	dup2(out[1], 1);
	dup2(err[1], 2);
	close(null);
	exec_command(argv);
}

/*
 * Reads the available data from fd, at most max bytes, and sends it to the host. Returns the number
 * of bytes, 0 at the end of the stream, or -1 if no data is available.
 */
static ssize_t relay(int fd, enum frame_type type, size_t max)
{
	static char buf[FRAME_DATA_MAX];
	ssize_t n = read(fd, buf, max < sizeof(buf) ? max : sizeof(buf));

	if (n > 0)
		send_frame(type, buf, n);
	return n;
}

/*
 * Sends the data that is in the pipe when COMMAND has exited. Does not send data that a surviving
 * child of COMMAND writes later.
 */
static void relay_rest(int fd, enum frame_type type)
{
	ssize_t n;
	int left;

	if (ioctl(fd, FIONREAD, &left) < 0)
		return;
	for (; left > 0; left -= n) {
		n = relay(fd, type, left);
		if (n <= 0)
			return;
	}
}

/*
 * Reports to the host that the guest is ready. The host answers with the number of this boot,
 * which COMMAND gets in LKST_VM_BOOT.
 */
static void send_ready(void)
{
	unsigned char boot;
	char text[4];

	send_frame(FRAME_READY, NULL, 0);
	while (read(port, &boot, 1) != 1)
		if (errno != EINTR)
			die("read from the host");
	snprintf(text, sizeof(text), "%u", boot);
	setenv("LKST_VM_BOOT", text, 1);
}

static void ignore(int sig)
{
	(void)sig;
}

/*
 * Relays COMMAND's output until it exits, and returns its wait status. SIGCHLD interrupts the wait
 * for output.
 */
static int relay_until_exit(pid_t pid, int out, int err)
{
	struct pollfd fds[2] = { { .fd = out, .events = POLLIN }, { .fd = err, .events = POLLIN } };
	static const enum frame_type type[2] = { FRAME_STDOUT, FRAME_STDERR };
	sigset_t chld, old;
	int status, i, n;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, &old);
	while (waitpid(pid, &status, WNOHANG) != pid) {
		n = ppoll(fds, 2, NULL, &old);
		if (n < 0 && errno != EINTR)
			die("poll");
		for (i = 0; n > 0 && i < 2; i++)
			if (fds[i].revents && !relay(fds[i].fd, type[i], FRAME_DATA_MAX))
				fds[i].fd = -1;
	}
	relay_rest(out, FRAME_STDOUT);
	relay_rest(err, FRAME_STDERR);
	return status;
}

static void make_pipe(int fds[2])
{
	if (pipe2(fds, O_CLOEXEC) < 0)
		die("pipe");
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
}

static void send_exit(int status)
{
	unsigned char code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	struct pollfd ack = { .events = POLLIN };

	sync();
	send_frame(FRAME_EXIT, &code, 1);
	ack.fd = port;
	poll(&ack, 1, ACK_WAIT_MS);
}

int main(int argc, char **argv)
{
	struct sigaction on_child = { .sa_handler = ignore };
	int out[2], err[2], status;
	char **command;
	pid_t pid;

	if (argc != 3) {
		fputs("usage: guest-run PORT ARGV-FILE\n", stderr);
		return 1;
	}
	port = open(argv[1], O_RDWR | O_CLOEXEC);
	if (port < 0)
		die(argv[1]);
	command = read_argv(argv[2]);
	sigaction(SIGCHLD, &on_child, NULL);
	send_ready();
	if (!command[0]) {
		pid = start_shell();
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	} else {
		make_pipe(out);
		make_pipe(err);
		pid = start_command(command, out, err);
		close(out[1]);
		close(err[1]);
		status = relay_until_exit(pid, out[0], err[0]);
	}
	send_exit(status);
	return 0;
}
