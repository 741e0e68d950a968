// SPDX-License-Identifier: LGPL-2.1
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "input.h"
#include "lib/base/error.h"
#include "lib/base/temporary.h"
#include "lib/image/image.h"
#include "lib/image/selection.h"
#include "lib/image/source.h"
#include "lib/image/trace.h"
#include "lib/trace/write.h"

/**
 * input_is_image() - check whether a file is a memory image
 * @path: file
 * @err: set on failure
 *
 * Return: 1 if it is or may be a memory image; 0 if it is not; -1 on error.
 */
int input_is_image(const char *path, struct lkst_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret;

	if (fd < 0) {
		lkst_error_system(err, errno, path, "open");
		return -1;
	}
	ret = image_is_one(fd, err);
	close(fd);
	return ret;
}

/**
 * input_has_lkst() - look for LKST's data in a memory image
 * @path: file
 * @err: set on failure
 *
 * Return: 1 if the image contains a boot; 0 if not; -1 on error.
 */
int input_has_lkst(const char *path, struct lkst_error *err)
{
	const struct image_hooks hooks = { 0 };
	struct image_source *source = image_source_open(path, err);
	struct image *image = source ? image_scan(source, &hooks, err) : NULL;
	int ret = image ? image->boots > 0 : -1;

	if (image)
		image_free(image);
	return ret;
}

/* Write the records of an image into a temporary trace. */
static int input_fill(const struct image *image, const struct image_selection *selection,
		      const struct image_hooks *hooks, int fd, struct lkst_error *err)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_temporary(fd, err);

	if (!writer)
		return -1;
	if (image_trace(image, selection, hooks, writer, NULL, err)) {
		lkst_trace_writer_abort(writer);
		return -1;
	}
	return lkst_trace_writer_commit(writer, err);
}

static int input_read_image(struct input *input, const struct image *image,
			    const struct input_options *options, struct lkst_error *err)
{
	const struct image_hooks hooks = { .ctx = options->ctx, .report = options->report };
	struct image_selection selection = { .cpu = -1, .id = -1, .symbols = options->symbols };
	int boot = image_choose_boot(image, options->boot, &hooks, err);

	if (boot < 0)
		return -1;
	selection.boot = (uint32_t)boot;
	input->fd = lkst_temporary_file(err);
	return input->fd < 0 ? -1 : input_fill(image, &selection, &hooks, input->fd, err);
}

static int input_open_image(struct input *input, const struct input_options *options,
			    struct lkst_error *err)
{
	const struct image_hooks scan = { .ctx = options->ctx, .report = options->report };
	const struct lkst_trace_hooks hooks = { .ctx = options->ctx, .report = options->report };
	struct image_source *source = image_source_open(options->path[0], err);
	struct image *image = source ? image_scan(source, &scan, err) : NULL;
	int ret = image ? input_read_image(input, image, options, err) : -1;

	if (image)
		image_free(image);
	if (ret)
		return -1;
	input->trace = lkst_trace_open_fd(input->fd, options->path[0], &hooks, err);
	return input->trace ? 0 : -1;
}

/* Determine the kind of the files. Returns 1 for an image, 0 for trace files, -1 on error. */
static int input_check(const struct input_options *options, struct lkst_error *err)
{
	for (size_t i = 0; i < options->num; i++) {
		int image = input_is_image(options->path[i], err);

		if (image < 0)
			return -1;
		if (image && options->num > 1) {
			lkst_error_set(err, LKST_ERR_ARGUMENT,
				       "%s: is not a trace (a memory image must be the only input)",
				       options->path[i]);
			return -1;
		}
		if (image)
			return 1;
	}
	return 0;
}

/**
 * input_open() - open the input
 * @input: result; input_close() must be called even after an error
 * @options: what to read
 * @err: set on failure; names the file
 */
int input_open(struct input *input, const struct input_options *options, struct lkst_error *err)
{
	const struct lkst_trace_hooks hooks = { .ctx = options->ctx, .report = options->report };
	int image = input_check(options, err);

	*input = (struct input){ .fd = -1 };
	if (image < 0)
		return -1;
	if (image)
		return input_open_image(input, options, err);
	if (options->boot || options->symbols) {
		lkst_error_set(err, LKST_ERR_ARGUMENT,
			       "%s: is a trace (boot and symbols are for memory images)",
			       options->path[0]);
		return -1;
	}
	input->trace = lkst_trace_open_files(options->path, options->num, &hooks, err);
	return input->trace ? 0 : -1;
}

/**
 * input_close() - close the input
 * @input: from input_open()
 */
void input_close(struct input *input)
{
	lkst_trace_close(input->trace);
	if (input->fd >= 0)
		close(input->fd);
}
