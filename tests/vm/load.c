// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps all CPUs recording: on each of them a process that puts marks between system calls and
 * context switches, until the time is over or SIGTERM comes. Then prints for each writer how many
 * marks it made: "writer=0 cpu=0 marks=4711".
 *
 *	load SECONDS [FIRST_WRITER [MARKS_PER_SECOND]]
 *
 * The writer on CPU n is number FIRST_WRITER + n (0). With MARKS_PER_SECOND it sleeps between the
 * marks, else it runs flat out.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>

#include "buffers.h"
#include "marks.h"

#define CALLS 20 /* system calls for each mark */

static volatile sig_atomic_t over;

static void on_signal(int signal)
{
	(void)signal;
	over = 1;
}

static void end_with_parent(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Each byte is answered by another process on the same CPU: two context switches. */
struct partner {
	int there[2], back[2];
};

static void start_partner(struct partner *partner)
{
	char byte;

	if (pipe(partner->there) || pipe(partner->back))
		bail_out("pipe");
	if (fork())
		return;
	end_with_parent();
	signal(SIGTERM, SIG_IGN);
	close(partner->there[1]);
	close(partner->back[0]);
	while (read(partner->there[0], &byte, 1) == 1 && write(partner->back[1], &byte, 1) == 1)
		;
	_exit(0);
}

static void ask_partner(const struct partner *partner)
{
	char byte = 0;

	if (write(partner->there[1], &byte, 1) != 1 || read(partner->back[0], &byte, 1) != 1)
		over = 1;
}

static void put_mark(unsigned int writer, uint64_t number)
{
	__u64 args[4];

	mark_fill(args, writer, number);
	if (mark(args[0], args[1], args[2], args[3]))
		bail_out("ENTRY_LOG");
}

static uint64_t work(unsigned int writer, unsigned int rate)
{
	struct partner partner;
	uint64_t number = 0;
	int i;

	start_partner(&partner);
	while (!over) {
		put_mark(writer, ++number);
		for (i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
		ask_partner(&partner);
		if (rate)
			usleep(1000000 / rate);
	}
	return number;
}

static void start_writer(int cpu, unsigned int writer, unsigned int rate)
{
	uint64_t marks;

	if (fork())
		return;
	end_with_parent();
	pin(cpu);
	marks = work(writer, rate);
	printf("writer=%u cpu=%d marks=%llu\n", writer, cpu, (ull)marks);
	fflush(stdout);
	_exit(0);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	unsigned int first = argc > 2 ? atoi(argv[2]) : 0, rate = argc > 3 ? atoi(argv[3]) : 0;
	int cpu, cpus = get_nprocs();

	if (argc < 2 || first + cpus > MARK_WRITERS) {
		fprintf(stderr, "usage: load SECONDS [FIRST_WRITER [MARKS_PER_SECOND]]\n");
		return 2;
	}
	/* A process group of its own, for the signal that ends the writers. */
	setpgid(0, 0);
	open_lkst();
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	for (cpu = 0; cpu < cpus; cpu++)
		start_writer(cpu, first + cpu, rate);
	alarm(atoi(argv[1]));
	while (!over)
		sleep_ms(50);
	/* The partners do not mind; the writers end between two marks. */
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}
