/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading in blocks: a file in LKST_READ_MODE_BLOCK.
 */
#ifndef _LKST_BLOCK_H
#define _LKST_BLOCK_H

#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/lkst_buffer.h>

bool lkst_block_bound(struct file *file);
int lkst_block_bind(struct file *file, int cpu);
int lkst_block_seek(struct file *file, const struct lkst_block_seekparam *param);
int lkst_block_wait(struct file *file, const struct lkst_block_waitparam *param);
int lkst_block_flush(struct file *file);
ssize_t lkst_block_read_kernel(struct file *file, void *to, size_t size);
ssize_t lkst_block_read_iter(struct kiocb *iocb, struct iov_iter *to);
__poll_t lkst_block_poll(struct file *file);
void lkst_block_release(struct file *file);

#endif
