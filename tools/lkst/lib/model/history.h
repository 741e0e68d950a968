/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The spans that a history keeps. history.c receives them from the model, history_trim.c drops old
 * ones when memory is short, and history_ask.c and history_wakes.c answer questions about them.
 *
 * The spans of a thread tile the time, so the end of a span is the start of the next one, and only
 * the end of the last one is stored. The same is true of the spans of a CPU. If the model did not
 * report the time between two spans, a span in state UNKNOWN fills it.
 */
#ifndef _LKST_LIB_MODEL_HISTORY_H
#define _LKST_LIB_MODEL_HISTORY_H

#include "state.h"

/* A span of a thread. Indexes of threads and causes are stored plus 1; 0 means none. */
struct history_span {
	int64_t begin_ns;
	int64_t wake_ns;	/* RUNNABLE: struct lkst_wake.time_ns */
	uint32_t waker;
	uint32_t behind;
	uint32_t cause;		/* context in which the thread was woken up, or went to sleep */
	int32_t syscall;
	int16_t cpu;
	int16_t wake_cpu;
	char letter;
	uint8_t state : 2;
	uint8_t end : 2;
	uint8_t begin_known : 1;
	uint8_t preempted : 1;
	uint8_t woken : 1;	/* in state RUNNABLE: the value of lkst_wake.known */
};

struct history_cpu_span {
	int64_t begin_ns;
	uint32_t thread;	/* index plus 1; 0: none */
	uint8_t mode;
};

struct history_call {
	int64_t begin_ns;
	int64_t end_ns;
	int64_t result;
	uint64_t arg[3];
	int32_t number;
	uint8_t abi;
	bool begin_known;
	bool end_known;
	bool exited;
};

/*
 * A cause: the context in which a thread was woken up or went to sleep. It consists of the kind of
 * the context, its number, and the name of the handler. There is no space between the members,
 * because causes are compared as a whole.
 */
struct history_cause {
	uint64_t number;
	uint8_t kind;
	char name[31];
};

/*
 * The hash table takes less than this number of bytes for each cause, unless it has the minimum
 * size of 64 slots.
 */
#define HISTORY_CAUSE_SLOTS (6 * sizeof(uint32_t))

/* An array that grows */
struct history_list {
	void *item;
	size_t num;
	size_t room;
};

struct history_thread {
	struct history_list spans;
	struct history_list calls;
	int64_t end_ns;		/* end of the last span, even if it has been dropped */
	bool begun;		/* there has been a span */
};

struct history_cpu {
	struct history_list spans;
	int64_t end_ns;		/* end of the last span, even if it has been dropped */
	bool begun;		/* there has been a span */
};

/* A wake-up by a thread: the RUNNABLE span of the thread that was woken up */
struct history_wake {
	int64_t time_ns;
	uint32_t waker;
	uint32_t thread;
	uint32_t span;
};

struct lkst_history {
	struct lkst_model *model;
	uint64_t limit;			/* limit on @bytes plus the memory for @wakes */
	uint64_t bytes;
	bool failed;
	int64_t begin_ns;		/* the spans that ended before this time were dropped */
	struct history_list threads;	/* struct history_thread, by the index in the model */
	struct history_list cpus;	/* struct history_cpu, by the index in the model */
	struct history_list causes;	/* struct history_cause */
	struct history_list cause_slots; /* hash table, uint32_t: 1 + index in @causes; 0: free */
	size_t wakers;			/* number of spans with a waker */
	bool wakes_sorted;
	struct history_list wakes;	/* struct history_wake by waker and time if @wakes_sorted */
};

/* ---- history.c ---- */

int history_grow(struct lkst_history *history, struct history_list *list, size_t num, size_t size);
void history_shrink(struct lkst_history *history, struct history_list *list, size_t size);

/* ---- history_causes.c ---- */

int history_cause(struct lkst_history *history, int kind, uint64_t number, const char *name,
		  uint32_t *cause);
int history_causes_rebuild(struct lkst_history *history);

/* ---- history_trim.c ---- */

int history_trim(struct lkst_history *history, uint64_t more);
uint64_t history_used(const struct lkst_history *history);

/* ---- history_ask.c ---- */

size_t history_span_index(const struct history_thread *thread, int64_t time_ns);
size_t history_cpu_index(const struct history_cpu *cpu, int64_t time_ns);
size_t history_call_index(const struct history_thread *thread, int64_t time_ns);

/* ---- history_wakes.c ---- */

void history_wakes_drop(struct lkst_history *history);

static inline struct history_thread *history_threads(const struct lkst_history *history)
{
	return history->threads.item;
}

static inline struct history_cpu *history_cpus(const struct lkst_history *history)
{
	return history->cpus.item;
}

#endif
