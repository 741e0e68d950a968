// SPDX-License-Identifier: GPL-2.0
/*
 * Shows requests to disks as slices in Perfetto: from the issue to the completion.
 *
 * As in lkstla block, the device, the operation and the next sector identify a request. It can
 * complete in parts, each of which begins where the previous one ended. A second issue with the
 * same device, operation and sector counts as the same request. Requests to a device can overlap,
 * so each device has several tracks of the same name, which Perfetto shows as one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lib/text/field.h"
#include "perfetto.h"

#define DISKS	       64
#define DISKS_REQUESTS 256
#define DISKS_SECTOR   512

/*
 * A request in progress.
 *
 * @device: device; index in the table of devices
 * @lane: number of the track among the tracks of the device
 * @operation: operation
 * @sector: next sector
 * @left: bytes that have not completed
 * @begin: time of the issue in the output
 */
struct disk_request {
	size_t device;
	uint32_t lane;
	uint32_t operation;
	uint64_t sector;
	uint64_t left;
	uint64_t begin;
};

/* A device: its number, and the number of its tracks. */
struct disk {
	uint64_t device;
	uint32_t lanes;
};

struct disks {
	size_t num;
	struct disk disk[DISKS];
	size_t requests;
	struct disk_request request[DISKS_REQUESTS];
};

/**
 * disks_new() - make an empty table of requests
 * @err: set if an allocation fails
 */
struct disks *disks_new(struct lkst_error *err)
{
	struct disks *disks = calloc(1, sizeof(*disks));

	if (!disks)
		lkst_error_memory(err, "the requests to disks");
	return disks;
}

/**
 * disks_free() - free a table of requests
 * @disks: may be NULL
 */
void disks_free(struct disks *disks)
{
	free(disks);
}

/* These functions return arguments of the events block_issue and block_complete. */
static uint64_t disks_bytes(const struct lkst_event *event)
{
	return event->arg[2] >> 32;
}

static uint32_t disks_operation(const struct lkst_event *event)
{
	return (uint32_t)event->arg[2];
}

/* Write the argument with this label as text. */
static void disks_text(const struct perfetto *pf, const struct lkst_event *event, const char *label,
		       char text[TRACKS_TEXT])
{
	const struct lkst_etype *type = lkst_etype(pf->export->types, event->type);
	struct field_view view = {
		.context = pf->export->context, .event = event, .type = type, .bare = true
	};
	/*
	 * Use pf->event as a buffer: it has room for any field, and no event is being written. In a
	 * damaged trace, the device can be any text, even invalid UTF-8.
	 */
	char *value = (char *)pf->event;
	size_t len = 0;

	for (size_t i = 0; type && i < type->fields; i++)
		if (!strcmp(type->field[i].label, label))
			len = (size_t)(lkst_put_field(value, &view, &type->field[i]) - value);
	*put_utf8(text, value, len < TRACKS_TEXT ? len : TRACKS_TEXT - 1) = 0;
}

/* Return the index of the device of an event; DISKS if there are too many devices. */
static size_t disks_find(struct disks *disks, const struct lkst_event *event)
{
	size_t i = 0;

	while (i < disks->num && disks->disk[i].device != event->arg[0])
		i++;
	if (i == disks->num && i < DISKS) {
		disks->disk[i].device = event->arg[0];
		disks->num++;
	}
	return i;
}

static struct disk_request *disks_request(struct disks *disks, size_t device,
					  const struct lkst_event *event)
{
	for (size_t i = 0; i < disks->requests; i++) {
		struct disk_request *request = &disks->request[i];

		if (request->device == device && request->sector == event->arg[1] &&
		    request->operation == disks_operation(event))
			return request;
	}
	return NULL;
}

static uint64_t disks_track(const struct disk_request *request)
{
	return tracks_id(TRACK_DISKS, (uint32_t)request->device << 16 | request->lane);
}

/* Choose the first track of a device that no request in progress uses. */
static uint32_t disks_lane(const struct disks *disks, size_t device)
{
	bool used[DISKS_REQUESTS + 1] = { false };
	uint32_t lane = 0;

	for (size_t i = 0; i < disks->requests; i++)
		if (disks->request[i].device == device)
			used[disks->request[i].lane] = true;
	while (used[lane])
		lane++;
	return lane;
}

static void disks_begin(struct perfetto *pf, size_t device, const struct lkst_event *event,
			uint64_t time)
{
	struct disks *disks = pf->disks;
	struct disk *disk = &disks->disk[device];
	struct disk_request *request = &disks->request[disks->requests];
	char name[TRACKS_TEXT + 8], text[TRACKS_TEXT], operation[TRACKS_TEXT + 32];
	const struct track_value values[] = { { "sector", event->arg[1] },
					      { "bytes", disks_bytes(event) },
					      { "queue_ns", (uint64_t)lkst_block_queue_ns(event) } };

	*request = (struct disk_request){ device, disks_lane(disks, device), disks_operation(event),
					  event->arg[1], disks_bytes(event), time };
	disks->requests++;
	if (request->lane >= disk->lanes) {
		disk->lanes = request->lane + 1;
		disks_text(pf, event, "device", text);
		snprintf(name, sizeof(name), "disk %s", text);
		tracks_describe(pf, disks_track(request), name);
	}
	disks_text(pf, event, "operation", text);
	snprintf(operation, sizeof(operation), "%s %" PRIu64 " KB", text,
		 (disks_bytes(event) + 1023) / 1024);
	tracks_begin(pf, disks_track(request), disks_bytes(event) ? operation : text, values,
		     lkst_block_queue_ns(event) ? 3 : 2, time);
}

static void disks_end(struct perfetto *pf, struct disk_request *request,
		      const struct track_value *values, size_t num, uint64_t time)
{
	struct disks *disks = pf->disks;

	size_t after;

	tracks_end(pf, disks_track(request), values, num, time);
	/*
	 * Keep the order of the requests: if two of them are equal, the earlier one completes
	 * first.
	 */
	disks->requests--;
	after = (size_t)(disks->request + disks->requests - request);
	memmove(request, request + 1, after * sizeof(*request));
}

/**
 * disks_see() - begin or end a request
 * @pf: writer
 * @event: event of the type block_issue or block_complete
 * @time: its time in the output
 */
void disks_see(struct perfetto *pf, const struct lkst_event *event, uint64_t time)
{
	struct disks *disks = pf->disks;
	size_t device = disks_find(disks, event);
	struct disk_request *request = disks_request(disks, device, event);
	const struct track_value error = { "error", event->arg[3] };

	if (event->type == LKST_ETYPE_BLOCK_ISSUE) {
		if (!request && device < DISKS && disks->requests < DISKS_REQUESTS)
			disks_begin(pf, device, event, time);
	} else if (request && disks_bytes(event) < request->left) {
		request->left -= disks_bytes(event);
		request->sector += disks_bytes(event) / DISKS_SECTOR;
	} else if (request) {
		disks_end(pf, request, &error, 1, time);
	}
}

/**
 * disks_lose() - end all requests, because it is unknown whether they have completed
 * @pf: writer
 * @time: start of a loss. Requests of other CPUs may have begun after @time
 */
void disks_lose(struct perfetto *pf, uint64_t time)
{
	const struct track_value unknown = { "end unknown", 1 };

	while (pf->disks->requests) {
		struct disk_request *request = pf->disks->request;

		disks_end(pf, request, &unknown, 1, time > request->begin ? time : request->begin);
	}
}
