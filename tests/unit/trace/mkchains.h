/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the records of random chains, whole and damaged ones. A chain is an event that takes
 * several records: a head and its parts.
 */
#ifndef _MKCHAINS_H
#define _MKCHAINS_H

#include "lib/lkst.h"

#define MKCHAINS_DEPTH 4 /* chains that are open at the same time */

/* A chain of which not all records have been made yet. @whole: no record was damaged so far */
struct mkchain {
	uint32_t serial;
	unsigned int bytes;
	unsigned int parts;
	unsigned int next;
	bool whole;
};

/**
 * struct mkchains - the chains of a CPU
 * @random: state of the sequence of random numbers, not 0
 * @damage: damage some of the chains
 * @serial: serial of the next chain
 * @num: number of chains that have been begun and not ended
 * @open: these chains
 * @done: called when all records of a chain have been made, if the chain is whole; may be NULL
 * @ctx: passed to @done
 */
struct mkchains {
	uint64_t random;
	bool damage;
	uint32_t serial;
	size_t num;
	struct mkchain open[MKCHAINS_DEPTH];
	void (*done)(void *ctx, uint32_t serial, unsigned int bytes);
	void *ctx;
};

uint8_t mkchains_byte(uint32_t serial, unsigned int i);
uint32_t mkchains_next(struct mkchains *chains, uint64_t arg[4]);

#endif
