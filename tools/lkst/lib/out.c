// SPDX-License-Identifier: LGPL-2.1
/* Buffered output. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "out.h"

/**
 * lkst_out_open() - write to a file descriptor
 * @out: to set up
 * @fd: stays the caller's
 * @err: no memory
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
 * lkst_out_flush() - write what is buffered
 * @out: output
 *
 * After a write that failed nothing more is written.
 *
 * Return: 0, or the errno of the first write that failed.
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
