// SPDX-License-Identifier: LGPL-2.1
/*
 * The system calls of threads.
 *
 * The model does not know whether a thread is in a system call until an event shows this. If that
 * event is the exit of a call, the thread has been in the call ever since the first event of the
 * thread. The model therefore counts the times by state from that first event on.
 */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "state.h"

/* Restart the times of the system call in which the thread is or may be. */
static void syscall_restart(struct model_thread *thread, int64_t at_ns)
{
	thread->live->call_at_ns = at_ns;
	thread->live->call_span.begin_ns = at_ns;
	thread->live->call_span.begin_known = false;
	for (int i = 0; i < LKST_STATE_NUM; i++)
		thread->live->call_span.state_ns[i] = 0;
}

static void syscall_close(struct model_thread *thread, enum model_call call, int64_t at_ns)
{
	thread->live->call = call;
	thread->live->call_exec = false;
	thread->live->call_span.thread = &thread->pub;
	thread->live->call_span.number = 0;
	thread->live->call_span.abi = 0;
	thread->live->call_span.result = 0;
	thread->live->call_span.exited = false;
	memset(thread->live->call_span.arg, 0, sizeof(thread->live->call_span.arg));
	thread->pub.syscall = LKST_SYSCALL_NONE;
	syscall_restart(thread, at_ns);
}

/**
 * syscall_unknown() - note that it is not known whether a new thread is in a system call
 * @thread: new thread
 * @at_ns: time
 */
void syscall_unknown(struct model_thread *thread, int64_t at_ns)
{
	syscall_close(thread, CALL_UNKNOWN, at_ns);
}

/**
 * syscall_account() - count the time of a system call in the current state of the thread
 * @thread: thread
 * @at_ns: time until which to count
 */
void syscall_account(struct model_thread *thread, int64_t at_ns)
{
	if (at_ns <= thread->live->call_at_ns)
		return;
	thread->live->call_span.state_ns[thread->pub.state] += at_ns - thread->live->call_at_ns;
	thread->live->call_at_ns = at_ns;
}

static void syscall_report(struct lkst_model *model, struct model_thread *thread, bool end_known,
			   int64_t at_ns)
{
	syscall_account(thread, at_ns);
	thread->live->call_span.end_ns = at_ns;
	thread->live->call_span.end_known = end_known;
	MODEL_REPORT(model, syscall, &thread->live->call_span);
}

/* End a system call whose exit is missing. */
static void syscall_drop(struct lkst_model *model, struct model_thread *thread, int64_t at_ns)
{
	if (thread->live->call != CALL_OPEN)
		return;
	/*
	 * If both the call and the loss that may contain its exit began before the window, do not
	 * report the call, and do not count its exit as missing.
	 */
	if (!thread->live->call_span.begin_known && at_ns == model->window_ns)
		return;
	model->counts.begins++;
	syscall_report(model, thread, false, at_ns);
}

/**
 * syscall_forget() - note that it is no longer known whether a thread is in a system call
 * @model: model
 * @thread: thread
 * @at_ns: time from which on this is not known
 */
void syscall_forget(struct lkst_model *model, struct model_thread *thread, int64_t at_ns)
{
	syscall_drop(model, thread, at_ns);
	syscall_close(thread, CALL_UNKNOWN, at_ns);
}

/**
 * syscall_user() - note that a thread is in user mode, or in an exception from there
 * @model: model
 * @thread: thread. The caller has called cpu_account(), and calls cpu_refresh() later
 */
void syscall_user(struct lkst_model *model, struct model_thread *thread)
{
	if (thread->live->call == CALL_NONE)
		return;
	syscall_drop(model, thread, model->now_ns);
	syscall_close(thread, CALL_NONE, model->now_ns);
}

/**
 * syscall_exit() - end the system call of a thread that ends now
 * @model: model
 * @thread: thread
 */
void syscall_exit(struct lkst_model *model, struct model_thread *thread)
{
	if (thread->live->call == CALL_OPEN) {
		thread->live->call_span.exited = true;
		syscall_report(model, thread, false, model->now_ns);
	}
	syscall_close(thread, CALL_NONE, model->now_ns);
}

/**
 * syscall_cut() - report the system call of a thread up to a time, and continue it
 * @model: model
 * @thread: thread
 * @at_ns: time for which syscall_account() has been called
 */
void syscall_cut(struct lkst_model *model, struct model_thread *thread, int64_t at_ns)
{
	if (thread->live->call_span.begin_ns == at_ns)
		return;
	if (thread->live->call == CALL_OPEN)
		syscall_report(model, thread, false, at_ns);
	syscall_restart(thread, at_ns);
	memset(thread->live->call_span.arg, 0, sizeof(thread->live->call_span.arg));
}

/**
 * syscall_continue() - report the system call in which a thread is when a window opens
 * @model: model
 * @thread: thread
 */
void syscall_continue(struct lkst_model *model, const struct model_thread *thread)
{
	if (thread->live->call == CALL_OPEN)
		MODEL_REPORT(model, syscall_begin, &thread->live->call_span);
}

/* ---- handlers ---- */

static void syscall_open(struct lkst_model *model, struct model_thread *thread,
			 const struct lkst_event *event)
{
	syscall_close(thread, CALL_OPEN, model->now_ns);
	thread->live->call_span.number = thread->pub.syscall = (int32_t)model_high(event->arg[0]);
	thread->live->call_span.abi = thread->pub.abi = (uint8_t)event->arg[0];
	thread->live->call_span.begin_known = true;
	memcpy(thread->live->call_span.arg, &event->arg[1], sizeof(thread->live->call_span.arg));
	thread->pub.machine = event->machine;
	thread->pub.syscall_ns = model->now_ns;
	MODEL_REPORT(model, syscall_begin, &thread->live->call_span);
}

int syscall_enter(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	struct model_thread *thread = cpu->thread;

	if (!thread)
		return 0;
	cpu_account(cpu, model->now_ns);
	/* The thread was in user mode before this call, so its earlier contexts have ended. */
	contexts_drop_thread(model, thread, 0, model->now_ns);
	syscall_drop(model, thread, model->now_ns);
	thread->pub.kernel = false;
	syscall_open(model, thread, event);
	cpu_refresh(model, cpu, model->now_ns);
	return 0;
}

/*
 * Return whether an exit belongs to the current system call. The exit of sigreturn() has the number
 * -1, and the exit of execve() may have the number of another ABI.
 */
static bool syscall_matches(const struct model_thread *thread, int32_t number, uint8_t abi)
{
	return number == -1 || thread->live->call_exec ||
	       (number == thread->live->call_span.number && abi == thread->live->call_span.abi);
}

int syscall_return(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	int32_t number = (int32_t)model_high(event->arg[0]);
	uint8_t abi = (uint8_t)event->arg[0];
	struct model_thread *thread = cpu->thread;
	int64_t now_ns = model->now_ns;

	if (!thread)
		return 0;
	cpu_account(cpu, now_ns);
	contexts_drop_thread(model, thread, 0, now_ns);
	thread->pub.kernel = false;
	/* A new thread returns from a fork() call, which its parent entered. */
	if (thread->live->call != CALL_FORKED) {
		bool open = thread->live->call == CALL_OPEN && syscall_matches(thread, number, abi);

		if (!open) {
			model->counts.ends++;
			/*
			 * The thread is in no call or in a different call: the entry of this call
			 * was lost.
			 */
			syscall_drop(model, thread, now_ns);
			if (thread->live->call != CALL_UNKNOWN)
				syscall_restart(thread, now_ns);
			thread->live->call_span.number = number;
			thread->live->call_span.abi = abi;
			memset(thread->live->call_span.arg, 0, sizeof(thread->live->call_span.arg));
		}
		thread->pub.machine = event->machine;
		thread->live->call_span.result = (int64_t)event->arg[1];
		syscall_report(model, thread, true, now_ns);
	}
	syscall_close(thread, CALL_NONE, now_ns);
	cpu_refresh(model, cpu, now_ns);
	return 0;
}
