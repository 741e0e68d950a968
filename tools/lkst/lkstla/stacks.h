/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel stacks with which threads went to sleep: the events process_block. */
#ifndef _LKSTLA_STACKS_H
#define _LKSTLA_STACKS_H

#include "analysis.h"
#include "hash.h"

#define STACK_FRAMES_MAX 32
#define STACK_NAME_SIZE	 600 /* size of the name of a function, including its module */
#define STACK_TEXT_SIZE	 (STACK_FRAMES_MAX * (STACK_NAME_SIZE + 2) + 8)

/* Numbers of stacks that are not in struct stacks */
#define STACK_UNKNOWN 0
#define STACK_OTHERS  UINT32_MAX /* there were too many stacks */

/**
 * struct stack - a stack
 * @function: addresses of the functions, innermost first. If a function is unknown, this is the
 *	return address
 * @num: number of functions
 * @cut: outer functions are missing
 */
struct stack {
	uint64_t function[STACK_FRAMES_MAX];
	uint32_t num;
	bool cut;
};

/**
 * struct stacks - distinct stacks, which are numbered from 1
 * @run: run
 * @addresses: table of struct stack_number by return addresses
 * @functions: table of struct stack_number by functions
 * @stack: stacks; stack number N is at index N - 1
 * @room: number of stacks for which @stack has memory
 */
struct stacks {
	const struct run *run;
	struct hash addresses;
	struct hash functions;
	struct stack *stack;
	size_t room;
};

void stacks_init(struct stacks *stacks, const struct run *run);
void stacks_free(struct stacks *stacks);
uint32_t stacks_add(struct stacks *stacks, const struct lkst_event *event);
const struct stack *stacks_get(const struct stacks *stacks, uint32_t number);
const char *stacks_text(const struct stacks *stacks, const struct stack *stack, uint32_t source,
			char text[STACK_TEXT_SIZE]);

#endif
