/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included first in each source file of the User Mode Linux kernel of bench/native.
 */
#ifndef _NATIVE_UML_H
#define _NATIVE_UML_H

/*
 * The clock of x86. include/asm-x86/lkst.h defines these macros only for kernels that run directly
 * on the machine. The rate is only used to convert the times of records, which the benchmark does
 * not do.
 */
#define lkst_arch_counter()								\
({											\
	unsigned long low, high;							\
											\
	asm volatile("rdtsc" : "=a" (low), "=d" (high));				\
	1 + low + (high << 32);								\
})
#define lkst_arch_counter_khz()		1000000
#define lkst_arch_counter_usable()	true
#define LKST_ARCH_CLOCK			LKST_CLOCK_TSC

/*
 * User Mode Linux exports functions of libc to its modules. Current versions of libc lack
 * __xmknod().
 */
#pragma weak __xmknod

#endif
