// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "lib/messages.h"
#include "show.h"

static const char *clock_name(uint32_t clock)
{
	switch (clock) {
	case LKST_CLOCK_NS:
		return "ns";
	case LKST_CLOCK_TSC:
		return "tsc";
	}
	return "unknown";
}

static const char *id_text(lkst_buffer_id id, char text[16])
{
	if (id == LKST_BUFFER_ID_VOID)
		return "-";
	snprintf(text, 16, "%d", id);
	return text;
}

static const char *maskset_name(const struct lkst_maskset_list *list, lkst_maskset_id id)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->ent[i].id == id)
			return list->ent[i].name;
	return "?";
}

static void show_cpu_states(const struct lkst_status *status)
{
	char write[16], read[16];

	printf("\n%4s  %-7s  %12s  %12s\n", "CPU", "state", "write buffer", "read buffer");
	for (uint32_t cpu = 0; cpu < status->trc.cpu_num; cpu++)
		printf("%4u  %-7s  %12s  %12s\n", cpu,
		       lkst_status_online(status, cpu) ? "online" : "offline",
		       id_text(status->write_buf[cpu], write),
		       id_text(status->read_buf[cpu], read));
}

/**
 * show_status() - what LKST is doing
 * @dev: device
 * @err: why not
 */
int show_status(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_maskset_list masksets;
	struct lkst_status status;
	const struct lkst_trc_status *trc = &status.trc;
	char cpus[256];

	if (lkst_status_get(dev, &status, err))
		return -1;
	if (lkst_maskset_list_get(dev, &masksets, err)) {
		lkst_status_free(&status);
		return -1;
	}
	lkst_cpu_set_text(status.online, (size_t)trc->online_cpu_len * 8, cpus, sizeof(cpus));
	printf("state           %s\n", trc->state == LKST_TRC_RUNNING ? "running" : "stopped");
	printf("maskset         %d %s\n", trc->current_maskset_id,
	       maskset_name(&masksets, trc->current_maskset_id));
	if (trc->saved_maskset_id != LKST_MASKSET_ID_VOID)
		printf("saved maskset   %d %s\n", trc->saved_maskset_id,
		       maskset_name(&masksets, trc->saved_maskset_id));
	printf("clock           %s\n", clock_name(trc->clock));
	printf("online          %s\n", cpus);
	printf("masksets        %d\n", trc->maskset_num);
	printf("event handlers  %d\n", trc->evhandler_num);
	printf("static buffer   %llu bytes, next recid %llu\n",
	       (unsigned long long)trc->static_buffer_size,
	       (unsigned long long)trc->static_buffer_recid);
	printf("memory          %llu bytes, at most %llu\n", (unsigned long long)trc->memory,
	       (unsigned long long)trc->memory_max);
	printf("lost            %llu\n", (unsigned long long)trc->lost);
	show_cpu_states(&status);
	lkst_maskset_list_free(&masksets);
	lkst_status_free(&status);
	return 0;
}

/**
 * check_cpu() - is there such a CPU?
 * @cpu: that users name
 * @cpus: how many there can be
 * @err: says which there are
 */
int check_cpu(int32_t cpu, uint32_t cpus, struct lkst_error *err)
{
	char range[32] = "CPU 0";

	if (cpu >= 0 && (uint32_t)cpu < cpus)
		return 0;
	if (cpus > 1)
		snprintf(range, sizeof(range), "CPUs 0-%u", cpus - 1);
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU, (long)cpu, range);
	return -1;
}

static const char *buffer_state(uint32_t state)
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

static void show_buffer(const struct lkst_buffer_listparam *param,
			const struct lkst_buffer_listent *ent, bool verbose)
{
	char next[16], prev[16], succ[16];

	printf("%4d  %6d  %12llu  %4s  %-*s", param->cpu, ent->id, (unsigned long long)ent->size,
	       id_text(ent->next, next), verbose ? 7 : 0, buffer_state(ent->state));
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

/**
 * show_buffers() - list the kernel event buffers
 * @dev: device
 * @cpu: only its buffers; -1: all
 * @verbose: with everything that is known of them
 * @err: why not
 */
int show_buffers(struct lkst_device *dev, int32_t cpu, bool verbose, struct lkst_error *err)
{
	struct lkst_status status;
	uint32_t cpus;

	if (lkst_status_get(dev, &status, err))
		return -1;
	cpus = status.trc.cpu_num;
	lkst_status_free(&status);
	if (cpu != -1 && check_cpu(cpu, cpus, err))
		return -1;
	printf("%4s  %6s  %12s  %4s  %-*s", "CPU", "buffer", "size", "next", verbose ? 7 : 0,
	       "state");
	if (verbose)
		printf("  %12s  %12s  %12s  %12s  %12s  %12s  %7s  %7s  %s", "first_recid",
		       "next_recid", "baseid", "write_offset", "overwritten", "dropped", "rq_prev",
		       "rq_next", "clock");
	putchar('\n');
	for (uint32_t i = 0; i < cpus; i++) {
		struct lkst_buffer_list list;

		if (cpu >= 0 && i != (uint32_t)cpu)
			continue;
		if (lkst_buffer_list_get(dev, (int32_t)i, &list, err))
			return -1;
		for (int n = 0; n < list.param.buffer_num; n++)
			show_buffer(&list.param, &list.ent[n], verbose);
		if (verbose && list.param.buffer_num)
			show_reader(&list.param);
		lkst_buffer_list_free(&list);
	}
	return 0;
}

/* How many event types a maskset records. Returns -1 on an error. */
static int count_recorded(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(sizeof(*body));
	int num = -1;

	if (!body)
		lkst_error_memory(err, "a maskset");
	else if (!lkst_maskset_read(dev, id, body, err))
		num = 0;
	for (lkst_maskset_table_len i = 0; num >= 0 && i < body->len; i++)
		num += body->entry[i].id != LKST_EVHANDLER_ID_NONE;
	free(body);
	return num;
}

/**
 * show_masksets() - list the masksets
 * @dev: device
 * @err: why not
 */
int show_masksets(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_maskset_list list;
	int events = 0;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	printf("%4s  %-*s  %7s  %6s  %s\n", "id", LKST_MASKSET_NAME_LEN - 1, "name", "entries",
	       "events", "state");
	for (size_t i = 0; i < list.num && events >= 0; i++) {
		events = count_recorded(dev, list.ent[i].id, err);
		if (events >= 0)
			printf("%4d  %-*s  %7u  %6d  %s\n", list.ent[i].id,
			       LKST_MASKSET_NAME_LEN - 1, list.ent[i].name, list.ent[i].len, events,
			       list.ent[i].id == list.current ? "selected" : "-");
		else if (err->code == LKST_ERR_NOT_FOUND)
			events = 0; /* deleted meanwhile */
	}
	lkst_maskset_list_free(&list);
	return events < 0 ? -1 : 0;
}

/**
 * show_evhandlers() - list the event handlers
 * @dev: device
 * @err: why not
 */
int show_evhandlers(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_evhandler_list list;

	if (lkst_evhandler_list_get(dev, &list, err))
		return -1;
	printf("%5s  %s\n", "id", "name");
	for (size_t i = 0; i < list.num; i++)
		printf("0x%03x  %s\n", (unsigned int)list.ent[i].id, list.ent[i].name);
	lkst_evhandler_list_free(&list);
	return 0;
}
