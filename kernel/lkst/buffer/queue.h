/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The read queues, and the functions that wake their readers.
 */
#ifndef _LKST_QUEUE_H
#define _LKST_QUEUE_H

#include <linux/wait.h>
#include <linux/lkst_buffer.h>

struct lkst_buffer;
struct lkst_cpu;

/*
 * Wait queue of processes that called poll() before they were bound to a CPU.
 * epoll calls poll() only once, and then waits on the queue that it got at that
 * time.
 */
extern wait_queue_head_t lkst_queue_unbound;

/* Wait queue of readers in block mode. */
extern wait_queue_head_t lkst_queue_block_readers;

void lkst_queue_init_cpu(struct lkst_cpu *c);
void lkst_queue_wake(void);
void lkst_queue_wake_cpu(int cpu);
void lkst_queue_wake_all(struct lkst_cpu *c);
void lkst_queue_wake_blocks(void);
void lkst_queue_wake_half(void);
void lkst_queue_blocks_opened(void);
void lkst_queue_blocks_closed(void);

void lkst_queue_neighbours(const struct lkst_cpu *c, const struct lkst_buffer *buffer,
			   lkst_buffer_id *prev, lkst_buffer_id *next);
void lkst_queue_ends(const struct lkst_cpu *c, lkst_buffer_id *head, lkst_buffer_id *tail);
struct lkst_buffer *lkst_queue_first(const struct lkst_cpu *c);
struct lkst_buffer *lkst_queue_take(struct lkst_cpu *c, unsigned long *timeout);
void lkst_queue_release(struct lkst_buffer *buffer, u64 read);
void lkst_queue_put_back(struct lkst_cpu *c, struct lkst_buffer *buffer, u64 read);

#endif
