// SPDX-License-Identifier: LGPL-2.1
/* Buffered output for millions of lines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/put.h"
#include "out.h"

/**
 * lkst_out_open() - set up buffered output
 * @out: result
 * @fd: file descriptor, which the caller closes
 * @err: set if an allocation fails
 */
int lkst_out_open(struct lkst_out *out, int fd, struct lkst_error *err)
{
	memset(out, 0, sizeof(*out));
	out->fd = fd;
	out->buf = malloc(OUT_SIZE + PUT_SPARE);
	if (!out->buf) {
		lkst_error_memory(err, "the output");
		return -1;
	}
	return 0;
}

/**
 * lkst_out_flush() - write the buffer
 * @out: output
 *
 * After a failed write, nothing more is written.
 *
 * Return: 0, or the errno of the first failed write.
 */
int lkst_out_flush(struct lkst_out *out)
{
	size_t done = 0;

	while (!out->error && done < out->len) {
		ssize_t n = write(out->fd, out->buf + done, out->len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			out->error = errno;
	}
	out->len = 0;
	return out->error;
}

/**
 * lkst_out_close() - free the buffer, without writing it
 * @out: output
 */
void lkst_out_close(struct lkst_out *out)
{
	free(out->buf);
	out->buf = NULL;
}
