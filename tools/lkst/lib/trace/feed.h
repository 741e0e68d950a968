/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads a file from its start, and decompresses .gz and .zst files. */
#ifndef _LKST_TRACE_FEED_H
#define _LKST_TRACE_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct trace_feed;

bool trace_is_compressed(const uint8_t *head, size_t len);
struct trace_feed *trace_feed_open(int fd, bool seekable);
ssize_t trace_feed_read(struct trace_feed *feed, uint8_t *buf, size_t len);
bool trace_feed_damaged(const struct trace_feed *feed);
void trace_feed_close(struct trace_feed *feed);

#endif
