/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files of the module "functions": the tests, and macros that test one row of
 * the specification's tables of return values. The tests run with run_mutex held.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_maskset.h>

struct irq_work;
struct mutex;
struct seq_file;

#define CPU_MAX		NR_CPUS

#define OWN_ETYPE	0x1e0
#define OTHER_ETYPE	0x1e1
#define OWN_MASKSET	100

#define MARK	LKST_ETYPE_USER_MARK
#define LOG	LKST_EVHANDLER_ID_ENTRY_LOG
#define VOID	LKST_MASKSET_ID_VOID

/* A function that calls one of LKST's functions and returns its result. */
typedef int (*lkst_call)(void);

/*
 * The variables from run_mutex to function are defined in functions_state.c. run_mutex protects
 * them.
 */
struct snapshot {
	struct lkst_trc_status status;
	lkst_buffer_id write_buf[CPU_MAX];
	u32 masksets;
	u32 evhandlers;
};

#define MASKSETS_SIZE	LKST_MASKSET_LISTENT_SIZE(LKST_MASKSET_ID_MAX + 1)
#define EVHANDLERS_SIZE	LKST_EVHANDLER_LISTENT_SIZE(LKST_EVHANDLER_ID_MAX + 1)

extern struct mutex run_mutex;
extern struct seq_file *out;
extern struct lkst_maskset_body *body;
extern struct lkst_maskset_listent *masksets;
extern struct lkst_evhandler_listent *evhandlers;
extern struct snapshot before, after;

extern const char *function;

void __printf(2, 3) report(bool good, const char *what, ...);
void skip(const char *what, const char *why);
u64 address(const void *p);
int read_maskset(int id, u64 size, void *area);
int list_masksets(u64 size, void *area);
int list_evhandlers(u64 size, void *area);
struct lkst_trc_status get_status(void);
void take_snapshot(struct snapshot *snapshot);
const char *difference(const struct snapshot *a, const struct snapshot *b);
void finish_row(const char *what, int got, int want);
void finish_nomem(const char *what, int failed, int other);

/* Report a result: @what must be true of the function under test, and @good is whether it is. */
#define ok(good, what)	report(good, "%s: %s", function, what)

/*
 * Make a call and check its result. If an error is expected, also check that nothing has changed.
 */
#define ROW(want, what, call) do {				\
	int row_got;						\
								\
	take_snapshot(&before);					\
	row_got = (call);					\
	finish_row(what, row_got, want);			\
} while (0)

/*
 * Repeat a call: let its first allocation fail, then its second, and so on until the call finishes
 * without reaching the failing allocation. A call may succeed although an allocation fails.
 */
#ifdef CONFIG_FAULT_INJECTION
#define NOMEM(what, call, undo) do {				\
	int nth = 0, got, failed = 0, other = 0;		\
	bool reached = true;					\
								\
	take_snapshot(&before);					\
	while (reached && nth < 1000) {				\
		current->fail_nth = ++nth;			\
		got = (call);					\
		reached = !current->fail_nth;			\
		current->fail_nth = 0;				\
		if (got >= 0)					\
			undo;					\
		else if (got == -ENOMEM)			\
			failed++;				\
		else						\
			other = got;				\
	}							\
	finish_nomem(what, failed, other);			\
} while (0)
#else
#define NOMEM(what, call, undo)	skip(what, "this kernel has no fault injection")
#endif

/* functions_masksets.c */
int write_maskset(int id, const char *name, int etype, int handler);
void free_all_masksets(void);
void test_status(void);
void test_start_stop(void);
void test_maskset_read(void);
void test_maskset_write(void);
void test_masksets(void);

/* functions_handlers.c */
void test_evhandlers(void);
void test_register(void);
void test_no_evhandler_id(void);
void test_devices(void);

/* functions_buffers.c */
void free_all_buffers(void);
void test_buffer_read(void);
void test_buffers(void);
void test_buffer_limits(void);
void test_busy(void);
void test_etypes(void);

/* functions_contexts.c */
extern struct irq_work own_irq_work;

void test_atomic(void);

/* functions_main.c: the event handler "functions", and a way to make a call in it */
extern int own_handler;

void own_evhandler(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		   lkst_arg_t log_arg3, lkst_arg_t log_arg4);
int own_ctrl(void *buf, size_t bufsize);
int in_event_handler(lkst_call call);

#endif
