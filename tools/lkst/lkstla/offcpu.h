/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of lkstla offcpu. offcpu.c and offcpu_stacks.c collect it; offcpu_report.c and
 * offcpu_places.c print it. A sleep whose cause is not known yet is called pending.
 */
#ifndef _LKSTLA_OFFCPU_H
#define _LKSTLA_OFFCPU_H

#include "analysis.h"
#include "causes.h"
#include "contexts.h"
#include "dist.h"
#include "hash.h"
#include "stacks.h"
#include "waker_counts.h"

/*
 * Second word of a key: index of the state's letter, as in ps (S, D), in CAUSE_LETTERS; flags; and
 * the exception in bits 32 to 63.
 */
#define OFFCPU_LETTER	 0xff
#define OFFCPU_WORK	 0x100
#define OFFCPU_EXCEPTION 0x200

#define OFFCPU_NAME_SIZE (CONTEXT_NAME_SIZE + CAUSE_NAME_SIZE)
#define OFFCPU_REST	 "(others)"

/**
 * struct offcpu_sleep - sleeps of a thread for one cause
 * @head: key: index of the thread; OFFCPU_* and the index in CAUSE_LETTERS; an enum cause or, with
 *	OFFCPU_WORK, the address of the function
 * @thread: thread
 * @times: number of sleeps that began in the window
 * @blocked: lengths of the sleeps
 * @wakers: what ended the sleeps
 */
struct offcpu_sleep {
	struct hash_head head;
	const struct lkst_thread *thread;
	uint64_t times;
	struct dist blocked;
	struct waker_counts wakers;
};

/**
 * struct offcpu_place - sleeps of a thread for one cause and with one stack
 * @head: key: as in struct offcpu_sleep, with the number of the stack in bits 32 to 63 of the first
 *	word
 * @thread: thread
 * @times: number of sleeps that began in the window
 * @total_ns: total length of all sleeps
 * @max_ns: length of the longest sleep
 * @max_at_ns: end of the longest sleep
 */
struct offcpu_place {
	struct hash_head head;
	const struct lkst_thread *thread;
	uint64_t times;
	int64_t total_ns;
	int64_t max_ns;
	int64_t max_at_ns;
};

/* Maximum number of different stacks of sleeps whose cause is not known yet, for each thread */
#define OFFCPU_PENDING_MAX 8

/**
 * struct offcpu_thread - the current state of a thread
 * @call: what is known about its current system call
 * @pending: bitmap of the letters that have sleeps with CAUSE_PENDING
 * @pending_stacks: number of members of @pending_stack
 * @pending_stack: stacks of these sleeps, see offcpu_stacks.c
 * @slept: the last span of the thread was a sleep
 * @unplaced: the last sleep has not been added to a struct offcpu_place yet
 * @last_begun: the last sleep began in the window
 * @last: the thread itself; set when the thread sleeps
 * @last_key: key of the last sleep; the first word is not used
 * @last_ns: length of the last sleep
 * @last_end_ns: end of the last sleep
 * @stack: number of the stack with which the thread goes to sleep
 * @stack_fresh: the stack was recorded after the last span
 */
struct offcpu_thread {
	struct cause_state call;
	uint8_t pending;
	uint8_t pending_stacks;
	uint32_t pending_stack[OFFCPU_PENDING_MAX];
	bool slept;
	bool unplaced;
	bool last_begun;
	const struct lkst_thread *last;
	uint64_t last_key[HASH_WORDS];
	int64_t last_ns;
	int64_t last_end_ns;
	uint32_t stack;
	bool stack_fresh;
};

/**
 * struct offcpu - what the analysis collects
 * @run: run
 * @thread: threads, by index
 * @room: number of members of @thread
 * @sleeps: table of struct offcpu_sleep
 * @stacks: the stacks of the sleeps
 * @places: table of struct offcpu_place
 * @calls_seen: the trace has system calls
 * @stacks_wanted: the trace may have stacks
 * @stacks_seen: the window has stacks
 */
struct offcpu {
	const struct run *run;
	struct offcpu_thread *thread;
	size_t room;
	struct hash sleeps;
	struct stacks stacks;
	struct hash places;
	bool calls_seen;
	bool stacks_wanted;
	bool stacks_seen;
};

/* Return the first word of the key of a struct offcpu_place. */
static inline uint64_t offcpu_place_word(uint32_t index, uint32_t stack)
{
	return (uint64_t)stack << 32 | index;
}

/* Return the number of the stack of a place. */
static inline uint32_t offcpu_place_stack(const struct offcpu_place *place)
{
	return (uint32_t)(place->head.key[0] >> 32);
}

/* offcpu.c */
struct offcpu_thread *offcpu_thread(struct offcpu *offcpu, const struct lkst_thread *thread);

/* offcpu_stacks.c */
void offcpu_place_sleep(struct offcpu *offcpu, struct offcpu_thread *thread);
void offcpu_place_ended(struct offcpu *offcpu, struct offcpu_thread *thread, enum lkst_state state);
void offcpu_settle_places(struct offcpu *offcpu, struct offcpu_thread *thread, uint32_t index,
			  uint64_t cause);
void offcpu_event(void *ctx, const struct lkst_event *event);

/* offcpu_report.c */
const char *offcpu_cause(const struct offcpu *offcpu, const struct lkst_thread *thread,
			 const struct hash_head *head, char text[OFFCPU_NAME_SIZE]);
const char *offcpu_name(const struct offcpu *offcpu, const struct lkst_thread *thread,
			const struct hash_head *head, char text[40]);
bool offcpu_over(const struct offcpu *offcpu, uint64_t max_ns);
void offcpu_print_frame(const char *text, char after);
void offcpu_print_us(uint64_t ns);
int offcpu_report_table(const struct offcpu *offcpu, struct tables *to, struct lkst_error *err);
int offcpu_print_folded(const struct offcpu *offcpu, struct lkst_error *err);

/* offcpu_places.c */
int offcpu_report_places(const struct offcpu *offcpu, struct tables *to, struct lkst_error *err);
int offcpu_print_folded_places(const struct offcpu *offcpu, struct lkst_error *err);

#endif
