// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads raw memory: a file, a block device, or the memory of this machine (such as /dev/mem). A
 * hole of a file is read as zeros, but a scan can skip it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "forms.h"
#include "lib/base/error.h"
#include "messages.h"
#include "source.h"

/* Maximum number of memory ranges of a machine. */
#define RANGES_MAX 4096

struct raw_range {
	uint64_t first;
	uint64_t end;
};

/**
 * struct raw - an open image
 * @fd: file
 * @source: the source, which counts unreadable pages
 * @range: ranges that may be read: RAM for a memory device, otherwise the whole file
 * @ranges: number of ranges
 * @holes: SEEK_DATA and SEEK_HOLE are used: true for a regular file until one of them fails
 * @data: start of a part of the file without holes
 * @hole: end of that part
 */
struct raw {
	int fd;
	struct image_source *source;
	struct raw_range *range;
	size_t ranges;
	bool holes;
	uint64_t data;
	uint64_t hole;
};

/* Return the first range that ends after @at: the one that contains @at, or the next one. */
static const struct raw_range *raw_range_at(const struct raw *raw, uint64_t at)
{
	for (size_t i = 0; i < raw->ranges; i++)
		if (at < raw->range[i].end)
			return &raw->range[i];
	return NULL;
}

/*
 * Return the first offset at or after @at that is not in a hole of the file; IMAGE_NOWHERE if there
 * is no such offset.
 */
static uint64_t raw_next_data(struct raw *raw, uint64_t at)
{
	off_t data, hole;

	if (!raw->holes || (at >= raw->data && at < raw->hole))
		return at;
	data = lseek(raw->fd, (off_t)at, SEEK_DATA);
	if (data < 0 && errno == ENXIO)
		return IMAGE_NOWHERE;
	hole = data < 0 ? -1 : lseek(raw->fd, data, SEEK_HOLE);
	if (hole < 0) {
		raw->holes = false;
		return at;
	}
	raw->data = (uint64_t)data / IMAGE_PAGE * IMAGE_PAGE;
	raw->hole = (uint64_t)hole;
	return raw->data > at ? raw->data : at;
}

static uint64_t raw_next(void *ctx, uint64_t at)
{
	struct raw *raw = ctx;
	const struct raw_range *range;

	at = raw_next_data(raw, at);
	range = at == IMAGE_NOWHERE ? NULL : raw_range_at(raw, at);
	if (!range)
		return IMAGE_NOWHERE;
	return at > range->first ? at : range->first;
}

static ssize_t raw_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	struct raw *raw = ctx;
	const struct raw_range *range = raw_range_at(raw, at);

	if (!range || at < range->first)
		return 0;
	if (len > range->end - at)
		len = (size_t)(range->end - at);
	return image_read_pages(raw->source, raw->fd, buf, len, at, err);
}

static void raw_close(void *ctx)
{
	struct raw *raw = ctx;

	close(raw->fd);
	free(raw->range);
	free(raw);
}

static void raw_add_range(struct raw *raw, uint64_t first, uint64_t end)
{
	if (raw->ranges < RANGES_MAX && first < end)
		raw->range[raw->ranges++] = (struct raw_range){ first, end };
}

/*
 * Add the ranges of RAM of this machine. Other addresses must not be read, because reading the
 * registers of a device may have side effects. If a page is only partly RAM, reading it returns
 * nothing and makes the kernel print a warning, so such a page is left out.
 */
static void raw_add_memory(struct raw *raw)
{
	FILE *iomem = fopen("/proc/iomem", "re");
	char line[256];

	while (iomem && fgets(line, sizeof(line), iomem)) {
		uint64_t first, last;
		char name[16];

		/* Skip nested entries, which begin with a space. */
		if (*line != ' ' &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " : %15[^\n]", &first, &last, name) == 3 &&
		    !strncmp(name, "System RAM", 10))
			raw_add_range(raw, (first + IMAGE_PAGE - 1) / IMAGE_PAGE * IMAGE_PAGE,
				      (last + 1) / IMAGE_PAGE * IMAGE_PAGE);
	}
	if (iomem)
		fclose(iomem);
}

static int raw_find_ranges(struct raw *raw, const char *path, struct lkst_error *err)
{
	struct stat st;
	off_t end;

	raw->range = calloc(RANGES_MAX, sizeof(*raw->range));
	if (!raw->range) {
		lkst_error_memory(err, "an image");
		return -1;
	}
	if (!fstat(raw->fd, &st) && S_ISCHR(st.st_mode)) {
		raw_add_memory(raw);
		raw->source->physical = true;
		if (!raw->ranges)
			lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_DEVICE, path);
		return raw->ranges ? 0 : -1;
	}
	end = lseek(raw->fd, 0, SEEK_END);
	if (end < 0) {
		lkst_error_system(err, errno, path, "seek");
		return -1;
	}
	raw_add_range(raw, 0, (uint64_t)end);
	raw->holes = S_ISREG(st.st_mode);
	return 0;
}

struct image_source *image_raw_open(int fd, const char *path, struct lkst_error *err)
{
	struct raw *raw = calloc(1, sizeof(*raw));
	struct image_source *source = raw ? image_source_new(path, "raw memory", raw, err) : NULL;

	if (!source) {
		free(raw);
		close(fd);
		lkst_error_memory(err, "an image");
		return NULL;
	}
	raw->fd = fd;
	raw->source = source;
	source->next = raw_next;
	source->read = raw_read;
	source->close = raw_close;
	if (raw_find_ranges(raw, path, err)) {
		image_source_close(source);
		return NULL;
	}
	source->size = raw->ranges ? raw->range[raw->ranges - 1].end : 0;
	return source;
}
