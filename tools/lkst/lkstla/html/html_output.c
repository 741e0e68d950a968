// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the page. The data are in script elements, which a browser reads but does not run:
 *
 *	<script type="application/x-lkst" id="lkst-chunk-0">BASE64</script>
 *
 * BASE64 encodes a zlib stream (RFC 1950), which any browser can decompress. The checksum of the
 * stream shows whether the file is damaged.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "html_output.h"
#include "lib/base/error.h"
#include "lkstla/messages.h"

#define OUTPUT_SIZE (1 << 20) /* number of bytes that are collected before they are written */

/* Compression level: the next higher one takes twice as long, and saves only 2 %. */
#define OUTPUT_LEVEL 6

/**
 * html_output_open() - begin the page
 * @output: result, to be passed to html_output_commit() or html_output_abort() unless this fails
 * @path: file to replace once the page is complete; "-": standard output
 * @err: set on failure
 */
int html_output_open(struct html_output *output, const char *path, struct lkst_error *err)
{
	*output = (struct html_output){
		.name = strcmp(path, "-") ? path : "standard output",
	};
	if (replacement_open(&output->file, path, err))
		return -1;
	if (deflateInit(&output->zip, OUTPUT_LEVEL) == Z_OK)
		return 0;
	lkst_error_memory(err, "the page");
	replacement_abort(&output->file);
	return -1;
}

static void output_free(struct html_output *output)
{
	deflateEnd(&output->zip);
	html_bytes_free(&output->packed);
	html_bytes_free(&output->text);
}

static void output_flush(struct html_output *output)
{
	const uint8_t *from = output->text.data;
	size_t left = output->text.len;

	while (left && !output->error) {
		ssize_t n = write(output->file.fd, from, left);

		if (n < 0 && errno != EINTR)
			output->error = errno;
		if (n < 0)
			continue;
		from += n;
		left -= (size_t)n;
		output->written += (uint64_t)n;
	}
	output->text.len = 0;
}

/* Remember whether an allocation failed. When enough text has been collected, write it. */
static void output_take(struct html_output *output)
{
	if ((output->text.failed || output->packed.failed) && !output->error)
		output->error = ENOMEM;
	if (output->text.len >= OUTPUT_SIZE)
		output_flush(output);
}

/**
 * html_output_text() - write text
 * @output: page
 * @text: text, in HTML
 * @len: length of @text in bytes
 */
void html_output_text(struct html_output *output, const char *text, size_t len)
{
	html_put_bytes(&output->text, text, len);
	output_take(output);
}

static void output_base64(const uint8_t *from, size_t len, struct html_bytes *to)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t size = (len + 2) / 3 * 4;
	uint8_t *p;

	if (!html_bytes_reserve(to, size))
		return;
	p = to->data + to->len;
	for (size_t i = 0; i < len; i += 3, p += 4) {
		uint32_t bits = (uint32_t)from[i] << 16;

		bits |= i + 1 < len ? (uint32_t)from[i + 1] << 8 : 0;
		bits |= i + 2 < len ? from[i + 2] : 0;
		p[0] = (uint8_t)digit[bits >> 18];
		p[1] = (uint8_t)digit[bits >> 12 & 63];
		p[2] = i + 1 < len ? (uint8_t)digit[bits >> 6 & 63] : '=';
		p[3] = i + 2 < len ? (uint8_t)digit[bits & 63] : '=';
	}
	to->len += size;
}

/* Compress a block into @output->packed. */
static void output_pack(struct html_output *output, const struct html_bytes *block)
{
	struct html_bytes *packed = &output->packed;
	z_stream *zip = &output->zip;
	uLong bound;

	packed->len = 0;
	deflateReset(zip);
	bound = deflateBound(zip, block->len);
	if (block->len > UINT32_MAX || bound > UINT32_MAX || !html_bytes_reserve(packed, bound)) {
		packed->failed = true;
		return;
	}
	zip->next_in = block->data;
	zip->avail_in = (uInt)block->len;
	zip->next_out = packed->data;
	zip->avail_out = (uInt)bound;
	/* With this much room, a single call compresses everything. */
	deflate(zip, Z_FINISH);
	packed->len = bound - zip->avail_out;
}

/**
 * html_output_block() - write a block of data
 * @output: page
 * @id: name that identifies the block: letters, digits and "-"
 * @block: the data
 */
void html_output_block(struct html_output *output, const char *id, const struct html_bytes *block)
{
	struct html_bytes *text = &output->text;

	output->packed.failed |= block->failed;
	output_pack(output, block);
	html_put_text(text, "<script type=\"application/x-lkst\" id=\"lkst-");
	html_put_text(text, id);
	html_put_text(text, "\">");
	output_base64(output->packed.data, output->packed.len, text);
	html_put_text(text, "</script>\n");
	output_take(output);
}

/**
 * html_output_check() - check whether all writes so far have succeeded
 * @output: page
 * @err: set if a write or an allocation failed
 */
int html_output_check(const struct html_output *output, struct lkst_error *err)
{
	if (!output->error)
		return 0;
	if (output->error == ENOMEM)
		lkst_error_memory(err, "the page");
	else
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_HTML_WRITE, output->name,
			       strerror(output->error), output->file.hint);
	return -1;
}

/**
 * html_output_commit() - complete the page, and give it its final name
 * @output: freed if this succeeds
 * @err: set on failure, after which the caller must call html_output_abort()
 */
int html_output_commit(struct html_output *output, struct lkst_error *err)
{
	output_flush(output);
	if (!output->error)
		output->error = replacement_commit(&output->file);
	if (html_output_check(output, err))
		return -1;
	output_free(output);
	return 0;
}

/**
 * html_output_abort() - discard the page
 * @output: freed
 */
void html_output_abort(struct html_output *output)
{
	replacement_abort(&output->file);
	output_free(output);
}
