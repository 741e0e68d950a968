/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Record events into a separate buffer, and read the chains among them. A chain is an event that
 * takes several records: a head and its parts.
 */
#ifndef CHAINS_H
#define CHAINS_H

#include "../buffers.h"
#include "../proc_etypes.h"
#include "../processes.h"

#define SYSCALL_PATH  0x032
#define OOPS_MESSAGE  0x0b8
#define PROCESS_BLOCK 0x0f0
#define LKST_MORE     0xf0a

/* The head of a chain, and the payload that the parts of the chain contain */
struct chain {
	int etype;
	uint32_t thread;
	uint32_t serial;
	unsigned int bytes; /* of the payload, according to the head */
	unsigned int have; /* bytes that were found */
	unsigned int next; /* number of the next part */
	bool cut; /* LKST_CHAIN_CUT */
	bool whole; /* all parts were found, in order */
	unsigned char *data;
};

/* The chains that read_chains() has found, in the order of their heads */
extern struct chain *chains;
extern unsigned int chain_num;
extern unsigned int parts_without_head;

void chains_begin(void);
void chains_finish(void);

/* Empty the buffer, and record the events of one type. */
void record_only(int etype);
void record_nothing(void);

/* Read the chains of a CPU's buffer. The caller must have stopped recording. */
void read_chains(int cpu);

/* How many chains may be incomplete because the buffer has overwritten or dropped records */
unsigned int chains_cut_by_losses(void);

/* Return the function of the kernel that contains @address, or "". */
const char *symbol_of(uint64_t address);

#endif
