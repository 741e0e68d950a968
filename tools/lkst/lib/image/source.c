// SPDX-License-Identifier: LGPL-2.1
/* Opens a memory image of any format. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "forms.h"
#include "lib/base/error.h"
#include "lib/base/file_kind.h"
#include "lib/trace/format.h"
#include "messages.h"
#include "source.h"

enum form {
	FORM_ELF,
	FORM_KDUMP,
	FORM_FLAT,
	FORM_TRACE,
	FORM_OTHER, /* a known format that is not a memory image */
	FORM_SHORT, /* shorter than a page */
	FORM_RAW,
};

/* The first bytes of each format. */
static const struct {
	const char *magic;
	size_t len;
	enum form form;
} magics[] = {
	{ "\177ELF", 4, FORM_ELF },
	{ "KDUMP   ", 8, FORM_KDUMP },
	{ "DISKDUMP", 8, FORM_KDUMP },
	{ FLAT_MAGIC, sizeof(FLAT_MAGIC), FORM_FLAT },
	{ TRACE_MAGIC, sizeof(TRACE_MAGIC), FORM_TRACE },
};

/**
 * image_pread() - read at an offset of a file
 * @fd: file
 * @buf: result
 * @len: number of bytes to read
 * @at: offset
 *
 * Return: number of bytes read, fewer than @len only if the file ends or a byte is unreadable; -1
 * if the byte at @at is unreadable.
 */
ssize_t image_pread(int fd, void *buf, size_t len, uint64_t at)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(fd, (char *)buf + done, len - done, (off_t)(at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && !done)
			return -1;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* Return whether an error concerns only one page: a bad block, or inaccessible memory. */
static bool source_of_the_page(int error)
{
	switch (error) {
	case EIO:
	case EFAULT:
	case EPERM:
	case EACCES:
	case ENXIO:
	case ENODATA:
	case EREMOTEIO:
	case ETIMEDOUT:
	case EINVAL:
		return true;
	}
	return false;
}

/**
 * image_read_pages() - read at an offset of a file, as struct image_source.read does
 * @source: image; counts pages that cannot be read, which are treated as missing
 * @fd: file
 * @buf: result
 * @len: number of bytes to read
 * @at: offset
 * @err: set on failure
 */
ssize_t image_read_pages(struct image_source *source, int fd, void *buf, size_t len, uint64_t at,
			 struct lkst_error *err)
{
	size_t page = (size_t)(IMAGE_PAGE - at % IMAGE_PAGE);
	ssize_t n = image_pread(fd, buf, len, at);

	if (n < 0 && source_of_the_page(errno) && len > page)
		n = image_pread(fd, buf, page, at);
	if (n >= 0)
		return n;
	if (source_of_the_page(errno)) {
		source->unreadable++;
		return 0;
	}
	lkst_error_system(err, errno, source->name, "read");
	return -1;
}

static enum form source_form_of(const uint8_t *head, size_t len)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (len >= magics[i].len && !memcmp(head, magics[i].magic, magics[i].len))
			return magics[i].form;
	if (len < IMAGE_PAGE)
		return FORM_SHORT;
	return file_kind(head, len) ? FORM_OTHER : FORM_RAW;
}

/**
 * image_is_one() - check whether a file is a memory image rather than a trace or another file
 * @fd: file
 * @err: set if fstat() fails
 *
 * Return: 1 if it is; 0 if not; -1 on error.
 */
int image_is_one(int fd, struct lkst_error *err)
{
	uint8_t head[IMAGE_PAGE];
	enum form form;
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st)) {
		lkst_error_system(err, errno, "file", "stat");
		return -1;
	}
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode) && !S_ISCHR(st.st_mode))
		return 0;
	n = image_pread(fd, head, sizeof(head), 0);
	if (n < 0)
		return S_ISREG(st.st_mode) ? 0 : 1; /* a memory device has unreadable pages */
	form = source_form_of(head, (size_t)n);
	return form == FORM_ELF || form == FORM_KDUMP || form == FORM_FLAT || form == FORM_RAW;
}

/* Open a file as an image of a known format. Takes ownership of @fd. */
static struct image_source *source_open_form(int fd, const char *path, enum form form,
					     struct lkst_error *err)
{
	switch (form) {
	case FORM_ELF:
		return image_elf_open(fd, path, err);
	case FORM_KDUMP:
		return image_kdump_open(fd, path, err);
	case FORM_RAW:
		return image_raw_open(fd, path, err);
	default:
		break;
	}
	close(fd);
	return NULL;
}

/*
 * Convert a flattened file, and open the result, which must be an ELF core or a kdump-compressed
 * file. Takes ownership of @fd.
 */
static struct image_source *source_open_flat(int fd, const char *path, struct lkst_error *err)
{
	uint8_t head[IMAGE_PAGE];
	enum form form;
	ssize_t n;

	fd = image_flat_to_file(fd, path, err);
	if (fd < 0)
		return NULL;
	n = image_pread(fd, head, sizeof(head), 0);
	form = n > 0 ? source_form_of(head, (size_t)n) : FORM_SHORT;
	if (form == FORM_ELF || form == FORM_KDUMP)
		return source_open_form(fd, path, form, err);
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_FORMAT, path, "a flattened image",
		       "what is in it is neither an ELF core nor kdump-compressed");
	close(fd);
	return NULL;
}

static struct image_source *image_source_refuse(int fd, const char *path, enum form form,
						const uint8_t *head, size_t len,
						struct lkst_error *err)
{
	close(fd);
	switch (form) {
	case FORM_TRACE:
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_TRACE, path);
		break;
	case FORM_SHORT:
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_SMALL, path,
			       (unsigned long long)len);
		break;
	default:
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_FOREIGN, path, file_kind(head, len));
	}
	return NULL;
}

static int source_check_type(int fd, const char *path, struct stat *st, struct lkst_error *err)
{
	if (fstat(fd, st)) {
		lkst_error_system(err, errno, path, "stat");
		return -1;
	}
	if (S_ISDIR(st->st_mode)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_DIRECTORY, path);
		return -1;
	}
	if (!S_ISREG(st->st_mode) && !S_ISBLK(st->st_mode) && !S_ISCHR(st->st_mode)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_PIPE, path);
		return -1;
	}
	return 0;
}

/**
 * image_source_open() - open a memory image
 * @path: file or device
 * @err: set on failure
 */
struct image_source *image_source_open(const char *path, struct lkst_error *err)
{
	/* O_NONBLOCK: do not wait for the writer of a FIFO. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t head[IMAGE_PAGE];
	enum form form = FORM_RAW;
	struct stat st;
	ssize_t n;

	if (fd < 0) {
		lkst_error_system(err, errno, path, "open");
		return NULL;
	}
	if (source_check_type(fd, path, &st, err)) {
		close(fd);
		return NULL;
	}
	n = image_pread(fd, head, sizeof(head), 0);
	if (n < 0 && S_ISREG(st.st_mode)) {
		lkst_error_system(err, errno, path, "read");
		close(fd);
		return NULL;
	}
	if (n >= 0)
		form = source_form_of(head, (size_t)n);
	if (form == FORM_FLAT)
		return source_open_flat(fd, path, err);
	if (form == FORM_TRACE || form == FORM_SHORT || form == FORM_OTHER)
		return image_source_refuse(fd, path, form, head, (size_t)n, err);
	return source_open_form(fd, path, form, err);
}

struct image_source *image_source_new(const char *name, const char *form, void *ctx,
				      struct lkst_error *err)
{
	struct image_source *source = calloc(1, sizeof(*source));

	if (source)
		source->name = strdup(name);
	if (!source || !source->name) {
		free(source);
		lkst_error_memory(err, "an image");
		return NULL;
	}
	source->form = form;
	source->ctx = ctx;
	return source;
}

/**
 * image_source_close() - close an image
 * @source: may be NULL
 */
void image_source_close(struct image_source *source)
{
	if (!source)
		return;
	source->close(source->ctx);
	free(source->name);
	free(source);
}
