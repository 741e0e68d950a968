// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "block" (0x0a0).
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/blktrace_api.h>
#include <linux/timekeeping.h>
#include <trace/events/block.h>

#include "../dispatch/event.h"
#include "../source/source.h"

/*
 * Return the device number of the disk that a request is for, or 0 if the queue
 * has no disk. The disk is freed an RCU grace period after the queue drops its
 * pointer to the disk. Preemption is off here, so the grace period cannot end.
 */
static dev_t lkst_request_dev(const struct request *rq)
{
	struct gendisk *disk;
	dev_t dev;

	lkst_probe_begin();
	disk = READ_ONCE(rq->q->disk);
	dev = disk ? disk_devt(disk) : 0;
	lkst_probe_end();
	return dev;
}

/*
 * Return how long a request has waited since the kernel allocated it for its
 * first bio, in nanoseconds, or 0 if this is unknown. The kernel sets the start
 * time of the requests that /proc/diskstats counts, and of the flushes that
 * blk-flush.c makes. In other requests, the start time may be that of an
 * earlier request in the same memory. If requests merge, the earlier start time
 * counts. A requeue does not change the start time.
 */
static u64 lkst_request_queue_ns(struct request *rq)
{
	u64 now;

	if (blk_rq_is_passthrough(rq))
		return 0;
	if (!(rq->rq_flags & RQF_IO_STAT) &&
	    !(req_op(rq) == REQ_OP_FLUSH && (rq->rq_flags & RQF_FLUSH_SEQ)))
		return 0;
	now = ktime_get_ns();
	return now > rq->start_time_ns ? now - rq->start_time_ns : 1;
}

static void lkst_probe_block_rq_issue(void *data, struct request *rq)
{
	lkst_event(LKST_ETYPE_BLOCK_ISSUE, lkst_request_dev(rq), blk_rq_trace_sector(rq),
		   LKST_ARG32(blk_rq_bytes(rq), (__force u32)req_op(rq)),
		   lkst_request_queue_ns(rq));
}

/* A request may complete in parts, which are recorded separately. */
static void lkst_probe_block_rq_complete(void *data, struct request *rq, blk_status_t error,
					 unsigned int nr_bytes)
{
	lkst_event(LKST_ETYPE_BLOCK_COMPLETE, lkst_request_dev(rq), blk_rq_trace_sector(rq),
		   LKST_ARG32(nr_bytes, (__force u32)req_op(rq)), blk_status_to_errno(error));
}

struct lkst_source lkst_sources_block[] = {
	LKST_SOURCE(block_rq_issue, lkst_probe_block_rq_issue, LKST_ETYPE_BLOCK_ISSUE),
	LKST_SOURCE(block_rq_complete, lkst_probe_block_rq_complete, LKST_ETYPE_BLOCK_COMPLETE),
	{}
};
