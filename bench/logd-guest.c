// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/logd, inside the VM.
 *
 *	logd-guest recids	events recorded by all CPUs until now
 *	logd-guest cpu PID...	nanoseconds that these processes have had a CPU for; where a VM's time counts
 *				instructions, those
 *	logd-guest read CPU FILE
 *				binds to CPU and reads what is queued there, as a daemon would: prints
 *				records, and nanoseconds for reading them. Leaves them in FILE
 */
#include <sys/sysinfo.h>

#include "buffers.h"

#define READ_SIZE (1 << 20)

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	if (clock_gettime(clock, &time))
		bail_out("clock_gettime");
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static int print_recids(void)
{
	uint64_t sum = 0;
	int cpu;

	open_lkst();
	for (cpu = 0; cpu < get_nprocs(); cpu++)
		sum += cpu_recid(cpu);
	printf("%llu\n", (ull)sum);
	return 0;
}

static int print_cpu(char **pid)
{
	uint64_t sum = 0;
	clockid_t clock;

	for (; *pid; pid++) {
		if (clock_getcpuclockid(atoi(*pid), &clock))
			bail_out(*pid);
		sum += clock_ns(clock);
	}
	printf("%llu\n", (ull)sum);
	return 0;
}

/* Nothing is done with the records between two calls, so that only the reading is measured. */
static int print_read(int cpu, const char *path)
{
	static char to[READ_SIZE];
	uint64_t used = 0, records = 0, begin;
	struct lkst_buffer_param other;
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ssize_t got;

	if (out < 0)
		bail_out(path);
	memset(to, 1, sizeof(to));
	open_lkst();
	need(set_mode(cpu, LKST_READ_MODE_RAW), "SETRMOD");
	need(create_as(&other, cpu, VOID, VOID, 1 << 20), "CREATE");
	need(jump(cpu, other.id), "JUMP");
	fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
	for (;;) {
		begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		got = read(lkst_fd, to, sizeof(to));
		used += clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin;
		if (got <= 0)
			break;
		records += got / RECORD_SIZE;
		if (write(out, to, got) != got)
			bail_out(path);
	}
	printf("%llu %llu\n", (ull)records, (ull)used);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "recids"))
		return print_recids();
	if (argc > 2 && !strcmp(argv[1], "cpu"))
		return print_cpu(argv + 2);
	if (argc == 4 && !strcmp(argv[1], "read"))
		return print_read(atoi(argv[2]), argv[3]);
	fprintf(stderr, "usage: logd-guest recids | cpu PID... | read CPU FILE\n");
	return 2;
}
