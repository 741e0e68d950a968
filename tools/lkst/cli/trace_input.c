// SPDX-License-Identifier: GPL-2.0
/* Opens what a command line names as input. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image_reading.h"
#include "lib/base/error.h"
#include "lib/image/source.h"
#include "lib/live/capture.h"
#include "lib/trace/kmemtrace.h"
#include "lib/trace/trace.h"
#include "messages.h"
#include "print.h"
#include "trace_input.h"

/**
 * trace_input_take() - list the files that the command line names
 * @input: input; its options have been parsed
 * @operands: operands, which are files; terminated by NULL
 * @hint: end of the message about an operand that is not a file
 * @err: set on failure
 */
int trace_input_take(struct trace_input *input, char **operands, const char *hint,
		     struct lkst_error *err)
{
	return trace_files_take(&input->from, &input->files, operands, hint, err);
}

/**
 * trace_input_take_standard() - read standard input if the command line names no input
 * @input: input, after trace_input_take()
 * @err: set if an allocation fails
 *
 * Standard input is read only if it is a regular file with a trace.
 */
int trace_input_take_standard(struct trace_input *input, struct lkst_error *err)
{
	struct stat st;

	if (!trace_input_live(input) || fstat(STDIN_FILENO, &st) || !S_ISREG(st.st_mode) ||
	    !lkst_trace_is_one(STDIN_FILENO))
		return 0;
	return trace_files_add(&input->from, "-", err);
}

static bool input_is_previous_and_files(const struct trace_input *input)
{
	return input->previous && input->from.num;
}

/* An image is a single file, but --symbols also applies to several files of kmemtrace. */
static bool input_is_without_image(const struct trace_input *input)
{
	bool several = input->from.num && input->kmemtrace && !input->boot;

	return (input->boot || input->symbols) && !input->previous && input->from.num != 1 &&
	       !several;
}

static bool input_is_standard_and_files(const struct trace_input *input)
{
	if (input->from.num < 2)
		return false;
	for (size_t i = 0; i < input->from.num; i++)
		if (!strcmp(input->from.path[i], "-"))
			return true;
	return false;
}

/**
 * trace_input_conflict() - check the options for contradictions
 * @input: input, after trace_input_take()
 *
 * Return: a message that names the options; NULL if there is no contradiction.
 */
const char *trace_input_conflict(const struct trace_input *input)
{
	static const struct {
		bool (*applies)(const struct trace_input *input);
		const char *why;
	} conflicts[] = {
		{ input_is_previous_and_files,
		  "-f cannot be combined with --previous, which reads a previous boot" },
		{ input_is_without_image,
		  "--boot and --symbols require an image (-f IMAGE) or --previous" },
		{ input_is_standard_and_files,
		  "-f: standard input cannot be combined with other files" },
	};

	for (size_t i = 0; i < sizeof(conflicts) / sizeof(*conflicts); i++)
		if (conflicts[i].applies(input))
			return conflicts[i].why;
	return NULL;
}

/*
 * Check whether a file is a memory image. Returns 1 if so, 0 if not, -1 on error. Returns 0 if the
 * file cannot be opened: the trace reader then reports the error.
 */
static int input_is_image(const char *path, struct lkst_error *err)
{
	struct stat st;
	int fd, ret;

	/*
	 * A FIFO is not an image. Do not even open it: if its writer opened it at that moment,
	 * closing it again would end the writer.
	 */
	if (!strcmp(path, "-") || stat(path, &st) || S_ISFIFO(st.st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	ret = image_is_one(fd, err);
	close(fd);
	return ret;
}

enum input_kind {
	INPUT_ERROR,
	INPUT_TRACE,
	INPUT_IMAGE,
	INPUT_KMEMTRACE,
};

/*
 * Check whether the files are files of kmemtrace. If one of them is, all others must be as well,
 * but they may be empty. Returns 1 if so, 0 if none of them is, -1 on error.
 */
static int input_is_kmemtrace(const struct trace_input *input, struct lkst_error *err)
{
	const char *events = NULL, *other = NULL;

	for (size_t i = 0; input->kmemtrace && i < input->from.num; i++) {
		const char *path = input->from.path[i];
		enum kmemtrace_kind kind = kmemtrace_kind(path);

		if (kind == KMEMTRACE_EVENTS && !events)
			events = path;
		if (kind == KMEMTRACE_OTHER && !other)
			other = path;
	}
	if (!events)
		return 0;
	if (!other && !input->boot)
		return 1;
	if (other)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_KMEMTRACE_BESIDE, other, events);
	else
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_KMEMTRACE_BOOT, events);
	return -1;
}

static enum input_kind input_check_files(const struct trace_input *input, struct lkst_error *err)
{
	int kmemtrace = input_is_kmemtrace(input, err);

	if (kmemtrace)
		return kmemtrace > 0 ? INPUT_KMEMTRACE : INPUT_ERROR;
	for (size_t i = 0; i < input->from.num; i++) {
		int image = input_is_image(input->from.path[i], err);

		if (image < 0)
			return INPUT_ERROR;
		if (image && input->from.num == 1)
			return INPUT_IMAGE;
		if (!image)
			continue;
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_IMAGE_BESIDE, input->from.path[i]);
		return INPUT_ERROR;
	}
	if (!input->boot && !input->symbols)
		return INPUT_TRACE;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_IMAGE_OPTIONS, input->from.path[0]);
	return INPUT_ERROR;
}

static struct lkst_trace *input_open_image(const struct trace_input *input,
					   const struct lkst_trace_hooks *hooks, int *fd,
					   struct lkst_error *err)
{
	const struct image_arguments image = {
		.path = input->previous ? NULL : input->from.path[0],
		.boot = input->boot,
		.symbols = input->symbols,
		.cpu = -1,
		.id = -1,
	};

	return print_image(&image, hooks, fd, err);
}

static struct lkst_trace *input_open_kmemtrace(const struct trace_input *input,
					       const struct lkst_trace_hooks *hooks, int *fd,
					       struct lkst_error *err)
{
	const struct kmemtrace_files files = {
		.path = input->from.path,
		.num = input->from.num,
		.symbols = input->symbols,
		.hooks = hooks,
	};

	return print_kmemtrace(&files, fd, err);
}

/**
 * trace_input_open() - open the input as one trace
 * @input: input for which trace_input_conflict() has returned NULL
 * @live: how to read the kernel's buffers, if these are the input
 * @fd: set to the descriptor of the trace, or -1; pass it to trace_input_close()
 * @err: set on failure
 */
struct lkst_trace *trace_input_open(const struct trace_input *input,
				    const struct lkst_capture *live, int *fd,
				    struct lkst_error *err)
{
	const struct lkst_trace_hooks *hooks = input->long_rings ? &print_hooks_long : &print_hooks;

	*fd = -1;
	if (trace_input_live(input))
		return print_capture(live, hooks, fd, err);
	switch (input->previous ? INPUT_IMAGE : input_check_files(input, err)) {
	case INPUT_TRACE:
		return lkst_trace_open_files(input->from.path, input->from.num, hooks, err);
	case INPUT_IMAGE:
		return input_open_image(input, hooks, fd, err);
	case INPUT_KMEMTRACE:
		return input_open_kmemtrace(input, hooks, fd, err);
	case INPUT_ERROR:
		break;
	}
	return NULL;
}

/**
 * trace_input_close() - close a trace from trace_input_open()
 * @trace: trace; may be NULL
 * @fd: its descriptor, or -1
 */
void trace_input_close(struct lkst_trace *trace, int fd)
{
	lkst_trace_close(trace);
	if (fd >= 0)
		close(fd);
}

/**
 * trace_input_free() - free the list of files
 * @input: input
 */
void trace_input_free(struct trace_input *input)
{
	trace_files_free(&input->from);
}
