// SPDX-License-Identifier: GPL-2.0
/*
 * why_load SCENARIO [FILE [MS]]: run a scenario; without arguments, list them. FILE is a block device,
 * or the module "delaying". MS is the length of the delay that the scenarios fifo, hog, irqs and
 * softirqs cause.
 */
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "why_load.h"

#define MAX_ACTORS 4

const char *why_file;
static int why_ms;

/*
 * Memory that the actors, the processes of a scenario, share: how many are ready, whether they may
 * begin, and which of them have begun.
 */
static struct {
	int ready;
	bool begin;
	int begun;
	struct {
		pid_t pid;
		char name[16];
	} actor[MAX_ACTORS];
} *stage;

static int actors;	/* number of actors that wait for actors_begin() */
static bool is_actor;	/* this process is an actor */

/* Return the argument MS, or @otherwise if it is missing. */
int delay_ms(int otherwise)
{
	return why_ms ? why_ms : otherwise;
}

/* Sleep for some milliseconds. */
void nap(int ms)
{
	struct timespec span = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&span, &span) && errno == EINTR)
		;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Keep the CPU busy for some milliseconds. */
void spin(int ms)
{
	int64_t end = now_ms() + ms;

	while (now_ms() < end)
		;
}

/* Return memory that the processes of a scenario share; it contains zeros at first. */
void *shared(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	bail_if(memory == MAP_FAILED, "mmap");
	return memory;
}

/* A lock without spinning. Its values are 0: free, 1: held, 2: held, and a process may wait. */
void futex_lock(int *lock)
{
	int was = 0;

	if (__atomic_compare_exchange_n(lock, &was, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return;
	while (__atomic_exchange_n(lock, 2, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, lock, FUTEX_WAIT, 2, NULL, NULL, 0);
}

void futex_unlock(int *lock)
{
	if (__atomic_exchange_n(lock, 0, __ATOMIC_SEQ_CST) == 2)
		syscall(SYS_futex, lock, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/*
 * Wait in many short sleeps. A single long one would be the longest delay of the actor, and lkstla
 * why explains the longest delay.
 */
static void await_begin(void)
{
	__atomic_add_fetch(&stage->ready, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&stage->begin, __ATOMIC_SEQ_CST))
		nap(1);
}

/* Make this process known to await_asleep(). */
static void register_actor(const char *name)
{
	int i = __atomic_fetch_add(&stage->begun, 1, __ATOMIC_SEQ_CST);

	bail_if(i >= MAX_ACTORS, "too many actors");
	snprintf(stage->actor[i].name, sizeof(stage->actor[i].name), "%s", name);
	__atomic_store_n(&stage->actor[i].pid, getpid(), __ATOMIC_SEQ_CST);
}

/* Return the ID of an actor that has begun, or 0. */
static pid_t find_actor(const char *name)
{
	for (int i = 0; i < MAX_ACTORS; i++) {
		pid_t pid = __atomic_load_n(&stage->actor[i].pid, __ATOMIC_SEQ_CST);

		if (pid && !strncmp(stage->actor[i].name, name, sizeof(stage->actor[i].name) - 1))
			return pid;
	}
	return 0;
}

static bool is_asleep(pid_t pid)
{
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	bail_if(!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1, path);
	fclose(file);
	return state == 'S';
}

/*
 * Wait until an actor has begun and sleeps, so that the actors keep their order even if a busy host
 * delays a CPU. Any sleep of the actor ends the wait, so the actor must not sleep before the
 * expected sleep.
 */
void await_asleep(const char *name)
{
	pid_t pid;

	while (!(pid = find_actor(name)) || !is_asleep(pid))
		nap(1);
}

/**
 * actor() - start a process of a scenario, which waits for actors_begin()
 * @name: name of the process
 * @cpu: CPU on which the process runs, or -1 for any CPU
 * @priority: priority of a process with SCHED_FIFO, or 0 for an ordinary process
 * @run: function that the process runs
 *
 * If another actor starts the process, it does not wait.
 */
pid_t actor(const char *name, int cpu, int priority, void (*run)(void))
{
	const struct sched_param param = { .sched_priority = priority };
	cpu_set_t cpus;
	pid_t pid;

	if (!stage)
		stage = shared();
	pid = start_child();
	if (pid) {
		actors++;
		return pid;
	}
	prctl(PR_SET_NAME, name);
	CPU_ZERO(&cpus);
	if (cpu >= 0)
		CPU_SET((size_t)cpu, &cpus);
	bail_if(cpu >= 0 && sched_setaffinity(0, sizeof(cpus), &cpus), "sched_setaffinity");
	bail_if(priority && sched_setscheduler(0, SCHED_FIFO, &param), "sched_setscheduler");
	if (!is_actor)
		await_begin();
	is_actor = true;
	register_actor(name);
	run();
	_exit(0);
}

/*
 * Make all actors begin at the same time, however long it took to start each of them. May be called
 * several times.
 */
void actors_begin(void)
{
	while (__atomic_load_n(&stage->ready, __ATOMIC_SEQ_CST) < actors)
		nap(1);
	__atomic_store_n(&stage->begin, true, __ATOMIC_SEQ_CST);
}

/* Wait for all processes of the scenario. */
void actors_end(void)
{
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

int main(int argc, char **argv)
{
	const struct scenario *const lists[] = { ipc_scenarios, sched_scenarios, time_scenarios,
						 file_scenarios, module_scenarios };

	why_file = argc > 2 ? argv[2] : NULL;
	why_ms = argc > 3 ? atoi(argv[3]) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct scenario *s = lists[i]; s->name; s++) {
			if (argc < 2) {
				puts(s->name);
			} else if (!strcmp(s->name, argv[1])) {
				s->run();
				actors_begin();
				actors_end();
				return 0;
			}
		}
	return argc > 1;
}
