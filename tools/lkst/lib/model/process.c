// SPDX-License-Identifier: LGPL-2.1
/* Context switches, and the life of threads: fork, exec, exit, names and the state dump. */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "state.h"

#define STATE_PREEMPTED 0x100

/* With one of these flags of clone(), the new thread has the same parent as its creator. */
#define SAME_PARENT (0x8000 /* CLONE_PARENT */ | 0x10000 /* CLONE_THREAD */)

/**
 * process_name() - learn the name of a thread from an event
 * @thread: thread
 * @event: event
 * @arg: index of the first argument with the name
 * @args: number of arguments with the name: 1 if the name may be truncated to 8 bytes, otherwise 2
 */
void process_name(struct model_thread *thread, const struct lkst_event *event, unsigned int arg,
		  unsigned int args)
{
	uint64_t first = event->arg[arg], second = args > 1 ? event->arg[arg + 1] : 0;
	char text[17];

	if (first == thread->live->name_word[0] &&
	    (args == 1 || second == thread->live->name_word[1]))
		return;
	thread->live->name_word[0] = first;
	thread->live->name_word[1] = second;
	lkst_event_text(event, arg, args, text);
	/* A name of 8 bytes may be the start of the longer name that is already known. */
	if (args == 1 && !strncmp(thread->pub.name, text, 8))
		return;
	text[LKST_COMM_LEN - 1] = 0;
	memset(thread->pub.name, 0, sizeof(thread->pub.name));
	memcpy(thread->pub.name, text, strlen(text));
}

/* Find or add the thread that an argument refers to. Returns -1 if an allocation fails. */
static int process_thread(struct lkst_model *model, const struct model_cpu *cpu, uint32_t tid,
			  struct model_thread **thread)
{
	*thread = NULL;
	if (!model_is_tid(tid))
		return 0;
	*thread = thread_get(model, cpu->span.source, tid);
	return *thread ? 0 : -1;
}

/* ---- context switches ---- */

/*
 * Make the thread that is switched out the current thread of the CPU. If the CPU had another
 * current thread, the model has missed a switch.
 */
static int switch_correct(struct lkst_model *model, struct model_cpu *cpu, uint32_t prev)
{
	cpu->switched_from = MODEL_NO_TID;
	return prev == cpu->tid ? 0 : cpu_show(model, cpu, prev);
}

/* Set the state of a thread that was switched out. */
static void switch_out(struct lkst_model *model, struct model_thread *prev, uint32_t state,
		       const struct model_thread *next)
{
	char letter = (char)(state & 0xff);

	if (letter == 'X' || letter == 'Z') {
		thread_exit(model, prev, LKST_END_EXIT);
	} else if (letter == 'R') {
		prev->pub.letter = letter;
		thread_set(model, prev, LKST_STATE_RUNNABLE, true, LKST_END_PREEMPTED,
			   model->now_ns);
		prev->live->span.preempted = true;
		prev->live->span.behind = next && next != prev ? &next->pub : NULL;
	} else if (letter > ' ' && letter < 0x7f && state < STATE_PREEMPTED) {
		prev->pub.letter = letter;
		thread_set(model, prev, LKST_STATE_BLOCKED, true, LKST_END_STATE, model->now_ns);
	} else {
		thread_forget(model, prev, model->now_ns);
	}
}

int process_switch(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	uint32_t prev_tid = model_high(event->arg[0]), next_tid = model_high(event->arg[1]);
	struct model_thread *prev, *next;

	if (switch_correct(model, cpu, prev_tid) || process_thread(model, cpu, next_tid, &next))
		return -1;
	contexts_drop(model, cpu, 0, model->now_ns);
	prev = cpu_leave(model, cpu, model->now_ns);
	if (prev) {
		process_name(prev, event, 2, 1);
		if (!prev->pub.tgid && event->tid == prev_tid)
			prev->pub.tgid = event->tgid;
		switch_out(model, prev, model_low(event->arg[0]), next);
		/* Only a damaged event switches to the thread that has just ended. */
		if (prev == next && prev->pub.exited)
			next = NULL;
	}
	if (next) {
		process_name(next, event, 3, 1);
		cpu_run(model, cpu, next, true);
	} else if (!next_tid) {
		cpu_idle(model, cpu);
	} else {
		cpu_refresh(model, cpu, model->now_ns);
	}
	cpu->switched_from = prev_tid;
	return 0;
}

/* ---- the life of threads ---- */

int process_fork(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	uint32_t tid = model_high(event->arg[0]);
	const struct model_thread *parent = cpu->thread;
	struct model_thread *child;

	if (!model_is_tid(tid))
		return 0;
	child = thread_new(model, cpu->span.source, tid);
	if (!child)
		return -1;
	process_name(child, event, 2, 2);
	child->pub.created = true;
	child->pub.tgid = model_low(event->arg[0]);
	if (!(event->arg[1] & SAME_PARENT))
		child->pub.parent = event->tgid;
	else if (parent)
		child->pub.parent = parent->pub.parent;
	child->pub.kernel = event->tid == MODEL_KTHREADD || (parent && parent->pub.kernel);
	child->live->call = CALL_FORKED;
	/* The new thread sleeps until the process_wakeup that follows. */
	thread_place(model, child, cpu);
	thread_set(model, child, LKST_STATE_BLOCKED, true, LKST_END_STATE, model->now_ns);
	return 0;
}

/*
 * If a thread other than the first one of a process calls exec(), all others end, and the caller
 * gets the tid of the first one.
 */
int process_exec(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	uint32_t tid = model_high(event->arg[0]), old_tid = model_low(event->arg[0]);
	struct model_thread *thread, *old = NULL;

	if (process_thread(model, cpu, tid, &thread))
		return -1;
	if (!thread)
		return 0;
	if (old_tid != tid)
		old = thread_find(model, cpu->span.source, old_tid);
	if (old && !old->pub.exited)
		thread_exit(model, old, LKST_END_EXIT);
	thread->live->call_exec = thread->live->call == CALL_OPEN;
	if (cpu->thread == thread)
		cpu_account(cpu, model->now_ns);
	thread->pub.kernel = false;
	cpu_refresh(model, cpu, model->now_ns);
	return 0;
}

int process_exit(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	struct model_thread *thread;

	if (process_thread(model, cpu, model_high(event->arg[0]), &thread))
		return -1;
	if (!thread)
		return 0;
	process_name(thread, event, 3, 1);
	thread->live->exiting = true;
	return 0;
}

int process_rename(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	struct model_thread *thread;

	if (!model_is_tid(event->arg[0]))
		return 0;
	if (process_thread(model, cpu, (uint32_t)event->arg[0], &thread))
		return -1;
	if (thread)
		process_name(thread, event, 1, 2);
	return 0;
}

int process_state(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	uint32_t tid = model_high(event->arg[0]), parent = model_high(event->arg[1]);
	char letter = (char)model_low(event->arg[1]);
	struct model_thread *thread = thread_find(model, cpu->span.source, tid);

	/* The state dump also lists zombies, which the model may already know to have ended. */
	if (thread && thread->pub.exited && (letter == 'Z' || letter == 'X'))
		return 0;
	if (process_thread(model, cpu, tid, &thread))
		return -1;
	if (!thread)
		return 0;
	process_name(thread, event, 2, 2);
	thread->pub.tgid = model_low(event->arg[0]);
	thread->pub.parent = parent;
	if (tid == MODEL_KTHREADD || parent == MODEL_KTHREADD) {
		if (cpu->thread == thread)
			cpu_account(cpu, model->now_ns);
		thread->pub.kernel = true;
	}
	/*
	 * State R does not show whether a thread runs or waits for a CPU. If the model already
	 * knows the state, it ignores the dump: a thread that is about to sleep still runs, but no
	 * longer has the letter R.
	 */
	if (thread->pub.state == LKST_STATE_UNKNOWN) {
		if (letter == 'Z' || letter == 'X') {
			thread_exit(model, thread, LKST_END_EXIT);
		} else if (letter != 'R' && letter > ' ' && letter < 0x7f) {
			thread->pub.letter = letter;
			thread_set(model, thread, LKST_STATE_BLOCKED, false, LKST_END_STATE,
				   model->now_ns);
		}
	}
	cpu_refresh(model, cpu, model->now_ns);
	return 0;
}
