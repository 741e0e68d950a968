// SPDX-License-Identifier: LGPL-2.1
/* Reads kdump-compressed files with libkdumpfile. */
#include <libkdumpfile/kdumpfile.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "forms.h"
#include "lib/base/error.h"
#include "messages.h"
#include "source.h"

/**
 * struct kdump - an open image
 * @fd: file
 * @kdump: handle of libkdumpfile
 * @pages: bitmap of the pages in the file
 * @page_size: size of a page in bytes
 * @source: the source, which counts unreadable pages
 */
struct kdump {
	int fd;
	kdump_ctx_t *kdump;
	kdump_bmp_t *pages;
	uint64_t page_size;
	struct image_source *source;
};

static uint64_t kdump_next(void *ctx, uint64_t at)
{
	struct kdump *k = ctx;
	kdump_addr_t page = at / k->page_size;
	uint64_t begin;

	if (kdump_bmp_find_set(k->pages, &page) != KDUMP_OK || page > UINT64_MAX / k->page_size - 1)
		return IMAGE_NOWHERE;
	begin = page * k->page_size;
	return begin > at ? begin : at;
}

/* Return how many bytes, starting at @at, the file should contain without a gap. */
static uint64_t kdump_present(struct kdump *k, uint64_t at)
{
	kdump_addr_t first = at / k->page_size, end = first;

	if (kdump_bmp_find_set(k->pages, &end) != KDUMP_OK || end != first)
		return 0;
	if (kdump_bmp_find_clear(k->pages, &end) != KDUMP_OK || end > UINT64_MAX / k->page_size)
		return UINT64_MAX - at;
	return end * k->page_size - at;
}

/*
 * The read() function of the source. A page that should be in the file but cannot be read is
 * treated as missing: the file is truncated or damaged there.
 */
static ssize_t kdump_read_at(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	struct kdump *k = ctx;
	uint64_t present = kdump_present(k, at);
	kdump_status status;
	size_t n = len < present ? len : (size_t)present;

	if (!n)
		return 0;
	status = kdump_read(k->kdump, KDUMP_MACHPHYSADDR, at, buf, &n);
	if (status == KDUMP_OK || n)
		return (ssize_t)n;
	if (status == KDUMP_ERR_BUSY) {
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_IMAGE_FORMAT, k->source->name,
			       k->source->form, kdump_get_err(k->kdump));
		return -1;
	}
	if (status != KDUMP_ERR_NODATA)
		k->source->unreadable++;
	return 0;
}

static void kdump_close(void *ctx)
{
	struct kdump *k = ctx;

	if (k->kdump)
		kdump_free(k->kdump);
	close(k->fd);
	free(k);
}

/* Return the physical address after the last page. */
static uint64_t kdump_size_of(struct kdump *k)
{
	kdump_addr_t page = 0, end = 0;

	while (kdump_bmp_find_set(k->pages, &page) == KDUMP_OK) {
		end = page;
		if (kdump_bmp_find_clear(k->pages, &end) != KDUMP_OK || end <= page)
			return UINT64_MAX;
		page = end;
	}
	return end > UINT64_MAX / k->page_size ? UINT64_MAX : end * k->page_size;
}

static kdump_status kdump_prepare(struct kdump *k)
{
	kdump_attr_t pages = { .type = KDUMP_BITMAP };
	kdump_num_t page_size;
	kdump_status status;

	/* Do not map the file: if it is truncated, an access beyond its end would raise SIGBUS. */
	status = kdump_set_number_attr(k->kdump, KDUMP_ATTR_FILE_MMAP_POLICY, KDUMP_MMAP_NEVER);
	if (status == KDUMP_OK)
		status = kdump_open_fd(k->kdump, k->fd);
	if (status != KDUMP_OK)
		return status;
	/* For an unknown type of machine, libkdumpfile does not know the page size. */
	if (kdump_get_number_attr(k->kdump, KDUMP_ATTR_PAGE_SIZE, &page_size) != KDUMP_OK) {
		page_size = IMAGE_PAGE;
		status = kdump_set_number_attr(k->kdump, KDUMP_ATTR_PAGE_SIZE, page_size);
		if (status != KDUMP_OK)
			return status;
	}
	k->page_size = page_size;
	status = kdump_get_typed_attr(k->kdump, KDUMP_ATTR_FILE_PAGEMAP, &pages);
	k->pages = pages.val.bitmap;
	return status;
}

struct image_source *image_kdump_open(int fd, const char *path, struct lkst_error *err)
{
	struct kdump *k = calloc(1, sizeof(*k));
	struct image_source *source = k ? image_source_new(path, "kdump-compressed", k, err) : NULL;

	if (!source) {
		free(k);
		close(fd);
		lkst_error_memory(err, "an image");
		return NULL;
	}
	k->fd = fd;
	k->source = source;
	source->physical = true;
	source->next = kdump_next;
	source->read = kdump_read_at;
	source->close = kdump_close;
	k->kdump = kdump_new();
	if (!k->kdump || kdump_prepare(k) != KDUMP_OK) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_FORMAT, path, source->form,
			       k->kdump ? kdump_get_err(k->kdump) : "not enough memory");
		image_source_close(source);
		return NULL;
	}
	source->size = kdump_size_of(k);
	return source;
}
