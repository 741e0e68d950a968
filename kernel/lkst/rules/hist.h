/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms: the rule action hist(keys=F,...[:vals=F,...]...) counts events by
 * the values of fields, and adds up other fields. Documentation/lkst/hist.rst
 * describes the syntax. This file and hist.c also compile in user space.
 *
 * Each CPU has a table of its own, and only this CPU changes it. Reading a
 * histogram merges the tables.
 */
#ifndef _LKST_RULES_HIST_H
#define _LKST_RULES_HIST_H

#include <linux/lkst_maskset.h>

#include "filter.h"
#include "filter_record.h"

/* Numbers of entries in the table of a CPU. */
#define LKST_HIST_SIZE_MIN	128
#define LKST_HIST_SIZE		2048
#define LKST_HIST_SIZE_MAX	131072

/* Maximum size of a string in a key; longer strings are cut. */
#define LKST_HIST_STRING_LEN	64

#define LKST_HIST_SORTS		2

/**
 * struct lkst_hist_load - how to get the value of a key or of a sum
 * @from: where it is; only the members that describe a field are set
 * @is_signed: whether the number is signed
 */
struct lkst_hist_load {
	struct lkst_filter_test from;
	bool is_signed;
};

/**
 * struct lkst_hist_sort - a field by which entries are sorted
 * @field: index in lkst_hist_def.field
 * @descending: whether the greatest value comes first
 */
struct lkst_hist_sort {
	__u8 field;
	bool descending;
};

/**
 * struct lkst_hist_def - definition of a histogram for an event type
 * @keys: number of keys
 * @vals: number of sums; the first sum is the number of events
 * @sorts: number of fields by which entries are sorted
 * @state: LKST_HIST_PAUSE, LKST_HIST_CONT or LKST_HIST_CLEAR as written, else 0
 * @has_comm: whether an entry contains the name of the running thread
 * @size: number of entries for each CPU, a power of two
 * @key_bytes: size of all keys in bytes, a multiple of 8
 * @name: name of the histogram, or ""
 * @field: keys and then sums. The offsets are from the start of an entry, which
 *	consists of the sums, the keys, and possibly the name of the thread
 * @load: how to get the values of @field; not used for the number of events
 * @sort: fields by which entries are sorted, the most important one first
 */
struct lkst_hist_def {
	__u8 keys;
	__u8 vals;
	__u8 sorts;
	__u8 state;
	bool has_comm;
	__u32 size;
	__u32 key_bytes;
	char name[LKST_HIST_NAME_LEN];
	struct lkst_hist_field field[LKST_HIST_FIELDS];
	struct lkst_hist_load load[LKST_HIST_FIELDS];
	struct lkst_hist_sort sort[LKST_HIST_SORTS];
};

enum lkst_hist_state {
	LKST_HIST_RUN,
	LKST_HIST_PAUSE,
	LKST_HIST_CONT,
	LKST_HIST_CLEAR,
};

/**
 * struct lkst_hist_parser - state of the parser of definitions, and its result
 * @filter: set by the caller: its scope contains the fields of the event, and
 *	it receives errors
 * @args: set by the caller: the definition, a part of the text of @filter
 * @def: the result
 */
struct lkst_hist_parser {
	struct lkst_filter_parser *filter;
	struct lkst_filter_word args;
	struct lkst_hist_def def;
};

/**
 * struct lkst_hist_elt - an entry in the table of a CPU
 * @hash: hash of the keys
 * @pad: not used
 * @sum: number of events, and the sums; the keys follow, and possibly the name
 *	of the thread
 */
struct lkst_hist_elt {
	__u32 hash;
	__u32 pad;
	__u64 sum[];
};

/**
 * struct lkst_hist_table - entries of a CPU
 * @drops: number of events that found no entry
 * @used: number of entries in use
 * @elts: position of the entries, from the start of the table
 * @slot: hash table with twice as many slots as entries: the number of an entry
 *	plus 1, or 0. A slot changes only once
 */
struct lkst_hist_table {
	__u64 drops;
	__u32 used;
	__u32 elts;
	__u32 slot[];
};

/**
 * struct lkst_hist_merge - a merge of tables
 * @def: definition of the histogram
 * @table: a table for each CPU; NULL where a CPU has none
 * @tables: number of tables
 * @max: number of entries for which there is memory
 * @entry: memory for @max entries, which receive the merged values
 * @list: memory for @max addresses; receives the addresses of the sorted
 *	entries
 * @scratch: memory for @max addresses
 * @cut: whether there were more than @max entries, because CPUs added entries
 *	during the merge. If so, the result is incomplete
 * @entries: number of entries
 * @hits: number of events in the entries
 * @drops: number of events that found no entry
 */
struct lkst_hist_merge {
	const struct lkst_hist_def *def;
	struct lkst_hist_table *const *table;
	unsigned int tables;
	size_t max;
	char *entry;
	const char **list;
	const char **scratch;
	bool cut;
	size_t entries;
	__u64 hits;
	__u64 drops;
};

bool lkst_hist_parse(struct lkst_hist_parser *parser);
bool lkst_hist_compatible(const struct lkst_hist_def *a, const struct lkst_hist_def *b);
size_t lkst_hist_entry_bytes(const struct lkst_hist_def *def);
size_t lkst_hist_table_bytes(const struct lkst_hist_def *def);
void lkst_hist_table_init(const struct lkst_hist_def *def, struct lkst_hist_table *table);
void lkst_hist_add(const struct lkst_hist_def *def, struct lkst_hist_table *table,
		   const struct lkst_filter_record *record);
size_t lkst_hist_used(struct lkst_hist_table *const *table, unsigned int tables);
void lkst_hist_merge(struct lkst_hist_merge *merge);

#endif
