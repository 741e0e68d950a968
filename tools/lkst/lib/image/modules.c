// SPDX-License-Identifier: LGPL-2.1
/* Reads the symbols of loaded modules from their ELF symbol tables in the kernel's memory. */
#include <byteswap.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "lib/text/symbols.h"

#define MODULES_MAX 4096
#define SYMBOLS_MAX (1u << 20) /* limit for all modules together */

struct modules {
	struct image_kernel *kernel;
	FILE *to;
	uint32_t left; /* how many more symbols to read at most, in case a table is damaged */
	uint64_t head;
	uint64_t list;
	uint64_t state;
	uint64_t live;
	uint64_t name;
	uint64_t kallsyms;
	uint64_t symtab;
	uint64_t num_symtab;
	uint64_t strtab;
	uint64_t typetab;
};

/* Symbol tables of a module. */
struct module_tables {
	char name[SYMBOL_MODULE_MAX + 1];
	uint64_t symtab;
	uint32_t num;
	uint64_t strtab;
	uint64_t typetab;
};

/* Read a 0-terminated string, and truncate it to @size - 1 characters if it is longer. */
static bool modules_read_text(struct image_kernel *kernel, uint64_t at, char *text, size_t size)
{
	size_t len = 0;

	while (len + 1 < size) {
		size_t part = 64 - (at + len) % 64;

		part = part < size - 1 - len ? part : size - 1 - len;
		if (!image_kernel_read(kernel, text + len, part, at + len))
			return false;
		if (memchr(text + len, 0, part))
			return true;
		len += part;
	}
	text[len] = 0;
	return true;
}

/* Read the value of a symbol, and the offset of its name in the string table. */
static bool modules_read_symbol(struct image_kernel *kernel, const struct module_tables *tables,
				uint32_t i, uint32_t *name, uint64_t *value)
{
	if (image_kernel_long_size(kernel) == 8) {
		Elf64_Sym sym;

		if (!image_kernel_read(kernel, &sym, sizeof(sym), tables->symtab + i * sizeof(sym)))
			return false;
		*name = sym.st_name;
		*value = image_kernel_swapped(kernel) ? bswap_64(sym.st_value) : sym.st_value;
	} else {
		Elf32_Sym sym;

		if (!image_kernel_read(kernel, &sym, sizeof(sym), tables->symtab + i * sizeof(sym)))
			return false;
		*name = sym.st_name;
		*value = image_kernel_swapped(kernel) ? bswap_32(sym.st_value) : sym.st_value;
	}
	if (image_kernel_swapped(kernel))
		*name = bswap_32(*name);
	return true;
}

static void image_modules_put_symbols(struct modules *modules, const struct module_tables *tables)
{
	char name[SYMBOL_NAME_MAX + 1], kind;
	uint64_t value;
	uint32_t at;

	modules->left -= tables->num;
	for (uint32_t i = 0; i < tables->num; i++) {
		if (!modules_read_symbol(modules->kernel, tables, i, &at, &value) || !at ||
		    !value || !image_kernel_read(modules->kernel, &kind, 1, tables->typetab + i) ||
		    kind < 'A' || kind > 'z' ||
		    !modules_read_text(modules->kernel, tables->strtab + at, name, sizeof(name)) ||
		    !symbol_good_word(name, SYMBOL_NAME_MAX))
			continue;
		fprintf(modules->to, "%016llx %c %s\t[%s]\n", (unsigned long long)value, kind, name,
			tables->name);
	}
}

static void take_module(struct modules *modules, uint64_t module)
{
	struct image_kernel *kernel = modules->kernel;
	uint64_t kallsyms;
	struct module_tables tables;
	uint32_t state;

	if (!image_kernel_u32(kernel, module + modules->state, &state) || state != modules->live ||
	    !modules_read_text(kernel, module + modules->name, tables.name, sizeof(tables.name)) ||
	    !symbol_good_word(tables.name, SYMBOL_MODULE_MAX) ||
	    !image_kernel_long(kernel, module + modules->kallsyms, &kallsyms) ||
	    !image_kernel_long(kernel, kallsyms + modules->symtab, &tables.symtab) ||
	    !image_kernel_u32(kernel, kallsyms + modules->num_symtab, &tables.num) ||
	    tables.num > modules->left ||
	    !image_kernel_long(kernel, kallsyms + modules->strtab, &tables.strtab) ||
	    !image_kernel_long(kernel, kallsyms + modules->typetab, &tables.typetab))
		return;
	image_modules_put_symbols(modules, &tables);
}

/**
 * image_modules() - write the symbols of the modules in the image
 * @kernel: memory of the kernel
 * @to: output, in the format of /proc/kallsyms
 */
void image_modules(struct image_kernel *kernel, FILE *to)
{
	struct modules m = { .kernel = kernel, .to = to, .left = SYMBOLS_MAX };
	const struct image_kernel_number numbers[] = {
		{ "modules", &m.head },	     { "mod_list", &m.list },
		{ "mod_state", &m.state },   { "mod_state_live", &m.live },
		{ "mod_name", &m.name },     { "mod_kallsyms", &m.kallsyms },
		{ "mod_symtab", &m.symtab }, { "mod_num_symtab", &m.num_symtab },
		{ "mod_strtab", &m.strtab }, { "mod_typetab", &m.typetab },
	};
	const unsigned int size = image_kernel_long_size(kernel);
	struct lkst_error why;
	uint64_t node;

	if (image_kernel_numbers(kernel, numbers, sizeof(numbers) / sizeof(*numbers), &why))
		return;
	/* Follow the list forwards and, if it is broken, also backwards from its other end. */
	for (unsigned int back = 0, i = 0; back < 2; back++) {
		node = m.head;
		while (image_kernel_long(kernel, node + back * size, &node) && node != m.head &&
		       i++ < MODULES_MAX)
			take_module(&m, node - m.list);
		if (node == m.head)
			break;
	}
}
