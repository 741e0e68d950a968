/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where events come from, and turning that on and off.
 */
#ifndef _LKST_SOURCE_H
#define _LKST_SOURCE_H

#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

struct hook;
struct lkst_maskset;
struct seq_file;

/**
 * struct lkst_function - what is done when a function of the kernel is called
 * @begins: called when it begins, in its context, but that preemption is off on behalf of LKST;
 *	NULL: @probe says what is done
 * @probe: called when it begins, and when it returns. In use while the source is on
 */
struct lkst_function {
	void (*begins)(struct pt_regs *regs);
	struct kretprobe probe;
};

/* Where it was called from, of a function that begins; 0: not known. */
static inline unsigned long lkst_function_caller(struct pt_regs *regs)
{
#if defined(CONFIG_X86)
	return regs_get_kernel_stack_nth(regs, 0);
#elif defined(CONFIG_ARM64)
	return procedure_link_pointer(regs);
#else
	return 0;
#endif
}

/* The most event types that one source may be needed for. */
#define LKST_SOURCE_ETYPES	8

/**
 * struct lkst_source - where event types come from
 * @kind: the word for it: "tp", "hook", "notifier", ...
 * @name: of the tracepoint or notifier chain; NULL: the word says it all
 * @probe: called by the tracepoint; NULL: this is none
 * @function: of the kernel, @name is its; NULL: this is none. Without it and @probe, LKST turns
 *	nothing on
 * @etypes: event types that need it; the unused ones are 0
 * @late: turned on by marking each process, which the first one has to be there for
 * @checked: the compiler saw that @probe fits the tracepoint
 * @tp: the tracepoint, once it was found; NULL: this kernel has none
 * @probed: the kernel has @function, and lets it be probed
 * @on: the probe is registered. Protected by lkst_source_mutex
 */
struct lkst_source {
	const char *kind;
	const char *name;
	void *probe;
	struct lkst_function *function;
	u16 etypes[LKST_SOURCE_ETYPES];
	bool late;
	size_t checked;
	struct tracepoint *tp;
	bool probed;
	bool on;
};

/*
 * A tracepoint's prototype changes between kernels: a probe that does not fit must not
 * compile.
 */
#define __LKST_SOURCE(_tracepoint, _probe, _late, ...) {				\
	.kind = "tp",									\
	.name = #_tracepoint,								\
	.probe = (_probe),								\
	.etypes = { __VA_ARGS__ },							\
	.late = (_late),								\
	.checked = sizeof((check_trace_callback_type_##_tracepoint(_probe), 1)),	\
}

#define LKST_SOURCE(tracepoint, probe, ...)						\
	__LKST_SOURCE(tracepoint, probe, false, __VA_ARGS__)
#define LKST_SOURCE_LATE(tracepoint, probe, ...)					\
	__LKST_SOURCE(tracepoint, probe, true, __VA_ARGS__)

/*
 * An LKST_HOOK that is compiled into this kernel; static keys turn it on and off. A hook type that
 * is in no list has no trace point here. A stock kernel has none.
 */
#ifdef CONFIG_LKST_HOOKS
#define LKST_SOURCE_HOOK(...)		{ .kind = "hook", .etypes = { __VA_ARGS__ } }
#else
#define LKST_SOURCE_HOOK(...)		{ .kind = "hook" }
#endif

/*
 * A function of the kernel's, where that has no trace point. For functions that take much longer
 * than a kprobe does.
 */
#define LKST_SOURCE_FUNCTION(_name, _function, ...)					\
	{ .kind = "kprobe", .name = (_name), .function = (_function), .etypes = { __VA_ARGS__ } }

/*
 * A notifier chain, which LKST is always on: its callback costs nothing until something happens
 * that is rare, and asks the maskset then.
 */
#define LKST_SOURCE_NOTIFIER(chain, ...)						\
	{ .kind = "notifier", .name = #chain, .etypes = { __VA_ARGS__ } }

/* Recorded when somebody asks for it: a word for who that is. */
#define LKST_SOURCE_ON_REQUEST(word, ...)	{ .kind = #word, .etypes = { __VA_ARGS__ } }

/* Recorded along with other events, when these are. */
#define LKST_SOURCE_WITH(other, ...)							\
	{ .kind = "with", .name = #other, .etypes = { __VA_ARGS__ } }

/* One list of sources per file in hooks/, ended by an empty entry. */
extern struct lkst_source lkst_sources_sched[];
extern struct lkst_source lkst_sources_irq[];
extern struct lkst_source lkst_sources_irq_x86[];
extern struct lkst_source lkst_sources_exception_x86[];
extern struct lkst_source lkst_sources_syscall[];
extern struct lkst_source lkst_sources_mm[];
extern struct lkst_source lkst_sources_vmalloc[];
extern struct lkst_source lkst_sources_printk[];
extern struct lkst_source lkst_sources_net[];
extern struct lkst_source lkst_sources_ipc[];
extern struct lkst_source lkst_sources_lock[];
extern struct lkst_source lkst_sources_timer[];
extern struct lkst_source lkst_sources_block[];
extern struct lkst_source lkst_sources_oops[];
extern struct lkst_source lkst_sources_oops_x86[];
extern struct lkst_source lkst_sources_cpu[];
extern struct lkst_source lkst_sources_work[];
extern struct lkst_source lkst_sources_kmsg_dump[];

/* Sources that are started once, and stay. */
void lkst_oops_start(void);
void lkst_oops_stop(void);
int lkst_cpu_start(void);
void lkst_cpu_stop(void);
#ifdef CONFIG_PRINTK
int lkst_kmsg_dump_start(void);
void lkst_kmsg_dump_stop(void);
#else
static inline int lkst_kmsg_dump_start(void) { return 0; }
static inline void lkst_kmsg_dump_stop(void) { }
#endif

void lkst_source_init(void);
void lkst_source_allow_late(void);
void lkst_source_add_hook(int etype, struct hook *hook);
void lkst_source_remove_hook(int etype);
bool lkst_source_present(int etype);
void lkst_source_show(struct seq_file *m, int etype);
void lkst_source_enable(const struct lkst_maskset *maskset);
void lkst_source_disable(const struct lkst_maskset *maskset, const struct lkst_maskset *next);

#endif
