/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event sources: where events come from, and how they are turned on and off.
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
 * struct lkst_function - the probe of a kernel function
 * @begins: called at the start of the function, in its context except that
 *	preemption is off; NULL if @probe has its own handlers
 * @probe: the kretprobe on the function, registered while the source is on. If
 *	@begins is set, only the kprobe in @probe is used
 */
struct lkst_function {
	void (*begins)(struct pt_regs *regs);
	struct kretprobe probe;
};

/*
 * Return the address to which a function that has just been entered will
 * return, or 0 if it is unknown.
 */
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

/* Maximum number of event types per source, see struct lkst_source */
#define LKST_SOURCE_ETYPES	8

/**
 * struct lkst_source - a source of events
 * @kind: word shown to users: "tp", "hook", "notifier", ...
 * @name: name of the tracepoint, function or notifier chain, or NULL. For a
 *	hook, the tracepoint that it replaces
 * @probe: called by the tracepoint; NULL if the source is not a tracepoint
 * @function: the probe of the kernel function @name; NULL if the source is not
 *	a function. If @function and @probe are both NULL, there is no probe to
 *	turn on
 * @etypes: event types that need this source; unused entries are 0
 * @late: whether the source can be turned on only when there are processes,
 *	because the kernel turns it on by marking each of them
 * @prepare: allocates what the probe needs, before it is registered; may sleep.
 *	Returns whether it was successful. NULL if there is nothing to do
 * @checked: not used; its initializer makes the compiler check that @probe fits
 *	the tracepoint
 * @tp: the tracepoint, or NULL if this kernel lacks it
 * @probed: whether this kernel has the function, and can probe it
 * @on: whether the probe is registered; protected by lkst_source_mutex
 */
struct lkst_source {
	const char *kind;
	const char *name;
	void *probe;
	struct lkst_function *function;
	u16 etypes[LKST_SOURCE_ETYPES];
	bool late;
	bool (*prepare)(void);
	size_t checked;
	struct tracepoint *tp;
	bool probed;
	bool on;
};

/*
 * The prototype of a tracepoint may change between kernels. The compiler must
 * reject a probe that does not match it.
 */
#define __LKST_SOURCE(_tracepoint, _probe, _late, _prepare, ...) {			\
	.kind = "tp",									\
	.name = #_tracepoint,								\
	.probe = (_probe),								\
	.etypes = { __VA_ARGS__ },							\
	.late = (_late),								\
	.prepare = (_prepare),								\
	.checked = sizeof((check_trace_callback_type_##_tracepoint(_probe), 1)),	\
}

#define LKST_SOURCE(tracepoint, probe, ...)						\
	__LKST_SOURCE(tracepoint, probe, false, NULL, __VA_ARGS__)
#define LKST_SOURCE_LATE(tracepoint, probe, ...)					\
	__LKST_SOURCE(tracepoint, probe, true, NULL, __VA_ARGS__)
#define LKST_SOURCE_PREPARED(tracepoint, probe, prepare, ...)				\
	__LKST_SOURCE(tracepoint, probe, true, prepare, __VA_ARGS__)

/*
 * An LKST_HOOK compiled into the kernel, and turned on by a static key. Without
 * CONFIG_LKST_HOOKS, the kernel has no hooks, so the list of event types is
 * empty. Event types that have no other source are then absent.
 */
#ifdef CONFIG_LKST_HOOKS
#define LKST_SOURCE_HOOK(...)		{ .kind = "hook", .etypes = { __VA_ARGS__ } }
#else
#define LKST_SOURCE_HOOK(...)		{ .kind = "hook" }
#endif

/*
 * LKST_HOOKs next to a tracepoint and on the fast path, which bypasses the
 * tracepoint.
 */
#define LKST_SOURCE_HOOK_AT(tracepoint, ...)						\
	{ .kind = "hook", .name = #tracepoint, .etypes = { __VA_ARGS__ } }

/*
 * A kprobe on a kernel function that has no tracepoint. The function must take
 * much longer than the kprobe itself.
 */
#define LKST_SOURCE_FUNCTION(_name, _function, _prepare, ...)				\
	{ .kind = "kprobe", .name = (_name), .function = (_function),			\
	  .prepare = (_prepare), .etypes = { __VA_ARGS__ } }

/*
 * A notifier chain in which LKST is always registered. The callback costs
 * nothing until a rare event happens, and then checks the maskset.
 */
#define LKST_SOURCE_NOTIFIER(chain, ...)						\
	{ .kind = "notifier", .name = #chain, .etypes = { __VA_ARGS__ } }

/* Events recorded on request. @word names the kind of request. */
#define LKST_SOURCE_ON_REQUEST(word, ...)	{ .kind = #word, .etypes = { __VA_ARGS__ } }

/* Events that are recorded together with another event, @other. */
#define LKST_SOURCE_WITH(other, ...)							\
	{ .kind = "with", .name = #other, .etypes = { __VA_ARGS__ } }

/* One list of sources per file in probes/, each ended by an empty entry. */
extern struct lkst_source lkst_sources_sched[];
extern struct lkst_source lkst_sources_irq[];
extern struct lkst_source lkst_sources_irq_x86[];
extern struct lkst_source lkst_sources_exception_x86[];
extern struct lkst_source lkst_sources_syscall[];
extern struct lkst_source lkst_sources_path[];
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
extern struct lkst_source lkst_sources_stack[];

/*
 * lkst_oops_panic_stops() returns whether LKST stops recording when the kernel
 * panics. The other functions start and stop the sources that stay on while
 * LKST is loaded.
 */
bool lkst_oops_panic_stops(void);
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

/* Free what a source's prepare() has allocated, after all probes have ended. */
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
void lkst_path_end(void);
#else
static inline void lkst_path_end(void) { }
#endif
#if !defined(CONFIG_LKST_HOOKS) && defined(CONFIG_KRETPROBES) && defined(CONFIG_PRINTK) && \
	(defined(CONFIG_X86_64) || defined(CONFIG_ARM64))
void lkst_printk_end(void);
#else
static inline void lkst_printk_end(void) { }
#endif

/**
 * struct lkst_source_client - functions for events of programs, and for added
 *	events
 * @enable: attaches the probes of the added events that a maskset records. Like
 *	@disable, it is called by the worker that turns sources on and off, and
 *	must not wait for a lock that is held while masksets are changed
 * @disable: detaches the probes of the added events that neither maskset needs
 * @selected: called after the selected maskset has changed, by the worker that
 *	turns sources on and off. Must not wait for programs, nor for a lock
 *	that is held while masksets are changed
 *
 * There is one client, user/registry.c.
 */
struct lkst_source_client {
	void (*enable)(const struct lkst_maskset *maskset);
	void (*disable)(const struct lkst_maskset *maskset, const struct lkst_maskset *next);
	void (*selected)(void);
};

extern const struct lkst_source_client lkst_source_client;

void lkst_source_init(void);
void lkst_source_allow_late(void);
void lkst_source_add_hook(int etype, struct hook *hook);
void lkst_source_remove_hook(int etype);
bool lkst_source_present(int etype);
void lkst_source_show(struct seq_file *m, int etype);
void lkst_source_enable(const struct lkst_maskset *maskset);
void lkst_source_disable(const struct lkst_maskset *maskset, const struct lkst_maskset *next);

#endif
