// SPDX-License-Identifier: GPL-2.0
/*
 * Follows the waits for locks, and who holds these locks.
 *
 * A lock that is taken at once causes no event. But when a thread begins to wait for a lock that
 * stores its owner, the event has the owner. A thread that has waited for a lock holds it
 * afterwards.
 */
#include "death.h"
#include "lib/base/etype_ids.h"

static void death_wait_key(const struct lkst_event *event, uint64_t key[HASH_WORDS])
{
	key[0] = event->tid ? event->tid : 1ull << 32 | (uint32_t)event->cpu;
	key[1] = event->arg[0];
	key[2] = 0;
}

/* Set the holder of a lock; DEATH_TID_NONE: not known. Returns -1 if an allocation fails. */
static int death_lock_set(struct death *death, uint64_t address, uint32_t tid, bool acquired,
			  uint64_t flags)
{
	const uint64_t key[HASH_WORDS] = { address };
	enum hash_result result;
	struct death_lock *lock;

	if (tid == DEATH_TID_NONE) {
		lock = hash_find(&death->locks, key);
		if (lock)
			hash_remove(&death->locks, lock);
		return 0;
	}
	result = hash_add(&death->locks, key, &lock);
	if (result == HASH_FULL) {
		/* Most of these locks were released long ago. */
		hash_clear(&death->locks);
		result = hash_add(&death->locks, key, &lock);
	}
	if (result == HASH_NO_MEMORY)
		return -1;
	lock->tid = tid;
	lock->acquired = acquired;
	lock->flags = flags;
	return 0;
}

static int death_lock_begin(struct death *death, const struct lkst_event *event)
{
	uint32_t owner = (uint32_t)event->arg[2];
	enum hash_result result;
	uint64_t key[HASH_WORDS];
	struct death_wait *wait;

	death_wait_key(event, key);
	result = hash_add(&death->waits, key, &wait);
	if (result == HASH_FULL) {
		/* So many threads cannot be waiting at once, so most of these waits have ended. */
		hash_clear(&death->waits);
		result = hash_add(&death->waits, key, &wait);
	}
	if (result == HASH_NO_MEMORY)
		return -1;
	if (result == HASH_ADDED)
		wait->begin_ns = event->time_ns;
	wait->event_ns = event->time_ns;
	wait->flags = event->arg[1];
	/* Older kernels do not record the owner. It is never an idle thread. */
	return owner ? death_lock_set(death, event->arg[0], owner, false, event->arg[1]) : 0;
}

static int death_lock_end(struct death *death, const struct lkst_event *event)
{
	uint64_t key[HASH_WORDS];
	struct death_wait *wait;
	uint64_t flags;

	death_wait_key(event, key);
	wait = hash_find(&death->waits, key);
	if (!wait)
		return event->arg[1] ?
			       0 :
			       death_lock_set(death, event->arg[0], DEATH_TID_NONE, true, 0);
	flags = wait->flags;
	hash_remove(&death->waits, wait);
	if (event->arg[1])
		return 0;
	return death_lock_set(death, event->arg[0], event->tid ? event->tid : DEATH_TID_NONE, true,
			      flags);
}

/**
 * death_locks_event() - process an event
 * @death: what was seen
 * @event: event
 *
 * Return: 0; -1 if an allocation fails.
 */
int death_locks_event(struct death *death, const struct lkst_event *event)
{
	if (event->type == LKST_ETYPE_LOCK_CONTENTION_BEGIN)
		return death_lock_begin(death, event);
	if (event->type == LKST_ETYPE_LOCK_CONTENTION_END)
		return death_lock_end(death, event);
	return 0;
}
