/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The console dump, which prints the newest events on SysRq-L and on a panic.
 */
#ifndef _LKST_CONSOLE_H
#define _LKST_CONSOLE_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/lkst_buffer.h>

/**
 * struct lkst_console_entry - an event to be printed
 * @record: copy of the record
 * @ns: time of the event in ns, on the clock of the kernel's messages
 * @order: sort key in ns; never greater than the sort key of the next newer
 *	entry of the same CPU
 * @back: number of newer entries of the same CPU
 * @cpu: CPU that recorded the event
 * @comm: name of the thread, empty if it has exited
 */
struct lkst_console_entry {
	struct lkst_event_record record;
	s64 ns;
	s64 order;
	unsigned int back;
	int cpu;
	char comm[TASK_COMM_LEN];
};

/*
 * Maximum number of events in one console dump, for all CPUs together. A dump
 * of this size leaves room in the kernel's log for the kernel's own messages,
 * and a serial line transmits it in a few seconds.
 */
#define LKST_CONSOLE_MAX		512

/*
 * Maximum number of events of the long rings in one console dump: of each CPU,
 * and of all CPUs together.
 */
#define LKST_CONSOLE_LONG		10
#define LKST_CONSOLE_LONG_MAX		128

/**
 * struct lkst_console - a console dump
 * @owner: CPU number, or LKST_CONSOLE_PANIC
 * @requested: number of events per CPU that the user requests
 * @etypes: bitmap of the event types to print; without LKST_MORE
 * @entries: entries to print, oldest first
 * @num: number of entries
 * @share: maximum number of entries of each CPU: @requested, or less if there
 *	are many CPUs
 * @examined_max: maximum number of records to examine per CPU
 * @cut: number of CPUs on which @examined_max was not enough
 * @counter: value of the CPU's counter, read together with @now
 * @now: time in ns, on the clock of the kernel's messages
 */
struct lkst_console {
	int owner;
	unsigned int requested;
	const unsigned long *etypes;
	struct lkst_console_entry *entries;
	unsigned int num;
	unsigned int share;
	unsigned long examined_max;
	unsigned int cut;
	u64 counter;
	s64 now;
};

bool lkst_console_owned(const struct lkst_console *dump);
void lkst_console_gather(struct lkst_console *dump);
void lkst_console_gather_long(struct lkst_console *dump);

/* Size in bytes of the buffer for a line. Longer lines are cut off. */
#define LKST_CONSOLE_LINE_SIZE	400

void lkst_console_comm(char *comm, pid_t thread);
void lkst_console_line(char *line, size_t size, const struct lkst_console_entry *entry);

int lkst_console_words(const char *option, const char *words, unsigned long *etypes);

void lkst_console_register_panic(void);
void lkst_console_unregister_panic(void);
int lkst_console_register_sysrq(void);
void lkst_console_unregister_sysrq(void);

#endif
