// SPDX-License-Identifier: GPL-2.0
/*
 * Enablers: bits in the memory of programs. Each bit is set while its event is
 * recorded.
 *
 * struct lkst_words has the enablers of one address space, so threads share
 * this structure. A forked child gets its own. The structure is freed when the
 * address space has been unmapped, at exit or exec.
 *
 * A bit is changed through a pinned page, in one of two ways:
 *
 * - A program that registers or unregisters an event changes the bit in its own
 *   context. It faults the page in if necessary, and waits as long as that
 *   takes, without any lock that another program needs.
 * - After a change of what is recorded, a work item for each address space
 *   changes the bits that differ. The work item never waits for a page. If the
 *   page is not present, for example because a userfaultfd or a FUSE server has
 *   to provide it, the work item tries again later. So a page that never
 *   arrives delays neither the switch of the maskset nor another program.
 *
 * No change is missed: the code that changes what is recorded queues the work
 * items after the change, and a work item reads the state of the event after it
 * was queued. A writer of a bit holds words->mutex from the time when it reads
 * the state of the event until it has written the bit, so the latest state is
 * written last.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/highmem.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/pagemap.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <trace/events/task.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "enabler.h"

#define LKST_WORDS_BITS		8	/* log2 of the number of hash buckets */
#define LKST_ENABLERS_MAX	16384	/* enablers of an address space */
#define LKST_FAULTS_MAX		10	/* attempts to fault a page in */

/* Delay between two attempts to change bits: doubles from MIN to MAX. */
#define LKST_WORDS_DELAY_MIN	1
#define LKST_WORDS_DELAY_MAX	HZ

/* How long lkst_enablers_flush() waits. */
#define LKST_WORDS_FLUSH	(HZ / 10)

/**
 * struct lkst_enabler - a bit in the memory of a program
 * @event: the event; the table of the enabler has a reference
 * @address: address that the program gave
 * @bit: number of the bit that the program gave
 * @size: size of the word, 4 or 8 bytes
 */
struct lkst_enabler {
	struct lkst_user_event *event;
	unsigned long address;
	u8 bit;
	u8 size;
};

/**
 * struct lkst_enabler_table - the enablers of one or more address spaces
 * @refs: number of address spaces and other users of this table
 * @num: number of enablers
 * @enabler: the enablers; constant
 *
 * Because a table never changes, a forked child can share the table of its
 * parent, and a fork neither takes time for each enabler nor fails.
 */
struct lkst_enabler_table {
	refcount_t refs;
	unsigned int num;
	struct lkst_enabler enabler[];
};

/**
 * struct lkst_words - the enablers of an address space
 * @node: in lkst_words_hash until the address space ends; protected by
 *	lkst_words_lock
 * @mm: the address space; this structure has a reference (mm_count), so that
 *	the address is not used for another one
 * @table: the enablers, or NULL if there are none; changed with both @mutex and
 *	lkst_words_lock held
 * @refs: number of references: one while hashed, one for a queued @work, one
 *	for @notifier while it is registered, and those of functions
 * @mutex: held while bits of this address space are changed
 * @notifier: calls lkst_words_release() when the address space is unmapped
 * @watched: whether @notifier is registered; protected by lkst_words_lock
 * @work: changes the bits that differ from the state of their events
 * @delay: delay until the next attempt, in jiffies; only used by @work
 * @done: value of lkst_words_changes up to which @work has tried to change all
 *	bits
 */
struct lkst_words {
	struct hlist_node node;
	struct mm_struct *mm;
	struct lkst_enabler_table *table;
	refcount_t refs;
	struct mutex mutex;	/* see above */
#ifdef CONFIG_MMU_NOTIFIER
	struct mmu_notifier notifier;
#endif
	bool watched;
	struct delayed_work work;
	unsigned long delay;
	unsigned long done;
};

static struct hlist_head lkst_words_hash[1 << LKST_WORDS_BITS];

/*
 * Protects lkst_words_hash, and members of struct lkst_words. It is a raw lock
 * because the probe of fork takes it with preemption off.
 */
static DEFINE_RAW_SPINLOCK(lkst_words_lock);

/* Number of entries of lkst_words_hash. Protected by lkst_words_lock. */
static unsigned int lkst_words_num;

/* Number of struct lkst_words that have not been freed. */
static atomic_t lkst_words_left = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(lkst_words_wait);

/* Counts calls of lkst_enablers_update(). */
static atomic_long_t lkst_words_changes = ATOMIC_LONG_INIT(0);

/* NULL before lkst_enablers_start() and while LKST is stopping. */
static struct workqueue_struct *lkst_words_queue;

/* The tracepoint of fork, and whether the probe is attached to it. */
static struct tracepoint *lkst_newtask_tracepoint;
static bool lkst_newtask_probed;
static DEFINE_MUTEX(lkst_newtask_mutex);

static struct hlist_head *lkst_words_bucket(const struct mm_struct *mm)
{
	return &lkst_words_hash[hash_ptr(mm, LKST_WORDS_BITS)];
}

static void lkst_table_put(struct lkst_enabler_table *table)
{
	unsigned int i;

	if (!table || !refcount_dec_and_test(&table->refs))
		return;
	for (i = 0; i < table->num; i++)
		lkst_user_event_put(table->enabler[i].event);
	kvfree(table);
}

/*
 * Make a table of the enablers of @old, except for the one at index @without if
 * that is less than @old's number, and with @with unless it is NULL. Returns
 * NULL if there is no memory.
 */
static struct lkst_enabler_table *lkst_table_new(const struct lkst_enabler_table *old,
						 unsigned int without,
						 const struct lkst_enabler *with)
{
	unsigned int i, num = old ? old->num : 0;
	struct lkst_enabler_table *new;

	new = kvmalloc(struct_size(new, enabler, num + 1), GFP_KERNEL_ACCOUNT);
	if (!new)
		return NULL;
	refcount_set(&new->refs, 1);
	new->num = 0;
	for (i = 0; i < num; i++)
		if (i != without)
			new->enabler[new->num++] = old->enabler[i];
	if (with)
		new->enabler[new->num++] = *with;
	for (i = 0; i < new->num; i++)
		lkst_user_event_get(new->enabler[i].event);
	return new;
}

/* Return the index of an enabler, or the number of enablers if there is none. */
static unsigned int lkst_table_find(const struct lkst_enabler_table *table, unsigned long address,
				    unsigned int bit)
{
	unsigned int i, num = table ? table->num : 0;

	for (i = 0; i < num; i++)
		if (table->enabler[i].address == address && table->enabler[i].bit == bit)
			break;
	return i;
}

static bool lkst_table_has(const struct lkst_enabler_table *table, unsigned long address,
			   unsigned int bit)
{
	return table && lkst_table_find(table, address, bit) < table->num;
}

static void lkst_words_get(struct lkst_words *words)
{
	refcount_inc(&words->refs);
}

/*
 * Drop a reference. Context: any except NMI and hard interrupts: the last
 * reference can be dropped by the SRCU callback of the notifier. By then, the
 * table has been released by lkst_words_end().
 */
static void lkst_words_put(struct lkst_words *words)
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
static struct lkst_words *lkst_words_find(const struct mm_struct *mm)
{
	struct lkst_words *words;

	lockdep_assert_held(&lkst_words_lock);
	hlist_for_each_entry(words, lkst_words_bucket(mm), node)
		if (words->mm == mm)
			return words;
	return NULL;
}

/* Find the structure of the current process. The caller gets a reference. */
static struct lkst_words *lkst_words_of_current(void)
{
	struct lkst_words *words;

	raw_spin_lock(&lkst_words_lock);
	words = lkst_words_find(current->mm);
	if (words)
		lkst_words_get(words);
	raw_spin_unlock(&lkst_words_lock);
	return words;
}

/* Queue the work item. The caller has a reference, or holds lkst_words_lock. */
static void lkst_words_schedule(struct lkst_words *words, unsigned long delay)
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
static void lkst_words_end(struct lkst_words *words)
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
	/* An attempt that is due later would find that there is nothing to do. */
	if (cancel_delayed_work(&words->work))
		lkst_words_put(words);
	lkst_words_put(words);
}

/*
 * Set the address space and the table of a new structure, and add it to the
 * hash, which gets the reference of the caller. The caller holds
 * lkst_words_lock, and has found that the address space has no structure.
 */
static void lkst_words_insert(struct lkst_words *words, struct mm_struct *mm,
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

static void lkst_words_work(struct work_struct *work);

/* Allocate a structure, with one reference. Returns NULL if there is no memory. */
static struct lkst_words *lkst_words_new(gfp_t gfp)
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
static int lkst_newtask_attach(void)
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

/*
 * Return the structure of the current process, which is created if necessary.
 * The caller gets a reference. The probe of fork is attached before the
 * structure can be found, so that no child of another thread is missed.
 */
static struct lkst_words *lkst_words_obtain(void)
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

/*
 * Return the address of the 32-bit half of a word that has the bit, and set
 * @mask to the bit in that half. The kernel has atomic operations on 32 bits in
 * all configurations. They are also atomic with respect to the program's atomic
 * operations on the whole word.
 */
static unsigned long lkst_enabler_half(const struct lkst_enabler *enabler, u32 *mask)
{
	unsigned int half = enabler->bit / 32;

	*mask = BIT(enabler->bit % 32);
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		half = enabler->size / sizeof(u32) - 1 - half;
	return enabler->address + half * sizeof(u32);
}

/*
 * Pin the page of an address. @flags are FOLL_WRITE, and FOLL_NOFAULT or
 * FOLL_NOWAIT. Returns 0, -EAGAIN if the page is not present, or -EFAULT.
 */
static int lkst_enabler_pin(struct mm_struct *mm, unsigned long address, unsigned int flags,
			    struct page **page)
{
	long ret = lkst_pin_user_page_remote(mm, address, flags, page);

	return ret == 1 ? 0 : ret ? -EFAULT : -EAGAIN;
}

/*
 * Set or clear the bit of an enabler, and no other bit. If the bit already has
 * the right value, the page is not written: if a forked child shares the page,
 * writing would make a copy of it. If @flags contain FOLL_WRITE, the page must
 * be writable in any case. The caller holds words->mutex and mmap_lock. Returns
 * 0, -EAGAIN or -EFAULT.
 */
static int lkst_enabler_write(struct mm_struct *mm, const struct lkst_enabler *enabler, bool on,
			      unsigned int flags)
{
	struct page *page;
	unsigned long address;
	atomic_t *half;
	bool is_on;
	u32 mask;
	int ret;

	address = lkst_enabler_half(enabler, &mask);
	ret = lkst_enabler_pin(mm, address, flags, &page);
	if (ret)
		return ret;
	half = kmap_local_page(page) + offset_in_page(address);
	is_on = atomic_read(half) & mask;
	kunmap_local(half);
	unpin_user_page(page);
	if (is_on == on)
		return 0;

	ret = lkst_enabler_pin(mm, address, flags | FOLL_WRITE, &page);
	if (ret)
		return ret;
	half = kmap_local_page(page) + offset_in_page(address);
	if (on)
		atomic_or(mask, half);
	else
		atomic_andnot(mask, half);
	kunmap_local(half);
	unpin_user_pages_dirty_lock(&page, 1, true);
	return 0;
}

/*
 * Change all bits that differ from the state of their events, or clear all bits
 * if @stop is true. Returns -EAGAIN if some page was not present, or mmap_lock
 * was held. A word that the program has unmapped, or may not write, is skipped
 * until the next change.
 *
 * FOLL_NOWAIT starts the I/O that a page needs, but does not wait for it. It
 * sends no message to a userfaultfd. That message is sent when the program
 * itself reads the word.
 */
static int lkst_words_write(struct lkst_words *words, bool stop)
{
	int ret = 0;
	unsigned int i;

	mutex_lock(&words->mutex);
	if (!words->table)
		goto out;
	ret = -EAGAIN;
	if (!mmap_read_trylock(words->mm))
		goto out;
	ret = 0;
	for (i = 0; i < words->table->num; i++) {
		const struct lkst_enabler *enabler = &words->table->enabler[i];

		if (lkst_enabler_write(words->mm, enabler,
				       !stop && lkst_user_event_on(enabler->event),
				       FOLL_NOWAIT) == -EAGAIN)
			ret = -EAGAIN;
		cond_resched();
	}
	mmap_read_unlock(words->mm);
out:
	mutex_unlock(&words->mutex);
	return ret;
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
 * reference (mm_users), and this function is called when none is left.
 */
static void lkst_words_release(struct mmu_notifier *notifier, struct mm_struct *mm)
{
	struct lkst_words *words = container_of(notifier, struct lkst_words, notifier);

	lkst_words_end(words);
	if (lkst_words_unwatch(words))
		mmu_notifier_put(notifier);
}

/* The work item that calls mmu_notifier_get() has a reference. */
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
 * Register the notifier. Only the work item calls this function: in the context
 * of the program, a pending signal would make the registration fail. The caller
 * has a user reference to the address space. Returns 0 or -EAGAIN.
 */
static int lkst_words_watch(struct lkst_words *words)
{
	struct mmu_notifier *notifier;

	if (words->watched)
		return 0;
	notifier = mmu_notifier_get(&lkst_words_notifier_ops, words->mm);
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
static int lkst_words_watch(struct lkst_words *words)
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

/*
 * Change the bits of an address space. A user reference keeps the address space
 * from being unmapped meanwhile. While it is held, this function does not wait
 * for anything that a program controls. Dropping it may end the address space,
 * so mmput_async() lets another worker do that.
 */
static void lkst_words_work(struct work_struct *work)
{
	struct lkst_words *words = container_of(to_delayed_work(work), struct lkst_words, work);
	/* Pairs with lkst_enablers_update(): read the states of events later. */
	unsigned long changes = atomic_long_read_acquire(&lkst_words_changes);
	int watched, ret;

	if (!mmget_not_zero(words->mm)) {
		lkst_words_end(words);
		goto put;
	}
	watched = lkst_words_watch(words);
	ret = lkst_words_write(words, false);
	mmput_async(words->mm);
	words->delay = clamp(words->delay * 2, (unsigned long)LKST_WORDS_DELAY_MIN,
			     (unsigned long)LKST_WORDS_DELAY_MAX);
	if (watched || ret) {
		/*
		 * lkst_words_end() removes @words from the table before it cancels the
		 * work, so nobody would cancel a work item that is queued after that.
		 */
		raw_spin_lock(&lkst_words_lock);
		if (!hlist_unhashed(&words->node))
			lkst_words_schedule(words, words->delay);
		raw_spin_unlock(&lkst_words_lock);
	} else {
		words->delay = 0;
	}
put:
	WRITE_ONCE(words->done, changes);
	wake_up(&lkst_words_wait);
	lkst_words_put(words);
}

/**
 * lkst_enabler_check() - check that a bit is not in use
 * @address: address of a word of the current process
 * @bit: number of a bit in it
 *
 * Context: process, may sleep.
 *
 * Return: 0; -EADDRINUSE if an event is registered with the bit; -EINTR if a
 * fatal signal ended the wait.
 */
int lkst_enabler_check(unsigned long address, unsigned int bit)
{
	struct lkst_words *words = lkst_words_of_current();
	int ret;

	if (!words)
		return 0;
	ret = mutex_lock_killable(&words->mutex);
	if (!ret) {
		ret = lkst_table_has(words->table, address, bit) ? -EADDRINUSE : 0;
		mutex_unlock(&words->mutex);
	}
	lkst_words_put(words);
	return ret;
}

/* Replace the table. The caller holds words->mutex and owns the old table. */
static struct lkst_enabler_table *lkst_words_set_table(struct lkst_words *words,
						       struct lkst_enabler_table *table)
{
	struct lkst_enabler_table *old = words->table;

	raw_spin_lock(&lkst_words_lock);
	words->table = table;
	raw_spin_unlock(&lkst_words_lock);
	return old;
}

/*
 * Write the bit of an enabler of the current process if its page is present.
 * The caller holds words->mutex. Returns 0 or an error: -EFAULT also if the
 * page is not present.
 */
static int lkst_words_write_now(struct lkst_words *words, const struct lkst_enabler *enabler,
				bool on)
{
	int ret = mmap_read_lock_killable(words->mm);

	if (ret)
		return ret;
	ret = lkst_enabler_write(words->mm, enabler, on, FOLL_NOFAULT | FOLL_WRITE);
	mmap_read_unlock(words->mm);
	return ret ? -EFAULT : 0;
}

/*
 * Write the bit of a new enabler, and add the enabler. Returns 0, or an error:
 * -EFAULT if the page is not present.
 */
static int lkst_words_add(struct lkst_words *words, const struct lkst_enabler *enabler)
{
	struct lkst_enabler_table *new, *old = NULL;
	int ret = mutex_lock_killable(&words->mutex);

	if (ret)
		return ret;
	ret = -EADDRINUSE;
	if (lkst_table_has(words->table, enabler->address, enabler->bit))
		goto out;
	ret = -EMFILE;
	if (words->table && words->table->num >= LKST_ENABLERS_MAX)
		goto out;
	ret = -ENOMEM;
	new = lkst_table_new(words->table, UINT_MAX, enabler);
	if (!new)
		goto out;
	old = new;
	ret = lkst_words_write_now(words, enabler, lkst_user_event_on(enabler->event));
	if (!ret)
		old = lkst_words_set_table(words, new);
out:
	mutex_unlock(&words->mutex);
	lkst_table_put(old);
	return ret;
}

/* Fault in the page of an enabler for writing, without a lock. Returns 0 or -EFAULT. */
static int lkst_enabler_fault_in(const struct lkst_enabler *enabler)
{
	return fault_in_safe_writeable((const char __user *)enabler->address, enabler->size) ?
	       -EFAULT : 0;
}

/**
 * lkst_enabler_add() - register a bit that is set while an event is recorded
 * @event: the event, to which the caller has a reference
 * @address: address of a word of the current process, a multiple of @size
 * @bit: number of a bit in the word
 * @size: size of the word, 4 or 8 bytes
 *
 * Sets or clears the bit. The enabler takes a reference to the event.
 *
 * Context: process, may sleep for as long as faulting in the page takes.
 *
 * Return: 0; -EFAULT if the word cannot be written; -EADDRINUSE if the bit is
 * in use; -EMFILE if the process has too many enablers; -ENOMEM; -EINTR if a
 * fatal signal ended the wait.
 */
int lkst_enabler_add(struct lkst_user_event *event, unsigned long address, unsigned int bit,
		     unsigned int size)
{
	const struct lkst_enabler enabler = {
		.event = event, .address = address, .bit = bit, .size = size,
	};
	struct lkst_words *words = lkst_words_obtain();
	int ret, faults = 0;

	if (IS_ERR(words))
		return PTR_ERR(words);
	/* The kernel may reclaim the page between the two steps, so retry. */
	do
		ret = lkst_words_add(words, &enabler);
	while (ret == -EFAULT && faults++ < LKST_FAULTS_MAX && !lkst_enabler_fault_in(&enabler));
	lkst_words_put(words);
	return ret;
}

/* Remove an enabler, and set @removed to it. Returns 0 or an error. */
static int lkst_words_remove(struct lkst_words *words, unsigned long address, unsigned int bit,
			     struct lkst_enabler *removed)
{
	struct lkst_enabler_table *new, *old = NULL;
	int ret = mutex_lock_killable(&words->mutex);
	unsigned int i;

	if (ret)
		return ret;
	ret = -ENOENT;
	if (!lkst_table_has(words->table, address, bit))
		goto out;
	ret = -ENOMEM;
	i = lkst_table_find(words->table, address, bit);
	new = lkst_table_new(words->table, i, NULL);
	if (!new)
		goto out;
	ret = 0;
	*removed = words->table->enabler[i];
	old = lkst_words_set_table(words, new);
out:
	mutex_unlock(&words->mutex);
	lkst_table_put(old);
	return ret;
}

/* Clear the bit of an enabler that has been removed, unless it is in use again. */
static int lkst_words_clear(struct lkst_words *words, const struct lkst_enabler *removed)
{
	int ret = mutex_lock_killable(&words->mutex);

	if (ret)
		return ret;
	if (!lkst_table_has(words->table, removed->address, removed->bit))
		ret = lkst_words_write_now(words, removed, false);
	mutex_unlock(&words->mutex);
	return ret;
}

/**
 * lkst_enabler_remove() - unregister a bit, and clear it
 * @address: address of a word of the current process
 * @bit: number of the bit
 *
 * Drops the reference to the event.
 *
 * Context: process, may sleep for as long as faulting in the page takes.
 *
 * Return: 0; -ENOENT if the bit is not registered; -EFAULT if the word cannot
 * be written, although the bit has been unregistered; -ENOMEM; -EINTR if a
 * fatal signal ended the wait.
 */
int lkst_enabler_remove(unsigned long address, unsigned int bit)
{
	struct lkst_words *words = lkst_words_of_current();
	struct lkst_enabler removed;
	int ret, faults = 0;

	if (!words)
		return -ENOENT;
	ret = lkst_words_remove(words, address, bit, &removed);
	if (ret)
		goto put;
	do
		ret = lkst_words_clear(words, &removed);
	while (ret == -EFAULT && faults++ < LKST_FAULTS_MAX && !lkst_enabler_fault_in(&removed));
put:
	lkst_words_put(words);
	return ret;
}

/**
 * lkst_enablers_update() - change the bits whose events have changed
 *
 * Called after lkst_user_event_on() may have changed for any event. The bits
 * are changed soon, by work items.
 *
 * Context: process; does not sleep. May be called before lkst_enablers_start().
 */
void lkst_enablers_update(void)
{
	struct lkst_words *words;
	unsigned int i;

	/*
	 * The increment is a full barrier, so a CPU that sees the new number
	 * also sees the caller's change. If a structure is added to the hash
	 * after its bucket was searched, lkst_words_lock orders the addition
	 * after the search, so its bits are written according to the new state.
	 */
	atomic_long_inc_return(&lkst_words_changes);
	for (i = 0; i < ARRAY_SIZE(lkst_words_hash); i++) {
		/* Do not hold the lock for long: the probe of fork takes it. */
		raw_spin_lock(&lkst_words_lock);
		hlist_for_each_entry(words, &lkst_words_hash[i], node)
			lkst_words_schedule(words, 0);
		raw_spin_unlock(&lkst_words_lock);
	}
}

/* Whether the work items have tried all changes up to number @changes. */
static bool lkst_words_all_done(unsigned long changes)
{
	struct lkst_words *words;
	bool done = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_words_hash) && done; i++) {
		raw_spin_lock(&lkst_words_lock);
		hlist_for_each_entry(words, &lkst_words_hash[i], node)
			if (words->table && (long)(READ_ONCE(words->done) - changes) < 0)
				done = false;
		raw_spin_unlock(&lkst_words_lock);
	}
	return done;
}

/**
 * lkst_enablers_flush() - wait until bits have been changed
 *
 * Waits for the work items that lkst_enablers_update() has queued, but at most
 * 0.1 s. Bits in pages that are not present may change later.
 *
 * Context: process, may sleep.
 */
void lkst_enablers_flush(void)
{
	unsigned long changes = atomic_long_read(&lkst_words_changes);

	wait_event_timeout(lkst_words_wait, lkst_words_all_done(changes), LKST_WORDS_FLUSH);
}

static void __init lkst_newtask_match(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "task_newtask"))
		lkst_newtask_tracepoint = tracepoint;
}

/**
 * lkst_enablers_start() - prepare for enablers
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_enablers_start(void)
{
	for_each_kernel_tracepoint(lkst_newtask_match, NULL);
	/*
	 * Use a separate queue: a program can make its work item run for a long
	 * time, and must not delay other work of the kernel.
	 */
	lkst_words_queue = alloc_workqueue("lkst_words", WQ_UNBOUND, WQ_MAX_ACTIVE);
	return lkst_words_queue ? 0 : -ENOMEM;
}

/* Return a structure of the hash, with a reference, or NULL if there is none. */
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
 * Clear the bits of a program, and release its enablers. Bits in pages that are
 * not present stay as they are.
 */
static void __lkst_exit lkst_words_stop(struct lkst_words *words)
{
	if (cancel_delayed_work_sync(&words->work))
		lkst_words_put(words);
	if (mmget_not_zero(words->mm)) {
		lkst_words_write(words, true);
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
	if (lkst_newtask_probed)
		tracepoint_probe_unregister(lkst_newtask_tracepoint, lkst_newtask_probe(), NULL);
	lkst_tracepoint_synchronize();
	WRITE_ONCE(lkst_words_queue, NULL);
	/* Wait for work items that have read the queue before, and use it. */
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
