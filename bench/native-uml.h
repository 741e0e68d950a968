/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before everything else by all of the User Mode Linux of bench/native.
 */
#ifndef _NATIVE_UML_H
#define _NATIVE_UML_H

/*
 * The clock of x86, which include/asm-x86/lkst.h keeps for kernels that run on the machine itself.
 * The rate only tells when a record was written, and nobody asks for that here.
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

/* User Mode Linux exports functions of libc to its modules; this one is gone from today's. */
#pragma weak __xmknod

#endif
