// SPDX-License-Identifier: GPL-2.0
/* Shows the lists of the kernel event buffers, of the long rings and of the histories. */
#include <stdio.h>

#include "json.h"
#include "lib/device/device.h"
#include "show.h"

static const char *show_buffers_state_name(uint32_t state)
{
	switch (state) {
	case LKST_BUFFER_FREE:
		return "free";
	case LKST_BUFFER_WRITTEN:
		return "writing";
	case LKST_BUFFER_QUEUED:
		return "queued";
	case LKST_BUFFER_BEING_READ:
		return "reading";
	}
	return "unknown";
}

/* Set @cpus to the number of possible CPUs. Fails if @cpu is neither one of them nor -1. */
static int show_buffers_count_cpus(struct lkst_device *dev, int32_t cpu, uint32_t *cpus,
				   struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(dev, &status, err))
		return -1;
	*cpus = status.trc.cpu_num;
	lkst_status_free(&status);
	return cpu == -1 ? 0 : lkst_cpu_check(cpu, *cpus, err);
}

/* What a CPU has recorded. */
struct cpu_memory {
	struct lkst_buffer_list list;
	struct lkst_long_status ring;
	struct lkst_history_status history;
};

/* A function that is called for each CPU that has buffers, a long ring or a history. */
typedef void show_buffers_func(void *ctx, const struct cpu_memory *memory);

/*
 * Call @show for each CPU that has buffers, a long ring or a history. If @cpu is not -1, all other
 * CPUs are skipped.
 */
static int show_buffers_each_cpu(struct lkst_device *dev, int32_t cpu, uint32_t cpus,
				 show_buffers_func *show, void *ctx, struct lkst_error *err)
{
	for (uint32_t i = 0; i < cpus; i++) {
		struct cpu_memory memory;

		if (cpu >= 0 && i != (uint32_t)cpu)
			continue;
		if (lkst_long_status_get(dev, (int32_t)i, &memory.ring, err) ||
		    lkst_buffer_list_get(dev, (int32_t)i, &memory.list, err))
			return -1;
		/* A fault of the history should not hide the buffers. */
		lkst_history_status_get(dev, (int32_t)i, &memory.history, NULL);
		if (memory.list.param.buffer_num || memory.ring.size || memory.history.size)
			show(ctx, &memory);
		lkst_buffer_list_free(&memory.list);
	}
	return 0;
}

static void show_buffers_add_history(struct buffer_totals *totals,
				     const struct lkst_history_status *history)
{
	struct lkst_history_status *all = &totals->history;

	all->flags |= history->flags;
	if (!history->size)
		return;
	totals->histories++;
	if (history->chunks && (!all->chunks || history->since < all->since))
		all->since = history->since;
	all->size = history->size;
	all->used += history->used;
	all->chunks += history->chunks;
	all->events += history->events;
	all->lost += history->lost;
	all->overwritten += history->overwritten;
	/* These are the same for all CPUs. */
	all->cpu_ns = history->cpu_ns;
	all->backoffs = history->backoffs;
}

static void show_buffers_add(void *ctx, const struct cpu_memory *memory)
{
	const struct lkst_long_status *ring = &memory->ring;
	struct buffer_totals *totals = ctx;
	struct lkst_long_status *all = &totals->ring;

	totals->buffers += (uint32_t)memory->list.param.buffer_num;
	show_buffers_add_history(totals, &memory->history);
	if (!ring->size)
		return;
	if (!totals->rings++ || ring->since < all->since)
		all->since = ring->since;
	all->size = ring->size;
	all->records += ring->records;
	all->left_out += ring->left_out;
}

/**
 * total_buffers() - count the kernel event buffers, long rings and histories of all CPUs
 * @dev: device
 * @cpus: number of possible CPUs
 * @totals: result
 * @err: set on failure
 */
int total_buffers(struct lkst_device *dev, uint32_t cpus, struct buffer_totals *totals,
		  struct lkst_error *err)
{
	*totals = (struct buffer_totals){ 0 };
	return show_buffers_each_cpu(dev, -1, cpus, show_buffers_add, totals, err);
}

static void show_buffers_show_buffer(int32_t cpu, const struct lkst_buffer_listent *ent,
				     bool verbose)
{
	char next[16], prev[16], succ[16];

	printf("%4d  %6d  %12llu  %4s  %-*s", cpu, ent->id, (unsigned long long)ent->size,
	       id_text(ent->next, next), verbose ? 7 : 0, show_buffers_state_name(ent->state));
	if (verbose)
		printf("  %12llu  %12llu  %12lld  %12llu  %12llu  %12llu  %7s  %7s  %s",
		       (unsigned long long)ent->first_recid,
		       (unsigned long long)ent->baseid + ent->write_offset, (long long)ent->baseid,
		       (unsigned long long)ent->write_offset, (unsigned long long)ent->overwritten,
		       (unsigned long long)ent->dropped, id_text(ent->rq_prev, prev),
		       id_text(ent->rq_next, succ), clock_name(ent->clock));
	putchar('\n');
}

static void show_reader(const struct lkst_buffer_listparam *param)
{
	char head[16], tail[16], owner[16] = "-";

	if (param->owner != LKST_BUFFER_OWNER_NONE)
		snprintf(owner, sizeof(owner), "%d", param->owner);
	printf("%4d  reader: owner %s, position %llu, queue from %s to %s\n", param->cpu, owner,
	       (unsigned long long)param->read_pos, id_text(param->rq_head, head),
	       id_text(param->rq_tail, tail));
}

static void show_cpu(void *ctx, const struct cpu_memory *memory)
{
	const struct lkst_buffer_list *list = &memory->list;
	const bool *verbose = ctx;

	for (int32_t i = 0; i < list->param.buffer_num; i++)
		show_buffers_show_buffer(list->param.cpu, &list->ent[i], *verbose);
	if (*verbose && list->param.buffer_num)
		show_reader(&list->param);
}

/* Print a row of the table of long rings. @ctx points to whether the heading has been printed. */
static void show_long_ring(void *ctx, const struct cpu_memory *memory)
{
	const struct lkst_long_status *ring = &memory->ring;
	bool *headed = ctx;
	char since[32];

	if (!ring->size)
		return;
	if (!*headed)
		printf("\n%4s  %12s  %12s  %12s  %s\n", "CPU", "long ring", "records", "left out",
		       "since");
	*headed = true;
	printf("%4d  %12llu  %12llu  %12llu  %s\n", ring->cpu, (unsigned long long)ring->size,
	       (unsigned long long)ring->records, (unsigned long long)ring->left_out,
	       since_text(ring->since / 1000000000, since));
}

/**
 * history_event_size() - get the average size of an event in the history
 * @history: state of the history
 *
 * Return: size in bytes; 0 if the history has no event.
 */
double history_event_size(const struct lkst_history_status *history)
{
	return history->events ? (double)history->used / (double)history->events : 0;
}

/* Print a row of the table of histories. @ctx points to whether the heading has been printed. */
static void show_history(void *ctx, const struct cpu_memory *memory)
{
	const struct lkst_history_status *history = &memory->history;
	bool *headed = ctx;
	char since[32];

	if (!history->size)
		return;
	if (!*headed)
		printf("\n%4s  %12s  %12s  %12s  %11s  %12s  %s\n", "CPU", "history", "used",
		       "events", "bytes/event", "lost", "since");
	*headed = true;
	printf("%4d  %12llu  %12llu  %12llu  %11.2f  %12llu  %s\n", history->cpu,
	       (unsigned long long)history->size, (unsigned long long)history->used,
	       (unsigned long long)history->events, history_event_size(history),
	       (unsigned long long)history->lost,
	       history->chunks ? since_text(history->since / 1000000000, since) : "-");
}

/**
 * show_buffers() - print the lists of kernel event buffers, of long rings and of histories
 * @dev: device
 * @cpu: only the buffers, the long ring and the history of this CPU; -1: those of all CPUs
 * @verbose: print all columns
 * @err: set on failure
 */
int show_buffers(struct lkst_device *dev, int32_t cpu, bool verbose, struct lkst_error *err)
{
	bool rings = false, histories = false;
	uint32_t cpus;

	if (show_buffers_count_cpus(dev, cpu, &cpus, err))
		return -1;
	printf("%4s  %6s  %12s  %4s  %-*s", "CPU", "buffer", "size", "next", verbose ? 7 : 0,
	       "state");
	if (verbose)
		printf("  %12s  %12s  %12s  %12s  %12s  %12s  %7s  %7s  %s", "first_recid",
		       "next_recid", "baseid", "write_offset", "overwritten", "dropped", "rq_prev",
		       "rq_next", "clock");
	putchar('\n');
	if (show_buffers_each_cpu(dev, cpu, cpus, show_cpu, &verbose, err) ||
	    show_buffers_each_cpu(dev, cpu, cpus, show_long_ring, &rings, err))
		return -1;
	return show_buffers_each_cpu(dev, cpu, cpus, show_history, &histories, err);
}

static struct json_object *json_buffer(const struct lkst_buffer_listent *ent)
{
	struct json_object *buffer = json_new();

	json_int(buffer, "id", ent->id);
	json_uint(buffer, "size", ent->size);
	json_id(buffer, "next", ent->next, LKST_BUFFER_ID_VOID);
	json_text(buffer, "state", show_buffers_state_name(ent->state));
	json_uint(buffer, "first_recid", ent->first_recid);
	json_uint(buffer, "next_recid", (uint64_t)ent->baseid + ent->write_offset);
	json_int(buffer, "baseid", ent->baseid);
	json_uint(buffer, "write_offset", ent->write_offset);
	json_uint(buffer, "overwritten", ent->overwritten);
	json_uint(buffer, "dropped", ent->dropped);
	json_id(buffer, "rq_prev", ent->rq_prev, LKST_BUFFER_ID_VOID);
	json_id(buffer, "rq_next", ent->rq_next, LKST_BUFFER_ID_VOID);
	json_text(buffer, "clock", clock_name(ent->clock));
	return buffer;
}

/**
 * json_long_ring() - describe a long ring as JSON
 * @ring: the long ring
 *
 * Return: the description; NULL, printed as null, if the CPU has no long ring.
 */
struct json_object *json_long_ring(const struct lkst_long_status *ring)
{
	struct json_object *to;

	if (!ring->size)
		return NULL;
	to = json_new();
	json_uint(to, "size", ring->size);
	json_uint(to, "records", ring->records);
	json_uint(to, "left_out", ring->left_out);
	json_int(to, "since", ring->since / 1000000000);
	return to;
}

/**
 * json_history() - describe the history of a CPU as JSON
 * @history: state of the history
 *
 * Return: the description; NULL, printed as null, if there is no history.
 */
struct json_object *json_history(const struct lkst_history_status *history)
{
	struct json_object *to;

	if (!history->size)
		return NULL;
	to = json_new();
	json_uint(to, "size", history->size);
	json_uint(to, "used", history->used);
	json_uint(to, "chunks", history->chunks);
	json_uint(to, "events", history->events);
	json_real(to, "bytes_per_event", history_event_size(history));
	json_uint(to, "lost", history->lost);
	json_uint(to, "overwritten", history->overwritten);
	if (history->chunks)
		json_int(to, "since", history->since / 1000000000);
	else
		json_put(to, "since", NULL);
	return to;
}

static void show_buffers_json_cpu(void *ctx, const struct cpu_memory *memory)
{
	const struct lkst_buffer_list *list = &memory->list;
	const struct lkst_buffer_listparam *param = &list->param;
	struct json_object *cpu = json_new(), *buffers = json_list();

	for (int32_t i = 0; i < param->buffer_num; i++)
		json_add(buffers, json_buffer(&list->ent[i]));
	json_int(cpu, "cpu", param->cpu);
	json_id(cpu, "write_buf", param->write_buf, LKST_BUFFER_ID_VOID);
	json_id(cpu, "read_buf", param->read_buf, LKST_BUFFER_ID_VOID);
	json_id(cpu, "rq_head", param->rq_head, LKST_BUFFER_ID_VOID);
	json_id(cpu, "rq_tail", param->rq_tail, LKST_BUFFER_ID_VOID);
	json_id(cpu, "owner", param->owner, LKST_BUFFER_OWNER_NONE);
	json_uint(cpu, "read_pos", param->read_pos);
	json_put(cpu, "listent", buffers);
	json_put(cpu, "long_ring", json_long_ring(&memory->ring));
	json_put(cpu, "history", json_history(&memory->history));
	json_add(ctx, cpu);
}

/**
 * json_buffers() - get the kernel event buffers as a JSON list of CPUs
 * @dev: device
 * @cpu: only the buffers of this CPU; -1: of all
 * @value: result
 * @err: set on failure
 */
int json_buffers(struct lkst_device *dev, int32_t cpu, struct json_object **value,
		 struct lkst_error *err)
{
	uint32_t cpus;

	if (show_buffers_count_cpus(dev, cpu, &cpus, err))
		return -1;
	*value = json_list();
	if (!show_buffers_each_cpu(dev, cpu, cpus, show_buffers_json_cpu, *value, err))
		return 0;
	json_free(*value);
	return -1;
}
