// SPDX-License-Identifier: GPL-2.0
/*
 * Out of the buffer that a CPU records in: only then what is in it can be read. Nothing that was not
 * read is written over for that.
 */
#include <errno.h>

#include "lib/messages.h"
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

static const struct lkst_buffer_listent *free_one(const struct lkst_buffer_list *list, int id)
{
	const struct lkst_buffer_listent *buffer = logd_ring_find(list, id);

	return buffer && buffer->state == LKST_BUFFER_FREE ? buffer : NULL;
}

/* Where to: forwards, or out of one that leads nowhere to any of the ring. NULL: not now. */
static const struct lkst_buffer_listent *way_out(const struct lkst_buffer_list *list,
						 const struct lkst_buffer_listent *now,
						 const struct logd_ring *ring)
{
	const struct lkst_buffer_listent *to = NULL;

	if (logd_ring_find(list, now->next))
		return free_one(list, now->next);
	for (uint32_t i = 0; i < ring->num && !to; i++)
		to = free_one(list, ring->id[i]);
	return to;
}

/*
 * The CPU may go on by itself meanwhile. A shift would lead it a buffer further then, which may be one
 * that is still to be read; a jump to where it is already changes nothing.
 */
static int leave(struct lkst_device *dev, const struct lkst_buffer_list *list,
		 const struct logd_ring *ring, uint64_t mark, struct lkst_error *err)
{
	const struct lkst_buffer_listent *now = written(list), *to;

	if (!now || now->first_recid >= mark)
		return 0;
	to = way_out(list, now, ring);
	if (to)
		return lkst_buffer_jump(dev, list->param.cpu, to->id, err);
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_LOGD_NO_WAY, list->param.cpu);
	err->sys_errno = EBUSY;
	return -1;
}

/**
 * logd_ring_shift() - see that what a CPU has recorded can be read
 * @dev: device
 * @cpu: CPU
 * @ring: its ring
 * @mark: up to this recid
 * @err: why it cannot; sys_errno EBUSY: it is possible when what is queued was read
 */
int logd_ring_shift(struct lkst_device *dev, int32_t cpu, const struct logd_ring *ring,
		    uint64_t mark, struct lkst_error *err)
{
	struct lkst_buffer_list list;
	int ret;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	ret = leave(dev, &list, ring, mark, err);
	lkst_buffer_list_free(&list);
	return ret;
}
