/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What bench/masked and bench/record count the instructions of, in a VM whose time counts them.
 */
#ifndef LOADS_H
#define LOADS_H

#include <stdint.h>

/* All that the machine has executed: the TSC. */
uint64_t instructions(void);

/* The shortest system call. */
void run_getppid(unsigned int iterations);

/*
 * A byte to another process and one back, with pingpong_begin() before. There is one CPU, so each
 * byte is a context switch. Just one: both have SCHED_BATCH, and who is woken does not take the CPU
 * at once, which would depend on the time of day.
 */
void pingpong_begin(void);
void run_pingpong(unsigned int iterations);

#endif
