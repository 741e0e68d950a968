/* SPDX-License-Identifier: GPL-2.0 */
/* What lkstla offcpu collects (offcpu.c) and prints (offcpu_report.c). */
#ifndef _LKSTLA_OFFCPU_H
#define _LKSTLA_OFFCPU_H

#include "analysis.h"
#include "causes.h"
#include "dist.h"
#include "hash.h"
#include "waker_counts.h"

/* Second word of a key: index of the letter, flags, and the exception in bits 32 to 63. */
#define OFFCPU_LETTER	 0xff
#define OFFCPU_WORK	 0x100
#define OFFCPU_EXCEPTION 0x200

/**
 * struct offcpu_sleep - sleeps of a thread for one cause
 * @head: key: index of the thread; OFFCPU_* and the index in CAUSE_LETTERS; an enum cause or, with
 *	OFFCPU_WORK, the address of the function
 * @thread: thread
 * @times: number of sleeps that began in the window
 * @blocked: lengths of all sleeps
 * @wakers: what ended them
 */
struct offcpu_sleep {
	struct hash_head head;
	const struct lkst_thread *thread;
	uint64_t times;
	struct dist blocked;
	struct waker_counts wakers;
};

/**
 * struct offcpu_thread - the current state of a thread
 * @call: what is known about its system call
 * @pending: bitmap of the letters that have sleeps for CAUSE_PENDING
 * @slept: its last span was a sleep, which @last_key and @last_ns describe
 * @last_key: key of the sleep; the first word is not used
 * @last_ns: length of the sleep
 */
struct offcpu_thread {
	struct cause_state call;
	uint8_t pending;
	bool slept;
	uint64_t last_key[HASH_WORDS];
	int64_t last_ns;
};

/**
 * struct offcpu - what the analysis collects
 * @run: run
 * @thread: by index of the thread
 * @room: number of members of @thread
 * @sleeps: struct offcpu_sleep
 * @calls_seen: the trace has system calls
 */
struct offcpu {
	const struct run *run;
	struct offcpu_thread *thread;
	size_t room;
	struct hash sleeps;
	bool calls_seen;
};

int offcpu_report_table(const struct offcpu *offcpu, struct tables *to, struct lkst_error *err);
int offcpu_print_folded(const struct offcpu *offcpu, struct lkst_error *err);

#endif
