/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle: a test that compares what LKST and ftrace have recorded, record by record.
 *
 * The records of both tracers are converted to struct event. The arguments of LKST's records are
 * copied. ftrace's fields are converted to the arguments that LKST should have recorded according
 * to Documentation/lkst/events.rst.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_CPUS	2

/*
 * Arguments and credentials of the system calls that work_ia32() and work_credentials() in
 * oracle_workload_processes.c make. The oracle recognizes the calls by these values.
 */
#define ORACLE_IA32_MAGIC	0x1a320001
#define ORACLE_CRED_MAGIC	0xc4ed0001
#define ORACLE_CRED_UID		31001
#define ORACLE_CRED_GID		31002

enum kind {
#define KIND(kind, ...) kind,
#include "oracle_kinds.h"
#undef KIND
	KINDS
};

/* Groups of event kinds. One recording cannot hold all kinds, so each group has a separate one. */
enum group {
	PROCESSES,
	MEMORY,
	NETWORK,
	DEVICES,
	GROUPS
};

#define KIND_ALWAYS	1	/* recorded with every group: events of threads, and the marks */
#define KIND_BEGINS	2	/* begins an interrupt or a part of an interrupt */
#define KIND_ENDS	4	/* ends an interrupt or a part of an interrupt */
#define KIND_RARE	8	/* need not occur, because no workload causes it reliably */
#define KIND_X86	16	/* occurs on x86 only */

/* A kind of event; oracle_kinds.h describes the members. */
struct kind_info {
	const char *mnemonic;
	const char *plural;
	enum group group;
	unsigned int flags;
};

extern const struct kind_info kinds[KINDS];

static inline bool is_here(enum kind kind)
{
#if defined(__x86_64__) || defined(__i386__)
	(void)kind;
	return true;
#else
	return !(kinds[kind].flags & KIND_X86);
#endif
}

static inline bool in_group(enum kind kind, enum group group)
{
	return is_here(kind) && (kinds[kind].flags & KIND_ALWAYS || kinds[kind].group == group);
}

static inline int nesting(enum kind kind)
{
	return !!(kinds[kind].flags & KIND_BEGINS) - !!(kinds[kind].flags & KIND_ENDS);
}

/* Contexts in ascending order: each can interrupt the ones before it. */
enum context {
	IN_TASK,
	IN_SOFTIRQ,
	IN_HARDIRQ,
	IN_NMI,
	CONTEXTS
};

/* One record of either tracer. */
struct event {
	uint64_t arg[4];	/* arguments as LKST records them */
	int64_t time;		/* time of day in ns */
	uint32_t thread;	/* id of the thread that ran */
	uint32_t alias;		/* for ftrace, the thread's other id, or 0; see complete_thread() */
	uint32_t process;	/* id of the thread's process */
	uint32_t pgrp;		/* for LKST, id of the process group */
	uint32_t uid;		/* for LKST, effective user id */
	uint32_t gid;		/* for LKST, effective group id */
	uint8_t kind;		/* enum kind */
	uint8_t context;	/* enum context */
	bool preempt_off : 1;	/* preemption was off before the tracepoint turned it off */
	bool need_resched : 1;	/* a reschedule was pending */
	bool preempted : 1;	/* for ftrace, a pending reschedule may have happened between the
				 * probes of the two tracers; see put_back_preempted()
				 */
	uint8_t unknown;	/* bit 2n: @arg[n]'s lower half is unknown; 2n + 1: upper half */
};

/* The records of one tracer on one CPU, in recording order. */
struct trace {
	struct event *events;
	size_t num;
	size_t room;
};

void trace_add(struct trace *trace, const struct event *event);

/* Remove the events whose kind is not less than KINDS. */
void trace_clean(struct trace *trace);

static inline uint64_t pack(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/*
 * Marks. On each CPU the oracle compares the records from the first mark to the second. A mark is a
 * signal that the oracle sends to itself, with a unique code. Both tracers record the signal with
 * interrupts off, so no other event can come between the two records of the signal, and the range
 * is the same for both tracers.
 */
enum mark {
	MARK_BEGIN = -0x0bac1e00,
	MARK_END = -0x0bac1e01,
};

/* The signal of the marks. The oracle ignores it. */
#define MARK_SIGNAL	60

static inline bool is_mark(const struct event *event, enum mark mark)
{
	return event->kind == SIGSEND && event->arg[0] == pack(MARK_SIGNAL, mark);
}

/*
 * In oracle_lkst.c and oracle_ftrace.c. *_begin() starts to record the kinds of a group and no
 * other events, *_end() stops recording, and *_restore() restores the tracer's state. These
 * functions end the test on failure.
 */
void lkst_begin(enum group group);
void lkst_end(void);
void lkst_restore(void);
void ftrace_begin(enum group group);
void ftrace_end(void);
void ftrace_restore(void);

/*
 * Read the records from the first mark to the second into empty traces. Return NULL, or a message
 * that says what is wrong, for instance that records were lost. ftrace_load() reads the records of
 * all CPUs, because completing the records of one CPU may require the records of another.
 */
const char *lkst_load(int cpu, struct trace *trace);
const char *ftrace_load(struct trace traces[ORACLE_CPUS]);

/* In oracle_compare.c */

#define REASON_LEN	512

/*
 * ftrace's time may be up to this many ns earlier than LKST's, because the clocks differ a little.
 */
#define TIME_EARLY_NS	1000

/* More than half of ftrace's records must be later than LKST's by less than this number of ns. */
#define TIME_SOON_NS	65536

/* How two traces differ. Arrays with KINDS elements are indexed by kind. */
struct verdict {
	size_t equal[KINDS];	/* number of equal records */
	size_t missing[KINDS];	/* number of records that only ftrace has */
	size_t extra[KINDS];	/* number of records that only LKST has */
	size_t changed[KINDS];	/* number of records that differ */
	char reason[KINDS][REASON_LEN];	/* message about the first difference */
	size_t moved;		/* number of pairs of records whose order differs */
	size_t misplaced;	/* number of these pairs that no interrupt explains */
	char order_reason[REASON_LEN];	/* message about the first of these */
	size_t early;		/* number of records whose time in ftrace is more than TIME_EARLY_NS
				 * before the time in LKST, although LKST records first
				 */
	size_t soon;		/* number of records whose time in ftrace is before the time in
				 * LKST, or less than TIME_SOON_NS after it
				 */
	size_t timed;		/* number of records whose times were compared */
};

/* Compare the traces of one CPU, and add the result to @verdict. */
void compare(struct verdict *verdict, int cpu, const struct trace *lkst,
	     const struct trace *ftrace);

static inline size_t differences(const struct verdict *verdict, enum kind kind)
{
	return verdict->missing[kind] + verdict->extra[kind] + verdict->changed[kind];
}

/* Whether two records are equal in everything that ftrace records. */
bool same_event(const struct event *lkst, const struct event *ftrace);

/* In oracle_preempted.c */

/* Whether this kernel may preempt a thread between two probes of a tracepoint. */
bool probes_are_preempted(void);

/*
 * ftrace makes a record late if the thread is preempted between the two probes. Move these records
 * back to the position in the trace at which the thread was preempted. Return the number of records
 * that were moved.
 */
size_t put_back_preempted(const struct trace lkst[ORACLE_CPUS], struct trace ftrace[ORACLE_CPUS]);

/* In oracle_selftest.c */

/*
 * Check that compare() notices damage. For each kind of damage, damage copies of the traces, and
 * call @report to say whether compare() has noticed it.
 */
void selftest(const struct trace lkst[ORACLE_CPUS], const struct trace ftrace[ORACLE_CPUS],
	      void (*report)(bool noticed, const char *damage));

#endif
