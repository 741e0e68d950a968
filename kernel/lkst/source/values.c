// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/lkst_values: names of the values of event arguments, for those formats
 * of linux/lkst_etypes.h whose values differ between kernels. The names come
 * from the kernel's own tables where it has any.
 */
#include <linux/blkdev.h>
#include <linux/interrupt.h>
#include <linux/kmsg_dump.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/tracepoint-defs.h>
#include <trace/events/error_report.h>
#include <trace/events/irq.h>
#include <trace/events/lock.h>
#include <trace/events/mmflags.h>
#ifdef CONFIG_NET
#include <trace/events/sock.h>
#endif
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/irq_vectors.h>
#endif

#include "../base/compat.h"
#include "../base/stage.h"
#include "values.h"

/* Each table ends with an empty entry. */

static const struct trace_print_flags lkst_gfp_flags[] = {
	__def_gfpflag_names,
	{}
};

static const struct trace_print_flags lkst_softirqs[] = {
	SOFTIRQ_NAME_LIST,
	{}
};

/* The kernel has a table with the same names, but modules cannot use it. */
static const struct trace_print_flags lkst_migratetypes[] = {
	{ MIGRATE_UNMOVABLE, "Unmovable" },
	{ MIGRATE_MOVABLE, "Movable" },
	{ MIGRATE_RECLAIMABLE, "Reclaimable" },
	{ MIGRATE_HIGHATOMIC, "HighAtomic" },
#ifdef CONFIG_CMA
	{ MIGRATE_CMA, "CMA" },
#endif
#ifdef CONFIG_MEMORY_ISOLATION
	{ MIGRATE_ISOLATE, "Isolate" },
#endif
	{}
};

static const struct trace_print_flags lkst_fault_flags[] = {
	FAULT_FLAG_TRACE,
	/* FAULT_FLAG_TRACE lacks this flag. */
	{ FAULT_FLAG_ORIG_PTE_VALID, "ORIG_PTE_VALID" },
	{}
};

static const struct trace_print_flags lkst_contention_flags[] = {
#define LKST_VALUE_LCB(name)	{ LCB_F_##name, #name }
	LKST_VALUE_LCB(SPIN),
	LKST_VALUE_LCB(READ),
	LKST_VALUE_LCB(WRITE),
	LKST_VALUE_LCB(RT),
	LKST_VALUE_LCB(PERCPU),
	LKST_VALUE_LCB(MUTEX),
	{}
};

/*
 * Trace headers build their lists from EM() and EMe(), which the user of a list
 * must define.
 */
#undef EM
#undef EMe
#define EM(value, name)		{ value, name },
#define EMe(value, name)	EM(value, name)
static const struct trace_print_flags lkst_detectors[] = {
	error_detector_list
	{}
};

#ifdef CONFIG_NET
#undef EM
#undef EMe
#define EM(value)		{ value, #value },
#define EMe(value)		EM(value)
static const struct trace_print_flags lkst_tcp_states[] = {
	tcp_state_names
	{}
};

#endif

#ifdef CONFIG_X86_LOCAL_APIC
/* The vectors whose interrupts are recorded. */
static const struct trace_print_flags lkst_vectors[] = {
#define LKST_VALUE_VECTOR(name)	{ name##_VECTOR, #name }
	LKST_VALUE_VECTOR(LOCAL_TIMER),
	LKST_VALUE_VECTOR(RESCHEDULE),
	LKST_VALUE_VECTOR(CALL_FUNCTION),
	LKST_VALUE_VECTOR(CALL_FUNCTION_SINGLE),
	LKST_VALUE_VECTOR(IRQ_WORK),
	LKST_VALUE_VECTOR(X86_PLATFORM_IPI),
	{}
};
#endif

#ifdef CONFIG_BLOCK
static const char *lkst_block_op_name(unsigned int op)
{
	const char *name = blk_op_str((__force enum req_op)op);

	return strcmp(name, "UNKNOWN") ? name : NULL;
}
#endif

#ifdef CONFIG_PRINTK
static const char *lkst_console_reason_name(unsigned int reason)
{
	return reason == KMSG_DUMP_UNDEF ? NULL : kmsg_dump_reason_str(reason);
}
#endif

/**
 * struct lkst_values - names of the values of a format
 * @format: as in linux/lkst_etypes.h
 * @flags: whether the values are bit masks rather than numbers
 * @table: all names, or NULL. A mask with several bits comes before all masks
 *	that consist of some of these bits
 * @name: used if @table is NULL; returns the name of a number below @num, or
 *	NULL if the number has none
 * @num: @name may be called for the values from 0 to @num - 1
 */
struct lkst_values {
	const char *format;
	bool flags;
	const struct trace_print_flags *table;
	const char *(*name)(unsigned int value);
	unsigned int num;
};

static const struct lkst_values lkst_values[] = {
	{ .format = "gfp", .flags = true, .table = lkst_gfp_flags },
	{ .format = "fault", .flags = true, .table = lkst_fault_flags },
	{ .format = "lcb", .flags = true, .table = lkst_contention_flags },
	{ .format = "detector", .table = lkst_detectors },
	{ .format = "migrate", .table = lkst_migratetypes },
	{ .format = "softirq", .table = lkst_softirqs },
#ifdef CONFIG_X86_LOCAL_APIC
	{ .format = "vec", .table = lkst_vectors },
#endif
#ifdef CONFIG_BLOCK
	{ .format = "blkop", .name = lkst_block_op_name, .num = (__force u32)REQ_OP_LAST },
#endif
#ifdef CONFIG_NET
	{ .format = "tcp", .table = lkst_tcp_states },
	{ .format = "drop", .name = lkst_skb_drop_reason, .num = SKB_DROP_REASON_MAX },
#endif
#ifdef CONFIG_PRINTK
	{ .format = "dump", .name = lkst_console_reason_name, .num = KMSG_DUMP_MAX },
#endif
};

static const struct lkst_values *lkst_values_find(const char *format, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_values); i++)
		if (!strncmp(lkst_values[i].format, format, len) && !lkst_values[i].format[len])
			return &lkst_values[i];
	return NULL;
}

static const char *lkst_value_name(const struct lkst_values *values, u64 value)
{
	const struct trace_print_flags *entry;

	for (entry = values->table; entry && entry->name; entry++)
		if (entry->mask == value)
			return entry->name;
	return value < values->num ? values->name(value) : NULL;
}

/*
 * Print flags in the form "GFP_KERNEL|__GFP_ZERO". Bits without a name follow
 * as one hexadecimal number. Return the length of the text.
 */
static size_t lkst_value_flags(char *to, size_t size, const struct trace_print_flags *entry,
			       u64 value)
{
	size_t len = 0;

	for (; entry->name; entry++) {
		if (!entry->mask || (value & entry->mask) != entry->mask)
			continue;
		len += scnprintf(to + len, size - len, "%s%s", len ? "|" : "", entry->name);
		value &= ~(u64)entry->mask;
	}
	if (value || !len)
		len += scnprintf(to + len, size - len, "%s0x%llx", len ? "|" : "", value);
	return len;
}

/**
 * lkst_value_text() - get the name of a value
 * @to: receives the text
 * @size: size of @to in bytes
 * @format: as in linux/lkst_etypes.h; need not be NUL-terminated
 * @len: length of @format
 * @value: value to name
 *
 * Context: any.
 *
 * Return: length of the text, or 0 if the value has no name or the format is
 * not in the table.
 */
size_t lkst_value_text(char *to, size_t size, const char *format, size_t len, u64 value)
{
	const struct lkst_values *values = lkst_values_find(format, len);
	const char *name;

	if (!values)
		return 0;
	if (values->flags)
		return lkst_value_flags(to, size, values->table, value);
	name = lkst_value_name(values, value);
	return name ? scnprintf(to, size, "%s", name) : 0;
}

/*
 * Print the line of a value. Leave out values without a name, and flags that
 * this kernel defines as 0.
 */
static void lkst_value_show(struct seq_file *m, const struct lkst_values *values,
			    unsigned long value, const char *name)
{
	if (name && (value || !values->flags))
		seq_printf(m, "%s %s 0x%lx %s\n", values->format, values->flags ? "flags" : "enum",
			   value, name);
}

/**
 * lkst_values_show() - print /proc/lkst_values
 * @m: output
 * @unused: not used
 *
 * Tools parse this format. Documentation/lkst/trace-file.rst describes it.
 *
 * Context: may sleep.
 *
 * Return: 0.
 */
int lkst_values_show(struct seq_file *m, void *unused)
{
	const struct lkst_values *values;
	const struct trace_print_flags *entry;
	unsigned int value;

	seq_puts(m, "# lkst_values 1\n");
	for (values = lkst_values; values < lkst_values + ARRAY_SIZE(lkst_values); values++) {
		for (entry = values->table; entry && entry->name; entry++)
			lkst_value_show(m, values, entry->mask, entry->name);
		for (value = 0; value < values->num; value++)
			lkst_value_show(m, values, value, values->name(value));
	}
	return 0;
}

/**
 * lkst_values_start() - create /proc/lkst_values
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_values_start(void)
{
	if (IS_ENABLED(CONFIG_PROC_FS) &&
	    !proc_create_single("lkst_values", 0444, NULL, lkst_values_show))
		return -ENOMEM;
	return 0;
}

/* Remove /proc/lkst_values. */
void __lkst_exit lkst_values_stop(void)
{
	if (IS_ENABLED(CONFIG_PROC_FS))
		remove_proc_entry("lkst_values", NULL);
}
