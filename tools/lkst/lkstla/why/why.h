/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the files of lkstla why.
 *
 * why.c reads the trace, why_choose.c and why_marks.c choose the delays, and why_tree.c explains
 * each as a tree of segments. The files why_of_*.c make the children of a segment, and
 * why_print.c prints the tree.
 */
#ifndef _LKSTLA_WHY_H
#define _LKSTLA_WHY_H

#include <stdio.h>

#include "why_facts.h"

#define WHY_DELAYS_MAX	 1000	/* --slowest */
#define WHY_DEPTH_MAX	 32	/* --depth */
#define WHY_WIDTH_MAX	 1000	/* --segments */
#define WHY_POOL	 8192	/* segments of a delay: at least 2 * WHY_WIDTH_MAX + 2 */
#define WHY_TEXT	 320
#define WHY_MARK	 256	/* the text of a mark, or the beginning of it, and a NUL */
#define WHY_NAMES	 256	/* marks that can be suggested instead of a misspelled one */

struct why_arguments {
	const char *at;
	const char *span;
	const char *syscall;
	int64_t slowest;
	int64_t depth;
	int64_t segments;
};

/**
 * enum why_kind - the kinds of segments
 * @WHY_RUNNING: the thread ran
 * @WHY_RUNNABLE: the thread waited for a CPU. Children: what the CPU did
 * @WHY_BLOCKED: the thread slept. Children: what the waker did during the sleep
 * @WHY_UNKNOWN: it is not known what the thread did
 * @WHY_ABSENT: the thread did not exist yet. Children: what the creator of the thread did
 * @WHY_MANY: several short segments
 * @WHY_UNTIL: the time until another thread acted. Children: what that thread did before it acted
 * @WHY_TIMER: the time until a timer was to expire
 * @WHY_PENDING: a timer or a softirq was late. Children: what the CPU did
 * @WHY_DISK: a request was in the device
 * @WHY_HANDLER: an interrupt or softirq ran until it woke up the thread
 * @WHY_CPU: what a CPU did
 * @WHY_KINDS: number of kinds
 */
enum why_kind {
	WHY_RUNNING,
	WHY_RUNNABLE,
	WHY_BLOCKED,
	WHY_UNKNOWN,
	WHY_ABSENT,
	WHY_MANY,
	WHY_UNTIL,
	WHY_TIMER,
	WHY_PENDING,
	WHY_DISK,
	WHY_HANDLER,
	WHY_CPU,
	WHY_KINDS,
};

/**
 * struct why_segment - a part of a delay
 * @kind: kind
 * @explained: whether its cause is known
 * @cut: whether its children are left out because of a limit
 * @depth: level in the tree; 0: a part of the delay itself
 * @begin_ns: start
 * @end_ns: end, after @begin_ns
 * @thread: thread whose state this is; NULL: the segment is about a CPU or a device
 * @other: UNTIL, ABSENT, BLOCKED: thread whose time explains the segment; NULL: none
 * @fact: BLOCKED: what is known about the wake-up that ended the sleep; NULL: nothing
 * @cpu: CPU; -1: none or unknown
 * @wake_ns: BLOCKED: time of the wake-up, which may be after the end of the delay
 * @parent: index of the parent in the pool; 0: none
 * @child: index of the first child; 0: none
 * @next: index of the next child of the parent; 0: none
 * @text: what happened, in words
 */
struct why_segment {
	enum why_kind kind;
	bool explained;
	bool cut;
	int depth;
	int64_t begin_ns;
	int64_t end_ns;
	const struct lkst_thread *thread;
	const struct lkst_thread *other;
	const struct why_fact *fact;
	int32_t cpu;
	int64_t wake_ns;
	size_t parent;
	size_t child;
	size_t next;
	char text[WHY_TEXT];
};

/**
 * struct why_delay - a delay of a thread
 * @thread: thread
 * @begin_ns: start
 * @end_ns: end, after @begin_ns
 * @begin_known: false if it began before the window
 * @end_known: false if it had not ended at the end of the window
 * @in_call: the delay is the system call @call
 * @call: the system call, if @in_call is set
 */
struct why_delay {
	const struct lkst_thread *thread;
	int64_t begin_ns;
	int64_t end_ns;
	bool begin_known;
	bool end_known;
	bool in_call;
	struct lkst_syscall_span call;
};

/* The longest delays so far, or the delays to show */
struct why_delays {
	size_t num;
	size_t max;
	struct why_delay *delay;
};

/**
 * struct why_marks - the marks of --span
 * @from: text of the first mark; "": --span is not given
 * @to: text of the second mark
 * @seen: for each of the two marks, whether it has occurred
 * @open: whether a first mark has occurred that no second mark has followed yet
 * @open_ns: time of the latest first mark
 * @other: a thread that is not selected, and that recorded the second mark after the first one;
 *	NULL: none
 * @pairs: the longest pairs
 * @names: number of marks in @name
 * @name: the first distinct marks in the window, until both marks of --span have occurred
 */
struct why_marks {
	char from[WHY_MARK];
	char to[WHY_MARK];
	bool seen[2];
	bool open;
	int64_t open_ns;
	const struct lkst_thread *other;
	struct why_delays pairs;
	size_t names;
	char name[WHY_NAMES][WHY_MARK];
};

/**
 * struct why - the state of lkstla why
 * @run: run
 * @own: options of lkstla why
 * @width: --segments
 * @depth: --depth
 * @named: whether kernel threads are treated as if the user had named them
 * @at_ns: --at; valid if @own->at is set
 * @history: spans of threads and CPUs
 * @facts: what is known in addition to @history
 * @marks: --span
 * @pool: segments of the delay that is being explained, from index 1
 * @segments: number of segments in @pool, including the unused one at index 0
 * @call: system call of the delay that is being explained; NULL: none
 * @lengths: memory for the lengths of pieces, see why_pieces.c
 */
struct why {
	const struct run *run;
	const struct why_arguments *own;
	size_t width;
	int depth;
	bool named;
	int64_t at_ns;
	struct lkst_history *history;
	struct why_facts facts;
	struct why_marks marks;
	struct why_segment *pool;
	size_t segments;
	const struct lkst_syscall_span *call;
	int64_t *lengths;
};

/* why.c */
struct why *why_new(const struct run *run, const struct why_arguments *own, struct lkst_error *err);

/* why_choose.c */
bool why_selects(const struct why *why, const struct lkst_thread *thread);
void why_delays_add(struct why_delays *delays, const struct why_delay *delay);
struct why_delay why_delay_at(const struct why *why, const struct lkst_thread *thread);
void why_add_slowest(const struct why *why, const struct lkst_thread *thread,
		     struct why_delays *delays, bool *called);
int why_choose(const struct why *why, struct why_delays *delays, struct lkst_error *err);

/* why_marks.c */
int why_marks_init(struct why *why, struct lkst_error *err);
void why_marks_event(struct why *why, const struct lkst_event *event);
int why_marks_choose(const struct why *why, struct why_delays *delays, struct lkst_error *err);

/* why_tree.c */
struct why_segment *why_add(struct why *why, size_t parent, enum why_kind kind, int64_t begin_ns,
			    int64_t end_ns);
void why_say(struct why_segment *segment, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
const char *why_ms(int64_t ns, char text[32]);
void why_explain(struct why *why, const struct why_delay *delay);
double why_explained(const struct why *why, const struct why_delay *delay);

/* why_of_thread.c, why_of_cpu.c, why_of_wake.c */
void why_of_thread(struct why *why, size_t parent, const struct lkst_thread *thread,
		   int64_t begin_ns, int64_t end_ns);
void why_of_cpu(struct why *why, size_t parent, int32_t cpu, int64_t begin_ns, int64_t end_ns);
void why_of_wake(struct why *why, size_t parent);
void why_say_fact(struct why *why, struct why_segment *segment);

/* why_call.c */
void why_put_call(const struct why *why, const struct lkst_syscall_span *call, FILE *to);

/* why_print.c */
void why_put_delay(struct why *why, const struct why_delay *delay, unsigned int width, FILE *to);
int why_print(struct why *why, const struct why_delays *delays, struct tables *to,
	      struct lkst_error *err);

#endif
