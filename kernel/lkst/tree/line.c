// SPDX-License-Identifier: GPL-2.0
/*
 * Print an event as ftrace does: the thread, the CPU, the context, the time,
 * and the fields with the kernel's names.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "../source/etype.h"
#include "../user/files.h"
#include "layout.h"
#include "line.h"
#include "trace_copy.h"

/*
 * Print the name of a thread in 16 columns, or "<...>" if the thread has ended.
 */
static void lkst_tree_show_comm(struct seq_file *m, u32 tid)
{
	char comm[TASK_COMM_LEN] = "<idle>";
	struct task_struct *task;

	rcu_read_lock();
	task = tid ? pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID) : NULL;
	if (tid)
		strscpy(comm, task ? task->comm : "<...>", sizeof(comm));
	rcu_read_unlock();
	seq_printf(m, "%*s", (int)(sizeof(comm) - strlen(comm)), "");
	lkst_user_show_text(m, comm, strlen(comm));
}

static char lkst_tree_context(unsigned int flags)
{
	if (flags & LKST_RECORD_NMI)
		return 'z';
	if (flags & LKST_RECORD_HARDIRQ)
		return flags & LKST_RECORD_SOFTIRQ ? 'H' : 'h';
	return flags & LKST_RECORD_SOFTIRQ ? 's' : '.';
}

static bool lkst_tree_has_format(const struct lkst_filter_field *field, const char *format)
{
	return field->format_len == strlen(format) &&
	       !strncmp(field->format, format, field->format_len);
}

static u64 lkst_tree_number(const struct lkst_filter_field *field,
			    const struct lkst_event_record *record)
{
	u64 value = record->arg[field->load - LKST_LOAD_ARG1] >> field->shift;

	if (field->size == sizeof(u32))
		return field->is_signed ? (s64)(s32)value : (u32)value;
	return value;
}

/* Print the state of a thread, a letter and maybe LKST_STATE_PREEMPTED. */
static void lkst_tree_show_state(struct seq_file *m, u64 state)
{
	seq_printf(m, "%c%s", (char)state, state >> 8 ? "+" : "");
}

static void lkst_tree_show_number(struct seq_file *m, const struct lkst_filter_field *field,
				  u64 value)
{
	if (lkst_tree_has_format(field, "sym"))
		seq_printf(m, "%pS", (void *)(unsigned long)value);
	else if (lkst_tree_has_format(field, "state"))
		lkst_tree_show_state(m, value);
	else if (lkst_tree_has_format(field, "hex") || lkst_tree_has_format(field, "ptr") ||
		 lkst_tree_has_format(field, "gfp"))
		seq_printf(m, "0x%llx", value);
	else
		seq_printf(m, field->is_signed ? "%lld" : "%llu", value);
}

/* Print a string from the arguments, or from the payload of a chain. */
static void lkst_tree_show_text(struct seq_file *m, const struct lkst_filter_field *field,
				struct lkst_tree_trace *trace,
				const struct lkst_tree_event_line *line)
{
	struct lkst_tree_payload payload = {
		.at = (const char *)line->record.arg,
		.bytes = field->offset + field->size,
	};

	if (field->text == LKST_TEXT_CHAIN)
		payload = lkst_tree_chain(trace, line);
	if (payload.bytes > field->offset)
		lkst_user_show_text(m, payload.at + field->offset,
				    strnlen(payload.at + field->offset,
					    payload.bytes - field->offset));
}

static void lkst_tree_show_fields(struct seq_file *m, const struct lkst_tree_layout *layout,
				  struct lkst_tree_trace *trace,
				  const struct lkst_tree_event_line *line)
{
	const struct lkst_tree_column *column;

	seq_printf(m, "%s:", layout->name);
	for (column = layout->column; column < layout->column + layout->num; column++) {
		seq_printf(m, " %.*s=", (int)column->name_len, column->name);
		if (column->field.text == LKST_TEXT_NONE)
			lkst_tree_show_number(m, &column->field,
					      lkst_tree_number(&column->field, &line->record));
		else
			lkst_tree_show_text(m, &column->field, trace, line);
	}
}

/*
 * Print a stack as the kernel does. "..." replaces missing entries.
 */
static void lkst_tree_show_stack(struct seq_file *m, struct lkst_tree_trace *trace,
				 const struct lkst_tree_event_line *line)
{
	struct lkst_tree_payload payload = lkst_tree_chain(trace, line);
	u64 entry;
	u32 at;

	seq_puts(m, "<stack trace>");
	for (at = 0; at + sizeof(entry) <= payload.bytes; at += sizeof(entry)) {
		memcpy(&entry, payload.at + at, sizeof(entry));
		seq_printf(m, "\n => %pS", (void *)(unsigned long)entry);
	}
	if (payload.bytes < LKST_CHAIN_HEAD_BYTES(line->record.arg[0]))
		seq_puts(m, "\n => ...");
}

/* Print an event of a program, without decoding its payload. */
static void lkst_tree_show_payload(struct seq_file *m, const struct lkst_event_record *record)
{
	const struct lkst_etype_desc *desc;
	const char *name = NULL;

	rcu_read_lock();
	desc = lkst_etype_describe(record->event_type);
	if (desc)
		name = strchr(desc->name, ':');
	if (name)
		lkst_user_show_text(m, name + 1, strlen(name + 1));
	rcu_read_unlock();
	seq_printf(m, ": %*ph", (int)sizeof(record->arg), record->arg);
}

static const struct lkst_tree_layout *lkst_tree_layout_get(struct lkst_tree_layouts *layouts,
							   unsigned int etype)
{
	struct lkst_tree_layout *layout;

	if (etype >= ARRAY_SIZE(layouts->layout))
		return NULL;
	if (layouts->layout[etype])
		return layouts->layout[etype];
	layout = lkst_tree_layout_new(etype);
	if (IS_ERR(layout))
		return NULL;
	layouts->layout[etype] = layout;
	return layout;
}

/**
 * lkst_tree_show_line() - print an event
 * @m: output
 * @trace: the copy that contains the event. Receives the fields of the event
 * @line: the event, one of @trace->line
 *
 * Context: may sleep.
 *
 * Return: 0, or SEQ_SKIP for a part of a chain, which is printed with its head.
 */
int lkst_tree_show_line(struct seq_file *m, struct lkst_tree_trace *trace,
			const struct lkst_tree_event_line *line)
{
	const struct lkst_event_record *record = &line->record;
	const struct lkst_tree_layout *layout;
	u32 ns;
	u64 s = div_u64_rem(line->ns, NSEC_PER_SEC, &ns);

	if (record->event_type == LKST_ETYPE_LKST_MORE)
		return SEQ_SKIP;
	layout = lkst_tree_layout_get(&trace->layouts, record->event_type);
	lkst_tree_show_comm(m, record->thread);
	seq_printf(m, "-%-7u [%03d] .%c%c%c. %llu.%06lu: ", record->thread, line->cpu,
		   record->flags & LKST_RECORD_NEED_RESCHED ? 'N' : '.',
		   lkst_tree_context(record->flags),
		   record->flags & LKST_RECORD_PREEMPT_OFF ? '1' : '.', s, ns / NSEC_PER_USEC);
	if (record->event_type == LKST_ETYPE_RULE_STACK)
		lkst_tree_show_stack(m, trace, line);
	else if (layout)
		lkst_tree_show_fields(m, layout, trace, line);
	else if (!lkst_tree_show_added_event(m, trace, line))
		lkst_tree_show_payload(m, record);
	seq_putc(m, '\n');
	return 0;
}

void lkst_tree_layouts_free(struct lkst_tree_layouts *layouts)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(layouts->layout); i++)
		kfree(layouts->layout[i]);
}
