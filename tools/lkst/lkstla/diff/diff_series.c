// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla diff: counts what happens in a trace, by row and slice of the window.
 *
 * Memory depends on the number of rows and on the total size of the distributions, which are
 * limited, and not on the number of events. When the maximum number of rows is reached, everything
 * else of a kind is counted in a single row. That row is not compared, because in the other trace,
 * different things are counted in it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "lkstla/tally.h"

#define ROWS_MAX 8192
#define IDS_MAX	 65536
/* Maximum number of groups of buckets in all distributions of a side. A group takes 256 bytes. */
#define GROUPS_MAX (1u << 18)
#define OTHERS	   "(others)"
/* At first, the length of the blocks of a row is the maximum divided by this. */
#define SHORTEST_BLOCK 4096

/**
 * diff_side_init() - prepare a side for counting
 * @side: side
 * @run: run
 */
void diff_side_init(struct diff_side *side, const struct run *run)
{
	int64_t length = tally_length(run->begin_ns, run->end_ns);

	side->run = run;
	side->begin_ns = run->begin_ns;
	side->slice_ns = length / DIFF_SLICES + (length % DIFF_SLICES > 0);
	if (!side->slice_ns)
		side->slice_ns = 1;
	side->seconds = (double)(length ? length : 1) / 1e9;
	/* The additional row of each kind is for what does not fit. */
	side->rows =
		(struct hash){ .size = sizeof(struct diff_entry), .max = ROWS_MAX + DIFF_KINDS };
	side->ids = (struct hash){ .size = sizeof(struct diff_entry), .max = IDS_MAX };
}

/**
 * diff_side_free() - free everything that was counted
 * @side: side
 */
void diff_side_free(struct diff_side *side)
{
	struct diff_entry *entry;
	size_t at = 0;

	while ((entry = hash_next(&side->rows, &at)) != NULL) {
		for (size_t i = 0; entry->series && i < DIFF_BLOCKS; i++)
			dist_free(&entry->series->block[i]);
		free(entry->series);
	}
	hash_free(&side->rows);
	hash_free(&side->ids);
	free(side->thread);
}

/**
 * diff_group_name() - make the name that threads of the same kind share
 * @name: name of a thread
 * @group: result: the name, in which "*" replaces each number that follows a character other than a
 *	letter, and everything after "kworker/" (a CPU, a pool or the current work item)
 */
void diff_group_name(const char *name, char group[LKST_COMM_LEN + 8])
{
	char before = 'a', *to = group;

	if (!strncmp(name, "kworker/", 8)) {
		strcpy(group, "kworker/*");
		return;
	}
	while (*name && to < group + LKST_COMM_LEN + 6) {
		if (isdigit((unsigned char)*name) && !isalnum((unsigned char)before)) {
			name += strspn(name, "0123456789");
			*to++ = '*';
			continue;
		}
		before = *name;
		*to++ = *name++;
	}
	*to = 0;
}

/**
 * diff_hash() - hash a text (FNV-1a)
 * @text: text
 * @from: hash of the preceding text; if there is no such text, any constant
 */
uint64_t diff_hash(const char *text, uint64_t from)
{
	uint64_t hash = from ^ 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash;
}

static void series_key(enum diff_kind kind, const char *name, uint64_t key[HASH_WORDS])
{
	key[0] = (uint64_t)kind;
	key[1] = diff_hash(name, 0);
	key[2] = diff_hash(name, 0x5bd1e995);
}

/* Find or add a row by its name. Returns NULL if an allocation fails. */
static struct diff_series *series_of(struct diff_side *side, enum diff_kind kind, const char *name)
{
	struct diff_series *series;
	uint64_t key[HASH_WORDS];
	struct diff_entry *entry;

	series_key(kind, name, key);
	entry = hash_find(&side->rows, key);
	if (entry)
		return entry->series;
	if (side->rows.num >= ROWS_MAX) {
		name = OTHERS;
		series_key(kind, name, key);
		entry = hash_find(&side->rows, key);
		if (entry)
			return entry->series;
	}
	series = calloc(1, sizeof(*series));
	if (!series)
		return NULL;
	if (hash_add(&side->rows, key, &entry) != HASH_ADDED) {
		free(series);
		return NULL;
	}
	series->kind = kind;
	snprintf(series->name, sizeof(series->name), "%s", name);
	entry->series = series;
	return series;
}

/**
 * diff_row() - find or add a row
 * @side: side
 * @kind: kind
 * @id: what identifies the row within its kind. Equal @id means equal name
 * @namer: function that makes the name
 * @of: passed to @namer
 *
 * Return: the row; NULL if an allocation fails.
 */
struct diff_series *diff_row(struct diff_side *side, enum diff_kind kind,
			     const uint64_t id[HASH_WORDS - 1], diff_namer *namer, const void *of)
{
	const uint64_t key[HASH_WORDS] = { (uint64_t)kind, id[0], id[1] };
	struct diff_entry *entry = hash_find(&side->ids, key);
	struct diff_series *series;
	char name[DIFF_NAME] = "";

	if (entry)
		return entry->series;
	namer(side, of, name);
	series = series_of(side, kind, name);
	if (series && hash_add(&side->ids, key, &entry) == HASH_ADDED)
		entry->series = series;
	return series;
}

/**
 * diff_row_like() - find the row that has the same kind and name as a row of the other trace
 * @side: side that is searched
 * @series: row of the other side
 *
 * Return: the row of @side; NULL if @side has no such row.
 */
struct diff_series *diff_row_like(const struct diff_side *side, const struct diff_series *series)
{
	uint64_t key[HASH_WORDS];
	struct diff_entry *entry;

	series_key(series->kind, series->name, key);
	entry = hash_find(&side->rows, key);
	return entry ? entry->series : NULL;
}

/**
 * diff_others() - get the additional row of a kind, which counts everything that did not fit
 * @side: side
 * @kind: kind
 *
 * Return: the additional row; NULL if all rows of the kind did fit.
 */
struct diff_series *diff_others(const struct diff_side *side, enum diff_kind kind)
{
	const struct diff_series others = { .kind = kind, .name = OTHERS };

	return diff_row_like(side, &others);
}

/* Return whether some rows did not fit. */
bool diff_is_full(const struct diff_side *side)
{
	for (int kind = 0; kind < DIFF_KINDS; kind++)
		if (diff_others(side, (enum diff_kind)kind))
			return true;
	return false;
}

static size_t diff_series_side_slice(const struct diff_side *side, int64_t ns)
{
	int64_t slice = tally_length(side->begin_ns, ns) / side->slice_ns;

	return slice < DIFF_SLICES ? (size_t)slice : DIFF_SLICES - 1;
}

/* Add a time to the slices in which it was spent. */
static void series_spend(const struct diff_side *side, struct diff_series *series,
			 const struct diff_item *item)
{
	size_t first = diff_series_side_slice(side, item->begin_ns),
	       last = diff_series_side_slice(side, item->end_ns);
	double length = (double)tally_length(item->begin_ns, item->end_ns);
	double time = item->time_ns > 0 ? (double)item->time_ns : 0, left = time;

	series->total_ns += time;
	for (size_t i = last; i > first; i--) {
		int64_t from = side->begin_ns + (int64_t)i * side->slice_ns;
		int64_t to = i == last ? item->end_ns : from + side->slice_ns;
		double part = length > 0 ? time * (double)tally_length(from, to) / length : 0;

		series->times[i] += part;
		series->squares += part * part;
		left -= part;
	}
	if (left < 0)
		left = 0;
	series->times[first] += left;
	series->squares += left * left;
}

static void series_forget_dist(struct diff_side *side, struct diff_series *series)
{
	series->no_dist = true;
	for (size_t i = 0; i < DIFF_BLOCKS; i++) {
		side->groups -= series->block[i].groups;
		dist_free(&series->block[i]);
	}
}

/*
 * Make the blocks twice as long by merging pairs. If this fails, the row loses its distributions.
 */
static int series_merge_blocks(struct diff_side *side, struct diff_series *series)
{
	struct dist *block = series->block;

	for (size_t i = 0; i < DIFF_BLOCKS; i += 2) {
		struct dist second = block[i + 1], *to = &block[i / 2];
		int failed;

		side->groups -= block[i].groups + second.groups;
		block[i + 1] = (struct dist){ 0 };
		if (i) {
			*to = block[i];
			block[i] = (struct dist){ 0 };
		}
		failed = dist_merge(to, &second);
		dist_free(&second);
		side->groups += to->groups;
		if (failed) {
			series_forget_dist(side, series);
			return -1;
		}
	}
	series->block_ns *= 2;
	return 0;
}

/*
 * Find the block of a duration. The blocks cover only the time from the first duration of the row
 * to the last one. If the blocks covered the whole window, a row with durations in only a short
 * part of the window would fill one or two blocks, which do not show how much the durations vary.
 * So the blocks are short at first, and get longer.
 */
static struct dist *series_block(struct diff_side *side, struct diff_series *series, int64_t ns)
{
	const int64_t longest_ns = side->slice_ns * (DIFF_SLICES / DIFF_BLOCKS);

	if (!series->block_ns) {
		series->block_ns = longest_ns / SHORTEST_BLOCK + 1;
		series->first_ns = ns;
	}
	while (tally_length(series->first_ns, ns) / series->block_ns >= DIFF_BLOCKS)
		if (series_merge_blocks(side, series))
			return NULL;
	return &series->block[tally_length(series->first_ns, ns) / series->block_ns];
}

/*
 * Add a duration to the distribution of its block. If all distributions together need too much
 * memory, the row loses its distributions.
 */
static int series_measure(struct diff_side *side, struct diff_series *series,
			  const struct diff_item *item)
{
	struct dist *dist;
	unsigned int before;

	if (series->no_dist)
		return 0;
	dist = series_block(side, series, item->end_ns);
	if (!dist)
		return -1;
	before = dist->groups;
	if (dist_add(dist, item->time_ns, item->end_ns))
		return -1;
	side->groups += dist->groups - before;
	if (side->groups > GROUPS_MAX)
		series_forget_dist(side, series);
	return 0;
}

/**
 * diff_add() - count an item in a row
 * @side: side
 * @series: row
 * @item: what happened
 *
 * Return: 0; -1 if an allocation fails.
 */
int diff_add(struct diff_side *side, struct diff_series *series, const struct diff_item *item)
{
	size_t slice = diff_series_side_slice(side, item->end_ns);

	series_spend(side, series, item);
	if (!item->ended)
		return 0;
	series->count++;
	series->counts[slice]++;
	series->failed += item->failed;
	series->fails[slice] += item->failed;
	return item->whole ? series_measure(side, series, item) : 0;
}
