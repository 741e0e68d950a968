/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle: what LKST recorded against what ftrace did, record by record.
 *
 * Both are brought into one form, struct event: LKST's arguments as they are, and ftrace's
 * fields put together the way events.md says LKST's arguments are made.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_CPUS	2

/* In arguments of system calls that the workload makes; see oracle_workload.c. */
#define ORACLE_IA32_MAGIC	0x1a320001
#define ORACLE_CRED_MAGIC	0xc4ed0001
#define ORACLE_CRED_UID		31001
#define ORACLE_CRED_GID		31002

enum kind {
	SWITCH,
	WAKEUP,
	SIGSEND,
	SIGRECV,
	FORK,
	EXEC,
	EXIT,
	MIGRATE,
	RENAME,
	HARDWARE_ENTRY,
	HARDWARE_EXIT,
	SOFTIRQ_ENTRY,
	SOFTIRQ_EXIT,
	SOFTIRQ_RAISE,
	TASKLETHI_ENTRY,
	TASKLETHI_EXIT,
	TASKLET_ENTRY,
	TASKLET_EXIT,
	TIMER_ENTRY,
	TIMER_EXIT,
	IPI_ENTRY,
	IPI_EXIT,
	NMI,
	SYSCALL_ENTRY,
	SYSCALL_EXIT,
	PGFAULT,
	KMALLOC,
	KFREE,
	CACHEALLOC,
	CACHEFREE,
	PAGEALLOC,
	PAGEFREE,
	RECLAIM_ENTRY,
	RECLAIM_EXIT,
	KSWAPD_WAKE,
	OOMKILL,
	PKTSEND,
	PKTSENDQ,
	PKTRECV,
	PKTRECVQ,
	DROP,
	SOCKSTATE,
	CONTENTION_BEGIN,
	CONTENTION_END,
	TIMER_ADD,
	TIMER_DEL,
	TIMER_RUN_ENTRY,
	TIMER_RUN_EXIT,
	HR_ADD,
	HR_DEL,
	HR_RUN_ENTRY,
	HR_RUN_EXIT,
	BLOCK_ISSUE,
	BLOCK_COMPLETE,
	MCE,
	IDLE_ENTRY,
	IDLE_EXIT,
	FREQUENCY,
	SUSPEND,
	MODULE_LOAD,
	MODULE_FREE,
	WORK_ENTRY,
	WORK_EXIT,
	KINDS
};

/* Too much for one recording: each group of kinds has its own, and its own workload. */
enum group {
	PROCESSES,
	MEMORY,
	NETWORK,
	DEVICES,
	GROUPS
};

/**
 * struct group_info - a group of kinds
 * @name: for people, and for the workload
 * @events_min: fewer would prove little
 */
struct group_info {
	const char *name;
	size_t events_min;
};

extern const struct group_info groups[GROUPS];

/**
 * struct kind_info - a kind of event
 * @mnemonic: LKST's name for it, as in /proc/lkst_etypes
 * @plural: for people
 * @group: in whose recording it is
 * @always: it is in all of them: which threads there are, and the marks
 * @nesting: 1 begins an interrupt or a part of one, -1 ends it
 * @rare: the workload cannot be sure to cause it
 * @x86: other machines do not have it
 */
struct kind_info {
	const char *mnemonic;
	const char *plural;
	enum group group;
	bool always;
	int nesting;
	bool rare;
	bool x86;
};

extern const struct kind_info kinds[KINDS];

static inline bool is_here(enum kind kind)
{
#if defined(__x86_64__) || defined(__i386__)
	(void)kind;
	return true;
#else
	return !kinds[kind].x86;
#endif
}

static inline bool in_group(enum kind kind, enum group group)
{
	if (!is_here(kind))
		return false;
	return kinds[kind].always || kinds[kind].group == group;
}

/* In ascending order: one can interrupt those before it. */
enum context {
	IN_TASK,
	IN_SOFTIRQ,
	IN_HARDIRQ,
	IN_NMI,
	CONTEXTS
};

/**
 * struct event - one record of either tracer
 * @arg: LKST's arguments
 * @time: wall clock, ns
 * @thread: who ran
 * @alias: ftrace only: another id that the thread had or gets, 0 if none; see complete()
 * @process: whose thread it is
 * @pgrp: LKST only, as are @uid and @gid
 * @kind: enum kind
 * @context: enum context
 * @preempt_off: apart from what the tracepoint did
 * @need_resched: a switch is due
 * @preempted: ftrace only: between the tracers the thread may have been preempted, so that a
 *	switch that was due is not any more; see put_back_preempted()
 * @unknown: bit 2n: the lower half of @arg[n] is not known, bit 2n + 1: the upper one
 */
struct event {
	uint64_t arg[4];
	int64_t time;
	uint32_t thread;
	uint32_t alias;
	uint32_t process;
	uint32_t pgrp;
	uint32_t uid;
	uint32_t gid;
	uint8_t kind;
	uint8_t context;
	bool preempt_off : 1;
	bool need_resched : 1;
	bool preempted : 1;
	uint8_t unknown;
};

/* What one tracer recorded on one CPU, in the order in which it did. */
struct trace {
	struct event *events;
	size_t num;
	size_t room;
};

void trace_add(struct trace *trace, const struct event *event);

static inline uint64_t pack(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/*
 * What is compared lies between two marks on each CPU. A mark is a signal that the oracle
 * sends itself, with a code that nothing else has: both tracers record it with interrupts
 * off, so nothing gets in between the two and the edge is the same for both.
 */
enum mark {
	MARK_BEGIN = -0x0bac1e00,
	MARK_END = -0x0bac1e01,
};

/* The signal with that code; default action and handler do not matter: it is ignored. */
#define MARK_SIGNAL	60

static inline bool is_mark(const struct event *event, enum mark mark)
{
	return event->kind == SIGSEND && event->arg[0] == pack(MARK_SIGNAL, mark);
}

/* oracle-lkst.c */

/**
 * lkst_begin() - record a group of kinds, and nothing else
 * @group: which
 *
 * Ends the test where that cannot be.
 */
void lkst_begin(enum group group);

/* Stop recording. */
void lkst_end(void);

/**
 * lkst_load() - what lies between the marks
 * @cpu: on which CPU
 * @trace: gets it
 *
 * Return: NULL, or what is wrong: LKST had no room, or it shows.
 */
const char *lkst_load(int cpu, struct trace *trace);

/* Leave LKST as it was. */
void lkst_restore(void);

/* oracle-ftrace.c, likewise */

void ftrace_begin(enum group group);
void ftrace_end(void);

/* Of all CPUs: what a thread does on one can be needed to understand what it does on another. */
const char *ftrace_load(struct trace traces[ORACLE_CPUS]);
void ftrace_restore(void);

/* oracle-compare.c */

#define REASON_LEN	512

/* ns that the clocks may differ. */
#define TIME_EARLY_NS	1000

/**
 * struct verdict - how two traces differ
 * @equal: per kind, records that both have
 * @missing: per kind, that LKST has not
 * @extra: per kind, that only LKST has
 * @changed: per kind, that differ
 * @reason: per kind, the first difference
 * @moved: pairs of records that changed places, one of which interrupted the other
 * @misplaced: other such pairs
 * @order_reason: the first of these
 * @early: ftrace's time is before LKST's, though LKST records first
 * @time_diffs: by how many bits it takes to say how many ns ftrace's time is after LKST's
 */
struct verdict {
	size_t equal[KINDS];
	size_t missing[KINDS];
	size_t extra[KINDS];
	size_t changed[KINDS];
	char reason[KINDS][REASON_LEN];
	size_t moved;
	size_t misplaced;
	char order_reason[REASON_LEN];
	size_t early;
	size_t time_diffs[64];
};

/**
 * compare() - compare what was recorded on one CPU
 * @verdict: is added to
 * @cpu: for the reasons
 * @lkst: one trace
 * @ftrace: the other
 */
void compare(struct verdict *verdict, int cpu, const struct trace *lkst,
	     const struct trace *ftrace);

static inline size_t differences(const struct verdict *verdict, enum kind kind)
{
	return verdict->missing[kind] + verdict->extra[kind] + verdict->changed[kind];
}

/**
 * equal() - do they say the same?
 * @lkst: one record
 * @ftrace: the other
 */
bool equal(const struct event *lkst, const struct event *ftrace);

/* oracle-preempted.c */

/* Whether this kernel may preempt a thread between two probes of a tracepoint. */
bool probes_are_preempted(void);

/**
 * put_back_preempted() - bring ftrace's records to where the thread was preempted before them
 * @lkst: what was recorded
 * @ftrace: the same; is changed
 *
 * Return: how many.
 */
size_t put_back_preempted(const struct trace lkst[ORACLE_CPUS], struct trace ftrace[ORACLE_CPUS]);

/* oracle-selftest.c */

/**
 * selftest() - would compare() notice?
 * @lkst: what was recorded
 * @ftrace: the same
 * @report: called for each kind of damage done to a copy of one of them, with whether it was
 *	noticed for what it is
 */
void selftest(const struct trace lkst[ORACLE_CPUS], const struct trace ftrace[ORACLE_CPUS],
	      void (*report)(bool noticed, const char *damage));

#endif
