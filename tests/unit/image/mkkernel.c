// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "mkkernel.h"

#define PAGE   LKST_IMAGE_PAGE
#define BLOCK  256 /* number of names from one marker to the next */
#define TOKENS 256

/* Offsets within a task, its signal structure, a module, and a module's symbols. */
enum { PID = 32, TGID = 36, COMM = MKKERNEL_TASK_COMM, SIGNAL = 64, THREAD_NODE = 72 };
enum { THREAD_HEAD = 8, SIGNAL_AT = 8 * MKKERNEL_TASK_SIZE, SIGNAL_SIZE = 64 };
enum { STATE = 0, NAME = 24, KALLSYMS = 88, LIVE = 0 };
enum { TABLES = 512, SYMTAB = 0, NUM_SYMTAB = 8, STRTAB = 16, TYPETAB = 24 };
enum { SYMBOLS_AT = 768, STRINGS_AT = 1024, TYPES_AT = 1280 };

/* Offsets within the page MKKERNEL_LIST. */
enum { NUM_AT = 0, BASE_AT = 8, MARKERS_AT = 16, INDEX_AT = 64, TOKENS_AT = 1024 };

struct kernel {
	struct mkimage *image;
	struct mkboot *boot;
	uint64_t physical;
};

/* The only token that is longer than a character. */
static const char word[] = "symbol_";
#define WORD_TOKEN 1

void mkkernel_put(struct mkimage *image, const struct mkboot *boot, uint64_t physical,
		  uint64_t value, unsigned int size)
{
	bool big = boot->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	uint8_t *at = mkimage_at(image, physical);

	for (unsigned int i = 0; i < size; i++)
		at[big ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static uint64_t place(const struct kernel *k, enum mkkernel_page page, uint64_t offset)
{
	return k->physical + (uint64_t)page * PAGE + offset;
}

static void put(const struct kernel *k, enum mkkernel_page page, uint64_t offset, uint64_t value,
		unsigned int size)
{
	mkkernel_put(k->image, k->boot, place(k, page, offset), value, size);
}

static void put_text(const struct kernel *k, enum mkkernel_page page, uint64_t offset,
		     const char *text)
{
	memcpy(mkimage_at(k->image, place(k, page, offset)), text, strlen(text) + 1);
}

static void put_metadata(const struct kernel *k, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
	mkboot_fact(k->boot, key, text);
}

/* The metadata that does not depend on where the memory is. */
static const struct {
	const char *key;
	uint64_t value;
} metadata[] = {
	{ "levels", 4 }, { "text", MKKERNEL_TEXT }, { "page_offset", MKKERNEL_PAGE_OFFSET },
	{ "task_tasks", MKKERNEL_TASK_TASKS }, { "task_pid", PID }, { "task_tgid", TGID },
	{ "task_comm", COMM }, { "task_signal", SIGNAL }, { "task_thread_node", THREAD_NODE },
	{ "signal_thread_head", THREAD_HEAD }, { "modules", MKKERNEL_MODULES_AT },
	{ "mod_list", MKKERNEL_MODULE_LIST }, { "mod_state", STATE }, { "mod_state_live", LIVE },
	{ "mod_name", NAME }, { "mod_kallsyms", KALLSYMS }, { "mod_symtab", SYMTAB },
	{ "mod_num_symtab", NUM_SYMTAB }, { "mod_strtab", STRTAB }, { "mod_typetab", TYPETAB },
};

/* ---- page tables ---- */

static void put_entry(const struct kernel *k, enum mkkernel_page table, uint64_t address,
		      unsigned int shift, enum mkkernel_page to)
{
	put(k, table, (address >> shift) % 512 * 8, place(k, to, 0) | 0x63, 8);
}

static void lay_tables(const struct kernel *k)
{
	put_entry(k, MKKERNEL_PGD, MKKERNEL_TEXT, 39, MKKERNEL_PUD);
	put_entry(k, MKKERNEL_PUD, MKKERNEL_TEXT, 30, MKKERNEL_PMD);
	put_entry(k, MKKERNEL_PMD, MKKERNEL_TEXT, 21, MKKERNEL_PTE);
	for (unsigned int page = MKKERNEL_LIST; page < MKKERNEL_TASKS; page++)
		put_entry(k, MKKERNEL_PTE, MKKERNEL_TEXT + (page - MKKERNEL_LIST) * PAGE, 12, page);
	put_entry(k, MKKERNEL_PTE, MKKERNEL_MODULES_AT, 12, MKKERNEL_MODULES);
	put_metadata(k, "pgd", place(k, MKKERNEL_PGD, 0));
	put_metadata(k, "text_physical", place(k, MKKERNEL_LIST, 0));
}

/* ---- symbols ---- */

/*
 * Lay out the tokens. Token 0 is empty, WORD_TOKEN is word[], and any other token is the character
 * whose code is the token's number.
 */
static void lay_tokens(const struct kernel *k)
{
	uint64_t at = 0;

	for (unsigned int i = 0; i < TOKENS; i++) {
		char one[2] = { (char)i, 0 };
		const char *text = i == WORD_TOKEN ? word : one;

		put(k, MKKERNEL_LIST, INDEX_AT + 2 * i, at, 2);
		put_text(k, MKKERNEL_LIST, TOKENS_AT + at, text);
		at += strlen(text) + 1;
	}
}

static uint64_t put_name(const struct kernel *k, uint64_t at, unsigned int i)
{
	char name[16];
	int len = i ? snprintf(name, sizeof(name), "t%c%u", WORD_TOKEN, i) :
		      snprintf(name, sizeof(name), "T_text");

	put(k, MKKERNEL_NAMES, at, (uint64_t)len, 1);
	put_text(k, MKKERNEL_NAMES, at + 1, name);
	return at + 1 + (uint64_t)len;
}

/* Store the address of symbol @i, relative to the base or to its own entry. */
static void put_symbol_address(const struct kernel *k, unsigned int i,
			       enum mkkernel_addresses addresses)
{
	uint64_t offset = i * MKKERNEL_SYMBOL_SIZE;

	if (addresses == MKKERNEL_FROM_THEMSELVES)
		offset -= (MKKERNEL_OFFSETS - MKKERNEL_LIST) * PAGE + 4 * i;
	put(k, MKKERNEL_OFFSETS, 4 * i, (uint32_t)offset, 4);
}

static void lay_symbols(const struct kernel *k, enum mkkernel_addresses addresses)
{
	const uint64_t list = MKKERNEL_TEXT;
	uint64_t at = 0;

	lay_tokens(k);
	for (unsigned int i = 0; i < MKKERNEL_SYMBOLS; i++) {
		if (i % BLOCK == 0)
			put(k, MKKERNEL_LIST, MARKERS_AT + i / BLOCK * 4, at, 4);
		at = put_name(k, at, i);
		put_symbol_address(k, i, addresses);
	}
	put(k, MKKERNEL_LIST, NUM_AT, MKKERNEL_SYMBOLS, 4);
	put(k, MKKERNEL_LIST, BASE_AT, MKKERNEL_TEXT, 8);
	put_metadata(k, "kallsyms_num_syms", list + NUM_AT);
	put_metadata(k, "kallsyms_names", list + PAGE);
	put_metadata(k, "kallsyms_markers", list + MARKERS_AT);
	put_metadata(k, "kallsyms_token_table", list + TOKENS_AT);
	put_metadata(k, "kallsyms_token_index", list + INDEX_AT);
	put_metadata(k, "kallsyms_offsets", list + (MKKERNEL_OFFSETS - MKKERNEL_LIST) * PAGE);
	if (addresses == MKKERNEL_FROM_BASE)
		put_metadata(k, "kallsyms_relative_base", list + BASE_AT);
}

/* ---- processes ---- */

static uint64_t in_tasks(const struct kernel *k, uint64_t offset)
{
	return MKKERNEL_PAGE_OFFSET + place(k, MKKERNEL_TASKS, offset);
}

/*
 * Link the nodes at these offsets in the page MKKERNEL_TASKS into a list. The first one is the
 * head.
 */
static void put_list(const struct kernel *k, const uint64_t *node, unsigned int num)
{
	for (unsigned int i = 0; i < num; i++) {
		put(k, MKKERNEL_TASKS, node[i], in_tasks(k, node[(i + 1) % num]), 8);
		put(k, MKKERNEL_TASKS, node[i] + 8, in_tasks(k, node[(i + num - 1) % num]), 8);
	}
}

static uint64_t put_task(const struct kernel *k, unsigned int n, uint32_t tid, uint32_t tgid)
{
	uint64_t task = (uint64_t)n * MKKERNEL_TASK_SIZE;
	char comm[16];

	snprintf(comm, sizeof(comm), "task-%u", tid);
	put(k, MKKERNEL_TASKS, task + PID, tid, 4);
	put(k, MKKERNEL_TASKS, task + TGID, tgid, 4);
	put_text(k, MKKERNEL_TASKS, task + COMM, comm);
	put(k, MKKERNEL_TASKS, task + SIGNAL, in_tasks(k, SIGNAL_AT + tgid * SIGNAL_SIZE), 8);
	return task;
}

static void lay_tasks(const struct kernel *k)
{
	uint64_t all[4] = { MKKERNEL_TASK_TASKS }; /* list nodes; the head is in init_task */
	uint32_t leader = 0;

	for (unsigned int n = 1; n <= 4; n++) {
		static const uint32_t tids[] = MKKERNEL_THREADS;
		bool second = tids[n - 1] >= 10;
		uint32_t tgid = second ? tids[n - 1] / 10 : tids[n - 1];
		uint64_t task = put_task(k, n, tids[n - 1], tgid);
		uint64_t head = SIGNAL_AT + tgid * SIGNAL_SIZE + THREAD_HEAD;

		if (!second)
			all[++leader] = task + MKKERNEL_TASK_TASKS;
		put_list(k,
			 second ? (uint64_t[]){ head, task - MKKERNEL_TASK_SIZE + THREAD_NODE,
						task + THREAD_NODE } :
				  (uint64_t[]){ head, task + THREAD_NODE },
			 second ? 3 : 2);
	}
	put_list(k, all, 4);
	put_metadata(k, "init_task", in_tasks(k, 0));
}

/* ---- modules ---- */

static void put_symbol(const struct kernel *k, unsigned int i, const char *name, uint64_t value,
		       char kind)
{
	uint64_t at = SYMBOLS_AT + i * sizeof(Elf64_Sym), name_at = 16 * i;

	put(k, MKKERNEL_MODULES, at + offsetof(Elf64_Sym, st_name), name_at, 4);
	put(k, MKKERNEL_MODULES, at + offsetof(Elf64_Sym, st_value), value, 8);
	put(k, MKKERNEL_MODULES, TYPES_AT + i, (uint64_t)kind, 1);
	put_text(k, MKKERNEL_MODULES, STRINGS_AT + name_at, name);
}

static void lay_modules(const struct kernel *k)
{
	const uint64_t at = MKKERNEL_MODULES_AT, node = MKKERNEL_MODULE + MKKERNEL_MODULE_LIST;

	for (unsigned int back = 0; back < 16; back += 8) {
		put(k, MKKERNEL_MODULES, back, at + node, 8);
		put(k, MKKERNEL_MODULES, node + back, at, 8);
	}
	put(k, MKKERNEL_MODULES, MKKERNEL_MODULE + STATE, LIVE, 4);
	put_text(k, MKKERNEL_MODULES, MKKERNEL_MODULE + NAME, "mkmodule");
	put(k, MKKERNEL_MODULES, MKKERNEL_MODULE + KALLSYMS, at + TABLES, 8);
	put(k, MKKERNEL_MODULES, TABLES + SYMTAB, at + SYMBOLS_AT, 8);
	put(k, MKKERNEL_MODULES, TABLES + NUM_SYMTAB, 3, 4);
	put(k, MKKERNEL_MODULES, TABLES + STRTAB, at + STRINGS_AT, 8);
	put(k, MKKERNEL_MODULES, TABLES + TYPETAB, at + TYPES_AT, 8);
	put_symbol(k, 1, "function", MKKERNEL_MODULE_SYMBOL, 'T');
	put_symbol(k, 2, "data", MKKERNEL_MODULE_SYMBOL + 32, 'd');
}

void mkkernel_lay(struct mkimage *image, struct mkboot *boot, uint64_t physical,
		  enum mkkernel_addresses addresses)
{
	const struct kernel k = { image, boot, physical };

	lay_tables(&k);
	lay_symbols(&k, addresses);
	lay_tasks(&k);
	lay_modules(&k);
	for (size_t i = 0; i < sizeof(metadata) / sizeof(*metadata); i++)
		put_metadata(&k, metadata[i].key, metadata[i].value);
}
