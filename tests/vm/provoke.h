/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests that provoke exactly N events of their own and must find exactly N. What identifies them is
 * a thread, an address or a number that others do not have, so it does not matter what else
 * happens in the machine.
 */
#ifndef PROVOKE_H
#define PROVOKE_H

#include "modules.h"
#include "proc_etypes.h"

/**
 * struct test - something that provokes events
 * @name: what
 * @etypes: event types that are recorded meanwhile, as in /proc/lkst_etypes, with blanks between
 * @run: provokes them and says with expect() how many there must be of each of @etypes
 * @once: do not run it with everything masked, too, where nothing may be found: it takes long, or
 *	can be done only once
 */
struct test {
	const char *name;
	const char *etypes;
	void (*run)(void);
	bool once;
};

/* Each ended by an empty one. */
extern const struct test trap_tests[], fault_tests[], ipc_tests[], module_tests[], lock_tests[],
	machine_tests[], trouble_tests[];

/* Event types that one test may record, events that one test may expect. */
#define WANTS_MAX  16
#define EXPECTS_MAX 32

/**
 * struct look - what the records look like that count
 * @arg: their arguments, and
 * @mask: what of these matters
 * @thread: who was running; 0: anybody
 * @code: this argument, 1 to 4, is an address in the test module or the sample; 0: none
 * @in_interrupt: recorded in a hard interrupt, softirq or NMI
 * @preemptible: recorded in none, with preemption on
 */
struct look {
	uint64_t arg[4];
	uint64_t mask[4];
	uint32_t thread;
	int code;
	bool in_interrupt;
	bool preemptible;
};

#define ARG(n, value)	     .arg[(n)-1] = (uint64_t)(value), .mask[(n)-1] = UINT64_MAX
#define PART(n, bits, value) .arg[(n)-1] = (value) & (bits), .mask[(n)-1] = (bits)
#define LOW(n, value)	     PART(n, UINT32_MAX, (uint32_t)(value))
#define HIGH(n, value)	     PART(n, (uint64_t)UINT32_MAX << 32, (uint64_t)(value) << 32)
#define BOTH(n, high, low)   ARG(n, (uint64_t)(high) << 32 | (uint32_t)(low))

/* So many records of that type, and no more, must look like this. */
#define expect(count, etype, ...) expect_look(count, etype, &(struct look){ __VA_ARGS__ })

void expect_look(unsigned int count, const char *etype, const struct look *look);

/* This machine cannot do it: the test is skipped. */
void cannot(const char *why);

/* The first bytes of a text, as an argument has them. */
static inline uint64_t text8(const char *text)
{
	uint64_t word = 0;

	memcpy(&word, text, strnlen(text, sizeof(word)));
	return word;
}

static inline uint32_t gettid_own(void)
{
	return syscall(SYS_gettid);
}

/* The module */

#define PROVOKE_VALUES 4

/* What it did it with: addresses; see tests/modules/provoke.c. */
struct values {
	uint64_t at[PROVOKE_VALUES];
};

/* Has the test module do something @count times. */
struct values ask(const char *what, unsigned int count);

/* Reads a file with such values. */
struct values read_values(const char *path);

/* In a process of its own on the other CPU, which is the one that a test is not on. */
pid_t in_child(void (*func)(void));

/* What waitpid() says. */
int wait_for(pid_t pid);

#endif
