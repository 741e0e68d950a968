// SPDX-License-Identifier: GPL-2.0
/*
 * Find unexported symbols if LKST is a module, see ksyms.h.
 *
 * A disabled kprobe gives the address of kallsyms_lookup_name(), which finds
 * the other symbols. It does not find the kernel's symbol tables themselves.
 * Their addresses are in vmcoreinfo, the text that the kernel keeps for crash
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
#include <linux/tracefs.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "ksyms.h"

/*
 * Define a static call for an unexported function, and a flag that says whether
 * the function was found. A function that was not found must not be called.
 * This is a static call because, on x86 with IBT, an indirect call is fatal if
 * the kernel itself never calls the function indirectly.
 */
#define LKST_KSYM_FUNCTION(_name, _function)						\
	DEFINE_STATIC_CALL_NULL(_name, _function);					\
	static bool _name##_known __ro_after_init

/*
 * Point the static call @_name at @_address, unless that is 0 (not found).
 * Context: while LKST starts.
 */
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
LKST_KSYM_FUNCTION(lkst_lookup_size, kallsyms_lookup_size_offset);
#if LKST_HAVE_MATCH_SYMBOL
LKST_KSYM_FUNCTION(lkst_each_match, kallsyms_on_each_match_symbol);
#endif
LKST_KSYM_FUNCTION(lkst_text_address, __kernel_text_address);
LKST_KSYM_FUNCTION(lkst_stack_save_regs, stack_trace_save_regs);
LKST_KSYM_FUNCTION(lkst_stack_save_tsk, stack_trace_save_tsk);
LKST_KSYM_FUNCTION(lkst_count_running, nr_running);
LKST_KSYM_FUNCTION(lkst_count_iowait, nr_iowait);
#ifdef CONFIG_TRACING
LKST_KSYM_FUNCTION(lkst_create_file, tracefs_create_file);
LKST_KSYM_FUNCTION(lkst_remove_file, tracefs_remove);
#endif
static unsigned long lkst_panic_begin __ro_after_init;
static unsigned long lkst_late_vfree __ro_after_init;
#ifdef CONFIG_PSI
static const struct psi_group *lkst_psi __ro_after_init;
#endif
static const void *const *lkst_system_calls __ro_after_init;

/*
 * The text of vmcoreinfo, or NULL. Its lines about symbols begin with
 * LKST_CRASH_SYMBOL.
 */
static const char *lkst_crash_info __ro_after_init;

#define LKST_CRASH_SYMBOL	"SYMBOL("

/*
 * Return the address of a function, or 0 if it is unknown. The kernel may place
 * a kprobe some bytes after the function's symbol, so subtract the offset.
 */
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

/* Return the address of a symbol, or 0 if vmcoreinfo does not list it. */
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
 * lkst_symbol() - find a symbol of the kernel
 * @name: name of the symbol
 *
 * Context: while LKST starts, after lkst_ksyms_init().
 *
 * Return: its address, or 0 if it is unknown.
 */
unsigned long __init lkst_symbol(const char *name)
{
	unsigned long address = lkst_crash_symbol(name);

	if (!address && lkst_lookup_known)
		address = static_call(lkst_lookup)(name);
	return address;
}

/* Return the text of vmcoreinfo, terminated by NUL, or NULL if not found. */
static const char * __init lkst_crash_text(void)
{
	unsigned char **text = (void *)static_call(lkst_lookup)("vmcoreinfo_data");

	return text ? *text : NULL;
}

/* Offset of ->name in struct kmem_cache, in bytes; 0 if it is unknown. */
static size_t lkst_cache_name_offset __ro_after_init;

#define LKST_CACHE_EXAMPLE	"lkst_example"
#define LKST_CACHE_LOOK		256	/* bytes to search for the name */

/*
 * Empty constructor for the example cache. The kernel never merges a cache that
 * has a constructor into another one, so the example cache keeps its own name.
 */
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

/*
 * Find the offset of ->name. In newer kernels, no public header declares struct
 * kmem_cache. So create a cache with a known name, and search its struct
 * kmem_cache for a pointer to that name.
 */
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
 * lkst_ksyms_init() - find all unexported symbols that LKST uses
 */
void __init lkst_ksyms_init(void)
{
	lkst_cache_find_name();
	lkst_ksyms_found(lkst_lookup, lkst_probe_address("kallsyms_lookup_name"));
	if (!lkst_lookup_known) {
		pr_notice("lkst: no kernel symbols available: no stacks of oopses, and no metadata for memory images\n");
		return;
	}
	lkst_crash_info = lkst_crash_text();
	lkst_ksyms_found(lkst_lookup_size, lkst_symbol("kallsyms_lookup_size_offset"));
#if LKST_HAVE_MATCH_SYMBOL
	lkst_ksyms_found(lkst_each_match, lkst_symbol("kallsyms_on_each_match_symbol"));
#endif
	lkst_ksyms_found(lkst_text_address, lkst_symbol("__kernel_text_address"));
	lkst_ksyms_found(lkst_stack_save_regs, lkst_symbol("stack_trace_save_regs"));
	lkst_ksyms_found(lkst_stack_save_tsk, lkst_symbol("stack_trace_save_tsk"));
#ifdef CONFIG_TRACING
	lkst_ksyms_found(lkst_create_file, lkst_symbol("tracefs_create_file"));
	lkst_ksyms_found(lkst_remove_file, lkst_symbol("tracefs_remove"));
#endif
	lkst_panic_begin = lkst_symbol("panic");
	/*
	 * Work function that calls vfree() again after a vfree() in an
	 * interrupt; missing in 6.1.
	 */
	lkst_late_vfree = lkst_symbol("delayed_vfree_work");
	lkst_ksyms_found(lkst_count_running, lkst_symbol("nr_running"));
	lkst_ksyms_found(lkst_count_iowait, lkst_symbol("nr_iowait"));
#ifdef CONFIG_PSI
	lkst_psi = (void *)lkst_symbol("psi_system");
#endif
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

int lkst_nr_running(void)
{
	return lkst_count_running_known ? (int)static_call(lkst_count_running)() : -1;
}

int lkst_nr_iowait(void)
{
	return lkst_count_iowait_known ? (int)static_call(lkst_count_iowait)() : -1;
}

#ifdef CONFIG_PSI
const struct psi_group *lkst_psi_system(void)
{
	return lkst_psi;
}
#endif

const void *lkst_system_call(unsigned int number)
{
	return lkst_system_calls && number < NR_syscalls ? lkst_system_calls[number] : NULL;
}

bool lkst_function(const char *name, unsigned long *address, unsigned long *size)
{
	unsigned long offset;

	if (!lkst_lookup_known || !lkst_lookup_size_known)
		return false;
	*address = static_call(lkst_lookup)(name);
	return *address && static_call(lkst_lookup_size)(*address, size, &offset) && !offset;
}

unsigned int lkst_count_symbols(const char *name)
{
	unsigned int num = 0;

#if LKST_HAVE_MATCH_SYMBOL
	if (lkst_each_match_known)
		static_call(lkst_each_match)(lkst_count_symbol, name, &num);
#endif
	return num;
}

const char *lkst_cache_name(const struct kmem_cache *cache)
{
	const char *const *name = (const void *)cache + lkst_cache_name_offset;

	return lkst_cache_name_offset && *name ? *name : "";
}

/*
 * Whether LKST has found the worker that calls vfree() again after a vfree() in
 * an interrupt. Context: any.
 */
bool lkst_has_late_vfree(void)
{
	return lkst_late_vfree;
}

/*
 * Whether the current thread is the worker that calls vfree() again after a
 * vfree() in an interrupt. Context: any.
 */
bool lkst_is_late_vfree(void)
{
	const struct work_struct *work = current_work();

	return work && lkst_late_vfree && (unsigned long)work->func == lkst_late_vfree;
}

#ifdef CONFIG_TRACING
/*
 * Create a file in the root directory of tracefs. Returns NULL on error, for
 * example if the file exists.
 */
struct dentry *lkst_tracefs_create(const char *name, umode_t mode,
				   const struct file_operations *fops)
{
	/* A file that cannot be removed must not be created. */
	if (!lkst_create_file_known || !lkst_remove_file_known)
		return NULL;
	return static_call(lkst_create_file)(name, mode, NULL, NULL, fops);
}

void lkst_tracefs_remove(struct dentry *dentry)
{
	static_call(lkst_remove_file)(dentry);
}
#endif

#define LKST_PANIC_SIZE		SZ_2K	/* maximum size of panic() in bytes */
#define LKST_PANIC_DEPTH	32	/* number of stack entries to search */

/*
 * Return the address to which panic() would return, or 0 if panic() is not on
 * this CPU's stack or its address is unknown. Context: any.
 */
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
