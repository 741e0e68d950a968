// SPDX-License-Identifier: GPL-2.0
/*
 * Explains a delay as a tree of segments.
 *
 * The segments of a delay cover it without gaps or overlaps, and so do the children of a segment.
 * The tree grows from the top: the pool is also the queue of segments whose children have not been
 * made. So the limits cut the deepest levels, and damaged input cannot cause an endless recursion.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "why.h"

/**
 * why_add() - add a segment after the other children of its parent
 * @why: state of the analysis
 * @parent: index of the parent; 0: the segment is a part of the delay
 * @kind: kind
 * @begin_ns: start: the end of the previous child
 * @end_ns: end
 *
 * Return: the segment, valid until the next call; NULL if it would be empty, or if the pool is
 * full.
 */
struct why_segment *why_add(struct why *why, size_t parent, enum why_kind kind, int64_t begin_ns,
			    int64_t end_ns)
{
	struct why_segment *segment;

	if (begin_ns >= end_ns || why->segments == WHY_POOL)
		return NULL;
	segment = &why->pool[why->segments];
	*segment = (struct why_segment){ .kind = kind,
					 .explained = kind != WHY_UNKNOWN,
					 .begin_ns = begin_ns,
					 .end_ns = end_ns,
					 .cpu = -1,
					 .parent = parent,
					 .depth = parent ? why->pool[parent].depth + 1 : 0 };
	/*
	 * No segment with another parent is added before all children of this parent have been
	 * added.
	 */
	if (why->pool[why->segments - 1].parent == parent && why->segments > 1)
		why->pool[why->segments - 1].next = why->segments;
	else
		why->pool[parent].child = why->segments;
	why->segments++;
	return segment;
}

/**
 * why_say() - add words to the text of a segment
 * @segment: segment
 * @format: format as in printf(). What does not fit into the text is left out
 */
void why_say(struct why_segment *segment, const char *format, ...)
{
	size_t len = strlen(segment->text);
	va_list args;

	va_start(args, format);
	vsnprintf(segment->text + len, sizeof(segment->text) - len, format, args);
	va_end(args);
}

/* Format a duration. Returns @text. */
const char *why_ms(int64_t ns, char text[32])
{
	snprintf(text, 32, "%lld.%03lld ms", (long long)(ns / 1000000),
		 (long long)(ns / 1000 % 1000));
	return text;
}

/*
 * Return whether the thread that would explain a segment is already the thread of one of the
 * segment's ancestors. Then the time of that thread would explain itself.
 */
static bool why_is_cycle(const struct why *why, const struct why_segment *segment)
{
	if (segment->kind != WHY_BLOCKED && segment->kind != WHY_UNTIL)
		return false;
	for (size_t i = segment->parent; segment->other && i; i = why->pool[i].parent)
		if (why->pool[i].thread == segment->other)
			return true;
	return false;
}

/* A segment that is shorter than the delay divided by this number is not explained. */
#define WHY_PART 1000

/* Return whether a segment gets children, unless a limit prevents this. */
static bool why_has_children(const struct why_segment *segment, int64_t delay_ns)
{
	if (segment->end_ns - segment->begin_ns < delay_ns / WHY_PART)
		return false;
	switch (segment->kind) {
	case WHY_RUNNABLE:
	case WHY_PENDING:
		return segment->cpu >= 0;
	case WHY_BLOCKED:
		return segment->other || segment->fact;
	case WHY_UNTIL:
	case WHY_ABSENT:
		return segment->other;
	default:
		return false;
	}
}

static void why_add_children(struct why *why, size_t i)
{
	struct why_segment *segment = &why->pool[i];

	/* The pool must have room for as many children as a segment can have. */
	if (segment->depth + 1 >= why->depth || why_is_cycle(why, segment) ||
	    why->segments + 2 * why->width + 8 > WHY_POOL) {
		segment->cut = true;
		return;
	}
	if (segment->kind == WHY_BLOCKED)
		why_of_wake(why, i);
	else if (segment->kind == WHY_RUNNABLE || segment->kind == WHY_PENDING)
		why_of_cpu(why, i, segment->cpu, segment->begin_ns, segment->end_ns);
	else
		why_of_thread(why, i, segment->other, segment->begin_ns, segment->end_ns);
}

/**
 * why_explain() - make the tree of a delay
 * @why: state of the analysis; its pool receives the segments
 * @delay: delay
 */
void why_explain(struct why *why, const struct why_delay *delay)
{
	why->pool[0] = (struct why_segment){ 0 };
	why->segments = 1;
	why->call = delay->in_call ? &delay->call : NULL;
	why_of_thread(why, 0, delay->thread, delay->begin_ns, delay->end_ns);
	for (size_t i = 1; i < why->segments; i++)
		if (why_has_children(&why->pool[i], delay->end_ns - delay->begin_ns))
			why_add_children(why, i);
}

/**
 * why_explained() - get how much of a delay is explained
 * @why: state of the analysis, after why_explain()
 * @delay: delay
 *
 * Return: the fraction of the delay, from 0 to 1, whose segments at the top level have a known
 * cause.
 */
double why_explained(const struct why *why, const struct why_delay *delay)
{
	int64_t ns = 0;

	for (size_t i = why->pool[0].child; i; i = why->pool[i].next)
		if (why->pool[i].explained)
			ns += why->pool[i].end_ns - why->pool[i].begin_ns;
	return (double)ns / (double)(delay->end_ns - delay->begin_ns);
}
