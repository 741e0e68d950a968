// SPDX-License-Identifier: GPL-2.0
/*
 * What a reader of a memory image has to know of this kernel, to name its addresses and processes:
 * "key=value" lines (Documentation/lkst/image.rst).
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

#ifndef MODULE
#ifdef CONFIG_KALLSYMS
#include "../kallsyms_internal.h"
#endif
#ifdef CONFIG_MODULES
#include "../module/internal.h"
#endif
#endif

#include "compat.h"
#include "image_facts.h"
#include "outside.h"

/**
 * struct lkst_fact - a number that is known when the kernel is built, but for where it lies
 * @key: what it is
 * @value: the number
 * @symbol: the number is its address; NULL: it is @value
 */
struct lkst_fact {
	const char *key;
	unsigned long value;
	const char *symbol;
};

#ifdef MODULE
#define LKST_FACT_ADDRESS(key, name)		{ key, .symbol = #name }
#define LKST_FACT_AT(name)			{ #name, .symbol = #name }
#else
#define LKST_FACT_ADDRESS(key, name)		{ key, (unsigned long)&(name) }
#define LKST_FACT_AT(name)			{ #name, (unsigned long)(name) }
#endif
#define LKST_FACT_OFFSET(key, type, member)	{ key, offsetof(type, member) }

static const struct lkst_fact lkst_facts[] __initconst = {
	{ "page_size", PAGE_SIZE },
	{ "long", sizeof(long) },
	LKST_FACT_ADDRESS("text", _text),

	{ "init_task", (unsigned long)&init_task },
	LKST_FACT_OFFSET("task_tasks", struct task_struct, tasks),
	LKST_FACT_OFFSET("task_pid", struct task_struct, pid),
	LKST_FACT_OFFSET("task_tgid", struct task_struct, tgid),
	LKST_FACT_OFFSET("task_comm", struct task_struct, comm),
	LKST_FACT_OFFSET("task_signal", struct task_struct, signal),
	LKST_FACT_OFFSET("task_thread_node", struct task_struct, thread_node),
	LKST_FACT_OFFSET("signal_thread_head", struct signal_struct, thread_head),

#ifdef CONFIG_KALLSYMS
	LKST_FACT_ADDRESS("kallsyms_num_syms", kallsyms_num_syms),
	LKST_FACT_AT(kallsyms_names),
	LKST_FACT_AT(kallsyms_markers),
	LKST_FACT_AT(kallsyms_token_table),
	LKST_FACT_AT(kallsyms_token_index),
#ifdef LKST_KALLSYMS_DISTANCES
	LKST_FACT_AT(kallsyms_offsets),
#else
	LKST_FACT_AT(kallsyms_addresses),
#endif
#ifdef LKST_KALLSYMS_BASE
	LKST_FACT_ADDRESS("kallsyms_relative_base", kallsyms_relative_base),
	{ "kallsyms_absolute_percpu", IS_ENABLED(CONFIG_KALLSYMS_ABSOLUTE_PERCPU) },
#endif
#endif

#ifdef CONFIG_MODULES
	LKST_FACT_ADDRESS("modules", modules),
	LKST_FACT_OFFSET("mod_list", struct module, list),
	LKST_FACT_OFFSET("mod_state", struct module, state),
	{ "mod_state_live", MODULE_STATE_LIVE },
	LKST_FACT_OFFSET("mod_name", struct module, name),
#ifdef CONFIG_KALLSYMS
	LKST_FACT_OFFSET("mod_kallsyms", struct module, kallsyms),
	LKST_FACT_OFFSET("mod_symtab", struct mod_kallsyms, symtab),
	LKST_FACT_OFFSET("mod_num_symtab", struct mod_kallsyms, num_symtab),
	LKST_FACT_OFFSET("mod_strtab", struct mod_kallsyms, strtab),
	LKST_FACT_OFFSET("mod_typetab", struct mod_kallsyms, typetab),
#endif
#endif
};

/**
 * struct lkst_facts - a text that grows
 * @text: where
 * @size: bytes there, all 0 behind the text
 * @length: of the text
 */
struct lkst_facts {
	char *text;
	size_t size;
	size_t length;
};

/* A line more; one that does not fit any more is left out. */
static void __init __printf(2, 3) lkst_facts_add(struct lkst_facts *facts, const char *format, ...)
{
	size_t room = facts->size - facts->length, length;
	char *at = facts->text + facts->length;
	va_list args;

	va_start(args, format);
	length = vsnprintf(at, room, format, args);
	va_end(args);
	if (WARN_ON_ONCE(length >= room))
		memset(at, 0, room);
	else
		facts->length += length;
}

static void __init lkst_facts_number(struct lkst_facts *facts, const char *key, u64 value)
{
	lkst_facts_add(facts, "%s=0x%llx\n", key, value);
}

/* Levels of page tables that there are in memory. */
static unsigned int __init lkst_facts_levels(void)
{
	return 5 - mm_p4d_folded(&init_mm) - mm_pud_folded(&init_mm) - mm_pmd_folded(&init_mm);
}

/* Where the kernel's text begins, and its page tables; 0: not known. */
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

/* What is not known is not said. */
static void __init lkst_facts_physical(struct lkst_facts *facts, const char *key,
				       unsigned long address)
{
	if (address)
		lkst_facts_number(facts, key, __pa_symbol(address));
}

static void __init lkst_facts_known(struct lkst_facts *facts, const struct lkst_fact *fact)
{
	unsigned long value = fact->value;

#ifdef MODULE
	if (fact->symbol) {
		value = lkst_symbol(fact->symbol);
		if (!value)
			return;
	}
#endif
	lkst_facts_number(facts, fact->key, value);
}

/**
 * lkst_metadata_write() - write all there is to say
 * @text: gets it; all 0
 * @size: bytes at @text
 * @boot: UUID of this run of the kernel
 */
void __init lkst_metadata_write(char *text, size_t size, const u8 *boot)
{
	struct lkst_facts facts = { .text = text, .size = size };
	const struct new_utsname *name = init_utsname();
	unsigned int i;

	lkst_facts_add(&facts, "boot=%pUb\n", boot);
	lkst_facts_add(&facts, "release=%s\n", name->release);
	lkst_facts_add(&facts, "version=%s\n", name->version);
	lkst_facts_add(&facts, "machine=%s\n", name->machine);
	lkst_facts_number(&facts, "cpus", num_possible_cpus());
	lkst_facts_physical(&facts, "text_physical", lkst_text());
	lkst_facts_number(&facts, "kaslr", lkst_arch_kaslr_offset(lkst_text()));
	lkst_facts_number(&facts, "page_offset", (unsigned long)__va(0));
	lkst_facts_physical(&facts, "pgd", lkst_page_tables());
	lkst_facts_number(&facts, "levels", lkst_facts_levels());
	for (i = 0; i < ARRAY_SIZE(lkst_facts); i++)
		lkst_facts_known(&facts, &lkst_facts[i]);
}
