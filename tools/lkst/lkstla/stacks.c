// SPDX-License-Identifier: GPL-2.0
/*
 * Assigns numbers to the stacks of sleeping threads. A stack in an event consists of return
 * addresses. Two stacks are equal if they consist of the same functions, even if the return
 * addresses differ. Looking up functions is slow, so this is done only once for each distinct list
 * of return addresses.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/text/context.h"
#include "lib/text/payload.h"
#include "lib/text/symbols.h"
#include "stacks.h"
#include "tally.h"

/* Damaged input can contain any number of different stacks. */
#define STACKS_MAX (1u << 16)

/*
 * The number of a stack. The key consists of two hashes of the addresses in the stack, the count of
 * these addresses, and @cut of the stack.
 */
struct stack_number {
	struct hash_head head;
	uint32_t number;
};

/**
 * stacks_init() - prepare for stacks
 * @stacks: stacks
 * @run: run
 */
void stacks_init(struct stacks *stacks, const struct run *run)
{
	const struct hash empty = { .size = sizeof(struct stack_number), .max = STACKS_MAX };

	*stacks = (struct stacks){ .run = run, .addresses = empty, .functions = empty };
}

/**
 * stacks_free() - free what stacks_add() allocated
 * @stacks: stacks
 */
void stacks_free(struct stacks *stacks)
{
	hash_free(&stacks->addresses);
	hash_free(&stacks->functions);
	free(stacks->stack);
}

/* Get the return addresses from an event. */
static void stack_read(struct stack *stack, const struct lkst_event *event)
{
	struct payload_head head;
	const struct lkst_payload *payload = payload_of(event, &head);
	size_t num = payload->size / sizeof(uint64_t);

	stack->num = (uint32_t)(num < STACK_FRAMES_MAX ? num : STACK_FRAMES_MAX);
	stack->cut = payload->cut || num > STACK_FRAMES_MAX;
	for (uint32_t i = 0; i < stack->num; i++)
		stack->function[i] = payload_word(event, payload, i * sizeof(uint64_t));
}

/* Replace the return addresses with the addresses of the functions that contain them. */
static void stack_find_functions(struct stack *stack, const struct run *run, uint32_t source)
{
	/* Unit tests run analyses without a trace. */
	struct lkst_symbols *symbols = run->trace ? run_context(run, source)->symbols : NULL;
	struct lkst_symbol symbol;

	for (uint32_t i = 0; i < stack->num; i++) {
		uint64_t address = stack->function[i] - LKST_STACK_BACK;

		if (lkst_symbols_find(symbols, address, &symbol))
			stack->function[i] = address - symbol.offset;
	}
}

/*
 * Make the key of a stack. With two hashes of 64 bits, different stacks do not collide in practice.
 */
static void stack_key(const struct stack *stack, uint64_t key[HASH_WORDS])
{
	uint64_t a = 0xcbf29ce484222325, b = 0x9e3779b97f4a7c15;

	for (uint32_t i = 0; i < stack->num; i++) {
		a = (a ^ stack->function[i]) * 0x100000001b3;
		a ^= a >> 32;
		b = (b + stack->function[i]) * 0xd6e8feb86659fd93;
		b ^= b >> 29;
	}
	key[0] = a;
	key[1] = b;
	key[2] = (uint64_t)stack->num << 1 | stack->cut;
}

/*
 * Find or add the entry of a stack. The number in a new entry is 0. Returns NULL if there are too
 * many entries, or if an allocation failed.
 */
static struct stack_number *stacks_entry(struct stacks *stacks, struct hash *hash,
					 const struct stack *stack)
{
	uint64_t key[HASH_WORDS];
	struct stack_number *entry;

	stack_key(stack, key);
	if (hash_add(hash, key, &entry) == HASH_NO_MEMORY)
		run_out_of_memory(stacks->run);
	return entry;
}

/*
 * Return the number of a stack of functions; STACK_OTHERS if there are too many stacks, or if an
 * allocation failed.
 */
static uint32_t stacks_number(struct stacks *stacks, const struct stack *stack)
{
	struct stack_number *entry = stacks_entry(stacks, &stacks->functions, stack);
	struct stack *grown;

	if (!entry)
		return STACK_OTHERS;
	if (entry->number)
		return entry->number;
	grown = tally_cover(stacks->stack, &stacks->room, stacks->functions.num - 1,
			    sizeof(*grown));
	if (!grown) {
		run_out_of_memory(stacks->run);
		return STACK_OTHERS;
	}
	stacks->stack = grown;
	entry->number = (uint32_t)stacks->functions.num;
	grown[entry->number - 1] = *stack;
	return entry->number;
}

/**
 * stacks_add() - find or add the stack in an event
 * @stacks: stacks
 * @event: event of the type PROCESS_BLOCK
 *
 * Return: the number of the stack; STACK_UNKNOWN if the event contains no address; STACK_OTHERS if
 * there are too many stacks, or an allocation failed.
 */
uint32_t stacks_add(struct stacks *stacks, const struct lkst_event *event)
{
	struct stack_number *entry;
	struct stack stack;

	stack_read(&stack, event);
	if (!stack.num)
		return STACK_UNKNOWN;
	entry = stacks_entry(stacks, &stacks->addresses, &stack);
	if (!entry)
		return STACK_OTHERS;
	if (!entry->number) {
		stack_find_functions(&stack, stacks->run, event->source);
		entry->number = stacks_number(stacks, &stack);
	}
	return entry->number;
}

/**
 * stacks_get() - get a stack
 * @stacks: stacks
 * @number: number of the stack
 *
 * Return: the stack, valid until the next call of stacks_add(); NULL for STACK_UNKNOWN and
 * STACK_OTHERS.
 */
const struct stack *stacks_get(const struct stacks *stacks, uint32_t number)
{
	return number == STACK_UNKNOWN || number == STACK_OTHERS ? NULL :
								   &stacks->stack[number - 1];
}

/**
 * stacks_text() - format a stack as lkstbuf print does: "futex_wait<-do_futex"
 * @stacks: stacks
 * @stack: stack
 * @source: index of the file of the trace
 * @text: buffer for the result
 */
const char *stacks_text(const struct stacks *stacks, const struct stack *stack, uint32_t source,
			char text[STACK_TEXT_SIZE])
{
	char name[STACK_NAME_SIZE];
	size_t len = 0;

	*text = 0;
	for (uint32_t i = 0; i < stack->num; i++)
		len += (size_t)snprintf(text + len, STACK_TEXT_SIZE - len, "%s%s", i ? "<-" : "",
					run_symbol(stacks->run, source, stack->function[i], name,
						   sizeof(name)));
	if (stack->cut)
		snprintf(text + len, STACK_TEXT_SIZE - len, " [cut]");
	return text;
}
