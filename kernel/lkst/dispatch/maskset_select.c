// SPDX-License-Identifier: GPL-2.0
/*
 * Select the current maskset, and start and stop LKST, in any context
 * (specification 4.2.1, 4.7.1.1, 4.7.1.2.3, 4.7.2.1, 4.7.2.2.3).
 */
#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/irq_work.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/workqueue.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst.h>

#include "../base/compat.h"
#include "event.h"
#include "../base/stage.h"
#include "maskset_select.h"
#include "select_word.h"
#include "../base/sync.h"

/*
 * The state is one word, so that it changes in one step in any context. See
 * select_word.h for its bits.
 *
 * Two pointers are derived from the word and from lkst_masksets[]:
 * lkst_maskset_current, and lkst_maskset_dispatch, which events read. After
 * changing the word or an entry, a context calls lkst_select_publish(). This
 * function loads the word and the entry, stores the pointers, and loads the
 * word again. It repeats this until the word is unchanged. If other CPUs or
 * nested contexts change the word in between, an obsolete pointer may overwrite
 * their newer one, but only until this function repeats its steps. While no
 * context is in lkst_select_publish(), this holds:
 *
 *	lkst_maskset_current is lkst_masksets[current id of the word].
 *	lkst_maskset_dispatch is the same or, if bit 17 or 18 of the word is
 *	set, the table that has every event checked by lkst_select_count().
 *
 * Proof: let S be the last store of the pointer, made for the word w. After S,
 * w was found unchanged. Assume that the word changed from w to v (a changed
 * table entry also changes the count, so it changes the word). The context that
 * made this change stored the pointer afterwards, and S, being the last store,
 * came after that store. So the order is: the change to v, a barrier, the store
 * by that context, S, a barrier, the load that returned w. Both barriers are
 * full, so this is impossible.
 *
 * All of this runs with preemption off. So once lkst_synchronize() has
 * returned, no CPU uses a value of the word or of lkst_masksets[] that it
 * loaded before the call. lkst_maskset_begin() makes this wait happen between
 * any two counted changes. So the count cannot wrap while a CPU uses an old
 * word.
 */
static atomic_t lkst_selected = ATOMIC_INIT(LKST_MASKSET_ID_RNOTHING |
					    LKST_MASKSET_ID_VOID << 8);

/* Load the word. The acquire orders later loads of table entries after it. */
static u32 lkst_selected_get(void)
{
	return atomic_read_acquire(&lkst_selected);
}

/*
 * Change the word from @from to @to. Return false if it is no longer @from. On
 * success, this is also a full barrier, see lkst_select_publish().
 */
static bool lkst_selected_change(u32 from, u32 to)
{
	return atomic_cmpxchg(&lkst_selected, from, to) == from;
}

const struct lkst_maskset *lkst_maskset_current __read_mostly = &lkst_maskset_nothing;
const struct lkst_maskset *lkst_maskset_dispatch __read_mostly = &lkst_maskset_nothing;

/*
 * Replaces the maskset in lkst_maskset_dispatch during a countdown and a pause,
 * so that events need no check for these at other times.
 */
static const struct lkst_maskset lkst_maskset_counted = {
	.handler = { [0 ... LKST_ETYPE_NUM - 1] = LKST_EVHANDLER_COUNTED },
};

/*
 * Number of events left in the countdown. At 0 or below, no event is recorded.
 * Only valid while bit 17 of the word is set.
 */
static atomic_t lkst_select_left;

/* See maskset_select.h. */
DEFINE_MUTEX(lkst_maskset_mutex);

/*
 * Set lkst_maskset_current and lkst_maskset_dispatch to match lkst_selected.
 */
static void lkst_select_publish(void)
{
	u32 word = lkst_selected_get(), stored;

	do {
		/*
		 * If the entry is NULL, the maskset is being deleted. Leave the
		 * pointers as they are: either the word has changed, and this
		 * loop repeats, or the deletion fails, and
		 * lkst_select_remembered() stores the pointers.
		 */
		const struct lkst_maskset *to =
			READ_ONCE(lkst_masksets[lkst_selected_current(word)]);

		stored = word;
		if (to) {
			/* A CPU that sees a pointer must also see the table. */
			smp_store_release(&lkst_maskset_current, to);
			/*
			 * During a countdown or a pause, lkst_maskset_dispatch
			 * points to lkst_maskset_counted, and
			 * lkst_event_special() takes the handler from
			 * lkst_maskset_current.
			 */
			if (word & (LKST_SELECTED_COUNTING | LKST_SELECTED_PAUSED))
				to = &lkst_maskset_counted;
			/*
			 * A CPU that sees this pointer must also see the table
			 * and lkst_maskset_current.
			 */
			smp_store_release(&lkst_maskset_dispatch, to);
		}
		/* Store the pointers before loading the word, see above. */
		smp_mb();
		word = lkst_selected_get();
	} while (word != stored);
}

/*
 * Publish a changed word, and record an event about the change. If the maskset
 * that was selected before the change does not mask the event, that maskset's
 * event handler is called. Otherwise the handler of the newly selected maskset
 * is called. If another context selects a third maskset at the same time, the
 * handler of that maskset may be called instead. The caller must have disabled
 * preemption exactly once, as lkst_event_nopreempt() requires.
 */
static void lkst_select_finish(int etype, u64 arg1, u64 arg2)
{
	bool before = lkst_maskset_handler(etype);

	if (before)
		lkst_event_rare_nopreempt(etype, arg1, arg2, 0, 0);
	lkst_select_publish();
	if (!before)
		lkst_event_rare_nopreempt(etype, arg1, arg2, 0, 0);
}

/*
 * lkst_select_set(), lkst_select_start() and lkst_select_stop() return 1 if
 * there was a change, 0 if there was nothing to do, or a negative errno.
 */

/*
 * Select a maskset. During a pause, fail unless @paused is true. If it is true,
 * the pause continues.
 */
static int lkst_select_set(lkst_maskset_id id, bool paused)
{
	lkst_maskset_id from;
	u32 word;

	do {
		word = lkst_selected_get();
		from = lkst_selected_current(word);
		/*
		 * If the maskset is deleted after this check, the change below
		 * fails: lkst_maskset_delete() removes the entry, and then
		 * changes the count in the word.
		 */
		if (!READ_ONCE(lkst_masksets[id]))
			return -EINVAL;
		if (lkst_selected_stopped(word) || (!paused && lkst_selected_paused(word)))
			return -EBUSY;
		if (from == id)
			return 0;
	} while (!lkst_selected_change(word, lkst_selected_with(word, id, LKST_MASKSET_ID_VOID)));
	lkst_select_finish(LKST_ETYPE_LKST_MASKSET_SET, from, id);
	return 1;
}

/* Start LKST, or end its pause. */
static int lkst_select_start(void)
{
	lkst_maskset_id to;
	u32 word;

	do {
		word = lkst_selected_get();
		if (lkst_selected_stopped(word))
			to = lkst_selected_saved(word);
		else if (lkst_selected_paused(word))
			to = lkst_selected_current(word);
		else
			return 0;
	} while (!lkst_selected_change(word, lkst_selected_with(lkst_selected_plain(word), to,
								LKST_MASKSET_ID_VOID)));
	lkst_select_finish(LKST_ETYPE_LKST_TRC_START, to, 0);
	return 1;
}

/*
 * Change the word so that LKST is stopped, and set *from to the id of the
 * maskset that was selected until then. Return whether the word was changed; if
 * so, the caller must publish the change.
 */
static bool lkst_select_to_stopped(lkst_maskset_id *from)
{
	u32 word;

	do {
		word = lkst_selected_get();
		if (lkst_selected_stopped(word))
			return false;
		*from = lkst_selected_current(word);
	} while (!lkst_selected_change(word, lkst_selected_with(lkst_selected_plain(word),
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

/**
 * lkst_trc_pause() - record no events, but let rules still apply
 *
 * Sources stay on, and the long rings continue to record. Does nothing if LKST
 * is stopped.
 *
 * Context: any, NMI included.
 */
void lkst_trc_pause(void)
{
	u32 word;

	preempt_disable_notrace();
	do {
		word = lkst_selected_get();
		if (lkst_selected_stopped(word) || lkst_selected_paused(word))
			goto enable;
	} while (!lkst_selected_change(word, lkst_selected_pause(word)));
	lkst_select_finish(LKST_ETYPE_LKST_TRC_STOP, lkst_selected_current(word), 0);
enable:
	preempt_enable_notrace();
}

/**
 * lkst_select_resume() - end a pause
 *
 * Does nothing if LKST is stopped: an event that has read its rule before the
 * stop must not start LKST again.
 *
 * Context: any, NMI included.
 */
void lkst_select_resume(void)
{
	u32 word;

	preempt_disable_notrace();
	do {
		word = lkst_selected_get();
		if (!lkst_selected_paused(word))
			goto enable;
	} while (!lkst_selected_change(word, lkst_selected_plain(word)));
	lkst_select_finish(LKST_ETYPE_LKST_TRC_START, lkst_selected_current(word), 0);
enable:
	preempt_enable_notrace();
}

/* Pause LKST if a rule may start it again, else stop it, in any context. */
void lkst_select_pause(void)
{
	/* Pairs with the release in lkst_select_publish(). */
	if (READ_ONCE(lkst_maskset_current)->starts)
		lkst_trc_pause();
	else
		lkst_trc_stop();
}

/*
 * Stop, unless LKST has been stopped, and maybe restarted, since the event that
 * ended the countdown was counted.
 */
static int lkst_select_stop_counting(void)
{
	return lkst_selected_get() & LKST_SELECTED_COUNTING ? lkst_select_stop() : 0;
}

/**
 * lkst_select_countdown() - make LKST stop after a number of events
 * @events: number of events to record before LKST stops
 *
 * Does nothing if LKST is stopped or paused, or if there already is a
 * countdown. The context that sets LKST_SELECTED_SETTING is the only one that
 * sets the number. This context then replaces the bit with
 * LKST_SELECTED_COUNTING, which starts the countdown.
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_select_countdown(int events)
{
	u32 word;

	do {
		word = lkst_selected_get();
		if (lkst_selected_stopped(word) || lkst_selected_plain(word) != word)
			return;
	} while (!lkst_selected_change(word, word | LKST_SELECTED_SETTING));
	atomic_set(&lkst_select_left, events);
	do {
		word = lkst_selected_get();
		/* LKST has been stopped in the meantime. */
		if (!(word & LKST_SELECTED_SETTING))
			return;
	} while (!lkst_selected_change(word,
				       lkst_selected_no_countdown(word) | LKST_SELECTED_COUNTING));
	lkst_select_publish();
}

/**
 * lkst_select_count() - count an event during a countdown
 * @etype: event type
 *
 * The event that reports the stop is always recorded, and not counted. During a
 * pause, no other event is recorded. But if an event has read the table during
 * a countdown or a pause that has ended since, it is recorded, unless LKST is
 * stopped.
 *
 * Context: any, NMI included.
 *
 * Return: the number of events that may still be recorded, including this one.
 * If it is 1, this event is the last one. If it is less than 1, this event
 * comes too late and must not be recorded.
 */
int lkst_select_count(int etype)
{
	u32 word = lkst_selected_get();

	if (etype == LKST_ETYPE_LKST_TRC_STOP)
		return INT_MAX;
	if (word & LKST_SELECTED_COUNTING)
		return atomic_fetch_dec(&lkst_select_left);
	return lkst_selected_paused(word) || lkst_selected_stopped(word) ? 0 : INT_MAX;
}

/**
 * lkst_trc_freeze() - stop recording on a machine that is about to die
 *
 * Like lkst_trc_stop(), but the stop is not recorded and the sources stay on.
 * This function only writes to memory.
 *
 * Context: any, NMI included.
 */
void lkst_trc_freeze(void)
{
	lkst_maskset_id from;

	preempt_disable_notrace();
	lkst_select_to_stopped(&from);
	/*
	 * Publish the word even if LKST was stopped already: another context
	 * may have changed the word just before, and may never resume to
	 * publish it.
	 */
	lkst_select_publish();
	preempt_enable_notrace();
}

/* Return the id of the current maskset. */
lkst_maskset_id lkst_select_current(void)
{
	return lkst_selected_current(lkst_selected_get());
}

/*
 * Publish that a maskset in lkst_masksets[] has been replaced by another one.
 */
void lkst_select_replaced(void)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	preempt_disable_notrace();
	atomic_fetch_add(LKST_SELECTED_COUNT, &lkst_selected);
	lkst_select_publish();
	preempt_enable_notrace();
}

/**
 * lkst_select_forget() - make sure that a maskset is not selected
 * @id: id of a maskset that has been removed from lkst_masksets[]
 *
 * This function changes the count in the word. So a concurrent
 * lkst_select_set() fails if it read the entry before the removal, but has not
 * changed the word yet. lkst_select_start() does not check the entry. If it
 * changes the word after this function does, it selects the default maskset
 * instead of @id. If it changed the word first, @id is the current maskset.
 *
 * Context: lkst_maskset_mutex is held.
 *
 * Return: 0 if the maskset can no longer be selected. It may be freed after
 * lkst_synchronize(). -EBUSY if it is the current maskset: the caller must put
 * it back into lkst_masksets[].
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

/*
 * Publish again after a maskset that could not be deleted has been put back
 * into lkst_masksets[]. A context that selected it in the meantime found no
 * entry, and left the pointers unchanged.
 */
void lkst_select_remembered(void)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	preempt_disable_notrace();
	lkst_select_publish();
	preempt_enable_notrace();
}

/*
 * A worker turns the sources of events (probes and hooks) on and off, because
 * that involves waiting for CPUs, and no signal can end such a wait. A process
 * only waits for the worker, and a fatal signal can end this wait.
 *
 * There are two kinds of requests. "on": turn on the sources of the maskset
 * that is about to be selected. "off": turn off the sources that neither the
 * current maskset nor the one that is about to be selected needs, and wait for
 * their events. Each change of the current maskset is followed by an "off"
 * request, except in lkst_trc_freeze().
 */
static LKST_REQUESTS(lkst_select_on);
static LKST_REQUESTS(lkst_select_off);

/*
 * The maskset that is about to be selected, or NULL. Written under
 * lkst_maskset_mutex.
 */
static const struct lkst_maskset *lkst_select_next;

/*
 * Held while the worker reads masksets, and while a maskset is freed. When a
 * maskset is freed, no event can use it any longer, but the worker still could.
 */
static DEFINE_MUTEX(lkst_follow_mutex);

static void lkst_select_follow_work(struct work_struct *work)
{
	/*
	 * Load the request numbers before the pointers, so that the pointers
	 * are at least as new as these requests.
	 */
	long on = lkst_requests_newest(&lkst_select_on),
	     off = lkst_requests_newest(&lkst_select_off);
	const struct lkst_maskset *now, *next;

	mutex_lock(&lkst_follow_mutex);
	now = READ_ONCE(lkst_maskset_current);
	next = READ_ONCE(lkst_select_next) ?: now;
	lkst_maskset_client.enable(now);
	lkst_maskset_client.enable(next);
	lkst_requests_done(&lkst_select_on, on);
	/* Only this worker writes lkst_select_off.done. */
	if (off != lkst_select_off.done)
		lkst_maskset_client.disable(now, next);
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

/*
 * Wake the worker from an interrupt, because an event may occur where a worker
 * cannot be woken.
 */
static void lkst_select_follow_irq(struct irq_work *work)
{
	lkst_select_request(&lkst_select_off);
}

static DEFINE_IRQ_WORK(lkst_select_irq_work, lkst_select_follow_irq);

/**
 * lkst_select_prepare() - turn on the sources before selecting a maskset
 * @maskset: maskset; need not be in lkst_masksets[] yet
 *
 * Afterwards, even on error, the caller must call lkst_select_complete(), and
 * must free the maskset only with lkst_select_discard(), because the worker may
 * be reading it.
 *
 * Context: may sleep. lkst_maskset_mutex is held.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait.
 */
int lkst_select_prepare(const struct lkst_maskset *maskset)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	WRITE_ONCE(lkst_select_next, maskset);
	return lkst_request_wait(&lkst_select_on, lkst_select_request(&lkst_select_on));
}

/**
 * lkst_select_complete() - after lkst_select_prepare(), turn off unneeded
 *	sources
 *
 * Context: may sleep. lkst_maskset_mutex is held.
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
 * lkst_select_wait() - wait until the sources match the current maskset
 * @number: from lkst_select_complete(), or 0 if there is nothing to wait for
 *
 * When it returns 0, the sources that the current maskset does not need are
 * off, and none of their events is still in progress.
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait; the worker will still
 * turn off the sources.
 */
int lkst_select_wait(long number)
{
	return lkst_request_wait(&lkst_select_off, number);
}

/*
 * Turn on the sources that the current maskset needs. Called after an event
 * type has been added to a maskset, which may be the current one.
 */
void lkst_select_enable(void)
{
	mutex_lock(&lkst_follow_mutex);
	lkst_maskset_client.enable(READ_ONCE(lkst_maskset_current));
	mutex_unlock(&lkst_follow_mutex);
}

static void lkst_select_discarded(struct lkst_deferred *deferred)
{
	mutex_lock(&lkst_follow_mutex);
	lkst_maskset_free(container_of(deferred, struct lkst_maskset, deferred));
	mutex_unlock(&lkst_follow_mutex);
}

/**
 * lkst_select_discard() - free a maskset once no event and no worker can use it
 * @maskset: maskset that is not in lkst_masksets[]
 *
 * Context: may sleep. lkst_maskset_mutex is held, and lkst_select_complete()
 * has been called.
 *
 * Return: a number for lkst_deferred_wait().
 */
long lkst_select_discard(struct lkst_maskset *maskset)
{
	return lkst_defer(&maskset->deferred, lkst_select_discarded);
}

/*
 * If @ret is 1, the current maskset has changed: let the worker turn sources on
 * and off to match it. Return 0, or @ret if it is a negative errno.
 */
static int lkst_select_follow(int ret)
{
	if (ret > 0)
		irq_work_queue(&lkst_select_irq_work);
	return min(ret, 0);
}

/**
 * lkst_maskset_set() - select another maskset (4.7.2.2.3)
 * @id: id of the maskset
 *
 * Takes effect immediately, but an event that is in progress on another CPU may
 * still be handled by the previous maskset. Events that only the new maskset
 * records are not recorded until a worker has turned on their sources.
 *
 * Context: any, NMI included. While RCU is not watching, only in an event
 * handler.
 *
 * Return: 0; -EINVAL if there is no such maskset; -EBUSY if LKST is stopped or
 * paused.
 */
int lkst_maskset_set(lkst_maskset_id id)
{
	int ret;

	if (id < 0 || id > LKST_MASKSET_ID_MAX)
		return -EINVAL;
	preempt_disable_notrace();
	ret = lkst_select_follow(lkst_select_set(id, false));
	preempt_enable_notrace();
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_maskset_set);

/**
 * lkst_trc_start() - start tracing again (4.7.2.1.2)
 *
 * If LKST is stopped, selects the maskset that lkst_maskset_wanted() returns.
 * If LKST is paused, ends the pause. If LKST is running, does nothing. In all
 * other respects, this is like lkst_maskset_set().
 *
 * Context: any, NMI included. While RCU is not watching, only in an event
 * handler.
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
 * Takes effect immediately, but an event that is in progress on another CPU may
 * still be recorded. Does nothing if LKST is stopped already.
 *
 * Context: any, NMI included. While RCU is not watching, only in an event
 * handler.
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
 * lkst_select_counted() - stop after the last event of a countdown
 *
 * Context: any, NMI included, with preemption off.
 */
void lkst_select_counted(void)
{
	lkst_select_follow(lkst_select_stop_counting());
}

/* See lkst_maskset_set_wait(). @paused: as for lkst_select_set(). */
static int lkst_select_set_wait(lkst_maskset_id id, bool paused)
{
	long number;
	int ret;

	if (id < 0 || id > LKST_MASKSET_ID_MAX)
		return -EINVAL;
	ret = mutex_lock_killable(&lkst_maskset_mutex);
	if (ret)
		return ret;
	/*
	 * If LKST is stopped right after this check, that stop requests the
	 * worker to turn off the sources.
	 */
	if (lkst_masksets[id] && !lkst_selected_stopped(lkst_selected_get()))
		ret = lkst_select_prepare(lkst_masksets[id]);
	if (!ret) {
		preempt_disable_notrace();
		ret = lkst_select_set(id, paused);
		preempt_enable_notrace();
	}
	/*
	 * Needed even on error, so that the worker no longer reads the maskset
	 * that was to be selected.
	 */
	number = lkst_select_complete();
	mutex_unlock(&lkst_maskset_mutex);
	return min(ret, 0) ?: lkst_select_wait(number);
}

/**
 * lkst_maskset_set_wait() - turn on the sources of a maskset and select it
 *	(4.7.1.2.3)
 * @id: id of the maskset
 *
 * First turns on the sources that only the new maskset needs, then selects it,
 * and then turns off the sources that are not needed any longer. So events that
 * both masksets record are recorded throughout. When it returns 0, no event
 * that the new maskset masks is in progress, except where RCU is not watching.
 *
 * Context: may sleep. Waits for RCU.
 *
 * Return: 0; -EINVAL if there is no such maskset; -EBUSY if LKST is stopped or
 * paused; -EINTR if a fatal signal ended the wait, before or after the maskset
 * was selected.
 */
int lkst_maskset_set_wait(lkst_maskset_id id)
{
	return lkst_select_set_wait(id, false);
}

/**
 * lkst_maskset_wanted() - return the maskset that decides what is recorded
 *
 * Context: any.
 *
 * Return: id of the current maskset or, while LKST is stopped, of the maskset
 * that TRC_START selects: the maskset that was current before the stop, unless
 * lkst_maskset_set_wanted() has chosen another one, or the default maskset if
 * that maskset has been deleted.
 */
lkst_maskset_id lkst_maskset_wanted(void)
{
	u32 word = lkst_selected_get();

	return lkst_selected_stopped(word) ? lkst_selected_saved(word) :
					     lkst_selected_current(word);
}

/*
 * Make TRC_START select another maskset. Return 0; -EINVAL if there is no such
 * maskset; -EBUSY if LKST is running.
 */
static int lkst_select_save(lkst_maskset_id id)
{
	u32 word;

	do {
		word = lkst_selected_get();
		/*
		 * If the maskset is deleted after this check, see
		 * lkst_select_set().
		 */
		if (!READ_ONCE(lkst_masksets[id]))
			return -EINVAL;
		if (!lkst_selected_stopped(word))
			return -EBUSY;
	} while (!lkst_selected_change(word, lkst_selected_with(word, lkst_selected_current(word),
								id)));
	lkst_select_publish();
	return 0;
}

/**
 * lkst_maskset_set_wanted() - select a maskset, now or at the next start
 * @id: id of the maskset
 *
 * While LKST is stopped, TRC_START will select the maskset. Otherwise, this is
 * the same as lkst_maskset_set_wait(), except that it also works during a
 * pause, which then continues.
 *
 * Context: may sleep. Waits for RCU.
 *
 * Return: as for lkst_maskset_set_wait(), without -EBUSY.
 */
int lkst_maskset_set_wanted(lkst_maskset_id id)
{
	int ret;

	do {
		ret = lkst_select_set_wait(id, true);
		if (ret != -EBUSY)
			return ret;
		preempt_disable_notrace();
		ret = lkst_select_save(id);
		preempt_enable_notrace();
	} while (ret == -EBUSY);
	return ret;
}

/**
 * lkst_trc_start_wait() - turn on the sources, start tracing (4.7.1.1.2)
 *
 * In all other respects, this is like lkst_trc_start().
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait, in which case this
 * call has not started LKST.
 */
int lkst_trc_start_wait(void)
{
	int ret = mutex_lock_killable(&lkst_maskset_mutex);
	u32 word;

	if (ret)
		return ret;
	word = lkst_selected_get();
	if (lkst_selected_paused(word)) {
		lkst_trc_start();
	} else if (lkst_selected_stopped(word)) {
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

/* Change from stopped to paused. Nothing is recorded before or after. */
static void lkst_select_start_paused(void)
{
	u32 word, to;

	do {
		word = lkst_selected_get();
		if (!lkst_selected_stopped(word))
			return;
		to = lkst_selected_with(word, lkst_selected_saved(word), LKST_MASKSET_ID_VOID);
	} while (!lkst_selected_change(word, lkst_selected_pause(to)));
	lkst_select_publish();
}

/**
 * lkst_trc_pause_wait() - record no events, but let rules still apply, even if
 *	LKST was stopped
 *
 * If LKST was stopped, this turns on the sources.
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait, in which case this
 * call has not changed anything.
 */
int lkst_trc_pause_wait(void)
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
			lkst_select_start_paused();
			preempt_enable_notrace();
		}
		lkst_select_complete();
	}
	/* LKST may have been running, or may have been started meanwhile. */
	if (!ret)
		lkst_trc_pause();
	mutex_unlock(&lkst_maskset_mutex);
	return ret;
}

/**
 * lkst_trc_stop_wait() - stop tracing, and turn off the sources (4.7.1.1.3)
 *
 * When it returns 0, no event is recorded or in progress, except where RCU is
 * not watching. Does not take lkst_maskset_mutex, so the holder of that mutex
 * cannot delay the stop.
 *
 * Context: may sleep. Waits for RCU.
 *
 * Return: 0, or -EINTR if a fatal signal ended the wait, in which case LKST is
 * stopped, but sources may still be on.
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
 * @id: id of the first maskset
 *
 * Context: may run before the scheduler does.
 */
void __init lkst_trc_begin(lkst_maskset_id id)
{
	mutex_lock(&lkst_maskset_mutex);
	lkst_maskset_client.enable(lkst_masksets[id]);
	atomic_set(&lkst_selected, lkst_selected_with(0, id, LKST_MASKSET_ID_VOID));
	lkst_select_publish();
	mutex_unlock(&lkst_maskset_mutex);
	lkst_event_preemptible(LKST_ETYPE_LKST_TRC_START, id, 0, 0, 0);
}

/**
 * lkst_trc_begin_late() - turn on late sources, see struct lkst_source
 *
 * Called when the first process exists, before it runs a program.
 */
void __init lkst_trc_begin_late(void)
{
	mutex_lock(&lkst_maskset_mutex);
	lkst_maskset_client.enable(READ_ONCE(lkst_maskset_current));
	mutex_unlock(&lkst_maskset_mutex);
}

/*
 * Stop LKST, and wait until no event is in progress. The wait ignores signals,
 * because LKST must not go away while an event is in progress.
 */
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
 * When it returns, nothing can start tracing again.
 *
 * Context: may sleep. Calls lkst_synchronize(). No other user of LKST is left.
 */
void __lkst_exit lkst_trc_end(void)
{
	/*
	 * Do this twice: during the first call, while some sources are still
	 * on, an event handler may select a maskset.
	 */
	lkst_select_end();
	lkst_select_end();
	lkst_deferred_flush();
}

/* Fill in the members of @status that concern masksets. */
void lkst_maskset_status(struct lkst_trc_status *status)
{
	u32 word = lkst_selected_get();
	int id;

	status->current_maskset_id = lkst_selected_current(word);
	status->saved_maskset_id = lkst_selected_paused(word) ? lkst_selected_current(word) :
								lkst_selected_saved(word);
	status->state = lkst_selected_stopped(word) || lkst_selected_paused(word) ?
			LKST_TRC_STOPPED : LKST_TRC_RUNNING;
	/* Do not take the mutex: its holder may be waiting for a stuck CPU. */
	status->maskset_num = 0;
	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++)
		status->maskset_num += !!READ_ONCE(lkst_masksets[id]);
}
