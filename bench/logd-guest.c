// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/logd, runs in the VM.
 *
 *	logd-guest recids	prints the number of events that all CPUs have recorded so far
 *	logd-guest cpu PID...	prints the CPU time of these processes in ns, which is the number of
 *				instructions if the clock of the VM counts instructions
 *	logd-guest read FILE	reads the records of all CPUs in blocks, as the daemon does. Prints the
 *				number of records, and the time for reading them in ns. Writes the
 *				records to FILE
 */
#include <sys/sysinfo.h>

#include "blocks.h"

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

static FILE *out;

static void keep(struct blocks *blocks, const struct lkst_block *header, uint64_t recid,
		 const struct lkst_event_record *record)
{
	(void)blocks;
	(void)header;
	(void)recid;
	if (fwrite(record, sizeof(*record), 1, out) != 1)
		bail_out("the records");
}

/* Runs "logd-guest read". Measures only the read() calls, not the processing of the records. */
static int print_read(const char *path)
{
	static uint64_t area[READ_SIZE / sizeof(uint64_t)];
	uint64_t used = 0, begin, records = 0;
	struct blocks blocks;
	long got, left;
	int cpu;

	out = fopen(path, "w");
	if (!out)
		bail_out(path);
	memset(area, 1, sizeof(area));
	blocks_open(&blocks, -1);
	blocks.record = keep;
	need(blocks_flush(&blocks), "BLOCK_FLUSH");
	for (;;) {
		const char *block = (const char *)area;

		begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		got = read(blocks.fd, area, sizeof(area));
		used += clock_ns(CLOCK_PROCESS_CPUTIME_ID) - begin;
		if (got <= 0)
			break;
		for (left = got; left > 0; block += got, left -= got) {
			got = blocks_check(&blocks, (const void *)block, left);
			if (!got)
				bail_out(blocks.wrongs.why);
		}
	}
	for (cpu = 0; cpu < BLOCKS_CPUS; cpu++)
		records += blocks.cpu[cpu].read;
	if (fclose(out))
		bail_out(path);
	printf("%llu %llu\n", (ull)records, (ull)used);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "recids"))
		return print_recids();
	if (argc > 2 && !strcmp(argv[1], "cpu"))
		return print_cpu(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "read"))
		return print_read(argv[2]);
	fprintf(stderr, "usage: logd-guest recids | cpu PID... | read FILE\n");
	return 2;
}
