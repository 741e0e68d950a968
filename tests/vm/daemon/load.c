// SPDX-License-Identifier: GPL-2.0
/*
 * Generates events on all CPUs. On each CPU a process, the writer, records marks between system
 * calls and context switches, until SECONDS have passed or SIGTERM arrives. Then it prints how many
 * marks it has recorded: "writer=0 cpu=0 marks=4711".
 *
 *	load SECONDS [FIRST_WRITER [MARKS_PER_SECOND]]
 *
 * The writer on CPU n has the number FIRST_WRITER + n; the default of FIRST_WRITER is 0. With
 * MARKS_PER_SECOND the writers sleep between the marks, otherwise they run as fast as they can.
 */
#include <sys/syscall.h>
#include <sys/sysinfo.h>

#include "marks.h"
#include "processes.h"

#define CALLS  20 /* number of system calls for each mark */
#define NAP_MS 50

static volatile sig_atomic_t over;

static void on_signal(int signal)
{
	(void)signal;
	over = 1;
}

/*
 * Pipes to and from a partner, a process on the same CPU that answers each byte. An answer takes
 * two context switches.
 */
struct partner {
	int ping[2], pong[2];
};

static void answer(const struct partner *partner)
{
	char byte;

	signal(SIGTERM, SIG_IGN);
	close(partner->ping[1]);
	close(partner->pong[0]);
	while (read(partner->ping[0], &byte, 1) == 1 && write(partner->pong[1], &byte, 1) == 1)
		;
}

static void ping_partner(const struct partner *partner)
{
	char byte = 0;

	if (write(partner->ping[1], &byte, 1) != 1 || read(partner->pong[0], &byte, 1) != 1)
		over = 1;
}

static uint64_t work(unsigned int writer, unsigned int rate)
{
	struct partner partner;
	uint64_t number = 0;
	__u64 args[4];

	bail_if(pipe(partner.ping) || pipe(partner.pong), "pipe");
	spawn(answer(&partner));
	while (!over) {
		mark_fill(args, writer, ++number);
		bail_if(mark(args[0], args[1], args[2], args[3]), "ENTRY_LOG");
		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		ping_partner(&partner);
		if (rate)
			usleep(1000000 / rate);
	}
	return number;
}

static void run_writer(int cpu, unsigned int writer, unsigned int rate)
{
	uint64_t marks;

	pin(cpu);
	marks = work(writer, rate);
	printf("writer=%u cpu=%d marks=%llu\n", writer, cpu, (ull)marks);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	unsigned int first = argc > 2 ? atoi(argv[2]) : 0, rate = argc > 3 ? atoi(argv[3]) : 0;
	int cpus = get_nprocs();

	if (argc < 2 || first + cpus > MARK_WRITERS) {
		fprintf(stderr, "usage: load SECONDS [FIRST_WRITER [MARKS_PER_SECOND]]\n");
		return 2;
	}
	/* Create a process group, so that one signal ends all writers. */
	setpgid(0, 0);
	open_lkst();
	sigaction(SIGTERM, &action, NULL);
	for (int cpu = 0; cpu < cpus; cpu++)
		spawn(run_writer(cpu, first + cpu, rate));
	/* Count short sleeps, so that a pause of the emulated CPUs does not end the load early. */
	for (int naps = atoi(argv[1]) * (1000 / NAP_MS); naps > 0 && !over; naps--)
		sleep_ms(NAP_MS);
	/* The partners ignore SIGTERM. The writers exit after the current mark. */
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}
