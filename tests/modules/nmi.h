/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module nmi and tests/vm/nmi.c have in common.
 */
#ifndef NMI_H
#define NMI_H

#include <linux/types.h>

#define NMI_PATH	"/proc/lkst_nmi"

/* Event types: recorded by a task, and by the handler of an NMI. */
#define NMI_ETYPE_TASK		0x1d0
#define NMI_ETYPE_HANDLER	0x1d1

#define NMI_CPUS	2

/**
 * struct nmi_order - written to NMI_PATH: record on this CPU, and interrupt the others
 * @records: to be made
 * @send_every: after so many of them an NMI is sent to all other CPUs; 0: never
 * @burst_every: each so many-th NMI of a CPU records a burst, every other one a single event
 * @burst: records of a burst
 */
struct nmi_order {
	__u32 records;
	__u32 send_every;
	__u32 burst_every;
	__u32 burst;
};

/**
 * struct nmi_counts - read from NMI_PATH
 * @handler: address of the NMI handler
 * @task: of each CPU, records made by tasks
 * @nmis: NMIs it got
 * @handled: records made in them
 */
struct nmi_counts {
	__aligned_u64 handler;
	__aligned_u64 task[NMI_CPUS];
	__aligned_u64 nmis[NMI_CPUS];
	__aligned_u64 handled[NMI_CPUS];
};

/* A record has the arguments that pattern.h makes of its CPU and its number, from 1 on. */
#define NMI_CPU_SHIFT	56

#endif
