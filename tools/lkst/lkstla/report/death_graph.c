// SPDX-License-Identifier: GPL-2.0
/*
 * Decides which threads waited for locks at the end, which threads held these locks, and which
 * threads waited for each other. Each thread waits for at most one lock, so following the holders
 * finds all cycles.
 */
#include <stdlib.h>
#include <string.h>

#include "death.h"
#include "lib/base/error.h"
#include "lkstla/lock.h"

/* Merge the older half of the losses into one. */
static void death_join_losses(struct death *death)
{
	struct death_loss *first = death->loss;
	size_t joined = DEATH_LOSSES / 2;

	for (size_t i = 1; i < joined; i++) {
		if (death->loss[i].begin_ns < first->begin_ns)
			first->begin_ns = death->loss[i].begin_ns;
		if (death->loss[i].end_ns > first->end_ns)
			first->end_ns = death->loss[i].end_ns;
	}
	death->losses -= joined - 1;
	memmove(&death->loss[1], &death->loss[joined], (death->losses - 1) * sizeof(*death->loss));
}

/**
 * death_note_loss() - remember a time in which records may be missing
 * @death: what was seen
 * @loss: loss
 */
void death_note_loss(struct death *death, const struct lkst_loss *loss)
{
	if (death->losses == DEATH_LOSSES)
		death_join_losses(death);
	death->loss[death->losses++] = (struct death_loss){ loss->begin_ns, loss->end_ns };
}

/* Return whether a wait may have ended without a record. */
static bool death_wait_is_over(const struct death *death, const struct death_wait *wait)
{
	const struct lkst_thread *thread = wait->thread;

	if (thread->exited)
		return true;
	if (thread->syscall != LKST_SYSCALL_NONE && thread->syscall_ns > wait->event_ns)
		return true;
	/*
	 * If records were lost, the wait may have ended, unless the thread has slept since before
	 * the loss.
	 */
	for (size_t i = 0; i < death->losses; i++)
		if (wait->event_ns < death->loss[i].end_ns &&
		    (thread->state != LKST_STATE_BLOCKED ||
		     thread->since_ns > death->loss[i].begin_ns))
			return true;
	return false;
}

/*
 * Find the wait in which each thread was at the end. If several waits of a thread are in progress,
 * choose the latest one.
 */
static void death_graph_choose(struct death *death, struct death_wait **of)
{
	size_t at = 0, threads = lkst_model_threads(death->run->model);
	struct death_wait *wait;

	while ((wait = hash_next(&death->waits, &at)) != NULL) {
		wait->thread = wait->head.key[0] >> 32 ?
				       NULL :
				       death_thread(death, (uint32_t)wait->head.key[0]);
		if (!wait->thread || wait->thread->index >= threads ||
		    death_wait_is_over(death, wait))
			continue;
		if (!of[wait->thread->index] || of[wait->thread->index]->event_ns < wait->event_ns)
			of[wait->thread->index] = wait;
	}
}

/*
 * Find the holder of a lock. A thread that got a lock after a wait is its only holder, unless it is
 * a reader.
 */
static const struct lkst_thread *death_find_holder(const struct death *death,
						   const struct death_wait *wait)
{
	const uint64_t key[HASH_WORDS] = { wait->lock };
	const struct death_lock *lock = hash_find(&death->locks, key);
	const struct lkst_thread *holder;
	char kind[LOCK_KIND_SIZE];

	if (!lock)
		return NULL;
	/*
	 * A spin lock is held only for a short time, so the latest known holder has probably
	 * released this lock.
	 */
	lock_name_kind(death->run, wait->flags, kind);
	if (!strncmp(kind, "spinlock", 8) || !strncmp(kind, "rwlock", 6))
		return NULL;
	if (lock->acquired) {
		lock_name_kind(death->run, lock->flags, kind);
		if (strstr(kind, " read") || !strcmp(kind, "semaphore"))
			return NULL;
	}
	holder = death_thread(death, lock->tid);
	return holder && !holder->exited ? holder : NULL;
}

/* Follow the holders from each wait. If this leads back to a wait, that wait is in a cycle. */
static void death_find_cycles(struct death *death)
{
	for (size_t i = 0; i < death->num_waits; i++) {
		uint32_t mark = (uint32_t)i + 1;
		struct death_wait *wait = death->wait[i];

		for (; wait && !wait->mark; wait = wait->next)
			wait->mark = mark;
		if (!wait || wait->mark != mark)
			continue;
		death->cycles++;
		for (; !wait->cycle; wait = wait->next)
			wait->cycle = death->cycles;
	}
}

/* Order: cycles first, then the other waits, the longest first. */
static int death_compare_waits(const void *a, const void *b)
{
	const struct death_wait *x = *(struct death_wait *const *)a;
	const struct death_wait *y = *(struct death_wait *const *)b;

	if (!x->cycle != !y->cycle)
		return x->cycle ? -1 : 1;
	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return x->thread->index < y->thread->index ? -1 : x->thread->index > y->thread->index;
}

/**
 * death_graph() - find out which threads waited for which other threads
 * @death: what was seen, after the last event; the result is stored there
 * @err: set if an allocation fails
 */
int death_graph(struct death *death, struct lkst_error *err)
{
	size_t threads = lkst_model_threads(death->run->model);
	struct death_wait **of = calloc(threads + 1, sizeof(*of));

	death->wait_of = of;
	death->wait = calloc(death->waits.num + 1, sizeof(*death->wait));
	if (!of || !death->wait) {
		lkst_error_memory(err, "the report");
		return -1;
	}
	death_graph_choose(death, of);
	for (size_t i = 0; i < threads; i++) {
		struct death_wait *wait = of[i];

		if (!wait)
			continue;
		death->wait[death->num_waits++] = wait;
		wait->lock = wait->head.key[1];
		wait->holder = death_find_holder(death, wait);
		wait->next = wait->holder ? of[wait->holder->index] : NULL;
	}
	death_find_cycles(death);
	qsort(death->wait, death->num_waits, sizeof(*death->wait), death_compare_waits);
	return 0;
}

/**
 * death_is_sleeper() - check whether a thread sleeps uninterruptibly but does not wait for a lock
 * @death: after death_graph()
 * @thread: thread
 */
bool death_is_sleeper(const struct death *death, const struct lkst_thread *thread)
{
	return !thread->exited && thread->state == LKST_STATE_BLOCKED && thread->letter == 'D' &&
	       !death->wait_of[thread->index];
}
