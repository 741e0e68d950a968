// SPDX-License-Identifier: GPL-2.0
/*
 * LKST_IOC_BUFFER_LIST: list the buffers of a CPU (specification 4.7.1.3.7).
 */
#include <linux/bitmap.h>
#include <linux/math64.h>
#include <linux/mutex.h>

#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "../buffer/queue.h"
#include "reader.h"

static struct lkst_buffer_listent lkst_buffer_describe(struct lkst_buffer *buffer)
{
	struct lkst_cursor cursor;
	u64 next, offset, dropped;

	lkst_cursor_init(&cursor, buffer);
	dropped = lkst_cursor_dropped(&cursor);
	div64_u64_rem(cursor.end, cursor.ring->slots, &offset);
	next = cursor.session.first_recid + (cursor.end - cursor.session.first);
	return (struct lkst_buffer_listent) {
		.size = buffer->region.size,
		.write_offset = offset,
		.baseid = next - offset,
		.first_recid = cursor.session.first_recid,
		.overwritten = cursor.position - cursor.session.first - dropped,
		.dropped = READ_ONCE(cursor.ring->dropped) - cursor.session.dropped,
		.id = buffer->id,
		.next = buffer->next,
		.rq_prev = LKST_BUFFER_ID_VOID,
		.rq_next = LKST_BUFFER_ID_VOID,
		.clock = cursor.session.clock,
		.state = lkst_buffer_state(buffer),
	};
}

/* List as many of the CPU's buffers as fit, in ascending order of their ids. */
static void lkst_buffer_list_all(struct lkst_cpu *c, struct lkst_buffer_listparam *param)
{
	struct lkst_buffer_listent *list = (void *)(unsigned long)param->listent;
	int id;

	if (!c)
		return;
	for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1) {
		if (param->buffer_num < param->listent_num) {
			struct lkst_buffer_listent *ent = &list[param->buffer_num];

			*ent = lkst_buffer_describe(c->buffers[id]);
			lkst_queue_neighbours(c, c->buffers[id], &ent->rq_prev, &ent->rq_next);
		}
		param->buffer_num++;
	}
}

/**
 * lkst_buffer_list() - list a CPU's buffers (4.7.1.3.7)
 * @param: the request; receives the result. @param->listent points to kernel
 *	memory
 *
 * Stores at most @param->listent_num entries. @param->buffer_num receives the
 * number of all buffers of the CPU.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL if @param->cpu is not a possible CPU, @param->listent is
 * NULL, or @param->listent_num is negative.
 */
int lkst_buffer_list(struct lkst_buffer_listparam *param)
{
	if (!lkst_cpu_valid(param->cpu) || !param->listent || param->listent_num < 0)
		return -EINVAL;
	param->buffer_num = 0;
	param->write_buf = lkst_buffer_written(param->cpu);
	mutex_lock(&lkst_buffer_mutex);
	lkst_buffer_list_all(per_cpu(lkst_cpu, param->cpu), param);
	lkst_queue_ends(per_cpu(lkst_cpu, param->cpu), &param->rq_head, &param->rq_tail);
	mutex_unlock(&lkst_buffer_mutex);
	lkst_reader_describe(param->cpu, param);
	return 0;
}
