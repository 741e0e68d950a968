// SPDX-License-Identifier: GPL-2.0
/*
 * Follows the waits for locks, and the holders of these locks.
 *
 * Taking a lock without waiting causes no event. So there are two ways to learn the holder. If the
 * lock stores its owner, the event at the start of a wait contains the owner. And after a thread
 * has waited for a lock, it holds the lock.
 */
#include "death.h"
#include "lib/base/etype_ids.h"

static void death_wait_key(const struct lkst_event *event, uint64_t key[HASH_WORDS])
{
	key[0] = event->tid ? event->tid : 1ull << 32 | (uint32_t)event->cpu;
	key[1] = event->arg[0];
	key[2] = 0;
}

/*
 * Set the holder of a lock, or DEATH_TID_NONE if it is not known. Returns -1 if an allocation
 * fails.
 */
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
		/*
		 * That many threads never wait simultaneously, so most of these waits must have
		 * ended.
		 */
		hash_clear(&death->waits);
		result = hash_add(&death->waits, key, &wait);
	}
	if (result == HASH_NO_MEMORY)
		return -1;
	if (result == HASH_ADDED)
		wait->begin_ns = event->time_ns;
	wait->event_ns = event->time_ns;
	wait->flags = event->arg[1];
	/*
	 * An owner of 0 means that the kernel is too old to record owners. It cannot mean the idle
	 * thread, which never owns a lock that stores its owner.
	 */
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
