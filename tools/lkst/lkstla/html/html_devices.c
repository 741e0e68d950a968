// SPDX-License-Identifier: GPL-2.0
/*
 * Adds requests, packets and waits for locks to the page. Other analyses find them.
 *
 * A device can handle several requests at the same time. So a device has several lanes, and each
 * request is put into the first lane in which it overlaps no other request.
 */
#include <stdio.h>
#include <string.h>

#include "html.h"
#include "lib/base/etype_ids.h"
#include "lkstla/block.h"
#include "lkstla/lock.h"
#include "lkstla/net.h"
#include "lkstla/tally.h"

/* A damaged trace can name any number of devices. */
#define DEVICES_MAX 4096

/* Operations below this number are numbered as in the kernel. */
#define OPERATION_OTHER 4

/* Find or add a device. Returns NULL if there are too many, or if an allocation fails. */
static struct html_device *device_find(struct html *html, enum html_device_kind kind, uint64_t id,
				       const char *name)
{
	struct html_device *added;

	for (size_t i = 0; i < html->devices; i++) {
		struct html_device *device = &html->device[i];

		if (device->kind == kind && device->id == id && !strcmp(device->name, name))
			return device;
	}
	if (html->devices == DEVICES_MAX)
		return NULL;
	added = tally_cover(html->device, &html->device_room, html->devices, sizeof(*added));
	if (!added) {
		run_out_of_memory(html->run);
		return NULL;
	}
	html->device = added;
	added += html->devices++;
	*added = (struct html_device){ .kind = kind, .id = id };
	snprintf(added->name, sizeof(added->name), "%s", name);
	return added;
}

/*
 * Find a lane whose spans have all ended by @begin_ns, or add a lane. If there is no room for
 * another lane, return the last one. Returns NULL if an allocation fails.
 */
static struct html_lane *device_lane(struct html *html, struct html_device *device,
				     int64_t begin_ns)
{
	struct html_lane *lane;
	int64_t row;

	for (unsigned int i = 0; i < device->lanes; i++)
		if (device->lane[i].end_ns <= begin_ns)
			return &device->lane[i];
	if (device->lanes == HTML_LANES_MAX)
		return &device->lane[HTML_LANES_MAX - 1];
	row = html_levels_add_row(&html->levels);
	if (row < 0)
		return NULL;
	lane = &device->lane[device->lanes++];
	lane->row = row;
	lane->key = html->lane_keys[device->kind != HTML_DISKS]++;
	return lane;
}

/* Add a span to a device. Returns its columns; NULL if it cannot be added. */
static uint64_t *device_add(struct html *html, struct html_device *device, uint32_t value,
			    int64_t begin_ns, int64_t end_ns)
{
	enum html_table table = device->kind == HTML_DISKS ? HTML_BLOCK : HTML_NET;
	struct html_lane *lane = device_lane(html, device, begin_ns);
	uint64_t *columns = NULL;

	if (lane && !html_levels_add(&html->levels, (size_t)lane->row, value, begin_ns, end_ns))
		columns = html_chunks_add(&html->chunks, table, lane->key, begin_ns, end_ns);
	if (columns)
		lane->end_ns = end_ns;
	else
		run_out_of_memory(html->run);
	return columns;
}

/* Return the start of a span, but at most its end, because the clock may have been set back. */
static int64_t device_begin(const struct html *html, bool known, int64_t begin_ns, int64_t end_ns)
{
	return html_time(html, known && begin_ns < end_ns ? begin_ns : end_ns);
}

/* ---- block devices ---- */

static struct html_device *device_of_request(struct html *html, const struct block_done *done)
{
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_ISSUE,
		.source = done->thread ? done->thread->source : 0,
		.arg = { done->device, 0, (uint32_t)done->operation },
	};
	char name[VALUE_SIZE];

	for (size_t i = 0; i < html->devices; i++)
		if (html->device[i].kind == HTML_DISKS && html->device[i].id == done->device)
			return &html->device[i];
	value_text(html->run, &event, "device", name, sizeof(name));
	return device_find(html, HTML_DISKS, done->device, name);
}

static void device_on_request(void *ctx, const struct block_done *done)
{
	struct html *html = ctx;
	int64_t end_ns = html_time(html, done->end_ns);
	int64_t begin_ns = device_begin(html, done->begin_known, done->begin_ns, done->end_ns);
	uint64_t operation = done->operation < OPERATION_OTHER ? done->operation : OPERATION_OTHER;
	struct html_device *device = device_of_request(html, done);
	uint64_t *value;

	if (!device)
		return;
	value = device_add(html, device, (uint32_t)operation + 1, begin_ns, end_ns);
	if (!value)
		return;
	value[BLOCK_OPERATION] = operation;
	value[BLOCK_SECTOR] = done->sector;
	value[BLOCK_BYTES] = done->bytes;
	value[BLOCK_ERROR] = (uint64_t)done->error;
	value[BLOCK_CPU] = (uint64_t)(done->cpu + 1);
	value[BLOCK_THREAD] = html_thread_number(done->thread);
	value[BLOCK_QUEUE] = (uint64_t)done->queue_ns;
	if (done->begin_known && done->end_known)
		html_plot(html, HTML_PLOT_REQUEST, done->device, done->operation,
			  tally_length(done->begin_ns, done->end_ns), end_ns);
	value[BLOCK_FLAGS] = (done->begin_known ? HTML_BEGIN_KNOWN : 0) |
			     (done->end_known ? HTML_END_KNOWN : 0);
}

/* ---- network devices ---- */

static void device_on_packet(void *ctx, const struct net_done *done)
{
	struct html *html = ctx;
	int64_t end_ns = html_time(html, done->end_ns);
	int64_t begin_ns = device_begin(html, done->begin_known, done->begin_ns, done->end_ns);
	struct html_device *device =
		device_find(html, done->sent ? HTML_SENDING : HTML_RECEIVING, 0, done->device);
	uint64_t *value;

	if (!device)
		return;
	value = device_add(html, device, 1, begin_ns, end_ns);
	if (!value)
		return;
	value[NET_BYTES] = done->bytes;
	value[NET_CPU] = (uint64_t)(done->cpu + 1);
	value[NET_THREAD] = html_thread_number(done->thread);
	value[NET_FLAGS] = (done->begin_known ? HTML_BEGIN_KNOWN : 0) |
			   (done->failed ? 0 : HTML_END_KNOWN);
}

/* ---- locks ---- */

static void device_on_lock(void *ctx, const struct lock_done *done)
{
	struct html *html = ctx;
	int64_t end_ns = html_time(html, done->end_ns);
	int64_t begin_ns = device_begin(html, done->begin_known, done->begin_ns, done->end_ns);
	char name[CONTEXT_NAME_SIZE];
	uint64_t *value;

	if (!done->thread || !run_selects(html->run, done->thread))
		return;
	value = html_chunks_add(&html->chunks, HTML_LOCK, done->thread->index, begin_ns, end_ns);
	if (!value) {
		run_out_of_memory(html->run);
		return;
	}
	run_symbol(html->run, done->thread->source, done->lock, name, sizeof(name));
	value[LOCK_LOCK] = html_names_string(&html->names, name);
	value[LOCK_KIND] = html_names_string(&html->names, done->kind);
	value[LOCK_CALL] = html_names_string(&html->names, done->call);
	value[LOCK_HOLDER] = html_thread_number(done->owner);
	value[LOCK_CPU] = (uint64_t)(done->cpu + 1);
	if (done->begin_known && done->end_known)
		html_plot(html, HTML_PLOT_LOCK, value[LOCK_KIND], 0,
			  tally_length(done->begin_ns, done->end_ns), end_ns);
	value[LOCK_FLAGS] = (done->begin_known ? HTML_BEGIN_KNOWN : 0) |
			    (done->end_known ? HTML_END_KNOWN : 0);
}

/**
 * html_observe_devices() - subscribe to the requests, packets and waits that other analyses find
 * @html: state of the analysis, after its parts have been started
 */
void html_observe_devices(struct html *html)
{
	block_observe(html->part[HTML_PART_BLOCK], device_on_request, html);
	lock_observe(html->part[HTML_PART_LOCK], device_on_lock, html);
	net_observe(html->part[HTML_PART_NET], device_on_packet, html);
}

/**
 * html_finish_devices() - add the requests and waits that have not ended
 * @html: state of the analysis, after the last event
 */
void html_finish_devices(struct html *html)
{
	block_finish(html->part[HTML_PART_BLOCK]);
	lock_finish(html->part[HTML_PART_LOCK]);
}
