// SPDX-License-Identifier: GPL-2.0
/* Finds LKST's data in the memory that crash reads, and writes a trace of it. */
#include <stdio.h>
#include <sys/types.h>

#include "lib/base/temporary.h"
#include "lib/image/forms.h"
#include "lib/image/image.h"
#include "lib/image/source.h"
#include "lib/image/trace.h"
#include "lib/image/selection.h"
#include "lib/trace/write.h"
#include "memory.h"

static uint64_t memory_next(void *ctx, uint64_t at)
{
	const struct machine_memory *memory = ctx;

	return at < memory->size ? at : IMAGE_NOWHERE;
}

/* Read page by page: if one page is missing, a larger read by crash would return nothing at all. */
static ssize_t memory_read_pages(void *ctx, void *buf, size_t len, uint64_t at,
				 struct lkst_error *err)
{
	const struct machine_memory *memory = ctx;
	size_t done = 0;

	(void)err;
	while (done < len && at + done < memory->size) {
		size_t page = (size_t)(IMAGE_PAGE - (at + done) % IMAGE_PAGE);
		size_t n = len - done < page ? len - done : page;

		if (!memory->read((char *)buf + done, n, at + done))
			break;
		done += n;
	}
	return (ssize_t)done;
}

/* Close function of the image source. Does nothing, because the caller owns the memory. */
static void memory_close_nothing(void *ctx)
{
	(void)ctx;
}

static struct image_source *memory_source_of(const struct machine_memory *memory,
					     struct lkst_error *err)
{
	struct image_source *source = image_source_new("memory", "crash", (void *)memory, err);

	if (!source)
		return NULL;
	source->size = memory->size;
	source->physical = true;
	source->next = memory_next;
	source->read = memory_read_pages;
	source->close = memory_close_nothing;
	return source;
}

static void memory_report(void *ctx, const char *text)
{
	(void)ctx;
	fprintf(stderr, "lkst: %s\n", text);
}

static int memory_write_trace(int fd, const struct image *image, const struct image_hooks *hooks,
			      struct lkst_error *err)
{
	struct image_selection selection = { .cpu = -1, .id = -1 };
	struct lkst_trace_writer *writer;
	int boot = image_choose_boot(image, NULL, hooks, err);

	if (boot < 0)
		return -1;
	selection.boot = (uint32_t)boot;
	writer = lkst_trace_writer_temporary(fd, err);
	if (!writer)
		return -1;
	if (image_trace(image, &selection, hooks, writer, NULL, err)) {
		lkst_trace_writer_abort(writer);
		return -1;
	}
	return lkst_trace_writer_commit(writer, err);
}

int trace_of_memory(const struct machine_memory *memory)
{
	const struct image_hooks hooks = { .report = memory_report };
	struct lkst_error err;
	struct image_source *source = memory_source_of(memory, &err);
	struct image *image = source ? image_scan(source, &hooks, &err) : NULL;
	int fd = image ? lkst_temporary_file(&err) : -1;

	if (fd >= 0 && !memory_write_trace(fd, image, &hooks, &err))
		return fd;
	memory_report(NULL, err.text);
	return -1;
}
