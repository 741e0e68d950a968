/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits the number of segments at one level of a tree: each of the longest pieces of the
 * explained time becomes a segment, and all pieces between two of these become a single segment.
 */
#ifndef _LKSTLA_WHY_PIECES_H
#define _LKSTLA_WHY_PIECES_H

#include "why.h"

/**
 * struct why_longest - finds the longest pieces
 * @max: number of pieces that may get separate segments
 * @num: number of pieces so far, up to @max
 * @more: whether there are more than @max pieces
 * @heap: lengths of the longest pieces, a heap with the shortest one at the top
 * @ties: number of further pieces as long as @heap[0] that may get separate segments
 */
struct why_longest {
	size_t max;
	size_t num;
	bool more;
	int64_t *heap;
	size_t ties;
};

/**
 * struct why_rest - consecutive short pieces
 * @num: number of pieces
 * @begin_ns: start
 * @end_ns: end
 * @ns: their total length, by kind
 */
struct why_rest {
	size_t num;
	int64_t begin_ns;
	int64_t end_ns;
	int64_t ns[WHY_KINDS];
};

void why_longest_init(struct why_longest *longest, const struct why *why);
void why_longest_note(struct why_longest *longest, int64_t ns);
void why_longest_end(struct why_longest *longest);
bool why_longest_keeps(struct why_longest *longest, int64_t ns);
void why_rest_add(struct why_rest *rest, enum why_kind kind, int64_t begin_ns, int64_t end_ns);
bool why_rest_say(struct why *why, size_t parent, struct why_rest *rest);

#endif
