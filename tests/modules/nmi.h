/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the module "nmi" and tests/vm/events/nmi.c. */
#ifndef NMI_H
#define NMI_H

#include <linux/types.h>

#define NMI_PATH	"/proc/lkst_nmi"

/* Event types that a task and the NMI handler record. */
#define NMI_ETYPE_TASK		0x1d0
#define NMI_ETYPE_HANDLER	0x1d1

#define NMI_CPUS	2

/* A request that programs write to NMI_PATH: record on their CPU, and interrupt the others. */
struct nmi_request {
	__u32 records;		/* number of records to make */
	__u32 send_every;	/* send an NMI to all other CPUs after this many records; 0: never */
	__u32 burst_every;	/* each CPU records a burst once in this many NMIs */
	__u32 burst;		/* number of records in a burst; other NMIs make one record */
};

/* Read from NMI_PATH. */
struct nmi_counts {
	__aligned_u64 handler;			/* address of the NMI handler */
	__aligned_u64 task[NMI_CPUS];		/* number of records made by tasks, by CPU */
	__aligned_u64 nmis[NMI_CPUS];		/* number of NMIs, by CPU */
	__aligned_u64 handled[NMI_CPUS];	/* number of records made in NMIs, by CPU */
};

/* pattern_fill() makes the arguments of a record from its CPU and its number, counted from 1. */
#define NMI_CPU_SHIFT	56

#endif
