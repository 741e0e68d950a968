/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chains that the CPU records, and a reference model of them. A chain is an event whose payload
 * takes several records. Each record of a chain must be whole, all records of a chain must be from
 * the same CPU and have the same serial, no other chain of this CPU may have this serial, and
 * recids must be in the order of the parts.
 */
#ifndef _RECORD_CPU_CHAINS_H
#define _RECORD_CPU_CHAINS_H

#include "path.h"

/* The event type of the chains. No other event of the tests has it. */
#define CHAIN_ETYPE 0xf80

/*
 * How deeply preemption is disabled by chain.c; 0: it is enabled. Defined in cpu.c, like
 * record_chain_serial().
 */
extern volatile unsigned int record_preempt_count;

/* Return a pointer to the serial of the next chain of the CPU that is running. */
unsigned long *record_chain_serial(void);

void chains_begin(void);

/*
 * The CPU that is running, 0 or 1. The two share everything except the serials of chains. The group
 * ID of each record of a chain must be the CPU that wrote it.
 */
u32 chains_cpu(void);

/* Make the thread that is recording a chain continue on the other CPU. Return that CPU. */
u32 chains_move(void);

/* Record a chain with a payload of @bytes, which must be a multiple of 8 and not 0. */
void chains_record(unsigned int bytes);

/* Check a record that a reader has returned. Return whether it is a record of a chain. */
bool chains_found(u64 recid, const struct lkst_event_record *record);

/* Check the chains that have been read. Return how many of their records were not read. */
u64 chains_end(void);

#endif
