/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The loads whose instructions bench/masked and bench/record count, in a VM whose clock counts
 * instructions.
 */
#ifndef LOADS_H
#define LOADS_H

#include <stdint.h>

/* Returns the TSC of the VM, which is the number of instructions that the VM has executed. */
uint64_t instructions(void);

/* Makes @iterations getppid() system calls. getppid() is the shortest system call. */
void run_getppid(unsigned int iterations);

/*
 * Sends a byte to another process and receives one, in each iteration. pingpong_begin() must be
 * called first. On one CPU, each byte causes exactly one context switch, because both processes
 * have SCHED_BATCH: a process that is woken does not preempt the other. With preemption, the number
 * of context switches would depend on timing.
 */
void pingpong_begin(void);
void run_pingpong(unsigned int iterations);

#endif
