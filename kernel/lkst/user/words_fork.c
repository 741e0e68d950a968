// SPDX-License-Identifier: GPL-2.0
/*
 * The enablers of forked children. A probe of the tracepoint task_newtask copies
 * the enablers of the parent. words.h explains how the enablers work.
 */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/task.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "words.h"

/* The tracepoint of fork, and whether the probe is attached to it. */
static struct tracepoint *lkst_newtask_tracepoint;
static bool lkst_newtask_probed;
static DEFINE_MUTEX(lkst_newtask_mutex);

/*
 * A process has forked. If it has enablers, the child gets the same ones, in
 * its own copy of the memory. Parent and child share the memory after
 * clone(CLONE_VM) and vfork(): then they share the enablers as well.
 *
 * The child does not run yet, so it cannot change or end its address space. Its
 * work item attaches the notifier. It also corrects bits that changed after the
 * memory was copied, and before this probe made the child known to
 * lkst_enablers_update().
 */
static void lkst_newtask(const struct task_struct *task, u64 clone_flags)
{
	struct lkst_words *words, *parent;

	if (clone_flags & CLONE_VM || !current->mm || !task->mm || !READ_ONCE(lkst_words_num))
		return;
	words = lkst_words_of_current();
	if (!words)
		return;
	lkst_words_put(words);
	words = lkst_words_new(GFP_ATOMIC | __GFP_NOWARN);
	if (!words) {
		pr_warn_once("lkst: no memory for the user events of a forked process\n");
		return;
	}
	raw_spin_lock(&lkst_words_lock);
	/* LKST may have stopped in between. */
	parent = lkst_words_find(current->mm);
	if (parent && parent->table && parent->table->num) {
		refcount_inc(&parent->table->refs);
		lkst_words_insert(words, task->mm, parent->table);
		lkst_words_schedule(words, 0);
		words = NULL;
	}
	raw_spin_unlock(&lkst_words_lock);
	kfree(words);
}

static void lkst_probe_task_newtask(void *data, struct task_struct *task, u64 clone_flags)
{
	lkst_newtask(task, clone_flags);
}

/* Up to 6.16 the flags are unsigned long. */
static void lkst_probe_task_newtask_long(void *data, struct task_struct *task,
					 unsigned long clone_flags)
{
	lkst_newtask(task, clone_flags);
}

static void *lkst_newtask_probe(void)
{
	return LKST_PROBE_PROTOTYPE(task_newtask, lkst_probe_task_newtask,
				    lkst_probe_task_newtask_long);
}

/*
 * Attach the probe when the first program registers an event. Until then, LKST
 * costs nothing at a fork.
 */
int lkst_newtask_attach(void)
{
	int ret = 0;

	if (READ_ONCE(lkst_newtask_probed))
		return 0;
	mutex_lock(&lkst_newtask_mutex);
	if (!lkst_newtask_probed && lkst_newtask_tracepoint)
		ret = tracepoint_probe_register(lkst_newtask_tracepoint, lkst_newtask_probe(),
						NULL);
	if (!ret)
		WRITE_ONCE(lkst_newtask_probed, true);
	mutex_unlock(&lkst_newtask_mutex);
	return ret;
}

/* Detach the probe, and wait until it is no longer running. */
void __lkst_exit lkst_newtask_detach(void)
{
	if (lkst_newtask_probed)
		tracepoint_probe_unregister(lkst_newtask_tracepoint, lkst_newtask_probe(), NULL);
	lkst_tracepoint_synchronize();
}

static void __init lkst_newtask_match(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "task_newtask"))
		lkst_newtask_tracepoint = tracepoint;
}

void __init lkst_newtask_find(void)
{
	for_each_kernel_tracepoint(lkst_newtask_match, NULL);
}
