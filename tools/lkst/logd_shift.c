// SPDX-License-Identifier: GPL-2.0
/* How far a CPU's recids have come. */
#include "logd.h"

static uint64_t next_recid(const struct lkst_buffer_listent *buffer)
{
	return (uint64_t)buffer->baseid + buffer->write_offset;
}

static const struct lkst_buffer_listent *written(const struct lkst_buffer_list *list)
{
	return logd_ring_find(list, list->param.write_buf);
}

/**
 * logd_ring_end() - the recid that a CPU's next record gets
 * @dev: device
 * @cpu: CPU
 * @end: result; 0: it records nowhere
 * @err: why that cannot be told
 */
int logd_ring_end(struct lkst_device *dev, int32_t cpu, uint64_t *end, struct lkst_error *err)
{
	const struct lkst_buffer_listent *now;
	struct lkst_buffer_list list;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	now = written(&list);
	*end = now ? next_recid(now) : 0;
	lkst_buffer_list_free(&list);
	return 0;
}
