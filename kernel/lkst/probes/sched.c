// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "process" (0x000).
 */
#include <linux/binfmts.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/task.h>

#include "../dispatch/event.h"
#include "../source/source.h"

/* Added to the state letter of a preempted thread, which is still runnable. */
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

/* The CPU on which the thread will run has not been chosen yet. */
static void lkst_probe_sched_waking(void *data, struct task_struct *task)
{
	lkst_event(LKST_ETYPE_PROCESS_WAKING, LKST_ARG32(task->pid, task->prio),
		   task_cpu(task), lkst_text8(task->comm), lkst_text8(task->comm + 8));
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

static void lkst_probe_task_newtask(void *data, struct task_struct *task, u64 clone_flags)
{
	lkst_event_rare(LKST_ETYPE_PROCESS_FORK, LKST_ARG32(task->pid, task->tgid), clone_flags,
			lkst_text8(task->comm), lkst_text8(task->comm + 8));
}

/* Up to 6.12 the flags are an unsigned long. */
static void lkst_probe_task_newtask_long(void *data, struct task_struct *task,
					 unsigned long clone_flags)
{
	lkst_probe_task_newtask(data, task, clone_flags);
}

static void lkst_probe_sched_process_exec(void *data, struct task_struct *task, pid_t old_pid,
					  struct linux_binprm *bprm)
{
	size_t len = strlen(bprm->filename);
	u64 path[3];

	lkst_text_copy(path, ARRAY_SIZE(path),
		       bprm->filename + (len > sizeof(path) ? len - sizeof(path) : 0));
	lkst_event_rare(LKST_ETYPE_PROCESS_EXEC, LKST_ARG32(task->pid, old_pid), path[0], path[1],
			path[2]);
}

static void lkst_probe_sched_process_exit(void *data, struct task_struct *task, bool group_dead)
{
	lkst_event_rare(LKST_ETYPE_PROCESS_EXIT, LKST_ARG32(task->pid, task->prio),
			task->exit_code, lkst_text8(task->comm), 0);
}

/* Up to 6.12 the tracepoint does not say whether this is the last thread. */
static void lkst_probe_sched_process_exit_task(void *data, struct task_struct *task)
{
	lkst_probe_sched_process_exit(data, task, false);
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
	lkst_event_rare(LKST_ETYPE_PROCESS_RENAME, task->pid, name[0], name[1], 0);
}

struct lkst_source lkst_sources_sched[] = {
	LKST_SOURCE(sched_switch, lkst_probe_sched_switch, LKST_ETYPE_PROCESS_CONTEXTSWITCH),
	LKST_SOURCE(sched_waking, lkst_probe_sched_waking, LKST_ETYPE_PROCESS_WAKING),
	LKST_SOURCE(sched_wakeup, lkst_probe_sched_wakeup, LKST_ETYPE_PROCESS_WAKEUP),
	LKST_SOURCE(sched_wakeup_new, lkst_probe_sched_wakeup_new, LKST_ETYPE_PROCESS_WAKEUP),
	LKST_SOURCE(signal_generate, lkst_probe_signal_generate, LKST_ETYPE_PROCESS_SIGSEND),
	LKST_SOURCE(signal_deliver, lkst_probe_signal_deliver, LKST_ETYPE_PROCESS_SIGRECV),
	LKST_SOURCE(task_newtask,
		    LKST_PROBE_PROTOTYPE(task_newtask, lkst_probe_task_newtask,
					 lkst_probe_task_newtask_long),
		    LKST_ETYPE_PROCESS_FORK),
	LKST_SOURCE(sched_process_exec, lkst_probe_sched_process_exec, LKST_ETYPE_PROCESS_EXEC),
	LKST_SOURCE(sched_process_exit,
		    LKST_PROBE_PROTOTYPE(sched_process_exit, lkst_probe_sched_process_exit,
					 lkst_probe_sched_process_exit_task),
		    LKST_ETYPE_PROCESS_EXIT),
	LKST_SOURCE(sched_migrate_task, lkst_probe_sched_migrate_task,
		    LKST_ETYPE_PROCESS_MIGRATE),
	LKST_SOURCE(task_rename, lkst_probe_task_rename, LKST_ETYPE_PROCESS_RENAME),
	LKST_SOURCE_HOOK(LKST_ETYPE_PROCESS_LTHREADGEN, LKST_ETYPE_PROCESS_INIT_WQH,
			 LKST_ETYPE_PROCESS_ADD_WQ, LKST_ETYPE_PROCESS_REM_WQ),
	{}
};
