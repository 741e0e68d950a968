// SPDX-License-Identifier: GPL-2.0
/*
 * The newest events on the console (specification 4.4): by SysRq-L, for a machine whose user space
 * is stuck, and when the kernel panics.
 *
 * A panic may have interrupted anything, in any context and on any stack, also on the small one for
 * double faults; the other CPUs have been stopped, anywhere, for instance in the middle of a record
 * or of a shift. So this, dump_gather.c and dump_line.c take no lock, wait for nobody, need no
 * memory but their own and little of the stack, and read no clock that may be behind a lock.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/nmi.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/sysrq.h>
#include <linux/lkst.h>

#include "clock.h"
#include "compat.h"
#include "dump.h"
#include "stage.h"
#include "static_buffer.h"
#include "switch.h"

#define LKST_DUMP_DEFAULT	20

/* Parameters */

static unsigned int lkst_dump_num = LKST_DUMP_DEFAULT;

/* LKST has come up: who sets a parameter now is told what is wrong. */
static bool lkst_dump_up;

/* What kept a parameter from being set, before LKST came up: the default stays. */
static int lkst_dump_bad_param(enum lkst_param param)
{
	if (lkst_dump_up)
		return -EINVAL;
	lkst_error(LKST_ERROR_BAD_PARAM, param);
	return 0;
}

static int lkst_dump_set_num(const char *value, const struct kernel_param *kp)
{
	unsigned int num;

	if (kstrtouint(value, 0, &num) || num > LKST_CONSOLE_MAX) {
		pr_warn("lkst: lkst.dump=%.*s: want a number from 0 to %d; it stays %u\n",
			(int)strcspn(value, "\n"), value, LKST_CONSOLE_MAX, lkst_dump_num);
		return lkst_dump_bad_param(LKST_PARAM_DUMP);
	}
	WRITE_ONCE(lkst_dump_num, num);
	return 0;
}

static const struct kernel_param_ops lkst_dump_num_ops = {
	.set = lkst_dump_set_num,
	.get = param_get_uint,
};

module_param_cb(dump, &lkst_dump_num_ops, &lkst_dump_num, 0644);
MODULE_PARM_DESC(dump, "how many events of each CPU SysRq-L and a panic print, 0 to 512");

/*
 * The kernel prints registers, stack and messages itself. Words and bitmap are changed under the
 * lock of parameters; who prints meanwhile may find some of each.
 */
static char lkst_dump_words_now[256] = "!oops_regs,!oops_stack,!oops_printk";
static DECLARE_BITMAP(lkst_dump_etypes, LKST_ETYPE_NUM);
static bool lkst_dump_words_set;

static int lkst_dump_set_words(const char *value, const struct kernel_param *kp)
{
	char words[sizeof(lkst_dump_words_now)];
	size_t len = strcspn(value, "\n");

	if (len >= sizeof(words)) {
		pr_warn("lkst: lkst.dump_events: %zu characters are too many; want at most %zu\n",
			len, sizeof(words) - 1);
		return lkst_dump_bad_param(LKST_PARAM_DUMP_EVENTS);
	}
	strscpy(words, value, len + 1);
	if (lkst_console_words(words, lkst_dump_etypes))
		return lkst_dump_bad_param(LKST_PARAM_DUMP_EVENTS);
	strscpy(lkst_dump_words_now, words, sizeof(lkst_dump_words_now));
	lkst_dump_words_set = true;
	return 0;
}

static int lkst_dump_get_words(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%s\n", lkst_dump_words_now);
}

static const struct kernel_param_ops lkst_dump_words_ops = {
	.set = lkst_dump_set_words,
	.get = lkst_dump_get_words,
};

module_param_cb(dump_events, &lkst_dump_words_ops, NULL, 0644);
MODULE_PARM_DESC(dump_events, "which events SysRq-L and a panic print: names, numbers, classes, all; ! leaves out");

static bool lkst_panic_stop = true;
module_param_named(panic_stop, lkst_panic_stop, bool, 0644);
MODULE_PARM_DESC(panic_stop, "after a panic, record no more");

/* What is printed */

static char lkst_dump_text[LKST_CONSOLE_LINE_SIZE];

/*
 * Whose the text and the entries are: a CPU's that prints because of SysRq, or the panic's, which
 * takes them from whoever has them. That CPU has been stopped, or finds out between two lines.
 */
static atomic_t lkst_dump_owner = ATOMIC_INIT(-1);

#define LKST_DUMP_NOBODY	(-1)
#define LKST_DUMP_PANIC		(-2)

/**
 * lkst_console_owned() - whether to go on
 * @dump: what is being printed
 *
 * Return: false: a panic has taken over.
 */
bool lkst_console_owned(const struct lkst_dump *dump)
{
	return atomic_read(&lkst_dump_owner) == dump->owner;
}

/* Below KERN_EMERG, which others show on every terminal. */
#define lkst_dump_print(format, ...)	pr_alert("lkst: " format "\n", ##__VA_ARGS__)

static void lkst_dump(int owner)
{
	struct lkst_dump dump = {
		.owner = owner,
		.want = READ_ONCE(lkst_dump_num),
		.etypes = lkst_dump_etypes,
	};
	unsigned int i;

	lkst_console_gather(&dump);
	lkst_dump_print("%u newest events, at most %u of each CPU, oldest first%s", dump.num,
			dump.share, lkst_clock_current() == LKST_CLOCK_NS ?
			"; times are CLOCK_MONOTONIC" : "");
	if (dump.cut)
		lkst_dump_print("looked at no more than the %lu newest records of each CPU",
				dump.looks);
	for (i = 0; i < dump.num && lkst_console_owned(&dump); i++) {
		lkst_console_line(lkst_dump_text, sizeof(lkst_dump_text), &dump.entries[i]);
		lkst_dump_print("%s", lkst_dump_text);
		touch_nmi_watchdog();
	}
	if (lkst_console_owned(&dump))
		lkst_dump_print("end of events");
}

/* SysRq */

static void lkst_dump_sysrq(lkst_sysrq_key key)
{
	int cpu = raw_smp_processor_id();

	if (atomic_cmpxchg(&lkst_dump_owner, LKST_DUMP_NOBODY, cpu) != LKST_DUMP_NOBODY) {
		lkst_dump_print("events are being printed already");
		return;
	}
	if (READ_ONCE(lkst_dump_num))
		lkst_dump(cpu);
	else
		lkst_dump_print("lkst.dump is 0: no events are printed");
	/* Unless a panic has taken over. */
	atomic_cmpxchg(&lkst_dump_owner, cpu, LKST_DUMP_NOBODY);
}

static const struct sysrq_key_op lkst_dump_sysrq_op = {
	.handler = lkst_dump_sysrq,
	.help_msg = "show-newest-lkst-events(L)",
	.action_msg = "Show newest LKST events",
	.enable_mask = SYSRQ_ENABLE_DUMP,
};

/**
 * lkst_console_register_sysrq() - print the newest events on SysRq-L from now on
 *
 * Return: 0 or a negative error.
 */
int __init lkst_console_register_sysrq(void)
{
	if (IS_ENABLED(CONFIG_MAGIC_SYSRQ) && register_sysrq_key('L', &lkst_dump_sysrq_op))
		pr_warn("lkst: SysRq-L is taken; events are printed by a panic only\n");
	return 0;
}

void __lkst_exit lkst_console_unregister_sysrq(void)
{
	if (IS_ENABLED(CONFIG_MAGIC_SYSRQ))
		unregister_sysrq_key('L', &lkst_dump_sysrq_op);
}

/* Panic */

/**
 * lkst_dump_panicking() - the kernel panics, and that has been recorded
 *
 * Other CPUs are about to be stopped. A clocksource may take a lock to be read, as HPET does, and
 * one of them may have it then: where records are stamped with that, this was the last one.
 *
 * Context: any, with preemption off.
 */
void lkst_dump_panicking(void)
{
	if (READ_ONCE(lkst_panic_stop) && lkst_clock_current() == LKST_CLOCK_NS)
		lkst_trc_freeze();
}

/*
 * What comes now would overwrite what led here, most of all where the machine then stands for hours
 * before somebody takes an image of its memory. A crash kernel has been started before, if there is
 * one. If printing brings about another panic, which comes here again, that is the end of it.
 */
static int lkst_dump_panic(struct notifier_block *nb, unsigned long event, void *message)
{
	if (READ_ONCE(lkst_panic_stop))
		lkst_trc_freeze();
	if (atomic_xchg(&lkst_dump_owner, LKST_DUMP_PANIC) == LKST_DUMP_PANIC)
		return NOTIFY_DONE;
	if (READ_ONCE(lkst_dump_num))
		lkst_dump(LKST_DUMP_PANIC);
	atomic_set(&lkst_dump_owner, LKST_DUMP_NOBODY);
	return NOTIFY_DONE;
}

/* Before others, which may not come back. */
static struct notifier_block lkst_dump_panic_notifier = {
	.notifier_call = lkst_dump_panic,
	.priority = INT_MAX,
};

/**
 * lkst_console_register_panic() - print the newest events when the kernel panics from now on
 */
void __init lkst_console_register_panic(void)
{
	if (!lkst_dump_words_set)
		lkst_console_words(lkst_dump_words_now, lkst_dump_etypes);
	atomic_notifier_chain_register(&panic_notifier_list, &lkst_dump_panic_notifier);
	lkst_dump_up = true;
}

void __lkst_exit lkst_console_unregister_panic(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &lkst_dump_panic_notifier);
}
