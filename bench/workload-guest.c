// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/workload and bench/services, runs in the VM, where the TSC counts instructions.
 *
 *	workload-guest TABLE ROUNDS ROOT COMMAND...
 *			runs COMMAND in the directory tree ROOT without a tracer ("off"), with LKST
 *			and the events that ftrace also has ("same"), with ftrace and the same
 *			events, and with LKST's masksets default and all. Prints a line for each
 *			run: round, tracer, instructions, recorded events. Round 0 warms the caches
 *	workload-guest tcp MB
 *			sends MB megabytes to another process through a TCP connection over loopback
 */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <x86intrin.h>

#include "same-events.h"

#define SAME	  3 /* id of a maskset: the default one, without event types that ftrace lacks */
#define GRID_NS	  100000000ull
#define IDLE_NS	  200000000ull
#define TCP_CHUNK 16384

/* Tracers */

static uint64_t none_recorded(void)
{
	return 0;
}

static void nothing(void)
{
}

static void lkst_off(void)
{
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

static void lkst_on(void)
{
	need(set_maskset(SAME), "MASKSET_SET");
}

static void lkst_default_on(void)
{
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
}

static void lkst_all_on(void)
{
	need(set_maskset(LKST_MASKSET_ID_RALL), "MASKSET_SET");
}

static const struct tracer {
	const char *name;
	void (*on)(void);
	void (*off)(void);
	uint64_t (*recorded)(void);
} tracers[] = {
	{ "off", nothing, nothing, none_recorded },
	{ "same", lkst_on, lkst_off, lkst_recorded },
	{ "ftrace", ftrace_on, ftrace_off, ftrace_recorded },
	{ "default", lkst_default_on, lkst_off, lkst_recorded },
	{ "all", lkst_all_on, lkst_off, lkst_recorded },
};

#define TRACERS (sizeof(tracers) / sizeof(tracers[0]))

/*
 * Waits for the background work of the previous run to finish. Returns at a multiple of GRID_NS, so
 * that each run starts at the same time relative to timer interrupts.
 */
static void wait_for_idle(void)
{
	struct timespec time;
	uint64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &time);
	ns = time.tv_sec * 1000000000ull + time.tv_nsec + IDLE_NS;
	ns += GRID_NS - ns % GRID_NS;
	time = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void run(const char *root, char **command)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		bail_out("fork");
	if (!pid) {
		if (chroot(root) || chdir("/"))
			bail_out(root);
		execv(command[0], command);
		bail_out(command[0]);
	}
	if (waitpid(pid, &status, 0) != pid)
		bail_out("waitpid");
	if (status) {
		fprintf(stderr, "%s: status %#x\n", command[0], status);
		exit(1);
	}
}

static void measure(unsigned int round, const struct tracer *tracer, const char *root,
		    char **command)
{
	uint64_t begin, recorded;

	tracer->on();
	wait_for_idle();
	recorded = tracer->recorded();
	begin = __rdtsc();
	run(root, command);
	begin = __rdtsc() - begin;
	recorded = tracer->recorded() - recorded;
	tracer->off();
	printf("%u %s %llu %llu\n", round, tracer->name, (ull)begin, (ull)recorded);
	fflush(stdout);
}

static void measure_all(unsigned int rounds, const char *root, char **command)
{
	unsigned int round, i;

	for (round = 0; round <= rounds; round++)
		for (i = 0; i < TRACERS; i++)
			measure(round, &tracers[(i + round) % TRACERS], root, command);
}

/*
 * Loopback TCP under SCHED_BATCH: a woken process does not preempt the running one, so each side
 * runs until it blocks. With preemption, the number of context switches would depend on timing.
 */

static void receive(int socket)
{
	char buffer[TCP_CHUNK];

	while (read(socket, buffer, sizeof(buffer)) > 0)
		;
	_exit(0);
}

static int tcp(unsigned int mb)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int listener = socket(AF_INET, SOCK_STREAM, 0), sender = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t length = sizeof(address);
	char buffer[TCP_CHUNK] = {};
	uint64_t left = (uint64_t)mb << 20;
	struct sched_param param = {};

	if (sched_setscheduler(0, SCHED_BATCH, &param))
		bail_out("SCHED_BATCH");
	if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&address, &length))
		bail_out("listen");
	if (!fork()) {
		close(sender);
		receive(accept(listener, NULL, NULL));
	}
	if (connect(sender, (struct sockaddr *)&address, length))
		bail_out("connect");
	for (; left; left -= sizeof(buffer))
		if (write(sender, buffer, sizeof(buffer)) != sizeof(buffer))
			bail_out("write");
	close(sender);
	wait(NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "tcp"))
		return tcp(atoi(argv[2]));
	if (argc < 5) {
		fprintf(stderr, "usage: workload-guest TABLE ROUNDS ROOT COMMAND... | tcp MB\n");
		return 2;
	}
	same_events_open(argv[1]);
	same_events_maskset(SAME, LKST_MASKSET_ID_RNOTHING, LKST_MASKSET_ID_RDEFAULT);
	measure_all(atoi(argv[2]), argv[3], argv + 4);
	return 0;
}
