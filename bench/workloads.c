// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads of bench/masked, in a VM whose TSC is the number of instructions that the VM has
 * executed.
 *
 *	workloads		prints a line for each workload: its name, and how many instructions
 *				an iteration takes, as the minimum and as the mean of all samples
 *	workloads locks		prints a line for each workload and type of lock event: the workload,
 *				the type, and the median number of such events in an iteration
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
 * A sample is short compared with the timer interval, so that most samples contain no interrupt.
 * The minimum is the cost of an iteration alone. The mean includes all other work of the kernel.
 */
struct workload {
	const char *name;
	unsigned int iterations;
	void (*run)(unsigned int iterations);
};

/*
 * In each iteration, touches a page that is not populated yet. Freeing the pages is part of the
 * workload.
 */
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

/*
 * Runs four samples to warm up, and then @num samples. Stores in @samples how much the result of
 * @counter grew during each of these @num samples, and sorts the values.
 */
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

/* Returns the number of records so far. The maskset records only the type that is counted. */
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

/* Runs "workloads locks". Does not count the locks that reading the number of records takes. */
static void count_locks(void)
{
	static const struct workload nothing = { "nothing", 0, run_nothing };
	unsigned int i, j;

	open_lkst();
	for (i = 0; i < LOCK_TYPES; i++) {
		struct mask mask = { lock_types[i].etype, LKST_EVHANDLER_ID_ENTRY_LOG };
		uint64_t own;

		need(write_maskset(LAST_SET, "bench", &mask, 1), "MASKSET_WRITE");
		need(set_maskset(LAST_SET), "MASKSET_SET");
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
