/* SPDX-License-Identifier: GPL-2.0 */
/* Reading traces, and changing them, for tests. */
#ifndef _TRACE_CASE_H
#define _TRACE_CASE_H

#include "lib/trace_format.h"

#define EVENTS_MAX	40000
#define REPORTS_MAX	8192

extern struct lkst_event *events; /* EVENTS_MAX */
extern char reports[REPORTS_MAX];
extern const struct lkst_trace_hooks hooks;

struct lkst_trace *open_fd(int fd);
size_t read_all(struct lkst_trace *trace, enum lkst_order order);
void read_file(int fd, uint8_t **data, size_t *size);
int write_file(const uint8_t *data, size_t size);
struct trace_chunk_header *find_chunk(uint8_t *data, size_t size, int type, int n);
void sign(struct trace_chunk_header *chunk);
int write_many(int32_t cpus, uint64_t records);

#endif
