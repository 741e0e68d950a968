// SPDX-License-Identifier: LGPL-2.1
/*
 * Converts a crash dump from the flattened format to the ordinary format, which libkdumpfile needs.
 * A flattened file can be written to a pipe, because its writer never seeks. makedumpfile writes
 * this format with option -F, and QEMU writes it for kdump-compressed dumps (except kdump-raw-*).
 * After a header, a flattened file consists of chunks of the ordinary file, each preceded by its
 * offset and length.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "forms.h"
#include "lib/base/error.h"
#include "lib/base/temporary.h"
#include "lib/trace/messages.h"
#include "messages.h"

#define FLAT_HEADER_SIZE 4096 /* offset of the first chunk */
#define FLAT_END  UINT64_MAX /* offset and length in the header that ends the file */
#define BLOCK	  ((size_t)1 << 20)

/* Header of a chunk, big endian. */
struct flat_chunk {
	uint64_t offset;
	uint64_t length;
};

/* Copy a chunk, or as much of it as @in contains. Returns 0 or an errno. */
static int flat_copy_chunk(int in, uint64_t *from, int out, uint64_t to, uint64_t length,
			   uint8_t *block)
{
	while (length) {
		size_t size = length < BLOCK ? (size_t)length : BLOCK;
		ssize_t n = image_pread(in, block, size, *from);
		size_t done = 0;

		if (n <= 0)
			return n ? errno : 0;
		while (done < (size_t)n) {
			ssize_t w = pwrite(out, block + done, (size_t)n - done, (off_t)(to + done));

			if (w < 0 && errno != EINTR)
				return errno;
			done += w > 0 ? (size_t)w : 0;
		}
		*from += (size_t)n;
		to += (size_t)n;
		length -= (size_t)n;
		if ((size_t)n < size)
			break;
	}
	return 0;
}

/* Copy all chunks, or as much of them as a truncated file contains. Returns 0 or an errno. */
static int flat_copy_all(int in, int out, uint8_t *block)
{
	uint64_t from = FLAT_HEADER_SIZE;
	struct flat_chunk chunk;

	while (image_pread(in, &chunk, sizeof(chunk), from) == sizeof(chunk)) {
		uint64_t offset = be64toh(chunk.offset), length = be64toh(chunk.length);
		int error;

		if (offset == FLAT_END)
			break;
		if (offset > INT64_MAX || length > INT64_MAX - offset)
			return EINVAL;
		from += sizeof(chunk);
		error = flat_copy_chunk(in, &from, out, offset, length, block);
		if (error)
			return error;
	}
	return 0;
}

int image_flat_to_file(int fd, const char *path, struct lkst_error *err)
{
	int out = lkst_temporary_file(err), error = ENOMEM;
	uint8_t *block;

	if (out >= 0) {
		block = malloc(BLOCK);
		if (block)
			error = flat_copy_all(fd, out, block);
		free(block);
		if (error) {
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_IMAGE_FLAT, path, strerror(error),
				       error == ENOSPC || error == EFBIG ? MSG_TMPDIR : "");
			close(out);
			out = -1;
		}
	}
	close(fd);
	return out;
}
