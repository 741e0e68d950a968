// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "why_pieces.h"

void why_longest_init(struct why_longest *longest, const struct why *why)
{
	*longest = (struct why_longest){ .max = why->width, .heap = why->lengths };
}

/* Restore the order of the heap after its first element has changed. */
static void why_longest_sift(struct why_longest *longest)
{
	int64_t *heap = longest->heap;
	size_t at = 0;

	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < longest->num;
		     child++)
			if (heap[child] < heap[least])
				least = child;
		if (least == at)
			return;
		int64_t ns = heap[at];

		heap[at] = heap[least];
		heap[least] = ns;
		at = least;
	}
}

/* In the first of two passes: note the length of a piece. */
void why_longest_note(struct why_longest *longest, int64_t ns)
{
	int64_t *heap = longest->heap;

	if (longest->num == longest->max) {
		longest->more = true;
		if (ns > heap[0]) {
			heap[0] = ns;
			why_longest_sift(longest);
		}
		return;
	}
	heap[longest->num] = ns;
	for (size_t at = longest->num++; at && heap[at] < heap[(at - 1) / 2]; at = (at - 1) / 2) {
		heap[at] = heap[(at - 1) / 2];
		heap[(at - 1) / 2] = ns;
	}
}

/* End the first pass. */
void why_longest_end(struct why_longest *longest)
{
	for (size_t i = 0; i < longest->num; i++)
		longest->ties += longest->heap[i] == longest->heap[0];
}

/* In the second pass: return whether a piece is long enough to get a separate segment. */
bool why_longest_keeps(struct why_longest *longest, int64_t ns)
{
	if (!longest->more || ns > longest->heap[0])
		return true;
	if (ns < longest->heap[0] || !longest->ties)
		return false;
	longest->ties--;
	return true;
}

void why_rest_add(struct why_rest *rest, enum why_kind kind, int64_t begin_ns, int64_t end_ns)
{
	if (!rest->num++)
		rest->begin_ns = begin_ns;
	rest->end_ns = end_ns;
	rest->ns[kind] += end_ns - begin_ns;
}

/*
 * Add one segment for several short pieces, and clear @rest. Returns true if @rest has only one
 * piece: then the caller must add an ordinary segment for it.
 */
bool why_rest_say(struct why *why, size_t parent, struct why_rest *rest)
{
	static const char *const words[WHY_KINDS] = {
		[WHY_RUNNING] = "running", [WHY_RUNNABLE] = "runnable",	 [WHY_BLOCKED] = "blocked",
		[WHY_UNKNOWN] = "unknown", [WHY_ABSENT] = "not created", [WHY_CPU] = NULL,
	};
	struct why_segment *segment;
	const char *separator = ": ";
	char ms[32];

	if (rest->num < 2) {
		bool lone = rest->num;

		*rest = (struct why_rest){ 0 };
		return lone;
	}
	segment = why_add(why, parent, WHY_MANY, rest->begin_ns, rest->end_ns);
	if (segment) {
		segment->cut = true;
		segment->explained = !rest->ns[WHY_UNKNOWN];
		why_say(segment, "... %zu shorter segments", rest->num);
		for (int kind = 0; kind < WHY_KINDS; kind++)
			if (words[kind] && rest->ns[kind]) {
				why_say(segment, "%s%s %s", separator, words[kind],
					why_ms(rest->ns[kind], ms));
				separator = ", ";
			}
	}
	*rest = (struct why_rest){ 0 };
	return false;
}
