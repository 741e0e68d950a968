// SPDX-License-Identifier: GPL-2.0
/*
 * Metadata: "key=value" lines that a reader of a memory image needs to decode
 * this kernel's addresses and processes (Documentation/lkst/image.rst).
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pgtable.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/utsname.h>
#include <asm/sections.h>
#include <asm/lkst.h>

/*
 * These two headers are private to kallsyms and to the module loader. A memory
 * image can be read without symbols only if it contains the addresses of the
 * kernel's own tables of symbols and modules, and only these headers declare
 * the tables. If LKST is a module, it looks up the tables by name instead.
 */
#ifndef MODULE
#ifdef CONFIG_KALLSYMS
#include "../kallsyms_internal.h"
#endif
#ifdef CONFIG_MODULES
#include "../module/internal.h"
#endif
#endif

#include "../base/compat.h"
#include "metadata.h"
#include "../base/ksyms.h"

/**
 * struct lkst_metadata_line - a line of metadata: a constant or an address
 * @key: name of the number
 * @value: the number, if @symbol is NULL
 * @symbol: symbol whose address is the number, or NULL
 */
struct lkst_metadata_line {
	const char *key;
	unsigned long value;
	const char *symbol;
};

#ifdef MODULE
#define LKST_METADATA_ADDRESS(key, name)		{ key, .symbol = #name }
#define LKST_METADATA_AT(name)			{ #name, .symbol = #name }
#else
#define LKST_METADATA_ADDRESS(key, name)		{ key, (unsigned long)&(name) }
#define LKST_METADATA_AT(name)			{ #name, (unsigned long)(name) }
#endif
#define LKST_METADATA_OFFSET(key, type, member)	{ key, offsetof(type, member) }

static const struct lkst_metadata_line lkst_metadata[] __initconst = {
	{ "page_size", PAGE_SIZE },
	{ "long", sizeof(long) },
	LKST_METADATA_ADDRESS("text", _text),

	{ "init_task", (unsigned long)&init_task },
	LKST_METADATA_OFFSET("task_tasks", struct task_struct, tasks),
	LKST_METADATA_OFFSET("task_pid", struct task_struct, pid),
	LKST_METADATA_OFFSET("task_tgid", struct task_struct, tgid),
	LKST_METADATA_OFFSET("task_comm", struct task_struct, comm),
	LKST_METADATA_OFFSET("task_signal", struct task_struct, signal),
	LKST_METADATA_OFFSET("task_thread_node", struct task_struct, thread_node),
	LKST_METADATA_OFFSET("signal_thread_head", struct signal_struct, thread_head),

#ifdef CONFIG_KALLSYMS
	LKST_METADATA_ADDRESS("kallsyms_num_syms", kallsyms_num_syms),
	LKST_METADATA_AT(kallsyms_names),
	LKST_METADATA_AT(kallsyms_markers),
	LKST_METADATA_AT(kallsyms_token_table),
	LKST_METADATA_AT(kallsyms_token_index),
#ifdef LKST_KALLSYMS_DISTANCES
	LKST_METADATA_AT(kallsyms_offsets),
#else
	LKST_METADATA_AT(kallsyms_addresses),
#endif
#ifdef LKST_KALLSYMS_BASE
	LKST_METADATA_ADDRESS("kallsyms_relative_base", kallsyms_relative_base),
	{ "kallsyms_absolute_percpu", IS_ENABLED(CONFIG_KALLSYMS_ABSOLUTE_PERCPU) },
#endif
#endif

#ifdef CONFIG_MODULES
	LKST_METADATA_ADDRESS("modules", modules),
	LKST_METADATA_OFFSET("mod_list", struct module, list),
	LKST_METADATA_OFFSET("mod_state", struct module, state),
	{ "mod_state_live", MODULE_STATE_LIVE },
	LKST_METADATA_OFFSET("mod_name", struct module, name),
#ifdef CONFIG_KALLSYMS
	LKST_METADATA_OFFSET("mod_kallsyms", struct module, kallsyms),
	LKST_METADATA_OFFSET("mod_symtab", struct mod_kallsyms, symtab),
	LKST_METADATA_OFFSET("mod_num_symtab", struct mod_kallsyms, num_symtab),
	LKST_METADATA_OFFSET("mod_strtab", struct mod_kallsyms, strtab),
	LKST_METADATA_OFFSET("mod_typetab", struct mod_kallsyms, typetab),
#endif
#endif
};

/**
 * struct lkst_metadata - the text being written
 * @text: the text, padded with 0
 * @size: size of @text in bytes, including the padding
 * @length: length of the text in bytes, without the padding
 */
struct lkst_metadata {
	char *text;
	size_t size;
	size_t length;
};

/* Add a line to the text, or leave it out if it does not fit. */
static void __init __printf(2, 3) lkst_metadata_add(struct lkst_metadata *metadata,
						    const char *format, ...)
{
	size_t room = metadata->size - metadata->length, length;
	char *at = metadata->text + metadata->length;
	va_list args;

	va_start(args, format);
	length = vsnprintf(at, room, format, args);
	va_end(args);
	if (WARN_ON_ONCE(length >= room))
		memset(at, 0, room);
	else
		metadata->length += length;
}

static void __init lkst_metadata_number(struct lkst_metadata *metadata, const char *key, u64 value)
{
	lkst_metadata_add(metadata, "%s=0x%llx\n", key, value);
}

/* Return the number of page table levels that are not folded. */
static unsigned int __init lkst_metadata_levels(void)
{
	return 5 - mm_p4d_folded(&init_mm) - mm_pud_folded(&init_mm) - mm_pmd_folded(&init_mm);
}

/* Return the address of the kernel's text, or 0 if it is unknown. */
unsigned long __init lkst_text(void)
{
#ifdef MODULE
	return lkst_symbol("_text");
#else
	return (unsigned long)_text;
#endif
}

static unsigned long __init lkst_page_tables(void)
{
#ifdef MODULE
	return lkst_symbol("swapper_pg_dir");
#else
	return (unsigned long)swapper_pg_dir;
#endif
}

/* Add the physical address of a symbol, unless its address is 0 (unknown). */
static void __init lkst_metadata_physical(struct lkst_metadata *metadata, const char *key,
					  unsigned long address)
{
	if (address)
		lkst_metadata_number(metadata, key, __pa_symbol(address));
}

static void __init lkst_metadata_known(struct lkst_metadata *metadata,
				       const struct lkst_metadata_line *line)
{
	unsigned long value = line->value;

#ifdef MODULE
	if (line->symbol) {
		value = lkst_symbol(line->symbol);
		if (!value)
			return;
	}
#endif
	lkst_metadata_number(metadata, line->key, value);
}

/**
 * lkst_metadata_write() - write the metadata
 * @text: receives the metadata; all 0 on entry
 * @size: size of @text in bytes
 * @boot: UUID of this boot
 */
void __init lkst_metadata_write(char *text, size_t size, const u8 *boot)
{
	struct lkst_metadata metadata = { .text = text, .size = size };
	const struct new_utsname *name = init_utsname();
	unsigned int i;

	lkst_metadata_add(&metadata, "boot=%pUb\n", boot);
	lkst_metadata_add(&metadata, "release=%s\n", name->release);
	lkst_metadata_add(&metadata, "version=%s\n", name->version);
	lkst_metadata_add(&metadata, "machine=%s\n", name->machine);
	lkst_metadata_number(&metadata, "cpus", num_possible_cpus());
	lkst_metadata_physical(&metadata, "text_physical", lkst_text());
	lkst_metadata_number(&metadata, "kaslr", lkst_arch_kaslr_offset(lkst_text()));
	lkst_metadata_number(&metadata, "page_offset", (unsigned long)__va(0));
	lkst_metadata_physical(&metadata, "pgd", lkst_page_tables());
	lkst_metadata_number(&metadata, "levels", lkst_metadata_levels());
	for (i = 0; i < ARRAY_SIZE(lkst_metadata); i++)
		lkst_metadata_known(&metadata, &lkst_metadata[i]);
}
