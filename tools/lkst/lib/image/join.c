// SPDX-License-Identifier: LGPL-2.1
/*
 * Joins the compressed history of a CPU in an image and the records of the CPU's buffers in a
 * trace, in the order of their recids, so that the trace contains each record once. The history
 * contains most records of the buffers as well. Records are taken from the history, because its
 * checksums protect them. The buffers contain the newest records, and may contain those of damaged
 * chunks.
 */
#include "join.h"
#include "lib/text/addresses.h"
#include "lib/trace/write.h"

/**
 * image_join_begin() - begin with a CPU, and find its history
 * @join: its history must be opened, and its other members up to @addresses set
 * @boot: index of the boot
 * @cpu: CPU
 * @err: set on failure
 */
int image_join_begin(struct image_join *join, uint32_t boot, int32_t cpu, struct lkst_error *err)
{
	join->at = 0;
	join->next = 0;
	join->any = false;
	join->repeated = 0;
	return image_history_find(&join->history, boot, cpu, err);
}

/*
 * The records from @first to @end - 1 come next in the trace. If events are missing before them,
 * write how many. Without a history, the counters of the buffers say this.
 */
static int image_join_gap(struct image_join *join, uint64_t first, uint64_t end,
			  struct lkst_error *err)
{
	uint64_t next = join->next;
	bool gap = join->any && first > next && join->history.parts.num;

	join->any = true;
	join->next = end > next ? end : next;
	return gap ? lkst_trace_write_loss(join->writer, join->history.cpu, next, first - next,
					   err) :
		     0;
}

/* Write the next chunk of the history. */
static int image_join_chunk(struct image_join *join, struct lkst_error *err)
{
	const struct trace_history_part *part = &join->history.parts.part[join->at];
	struct trace_history_chunk chunk;
	const uint8_t *raw;
	int ret = image_history_read(&join->history, join->at++, &raw, &chunk, err);

	if (ret < 0)
		return -1;
	if (!ret) {
		join->history.damaged++;
		join->history.events -= part->events;
		return 0;
	}
	if (image_join_gap(join, part->first, part->end, err) ||
	    lkst_addresses_add_raw(join->addresses, chunk.run.record, chunk.run.num, err))
		return -1;
	return raw ? lkst_trace_write_chunk(join->writer, raw, part->length, chunk.events, err) :
		     lkst_trace_write_run(join->writer, &chunk.run, err);
}

/* Write some of the records of a run: those from recid @first to @end - 1. */
static int image_join_piece(struct image_join *join, const struct lkst_run *run, uint64_t first,
			    uint64_t end, struct lkst_error *err)
{
	struct lkst_run piece = *run;

	piece.record += first - run->first_recid;
	piece.first_recid = first;
	piece.num = end - first;
	if (image_join_gap(join, first, end, err) ||
	    lkst_trace_write_run(join->writer, &piece, err))
		return -1;
	return lkst_addresses_add_raw(join->addresses, piece.record, piece.num, err);
}

/* Count the records of a run, without holes, from recid @first to @end - 1. */
static uint64_t image_join_count(const struct lkst_run *run, uint64_t first, uint64_t end)
{
	uint64_t num = 0;

	for (; first < end; first++)
		num += run->record[first - run->first_recid].clock != 0;
	return num;
}

/**
 * image_join_run() - write the records of a run that the history does not contain
 * @join: after image_join_begin()
 * @run: run of the same CPU. The recids of the runs should increase from call to call. If they do
 *	not, the events between two runs may be reported as lost
 * @err: set on failure
 *
 * The chunks of the history that precede the records are written first.
 */
int image_join_run(struct image_join *join, const struct lkst_run *run, struct lkst_error *err)
{
	const struct trace_history_parts *parts = &join->history.parts;
	uint64_t at = run->first_recid, end = run->first_recid + run->num, stop;

	for (; at < end; at = stop) {
		size_t after = trace_history_after(parts, at);

		while (join->at < after)
			if (image_join_chunk(join, err))
				return -1;
		if (after && at < parts->part[after - 1].end) {
			stop = parts->part[after - 1].end;
			stop = stop < end ? stop : end;
			join->repeated += image_join_count(run, at, stop);
			continue;
		}
		stop = after < parts->num && parts->part[after].first < end ?
			       parts->part[after].first :
			       end;
		if (image_join_piece(join, run, at, stop, err))
			return -1;
	}
	return 0;
}

/**
 * image_join_end() - write the rest of the history
 * @join: after image_join_begin()
 * @err: set on failure
 */
int image_join_end(struct image_join *join, struct lkst_error *err)
{
	while (join->at < join->history.parts.num)
		if (image_join_chunk(join, err))
			return -1;
	return 0;
}
