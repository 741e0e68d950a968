/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files of the format folded: how threads spent their time, as input for
 * flamegraph.pl and speedscope.
 *
 * folded.c receives states from the model. folded_sleeps.c finds the system calls and the stacks of
 * blocked threads. folded_lines.c adds up the lines.
 */
#ifndef _LKSTBUF_EXPORT_FOLDED_H
#define _LKSTBUF_EXPORT_FOLDED_H

#include "cli/causes.h"
#include "cli/state_names.h"
#include "folded_lines.h"
#include "lkstbuf/export/states.h"

#define FOLDED_FRAMES_MAX 32

/**
 * struct folded_stack - a kernel stack
 * @num: number of return addresses; 0: unknown
 * @cut: outer functions are missing
 * @address: return addresses, innermost first
 */
struct folded_stack {
	uint32_t num;
	bool cut;
	uint64_t address[FOLDED_FRAMES_MAX];
};

/**
 * struct folded_sleep - time in which a thread was blocked
 * @letter: index in CAUSE_LETTERS, or CAUSE_OTHER
 * @cause: enum cause
 * @context: context in which the thread slept, see struct lkst_thread_span; -1: none
 * @number: number of @context
 * @ns: time in nanoseconds
 */
struct folded_sleep {
	unsigned int letter;
	uint64_t cause;
	int context;
	uint64_t number;
	int64_t ns;
};

/* Sleeps whose system call is not known yet. The first ones have stacks, the others do not. */
#define FOLDED_PENDING_STACKS 3
struct folded_pending {
	unsigned int stacks;
	struct folded_sleep sleep[FOLDED_PENDING_STACKS];
	struct folded_stack stack[FOLDED_PENDING_STACKS];
	int64_t ns[CAUSE_OTHER + 1]; /* sums of the other sleeps, by letter */
};

/**
 * struct folded_thread - a thread
 * @thread: thread
 * @choice: whether -p selects it
 * @call: what is known about the system call of the thread
 * @call_end_ns: end of its last system call
 * @call_number: number of that call
 * @call_abi: ABI of that call
 * @pending: sleeps whose system call is not known yet; NULL: none so far
 * @unplaced: @sleep has not been added yet, because its stack may still follow
 * @sleep: the last sleep
 * @fresh: @stack was recorded after the last span
 * @stack: latest stack
 */
struct folded_thread {
	const struct lkst_thread *thread;
	struct states_choice choice;
	struct cause_state call;
	int64_t call_end_ns;
	int32_t call_number;
	uint8_t call_abi;
	struct folded_pending *pending;
	bool unplaced;
	struct folded_sleep sleep;
	bool fresh;
	struct folded_stack stack;
};

/**
 * struct folded - an export in the format folded
 * @export: the export
 * @states: the model
 * @stacks: the trace has stacks of blocked threads
 * @calls: the trace has system calls
 * @thread: by index in the model; NULL: the thread has had no span
 * @threads: number of members of @thread
 * @lines: the lines so far
 * @text: room for a line
 */
struct folded {
	struct export *export;
	struct states states;
	bool stacks;
	bool calls;
	struct folded_thread **thread;
	size_t threads;
	struct folded_lines lines;
	struct folded_text text;
};

/* folded.c */
struct folded_thread *folded_thread(struct folded *folded, const struct lkst_thread *thread);
bool folded_begin(struct folded *folded, struct folded_thread *thread, int32_t cpu);
void folded_add(struct folded *folded, int64_t ns);

/* folded_sleeps.c */
void folded_sleep_span(struct folded *folded, struct folded_thread *thread,
		       const struct lkst_thread_span *span);
void folded_sleep_call(struct folded *folded, struct folded_thread *thread,
		       const struct lkst_syscall_span *span);
void folded_sleep_event(struct folded *folded, const struct lkst_event *event);
void folded_sleep_end(struct folded *folded, struct folded_thread *thread);

#endif
