// SPDX-License-Identifier: GPL-2.0
/* Shows the status of LKST. */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "lib/base/cpuset.h"
#include "lib/base/printable.h"
#include "lib/device/previous.h"
#include "logd_status.h"
#include "show.h"
#include "show_logd.h"

static const char *show_status_state_name(uint32_t state)
{
	return state == LKST_TRC_RUNNING ? "running" : "stopped";
}

static const char *show_status_maskset_name(const struct lkst_maskset_list *list,
					    lkst_maskset_id id)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->ent[i].id == id)
			return list->ent[i].name;
	return "?";
}

static void show_status_show_maskset(const char *title, const struct lkst_maskset_list *list,
				     lkst_maskset_id id)
{
	const char *name = show_status_maskset_name(list, id);
	char shown[4 * LKST_MASKSET_NAME_LEN];

	printf("%-15s %d %s\n", title, id,
	       lkst_printable(name, strlen(name), shown, sizeof(shown)));
}

static int get_status(struct lkst_device *dev, struct lkst_status *status,
		      struct buffer_totals *totals, struct lkst_previous *previous,
		      struct lkst_maskset_list *masksets, struct lkst_error *err)
{
	if (lkst_status_get(dev, status, err))
		return -1;
	if (!total_buffers(dev, status->trc.cpu_num, totals, err) &&
	    !lkst_previous_get(dev, previous, err) && !lkst_maskset_list_get(dev, masksets, err))
		return 0;
	lkst_status_free(status);
	return -1;
}

static void show_status_long_rings(const struct buffer_totals *totals)
{
	const struct lkst_long_status *ring = &totals->ring;
	char since[32];

	printf("long rings      ");
	if (!totals->rings)
		puts("none");
	else
		printf("%u of %llu bytes, %llu records since %s, %llu events left out\n",
		       totals->rings, (unsigned long long)ring->size,
		       (unsigned long long)ring->records,
		       since_text(ring->since / 1000000000, since),
		       (unsigned long long)ring->left_out);
}

static void show_status_history(const struct buffer_totals *totals)
{
	const struct lkst_history_status *history = &totals->history;
	char since[32];

	printf("history         ");
	if (!totals->histories) {
		puts(history->flags & LKST_HISTORY_ON ? "no memory" : "none");
		return;
	}
	printf("%u of %llu bytes, ", totals->histories, (unsigned long long)history->size);
	if (history->chunks)
		printf("%llu events of %.2f bytes since %s, ", (unsigned long long)history->events,
		       history_event_size(history), since_text(history->since / 1000000000, since));
	printf("%llu events lost, %.3f s of CPU time%s\n", (unsigned long long)history->lost,
	       (double)history->cpu_ns / 1e9,
	       history->flags & LKST_HISTORY_WAITING ? ", waiting for free memory" : "");
}

static void show_status_show_previous(const struct lkst_previous *previous)
{
	size_t unread = lkst_previous_unread(previous);

	printf("reserved        ");
	if (!previous->slot_num) {
		printf("no memory\n");
		return;
	}
	printf("%llu bytes, %u slots, ",
	       (unsigned long long)(previous->slot_num * previous->slot_size), previous->slot_num);
	if (previous->own < 0)
		printf("none of them for this boot, ");
	else
		printf("this boot in slot %d, ", previous->own);
	printf("%zu unread previous boot%s\n", unread, unread == 1 ? "" : "s");
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
 * show_status() - print the status of LKST
 * @dev: device
 * @err: set on failure
 */
int show_status(struct lkst_device *dev, struct lkst_error *err)
{
	struct lkst_maskset_list masksets;
	struct lkst_status status;
	const struct lkst_trc_status *trc = &status.trc;
	struct lkst_previous previous;
	struct logd_view logd;
	struct buffer_totals totals;
	char cpus[256];

	if (get_status(dev, &status, &totals, &previous, &masksets, err))
		return -1;
	logd_get(&logd, LKST_LOGD_STATUS_FILE);
	lkst_cpu_set_text(status.online, (size_t)trc->online_cpu_len * 8, cpus, sizeof(cpus));
	printf("state           %s\n", show_status_state_name(trc->state));
	show_status_show_maskset("maskset", &masksets, trc->current_maskset_id);
	if (trc->saved_maskset_id != LKST_MASKSET_ID_VOID)
		show_status_show_maskset("saved maskset", &masksets, trc->saved_maskset_id);
	printf("clock           %s\n", clock_name(trc->clock));
	printf("online          %s\n", cpus);
	printf("masksets        %d\n", trc->maskset_num);
	printf("buffers         %u\n", totals.buffers);
	printf("event handlers  %d\n", trc->evhandler_num);
	printf("static buffer   %llu bytes, next recid %llu\n",
	       (unsigned long long)trc->static_buffer_size,
	       (unsigned long long)trc->static_buffer_recid);
	printf("memory          %llu bytes, at most %llu\n", (unsigned long long)trc->memory,
	       (unsigned long long)trc->memory_max);
	show_status_show_previous(&previous);
	printf("lost            %llu\n", (unsigned long long)trc->lost);
	show_status_long_rings(&totals);
	show_status_history(&totals);
	show_logd(&logd);
	show_cpu_states(&status);
	show_logd_cpus(&logd);
	logd_free(&logd);
	lkst_maskset_list_free(&masksets);
	lkst_status_free(&status);
	return 0;
}

/* Describe the long rings as JSON. Returns NULL, printed as null, if no CPU has one. */
static struct json_object *show_status_json_long_rings(const struct buffer_totals *totals)
{
	struct json_object *to = json_long_ring(&totals->ring);

	if (to)
		json_int(to, "num", totals->rings);
	return to;
}

/* Describe the histories as JSON. Returns NULL, printed as null, if no CPU has one. */
static struct json_object *show_status_json_history(const struct buffer_totals *totals)
{
	const struct lkst_history_status *history = &totals->history;
	struct json_object *to = json_history(history);

	if (!to)
		return NULL;
	json_int(to, "num", totals->histories);
	json_flag(to, "waiting", history->flags & LKST_HISTORY_WAITING);
	json_real(to, "cpu_seconds", (double)history->cpu_ns / 1e9);
	json_uint(to, "backoffs", history->backoffs);
	return to;
}

/* Describe the reserved memory as JSON. Returns NULL, printed as null, if no memory is reserved. */
static struct json_object *show_status_json_previous(const struct lkst_previous *previous)
{
	struct json_object *to;

	if (!previous->slot_num)
		return NULL;
	to = json_new();
	json_uint(to, "part_num", previous->slot_num);
	json_uint(to, "part_size", previous->slot_size);
	json_id(to, "own", previous->own, -1);
	json_uint(to, "boot_num", previous->num);
	json_uint(to, "unread", lkst_previous_unread(previous));
	return to;
}

static struct json_object *show_status_json_cpus(const struct lkst_status *status)
{
	struct json_object *cpus = json_list();

	for (uint32_t i = 0; i < status->trc.cpu_num; i++) {
		struct json_object *cpu = json_new();

		json_int(cpu, "cpu", i);
		json_flag(cpu, "online", lkst_status_online(status, i));
		json_id(cpu, "write_buf", status->write_buf[i], LKST_BUFFER_ID_VOID);
		json_id(cpu, "read_buf", status->read_buf[i], LKST_BUFFER_ID_VOID);
		json_add(cpus, cpu);
	}
	return cpus;
}

static void show_status_json_maskset_id(struct json_object *object, const char *id_name,
					const char *name, lkst_maskset_id id,
					const struct lkst_maskset_list *masksets)
{
	json_id(object, id_name, id, LKST_MASKSET_ID_VOID);
	if (id == LKST_MASKSET_ID_VOID)
		json_put(object, name, NULL);
	else
		json_text(object, name, show_status_maskset_name(masksets, id));
}

/**
 * json_status() - get the status of LKST as a JSON value
 * @dev: device
 * @value: result
 * @err: set on failure
 */
int json_status(struct lkst_device *dev, struct json_object **value, struct lkst_error *err)
{
	struct lkst_maskset_list masksets;
	struct lkst_status status;
	const struct lkst_trc_status *trc = &status.trc;
	struct lkst_previous previous;
	struct json_object *to;
	struct logd_view logd;
	struct buffer_totals totals;

	if (get_status(dev, &status, &totals, &previous, &masksets, err))
		return -1;
	to = json_new();
	json_text(to, "state", show_status_state_name(trc->state));
	show_status_json_maskset_id(to, "current_maskset_id", "current_maskset_name",
				    trc->current_maskset_id, &masksets);
	show_status_json_maskset_id(to, "saved_maskset_id", "saved_maskset_name",
				    trc->saved_maskset_id, &masksets);
	json_text(to, "clock", clock_name(trc->clock));
	json_int(to, "maskset_num", trc->maskset_num);
	json_int(to, "buffer_num", totals.buffers);
	json_put(to, "long_rings", show_status_json_long_rings(&totals));
	json_put(to, "history", show_status_json_history(&totals));
	json_int(to, "evhandler_num", trc->evhandler_num);
	json_uint(to, "static_buffer_size", trc->static_buffer_size);
	json_uint(to, "static_buffer_recid", trc->static_buffer_recid);
	json_uint(to, "memory", trc->memory);
	json_uint(to, "memory_max", trc->memory_max);
	json_put(to, "set_aside", show_status_json_previous(&previous));
	json_uint(to, "lost", trc->lost);
	json_uint(to, "version", trc->version);
	json_put(to, "cpus", show_status_json_cpus(&status));
	logd_get(&logd, LKST_LOGD_STATUS_FILE);
	json_put(to, "lkstlogd", json_logd(&logd));
	logd_free(&logd);
	lkst_maskset_list_free(&masksets);
	lkst_status_free(&status);
	*value = to;
	return 0;
}
