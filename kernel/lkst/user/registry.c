// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of the events of programs: names, numbers, and when an event
 * ends.
 *
 * An event ends when its last reference is dropped, see struct lkst_user_event.
 * It keeps its number, because its records may still be in the buffers, and a
 * tool that prints them needs the description. So an event that has ended is
 * only marked as absent. If a program registers the same event again, the event
 * continues with the same number. The number is given to another event only if
 * no number is unused.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/workqueue.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>

#include "../added/added.h"
#include "../base/compat.h"
#include "../base/stage.h"
#include "../dispatch/maskset.h"
#include "../source/etype.h"
#include "../source/image_texts.h"
#include "../source/source.h"
#include "../tree/tree.h"
#include "registry.h"

/*
 * Maximum number of events, including those that have ended, of a user without
 * privileges.
 */
#define LKST_USER_NUM_OF_OWNER	256

/*
 * Number of events that only users with privileges can have. Without this
 * reserve, many users together could use up all numbers.
 */
#define LKST_USER_NUM_RESERVED	256

#define LKST_USER_SYSTEM	"user_events"
#define LKST_USER_SYSTEM_MULTI	"user_events_multi"

/*
 * How to allocate the memory that a program is charged for. If its memory
 * cgroup is full, the allocation fails soon, and no process is killed: all
 * programs that register events wait for the holder of lkst_user_mutex.
 */
#define LKST_USER_GFP		(GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

/*
 * Protects everything below, except for references. Its holder may be waiting
 * for lkst_maskset_mutex. So a process must take it with mutex_lock_killable(),
 * and a worker for which a maskset switch waits must not take it at all.
 */
static DEFINE_MUTEX(lkst_user_mutex);

/* Index: event type - LKST_ETYPE_PROGRAM_MIN. NULL: the number is unused. */
static struct lkst_user_event *lkst_user_events[LKST_ETYPE_PROGRAM_NUM];

/* The events in lkst_user_events[], by the name that programs gave. */
static DEFINE_HASHTABLE(lkst_user_names, 8);

/* Number in the name of the next event with LKST_USER_MULTI_FORMAT. */
static u64 lkst_user_multi_id;

/*
 * Protects lkst_user_event.refs. When an event ends or continues, the result of
 * lkst_etype_registered() for it changes under the same lock. This is a spin
 * lock, because references are also taken where a process must not sleep.
 */
static DEFINE_RAW_SPINLOCK(lkst_user_lock);

/* Number of times that an event has ended. Protected by lkst_user_lock. */
static u64 lkst_user_ended;

/*
 * Time in jiffies from a change to the next copy of the names, and from a copy
 * to the next one. Each time, all names are copied, so a program that registers
 * events in a loop must not cause that too often.
 */
#define LKST_USER_TEXTS_DELAY	(HZ / 10)
#define LKST_USER_TEXTS_PAUSE	HZ

/* When the names may be copied again, in jiffies. */
static unsigned long lkst_user_texts_next;

/* Copy the names to where readers of a memory image find them. */
static void lkst_user_texts_work(struct work_struct *work)
{
	lkst_image_texts_changed();
}

static DECLARE_DELAYED_WORK(lkst_user_texts, lkst_user_texts_work);

static void lkst_user_changed(void)
{
	unsigned long now = jiffies;
	long delay = READ_ONCE(lkst_user_texts_next) - now;

	delay = clamp_t(long, delay, LKST_USER_TEXTS_DELAY, LKST_USER_TEXTS_PAUSE);
	if (queue_delayed_work(lkst_workqueue(), &lkst_user_texts, delay))
		WRITE_ONCE(lkst_user_texts_next, now + delay + LKST_USER_TEXTS_PAUSE);
}

/*
 * Take a reference. Hold lkst_user_mutex if the event may have ended. Return
 * whether this is the first reference of an event that is new or has ended.
 */
static bool lkst_user_event_first(struct lkst_user_event *event)
{
	unsigned long flags;
	bool first;

	raw_spin_lock_irqsave(&lkst_user_lock, flags);
	first = !event->refs++;
	if (first)
		lkst_etype_program_set(event->etype, true);
	raw_spin_unlock_irqrestore(&lkst_user_lock, flags);
	return first;
}

/* Take another reference. */
void lkst_user_event_get(struct lkst_user_event *event)
{
	lkst_user_event_first(event);
}

/* Drop a reference. The event ends with the last one. */
void lkst_user_event_put(struct lkst_user_event *event)
{
	unsigned long flags;
	bool ended;

	raw_spin_lock_irqsave(&lkst_user_lock, flags);
	ended = !--event->refs;
	if (ended) {
		event->ended = ++lkst_user_ended;
		lkst_etype_program_set(event->etype, false);
	}
	raw_spin_unlock_irqrestore(&lkst_user_lock, flags);
	/*
	 * Do not use the event from here on: if it has ended, another event may
	 * already have replaced it.
	 */
	if (ended) {
		lkst_user_changed();
		lkst_tree_changed();
	}
}

/*
 * Whether an event has ended. If true, the event cannot continue while the
 * caller holds lkst_user_mutex. If false, the event may end at any time.
 */
static bool lkst_user_has_ended(const struct lkst_user_event *event)
{
	return !READ_ONCE(event->refs);
}

/* Whether the event is recorded now. Context: any. */
bool lkst_user_event_on(const struct lkst_user_event *event)
{
	bool on;

	/* RCU keeps the selected maskset from being freed. */
	rcu_read_lock();
	on = lkst_maskset_handler(event->etype) != LKST_EVHANDLER_ID_NONE;
	rcu_read_unlock();
	return on;
}

static bool lkst_user_permitted(u32 flags)
{
	return !(flags & LKST_USER_PERSIST) || perfmon_capable();
}

static u32 lkst_user_key(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

/*
 * Find an event with this name and these fields; the event may have ended.
 * Return NULL if it does not exist, or -EADDRINUSE if another event, which has
 * not ended, has the name with other fields.
 */
static struct lkst_user_event *lkst_user_find(const char *name, const char *fields, u32 flags)
{
	struct lkst_user_event *event, *ended = NULL;
	bool same;

	hash_for_each_possible(lkst_user_names, event, node, lkst_user_key(name)) {
		if (strcmp(event->name, name) || (event->flags ^ flags) & LKST_USER_MULTI_FORMAT)
			continue;
		same = lkst_format_matches(event->format, fields);
		if (lkst_user_has_ended(event))
			ended = same ? event : ended;
		else if (same)
			return event;
		else if (!(flags & LKST_USER_MULTI_FORMAT))
			return ERR_PTR(-EADDRINUSE);
	}
	return ended;
}

/*
 * Choose the number of a new event: the lowest unused number, or else that of
 * the event that ended first. A user without privileges can have only
 * LKST_USER_NUM_OF_OWNER numbers, and cannot take a number from another user.
 * All users without privileges together must leave LKST_USER_NUM_RESERVED
 * numbers to privileged users. Return -EMFILE if no number can be chosen.
 */
static int lkst_user_choose(const struct lkst_user_who *who)
{
	int i, unused = -EMFILE, oldest = -EMFILE, own = 0, limited = 0;

	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++) {
		const struct lkst_user_event *event = lkst_user_events[i];
		bool is_own = event && uid_eq(event->owner, who->owner);

		own += is_own;
		limited += event && !event->privileged;
		if (!event)
			unused = unused < 0 ? i : unused;
		else if (lkst_user_has_ended(event) && (is_own || who->privileged) &&
			 (oldest < 0 || event->ended < lkst_user_events[oldest]->ended))
			oldest = i;
	}
	if (unused >= 0 && (who->privileged ||
			    (own < LKST_USER_NUM_OF_OWNER &&
			     limited < LKST_ETYPE_PROGRAM_NUM - LKST_USER_NUM_RESERVED)))
		return unused;
	return oldest;
}

static void lkst_user_free(struct lkst_user_event *event)
{
	if (!event)
		return;
	kfree(event->format);
	kfree(event->label);
	kfree(event);
}

static const struct lkst_format *lkst_user_parse(const char *fields, u32 flags)
{
	struct lkst_format *format = kmalloc(sizeof(*format), GFP_KERNEL), *copy;
	int ret;

	if (!format)
		return ERR_PTR(-ENOMEM);
	ret = lkst_format_parse(format, fields);
	if (!ret && format->kernel && !(flags & LKST_USER_KERNEL))
		ret = -EINVAL;
	copy = ret ? ERR_PTR(ret) :
	       kmemdup(format, lkst_format_bytes(format), LKST_USER_GFP) ?: ERR_PTR(-ENOMEM);
	kfree(format);
	return copy;
}

static const char *lkst_user_system(u32 flags)
{
	return flags & LKST_USER_MULTI_FORMAT ? LKST_USER_SYSTEM_MULTI : LKST_USER_SYSTEM;
}

static char *lkst_user_label(const char *name, u32 flags)
{
	if (flags & LKST_USER_KERNEL)
		return kstrdup(name, LKST_USER_GFP);
	if (flags & LKST_USER_MULTI_FORMAT)
		return kasprintf(LKST_USER_GFP, "%s:%s.%llx", lkst_user_system(flags), name,
				 lkst_user_multi_id);
	return kasprintf(LKST_USER_GFP, "%s:%s", lkst_user_system(flags), name);
}

/* Allocate an event that has no number and no references yet. */
static struct lkst_user_event *lkst_user_new(const char *name, const char *fields, u32 flags,
					     const struct lkst_user_who *who)
{
	const struct lkst_format *format = lkst_user_parse(fields, flags);
	size_t name_size = strlen(name) + 1;
	struct lkst_user_event *event;

	if (IS_ERR(format))
		return ERR_CAST(format);
	event = kzalloc(struct_size(event, name, name_size), LKST_USER_GFP);
	if (!event) {
		kfree(format);
		return ERR_PTR(-ENOMEM);
	}
	memcpy(event->name, name, name_size);
	event->format = format;
	event->chain = format->chain;
	event->min_size = format->min_size;
	event->flags = flags;
	event->owner = who->owner;
	event->privileged = who->privileged;
	event->label = lkst_user_label(name, flags);
	if (!event->label) {
		lkst_user_free(event);
		return ERR_PTR(-ENOMEM);
	}
	return event;
}

/*
 * Give an event a number, and add the event to the tables. If another event had
 * this number, that event has ended, so no open file and no enabler has a
 * reference to it.
 */
static int lkst_user_add(struct lkst_user_event *event, const struct lkst_user_who *who)
{
	int i = lkst_user_choose(who), ret = 0;
	struct lkst_etype_program *program;
	struct lkst_user_event *before;

	if (i < 0)
		return i;
	event->etype = LKST_ETYPE_PROGRAM_MIN + i;
	program = lkst_etype_program_new(event->etype, event->label, event->chain,
					 event->format->text, LKST_USER_GFP);
	if (!program)
		return -ENOMEM;
	before = lkst_user_events[i];
	if (before)
		ret = lkst_maskset_renew_begin(event->etype);
	if (ret) {
		kfree(program);
		return ret;
	}
	lkst_etype_program_describe(event->etype, program);
	if (before) {
		lkst_maskset_renew_end();
		hash_del(&before->node);
	}
	lkst_user_free(before);
	lkst_user_events[i] = event;
	hash_add(lkst_user_names, &event->node, lkst_user_key(event->name));
	if (event->flags & LKST_USER_MULTI_FORMAT)
		lkst_user_multi_id++;
	return 0;
}

static struct lkst_user_event *lkst_user_create(const char *name, const char *fields, u32 flags,
						const struct lkst_user_who *who)
{
	struct lkst_user_event *event = lkst_user_new(name, fields, flags, who);
	int ret;

	if (IS_ERR(event))
		return event;
	ret = lkst_user_add(event, who);
	if (!ret)
		return event;
	lkst_user_free(event);
	return ERR_PTR(ret);
}

/*
 * Find or create an event, and take a reference. If the event is new, or
 * continues after it has ended, @flags determines whether it persists.
 */
static struct lkst_user_event *lkst_user_obtain(const char *name, const char *fields, u32 flags,
						const struct lkst_user_who *who)
{
	struct lkst_user_event *event = lkst_user_find(name, fields, flags);

	if (!event)
		event = lkst_user_create(name, fields, flags, who);
	if (IS_ERR(event))
		return event;
	/*
	 * The event may have ended since lkst_user_find() returned it. It then
	 * continues, just as if it had ended before.
	 */
	if (lkst_user_event_first(event)) {
		event->flags = flags;
		if (flags & LKST_USER_PERSIST)
			lkst_user_event_get(event);
		lkst_user_changed();
	}
	return event;
}

/**
 * lkst_user_register() - register an event of a program
 * @command: name and fields; is changed
 * @flags: LKST_USER_PERSIST and LKST_USER_MULTI_FORMAT
 * @who: the user who registers it
 *
 * If the event exists and has the same fields, the existing one is returned.
 *
 * Context: process, may sleep.
 *
 * Return: the event, with a reference that the caller owns, or an error:
 * -EINVAL if @command is wrong; -EPERM if the process may not register
 * persistent events; -EADDRINUSE if the name is in use with other fields;
 * -EMFILE if there are too many events; -ENOMEM; -EINTR if a fatal signal ended
 * the wait.
 */
struct lkst_user_event *lkst_user_register(char *command, u32 flags,
					   const struct lkst_user_who *who)
{
	struct lkst_user_event *event;
	char *fields;
	int ret;

	ret = lkst_format_split(command, &fields);
	if (ret)
		return ERR_PTR(ret);
	if (!lkst_user_permitted(flags))
		return ERR_PTR(-EPERM);
	ret = mutex_lock_killable(&lkst_user_mutex);
	if (ret)
		return ERR_PTR(ret);
	event = lkst_user_obtain(command, fields, flags, who);
	mutex_unlock(&lkst_user_mutex);
	return event;
}

/**
 * lkst_user_register_kernel() - register an event of kernel code
 * @label: its name, "SYSTEM:NAME", which no registered event has
 * @fields: its fields, in the syntax of user events
 * @who: the user who adds it
 *
 * Context: process, may sleep.
 *
 * Return: as for lkst_user_register(). The caller drops the reference with
 * lkst_user_event_put().
 */
struct lkst_user_event *lkst_user_register_kernel(const char *label, const char *fields,
						  const struct lkst_user_who *who)
{
	struct lkst_user_event *event;
	int ret = mutex_lock_killable(&lkst_user_mutex);

	if (ret)
		return ERR_PTR(ret);
	event = lkst_user_obtain(label, fields, LKST_USER_KERNEL, who);
	mutex_unlock(&lkst_user_mutex);
	lkst_tree_changed();
	return event;
}

/* Whether there is a reference other than the caller's. */
bool lkst_user_event_shared(const struct lkst_user_event *event)
{
	return READ_ONCE(event->refs) > 1;
}

/*
 * Make a persistent event end. Returns 0; -EBUSY if the event does not persist,
 * or if there is a reference other than the one that LKST_USER_PERSIST adds;
 * -EPERM if the process may not delete the event.
 */
static int lkst_user_delete_event(struct lkst_user_event *event)
{
	if (!(event->flags & LKST_USER_PERSIST) || READ_ONCE(event->refs) != 1)
		return -EBUSY;
	if (!lkst_user_permitted(event->flags))
		return -EPERM;
	/*
	 * Taking a reference requires lkst_user_mutex, or another reference. So
	 * the number of references is still 1.
	 */
	event->flags &= ~LKST_USER_PERSIST;
	lkst_user_event_put(event);
	return 0;
}

/**
 * lkst_user_delete() - delete all events with a name
 * @system: delete only events of this system, or NULL
 * @name: the name that programs gave
 * @fields: delete only events with these fields, or NULL
 *
 * Context: process, may sleep.
 *
 * Return: 0; -ENOENT if there is no such event; -EBUSY if one is in use, or
 * does not persist; -EPERM if the process may not delete persistent events;
 * -EINTR. On error, some of the events may have been deleted.
 */
int lkst_user_delete(const char *system, const char *name, const char *fields)
{
	int ret = mutex_lock_killable(&lkst_user_mutex);
	struct lkst_user_event *event;

	if (ret)
		return ret;
	ret = -ENOENT;
	hash_for_each_possible(lkst_user_names, event, node, lkst_user_key(name)) {
		if (strcmp(event->name, name) || lkst_user_has_ended(event) ||
		    event->flags & LKST_USER_KERNEL ||
		    (system && strcmp(lkst_user_system(event->flags), system)) ||
		    (fields && !lkst_format_matches(event->format, fields)))
			continue;
		ret = lkst_user_delete_event(event);
		if (ret)
			break;
	}
	mutex_unlock(&lkst_user_mutex);
	return ret;
}

/**
 * lkst_user_for_each() - call a function for each event of programs that has
 *	not ended
 * @call: the function; a return value other than 0 ends the loop
 * @data: passed to @call
 *
 * Events are in the order of their numbers. An event may end while @call runs,
 * but is not freed.
 *
 * Context: process, may sleep.
 *
 * Return: 0, what @call has returned, or -EINTR if a fatal signal ended the
 * wait.
 */
int lkst_user_for_each(int (*call)(const struct lkst_user_event *event, void *data), void *data)
{
	int i, ret = mutex_lock_killable(&lkst_user_mutex);

	if (ret)
		return ret;
	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM && !ret; i++)
		if (lkst_user_events[i] && !lkst_user_has_ended(lkst_user_events[i]) &&
		    !(lkst_user_events[i]->flags & LKST_USER_KERNEL))
			ret = call(lkst_user_events[i], data);
	mutex_unlock(&lkst_user_mutex);
	return ret;
}

const struct lkst_source_client lkst_source_client = {
	.enable = lkst_added_enable,
	.disable = lkst_added_disable,
	.selected = lkst_enablers_update,
};

/**
 * lkst_user_start() - prepare for events of programs
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_user_start(void)
{
	return lkst_enablers_start();
}

/*
 * Free everything. No program has /dev/lkst_user_events open, and no maskset
 * can be selected after this call.
 */
void __lkst_exit lkst_user_stop(void)
{
	int i;

	lkst_enablers_stop();
	/* From here on, no event ends, so no work is queued again. */
	lkst_tree_end();
	cancel_delayed_work_sync(&lkst_user_texts);
	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++)
		lkst_user_free(lkst_user_events[i]);
}
