// SPDX-License-Identifier: GPL-2.0
/*
 * What bench/masked measures, in a VM whose time counts instructions: there the TSC is the number
 * of instructions that the machine has executed. Prints a line for each workload: its name, and
 * the instructions of an iteration, the least and the mean of all samples.
 *
 *	workloads		measure
 *	workloads locks		for each type of lock event a line: the workload, the type, and how
 *				many of them an iteration causes, by the median
 */
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/sem.h>

#include "buffers.h"
#include "loads.h"

#define SAMPLES	     1001
#define LOCK_SAMPLES 101
#define PAGE	     4096

/*
 * A sample is short beside the time from one timer interrupt to the next, so that most have none:
 * in the least is only what an iteration always takes, in the mean all that the kernel does.
 */
struct workload {
	const char *name;
	unsigned int iterations;
	void (*run)(unsigned int iterations);
};

/* Each touches a page that is not there. Giving them back is in it, too. */
static void run_fault(unsigned int iterations)
{
	static char *area;
	unsigned int i;

	if (!area)
		area = mmap(NULL, (size_t)iterations * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		bail_out("mmap");
	for (i = 0; i < iterations; i++)
		*(volatile char *)(area + (size_t)i * PAGE) = 1;
	if (madvise(area, (size_t)iterations * PAGE, MADV_DONTNEED))
		bail_out("madvise");
}

static int semaphore;

static void semop_begin(void)
{
	semaphore = semget(IPC_PRIVATE, 1, 0600);
	if (semaphore < 0)
		bail_out("semget");
}

static void run_semop(unsigned int iterations)
{
	struct sembuf up_down[] = { { .sem_op = 1 }, { .sem_op = -1 } };

	while (iterations--)
		if (semop(semaphore, up_down, 2))
			bail_out("semop");
}

static const struct workload workloads[] = {
	{ "getppid", 1000, run_getppid },
	{ "pingpong", 64, run_pingpong },
	{ "fault", 64, run_fault },
	{ "semop", 256, run_semop },
};

#define WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

static int compare(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/* What @counter counts during each of @num samples, in ascending order. The first ones warm up. */
static void sample(const struct workload *workload, uint64_t (*counter)(void), uint64_t *samples,
		   unsigned int num)
{
	uint64_t before;
	unsigned int i;

	for (i = 0; i < 4; i++)
		workload->run(workload->iterations);
	for (i = 0; i < num; i++) {
		before = counter();
		workload->run(workload->iterations);
		samples[i] = counter() - before;
	}
	qsort(samples, num, sizeof(samples[0]), compare);
}

static void measure(const struct workload *workload)
{
	double each = workload->iterations;
	uint64_t samples[SAMPLES], sum = 0;
	unsigned int i;

	sample(workload, instructions, samples, SAMPLES);
	for (i = 0; i < SAMPLES; i++)
		sum += samples[i];
	printf("%s %.3f %.3f\n", workload->name, samples[0] / each, sum / each / SAMPLES);
}

/* Records of one type, which are all that the maskset lets through. */
static uint64_t records(void)
{
	return cpu_recid(0);
}

static const struct {
	int etype;
	const char *name;
} lock_types[] = {
	{ 0x080, "spin_lock" },	   { 0x081, "spin_trylock" }, { 0x082, "spin_unlock" },
	{ 0x083, "read_lock" },	   { 0x084, "read_unlock" },  { 0x085, "write_lock" },
	{ 0x086, "write_unlock" },
};

#define LOCK_TYPES (sizeof(lock_types) / sizeof(lock_types[0]))

static void run_nothing(unsigned int iterations)
{
	(void)iterations;
}

static uint64_t median_records(const struct workload *workload)
{
	uint64_t samples[LOCK_SAMPLES];

	sample(workload, records, samples, LOCK_SAMPLES);
	return samples[LOCK_SAMPLES / 2];
}

/* Asking for the number takes locks, too. */
static void count_locks(void)
{
	static const struct workload nothing = { "nothing", 0, run_nothing };
	unsigned int i, j;

	open_lkst();
	for (i = 0; i < LOCK_TYPES; i++) {
		struct mask mask = { lock_types[i].etype, LKST_EVHANDLER_ID_ENTRY_LOG };
		uint64_t own;

		need(write_maskset(LKST_MASKSET_ID_MAX, "bench", &mask, 1), "MASKSET_WRITE");
		need(set_maskset(LKST_MASKSET_ID_MAX), "MASKSET_SET");
		own = median_records(&nothing);
		for (j = 0; j < WORKLOADS; j++)
			printf("%s %s %.3f\n", workloads[j].name, lock_types[i].name,
			       (double)(median_records(&workloads[j]) - own) /
				       workloads[j].iterations);
		need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	}
}

int main(int argc, char **argv)
{
	unsigned int i;

	pingpong_begin();
	semop_begin();
	if (argc > 1 && !strcmp(argv[1], "locks")) {
		count_locks();
	} else {
		for (i = 0; i < WORKLOADS; i++)
			measure(&workloads[i]);
	}
	semctl(semaphore, 0, IPC_RMID);
	return 0;
}
