// SPDX-License-Identifier: GPL-2.0
/*
 * Runs on the host: runs QEMU, prints the output that guest-run sends, and terminates the VM.
 *
 *   host-run VERDICT CONSOLE QEMU-ERRORS BOOT-LIMIT LIMIT REBOOTS CPUS ON-HANG ON-DEATH QEMU [ARG...]
 *
 * QEMU gets its end of the channel as file descriptor 3, and its end of the QMP connection as 4.
 * CONSOLE is the file with the guest kernel's messages, which host-run checks for a panic. Limits
 * are in seconds; 0 means no limit. BOOT-LIMIT applies to the first boot. LIMIT starts at the end
 * of that boot, so that a slow boot does not shorten the time for COMMAND. After REBOOTS reboots,
 * the next reset ends the VM. ON-HANG and ON-DEATH are files with one QMP request in each line. The
 * requests of ON-HANG are sent at LIMIT, and the guest then has more time to panic. Those of
 * ON-DEATH are sent after a panic or at either limit, before QEMU is terminated. SIGALRM has the
 * same effect as reaching the current limit. At either limit, host-run prints the state of the CPUs
 * to standard error. It writes the result to VERDICT: "exit N", "panic", "time-limit", "no-boot",
 * "stopped", "signal N", "qemu N".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
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
#include "qmp.h"

#define CHANNEL_FD 3 /* descriptor in QEMU */
#define QMP_FD	   4 /* descriptor in QEMU */
#define TICK_MS	   250 /* interval for checking the console */
#define POWEROFF_S 10 /* time for the guest to power off after FRAME_EXIT */
#define TERM_S	   3 /* time for QEMU to exit after SIGTERM */
#define HANG_S	   120 /* time that a hanging guest gets to panic */
#define SAMPLES	   6 /* samples of each CPU's instruction pointer; in a loop, they differ */
#define SAMPLE_MS  50 /* time between two samples */
#define FLAG_IF	   0x200 /* x86: interrupts are enabled */
#define PSTATE_I   0x80	 /* arm64: interrupts are disabled */

static const char panic_end[] = "---[ end Kernel panic";

struct vm {
	pid_t qemu;
	int channel; /* to guest-run; -1 once QEMU has closed it */
	int console; /* -1 until QEMU has created the file */
	const char *console_path;
	size_t panic_matched; /* bytes of panic_end seen at the end of the console so far */
	struct qmp qmp;
	int cpus;
	unsigned int reboots; /* allowed boots after the first */
	bool last_boot; /* no more boots are allowed */
	unsigned int resets; /* resets so far */
	unsigned char boots; /* number of FRAME_READY so far */
	double ready; /* time of the first FRAME_READY, valid if boots is not 0 */
	int exited; /* FRAME_EXIT has been received */
	int status; /* exit status of COMMAND, valid if exited */
	char buf[sizeof(struct frame) + FRAME_DATA_MAX];
	size_t fill;
};

static void die(const char *msg)
{
	fprintf(stderr, "lkst-vm: %s: %s\n", msg, strerror(errno));
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

static void answer(struct vm *vm, char byte, const char *msg)
{
	if (send(vm->channel, &byte, 1, MSG_NOSIGNAL) < 0)
		fprintf(stderr, "lkst-vm: cannot send to the guest %s: %s\n", msg, strerror(errno));
}

static void handle_frame(struct vm *vm, const struct frame *header, const char *data)
{
	switch (header->type) {
	case FRAME_READY:
		if (!vm->boots++)
			vm->ready = now();
		answer(vm, vm->boots, "the number of the boot");
		break;
	case FRAME_STDOUT:
		write_all(STDOUT_FILENO, data, header->size);
		break;
	case FRAME_STDERR:
		write_all(STDERR_FILENO, data, header->size);
		break;
	case FRAME_EXIT:
		vm->exited = 1;
		vm->status = (unsigned char)data[0];
		answer(vm, '\n', "that the output has arrived");
		break;
	default:
		fprintf(stderr, "lkst-vm: frame of unknown type %#x from the guest\n",
			header->type);
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
		struct frame header;

		memcpy(&header, vm->buf + done, sizeof(header));
		if (header.size > FRAME_DATA_MAX) {
			fputs("lkst-vm: frame too long from the guest\n", stderr);
			exit(1);
		}
		if (vm->fill - done < sizeof(header) + header.size)
			break;
		handle_frame(vm, &header, vm->buf + done + sizeof(header));
		done += sizeof(header) + header.size;
	}
	vm->fill -= done;
	memmove(vm->buf, vm->buf + done, vm->fill);
}

/*
 * Whether the last line of a panic has appeared on the console since the last call. A kernel with
 * panic=0 does not continue after this line.
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

/*
 * Creates a connection for QEMU. The descriptors of both ends are greater than QMP_FD, so that
 * dup2() in the child does not overwrite them.
 */
static void make_pair(int pair[2])
{
	int i, fd;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		die("socketpair");
	for (i = 0; i < 2; i++) {
		fd = fcntl(pair[i], F_DUPFD_CLOEXEC, QMP_FD + 1);
		if (fd < 0)
			die("socketpair");
		close(pair[i]);
		pair[i] = fd;
	}
}

static void start_qemu(struct vm *vm, const char *errors, char **argv, const sigset_t *sigmask)
{
	int err = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int channel[2], qmp[2];

	if (err < 0)
		die(errors);
	make_pair(channel);
	make_pair(qmp);
	vm->channel = channel[0];
	vm->qmp.fd = qmp[0];
	vm->qemu = fork();
	if (vm->qemu < 0)
		die("fork");
	if (vm->qemu) {
		close(channel[1]);
		close(qmp[1]);
		close(err);
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(err, STDERR_FILENO);
	dup2(channel[1], CHANNEL_FD);
	dup2(qmp[1], QMP_FD);
	sigprocmask(SIG_SETMASK, sigmask, NULL);
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Sends the requests in a file. Returns their number. */
static int send_requests(struct vm *vm, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int num = 0;

	if (!file)
		die(path);
	while (getline(&line, &size, file) > 0) {
		qmp_request(&vm->qmp, line);
		num++;
	}
	free(line);
	fclose(file);
	return num;
}

/* Once the guest has started its last allowed boot, tells QEMU to exit at the next reset. */
static void check_boots(struct vm *vm)
{
	if (vm->last_boot || vm->boots <= vm->reboots)
		return;
	vm->last_boot = true;
	qmp_request(&vm->qmp, "{\"execute\": \"set-action\","
			      " \"arguments\": {\"reboot\": \"shutdown\"}}\n");
}

/* Discards the partial frame that a reset of the guest may have left in the buffer. */
static void handle_resets(struct vm *vm)
{
	struct pollfd fd = { .fd = vm->channel, .events = POLLIN };

	qmp_read(&vm->qmp);
	if (vm->resets == vm->qmp.resets)
		return;
	vm->resets = vm->qmp.resets;
	while (vm->channel >= 0 && poll(&fd, 1, 0) > 0)
		read_channel(vm);
	vm->fill = 0;
}

/* Terminates QEMU if it is still running. Returns its wait status. */
static int stop_qemu(struct vm *vm)
{
	double timeout = now() + TERM_S;
	int status;

	kill(vm->qemu, SIGTERM);
	while (waitpid(vm->qemu, &status, WNOHANG) == 0) {
		if (now() > timeout)
			kill(vm->qemu, SIGKILL);
		poll(NULL, 0, 20);
	}
	return status;
}

/*
 * Parses QEMU's "info registers" for a CPU of x86 or arm64. Sets *@address to the address of the
 * instruction that the CPU executes. Returns false if the text lacks the address or the interrupt
 * state.
 */
static bool where_cpu_is(const char *registers, unsigned long *address, bool *interrupts_on)
{
	const char *at = strstr(registers, "RIP=");
	unsigned long flags;

	if (at) {
		if (sscanf(at, "RIP=%lx RFL=%lx", address, &flags) != 2)
			return false;
		*interrupts_on = flags & FLAG_IF;
		return true;
	}
	at = strstr(registers, " PC=");
	if (!at || sscanf(at, " PC=%lx", address) != 1)
		return false;
	at = strstr(at, "PSTATE=");
	if (!at || sscanf(at, "PSTATE=%lx", &flags) != 1)
		return false;
	*interrupts_on = !(flags & PSTATE_I);
	return true;
}

/*
 * Prints the state of the CPUs of a guest that has reached a limit. Stops the guest for this,
 * because QEMU knows the registers of a CPU only while the CPU is stopped.
 */
static void print_cpus(struct vm *vm)
{
	unsigned long address;
	char request[160];
	bool interrupts_on;
	int cpu;

	if (qmp_request(&vm->qmp, "{\"execute\": \"stop\"}\n"))
		return;
	for (cpu = 0; cpu < vm->cpus; cpu++) {
		snprintf(request, sizeof(request),
			 "{\"execute\": \"human-monitor-command\", \"arguments\":"
			 " {\"command-line\": \"info registers\", \"cpu-index\": %d}}\n",
			 cpu);
		if (qmp_request(&vm->qmp, request))
			break;
		if (where_cpu_is(vm->qmp.answer, &address, &interrupts_on))
			fprintf(stderr, "lkst-vm: CPU %d is at %#lx%s%s\n", cpu, address,
				interrupts_on ? "" : ", interrupts off",
				strstr(vm->qmp.answer, "HLT=1") ? ", idle" : "");
	}
	qmp_request(&vm->qmp, "{\"execute\": \"cont\"}\n");
}

static void sample_cpus(struct vm *vm)
{
	int sample;

	for (sample = 0; sample < SAMPLES; sample++) {
		if (sample)
			poll(NULL, 0, SAMPLE_MS);
		print_cpus(vm);
	}
}

/*
 * Reads a signal. Returns the signal, or 0 for SIGCHLD. On SIGCHLD, reaps QEMU and sets
 * *@qemu_ended if QEMU has exited.
 */
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

struct options {
	double boot_limit;
	double limit;
	const char *on_hang;
	const char *on_death;
};

/* Returns the value of now() at which the guest exceeds its limit, or 0 if there is no limit. */
static double deadline(const struct vm *vm, double start, const struct options *options)
{
	double limit = vm->boots ? options->limit : options->boot_limit;

	return limit > 0 ? (vm->boots ? vm->ready : start) + limit : 0;
}

/* Returns the reason to terminate the guest, or NULL if none exists. */
static const char *end_reason(struct vm *vm, double end)
{
	if (console_shows_panic(vm))
		return "panic";
	if (end > 0 && now() > end)
		return vm->boots ? "time-limit" : "no-boot";
	return NULL;
}

static void supervise(struct vm *vm, int sigfd, FILE *verdict, const struct options *options)
{
	double start = now(), exit_seen = 0, alarm_at = 0, more = 0;
	int qemu_status = 0, qemu_ended = 0, sig = 0, hung = 0;

	qmp_request(&vm->qmp, "{\"execute\": \"qmp_capabilities\"}\n");
	while (!qemu_ended) {
		struct pollfd fds[3] = { { .fd = sigfd, .events = POLLIN },
					 { .fd = vm->channel, .events = POLLIN },
					 { .fd = vm->qmp.fd, .events = POLLIN } };
		const char *why;

		poll(fds, 3, TICK_MS);
		if (fds[1].revents)
			read_channel(vm);
		if (fds[2].revents)
			handle_resets(vm);
		check_boots(vm);
		if (fds[0].revents)
			sig = read_signal(sigfd, vm, &qemu_status, &qemu_ended);
		if (qemu_ended)
			break;
		if (vm->exited && !exit_seen)
			exit_seen = now();
		if (sig == SIGALRM && !hung) {
			alarm_at = now();
			sig = 0;
		}
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
		why = end_reason(vm, (alarm_at ?: deadline(vm, start, options)) + more);
		if (why && !strcmp(why, "time-limit") && !hung) {
			hung = 1;
			sample_cpus(vm);
			if (send_requests(vm, options->on_hang)) {
				more = HANG_S;
				why = NULL;
			}
		}
		if (why) {
			if (!strcmp(why, "no-boot"))
				sample_cpus(vm);
			send_requests(vm, options->on_death);
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
		fprintf(verdict, "%s\n", vm->boots ? "stopped" : "no-boot");
}

int main(int argc, char **argv)
{
	static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	static struct vm vm = { .console = -1 };
	struct options options;
	sigset_t mask, old;
	FILE *verdict;
	size_t i;
	int sigfd;

	if (argc < 11) {
		fputs("usage: host-run VERDICT CONSOLE QEMU-ERRORS BOOT-LIMIT LIMIT REBOOTS CPUS ON-HANG"
		      " ON-DEATH QEMU [ARG...]\n",
		      stderr);
		return 1;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	verdict = fopen(argv[1], "we");
	if (!verdict)
		die(argv[1]);
	vm.console_path = argv[2];
	vm.reboots = atoi(argv[6]);
	vm.cpus = atoi(argv[7]);
	options = (struct options){ .boot_limit = atof(argv[4]),
				    .limit = atof(argv[5]),
				    .on_hang = argv[8],
				    .on_death = argv[9] };

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	/*
	 * Restore the default actions: a shell starts a background command with SIGINT ignored, and
	 * a signalfd does not receive an ignored signal.
	 */
	for (i = 0; i < sizeof(end_signals) / sizeof(end_signals[0]); i++) {
		sigaddset(&mask, end_signals[i]);
		signal(end_signals[i], SIG_DFL);
	}
	sigprocmask(SIG_BLOCK, &mask, &old);
	sigfd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (sigfd < 0)
		die("signalfd");

	start_qemu(&vm, argv[3], argv + 10, &old);
	supervise(&vm, sigfd, verdict, &options);
	return fclose(verdict) ? 1 : 0;
}
