// SPDX-License-Identifier: GPL-2.0
/*
 * The enablers of an address space, which programs register and unregister.
 * words.h explains how the enablers work.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/pagemap.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "enabler.h"
#include "words.h"

/*
 * Maximum number of enablers of an address space, with and without privileges.
 * A work item needs about 2 us for each, for example in each forked child.
 */
#define LKST_ENABLERS_MAX	16384
#define LKST_ENABLERS_MAX_USER	1024

#define LKST_FAULTS_MAX		10	/* attempts to fault a page in */

void lkst_table_put(struct lkst_enabler_table *table)
{
	unsigned int i;

	if (!table || !refcount_dec_and_test(&table->refs))
		return;
	for (i = 0; i < table->num; i++)
		lkst_user_event_put(table->enabler[i].event);
	kvfree(table);
}

/*
 * Make a copy of the table @old, which may be NULL. Leave out the enabler at
 * index @without, unless it is -1, and add @with, unless it is NULL. Returns
 * NULL if there is no memory.
 */
static struct lkst_enabler_table *lkst_table_new(const struct lkst_enabler_table *old,
						 int without, const struct lkst_enabler *with)
{
	int i, num = old ? old->num : 0;
	struct lkst_enabler_table *new;

	new = kvmalloc(struct_size(new, enabler, num + 1), GFP_KERNEL_ACCOUNT);
	if (!new)
		return NULL;
	refcount_set(&new->refs, 1);
	new->num = 0;
	for (i = 0; i < num; i++) {
		if (with && with->address < old->enabler[i].address) {
			new->enabler[new->num++] = *with;
			with = NULL;
		}
		if (i != without)
			new->enabler[new->num++] = old->enabler[i];
	}
	if (with)
		new->enabler[new->num++] = *with;
	for (i = 0; i < new->num; i++)
		lkst_user_event_get(new->enabler[i].event);
	return new;
}

/* Return the index of an enabler, or -ENOENT. */
static int lkst_table_find(const struct lkst_enabler_table *table, unsigned long address,
			   unsigned int bit)
{
	int i, num = table ? table->num : 0;

	for (i = 0; i < num; i++)
		if (table->enabler[i].address == address && table->enabler[i].bit == bit)
			return i;
	return -ENOENT;
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
		ret = lkst_table_find(words->table, address, bit) < 0 ? 0 : -EADDRINUSE;
		mutex_unlock(&words->mutex);
	}
	lkst_words_put(words);
	return ret;
}

/*
 * Replace the table. Returns the old one, which the caller must put. The caller
 * holds words->mutex.
 */
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
 * The caller holds words->mutex. Returns 0; -EFAULT if the page is not present
 * or cannot be written; -EINTR if a fatal signal ended the wait.
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
 * Add an enabler, and write its bit. Returns 0, or an error: -EFAULT if the page
 * is not present.
 *
 * The bit is written last. So if a forked child gets a copy of the memory in
 * which the bit is set, the child also gets the enabler.
 */
static int lkst_words_add(struct lkst_words *words, const struct lkst_enabler *enabler,
			  unsigned int max)
{
	struct lkst_enabler_table *new, *old = NULL;
	int ret = mutex_lock_killable(&words->mutex);

	if (ret)
		return ret;
	ret = -EADDRINUSE;
	if (lkst_table_find(words->table, enabler->address, enabler->bit) >= 0)
		goto out;
	ret = -EMFILE;
	if (words->table && words->table->num >= max)
		goto out;
	ret = -ENOMEM;
	new = lkst_table_new(words->table, -1, enabler);
	if (!new)
		goto out;
	old = lkst_words_set_table(words, new);
	ret = lkst_words_write_now(words, enabler, lkst_user_event_on(enabler->event));
	if (ret)
		old = lkst_words_set_table(words, old);
out:
	mutex_unlock(&words->mutex);
	lkst_table_put(old);
	return ret;
}

/*
 * Fault in the page of a word for writing, without a lock. A word does not cross
 * pages. Returns 0 or -EFAULT.
 */
static int lkst_enabler_fault_in(unsigned long address)
{
	return fault_in_safe_writeable((const char __user *)address, 1) ? -EFAULT : 0;
}

/**
 * lkst_enabler_add() - register a bit that is set while an event is recorded
 * @event: the event, to which the caller has a reference
 * @address: address of a word of the current process, a multiple of @size
 * @bit: number of a bit in the word
 * @size: size of the word, 4 or 8 bytes
 * @privileged: whether the process may have many enablers
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
		     unsigned int size, bool privileged)
{
	const struct lkst_enabler enabler = {
		.event = event, .address = address, .bit = bit, .size = size,
	};
	struct lkst_words *words = lkst_words_obtain();
	unsigned int max = privileged ? LKST_ENABLERS_MAX : LKST_ENABLERS_MAX_USER;
	int ret, faults = 0;

	if (IS_ERR(words))
		return PTR_ERR(words);
	/*
	 * If the page is not present, fault it in and try again. The kernel may
	 * reclaim the page before the next attempt, so try several times.
	 */
	do
		ret = lkst_words_add(words, &enabler, max);
	while (ret == -EFAULT && faults++ < LKST_FAULTS_MAX && !lkst_enabler_fault_in(address));
	lkst_words_put(words);
	return ret;
}

/*
 * Clear the bit of an enabler, and remove the enabler. If the bit cannot be
 * cleared, remove the enabler only if @force is true. Returns 0, or an error:
 * -EFAULT if the page is not present.
 *
 * The bit is cleared first because another thread may fork meanwhile. If the
 * bit is still set in the memory of the child, the child normally also has the
 * enabler, which corrects the bit. One race remains: if both steps take place
 * after fork() has copied the memory, and before fork() calls LKST's probe, the
 * bit stays set in the child.
 */
static int lkst_words_remove(struct lkst_words *words, unsigned long address, unsigned int bit,
			     bool force)
{
	struct lkst_enabler_table *new, *old = NULL;
	int i, ret = mutex_lock_killable(&words->mutex);

	if (ret)
		return ret;
	i = lkst_table_find(words->table, address, bit);
	ret = i;
	if (i < 0)
		goto out;
	ret = -ENOMEM;
	new = lkst_table_new(words->table, i, NULL);
	if (!new)
		goto out;
	old = new;
	ret = lkst_words_write_now(words, &words->table->enabler[i], false);
	if (!ret || (ret == -EFAULT && force))
		old = lkst_words_set_table(words, new);
out:
	mutex_unlock(&words->mutex);
	lkst_table_put(old);
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
 * be written, in which case the bit is unregistered nevertheless; -ENOMEM;
 * -EINTR if a fatal signal ended the wait.
 */
int lkst_enabler_remove(unsigned long address, unsigned int bit)
{
	struct lkst_words *words = lkst_words_of_current();
	int ret, faults = 0;

	if (!words)
		return -ENOENT;
	do
		ret = lkst_words_remove(words, address, bit, false);
	while (ret == -EFAULT && faults++ < LKST_FAULTS_MAX && !lkst_enabler_fault_in(address));
	if (ret == -EFAULT)
		ret = lkst_words_remove(words, address, bit, true);
	lkst_words_put(words);
	return ret;
}
