// SPDX-License-Identifier: GPL-2.0
/*
 * why_load SCENARIO [FILE]: run a scenario; without arguments, list them. FILE is a block device,
 * or the module "delaying".
 */
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include "why_load.h"

const char *why_file;

/* Memory that the actors share: how many are ready, and whether they may begin. */
static struct {
	int ready;
	bool begin;
} *stage;

static int actors;	/* number of actors that wait for actors_begin() */
static bool is_actor;	/* this process is an actor */

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

/* Wait in many short sleeps: lkstla why explains the longest delay of an actor. */
static void await_begin(void)
{
	__atomic_add_fetch(&stage->ready, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&stage->begin, __ATOMIC_SEQ_CST))
		nap(1);
}

/**
 * actor() - start a process of a scenario, which waits for actors_begin()
 * @name: name of the process
 * @cpu: CPU on which it runs; -1: any
 * @priority: of SCHED_FIFO; 0: an ordinary process
 * @run: what it does
 *
 * An actor that another one starts does not wait.
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
	run();
	_exit(0);
}

/*
 * Let all actors begin at the same time, however long it took to start each of them. May be called
 * again.
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
