/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST hooks in the lock functions. Only kernel/locking/spinlock.c includes
 * this. Each function there calls one __raw_ operation. This file defines a
 * recording variant of each operation, and then redefines the operation's name
 * as a choice between the two (see LKST_HOOK_CHOICE()).
 */
#ifndef _LINUX_LKST_LOCK_H
#define _LINUX_LKST_LOCK_H

#ifdef CONFIG_LKST_LOCK_EVENTS

#include <linux/instruction_pointer.h>
#include <linux/lkst_hook.h>
#include <linux/spinlock.h>

/*
 * The recording variants record while they hold the lock, because preemption is
 * disabled then. A failed trylock records nothing.
 */
#define LKST_LOCK_ACQUIRE(op, param)							\
static noinline void __lockfunc lkst_##op(int etype, unsigned long caller,		\
		param) __acquires(lock)							\
{											\
	__raw_##op(lock);								\
	lkst_lock(etype, caller, lock);							\
}

#define LKST_LOCK_ACQUIRE_SAVE(op, param)						\
static noinline unsigned long __lockfunc lkst_##op(int etype, unsigned long caller,	\
		param) __acquires(lock)							\
{											\
	unsigned long flags = __raw_##op(lock);						\
											\
	lkst_lock(etype, caller, lock);							\
	return flags;									\
}

#define LKST_LOCK_TRY(op, param)							\
static noinline int __lockfunc lkst_##op(int etype, unsigned long caller, param)	\
{											\
	if (!__raw_##op(lock))								\
		return 0;								\
	lkst_lock(etype, caller, lock);							\
	return 1;									\
}

#define LKST_LOCK_RELEASE(op, param)							\
static noinline void __lockfunc lkst_##op(int etype, unsigned long caller,		\
		param) __releases(lock)							\
{											\
	lkst_lock(etype, caller, lock);							\
	__raw_##op(lock);								\
}

#define LKST_LOCK_RELEASE_RESTORE(op, param)						\
static noinline void __lockfunc lkst_##op(int etype, unsigned long caller,		\
		param, unsigned long flags) __releases(lock)				\
{											\
	lkst_lock(etype, caller, lock);							\
	__raw_##op(lock, flags);							\
}

LKST_LOCK_ACQUIRE(spin_lock, raw_spinlock_t *lock)
LKST_LOCK_ACQUIRE_SAVE(spin_lock_irqsave, raw_spinlock_t *lock)
LKST_LOCK_ACQUIRE(spin_lock_irq, raw_spinlock_t *lock)
LKST_LOCK_ACQUIRE(spin_lock_bh, raw_spinlock_t *lock)
LKST_LOCK_TRY(spin_trylock, raw_spinlock_t *lock)
LKST_LOCK_TRY(spin_trylock_bh, raw_spinlock_t *lock)
LKST_LOCK_RELEASE(spin_unlock, raw_spinlock_t *lock)
LKST_LOCK_RELEASE_RESTORE(spin_unlock_irqrestore, raw_spinlock_t *lock)
LKST_LOCK_RELEASE(spin_unlock_irq, raw_spinlock_t *lock)
LKST_LOCK_RELEASE(spin_unlock_bh, raw_spinlock_t *lock)

LKST_LOCK_ACQUIRE(read_lock, rwlock_t *lock)
LKST_LOCK_ACQUIRE_SAVE(read_lock_irqsave, rwlock_t *lock)
LKST_LOCK_ACQUIRE(read_lock_irq, rwlock_t *lock)
LKST_LOCK_ACQUIRE(read_lock_bh, rwlock_t *lock)
LKST_LOCK_TRY(read_trylock, rwlock_t *lock)
LKST_LOCK_RELEASE(read_unlock, rwlock_t *lock)
LKST_LOCK_RELEASE_RESTORE(read_unlock_irqrestore, rwlock_t *lock)
LKST_LOCK_RELEASE(read_unlock_irq, rwlock_t *lock)
LKST_LOCK_RELEASE(read_unlock_bh, rwlock_t *lock)

LKST_LOCK_ACQUIRE(write_lock, rwlock_t *lock)
LKST_LOCK_ACQUIRE_SAVE(write_lock_irqsave, rwlock_t *lock)
LKST_LOCK_ACQUIRE(write_lock_irq, rwlock_t *lock)
LKST_LOCK_ACQUIRE(write_lock_bh, rwlock_t *lock)
LKST_LOCK_TRY(write_trylock, rwlock_t *lock)
LKST_LOCK_RELEASE(write_unlock, rwlock_t *lock)
LKST_LOCK_RELEASE_RESTORE(write_unlock_irqrestore, rwlock_t *lock)
LKST_LOCK_RELEASE(write_unlock_irq, rwlock_t *lock)
LKST_LOCK_RELEASE(write_unlock_bh, rwlock_t *lock)

#ifdef CONFIG_DEBUG_LOCK_ALLOC
static noinline void __lockfunc lkst_write_lock_nested(int etype, unsigned long caller,
						       rwlock_t *lock, int subclass)
	__acquires(lock)
{
	__raw_write_lock_nested(lock, subclass);
	lkst_lock(etype, caller, lock);
}
#endif

/*
 * The names of the __raw_ operations are redefined by macros, because hooks in
 * the operations would be worse: the operations are 29 inline functions in
 * headers that the whole kernel includes. Hooks there would need
 * linux/lkst_hook.h in these headers, and would add code to each caller that
 * inlines an operation. With the macros, only spinlock.c changes: it gets one
 * more #include.
 *
 * From here on, each __raw_ name is a macro that chooses between the operation
 * and its recording variant. A macro is not expanded within its own expansion,
 * so __raw_##op in LKST_LOCK() still calls the operation.
 */
#define LKST_LOCK(event, op, ...)							\
	LKST_HOOK_CHOICE(LOCK_##event,							\
			 lkst_##op(LKST_ETYPE_LOCK_##event, _RET_IP_, __VA_ARGS__),	\
			 __raw_##op(__VA_ARGS__))

#define __raw_spin_lock(lock)			LKST_LOCK(SPIN_LOCK, spin_lock, lock)
#define __raw_spin_lock_irqsave(lock)		LKST_LOCK(SPIN_LOCK, spin_lock_irqsave, lock)
#define __raw_spin_lock_irq(lock)		LKST_LOCK(SPIN_LOCK, spin_lock_irq, lock)
#define __raw_spin_lock_bh(lock)		LKST_LOCK(SPIN_LOCK, spin_lock_bh, lock)
#define __raw_spin_trylock(lock)		LKST_LOCK(SPIN_TRYLOCK, spin_trylock, lock)
#define __raw_spin_trylock_bh(lock)		LKST_LOCK(SPIN_TRYLOCK, spin_trylock_bh, lock)
#define __raw_spin_unlock(lock)			LKST_LOCK(SPIN_UNLOCK, spin_unlock, lock)
#define __raw_spin_unlock_irqrestore(lock, flags)	\
	LKST_LOCK(SPIN_UNLOCK, spin_unlock_irqrestore, lock, flags)
#define __raw_spin_unlock_irq(lock)		LKST_LOCK(SPIN_UNLOCK, spin_unlock_irq, lock)
#define __raw_spin_unlock_bh(lock)		LKST_LOCK(SPIN_UNLOCK, spin_unlock_bh, lock)

#define __raw_read_lock(lock)			LKST_LOCK(READ_LOCK, read_lock, lock)
#define __raw_read_lock_irqsave(lock)		LKST_LOCK(READ_LOCK, read_lock_irqsave, lock)
#define __raw_read_lock_irq(lock)		LKST_LOCK(READ_LOCK, read_lock_irq, lock)
#define __raw_read_lock_bh(lock)		LKST_LOCK(READ_LOCK, read_lock_bh, lock)
#define __raw_read_trylock(lock)		LKST_LOCK(READ_LOCK, read_trylock, lock)
#define __raw_read_unlock(lock)			LKST_LOCK(READ_UNLOCK, read_unlock, lock)
#define __raw_read_unlock_irqrestore(lock, flags)	\
	LKST_LOCK(READ_UNLOCK, read_unlock_irqrestore, lock, flags)
#define __raw_read_unlock_irq(lock)		LKST_LOCK(READ_UNLOCK, read_unlock_irq, lock)
#define __raw_read_unlock_bh(lock)		LKST_LOCK(READ_UNLOCK, read_unlock_bh, lock)

#define __raw_write_lock(lock)			LKST_LOCK(WRITE_LOCK, write_lock, lock)
#define __raw_write_lock_irqsave(lock)		LKST_LOCK(WRITE_LOCK, write_lock_irqsave, lock)
#define __raw_write_lock_irq(lock)		LKST_LOCK(WRITE_LOCK, write_lock_irq, lock)
#define __raw_write_lock_bh(lock)		LKST_LOCK(WRITE_LOCK, write_lock_bh, lock)
#define __raw_write_trylock(lock)		LKST_LOCK(WRITE_LOCK, write_trylock, lock)
#define __raw_write_unlock(lock)		LKST_LOCK(WRITE_UNLOCK, write_unlock, lock)
#define __raw_write_unlock_irqrestore(lock, flags)	\
	LKST_LOCK(WRITE_UNLOCK, write_unlock_irqrestore, lock, flags)
#define __raw_write_unlock_irq(lock)		LKST_LOCK(WRITE_UNLOCK, write_unlock_irq, lock)
#define __raw_write_unlock_bh(lock)		LKST_LOCK(WRITE_UNLOCK, write_unlock_bh, lock)

#ifdef CONFIG_DEBUG_LOCK_ALLOC
#define __raw_write_lock_nested(lock, subclass)	\
	LKST_LOCK(WRITE_LOCK, write_lock_nested, lock, subclass)
#endif

/*
 * Record that @lock was taken, in a lock function that consists of more than
 * one operation.
 */
#define lkst_spin_locked(lock)								\
	LKST_HOOK_CALL(LOCK_SPIN_LOCK, lkst_lock(LKST_ETYPE_LOCK_SPIN_LOCK, _RET_IP_, lock))

#else

#define lkst_spin_locked(lock)	do { } while (0)

#endif
#endif
