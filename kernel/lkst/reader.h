/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading what was recorded as it comes: the read queues and read().
 */
#ifndef _LKST_READER_H
#define _LKST_READER_H

#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/lkst_buffer.h>

struct lkst_buffer;
struct lkst_cpu;

void lkst_queue_init_cpu(struct lkst_cpu *c);
int lkst_reader_bind(struct file *file, struct lkst_buffer_srmodparam *param);
ssize_t lkst_reader_read_iter(struct kiocb *iocb, struct iov_iter *to);
__poll_t lkst_reader_poll(struct file *file, poll_table *wait);
int lkst_reader_flush(struct file *file, fl_owner_t id);
int lkst_reader_release(struct inode *inode, struct file *file);
void lkst_queue_wake(void);
void lkst_queue_wake_cpu(int cpu);
void lkst_queue_neighbours(const struct lkst_cpu *c, const struct lkst_buffer *buffer,
			   lkst_buffer_id *prev, lkst_buffer_id *next);
void lkst_queue_ends(const struct lkst_cpu *c, lkst_buffer_id *head, lkst_buffer_id *tail);
void lkst_reader_describe(int cpu, struct lkst_buffer_listparam *param);

#endif
