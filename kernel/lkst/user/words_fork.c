// SPDX-License-Identifier: GPL-2.0
/*
 * The enablers of forked children. A probe of the tracepoint task_newtask copies
 * the enablers of the parent. words.h explains how the enablers work.
 */
#include <linux/kconfig.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/task.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "words.h"

/* The tracepoint of fork, and whether the probe is attached to it. */
static struct tracepoint *lkst_newtask_tracepoint;
static bool lkst_newtask_probed;
static DEFINE_MUTEX(lkst_newtask_mutex);

/* Number of forks before lkst_newtask_fill() has to run */
#define LKST_NEWTASK_SPARES	32

/*
 * Structures for future children, linked by @node. The probe takes one from
 * here, because it runs with preemption off, where a kernel with PREEMPT_RT
 * cannot allocate memory. Protected by lkst_words_lock.
 */
static struct hlist_head lkst_newtask_spares;
static unsigned int lkst_newtask_num;

/* Keep a structure for a future child. The caller holds lkst_words_lock. */
static void lkst_newtask_give(struct lkst_words *words)
{
	lockdep_assert_held(&lkst_words_lock);
	hlist_add_head(&words->node, &lkst_newtask_spares);
	WRITE_ONCE(lkst_newtask_num, lkst_newtask_num + 1);
}

/* Allocate structures until there are LKST_NEWTASK_SPARES, or no memory is left. */
static void lkst_newtask_fill(struct work_struct *work)
{
	struct lkst_words *words;

	while (READ_ONCE(lkst_newtask_num) < LKST_NEWTASK_SPARES) {
		words = lkst_words_new(GFP_KERNEL);
		if (!words)
			break;
		raw_spin_lock(&lkst_words_lock);
		lkst_newtask_give(words);
		raw_spin_unlock(&lkst_words_lock);
	}
}

static DECLARE_WORK(lkst_newtask_work, lkst_newtask_fill);

/*
 * Take a structure for a child of the current process. If none is left, because
 * processes fork faster than lkst_newtask_fill() runs, allocate one where this
 * is possible. Returns NULL if there is no memory.
 */
static struct lkst_words *lkst_newtask_take(void)
{
	struct lkst_words *words;

	raw_spin_lock(&lkst_words_lock);
	words = hlist_entry_safe(lkst_newtask_spares.first, struct lkst_words, node);
	if (words) {
		hlist_del_init(&words->node);
		WRITE_ONCE(lkst_newtask_num, lkst_newtask_num - 1);
	}
	raw_spin_unlock(&lkst_words_lock);
	lkst_words_queue_work(&lkst_newtask_work);
	if (!words && !IS_ENABLED(CONFIG_PREEMPT_RT))
		words = lkst_words_new(GFP_ATOMIC | __GFP_NOWARN);
	return words;
}

/* Whether a process has enablers. */
static bool lkst_newtask_concerns(const struct mm_struct *mm)
{
	struct lkst_words *words;
	bool has;

	raw_spin_lock(&lkst_words_lock);
	words = lkst_words_find(mm);
	has = words && words->table && words->table->num;
	raw_spin_unlock(&lkst_words_lock);
	return has;
}

/*
 * A process has forked. If it has enablers, the child gets the same ones, with
 * bits in the child's copy of the memory. After clone(CLONE_VM) and vfork(),
 * parent and child share the memory, so they share the enablers as well.
 *
 * The child does not run yet, so it cannot change or end its address space. Its
 * work item attaches the notifier. It also corrects bits that changed after the
 * memory was copied, and before this probe made the child known to
 * lkst_enablers_update().
 *
 * Another thread of the parent may unregister an event meanwhile, either before
 * or after the locked section below. The child gets the enablers that the
 * parent has in this section.
 */
static void lkst_newtask(const struct task_struct *task, u64 clone_flags)
{
	struct lkst_words *words, *parent;

	if (clone_flags & CLONE_VM || !current->mm || !task->mm || !READ_ONCE(lkst_words_num))
		return;
	if (!lkst_newtask_concerns(current->mm))
		return;
	words = lkst_newtask_take();
	if (!words) {
		pr_warn_once("lkst: no memory for the user events of a forked process\n");
		return;
	}
	raw_spin_lock(&lkst_words_lock);
	/* The enablers may have been unregistered since the check above. */
	parent = lkst_words_find(current->mm);
	if (parent && parent->table && parent->table->num) {
		refcount_inc(&parent->table->refs);
		lkst_words_insert(words, task->mm, parent->table);
		lkst_words_schedule(words, 0);
	} else {
		lkst_newtask_give(words);
	}
	raw_spin_unlock(&lkst_words_lock);
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
 * costs nothing at a fork. Does nothing if the kernel lacks the tracepoint.
 */
int lkst_newtask_attach(void)
{
	int ret = 0;

	if (!lkst_newtask_tracepoint || READ_ONCE(lkst_newtask_probed))
		return 0;
	mutex_lock(&lkst_newtask_mutex);
	if (!lkst_newtask_probed) {
		lkst_newtask_fill(NULL);
		ret = tracepoint_probe_register(lkst_newtask_tracepoint, lkst_newtask_probe(),
						NULL);
		WRITE_ONCE(lkst_newtask_probed, !ret);
	}
	mutex_unlock(&lkst_newtask_mutex);
	return ret;
}

/*
 * Detach the probe, wait until it is no longer running, and free the structures
 * that it has not used. By then, nothing queues lkst_newtask_work.
 */
void __lkst_exit lkst_newtask_detach(void)
{
	if (lkst_newtask_probed)
		tracepoint_probe_unregister(lkst_newtask_tracepoint, lkst_newtask_probe(), NULL);
	lkst_tracepoint_synchronize();
	cancel_work_sync(&lkst_newtask_work);
	while (lkst_newtask_spares.first) {
		struct lkst_words *words = hlist_entry(lkst_newtask_spares.first,
						       struct lkst_words, node);

		hlist_del(&words->node);
		kfree(words);
	}
	lkst_newtask_num = 0;
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
