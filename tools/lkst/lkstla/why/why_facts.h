/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Facts that lkstla why remembers in addition to the history of the state model: why interrupts,
 * softirqs and timers woke up threads, moves of waiting threads to other CPUs, work items, and
 * losses of records. If the facts need too much memory, the oldest ones are dropped.
 */
#ifndef _LKSTLA_WHY_FACTS_H
#define _LKSTLA_WHY_FACTS_H

#include "lkstla/analysis.h"
#include "lkstla/hash.h"

#define WHY_SOFTIRQS	10
#define WHY_CPUS_MAX	8192
#define WHY_LOCAL_TIMER UINT32_MAX
#define WHY_LOSSES_MAX	1024
#define WHY_FACTS_BYTES ((size_t)128 << 20)

enum why_detail {
	WHY_DETAIL_NONE,
	WHY_DETAIL_DISK,	/* a request to a disk has completed */
	WHY_DETAIL_HRTIMER,	/* the function of an hrtimer */
	WHY_DETAIL_TIMER,	/* the function of a timer */
	WHY_DETAIL_SOFTIRQ,
	WHY_DETAIL_IRQ,		/* an interrupt of a device, or the local timer */
	WHY_DETAIL_IPI,		/* an interrupt from another CPU */
	WHY_DETAIL_SIGNAL,
	WHY_DETAIL_MOVE,	/* the thread was moved to the queue of another CPU */
	WHY_DETAIL_WORK,	/* the thread executed a work item */
};

/**
 * struct why_fact - a wake-up of a thread, its move to another CPU, or a work item that it executed
 * @time_ns: time of the wake-up, of the move, or of the start of the work item
 * @since_ns: when a request was issued, a timer armed, a softirq raised, or an IPI sent; 0: unknown
 * @until_ns: HRTIMER: time at which the timer was to expire; SOFTIRQ, IRQ and IPI: when the handler
 *	began; WORK: when the work item ended; 0: unknown
 * @queue_ns: DISK: time that the request waited in the kernel before the issue; 0: unknown
 * @number: DISK: device; HRTIMER, TIMER, WORK and IPI: function; SOFTIRQ: number
 * @value: DISK: sector, and bytes and operation as in the event; SOFTIRQ: name of the network
 *	device of the latest packet
 * @thread: 1 plus the index of the thread that issued the request, armed the timer, raised the
 *	softirq or sent the IPI; 0: none or unknown
 * @ahead: DISK: 1 plus the index of the thread that issued the previous request, if the device had
 *	requests in progress when this request was issued; 0: none or unknown
 * @extra: DISK: number of requests that were in progress when this one was issued; SOFTIRQ: 1 plus
 *	the number of the interrupt that raised it, WHY_LOCAL_TIMER for the local timer, 0 for no
 *	interrupt; MOVE: CPU from which the thread was moved
 * @cpu: CPU on which this happened; MOVE: CPU to which the thread was moved
 * @detail: enum why_detail
 * @signal: signal that woke up the thread; 0: none
 */
struct why_fact {
	int64_t time_ns;
	int64_t since_ns;
	union {
		int64_t until_ns;
		int64_t queue_ns;
	};
	uint64_t number;
	uint64_t value[2];
	uint32_t thread;
	uint32_t ahead;
	uint32_t extra;
	int16_t cpu;
	uint8_t detail;
	uint8_t signal;
};

/* A request in progress, or an armed timer. The key identifies it in the events. */
struct why_pending {
	struct hash_head head;
	struct why_fact fact;
};

/**
 * struct why_device - a block device
 * @head: key in the hash table: the number of the device
 * @requests: number of requests in progress
 * @issuer: 1 plus the index of the thread that issued the latest request; 0: unknown
 */
struct why_device {
	struct hash_head head;
	uint64_t requests;
	uint32_t issuer;
};

struct why_list {
	struct why_fact *fact;
	size_t num;
	size_t room;
};

/**
 * struct why_thread - the facts about a thread
 * @events: wake-ups and moves, in order of time
 * @works: work items, in order of time
 * @placing: whether the thread is being woken up but is not in a queue yet. A move then only
 *	chooses the CPU on which the thread will wait
 */
struct why_thread {
	struct why_list events;
	struct why_list works;
	bool placing;
};

/* The state of a hard interrupt or softirq */
struct why_level {
	struct why_fact entered;
	struct why_fact timer;
	struct why_fact done;
};

/**
 * struct why_cpu - the state of a CPU
 * @level: state of the current softirq, and state of the current hard interrupt
 * @raised: softirqs that are pending
 * @sent: the latest interrupt that another CPU sent to this one
 * @woken: 1 plus the index of the thread that was woken up last; 0: none in this context
 * @woken_ns: time of this wake-up
 */
struct why_cpu {
	struct why_level level[2];
	struct why_fact raised[WHY_SOFTIRQS];
	struct why_fact sent;
	uint32_t woken;
	int64_t woken_ns;
};

/**
 * struct why_facts - what is known in addition to the history
 * @run: run
 * @now_ns: latest time of an event
 * @begin_ns: facts before this time have been dropped; INT64_MIN: none
 * @bytes: memory of the lists of @thread
 * @limit: maximum of @bytes
 * @threads: size of @thread
 * @thread: facts about threads, by index of the thread
 * @cpus: size of @cpu
 * @cpu: states of the CPUs
 * @requests: requests in progress
 * @devices: block devices
 * @timers: armed timers
 * @losses: size of @loss
 * @loss: losses in the window, in the order in which they were noticed. If there are too many,
 *	adjacent ones are merged; the CPU is -1 if the merged losses are from several CPUs
 * @joined: number of losses that were merged into each element of @loss
 * @in_last: number of losses in the last element so far
 */
struct why_facts {
	const struct run *run;
	int64_t now_ns;
	int64_t begin_ns;
	size_t bytes;
	size_t limit;
	size_t threads;
	struct why_thread *thread;
	size_t cpus;
	struct why_cpu *cpu;
	struct hash requests;
	struct hash devices;
	struct hash timers;
	size_t losses;
	struct lkst_loss loss[WHY_LOSSES_MAX];
	size_t joined;
	size_t in_last;
};

void why_facts_init(struct why_facts *facts, const struct run *run);
void why_facts_free(struct why_facts *facts);
void why_facts_add(struct why_facts *facts, const struct lkst_thread *thread,
		   const struct why_fact *fact);
void why_facts_signal(struct why_facts *facts, const struct lkst_thread *thread,
		      const struct why_fact *fact);
void why_facts_migrate(struct why_facts *facts, const struct lkst_thread *thread, int32_t from,
		       int32_t to, int64_t time_ns);
void why_facts_work(struct why_facts *facts, const struct lkst_context_span *span);
void why_facts_loss(struct why_facts *facts, const struct lkst_loss *loss);
struct why_thread *why_facts_thread(struct why_facts *facts, const struct lkst_thread *thread);
const struct why_fact *why_facts_wake(const struct why_facts *facts,
				      const struct lkst_thread *thread,
				      const struct lkst_wake *wake, int64_t after_ns);
const struct why_fact *why_facts_move(const struct why_facts *facts,
				      const struct lkst_thread *thread, int64_t after_ns,
				      int64_t before_ns);
const struct why_fact *why_facts_work_at(const struct why_facts *facts,
					 const struct lkst_thread *thread, int64_t time_ns);
const struct lkst_loss *why_facts_lost(const struct why_facts *facts, int64_t begin_ns,
				       int64_t end_ns);
uint32_t why_actor(const struct why_facts *facts, const struct lkst_event *event);

/* why_disk.c */
void why_disk_issue(struct why_facts *facts, const struct lkst_event *event);
void why_disk_complete(struct why_facts *facts, struct why_level *level,
		       const struct lkst_event *event);

/* why_events.c */
void why_facts_event(struct why_facts *facts, const struct lkst_event *event);

#endif
