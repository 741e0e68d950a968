// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads a file from its start, and decompresses it if it is a .gz or .zst file. The first bytes of
 * the file, not its name, determine the format.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "feed.h"

#define HEAD_SIZE   4 /* bytes needed to determine the format */
#define IN_SIZE	    (128 * 1024)
#define GZIP_WINDOW (15 + 16) /* 15: largest window; 16: expect a gzip header */

enum feed_kind {
	PLAIN,
	GZIP,
	ZSTD,
};

struct trace_feed {
	int fd;
	off_t offset; /* -1: read at the current offset of the file */
	enum feed_kind kind;
	bool ended; /* the end of the file was reached */
	bool whole; /* the bytes so far end with a complete compressed stream */
	bool damaged;
	z_stream gzip;
	ZSTD_DCtx *zstd;
	ZSTD_inBuffer in;
	uint8_t raw[IN_SIZE];
};

static enum feed_kind feed_kind_of(const uint8_t *head, size_t len)
{
	if (len >= 2 && !memcmp(head, "\037\213", 2))
		return GZIP;
	return len >= 4 && !memcmp(head, "\050\265\057\375", 4) ? ZSTD : PLAIN;
}

/**
 * trace_is_compressed() - check whether a file is in a supported compressed format
 * @head: first bytes of the file
 * @len: number of these bytes
 */
bool trace_is_compressed(const uint8_t *head, size_t len)
{
	return feed_kind_of(head, len) != PLAIN;
}

/*
 * Read more input into @feed->raw, after the first @kept bytes, which stay there. Returns 0, even
 * at the end of the file; -1 on error.
 */
static int feed_fill(struct trace_feed *feed, size_t kept)
{
	uint8_t *to = feed->raw + kept;
	ssize_t n;

	do {
		n = feed->offset < 0 ? read(feed->fd, to, IN_SIZE - kept) :
				       pread(feed->fd, to, IN_SIZE - kept, feed->offset);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -1;
	if (feed->offset >= 0)
		feed->offset += n;
	feed->ended = !n;
	feed->in = (ZSTD_inBuffer){ feed->raw, kept + (size_t)n, 0 };
	return 0;
}

/* Read until the format is known: a pipe may return a byte at a time. */
static int feed_fill_head(struct trace_feed *feed)
{
	while (feed->in.size < HEAD_SIZE && !feed->ended)
		if (feed_fill(feed, feed->in.size))
			return -1;
	return 0;
}

/**
 * trace_feed_open() - start to read a file
 * @fd: file descriptor, which the caller closes
 * @seekable: read from the start of the file without changing its offset
 *
 * Return: NULL with errno on failure.
 */
struct trace_feed *trace_feed_open(int fd, bool seekable)
{
	struct trace_feed *feed = calloc(1, sizeof(*feed));
	bool good = false;

	if (!feed)
		return NULL;
	feed->fd = fd;
	feed->offset = seekable ? 0 : -1;
	if (!feed_fill_head(feed)) {
		feed->kind = feed_kind_of(feed->raw, feed->in.size);
		errno = ENOMEM;
		if (feed->kind == ZSTD)
			feed->zstd = ZSTD_createDCtx();
		good = feed->kind == GZIP ? inflateInit2(&feed->gzip, GZIP_WINDOW) == Z_OK :
					    feed->kind == PLAIN || feed->zstd;
	}
	if (good)
		return feed;
	trace_feed_close(feed);
	return NULL;
}

static size_t feed_take_plain(struct trace_feed *feed, uint8_t *buf, size_t len)
{
	size_t n = feed->in.size - feed->in.pos;

	n = n < len ? n : len;
	memcpy(buf, feed->raw + feed->in.pos, n);
	feed->in.pos += n;
	return n;
}

/* Decompress gzip data. Concatenated gzip files are read as one file. */
static size_t feed_take_gzip(struct trace_feed *feed, uint8_t *buf, size_t len)
{
	z_stream *z = &feed->gzip;
	int ret;

	if (feed->whole)
		inflateReset(z);
	z->next_in = feed->raw + feed->in.pos;
	z->avail_in = (uInt)(feed->in.size - feed->in.pos);
	z->next_out = buf;
	z->avail_out = (uInt)len;
	ret = inflate(z, Z_NO_FLUSH);
	feed->in.pos = feed->in.size - z->avail_in;
	feed->whole = ret == Z_STREAM_END;
	feed->damaged = ret != Z_STREAM_END && ret != Z_OK && ret != Z_BUF_ERROR;
	return len - z->avail_out;
}

static size_t feed_take_zstd(struct trace_feed *feed, uint8_t *buf, size_t len)
{
	ZSTD_outBuffer out = { buf, len, 0 };
	size_t left = ZSTD_decompressStream(feed->zstd, &out, &feed->in);

	feed->damaged = ZSTD_isError(left);
	feed->whole = !left;
	return out.pos;
}

/**
 * trace_feed_read() - read decompressed bytes
 * @feed: file
 * @buf: result
 * @len: number of bytes to read, less than 4 GB
 *
 * Return: number of bytes read, less than @len only at the end or if the compressed data is
 * damaged; -1 with errno on error.
 */
ssize_t trace_feed_read(struct trace_feed *feed, uint8_t *buf, size_t len)
{
	static size_t (*const take[])(struct trace_feed * feed, uint8_t * buf, size_t len) = {
		[PLAIN] = feed_take_plain,
		[GZIP] = feed_take_gzip,
		[ZSTD] = feed_take_zstd,
	};
	size_t done = 0, n = 0;

	while (done < len && !feed->damaged) {
		/*
		 * The decompressor may still have output when all input is consumed, except at the
		 * end of a stream.
		 */
		if (feed->in.pos == feed->in.size && (!n || feed->whole)) {
			if (!feed->ended && feed_fill(feed, 0))
				return -1;
			if (feed->ended) {
				feed->damaged = feed->kind != PLAIN && !feed->whole;
				break;
			}
		}
		n = take[feed->kind](feed, buf + done, len - done);
		done += n;
	}
	return (ssize_t)done;
}

/**
 * trace_feed_damaged() - check whether compressed data is truncated or damaged
 * @feed: file that was read to its end
 */
bool trace_feed_damaged(const struct trace_feed *feed)
{
	return feed->damaged;
}

/**
 * trace_feed_close() - stop reading
 * @feed: may be NULL
 */
void trace_feed_close(struct trace_feed *feed)
{
	if (!feed)
		return;
	inflateEnd(&feed->gzip);
	ZSTD_freeDCtx(feed->zstd);
	free(feed);
}
