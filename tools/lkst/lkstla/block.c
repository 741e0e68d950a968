// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla block: what block devices do, and how long their requests take.
 *
 * Events contain no ID of the request, but its device, operation and first sector nearly always
 * identify it. There are two exceptions:
 *  - A request may complete in parts. Each part begins at the sector at which the previous part
 *    ended, and the last one completes the request.
 *  - While a request is in progress, there may be a second issue at the same sector. Either the
 *    driver had no room for the request, and the kernel has issued the same request once more, or
 *    this is another request for the same sectors. The first completion belongs to the first issue.
 *    Only a second completion shows that there were two requests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "block.h"
#include "dist.h"
#include "hash.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/text/field.h"
#include "tally.h"
#include "value.h"

#define BLOCK_DEVICES_MAX	4096
#define BLOCK_REQUESTS_MAX	65536
#define SECTOR_SIZE		512
#define OPERATION_FLUSH		2 /* REQ_OP_FLUSH */

/* An operation on a device. The key consists of the device and the operation. */
struct block_row {
	struct hash_head head;
	char device[VALUE_SIZE];
	char operation[32];
	uint64_t requests;	/* completed requests */
	uint64_t bytes;		/* total size of these requests */
	uint64_t errors;
	uint64_t cut;		/* completed requests whose issue is unknown */
	uint64_t now;		/* requests in progress */
	uint64_t most;		/* maximum of @now */
	struct dist dist;	/* durations of the requests that are not cut */
	struct dist queue;	/* times before their issue, as far as they are known */
	uint64_t sector;	/* first sector of the longest request */
	const struct lkst_thread *issuer;
};

/* The thread that issued a request, and the time. */
struct block_issue {
	bool known;
	bool selected;		/* -p and -c select the request */
	int64_t queue_ns;	/* time in the queue before; 0: unknown */
	int64_t time_ns;
	int32_t cpu;
	const struct lkst_thread *thread;
};

/*
 * A request in progress. The key is its device, its operation, and the first sector that has not
 * completed. If a second request with the same key is issued before the first one completes, @again
 * describes the issue of the second request.
 */
struct block_request {
	struct hash_head head;
	uint64_t sector;	/* first sector */
	uint64_t bytes;
	uint64_t left;		/* bytes that have not completed */
	bool completed;		/* the first of two requests completed; @issue is the second's */
	struct block_issue issue;
	struct block_issue again;
};

struct blocks {
	const struct run *run;
	struct hash rows;
	struct hash requests;
	block_observer *observer;	/* called for each request; NULL: none */
	void *observer_ctx;
};

/**
 * block_observe() - pass each request to a function
 * @blocks: what start() of the analysis returned
 * @observer: function, called for each request when it completes, or by block_finish() if it does
 *	not
 * @ctx: argument of @observer
 */
void block_observe(void *blocks, block_observer *observer, void *ctx)
{
	struct blocks *to = blocks;

	to->observer = observer;
	to->observer_ctx = ctx;
}

static void *blocks_start(const struct run *run, struct lkst_error *err)
{
	struct blocks *blocks = calloc(1, sizeof(*blocks));

	if (!blocks) {
		lkst_error_memory(err, "block devices");
		return NULL;
	}
	blocks->run = run;
	blocks->rows = (struct hash){ .size = sizeof(struct block_row), .max = BLOCK_DEVICES_MAX };
	blocks->requests = (struct hash){ .size = sizeof(struct block_request),
					  .max = BLOCK_REQUESTS_MAX };
	return blocks;
}

static uint64_t block_bytes(const struct lkst_event *event)
{
	return event->arg[2] >> 32;
}

static uint64_t block_operation(const struct lkst_event *event)
{
	return (uint32_t)event->arg[2];
}

/* Find or add the row of an event. Returns NULL if an allocation failed. */
static struct block_row *blocks_row(struct blocks *blocks, const struct lkst_event *event)
{
	const uint64_t key[HASH_WORDS] = { event->arg[0], block_operation(event) };
	struct block_row *row;

	if (hash_add_row(&blocks->rows, key, &row) != HASH_ADDED)
		return row;
	if (hash_is_rest(row)) {
		snprintf(row->device, sizeof(row->device), "(others)");
		return row;
	}
	value_text(blocks->run, event, "device", row->device, sizeof(row->device));
	value_text(blocks->run, event, "operation", row->operation, sizeof(row->operation));
	return row;
}

/* ---- requests in progress ---- */

/* Forget all requests in progress: whether they have completed is unknown. */
static void blocks_forget(struct blocks *blocks)
{
	struct block_row *row;
	size_t at = 0;

	hash_clear(&blocks->requests);
	while ((row = hash_next(&blocks->rows, &at)) != NULL)
		row->now = 0;
}

static void block_key(const struct lkst_event *event, uint64_t sector, uint64_t key[HASH_WORDS])
{
	key[0] = event->arg[0];
	key[1] = block_operation(event);
	key[2] = sector;
}

static void block_set_issue(const struct run *run, const struct lkst_event *event,
			    struct block_issue *issue)
{
	*issue = (struct block_issue){
		.known = true,
		.selected = value_selects(run, event),
		.queue_ns = lkst_block_queue_ns(event),
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.thread = value_thread(run, event),
	};
}

static int blocks_issue(struct blocks *blocks, const struct lkst_event *event)
{
	struct block_request *request;
	enum hash_result result;
	uint64_t key[HASH_WORDS];
	struct block_row *row;

	block_key(event, event->arg[1], key);
	result = hash_add(&blocks->requests, key, &request);
	if (result == HASH_FULL) {
		/*
		 * The table is full. So many requests cannot be in progress at the same time, so
		 * most of them must have completed without a record.
		 */
		blocks_forget(blocks);
		result = hash_add(&blocks->requests, key, &request);
	}
	if (!request)
		return -1;
	if (result == HASH_FOUND && !request->completed) {
		block_set_issue(blocks->run, event, &request->again);
		return 0;
	}
	request->sector = event->arg[1];
	request->bytes = request->left = block_bytes(event);
	request->completed = false;
	request->again.known = false;
	block_set_issue(blocks->run, event, &request->issue);
	if (!request->issue.selected)
		return 0;
	row = blocks_row(blocks, event);
	if (!row)
		return -1;
	if (++row->now > row->most)
		row->most = row->now;
	return 0;
}

/* ---- completions ---- */

static void blocks_show(const struct blocks *blocks, const struct lkst_event *event,
			uint64_t sector, uint64_t bytes, const struct block_issue *issue)
{
	if (blocks->observer)
		blocks->observer(blocks->observer_ctx,
				 &(struct block_done){
					 .device = event->arg[0],
					 .operation = block_operation(event),
					 .sector = sector,
					 .bytes = bytes,
					 .begin_ns = issue ? issue->time_ns : 0,
					 .begin_known = issue,
					 .queue_ns = issue ? issue->queue_ns : 0,
					 .end_ns = event->time_ns,
					 .end_known = true,
					 .error = (int64_t)event->arg[3],
					 .cpu = issue ? issue->cpu : -1,
					 .thread = issue ? issue->thread : NULL });
}

/* Count a request that is complete. */
static int blocks_count(struct blocks *blocks, const struct lkst_event *event, uint64_t sector,
			uint64_t bytes, const struct block_issue *issue)
{
	int64_t ns = issue ? tally_length(issue->time_ns, event->time_ns) : 0;
	struct block_row *row;

	if (ns < blocks->run->args->over_ns)
		return 0;
	blocks_show(blocks, event, sector, bytes, issue);
	row = blocks_row(blocks, event);
	if (!row)
		return -1;
	row->requests++;
	row->bytes += bytes;
	row->errors += (int64_t)event->arg[3] < 0;
	if (!issue) {
		row->cut++;
		return 0;
	}
	if (!row->dist.count || (uint64_t)ns > row->dist.max) {
		row->sector = sector;
		row->issuer = issue->thread;
	}
	if (issue->queue_ns && dist_add(&row->queue, issue->queue_ns, issue->time_ns))
		return -1;
	return dist_add(&row->dist, ns, event->time_ns);
}

/* Count a completion without an issue. */
static int blocks_complete_unknown(struct blocks *blocks, const struct lkst_event *event)
{
	const struct common_arguments *args = blocks->run->args;

	/*
	 * If a request also flushes the device's cache before or after its write, it completes
	 * twice, the second time with 0 bytes. Do not count the second completion.
	 */
	if (!block_bytes(event) && block_operation(event) != OPERATION_FLUSH)
		return 0;
	if (args->processes.num || args->cpu >= 0)
		return 0;
	return blocks_count(blocks, event, 0, block_bytes(event), NULL);
}

/* Part of a request has completed. Store the request under the key with its next sector. */
static int blocks_complete_part(struct blocks *blocks, const struct lkst_event *event,
				struct block_request *request)
{
	struct block_request rest = *request, *moved;
	enum hash_result result;
	uint64_t key[HASH_WORDS];

	rest.left -= block_bytes(event);
	block_key(event, event->arg[1] + block_bytes(event) / SECTOR_SIZE, key);
	hash_remove(&blocks->requests, request);
	result = hash_add(&blocks->requests, key, &moved);
	if (!moved)
		return -1;
	/*
	 * If another request is in progress at that sector, keep that request, and forget the one
	 * that has completed in part.
	 */
	if (result == HASH_FOUND && !moved->completed)
		return 0;
	rest.head = moved->head;
	*moved = rest;
	return 0;
}

static int blocks_complete_last(struct blocks *blocks, const struct lkst_event *event,
				struct block_request *request)
{
	struct block_row *row;
	int ret = 0;

	if (request->issue.selected) {
		ret = blocks_count(blocks, event, request->sector, request->bytes, &request->issue);
		row = ret ? NULL : blocks_row(blocks, event);
		if (row && row->now)
			row->now--;
	}
	request->completed = true;
	request->issue = request->again;
	request->again.known = false;
	if (!request->issue.known)
		hash_remove(&blocks->requests, request);
	return ret;
}

static int blocks_complete(struct blocks *blocks, const struct lkst_event *event)
{
	struct block_request *request;
	uint64_t key[HASH_WORDS];
	int ret = 0;

	block_key(event, event->arg[1], key);
	request = hash_find(&blocks->requests, key);
	if (!request)
		return blocks_complete_unknown(blocks, event);
	if (!block_bytes(event) && request->left)
		return 0;
	if (request->completed) {
		/* This second completion shows that there were two requests. */
		if (request->issue.selected)
			ret = blocks_count(blocks, event, request->sector, block_bytes(event),
					   &request->issue);
		hash_remove(&blocks->requests, request);
		return ret;
	}
	if (block_bytes(event) < request->left)
		return blocks_complete_part(blocks, event, request);
	return blocks_complete_last(blocks, event, request);
}

static void blocks_event(void *ctx, const struct lkst_event *event)
{
	struct blocks *blocks = ctx;
	int ret = 0;

	if (!value_in_window(blocks->run, event->time_ns))
		return;
	if (event->type == LKST_ETYPE_BLOCK_ISSUE)
		ret = blocks_issue(blocks, event);
	else if (event->type == LKST_ETYPE_BLOCK_COMPLETE)
		ret = blocks_complete(blocks, event);
	if (ret)
		run_out_of_memory(blocks->run);
}

static void blocks_loss(void *ctx, const struct lkst_loss *loss)
{
	(void)loss;
	blocks_forget(ctx);
}

/**
 * block_finish() - pass the requests that have not completed to the observer
 * @blocks: what start() of the analysis returned. Call this after the last event
 */
void block_finish(void *blocks)
{
	const struct blocks *from = blocks;
	const struct block_request *request;
	size_t at = 0;

	while ((request = hash_next(&from->requests, &at)) != NULL)
		if (!request->completed)
			from->observer(from->observer_ctx,
				       &(struct block_done){
					       .device = request->head.key[0],
					       .operation = request->head.key[1],
					       .sector = request->sector,
					       .bytes = request->bytes,
					       .begin_ns = request->issue.time_ns,
					       .begin_known = true,
					       .queue_ns = request->issue.queue_ns,
					       .end_ns = from->run->end_ns,
					       .cpu = request->issue.cpu,
					       .thread = request->issue.thread });
}

/* ---- tables ---- */

static const struct column row_columns[] = {
	{ "device", "device", COLUMN_TEXT },	 { "operation", "operation", COLUMN_TEXT },
	{ "requests", "requests", COLUMN_COUNT }, { "bytes", "bytes", COLUMN_BYTES },
	{ "MB/s", "mb_per_s", COLUMN_RATE },	 { "errors", "errors", COLUMN_COUNT },
	{ "cut", "cut", COLUMN_COUNT },		 { "at once", "at_once", COLUMN_COUNT },
	VALUE_DIST_COLUMNS,			 { "sector", "sector", COLUMN_COUNT },
	{ "issued by", "issued_by", COLUMN_TEXT },
	{ "queue p50 us", "queue_p50_ns", COLUMN_US },
	{ "queue p99 us", "queue_p99_ns", COLUMN_US },
	{ "queue max us", "queue_max_ns", COLUMN_US },
	{ "queue at", "queue_at_ns", COLUMN_TIME },
};

static const struct column request_columns[] = {
	{ "device", "device", COLUMN_TEXT }, { "operation", "operation", COLUMN_TEXT },
	{ "sector", "sector", COLUMN_COUNT }, { "bytes", "bytes", COLUMN_BYTES },
	{ "issued", "issued_ns", COLUMN_TIME }, { "for ms", "for_ns", COLUMN_MS },
	{ "issued by", "issued_by", COLUMN_TEXT }, { "queue us", "queue_ns", COLUMN_US },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))

static int blocks_by_time(const void *a, const void *b)
{
	const struct block_row *const *pa = a, *const *pb = b;

	if ((*pa)->dist.sum != (*pb)->dist.sum)
		return (*pa)->dist.sum > (*pb)->dist.sum ? -1 : 1;
	if ((*pa)->requests != (*pb)->requests)
		return (*pa)->requests > (*pb)->requests ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int blocks_by_issue(const void *a, const void *b)
{
	const struct block_request *const *pa = a, *const *pb = b;

	if ((*pa)->issue.time_ns != (*pb)->issue.time_ns)
		return (*pa)->issue.time_ns < (*pb)->issue.time_ns ? -1 : 1;
	return hash_compare_keys(a, b);
}

static int blocks_report_row(const struct run *run, const struct block_row *row,
			     struct table *table, struct lkst_error *err)
{
	double window_us = (double)tally_length(run->begin_ns, run->end_ns) / 1000;
	bool timed = row->dist.count;
	char thread[40];
	struct cell cell[NUM(row_columns)] = {
		CELL_TEXT(row->device), *row->operation ? CELL_TEXT(row->operation) : CELL_NONE,
		CELL(row->requests), CELL(row->bytes), CELL_REAL((double)row->bytes / window_us),
		CELL(row->errors), CELL(row->cut), CELL(row->most),
		CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE,
		timed ? CELL(row->sector) : CELL_NONE, value_thread_cell(run, row->issuer, thread),
	};

	value_dist(&row->dist, cell + 8);
	value_dist(&row->queue, cell + NUM(row_columns) - VALUE_DIST_CELLS);
	return table_add(table, cell, err);
}

static int blocks_report_rows(const struct blocks *blocks, struct tables *to,
			      struct lkst_error *err)
{
	struct table *table = value_table(to, "block", "Requests that completed", row_columns,
					  NUM(row_columns), err);
	void **row = table ? hash_sorted(&blocks->rows, blocks_by_time) : NULL;
	int ret = 0;

	if (table && !row)
		lkst_error_memory(err, "block devices");
	if (!row)
		return -1;
	for (size_t i = 0; i < blocks->rows.num && !ret; i++)
		ret = blocks_report_row(blocks->run, row[i], table, err);
	free(row);
	return ret;
}

static int blocks_report_request(const struct run *run, const struct block_request *request,
				 struct table *table, struct lkst_error *err)
{
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_ISSUE,
		.arg = { request->head.key[0], 0, request->head.key[1] },
	};
	char device[VALUE_SIZE], operation[VALUE_SIZE], thread[40];

	return table_add(table,
			 (struct cell[]){
				 CELL_TEXT(value_text(run, &event, "device", device, sizeof(device))),
				 CELL_TEXT(value_text(run, &event, "operation", operation,
						      sizeof(operation))),
				 CELL(request->sector), CELL(request->bytes),
				 CELL(request->issue.time_ns),
				 CELL(tally_length(request->issue.time_ns, run->end_ns)),
				 value_thread_cell(run, request->issue.thread, thread),
				 request->issue.queue_ns ? CELL(request->issue.queue_ns) :
							   CELL_NONE },
			 err);
}

/* List the requests that have not completed: a device may have stopped answering. */
static int blocks_report_requests(const struct blocks *blocks, struct tables *to,
				  struct lkst_error *err)
{
	const struct run *run = blocks->run;
	struct table *table = value_table(to, "in_progress", "Requests that had not completed",
					  request_columns, NUM(request_columns), err);
	void **list = table ? hash_sorted(&blocks->requests, blocks_by_issue) : NULL;
	int ret = 0;

	if (table && !list)
		lkst_error_memory(err, "block devices");
	if (!list)
		return -1;
	for (size_t i = 0; i < blocks->requests.num && !ret; i++) {
		const struct block_request *request = list[i];

		if (request->issue.selected && !request->completed &&
		    tally_length(request->issue.time_ns, run->end_ns) >= run->args->over_ns)
			ret = blocks_report_request(run, request, table, err);
	}
	free(list);
	return ret;
}

static int blocks_report(void *ctx, const struct run *run, struct tables *to,
			 struct lkst_error *err)
{
	(void)run;
	return blocks_report_rows(ctx, to, err) || blocks_report_requests(ctx, to, err) ? -1 : 0;
}

static void blocks_free(void *ctx)
{
	struct blocks *blocks = ctx;
	struct block_row *row;
	size_t at = 0;

	while ((row = hash_next(&blocks->rows, &at)) != NULL) {
		dist_free(&row->dist);
		dist_free(&row->queue);
	}
	hash_free(&blocks->rows);
	hash_free(&blocks->requests);
	free(blocks);
}

const struct analysis analysis_block = {
	.name = "block",
	.about =
		"For each block device and operation: requests that completed, failed (errors),\n"
		"were issued before the window or at an unknown time (cut), and were in progress\n"
		"at once. p50, p99, max: the times in the device. The columns \"queue\" are the\n"
		"times in the kernel before that. \"at\", \"sector\" and \"issued by\" are those of\n"
		"the longest request. The second table lists requests that had not completed.\n",
	.needs = (const char *const[]){ "BLOCK_ISSUE", "BLOCK_COMPLETE", NULL },
	.ops = { .event = blocks_event, .loss = blocks_loss },
	.start = blocks_start,
	.report = blocks_report,
	.free = blocks_free,
};
