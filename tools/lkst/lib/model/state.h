/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The state that the model keeps, and the functions that change it. lib/model.h documents the
 * functions that programs call.
 *
 * model.c receives the events. process.c, wakes.c, syscalls.c, context_events.c and recording.c
 * contain their handlers. threads.c, cpus.c and contexts.c update the state and report spans.
 * window.c selects the time for which spans are reported. trim.c forgets threads that have ended.
 *
 * Times never decrease: struct lkst_model.now_ns is the latest time of all events so far, and an
 * event with an earlier time is handled as if it had occurred at that time. There is one exception:
 * when records are missing, the current spans end at the last record before them. An earlier time
 * is normal in the records of an interrupt that came while another record was being written; in
 * other records, it contradicts the state.
 */
#ifndef _LKST_LIB_MODEL_STATE_H
#define _LKST_LIB_MODEL_STATE_H

#include "lib/model.h"

#define MODEL_CPUS	8192
#define MODEL_SOURCES	65536
#define MODEL_SOFTIRQS	32
#define MODEL_NO_TID	UINT32_MAX
#define MODEL_KTHREADD	2	/* tid of the thread that creates all other kernel threads */

/*
 * Thread IDs are below this number (PID_MAX_LIMIT in the kernel). Without this limit, each event of
 * a damaged trace could add a thread.
 */
#define MODEL_TIDS	(1u << 22)

/*
 * All times are limited to this number of nanoseconds before and after the epoch, so that the
 * difference of two times does not overflow.
 */
#define MODEL_TIME_MAX	(INT64_MAX / 2)

/*
 * The longest time that interrupts can take while a record is being written; see lib/trace/lanes.c
 */
#define MODEL_INTERRUPTED_NS 1000000000

/* At most this many contexts can be open on a CPU or in a thread, except in a damaged trace. */
#define CPU_CONTEXTS_MAX	16
#define THREAD_CONTEXTS_MAX	4

/*
 * A context that has been entered. @mode is the mode of the CPU while it is in the context. @flag
 * is the LKST_LOG_* flag that all events in the context have, or 0.
 */
struct model_context {
	struct lkst_context_span span;
	enum lkst_mode mode;
	uint32_t flag;
};

/* What is known about the system call of a thread */
enum model_call {
	CALL_UNKNOWN,
	CALL_NONE,	/* in user mode, or in an exception from there */
	CALL_FORKED,	/* a new thread that has not returned from fork() */
	CALL_OPEN,
};

struct model_cpu;

/* What the model knows about a thread until it ends */
struct model_live {
	struct lkst_thread_span span;	/* the current span; some members are set when it ends */
	struct lkst_wake early;		/* from process_waking while the thread was still running */
	enum model_call call;
	bool call_exec;			/* process_exec occurred in this call */
	int64_t call_at_ns;		/* call_span.state_ns includes the time up to this moment */
	struct lkst_syscall_span call_span;
	struct model_context *context;	/* array of THREAD_CONTEXTS_MAX; NULL before first use */
	unsigned int depth;
	uint64_t name_word[2];		/* last arguments that contained the name */
	bool exiting;			/* process_exit occurred */
};

struct model_thread {
	struct lkst_thread pub;
	struct model_live *live;	/* NULL: the thread has ended */
	struct model_thread *older;	/* thread that had the same tid before; NULL: none */
	struct model_thread **list;	/* head of the list that the thread is in; NULL: none */
	struct model_thread *prev, *next;
	bool kept;			/* lkst_model_trim() keeps the thread */
};

/* What a CPU is executing, apart from contexts */
enum model_what {
	WHAT_UNKNOWN,
	WHAT_IDLE,
	WHAT_THREAD,
};

struct model_cpu {
	struct lkst_cpu_span span;	/* the current span; @end_ns is unset */
	bool seen;			/* an event of this CPU has been seen, so @span has begun */
	bool starts_after;		/* its first event is after the window */
	size_t index;			/* among the CPUs that have been seen */
	bool offline;
	enum model_what what;
	struct model_thread *thread;	/* not NULL if and only if @what is WHAT_THREAD */
	uint32_t tid;			/* 0 if @what is WHAT_IDLE, MODEL_NO_TID if WHAT_UNKNOWN */
	uint32_t switched_from;		/* previous tid: events have it until the switch ends */
	int64_t at_ns;			/* cpu_account() has counted the time up to this moment */
	int64_t last_ns;		/* time of the last event */
	int64_t latest_ns;		/* latest time in the records of this CPU */
	uint64_t recid;			/* of the last event */
	bool rewound;			/* the recid has decreased */
	unsigned int depth;
	uint32_t context_flags;		/* all flags of @context */
	struct model_context context[CPU_CONTEXTS_MAX];
	int64_t raised_ns[MODEL_SOFTIRQS];	/* 0: not raised */
	struct model_thread *threads;	/* threads on this CPU whose state is known */
	bool active;			/* in the list that begins with struct model_world.active */
	struct model_cpu *next_active;
};

/* What the model knows about one source */
struct model_world {
	uint32_t source;
	bool begun;			/* lkst_init occurred */
	size_t cpus;			/* size of @cpu */
	struct model_cpu **cpu;		/* by number; NULL: no event mentioned the CPU */
	struct model_cpu *active;	/* CPUs about which something may be known */
	struct model_cpu **active_end;	/* the NULL pointer that ends the list */
	struct model_thread *elsewhere;	/* threads whose state is known, but whose CPU is not */
	struct model_thread *unknown;	/* threads in state UNKNOWN that have not ended */
};

struct model_listener {
	struct lkst_model_ops ops;
	void *ctx;
};

struct lkst_model {
	bool selected;
	bool waiting;			/* nothing is reported before the window opens */
	int64_t window_ns;		/* start of the window */
	int64_t now_ns;
	size_t worlds;			/* size of @world */
	struct model_world **world;	/* by source; NULL: no event of the source */
	size_t listeners;
	struct model_listener *listener;
	size_t threads;
	size_t threads_room;
	struct model_thread **thread;	/* by index */
	size_t slots;			/* of the hash table, a power of two */
	struct model_thread **slot;	/* latest thread of each source and tid */
	size_t slots_used;
	size_t cpus;			/* CPUs with events */
	struct lkst_model_counts counts;
	bool failed;			/* lkst_model_fail() has set @failure */
	struct lkst_error failure;
	uint64_t saw[LKST_ETYPE_NUM / 64];
};

/* Call a function of all listeners, unless the window has not opened yet. */
#define MODEL_REPORT(model, function, ...)                                                       \
	do {                                                                                     \
		for (size_t i_ = 0; !(model)->waiting && i_ < (model)->listeners; i_++)          \
			if ((model)->listener[i_].ops.function)                                  \
				(model)->listener[i_].ops.function((model)->listener[i_].ctx,    \
								   __VA_ARGS__);                 \
	} while (0)

static inline bool model_saw(const struct lkst_model *model, uint32_t type)
{
	return model->saw[type / 64] >> type % 64 & 1;
}

static inline uint32_t model_high(uint64_t arg)
{
	return (uint32_t)(arg >> 32);
}

static inline uint32_t model_low(uint64_t arg)
{
	return (uint32_t)arg;
}

/* Return whether a number can be the ID of a thread other than an idle thread. */
static inline bool model_is_tid(uint64_t number)
{
	return number && number < MODEL_TIDS;
}

static inline int64_t model_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- model.c ---- */

int model_failure(const struct lkst_model *model, struct lkst_error *err);
struct model_cpu *model_cpu_of(struct lkst_model *model, uint32_t source, uint32_t cpu);

/* ---- window.c ---- */

int64_t window_time(int64_t time_ns);
void window_open(struct lkst_model *model, int64_t at_ns);

/* ---- recording.c ---- */

void recording_check_recid(struct lkst_model *model, struct model_cpu *cpu,
			   const struct lkst_event *event);

void recording_begin(struct lkst_model *model, struct model_cpu *cpu,
		     const struct lkst_event *event);
void recording_lose_end(struct lkst_model *model, uint32_t source, const uint64_t *known,
			int64_t at_ns);
void recording_activate(struct lkst_model *model, struct model_cpu *cpu);

/* ---- threads.c ---- */

struct model_thread *thread_get(struct lkst_model *model, uint32_t source, uint32_t tid);
struct model_thread *thread_new(struct lkst_model *model, uint32_t source, uint32_t tid);
struct model_thread *thread_find(const struct lkst_model *model, uint32_t source, uint32_t tid);
void thread_set(struct lkst_model *model, struct model_thread *thread, enum lkst_state state,
		bool begin_known, enum lkst_end end, int64_t at_ns);
void thread_place(struct lkst_model *model, struct model_thread *thread, struct model_cpu *cpu);
void thread_behind(struct lkst_model *model, struct model_thread *thread);
void thread_forget(struct lkst_model *model, struct model_thread *thread, int64_t at_ns);
void thread_exit(struct lkst_model *model, struct model_thread *thread, enum lkst_end end);
void thread_cut(struct lkst_model *model, struct model_thread *thread, int64_t at_ns);
void thread_free(struct model_thread *thread);
void thread_drop(struct model_thread *thread);
void thread_refill_slots(struct lkst_model *model);

/* ---- cpus.c ---- */

void cpu_account(struct model_cpu *cpu, int64_t at_ns);
void cpu_refresh(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns);
void cpu_run(struct lkst_model *model, struct model_cpu *cpu, struct model_thread *thread,
	     bool begin_known);
void cpu_idle(struct lkst_model *model, struct model_cpu *cpu);
struct model_thread *cpu_leave(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns);
void cpu_stop(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns);
void cpu_forget(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns);
int cpu_show(struct lkst_model *model, struct model_cpu *cpu, uint32_t tid);
void cpu_cut(struct lkst_model *model, struct model_cpu *cpu, int64_t at_ns);

/* ---- contexts.c ---- */

void contexts_check_flags(struct lkst_model *model, struct model_cpu *cpu, uint32_t flags);
void contexts_drop(struct lkst_model *model, struct model_cpu *cpu, unsigned int depth,
		   int64_t at_ns);
void contexts_drop_thread(struct lkst_model *model, struct model_thread *thread,
			  unsigned int depth, int64_t at_ns);
void contexts_cut(struct lkst_model *model, struct model_context *context, unsigned int depth,
		  int64_t at_ns);

struct model_context *context_enter(struct lkst_model *model, struct model_cpu *cpu,
				    enum lkst_context_kind kind, uint64_t number,
				    uint32_t flags);
struct model_context *context_enter_thread(struct lkst_model *model, struct model_cpu *cpu,
					   enum lkst_context_kind kind, uint64_t number);
void context_entered(struct lkst_model *model, struct model_cpu *cpu,
		     const struct model_context *context);
void contexts_continue(struct lkst_model *model, const struct model_context *context,
		       unsigned int depth);
void context_leave(struct lkst_model *model, struct model_cpu *cpu, enum lkst_context_kind kind,
		   uint64_t number, bool any_number);

/* ---- syscalls.c ---- */

void syscall_unknown(struct model_thread *thread, int64_t at_ns);
void syscall_user(struct lkst_model *model, struct model_thread *thread);
void syscall_account(struct model_thread *thread, int64_t at_ns);
void syscall_forget(struct lkst_model *model, struct model_thread *thread, int64_t at_ns);
void syscall_exit(struct lkst_model *model, struct model_thread *thread);
void syscall_cut(struct lkst_model *model, struct model_thread *thread, int64_t at_ns);
void syscall_continue(struct lkst_model *model, const struct model_thread *thread);

/* ---- process.c ---- */

void process_name(struct model_thread *thread, const struct lkst_event *event, unsigned int arg,
		  unsigned int args);

/*
 * Handlers of events. They return -1 if an allocation fails. @cpu is the CPU of the event, and
 * @model->now_ns its time.
 */
typedef int model_handler(struct lkst_model *model, struct model_cpu *cpu,
			  const struct lkst_event *event);

model_handler recording_stop, recording_restart, recording_init, recording_idle_entry,
	recording_online, recording_suspend, process_switch, process_fork, process_exec,
	process_exit, process_rename, process_state, wake_up, wake_waking, wake_migrate,
	syscall_enter, syscall_return, context_hardware_entry, context_hardware_exit,
	context_timer_irq_entry, context_timer_irq_exit, context_ipi_entry, context_ipi_exit,
	context_softirq_entry, context_softirq_exit, context_softirq_raise, context_tasklet_entry,
	context_tasklet_exit, context_timer_entry, context_timer_exit, context_hrtimer_entry,
	context_hrtimer_exit, context_work_entry, context_work_exit, context_exception_entry,
	context_exception_exit;

#endif
