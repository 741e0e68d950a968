// SPDX-License-Identifier: GPL-2.0
/* Images that mkimage.c makes, for readers: as a source, and in files. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/image.h"
#include "mkimage.h"

#define PAGE ((size_t)LKST_IMAGE_PAGE)

static bool there(const struct mkimage *image, size_t at)
{
	return at < image->size && !image->missing[at / PAGE];
}

/* From @at on, the first byte that is there or, with @want false, is not. */
static size_t next_that(const struct mkimage *image, size_t at, bool want)
{
	while (at < image->size && there(image, at) != want)
		at = (at / PAGE + 1) * PAGE;
	return at < image->size ? at : image->size;
}

static uint64_t source_next(void *ctx, uint64_t at)
{
	const struct mkimage *image = ctx;

	at = at < image->size ? next_that(image, (size_t)at, true) : image->size;
	return at < image->size ? at : IMAGE_NOWHERE;
}

static ssize_t source_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	const struct mkimage *image = ctx;
	size_t end;

	(void)err;
	if (at >= image->size || !there(image, (size_t)at))
		return 0;
	end = next_that(image, (size_t)at, false);
	if (len > end - at)
		len = end - at;
	memcpy(buf, image->data + at, len);
	return (ssize_t)len;
}

static void source_close(void *ctx)
{
	(void)ctx;
}

struct image_source *mkimage_source(struct mkimage *image)
{
	struct image_source *source = calloc(1, sizeof(*source));

	if (!source)
		abort();
	*source = (struct image_source){
		.name = strdup("image"),
		.form = "made",
		.size = image->size,
		.physical = !image->hole,
		.next = source_next,
		.read = source_read,
		.close = source_close,
		.ctx = image,
	};
	return source;
}

static int file_new(void)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	return fd;
}

static void write_at(int fd, const void *data, size_t len, size_t at)
{
	if (pwrite(fd, data, len, (off_t)at) != (ssize_t)len)
		abort();
}

int mkimage_raw_fd(const struct mkimage *image)
{
	int fd = file_new();

	if (ftruncate(fd, (off_t)image->size))
		abort();
	for (size_t at = next_that(image, 0, true); at < image->size;) {
		size_t end = next_that(image, at, false);

		write_at(fd, image->data + at, end - at, at);
		at = next_that(image, end, true);
	}
	return fd;
}

/* Where the piece of memory ends that has no gap, in addresses or pages. */
static size_t segment_end(const struct mkimage *image, size_t at)
{
	size_t end = next_that(image, at, false);

	if (image->hole && at < image->hole && end > image->hole)
		end = (size_t)image->hole;
	return end;
}

int mkimage_elf_fd(const struct mkimage *image)
{
	const uint16_t one = 1;
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     *(const uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
	};
	size_t file = 1u << 20; /* room for segments */
	int fd = file_new();

	for (size_t at = next_that(image, 0, true); at < image->size;) {
		size_t end = segment_end(image, at);
		Elf64_Phdr segment = {
			.p_type = PT_LOAD,
			.p_offset = file,
			.p_paddr = at + (image->hole && at >= image->hole ? image->hole_length : 0),
			.p_filesz = end - at,
			.p_memsz = end - at,
		};

		write_at(fd, &segment, sizeof(segment),
			 sizeof(head) + head.e_phnum++ * sizeof(segment));
		write_at(fd, image->data + at, end - at, file);
		file += end - at;
		at = next_that(image, end, true);
	}
	write_at(fd, &head, sizeof(head), 0);
	return fd;
}
