/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The state model: derives from the events of a trace what each CPU and each thread was doing, and
 * for how long. It is a part of liblkst; see lkst.h for errors, threads and the use of structures.
 *
 * The caller feeds events in order of time. The model keeps the current state of each CPU and
 * thread. A span is a time in which the state stays the same. The model reports each span as soon
 * as it ends. The model allocates memory for CPUs and threads, never for events.
 *
 * Invariants, which tests check on every trace:
 *  - The spans of a thread tile the time from its first span to its end: each span begins where the
 *    previous one ended.
 *  - The spans of a CPU tile the time from its first event to the last call of lkst_model_cut().
 *  - A RUNNING span of a thread lies within spans of one CPU, and its times by mode add up to its
 *    length.
 *
 * The model reports states that it cannot know as unknown: a trace may begin at any moment, and
 * records may be missing. After a CPU has lost records, its current thread and contexts are unknown
 * until events show them again. The state of each thread that ran on that CPU is unknown, too.
 *
 * All times are as in struct lkst_event.time_ns: the wall clock, in nanoseconds since the epoch.
 * The model limits them to INT64_MAX / 2 before and after the epoch.
 *
 * Later versions may add members to the end of structures and use reserved members, and may add
 * values to enumerations, before the value whose name ends with _NUM.
 */
#ifndef _LKST_MODEL_H
#define _LKST_MODEL_H

#include "lkst.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct lkst_model;

/* ---- what is known about threads and CPUs ---- */

/**
 * enum lkst_state - what a thread is doing
 * @LKST_STATE_UNKNOWN: not recorded, or the records were lost
 * @LKST_STATE_RUNNING: executing on a CPU, or interrupted there
 * @LKST_STATE_RUNNABLE: waiting for a CPU
 * @LKST_STATE_BLOCKED: sleeping, stopped or traced, until something wakes it up
 * @LKST_STATE_NUM: number of states
 */
enum lkst_state {
	LKST_STATE_UNKNOWN,
	LKST_STATE_RUNNING,
	LKST_STATE_RUNNABLE,
	LKST_STATE_BLOCKED,
	LKST_STATE_NUM,
};

/**
 * enum lkst_mode - what a CPU is executing
 * @LKST_MODE_UNKNOWN: not recorded, or the records were lost
 * @LKST_MODE_IDLE: the idle thread
 * @LKST_MODE_USER: a thread, in user mode
 * @LKST_MODE_KERNEL: a thread, in kernel mode: in a system call or exception, or a kernel thread
 * @LKST_MODE_THREAD: a thread, but the trace has no system calls that would show the mode
 * @LKST_MODE_SOFTIRQ: a softirq
 * @LKST_MODE_HARDIRQ: a hard interrupt: of a device, the local timer or another CPU
 * @LKST_MODE_NUM: number of modes
 *
 * The time of NMIs belongs to the mode that they interrupt, because only their end is recorded.
 */
enum lkst_mode {
	LKST_MODE_UNKNOWN,
	LKST_MODE_IDLE,
	LKST_MODE_USER,
	LKST_MODE_KERNEL,
	LKST_MODE_THREAD,
	LKST_MODE_SOFTIRQ,
	LKST_MODE_HARDIRQ,
	LKST_MODE_NUM,
};

/**
 * enum lkst_context_kind - kinds of code that the kernel enters and leaves on a CPU
 * @LKST_CONTEXT_IRQ: interrupt of a device; number: irq
 * @LKST_CONTEXT_TIMER_IRQ: interrupt of the local timer; number: vector
 * @LKST_CONTEXT_IPI: interrupt from another CPU; number: vector
 * @LKST_CONTEXT_SOFTIRQ: number: softirq
 * @LKST_CONTEXT_TASKLET: number: address of the function
 * @LKST_CONTEXT_TIMER: function of a timer; number: address of the function
 * @LKST_CONTEXT_HRTIMER: function of an hrtimer; number: address of the function
 * @LKST_CONTEXT_WORK: work item, in a kernel thread; number: address of the function
 * @LKST_CONTEXT_EXCEPTION: exception other than an interrupt; number: trap
 * @LKST_CONTEXT_NUM: number of kinds
 */
enum lkst_context_kind {
	LKST_CONTEXT_IRQ,
	LKST_CONTEXT_TIMER_IRQ,
	LKST_CONTEXT_IPI,
	LKST_CONTEXT_SOFTIRQ,
	LKST_CONTEXT_TASKLET,
	LKST_CONTEXT_TIMER,
	LKST_CONTEXT_HRTIMER,
	LKST_CONTEXT_WORK,
	LKST_CONTEXT_EXCEPTION,
	LKST_CONTEXT_NUM,
};

#define LKST_SYSCALL_NONE	(-1)

/**
 * struct lkst_thread - a thread, from its creation or the first event about it to its end
 * @index: number of the thread in the model, from 0 without gaps. An analysis can use it as an
 *	index into an array. The kernel reuses thread IDs, but the model never reuses an index
 * @source: index of the file in a trace of several files
 * @tid: thread ID
 * @tgid: process; 0: unknown
 * @parent: thread ID of the parent; 0: unknown
 * @kernel: whether it is a kernel thread; false if this is unknown
 * @created: the trace shows its creation, so it did not exist before @first_ns
 * @exited: the thread has ended
 * @name: the latest known name; "" if unknown
 * @first_ns: time at which the first span began
 * @state: current state
 * @since_ns: time since which it has been in @state
 * @cpu: CPU where it runs, whose queue it waits in, or where it ran last; -1: unknown
 * @letter: letter of the state in which it was switched out, as in ps: S, D, T ...; 0: unknown
 * @syscall: number of the system call in which it is, or LKST_SYSCALL_NONE
 * @abi: ABI of that system call, as in system_call_entry
 * @machine: enum lkst_machine; the name of the system call depends on it
 * @syscall_ns: time at which the system call began
 * @wakes: number of times that it was woken up
 *
 * The pointer stays valid until the model is freed. The idle threads are not among the threads.
 */
struct lkst_thread {
	uint32_t index;
	uint32_t source;
	uint32_t tid;
	uint32_t tgid;
	uint32_t parent;
	bool kernel;
	bool created;
	bool exited;
	char name[LKST_COMM_LEN];
	int64_t first_ns;
	enum lkst_state state;
	int64_t since_ns;
	int32_t cpu;
	char letter;
	int32_t syscall;
	uint8_t abi;
	uint8_t machine;
	int64_t syscall_ns;
	uint64_t wakes;
};

/**
 * struct lkst_wake - what made a thread runnable
 * @known: false if no event showed the cause
 * @thread: thread that woke it up, or that @context interrupted; NULL: idle or unknown
 * @cpu: CPU on which the wake-up happened
 * @context: the innermost context on that CPU: an enum lkst_context_kind, or -1 for the thread
 *	itself
 * @number: number of that context
 * @name: IRQ: name of the handler, because the handlers of a shared interrupt have the same number;
 *	otherwise ""
 * @time_ns: time of the wake-up
 * @reserved: 0
 */
struct lkst_wake {
	bool known;
	const struct lkst_thread *thread;
	int32_t cpu;
	int context;
	uint64_t number;
	char name[25];
	int64_t time_ns;
	uint64_t reserved[2];
};

/**
 * enum lkst_end - how a span of a thread ended
 * @LKST_END_CUT: lkst_model_cut(), or records were lost
 * @LKST_END_STATE: the state changed
 * @LKST_END_PREEMPTED: only RUNNING: the thread was switched out, but is still runnable
 * @LKST_END_EXIT: the thread ended
 */
enum lkst_end {
	LKST_END_CUT,
	LKST_END_STATE,
	LKST_END_PREEMPTED,
	LKST_END_EXIT,
};

/*
 * Sizes of arrays with an element for each mode or state. Elements after the last mode or state are
 * 0.
 */
#define LKST_MODES_MAX	8
#define LKST_STATES_MAX 8

/**
 * struct lkst_thread_span - time in which a thread stayed in one state
 * @thread: the thread; its members show the state at the end of the span, before the change
 * @state: state
 * @begin_ns: start
 * @end_ns: end, not before @begin_ns
 * @begin_known: false if the thread was, or may have been, in this state before @begin_ns
 * @end: how the span ended
 * @cpu: RUNNING: the CPU; RUNNABLE: the CPU on which it ran next, or in whose queue it is; -1:
 *	unknown
 * @mode_ns: RUNNING: time by mode. Interrupts and softirqs that occurred meanwhile are included,
 *	and USER, KERNEL and THREAD are the thread's own time
 * @letter: BLOCKED: as in struct lkst_thread
 * @syscall: system call in which the thread was at the end of the span, or LKST_SYSCALL_NONE
 * @context: BLOCKED: the innermost context in which the thread went to sleep: LKST_CONTEXT_WORK or
 *	LKST_CONTEXT_EXCEPTION; -1: none, or its start was not recorded
 * @number: number of that context
 * @preempted: RUNNABLE: the thread was switched out while runnable, rather than woken up
 * @wake: RUNNABLE: what woke it up; not @known if @preempted
 * @behind: RUNNABLE: thread that was running on @cpu when @thread entered the queue of that CPU;
 *	NULL: idle or unknown
 * @reserved: 0
 */
struct lkst_thread_span {
	const struct lkst_thread *thread;
	enum lkst_state state;
	int64_t begin_ns;
	int64_t end_ns;
	bool begin_known;
	enum lkst_end end;
	int32_t cpu;
	int64_t mode_ns[LKST_MODES_MAX];
	char letter;
	int32_t syscall;
	int context;
	uint64_t number;
	bool preempted;
	struct lkst_wake wake;
	const struct lkst_thread *behind;
	uint64_t reserved[4];
};

/**
 * struct lkst_cpu_span - time in which the mode and the thread of a CPU stayed the same
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @mode: mode
 * @thread: thread that ran or was interrupted; NULL: idle or unknown
 * @begin_ns: start
 * @end_ns: end
 * @reserved: 0
 */
struct lkst_cpu_span {
	uint32_t source;
	int32_t cpu;
	enum lkst_mode mode;
	const struct lkst_thread *thread;
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t reserved[2];
};

/**
 * struct lkst_context_span - an interrupt, softirq, timer function, work item or exception
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @kind: kind
 * @number: see enum lkst_context_kind
 * @name: IRQ: name of the handler, at most 24 bytes; otherwise ""
 * @thread: thread that was interrupted, or that ran the work item; NULL: idle or unknown
 * @begin_ns: start
 * @end_ns: end
 * @own_ns: time without the contexts that interrupted this one; for WORK and EXCEPTION, without the
 *	time in which the thread did not run. TASKLET, TIMER, HRTIMER and EXCEPTION do not interrupt
 *	the context around them but are a part of it, so their time is included
 * @begin_known: false if the start was not recorded, or is before the window
 * @end_known: false if the end was not recorded, or is after the window
 * @raised_ns: SOFTIRQ: time at which it was raised on this CPU; 0: unknown
 * @expires_ns: HRTIMER: time for which the timer was set, by the monotonic clock; 0: unknown
 * @ip: TIMER_IRQ: address of the interrupted instruction; EXCEPTION: of the faulting one; 0:
 *	unknown
 */
struct lkst_context_span {
	uint32_t source;
	int32_t cpu;
	enum lkst_context_kind kind;
	uint64_t number;
	char name[25];
	const struct lkst_thread *thread;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t own_ns;
	bool begin_known;
	bool end_known;
	int64_t raised_ns;
	int64_t expires_ns;
	uint64_t ip;
};

/**
 * struct lkst_syscall_span - a system call
 * @thread: thread
 * @number: number of the call
 * @abi: ABI as in system_call_entry
 * @arg: the first three arguments; 0 if not @begin_known
 * @result: result, or negative errno; 0 if not @end_known
 * @begin_ns: start
 * @end_ns: end
 * @begin_known: false if the start was not recorded, or is before the window
 * @end_known: false if the call had not returned at the end of the window, or its end was lost
 * @exited: the thread ended in this call
 * @state_ns: time by state of the thread; the sum is @end_ns - @begin_ns
 * @reserved: 0
 */
struct lkst_syscall_span {
	const struct lkst_thread *thread;
	int32_t number;
	uint8_t abi;
	uint64_t arg[3];
	int64_t result;
	int64_t begin_ns;
	int64_t end_ns;
	bool begin_known;
	bool end_known;
	bool exited;
	int64_t state_ns[LKST_STATES_MAX];
	uint64_t reserved[2];
};

/**
 * struct lkst_loss - records that are missing
 * @source: index of the file in a trace of several files
 * @cpu: CPU whose records are missing
 * @begin_ns: time of the last record before them
 * @end_ns: time of the first record after them; end of the window if @number is 0
 * @number: number of records; 0: unknown, see lkst_model_read()
 */
struct lkst_loss {
	uint32_t source;
	int32_t cpu;
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t number;
};

/**
 * struct lkst_model_ops - functions that the model calls; each may be NULL
 * @thread: a span of a thread has ended
 * @cpu: a span of a CPU has ended
 * @context: a context has ended
 * @syscall: a system call has ended
 * @wake: a thread was woken up. @wake->thread is the waker, @thread the thread that was woken up
 * @migrate: a thread was moved to the queue of another CPU
 * @loss: records of a CPU are missing
 * @event: called for each event, after the model has processed it
 * @context_begin: a context has begun, at @span->begin_ns. If the window opens within a context,
 *	this is called at the start of the window, with @begin_known false. Not called for a context
 *	of which only the end was recorded, nor again after a cut. Members about the end are not set
 * @syscall_begin: the same for a system call
 * @reserved: NULL
 *
 * The model reports spans in the order in which they end, with one exception: after a loss, it
 * reports late those spans that end at the last record before the loss. The spans belong to the
 * model, and are valid during the call. @ctx is the argument of lkst_model_add(). A function may
 * call the functions of the model that return information, and lkst_model_fail(). It must not call
 * any other function that changes the model.
 */
struct lkst_model_ops {
	void (*thread)(void *ctx, const struct lkst_thread_span *span);
	void (*cpu)(void *ctx, const struct lkst_cpu_span *span);
	void (*context)(void *ctx, const struct lkst_context_span *span);
	void (*syscall)(void *ctx, const struct lkst_syscall_span *span);
	void (*wake)(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake);
	void (*migrate)(void *ctx, const struct lkst_thread *thread, int32_t from, int32_t to,
			int64_t time_ns);
	void (*loss)(void *ctx, const struct lkst_loss *loss);
	void (*event)(void *ctx, const struct lkst_event *event);
	void (*context_begin)(void *ctx, const struct lkst_context_span *span);
	void (*syscall_begin)(void *ctx, const struct lkst_syscall_span *span);
	void (*reserved[6])(void);
};

/**
 * struct lkst_model_counts - what the model has seen since the last lkst_model_open_window()
 * @events: events
 * @lost: records that are missing
 * @begins: begins of contexts and system calls for which no end was found
 * @ends: ends for which no begin was found
 * @reordered: events that contradict the state, for example because the clocks of two CPUs differ
 *	by more than the time between two events
 * @nested: events of interrupts that occurred while another record was being written. That record
 *	has a later time, and these events count as if they had occurred at that time
 * @nested_ns: the longest time between an event and the time at which it counts
 */
struct lkst_model_counts {
	uint64_t events;
	uint64_t lost;
	uint64_t begins;
	uint64_t ends;
	uint64_t reordered;
	uint64_t nested;
	int64_t nested_ns;
};

/* ---- the model ---- */

/**
 * lkst_model_new() - make a model that has not seen any events
 * @selected: the trace was filtered when it was written, so gaps in the recids are not losses
 * @err: set if an allocation fails
 *
 * Return: the model, to be freed with lkst_model_free().
 */
struct lkst_model *lkst_model_new(bool selected, struct lkst_error *err);

/**
 * lkst_model_free() - free a model and its threads
 * @model: may be NULL
 */
void lkst_model_free(struct lkst_model *model);

/**
 * lkst_model_add() - add functions that the model calls from now on
 * @model: model
 * @ops: functions; copied
 * @ctx: passed to the functions
 * @err: set if an allocation fails
 *
 * Functions that are added first are called first.
 */
int lkst_model_add(struct lkst_model *model, const struct lkst_model_ops *ops, void *ctx,
		   struct lkst_error *err);

/**
 * lkst_model_event() - process an event
 * @model: model
 * @event: event. It should not be older than the previous event: an older event is handled as if it
 *	had occurred at the time of the previous event
 * @err: set if an allocation or a called function fails, or if @event->source is 65536 or more
 *
 * Return: 0; -1 on failure, after which the model can only be freed.
 */
int lkst_model_event(struct lkst_model *model, const struct lkst_event *event,
		     struct lkst_error *err);

/**
 * lkst_model_fail() - make the model fail, from a function in struct lkst_model_ops
 * @model: model
 * @why: error; copied. If several functions fail, the first error is kept
 *
 * The lkst_model_event() or lkst_model_cut() that called the function returns this error.
 */
void lkst_model_fail(struct lkst_model *model, const struct lkst_error *why);

/**
 * lkst_model_open_window() - begin to report at a given time
 * @model: model
 * @time_ns: time. If it is later than the latest event, nothing is reported until an event at this
 *	time or a later one. Until then, the model only follows the events
 *
 * Spans before the time are not reported. Open spans begin at the time, with @begin_known false.
 * The counts restart.
 */
void lkst_model_open_window(struct lkst_model *model, int64_t time_ns);

/**
 * lkst_model_after() - check whether records are missing between the window and a later event
 * @model: model
 * @event: first event of its CPU after the window. It is not processed
 *
 * Call this before lkst_model_cut(). Otherwise, if records are missing, the model would assume that
 * the CPU stayed in the same state until the end of the window.
 */
void lkst_model_after(struct lkst_model *model, const struct lkst_event *event);

/**
 * lkst_model_cut() - report all open spans up to a time, and continue them
 * @model: model
 * @time_ns: time; if it is before the latest event, the cut is made at the time of that event
 * @err: set if a called function fails
 *
 * Spans that begin exactly at that time are not reported. Call this after the last event.
 *
 * If a window has not opened yet and begins no later than @time_ns, it opens first.
 */
int lkst_model_cut(struct lkst_model *model, int64_t time_ns, struct lkst_error *err);

/* ---- the present state ---- */

/**
 * lkst_model_threads() - count all threads, whether they have ended or not
 * @model: model
 */
size_t lkst_model_threads(const struct lkst_model *model);

/**
 * lkst_model_thread() - get a thread by its index
 * @model: model; owns the result
 * @index: index
 *
 * Return: the thread; NULL if @index is not less than lkst_model_threads().
 */
const struct lkst_thread *lkst_model_thread(const struct lkst_model *model, uint32_t index);

/**
 * lkst_model_find() - find the latest thread with a thread ID
 * @model: model; owns the result
 * @source: index of the file in a trace of several files
 * @tid: thread ID
 *
 * Return: the thread, which may have ended; NULL if no thread has this ID.
 */
const struct lkst_thread *lkst_model_find(const struct lkst_model *model, uint32_t source,
					  uint32_t tid);

/**
 * lkst_model_find_at() - find the thread that had a thread ID at a given time
 * @model: model; owns the result
 * @source: index of the file in a trace of several files
 * @tid: thread ID
 * @time_ns: time
 *
 * The kernel reuses thread IDs. Takes time in proportion to the number of threads that had this ID
 * later.
 *
 * Return: the thread; NULL if the model has no thread with this ID at that time.
 */
const struct lkst_thread *lkst_model_find_at(const struct lkst_model *model, uint32_t source,
					     uint32_t tid, int64_t time_ns);

/**
 * lkst_model_cpus() - count the CPUs with events, of all sources
 * @model: model
 */
size_t lkst_model_cpus(const struct lkst_model *model);

/**
 * lkst_model_cpu() - get the current span of a CPU
 * @model: model
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @now: result; @end_ns is the time of the latest event or cut
 *
 * Return: whether the CPU has events.
 */
bool lkst_model_cpu(const struct lkst_model *model, uint32_t source, int32_t cpu,
		    struct lkst_cpu_span *now);

/**
 * lkst_model_counts() - get what has been counted since the window was opened
 * @model: model; owns the result, which changes with each event
 */
const struct lkst_model_counts *lkst_model_counts(const struct lkst_model *model);

/**
 * lkst_model_saw() - check whether an event of a type occurred, in the window or before it
 * @model: model
 * @type: event type
 */
bool lkst_model_saw(const struct lkst_model *model, uint32_t type);

/* ---- reading a trace ---- */

/**
 * struct lkst_model_window - a part of a trace, for lkst_model_read()
 * @begin_ns: time at which the reports begin; INT64_MIN: with the oldest event
 * @end_ns: time at which they end; INT64_MAX: with the newest event
 * @source: set by lkst_model_read(): the member @source of each thread and CPU in the model
 * @reserved2: 0
 * @ctx: passed to the functions
 * @next: called before each event is processed, and with NULL after the last one; may be NULL. It
 *	may call lkst_model_fail()
 * @progress: called after @done of @total events of the trace have been read; may be NULL
 * @reserved: 0
 */
struct lkst_model_window {
	int64_t begin_ns;
	int64_t end_ns;
	uint32_t source;
	uint32_t reserved2;
	void *ctx;
	void (*next)(void *ctx, const struct lkst_event *event);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *reserved[4];
};

/**
 * lkst_model_read() - feed a model with the events of a trace
 * @model: model that has not seen any events. This function finds out whether the trace was
 *	filtered, see lkst_model_new()
 * @trace: trace, of files or of the running kernel. If it has files of several boots, only files of
 *	the newest boot are read, and all their events are treated as events of the first of these
 *	files
 * @window: the time for which the model reports; NULL: the whole trace. The model also
 *	processes the events before the window, because they show the state in which it begins
 * @err: set on failure, for example if the trace has no events
 *
 * Takes one pass over the events up to the end of the window. Afterwards, lkst_model_cut() has been
 * called for the end of the window.
 *
 * If the trace is damaged or truncated, the last records of a CPU may be missing, and leave no gap.
 * So unless a CPU is known to have later records, its state is unknown after its last record, and a
 * loss of 0 records is reported. Threads that were not running are unknown from the earliest of
 * these last records on.
 */
int lkst_model_read(struct lkst_model *model, struct lkst_trace *trace,
		    struct lkst_model_window *window, struct lkst_error *err);

/* ---- the history: the spans of the past ---- */

/*
 * A history keeps the spans that a model reports. With it, a program can find out what a thread or
 * a CPU was doing at any time of the window, and go from there to earlier and later spans. A span
 * of a thread takes 40 bytes, a system call 56, and a span of a CPU 16. Up to half of that memory
 * may be reserved in addition for further spans. Finding a span takes logarithmic time. For a
 * RUNNING span, the times by mode are added up from the spans of its CPU. For a system call, the
 * times by state are added up from the spans of its thread. This takes additional time in
 * proportion to the number of spans that are added up.
 *
 * The functions lkst_history_..._index() return the index of the span at a given time, which is
 * the number of spans of this thread or CPU that end at this time or earlier. A lower index means
 * an earlier span. The indexes are valid until the model processes the next event. This prints when
 * a thread was blocked between two times:
 *
 *	size_t i = lkst_history_thread_index(history, thread, from_ns);
 *
 *	while (lkst_history_thread_span(history, thread, i++, &span) && span.begin_ns < to_ns)
 *		if (span.state == LKST_STATE_BLOCKED)
 *			printf("%lld to %lld\n", (long long)span.begin_ns, (long long)span.end_ns);
 *
 * A history returns the spans that the model reported, with two exceptions. The members of struct
 * lkst_thread always show the latest state of the thread, not the state at the end of the span. A
 * time that the history does not have, because it is before lkst_history_begin() or between two
 * windows, counts as LKST_MODE_UNKNOWN or LKST_STATE_UNKNOWN.
 *
 * A history does not keep contexts. A span of a CPU shows the mode in which a context runs, and
 * struct lkst_model_ops.context reports each context.
 */

struct lkst_history;

/* Memory that a history uses by default, in bytes */
#define LKST_HISTORY_BYTES	((uint64_t)256 << 20)

/**
 * lkst_history_new() - keep the spans that a model will report
 * @model: model, which must exist as long as the history is used
 * @bytes: memory that the history may use, in bytes; 0: LKST_HISTORY_BYTES. If this is not enough,
 *	the oldest spans are dropped. If it is not enough even for the newest spans, the model fails
 * @err: set on failure
 *
 * Return: the history, to be freed with lkst_history_free().
 */
struct lkst_history *lkst_history_new(struct lkst_model *model, uint64_t bytes,
				      struct lkst_error *err);

/**
 * lkst_history_free() - free a history
 * @history: may be NULL. Its model must not process any more events, and may already have been
 *	freed
 */
void lkst_history_free(struct lkst_history *history);

/**
 * lkst_history_bytes() - get the memory that a history uses now
 * @history: history
 *
 * Return: bytes.
 */
uint64_t lkst_history_bytes(const struct lkst_history *history);

/**
 * lkst_history_begin() - get the time from which a history is complete
 * @history: history
 *
 * Return: the time; all spans that ended at this time or earlier have been dropped. INT64_MIN: no
 * span has been dropped.
 */
int64_t lkst_history_begin(const struct lkst_history *history);

/**
 * lkst_history_thread_at() - get what a thread was doing at a given time
 * @history: history
 * @thread: thread of the model
 * @time_ns: time
 * @span: result, with @begin_ns <= @time_ns < @end_ns
 *
 * Return: whether the history has such a span. It has none before the first span of the thread,
 * after its last one, and for spans that had not ended at the last lkst_model_cut().
 */
bool lkst_history_thread_at(const struct lkst_history *history, const struct lkst_thread *thread,
			    int64_t time_ns, struct lkst_thread_span *span);

/**
 * lkst_history_thread_index() - find the span of a thread at a given time
 * @history: history
 * @thread: thread of the model
 * @time_ns: time; INT64_MAX: after all spans
 *
 * Return: the number of its spans that end at @time_ns or earlier.
 */
size_t lkst_history_thread_index(const struct lkst_history *history,
				 const struct lkst_thread *thread, int64_t time_ns);

/**
 * lkst_history_thread_span() - get a span of a thread by its index
 * @history: history
 * @thread: thread of the model
 * @index: index in order of time
 * @span: result
 *
 * Return: whether there is such a span.
 */
bool lkst_history_thread_span(const struct lkst_history *history, const struct lkst_thread *thread,
			      size_t index, struct lkst_thread_span *span);

/**
 * lkst_history_cpu_at() - get what a CPU was doing at a given time
 * @history: history
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @time_ns: time
 * @span: result, with @begin_ns <= @time_ns < @end_ns
 *
 * Return: whether the history has such a span.
 */
bool lkst_history_cpu_at(const struct lkst_history *history, uint32_t source, int32_t cpu,
			 int64_t time_ns, struct lkst_cpu_span *span);

/**
 * lkst_history_cpu_index() - find the span of a CPU at a given time
 * @history: history
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @time_ns: time; INT64_MAX: after all spans
 *
 * Return: the number of its spans that end at @time_ns or earlier.
 */
size_t lkst_history_cpu_index(const struct lkst_history *history, uint32_t source, int32_t cpu,
			      int64_t time_ns);

/**
 * lkst_history_cpu_span() - get a span of a CPU by its index
 * @history: history
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @index: index in order of time
 * @span: result
 *
 * Return: whether there is such a span.
 */
bool lkst_history_cpu_span(const struct lkst_history *history, uint32_t source, int32_t cpu,
			   size_t index, struct lkst_cpu_span *span);

/**
 * lkst_history_syscall_at() - get the system call in which a thread was at a given time
 * @history: history
 * @thread: thread of the model
 * @time_ns: time
 * @span: result, with @begin_ns <= @time_ns < @end_ns
 *
 * Return: whether the thread is known to have been in a system call.
 */
bool lkst_history_syscall_at(const struct lkst_history *history, const struct lkst_thread *thread,
			     int64_t time_ns, struct lkst_syscall_span *span);

/**
 * lkst_history_syscall_index() - find the system call of a thread at a given time
 * @history: history
 * @thread: thread of the model
 * @time_ns: time; INT64_MAX: after all system calls
 *
 * Return: the number of its system calls that end at @time_ns or earlier.
 */
size_t lkst_history_syscall_index(const struct lkst_history *history,
				  const struct lkst_thread *thread, int64_t time_ns);

/**
 * lkst_history_syscall_span() - get a system call of a thread by its index
 * @history: history
 * @thread: thread of the model
 * @index: index in order of time
 * @span: result
 *
 * Return: whether there is such a system call.
 */
bool lkst_history_syscall_span(const struct lkst_history *history,
			       const struct lkst_thread *thread, size_t index,
			       struct lkst_syscall_span *span);

/**
 * lkst_history_sort_wakes() - prepare for looking up the wake-ups by a thread
 * @history: history
 * @err: set if an allocation fails
 *
 * Call this before lkst_history_wake_index() and lkst_history_wake_span(), and again when the model
 * has processed more events. Takes time in proportion to the number of spans.
 */
int lkst_history_sort_wakes(struct lkst_history *history, struct lkst_error *err);

/**
 * lkst_history_wake_index() - find the first wake-up by a thread at a given time or later
 * @history: history
 * @waker: thread of the model that woke up other threads, or was interrupted by code that did so
 * @time_ns: time; INT64_MAX: after all wake-ups
 *
 * Return: the number of wake-ups by @waker before @time_ns.
 */
size_t lkst_history_wake_index(const struct lkst_history *history, const struct lkst_thread *waker,
			       int64_t time_ns);

/**
 * lkst_history_wake_span() - get a wake-up by a thread by its index
 * @history: history
 * @waker: thread of the model
 * @index: index in order of time
 * @span: result: the RUNNABLE span of the thread that was woken up, with @span->wake.thread ==
 *	@waker
 *
 * Return: whether there is such a wake-up; false if lkst_history_sort_wakes() has not been called
 * since the last event.
 */
bool lkst_history_wake_span(const struct lkst_history *history, const struct lkst_thread *waker,
			    size_t index, struct lkst_thread_span *span);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* _LKST_MODEL_H */
