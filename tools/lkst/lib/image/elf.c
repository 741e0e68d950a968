// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads ELF cores of whole machines. libkdumpfile can read them as well, but it either maps the
 * file, so that a bad block or a truncated file raises a signal, or reads the file page by page,
 * which takes ten times as long.
 */
#include <byteswap.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "forms.h"
#include "lib/base/error.h"
#include "messages.h"
#include "source.h"

#define SEGMENTS_MAX (1u << 20)
/*
 * Maximum ratio of the total size of the segments to the size of the file. The ratio is at most 1
 * if no two segments share bytes of the file.
 */
#define TIMES_MAX    4
#define NOTES_MAX    (64 << 10) /* bytes of notes to read; NT_AUXV is near the start */

/**
 * struct elf_segment - a range of physical memory that is in the file
 * @first: physical address of the first byte
 * @end: physical address after the last byte
 * @at: offset of the first byte in the file
 */
struct elf_segment {
	uint64_t first;
	uint64_t end;
	uint64_t at;
};

/**
 * struct elf - an open core
 * @fd: file
 * @swapped: the file has the opposite byte order
 * @wide: the file is a 64-bit ELF file
 * @headers: offset of the program headers
 * @num: number of program headers
 * @segment: ranges of memory, sorted by address, without overlaps
 * @segments: number of entries in @segment
 * @source: the source, which counts unreadable pages
 */
struct elf {
	int fd;
	bool swapped;
	bool wide;
	uint64_t headers;
	uint32_t num;
	struct elf_segment *segment;
	size_t segments;
	struct image_source *source;
};

static uint16_t elf_get16(const struct elf *elf, uint16_t value)
{
	return elf->swapped ? bswap_16(value) : value;
}

static uint32_t elf_get32(const struct elf *elf, uint32_t value)
{
	return elf->swapped ? bswap_32(value) : value;
}

static uint64_t elf_get64(const struct elf *elf, uint64_t value)
{
	return elf->swapped ? bswap_64(value) : value;
}

/* Read a program header, and convert it to 64 bits and the byte order of this machine. */
static bool elf_header_of(const struct elf *elf, uint32_t i, Elf64_Phdr *header)
{
	const size_t size = elf->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	Elf32_Phdr narrow;
	Elf64_Phdr wide;

	if (image_pread(elf->fd, elf->wide ? (void *)&wide : &narrow, size,
			elf->headers + (uint64_t)i * size) != (ssize_t)size)
		return false;
	if (elf->wide)
		*header = (Elf64_Phdr){
			.p_type = elf_get32(elf, wide.p_type),
			.p_offset = elf_get64(elf, wide.p_offset),
			.p_paddr = elf_get64(elf, wide.p_paddr),
			.p_filesz = elf_get64(elf, wide.p_filesz),
		};
	else
		*header = (Elf64_Phdr){
			.p_type = elf_get32(elf, narrow.p_type),
			.p_offset = elf_get32(elf, narrow.p_offset),
			.p_paddr = elf_get32(elf, narrow.p_paddr),
			.p_filesz = elf_get32(elf, narrow.p_filesz),
		};
	return true;
}

/* Return whether the core has an auxiliary vector. Only cores of processes have one. */
static bool elf_has_auxv(const struct elf *elf, const uint8_t *notes, size_t len)
{
	size_t at = 0;

	while (len - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note; /* the same in 32-bit and 64-bit files */
		uint64_t size;

		memcpy(&note, notes + at, sizeof(note));
		size = sizeof(note) + ((uint64_t)elf_get32(elf, note.n_namesz) + 3) / 4 * 4 +
		       ((uint64_t)elf_get32(elf, note.n_descsz) + 3) / 4 * 4;
		if (elf_get32(elf, note.n_type) == NT_AUXV && elf_get32(elf, note.n_namesz) == 5 &&
		    len - at >= sizeof(note) + 5 && !memcmp(notes + at + sizeof(note), "CORE", 5))
			return true;
		if (size > len - at)
			break;
		at += (size_t)size;
	}
	return false;
}

static bool elf_of_a_process(const struct elf *elf, const Elf64_Phdr *header)
{
	uint8_t notes[NOTES_MAX];
	ssize_t n;

	if (header->p_type != PT_NOTE || header->p_offset > INT64_MAX)
		return false;
	n = image_pread(elf->fd, notes,
			header->p_filesz < NOTES_MAX ? (size_t)header->p_filesz : NOTES_MAX,
			header->p_offset);
	return n > 0 && elf_has_auxv(elf, notes, (size_t)n);
}

/*
 * If the number of program headers does not fit into the ELF header, the first section header
 * contains it. Return this number; 0 if the section header cannot be read.
 */
static uint32_t elf_extended_num(const struct elf *elf, uint64_t sections)
{
	Elf32_Shdr narrow;
	Elf64_Shdr wide;

	if (elf->wide && image_pread(elf->fd, &wide, sizeof(wide), sections) == sizeof(wide))
		return elf_get32(elf, wide.sh_info);
	if (!elf->wide && image_pread(elf->fd, &narrow, sizeof(narrow), sections) == sizeof(narrow))
		return elf_get32(elf, narrow.sh_info);
	return 0;
}

/* Read the ELF header. Returns why the file is not a memory image; NULL if it may be one. */
static const char *elf_read_header(struct elf *elf)
{
	const uint16_t one = 1;
	Elf32_Ehdr narrow;
	Elf64_Ehdr wide;
	ssize_t n = image_pread(elf->fd, &wide, sizeof(wide), 0);

	if (n < (ssize_t)sizeof(wide))
		return "it is cut off within its header";
	memcpy(&narrow, &wide, sizeof(narrow));
	elf->wide = wide.e_ident[EI_CLASS] == ELFCLASS64;
	elf->swapped = wide.e_ident[EI_DATA] ==
		       (*(const uint8_t *)&one ? ELFDATA2MSB : ELFDATA2LSB);
	switch (elf_get16(elf, narrow.e_type)) { /* at the same offset in 32-bit and 64-bit files */
	case ET_CORE:
		break;
	case ET_EXEC:
	case ET_DYN:
		return "it is a program or a library";
	case ET_REL:
		return "it is an object file or a kernel module";
	default:
		return "its type is unknown";
	}
	elf->headers = elf->wide ? elf_get64(elf, wide.e_phoff) : elf_get32(elf, narrow.e_phoff);
	elf->num = elf_get16(elf, elf->wide ? wide.e_phnum : narrow.e_phnum);
	if (elf->num == PN_XNUM)
		elf->num = elf_extended_num(elf, elf->wide ? elf_get64(elf, wide.e_shoff) :
							     elf_get32(elf, narrow.e_shoff));
	if (elf->headers > INT64_MAX / 2 || elf->num > SEGMENTS_MAX)
		return "its segments do not fit into the address space";
	return NULL;
}

/* Add the part of a segment that is in the file; count the rest as unreadable. */
static void elf_add_segment(struct elf *elf, const Elf64_Phdr *header, uint64_t file_size)
{
	uint64_t length = header->p_filesz, present;

	if (header->p_type != PT_LOAD || !length || header->p_paddr > UINT64_MAX - length)
		return;
	present = header->p_offset < file_size ? file_size - header->p_offset : 0;
	if (present < length) {
		elf->source->unreadable += (length - present + IMAGE_PAGE - 1) / IMAGE_PAGE;
		length = present;
	}
	if (length)
		elf->segment[elf->segments++] = (struct elf_segment){
			.first = header->p_paddr,
			.end = header->p_paddr + length,
			.at = header->p_offset,
		};
}

static int elf_by_address(const void *a, const void *b)
{
	const struct elf_segment *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/*
 * Sort the segments by address, and drop memory that another segment already contains: a vmcore
 * contains the kernel's text twice.
 */
static void elf_finalize(struct elf *elf)
{
	uint64_t end = 0;
	size_t num = 0;

	if (elf->segments)
		qsort(elf->segment, elf->segments, sizeof(*elf->segment), elf_by_address);
	for (size_t i = 0; i < elf->segments; i++) {
		struct elf_segment segment = elf->segment[i];

		if (segment.first < end) {
			if (segment.end <= end)
				continue;
			segment.at += end - segment.first;
			segment.first = end;
		}
		end = segment.end;
		elf->segment[num++] = segment;
	}
	elf->segments = num;
}

/*
 * Return whether the total size of the segments is within the limit. Without a limit, a forged file
 * could make a scan endless.
 */
static bool elf_within_bounds(const struct elf *elf, uint64_t file_size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < elf->segments; i++)
		sum += elf->segment[i].end - elf->segment[i].first;
	return sum / TIMES_MAX <= file_size;
}

static const char *elf_read_segments(struct elf *elf)
{
	struct stat st;
	uint64_t file_size = fstat(elf->fd, &st) ? 0 : (uint64_t)st.st_size;
	Elf64_Phdr header;

	elf->segment = calloc((size_t)elf->num + 1, sizeof(*elf->segment));
	if (!elf->segment)
		return "not enough memory";
	for (uint32_t i = 0; i < elf->num && elf_header_of(elf, i, &header); i++) {
		if (elf_of_a_process(elf, &header))
			return "it is the core of a process";
		elf_add_segment(elf, &header, file_size);
	}
	elf_finalize(elf);
	if (!elf->segments)
		return "none of its segments contains memory";
	return elf_within_bounds(elf, file_size) ?
		       NULL :
		       "its segments overlap too much";
}

/* Return the first segment that ends after @at: the one that contains @at, or the next one. */
static const struct elf_segment *elf_segment_at(const struct elf *elf, uint64_t at)
{
	size_t low = 0, high = elf->segments;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (elf->segment[middle].end <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < elf->segments ? &elf->segment[low] : NULL;
}

static uint64_t elf_next(void *ctx, uint64_t at)
{
	const struct elf_segment *segment = elf_segment_at(ctx, at);

	if (!segment)
		return IMAGE_NOWHERE;
	return at > segment->first ? at : segment->first;
}

static ssize_t elf_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	struct elf *elf = ctx;
	const struct elf_segment *segment = elf_segment_at(elf, at);

	if (!segment || at < segment->first)
		return 0;
	if (len > segment->end - at)
		len = (size_t)(segment->end - at);
	return image_read_pages(elf->source, elf->fd, buf, len, segment->at + (at - segment->first),
				err);
}

static void elf_close(void *ctx)
{
	struct elf *elf = ctx;

	close(elf->fd);
	free(elf->segment);
	free(elf);
}

struct image_source *image_elf_open(int fd, const char *path, struct lkst_error *err)
{
	struct elf *elf = calloc(1, sizeof(*elf));
	struct image_source *source = elf ? image_source_new(path, "ELF core", elf, err) : NULL;
	const char *why;

	if (!source) {
		free(elf);
		close(fd);
		lkst_error_memory(err, "an image");
		return NULL;
	}
	elf->fd = fd;
	elf->source = source;
	source->physical = true;
	source->next = elf_next;
	source->read = elf_read;
	source->close = elf_close;
	why = elf_read_header(elf);
	if (!why)
		why = elf_read_segments(elf);
	if (why) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_ELF, path, why);
		image_source_close(source);
		return NULL;
	}
	source->size = elf->segment[elf->segments - 1].end;
	return source;
}
