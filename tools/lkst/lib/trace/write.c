// SPDX-License-Identifier: LGPL-2.1
/* Writes a trace file, which replaces an existing file only when it is complete. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "format.h"
#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "lib/base/replacement.h"
#include "lib/base/temporary.h"
#include "lib/device/run.h"
#include "messages.h"
#include "pack.h"
#include "trace.h"
#include "write.h"

struct lkst_trace_writer {
	struct replacement file;
	char *name; /* for error messages */
	struct trace_packer packer; /* with zstd if compression is on */
	uint64_t records;
	uint64_t chunks;
};

static int writer_write_error(const struct lkst_trace_writer *writer, int sys_errno,
			      struct lkst_error *err)
{
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_WRITE, writer->name, strerror(sys_errno),
		       writer->file.hint);
	if (err)
		err->sys_errno = sys_errno;
	return -1;
}

static int writer_write_all(struct lkst_trace_writer *writer, struct iovec *iov, int num,
			    struct lkst_error *err)
{
	while (num) {
		ssize_t n = writev(writer->file.fd, iov, num);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return writer_write_error(writer, errno, err);
		while (num && (size_t)n >= iov->iov_len) {
			n -= (ssize_t)iov->iov_len;
			iov++;
			num--;
		}
		if (num) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= (size_t)n;
		}
	}
	return 0;
}

static int writer_write_header(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	struct trace_file_header header = {
		.magic = TRACE_MAGIC,
		.byte_order = TRACE_BYTE_ORDER,
		.version = TRACE_VERSION,
		.header_size = sizeof(header),
	};
	struct iovec iov = { &header, sizeof(header) };

	header.checksum = lkst_crc32c(&header, offsetof(struct trace_file_header, checksum));
	return writer_write_all(writer, &iov, 1, err);
}

static void free_writer(struct lkst_trace_writer *writer)
{
	trace_packer_close(&writer->packer);
	free(writer->name);
	free(writer);
}

/**
 * lkst_trace_writer_fd() - start a trace on a file descriptor
 * @fd: descriptor, which the caller closes
 * @name: for error messages
 * @err: set on failure
 */
struct lkst_trace_writer *lkst_trace_writer_fd(int fd, const char *name, struct lkst_error *err)
{
	struct lkst_trace_writer *writer = calloc(1, sizeof(*writer));

	if (writer)
		writer->name = strdup(name);
	if (!writer || !writer->name) {
		free(writer);
		lkst_error_memory(err, name);
		return NULL;
	}
	writer->file = (struct replacement){ .fd = fd, .hint = "" };
	if (writer_write_header(writer, err)) {
		free_writer(writer);
		return NULL;
	}
	return writer;
}

/**
 * lkst_trace_writer_temporary() - start a trace that exists only while it is printed
 * @fd: from lkst_temporary_file(); the caller closes it
 * @err: set on failure
 */
struct lkst_trace_writer *lkst_trace_writer_temporary(int fd, struct lkst_error *err)
{
	struct lkst_trace_writer *writer = calloc(1, sizeof(*writer));

	if (!writer || asprintf(&writer->name, MSG_TEMPORARY, lkst_temporary_dir()) < 0) {
		free(writer);
		lkst_error_memory(err, "a temporary file");
		return NULL;
	}
	writer->file = (struct replacement){ .fd = fd, .hint = MSG_TMPDIR };
	if (writer_write_header(writer, err)) {
		free_writer(writer);
		return NULL;
	}
	return writer;
}

/**
 * lkst_trace_writer_create() - start a trace file
 * @path: file to replace once the trace is complete; "-" is standard output
 * @err: set on failure
 */
struct lkst_trace_writer *lkst_trace_writer_create(const char *path, struct lkst_error *err)
{
	struct lkst_trace_writer *writer = calloc(1, sizeof(*writer));

	if (writer)
		writer->name = strdup(strcmp(path, "-") ? path : "standard output");
	if (!writer || !writer->name) {
		free(writer);
		lkst_error_memory(err, path);
		return NULL;
	}
	if (replacement_open(&writer->file, path, err)) {
		free_writer(writer);
		return NULL;
	}
	if (writer_write_header(writer, err)) {
		lkst_trace_writer_abort(writer);
		return NULL;
	}
	return writer;
}

/**
 * lkst_trace_writer_compress() - compress all further chunks
 * @writer: writer
 * @err: set if an allocation fails
 */
int lkst_trace_writer_compress(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	if (!trace_packer_open(&writer->packer, TRACE_PACK_SMALL))
		return 0;
	lkst_error_memory(err, writer->name);
	return -1;
}

static int write_packed(struct lkst_trace_writer *writer, unsigned int type, const void *header,
			size_t header_len, const void *data, size_t len, struct lkst_error *err)
{
	struct iovec iov;

	writer->packer.len = 0;
	if (trace_pack(&writer->packer, type, header, header_len, data, len)) {
		lkst_error_memory(err, writer->name);
		return -1;
	}
	iov = (struct iovec){ writer->packer.buf, writer->packer.len };
	return writer_write_all(writer, &iov, 1, err);
}

static int write_chunk(struct lkst_trace_writer *writer, unsigned int type, const void *header,
		       size_t header_len, const void *data, size_t len, struct lkst_error *err)
{
	static const char zeros[8];
	struct lkst_chunk_header chunk = {
		.type = (uint16_t)type,
		.compression = TRACE_COMPRESSION_NONE,
		.length = header_len + len,
		.raw_length = header_len + len,
	};
	struct iovec iov[4] = {
		{ &chunk, sizeof(chunk) },
		{ (void *)header, header_len },
		{ (void *)data, len },
		{ (void *)zeros, trace_padded(header_len + len) - (header_len + len) },
	};

	writer->chunks++;
	if (writer->packer.zstd)
		return write_packed(writer, type, header, header_len, data, len, err);
	trace_seal(&chunk, lkst_crc32c_more(lkst_crc32c(header, header_len), data, len));
	return writer_write_all(writer, iov, 4, err);
}

/**
 * lkst_trace_writer_direct() - check whether a trace is written directly, so it cannot be discarded
 * @writer: writer
 */
bool lkst_trace_writer_direct(const struct lkst_trace_writer *writer)
{
	return replacement_direct(&writer->file);
}

/**
 * lkst_trace_write_system() - write the description of the system that recorded the events
 * @writer: writer
 * @text: key=value lines
 * @err: set on failure
 */
int lkst_trace_write_system(struct lkst_trace_writer *writer, const char *text,
			    struct lkst_error *err)
{
	return write_chunk(writer, TRACE_SYSTEM, NULL, 0, text, strlen(text), err);
}

/**
 * lkst_trace_write_etypes() - write the event types
 * @writer: writer
 * @text: in the format of /proc/lkst_etypes
 * @len: length in bytes
 * @err: set on failure
 */
int lkst_trace_write_etypes(struct lkst_trace_writer *writer, const char *text, size_t len,
			    struct lkst_error *err)
{
	return write_chunk(writer, TRACE_ETYPES, NULL, 0, text, len, err);
}

/**
 * lkst_trace_write_values() - write the names of values
 * @writer: writer
 * @text: in the format of /proc/lkst_values
 * @len: length in bytes
 * @err: set on failure
 */
int lkst_trace_write_values(struct lkst_trace_writer *writer, const char *text, size_t len,
			    struct lkst_error *err)
{
	return write_chunk(writer, TRACE_VALUES, NULL, 0, text, len, err);
}

/**
 * lkst_trace_write_symbols() - write the symbols that the records need
 * @writer: writer
 * @text: from lkst_addresses_resolve()
 * @len: length in bytes
 * @err: set on failure
 */
int lkst_trace_write_symbols(struct lkst_trace_writer *writer, const char *text, size_t len,
			     struct lkst_error *err)
{
	return write_chunk(writer, TRACE_SYMBOLS, NULL, 0, text, len, err);
}

/**
 * lkst_trace_write_files() - write command lines and descriptors of processes
 * @writer: writer
 * @text: from live_files_text() or lkst_files_text()
 * @len: length in bytes
 * @err: set on failure
 */
int lkst_trace_write_files(struct lkst_trace_writer *writer, const char *text, size_t len,
			   struct lkst_error *err)
{
	return write_chunk(writer, TRACE_FILES, NULL, 0, text, len, err);
}

/**
 * lkst_trace_write_processes() - write the names of threads
 * @writer: writer
 * @process: the threads
 * @num: number of threads
 * @err: set on failure
 */
int lkst_trace_write_processes(struct lkst_trace_writer *writer, const struct lkst_process *process,
			       size_t num, struct lkst_error *err)
{
	_Static_assert(sizeof(struct lkst_process) == sizeof(struct trace_process), "same");
	return write_chunk(writer, TRACE_PROCESSES, NULL, 0, process, num * sizeof(*process), err);
}

/**
 * lkst_trace_write_records() - write records of a buffer
 * @writer: writer
 * @buffer: as filled in by lkst_buffer_read()
 * @record: records in order of recids
 * @num: number of records; may be 0, to write only the counters of the buffer
 * @err: set on failure
 */
int lkst_trace_write_records(struct lkst_trace_writer *writer, const struct lkst_log_buffer *buffer,
			     const struct lkst_log_record *record, size_t num,
			     struct lkst_error *err)
{
	struct lkst_records_header header = {
		.cpu = buffer->cpu,
		.buffer = buffer->id,
		.clock_kind = buffer->clock,
		.record_size = sizeof(*record),
		.recorded = buffer->recorded,
		.overwritten = buffer->overwritten,
		.dropped = buffer->dropped,
		.unfinished = (uint32_t)buffer->unfinished,
		.xtime_s = buffer->xtime.tv_sec,
		.xtime_us = buffer->xtime.tv_usec,
		.tsc = buffer->tsc,
		.freq_khz = buffer->cpu_freq,
		.record_version = (uint32_t)buffer->buf_ver,
	};

	memcpy(header.arch, buffer->arch, sizeof(header.arch));
	do {
		size_t n = num < LKST_CHUNK_RECORDS ? num : LKST_CHUNK_RECORDS;

		header.count = n;
		header.first_recid = n ? record->posix.log_recid : 0;
		if (write_chunk(writer, TRACE_RECORDS_STD, &header, sizeof(header), record,
				n * sizeof(*record), err))
			return -1;
		writer->records += n;
		record += n;
		num -= n;
	} while (num);
	return 0;
}

static int write_raw(struct lkst_trace_writer *writer, const struct lkst_records_header *header,
		     const struct lkst_event_record *record, struct lkst_error *err)
{
	unsigned int type = header->buffer == LKST_BUFFER_ID_LONG ? TRACE_RECORDS_LONG :
								    TRACE_RECORDS_RAW;

	return write_chunk(writer, type, header, sizeof(*header), record,
			   header->count * sizeof(*record), err);
}

/**
 * lkst_trace_write_run() - write records in the format that they have in a buffer
 * @writer: writer
 * @run: records; for each buffer, recids must increase from call to call. If @run->buffer is
 *	LKST_BUFFER_ID_LONG, they are from a long ring, and are not counted as records of the trace
 * @err: set on failure
 */
int lkst_trace_write_run(struct lkst_trace_writer *writer, const struct lkst_run *run,
			 struct lkst_error *err)
{
	struct lkst_records_header header = trace_run_header(run);
	const struct lkst_event_record *record = run->record;

	header.first_recid = run->first_recid;
	for (size_t left = run->num; left; left -= header.count) {
		header.count = left < LKST_CHUNK_RECORDS ? left : LKST_CHUNK_RECORDS;
		if (write_raw(writer, &header, record, err))
			return -1;
		for (size_t i = 0; i < header.count && run->buffer != LKST_BUFFER_ID_LONG; i++)
			writer->records += record[i].clock != 0;
		record += header.count;
		header.first_recid += header.count;
	}
	return 0;
}

/**
 * lkst_trace_write_counts() - write the counters of a buffer, after its records
 * @writer: writer
 * @run: any run of records from the buffer; used only to describe the buffer
 * @counts: the counters
 * @err: set on failure
 */
int lkst_trace_write_counts(struct lkst_trace_writer *writer, const struct lkst_run *run,
			    const struct lkst_trace_buffer *counts, struct lkst_error *err)
{
	struct lkst_records_header header = trace_run_header(run);

	header.recorded = counts->recorded;
	header.overwritten = counts->overwritten;
	header.dropped = counts->dropped;
	header.unfinished = counts->unfinished < UINT32_MAX ? (uint32_t)counts->unfinished :
							      UINT32_MAX;
	return write_raw(writer, &header, NULL, err);
}

/**
 * lkst_trace_write_chunk() - write a chunk that the kernel has made
 * @writer: writer
 * @chunk: chunk with RAW records in this machine's byte order, with its header and the padding;
 *	recids as for lkst_trace_write_run()
 * @size: size of the chunk in bytes
 * @events: number of records in it that are not holes
 * @err: set on failure
 */
int lkst_trace_write_chunk(struct lkst_trace_writer *writer, const void *chunk, size_t size,
			   uint64_t events, struct lkst_error *err)
{
	struct iovec iov = { (void *)chunk, size };

	writer->chunks++;
	writer->records += events;
	return writer_write_all(writer, &iov, 1, err);
}

/**
 * lkst_trace_write_loss() - write which events were lost
 * @writer: writer
 * @cpu: CPU
 * @first_recid: recid of the first lost event
 * @number: number of lost events
 * @err: set on failure
 */
int lkst_trace_write_loss(struct lkst_trace_writer *writer, int32_t cpu, uint64_t first_recid,
			  uint64_t number, struct lkst_error *err)
{
	const struct trace_loss loss = {
		.cpu = cpu,
		.first_recid = first_recid,
		.number = number,
	};

	return write_chunk(writer, TRACE_LOSS, NULL, 0, &loss, sizeof(loss), err);
}

/**
 * lkst_trace_write_end() - write the END chunk, which marks the trace as complete
 * @writer: writer
 * @err: set on failure
 */
int lkst_trace_write_end(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	struct trace_end end = {
		.records = writer->records,
		.chunks = writer->chunks + 1,
	};

	return write_chunk(writer, TRACE_END, NULL, 0, &end, sizeof(end), err);
}

/**
 * lkst_trace_writer_commit() - complete the trace, and give it its final name
 * @writer: freed, even on failure
 * @err: set on failure. An existing file is then unchanged, with two exceptions: the trace was
 *	written directly, or only the final synchronization of the directory failed
 */
int lkst_trace_writer_commit(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	int failed = replacement_commit(&writer->file);

	if (failed) {
		writer_write_error(writer, failed, err);
		lkst_trace_writer_abort(writer);
		return -1;
	}
	free_writer(writer);
	return 0;
}

/**
 * lkst_trace_writer_abort() - discard a trace
 * @writer: freed; may be NULL
 */
void lkst_trace_writer_abort(struct lkst_trace_writer *writer)
{
	if (!writer)
		return;
	replacement_abort(&writer->file);
	free_writer(writer);
}
