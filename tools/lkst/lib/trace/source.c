// SPDX-License-Identifier: LGPL-2.1
/* Opens a file of a trace, reads it at any offset, and reports problems with it. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "feed.h"
#include "format.h"
#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "lib/base/file_kind.h"
#include "lib/base/printable.h"
#include "lib/base/temporary.h"
#include "lib/text/context.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "messages.h"
#include "reader.h"
#include "source.h"
#include "swap.h"
#include "trace.h"

#define REPORTS_MAX 16

static void source_report(struct lkst_trace *trace, const struct source *source, const char *text)
{
	char line[600], shown[4 * sizeof(line)];

	snprintf(line, sizeof(line), "%s: %s", source->name, text);
	if (trace->hooks.report)
		trace->hooks.report(trace->hooks.ctx,
				    lkst_printable(line, strlen(line), shown, sizeof(shown)));
}

/**
 * trace_report() - report damaged, unknown or missing data in a trace
 * @trace: trace
 * @source: file
 * @format: as for printf()
 */
void trace_report(struct lkst_trace *trace, struct source *source, const char *format, ...)
{
	char text[512] = "further damage is not reported individually";
	va_list args;

	if (source->reports > REPORTS_MAX)
		return;
	if (source->reports++ < REPORTS_MAX) {
		va_start(args, format);
		vsnprintf(text, sizeof(text), format, args);
		va_end(args);
	}
	source_report(trace, source, text);
}

/**
 * trace_notice() - report a fact about a trace that does not mean damage
 * @trace: trace
 * @source: file
 * @format: as for printf()
 */
void trace_notice(struct lkst_trace *trace, const struct source *source, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	source_report(trace, source, text);
}

/**
 * trace_read_at() - read at an offset of the file
 * @source: file
 * @buf: result
 * @len: number of bytes to read
 * @offset: offset in bytes
 * @err: set on failure
 *
 * Return: number of bytes read, less than @len only at the end of the file; -1 on error.
 */
ssize_t trace_read_at(const struct source *source, void *buf, size_t len, uint64_t offset,
		      struct lkst_error *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n =
			pread(source->fd, (char *)buf + done, len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			lkst_error_system(err, errno, source->name, "read");
			return -1;
		}
		if (!n)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* For a file that is not a trace: describe what the file seems to be instead. */
static const char *source_looks_like(const uint8_t *header, size_t len, char *text, size_t size)
{
	const char *kind = file_kind(header, len);
	int n;

	if (kind)
		return kind;
	n = snprintf(text, size, "something else: it begins with");
	for (size_t i = 0; i < len && i < 8 && n > 0 && (size_t)n < size; i++)
		n += snprintf(text + n, size - (size_t)n, " %02x", header[i]);
	return text;
}

static int source_check_header(struct source *source, const uint8_t *raw, size_t len,
			       struct lkst_error *err)
{
	struct trace_file_header header = { 0 };
	char text[80];

	memcpy(&header, raw, len < sizeof(header) ? len : sizeof(header));
	if (!len) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_EMPTY_FILE, source->name);
		return -1;
	}
	if (memcmp(header.magic, TRACE_MAGIC, len < 8 ? len : 8)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_FOREIGN, source->name,
			       source_looks_like(raw, len, text, sizeof(text)));
		return -1;
	}
	if (len < sizeof(header)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_SHORT_HEADER, source->name,
			       (unsigned long long)len);
		return -1;
	}
	source->swapped = header.byte_order == TRACE_BYTE_ORDER_SWAPPED;
	if (!source->swapped && header.byte_order != TRACE_BYTE_ORDER) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, source->name,
			       "byte order");
		return -1;
	}
	if (source->swapped) {
		TRACE_SWAP(header.version);
		TRACE_SWAP(header.header_size);
		TRACE_SWAP(header.checksum);
	}
	if (header.checksum != lkst_crc32c(raw, offsetof(struct trace_file_header, checksum))) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, source->name, "checksum");
		return -1;
	}
	if (header.version > TRACE_VERSION) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_VERSION, source->name, header.version,
			       TRACE_VERSION);
		return -1;
	}
	if (header.header_size < sizeof(header)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, source->name, "size");
		return -1;
	}
	source->first_chunk = trace_padded(header.header_size);
	return 0;
}

static void source_temporary_error(int sys_errno, struct lkst_error *err)
{
	char name[512];

	snprintf(name, sizeof(name), MSG_TEMPORARY, lkst_temporary_dir());
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_WRITE, name, strerror(sys_errno), MSG_TMPDIR);
	if (err)
		err->sys_errno = sys_errno;
}

static int source_write_all(int to, const uint8_t *buf, size_t len, struct lkst_error *err)
{
	while (len) {
		ssize_t n = write(to, buf, len);

		if (n < 0 && errno != EINTR) {
			source_temporary_error(errno, err);
			return -1;
		}
		buf += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Copy the decompressed contents of a file to @to, if the file is a trace. */
static int source_spill_to(struct source *source, struct trace_feed *feed, int to,
			   struct lkst_error *err)
{
	size_t size = 256 * 1024, len = sizeof(struct trace_file_header);
	uint8_t *buf = malloc(size);
	bool first = true;
	ssize_t n;

	if (!buf) {
		lkst_error_memory(err, source->name);
		return -1;
	}
	do {
		n = trace_feed_read(feed, buf, first ? len : size);
		if (first && !n && trace_feed_damaged(feed)) {
			lkst_error_set(err, LKST_ERR_FORMAT, "%s: " MSG_COMPRESSED, source->name);
			n = -1;
		} else if (n < 0) {
			lkst_error_system(err, errno, source->name, "read");
		} else if ((first && source_check_header(source, buf, (size_t)n, err)) ||
			   source_write_all(to, buf, (size_t)n, err)) {
			n = -1;
		}
		first = false;
	} while (n > 0);
	free(buf);
	source->damaged = trace_feed_damaged(feed);
	return n < 0 ? -1 : 0;
}

/* Copy a pipe or a compressed file to an unnamed temporary file. */
static int source_spill(struct source *source, bool seekable, struct lkst_error *err)
{
	struct trace_feed *feed = trace_feed_open(source->fd, seekable);
	int to = -1, ret = -1;

	if (feed)
		to = lkst_temporary_file(err);
	else
		lkst_error_system(err, errno, source->name, "read");
	if (to >= 0)
		ret = source_spill_to(source, feed, to, err);
	trace_feed_close(feed);
	if (ret) {
		if (to >= 0)
			close(to);
		return -1;
	}
	if (source->own_fd)
		close(source->fd);
	source->fd = to;
	source->own_fd = true;
	source->growing = false;
	return 0;
}

/**
 * lkst_trace_is_one() - check whether a file is a trace, compressed or not
 * @fd: regular file; its offset does not change
 *
 * Only the first bytes are checked: the rest may be damaged.
 */
bool lkst_trace_is_one(int fd)
{
	struct trace_feed *feed = trace_feed_open(fd, true);
	uint8_t header[8];
	bool is_one;

	is_one = feed && trace_feed_read(feed, header, sizeof(header)) == sizeof(header) &&
		 !memcmp(header, TRACE_MAGIC, sizeof(header));
	trace_feed_close(feed);
	return is_one;
}

/* Return whether a program is writing to the file. Such a program holds a write lock on it. */
static bool source_is_growing(const struct source *source)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return !fcntl(source->fd, F_OFD_GETLK, &lock) && lock.l_type == F_WRLCK;
}

/**
 * trace_resize() - update the size of the file
 * @source: file
 * @err: set on failure
 */
int trace_resize(struct source *source, struct lkst_error *err)
{
	struct stat st;

	if (fstat(source->fd, &st)) {
		lkst_error_system(err, errno, source->name, "stat");
		return -1;
	}
	source->size = (uint64_t)st.st_size;
	return 0;
}

/**
 * trace_source_open() - check the format of a file, and make it seekable
 * @source: file; the caller has set its descriptor and name
 * @err: set if the file cannot be read at all
 */
int trace_source_open(struct source *source, struct lkst_error *err)
{
	uint8_t header[sizeof(struct trace_file_header)];
	struct stat st;
	ssize_t n;

	if (fstat(source->fd, &st)) {
		lkst_error_system(err, errno, source->name, "stat");
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_DIRECTORY, source->name);
		return -1;
	}
	/*
	 * Check for a writer before getting the size: if the writer closes the file in between, the
	 * size is already final.
	 */
	source->growing = source_is_growing(source);
	if (!S_ISREG(st.st_mode))
		return source_spill(source, false, err) ? -1 : trace_resize(source, err);
	n = trace_read_at(source, header, sizeof(header), 0, err);
	if (n < 0)
		return -1;
	if (trace_is_compressed(header, (size_t)n) ?
		    source_spill(source, true, err) :
		    source_check_header(source, header, (size_t)n, err))
		return -1;
	return trace_resize(source, err);
}

/**
 * trace_source_close() - close a file, and free its memory
 * @source: file
 */
void trace_source_close(struct source *source)
{
	free(source->system);
	free(source->etypes);
	free(source->values);
	lkst_values_free(source->context.values);
	lkst_symbols_free(source->context.symbols);
	if (source->own_fd && source->fd >= 0)
		close(source->fd);
	free(source->name);
}

/**
 * trace_system() - look up a value in the SYSTEM chunk
 * @source: file
 * @key: for example "kernel"
 * @len: set to the length of the value in bytes
 *
 * In files of older versions, a newline in the host name could add lines. If a key occurs twice, it
 * is unclear which value is right.
 *
 * Return: the value, not 0-terminated; NULL if @key does not occur exactly once.
 */
const char *trace_system(const struct source *source, const char *key, size_t *len)
{
	const char *line = source->system, *value = NULL;
	size_t key_len = strlen(key);

	while (line) {
		if (!strncmp(line, key, key_len) && line[key_len] == '=') {
			if (value)
				return NULL;
			value = line + key_len + 1;
			*len = strcspn(value, "\n");
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return value;
}
