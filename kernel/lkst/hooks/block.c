// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class block (0x0a0).
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/blktrace_api.h>
#include <trace/events/block.h>

#include "../event.h"
#include "../source.h"

/*
 * A queue may outlive its disk, and some have none. A disk is freed an RCU grace period after the
 * queue has forgotten it. While preemption is off, RCU waits.
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

static void lkst_probe_block_rq_issue(void *data, struct request *rq)
{
	lkst_event(LKST_ETYPE_BLOCK_ISSUE, lkst_request_dev(rq), blk_rq_trace_sector(rq),
		   LKST_ARG32(blk_rq_bytes(rq), (__force u32)req_op(rq)), 0);
}

/* Part of a request may complete, and what is left of it later. */
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
