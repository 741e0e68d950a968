// SPDX-License-Identifier: GPL-2.0
/* The forms that images of memory have, and what is none. */
#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/image.h"
#include "mkimage.h"
#include "sample.h"
#include "tap.h"

#define PAGE ((size_t)LKST_IMAGE_PAGE)
#define MB   (1ull << 20)

static struct mkimage *memory;
static struct lkst_error err;
static char path[64];

/* Four pieces of noise, with nothing between them. */
static void setup(void)
{
	memory = mkimage_new(8 * MB);
	memset(&err, 0, sizeof(err));
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
	mkimage_free(memory);
}

static const char *path_of(int fd)
{
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static struct image_source *open_fd(int fd)
{
	struct image_source *source = image_source_open(path_of(fd), &err);

	ck_assert_msg(source != NULL, "%s", err.text);
	return source;
}

/* Reads all there is in pieces of @step, past holes where one begins. Returns how much that is. */
static size_t compare(struct image_source *source, size_t step)
{
	uint8_t *buf = malloc(step);
	size_t sum = 0;
	uint64_t at = 0;

	while ((at = source->next(source->ctx, at)) != IMAGE_NOWHERE) {
		uint64_t offset = at;
		ssize_t n;

		if (memory->hole && at >= memory->hole && source->physical)
			offset -= memory->hole_length;
		n = source->read(source->ctx, buf, step, at, &err);
		ck_assert_msg(n >= 0, "%s", err.text);
		if (!n) {
			at = (at / PAGE + 1) * PAGE;
			continue;
		}
		ck_assert_uint_le(offset + (size_t)n, memory->size);
		ck_assert_mem_eq(buf, memory->data + offset, (size_t)n);
		sum += (size_t)n;
		at += (size_t)n;
	}
	ck_assert_int_eq(source->read(source->ctx, buf, step, source->size, &err), 0);
	free(buf);
	return sum;
}

static const size_t steps[] = { 100 << 10, 4096, 1000 };

START_TEST(test_raw)
{
	int fd = mkimage_raw_fd(memory);
	struct image_source *source = open_fd(fd);
	size_t sum;

	ck_assert_str_eq(source->form, "raw memory");
	ck_assert(!source->physical);
	ck_assert_uint_eq(source->size, 8 * MB);
	/* Holes of the file are passed over. */
	ck_assert_uint_eq(source->next(source->ctx, 1 * MB), 2 * MB);
	ck_assert_uint_eq(source->next(source->ctx, 7 * MB), IMAGE_NOWHERE);
	ck_assert_uint_eq(source->next(source->ctx, UINT64_MAX), IMAGE_NOWHERE);
	/* What is read beyond the beginning of a hole is zeroes. */
	sum = compare(source, steps[_i]);
	ck_assert_uint_ge(sum, 4 * MB);
	ck_assert_uint_lt(sum, 4 * MB + 4 * steps[_i]);
	image_source_close(source);
	close(fd);
}
END_TEST

START_TEST(test_raw_cut_off)
{
	int fd = mkimage_raw_fd(memory);
	struct image_source *source;

	ck_assert_int_eq(ftruncate(fd, 3 * MB - 100), 0);
	source = open_fd(fd);
	ck_assert_uint_eq(source->size, 3 * MB - 100);
	ck_assert_uint_eq(compare(source, 8192), 2 * MB - 100);
	image_source_close(source);
	close(fd);
}
END_TEST

START_TEST(test_elf)
{
	struct image_source *source;
	int fd;

	if (_i / 3) {
		memory->hole = 2 * MB + 512 * 1024;
		memory->hole_length = 1ull << 32;
	}
	fd = mkimage_elf_fd(memory);
	source = open_fd(fd);
	ck_assert_str_eq(source->form, "ELF core");
	ck_assert(source->physical);
	ck_assert_uint_eq(source->size, memory->hole_length + 7 * MB);
	ck_assert_uint_eq(source->next(source->ctx, 1 * MB), 2 * MB);
	ck_assert_uint_eq(compare(source, steps[_i % 3]), 4 * MB);
	ck_assert_uint_eq(source->unreadable, 0);
	image_source_close(source);
	close(fd);
}
END_TEST

START_TEST(test_elf_cut_off)
{
	int fd = mkimage_elf_fd(memory);
	struct image_source *source;
	off_t size = lseek(fd, 0, SEEK_END);

	/* A segment and a half, and some bytes. */
	ck_assert_int_eq(ftruncate(fd, size - (off_t)(3 * MB / 2) - 100), 0);
	source = open_fd(fd);
	ck_assert_uint_eq(compare(source, 8192), 4 * MB - 3 * MB / 2 - 100);
	ck_assert_uint_eq(source->unreadable, 3 * MB / 2 / PAGE + 1);
	image_source_close(source);
	close(fd);
}
END_TEST

/* A vmcore has the kernel's text twice. */
START_TEST(test_elf_twice)
{
	int fd = mkimage_elf_fd(memory);
	struct image_source *source;
	Elf64_Ehdr head;
	Elf64_Phdr segment;

	ck_assert_int_eq(pread(fd, &head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(pread(fd, &segment, sizeof(segment), sizeof(head) + sizeof(segment)),
			 sizeof(segment));
	segment.p_offset += 64 * PAGE;
	segment.p_paddr += 64 * PAGE;
	segment.p_filesz = 32 * PAGE;
	pwrite(fd, &segment, sizeof(segment), sizeof(head) + head.e_phnum * sizeof(segment));
	head.e_phnum++;
	pwrite(fd, &head, sizeof(head), 0);
	source = open_fd(fd);
	ck_assert_uint_eq(compare(source, 64 << 10), 4 * MB);
	image_source_close(source);
	close(fd);
}
END_TEST

static void fails(const char *file, const char *why);

/* Segments whose memory is the same bytes of the file, at different addresses. */
START_TEST(test_elf_many_times)
{
	int fd = mkimage_elf_fd(memory);
	off_t file_size = lseek(fd, 0, SEEK_END);
	struct image_source *source;
	Elf64_Phdr segment;
	Elf64_Ehdr head;

	ck_assert_int_eq(pread(fd, &head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(pread(fd, &segment, sizeof(segment), sizeof(head)), sizeof(segment));
	segment.p_offset = 0;
	segment.p_filesz = (Elf64_Xword)file_size;
	/* The pieces that are there have less than the file. */
	for (int i = 0; i < 4; i++) {
		segment.p_paddr = (Elf64_Xword)(i + 1) << 32;
		pwrite(fd, &segment, sizeof(segment),
		       sizeof(head) + head.e_phnum++ * sizeof(segment));
		pwrite(fd, &head, sizeof(head), 0);
		if (i < 3) {
			source = open_fd(fd);
			image_source_close(source);
		}
	}
	fails(path_of(fd), "its segments have the same bytes again and again");
	close(fd);
}
END_TEST

static int new_file(const void *data, size_t len)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
	return fd;
}

/* As makedumpfile -F writes a file, its pieces in any order. */
static int flattened(int fd)
{
	char head[4096] = "makedumpfile";
	uint64_t one = htobe64(1), end[2] = { UINT64_MAX, UINT64_MAX };
	off_t size = lseek(fd, 0, SEEK_END), piece = 300000;
	int flat;

	memcpy(head + 16, &one, 8);
	memcpy(head + 24, &one, 8);
	flat = new_file(head, sizeof(head));
	for (off_t at = (size - 1) / piece * piece; at >= 0; at -= piece) {
		static char data[300000];
		ssize_t n = pread(fd, data, sizeof(data), at);
		uint64_t where[2] = { htobe64((uint64_t)at), htobe64((uint64_t)n) };

		ck_assert_int_eq(write(flat, where, sizeof(where)), sizeof(where));
		ck_assert_int_eq(write(flat, data, (size_t)n), n);
	}
	ck_assert_int_eq(write(flat, end, sizeof(end)), sizeof(end));
	return flat;
}

START_TEST(test_flattened)
{
	int fd = mkimage_elf_fd(memory), flat = flattened(fd);
	struct image_source *source = open_fd(flat);

	ck_assert_str_eq(source->form, "ELF core");
	ck_assert_uint_eq(compare(source, 64 << 10), 4 * MB);
	image_source_close(source);
	close(flat);
	close(fd);
}
END_TEST

static void fails(const char *file, const char *why)
{
	err.text[0] = 0;
	ck_assert_ptr_null(image_source_open(file, &err));
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
	ck_assert_msg(strstr(err.text, file) == err.text, "%s", err.text);
}

static void check_data_fails(const void *data, size_t len, const char *why)
{
	int fd = new_file(data, len);

	fails(path_of(fd), why);
	ck_assert_int_eq(image_is_one(fd, &err), 0);
	close(fd);
}

START_TEST(test_no_image)
{
	char dir[] = "/tmp/lkst-image.XXXXXX", fifo[64], page[4096] = "";
	int trace = sample_fd();

	fails("/nowhere/at/all", "No such file");
	fails("/tmp", "is a directory");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	fails(fifo, "is a pipe or socket");
	unlink(fifo);
	rmdir(dir);
	check_data_fails("", 0, "0 bytes");
	check_data_fails(page, 4095, "4095 bytes");
	memcpy(page, "\037\213\010", 3);
	check_data_fails(page, sizeof(page), "gzip");
	memset(page, 'a', sizeof(page));
	check_data_fails(page, sizeof(page), "text");
	fails(path_of(trace), "is a trace file");
	ck_assert_int_eq(image_is_one(trace, &err), 0);
	close(trace);
}
END_TEST

START_TEST(test_images)
{
	int raw = mkimage_raw_fd(memory), elf = mkimage_elf_fd(memory), flat = flattened(elf);

	ck_assert_int_eq(image_is_one(raw, &err), 1);
	ck_assert_int_eq(image_is_one(elf, &err), 1);
	ck_assert_int_eq(image_is_one(flat, &err), 1);
	close(raw);
	close(elf);
	close(flat);
}
END_TEST

/* Notes before the memory. */
struct core {
	Elf64_Ehdr head;
	Elf64_Phdr segment[2];
	Elf64_Nhdr note;
	char name[8];
	uint64_t data[2];
	uint8_t memory[4096];
};

static int core_with_note(const char *name, uint32_t type)
{
	struct core core = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
			.e_type = ET_CORE,
			.e_phoff = offsetof(struct core, segment),
			.e_phnum = 2,
		},
		.segment = {
			{ .p_type = PT_NOTE, .p_offset = offsetof(struct core, note), .p_filesz = 36 },
			{ .p_type = PT_LOAD, .p_offset = offsetof(struct core, memory), .p_filesz = 4096 },
		},
		.note = { .n_namesz = (uint32_t)strlen(name) + 1, .n_descsz = 16, .n_type = type },
	};

	strncpy(core.name, name, sizeof(core.name) - 1);
	return new_file(&core, sizeof(core));
}

START_TEST(test_no_memory_in_elf)
{
	Elf64_Ehdr head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB } };
	struct image_source *source;
	int fd;

	fails("/proc/self/exe", "it is a program");
	head.e_type = ET_REL;
	fd = new_file(&head, sizeof(head));
	fails(path_of(fd), "it is an object file");
	close(fd);
	head.e_type = ET_CORE;
	fd = new_file(&head, sizeof(head));
	fails(path_of(fd), "none of its segments has memory");
	ck_assert_int_eq(ftruncate(fd, 40), 0);
	fails(path_of(fd), "cut off within its header");
	close(fd);
	fd = core_with_note("CORE", NT_AUXV);
	fails(path_of(fd), "it is the core of a process");
	close(fd);
	/* A dump of a machine has registers in notes of that name. */
	fd = core_with_note("CORE", NT_PRSTATUS);
	source = open_fd(fd);
	ck_assert_uint_eq(source->size, 4096);
	image_source_close(source);
	close(fd);
}
END_TEST

START_TEST(test_bad_kdump)
{
	uint8_t page[8192] = "KDUMP   ";
	int fd = new_file(page, sizeof(page));

	fails(path_of(fd), "cannot be read as kdump-compressed: ");
	close(fd);
	memcpy(page, "makedumpfile", 13);
	fd = new_file(page, sizeof(page));
	fails(path_of(fd), "cannot be read as a flattened image");
	close(fd);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("image_source");
	TCase *tc = tcase_create("image_source");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_raw, 0, 3);
	check_id(tc, test_raw_cut_off);
	tcase_add_loop_test(tc, test_elf, 0, 6);
	check_id(tc, test_elf_cut_off);
	check_id(tc, test_elf_twice);
	check_id(tc, test_elf_many_times);
	check_id(tc, test_flattened);
	check_id(tc, test_no_image);
	check_id(tc, test_images);
	check_id(tc, test_no_memory_in_elf);
	check_id(tc, test_bad_kdump);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
