/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Assigns numbers to the system calls, contexts and texts of the spans, in the order of their
 * appearance. The page stores each name only once.
 */
#ifndef _LKSTLA_HTML_NAMES_H
#define _LKSTLA_HTML_NAMES_H

#include "html_bytes.h"
#include "lkstla/contexts.h"
#include "lkstla/syscall.h"

/* What a thread or a CPU does: the values in its row of the page, and in the column "state" */
enum html_state {
	HTML_NONE,
	HTML_UNKNOWN,
	HTML_IDLE,
	HTML_USER,
	HTML_KERNEL,
	HTML_RUNNING, /* in an unknown mode; in the table of threads: in any mode */
	HTML_SOFTIRQ,
	HTML_HARDIRQ,
	HTML_WOKEN, /* runnable after a wake-up */
	HTML_PREEMPTED,
	HTML_BLOCKED, /* outside of a known call */
	HTML_DISK, /* blocked, and signals cannot interrupt it: D */
	HTML_RESTING, /* a kernel thread without work: I */
	HTML_STOPPED, /* T or t */
	HTML_IN_TIME, /* blocked in a call that waits for a time */
	HTML_IN_POLL,
	HTML_IN_FUTEX,
	HTML_IN_FILE,
	HTML_IN_SOCKET,
	HTML_IN_CHILD,
	HTML_IN_SIGNAL,
	HTML_IN_CALL, /* blocked in any other call */
	HTML_STATES,
};

/**
 * struct html_call - a system call
 * @name: name
 * @state: state of a thread that is blocked in it
 */
struct html_call {
	char name[CALL_NAME_SIZE];
	enum html_state state;
};

/**
 * struct html_names - all names
 * @run: run
 * @calls: numbers of the system calls
 * @call: system calls
 * @calls_room: number of elements that fit into @call
 * @contexts: numbers of the contexts
 * @context: contexts, for context_name()
 * @contexts_room: number of elements that fit into @context
 * @strings: numbers of the texts; the number 0 is the empty text
 * @text: the texts, each with a NUL
 */
struct html_names {
	const struct run *run;
	struct hash calls;
	struct html_call *call;
	size_t calls_room;
	struct hash contexts;
	struct context_row *context;
	size_t contexts_room;
	struct hash strings;
	struct html_bytes text;
};

void html_names_init(struct html_names *names, const struct run *run);
void html_names_free(struct html_names *names);
uint32_t html_names_call(struct html_names *names, const struct lkst_thread *thread, int32_t number,
			 uint8_t abi);
uint32_t html_names_context(struct html_names *names, const struct context_id *id);
uint32_t html_names_string(struct html_names *names, const char *text);

const char *html_names_text(const struct html_names *names, uint64_t number);

extern const char *const html_state_keys[HTML_STATES];
extern const char *const html_state_names[HTML_STATES];
const char *html_state_class(enum html_state state);

#endif
