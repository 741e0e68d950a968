/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Having something done on another CPU.
 */
#ifndef _LKST_CPUCALL_H
#define _LKST_CPUCALL_H

#include <linux/smp.h>

/* Runs on the CPU with interrupts off, or elsewhere while the CPU does not run. */
typedef int (*lkst_cpucall_func)(int cpu, int arg);

int lkst_cpucall(int cpu, lkst_cpucall_func func, int arg);
int lkst_cpucall_nowait(int cpu, lkst_cpucall_func func, int arg);
void lkst_synchronize_cpu(int cpu);

void lkst_ask_cpu(int cpu, call_single_data_t *csd);
void lkst_ask_done(void);
void lkst_ask_settle(void);

#endif
