// SPDX-License-Identifier: GPL-2.0
/*
 * Explains a sleep by what ended it: a thread, a request to a disk, a timer, a softirq or an
 * interrupt. The children of the sleep are the steps that led to the wake-up.
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/base/etype_ids.h"
#include "lib/text/constants.h"
#include "lib/text/context.h"
#include "lib/text/values.h"
#include "lkstla/value.h"
#include "why_of_cpu.h"

/* A CPU that takes no interrupt for longer than this has interrupts disabled. */
#define WHY_QUIET_NS 1000000

/* Numbers of softirqs */
#define WHY_SOFTIRQ_TIMER   1
#define WHY_SOFTIRQ_BLOCK   4
#define WHY_SOFTIRQ_HRTIMER 8

static const struct lkst_thread *why_thread_of(const struct why *why, uint32_t number)
{
	return number ? lkst_model_thread(why->run->model, number - 1) : NULL;
}

/* Limit a time to the interval of a segment. */
static int64_t why_clip(const struct why_segment *segment, int64_t time_ns)
{
	if (time_ns < segment->begin_ns)
		return segment->begin_ns;
	return time_ns > segment->end_ns ? segment->end_ns : time_ns;
}

static const char *why_function(const struct why *why, const struct why_segment *segment,
				uint64_t address, char text[96])
{
	return run_symbol(why->run, segment->thread->source, address, text, 96);
}

static const char *why_softirq_name(uint64_t number)
{
	const char *name = constant_name(LKST_FMT_SOFTIRQ, number);

	return name ? name : "of an unknown number";
}

/* ---- words ---- */

/* Describe a request to a disk. */
static void why_say_request(struct why *why, struct why_segment *segment,
			    const struct why_fact *fact, uint32_t source)
{
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_COMPLETE,
		.source = source,
		.arg = { fact->number, fact->value[0], fact->value[1] },
		.time_ns = fact->time_ns,
	};
	char device[VALUE_SIZE], operation[32];

	value_text(why->run, &event, "device", device, sizeof(device));
	value_text(why->run, &event, "operation", operation, sizeof(operation));
	why_say(segment, "%s of %" PRIu64 " bytes on %s, sector %" PRIu64, operation,
		fact->value[1] >> 32, device, fact->value[0]);
}

static void why_say_disk(struct why *why, struct why_segment *segment, const struct why_fact *fact)
{
	const struct lkst_thread *issuer = why_thread_of(why, fact->thread);
	char name[40], ms[32];

	why_say(segment, ": ");
	why_say_request(why, segment, fact, segment->thread->source);
	if (!fact->since_ns) {
		why_say(segment, ", issued before the events of this analysis");
		return;
	}
	why_say(segment, ", issued by %s",
		issuer ? run_thread_name(why->run, issuer, name) : "an interrupt");
	if (fact->queue_ns)
		why_say(segment, ", %s in the queue", why_ms(fact->queue_ns, ms));
	why_say(segment, ", %s in the device", why_ms(fact->time_ns - fact->since_ns, ms));
}

static void why_say_armed(struct why *why, struct why_segment *segment, const struct why_fact *fact)
{
	const struct lkst_thread *thread = why_thread_of(why, fact->thread);
	char name[40], ms[32];

	if (fact->since_ns)
		why_say(segment, ", armed by %s %s before",
			thread ? run_thread_name(why->run, thread, name) : "an interrupt",
			why_ms(fact->time_ns - fact->since_ns, ms));
}

static void why_say_raised(struct why *why, struct why_segment *segment,
			   const struct why_fact *fact)
{
	const struct lkst_thread *thread = why_thread_of(why, fact->thread);
	char name[40];

	if (!fact->since_ns)
		why_say(segment, ", raised by an unknown cause%s",
			lkst_model_saw(why->run->model, LKST_ETYPE_INT_SOFTIRQ_RAISE) ?
				"" :
				" (int_softirq_raise was not recorded)");
	else if (fact->extra == WHY_LOCAL_TIMER)
		why_say(segment, ", raised in the local timer interrupt");
	else if (fact->extra)
		why_say(segment, ", raised in irq %u", fact->extra - 1);
	else if (thread)
		why_say(segment, ", raised by %s", run_thread_name(why->run, thread, name));
	else
		why_say(segment, ", raised in an interrupt or softirq");
}

/* Say which event would explain the interrupt or softirq, but is missing from the trace. */
static void why_say_missing(struct why *why, struct why_segment *segment,
			    const struct why_fact *fact)
{
	static const struct {
		uint8_t detail;
		uint64_t number;
		uint32_t type;
		const char *name, *what;
	} rows[] = {
		{ WHY_DETAIL_IRQ, 0, LKST_ETYPE_TIMER_HR_RUN_ENTRY, "timer_hr_run_entry", "timer" },
		{ WHY_DETAIL_SOFTIRQ, WHY_SOFTIRQ_TIMER, LKST_ETYPE_TIMER_RUN_ENTRY,
		  "timer_run_entry", "timer" },
		{ WHY_DETAIL_SOFTIRQ, WHY_SOFTIRQ_HRTIMER, LKST_ETYPE_TIMER_HR_RUN_ENTRY,
		  "timer_hr_run_entry", "timer" },
		{ WHY_DETAIL_SOFTIRQ, WHY_SOFTIRQ_BLOCK, LKST_ETYPE_BLOCK_COMPLETE,
		  "block_complete", "request" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool applies = rows[i].detail == WHY_DETAIL_IRQ ? fact->extra == WHY_LOCAL_TIMER :
								  fact->number == rows[i].number;

		if (rows[i].detail == fact->detail && applies &&
		    !lkst_model_saw(why->run->model, rows[i].type))
			why_say(segment, " (the %s is unknown: %s was not recorded)", rows[i].what,
				rows[i].name);
	}
}

/**
 * why_say_fact() - say what is known about the wake-up that ended a sleep
 * @why: state of the analysis
 * @segment: BLOCKED segment with a fact
 */
void why_say_fact(struct why *why, struct why_segment *segment)
{
	const struct why_fact *fact = segment->fact;
	char symbol[96], ms[32], device[17];
	const struct lkst_event packet = {
		.arg = { fact ? fact->value[0] : 0, fact ? fact->value[1] : 0 },
	};
	const char *signal;

	if (!fact)
		return;
	switch (fact->detail) {
	case WHY_DETAIL_DISK:
		why_say_disk(why, segment, fact);
		break;
	case WHY_DETAIL_HRTIMER:
		if (fact->until_ns)
			why_say(segment, ", %s late", why_ms(fact->time_ns - fact->until_ns, ms));
		why_say_armed(why, segment, fact);
		break;
	case WHY_DETAIL_TIMER:
		why_say_armed(why, segment, fact);
		break;
	case WHY_DETAIL_SOFTIRQ:
		why_say_raised(why, segment, fact);
		lkst_event_text(&packet, 0, 2, device);
		if (*device)
			why_say(segment, ", packet from %s", device);
		break;
	case WHY_DETAIL_IPI:
		if (fact->number)
			why_say(segment, " for %s",
				why_function(why, segment, fact->number, symbol));
		break;
	default:
		break;
	}
	why_say_missing(why, segment, fact);
	if (!fact->signal)
		return;
	signal = constant_name(LKST_FMT_SIG, fact->signal);
	why_say(segment, ", signal %s", signal ? signal : "");
	if (!signal)
		why_say(segment, "%u", fact->signal);
}

/* ---- children ---- */

/*
 * Add a segment for the time until a step that led to the wake-up. The caller adds words that
 * describe the step. Returns NULL if the segment would be empty.
 */
static struct why_segment *why_add_until(struct why *why, size_t parent, int64_t end_ns,
					 const struct lkst_thread *actor)
{
	const struct why_segment *of = &why->pool[parent];
	struct why_segment *segment =
		why_add(why, parent, WHY_UNTIL, of->begin_ns, why_clip(of, end_ns));

	if (!segment)
		return NULL;
	segment->thread = why->pool[parent].thread;
	/* @actor is never the sleeping thread, which cannot act while it sleeps. */
	segment->other = actor;
	return segment;
}

static struct why_segment *why_add_step(struct why *why, size_t parent, enum why_kind kind,
					int64_t begin_ns, int64_t end_ns)
{
	const struct why_segment *of = &why->pool[parent];
	struct why_segment *segment =
		why_add(why, parent, kind, why_clip(of, begin_ns), why_clip(of, end_ns));

	if (!segment)
		return NULL;
	segment->thread = why->pool[parent].thread;
	segment->cpu = why->pool[parent].cpu;
	return segment;
}

static void why_of_disk(struct why *why, size_t parent, const struct why_fact *fact)
{
	const struct lkst_thread *issuer = why_thread_of(why, fact->thread);
	const struct lkst_thread *ahead = why_thread_of(why, fact->ahead);
	int64_t end_ns = why->pool[parent].end_ns;
	struct why_segment *segment;
	char name[40], ms[32];

	segment = why_add_until(why, parent, fact->since_ns, issuer);
	if (segment)
		why_say(segment, "until %s issued the request",
			issuer ? run_thread_name(why->run, issuer, name) : "an interrupt");
	if (segment && fact->queue_ns)
		why_say(segment, ", %s after it was queued", why_ms(fact->queue_ns, ms));
	segment = why_add_step(why, parent, WHY_DISK, fact->since_ns, end_ns);
	if (!segment)
		return;
	why_say(segment, "in the device: ");
	why_say_request(why, segment, fact, segment->thread->source);
	if (!fact->extra)
		return;
	why_say(segment, ", behind %u request%s in progress", fact->extra,
		fact->extra == 1 ? "" : "s");
	if (ahead)
		why_say(segment, ", the latest issued by %s",
			run_thread_name(why->run, ahead, name));
}

static void why_of_hrtimer(struct why *why, size_t parent, const struct why_fact *fact)
{
	int64_t end_ns = why->pool[parent].end_ns, quiet_ns;
	struct why_segment *segment;
	char symbol[96], ms[32];

	segment = why_add_step(why, parent, WHY_TIMER, INT64_MIN, fact->until_ns);
	if (segment)
		why_say(segment, "until the timer %s was to expire",
			why_function(why, segment, fact->number, symbol));
	segment = why_add_step(why, parent, WHY_PENDING, fact->until_ns, end_ns);
	if (!segment)
		return;
	why_say(segment, "the timer was late on CPU %d", segment->cpu);
	quiet_ns = why_cpu_quiet(why, segment);
	if (quiet_ns > WHY_QUIET_NS)
		why_say(segment, ", which took no interrupt for %s", why_ms(quiet_ns, ms));
}

static void why_of_softirq(struct why *why, size_t parent, const struct why_fact *fact)
{
	const struct lkst_thread *raiser = why_thread_of(why, fact->thread);
	const char *name = why_softirq_name(fact->number);
	int64_t end_ns = why->pool[parent].end_ns;
	struct why_segment *segment;

	segment = why_add_until(why, parent, fact->since_ns, raiser);
	if (segment) {
		why_say(segment, "until softirq %s", name);
		why_say_raised(why, segment, fact);
	}
	segment = why_add_step(why, parent, WHY_PENDING, fact->since_ns, fact->until_ns);
	if (segment)
		why_say(segment, "softirq %s waited on CPU %d", name, segment->cpu);
	segment = why_add_step(why, parent, WHY_HANDLER, fact->until_ns, end_ns);
	if (segment)
		why_say(segment, "softirq %s ran on CPU %d", name, segment->cpu);
}

/* Explain an interrupt. If another CPU sent it, a thread on that CPU may be the cause. */
static void why_of_irq(struct why *why, size_t parent, const struct why_fact *fact)
{
	const struct lkst_thread *sender = why_thread_of(why, fact->thread);
	int64_t end_ns = why->pool[parent].end_ns;
	bool sent = fact->detail == WHY_DETAIL_IPI && fact->since_ns;
	struct why_segment *segment;
	char name[40];

	segment = why_add_until(why, parent, sent ? fact->since_ns : fact->until_ns, sender);
	if (segment && sent)
		why_say(segment, "until %s sent an interrupt to CPU %d",
			sender ? run_thread_name(why->run, sender, name) : "another CPU",
			why->pool[parent].cpu);
	else if (segment)
		why_say(segment, "until the interrupt occurred");
	if (sent) {
		segment = why_add_step(why, parent, WHY_PENDING, fact->since_ns, fact->until_ns);
		if (segment)
			why_say(segment, "the interrupt waited on CPU %d", segment->cpu);
	}
	segment = why_add_step(why, parent, WHY_HANDLER, fact->until_ns, end_ns);
	if (segment)
		why_say(segment, "the interrupt ran on CPU %d", segment->cpu);
}

/**
 * why_of_wake() - make the children of a sleep
 * @why: state of the analysis
 * @parent: index of the BLOCKED segment
 */
void why_of_wake(struct why *why, size_t parent)
{
	const struct why_segment *segment = &why->pool[parent];
	const struct why_fact *fact = segment->fact;

	if (segment->other) {
		why_of_thread(why, parent, segment->other, segment->begin_ns, segment->end_ns);
	} else if (fact && fact->detail == WHY_DETAIL_DISK && fact->since_ns) {
		why_of_disk(why, parent, fact);
	} else if (fact && fact->detail == WHY_DETAIL_HRTIMER && fact->until_ns) {
		why_of_hrtimer(why, parent, fact);
	} else if (fact && fact->detail == WHY_DETAIL_SOFTIRQ && fact->since_ns) {
		why_of_softirq(why, parent, fact);
	} else if (fact && (fact->detail == WHY_DETAIL_IRQ || fact->detail == WHY_DETAIL_IPI)) {
		why_of_irq(why, parent, fact);
	}
}
