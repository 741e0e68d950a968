/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes the last minute of a dead machine at the top of the page of lkstla report.
 *
 * death.c receives the events and remembers what may matter at the end of the trace. death_locks.c
 * follows the waits for locks, and death_graph.c decides which threads waited for which other
 * threads at the end. death_end.c describes the end of the trace in words. death_text.c and
 * death_json.c print the description as text and as JSON.
 *
 * The window begins when all CPUs have records, but the events that explain the end of the trace
 * may be older. So the events before the window are used here, too. They arrive here before the
 * model processes them, so threads are identified by their IDs until the end of the trace.
 */
#ifndef _LKSTLA_DEATH_H
#define _LKSTLA_DEATH_H

#include <stdio.h>

#include "lkstla/analysis.h"
#include "lkstla/block.h"
#include "lkstla/hash.h"

#define DEATH_CPUS     8192
#define DEATH_OOPSES   16 /* remembered */
#define DEATH_LINES    12
#define DEATH_CONTEXTS 256
#define DEATH_REQUESTS 8 /* listed */
#define DEATH_WAITS    20
#define DEATH_SLEEPERS 20
#define DEATH_LISTED   (DEATH_OOPSES + DEATH_LINES)
#define DEATH_STATE    128
#define DEATH_NAME     80
#define DEATH_MAX      65536 /* waits, locks and threads in tables */
#define DEATH_LOSSES   256
#define DEATH_TEXT     200

#define DEATH_TID_NONE UINT32_MAX

/**
 * struct death_message - an oops or a kernel message
 * @event: event, without its payload
 * @text: OOPS_MESSAGE: the text, joined from all records of the event, and cut if it does not fit;
 *	otherwise ""
 */
struct death_message {
	struct lkst_event event;
	char text[DEATH_TEXT];
};

/* The latest @room messages. @num counts all messages; message i is at index i % @room. */
struct death_ring {
	uint64_t num;
	size_t room;
	struct death_message *message;
};

/**
 * struct death_cpu - data about a CPU
 * @seen: the CPU has events
 * @last_ns: time of its latest event
 * @on_ns: the latest time at which interrupts were certainly enabled; INT64_MIN: unknown
 * @on_tid: thread that ran after @on_ns; 0: idle
 * @spanned: whether the members below are known
 * @mode: what the CPU did at the end
 * @thread: thread that ran or was interrupted; NULL: idle or unknown
 * @begin_ns: start of @mode; not before the window
 */
struct death_cpu {
	bool seen;
	int64_t last_ns;
	int64_t on_ns;
	uint32_t on_tid;
	bool spanned;
	enum lkst_mode mode;
	const struct lkst_thread *thread;
	int64_t begin_ns;
};

/**
 * struct death_off - the longest time in which a busy CPU showed no sign that interrupts were
 * enabled
 * @found: whether there was such a time
 * @cpu: CPU
 * @tid: thread that ran
 * @begin_ns: start
 * @end_ns: end
 * @ended: false if it lasted until the end of the trace
 */
struct death_off {
	bool found;
	int32_t cpu;
	uint32_t tid;
	int64_t begin_ns;
	int64_t end_ns;
	bool ended;
};

/**
 * struct death_wait - a wait for a lock, in a table by thread
 * @head: key: the thread, or for an idle thread 2^32 plus its CPU
 * @lock: address of the lock
 * @flags: kind of the lock, as in lock_contention_begin
 * @begin_ns: start
 * @event_ns: time of its latest lock_contention_begin; a wait for a mutex can have several
 * @thread: set at the end: thread that waits
 * @next: set at the end: the wait of the thread that holds the lock; NULL: none
 * @holder: set at the end: thread that holds the lock; NULL: unknown
 * @cycle: set at the end: number of the cycle that the wait belongs to, from 1; 0: none
 * @mark: used to find cycles
 */
struct death_wait {
	struct hash_head head;
	uint64_t lock;
	uint64_t flags;
	int64_t begin_ns;
	int64_t event_ns;
	const struct lkst_thread *thread;
	struct death_wait *next;
	const struct lkst_thread *holder;
	uint32_t cycle;
	uint32_t mark;
};

/**
 * struct death_lock - the latest known holder of a lock, in a table by address
 * @head: key: the address
 * @tid: thread
 * @acquired: true: the thread waited for the lock and got it; false: another thread began to wait,
 *	and the lock named this thread as its owner
 * @flags: kind of the lock, from the event that shows the holder
 */
struct death_lock {
	struct hash_head head;
	uint32_t tid;
	bool acquired;
	uint64_t flags;
};

/* A time in which records may be missing */
struct death_loss {
	int64_t begin_ns;
	int64_t end_ns;
};

/* A thread that is reclaiming memory, in a table by thread */
struct death_reclaim {
	struct hash_head head;
	int64_t begin_ns;
};

/**
 * struct death - what the trace shows about the end of the machine
 * @run: run
 * @wide: copy of @run for analyses that also receive the events before the window
 * @cpu: CPUs
 * @cpus: number of elements of @cpu that are used
 * @known: by index of the thread: whether the trace shows when its latest state began
 * @knowns: number of elements of @known
 * @context: interrupts, softirqs and so on that had not ended at @contexts_ns
 * @contexts: number of elements of @context
 * @contexts_ns: latest time at which the model reported that a context had not ended
 * @oopses: oopses, warnings, lockups and panics
 * @lines: kernel messages, from oops_message
 * @heads: kernel messages, from oops_printk
 * @off: the longest time with interrupts off
 * @waits: waits for locks in progress
 * @locks: holders of locks
 * @wait: result: the waits at the end: first those in cycles, and then the others, the longest
 *	first
 * @num_waits: number of elements of @wait
 * @wait_of: result: by index of the thread, the wait in which it was at the end; NULL: none
 * @cycles: number of cycles
 * @saw_locks: whether the trace has waits for locks
 * @saw_interrupts: whether the trace has interrupts of devices or timers
 * @saw_requests: whether the trace has requests to block devices
 * @loss: losses of records, in the order in which they were noticed. If there are too many, the
 *	older half is merged into one
 * @losses: number of elements of @loss that are used
 * @reclaims: threads that reclaim memory
 * @oom_kills: number of processes that were killed because there was no memory
 * @oom_tid: ID of the latest of these processes
 * @oom_ns: time at which it was killed
 * @blocks: state of lkstla block, which runs as part of this analysis
 * @request: the oldest requests that have not completed
 * @requests: number of all requests that have not completed
 */
struct death {
	const struct run *run;
	struct run wide;
	struct death_cpu *cpu;
	int32_t cpus;
	bool *known;
	size_t knowns;
	struct lkst_context_span context[DEATH_CONTEXTS];
	size_t contexts;
	int64_t contexts_ns;
	struct death_ring oopses;
	struct death_ring lines;
	struct death_ring heads;
	struct death_off off;
	struct hash waits;
	struct hash locks;
	struct death_wait **wait;
	size_t num_waits;
	struct death_wait **wait_of;
	uint32_t cycles;
	bool saw_locks;
	bool saw_interrupts;
	bool saw_requests;
	struct death_loss loss[DEATH_LOSSES];
	size_t losses;
	struct hash reclaims;
	uint64_t oom_kills;
	uint32_t oom_tid;
	int64_t oom_ns;
	void *blocks;
	struct block_done request[DEATH_REQUESTS];
	size_t requests;
};

/* death.c */
void death_see_early(void *ctx, const struct lkst_event *event);
const char *death_image(const struct death *death, size_t *len);
const struct death_message *death_panic(const struct death *death);
bool death_applies(const struct death *death);
const struct lkst_thread *death_thread(const struct death *death, uint32_t tid);
void death_finish_off(struct death *death);
void death_finish_requests(struct death *death);

/* death_locks.c */
int death_locks_event(struct death *death, const struct lkst_event *event);

/* death_graph.c */
void death_note_loss(struct death *death, const struct lkst_loss *loss);
int death_graph(struct death *death, struct lkst_error *err);
bool death_is_sleeper(const struct death *death, const struct lkst_thread *thread);

/* death_end.c */
int death_finish(void *ctx, struct lkst_error *err);
size_t death_messages(const struct death *death, const struct death_message *list[DEATH_LISTED]);
void death_message_text(const struct death *death, const struct death_message *message, char *text,
			size_t size);
size_t death_sleepers(const struct death *death, const struct lkst_thread *list[DEATH_SLEEPERS]);
const struct death_reclaim *death_longest_reclaim(const struct death *death);
void death_doing(const struct death *death, int32_t cpu, FILE *to);
const char *death_state(const struct death *death, const struct lkst_thread *thread,
			char text[DEATH_STATE]);
const char *death_span(int64_t ns, char text[32]);
const char *death_name(const struct death *death, uint32_t tid, char text[DEATH_NAME]);

/* death_text.c */
int death_print(void *ctx, unsigned int width, FILE *to, struct lkst_error *err);

/* death_json.c */
struct json_object *death_json(void *ctx);

#endif
