// SPDX-License-Identifier: GPL-2.0
/*
 * Format an event as a line for the console. This decodes only some of the
 * formats of linux/lkst_etypes.h; the tools decode more.
 *
 *   12.345678 [001] bash-1234            sp. int_softirq_exit      vector=TIMER
 *
 * Addresses reveal no more than the kernel's own messages do: code addresses
 * are printed as symbols, and other addresses are hashed.
 *
 * This runs on a machine that is about to die. It takes no lock, and follows no
 * pointer in a record.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/stdarg.h>
#include <linux/string.h>

#include "console.h"
#include "../source/etype.h"
#include "../base/ksyms.h"
#include "../source/values.h"

/**
 * struct lkst_line - a line being written
 * @text: the line, always terminated by 0
 * @size: size of @text in bytes
 * @len: length of the line so far
 */
struct lkst_line {
	char *text;
	size_t size;
	size_t len;
};

/**
 * struct lkst_field - a value of an event
 * @entry: the event
 * @text: description of the value, "label:format"
 * @label_len: length of the label in @text
 * @format: the format in @text
 * @format_len: length of the format
 * @value: the value, unsigned
 * @number: the value, sign-extended from its width of 32 or 64 bits
 */
struct lkst_field {
	const struct lkst_console_entry *entry;
	const char *text;
	int label_len;
	const char *format;
	int format_len;
	u64 value;
	s64 number;
};

static __printf(2, 3) void lkst_line_add(struct lkst_line *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	line->len += vscnprintf(line->text + line->len, line->size - line->len, format, args);
	va_end(args);
}

/* Add untrusted text. Only printable characters reach the terminal. */
static void lkst_line_add_text(struct lkst_line *line, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && text[i]; i++)
		lkst_line_add(line, "%c", isascii(text[i]) && isprint(text[i]) ? text[i] : '?');
}

static void lkst_line_pad(struct lkst_line *line, size_t from, size_t width)
{
	size_t len = line->len - from;

	lkst_line_add(line, "%*s", len < width ? (int)(width - len) : 0, "");
}

/**
 * lkst_console_comm() - get the name of a thread
 * @comm: receives the name, TASK_COMM_LEN bytes; empty if there is no such
 *	thread
 * @thread: thread ID
 *
 * Context: any, within rcu_read_lock().
 */
void lkst_console_comm(char *comm, pid_t thread)
{
	const struct task_struct *task = pid_task(find_pid_ns(thread, &init_pid_ns), PIDTYPE_PID);

	*comm = 0;
	if (!task)
		return;
	/* If the name is being changed, a mix of old and new is acceptable. */
	data_race(memcpy(comm, task->comm, TASK_COMM_LEN));
	comm[TASK_COMM_LEN - 1] = 0;
}

static void lkst_line_add_thread(struct lkst_line *line, const char *comm, u32 thread, int cpu)
{
	if (!thread) {
		lkst_line_add(line, "swapper/%d-0", cpu);
	} else if (!*comm) {
		lkst_line_add(line, "<%u>", thread);
	} else {
		lkst_line_add_text(line, comm, TASK_COMM_LEN);
		lkst_line_add(line, "-%u", thread);
	}
}

static void lkst_put_dec(struct lkst_line *line, const struct lkst_field *field)
{
	lkst_line_add(line, "%lld", field->number);
}

static void lkst_put_udec(struct lkst_line *line, const struct lkst_field *field)
{
	lkst_line_add(line, "%llu", field->value);
}

static void lkst_put_ptr(struct lkst_line *line, const struct lkst_field *field)
{
	lkst_line_add(line, "%p", (void *)(unsigned long)field->value);
}

/*
 * Whether a value may be a kernel address. On 64-bit machines, the upper half
 * of the address space belongs to the kernel, wherever the kernel is loaded.
 */
static bool lkst_may_be_address(unsigned long value)
{
	return ((BITS_PER_LONG == 64 && (long)value < 0) || value >= PAGE_OFFSET) &&
	       !IS_ERR_VALUE(value);
}

/* Print a number in hexadecimal, but hash what may be a kernel address. */
static void lkst_put_hex(struct lkst_line *line, const struct lkst_field *field)
{
	unsigned long value = field->value;

	if (field->value == value && lkst_may_be_address(value))
		lkst_put_ptr(line, field);
	else
		lkst_line_add(line, "0x%llx", field->value);
}

static void lkst_put_sym(struct lkst_line *line, const struct lkst_field *field)
{
	unsigned long value = field->value;

	/* If an address has no symbol, %pS would print it unhashed. */
	if (field->value == value && lkst_is_text(value))
		lkst_line_add(line, "%pS", (void *)value);
	else
		lkst_put_hex(line, field);
}

static void lkst_put_err(struct lkst_line *line, const struct lkst_field *field)
{
	long number = field->number;

	if (number < 0 && IS_ERR_VALUE(number))
		lkst_line_add(line, "%pe", ERR_PTR(number));
	else if (number >= 0 && number <= U32_MAX)
		lkst_put_dec(line, field);
	else
		lkst_put_hex(line, field);
}

static void lkst_put_tid(struct lkst_line *line, const struct lkst_field *field)
{
	char comm[TASK_COMM_LEN];

	if ((u32)field->value == U32_MAX) {
		lkst_line_add(line, "?");
		return;
	}
	lkst_console_comm(comm, field->value);
	lkst_line_add_thread(line, comm, field->value, field->entry->cpu);
}

static void lkst_put_state(struct lkst_line *line, const struct lkst_field *field)
{
	char letter = field->value;

	if (field->value > 0x1ff || !isascii(letter) || !isgraph(letter))
		lkst_put_hex(line, field);
	else
		lkst_line_add(line, "%c%s", letter, field->value & 0x100 ? "+" : "");
}

/* Print a device number (dev_t) as major:minor. */
static void lkst_put_dev(struct lkst_line *line, const struct lkst_field *field)
{
	lkst_line_add(line, "%u:%u", MAJOR((dev_t)field->value), MINOR((dev_t)field->value));
}

/*
 * Print the name of a native system call. The name is taken from the symbol of
 * its function, for instance __x64_sys_read or __arm64_sys_read.
 */
static void lkst_put_sys(struct lkst_line *line, const struct lkst_field *field)
{
	bool native = !(u32)field->entry->record.arg[0];
	const void *function = NULL;
	size_t from = line->len;
	const char *name;

	if (IS_ENABLED(CONFIG_KALLSYMS) && native && field->value <= U32_MAX)
		function = lkst_system_call(field->value);
	if (!function) {
		lkst_put_dec(line, field);
		return;
	}
	lkst_line_add(line, "%ps", function);
	name = strstr(line->text + from, "sys_");
	if (name) {
		name += strlen("sys_");
		memmove(line->text + from, name, strlen(name) + 1);
		line->len = from + strlen(line->text + from);
	}
}

static const struct {
	const char *name;
	void (*put)(struct lkst_line *line, const struct lkst_field *field);
} lkst_formats[] = {
	{ "dec", lkst_put_dec },
	{ "udec", lkst_put_udec },
	{ "hex", lkst_put_hex },
	{ "ptr", lkst_put_ptr },
	{ "sym", lkst_put_sym },
	{ "tid", lkst_put_tid },
	{ "state", lkst_put_state },
	{ "sys", lkst_put_sys },
	{ "err", lkst_put_err },
	{ "dev", lkst_put_dev },
	{ "reg", lkst_put_sym },
	/* The kernel has no names for the values of these formats. */
	{ "sig", lkst_put_dec },
	{ "abi", lkst_put_dec },
	{ "irq", lkst_put_dec },
	{ "trap", lkst_put_dec },
	{ "af", lkst_put_dec },
	{ "ipproto", lkst_put_dec },
	{ "level", lkst_put_dec },
	{ "lockup", lkst_put_dec },
	{ "cpu", lkst_put_dec },
	{ "clock", lkst_put_dec },
	{ "sec", lkst_put_udec },
	{ "nsec", lkst_put_udec },
	{ "mset", lkst_put_dec },
	{ "buf", lkst_put_dec },
	{ "code", lkst_put_dec },
};

/*
 * Print a value in its format. If the format is not in lkst_formats[] and
 * /proc/lkst_values has no name for the value, print the value in hexadecimal.
 */
static void lkst_put_value(struct lkst_line *line, const struct lkst_field *field)
{
	size_t len;
	int i;

	for (i = 0; i < ARRAY_SIZE(lkst_formats); i++) {
		if (strncmp(lkst_formats[i].name, field->format, field->format_len) ||
		    lkst_formats[i].name[field->format_len])
			continue;
		lkst_formats[i].put(line, field);
		return;
	}
	len = lkst_value_text(line->text + line->len, line->size - line->len, field->format,
			      field->format_len, field->value);
	line->len += len;
	if (!len)
		lkst_put_hex(line, field);
}

static bool lkst_field_has_format(const struct lkst_field *field, const char *format)
{
	return field->format_len == strlen(format) &&
	       !strncmp(field->format, format, field->format_len);
}

/*
 * Parse the first "label:format" of @text, which ends at a comma or at the end
 * of @text. Return the text after the comma.
 */
static const char *lkst_field_parse(struct lkst_field *field, const char *text)
{
	size_t len = strcspn(text, ","), label_len = min(len, strcspn(text, ":"));

	field->text = text;
	field->label_len = label_len;
	field->format = text + min(label_len + 1, len);
	field->format_len = text + len - field->format;
	return text + len + (text[len] == ',');
}

static void lkst_line_add_field(struct lkst_line *line, const struct lkst_field *field)
{
	/* Leave out the native ABI, which nearly every system call has. */
	if (lkst_field_has_format(field, "abi") && !field->value)
		return;
	lkst_line_add(line, " %.*s=", field->label_len, field->text);
	lkst_put_value(line, field);
}

/*
 * Add an argument: one 64-bit value, or two 32-bit values, the upper one first.
 */
static void lkst_line_add_arg(struct lkst_line *line, const struct lkst_console_entry *entry,
			      const char *text, u64 arg)
{
	struct lkst_field field = { .entry = entry };
	const char *low = lkst_field_parse(&field, text);

	if (!*low) {
		field.value = arg;
		field.number = arg;
		lkst_line_add_field(line, &field);
		return;
	}
	field.value = upper_32_bits(arg);
	field.number = (s32)field.value;
	lkst_line_add_field(line, &field);
	lkst_field_parse(&field, low);
	field.value = lower_32_bits(arg);
	field.number = (s32)field.value;
	lkst_line_add_field(line, &field);
}

/*
 * If argument @arg is text, add it together with the following arguments that
 * have the same description. Return the number of arguments that the text
 * takes, or 0 if @arg is not text.
 */
static int lkst_line_add_string(struct lkst_line *line, const struct lkst_console_entry *entry,
				const char *const *texts, int arg)
{
	struct lkst_field field = {};
	int num = 1;

	lkst_field_parse(&field, texts[arg]);
	if (!lkst_field_has_format(&field, "text"))
		return 0;
	while (arg + num < 4 && !strcmp(texts[arg + num], texts[arg]))
		num++;
	lkst_line_add(line, " %.*s=\"", field.label_len, field.text);
	lkst_line_add_text(line, (const char *)&entry->record.arg[arg],
			   num * sizeof(entry->record.arg[0]));
	lkst_line_add(line, "\"");
	return num;
}

/* Whether an event is recorded as a chain: its first argument describes it. */
static bool lkst_desc_is_chain(const struct lkst_etype_desc *desc)
{
	struct lkst_field field;

	lkst_field_parse(&field, desc->args[0]);
	return lkst_field_has_format(&field, "chain");
}

/* Add the arguments from @arg up to, but not including, @end. */
static void lkst_line_add_args(struct lkst_line *line, const struct lkst_console_entry *entry,
			       const struct lkst_etype_desc *desc, int arg, int end)
{
	int num;

	while (arg < end) {
		if (!*desc->args[arg]) {
			arg++;
			continue;
		}
		num = lkst_line_add_string(line, entry, desc->args, arg);
		if (!num) {
			lkst_line_add_arg(line, entry, desc->args[arg], entry->record.arg[arg]);
			num = 1;
		}
		arg += num;
	}
}

/*
 * Add the part of a chain's payload that is in the head. If the chain has other
 * records, or if the end of the payload was not recorded, add "[cut]" as
 * "lkstbuf print" does. A dump does not search for the other records.
 */
static void lkst_line_add_chain(struct lkst_line *line, const struct lkst_console_entry *entry,
				const struct lkst_etype_desc *desc)
{
	u64 head = entry->record.arg[0];
	unsigned int args = DIV_ROUND_UP(LKST_CHAIN_HEAD_BYTES(head), sizeof(u64));

	lkst_line_add_args(line, entry, desc, 1, min(1 + args, 4U));
	if (LKST_CHAIN_HEAD_PARTS(head) || (LKST_CHAIN_HEAD_FLAGS(head) & LKST_CHAIN_CUT))
		lkst_line_add(line, " [cut]");
}

/*
 * Print the flags of a record as "lkstbuf print" does: the context, p if
 * preemption is off, and N if a reschedule is pending.
 */
static void lkst_line_add_flags(struct lkst_line *line, u16 flags)
{
	char context = '.';

	if (flags & LKST_RECORD_NMI)
		context = 'z';
	else if (flags & LKST_RECORD_HARDIRQ)
		context = flags & LKST_RECORD_SOFTIRQ ? 'H' : 'h';
	else if (flags & LKST_RECORD_SOFTIRQ)
		context = 's';
	lkst_line_add(line, " %c%c%c ", context, flags & LKST_RECORD_PREEMPT_OFF ? 'p' : '.',
		      flags & LKST_RECORD_NEED_RESCHED ? 'N' : '.');
}

/* Maximum number of bytes of the name of a user event in a line */
#define LKST_LINE_NAME		64

/*
 * The payload of a user event is printed as numbers. Its fields are not decoded
 * here: they may be anything that a program has registered.
 */
static const struct lkst_etype_desc lkst_line_program = {
	.args = { "arg1:hex", "arg2:hex", "arg3:hex", "arg4:hex" },
};

static const struct lkst_etype_desc lkst_line_program_chain = {
	.args = { "chain:chain", "data1:hex", "data2:hex", "data3:hex" },
};

static void lkst_line_add_event(struct lkst_line *line, const struct lkst_console_entry *entry)
{
	static const char *const unknown[] = { "arg1:hex", "arg2:hex", "arg3:hex", "arg4:hex" };
	const struct lkst_etype_desc *desc = lkst_etype_describe(entry->record.event_type);
	size_t from = line->len;
	int arg;

	if (desc && desc->fields) {
		lkst_line_add_text(line, desc->name, LKST_LINE_NAME);
		desc = lkst_desc_is_chain(desc) ? &lkst_line_program_chain : &lkst_line_program;
	} else if (desc) {
		lkst_line_add(line, "%s", desc->name);
	}
	if (desc) {
		lkst_line_pad(line, from, 21);
		if (lkst_desc_is_chain(desc))
			lkst_line_add_chain(line, entry, desc);
		else
			lkst_line_add_args(line, entry, desc, 0, 4);
		return;
	}
	lkst_line_add(line, lkst_etype_in_user_range(entry->record.event_type) ?
		      "user_0x%03x" : "0x%03x", entry->record.event_type);
	lkst_line_pad(line, from, 21);
	for (arg = 0; arg < ARRAY_SIZE(unknown); arg++)
		lkst_line_add_arg(line, entry, unknown[arg], entry->record.arg[arg]);
}

/**
 * lkst_console_line() - format an event as a line
 * @line: receives the line
 * @size: size of @line in bytes
 * @entry: the event
 *
 * Context: any, within rcu_read_lock().
 */
void lkst_console_line(char *line, size_t size, const struct lkst_console_entry *entry)
{
	const struct lkst_event_record *record = &entry->record;
	struct lkst_line to = { .text = line, .size = size };
	u32 us;
	u64 seconds = div_u64_rem(div_u64(max(entry->ns, 0LL), NSEC_PER_USEC), USEC_PER_SEC, &us);
	size_t from;

	lkst_line_add(&to, "%5llu.%06u [%03d] ", seconds, us, entry->cpu);
	from = to.len;
	lkst_line_add_thread(&to, entry->comm, record->thread, entry->cpu);
	if (record->pid != record->thread)
		lkst_line_add(&to, "/%u", record->pid);
	lkst_line_pad(&to, from, 20);
	lkst_line_add_flags(&to, record->flags);
	lkst_line_add_event(&to, entry);
}
