/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulated kernel for kernel/lkst/user/enabler.c and words*.c. Its address spaces have pages
 * that are present, become present when they are needed, or never do. Its work queue runs when the
 * test says so, and its locks check how they are used. There is only one thread, so taking a lock
 * that is already held would be a deadlock, and ends the program.
 */
#ifndef _ENABLER_WORLD_H
#define _ENABLER_WORLD_H

#include <errno.h>
#include <limits.h>
#include <linux/sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "must.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned int gfp_t;

/* Instead of base/compat.h and base/stage.h */
#define _LKST_COMPAT_H
#define _LKST_STAGE_H
#define __lkst_exit
#define __init
#define __user
#define CONFIG_MMU_NOTIFIER

#define LKST_PROBE_PROTOTYPE(tracepoint, probe, older) ((void)(older), (void *)(probe))
#define IS_ENABLED(option)			       0
#define ARRAY_SIZE(array)			       (sizeof(array) / sizeof((array)[0]))
#define BIT(n)					       (1u << (n))
#define READ_ONCE(x)				       (x)
#define WRITE_ONCE(x, value)			       ((x) = (value))
#define lockdep_assert_held(lock)		       MUST(*(lock))
#define container_of(ptr, type, member)		       ((type *)((char *)(ptr)-offsetof(type, member)))
#define clamp(value, low, high)			       ((value) < (low) ? (low) : (value) > (high) ? (high) : (value))
#define struct_size(p, member, n)		       (sizeof(*(p)) + sizeof((p)->member[0]) * (n))
#define min(a, b)				       ((a) < (b) ? (a) : (b))
#define max(a, b)				       ((a) > (b) ? (a) : (b))
#define min_t(type, a, b)      \
	({                     \
		type _a = (a); \
		type _b = (b); \
                               \
		min(_a, _b);   \
	})
#define PAGE_SHIFT		      12
#define nsecs_to_jiffies(ns)	      ((unsigned long)((ns) / 1000000))
#define ktime_get_ns()		      (world.time += world.step)
#define rwsem_is_locked(lock)	      (*(lock))
#define offset_in_page(address)	      ((address)&4095)
#define IS_ERR(p)		      ((uintptr_t)(p) >= (uintptr_t)-4095)
#define PTR_ERR(p)		      ((int)(intptr_t)(p))
#define ERR_PTR(error)		      ((void *)(intptr_t)(error))
#define HZ			      1000
#define GFP_KERNEL		      0
#define GFP_KERNEL_ACCOUNT	      0
#define GFP_ATOMIC		      1
#define __GFP_NOWARN		      2
#define pr_warn_once(...)	      ((void)0)
#define cond_resched()		      ((void)0)
#define rcu_read_lock()		      ((void)0)
#define rcu_read_unlock()	      ((void)0)
#define synchronize_rcu()	      ((void)0)
#define lkst_tracepoint_synchronize() ((void)0)

/* Locks */
typedef int raw_spinlock_t;
#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name

struct mutex {
	int held;
};
#define DEFINE_MUTEX(name) struct mutex name

/* Counters */
typedef struct {
	int counter;
} refcount_t, atomic_t;
typedef struct {
	long counter;
} atomic_long_t;
#define ATOMIC_INIT(value) \
	{                  \
		value      \
	}
#define ATOMIC_LONG_INIT(value) \
	{                       \
		value           \
	}

struct hlist_node {
	struct hlist_node *next, **pprev;
};
struct hlist_head {
	struct hlist_node *first;
};
#define hlist_entry_safe(ptr, type, member) ((ptr) ? container_of(ptr, type, member) : NULL)
#define hlist_entry(ptr, type, member)	    container_of(ptr, type, member)
#define hlist_for_each_entry(pos, head, member)                                      \
	for (pos = hlist_entry_safe((head)->first, __typeof__(*(pos)), member); pos; \
	     pos = hlist_entry_safe((pos)->member.next, __typeof__(*(pos)), member))

/* Memory */
enum page_state {
	PAGE_THERE,
	PAGE_COMES, /* becomes present at the first access */
	PAGE_SHARED, /* with a parent or child: copied when it is written */
	PAGE_NEVER, /* does not become present */
	PAGE_READ_ONLY,
	PAGE_UNMAPPED,
	PAGE_SERVED, /* not present, and a fault waits for a program, for example a FUSE server */
};

#define WORLD_PAGES 4
#define WORLD_BASE  0x10000ul

struct page {
	unsigned char bytes[4096] __attribute__((aligned(8)));
	enum page_state state;
	int pins, gets;
	bool locked;
	int copies; /* number of times that the page was PAGE_SHARED and was copied for a write */
};

/* A word is in anonymous memory, or in a file. */
struct file_system_type {
	const char *name;
};
struct super_block {
	unsigned long s_magic;
	unsigned int s_flags;
	struct file_system_type *s_type;
};
#define SB_NOUSER 1
struct inode {
	unsigned int i_mode;
	struct super_block *i_sb;
};
struct file {
	struct inode *f_inode;
};
struct vm_area_struct {
	unsigned long vm_start, vm_flags;
	struct file *vm_file;
};
#define VM_WRITE	      2
#define FUSE_SUPER_MAGIC      0x65735546
#define TMPFS_MAGIC	      0x01021994
#define HUGETLBFS_MAGIC	      0x958458f6
#define file_inode(file)      ((file)->f_inode)
#define vma_is_anonymous(vma) (!(vma)->vm_file)

struct mmu_notifier_ops;
struct mm_struct;
struct mmu_notifier {
	const struct mmu_notifier_ops *ops;
	struct mm_struct *mm;
	struct mmu_notifier *next; /* the next one in world.freed */
};
struct mmu_notifier_ops {
	void (*release)(struct mmu_notifier *notifier, struct mm_struct *mm);
	struct mmu_notifier *(*alloc_notifier)(struct mm_struct *mm);
	void (*free_notifier)(struct mmu_notifier *notifier);
};

struct mm_struct {
	atomic_t mm_users;
	int count;
	int mmap_lock;
	struct vm_area_struct vma; /* the result of the last find_vma() */
	struct page page[WORLD_PAGES];
	struct file *file; /* the file to which all pages belong, or NULL */
	struct mmu_notifier *notifier;
};

struct task_struct {
	struct mm_struct *mm;
};

#define FOLL_WRITE   1u
#define FOLL_NOWAIT  2u
#define FOLL_NOFAULT 4u

/* Work items */
struct work_struct {
	void (*function)(struct work_struct *work);
	bool pending;
	unsigned long delay;
	struct work_struct *next;
};
struct delayed_work {
	struct work_struct work;
};
struct workqueue_struct {
	int unused;
};
#define WQ_UNBOUND		0
#define WQ_MAX_ACTIVE		0
#define INIT_DELAYED_WORK(w, f) (*(w) = (struct delayed_work){ .work.function = (f) })
#define DECLARE_WORK(name, f)	struct work_struct name = { .function = (f) }
#define to_delayed_work(w)	container_of(w, struct delayed_work, work)

typedef int wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name
#define wake_up(queue)		      ((void)*(queue))
#define wait_event(queue, condition) \
	do {                         \
		(void)(queue);       \
		world_settle();      \
		MUST(condition);     \
	} while (0)
#define wait_event_timeout(queue, condition, timeout) \
	((void)(queue), (void)(timeout), world_settle(), (void)(condition))

struct tracepoint {
	const char *name;
};

struct world {
	struct task_struct *current;
	int atomic; /* number of spin locks held */
	int mutexes; /* number of mutexes held */
	bool no_memory;
	void (*newtask)(void *data, struct task_struct *task, u64 flags);
	struct work_struct *queue;
	struct mmu_notifier *freed;
	int allocated;
	void (*sleeping)(void); /* called by usleep_range() */
	/* Called before and after mmap_lock is held for reading */
	void (*locking)(void), (*unlocked)(void);
	int attempts; /* number of times that a page was PAGE_NEVER */
	uint64_t time, step; /* in nanoseconds: the clock, and how much each reading advances it */
};

static struct world world;
#define current (world.current)

struct lkst_user_event {
	bool on;
	int refs;
};

static inline void raw_spin_lock(raw_spinlock_t *lock)
{
	MUST(!*lock);
	*lock = 1;
	world.atomic++;
}

static inline void raw_spin_unlock(raw_spinlock_t *lock)
{
	MUST(*lock);
	*lock = 0;
	world.atomic--;
}

static inline void mutex_init(struct mutex *mutex)
{
	mutex->held = 0;
}

static inline void mutex_lock(struct mutex *mutex)
{
	MUST(!world.atomic && !mutex->held);
	mutex->held = 1;
	world.mutexes++;
}

static inline bool mutex_trylock(struct mutex *mutex)
{
	if (mutex->held)
		return false;
	mutex_lock(mutex);
	return true;
}

static inline int mutex_lock_killable(struct mutex *mutex)
{
	mutex_lock(mutex);
	return 0;
}

static inline void mutex_unlock(struct mutex *mutex)
{
	MUST(mutex->held);
	mutex->held = 0;
	world.mutexes--;
}

static inline void refcount_set(refcount_t *refs, int value)
{
	refs->counter = value;
}

static inline void refcount_inc(refcount_t *refs)
{
	MUST(refs->counter++ > 0);
}

static inline void refcount_dec(refcount_t *refs)
{
	MUST(--refs->counter > 0);
}

static inline bool refcount_dec_and_test(refcount_t *refs)
{
	MUST(refs->counter > 0);
	return !--refs->counter;
}

#define atomic_read(v)		    ((v)->counter)
#define atomic_inc(v)		    ((void)(v)->counter++)
#define atomic_dec_and_test(v)	    (!--(v)->counter)
#define atomic_or(mask, v)	    ((void)((v)->counter |= (int)(mask)))
#define atomic_andnot(mask, v)	    ((void)((v)->counter &= (int)~(mask)))
#define atomic_long_read(v)	    ((unsigned long)(v)->counter)
#define atomic_long_read_acquire(v) ((unsigned long)(v)->counter)
#define atomic_long_inc_return(v)   (++(v)->counter)

static inline bool hlist_unhashed(const struct hlist_node *node)
{
	return !node->pprev;
}

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	if (node->next)
		node->next->pprev = &node->next;
	node->pprev = &head->first;
	head->first = node;
}

static inline void hlist_del_init(struct hlist_node *node)
{
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
	node->pprev = NULL;
}

#define hlist_del(node) hlist_del_init(node)

static inline unsigned int hash_ptr(const void *ptr, unsigned int bits)
{
	return (unsigned int)((uintptr_t)ptr / 64) & ((1u << bits) - 1);
}

/* Allocated memory is counted, so that a test can check that all of it has been freed. */
static inline void *world_alloc(size_t size, gfp_t gfp)
{
	void *memory;

	MUST(gfp & GFP_ATOMIC || !world.atomic);
	memory = world.no_memory ? NULL : calloc(1, size);
	world.allocated += memory != NULL;
	return memory;
}

static inline void kfree(void *memory)
{
	world.allocated -= memory != NULL;
	free(memory);
}

#define kzalloc_obj(object, gfp) world_alloc(sizeof(object), gfp)
#define kvmalloc(size, gfp)	 world_alloc(size, gfp)

static inline void kvfree(void *memory)
{
	MUST(!world.atomic);
	kfree(memory);
}

static inline void mmgrab(struct mm_struct *mm)
{
	mm->count++;
}

static inline void mmdrop(struct mm_struct *mm)
{
	MUST(mm->count > 0);
	mm->count--;
}

static inline bool mmget_not_zero(struct mm_struct *mm)
{
	MUST(mm->count > 0);
	if (!mm->mm_users.counter)
		return false;
	mm->mm_users.counter++;
	return true;
}

/* Drop a user. After the last one, the kernel calls the notifier and unmaps all pages. */
static inline void mmput_async(struct mm_struct *mm)
{
	MUST(mm->mm_users.counter > 0 && !world.atomic && !world.mutexes);
	if (--mm->mm_users.counter)
		return;
	if (mm->notifier)
		mm->notifier->ops->release(mm->notifier, mm);
	for (int i = 0; i < WORLD_PAGES; i++)
		MUST(!mm->page[i].pins && !mm->page[i].gets);
	mmdrop(mm);
}

static inline void mmap_write_lock(struct mm_struct *mm)
{
	MUST(mm->mm_users.counter && !world.atomic && !mm->mmap_lock);
	mm->mmap_lock = 2;
}

static inline void mmap_write_unlock(struct mm_struct *mm)
{
	MUST(mm->mmap_lock == 2);
	mm->mmap_lock = 0;
}

static inline bool mmap_read_trylock(struct mm_struct *mm)
{
	MUST(mm->mm_users.counter && !world.atomic);
	if (mm->mmap_lock)
		return false;
	mm->mmap_lock = 1;
	return true;
}

static inline int mmap_read_lock_killable(struct mm_struct *mm)
{
	if (world.locking)
		world.locking();
	MUST(mmap_read_trylock(mm));
	return 0;
}

static inline void mmap_read_unlock(struct mm_struct *mm)
{
	MUST(mm->mmap_lock);
	mm->mmap_lock = 0;
	if (world.unlocked)
		world.unlocked();
}

static inline struct page *world_page(struct mm_struct *mm, unsigned long address)
{
	MUST(address >= WORLD_BASE && address < WORLD_BASE + WORLD_PAGES * 4096);
	return &mm->page[(address - WORLD_BASE) / 4096];
}

static inline struct vm_area_struct *find_vma(struct mm_struct *mm, unsigned long address)
{
	enum page_state state = world_page(mm, address)->state;

	MUST(mm->mmap_lock);
	if (state == PAGE_UNMAPPED)
		return NULL;
	mm->vma = (struct vm_area_struct){ WORLD_BASE, state == PAGE_READ_ONLY ? 0 : VM_WRITE,
					   mm->file };
	return &mm->vma;
}

static inline void usleep_range(unsigned long min_us, unsigned long max_us)
{
	(void)min_us, (void)max_us;
	MUST(!world.atomic && !world.mutexes);
	if (world.sleeping)
		world.sleeping();
}

/* Each page is a mapping. */
#define VMA_ITERATOR(name, mm, address) \
	struct {                        \
		struct mm_struct *of;   \
		int next;               \
	} name = { mm, address }
#define for_each_vma(iterator, vma)                                         \
	while ((vma = (iterator).next < WORLD_PAGES ?                       \
			      world_vma((iterator).of, (iterator).next++) : \
			      NULL))

static inline struct vm_area_struct *world_vma(struct mm_struct *mm, int i)
{
	static struct vm_area_struct unmapped;
	struct vm_area_struct *vma = find_vma(mm, WORLD_BASE + i * 4096ul);

	return vma ? vma : &unmapped;
}

/* Return what the kernel would return: 1 if the caller gets the page, or else 0 or an error. */
static inline long world_fault(struct mm_struct *mm, unsigned long address, unsigned int flags,
			       struct page **page)
{
	bool writes = flags & FOLL_WRITE, faults;

	MUST(mm->mm_users.counter && mm->mmap_lock && !world.atomic && address % 4 == 0);
	*page = world_page(mm, address);
	if ((*page)->state == PAGE_UNMAPPED || ((*page)->state == PAGE_READ_ONLY && writes))
		return -EFAULT;
	faults = (*page)->state == PAGE_COMES || (*page)->state == PAGE_NEVER ||
		 (*page)->state == PAGE_SERVED || ((*page)->state == PAGE_SHARED && writes);
	if (faults && flags & FOLL_NOFAULT)
		return -EFAULT;
	MUST(!faults || flags & FOLL_NOWAIT); /* otherwise, the kernel would wait */
	MUST((*page)->state != PAGE_SERVED); /* the kernel would wait in spite of FOLL_NOWAIT */
	if ((*page)->state == PAGE_NEVER) {
		world.attempts++;
		return 0;
	}
	(*page)->copies += (*page)->state == PAGE_SHARED && writes;
	if (faults)
		(*page)->state = PAGE_THERE;
	return 1;
}

static inline long lkst_get_user_page_remote(struct mm_struct *mm, unsigned long address,
					     unsigned int flags, struct page **page)
{
	long ret = world_fault(mm, address, flags, page);

	if (ret == 1)
		(*page)->gets++;
	return ret;
}

static inline void put_page(struct page *page)
{
	MUST(page->gets--);
}

/* Pinning a page that is shared after a fork makes a copy of it, even for reading. */
static inline long lkst_pin_user_page_remote(struct mm_struct *mm, unsigned long address,
					     unsigned int flags, struct page **page)
{
	long ret = world_fault(mm, address, flags, page);

	if (ret != 1)
		return ret;
	if ((*page)->state == PAGE_SHARED) {
		(*page)->copies++;
		(*page)->state = PAGE_THERE;
	}
	(*page)->pins++;
	return 1;
}

struct folio {
	struct page page;
};
#define page_folio(page) ((struct folio *)(page))

static inline bool folio_trylock(struct folio *folio)
{
	struct page *page = &folio->page;

	MUST(page->pins);
	if (page->locked)
		return false;
	page->locked = true;
	return true;
}

static inline void folio_unlock(struct folio *folio)
{
	MUST(folio->page.locked);
	folio->page.locked = false;
}

static inline void folio_mark_dirty(struct folio *folio)
{
	MUST(folio->page.locked && folio->page.state == PAGE_THERE);
}

static inline void *kmap_local_page(struct page *page)
{
	MUST(page->pins || page->gets);
	return page->bytes;
}

#define kunmap_local(address) ((void)(address))

static inline void unpin_user_page(struct page *page)
{
	MUST(page->pins--);
}

static inline void unpin_user_pages_dirty_lock(struct page **pages, unsigned long num, bool dirty)
{
	MUST(num == 1 && dirty && (*pages)->state == PAGE_THERE && !(*pages)->locked);
	unpin_user_page(*pages);
}

/* The current process waits for one of its own pages, so it must not hold any lock. */
static inline size_t fault_in_safe_writeable(const char *address, size_t size)
{
	struct page *page = world_page(current->mm, (unsigned long)address);

	MUST(!world.atomic && !world.mutexes && !current->mm->mmap_lock);
	if (page->state == PAGE_COMES || page->state == PAGE_SHARED)
		page->state = PAGE_THERE;
	return page->state == PAGE_THERE ? 0 : size;
}

static inline struct mmu_notifier *mmu_notifier_get_locked(const struct mmu_notifier_ops *ops,
							   struct mm_struct *mm)
{
	MUST(mm->mm_users.counter && mm->mmap_lock == 2 && !world.atomic && !world.mutexes &&
	     !mm->notifier);
	for (int i = 0; i < WORLD_PAGES; i++)
		MUST(mm->page[i].state != PAGE_SERVED); /* a thread may wait in a page fault */
	if (world.no_memory)
		return ERR_PTR(-ENOMEM);
	mm->notifier = ops->alloc_notifier(mm);
	if (IS_ERR(mm->notifier)) {
		struct mmu_notifier *error = mm->notifier;

		mm->notifier = NULL;
		return error;
	}
	mm->notifier->ops = ops;
	mm->notifier->mm = mm;
	mm->count++;
	return mm->notifier;
}

static inline void mmu_notifier_put(struct mmu_notifier *notifier)
{
	MUST(notifier->mm->notifier == notifier);
	notifier->mm->notifier = NULL;
	notifier->next = world.freed;
	world.freed = notifier;
}

static inline void mmu_notifier_synchronize(void)
{
	while (world.freed) {
		struct mmu_notifier *notifier = world.freed;
		struct mm_struct *mm = notifier->mm;

		world.freed = notifier->next;
		notifier->ops->free_notifier(notifier);
		mmdrop(mm);
	}
}

static inline void queue_work(struct workqueue_struct *queue, struct work_struct *work)
{
	MUST(queue);
	if (work->pending)
		return;
	work->pending = true;
	work->next = world.queue;
	world.queue = work;
}

static inline bool mod_delayed_work(struct workqueue_struct *queue, struct delayed_work *work,
				    unsigned long delay)
{
	bool pending = work->work.pending;

	work->work.delay = delay;
	queue_work(queue, &work->work);
	return pending;
}

static inline bool cancel_work_sync(struct work_struct *work)
{
	struct work_struct **at = &world.queue;

	if (!work->pending)
		return false;
	while (*at != work)
		at = &(*at)->next;
	*at = work->next;
	work->pending = false;
	return true;
}

#define cancel_delayed_work(w)	    cancel_work_sync(&(w)->work)
#define cancel_delayed_work_sync(w) cancel_work_sync(&(w)->work)

/* Run one work item whose delay is at most @delay_max. Return false if none exists. */
static inline bool world_run(unsigned long delay_max)
{
	struct work_struct *work = world.queue;

	while (work && work->delay > delay_max)
		work = work->next;
	if (!work)
		return false;
	cancel_work_sync(work);
	work->function(work);
	MUST(!world.atomic && !world.mutexes);
	return true;
}

/* Run work items until none with a delay of 0 is left. */
static inline void world_settle(void)
{
	while (world_run(0))
		;
}

static inline struct workqueue_struct *alloc_workqueue(const char *name, int flags, int active)
{
	(void)name, (void)flags, (void)active;
	return world_alloc(sizeof(struct workqueue_struct), 0);
}

static inline void flush_workqueue(struct workqueue_struct *queue)
{
	(void)queue;
	world_settle();
}

static inline void destroy_workqueue(struct workqueue_struct *queue)
{
	MUST(!world.queue);
	kfree(queue);
}

static inline int tracepoint_probe_register(struct tracepoint *tracepoint, void *probe, void *data)
{
	MUST(tracepoint && !data && !world.newtask);
	memcpy(&world.newtask, &probe, sizeof(probe));
	return 0;
}

static inline int tracepoint_probe_unregister(struct tracepoint *tracepoint, void *probe,
					      void *data)
{
	MUST(tracepoint && probe && !data && world.newtask);
	world.newtask = NULL;
	return 0;
}

static inline void
for_each_kernel_tracepoint(void (*call)(struct tracepoint *tracepoint, void *data), void *data)
{
	static struct tracepoint tracepoints[] = { { "sched_switch" },
						   { "task_newtask" },
						   { "task_rename" } };

	for (unsigned int i = 0; i < ARRAY_SIZE(tracepoints); i++)
		call(&tracepoints[i], data);
}

#endif
