// SPDX-License-Identifier: GPL-2.0
/*
 * The events OOPS_PRINTK, OOPS_PANIC and OOPS_LOCKUP in a kernel that has no trace points for them:
 * from vprintk_emit(), which all messages come to. The tracepoint "console" will not do: up to 6.3
 * the kernel warns when it is reached in an NMI, and it does not tell the level.
 */
#include <linux/kern_levels.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/smp.h>
#include <linux/stdarg.h>
#include <linux/string.h>
#include <asm/irq_regs.h>

#include "../event.h"
#include "../outside.h"
#include "../points/point.h"
#include "../source.h"

/* Arguments of vprintk_emit(), from 0 on. */
#define LKST_PRINTK_LEVEL	1
#define LKST_PRINTK_FORMAT	3
#define LKST_PRINTK_ARGS	4

/* What panic() says first, before it starts a crash kernel. */
static const char lkst_panic_begins[] = "Kernel panic - not syncing: %s";

/* What the message begins with may say of what level it is, instead of who calls. */
static const char *lkst_printk_begin(const char *format, int *level)
{
	int said;

	while ((said = printk_get_level(format))) {
		if (*level < 0 && said >= '0' && said <= '7')
			*level = said - '0';
		format = printk_skip_level(format);
	}
	return format;
}

/*
 * The beginning of the message, as it will be made once more. Its length is without a newline at
 * the end, where that shows.
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

/* As panic() makes it: the whole message is its only argument. */
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
 * What the lockup detectors say. A hard lockup may be of another CPU than this one (6.5), which the
 * argument @cpu tells, from 1 on; 0: none does.
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

/* The argument @number, from 1 on, all before it being of that type, too. */
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
		/* As lkst_hard_lockup() has it. */
		if (cpu && lkst_printk_number(args, cpu) != raw_smp_processor_id())
			lkst_event_nopreempt(LKST_ETYPE_OOPS_LOCKUP, -1, LKST_LOCKUP_HARD, 0, 0);
		else
			lkst_oops_lockup(lkst_lockup_messages[i].kind,
					 in_nmi() ? NULL : get_irq_regs(), caller);
		return;
	}
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
	lkst_event_nopreempt(LKST_ETYPE_OOPS_PRINTK, LKST_ARG32(level, length), line.words[0],
		       line.words[1], line.words[2]);
	lkst_printk_panic(format, args);
	lkst_printk_lockup(format, args, lkst_function_caller(regs));
}

static struct lkst_function lkst_printk_function = { .begins = lkst_printk_begins };

struct lkst_source lkst_sources_printk[] = {
	LKST_SOURCE_FUNCTION("vprintk_emit", &lkst_printk_function, LKST_ETYPE_OOPS_PRINTK,
			     LKST_ETYPE_OOPS_PANIC, LKST_ETYPE_OOPS_LOCKUP),
	{}
};
