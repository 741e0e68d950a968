// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the bits of enablers, and the work items that do so after a change of
 * what is recorded. words.h explains how the enablers work.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/magic.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../base/compat.h"
#include "enabler.h"
#include "words.h"

/* Delay between two attempts to change bits: doubles from MIN to MAX. */
#define LKST_WORDS_DELAY_MIN	1
#define LKST_WORDS_DELAY_MAX	HZ

/*
 * The delay is also at least REST times as long as the last attempt took, up to
 * REST_MAX, so that a process takes at most about one percent of a CPU.
 */
#define LKST_WORDS_REST		100
#define LKST_WORDS_REST_MAX	(10 * HZ)

/* How long lkst_enablers_flush() waits. */
#define LKST_WORDS_FLUSH	(HZ / 10)

/* Counts calls of lkst_enablers_update(). */
static atomic_long_t lkst_words_changes = ATOMIC_LONG_INIT(0);

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

/* Return the 32-bit half of an enabler's word in a page that is mapped with kmap_local_page(). */
static atomic_t *lkst_enabler_map(struct page *page, unsigned long address)
{
	return kmap_local_page(page) + offset_in_page(address);
}

/* Convert the result of getting one page to 0, -EAGAIN or -EFAULT. */
static int lkst_enabler_got(long ret)
{
	return ret == 1 ? 0 : ret ? -EFAULT : -EAGAIN;
}

/*
 * Return 1 if the bit of an enabler is set, 0 if it is clear, -EAGAIN if its
 * page is not present, or -EFAULT. @flags are those of lkst_enabler_write().
 *
 * The page is only read at this moment, so FOLL_GET is right. FOLL_PIN would
 * make a copy of a page that is shared with a parent or child.
 */
static int lkst_enabler_is_on(struct mm_struct *mm, const struct lkst_enabler *enabler,
			      unsigned int flags)
{
	struct page *page;
	unsigned long address;
	atomic_t *half;
	int ret;
	u32 mask;

	address = lkst_enabler_half(enabler, &mask);
	ret = lkst_enabler_got(lkst_get_user_page_remote(mm, address, flags, &page));
	if (ret)
		return ret;
	half = lkst_enabler_map(page, address);
	ret = !!(atomic_read(half) & mask);
	kunmap_local(half);
	put_page(page);
	return ret;
}

/* Pin the page of an enabler for writing. Returns 0, -EAGAIN or -EFAULT. */
static int lkst_enabler_pin(struct mm_struct *mm, const struct lkst_enabler *enabler,
			    unsigned int flags, struct page **page)
{
	u32 mask;

	return lkst_enabler_got(lkst_pin_user_page_remote(mm, lkst_enabler_half(enabler, &mask),
							  flags | FOLL_WRITE, page));
}

/* Set or clear the bit of an enabler in a pinned page, and no other bit. */
static void lkst_enabler_set(const struct lkst_enabler *enabler, struct page *page, bool on)
{
	u32 mask;
	unsigned long address = lkst_enabler_half(enabler, &mask);
	atomic_t *half = lkst_enabler_map(page, address);

	if (on)
		atomic_or(mask, half);
	else
		atomic_andnot(mask, half);
	kunmap_local(half);
}

/*
 * Set or clear the bit of an enabler of the current process. If the bit already
 * has the right value, the page is not written: if a forked child shares the
 * page, writing would make a copy of it. @flags are FOLL_NOFAULT, and
 * FOLL_WRITE if the page must be writable in any case. May wait until another
 * user of the page unlocks it. The caller holds words->mutex and mmap_lock.
 * Returns 0, -EAGAIN or -EFAULT.
 */
int lkst_enabler_write(struct mm_struct *mm, const struct lkst_enabler *enabler, bool on,
		       unsigned int flags)
{
	int is_on = lkst_enabler_is_on(mm, enabler, flags);
	struct page *page;
	int ret;

	if (is_on < 0 || is_on == on)
		return min(is_on, 0);
	ret = lkst_enabler_pin(mm, enabler, flags, &page);
	if (ret)
		return ret;
	lkst_enabler_set(enabler, page, on);
	unpin_user_pages_dirty_lock(&page, 1, true);
	return 0;
}

/*
 * Return whether a page fault with FOLL_NOWAIT never waits for something that a
 * program controls.
 *
 * FOLL_NOWAIT only applies to userfaultfd and to the locks of pages. Apart from
 * that, the owner of the mapping determines how long a fault takes: a FUSE
 * server or a driver may never provide the page. A disk, a network server or a
 * hypervisor (virtiofs) also takes time, but no program without privileges can
 * prolong it.
 */
bool lkst_words_fault_is_bounded(struct vm_area_struct *vma)
{
	const struct inode *inode;
	const struct super_block *sb;

	/* Other mappings without a file are the kernel's own, such as the vDSO. */
	if (vma_is_anonymous(vma) || !vma->vm_file)
		return true;
	inode = file_inode(vma->vm_file);
	sb = inode->i_sb;
	if (!S_ISREG(inode->i_mode))
		return false;
	if (sb->s_magic == FUSE_SUPER_MAGIC)
		return !strcmp(sb->s_type->name, "virtiofs");
	/* Shared memory without a name is in an internal mount of tmpfs. */
	if (sb->s_magic == TMPFS_MAGIC || sb->s_magic == HUGETLBFS_MAGIC)
		return true;
	/* A driver can have files in a pseudo file system, such as anon_inodefs. */
	return !(sb->s_flags & SB_NOUSER);
}

/*
 * Like lkst_enabler_write(), but for the work item, which does not wait for
 * anything that a program controls: neither for a page, nor for the lock of a
 * page, which a FUSE server can hold up. The page is locked before it is
 * written, so the page is either written and marked as dirty, or not written at
 * all.
 *
 * If a fault may take long, a page is written only if the program has faulted
 * it in. If the program has not faulted it in yet, the function returns
 * -EAGAIN, because the program may do so later. It returns -EFAULT if the word
 * is not mapped, or not writable.
 */
static int lkst_enabler_try_write(struct mm_struct *mm, const struct lkst_enabler *enabler, bool on)
{
	struct vm_area_struct *vma = find_vma(mm, enabler->address);
	struct page *page;
	struct folio *folio;
	bool bounded;
	int ret;

	if (!vma || vma->vm_start > enabler->address)
		return -EFAULT;
	bounded = lkst_words_fault_is_bounded(vma);
	ret = lkst_enabler_is_on(mm, enabler, bounded ? FOLL_NOWAIT : FOLL_NOFAULT);
	if (ret == on)
		return 0;
	if (ret >= 0)
		ret = lkst_enabler_pin(mm, enabler, bounded ? FOLL_NOWAIT : FOLL_NOFAULT, &page);
	if (ret)
		return !bounded && vma->vm_flags & VM_WRITE ? -EAGAIN : ret;
	folio = page_folio(page);
	ret = -EAGAIN;
	if (folio_trylock(folio)) {
		lkst_enabler_set(enabler, page, on);
		folio_mark_dirty(folio);
		folio_unlock(folio);
		ret = 0;
	}
	unpin_user_page(page);
	return ret;
}

/* Whether the caller has the only user reference, so no task will ever use the memory again. */
static bool lkst_words_abandoned(const struct lkst_words *words)
{
	return atomic_read(&words->mm->mm_users) == 1;
}

/*
 * Change all bits that differ from the state of their events, or clear all bits
 * if @stop is true. The caller has a user reference. Returns 0; -EBUSY if a
 * lock was held, so that no bit was tried; or -EAGAIN if some page was not
 * present or was locked. A word that the program has unmapped, or may not
 * write, is skipped until the next change.
 *
 * A thread that registers an event can hold words->mutex or mmap_lock while it
 * waits for a page, so this function does not wait for these locks.
 *
 * FOLL_NOWAIT starts the I/O that a page needs, but does not wait for it. It
 * sends no message to a userfaultfd. That message is sent when the program
 * itself reads the word.
 */
int lkst_words_write(struct lkst_words *words, bool stop)
{
	unsigned long busy = ULONG_MAX;	/* page that has returned -EAGAIN */
	unsigned int i;
	int ret = 0;

	if (!mutex_trylock(&words->mutex))
		return -EBUSY;
	if (!words->table)
		goto out;
	ret = -EBUSY;
	if (!mmap_read_trylock(words->mm))
		goto out;
	ret = 0;
	/* The table is sorted, so enablers of the same page follow each other. */
	for (i = 0; i < words->table->num && !lkst_words_abandoned(words); i++) {
		const struct lkst_enabler *enabler = &words->table->enabler[i];
		bool on = !stop && lkst_user_event_on(enabler->event);

		if (enabler->address >> PAGE_SHIFT == busy)
			continue;
		if (lkst_enabler_try_write(words->mm, enabler, on) == -EAGAIN) {
			busy = enabler->address >> PAGE_SHIFT;
			ret = -EAGAIN;
		}
		cond_resched();
	}
	mmap_read_unlock(words->mm);
out:
	mutex_unlock(&words->mutex);
	return ret;
}

/*
 * Change the bits of an address space. A user reference keeps the address space
 * from being unmapped meanwhile. While it is held, this function does not wait
 * for anything that a program controls, except as described at
 * lkst_words_watch(). Dropping the reference may end the address space, so
 * mmput_async() lets another worker do that.
 */
void lkst_words_work(struct work_struct *work)
{
	struct lkst_words *words = container_of(to_delayed_work(work), struct lkst_words, work);
	/*
	 * Pairs with lkst_enablers_update(): read the states of events only
	 * after this number.
	 */
	unsigned long changes = atomic_long_read_acquire(&lkst_words_changes);
	unsigned long rest;
	int watched, ret;
	u64 start;

	if (!mmget_not_zero(words->mm)) {
		lkst_words_end(words);
		goto put;
	}
	if (lkst_words_abandoned(words)) {
		lkst_words_end(words);
		mmput_async(words->mm);
		goto put;
	}
	start = ktime_get_ns();
	ret = lkst_words_write(words, false);
	/* Change the bits first, because the registration can wait for other threads. */
	watched = lkst_words_watch(words);
	mmput_async(words->mm);
	if (ret != -EBUSY)
		WRITE_ONCE(words->done, changes);
	words->delay = clamp(words->delay * 2, (unsigned long)LKST_WORDS_DELAY_MIN,
			     (unsigned long)LKST_WORDS_DELAY_MAX);
	rest = min_t(unsigned long, LKST_WORDS_REST_MAX,
		     nsecs_to_jiffies((ktime_get_ns() - start) * LKST_WORDS_REST));
	if (watched || ret) {
		/*
		 * lkst_words_end() removes @words from the hash table before it
		 * cancels the work item, so nothing would cancel a work item
		 * that is queued after that.
		 */
		raw_spin_lock(&lkst_words_lock);
		if (!hlist_unhashed(&words->node))
			lkst_words_schedule(words, max(words->delay, rest));
		raw_spin_unlock(&lkst_words_lock);
	} else {
		words->delay = 0;
	}
put:
	wake_up(&lkst_words_wait);
	lkst_words_put(words);
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
