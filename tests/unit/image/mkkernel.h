/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's own memory in an image (mkimage.h): page tables, a list of symbols, processes, and a
 * module. Its layout is that of x86_64, in the byte order of the boot.
 *
 *	mkboot_init(&boot, 1);
 *	mkkernel_lay(image, &boot, 0x200000, MKKERNEL_FROM_BASE);
 *
 * mkkernel_lay() adds metadata, so it must be called before mkregion_sign() writes headers.
 */
#ifndef _MKKERNEL_H
#define _MKKERNEL_H

#include "mkimage.h"

/* The pages, named after their contents. The constants below describe the data in them. */
enum mkkernel_page {
	MKKERNEL_PGD,
	MKKERNEL_PUD,
	MKKERNEL_PMD,
	MKKERNEL_PTE, /* maps the pages from MKKERNEL_LIST to MKKERNEL_OFFSETS at MKKERNEL_TEXT */
	MKKERNEL_LIST, /* the symbol list, except names and offsets */
	MKKERNEL_NAMES, /* two pages */
	MKKERNEL_OFFSETS = MKKERNEL_NAMES + 2,
	MKKERNEL_TASKS, /* addressed through the direct mapping */
	MKKERNEL_MODULES, /* mapped apart from the text, so readers need the page tables for it */
	MKKERNEL_PAGES,
};

#define MKKERNEL_TEXT	     0xffffffff81000000ull /* address of _text and MKKERNEL_LIST */
#define MKKERNEL_PAGE_OFFSET 0xffff888000000000ull
#define MKKERNEL_MODULES_AT  0xffffffff81100000ull

/* The kernel's own symbols: "T _text", then "t symbol_1" and so on, 16 bytes apart */
#define MKKERNEL_SYMBOLS     1000
#define MKKERNEL_SYMBOL_SIZE 16

/* The tids of all threads. Thread 20 belongs to process 2. The name of a thread is "task-TID". */
#define MKKERNEL_THREADS { 1, 2, 20, 3 }
#define MKKERNEL_TASK_SIZE  256 /* in bytes; MKKERNEL_TASKS holds init_task and then each thread */
#define MKKERNEL_TASK_TASKS 16
#define MKKERNEL_TASK_COMM  48

/* The module "mkmodule" has the symbols "T function" and "d data". */
#define MKKERNEL_MODULE	       256 /* offset in MKKERNEL_MODULES; the head of the list is at 0 */
#define MKKERNEL_MODULE_LIST   8 /* offset of the list node in struct module */
#define MKKERNEL_NUM_SYMTAB    (512 + 8) /* offset of the number of symbols (32 bits) */
#define MKKERNEL_MODULE_SYMBOL 0xffffffffa0000000ull /* address of "function"; "data" is at +32 */

/* The base of the addresses in the list of symbols */
enum mkkernel_addresses {
	MKKERNEL_FROM_BASE,
	MKKERNEL_FROM_THEMSELVES, /* each entry is its own base, as in Linux 7.2 and later */
};

/* Store the kernel's memory at @physical. MKKERNEL_PAGES pages there must be unused. */
void mkkernel_lay(struct mkimage *image, struct mkboot *boot, uint64_t physical,
		  enum mkkernel_addresses addresses);
/* Write a number of @size bytes in the boot's byte order. Tests use it to damage data. */
void mkkernel_put(struct mkimage *image, const struct mkboot *boot, uint64_t physical,
		  uint64_t value, unsigned int size);

#endif
