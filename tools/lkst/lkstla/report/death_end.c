// SPDX-License-Identifier: GPL-2.0
/* Describes the end of the trace, for text and JSON. */
#include <stdio.h>
#include <string.h>

#include "death.h"
#include "lib/base/etype_ids.h"
#include "lib/base/printable.h"
#include "lkstla/contexts.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"

/**
 * death_finish() - draw conclusions from what was seen, if the machine may have died
 * @ctx: what was seen, after the last event
 * @err: set if an allocation fails
 */
int death_finish(void *ctx, struct lkst_error *err)
{
	struct death *death = ctx;

	if (!death_applies(death))
		return 0;
	death_finish_off(death);
	death_finish_requests(death);
	return death_graph(death, err);
}

/**
 * death_span() - format a duration
 * @ns: duration
 * @text: result, such as "12.304 s"
 *
 * Return: @text.
 */
const char *death_span(int64_t ns, char text[32])
{
	if (ns >= 1000000000)
		snprintf(text, 32, "%lld.%03lld s", (long long)(ns / 1000000000),
			 (long long)(ns / 1000000 % 1000));
	else
		snprintf(text, 32, "%lld.%03lld ms", (long long)(ns / 1000000),
			 (long long)(ns / 1000 % 1000));
	return text;
}

/*
 * Format how long a thread has been in its state. If the trace does not show when the state began,
 * this is a minimum.
 */
static const char *death_since(const struct death *death, const struct lkst_thread *thread,
			       char text[48])
{
	bool known = thread->created || thread->since_ns != thread->first_ns ||
		     (thread->index < death->knowns && death->known[thread->index]);
	char span[32];

	snprintf(text, 48, "%s%s", known ? "" : "at least ",
		 death_span(tally_length(thread->since_ns, death->run->end_ns), span));
	return text;
}

/**
 * death_name() - format the name and the ID of a thread
 * @death: what was seen
 * @tid: thread ID
 * @text: result
 *
 * Return: @text.
 */
const char *death_name(const struct death *death, uint32_t tid, char text[DEATH_NAME])
{
	const struct lkst_thread *thread = death_thread(death, tid);
	char name[40];

	if (thread)
		run_thread_name(death->run, thread, name);
	else if (!tid)
		strcpy(name, "idle");
	else if (tid == DEATH_TID_NONE)
		strcpy(name, "an unknown thread");
	else
		snprintf(name, sizeof(name), "%u", tid);
	return lkst_printable(name, strlen(name), text, DEATH_NAME);
}

/* ---- messages ---- */

static const char *death_lockup_words(const struct lkst_event *event)
{
	switch (event->arg[1]) {
	case LKST_LOCKUP_SOFT:
		return "soft lockup";
	case LKST_LOCKUP_HARD:
		return "hard lockup";
	case LKST_LOCKUP_TASK:
		return "task is hung";
	case LKST_LOCKUP_RCU:
		return "RCU stall";
	default:
		return "lockup";
	}
}

/**
 * death_message_text() - format a message
 * @death: what was seen
 * @message: message
 * @text: result, printable
 * @size: size of @text in bytes
 */
void death_message_text(const struct death *death, const struct death_message *message, char *text,
			size_t size)
{
	const struct lkst_event *event = &message->event;
	char raw[DEATH_TEXT], first[VALUE_SIZE], second[VALUE_SIZE], name[DEATH_NAME];
	size_t len;

	switch (event->type) {
	case LKST_ETYPE_OOPS_PANIC:
		lkst_event_text(event, 0, 4, first);
		snprintf(raw, sizeof(raw), "panic: %s%s", first, strlen(first) == 32 ? "..." : "");
		break;
	case LKST_ETYPE_OOPS_DIE:
		snprintf(raw, sizeof(raw), "oops: %s at %s",
			 value_text(death->run, event, "trap", first, sizeof(first)),
			 value_text(death->run, event, "ip", second, sizeof(second)));
		break;
	case LKST_ETYPE_OOPS_WARN:
		snprintf(raw, sizeof(raw), "warning: %s at %s",
			 value_text(death->run, event, "detector", first, sizeof(first)),
			 value_text(death->run, event, "id", second, sizeof(second)));
		break;
	case LKST_ETYPE_OOPS_LOCKUP:
		snprintf(raw, sizeof(raw), "%s: %s", death_lockup_words(event),
			 death_name(death, (uint32_t)event->arg[0], name));
		break;
	case LKST_ETYPE_OOPS_PRINTK:
		lkst_event_text(event, 1, 3, first);
		snprintf(raw, sizeof(raw), "%s%s", first,
			 (uint32_t)event->arg[0] > strlen(first) ? "..." : "");
		break;
	default:
		snprintf(raw, sizeof(raw), "%s", message->text);
	}
	len = strlen(raw);
	while (len && (raw[len - 1] == '\n' || raw[len - 1] == ' '))
		len--;
	lkst_printable(raw, len, text, size);
}

/*
 * Return the message at index @i in a ring, where the oldest one has index 0; NULL after the last
 * one.
 */
static const struct death_message *death_ring_at(const struct death_ring *ring, uint64_t i)
{
	uint64_t kept = ring->num < ring->room ? ring->num : ring->room;

	return i < kept ? &ring->message[(ring->num - kept + i) % ring->room] : NULL;
}

/**
 * death_messages() - list the latest messages in order of time
 * @death: what was seen
 * @list: result
 *
 * Return: the number of messages.
 */
size_t death_messages(const struct death *death, const struct death_message *list[DEATH_LISTED])
{
	const struct death_ring *lines = death->lines.num ? &death->lines : &death->heads;
	uint64_t i = 0, k = 0;
	size_t num = 0;

	while (num < DEATH_LISTED) {
		const struct death_message *oops = death_ring_at(&death->oopses, i);
		const struct death_message *line = death_ring_at(lines, k);

		if (!oops && !line)
			break;
		if (!line || (oops && oops->event.time_ns <= line->event.time_ns)) {
			list[num++] = oops;
			i++;
		} else {
			list[num++] = line;
			k++;
		}
	}
	return num;
}

/* ---- CPUs ---- */

static const char *const death_modes[LKST_MODE_NUM] = {
	[LKST_MODE_UNKNOWN] = "what it did is unknown",
	[LKST_MODE_IDLE] = "idle",
	[LKST_MODE_USER] = "in user mode",
	[LKST_MODE_KERNEL] = "in the kernel",
	[LKST_MODE_THREAD] = "in user mode or in the kernel",
	[LKST_MODE_SOFTIRQ] = "interrupted",
	[LKST_MODE_HARDIRQ] = "interrupted",
};

static bool death_context_is_of(const struct death_cpu *cpu, int32_t number,
				const struct lkst_context_span *span)
{
	if (span->kind == LKST_CONTEXT_WORK || span->kind == LKST_CONTEXT_EXCEPTION)
		return span->thread && span->thread == cpu->thread;
	return span->cpu == number;
}

static void death_put_contexts(const struct death *death, int32_t number, FILE *to)
{
	char name[CONTEXT_NAME_SIZE], span[32];

	for (size_t i = 0; i < death->contexts; i++) {
		const struct lkst_context_span *context = &death->context[i];
		const struct context_row row = { .id = context_id(context) };

		if (context->end_ns != death->run->end_ns ||
		    !death_context_is_of(&death->cpu[number], number, context))
			continue;
		fprintf(to, ", in %s %s", context_kinds[context->kind],
			context_name(death->run, &row, name));
		fprintf(to, " for %s%s", context->begin_known ? "" : "at least ",
			death_span(tally_length(context->begin_ns, context->end_ns), span));
	}
}

/**
 * death_doing() - say what a CPU was doing at the end, and for how long
 * @death: what was seen
 * @cpu: CPU with events
 * @to: stream
 */
void death_doing(const struct death *death, int32_t cpu, FILE *to)
{
	const struct death_cpu *of = &death->cpu[cpu];
	const struct lkst_thread *thread = of->thread;
	int64_t end_ns = death->run->end_ns;
	char name[DEATH_NAME], span[32], since[48], call[32];

	if (!of->spanned || (of->mode == LKST_MODE_UNKNOWN && !thread)) {
		fputs(death_modes[LKST_MODE_UNKNOWN], to);
		return;
	}
	if (!thread) {
		fprintf(to, "idle for %s%s", of->begin_ns > death->run->begin_ns ? "" : "at least ",
			death_span(tally_length(of->begin_ns, end_ns), span));
		death_put_contexts(death, cpu, to);
		return;
	}
	fprintf(to, "%s for %s, %s", death_name(death, thread->tid, name),
		death_since(death, thread, since), death_modes[of->mode]);
	if (thread->syscall != LKST_SYSCALL_NONE)
		fprintf(to, ", in the system call %s for %s",
			run_syscall_name(thread, thread->syscall, thread->abi, call),
			death_span(tally_length(thread->syscall_ns, end_ns), span));
	death_put_contexts(death, cpu, to);
}

/* ---- threads ---- */

/**
 * death_state() - say what a thread was doing at the end
 * @death: what was seen
 * @thread: thread
 * @text: result, such as "has slept for 3.000 s in the system call fsync"; "" if it is unknown
 *
 * Return: @text.
 */
const char *death_state(const struct death *death, const struct lkst_thread *thread,
			char text[DEATH_STATE])
{
	bool calls = thread->syscall != LKST_SYSCALL_NONE;
	char span[48], call[32] = "";

	death_since(death, thread, span);
	if (calls)
		run_syscall_name(thread, thread->syscall, thread->abi, call);
	*text = 0;
	if (thread->state == LKST_STATE_RUNNING)
		snprintf(text, DEATH_STATE, "has run on CPU %d for %s", thread->cpu, span);
	else if (thread->state == LKST_STATE_RUNNABLE)
		snprintf(text, DEATH_STATE, "has waited for CPU %d for %s", thread->cpu, span);
	else if (thread->state == LKST_STATE_BLOCKED)
		snprintf(text, DEATH_STATE, "has slept%s for %s",
			 thread->letter == 'D' ? " uninterruptibly" : "", span);
	if (*text && calls)
		snprintf(text + strlen(text), DEATH_STATE - strlen(text), " in the system call %s",
			 call);
	return text;
}

/**
 * death_sleepers() - list the threads that sleep uninterruptibly but do not wait for a lock
 * @death: after death_finish()
 * @list: result; the threads that have slept longest come first
 *
 * Return: the number of all such threads.
 */
size_t death_sleepers(const struct death *death, const struct lkst_thread *list[DEATH_SLEEPERS])
{
	const struct lkst_model *model = death->run->model;
	size_t num = 0;

	for (uint32_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, i);
		size_t at = num < DEATH_SLEEPERS ? num : DEATH_SLEEPERS;

		if (!death_is_sleeper(death, thread))
			continue;
		num++;
		for (; at && list[at - 1]->since_ns > thread->since_ns; at--)
			if (at < DEATH_SLEEPERS)
				list[at] = list[at - 1];
		if (at < DEATH_SLEEPERS)
			list[at] = thread;
	}
	return num;
}

/**
 * death_longest_reclaim() - find the thread that has reclaimed memory for the longest time
 * @death: what was seen
 *
 * Return: the entry of the thread; NULL if no thread was reclaiming memory.
 */
const struct death_reclaim *death_longest_reclaim(const struct death *death)
{
	const struct death_reclaim *reclaim, *longest = NULL;
	size_t at = 0;

	while ((reclaim = hash_next(&death->reclaims, &at)) != NULL)
		if (!longest || reclaim->begin_ns < longest->begin_ns)
			longest = reclaim;
	return longest;
}
