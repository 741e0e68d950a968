// SPDX-License-Identifier: GPL-2.0
/*
 * Record OOPS_PRINTK, OOPS_MESSAGE, OOPS_PANIC and OOPS_LOCKUP in a kernel
 * without LKST's hooks for them. All messages pass through vprintk_emit(), so a
 * probe there sees all of them.
 *
 * The tracepoint "console" cannot be used instead. It does not pass the level
 * of the message. Also, up to 6.3, the kernel warns when this tracepoint is hit
 * in an NMI.
 */
#include <linux/kern_levels.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/stdarg.h>
#include <linux/string.h>
#include <asm/irq_regs.h>

#include "../dispatch/chain.h"
#include "../dispatch/event.h"
#include "../dispatch/maskset.h"
#include "../base/ksyms.h"
#include "../base/stage.h"
#include "../hooks/hook.h"
#include "../source/source.h"

/* Positions of the arguments of vprintk_emit(), counted from 0. */
#define LKST_PRINTK_LEVEL	1
#define LKST_PRINTK_FORMAT	3
#define LKST_PRINTK_ARGS	4

/*
 * The first message of panic(), which is printed before a crash kernel starts.
 */
static const char lkst_panic_begins[] = "Kernel panic - not syncing: %s";

/*
 * Return @format without its level prefixes. If *level is negative, set *level
 * to the level in the first prefix that has one.
 */
static const char *lkst_printk_begin(const char *format, int *level)
{
	int level_char;

	while ((level_char = printk_get_level(format))) {
		if (*level < 0 && level_char >= '0' && level_char <= '7')
			*level = level_char - '0';
		format = printk_skip_level(format);
	}
	return format;
}

/*
 * Format the beginning of the message. Leave @from unchanged, because the
 * kernel uses these arguments to format the message again later.
 *
 * Return the length of the whole message, not counting a newline at the end. If
 * the text is cut off, only @format shows whether there is a newline.
 */
static unsigned int __printf(3, 0) lkst_printk_text(char *text, size_t size,
						    const char *format, va_list *from)
{
	size_t format_length = strlen(format);
	unsigned int length;
	va_list args;

	va_copy(args, *from);
	length = vsnprintf(text, size, format, args);
	va_end(args);
	if (length && length < size && text[length - 1] == '\n')
		text[--length] = '\0';
	else if (length >= size && format_length && format[format_length - 1] == '\n')
		length--;
	return length;
}

/*
 * Record a panic if @format is the format string that panic() uses. panic()
 * passes the whole text of the message as the only argument.
 */
static void lkst_printk_panic(const char *format, va_list *from)
{
	const char *message;
	va_list args;

	if (!str_has_prefix(format, lkst_panic_begins))
		return;
	va_copy(args, *from);
	message = va_arg(args, const char *);
	va_end(args);
	lkst_oops_panic(message, lkst_panic_caller());
}

/*
 * Beginnings of the messages of the lockup detectors. From 6.5 on, a CPU may
 * report the hard lockup of another CPU. The member cpu says which argument
 * contains the number of the CPU that hangs: its position, counted from 1, or 0
 * if the message is about the current CPU.
 */
static const struct {
	const char *begins;
	enum lkst_lockup kind;
	unsigned int cpu;
} lkst_lockup_messages[] = {
	{ "watchdog: BUG: soft lockup", LKST_LOCKUP_SOFT, 0 },
	{ "NMI watchdog: Watchdog detected hard LOCKUP on cpu %", LKST_LOCKUP_HARD, 1 },
	{ "watchdog: Watchdog detected hard LOCKUP on cpu %", LKST_LOCKUP_HARD, 1 },
	{ "watchdog: CPU%u: Watchdog detected hard LOCKUP on cpu %", LKST_LOCKUP_HARD, 2 },
	{ "Watchdog detected hard LOCKUP on cpu %", LKST_LOCKUP_HARD, 1 },
};

/*
 * Return argument @number, counted from 1. All arguments up to this one must be
 * integers.
 */
static unsigned int lkst_printk_number(va_list *from, unsigned int number)
{
	unsigned int value;
	va_list args;

	va_copy(args, *from);
	do
		value = va_arg(args, unsigned int);
	while (--number);
	va_end(args);
	return value;
}

static void lkst_printk_lockup(const char *format, va_list *args, unsigned long caller)
{
	unsigned int i, cpu;

	for (i = 0; i < ARRAY_SIZE(lkst_lockup_messages); i++) {
		if (!str_has_prefix(format, lkst_lockup_messages[i].begins))
			continue;
		cpu = lkst_lockup_messages[i].cpu;
		/* Distinguish the same cases as lkst_hard_lockup(). */
		if (cpu && lkst_printk_number(args, cpu) != raw_smp_processor_id())
			lkst_event_rare_nopreempt(LKST_ETYPE_OOPS_LOCKUP, -1, LKST_LOCKUP_HARD, 0,
						  0);
		else
			lkst_oops_lockup(lkst_lockup_messages[i].kind,
					 in_nmi() ? NULL : get_irq_regs(), caller);
		return;
	}
}

/*
 * Buffers in which messages are formatted for OOPS_MESSAGE, one for each CPU.
 * Kprobes do not nest: if a probe is hit on a CPU that is running another one,
 * the kernel skips it and counts it as missed. So only one message at a time is
 * formatted on a CPU, although messages may be printed in any context. The
 * kernel's log does not hold longer messages than these buffers.
 */
#define LKST_MESSAGE_SIZE	1024

struct lkst_message_text {
	char text[LKST_MESSAGE_SIZE];
};

static struct lkst_message_text __percpu *lkst_message_texts;

/* Record the whole message. */
static void __printf(2, 0) lkst_printk_message(int level, const char *format, va_list *args)
{
	char *text = raw_cpu_ptr(lkst_message_texts)->text;
	unsigned int length;

	if (lkst_maskset_handler(LKST_ETYPE_OOPS_MESSAGE) == LKST_EVHANDLER_ID_NONE)
		return;
	length = lkst_printk_text(text, LKST_MESSAGE_SIZE, format, args);
	lkst_event_message(level, length, text, min_t(size_t, length, LKST_MESSAGE_SIZE - 1));
}

/* Allocate the memory for messages. Context: may sleep. */
static bool lkst_printk_prepare(void)
{
	if (!lkst_message_texts)
		lkst_message_texts = alloc_percpu(struct lkst_message_text);
	return lkst_message_texts;
}

/* Free the memory for messages. All probes must have ended. */
void __lkst_exit lkst_printk_end(void)
{
	free_percpu(lkst_message_texts);
}

static void lkst_printk_begins(struct pt_regs *regs)
{
	const char *format = (const char *)regs_get_kernel_argument(regs, LKST_PRINTK_FORMAT);
	va_list *args = (va_list *)regs_get_kernel_argument(regs, LKST_PRINTK_ARGS);
	int level = regs_get_kernel_argument(regs, LKST_PRINTK_LEVEL);
	unsigned int length;
	union {
		u64 words[3];
		char text[3 * sizeof(u64) + 1];
	} line = {};

	format = lkst_printk_begin(format, &level);
	if (level < 0)
		level = default_message_loglevel;
	length = lkst_printk_text(line.text, sizeof(line.text), format, args);
	lkst_event_rare_nopreempt(LKST_ETYPE_OOPS_PRINTK, LKST_ARG32(level, length), line.words[0],
				  line.words[1], line.words[2]);
	lkst_printk_message(level, format, args);
	lkst_printk_panic(format, args);
	lkst_printk_lockup(format, args, lkst_function_caller(regs));
}

static struct lkst_function lkst_printk_function = { .begins = lkst_printk_begins };

struct lkst_source lkst_sources_printk[] = {
	LKST_SOURCE_FUNCTION("vprintk_emit", &lkst_printk_function, lkst_printk_prepare,
			     LKST_ETYPE_OOPS_PRINTK, LKST_ETYPE_OOPS_MESSAGE,
			     LKST_ETYPE_OOPS_PANIC, LKST_ETYPE_OOPS_LOCKUP),
	{}
};
