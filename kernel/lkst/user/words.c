// SPDX-License-Identifier: GPL-2.0
/*
 * The address spaces of programs that have enablers: their hash table, and what
 * happens to them from the first enabler until exit or exec. words.h explains
 * how the enablers work.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "enabler.h"
#include "words.h"

struct hlist_head lkst_words_hash[1 << LKST_WORDS_BITS];

/*
 * Protects lkst_words_hash, and some members of struct lkst_words (see there).
 * It is a raw lock because the probe of fork takes it with preemption off.
 */
DEFINE_RAW_SPINLOCK(lkst_words_lock);

/* Number of entries of lkst_words_hash. Protected by lkst_words_lock. */
unsigned int lkst_words_num;

/* Number of struct lkst_words that have not been freed. */
static atomic_t lkst_words_left = ATOMIC_INIT(0);
DECLARE_WAIT_QUEUE_HEAD(lkst_words_wait);

/* Number of attempts to clear the bits of a process at the end, at intervals of 1 ms */
#define LKST_WORDS_STOP_MAX	10

/* NULL before lkst_enablers_start() and while LKST is stopping. */
static struct workqueue_struct *lkst_words_queue;

static struct hlist_head *lkst_words_bucket(const struct mm_struct *mm)
{
	return &lkst_words_hash[hash_ptr(mm, LKST_WORDS_BITS)];
}

void lkst_words_get(struct lkst_words *words)
{
	refcount_inc(&words->refs);
}

/*
 * Drop a reference. Context: any except NMI and hard interrupts: the last
 * reference can be dropped by the SRCU callback of the notifier. By then, the
 * table has been released by lkst_words_end().
 */
void lkst_words_put(struct lkst_words *words)
{
	if (!refcount_dec_and_test(&words->refs))
		return;
	mmdrop(words->mm);
	kfree(words);
	/*
	 * lkst_enablers_stop() waits until lkst_words_left is 0, and then for a
	 * grace period. So the module is not unloaded before this section ends.
	 */
	rcu_read_lock();
	if (atomic_dec_and_test(&lkst_words_left))
		wake_up(&lkst_words_wait);
	rcu_read_unlock();
}

/* Find the structure of an address space, under lkst_words_lock. */
struct lkst_words *lkst_words_find(const struct mm_struct *mm)
{
	struct lkst_words *words;

	lockdep_assert_held(&lkst_words_lock);
	hlist_for_each_entry(words, lkst_words_bucket(mm), node)
		if (words->mm == mm)
			return words;
	return NULL;
}

/* Find the structure of the current process. The caller gets a reference. */
struct lkst_words *lkst_words_of_current(void)
{
	struct lkst_words *words;

	raw_spin_lock(&lkst_words_lock);
	words = lkst_words_find(current->mm);
	if (words)
		lkst_words_get(words);
	raw_spin_unlock(&lkst_words_lock);
	return words;
}

/* Queue the work item that allocates structures for children. */
void lkst_words_queue_work(struct work_struct *work)
{
	struct workqueue_struct *queue = READ_ONCE(lkst_words_queue);

	if (queue)
		queue_work(queue, work);
}

/* Queue the work item. The caller has a reference, or holds lkst_words_lock. */
void lkst_words_schedule(struct lkst_words *words, unsigned long delay)
{
	struct workqueue_struct *queue = READ_ONCE(lkst_words_queue);

	if (!queue)
		return;
	lkst_words_get(words);
	/* A work item that was pending has a reference already. */
	if (mod_delayed_work(queue, &words->work, delay))
		refcount_dec(&words->refs);
}

/*
 * Release the enablers of an address space, because the address space has ended
 * or LKST stops. Does nothing if that has happened before. The caller has a
 * reference.
 * Context: process, may sleep.
 */
void lkst_words_end(struct lkst_words *words)
{
	struct lkst_enabler_table *table = NULL;
	bool hashed;

	/* Wait until another user of the table has finished with it. */
	mutex_lock(&words->mutex);
	raw_spin_lock(&lkst_words_lock);
	hashed = !hlist_unhashed(&words->node);
	if (hashed) {
		hlist_del_init(&words->node);
		lkst_words_num--;
		table = words->table;
		words->table = NULL;
	}
	raw_spin_unlock(&lkst_words_lock);
	mutex_unlock(&words->mutex);
	lkst_table_put(table);
	if (!hashed)
		return;
	/* Cancel a later attempt, which would find nothing to do. */
	if (cancel_delayed_work(&words->work))
		lkst_words_put(words);
	lkst_words_put(words);
}

/*
 * Set the address space and the table of a new structure, and add it to the
 * hash, which gets the reference of the caller. The caller holds
 * lkst_words_lock, and has found that the address space has no structure.
 */
void lkst_words_insert(struct lkst_words *words, struct mm_struct *mm,
		       struct lkst_enabler_table *table)
{
	lockdep_assert_held(&lkst_words_lock);
	mmgrab(mm);
	words->mm = mm;
	words->table = table;
	hlist_add_head(&words->node, lkst_words_bucket(mm));
	lkst_words_num++;
	atomic_inc(&lkst_words_left);
}

/* Allocate a structure, with one reference. Returns NULL if there is no memory. */
struct lkst_words *lkst_words_new(gfp_t gfp)
{
	struct lkst_words *words = kzalloc_obj(*words, gfp);

	if (!words)
		return NULL;
	refcount_set(&words->refs, 1);
	mutex_init(&words->mutex);
	INIT_DELAYED_WORK(&words->work, lkst_words_work);
	return words;
}

/*
 * Return the structure of the current process, which is created if necessary.
 * The caller gets a reference. The probe of fork is attached before the
 * structure can be found, so that no child of another thread is missed.
 */
struct lkst_words *lkst_words_obtain(void)
{
	struct lkst_words *words = lkst_words_of_current(), *new;
	int ret;

	if (words)
		return words;
	ret = lkst_newtask_attach();
	if (ret)
		return ERR_PTR(ret);
	new = lkst_words_new(GFP_KERNEL_ACCOUNT);
	if (!new)
		return ERR_PTR(-ENOMEM);
	raw_spin_lock(&lkst_words_lock);
	words = lkst_words_find(current->mm);
	if (!words) {
		words = new;
		new = NULL;
		lkst_words_insert(words, current->mm, NULL);
		/* The work item attaches the notifier. */
		lkst_words_schedule(words, 0);
	}
	lkst_words_get(words);
	raw_spin_unlock(&lkst_words_lock);
	kfree(new);
	return words;
}

#ifdef CONFIG_MMU_NOTIFIER
/* Return whether the caller has to unregister the notifier. */
static bool lkst_words_unwatch(struct lkst_words *words)
{
	bool watched;

	raw_spin_lock(&lkst_words_lock);
	watched = words->watched;
	words->watched = false;
	raw_spin_unlock(&lkst_words_lock);
	return watched;
}

/*
 * The address space is unmapped: the last thread has exited or called exec().
 * No page is pinned by now: the work item pins pages only while it holds a user
 * reference (mm_users), and this function is called when no user reference is
 * left.
 */
static void lkst_words_release(struct mmu_notifier *notifier, struct mm_struct *mm)
{
	struct lkst_words *words = container_of(notifier, struct lkst_words, notifier);

	lkst_words_end(words);
	if (lkst_words_unwatch(words))
		mmu_notifier_put(notifier);
}

/*
 * mmu_notifier_get_locked() calls this function in the work item, which has a
 * reference to the structure. The notifier gets another one.
 */
static struct mmu_notifier *lkst_words_alloc_notifier(struct mm_struct *mm)
{
	struct lkst_words *words;

	raw_spin_lock(&lkst_words_lock);
	words = lkst_words_find(mm);
	if (words)
		lkst_words_get(words);
	raw_spin_unlock(&lkst_words_lock);
	return words ? &words->notifier : ERR_PTR(-ESRCH);
}

static void lkst_words_free_notifier(struct mmu_notifier *notifier)
{
	lkst_words_put(container_of(notifier, struct lkst_words, notifier));
}

static const struct mmu_notifier_ops lkst_words_notifier_ops = {
	.release = lkst_words_release,
	.alloc_notifier = lkst_words_alloc_notifier,
	.free_notifier = lkst_words_free_notifier,
};

/*
 * Whether no page fault in the address space waits for something that a program
 * controls. The caller holds mmap_lock.
 */
static bool lkst_words_faults_are_bounded(struct mm_struct *mm)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;

	for_each_vma(vmi, vma)
		if (!lkst_words_fault_is_bounded(vma))
			return false;
	return true;
}

/*
 * Register the notifier. Only the work item calls this function: in the context
 * of the program, a pending signal would make the registration fail. The caller
 * has a user reference to the address space. Returns 0 or -EAGAIN.
 *
 * A thread in a page fault may hold mmap_lock or the lock of a mapping while it
 * waits for a page. The registration waits for all these locks. While it waits
 * for the locks of mappings, it holds mm_all_locks_mutex, of which the whole
 * system has only one. So the registration is attempted only while mmap_lock is
 * free and no page fault can wait for a program.
 *
 * Another thread of the program can take mmap_lock between the check and
 * mmap_write_lock(), and keep it while it waits, for example in mmap() of a file
 * of FUSE. This delays the work item of this program, and the unloading of the
 * module. Other programs are not delayed, because the mappings are checked again
 * before the other locks are taken.
 */
int lkst_words_watch(struct lkst_words *words)
{
	struct mmu_notifier *notifier = ERR_PTR(-EAGAIN);
	struct mm_struct *mm = words->mm;
	bool bounded;

	if (words->watched)
		return 0;
	if (!mmap_read_trylock(mm))
		return -EAGAIN;
	bounded = lkst_words_faults_are_bounded(mm);
	mmap_read_unlock(mm);
	if (!bounded || rwsem_is_locked(&mm->mmap_lock))
		return -EAGAIN;
	mmap_write_lock(mm);
	if (lkst_words_faults_are_bounded(mm))
		notifier = mmu_notifier_get_locked(&lkst_words_notifier_ops, mm);
	mmap_write_unlock(mm);
	if (IS_ERR(notifier))
		return -EAGAIN;
	raw_spin_lock(&lkst_words_lock);
	words->watched = true;
	raw_spin_unlock(&lkst_words_lock);
	return 0;
}

static void __lkst_exit lkst_words_stop_watching(struct lkst_words *words)
{
	if (lkst_words_unwatch(words))
		mmu_notifier_put(&words->notifier);
}

static void __lkst_exit lkst_words_synchronize(void)
{
	mmu_notifier_synchronize();
}
#else
/*
 * Without notifiers, the work item keeps checking whether the address space is
 * still in use.
 */
int lkst_words_watch(struct lkst_words *words)
{
	return -EAGAIN;
}

static void __lkst_exit lkst_words_stop_watching(struct lkst_words *words)
{
}

static void __lkst_exit lkst_words_synchronize(void)
{
}
#endif

/**
 * lkst_enablers_start() - prepare for enablers
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_enablers_start(void)
{
	lkst_newtask_find();
	/*
	 * Use a separate queue: a program can make its work item run for a long
	 * time, and must not delay other work of the kernel.
	 */
	lkst_words_queue = alloc_workqueue("lkst_words", WQ_UNBOUND, WQ_MAX_ACTIVE);
	return lkst_words_queue ? 0 : -ENOMEM;
}

/* Return a structure of the hash, with a reference, or NULL if none exists. */
static struct lkst_words * __lkst_exit lkst_words_first(void)
{
	struct lkst_words *words = NULL;
	unsigned int i;

	raw_spin_lock(&lkst_words_lock);
	for (i = 0; i < ARRAY_SIZE(lkst_words_hash) && !words; i++)
		words = hlist_entry_safe(lkst_words_hash[i].first, struct lkst_words, node);
	if (words)
		lkst_words_get(words);
	raw_spin_unlock(&lkst_words_lock);
	return words;
}

/*
 * Clear the bits of a program, and release its enablers. A bit stays as it is
 * if, at each attempt, its page is not present or a lock is held.
 */
static void __lkst_exit lkst_words_stop(struct lkst_words *words)
{
	int attempt;

	if (cancel_delayed_work_sync(&words->work))
		lkst_words_put(words);
	if (mmget_not_zero(words->mm)) {
		for (attempt = 1; lkst_words_write(words, true); attempt++) {
			if (attempt == LKST_WORDS_STOP_MAX)
				break;
			usleep_range(1000, 2000);
		}
		mmput_async(words->mm);
	}
	lkst_words_end(words);
	lkst_words_stop_watching(words);
}

/**
 * lkst_enablers_stop() - clear all bits and free everything
 *
 * No program calls functions of this file any longer, and
 * lkst_enablers_update() is not running.
 *
 * Context: process, may sleep.
 */
void __lkst_exit lkst_enablers_stop(void)
{
	struct workqueue_struct *queue = lkst_words_queue;
	struct lkst_words *words;

	if (!queue)
		return;
	lkst_newtask_detach();
	WRITE_ONCE(lkst_words_queue, NULL);
	/*
	 * Wait for work items that have read the pointer before it became NULL,
	 * and may queue themselves again.
	 */
	flush_workqueue(queue);
	while ((words = lkst_words_first())) {
		lkst_words_stop(words);
		lkst_words_put(words);
	}
	/* Structures whose address space has ended may still be in use. */
	destroy_workqueue(queue);
	lkst_words_synchronize();
	wait_event(lkst_words_wait, !atomic_read(&lkst_words_left));
	synchronize_rcu();
}
