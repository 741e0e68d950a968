// SPDX-License-Identifier: GPL-2.0
/*
 * The console dump (specification 4.4): print the newest events when the kernel
 * panics, and on SysRq-L, which works even if user space is stuck. The newest
 * events of the buffers come first, then those of the long rings.
 *
 * A panic may interrupt anything, in any context and on any stack, even the
 * small double fault stack. The other CPUs have been stopped at arbitrary
 * places, perhaps in the middle of a record or a shift. So this file,
 * console_gather.c and console_line.c take no lock, wait for nothing, allocate
 * no memory, use little stack, and read no clock that may take a lock.
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

#include "../base/compat.h"
#include "../clock/clock.h"
#include "console.h"
#include "../base/stage.h"
#include "../memory/static_buffer.h"
#include "../source/source.h"
#include "../dispatch/maskset_select.h"

#define LKST_CONSOLE_DEFAULT	20

static unsigned int lkst_console_num = LKST_CONSOLE_DEFAULT;

/* Whether LKST has started. If so, setting an invalid value fails. */
static bool lkst_console_started;

/*
 * Return the result of setting a parameter to an invalid value: -EINVAL. At
 * boot, record an LKST_ERROR event and return 0 instead. The parameter keeps
 * its value in either case.
 */
static int lkst_console_bad_param(enum lkst_param param)
{
	if (lkst_console_started)
		return -EINVAL;
	lkst_error(LKST_ERROR_BAD_PARAM, param);
	return 0;
}

static int lkst_console_set_num(const char *value, const struct kernel_param *kp)
{
	unsigned int num;

	if (kstrtouint(value, 0, &num) || num > LKST_CONSOLE_MAX) {
		pr_warn("lkst: lkst.dump=%.*s: not a number from 0 to %d; keeping %u\n",
			(int)strcspn(value, "\n"), value, LKST_CONSOLE_MAX, lkst_console_num);
		return lkst_console_bad_param(LKST_PARAM_DUMP);
	}
	WRITE_ONCE(lkst_console_num, num);
	return 0;
}

static const struct kernel_param_ops lkst_console_num_ops = {
	.set = lkst_console_set_num,
	.get = param_get_uint,
};

module_param_cb(dump, &lkst_console_num_ops, &lkst_console_num, 0644);
MODULE_PARM_DESC(dump, "number of events of each CPU that SysRq-L and a panic print, 0 to 512");

/*
 * The words of lkst.dump_events. By default, they leave out registers and
 * stack, which the kernel prints itself. The parameter lock protects the words
 * and the bitmap against concurrent changes. A dump in progress may use parts
 * of the old bitmap and parts of the new one.
 */
static char lkst_console_words_now[256] = "!oops_regs,!oops_stack";
static DECLARE_BITMAP(lkst_console_etypes, LKST_ETYPE_NUM);
static bool lkst_console_words_set;

static int lkst_console_set_words(const char *value, const struct kernel_param *kp)
{
	char words[sizeof(lkst_console_words_now)];
	size_t len = strcspn(value, "\n");

	if (len >= sizeof(words)) {
		pr_warn("lkst: lkst.dump_events: %zu characters are too many (at most %zu)\n",
			len, sizeof(words) - 1);
		return lkst_console_bad_param(LKST_PARAM_DUMP_EVENTS);
	}
	strscpy(words, value, len + 1);
	if (lkst_console_words("lkst.dump_events", words, lkst_console_etypes))
		return lkst_console_bad_param(LKST_PARAM_DUMP_EVENTS);
	strscpy(lkst_console_words_now, words, sizeof(lkst_console_words_now));
	lkst_console_words_set = true;
	return 0;
}

static int lkst_console_get_words(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%s\n", lkst_console_words_now);
}

static const struct kernel_param_ops lkst_console_words_ops = {
	.set = lkst_console_set_words,
	.get = lkst_console_get_words,
};

module_param_cb(dump_events, &lkst_console_words_ops, NULL, 0644);
MODULE_PARM_DESC(dump_events, "events that SysRq-L and a panic print: names, numbers, classes, all; ! excludes");

static char lkst_console_text[LKST_CONSOLE_LINE_SIZE];

/*
 * Owner of lkst_console_text and the entries: LKST_CONSOLE_PANIC, or the CPU
 * that is printing because of SysRq. A panic takes over from such a CPU, which
 * has been stopped or notices the takeover between two lines.
 */
static atomic_t lkst_console_owner = ATOMIC_INIT(-1);

#define LKST_CONSOLE_UNOWNED	(-1)
#define LKST_CONSOLE_PANIC		(-2)

/**
 * lkst_console_owned() - whether a console dump may continue
 * @dump: the console dump
 *
 * Return: false if a panic has taken over.
 */
bool lkst_console_owned(const struct lkst_console *dump)
{
	return atomic_read(&lkst_console_owner) == dump->owner;
}

/* Use KERN_ALERT: log daemons show KERN_EMERG on every terminal. */
#define lkst_console_print(format, ...)	pr_alert("lkst: " format "\n", ##__VA_ARGS__)

/* Part of a heading, if times are not those of the kernel's messages */
#define LKST_CONSOLE_NS		"; times are CLOCK_MONOTONIC"

/* Print the lines of the events. Stop if a panic takes over. */
static void lkst_console_lines(const struct lkst_console *dump)
{
	unsigned int i;

	for (i = 0; i < dump->num && lkst_console_owned(dump); i++) {
		lkst_console_line(lkst_console_text, sizeof(lkst_console_text), &dump->entries[i]);
		lkst_console_print("%s", lkst_console_text);
		touch_nmi_watchdog();
	}
}

static void lkst_console(int owner)
{
	struct lkst_console dump = {
		.owner = owner,
		.requested = READ_ONCE(lkst_console_num),
		.etypes = lkst_console_etypes,
	};
	struct lkst_console rings = dump;

	rings.requested = min_t(unsigned int, dump.requested, LKST_CONSOLE_LONG);
	lkst_console_gather(&dump);
	lkst_console_gather_long(&rings);
	lkst_console_print("%u newest events, at most %u of each CPU, oldest first%s", dump.num,
			   dump.share, lkst_clock_current() == LKST_CLOCK_NS ?
			   LKST_CONSOLE_NS : "");
	if (dump.cut)
		lkst_console_print("examined only the %lu newest records of each CPU",
				   dump.examined_max);
	lkst_console_lines(&dump);
	if (lkst_console_owned(&dump))
		lkst_console_print("end of events");
	if (!rings.num || !lkst_console_owned(&dump))
		return;
	lkst_console_print("%u events of the long rings, at most %u of each CPU, oldest first%s",
			   rings.num, rings.share, LKST_CONSOLE_NS);
	lkst_console_lines(&rings);
	if (lkst_console_owned(&rings))
		lkst_console_print("end of the long rings");
}

static void lkst_console_sysrq(lkst_sysrq_key key)
{
	int cpu = raw_smp_processor_id();

	if (atomic_cmpxchg(&lkst_console_owner, LKST_CONSOLE_UNOWNED, cpu) !=
	    LKST_CONSOLE_UNOWNED) {
		lkst_console_print("events are already being printed");
		return;
	}
	if (READ_ONCE(lkst_console_num))
		lkst_console(cpu);
	else
		lkst_console_print("lkst.dump is 0: no events are printed");
	/* This changes nothing if a panic has taken over. */
	atomic_cmpxchg(&lkst_console_owner, cpu, LKST_CONSOLE_UNOWNED);
}

static const struct sysrq_key_op lkst_console_sysrq_op = {
	.handler = lkst_console_sysrq,
	.help_msg = "show-newest-lkst-events(L)",
	.action_msg = "Show newest LKST events",
	.enable_mask = SYSRQ_ENABLE_DUMP,
};

/**
 * lkst_console_register_sysrq() - let SysRq-L print the newest events
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_console_register_sysrq(void)
{
	if (IS_ENABLED(CONFIG_MAGIC_SYSRQ) && register_sysrq_key('L', &lkst_console_sysrq_op))
		pr_warn("lkst: SysRq-L is in use; only a panic prints events\n");
	return 0;
}

void __lkst_exit lkst_console_unregister_sysrq(void)
{
	if (IS_ENABLED(CONFIG_MAGIC_SYSRQ))
		unregister_sysrq_key('L', &lkst_console_sysrq_op);
}

/*
 * Stop recording, and print the newest events. New events would overwrite those
 * that led to the panic. This matters most if the machine stays up for hours
 * before somebody takes an image of its memory.
 *
 * If a crash kernel is loaded, it is started before this notifier is called,
 * unless crash_kexec_post_notifiers is set. If printing causes another panic,
 * this function prints nothing for the second one.
 */
static int lkst_console_panic(struct notifier_block *nb, unsigned long event, void *message)
{
	if (lkst_oops_panic_stops())
		lkst_trc_freeze();
	if (atomic_xchg(&lkst_console_owner, LKST_CONSOLE_PANIC) == LKST_CONSOLE_PANIC)
		return NOTIFY_DONE;
	if (READ_ONCE(lkst_console_num))
		lkst_console(LKST_CONSOLE_PANIC);
	atomic_set(&lkst_console_owner, LKST_CONSOLE_UNOWNED);
	return NOTIFY_DONE;
}

/* Run before all other notifiers, because one of them may not return. */
static struct notifier_block lkst_console_panic_notifier = {
	.notifier_call = lkst_console_panic,
	.priority = INT_MAX,
};

/**
 * lkst_console_register_panic() - let a panic print the newest events
 */
void __init lkst_console_register_panic(void)
{
	if (!lkst_console_words_set)
		lkst_console_words("lkst.dump_events", lkst_console_words_now, lkst_console_etypes);
	atomic_notifier_chain_register(&panic_notifier_list, &lkst_console_panic_notifier);
	lkst_console_started = true;
}

void __lkst_exit lkst_console_unregister_panic(void)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &lkst_console_panic_notifier);
}
