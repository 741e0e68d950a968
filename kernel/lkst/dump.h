/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The newest events on the console: SysRq-L and panic.
 */
#ifndef _LKST_DUMP_H
#define _LKST_DUMP_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/lkst_buffer.h>

/**
 * struct lkst_console_entry - an event to be printed
 * @record: what was recorded
 * @ns: when, in ns as the kernel's messages have it
 * @order: in ns: never later than that of the next entry of the CPU
 * @back: how many entries of the CPU come after it
 * @cpu: where
 * @comm: name of the thread, empty if it has gone
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
 * The most events that are printed at once, of all CPUs: they leave room in the kernel's log for
 * what it has to say itself, and are through a serial line in a few seconds.
 */
#define LKST_CONSOLE_MAX		512

/**
 * struct lkst_dump - what is being printed
 * @owner: for whom
 * @want: how many events of each CPU
 * @etypes: bitmap of the event types
 * @entries: those that were copied, in order
 * @num: how many
 * @share: the most of each CPU
 * @looks: how many records of each CPU are looked at for them
 * @cut: on how many CPUs these were not enough
 * @counter: of the architecture, at the same moment as
 * @now: time in ns as the kernel's messages have it
 */
struct lkst_dump {
	int owner;
	unsigned int want;
	const unsigned long *etypes;
	struct lkst_console_entry *entries;
	unsigned int num;
	unsigned int share;
	unsigned long looks;
	unsigned int cut;
	u64 counter;
	s64 now;
};

bool lkst_console_owned(const struct lkst_dump *dump);
void lkst_console_gather(struct lkst_dump *dump);

/* As long as a line of events gets without being cut. */
#define LKST_CONSOLE_LINE_SIZE	400

void lkst_console_comm(char *comm, pid_t thread);
void lkst_console_line(char *line, size_t size, const struct lkst_console_entry *entry);

int lkst_console_words(const char *words, unsigned long *etypes);

void lkst_dump_panicking(void);
void lkst_console_register_panic(void);
void lkst_console_unregister_panic(void);
int lkst_console_register_sysrq(void);
void lkst_console_unregister_sysrq(void);

#endif
