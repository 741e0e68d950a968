/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enablers: bits in the memory of programs. Each bit is set while its event is
 * recorded. Only the files that implement enablers include this header.
 *
 * struct lkst_words has the enablers of one address space, so threads share
 * this structure. A forked child gets another one. The structure is freed when
 * the address space has been unmapped, at exit or exec.
 *
 * A bit is changed through a pinned page, in one of two ways:
 *
 * - A program that registers or unregisters an event changes the bit in its own
 *   context. It faults the page in if necessary, and waits as long as that
 *   takes, without any lock that another program needs.
 * - After a change of what is recorded, a work item for each address space
 *   changes the bits that differ from the state of their events. The work item
 *   waits neither for a page that a program provides, for example a FUSE
 *   server, nor for a lock that a thread can hold while it waits for such a
 *   page. In these cases it tries again later. So a page that never arrives
 *   delays neither the switch of the maskset nor another program.
 *   lkst_words_watch() describes an exception.
 *
 * No change is missed: the code that changes what is recorded queues the work
 * items after the change, and a work item reads the state of the event after it
 * was queued. A writer of a bit holds words->mutex from the time when it reads
 * the state of the event until it has written the bit, so the latest state is
 * written last. If the work item finds words->mutex held, it tries again.
 *
 * An address space ends when no task uses it any longer. A work item that has
 * the only user reference, or cannot get one, releases the enablers. Otherwise
 * the notifier does so. The work item tries to register the notifier, and is
 * queued again and again until this succeeds. It cannot succeed while a page
 * fault in some mapping can wait for a program.
 */
#ifndef _LKST_USER_WORDS_H
#define _LKST_USER_WORDS_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct lkst_user_event;

#define LKST_WORDS_BITS		8	/* log2 of the number of hash buckets */

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
 * @enabler: the enablers, sorted by address; constant
 *
 * A table never changes, so a forked child can share the parent's table. A copy
 * for each child would take time for each enabler, and could fail.
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
 *	the pointer never refers to another address space
 * @table: the enablers, or NULL if none exist; changed with both @mutex and
 *	lkst_words_lock held
 * @refs: number of references: one while hashed, one for a queued @work, one
 *	for @notifier while it is registered, and one for each function that
 *	is using the structure
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

/* words.c: the address spaces with enablers, from the first enabler to the end */
extern struct hlist_head lkst_words_hash[1 << LKST_WORDS_BITS];
extern raw_spinlock_t lkst_words_lock;
extern unsigned int lkst_words_num;
extern wait_queue_head_t lkst_words_wait;

void lkst_words_get(struct lkst_words *words);
void lkst_words_put(struct lkst_words *words);
struct lkst_words *lkst_words_find(const struct mm_struct *mm);
struct lkst_words *lkst_words_of_current(void);
struct lkst_words *lkst_words_obtain(void);
struct lkst_words *lkst_words_new(gfp_t gfp);
void lkst_words_insert(struct lkst_words *words, struct mm_struct *mm,
		       struct lkst_enabler_table *table);
void lkst_words_schedule(struct lkst_words *words, unsigned long delay);
void lkst_words_queue_work(struct work_struct *work);
int lkst_words_watch(struct lkst_words *words);
void lkst_words_end(struct lkst_words *words);

/* words_fork.c: the enablers of forked children */
void lkst_newtask_find(void);
int lkst_newtask_attach(void);
void lkst_newtask_detach(void);

/* words_write.c: writing the bits */
int lkst_enabler_write(struct mm_struct *mm, const struct lkst_enabler *enabler, bool on,
		       unsigned int flags);
bool lkst_words_fault_is_bounded(struct vm_area_struct *vma);
int lkst_words_write(struct lkst_words *words, bool stop);
void lkst_words_work(struct work_struct *work);

/* enabler.c: the enablers of an address space */
void lkst_table_put(struct lkst_enabler_table *table);

#endif
