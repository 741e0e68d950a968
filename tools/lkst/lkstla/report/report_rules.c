// SPDX-License-Identifier: GPL-2.0
/* The rules of lkstla report, and their thresholds. lkstla-findings(7) has a section for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "lib/text/timestamp.h"
#include "lkstla/messages.h"
#include "report.h"

#define MS(ms) (1000000LL * (ms))

#define NEEDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const char *const none[] = { NULL };

/* report_expand() describes the letters after "%". A part in brackets needs all of its values. */
const struct report_rule report_rules[REPORT_RULES] = {
	[RULE_OOPS] = {
		.name = "oops",
		.what = "oopses and panics of the kernel",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_RARE | REPORT_CPUS | REPORT_ANY,
		.needs = NEEDS("OOPS_DIE", "OOPS_PANIC"),
		.text = "kernel: %n on CPU %c[ in %t]",
		.more = "print --until %e -n 40",
	},
	[RULE_LOCKUP] = {
		.name = "lockup",
		.what = "lockups, hung tasks and RCU stalls",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_RARE | REPORT_CPUS,
		.needs = NEEDS("OOPS_LOCKUP"),
		.text = "the kernel detected a lockup: %n[, %t][, on CPU %c]",
		.more = "print --until %e -n 40",
	},
	[RULE_MCE] = {
		.name = "mce",
		.what = "errors that the hardware reports",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_RARE | REPORT_CPUS,
		.needs = NEEDS("OOPS_MCE"),
		.text = "the hardware reported an error of CPU %c: bank %n[, status %d]",
		.more = "print --until %e -n 40",
	},
	[RULE_OOM_KILL] = {
		.name = "oom-kill",
		.what = "threads killed because memory ran out",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_RARE | REPORT_CPUS,
		.needs = NEEDS("MEM_OOMKILL"),
		.text = "memory ran out: the kernel killed %t",
		.more = "print --until %e -n 40",
	},
	[RULE_IO_ERROR] = {
		.name = "io-error",
		.what = "requests to block devices that failed",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.needs = NEEDS("BLOCK_COMPLETE"),
		.text = "%n failed with %d[, issued by %t]",
		.more = "print -r -e block_issue,block_complete[ --since %b] --until %e",
	},
	[RULE_WARNING] = {
		.name = "warning",
		.what = "warnings of the kernel",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_RARE | REPORT_CPUS,
		.needs = NEEDS("OOPS_WARN"),
		.text = "the kernel warned: %n[ at %d] on CPU %c[ in %t]",
		.more = "print --until %e -n 40",
	},
	[RULE_CRASH] = {
		.name = "crash",
		.what = "processes killed by a signal like SIGSEGV",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_RARE,
		.needs = NEEDS("PROCESS_EXIT"),
		.text = "%t crashed: %n",
		.more = "print -p %N --until %e -n 40",
	},
	[RULE_CPU_OFFLINE] = {
		.name = "cpu-offline",
		.what = "CPUs that went offline",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_RARE | REPORT_CPUS,
		.needs = NEEDS("CPU_OFFLINE"),
		.text = "CPU %c went offline",
		.more = "print -r -e cpu_offline,cpu_online",
	},
	[RULE_LOST] = {
		.name = "lost",
		.what = "records that are missing",
		.rank = RANK_TROUBLE,
		.unit = UNIT_COUNT,
		.threshold = 1,
		.flags = REPORT_CPUS,
		.needs = none,
		.text = "records are missing: %s, the largest gap on CPU %c",
		.more = "print --summary",
	},
	[RULE_CPU_WAIT] = {
		.name = "cpu-wait",
		.what = "wait of a runnable thread for a CPU",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(100),
		.needs = NEEDS("PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP"),
		.text = "%t waited %v for CPU %c[, held by %o][; CPU %i was idle for at least "
			"%j of it]",
		.more = "why %T --at %a",
	},
	[RULE_IRQS_OFF] = {
		.name = "irqs-off",
		.what = "time with interrupts disabled",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(10),
		.needs = NEEDS("TIMER_HR_RUN_ENTRY", "PROCESS_CONTEXTSWITCH",
			       "INT_TIMER_ENTRY", "INT_TIMER_EXIT"),
		.text = "interrupts were disabled on CPU %c for %v[ while %t ran]",
		.more = "timer -c %c --over %u",
	},
	[RULE_IRQ_LONG] = {
		.name = "irq-long",
		.what = "handler of a hard interrupt",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(5),
		.flags = REPORT_ANY,
		.needs = NEEDS("INT_HARDWARE_ENTRY", "INT_TIMER_ENTRY", "INT_IPI_ENTRY"),
		.text = "interrupt %n took %v on CPU %c[, and interrupted %t]",
		.more = "print -r -c %c --since %b --until %e",
	},
	[RULE_SOFTIRQ_LONG] = {
		.name = "softirq-long",
		.what = "run of a softirq, without interrupts",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(20),
		.needs = NEEDS("INT_SOFTIRQ_ENTRY", "INT_SOFTIRQ_EXIT"),
		.text = "softirq %n took %v on CPU %c[, and interrupted %t]",
		.more = "print -r -c %c --since %b --until %e",
	},
	[RULE_TIMER_LATE] = {
		.name = "timer-late",
		.what = "delay of the function of a timer",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(10),
		.flags = REPORT_CPUS,
		.needs = NEEDS("TIMER_HR_RUN_ENTRY"),
		.text = "timer %n ran %v late on CPU %c[, which was %d]",
		.more = "timer -c %c --over %u",
	},
	[RULE_BLOCK_SLOW] = {
		.name = "block-slow",
		.what = "request to a block device",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(200),
		.needs = NEEDS("BLOCK_ISSUE", "BLOCK_COMPLETE"),
		.text = "%n took %v[, issued by %t]",
		.more = "block[ -p %N] --over %u",
	},
	[RULE_LOCK_WAIT] = {
		.name = "lock-wait",
		.what = "wait for a lock of the kernel",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(20),
		.needs = NEEDS("LOCK_CONTENTION_BEGIN", "LOCK_CONTENTION_END"),
		.text = "%t waited %v for a lock: %n[, in %d][, held by %o]",
		.more = "lock[ -p %N] --over %u",
	},
	[RULE_D_WAIT] = {
		.name = "d-wait",
		.what = "sleep that signals cannot interrupt",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(1000),
		.needs = NEEDS("PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP"),
		.text = "%t slept for %v, and signals could not interrupt it[, in %d]",
		.more = "why %T --at %a",
	},
	[RULE_CALL_SLOW] = {
		.name = "call-slow",
		.what = "sleep in a call that should not wait",
		.rank = RANK_DELAY,
		.unit = UNIT_TIME,
		.threshold = MS(500),
		.needs = NEEDS("SYSCALL_ENTRY", "SYSCALL_EXIT", "PROCESS_CONTEXTSWITCH",
			       "PROCESS_WAKEUP"),
		.text = "%t slept for %v in %n",
		.more = "why %T --at %a",
	},
	[RULE_ERRORS] = {
		.name = "errors",
		.what = "failures of a system call with one error",
		.rank = RANK_LOAD,
		.unit = UNIT_RATE,
		.threshold = 100,
		.needs = NEEDS("SYSCALL_ENTRY", "SYSCALL_EXIT"),
		.text = "%n failed %s times with %d[, last in %t]",
		.more = "syscall[ -p %N]",
	},
	[RULE_DROPS] = {
		.name = "drops",
		.what = "packets dropped for one reason",
		.rank = RANK_LOAD,
		.unit = UNIT_RATE,
		.threshold = 100,
		.flags = REPORT_RARE,
		.needs = NEEDS("NET_DROP"),
		.text = "%s packets were dropped: %n[, in %d]",
		.more = "net",
	},
	[RULE_MEM_GREW] = {
		.name = "mem-grew",
		.what = "memory allocated at one place, and not freed",
		.rank = RANK_LOAD,
		.unit = UNIT_BYTES,
		.threshold = 64 << 20,
		.flags = REPORT_ANY | REPORT_CPUS,
		.needs = NEEDS("MEM_KMALLOC", "MEM_CACHEALLOC", "MEM_VMALLOC"),
		.text = "%n allocated %v that were not freed",
		.more = "mem",
	},
	[RULE_IRQ_BUSY] = {
		.name = "irq-busy",
		.what = "share of a CPU for interrupts and softirqs",
		.rank = RANK_LOAD,
		.unit = UNIT_SHARE,
		.threshold = 300000,
		.flags = REPORT_ANY | REPORT_CPUS,
		.needs = NEEDS("INT_HARDWARE_ENTRY", "INT_TIMER_ENTRY", "INT_IPI_ENTRY",
			       "INT_SOFTIRQ_ENTRY"),
		.text = "CPU %c was in interrupts and softirqs for %v of the time",
		.more = "irq -c %c",
	},
	[RULE_IDLE_QUEUED] = {
		.name = "idle-queued",
		.what = "share idle while threads wait elsewhere",
		.rank = RANK_LOAD,
		.unit = UNIT_SHARE,
		.threshold = 200000,
		.flags = REPORT_CPUS,
		.needs = NEEDS("PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP"),
		.text = "CPU %c was idle for %v of the time while threads waited for other CPUs",
		.more = "cpu",
	},
};

static const char *const report_units[] = {
	[UNIT_TIME] = "a time: 250us, 20ms, 1.5s",
	[UNIT_SHARE] = "percent: 30 or 30%",
	[UNIT_COUNT] = "a number from 1 on",
	[UNIT_RATE] = "a number each second, from 1 on",
	[UNIT_BYTES] = "bytes, or with K, M or G: 16M",
};

/**
 * report_value() - format a value with its unit
 * @unit: unit
 * @value: value, not negative
 * @text: result
 *
 * Return: @text, which has three digits or more.
 */
const char *report_value(enum report_unit unit, int64_t value, char text[32])
{
	static const char *const bytes[] = { "bytes", "KB", "MB", "GB", "TB" };
	double real = (double)value;
	int scale = 0;

	switch (unit) {
	case UNIT_TIME:
		if (value < 1000)
			snprintf(text, 32, "%lld ns", (long long)value);
		else if (value < 1000000)
			snprintf(text, 32, "%.1f us", real / 1e3);
		else if (value < 10000000000)
			snprintf(text, 32, "%.*f ms", value < 100000000, real / 1e6);
		else
			snprintf(text, 32, "%.1f s", real / 1e9);
		break;
	case UNIT_SHARE:
		snprintf(text, 32, "%.1f %%", real / 1e4);
		break;
	case UNIT_COUNT:
		snprintf(text, 32, "%lld", (long long)value);
		break;
	case UNIT_RATE:
		snprintf(text, 32, "%lld/s", (long long)value);
		break;
	case UNIT_BYTES:
		for (; real >= 1024 && scale < 4; scale++)
			real /= 1024;
		snprintf(text, 32, "%.*f %s", scale && real < 100, real, bytes[scale]);
		break;
	}
	return text;
}

/* Convert a threshold. Returns false if it is not valid for the unit. */
static bool report_parse(enum report_unit unit, const char *name, const char *text, int64_t *value)
{
	const struct option_row number = { .kind = OPTION_NUMBER, .min = 1, .max = INT64_MAX };
	const struct option_row bytes = { .kind = OPTION_SIZE, .min = 1, .max = INT64_MAX };
	struct lkst_error err;
	double percent;
	uint64_t size;
	char *end;

	switch (unit) {
	case UNIT_TIME:
		return !lkst_span_parse(name, text, value, &err) && *value > 0;
	case UNIT_SHARE:
		percent = strtod(text, &end);
		*value = percent > 0 && percent <= 100 ? (int64_t)(percent * 1e4) : 0;
		return *value && end != text && (!*end || !strcmp(end, "%"));
	case UNIT_BYTES:
		if (option_take(&bytes, name, text, &size, &err))
			return false;
		*value = (int64_t)size;
		return true;
	default:
		return !option_take(&number, name, text, value, &err);
	}
}

static const char *report_name_at(void *ctx, size_t i)
{
	(void)ctx;
	return i < REPORT_RULES ? report_rules[i].name : NULL;
}

static int report_set_threshold(struct report *report, const char *word, struct lkst_error *err)
{
	size_t len = strcspn(word, "=");
	char name[64], text[256];
	const char *found[LKST_SUGGESTIONS_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)(len < 63 ? len : 63), word);
	for (int i = 0; i < REPORT_RULES; i++) {
		const struct report_rule *rule = &report_rules[i];

		if (strcmp(name, rule->name))
			continue;
		if (word[len] &&
		    report_parse(rule->unit, name, word + len + 1, &report->finding[i].threshold))
			return 0;
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_REPORT_VALUE, word, name,
			       report_units[rule->unit]);
		return -1;
	}
	len = lkst_suggest(name, report_name_at, NULL, REPORT_RULES, found);
	lkst_suggestions_text(found, len, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_REPORT_NAME, name, text);
	return -1;
}

/**
 * report_set_thresholds() - set all thresholds
 * @report: report
 * @words: arguments of --threshold
 * @err: set if one is invalid
 */
int report_set_thresholds(struct report *report, const struct option_words *words,
			  struct lkst_error *err)
{
	for (int i = 0; i < REPORT_RULES; i++)
		report->finding[i].threshold = report_rules[i].threshold;
	for (size_t i = 0; i < words->num; i++)
		if (report_set_threshold(report, words->word[i], err))
			return -1;
	return 0;
}

/**
 * report_list_thresholds() - print the thresholds if --thresholds is given
 * @own: struct report_arguments
 *
 * Return: whether it is given.
 */
bool report_list_thresholds(const void *own)
{
	char text[32];

	if (!((const struct report_arguments *)own)->thresholds)
		return false;
	for (int i = 0; i < REPORT_RULES; i++)
		printf("%-13s  %9s  %s\n", report_rules[i].name,
		       report_value(report_rules[i].unit, report_rules[i].threshold, text),
		       report_rules[i].what);
	return true;
}
