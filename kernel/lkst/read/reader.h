/* SPDX-License-Identifier: GPL-2.0 */
/*
 * read() and poll(), and the part of LKST_IOC_BUFFER_LIST that describes the
 * reader.
 */
#ifndef _LKST_READER_H
#define _LKST_READER_H

#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/lkst_buffer.h>

int lkst_reader_bind(struct file *file, struct lkst_buffer_srmodparam *param);
ssize_t lkst_reader_read_iter(struct kiocb *iocb, struct iov_iter *to);
__poll_t lkst_reader_poll(struct file *file, poll_table *wait);
int lkst_reader_flush(struct file *file, fl_owner_t id);
int lkst_reader_release(struct inode *inode, struct file *file);
void lkst_reader_describe(int cpu, struct lkst_buffer_listparam *param);
int lkst_buffer_list(struct lkst_buffer_listparam *param);

#endif
