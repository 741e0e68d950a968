// SPDX-License-Identifier: GPL-2.0
/*
 * Which maskset is selected: switching between them, starting and stopping, in any context
 * (specification 4.2.1, 4.7.1.1, 4.7.1.2.3, 4.7.2.1, 4.7.2.2.3).
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/irq_work.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/workqueue.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst.h>

#include "compat.h"
#include "event.h"
#include "source.h"
#include "stage.h"
#include "switch.h"
#include "sync.h"

/*
 * What is selected is one word, so that it changes in one step, in any context:
 *
 *	bits 0-7	id of the current maskset
 *	bits 8-15	what TRC_START goes back to; LKST_MASKSET_ID_VOID: LKST is not stopped
 *	bit 16		somebody is setting lkst_select_left
 *	bit 17		events are counted down: when lkst_select_left comes to 0, LKST stops
 *	bits 18-31	counts changes of lkst_masksets[] that switches must not miss
 *
 * lkst_maskset_current, and lkst_maskset_dispatch, which events look at, follow from the word and
 * from lkst_masksets[]. Whoever has changed one of these calls lkst_select_publish(): look at
 * both, store the pointers, look at the word again, until it is the same. Changes that come
 * between, from other CPUs or nested on this one, may be followed by a store of a pointer that they
 * made obsolete, but not for long. What holds when nobody is in lkst_select_publish():
 *
 *	the pointer is lkst_masksets[current id of the word]; lkst_maskset_dispatch is the same, or,
 *	with bit 17, the table that has every event counted
 *
 * Proof: Let S be the last store of the pointer, made for the word w. Then w was found
 * unchanged after S. If another word v came after w, or the same with another table entry,
 * which then has another count, its maker stored the pointer after that, and S came after that
 * store. So: v, barrier, its store, S, barrier, w still there. With both barriers full that
 * cannot be.
 *
 * All of this runs with preemption off: once lkst_synchronize() has returned, nobody is left
 * who looked at the word or at lkst_masksets[] before it was called. That has happened since the
 * last change that counts before there is another one, see lkst_maskset_begin(), so the count does
 * not come round meanwhile.
 */
static atomic_t lkst_selected = ATOMIC_INIT(LKST_MASKSET_ID_RNOTHING |
					    LKST_MASKSET_ID_VOID << 8);

#define LKST_SELECTED_SETTING	BIT(16)
#define LKST_SELECTED_COUNTING	BIT(17)
#define LKST_SELECTED_COUNT	BIT(18)

static lkst_maskset_id lkst_selected_current(u32 word)
{
	return word & 0xff;
}

static lkst_maskset_id lkst_selected_saved(u32 word)
{
	return word >> 8 & 0xff;
}

static bool lkst_selected_stopped(u32 word)
{
	return lkst_selected_saved(word) != LKST_MASKSET_ID_VOID;
}

/* @word with other ids, and the rest as it is. */
static u32 lkst_selected_with(u32 word, lkst_maskset_id current_id, lkst_maskset_id saved)
{
	return (word & ~0xffffU) | current_id | saved << 8;
}

/* @word without a countdown. */
static u32 lkst_selected_calm(u32 word)
{
	return word & ~(LKST_SELECTED_SETTING | LKST_SELECTED_COUNTING);
}

/* The table entries that the word is about are looked at after it. */
static u32 lkst_selected_get(void)
{
	return atomic_read_acquire(&lkst_selected);
}

/* With a full barrier after it, if it succeeds; see lkst_select_publish(). */
static bool lkst_selected_change(u32 from, u32 to)
{
	return atomic_cmpxchg(&lkst_selected, from, to) == from;
}

const struct lkst_maskset *lkst_maskset_current __read_mostly = &lkst_maskset_nothing;
const struct lkst_maskset *lkst_maskset_dispatch __read_mostly = &lkst_maskset_nothing;

/* In place of each maskset while events are counted: so there is nothing to count with else. */
static const struct lkst_maskset lkst_maskset_counted = {
	.handler = { [0 ... LKST_ETYPE_NUM - 1] = LKST_EVHANDLER_COUNTED },
};

/* Events that may still come. Below 1: nothing more is recorded. Means something with bit 17. */
static atomic_t lkst_select_left;

/* Told about in switch.h. */
DEFINE_MUTEX(lkst_maskset_mutex);

/* Bring the pointers in line with the word. */
static void lkst_select_publish(void)
{
	u32 word = lkst_selected_get(), stored;

	do {
		/*
		 * NULL: it is being deleted. Either the word has changed, or
		 * lkst_select_remembered() is about to be called.
		 */
		const struct lkst_maskset *to =
			READ_ONCE(lkst_masksets[lkst_selected_current(word)]);

		stored = word;
		if (to) {
			/* Whoever sees a pointer sees the table: it was complete before. */
			smp_store_release(&lkst_maskset_current, to);
			/* A countdown finds the maskset there. */
			if (word & LKST_SELECTED_COUNTING)
				to = &lkst_maskset_counted;
			/* Likewise. */
			smp_store_release(&lkst_maskset_dispatch, to);
		}
		/* The store before the look, as said above. */
		smp_mb();
		word = lkst_selected_get();
	} while (word != stored);
}

/*
 * The word has changed. Into the buffers goes an event, by whichever of the two masksets
 * records it; when others switch at the same moment it may be their maskset that decides.
 * lkst_event_nopreempt() expects preemption to be disabled once.
 */
static void lkst_select_finish(int etype, u64 arg1, u64 arg2)
{
	bool before = lkst_maskset_handler(etype);

	if (before)
		lkst_event_nopreempt(etype, arg1, arg2, 0, 0);
	lkst_select_publish();
	if (!before)
		lkst_event_nopreempt(etype, arg1, arg2, 0, 0);
}

/* How these three end: 1: there was a change; 0: there was nothing to do; or an error. */

static int lkst_select_set(lkst_maskset_id id)
{
	lkst_maskset_id from;
	u32 word;

	do {
		word = lkst_selected_get();
		from = lkst_selected_current(word);
		/* DELETE takes the entry out before it counts up the word. */
		if (!READ_ONCE(lkst_masksets[id]))
			return -EINVAL;
		if (lkst_selected_stopped(word))
			return -EBUSY;
		if (from == id)
			return 0;
	} while (!lkst_selected_change(word, lkst_selected_with(word, id, LKST_MASKSET_ID_VOID)));
	lkst_select_finish(LKST_ETYPE_LKST_MASKSET_SET, from, id);
	return 1;
}

static int lkst_select_start(void)
{
	lkst_maskset_id to;
	u32 word;

	do {
		word = lkst_selected_get();
		if (!lkst_selected_stopped(word))
			return 0;
		to = lkst_selected_saved(word);
	} while (!lkst_selected_change(word, lkst_selected_with(word, to, LKST_MASKSET_ID_VOID)));
	lkst_select_finish(LKST_ETYPE_LKST_TRC_START, to, 0);
	return 1;
}

/* Returns whether there was a change; what is left is to publish it. */
static bool lkst_select_to_stopped(lkst_maskset_id *from)
{
	u32 word;

	do {
		word = lkst_selected_get();
		if (lkst_selected_stopped(word))
			return false;
		*from = lkst_selected_current(word);
	} while (!lkst_selected_change(word, lkst_selected_with(lkst_selected_calm(word),
								LKST_MASKSET_ID_RNOTHING,
								*from)));
	return true;
}

static int lkst_select_stop(void)
{
	lkst_maskset_id from;

	if (!lkst_select_to_stopped(&from))
		return 0;
	lkst_select_finish(LKST_ETYPE_LKST_TRC_STOP, from, 0);
	return 1;
}

/* As lkst_select_stop(), unless the countdown was for another time that LKST ran. */
static int lkst_select_stop_counting(void)
{
	return lkst_selected_get() & LKST_SELECTED_COUNTING ? lkst_select_stop() : 0;
}

/**
 * lkst_select_countdown() - let LKST stop when some more events have been recorded
 * @events: how many
 *
 * Unless it is stopped, or counts down already. Who wins sets the number, with one bit, and then
 * lets it be used, with the other.
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_select_countdown(int events)
{
	u32 word;

	do {
		word = lkst_selected_get();
		if (lkst_selected_stopped(word) || lkst_selected_calm(word) != word)
			return;
	} while (!lkst_selected_change(word, word | LKST_SELECTED_SETTING));
	atomic_set(&lkst_select_left, events);
	do {
		word = lkst_selected_get();
		/* It has been stopped meanwhile. */
		if (!(word & LKST_SELECTED_SETTING))
			return;
	} while (!lkst_selected_change(word, lkst_selected_calm(word) | LKST_SELECTED_COUNTING));
	lkst_select_publish();
}

/**
 * lkst_select_count() - an event occurs while they are counted down
 * @etype: event type
 *
 * That LKST stops is recorded, and does not count.
 *
 * Context: any, NMI included.
 *
 * Return: how many may still come, with this one: at 1 it is the last; below, it came too late.
 */
int lkst_select_count(int etype)
{
	return etype == LKST_ETYPE_LKST_TRC_STOP ? INT_MAX : atomic_fetch_dec(&lkst_select_left);
}

/**
 * lkst_trc_freeze() - record no more, in a machine that dies
 *
 * As lkst_trc_stop(), but that is not recorded, and the sources stay: nothing but memory is
 * touched.
 *
 * Context: any, NMI included.
 */
void lkst_trc_freeze(void)
{
	lkst_maskset_id from;

	preempt_disable_notrace();
	lkst_select_to_stopped(&from);
	/* In any case: whoever has stopped LKST just before may not come to it any more. */
	lkst_select_publish();
	preempt_enable_notrace();
}

/* The id of the current maskset. */
lkst_maskset_id lkst_select_current(void)
{
	return lkst_selected_current(lkst_selected_get());
}

/* There is another maskset in a place of lkst_masksets[] that was not empty. */
void lkst_select_replaced(void)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	preempt_disable_notrace();
	atomic_fetch_add(LKST_SELECTED_COUNT, &lkst_selected);
	lkst_select_publish();
	preempt_enable_notrace();
}

/**
 * lkst_select_forget() - see that a maskset is not selected any more
 * @id: was taken out of lkst_masksets[]
 *
 * A set that has seen it there before does not succeed after the word was counted up. START
 * does not look: it finds the default maskset instead of this one; or it comes before, and
 * this one is the current one.
 *
 * Return: 0: nobody selects it any more. What is left of it can be freed after
 * lkst_synchronize(). Or -EBUSY: it is the current one; it has to be put back.
 */
int lkst_select_forget(lkst_maskset_id id)
{
	lkst_maskset_id saved;
	u32 word;

	lockdep_assert_held(&lkst_maskset_mutex);
	do {
		word = lkst_selected_get();
		if (lkst_selected_current(word) == id)
			return -EBUSY;
		saved = lkst_selected_saved(word);
		if (saved == id)
			saved = LKST_MASKSET_ID_RDEFAULT;
	} while (!lkst_selected_change(word, lkst_selected_with(word + LKST_SELECTED_COUNT,
								lkst_selected_current(word),
								saved)));
	return 0;
}

/* A maskset that could not be deleted is back: who has just selected it may have missed it. */
void lkst_select_remembered(void)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	preempt_disable_notrace();
	lkst_select_publish();
	preempt_enable_notrace();
}

/*
 * A worker turns the sources on and off. In doing so the kernel waits for CPUs, and no signal ends
 * these waits. A process waits for the worker, and a fatal signal ends that wait.
 *
 * There are two kinds of requests. "on": turn on the sources of the maskset that is about to be
 * selected. "off": turn off the sources that no maskset needs, and wait for their events. Each
 * change of the word is followed by an "off" request.
 */
static LKST_REQUESTS(lkst_select_on);
static LKST_REQUESTS(lkst_select_off);

/* About to be selected, or NULL. Written under lkst_maskset_mutex. */
static const struct lkst_maskset *lkst_select_next;

/*
 * Held while the worker reads masksets, and while a maskset is freed: events cannot use it at that
 * time, but the worker could.
 */
static DEFINE_MUTEX(lkst_follow_mutex);

static void lkst_select_follow_work(struct work_struct *work)
{
	/* Read before the pointers: these are at least as new as the requests. */
	long on = lkst_requests_made(&lkst_select_on), off = lkst_requests_made(&lkst_select_off);
	const struct lkst_maskset *now, *next;

	mutex_lock(&lkst_follow_mutex);
	now = READ_ONCE(lkst_maskset_current);
	next = READ_ONCE(lkst_select_next) ?: now;
	lkst_source_enable(now);
	lkst_source_enable(next);
	lkst_requests_done(&lkst_select_on, on);
	/* Only this worker writes it. */
	if (off != lkst_select_off.done)
		lkst_source_disable(now, next);
	mutex_unlock(&lkst_follow_mutex);
	if (off == lkst_select_off.done)
		return;
	lkst_tracepoint_synchronize();
	lkst_requests_done(&lkst_select_off, off);
}

static DECLARE_WORK(lkst_select_work, lkst_select_follow_work);

static long lkst_select_request(struct lkst_requests *requests)
{
	return lkst_request(requests, &lkst_select_work);
}

/* An event may occur where a worker cannot be woken up: by way of an interrupt. */
static void lkst_select_follow_irq(struct irq_work *work)
{
	lkst_select_request(&lkst_select_off);
}

static DEFINE_IRQ_WORK(lkst_select_irq_work, lkst_select_follow_irq);

/**
 * lkst_select_prepare() - turn on the sources of a maskset that is about to be selected
 * @maskset: need not be in lkst_masksets[] yet
 *
 * The caller must call lkst_select_complete(), also on an error, and must free the maskset with
 * lkst_select_discard(): the worker may be reading it.
 *
 * Context: may sleep; with lkst_maskset_mutex.
 *
 * Return: 0; -EINTR: a fatal signal ended the wait.
 */
int lkst_select_prepare(const struct lkst_maskset *maskset)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	WRITE_ONCE(lkst_select_next, maskset);
	return lkst_request_wait(&lkst_select_on, lkst_select_request(&lkst_select_on));
}

/**
 * lkst_select_complete() - end what lkst_select_prepare() began: turn off what is not needed now
 *
 * Context: may sleep; with lkst_maskset_mutex.
 *
 * Return: a number for lkst_select_wait().
 */
long lkst_select_complete(void)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	WRITE_ONCE(lkst_select_next, NULL);
	return lkst_select_request(&lkst_select_off);
}

/**
 * lkst_select_wait() - wait until the sources have followed
 * @number: from lkst_select_complete(); 0: nothing to wait for
 *
 * When it returns 0, the sources that the current maskset does not need are off, and RCU has waited
 * for their events.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINTR: a fatal signal ended the wait, and the sources will follow later.
 */
int lkst_select_wait(long number)
{
	return lkst_request_wait(&lkst_select_off, number);
}

/* An event type was added to a maskset. If it is the current one, turn on the new source. */
void lkst_select_enable(void)
{
	mutex_lock(&lkst_follow_mutex);
	lkst_source_enable(READ_ONCE(lkst_maskset_current));
	mutex_unlock(&lkst_follow_mutex);
}

static void lkst_select_discarded(struct lkst_deferred *deferred)
{
	mutex_lock(&lkst_follow_mutex);
	lkst_maskset_free(container_of(deferred, struct lkst_maskset, deferred));
	mutex_unlock(&lkst_follow_mutex);
}

/**
 * lkst_select_discard() - free a maskset when no event in progress and no worker can use it
 * @maskset: was taken out of lkst_masksets[], or never was in it
 *
 * Context: may sleep; with lkst_maskset_mutex, after lkst_select_complete().
 *
 * Return: a number for lkst_deferred_wait().
 */
long lkst_select_discard(struct lkst_maskset *maskset)
{
	return lkst_defer(&maskset->deferred, lkst_select_discarded);
}

/* @ret: how the switch ended. Returns what the caller is to see. */
static int lkst_select_follow(int ret)
{
	if (ret > 0)
		irq_work_queue(&lkst_select_irq_work);
	return min(ret, 0);
}

/**
 * lkst_maskset_set() - switch to another maskset (4.7.2.2.3)
 * @id: of the maskset
 *
 * Takes effect at once. An event that is under way on another CPU may still be handled as the
 * maskset before it says. What the new maskset records and the one before did not
 * begins to come as soon as a worker has turned on its source.
 *
 * Context: any, NMI included; where RCU does not watch, only in an event handler.
 *
 * Return: 0; -EINVAL: there is no such maskset; -EBUSY: LKST is stopped.
 */
int lkst_maskset_set(lkst_maskset_id id)
{
	int ret;

	if (id < 0 || id > LKST_MASKSET_ID_MAX)
		return -EINVAL;
	preempt_disable_notrace();
	ret = lkst_select_follow(lkst_select_set(id));
	preempt_enable_notrace();
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_maskset_set);

/**
 * lkst_trc_start() - go on tracing (4.7.2.1.2)
 *
 * With the maskset that was selected when LKST was stopped, or with the default one if that
 * has been deleted. While LKST runs, this does nothing. Otherwise as lkst_maskset_set().
 *
 * Context: any, NMI included; where RCU does not watch, only in an event handler.
 *
 * Return: 0.
 */
int lkst_trc_start(void)
{
	preempt_disable_notrace();
	lkst_select_follow(lkst_select_start());
	preempt_enable_notrace();
	return 0;
}
EXPORT_SYMBOL_GPL(lkst_trc_start);

/**
 * lkst_trc_stop() - stop tracing (4.7.2.1.3)
 *
 * From now on no event is recorded; one that is under way on another CPU may still be. While
 * LKST is stopped, this does nothing.
 *
 * Context: any, NMI included; where RCU does not watch, only in an event handler.
 *
 * Return: 0.
 */
int lkst_trc_stop(void)
{
	preempt_disable_notrace();
	lkst_select_follow(lkst_select_stop());
	preempt_enable_notrace();
	return 0;
}
EXPORT_SYMBOL_GPL(lkst_trc_stop);

/**
 * lkst_select_counted() - the last event of a countdown has been recorded
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_select_counted(void)
{
	lkst_select_follow(lkst_select_stop_counting());
}

/**
 * lkst_maskset_set_wait() - switch to another maskset, and its sources with it (4.7.1.2.3)
 * @id: of the maskset
 *
 * First the sources that it needs and the one before did not have, then the switch itself,
 * then off with those that nobody needs any more: events that both masksets record are
 * recorded throughout. When it returns 0, no event that the maskset masks is in progress, except
 * where RCU does not watch.
 *
 * Context: may sleep; waits for RCU.
 *
 * Return: 0; -EINVAL: there is no such maskset; -EBUSY: LKST is stopped; -EINTR: a fatal signal
 * ended the wait, before the switch or after it.
 */
int lkst_maskset_set_wait(lkst_maskset_id id)
{
	long number = 0;
	int ret;

	if (id < 0 || id > LKST_MASKSET_ID_MAX)
		return -EINVAL;
	ret = mutex_lock_killable(&lkst_maskset_mutex);
	if (ret)
		return ret;
	/* Should LKST be stopped right after this: the sources follow that, too. */
	if (lkst_masksets[id] && !lkst_selected_stopped(lkst_selected_get()))
		ret = lkst_select_prepare(lkst_masksets[id]);
	if (!ret) {
		preempt_disable_notrace();
		ret = lkst_select_set(id);
		preempt_enable_notrace();
	}
	if (ret)
		number = lkst_select_complete();
	mutex_unlock(&lkst_maskset_mutex);
	return min(ret, 0) ?: lkst_select_wait(number);
}

/**
 * lkst_trc_start_wait() - as lkst_trc_start(), with the sources on first (4.7.1.1.2)
 *
 * Context: may sleep.
 *
 * Return: 0; -EINTR: a fatal signal ended the wait, and LKST is stopped.
 */
int lkst_trc_start_wait(void)
{
	int ret = mutex_lock_killable(&lkst_maskset_mutex);
	u32 word;

	if (ret)
		return ret;
	word = lkst_selected_get();
	if (lkst_selected_stopped(word)) {
		ret = lkst_select_prepare(lkst_masksets[lkst_selected_saved(word)]);
		if (!ret) {
			preempt_disable_notrace();
			lkst_select_start();
			preempt_enable_notrace();
		}
		lkst_select_complete();
	}
	mutex_unlock(&lkst_maskset_mutex);
	return ret;
}

/**
 * lkst_trc_stop_wait() - as lkst_trc_stop(), with the sources (4.7.1.1.3)
 *
 * When it returns 0, no event is recorded or in progress, except where RCU does not watch. It does
 * not take lkst_maskset_mutex, so that it takes effect whoever holds that.
 *
 * Context: may sleep; waits for RCU.
 *
 * Return: 0; -EINTR: a fatal signal ended the wait, and LKST is stopped.
 */
int lkst_trc_stop_wait(void)
{
	preempt_disable_notrace();
	lkst_select_stop();
	preempt_enable_notrace();
	return lkst_select_wait(lkst_select_request(&lkst_select_off));
}

/**
 * lkst_trc_begin() - start tracing for the first time
 * @id: maskset to begin with
 *
 * Context: may run before the scheduler does.
 */
void __init lkst_trc_begin(lkst_maskset_id id)
{
	mutex_lock(&lkst_maskset_mutex);
	lkst_source_enable(lkst_masksets[id]);
	atomic_set(&lkst_selected, lkst_selected_with(0, id, LKST_MASKSET_ID_VOID));
	lkst_select_publish();
	mutex_unlock(&lkst_maskset_mutex);
	lkst_event_preemptible(LKST_ETYPE_LKST_TRC_START, id, 0, 0, 0);
}

/**
 * lkst_trc_begin_late() - trace what could not be traced from the beginning
 *
 * Called when the first process is there, and before it runs a program.
 */
void __init lkst_trc_begin_late(void)
{
	mutex_lock(&lkst_maskset_mutex);
	lkst_source_allow_late();
	lkst_source_enable(READ_ONCE(lkst_maskset_current));
	mutex_unlock(&lkst_maskset_mutex);
}

/* No signal ends this: nothing that is in progress may outlive LKST. */
static void __lkst_exit lkst_select_end(void)
{
	lkst_trc_stop();
	irq_work_sync(&lkst_select_irq_work);
	lkst_select_request(&lkst_select_off);
	flush_work(&lkst_select_work);
	lkst_synchronize();
}

/**
 * lkst_trc_end() - stop tracing for good
 *
 * When it returns, nothing is under way that would start it again.
 *
 * Context: may sleep; waits for lkst_synchronize(). Nobody else can ask for anything any more.
 */
void __lkst_exit lkst_trc_end(void)
{
	/* Until all sources are off, an event handler may still select a maskset. */
	lkst_select_end();
	lkst_select_end();
	lkst_deferred_flush();
}

/* The part of TRC_STATUS that is about masksets. */
void lkst_maskset_status(struct lkst_trc_status *status)
{
	u32 word = lkst_selected_get();
	int id;

	status->current_maskset_id = lkst_selected_current(word);
	status->saved_maskset_id = lkst_selected_saved(word);
	status->state = lkst_selected_stopped(word) ? LKST_TRC_STOPPED : LKST_TRC_RUNNING;
	/* Without the mutex: who asks must not wait for a CPU that others wait for. */
	status->maskset_num = 0;
	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++)
		status->maskset_num += !!READ_ONCE(lkst_masksets[id]);
}
