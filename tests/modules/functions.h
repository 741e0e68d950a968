/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files of the module "functions". The tests run with run_mutex held, which
 * protects @out, @before and @after.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <linux/types.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

struct irq_work;
struct seq_file;

#define OWN_ETYPE	0x1e0

/* A function that calls one of LKST's functions and returns its result. */
typedef int (*lkst_call)(void);

/* functions_state.c */

struct snapshot {
	struct lkst_trc_status status;
	lkst_buffer_id write_buf[NR_CPUS];
	u32 masksets;
	u32 evhandlers;
};

extern struct seq_file *out;
extern struct snapshot before, after;

int alloc_lists(void);
void free_lists(void);
void __printf(2, 3) report(bool good, const char *format, ...);
struct lkst_trc_status get_status(void);
void take_snapshot(struct snapshot *snapshot);
bool has_changed(const struct snapshot *a, const struct snapshot *b);

static inline u64 address(const void *p)
{
	return (unsigned long)p;
}

/* functions_calls.c */
void test_calls(void);
void test_busy(void);

/* functions_contexts.c */
extern struct irq_work own_irq_work;

void test_atomic(void);

/* functions_main.c: the event handler "functions", and a way to make a call in it */
extern int own_handler;

void own_evhandler(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		   lkst_arg_t log_arg3, lkst_arg_t log_arg4);
int in_event_handler(lkst_call call);

#endif
