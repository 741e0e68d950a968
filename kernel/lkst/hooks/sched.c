// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class processes (0x000).
 */
#include <linux/binfmts.h>
#include <linux/lkst_hook.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/task.h>

#include "../event.h"
#include "../source.h"

/* Added to the state letter of a thread that was preempted and remains runnable. */
#define LKST_STATE_PREEMPTED	0x100

static void lkst_probe_sched_switch(void *data, bool preempt, struct task_struct *prev,
				    struct task_struct *next, unsigned int prev_state)
{
	u32 state = preempt ? 'R' | LKST_STATE_PREEMPTED :
		    task_index_to_char(__task_state_index(prev_state, prev->exit_state));

	lkst_event(LKST_ETYPE_PROCESS_CONTEXTSWITCH, LKST_ARG32(prev->pid, state),
		   LKST_ARG32(next->pid, next->prio), lkst_text8(prev->comm),
		   lkst_text8(next->comm));
}

static __always_inline void lkst_wakeup(struct task_struct *task, bool new)
{
	lkst_event(LKST_ETYPE_PROCESS_WAKEUP, LKST_ARG32(task->pid, task->prio),
		   LKST_ARG32(task_cpu(task), new), lkst_text8(task->comm),
		   lkst_text8(task->comm + 8));
}

static void lkst_probe_sched_wakeup(void *data, struct task_struct *task)
{
	lkst_wakeup(task, false);
}

static void lkst_probe_sched_wakeup_new(void *data, struct task_struct *task)
{
	lkst_wakeup(task, true);
}

static void lkst_probe_signal_generate(void *data, int sig, struct kernel_siginfo *info,
				       struct task_struct *task, int group, int result)
{
	int code = 0;

	if (info == SEND_SIG_PRIV)
		code = SI_KERNEL;
	else if (info != SEND_SIG_NOINFO)
		code = info->si_code;
	lkst_event(LKST_ETYPE_PROCESS_SIGSEND, LKST_ARG32(sig, code),
		   LKST_ARG32(task->pid, result), group, lkst_text8(task->comm));
}

static void lkst_probe_signal_deliver(void *data, int sig, struct kernel_siginfo *info,
				      struct k_sigaction *ka)
{
	int code = 0;

	if (info == SEND_SIG_PRIV)
		code = SI_KERNEL;
	else if (info != SEND_SIG_NOINFO)
		code = info->si_code;
	lkst_event(LKST_ETYPE_PROCESS_SIGRECV, LKST_ARG32(sig, code),
		   LKST_ARGP(ka->sa.sa_handler), ka->sa.sa_flags, 0);
}

static void lkst_probe_task_newtask(void *data, struct task_struct *task,
				    unsigned long clone_flags)
{
	lkst_event(LKST_ETYPE_PROCESS_FORK, LKST_ARG32(task->pid, task->tgid), clone_flags,
		   lkst_text8(task->comm), lkst_text8(task->comm + 8));
}

static void lkst_probe_sched_process_exec(void *data, struct task_struct *task, pid_t old_pid,
					  struct linux_binprm *bprm)
{
	size_t len = strlen(bprm->filename);
	u64 path[3];

	lkst_text_copy(path, ARRAY_SIZE(path),
		       bprm->filename + (len > sizeof(path) ? len - sizeof(path) : 0));
	lkst_event(LKST_ETYPE_PROCESS_EXEC, LKST_ARG32(task->pid, old_pid), path[0], path[1],
		   path[2]);
}

static void lkst_probe_sched_process_exit(void *data, struct task_struct *task)
{
	lkst_event(LKST_ETYPE_PROCESS_EXIT, LKST_ARG32(task->pid, task->prio),
		   task->exit_code, lkst_text8(task->comm), 0);
}

static void lkst_probe_sched_migrate_task(void *data, struct task_struct *task, int dest_cpu)
{
	lkst_event(LKST_ETYPE_PROCESS_MIGRATE, task->pid, LKST_ARG32(task_cpu(task), dest_cpu),
		   0, 0);
}

static void lkst_probe_task_rename(void *data, struct task_struct *task, const char *comm)
{
	u64 name[2];

	lkst_text_copy(name, ARRAY_SIZE(name), comm);
	lkst_event(LKST_ETYPE_PROCESS_RENAME, task->pid, name[0], name[1], 0);
}

/**
 * lkst_kthread() - a kernel thread begins, with the name that its creator gave it
 * @function: what it runs
 * @data: for @function
 *
 * Context: the thread.
 */
void lkst_kthread(int (*function)(void *data), void *data)
{
	lkst_event_direct(LKST_ETYPE_PROCESS_LTHREADGEN, LKST_ARGP(function), LKST_ARGP(data),
			  lkst_text8(current->comm), lkst_text8(current->comm + 8));
}

/*
 * In all of these @flags is what to restore with the lock of @head. They hand it through, so that
 * the caller need not keep it over a call that is rarely made.
 */

/**
 * lkst_wq_added() - a thread is in a wait queue now
 * @head: wait queue
 * @entry: in it
 * @caller: who wanted it
 * @flags: any
 *
 * Context: with the lock of @head.
 *
 * Return: @flags.
 */
unsigned long lkst_wq_added(struct wait_queue_head *head, struct wait_queue_entry *entry,
			    unsigned long caller, unsigned long flags)
{
	lkst_event_direct(LKST_ETYPE_PROCESS_ADD_WQ, LKST_ARGP(head), LKST_ARGP(entry), caller, 0);
	return flags;
}

/**
 * lkst_wq_add() - a thread is about to see to it that it is in a wait queue
 * @head: wait queue
 * @entry: initialised
 * @caller: who wants it
 * @flags: any
 *
 * Context: with the lock of @head.
 *
 * Return: @flags.
 */
unsigned long lkst_wq_add(struct wait_queue_head *head, struct wait_queue_entry *entry,
			  unsigned long caller, unsigned long flags)
{
	return list_empty(&entry->entry) ? lkst_wq_added(head, entry, caller, flags) : flags;
}

/**
 * lkst_wq_rem() - a thread is about to see to it that it is in a wait queue no more
 * @head: wait queue
 * @entry: in it, or taken out by a wakeup
 * @caller: who wants it
 * @flags: any
 *
 * Context: with the lock of @head.
 *
 * Return: @flags.
 */
unsigned long lkst_wq_rem(struct wait_queue_head *head, struct wait_queue_entry *entry,
			  unsigned long caller, unsigned long flags)
{
	if (!list_empty(&entry->entry))
		lkst_event_direct(LKST_ETYPE_PROCESS_REM_WQ, LKST_ARGP(head), LKST_ARGP(entry),
				  caller, 0);
	return flags;
}

/**
 * lkst_wq_wake() - wake an entry of a wait queue
 * @head: in the wait queue, as that is what its caller has at hand
 * @entry: is gone afterwards, with its thread's stack, if its function takes it out
 * @next: comes after @entry in the queue, or is the queue's head
 * @mode: for the function of @entry
 * @wake_flags: likewise
 * @key: likewise
 *
 * What remains tells whether it took it out. The caller is the wakeup itself, in the thread that
 * makes it; whom it wakes is in PROCESS_WAKEUP.
 *
 * Context: with the lock of the wait queue.
 *
 * Return: what the function of @entry says.
 */
int lkst_wq_wake(struct list_head *head, struct wait_queue_entry *entry,
		 struct wait_queue_entry *next, unsigned int mode, int wake_flags, void *key)
{
	const struct wait_queue_head *queue = container_of(head, struct wait_queue_head, head);
	int ret = entry->func(entry, mode, wake_flags, key);

	if (next->entry.prev != &entry->entry)
		lkst_event_direct(LKST_ETYPE_PROCESS_REM_WQ, LKST_ARGP(queue), LKST_ARGP(entry),
				  _RET_IP_, 0);
	return ret;
}

struct lkst_source lkst_sources_sched[] = {
	LKST_SOURCE(sched_switch, lkst_probe_sched_switch, LKST_ETYPE_PROCESS_CONTEXTSWITCH),
	LKST_SOURCE(sched_wakeup, lkst_probe_sched_wakeup, LKST_ETYPE_PROCESS_WAKEUP),
	LKST_SOURCE(sched_wakeup_new, lkst_probe_sched_wakeup_new, LKST_ETYPE_PROCESS_WAKEUP),
	LKST_SOURCE(signal_generate, lkst_probe_signal_generate, LKST_ETYPE_PROCESS_SIGSEND),
	LKST_SOURCE(signal_deliver, lkst_probe_signal_deliver, LKST_ETYPE_PROCESS_SIGRECV),
	LKST_SOURCE(task_newtask, lkst_probe_task_newtask, LKST_ETYPE_PROCESS_FORK),
	LKST_SOURCE(sched_process_exec, lkst_probe_sched_process_exec, LKST_ETYPE_PROCESS_EXEC),
	LKST_SOURCE(sched_process_exit, lkst_probe_sched_process_exit, LKST_ETYPE_PROCESS_EXIT),
	LKST_SOURCE(sched_migrate_task, lkst_probe_sched_migrate_task,
		    LKST_ETYPE_PROCESS_MIGRATE),
	LKST_SOURCE(task_rename, lkst_probe_task_rename, LKST_ETYPE_PROCESS_RENAME),
	LKST_SOURCE_HOOK(LKST_ETYPE_PROCESS_LTHREADGEN, LKST_ETYPE_PROCESS_INIT_WQH,
			 LKST_ETYPE_PROCESS_ADD_WQ, LKST_ETYPE_PROCESS_REM_WQ),
	{}
};
