// SPDX-License-Identifier: GPL-2.0
/*
 * Store, list, read, write and delete masksets (specification 4.2.1, 4.7.1.2,
 * 4.7.2.2).
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_private.h>

#include "../base/compat.h"
#include "evhandler.h"
#include "maskset.h"
#include "maskset_rules.h"
#include "../rules/watch.h"
#include "../memory/memory.h"
#include "../rules/limit.h"
#include "../base/stage.h"
#include "maskset_select.h"
#include "../base/sync.h"

/* The special masksets, which always exist. */
struct lkst_maskset lkst_maskset_nothing = {
	.id = LKST_MASKSET_ID_RNOTHING,
	.name = "nothing",
};

static struct lkst_maskset lkst_maskset_all = {
	.id = LKST_MASKSET_ID_RALL,
	.name = "all",
};

/*
 * The initial masksets "default" and "detailed". Each of them is used until a
 * maskset with the same id is written.
 */
static struct lkst_maskset lkst_maskset_default = {
	.id = LKST_MASKSET_ID_RDEFAULT,
	.name = "default",
};

static struct lkst_maskset lkst_maskset_detailed = {
	.id = LKST_MASKSET_ID_RDETAILED,
	.name = "detailed",
};

/* The lowest id of a maskset that is not special */
#define LKST_MASKSET_ID_FIRST	(LKST_MASKSET_ID_RDEFAULT + 1)

struct lkst_maskset *lkst_masksets[LKST_MASKSET_ID_MAX + 1] = {
	[LKST_MASKSET_ID_RNOTHING] = &lkst_maskset_nothing,
	[LKST_MASKSET_ID_RALL] = &lkst_maskset_all,
	[LKST_MASKSET_ID_RDEFAULT] = &lkst_maskset_default,
	[LKST_MASKSET_ID_RDETAILED] = &lkst_maskset_detailed,
};

/* Event classes, and whether "default" and "detailed" record them. */
static const struct {
	int first;
	int last;
	bool recorded;
} lkst_default_classes[] = {
#define LKST_ECLASS_DEF(first, last, name, title, recorded) { first, last, recorded },
#include <linux/lkst_eclasses.h>
#undef LKST_ECLASS_DEF
};

/*
 * Whether all masksets have an entry for an event type. They have none for
 * LKST_MORE: the handler of an event also determines what happens to the parts
 * of its chain, see chain.c.
 */
static bool lkst_maskset_lists(int etype)
{
	return etype != LKST_ETYPE_LKST_MORE && lkst_maskset_client.registered(etype);
}

/*
 * Whether a maskset has an entry for an event type. A program's event that has
 * ended, but that a program may register again, has an entry only if its event
 * handler differs from that of LKST_ETYPE_USER_EVENTS_NEW. So the event keeps
 * its handler when a program reads the maskset and writes it back.
 */
static bool lkst_maskset_has(const struct lkst_maskset *maskset, int etype)
{
	return lkst_maskset_lists(etype) ||
	       (lkst_etype_of_program(etype) &&
		READ_ONCE(maskset->handler[etype]) !=
		READ_ONCE(maskset->handler[LKST_ETYPE_USER_EVENTS_NEW]) &&
		lkst_maskset_client.known(etype));
}

/*
 * Whether the detailed maskset records an event type. It leaves out chains,
 * which take several records.
 */
static bool __init lkst_maskset_detailed_records(int etype)
{
	int i;

	if (etype == LKST_ETYPE_SYSCALL_PATH || etype == LKST_ETYPE_OOPS_MESSAGE)
		return false;
	for (i = 0; i < ARRAY_SIZE(lkst_default_classes); i++)
		if (etype >= lkst_default_classes[i].first && etype <= lkst_default_classes[i].last)
			return lkst_default_classes[i].recorded;
	return false;
}

/*
 * Whether the default maskset records an event type. It leaves out wait queues,
 * which a busy service uses for each request: a wakeup already shows which
 * thread is woken, and by which thread.
 */
static bool __init lkst_maskset_default_records(int etype)
{
	return etype != LKST_ETYPE_PROCESS_INIT_WQH && etype != LKST_ETYPE_PROCESS_ADD_WQ &&
	       etype != LKST_ETYPE_PROCESS_REM_WQ && lkst_maskset_detailed_records(etype);
}

/*
 * Fill the special masksets. Called after lkst_source_init(), which finds out
 * which events can occur.
 */
void __init lkst_maskset_init(void)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		if (!lkst_maskset_lists(etype) || !lkst_maskset_client.present(etype))
			continue;
		lkst_maskset_all.handler[etype] = LKST_EVHANDLER_ID_ENTRY_LOG;
		if (lkst_maskset_default_records(etype))
			lkst_maskset_default.handler[etype] = LKST_EVHANDLER_ID_ENTRY_LOG;
		if (lkst_maskset_detailed_records(etype))
			lkst_maskset_detailed.handler[etype] = LKST_EVHANDLER_ID_ENTRY_LOG;
	}
	for (etype = LKST_ETYPE_PROGRAM_MIN; etype <= LKST_ETYPE_PROGRAM_MAX; etype++) {
		lkst_maskset_all.handler[etype] =
			lkst_maskset_all.handler[LKST_ETYPE_USER_EVENTS_NEW];
		lkst_maskset_default.handler[etype] =
			lkst_maskset_default.handler[LKST_ETYPE_USER_EVENTS_NEW];
		lkst_maskset_detailed.handler[etype] =
			lkst_maskset_detailed.handler[LKST_ETYPE_USER_EVENTS_NEW];
	}
}

/*
 * Context of lkst_maskset_find() and lkst_maskset_find_name(): the caller holds
 * lkst_maskset_mutex, or uses the result within rcu_read_lock().
 */

static struct lkst_maskset *lkst_maskset_find(lkst_maskset_id id)
{
	return id >= 0 && id <= LKST_MASKSET_ID_MAX ? READ_ONCE(lkst_masksets[id]) : NULL;
}

static struct lkst_maskset *lkst_maskset_find_name(const char *name)
{
	struct lkst_maskset *maskset;
	int id;

	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++) {
		maskset = lkst_maskset_find(id);
		if (maskset && !strcmp(maskset->name, name))
			return maskset;
	}
	return NULL;
}

/**
 * lkst_maskset_by_word() - find the maskset that a boot parameter names
 * @word: name or id
 *
 * Return: the id, or -EINVAL.
 */
int lkst_maskset_by_word(const char *word)
{
	const struct lkst_maskset *maskset = lkst_maskset_find_name(word);
	int id;

	if (maskset)
		return maskset->id;
	if (kstrtoint(word, 0, &id) || !lkst_maskset_find(id))
		return -EINVAL;
	return id;
}

/**
 * lkst_maskset_get_id() - find a maskset by name (4.7.2.2.6)
 * @name: name of the maskset
 *
 * Context: may sleep.
 *
 * Return: the id; LKST_MASKSET_ID_VOID if no maskset has this name; -EINVAL if
 * @name is NULL or empty.
 */
int lkst_maskset_get_id(const char *name)
{
	const struct lkst_maskset *maskset;
	int id;

	if (!name || !*name)
		return -EINVAL;
	rcu_read_lock();
	maskset = lkst_maskset_find_name(name);
	id = maskset ? maskset->id : LKST_MASKSET_ID_VOID;
	rcu_read_unlock();
	return id;
}
EXPORT_SYMBOL_GPL(lkst_maskset_get_id);

/* Return, as a pointer, an address that kernel code stored in a structure. */
static void *lkst_maskset_area(u64 address)
{
	return (void *)(unsigned long)address;
}

/* Return the length of a maskset, in entries. */
static unsigned int lkst_maskset_len(const struct lkst_maskset *maskset)
{
	unsigned int len = 0;
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		len += lkst_maskset_has(maskset, etype);
	return len;
}

/*
 * Store a maskset in @body. Return 0, or -EINVAL if it has more than @room
 * entries.
 */
static int lkst_maskset_describe(const struct lkst_maskset *maskset,
				 struct lkst_maskset_body *body, u64 room)
{
	int etype;

	strscpy_pad(body->name, maskset->name, sizeof(body->name));
	body->len = 0;
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		if (!lkst_maskset_has(maskset, etype))
			continue;
		if (body->len == room)
			return -EINVAL;
		body->entry[body->len++] = (struct lkst_maskset_entry) {
			.event_type = etype,
			.id = lkst_rule_handler(READ_ONCE(maskset->handler[etype])),
		};
	}
	return 0;
}

/**
 * lkst_maskset_read() - read a maskset (4.7.2.2.1)
 * @maskset_param: id, and a struct lkst_maskset_body in kernel memory. The id
 *	LKST_MASKSET_ID_VOID means the current maskset; it is replaced by the id
 *	of that maskset
 *
 * The body receives an entry for each registered event type except LKST_MORE,
 * and for each event of a program that has ended but has another event handler
 * than LKST_ETYPE_USER_EVENTS_NEW. The entries are in ascending order.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if @maskset_param or the body is NULL, there is no such
 * maskset, or the body is too small. In the last case, it may contain a part of
 * the maskset.
 */
int lkst_maskset_read(struct lkst_maskset_param *maskset_param)
{
	const struct lkst_maskset *maskset;
	struct lkst_maskset_body *body;
	lkst_maskset_id id;
	int ret = -EINVAL;

	if (!maskset_param || !maskset_param->maskset ||
	    maskset_param->maskset_size < LKST_MASKSET_SIZE(0))
		return -EINVAL;
	body = lkst_maskset_area(maskset_param->maskset);
	id = maskset_param->id;

	/* Use RCU: the holder of the mutex may be waiting for a stuck CPU. */
	rcu_read_lock();
	if (id == LKST_MASKSET_ID_VOID)
		id = lkst_select_current();
	maskset = lkst_maskset_find(id);
	if (maskset)
		ret = lkst_maskset_describe(maskset, body,
					    div_u64(maskset_param->maskset_size -
						    LKST_MASKSET_SIZE(0),
						    sizeof(*body->entry)));
	rcu_read_unlock();

	if (!ret)
		maskset_param->id = id;
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_maskset_read);

/*
 * Return the gate of an event in the maskset lkst_maskset_wanted(), or NULL.
 * The caller holds rcu_read_lock() while it uses the gate.
 */
static struct lkst_rule_gate *lkst_maskset_find_gate(int etype)
{
	const struct lkst_maskset *maskset = lkst_maskset_find(lkst_maskset_wanted());
	const struct lkst_rule *rule = NULL;

	if (maskset)
		rule = lkst_maskset_rule(READ_ONCE(maskset->handler[etype]));
	return rule ? rule->gate : NULL;
}

/**
 * lkst_maskset_gate() - whether actions turn an event on and off
 * @etype: event type, 0 to LKST_ETYPE_NUM - 1
 *
 * Context: may sleep.
 *
 * Return: -ENOENT if no rule of the maskset lkst_maskset_wanted() has such
 * actions; 1 if the event is on; 0 if it is off.
 */
int lkst_maskset_gate(int etype)
{
	const struct lkst_rule_gate *gate;
	int ret;

	rcu_read_lock();
	gate = lkst_maskset_find_gate(etype);
	ret = gate ? READ_ONCE(gate->open) : -ENOENT;
	rcu_read_unlock();
	return ret;
}

/**
 * lkst_maskset_set_gate() - turn an event on or off, as its actions do
 * @etype: event type, 0 to LKST_ETYPE_NUM - 1
 * @open: whether to turn it on
 *
 * Does nothing if no rule of the maskset lkst_maskset_wanted() has such
 * actions.
 *
 * Context: may sleep.
 */
void lkst_maskset_set_gate(int etype, bool open)
{
	struct lkst_rule_gate *gate;

	rcu_read_lock();
	gate = lkst_maskset_find_gate(etype);
	if (gate)
		WRITE_ONCE(gate->open, open);
	rcu_read_unlock();
}

/**
 * lkst_maskset_unmasks() - whether the maskset lkst_maskset_wanted() has an
 *	event handler for an event
 * @etype: event type, 0 to LKST_ETYPE_NUM - 1
 *
 * Unlike for lkst_maskset_wants(), actions that turn the event on do not count.
 *
 * Context: may sleep.
 */
bool lkst_maskset_unmasks(int etype)
{
	const struct lkst_maskset *maskset;
	bool unmasks;

	rcu_read_lock();
	maskset = lkst_maskset_find(lkst_maskset_wanted());
	unmasks = maskset && lkst_rule_handler(READ_ONCE(maskset->handler[etype]));
	rcu_read_unlock();
	return unmasks;
}

/**
 * lkst_maskset_wants() - whether the maskset lkst_maskset_wanted() may record
 *	an event
 * @etype: event type, 0 to LKST_ETYPE_NUM - 1
 *
 * Context: may sleep.
 */
bool lkst_maskset_wants(int etype)
{
	const struct lkst_maskset *maskset;
	bool wants;

	rcu_read_lock();
	maskset = lkst_maskset_find(lkst_maskset_wanted());
	wants = maskset && READ_ONCE(maskset->handler[etype]) != LKST_EVHANDLER_ID_NONE;
	rcu_read_unlock();
	return wants;
}

/**
 * lkst_maskset_list_num() - list the masksets, and count them
 * @maskset_listparam: address and size of the list, in kernel memory; receives
 *	the id of the current maskset
 *
 * The list is in ascending order of ids. It is cut off if it does not fit.
 *
 * Context: may sleep.
 *
 * Return: number of entries stored; -EINVAL if @maskset_listparam or the list
 * is NULL, or if the size is negative.
 */
int lkst_maskset_list_num(struct lkst_maskset_listparam *maskset_listparam)
{
	const struct lkst_maskset *maskset;
	struct lkst_maskset_listent *to;
	int id, num = 0;
	u64 room;

	if (!maskset_listparam || !maskset_listparam->listent ||
	    (s64)maskset_listparam->listent_size < 0)
		return -EINVAL;
	to = lkst_maskset_area(maskset_listparam->listent);
	room = div_u64(maskset_listparam->listent_size, sizeof(*to));

	/* RCU instead of the mutex, as in lkst_maskset_read(). */
	rcu_read_lock();
	maskset_listparam->current_id = lkst_select_current();
	for (id = 0; id <= LKST_MASKSET_ID_MAX && num < room; id++) {
		maskset = lkst_maskset_find(id);
		if (!maskset)
			continue;
		to->id = id;
		to->len = lkst_maskset_len(maskset);
		strscpy_pad(to->name, maskset->name, sizeof(to->name));
		to++;
		num++;
	}
	rcu_read_unlock();
	return num;
}

/**
 * lkst_maskset_list() - list the masksets (4.7.2.2.4)
 * @maskset_listparam: as for lkst_maskset_list_num()
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINVAL in the same cases as lkst_maskset_list_num().
 */
int lkst_maskset_list(struct lkst_maskset_listparam *maskset_listparam)
{
	return min(lkst_maskset_list_num(maskset_listparam), 0);
}
EXPORT_SYMBOL_GPL(lkst_maskset_list);

/*
 * Whether waking the daemon, or sending a request to another CPU, always causes
 * the event @etype. Both raise an interrupt, and waking also takes locks.
 */
bool lkst_maskset_waking_causes(int etype)
{
#ifdef CONFIG_X86
	if (etype == LKST_ETYPE_INT_IPI_ENTRY || etype == LKST_ETYPE_INT_IPI_EXIT)
		return true;
#endif
	return etype == LKST_ETYPE_CPU_IPI_SEND ||
	       (etype >= LKST_ETYPE_LOCK_MIN && etype <= LKST_ETYPE_LOCK_MAX);
}

static bool lkst_maskset_wakes(const u16 *handler, int etype)
{
	unsigned int id = lkst_rule_handler(handler[etype]);

	return id == LKST_EVHANDLER_ID_BUFFER_SHIFT_DW || id == LKST_EVHANDLER_ID_BUFFER_JUMP;
}

/**
 * lkst_maskset_pairing_allowed() - check for event handlers that cause events
 * @handler: event handler or rule of each event type
 *
 * A handler that wakes the daemon or sends requests to other CPUs must not be
 * used for the events that the waking or the requests cause: these events would
 * never end. For the same reason, it must not be used for
 * LKST_ETYPE_LKST_BUFF_OVFLOW while lock events are recorded: the lock events
 * that it causes fill the buffer again. A BPF program must not be used for lock
 * events: the kernel may hold a lock of a map that the program needs.
 *
 * Context: any.
 *
 * Return: whether the table is allowed.
 */
bool lkst_maskset_pairing_allowed(const u16 *handler)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_maskset_waking_causes(etype) && lkst_maskset_wakes(handler, etype))
			return false;
	for (etype = LKST_ETYPE_LOCK_MIN; etype <= LKST_ETYPE_LOCK_MAX; etype++)
		if (lkst_evhandler_takes_locks(lkst_rule_handler(handler[etype])))
			return false;
	if (!lkst_maskset_wakes(handler, LKST_ETYPE_LKST_BUFF_OVFLOW))
		return true;
	for (etype = LKST_ETYPE_LOCK_MIN; etype <= LKST_ETYPE_LOCK_MAX; etype++)
		if (handler[etype] != LKST_EVHANDLER_ID_NONE)
			return false;
	return true;
}

/*
 * Whether @param has a body that is large enough for its entries, and whose
 * name is terminated.
 */
static bool lkst_maskset_well_formed(const struct lkst_maskset_param *param)
{
	const struct lkst_maskset_body *body = lkst_maskset_area(param->maskset);

	return body && param->maskset_size >= LKST_MASKSET_SIZE(0) &&
	       body->len <= LKST_MASKSET_TABLE_LEN_MAX &&
	       param->maskset_size >= LKST_MASKSET_SIZE(body->len) &&
	       strnlen(body->name, sizeof(body->name)) < sizeof(body->name);
}

/*
 * Return the id to write to, or a negative errno. The id is @id or, if that is
 * LKST_MASKSET_ID_VOID, the lowest free one.
 */
static int lkst_maskset_id_to_write(lkst_maskset_id id)
{
	if (id != LKST_MASKSET_ID_VOID)
		return id >= LKST_MASKSET_ID_RDEFAULT && id <= LKST_MASKSET_ID_MAX ? id : -EINVAL;
	for (id = LKST_MASKSET_ID_FIRST; id <= LKST_MASKSET_ID_MAX; id++)
		if (!lkst_masksets[id])
			return id;
	return -EBUSY;
}

static bool lkst_maskset_name_valid(const char *name, const struct lkst_maskset *old)
{
	const struct lkst_maskset *other;

	if (!*name)
		return old;
	other = lkst_maskset_find_name(name);
	return !other || other == old;
}

/*
 * Whether an entry may be written. Masking is always allowed, even for unknown
 * event types, so that a maskset from a kernel with more event types can be
 * written if it masks them. Any event type in the range for programs is
 * allowed, because the event may have ended since the caller read the maskset
 * that it now writes back.
 */
static bool lkst_maskset_entry_valid(const struct lkst_maskset_entry *entry)
{
	if (entry->event_type < 0 || entry->event_type >= LKST_ETYPE_NUM)
		return false;
	return entry->id == LKST_EVHANDLER_ID_NONE ||
	       (lkst_evhandler_registered(entry->id) &&
		(lkst_etype_of_program(entry->event_type) ||
		 lkst_maskset_client.present(entry->event_type)));
}

/*
 * Return the event handler of an event type in @body, or LKST_EVHANDLER_ID_NONE
 * if @body has no entry for it.
 */
static u16 lkst_maskset_body_handler(const struct lkst_maskset_body *body, int etype)
{
	unsigned int i;

	for (i = 0; i < body->len; i++)
		if (body->entry[i].event_type == etype)
			return body->entry[i].id;
	return LKST_EVHANDLER_ID_NONE;
}

/*
 * Whether a maskset takes over an entry. An entry for LKST_MORE, which a
 * program may have written because the type is in /proc/lkst_etypes, is
 * ignored. So is an entry for a number that no event of a program has had. An
 * event that has ended keeps its entry, because a program may register it
 * again.
 */
static bool lkst_maskset_takes(int etype)
{
	return lkst_etype_of_program(etype) ? lkst_maskset_client.known(etype) :
					      lkst_maskset_lists(etype);
}

/*
 * Copy the entries of @body to a zeroed table. Return 0 or -EINVAL.
 *
 * An event of a program that has no entry gets the event handler of
 * LKST_ETYPE_USER_EVENTS_NEW. This includes numbers that are not in use, so
 * registering an event need not change any maskset. It also includes events
 * that were registered after the caller had read the maskset that it now writes
 * back. All of them get this event handler first, because an event may be
 * registered at any time while this function runs.
 */
static int lkst_maskset_fill(u16 *handler, const struct lkst_maskset_body *body)
{
	u16 new = lkst_maskset_body_handler(body, LKST_ETYPE_USER_EVENTS_NEW);
	DECLARE_BITMAP(listed, LKST_ETYPE_NUM) = {};
	unsigned int i;
	int etype;

	for (etype = LKST_ETYPE_PROGRAM_MIN; etype <= LKST_ETYPE_PROGRAM_MAX; etype++)
		handler[etype] = new;
	for (i = 0; i < body->len; i++) {
		const struct lkst_maskset_entry *entry = &body->entry[i];

		if (!lkst_maskset_entry_valid(entry) ||
		    __test_and_set_bit(entry->event_type, listed))
			return -EINVAL;
		if (lkst_maskset_takes(entry->event_type))
			handler[entry->event_type] = entry->id;
	}
	return lkst_maskset_pairing_allowed(handler) ? 0 : -EINVAL;
}

/*
 * Counts the changes of descriptions of event types. A rule is compiled for the
 * fields of a description, so it must not be written once the event type has
 * another description. Written under lkst_maskset_mutex.
 */
static unsigned long lkst_maskset_generation;

/**
 * lkst_maskset_described() - the generation of the descriptions of event types
 *
 * Call this before a description is read in order to compile a rule for it.
 *
 * Context: any.
 *
 * Return: the generation, for lkst_maskset_set_rule().
 */
unsigned long lkst_maskset_described(void)
{
	/* Pairs with the release in lkst_maskset_new_description(). */
	return smp_load_acquire(&lkst_maskset_generation);
}

/* Start a generation. The caller holds lkst_maskset_mutex. */
static void lkst_maskset_new_description(void)
{
	/* A CPU that sees the generation must also see the description. */
	smp_store_release(&lkst_maskset_generation, lkst_maskset_generation + 1);
}

/*
 * Free a maskset, its rules and its limit. The initial masksets "default" and
 * "detailed" are static and must not be freed. They have no rules and no limit.
 */
void lkst_maskset_free(struct lkst_maskset *maskset)
{
	lkst_maskset_put_rules(maskset);
	lkst_limit_put(maskset->limit);
	if (maskset == &lkst_maskset_default || maskset == &lkst_maskset_detailed)
		return;
	kfree(maskset);
	lkst_memory_uncharge(sizeof(*maskset));
}

/*
 * Number to pass to lkst_deferred_wait() in order to wait until the most
 * recently removed maskset has been freed. Protected by lkst_maskset_mutex.
 */
static long lkst_maskset_discarded;

/*
 * Take the mutex in order to write or delete a maskset, and wait until the most
 * recently removed maskset has been freed. After that, no CPU uses a value that
 * lkst_selected had before that maskset was removed. The count of removals in
 * lkst_selected relies on this, see maskset_select.c.
 */
static int lkst_maskset_begin(void)
{
	int ret = mutex_lock_killable(&lkst_maskset_mutex);

	if (ret)
		return ret;
	ret = lkst_deferred_wait(lkst_maskset_discarded);
	if (ret)
		mutex_unlock(&lkst_maskset_mutex);
	return ret;
}

/**
 * struct lkst_maskset_end - what to wait for after the mutex is released
 * @completed: number for lkst_select_wait(), or 0
 * @discarded: number for lkst_deferred_wait(), or 0
 */
struct lkst_maskset_end {
	long completed;
	long discarded;
};

/*
 * Let a worker free a removed maskset. Sets @end, so that lkst_maskset_wait()
 * waits for the worker.
 */
static void lkst_maskset_discard(struct lkst_maskset *maskset, struct lkst_maskset_end *end)
{
	end->discarded = lkst_select_discard(maskset);
	lkst_maskset_discarded = end->discarded;
}

static int lkst_maskset_wait(const struct lkst_maskset_end *end)
{
	return lkst_select_wait(end->completed) ?: lkst_deferred_wait(end->discarded);
}

/*
 * Replace @old, which may be NULL, with @new. If @old is the current maskset,
 * the sources that only @old needs are turned off. Free @old, or @new on error.
 */
static int lkst_maskset_install(struct lkst_maskset *new, struct lkst_maskset *old,
				struct lkst_maskset_end *end)
{
	bool current_one = lkst_select_current() == new->id;
	int ret = 0;

	if (current_one)
		ret = lkst_select_prepare(new);
	if (!ret) {
		/* A CPU that sees the entry must also see the maskset. */
		smp_store_release(&lkst_masksets[new->id], new);
		if (old)
			lkst_select_replaced();
	}
	if (current_one)
		end->completed = lkst_select_complete();
	if (ret)
		lkst_maskset_discard(new, end);
	else if (old)
		lkst_maskset_discard(old, end);
	return ret;
}

/*
 * Write a maskset as lkst_maskset_write() does. The maskset gets the rules and
 * the limit of maskset @from. If @from is LKST_MASKSET_ID_VOID, the maskset
 * keeps its own.
 */
static int lkst_maskset_store(struct lkst_maskset_param *maskset_param, lkst_maskset_id from)
{
	const struct lkst_maskset_body *body;
	struct lkst_maskset_end end = {};
	struct lkst_maskset *new, *old, *model;
	int id, ret;

	if (!maskset_param || !lkst_maskset_well_formed(maskset_param))
		return -EINVAL;
	body = lkst_maskset_area(maskset_param->maskset);
	new = kzalloc_obj(*new, GFP_KERNEL);
	if (!new)
		return -ENOMEM;

	ret = lkst_maskset_begin();
	if (ret)
		goto free;
	id = lkst_maskset_id_to_write(maskset_param->id);
	old = lkst_maskset_find(id);
	model = from == LKST_MASKSET_ID_VOID ? old : lkst_maskset_find(from);
	ret = -EINVAL;
	if (lkst_maskset_fill(new->handler, body) || !lkst_maskset_name_valid(body->name, old))
		goto unlock;
	ret = id;
	if (ret < 0)
		goto unlock;
	ret = -ENOMEM;
	if (!lkst_memory_charge(sizeof(*new)))
		goto unlock;
	new->id = id;
	new->limit = model ? model->limit : NULL;
	ret = lkst_maskset_keep_rules(new, model) ?: lkst_maskset_apply_actions(new, old) ?:
	      lkst_maskset_apply_limit(new);
	if (ret) {
		lkst_maskset_put_rules(new);
		lkst_memory_uncharge(sizeof(*new));
		goto unlock;
	}

	lkst_limit_get(new->limit);
	strscpy_pad(new->name, *body->name ? body->name : old->name, sizeof(new->name));
	ret = lkst_maskset_install(new, old, &end);
	new = NULL;
	if (!ret)
		maskset_param->id = id;
unlock:
	mutex_unlock(&lkst_maskset_mutex);
free:
	kfree(new);
	return ret ?: lkst_maskset_wait(&end);
}

/**
 * lkst_maskset_write() - create or overwrite a maskset (4.7.2.2.2)
 * @maskset_param: id, and a struct lkst_maskset_body in kernel memory with its
 *	size. The id is LKST_MASKSET_ID_RDEFAULT to LKST_MASKSET_ID_MAX, or
 *	LKST_MASKSET_ID_VOID to use the lowest free one; receives the id used
 *
 * Event types without an entry are masked, except that events of programs get
 * the event handler of LKST_ETYPE_USER_EVENTS_NEW. If an existing maskset is
 * overwritten with an empty name, it keeps its name. Its limit and the rules of
 * events that are not masked are kept. A change of the current maskset takes
 * effect immediately: each event is handled by either the old or the new
 * maskset. On error, nothing has changed.
 *
 * Context: may sleep.
 *
 * Return: 0; -EBUSY if no id is free; -ENOMEM if an allocation fails or LKST
 * would exceed its memory limit; -ENOSPC if there are too many rules; -EINTR if
 * a fatal signal ended the wait, in which case the maskset may or may not have
 * been written; or -EINVAL in these cases:
 *
 * - @maskset_param is NULL, or its body is NULL or too small for the entries
 * - the id cannot be written
 * - the name is not terminated, or is used by another maskset, or a new maskset
 *   has no name
 * - an event type is out of range or listed twice
 * - an event handler does not exist, or is used for an event that cannot occur,
 *   other than an event of a program
 * - LKST_EVHANDLER_ID_BUFFER_SHIFT_DW or LKST_EVHANDLER_ID_BUFFER_JUMP is used
 *   for lock events or interprocessor interrupts
 * - a BPF program is used for lock events
 * - LKST_EVHANDLER_ID_BUFFER_SHIFT_DW or LKST_EVHANDLER_ID_BUFFER_JUMP is used
 *   for LKST_ETYPE_LKST_BUFF_OVFLOW, and lock events are recorded
 */
int lkst_maskset_write(struct lkst_maskset_param *maskset_param)
{
	return lkst_maskset_store(maskset_param, LKST_MASKSET_ID_VOID);
}
EXPORT_SYMBOL_GPL(lkst_maskset_write);

/**
 * lkst_maskset_write_copy() - write a maskset with the rules and the limit of
 *	another one
 * @maskset_param: as for lkst_maskset_write()
 * @from: id of the other maskset; may be the maskset to be written
 *
 * The rules of @from for events that are not masked, and the limit of @from,
 * replace those of the maskset. The actions share their counts with those of
 * @from.
 *
 * Context: may sleep.
 *
 * Return: as for lkst_maskset_write().
 */
int lkst_maskset_write_copy(struct lkst_maskset_param *maskset_param, lkst_maskset_id from)
{
	return lkst_maskset_store(maskset_param, from);
}

/* Fill @new with the contents of @old. Take no references to the rules. */
static void lkst_maskset_fill_copy(struct lkst_maskset *new, const struct lkst_maskset *old)
{
	new->id = old->id;
	new->limit = old->limit;
	strscpy_pad(new->name, old->name, sizeof(new->name));
	memcpy(new->handler, old->handler, sizeof(new->handler));
}

/*
 * Fill @new with the contents of @old and a changed rule. Take a reference to
 * each rule of @new. Return 0, or a negative errno, after which no references
 * are held.
 */
static int lkst_maskset_fill_rule(struct lkst_maskset *new, const struct lkst_maskset *old,
				  int etype, struct lkst_rule *rule)
{
	int i, entry, ret, handler = lkst_rule_handler(old->handler[etype]);

	if (!rule && !lkst_maskset_has_rule(old, etype))
		return -ENOENT;
	if (handler == LKST_EVHANDLER_ID_NONE) {
		if (!lkst_maskset_lists(etype) || !lkst_maskset_client.present(etype))
			return -ENODEV;
		handler = LKST_EVHANDLER_ID_ENTRY_LOG;
	}
	lkst_maskset_fill_copy(new, old);
	entry = lkst_maskset_entry(new, etype, handler);
	if (entry < 0)
		return entry;
	new->handler[etype] = entry;
	if (!lkst_maskset_pairing_allowed(new->handler))
		return -EINVAL;
	if (rule) {
		lkst_rule_assign(rule, handler, new->limit);
		lkst_rule_get(rule);
		new->handler[etype] = rule->id;
	}
	for (i = 0; i < LKST_ETYPE_NUM; i++)
		if (i != etype && lkst_maskset_rule(new->handler[i]))
			lkst_rule_get(lkst_rule_find(new->handler[i]));
	ret = lkst_maskset_apply_actions(new, old) ?: lkst_maskset_apply_limit(new);
	if (ret)
		lkst_maskset_put_rules(new);
	return ret;
}

/**
 * lkst_maskset_set_rule() - write or delete a rule of a maskset
 * @id: id of the maskset
 * @etype: event type, 0 to LKST_ETYPE_NUM - 1
 * @rule: the rule, which replaces the rule that the event has; NULL: delete the
 *	rule that the event has. This function drops the caller's reference to
 *	@rule, even after an error. On success, the maskset has a reference of
 *	its own
 * @generation: for a rule, the result of lkst_maskset_described()
 *
 * If the event is masked, it gets the default event handler. The change takes
 * effect immediately: each event is handled by either the old or the new rule.
 * On error, nothing has changed.
 *
 * Context: may sleep.
 *
 * Return: 0; -ENXIO if there is no such maskset; -ENODEV if the event cannot
 * occur; -ENOENT if there is no rule to delete; -EINVAL if the maskset cannot
 * be changed, or if one of its event handlers must not be used while the event
 * is recorded; -EAGAIN if a description has changed since @generation, so that
 * the rule may be wrong; -ENOMEM; -ENOSPC if there are too many rules; -EINTR
 * if a fatal signal ended the wait, in which case the rule may or may not have
 * been changed.
 */
int lkst_maskset_set_rule(lkst_maskset_id id, int etype, struct lkst_rule *rule,
			  unsigned long generation)
{
	struct lkst_maskset_end end = {};
	struct lkst_maskset *new, *old;
	int ret;

	new = kzalloc_obj(*new, GFP_KERNEL);
	ret = new ? lkst_maskset_begin() : -ENOMEM;
	if (ret)
		goto free;
	old = lkst_maskset_find(id);
	if (!old)
		ret = -ENXIO;
	else if (id < LKST_MASKSET_ID_RDEFAULT)
		ret = -EINVAL;
	else if (rule && generation != lkst_maskset_generation)
		ret = -EAGAIN;
	else
		ret = lkst_maskset_fill_rule(new, old, etype, rule);
	if (ret)
		goto unlock;
	if (!lkst_memory_charge(sizeof(*new))) {
		lkst_maskset_put_rules(new);
		ret = -ENOMEM;
		goto unlock;
	}
	lkst_limit_get(new->limit);
	ret = lkst_maskset_install(new, old, &end);
	new = NULL;
unlock:
	mutex_unlock(&lkst_maskset_mutex);
free:
	kfree(new);
	if (rule)
		lkst_rule_put(rule);
	return ret ?: lkst_maskset_wait(&end);
}

/**
 * lkst_maskset_next_rule() - find a rule of a maskset
 * @id: id of the maskset
 * @etype: event type at which to start the search, 0 or more; receives that of
 *	the rule
 *
 * Context: the caller holds rcu_read_lock() while it uses the rule.
 *
 * Return: the first rule for @etype or for an event type after it; NULL if
 * there is none.
 */
const struct lkst_rule *lkst_maskset_next_rule(lkst_maskset_id id, int *etype)
{
	const struct lkst_maskset *maskset = lkst_maskset_find(id);
	unsigned int entry;

	for (; maskset && *etype < LKST_ETYPE_NUM; ++*etype) {
		entry = READ_ONCE(maskset->handler[*etype]);
		if (lkst_maskset_has_rule(maskset, *etype))
			return lkst_rule_find(entry);
	}
	return NULL;
}

/*
 * Fill @new with the contents of @old and another limit. Return 0, or a
 * negative errno, after which @new may hold references to some of the rules.
 */
static int lkst_maskset_fill_limit(struct lkst_maskset *new, const struct lkst_maskset *old,
				   struct lkst_limit *limit)
{
	struct lkst_rule *rule, *copy;
	int etype;

	lkst_maskset_fill_copy(new, old);
	new->limit = limit;
	/* The copied entries are rules of @old: replace them by handlers. */
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		new->handler[etype] = lkst_rule_handler(old->handler[etype]);
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		rule = lkst_maskset_rule(old->handler[etype]);
		if (!rule)
			continue;
		copy = lkst_rule_copy(rule, new->handler[etype], limit, rule->gate);
		if (IS_ERR(copy))
			return PTR_ERR(copy);
		new->handler[etype] = copy->id;
	}
	return lkst_maskset_apply_actions(new, old) ?: lkst_maskset_apply_limit(new);
}

/**
 * lkst_maskset_set_limit() - limit a maskset, or end its limit
 * @id: id of the maskset
 * @limit: the limit, which replaces that of the maskset; NULL: none. The
 *	maskset takes over the caller's reference; after an error, this function
 *	has dropped it
 *
 * The change takes effect immediately: for each event, either the old or the
 * new limit applies. On error, nothing has changed.
 *
 * Context: may sleep.
 *
 * Return: 0; -ENXIO if there is no such maskset; -EINVAL if it cannot be
 * changed; -ENOMEM; -ENOSPC if there are too many rules; -EINTR if a fatal
 * signal ended the wait, in which case the limit may or may not have been
 * changed.
 */
int lkst_maskset_set_limit(lkst_maskset_id id, struct lkst_limit *limit)
{
	struct lkst_maskset_end end = {};
	struct lkst_maskset *new, *old;
	int ret;

	new = kzalloc_obj(*new, GFP_KERNEL);
	ret = new ? lkst_maskset_begin() : -ENOMEM;
	if (ret)
		goto free;
	old = lkst_maskset_find(id);
	ret = !old ? -ENXIO : id < LKST_MASKSET_ID_RDEFAULT ? -EINVAL : 0;
	if (ret)
		goto unlock;
	ret = -ENOMEM;
	if (!lkst_memory_charge(sizeof(*new)))
		goto unlock;
	ret = lkst_maskset_fill_limit(new, old, limit);
	if (ret) {
		lkst_maskset_put_rules(new);
		lkst_memory_uncharge(sizeof(*new));
		goto unlock;
	}
	limit = NULL;
	ret = lkst_maskset_install(new, old, &end);
	new = NULL;
unlock:
	mutex_unlock(&lkst_maskset_mutex);
free:
	kfree(new);
	lkst_limit_put(limit);
	return ret ?: lkst_maskset_wait(&end);
}

/**
 * lkst_maskset_limit() - find the limit of a maskset
 * @id: id of the maskset
 * @found: receives whether there is such a maskset
 *
 * Context: the caller holds rcu_read_lock() while it uses the limit.
 *
 * Return: the limit, or NULL if none exists.
 */
const struct lkst_limit *lkst_maskset_limit(lkst_maskset_id id, bool *found)
{
	const struct lkst_maskset *maskset = lkst_maskset_find(id);

	*found = maskset;
	return maskset ? maskset->limit : NULL;
}

/**
 * lkst_maskset_delete() - delete a maskset (4.7.2.2.5)
 * @id: id of the maskset
 *
 * While LKST is stopped, the maskset that was selected before the stop may be
 * deleted. TRC_START then selects the default maskset.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if there is no such maskset, or it is a special one;
 * -EBUSY if it is the current one; -EINTR if a fatal signal ended the wait, in
 * which case the maskset may or may not have been deleted.
 */
int lkst_maskset_delete(lkst_maskset_id id)
{
	struct lkst_maskset_end end = {};
	struct lkst_maskset *maskset;
	int ret;

	ret = lkst_maskset_begin();
	if (ret)
		return ret;
	ret = -EINVAL;
	maskset = lkst_maskset_find(id);
	if (!maskset || id < LKST_MASKSET_ID_FIRST || id == LKST_MASKSET_ID_RDETAILED)
		goto unlock;
	ret = -EBUSY;
	if (lkst_select_current() == id)
		goto unlock;

	/*
	 * From here on, the maskset cannot be selected. But it may have been
	 * selected just before.
	 */
	WRITE_ONCE(lkst_masksets[id], NULL);
	ret = lkst_select_forget(id);
	if (ret) {
		/* As in lkst_maskset_install(). */
		smp_store_release(&lkst_masksets[id], maskset);
		lkst_select_remembered();
		goto unlock;
	}
	lkst_maskset_discard(maskset, &end);
unlock:
	mutex_unlock(&lkst_maskset_mutex);
	return ret ?: lkst_maskset_wait(&end);
}
EXPORT_SYMBOL_GPL(lkst_maskset_delete);

/* Replace a removed event handler with the default handler in all masksets. */
void lkst_maskset_forget_evhandler(lkst_evhandler_id id)
{
	int i, etype;
	u16 *handler;

	mutex_lock(&lkst_maskset_mutex);
	for (i = 0; i <= LKST_MASKSET_ID_MAX; i++) {
		for (etype = 0; lkst_masksets[i] && etype < LKST_ETYPE_NUM; etype++) {
			handler = &lkst_masksets[i]->handler[etype];
			if (lkst_rule_is(*handler))
				handler = &lkst_rule_find(*handler)->handler;
			if (*handler == id)
				WRITE_ONCE(*handler, LKST_EVHANDLER_ID_ENTRY_LOG);
		}
		if (lkst_masksets[i])
			lkst_limit_forget_evhandler(lkst_masksets[i]->limit, id);
	}
	mutex_unlock(&lkst_maskset_mutex);
}

/*
 * Change an entry of a maskset: set the event handler, without a condition. If
 * the entry was a rule, the rule is freed. The caller holds lkst_maskset_mutex.
 */
static void lkst_maskset_replace(struct lkst_maskset *maskset, int etype, unsigned int handler)
{
	struct lkst_rule *before = lkst_maskset_rule(maskset->handler[etype]);
	int entry = lkst_maskset_entry(maskset, etype, handler);

	/* Not negative: lkst_maskset_apply_limit() has created the rule. */
	WRITE_ONCE(maskset->handler[etype], max(entry, LKST_EVHANDLER_ID_NONE));
	if (before)
		lkst_rule_put_later(before);
}

/*
 * Make the maskset "all" record a new event type, which has been described and
 * registered.
 */
void lkst_maskset_add_etype(int etype)
{
	mutex_lock(&lkst_maskset_mutex);
	lkst_maskset_new_description();
	WRITE_ONCE(lkst_maskset_all.handler[etype], LKST_EVHANDLER_ID_ENTRY_LOG);
	mutex_unlock(&lkst_maskset_mutex);
	lkst_select_enable();
}

/* Mask a removed event type in all masksets. */
void lkst_maskset_forget_etype(int etype)
{
	int id;

	mutex_lock(&lkst_maskset_mutex);
	lkst_maskset_new_description();
	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++)
		if (lkst_masksets[id])
			lkst_maskset_replace(lkst_masksets[id], etype, LKST_EVHANDLER_ID_NONE);
	mutex_unlock(&lkst_maskset_mutex);
}

/**
 * lkst_maskset_renew_begin() - prepare masksets for a new event of a program
 * @etype: number that the new event gets from an event that has ended,
 *	LKST_ETYPE_PROGRAM_MIN to LKST_ETYPE_PROGRAM_MAX
 *
 * In each maskset, the new event gets the event handler of
 * LKST_ETYPE_USER_EVENTS_NEW, but not the rule of that event type. The mutex is
 * held until the caller has described the new event and called
 * lkst_maskset_renew_end(). So no rule can be written for the old event in
 * between.
 *
 * Context: may sleep.
 *
 * Return: 0; or -EINTR if a fatal signal ended the wait. Then,
 * lkst_maskset_renew_end() must not be called.
 */
int lkst_maskset_renew_begin(int etype)
{
	int id, ret = mutex_lock_killable(&lkst_maskset_mutex);

	if (ret)
		return ret;
	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++) {
		struct lkst_maskset *maskset = lkst_masksets[id];
		unsigned int new;

		if (!maskset)
			continue;
		new = maskset->handler[LKST_ETYPE_USER_EVENTS_NEW];
		lkst_maskset_replace(maskset, etype, lkst_rule_handler(new));
	}
	return 0;
}

/* End lkst_maskset_renew_begin(), after the new event has been described. */
void lkst_maskset_renew_end(void)
{
	lkst_maskset_new_description();
	mutex_unlock(&lkst_maskset_mutex);
}

/*
 * Free the masksets that were written and not removed. By now,
 * lkst_maskset_nothing is selected, and removed masksets have been freed.
 */
void __lkst_exit lkst_maskset_end(void)
{
	int id;

	for (id = LKST_MASKSET_ID_RDEFAULT; id <= LKST_MASKSET_ID_MAX; id++)
		if (lkst_masksets[id])
			lkst_maskset_free(lkst_masksets[id]);
	lkst_rules_end();
	lkst_watches_end();
}
