// SPDX-License-Identifier: GPL-2.0
/*
 * Soaks the history, for tests/host/history_soak.t: "history soak SECONDS SEED PAGE". Processes on
 * all CPUs record numbered marks and load the machine, memory becomes short, and CPU 1 goes offline
 * and comes online, at random times.
 *
 * Meanwhile this program reads the history as it grows. It checks each chunk, and that each event
 * is in a chunk or counted. After SECONDS it prints the results, but everything goes on until the
 * test kills the machine.
 *
 * The numbers of the marks are also in the page of physical memory at PAGE, which the test reads
 * after the death of the machine. tests/host/death/history.py contains the layout of this page.
 */
#include <stdlib.h>

#include "history.h"
#include "marks.h"

#define WRITERS	   4
#define SETTLE_MAX 1000

/**
 * struct soak_count - the marks of a writer
 * @begun: number of the newest mark that was begun
 * @done: number of the newest mark that was recorded: @begun, or one less
 */
struct soak_count {
	volatile uint64_t begun;
	volatile uint64_t done;
};

/**
 * struct account - the state of a CPU's history at the first check
 * @known: whether there was a first check
 * @accounted: number of events that it had taken or lost
 * @end: recid at which it ended
 */
struct account {
	bool known;
	uint64_t accounted;
	uint64_t end;
};

/* Return the available memory or, with "MemTotal", all memory, in KB. */
unsigned long meminfo(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	unsigned long kb = 0;

	bail_if(!file, "/proc/meminfo");
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)))
			kb = strtoul(line + strlen(name) + 1, NULL, 10);
	fclose(file);
	return kb;
}

/* Allocate memory until little is available, say so through @fd, and wait. */
void hog(int fd)
{
	const size_t size = 1 << 20;

	while (meminfo("MemAvailable") > meminfo("MemTotal") / 20) {
		char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		bail_if(p == MAP_FAILED, "memory");
		memset(p, 1, size);
	}
	bail_if(write(fd, "", 1) != 1, "pipe");
	pause();
}

/* Let a process take the memory, again and again. The kernel may kill it, and no other process. */
static void take_memory(void)
{
	for (;;) {
		int ends[2];
		pid_t pid;
		char c;

		sleep_ms(2000 + random() % 6000);
		bail_if(pipe(ends), "pipe");
		pid = spawn({
			int fd = open("/proc/self/oom_score_adj", O_WRONLY);

			bail_if(fd < 0 || write(fd, "1000", 4) != 4, "oom_score_adj");
			close(ends[0]);
			hog(ends[1]);
		});
		close(ends[1]);
		if (read(ends[0], &c, 1) == 1)
			sleep_ms(random() % 3000);
		close(ends[0]);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

/* Take CPU 1 offline and online, again and again. */
static void switch_cpu(void)
{
	for (;;) {
		sleep_ms(random() % 3000);
		if (!cpu1_online(false))
			wrong("CPU 1 does not go offline: %s", strerror(errno));
		sleep_ms(random() % 1000);
		if (!cpu1_online(true))
			wrong("CPU 1 does not come online: %s", strerror(errno));
	}
}

/*
 * Record marks in bursts, each on a random CPU, or on any CPU if the random one is offline.
 * Some bursts are too long for the history.
 */
static void write_marks(unsigned int writer, int cpus, struct soak_count *count)
{
	uint64_t number = 0;
	__u64 args[4];

	reopen_lkst();
	for (;;) {
		long burst = random() % 100 ? random() % 100 : 4000;

		(void)move_to(random() % cpus);
		while (burst-- >= 0) {
			int error;

			mark_fill(args, writer, ++number);
			count->begun = number;
			error = mark(args[0], args[1], args[2], args[3]);
			if (error)
				wrong("ENTRY_LOG: %s", strerror(error));
			count->done = number;
		}
		sleep_ms(random() % 200);
	}
}

/* Start processes that read files, again and again. */
static void run_processes(void)
{
	for (;;) {
		pid_t pid = spawn({
			char line[256];

			read_proc_line(getpid(), "status", line);
		});

		waitpid(pid, NULL, 0);
		sleep_ms(random() % 300);
	}
}

static struct soak_count *map_counts(uint64_t page)
{
	int fd = open("/dev/mem", O_RDWR);
	void *counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, page);

	bail_if(fd < 0 || counts == MAP_FAILED, "/dev/mem");
	memset(counts, 0, 4096);
	return counts;
}

/*
 * Check that each event of a CPU since the first check is in a chunk or counted. If the newest
 * events are lost, they are counted before the next chunk shows the gap. So the check is repeated.
 */
static void check_account(struct follower *f, struct account *account)
{
	for (int tries = 0;; tries++) {
		struct lkst_history_status now = settle(f);

		if (!account->known)
			*account = (struct account){ true, accounted(&now), f->end };
		if (accounted(&now) - account->accounted == f->end - account->end)
			return;
		if (tries == SETTLE_MAX) {
			wrong("CPU %d: %llu events are accounted for, and the history is %llu longer",
			      f->cpu, (ull)(accounted(&now) - account->accounted),
			      (ull)(f->end - account->end));
			return;
		}
		sleep_ms(10);
	}
}

static void report(const struct follower *f)
{
	struct lkst_history_status status = status_of(f->cpu);

	ok(f->records, "the history of CPU %d was read", f->cpu);
	diag("CPU %d: %llu records in %llu chunks, %llu skipped; %llu of %llu events lost; %llu waits",
	     f->cpu, (ull)f->records, (ull)f->chunks, (ull)f->skipped, (ull)status.lost,
	     (ull)accounted(&status), (ull)status.backoffs);
}

/**
 * soak() - soak the history until the machine dies
 * @seconds: time after which the results are printed
 * @seed: for the random times
 * @page: physical address of a reserved page
 */
int soak(unsigned int seconds, unsigned int seed, uint64_t page)
{
	struct soak_count *counts = map_counts(page);
	struct follower f[HISTORY_CPUS] = {};
	struct account account[HISTORY_CPUS] = {};
	time_t end = time(NULL) + seconds;
	int num = sysconf(_SC_NPROCESSORS_CONF);

	bail_if(num > HISTORY_CPUS, "too many CPUs");
	for (unsigned int i = 0; i < WRITERS; i++)
		spawn((srandom(seed + i), write_marks(i, num, &counts[i])));
	spawn((srandom(seed + 100), run_processes()));
	spawn((srandom(seed + 101), take_memory()));
	spawn((srandom(seed + 102), switch_cpu()));
	srandom(seed + 103);
	for (int cpu = 0; cpu < num; cpu++)
		f[cpu].cpu = cpu;
	while (time(NULL) < end) {
		int cpu = random() % num;

		follow(&f[cpu]);
		if (!(random() % 30))
			check_account(&f[cpu], &account[cpu]);
		sleep_ms(random() % 40);
	}
	for (int cpu = 0; cpu < num; cpu++) {
		check_account(&f[cpu], &account[cpu]);
		report(&f[cpu]);
	}
	report_wrongs("all chunks are valid, and each event is in a chunk or counted");
	done_testing();
	fflush(stdout);
	for (;; sleep_ms(random() % 40))
		follow(&f[random() % num]);
}
