// SPDX-License-Identifier: GPL-2.0
/*
 * What a module finds of the kernel by name, as outside.h says.
 *
 * A probe that is never armed tells where kallsyms_lookup_name() is, and that the rest. The tables
 * of names themselves have no name there: where they are is in what the kernel keeps for crash
 * dumps.
 */
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "outside.h"

/*
 * A function that was found is called directly: by its address x86 lets nobody call what the kernel
 * itself does not call that way (IBT; the kernel dies of it). One that was not found is not called.
 */
#define LKST_KSYM_FUNCTION(_name, _function)						\
	DEFINE_STATIC_CALL_NULL(_name, _function);					\
	static bool _name##_known __ro_after_init

/* Context: LKST is coming up. */
#define lkst_ksyms_found(_name, _address)						\
do {											\
	unsigned long __address = (_address);						\
											\
	if (__address) {								\
		static_call_update(_name, (void *)__address);				\
		_name##_known = true;							\
	}										\
} while (0)

LKST_KSYM_FUNCTION(lkst_lookup, kallsyms_lookup_name);
LKST_KSYM_FUNCTION(lkst_text_address, __kernel_text_address);
LKST_KSYM_FUNCTION(lkst_stack_save_regs, stack_trace_save_regs);
LKST_KSYM_FUNCTION(lkst_stack_save_tsk, stack_trace_save_tsk);
static unsigned long lkst_panic_begin __ro_after_init;
static unsigned long lkst_late_vfree __ro_after_init;
static const void *const *lkst_system_calls __ro_after_init;

/* What the kernel keeps for crash dumps: lines, of which those matter that begin so. */
static const char *lkst_crash_info __ro_after_init;

#define LKST_CRASH_SYMBOL	"SYMBOL("

/* A function begins where its symbol is, which may be before a probe of it can be. */
static unsigned long __init lkst_probe_address(const char *name)
{
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	char symbol[KSYM_SYMBOL_LEN];
	unsigned long offset;
	const char *plus;

	if (!IS_ENABLED(CONFIG_KPROBES) || register_kprobe(&probe))
		return 0;
	sprint_symbol(symbol, (unsigned long)probe.addr);
	unregister_kprobe(&probe);
	plus = strchr(symbol, '+');
	if (!plus || sscanf(plus, "+%lx", &offset) != 1)
		return 0;
	return (unsigned long)probe.addr - offset;
}

/* Its line in what is kept for crash dumps; 0: it has none. */
static unsigned long __init lkst_crash_symbol(const char *name)
{
	size_t length = strlen(name);
	const char *line = lkst_crash_info;
	unsigned long address;

	while (line && (line = strstr(line, LKST_CRASH_SYMBOL))) {
		line += strlen(LKST_CRASH_SYMBOL);
		if (!strncmp(line, name, length) && sscanf(line + length, ")=%lx", &address) == 1)
			return address;
	}
	return 0;
}

/**
 * lkst_symbol() - where a symbol of the kernel is
 * @name: of the symbol
 *
 * Context: lkst_ksyms_init() has been called, and LKST is coming up.
 *
 * Return: its address; 0: not known.
 */
unsigned long __init lkst_symbol(const char *name)
{
	unsigned long address = lkst_crash_symbol(name);

	if (!address && lkst_lookup_known)
		address = static_call(lkst_lookup)(name);
	return address;
}

/* The text that ends with a 0 and is kept for crash dumps, or NULL. */
static const char * __init lkst_crash_text(void)
{
	unsigned char **text = (void *)static_call(lkst_lookup)("vmcoreinfo_data");

	return text ? *text : NULL;
}

/* Where a cache of objects has its name; 0: not known. */
static size_t lkst_cache_name_offset __ro_after_init;

#define LKST_CACHE_EXAMPLE	"lkst_example"
#define LKST_CACHE_LOOK		256	/* bytes of it in which the name is looked for */

/* With a constructor, a cache is not made one with another. */
static void lkst_cache_construct(void *object)
{
}

static bool __init lkst_cache_name_at(const struct kmem_cache *cache, size_t offset)
{
	char text[sizeof(LKST_CACHE_EXAMPLE)];
	const char *name;

	return !copy_from_kernel_nofault(&name, (const void *)cache + offset, sizeof(name)) &&
	       !copy_from_kernel_nofault(text, name, sizeof(text)) &&
	       !memcmp(text, LKST_CACHE_EXAMPLE, sizeof(text));
}

/* No header says what is in a cache. But one can be made whose name is known. */
static void __init lkst_cache_find_name(void)
{
	struct kmem_cache *cache = kmem_cache_create(LKST_CACHE_EXAMPLE, sizeof(long), 0, 0,
						     lkst_cache_construct);
	size_t offset;

	if (!cache)
		return;
	for (offset = 0; offset < LKST_CACHE_LOOK && !lkst_cache_name_offset;
	     offset += sizeof(void *))
		if (lkst_cache_name_at(cache, offset))
			lkst_cache_name_offset = offset;
	kmem_cache_destroy(cache);
}

/**
 * lkst_ksyms_init() - find what there is to find
 */
void __init lkst_ksyms_init(void)
{
	lkst_cache_find_name();
	lkst_ksyms_found(lkst_lookup, lkst_probe_address("kallsyms_lookup_name"));
	if (!lkst_lookup_known) {
		pr_notice("lkst: this kernel names no symbols: stacks of oopses, and what a memory image needs, are missing\n");
		return;
	}
	lkst_crash_info = lkst_crash_text();
	lkst_ksyms_found(lkst_text_address, lkst_symbol("__kernel_text_address"));
	lkst_ksyms_found(lkst_stack_save_regs, lkst_symbol("stack_trace_save_regs"));
	lkst_ksyms_found(lkst_stack_save_tsk, lkst_symbol("stack_trace_save_tsk"));
	lkst_panic_begin = lkst_symbol("panic");
	/* Where vfree() is called again for what it was called for in an interrupt; not in 6.1. */
	lkst_late_vfree = lkst_symbol("delayed_vfree_work");
#ifdef LKST_HAVE_SYS_CALL_TABLE
	lkst_system_calls = (void *)lkst_symbol("sys_call_table");
#endif
}

bool lkst_is_text(unsigned long address)
{
	return lkst_text_address_known && static_call(lkst_text_address)(address);
}

unsigned int lkst_stack_of_regs(struct pt_regs *regs, unsigned long *at, unsigned int max)
{
	return lkst_stack_save_regs_known ?
	       static_call(lkst_stack_save_regs)(regs, at, max, 1) : 0;
}

unsigned int lkst_stack_of_task(struct task_struct *task, unsigned long *at, unsigned int max)
{
	return lkst_stack_save_tsk_known ?
	       static_call(lkst_stack_save_tsk)(task, at, max, 0) : 0;
}

const void *lkst_system_call(unsigned int number)
{
	return lkst_system_calls && number < NR_syscalls ? lkst_system_calls[number] : NULL;
}

const char *lkst_cache_name(const struct kmem_cache *cache)
{
	const char *const *name = (const void *)cache + lkst_cache_name_offset;

	return lkst_cache_name_offset && *name ? *name : "";
}

/* Whether a worker calls vfree() again for what it could not free at once. Context: any. */
bool lkst_has_late_vfree(void)
{
	return lkst_late_vfree;
}

/* Whether this is the worker. Context: any. */
bool lkst_is_late_vfree(void)
{
	const struct work_struct *work = current_work();

	return work && lkst_late_vfree && (unsigned long)work->func == lkst_late_vfree;
}

#define LKST_PANIC_SIZE		SZ_2K	/* panic() is no longer than that */
#define LKST_PANIC_DEPTH	32	/* nor deeper, when it prints why */

/* Who has called panic(), which is on the stack of this CPU; 0: not known. Context: any. */
unsigned long lkst_panic_caller(void)
{
	unsigned long at[LKST_PANIC_DEPTH], caller = 0;
	unsigned int num, i;

	num = stack_trace_save(at, ARRAY_SIZE(at), 0);
	for (i = 0; lkst_panic_begin && i + 1 < num; i++)
		if (at[i] - lkst_panic_begin < LKST_PANIC_SIZE)
			caller = at[i + 1];
	return caller;
}
