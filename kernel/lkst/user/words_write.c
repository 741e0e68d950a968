// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the bits of enablers, and the work items that do so after a change of
 * what is recorded. words.h explains how the enablers work.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../base/compat.h"
#include "enabler.h"
#include "words.h"

/* Delay between two attempts to change bits: doubles from MIN to MAX. */
#define LKST_WORDS_DELAY_MIN	1
#define LKST_WORDS_DELAY_MAX	HZ

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
int lkst_enabler_write(struct mm_struct *mm, const struct lkst_enabler *enabler, bool on,
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
int lkst_words_write(struct lkst_words *words, bool stop)
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

/*
 * Change the bits of an address space. A user reference keeps the address space
 * from being unmapped meanwhile. While it is held, this function does not wait
 * for anything that a program controls. Dropping it may end the address space,
 * so mmput_async() lets another worker do that.
 */
void lkst_words_work(struct work_struct *work)
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
