/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes a trace file. */
#ifndef _LKST_LIB_TRACE_WRITE_H
#define _LKST_LIB_TRACE_WRITE_H

#include "lib/lkst.h"

struct lkst_run;
struct lkst_trace_buffer;
struct lkst_trace_writer;

struct lkst_process {
	uint32_t tid;
	uint32_t tgid;
	char name[LKST_COMM_LEN];
};

struct lkst_trace_writer *lkst_trace_writer_create(const char *path,
						   struct lkst_error *err);
struct lkst_trace_writer *lkst_trace_writer_fd(int fd, const char *name,
					       struct lkst_error *err);
struct lkst_trace_writer *lkst_trace_writer_temporary(int fd, struct lkst_error *err);
bool lkst_trace_writer_direct(const struct lkst_trace_writer *writer);
int lkst_trace_writer_compress(struct lkst_trace_writer *writer, struct lkst_error *err);
int lkst_trace_write_system(struct lkst_trace_writer *writer, const char *text,
			    struct lkst_error *err);
int lkst_trace_write_etypes(struct lkst_trace_writer *writer, const char *text,
			    size_t len, struct lkst_error *err);
int lkst_trace_write_values(struct lkst_trace_writer *writer, const char *text,
			    size_t len, struct lkst_error *err);
int lkst_trace_write_symbols(struct lkst_trace_writer *writer, const char *text,
			     size_t len, struct lkst_error *err);
int lkst_trace_write_files(struct lkst_trace_writer *writer, const char *text,
			   size_t len, struct lkst_error *err);
int lkst_trace_write_processes(struct lkst_trace_writer *writer,
			       const struct lkst_process *process, size_t num,
			       struct lkst_error *err);
int lkst_trace_write_records(struct lkst_trace_writer *writer,
			     const struct lkst_log_buffer *buffer,
			     const struct lkst_log_record *record, size_t num,
			     struct lkst_error *err);
int lkst_trace_write_run(struct lkst_trace_writer *writer, const struct lkst_run *run,
			 struct lkst_error *err);
int lkst_trace_write_counts(struct lkst_trace_writer *writer, const struct lkst_run *run,
			    const struct lkst_trace_buffer *counts, struct lkst_error *err);
int lkst_trace_write_chunk(struct lkst_trace_writer *writer, const void *chunk, size_t size,
			   uint64_t events, struct lkst_error *err);
int lkst_trace_write_loss(struct lkst_trace_writer *writer, int32_t cpu, uint64_t first_recid,
			  uint64_t number, struct lkst_error *err);
int lkst_trace_write_end(struct lkst_trace_writer *writer, struct lkst_error *err);
int lkst_trace_writer_commit(struct lkst_trace_writer *writer, struct lkst_error *err);
void lkst_trace_writer_abort(struct lkst_trace_writer *writer);

#endif
