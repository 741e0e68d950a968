/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * LKST masksets, which select the event handler for each event (specification
 * 4.2.1, 4.7.1.2).
 */
#ifndef _UAPI_LINUX_LKST_MASKSET_H
#define _UAPI_LINUX_LKST_MASKSET_H

#include <linux/lkst.h>

#define LKST_MASKSET_ID_RNOTHING	0	/* records no event */
#define LKST_MASKSET_ID_RALL		1	/* records all events */
#define LKST_MASKSET_ID_RDEFAULT	2	/* records what Kconfig selects */
#define LKST_MASKSET_ID_RDETAILED	254	/* RDEFAULT, plus wait queues */
#define LKST_MASKSET_ID_MAX		254
/*
 * No maskset. With this id, LKST_IOC_MASKSET_READ reads the selected maskset,
 * and LKST_IOC_MASKSET_WRITE chooses a free id.
 */
#define LKST_MASKSET_ID_VOID		255

/*
 * Range of the lock events. A maskset must not select
 * LKST_EVHANDLER_ID_BUFFER_SHIFT_DW or LKST_EVHANDLER_ID_BUFFER_JUMP for these
 * events (4.7.1.2.2).
 */
#define LKST_ETYPE_LOCK_MIN		0x080
#define LKST_ETYPE_LOCK_MAX		0x08f

#define LKST_MASKSET_NAME_LEN		32	/* including the terminating NUL */
#define LKST_MASKSET_TABLE_LEN_MAX	LKST_ETYPE_NUM

typedef __u32 lkst_maskset_table_len;

struct lkst_maskset_entry {
	__s32 event_type;
	lkst_evhandler_id id;
};

struct lkst_maskset_body {
	char name[LKST_MASKSET_NAME_LEN];
	lkst_maskset_table_len len;	/* number of entries that follow */
	struct lkst_maskset_entry entry[];
};

/* Size of a struct lkst_maskset_body with n entries, in bytes. */
#define LKST_MASKSET_SIZE(n) \
	(LKST_MASKSET_NAME_LEN + sizeof(lkst_maskset_table_len) + \
	 (n) * sizeof(struct lkst_maskset_entry))
#define LKST_MASKSET_SIZE_MAX	LKST_MASKSET_SIZE(LKST_MASKSET_TABLE_LEN_MAX)

/*
 * Argument of ioctl(LKST_IOC_MASKSET_READ) (4.7.1.2.1) and
 * ioctl(LKST_IOC_MASKSET_WRITE) (4.7.1.2.2).
 */
struct lkst_maskset_param {
	lkst_maskset_id id;
	__u32 pad;			/* must be 0 */
	__aligned_u64 maskset_size;	/* size of the body in bytes */
	__aligned_u64 maskset;		/* address of a struct lkst_maskset_body */
};

struct lkst_maskset_listent {
	lkst_maskset_id id;
	char name[LKST_MASKSET_NAME_LEN];
	lkst_maskset_table_len len;
};

/* Size of a list of n masksets, in bytes. */
#define LKST_MASKSET_LISTENT_SIZE(n)	((n) * sizeof(struct lkst_maskset_listent))

/* Argument of ioctl(LKST_IOC_MASKSET_LIST) (4.7.1.2.4). */
struct lkst_maskset_listparam {
	lkst_maskset_id current_id;
	__u32 pad;			/* must be 0 */
	__aligned_u64 listent_size;	/* size of the array in bytes */
	__aligned_u64 listent;		/* address of struct lkst_maskset_listent[] */
};

#define LKST_RULE_TEXT_MAX	4096	/* maximum size of a rule, in bytes */
#define LKST_RULE_NAMES_MAX	65536	/* maximum size of lkst_rule_param.names */
#define LKST_RULE_ERROR_LEN	256	/* including the terminating NUL */

/* lkst_rule_param.error_at for an error that is not in the rule */
#define LKST_RULE_NO_POSITION	0xffffffff

/**
 * struct lkst_rule_param - argument of ioctl(LKST_IOC_RULE_WRITE) and
 *	ioctl(LKST_IOC_RULE_READ)
 * @id: in: maskset
 * @event_type: in: event type; out: in a READ, event type of the rule that was
 *	read
 * @text: in: address of the rule, "[CONDITION] [do ACTION {, ACTION}]", which
 *	need not end with 0. For a READ, the kernel stores the rule here
 * @names: in: address of a text with the names of values that the rule may
 *	contain: a line "FIELD NAME VALUE" for each, for example
 *	"number openat 257". 0: none. Ignored by a READ
 * @error: in: address for a message. If a WRITE fails with EINVAL because the
 *	rule is wrong, the kernel stores here what is wrong with it, else
 *	"". 0: nothing is stored. Ignored by a READ
 * @text_size: in: size of the rule in bytes, at most LKST_RULE_TEXT_MAX; 0
 *	in a WRITE deletes the rule. For a READ, size of the memory at @text;
 *	out: size of the rule that was read
 * @names_size: in: size of @names in bytes, at most LKST_RULE_NAMES_MAX
 * @error_size: in: size of the memory at @error in bytes
 * @error_at: out: if the rule is wrong, position of the error in bytes;
 *	LKST_RULE_NO_POSITION if the error is not in the rule
 *
 * A WRITE replaces the rule that the event type has in the maskset. After an
 * error, that rule is still in force. An event type that is masked gets the
 * event handler LKST_EVHANDLER_ID_ENTRY_LOG. A READ reads the first rule for
 * @event_type or an event type with a higher number.
 */
struct lkst_rule_param {
	lkst_maskset_id id;
	__s32 event_type;
	__aligned_u64 text;
	__aligned_u64 names;
	__aligned_u64 error;
	__u32 text_size;
	__u32 names_size;
	__u32 error_size;
	__u32 error_at;
};

#define LKST_LIMIT_TEXT_MAX	4096	/* maximum size of a limit, in bytes */
#define LKST_LIMIT_READ		1	/* lkst_limit_param.flags: read the limit */

/**
 * struct lkst_limit_param - argument of ioctl(LKST_IOC_MASKSET_LIMIT)
 * @id: in: maskset
 * @flags: in: 0 to write, LKST_LIMIT_READ to read
 * @text: in: address of the limit, which need not end with 0, for example
 *	"pid 812,900 children cpu 0-3". The memory must be writable
 * @error: in: address for a message. If a write fails with EINVAL because the
 *	limit is wrong, the kernel stores here what is wrong with it, else "".
 *	0: nothing is stored
 * @text_size: in: size of the limit in bytes, at most LKST_LIMIT_TEXT_MAX; 0 in
 *	a write ends the limit. In a read, size of the memory at @text; out: size
 *	of the limit, 0 if none exists
 * @error_size: in: size of the memory at @error in bytes
 *
 * A write replaces the limit of the maskset. After an error, that limit is still
 * in force.
 */
struct lkst_limit_param {
	lkst_maskset_id id;
	__u32 flags;
	__aligned_u64 text;
	__aligned_u64 error;
	__u32 text_size;
	__u32 error_size;
};

#define LKST_HIST_KEYS		4	/* maximum number of keys */
#define LKST_HIST_VALS		5	/* maximum number of sums, including the number of events */
#define LKST_HIST_FIELDS	(LKST_HIST_KEYS + LKST_HIST_VALS)
#define LKST_HIST_NAME_LEN	32	/* including the terminating NUL */
#define LKST_HIST_COMM_LEN	16

enum lkst_hist_modifier {
	LKST_HIST_PLAIN,
	LKST_HIST_HEX,
	LKST_HIST_SYM,
	LKST_HIST_SYM_OFFSET,
	LKST_HIST_SYSCALL,
	LKST_HIST_EXECNAME,	/* an entry ends with the name of the thread */
	LKST_HIST_LOG2,		/* the value is the lowest n with number <= 2^n */
	LKST_HIST_BUCKETS,	/* the value is a multiple of @width */
	LKST_HIST_PERCENT,
	LKST_HIST_GRAPH,
};

/* lkst_hist_field.flags */
#define LKST_HIST_STRING	1	/* a string, padded with NUL */
#define LKST_HIST_SIGNED	2	/* a signed number */

/**
 * struct lkst_hist_field - a key or sum in an entry of a histogram
 * @width: LKST_HIST_BUCKETS: width of a bucket
 * @offset: position in the entry, in bytes
 * @size: size in bytes; 8 for a number
 * @modifier: enum lkst_hist_modifier
 * @flags: LKST_HIST_STRING or LKST_HIST_SIGNED
 * @name: name of the field
 */
struct lkst_hist_field {
	__aligned_u64 width;
	__u16 offset;
	__u16 size;
	__u16 modifier;
	__u16 flags;
	char name[LKST_HIST_NAME_LEN];
};

#define LKST_HIST_RESET		1	/* lkst_hist_param.flags */
#define LKST_HIST_PAUSED	2

/**
 * struct lkst_hist_param - argument of ioctl(LKST_IOC_HIST_READ)
 * @id: in: maskset
 * @event_type: in: event type; out: event type of the histogram that was read
 * @index: in: which of the histograms of the event type, from 0. If there is no
 *	such histogram, the first histogram of the next event type that has one
 *	is read, unless LKST_HIST_RESET is set; out: index of the histogram that
 *	was read
 * @flags: in: LKST_HIST_RESET: delete the entries that are read; out:
 *	LKST_HIST_PAUSED: events are not counted
 * @text: in: address where the kernel stores the definition as it was written
 * @data: in: address where the kernel stores the sorted entries
 * @data_size: in: size of the memory at @data in bytes
 * @hits: out: number of events in the entries
 * @drops: out: number of events that were not counted, because there was no
 *	room for another entry
 * @text_size: in: size of the memory at @text in bytes; out: size of the
 *	definition, of which the kernel stores only what fits
 * @entries: out: number of entries
 * @entries_max: out: number of entries that the histogram can have
 * @entry_size: out: size of an entry in bytes
 * @keys: out: number of keys
 * @vals: out: number of sums. The first sum is the number of events
 * @field: out: the keys, and then the sums
 *
 * If @data_size is 0, the call stores only the description of the histogram. If
 * it is another number that is less than @entries_max * @entry_size, the call
 * fails with ENOSPC. An event that is being counted may be in some of the sums
 * already, and not yet in others, unless LKST_HIST_RESET is set. No event is lost
 * or read twice because of LKST_HIST_RESET.
 */
struct lkst_hist_param {
	lkst_maskset_id id;
	__s32 event_type;
	__u32 index;
	__u32 flags;
	__aligned_u64 text;
	__aligned_u64 data;
	__aligned_u64 data_size;
	__aligned_u64 hits;
	__aligned_u64 drops;
	__u32 text_size;
	__u32 entries;
	__u32 entries_max;
	__u32 entry_size;
	__u32 keys;
	__u32 vals;
	struct lkst_hist_field field[LKST_HIST_FIELDS];
};

#define LKST_IOC_MASKSET_READ	_IOWR(LKST_IOC_MAGIC, 0x10, struct lkst_maskset_param)
#define LKST_IOC_MASKSET_WRITE	_IOWR(LKST_IOC_MAGIC, 0x11, struct lkst_maskset_param)
#define LKST_IOC_MASKSET_SET	_IO(LKST_IOC_MAGIC, 0x12)	/* arg: maskset id */
#define LKST_IOC_MASKSET_LIST	_IOWR(LKST_IOC_MAGIC, 0x13, struct lkst_maskset_listparam)
#define LKST_IOC_MASKSET_DELETE	_IO(LKST_IOC_MAGIC, 0x14)	/* arg: maskset id */

#define LKST_IOC_RULE_WRITE	_IOWR(LKST_IOC_MAGIC, 0x15, struct lkst_rule_param)
#define LKST_IOC_RULE_READ	_IOWR(LKST_IOC_MAGIC, 0x16, struct lkst_rule_param)
#define LKST_IOC_MASKSET_LIMIT	_IOWR(LKST_IOC_MAGIC, 0x17, struct lkst_limit_param)
#define LKST_IOC_HIST_READ	_IOWR(LKST_IOC_MAGIC, 0x4e, struct lkst_hist_param)

#endif /* _UAPI_LINUX_LKST_MASKSET_H */
