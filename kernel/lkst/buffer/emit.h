/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write a record into the buffer of this CPU, or into a given buffer. This
 * layer knows nothing of masksets and event handlers: the layer above decides
 * which events are recorded here.
 */
#ifndef _LKST_EMIT_H
#define _LKST_EMIT_H

#include <linux/types.h>
#include <linux/lkst_buffer.h>

struct lkst_ring;

/**
 * struct lkst_emit_client - functions that apply the maskset to LKST's own
 *	events
 * @masked: whether the maskset masks an event type
 * @records: whether the default event handler handles the event type
 * @event: call the event handler that the maskset selects for the event
 * @overflow: call the event handler that the maskset selects for
 *	LKST_BUFF_OVFLOW. That handler may shift to another buffer. So it is
 *	called even in a context in which another event handler is running and
 *	may have filled the buffer
 *
 * There is one client, dispatch/event.c. All functions run in any context, NMI
 * included, with preemption off. @depth is as for lkst_emit().
 */
struct lkst_emit_client {
	bool (*masked)(int etype);
	bool (*records)(int etype);
	void (*event)(int etype, u64 a1, u64 a2, u64 a3, u64 a4);
	void (*overflow)(unsigned int depth, lkst_buffer_id buffer, u64 overwritten, u64 recid);
};

extern const struct lkst_emit_client lkst_emit_client;

void lkst_emit(int etype, unsigned int depth, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_emit_in(struct lkst_ring *ring, int etype, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_emit_own(int etype, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_emit_time(void);
void lkst_emit_time_in(struct lkst_ring *ring);
void lkst_emit_long(struct lkst_ring *ring, int etype, unsigned int depth, u64 a1, u64 a2, u64 a3,
		    u64 a4);
void lkst_emit_long_time(struct lkst_ring *ring);

#endif
