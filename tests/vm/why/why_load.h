/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenarios with a known chain of causes. Each scenario consists of processes with unique names,
 * which begin at the same time, and ends when all of them have ended. why.table lists the chains.
 */
#ifndef WHY_LOAD_H
#define WHY_LOAD_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>

#include "tap.h"

#define NAP_MS 200

struct scenario {
	const char *name;
	void (*run)(void);
};

/* why_load.c: the arguments */
extern const char *why_file;
int delay_ms(int otherwise);

/* why_load.c: run a function in a process with a name. Returns its process ID. */
pid_t actor(const char *name, int cpu, int priority, void (*run)(void));
void await_asleep(const char *name);
void actors_begin(void);
void actors_end(void);
void nap(int ms);
void spin(int ms);
void *shared(void);
void futex_lock(int *lock);
void futex_unlock(int *lock);

/* why_load_*.c; lists end with a name that is NULL */
extern const struct scenario ipc_scenarios[], sched_scenarios[], time_scenarios[], file_scenarios[],
	module_scenarios[];

#endif
