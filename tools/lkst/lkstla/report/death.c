// SPDX-License-Identifier: GPL-2.0
/* Collects what may be important if the trace ends with the death of the machine. */
#include <stdlib.h>
#include <string.h>

#include "death.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lkstla/tally.h"
#include "report.h"

/* ---- messages ---- */

static int death_ring_init(struct death_ring *ring, size_t room)
{
	ring->message = calloc(room, sizeof(*ring->message));
	ring->room = room;
	return ring->message ? 0 : -1;
}

static void death_ring_add(struct death_ring *ring, const struct lkst_event *event)
{
	struct death_message *message = &ring->message[ring->num++ % ring->room];
	const struct lkst_payload *payload = event->payload;
	size_t len = 0;

	/* The level and the length of an oops_message come before its text. */
	if (payload && payload->size > sizeof(event->arg[1]))
		len = payload->size - sizeof(event->arg[1]);
	if (len > DEATH_TEXT - 1)
		len = DEATH_TEXT - 1;
	if (len)
		memcpy(message->text, payload->data + sizeof(event->arg[1]), len);
	message->text[len] = 0;
	message->event = *event;
	message->event.payload = NULL;
}

/**
 * death_panic() - find the panic
 * @death: what was seen
 *
 * Return: the latest panic; NULL if none was recorded. The kernel stops recording at a panic.
 */
const struct death_message *death_panic(const struct death *death)
{
	const struct death_ring *ring = &death->oopses;

	for (uint64_t i = 0; i < ring->num && i < ring->room; i++) {
		const struct death_message *message =
			&ring->message[(ring->num - 1 - i) % ring->room];

		if (message->event.type == LKST_ETYPE_OOPS_PANIC)
			return message;
	}
	return NULL;
}

/**
 * death_image() - get the kind of memory image from which a trace was read
 * @death: what was seen
 * @len: length of the result
 *
 * Return: for example "raw memory" or "previous boot"; NULL if the trace is from a running kernel.
 */
const char *death_image(const struct death *death, size_t *len)
{
	return run_system(death->run, "image", len);
}

/**
 * death_applies() - check whether the machine may have died at the end of the trace
 * @death: what was seen
 *
 * Return: true if it may have died. False also if the user has selected threads or CPUs, or a
 * window that ends before the end of the trace.
 */
bool death_applies(const struct death *death)
{
	const struct run *run = death->run;
	size_t len;

	if (run->args->processes.num || run->args->cpu >= 0 || run->end_ns < run->newest_ns)
		return false;
	return death_panic(death) || death_image(death, &len);
}

/**
 * death_thread() - find the latest thread with an ID
 * @death: what was seen
 * @tid: thread ID
 *
 * All threads of a run come from the same source, so the ID is sufficient.
 *
 * Return: the thread; NULL if the ID belongs to an idle thread, or is unknown.
 */
const struct lkst_thread *death_thread(const struct death *death, uint32_t tid)
{
	const struct lkst_thread *any = lkst_model_thread(death->run->model, 0);

	if (!any || !tid || tid == DEATH_TID_NONE)
		return NULL;
	return lkst_model_find(death->run->model, any->source, tid);
}

/* ---- CPUs ---- */

static void death_off_candidate(struct death *death, int32_t number, const struct death_cpu *cpu,
				int64_t end_ns, bool ended)
{
	struct death_off *off = &death->off;
	int64_t longest = off->found ? tally_length(off->begin_ns, off->end_ns) : 0;

	if (cpu->on_ns == INT64_MIN || !cpu->on_tid || tally_length(cpu->on_ns, end_ns) <= longest)
		return;
	*off = (struct death_off){ .found = true,
				   .cpu = number,
				   .tid = cpu->on_tid,
				   .begin_ns = cpu->on_ns,
				   .end_ns = end_ns,
				   .ended = ended };
}

/**
 * death_finish_off() - find CPUs whose interrupts may have been off until the end of the trace
 * @death: what was seen, after the last event
 */
void death_finish_off(struct death *death)
{
	for (int32_t i = 0; i < death->cpus; i++)
		if (death->cpu[i].seen)
			death_off_candidate(death, i, &death->cpu[i], death->run->end_ns, false);
}

/*
 * Return whether an event shows that interrupts were enabled just before the event. @tid is set to
 * the thread that runs after the event.
 */
static bool death_shows_interrupts(const struct lkst_event *event, uint32_t *tid)
{
	*tid = event->tid;
	switch (event->type) {
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
		*tid = (uint32_t)(event->arg[1] >> 32);
		return true;
	case LKST_ETYPE_INT_TIMER_ENTRY:
	case LKST_ETYPE_INT_HARDWARE_ENTRY:
	case LKST_ETYPE_INT_IPI_ENTRY:
	case LKST_ETYPE_SYSCALL_ENTRY:
	case LKST_ETYPE_SYSCALL_EXIT:
		return !(event->flags & LKST_LOG_NMI);
	default:
		return false;
	}
}

static void death_see_cpu(struct death *death, const struct lkst_event *event)
{
	struct death_cpu *cpu;
	uint32_t tid;

	if (event->cpu < 0 || event->cpu >= DEATH_CPUS || event->buffer == LKST_BUFFER_ID_VOID)
		return;
	cpu = &death->cpu[event->cpu];
	if (event->cpu >= death->cpus)
		death->cpus = event->cpu + 1;
	if (!cpu->seen)
		cpu->on_ns = INT64_MIN;
	cpu->seen = true;
	cpu->last_ns = event->time_ns;
	if (!death_shows_interrupts(event, &tid))
		return;
	death_off_candidate(death, event->cpu, cpu, event->time_ns, true);
	cpu->on_ns = event->time_ns;
	cpu->on_tid = tid;
}

static void death_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct death *death = ctx;
	struct death_cpu *cpu;

	if (span->cpu < 0 || span->cpu >= DEATH_CPUS)
		return;
	cpu = &death->cpu[span->cpu];
	cpu->spanned = true;
	cpu->mode = span->mode;
	cpu->thread = span->thread;
	cpu->begin_ns = span->begin_ns;
}

static void death_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct death *death = ctx;
	uint32_t index = span->thread->index;
	bool *known = tally_cover(death->known, &death->knowns, index, sizeof(*known));

	if (!known) {
		run_out_of_memory(death->run);
		return;
	}
	death->known = known;
	known[index] = span->begin_known;
}

static void death_on_context(void *ctx, const struct lkst_context_span *span)
{
	struct death *death = ctx;

	if (span->end_known)
		return;
	if (span->end_ns > death->contexts_ns) {
		death->contexts = 0;
		death->contexts_ns = span->end_ns;
	}
	if (span->end_ns == death->contexts_ns && death->contexts < DEATH_CONTEXTS)
		death->context[death->contexts++] = *span;
}

/* ---- requests ---- */

/* Add a request to the list of the oldest requests, which begins with the oldest one. */
static void death_on_request(void *ctx, const struct block_done *done)
{
	struct death *death = ctx;
	size_t i;

	if (done->end_known)
		return;
	i = death->requests < DEATH_REQUESTS ? death->requests : DEATH_REQUESTS;
	death->requests++;
	for (; i && death->request[i - 1].begin_ns > done->begin_ns; i--)
		if (i < DEATH_REQUESTS)
			death->request[i] = death->request[i - 1];
	if (i < DEATH_REQUESTS)
		death->request[i] = *done;
}

/**
 * death_finish_requests() - find the requests that have not completed
 * @death: what was seen, after the last event
 */
void death_finish_requests(struct death *death)
{
	death->requests = 0;
	block_finish(death->blocks);
}

/* ---- memory ---- */

static int death_see_memory(struct death *death, const struct lkst_event *event)
{
	const uint64_t key[HASH_WORDS] = { event->tid };
	struct death_reclaim *reclaim;

	switch (event->type) {
	case LKST_ETYPE_MEM_RECLAIM_ENTRY:
		if (hash_add(&death->reclaims, key, &reclaim) == HASH_NO_MEMORY)
			return -1;
		if (reclaim)
			reclaim->begin_ns = event->time_ns;
		break;
	case LKST_ETYPE_MEM_RECLAIM_EXIT:
	case LKST_ETYPE_PROCESS_EXIT:
		reclaim = hash_find(&death->reclaims, key);
		if (reclaim)
			hash_remove(&death->reclaims, reclaim);
		break;
	case LKST_ETYPE_MEM_OOMKILL:
		death->oom_kills++;
		death->oom_tid = (uint32_t)event->arg[0];
		death->oom_ns = event->time_ns;
		break;
	}
	return 0;
}

/* ---- all events ---- */

static void death_see(struct death *death, const struct lkst_event *event)
{
	death_see_cpu(death, event);
	switch (event->type) {
	case LKST_ETYPE_INT_TIMER_ENTRY:
	case LKST_ETYPE_INT_HARDWARE_ENTRY:
		death->saw_interrupts = true;
		break;
	case LKST_ETYPE_LOCK_CONTENTION_BEGIN:
		death->saw_locks = true;
		break;
	case LKST_ETYPE_BLOCK_ISSUE:
		death->saw_requests = true;
		break;
	case LKST_ETYPE_OOPS_DIE:
	case LKST_ETYPE_OOPS_PANIC:
	case LKST_ETYPE_OOPS_WARN:
	case LKST_ETYPE_OOPS_LOCKUP:
		death_ring_add(&death->oopses, event);
		break;
	case LKST_ETYPE_OOPS_MESSAGE:
		death_ring_add(&death->lines, event);
		break;
	case LKST_ETYPE_OOPS_PRINTK:
		death_ring_add(&death->heads, event);
		break;
	}
	if (death_locks_event(death, event) || death_see_memory(death, event))
		run_out_of_memory(death->run);
}

/* Process an event that precedes the window. The model has not processed this event yet. */
void death_see_early(void *ctx, const struct lkst_event *event)
{
	struct death *death = ctx;

	death_see(death, event);
	analysis_block.ops.event(death->blocks, event);
}

static void death_on_event(void *ctx, const struct lkst_event *event)
{
	death_see_early(ctx, event);
}

static void death_on_loss(void *ctx, const struct lkst_loss *loss)
{
	struct death *death = ctx;

	death_note_loss(death, loss);
	if (loss->cpu >= 0 && loss->cpu < DEATH_CPUS)
		death->cpu[loss->cpu].on_ns = INT64_MIN;
	hash_clear(&death->reclaims);
	analysis_block.ops.loss(death->blocks, loss);
}

/* ---- start and end ---- */

static void death_free(void *ctx)
{
	struct death *death = ctx;

	if (death->blocks)
		analysis_block.free(death->blocks);
	hash_free(&death->waits);
	hash_free(&death->locks);
	hash_free(&death->reclaims);
	free(death->known);
	free(death->wait);
	free(death->wait_of);
	free(death->oopses.message);
	free(death->lines.message);
	free(death->heads.message);
	free(death->cpu);
	free(death);
}

static void *death_start(const struct run *run, struct lkst_error *err)
{
	struct death *death = calloc(1, sizeof(*death));

	if (!death) {
		lkst_error_memory(err, "the report");
		return NULL;
	}
	death->run = run;
	death->wide = *run;
	death->wide.begin_ns = INT64_MIN;
	death->wide.end_ns = INT64_MAX;
	death->contexts_ns = INT64_MIN;
	death->waits = (struct hash){ .size = sizeof(struct death_wait), .max = DEATH_MAX };
	death->locks = (struct hash){ .size = sizeof(struct death_lock), .max = DEATH_MAX };
	death->reclaims = (struct hash){ .size = sizeof(struct death_reclaim), .max = DEATH_MAX };
	death->cpu = calloc(DEATH_CPUS, sizeof(*death->cpu));
	if (!death->cpu || death_ring_init(&death->oopses, DEATH_OOPSES) ||
	    death_ring_init(&death->lines, DEATH_LINES) ||
	    death_ring_init(&death->heads, DEATH_LINES)) {
		lkst_error_memory(err, "the report");
		death_free(death);
		return NULL;
	}
	death->blocks = analysis_block.start(&death->wide, err);
	if (!death->blocks) {
		death_free(death);
		return NULL;
	}
	block_observe(death->blocks, death_on_request, death);
	return death;
}

const struct report_head report_death = {
	.ops = { .thread = death_on_thread,
		 .cpu = death_on_cpu,
		 .context = death_on_context,
		 .event = death_on_event,
		 .loss = death_on_loss },
	.start = death_start,
	.early = death_see_early,
	.finish = death_finish,
	.text = death_print,
	.json = death_json,
	.free = death_free,
};
