// SPDX-License-Identifier: GPL-2.0
/*
 * An event as a line for the console: what the formats of linux/lkst_etypes.h mean, as far as
 * the kernel can tell. The tools tell more.
 *
 *	12.345678 [001] bash-1234            sp. system_call_entry     number=read arg1=0x3
 *
 * Of addresses nothing more is shown than the kernel's own messages do: those of code by their
 * symbols, others hashed.
 *
 * This runs in a machine that is about to die: it takes no lock, and follows no pointer of a
 * record's.
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

#include "dump.h"
#include "etype.h"
#include "outside.h"
#include "values.h"

/**
 * struct lkst_line - a line being written
 * @text: ends with 0, always
 * @size: bytes at @text
 * @len: of what is there
 */
struct lkst_line {
	char *text;
	size_t size;
	size_t len;
};

/**
 * struct lkst_field - a value of an event
 * @entry: event
 * @text: how it is described, "label:format"
 * @label_len: of @text
 * @format: in @text
 * @format_len: likewise
 * @value: its bits
 * @number: the same as a signed number of its width
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

/* Text that others have made up: nothing of it reaches a terminal but characters. */
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
 * lkst_console_comm() - the name of a thread
 * @comm: gets it, TASK_COMM_LEN bytes; empty: there is no such thread
 * @thread: its number
 *
 * Context: any; RCU keeps the thread there.
 */
void lkst_console_comm(char *comm, pid_t thread)
{
	const struct task_struct *task = pid_task(find_pid_ns(thread, &init_pid_ns), PIDTYPE_PID);

	*comm = 0;
	if (!task)
		return;
	/* A name half old and half new is what there is to see while somebody changes it. */
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

/* Formats */

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

/* Wherever the kernel lies, the upper half of 64 bits is its own. */
static bool lkst_may_be_address(unsigned long value)
{
	return ((BITS_PER_LONG == 64 && (long)value < 0) || value >= PAGE_OFFSET) &&
	       !IS_ERR_VALUE(value);
}

/* What may be an address of the kernel's is not shown. */
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

	/* What has no symbol is printed as it is by %pS, also where it is not code. */
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

/* The kernel's dev_t. */
static void lkst_put_dev(struct lkst_line *line, const struct lkst_field *field)
{
	lkst_line_add(line, "%u:%u", MAJOR((dev_t)field->value), MINOR((dev_t)field->value));
}

/*
 * By the name of the function, __x64_sys_read or __arm64_sys_read, of a call that has the native
 * ABI.
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
	/* What the kernel has no names for. */
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

/* In hexadecimal what is called neither here nor in /proc/lkst_values. */
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

/* Fields */

static bool lkst_field_has_format(const struct lkst_field *field, const char *format)
{
	return field->format_len == strlen(format) &&
	       !strncmp(field->format, format, field->format_len);
}

/* How @text begins: "label:format", up to a comma or its end. Returns what comes after it. */
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
	/* Nearly every call has the native one. */
	if (lkst_field_has_format(field, "abi") && !field->value)
		return;
	lkst_line_add(line, " %.*s=", field->label_len, field->text);
	lkst_put_value(line, field);
}

/* One argument, a value or two. */
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

/* A text in this argument and those after it that are described alike. Returns how many. */
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

static void lkst_line_add_args(struct lkst_line *line, const struct lkst_console_entry *entry,
			       const struct lkst_etype_desc *desc)
{
	int arg = 0, num;

	while (arg < 4) {
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

/* Context, preemption, reschedule, as lkstbuf print shows them. */
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

static void lkst_line_add_event(struct lkst_line *line, const struct lkst_console_entry *entry)
{
	static const char *const unknown[] = { "arg1:hex", "arg2:hex", "arg3:hex", "arg4:hex" };
	const struct lkst_etype_desc *desc = lkst_etype_describe(entry->record.event_type);
	size_t from = line->len;
	int arg;

	if (desc) {
		lkst_line_add(line, "%s", desc->name);
		lkst_line_pad(line, from, 21);
		lkst_line_add_args(line, entry, desc);
		return;
	}
	lkst_line_add(line, lkst_etype_in_user_range(entry->record.event_type) ?
		      "user_0x%03x" : "0x%03x", entry->record.event_type);
	lkst_line_pad(line, from, 21);
	for (arg = 0; arg < ARRAY_SIZE(unknown); arg++)
		lkst_line_add_arg(line, entry, unknown[arg], entry->record.arg[arg]);
}

/**
 * lkst_console_line() - an event as a line
 * @line: gets it
 * @size: bytes there
 * @entry: event
 *
 * Context: any; RCU keeps event types and threads there.
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
