/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lkstla report: prints one page about a trace.
 *
 * The rules are in one table (report_rules.c). Each rule has a threshold, and an occurrence that
 * reaches it is a finding. The worst occurrence of each rule is kept even if it does not reach the
 * threshold. The files report_*.c collect occurrences from the state model, and from other
 * analyses, which run as parts of this one.
 */
#ifndef _LKSTLA_REPORT_H
#define _LKSTLA_REPORT_H

#include "history.h"
#include "lkstla/analysis.h"
#include "lkstla/blame.h"
#include "lkstla/findings.h"
#include "lkstla/hash.h"

/* The rules. Findings of the same rank and cost are printed in this order. */
enum report_rule_id {
	RULE_OOPS,
	RULE_LOCKUP,
	RULE_MCE,
	RULE_OOM_KILL,
	RULE_IO_ERROR,
	RULE_WARNING,
	RULE_CRASH,
	RULE_CPU_OFFLINE,
	RULE_LOST,
	RULE_CPU_WAIT,
	RULE_IRQS_OFF,
	RULE_IRQ_LONG,
	RULE_SOFTIRQ_LONG,
	RULE_TIMER_LATE,
	RULE_BLOCK_SLOW,
	RULE_LOCK_WAIT,
	RULE_D_WAIT,
	RULE_CALL_SLOW,
	RULE_ERRORS,
	RULE_DROPS,
	RULE_MEM_GREW,
	RULE_IRQ_BUSY,
	RULE_IDLE_QUEUED,
	REPORT_RULES,
};

/**
 * enum report_unit - unit of a threshold, and of the values that it is compared with
 * @UNIT_TIME: nanoseconds
 * @UNIT_SHARE: millionths
 * @UNIT_COUNT: a number. The sum of the values of all occurrences is compared
 * @UNIT_RATE: a number per second
 * @UNIT_BYTES: bytes
 */
enum report_unit {
	UNIT_TIME,
	UNIT_SHARE,
	UNIT_COUNT,
	UNIT_RATE,
	UNIT_BYTES,
};

/*
 * The classes of findings, in the order in which they are listed: RANK_TROUBLE comes first.
 */
enum report_rank {
	RANK_TROUBLE,	/* the kernel or a program has failed */
	RANK_DELAY,	/* sorted by the total time of the occurrences */
	RANK_LOAD,	/* sorted by the ratio of the worst value to the threshold */
};

enum {
	REPORT_RARE = 1 << 0,	/* the events are rare: a trace without them is normal */
	REPORT_ANY = 1 << 1,	/* one of the events in @needs is enough */
	REPORT_CPUS = 1 << 2,	/* about CPUs or the machine: not applied with -p */
};

/**
 * struct report_rule - a rule
 * @name: name of the finding, and of its threshold and its section in lkstla-findings(7)
 * @what: what the threshold limits, for --thresholds and the table of the worst occurrences
 * @rank: enum report_rank
 * @unit: unit of @threshold
 * @threshold: default
 * @flags: REPORT_*
 * @needs: mnemonics of the event types without which the rule cannot be applied, ending with NULL
 * @text: sentence about the worst occurrence, see report_expand()
 * @more: command that shows more, without the name of the program: lkstla, or lkstbuf for "print"
 */
struct report_rule {
	const char *name;
	const char *what;
	enum report_rank rank;
	enum report_unit unit;
	int64_t threshold;
	unsigned int flags;
	const char *const *needs;
	const char *text;
	const char *more;
};

extern const struct report_rule report_rules[REPORT_RULES];

#define REPORT_NAME_SIZE 128
#define REPORT_NONE_SIZE (64 * REPORT_RULES)

/**
 * struct report_case - an occurrence
 * @value: how bad it is, in the unit of the rule
 * @number: UNIT_RATE: how often it happened in the window; @value is how often per second
 * @begin_ns: start; 0: unknown
 * @at_ns: end, which "lkstla why --at" accepts; 0: the occurrence has no time
 * @thread: thread to which it happened; NULL: none or unknown
 * @other: thread that caused it; NULL: none or unknown
 * @cpu: CPU; -1: none or unknown
 * @idle_cpu: another CPU that was idle during this time; -1: none
 * @idle_ns: time for which @idle_cpu was idle
 * @name: what the occurrence is about, such as an interrupt; "": nothing, or unknown
 * @detail: more about the occurrence; "": nothing, or unknown
 */
struct report_case {
	int64_t value;
	int64_t number;
	int64_t begin_ns;
	int64_t at_ns;
	const struct lkst_thread *thread;
	const struct lkst_thread *other;
	int32_t cpu;
	int32_t idle_cpu;
	int64_t idle_ns;
	char name[REPORT_NAME_SIZE];
	char detail[REPORT_NAME_SIZE];
};

/**
 * struct report_finding - data about a rule
 * @threshold: threshold of the rule
 * @count: number of occurrences that reach the threshold; UNIT_COUNT: of all occurrences
 * @total: sum of the values of these occurrences
 * @any: whether there was an occurrence; if so, @worst is set
 * @worst: the worst occurrence
 */
struct report_finding {
	int64_t threshold;
	uint64_t count;
	int64_t total;
	bool any;
	struct report_case worst;
};

/* Analyses that run as parts of lkstla report */
enum report_part {
	PART_CPU,
	PART_SCHED,
	PART_BLOCK,
	PART_LOCK,
	PART_SYSCALL,
	PART_NET,
	PART_MEM,
	REPORT_PARTS,
};

/**
 * struct report_head - a block at the head of the page, with separate callbacks
 * @ops: functions that the model calls with the result of start(), before the report's functions
 * @start: allocates what the block collects. Called before the first event
 * @early: called for each event before the window, before the model processes the event
 * @finish: draws conclusions. Called once, after the last event
 * @text: prints the block after finish(), or nothing if the block does not apply
 * @json: returns the block as JSON, or NULL if the block does not apply
 * @free: frees what start() allocated
 */
struct report_head {
	struct lkst_model_ops ops;
	void *(*start)(const struct run *run, struct lkst_error *err);
	void (*early)(void *ctx, const struct lkst_event *event);
	int (*finish)(void *ctx, struct lkst_error *err);
	int (*text)(void *ctx, unsigned int width, FILE *to, struct lkst_error *err);
	struct json_object *(*json)(void *ctx);
	void (*free)(void *ctx);
};

/* The last minute of a dead machine, death.c */
extern const struct report_head report_death;

/**
 * struct report_thread - data about a thread
 * @waker: thread that woke it up last; NULL: another cause, or unknown
 * @woken_ns: time of that wake-up
 * @d_ns: time that it spent in uninterruptible sleep in its current system call
 */
struct report_thread {
	const struct lkst_thread *waker;
	int64_t woken_ns;
	int64_t d_ns;
};

/**
 * struct report_first - the first record of a CPU
 * @seen: the CPU has a record
 * @time_ns: time of the first record if earlier records of the CPU are missing; otherwise INT64_MIN
 */
struct report_first {
	bool seen;
	int64_t time_ns;
};

/* The latest hard interrupts of a CPU that have ended, in the order of their ends. */
#define REPORT_IRQS 8

struct report_irqs {
	int64_t begin_ns[REPORT_IRQS], end_ns[REPORT_IRQS];
	uint64_t num; /* number of all hard interrupts that have ended */
};

/**
 * struct report - what lkstla report collects
 * @run: run
 * @finding: what is known about each rule
 * @order: the rules with findings, the worst first
 * @findings: number of elements of @order
 * @part: what the start() functions of the parts returned
 * @death: what the start() function of report_death returned
 * @past: the contents of the long rings; NULL: none
 * @history: what the CPUs did recently
 * @cpus: 1 plus the highest number of a CPU with spans
 * @thread: threads, by index
 * @threads: number of elements of @thread
 * @irqs: by CPU: its latest hard interrupts
 * @irq_cpus: number of elements of @irqs
 * @first: by CPU: its first record
 * @firsts: number of elements of @first
 * @oopsed: thread of the last oops; NULL: none or unknown
 */
struct report {
	const struct run *run;
	struct report_finding finding[REPORT_RULES];
	enum report_rule_id order[REPORT_RULES];
	size_t findings;
	void *part[REPORT_PARTS];
	void *death;
	struct report_history *past;
	struct blame_history history;
	int32_t cpus;
	struct report_thread *thread;
	size_t threads;
	struct report_irqs *irqs;
	size_t irq_cpus;
	struct report_first *first;
	size_t firsts;
	const struct lkst_thread *oopsed;
};

/* Make a case for an occurrence of which only the CPU and the times are known. */
static inline struct report_case report_case_at(int64_t begin_ns, int64_t at_ns, int32_t cpu)
{
	return (struct report_case){
		.begin_ns = begin_ns, .at_ns = at_ns, .cpu = cpu, .idle_cpu = -1
	};
}

/* report.c */
struct report *report_new(const struct run *run, const struct report_arguments *own,
			  struct lkst_error *err);

/* report_thresholds.c */
int report_set_thresholds(struct report *report, const struct option_words *words,
			  struct lkst_error *err);
void report_list_thresholds(void);
struct table *report_thresholds_table(struct lkst_error *err);
double report_real(enum report_unit unit, int64_t value);
const char *report_unit_name(enum report_unit unit);
const char *report_value(enum report_unit unit, int64_t value, char text[32]);

/* report_findings.c */
bool report_is_worst(const struct report *report, enum report_rule_id id, int64_t value);
void report_add(struct report *report, enum report_rule_id id, const struct report_case *found);
void report_rank(struct report *report);
bool report_is_off(const struct report *report, enum report_rule_id id);

/* report_collect.c */
void report_on_thread(void *ctx, const struct lkst_thread_span *span);
void report_on_cpu(void *ctx, const struct lkst_cpu_span *span);
void report_on_context(void *ctx, const struct lkst_context_span *span);
void report_on_syscall(void *ctx, const struct lkst_syscall_span *span);
struct report_thread *report_thread_of(struct report *report, const struct lkst_thread *thread);
int64_t report_first_irq(const struct report *report, int32_t cpu, int64_t since_ns, int64_t now_ns);

/* report_events.c */
void report_note_first(struct report *report, const struct lkst_event *event);
void report_on_event(void *ctx, const struct lkst_event *event);
void report_on_loss(void *ctx, const struct lkst_loss *loss);

/* report_parts.c */
void report_observe_parts(struct report *report);
void report_finish_parts(struct report *report);

/* report_text.c */
int report_expand(const struct report *report, enum report_rule_id id, const char *form,
		  char **text, struct lkst_error *err);
int report_more(const struct report *report, enum report_rule_id id, char **text,
		struct lkst_error *err);

/* report_missing.c */
bool report_lacks(const struct run *run, const struct report_rule *rule);
void report_missing_text(const struct run *run, const char *const *words, char *text, size_t size);

/* report_page.c */
void report_none_text(const struct report *report, char *text, size_t size);
int report_print_page(struct report *report, struct tables *to, struct lkst_error *err);

/* report_tables.c */
int report_add_tables(struct report *report, struct tables *to, struct lkst_error *err);

#endif
