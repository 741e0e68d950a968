/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel's own memory in an image (mkimage.h): page tables, list of symbols, processes, a module. As
 * x86_64 has them, in the byte order of the boot.
 *
 *	mkboot_init(&boot, 1);
 *	mkkernel_lay(image, &boot, 0x200000);	// adds facts: before areas are signed
 */
#ifndef _MKKERNEL_H
#define _MKKERNEL_H

#include "mkimage.h"

/* What each page has. Of processes, modules and the rest: where things are in it is below. */
enum mkkernel_page {
	MKKERNEL_PGD,
	MKKERNEL_PUD,
	MKKERNEL_PMD,
	MKKERNEL_PTE, /* maps the following ones from MKKERNEL_TEXT on */
	MKKERNEL_LIST, /* of symbols: what is not in other pages */
	MKKERNEL_NAMES, /* two pages */
	MKKERNEL_OFFSETS = MKKERNEL_NAMES + 2,
	MKKERNEL_TASKS, /* addressed as all memory is */
	MKKERNEL_MODULES, /* has no place beside the kernel's text: page tables tell */
	MKKERNEL_PAGES,
};

#define MKKERNEL_TEXT	     0xffffffff81000000ull /* where _text, and page MKKERNEL_LIST, are */
#define MKKERNEL_PAGE_OFFSET 0xffff888000000000ull
#define MKKERNEL_MODULES_AT  0xffffffff81100000ull

/* T _text, then t symbol_1, ... 16 bytes one from the other; all are the kernel's. */
#define MKKERNEL_SYMBOLS     1000
#define MKKERNEL_SYMBOL_SIZE 16

/* Processes 1 and 3 have one thread, 2 has thread 20 besides. Named "task-TID". */
#define MKKERNEL_THREADS    \
	{                   \
		1, 2, 20, 3 \
	}
#define MKKERNEL_TASK_SIZE  256 /* of init_task, then of the threads, in MKKERNEL_TASKS */
#define MKKERNEL_TASK_TASKS 16
#define MKKERNEL_TASK_COMM  48

/* Module "mkmodule" has "T function" and "d data". */
#define MKKERNEL_MODULE	     256 /* in MKKERNEL_MODULES; the head of their list is at 0 */
#define MKKERNEL_MODULE_LIST 8 /* in the module */
#define MKKERNEL_NUM_SYMTAB  (512 + 8) /* in MKKERNEL_MODULES, 32 bits */
#define MKKERNEL_MODULE_SYMBOL \
	0xffffffffa0000000ull /* address of "function"; "data" is 32 further */

/* From @physical on; all pages there must be free. */
void mkkernel_lay(struct mkimage *image, struct mkboot *boot, uint64_t physical);
/* Likewise, and the list of symbols has how far each is from where that is said. */
void mkkernel_lay_distances(struct mkimage *image, struct mkboot *boot, uint64_t physical);
/* A number in the machine's byte order, to damage what is there. @size: bytes. */
void mkkernel_put(struct mkimage *image, const struct mkboot *boot, uint64_t physical,
		  uint64_t value, unsigned int size);

#endif
