/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Having something done on another CPU.
 */
#ifndef _LKST_CPUCALL_H
#define _LKST_CPUCALL_H

#include <linux/atomic.h>
#include <linux/smp.h>

/* Runs on the CPU with interrupts off, or elsewhere while the CPU does not run. */
typedef int (*lkst_cpucall_func)(int cpu, int arg);

int lkst_cpucall(int cpu, lkst_cpucall_func func, int arg);

/**
 * struct lkst_cpu_request - a request to a CPU, which many may make at once
 * @csd: brings it there
 * @made: since the CPU last came to it
 * @func: what to do there, in an interrupt
 */
struct lkst_cpu_request {
	call_single_data_t csd;
	atomic_t made;
	void (*func)(struct lkst_cpu_request *ask);
};

void lkst_cpu_request_init(struct lkst_cpu_request *ask, void (*func)(struct lkst_cpu_request *ask));
void lkst_cpu_request_send(int cpu, struct lkst_cpu_request *ask);
void lkst_cpu_request_drain(void);

#endif
