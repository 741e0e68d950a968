// SPDX-License-Identifier: GPL-2.0
/*
 * LKST_IOC_BUFFER_READ for the static buffer (specification 4.2.2).
 */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uio.h>

#include "../clock/clock.h"
#include "../memory/static_buffer.h"
#include "log.h"

static int lkst_static_compare(const void *a, const void *b)
{
	const struct lkst_static_copy *x = a, *y = b;

	return x->recid < y->recid ? -1 : x->recid > y->recid;
}

/**
 * lkst_static_buffer_read() - read the static buffer
 * @param: receives the counts, and the description of the clock and the format
 * @max: maximum number of records
 * @to: destination of the records
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if @to cannot be written, or LKST is off; -ENOMEM.
 */
int lkst_static_buffer_read(struct lkst_log_buffer *param, u64 max, struct iov_iter *to)
{
	struct lkst_static_copy *copies;
	struct lkst_static_counts counts;
	struct lkst_timebase timebase;
	struct lkst_time now;
	int ret = 0, num, i;

	copies = kvmalloc_array(LKST_STATIC_SLOTS, sizeof(*copies), GFP_KERNEL);
	if (!copies)
		return -ENOMEM;
	num = lkst_static_buffer_copy(copies, &counts);
	if (num < 0) {
		ret = num;
		goto free;
	}
	param->first_recid = 0;
	param->recorded = counts.recorded;
	param->dropped = counts.dropped;
	param->overwritten = counts.overwritten;
	param->unfinished = param->recorded - min(param->recorded, num + param->dropped +
						  param->overwritten);
	sort(copies, num, sizeof(*copies), lkst_static_compare, NULL);

	num = min_t(u64, num, max);
	for (i = 0; i < num; i++) {
		struct lkst_log_record record;

		lkst_log_expand(&record, &copies[i].record, copies[i].recid, copies[i].cpu,
				copies[i].clock);
		if (copy_to_iter(&record, sizeof(record), to) != sizeof(record)) {
			ret = -EINVAL;
			break;
		}
	}
	/*
	 * The static buffer has no session, and its records may have different
	 * clocks. So use a current reading of the clocks.
	 */
	lkst_time_read(&now);
	lkst_log_timebase(&timebase, lkst_clock_current(), &now);
	lkst_log_describe(param, &timebase);
	param->result_read_size = num * sizeof(struct lkst_log_record);
free:
	kvfree(copies);
	return ret;
}
