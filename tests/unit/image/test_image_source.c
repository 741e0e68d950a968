// SPDX-License-Identifier: GPL-2.0
/* The file formats of memory images, and files that are not images. */
#include <elf.h>
#include <endian.h>
#include <sys/stat.h>

#include "dir.h"
#include "image_case.h"

static struct image_source *source;
static char path[64];

/* Make an image with four pieces of random bytes. The pages between them are missing. */
static void setup(void)
{
	image_case_begin(8 * MB);
	memset(memory->missing, 1, memory->size / PAGE);
	srand(1);
	for (size_t at = 0; at < memory->size; at += 2 * MB)
		for (size_t i = at; i < at + 1 * MB; i++) {
			memory->data[i] = (uint8_t)rand();
			memory->missing[i / PAGE] = 0;
		}
}

static void teardown(void)
{
	image_source_close(source);
	source = NULL;
	image_case_end();
}

static const char *path_of(int fd)
{
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

/* Open the file as an image, and close the descriptor. */
static void open_image(int fd)
{
	ck_assert_int_eq(image_is_one(fd, &err), 1);
	image_source_close(source);
	source = image_source_open(path_of(fd), &err);
	assert_made(source);
	close(fd);
}

/* Read and check everything in steps of @step bytes. Return the number of bytes, without holes. */
static size_t compare(size_t step)
{
	uint8_t *buf = malloc(step);
	size_t sum = 0;
	ssize_t n;

	for (uint64_t at = 0; (at = source->next(source->ctx, at)) != IMAGE_NOWHERE;
	     at = n ? at + (size_t)n : (at / PAGE + 1) * PAGE) {
		bool above = memory->hole && at >= memory->hole && source->physical;
		uint64_t offset = above ? at - memory->hole_length : at;

		n = source->read(source->ctx, buf, step, at, &err);
		ck_assert_msg(n >= 0, "%s", err.text);
		ck_assert_uint_le(offset + (size_t)n, memory->size);
		ck_assert_mem_eq(buf, memory->data + offset, (size_t)n);
		sum += (size_t)n;
	}
	ck_assert_int_eq(source->read(source->ctx, buf, step, source->size, &err), 0);
	free(buf);
	return sum;
}

static void check_fails(const char *file, const char *why)
{
	err.text[0] = 0;
	ck_assert_ptr_null(image_source_open(file, &err));
	assert_contains(err.text, why);
	assert_begins(err.text, file);
}

/* Check that the file is refused as an image, and close it. */
static void check_fd_fails(int fd, const char *why)
{
	check_fails(path_of(fd), why);
	close(fd);
}

/* Check that a file with these contents is not an image. */
static void check_data_fails(const void *data, size_t len, const char *why)
{
	int fd = new_file(data, len);

	ck_assert_int_eq(image_is_one(fd, &err), 0);
	check_fd_fails(fd, why);
}

static const size_t steps[] = { 100 << 10, 4096, 1000 };

TESTS(.timeout = 60, .setup = setup, .teardown = teardown);

TEST_EACH(test_raw, steps)
{
	size_t sum;

	open_image(mkimage_raw_fd(memory));
	ck_assert_str_eq(source->form, "raw memory");
	ck_assert(!source->physical);
	ck_assert_uint_eq(source->size, 8 * MB);
	/* Holes of the file are skipped. */
	ck_assert_uint_eq(source->next(source->ctx, 1 * MB), 2 * MB);
	ck_assert_uint_eq(source->next(source->ctx, 7 * MB), IMAGE_NOWHERE);
	ck_assert_uint_eq(source->next(source->ctx, UINT64_MAX), IMAGE_NOWHERE);
	/* A read that extends into a hole returns zeroes for the hole. */
	sum = compare(steps[_i]);
	ck_assert_uint_ge(sum, 4 * MB);
	ck_assert_uint_lt(sum, 4 * MB + 4 * steps[_i]);
}

TEST(test_raw_cut_off)
{
	int fd = mkimage_raw_fd(memory);

	ck_assert_int_eq(ftruncate(fd, 3 * MB - 100), 0);
	open_image(fd);
	ck_assert_uint_eq(source->size, 3 * MB - 100);
	ck_assert_uint_eq(compare(8192), 2 * MB - 100);
}

TEST_LOOP(test_elf, 2 * NUM(steps))
{
	if (_i / NUM(steps)) {
		memory->hole = 2 * MB + 512 * KB;
		memory->hole_length = 1ull << 32;
	}
	open_image(mkimage_elf_fd(memory));
	ck_assert_str_eq(source->form, "ELF core");
	ck_assert(source->physical);
	ck_assert_uint_eq(source->size, memory->hole_length + 7 * MB);
	ck_assert_uint_eq(source->next(source->ctx, 1 * MB), 2 * MB);
	ck_assert_uint_eq(compare(steps[_i % NUM(steps)]), 4 * MB);
	ck_assert_uint_eq(source->unreadable, 0);
}

TEST(test_elf_cut_off)
{
	int fd = mkimage_elf_fd(memory);
	off_t size = lseek(fd, 0, SEEK_END);

	/* Cut off one and a half segments, and 100 bytes. */
	ck_assert_int_eq(ftruncate(fd, size - (off_t)(3 * MB / 2) - 100), 0);
	open_image(fd);
	ck_assert_uint_eq(compare(8192), 4 * MB - 3 * MB / 2 - 100);
	ck_assert_uint_eq(source->unreadable, 3 * MB / 2 / PAGE + 1);
}

static Elf64_Phdr get_segment(int fd, size_t i)
{
	Elf64_Phdr segment;

	ck_assert_int_eq(pread(fd, &segment, sizeof(segment),
			       (off_t)(sizeof(Elf64_Ehdr) + i * sizeof(segment))),
			 sizeof(segment));
	return segment;
}

static void add_segment(int fd, const Elf64_Phdr *segment)
{
	Elf64_Ehdr header;

	ck_assert_int_eq(pread(fd, &header, sizeof(header), 0), sizeof(header));
	pwrite(fd, segment, sizeof(*segment),
	       (off_t)(sizeof(header) + header.e_phnum++ * sizeof(*segment)));
	pwrite(fd, &header, sizeof(header), 0);
}

/* Segments may overlap: a vmcore has an additional one for the kernel's text. */
TEST(test_elf_twice)
{
	int fd = mkimage_elf_fd(memory);
	Elf64_Phdr segment = get_segment(fd, 1);

	segment.p_offset += 64 * PAGE;
	segment.p_paddr += 64 * PAGE;
	segment.p_filesz = 32 * PAGE;
	add_segment(fd, &segment);
	open_image(fd);
	ck_assert_uint_eq(compare(64 << 10), 4 * MB);
}

/* A file is refused if too many of its segments have the same bytes at different addresses. */
TEST(test_elf_many_times)
{
	int fd = mkimage_elf_fd(memory);
	Elf64_Phdr segment = get_segment(fd, 0);

	segment.p_offset = 0;
	segment.p_filesz = (Elf64_Xword)lseek(fd, 0, SEEK_END);
	/*
	 * All segments together may be four times as long as the file. The four segments of the
	 * image are shorter than the file, so three more segments that contain the whole file are
	 * accepted, and a fourth one is not.
	 */
	for (int i = 0; i < 4; i++) {
		segment.p_paddr = (Elf64_Xword)(i + 1) << 32;
		add_segment(fd, &segment);
		if (i < 3)
			open_image(dup(fd));
	}
	check_fd_fails(fd, "its segments overlap too much");
}

/*
 * Return a copy of the file in the format of makedumpfile -F, with its pieces in reverse order.
 * Close @fd.
 */
static int flattened(int fd)
{
	char header[4096] = "makedumpfile";
	uint64_t one = htobe64(1), end[2] = { UINT64_MAX, UINT64_MAX };
	off_t size = lseek(fd, 0, SEEK_END), chunk = 300000;
	int flat;

	memcpy(header + 16, &one, 8);
	memcpy(header + 24, &one, 8);
	flat = new_file(header, sizeof(header));
	lseek(flat, 0, SEEK_END);
	for (off_t at = (size - 1) / chunk * chunk; at >= 0; at -= chunk) {
		static char data[300000];
		ssize_t n = pread(fd, data, sizeof(data), at);
		uint64_t where[2] = { htobe64((uint64_t)at), htobe64((uint64_t)n) };

		ck_assert_int_eq(write(flat, where, sizeof(where)), sizeof(where));
		ck_assert_int_eq(write(flat, data, (size_t)n), n);
	}
	ck_assert_int_eq(write(flat, end, sizeof(end)), sizeof(end));
	close(fd);
	return flat;
}

TEST(test_flattened)
{
	open_image(flattened(mkimage_elf_fd(memory)));
	ck_assert_str_eq(source->form, "ELF core");
	ck_assert_uint_eq(compare(64 << 10), 4 * MB);
}

TEST(test_no_image)
{
	char page[4096] = "";
	int trace = sample_fd();

	check_fails("/nowhere/at/all", "No such file");
	check_fails("/tmp", "is a directory");
	dir_make();
	ck_assert_int_eq(mkfifo(dir_path("fifo"), 0600), 0);
	check_fails(dir_path("fifo"), "is a pipe or socket");
	dir_remove();
	check_data_fails("", 0, "0 bytes");
	check_data_fails(page, 4095, "4095 bytes");
	memcpy(page, "\037\213\010", 3);
	check_data_fails(page, sizeof(page), "gzip");
	memset(page, 'a', sizeof(page));
	check_data_fails(page, sizeof(page), "text");
	ck_assert_int_eq(image_is_one(trace, &err), 0);
	check_fd_fails(trace, "is a trace file");
}

/* Return an ELF core file that also has a note with the name "CORE" and this type. */
static int elf_with_note(uint32_t type)
{
	const struct {
		Elf64_Nhdr header;
		char name[8];
		uint64_t data[2];
	} note = { { 5, 16, type }, "CORE", { 0 } };
	int fd = mkimage_elf_fd(memory);
	const Elf64_Phdr segment = { PT_NOTE, .p_filesz = sizeof(note),
				     .p_offset = (Elf64_Off)lseek(fd, 0, SEEK_END) };

	ck_assert_int_eq(pwrite(fd, &note, sizeof(note), (off_t)segment.p_offset), sizeof(note));
	add_segment(fd, &segment);
	return fd;
}

TEST(test_no_memory_in_elf)
{
	static const struct {
		uint16_t type;
		size_t size;
		const char *why;
	} files[] = {
		{ ET_REL, sizeof(Elf64_Ehdr), "it is an object file" },
		{ ET_CORE, sizeof(Elf64_Ehdr), "none of its segments contains memory" },
		{ ET_CORE, 40, "cut off within its header" },
	};

	check_fails("/proc/self/exe", "it is a program");
	for (int i = 0; i < NUM(files); i++) {
		const Elf64_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
							 ELFCLASS64, ELFDATA2LSB },
					    .e_type = files[i].type };

		check_fd_fails(new_file(&header, files[i].size), files[i].why);
	}
	check_fd_fails(elf_with_note(NT_AUXV), "it is the core of a process");
	/* A dump of a machine also has a "CORE" note, with registers. It is accepted. */
	open_image(elf_with_note(NT_PRSTATUS));
	ck_assert_uint_eq(compare(8192), 4 * MB);
}

TEST(test_bad_kdump)
{
	uint8_t page[8192] = "KDUMP   ";

	check_fd_fails(new_file(page, sizeof(page)), "cannot be read as kdump-compressed: ");
	memcpy(page, "makedumpfile", 13);
	check_fd_fails(new_file(page, sizeof(page)), "cannot be read as a flattened image");
}
