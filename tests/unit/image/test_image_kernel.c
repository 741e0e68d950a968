// SPDX-License-Identifier: GPL-2.0
/* Finding symbols and processes in the kernel's own memory in an image, intact and damaged. */
#include "image_case.h"
#include "lib/image/kernel.h"
#include "lib/trace/write.h"
#include "mkkernel.h"

#define KERNEL (1 * MB)

static struct image_kernel *kernel;
static struct lkst_process *processes;
static size_t process_num;

static void setup(void)
{
	image_case_begin(2 * MB);
}

static void teardown(void)
{
	image_kernel_close(kernel);
	image_case_end();
	free(processes);
	kernel = NULL;
	processes = NULL;
}

/* Lay out the kernel's memory, and a buffer whose headers have the metadata about this memory. */
static void lay(enum mkkernel_addresses addresses)
{
	struct mkregion buffer;

	mkkernel_lay(memory, &boot, KERNEL, addresses);
	mkregion_buffer(&buffer, memory, &boot,
			(struct mkbuffer){ .at = 64 * KB, .length = 16 * KB, .extent = 16 * KB,
					   .wall = SAMPLE_NS, .end = 10 });
}

static void put(enum mkkernel_page page, uint64_t offset, uint64_t value, unsigned int size)
{
	mkkernel_put(memory, &boot, KERNEL + (uint64_t)page * PAGE + offset, value, size);
}

static void open_kernel(void)
{
	scan();
	ck_assert_uint_eq(image->boots, 1);
	kernel = image_kernel_open(image, &image->boot[0], &err);
	assert_made(kernel);
}

/* Read the symbols as text into file.data. */
static void read_symbols(void)
{
	int fd;

	open_kernel();
	fd = image_kernel_symbols(kernel, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	load_file(fd);
	file.data[file.size] = 0;
}

/* Check that exactly the threads in @tid were found. @tid ends with 0. */
static void check_processes(const uint32_t *tid)
{
	char name[16];

	open_kernel();
	processes = image_kernel_processes(kernel, &process_num, &err);
	assert_made(processes);
	for (size_t i = 0; i < process_num; i++, tid++) {
		ck_assert_uint_eq(processes[i].tid, *tid);
		ck_assert_uint_eq(processes[i].tgid, *tid >= 10 ? *tid / 10 : *tid);
		snprintf(name, sizeof(name), "task-%u", *tid);
		ck_assert_str_eq(processes[i].name, name);
	}
	ck_assert_uint_eq(*tid, 0);
}

/*
 * Read the symbols, and check that exactly these are found: the first @num symbols of the kernel, a
 * placeholder for each of the @gaps blocks of 256 missing symbols after them and, if @module is
 * true, the symbols of the module.
 */
static void check_symbols(unsigned int num, unsigned int gaps, bool module)
{
	static char expected[MKKERNEL_SYMBOLS * 64];
	char *to = expected + sprintf(expected, "%016llx T _text\n", MKKERNEL_TEXT);

	for (unsigned int i = 1; i < num; i++)
		to += sprintf(to, "%016llx t symbol_%u\n", MKKERNEL_TEXT + i * MKKERNEL_SYMBOL_SIZE,
			      i);
	for (unsigned int i = num; i < num + 256 * gaps; i += 256)
		to += sprintf(to, "%016llx d symbols_are_missing_here\n",
			      MKKERNEL_TEXT + i * MKKERNEL_SYMBOL_SIZE);
	if (module)
		sprintf(to, "%016llx T function\t[mkmodule]\n%016llx d data\t[mkmodule]\n",
			MKKERNEL_MODULE_SYMBOL, MKKERNEL_MODULE_SYMBOL + 32);
	read_symbols();
	ck_assert_str_eq((char *)file.data, expected);
}

TESTS(.timeout = 60, .setup = setup, .teardown = teardown);

/* In the symbol list of Linux 7.2 and later, each address is relative to its own entry. */
TEST_LOOP(test_symbols, 4)
{
	boot.swapped = _i & 1;
	lay(_i & 2 ? MKKERNEL_FROM_THEMSELVES : MKKERNEL_FROM_BASE);
	check_symbols(MKKERNEL_SYMBOLS, 0, true);
}

static void lose(enum mkkernel_page page)
{
	lay(MKKERNEL_FROM_BASE);
	memory->missing[KERNEL / PAGE + (uint64_t)page] = 1;
}

/*
 * Without page tables, the kernel's own symbols can be found relative to its text, but not those of
 * modules.
 */
TEST(test_no_tables)
{
	lose(MKKERNEL_PGD);
	check_symbols(MKKERNEL_SYMBOLS, 0, false);
}

/* An address whose name is missing must not be attributed to the last symbol with a name. */
TEST(test_names_missing)
{
	lose(MKKERNEL_NAMES + 1);
	check_symbols(512, 2, true);
}

static void check_no_symbols(void)
{
	open_kernel();
	ck_assert_int_eq(image_kernel_symbols(kernel, &err), -1);
	assert_contains(err.text, "symbols");
}

TEST(test_list_missing)
{
	lose(MKKERNEL_LIST);
	check_no_symbols();
}

/* A symbol list is refused if it gives _text an address other than that in the metadata. */
TEST(test_other_list)
{
	lay(MKKERNEL_FROM_BASE);
	put(MKKERNEL_OFFSETS, 0, 64, 4);
	check_no_symbols();
}

TEST(test_too_many_symbols)
{
	lay(MKKERNEL_FROM_BASE);
	put(MKKERNEL_LIST, 0, 0xffffffff, 4);
	check_no_symbols();
}

/* The list of modules loops without returning to its head. The reader must stop nevertheless. */
TEST_LOOP(test_modules_for_ever, 2)
{
	const uint64_t at = MKKERNEL_MODULE + MKKERNEL_MODULE_LIST;

	lay(MKKERNEL_FROM_BASE);
	put(MKKERNEL_MODULES, at, MKKERNEL_MODULES_AT + at, 8);
	put(MKKERNEL_MODULES, at + 8, MKKERNEL_MODULES_AT + at, 8);
	if (_i) {
		/* The module claims the maximum number of symbols. */
		put(MKKERNEL_MODULES, MKKERNEL_NUM_SYMTAB, 1 << 18, 4);
		memset(mkimage_at(memory, KERNEL + MKKERNEL_PAGES * PAGE), 'T', 512 * KB);
	}
	read_symbols();
	ck_assert_uint_lt(file.size, 1 * MB);
}

TEST_LOOP(test_processes, 2)
{
	boot.swapped = _i;
	lay(MKKERNEL_FROM_BASE);
	check_processes((const uint32_t[]){ 1, 2, 20, 3, 0 });
}

/* If the list of processes is broken, the reader also follows it from its other end. */
TEST(test_broken_list)
{
	lay(MKKERNEL_FROM_BASE);
	put(MKKERNEL_TASKS, MKKERNEL_TASK_SIZE + MKKERNEL_TASK_TASKS, 0x123456, 8);
	check_processes((const uint32_t[]){ 1, 3, 2, 20, 1, 0 });
}

TEST(test_no_processes)
{
	lose(MKKERNEL_TASKS);
	open_kernel();
	ck_assert(!image_kernel_processes(kernel, &process_num, &err));
	ck_assert_str_eq(err.text, "the kernel's list of processes is not in the image");
}
