// SPDX-License-Identifier: GPL-2.0
/* What the kernel's own memory in an image tells: symbols, processes; whole, and damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/image.h"
#include "mkkernel.h"
#include "sample.h"
#include "tap.h"

#define KB     1024ull
#define MB     (1024 * KB)
#define KERNEL (1 * MB)
#define PAGE   LKST_IMAGE_PAGE

static struct mkimage *memory;
static struct mkboot boot;
static struct mkarea buffer;
static struct image *image;
static struct image_kernel *kernel;
static char *symbols;
static struct lkst_process *processes;
static size_t process_num;

static void setup(void)
{
	memory = mkimage_new(2 * MB);
	mkboot_init(&boot, 1);
}

static void forget(void)
{
	image_kernel_close(kernel);
	image_free(image);
	free(symbols);
	free(processes);
	kernel = NULL;
	image = NULL;
	symbols = NULL;
	processes = NULL;
}

static void teardown(void)
{
	forget();
	mkimage_free(memory);
}

static void lay_buffer(void)
{
	mkarea_init(&buffer, memory, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkarea_lay(&buffer, 64 * KB, 16 * KB, 16 * KB);
	mkarea_session(&buffer, 0, 0, SAMPLE_NS);
	mkarea_records(&buffer, 0, 10);
}

static void lay(void)
{
	mkkernel_lay(memory, &boot, KERNEL);
	lay_buffer();
}

static void lose(enum mkkernel_page page)
{
	memory->missing[KERNEL / PAGE + (uint64_t)page] = 1;
}

static void put(enum mkkernel_page page, uint64_t offset, uint64_t value, unsigned int size)
{
	mkkernel_put(memory, &boot, KERNEL + (uint64_t)page * PAGE + offset, value, size);
}

static void open_kernel(void)
{
	struct lkst_error err = { 0 };

	forget();
	image = image_scan(mkimage_source(memory), NULL, &err);
	ck_assert_msg(image != NULL, "%s", err.text);
	ck_assert_uint_eq(image->boots, 1);
	kernel = image_kernel_open(image, &image->boot[0], &err);
	ck_assert_msg(kernel != NULL, "%s", err.text);
}

static void read_symbols(void)
{
	struct lkst_error err = { 0 };
	struct stat st;
	int fd;

	open_kernel();
	fd = image_kernel_symbols(kernel, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	ck_assert(!fstat(fd, &st));
	symbols = calloc(1, (size_t)st.st_size + 1);
	ck_assert(symbols && pread(fd, symbols, (size_t)st.st_size, 0) == st.st_size);
	close(fd);
}

static void no_symbols(const char *why)
{
	struct lkst_error err = { 0 };

	open_kernel();
	ck_assert_int_eq(image_kernel_symbols(kernel, &err), -1);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

static void read_processes(void)
{
	struct lkst_error err = { 0 };

	open_kernel();
	processes = image_kernel_processes(kernel, &process_num, &err);
	ck_assert_msg(processes != NULL, "%s", err.text);
}

/* That there are these threads and no other; ended by 0. */
static void check_processes(const uint32_t *tid)
{
	char name[16];

	for (size_t i = 0; i < process_num; i++, tid++) {
		ck_assert_uint_eq(processes[i].tid, *tid);
		ck_assert_uint_eq(processes[i].tgid, *tid >= 10 ? *tid / 10 : *tid);
		snprintf(name, sizeof(name), "task-%u", *tid);
		ck_assert_str_eq(processes[i].name, name);
	}
	ck_assert_uint_eq(*tid, 0);
}

/* Lines of symbols from @first to before @end. */
static char *put_lines(char *to, unsigned int first, unsigned int end)
{
	for (unsigned int i = first; i < end; i++) {
		unsigned long long at = MKKERNEL_TEXT + i * MKKERNEL_SYMBOL_SIZE;

		to += i ? sprintf(to, "%016llx t symbol_%u\n", at, i) :
			  sprintf(to, "%016llx T _text\n", at);
	}
	return to;
}

static char *put_gap(char *to, unsigned int first)
{
	return to + sprintf(to, "%016llx d symbols_are_missing_here\n",
			    MKKERNEL_TEXT + first * MKKERNEL_SYMBOL_SIZE);
}

static void put_module(char *to)
{
	sprintf(to, "%016llx T function\t[mkmodule]\n%016llx d data\t[mkmodule]\n",
		MKKERNEL_MODULE_SYMBOL, MKKERNEL_MODULE_SYMBOL + 32);
}

static char expected[MKKERNEL_SYMBOLS * 64];

START_TEST(test_symbols)
{
	boot.swapped = _i;
	lay();
	read_symbols();
	put_module(put_lines(expected, 0, MKKERNEL_SYMBOLS));
	ck_assert_str_eq(symbols, expected);
}
END_TEST

/* As 7.2 has them. */
START_TEST(test_symbol_distances)
{
	boot.swapped = _i;
	mkkernel_lay_distances(memory, &boot, KERNEL);
	lay_buffer();
	read_symbols();
	put_module(put_lines(expected, 0, MKKERNEL_SYMBOLS));
	ck_assert_str_eq(symbols, expected);
}
END_TEST

/* Then the kernel's own are found from where its text is; modules cannot be. */
START_TEST(test_no_tables)
{
	lay();
	lose(MKKERNEL_PGD);
	read_symbols();
	put_lines(expected, 0, MKKERNEL_SYMBOLS);
	ck_assert_str_eq(symbols, expected);
}
END_TEST

/* What is in a gap must not be taken for what precedes it. */
START_TEST(test_names_missing)
{
	char *end = expected;

	lay();
	lose(MKKERNEL_NAMES + 1);
	read_symbols();
	end = put_gap(put_gap(put_lines(end, 0, 512), 512), 768);
	put_module(end);
	ck_assert_str_eq(symbols, expected);
}
END_TEST

START_TEST(test_list_missing)
{
	lay();
	lose(MKKERNEL_LIST);
	no_symbols("symbols");
}
END_TEST

/* Another kernel's list, or one of another form. */
START_TEST(test_other_list)
{
	lay();
	put(MKKERNEL_OFFSETS, 0, 64, 4);
	no_symbols("symbols");
}
END_TEST

START_TEST(test_too_many_symbols)
{
	lay();
	put(MKKERNEL_LIST, 0, 0xffffffff, 4);
	no_symbols("symbols");
}
END_TEST

/* A list that comes back to itself and not to its head. */
START_TEST(test_modules_for_ever)
{
	const uint64_t at = MKKERNEL_MODULE + MKKERNEL_MODULE_LIST;
	struct stat st;
	struct lkst_error err = { 0 };
	int fd;

	lay();
	put(MKKERNEL_MODULES, at, MKKERNEL_MODULES_AT + at, 8);
	put(MKKERNEL_MODULES, at + 8, MKKERNEL_MODULES_AT + at, 8);
	if (_i) {
		/* As many as a module can have, all of them the same. */
		put(MKKERNEL_MODULES, MKKERNEL_NUM_SYMTAB, 1 << 18, 4);
		memset(mkimage_at(memory, KERNEL + MKKERNEL_PAGES * PAGE), 'T', 512 * KB);
	}
	open_kernel();
	fd = image_kernel_symbols(kernel, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	ck_assert(!fstat(fd, &st));
	ck_assert_int_lt(st.st_size, 1 * MB);
	close(fd);
}
END_TEST

START_TEST(test_processes)
{
	boot.swapped = _i;
	lay();
	read_processes();
	check_processes((const uint32_t[]){ 1, 2, 20, 3, 0 });
}
END_TEST

/* A list that breaks off is followed from its other end, too. */
START_TEST(test_broken_list)
{
	lay();
	put(MKKERNEL_TASKS, MKKERNEL_TASK_SIZE + MKKERNEL_TASK_TASKS, 0x123456, 8);
	read_processes();
	check_processes((const uint32_t[]){ 1, 3, 2, 20, 1, 0 });
}
END_TEST

START_TEST(test_no_processes)
{
	struct lkst_error err = { 0 };
	size_t num;

	lay();
	lose(MKKERNEL_TASKS);
	open_kernel();
	ck_assert(!image_kernel_processes(kernel, &num, &err));
	ck_assert_str_eq(err.text, "the kernel's list of processes is not in the image");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("image_kernel");
	TCase *tc = tcase_create("image_kernel");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_symbols, 0, 2);
	tcase_add_loop_test(tc, test_symbol_distances, 0, 2);
	check_id(tc, test_no_tables);
	check_id(tc, test_names_missing);
	check_id(tc, test_list_missing);
	check_id(tc, test_other_list);
	check_id(tc, test_too_many_symbols);
	tcase_add_loop_test(tc, test_modules_for_ever, 0, 2);
	tcase_add_loop_test(tc, test_processes, 0, 2);
	check_id(tc, test_broken_list);
	check_id(tc, test_no_processes);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
