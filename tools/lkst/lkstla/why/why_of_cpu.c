// SPDX-License-Identifier: GPL-2.0
/*
 * Explains a wait by what a CPU did.
 *
 * The time of interrupts and softirqs counts as time of the thread that they interrupted, or of the
 * idle thread. Otherwise, each interrupt would divide the time of a thread into two pieces.
 */
#include <stdio.h>

#include "why_of_cpu.h"
#include "why_pieces.h"

/* An idle CPU normally begins to run a waiting thread in less than this time. */
#define WHY_IDLE_NS 10000000

/* Another CPU is not mentioned if it was idle for less than this time. */
#define WHY_IDLE_LEAST_NS 100000

/* Get the span of the CPU at @walk->at_ns. Returns false if the history has no such span. */
static bool why_cpu_at(const struct why_cpu_walk *walk, struct lkst_cpu_span *span)
{
	bool there = lkst_history_cpu_span(walk->why->history, walk->source, walk->cpu, walk->index,
					   span);

	if (there && span->begin_ns <= walk->at_ns)
		return true;
	*span = (struct lkst_cpu_span){ .mode = LKST_MODE_UNKNOWN,
					.end_ns = there ? span->begin_ns : INT64_MAX };
	return false;
}

/**
 * why_cpu_next() - get the next piece of the time of a CPU
 * @walk: position; the caller sets @why, @source, @cpu, @at_ns and @end_ns
 * @piece: result
 *
 * Return: false if there are no more pieces.
 */
bool why_cpu_next(struct why_cpu_walk *walk, struct why_cpu_piece *piece)
{
	*piece = (struct why_cpu_piece){ .begin_ns = walk->at_ns };
	if (!walk->begun)
		walk->index = lkst_history_cpu_index(walk->why->history, walk->source, walk->cpu,
						     walk->at_ns);
	walk->begun = true;
	while (walk->at_ns < walk->end_ns) {
		struct lkst_cpu_span span;
		bool there = why_cpu_at(walk, &span), known = span.mode != LKST_MODE_UNKNOWN;
		int64_t end_ns = span.end_ns < walk->end_ns ? span.end_ns : walk->end_ns;
		const struct lkst_thread *thread = known ? span.thread : NULL;

		if (walk->at_ns > piece->begin_ns &&
		    (known != piece->known || thread != piece->thread))
			break;
		piece->known = known;
		piece->thread = thread;
		piece->mode_ns[span.mode] += end_ns - walk->at_ns;
		walk->at_ns = end_ns;
		walk->index += there && end_ns == span.end_ns;
	}
	piece->end_ns = walk->at_ns;
	return piece->end_ns > piece->begin_ns;
}

/**
 * why_cpu_quiet() - measure for how long a CPU took no interrupt although one was pending
 * @why: state of the analysis
 * @segment: segment that begins when the interrupt became pending
 *
 * Return: the duration; 0 if the CPU was idle, or if the duration is not known.
 */
int64_t why_cpu_quiet(const struct why *why, const struct why_segment *segment)
{
	uint32_t source = segment->thread->source;
	size_t i = lkst_history_cpu_index(why->history, source, segment->cpu, segment->begin_ns);
	struct lkst_cpu_span span;

	while (lkst_history_cpu_span(why->history, source, segment->cpu, i++, &span) &&
	       span.begin_ns < segment->end_ns) {
		if (span.mode == LKST_MODE_IDLE || span.mode == LKST_MODE_UNKNOWN)
			return 0;
		if (span.mode == LKST_MODE_HARDIRQ)
			return span.begin_ns > segment->begin_ns ?
				       span.begin_ns - segment->begin_ns :
				       0;
	}
	return 0;
}

/* ---- words ---- */

/**
 * why_say_modes() - say how long a CPU was in each mode
 * @segment: segment; " (user 1.000 ms, kernel 2.000 ms)" is added to its text
 * @mode_ns: time by mode
 */
void why_say_modes(struct why_segment *segment, const int64_t mode_ns[LKST_MODES_MAX])
{
	static const char *const words[LKST_MODE_NUM] = {
		"unknown",
		"idle",
		"user",
		"kernel",
		NULL,
		"taken by softirqs",
		"taken by interrupts",
	};
	const char *separator = " (";
	int64_t all_ns = 0;
	char ms[32];

	for (int mode = 0; mode < LKST_MODE_NUM; mode++)
		all_ns += mode_ns[mode];
	/* If the trace has no system calls, the mode of a thread is unknown, and is left out. */
	for (int mode = LKST_MODE_IDLE; mode < LKST_MODE_NUM; mode++) {
		if (!words[mode] || !mode_ns[mode])
			continue;
		if (mode_ns[mode] == all_ns)
			why_say(segment, " (%s", words[mode]);
		else
			why_say(segment, "%s%s %s", separator, words[mode],
				why_ms(mode_ns[mode], ms));
		separator = ", ";
	}
	if (mode_ns[LKST_MODE_UNKNOWN])
		why_say(segment, "%sunknown %s", separator, why_ms(mode_ns[LKST_MODE_UNKNOWN], ms));
	if (*separator == ',' || mode_ns[LKST_MODE_UNKNOWN])
		why_say(segment, ")");
}

static void why_say_piece(struct why *why, size_t parent, int32_t cpu,
			  const struct why_cpu_piece *piece)
{
	struct why_segment *segment = why_add(why, parent, WHY_CPU, piece->begin_ns, piece->end_ns);
	char name[40];

	if (!segment)
		return;
	segment->cpu = cpu;
	segment->explained = piece->known;
	segment->other = piece->thread;
	if (!piece->known) {
		why_say(segment, "what CPU %d did is unknown", cpu);
		return;
	}
	why_say(segment, "CPU %d: %s", cpu,
		piece->thread ? run_thread_name(why->run, piece->thread, name) : "idle");
	if (piece->thread || piece->mode_ns[LKST_MODE_IDLE] < piece->end_ns - piece->begin_ns)
		why_say_modes(segment, piece->mode_ns);
}

/**
 * why_of_cpu() - make segments of what a CPU did
 * @why: state of the analysis
 * @parent: index of the segment that gets these children; it is about a thread
 * @cpu: CPU
 * @begin_ns: start
 * @end_ns: end
 */
void why_of_cpu(struct why *why, size_t parent, int32_t cpu, int64_t begin_ns, int64_t end_ns)
{
	const struct why_cpu_walk start = { .why = why,
					    .source = why->pool[parent].thread->source,
					    .cpu = cpu,
					    .at_ns = begin_ns,
					    .end_ns = end_ns };
	struct why_cpu_walk walk = start;
	struct why_longest longest;
	struct why_cpu_piece piece, lone;
	struct why_rest rest = { 0 };

	why_longest_init(&longest, why);
	while (why_cpu_next(&walk, &piece))
		why_longest_note(&longest, piece.end_ns - piece.begin_ns);
	/* The text of the parent already says what a single child would say. */
	if (longest.num == 1 && !longest.more && why->pool[parent].kind == WHY_RUNNABLE)
		return;
	why_longest_end(&longest);
	for (walk = start; why_cpu_next(&walk, &piece);) {
		if (!why_longest_keeps(&longest, piece.end_ns - piece.begin_ns)) {
			why_rest_add(&rest, WHY_CPU, piece.begin_ns, piece.end_ns);
			lone = piece;
			continue;
		}
		if (why_rest_say(why, parent, &rest))
			why_say_piece(why, parent, cpu, &lone);
		why_say_piece(why, parent, cpu, &piece);
	}
	if (why_rest_say(why, parent, &rest))
		why_say_piece(why, parent, cpu, &lone);
}

/* ---- a wait for a CPU ---- */

/* The threads that a CPU ran while another thread waited for that CPU */
struct why_queue {
	const struct lkst_thread *thread; /* of the longest piece */
	int64_t longest_ns;
	int64_t taken_ns[LKST_MODES_MAX]; /* of the longest piece; THREAD: without interrupts */
	size_t pieces;
	int64_t ns; /* total time of all threads */
	int64_t idle_ns;
	int64_t unknown_ns;
};

static void why_queue_find(struct why *why, const struct why_segment *segment, int32_t cpu,
			   struct why_queue *queue)
{
	struct why_cpu_walk walk = { .why = why,
				     .source = segment->thread->source,
				     .cpu = cpu,
				     .at_ns = segment->begin_ns,
				     .end_ns = segment->end_ns };
	struct why_cpu_piece piece;

	*queue = (struct why_queue){ 0 };
	while (why_cpu_next(&walk, &piece)) {
		int64_t ns = piece.end_ns - piece.begin_ns;

		if (!piece.known)
			queue->unknown_ns += ns;
		else if (!piece.thread)
			queue->idle_ns += ns;
		else
			queue->ns += ns;
		if (!piece.thread)
			continue;
		queue->pieces++;
		if (ns <= queue->longest_ns)
			continue;
		queue->longest_ns = ns;
		queue->thread = piece.thread;
		queue->taken_ns[LKST_MODE_SOFTIRQ] = piece.mode_ns[LKST_MODE_SOFTIRQ];
		queue->taken_ns[LKST_MODE_HARDIRQ] = piece.mode_ns[LKST_MODE_HARDIRQ];
		queue->taken_ns[LKST_MODE_THREAD] = ns - piece.mode_ns[LKST_MODE_SOFTIRQ] -
						    piece.mode_ns[LKST_MODE_HARDIRQ];
	}
}

/*
 * Name the other CPU that was idle longest while the thread waited, if it was idle for at least a
 * tenth of the wait.
 */
static void why_say_idle(struct why *why, struct why_segment *segment)
{
	int64_t least = (segment->end_ns - segment->begin_ns) / 10, most = 0;
	struct why_queue queue;
	int32_t found = -1;
	char ms[32];

	for (int32_t cpu = 0; (size_t)cpu < why->facts.cpus; cpu++) {
		if (cpu == segment->cpu)
			continue;
		why_queue_find(why, segment, cpu, &queue);
		if (queue.idle_ns <= most || queue.idle_ns < least ||
		    queue.idle_ns < WHY_IDLE_LEAST_NS)
			continue;
		most = queue.idle_ns;
		found = cpu;
	}
	if (found >= 0)
		why_say(segment, "; CPU %d was idle for %s of it", found, why_ms(most, ms));
}

/**
 * why_say_queue() - say what kept a thread from running
 * @why: state of the analysis
 * @segment: RUNNABLE segment
 */
void why_say_queue(struct why *why, struct why_segment *segment)
{
	int64_t ns = segment->end_ns - segment->begin_ns;
	struct why_queue queue;
	char name[40], ms[32];

	why_queue_find(why, segment, segment->cpu, &queue);
	if (queue.thread && queue.longest_ns >= ns - ns / 10) {
		why_say(segment, ", held by %s for %s without a switch",
			run_thread_name(why->run, queue.thread, name),
			why_ms(queue.longest_ns, ms));
		if (queue.taken_ns[LKST_MODE_SOFTIRQ] + queue.taken_ns[LKST_MODE_HARDIRQ] > ns / 2)
			why_say_modes(segment, queue.taken_ns);
	} else if (queue.thread) {
		why_say(segment, ", behind %s (%s)", run_thread_name(why->run, queue.thread, name),
			why_ms(queue.longest_ns, ms));
		if (queue.pieces > 1)
			why_say(segment, " and %zu more run%s of threads", queue.pieces - 1,
				queue.pieces == 2 ? "" : "s");
	}
	if (queue.unknown_ns > ns / 2) {
		segment->explained = false;
		why_say(segment, "; what CPU %d did is unknown for %s of it", segment->cpu,
			why_ms(queue.unknown_ns, ms));
	}
	if (queue.idle_ns > ns / 2 && !queue.thread)
		why_say(segment, ", which was idle for %s of it", why_ms(queue.idle_ns, ms));
	else if (queue.idle_ns > ns / 2)
		why_say(segment, "; CPU %d itself was idle for %s of it", segment->cpu,
			why_ms(queue.idle_ns, ms));
	if (queue.idle_ns > ns / 2 && queue.idle_ns > WHY_IDLE_NS)
		why_say(segment,
			" (no event shows whether cpu.max or affinity kept it from running)");
	why_say_idle(why, segment);
}
