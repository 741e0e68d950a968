/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call functions on other CPUs and wait for them.
 */
#ifndef _LKST_CPUCALL_H
#define _LKST_CPUCALL_H

/*
 * A function for lkst_cpucall(). It runs on @cpu, or on another CPU if @cpu is
 * offline. Context: interrupts off.
 */
typedef int (*lkst_cpucall_func)(int cpu, int arg);

int lkst_cpucall(int cpu, lkst_cpucall_func func, int arg);

#endif
