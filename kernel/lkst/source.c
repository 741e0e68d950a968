// SPDX-License-Identifier: GPL-2.0
/*
 * Where events come from: a masked event is off at the source. Its tracepoint has no
 * probe of LKST's, and costs what it costs without LKST; its hooks are no-ops.
 */
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_hook.h>

#include "buffer.h"
#include "etype.h"
#include "event.h"
#include "maskset.h"
#include "source.h"
#include "static_buffer.h"

/* What nothing has to be turned on for. */
static struct lkst_source lkst_sources_own[] = {
	LKST_SOURCE_ON_REQUEST(dump, LKST_ETYPE_PROCESS_STATE),
	LKST_SOURCE_ON_REQUEST(user, LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_TEXT),
	{}
};

static struct lkst_source *const lkst_source_lists[] = {
	lkst_sources_own,
	lkst_sources_sched,
	lkst_sources_irq,
#ifdef CONFIG_X86_LOCAL_APIC
	lkst_sources_irq_x86,
#endif
#ifdef CONFIG_X86
	lkst_sources_exception_x86,
#endif
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
	lkst_sources_syscall,
#endif
	lkst_sources_mm,
#if !defined(CONFIG_LKST_HOOKS) && defined(CONFIG_KRETPROBES)
#ifdef CONFIG_HAVE_FUNCTION_ARG_ACCESS_API
	lkst_sources_vmalloc,
#endif
#if defined(CONFIG_PRINTK) && (defined(CONFIG_X86_64) || defined(CONFIG_ARM64))
	lkst_sources_printk,
#endif
#endif
#ifdef CONFIG_NET
	lkst_sources_net,
#endif
#ifdef CONFIG_SYSVIPC
	lkst_sources_ipc,
#endif
	lkst_sources_lock,
	lkst_sources_timer,
#ifdef CONFIG_BLOCK
	lkst_sources_block,
#endif
	lkst_sources_oops,
#ifdef CONFIG_X86_MCE
	lkst_sources_oops_x86,
#endif
	lkst_sources_cpu,
	lkst_sources_work,
#ifdef CONFIG_PRINTK
	lkst_sources_kmsg_dump,
#endif
};

/* By event type; NULL: it has none. Protected by lkst_source_mutex */
static struct hook *lkst_source_hooks[LKST_ETYPE_NUM] = {
#ifdef CONFIG_LKST_HOOKS
#define LKST_ETYPE_DEF(number, hook, mnemonic, ...)					\
	[number] = __LKST_HOOK_ADDRESS_##hook(LKST_ETYPE_##mnemonic##_HEADER),
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF
#endif
};

/* Those that are not NULL: few of so many, and each switch goes through them. Likewise. */
static DECLARE_BITMAP(lkst_source_hooked, LKST_ETYPE_NUM);

static DEFINE_MUTEX(lkst_source_mutex);
static bool lkst_source_late_allowed;	/* protected by lkst_source_mutex */

#define for_each_lkst_source(list, source)						\
	for (list = 0; list < ARRAY_SIZE(lkst_source_lists); list++)			\
		for (source = lkst_source_lists[list]; source->kind; source++)

static bool lkst_source_serves(const struct lkst_source *source, int etype)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(source->etypes); i++)
		if (etype && source->etypes[i] == etype)
			return true;
	return false;
}

static void lkst_source_match(struct tracepoint *tp, void *unused)
{
	struct lkst_source *source;
	unsigned int list;

	for_each_lkst_source(list, source)
		if (source->probe && !strcmp(source->name, tp->name))
			source->tp = tp;
}

#if !defined(CONFIG_LKST_HOOKS) && defined(CONFIG_KRETPROBES)
/*
 * How much the way from a function to its probe has added to the preempt count, less what being
 * off on behalf of LKST is. That is another thing on each architecture, and in each kernel: to x86
 * a breakpoint is an NMI, with interrupts off; others, and ftrace, disable preemption.
 */
static int lkst_function_count __ro_after_init;

static int lkst_function_begins(struct kprobe *probe, struct pt_regs *regs)
{
	struct lkst_function *function = container_of(probe, struct lkst_function, probe.kp);

	/* Preemption stays off: the rest of the count is the function's own. */
	__preempt_count_sub(lkst_function_count);
	function->begins(regs);
	__preempt_count_add(lkst_function_count);
	return 0;
}

/*
 * Who has one keeps its breakpoint: it does not become a jump at some time, to which the count is
 * another one. Functions that ftrace can trace have no breakpoint.
 */
static void lkst_function_began(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static bool lkst_function_register_begin(struct kprobe *probe)
{
	if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE))
		probe->post_handler = lkst_function_began;
	return !register_kprobe(probe);
}

/* What the last registration has left there is in the way of the next one. */
static bool lkst_function_register(struct lkst_source *source)
{
	struct lkst_function *function = source->function;

	function->probe.kp = (struct kprobe) { .symbol_name = source->name };
	function->probe.nmissed = 0;
	if (!function->begins)
		return !register_kretprobe(&function->probe);
	function->probe.kp.pre_handler = lkst_function_begins;
	return lkst_function_register_begin(&function->probe.kp);
}

/* What was missed: calls within a probe, or while too many others had not returned. */
static void lkst_function_unregister(struct lkst_source *source)
{
	struct lkst_function *function = source->function;

	if (function->begins)
		unregister_kprobe(&function->probe.kp);
	else
		unregister_kretprobe(&function->probe);
	this_cpu_add(lkst_buffer_lost, function->probe.kp.nmissed + function->probe.nmissed);
}

/* The task that measures, and the least that it finds: an interrupt may call the same function. */
static struct task_struct *lkst_function_measures;
static unsigned int lkst_function_measured;

static int lkst_function_measure(struct kprobe *probe, struct pt_regs *regs)
{
	if (current == READ_ONCE(lkst_function_measures))
		lkst_function_measured = min_t(unsigned int, lkst_function_measured,
					       preempt_count());
	return 0;
}

/* With a function that does nothing then, and may be called here, where the count is 0. */
static void __init lkst_function_find_count(void)
{
	struct kprobe probe = { .symbol_name = "vfree", .pre_handler = lkst_function_measure };

	lkst_function_measured = UINT_MAX;
	WRITE_ONCE(lkst_function_measures, current);
	if (!lkst_function_register_begin(&probe))
		return;
	vfree(NULL);
	unregister_kprobe(&probe);
	if (lkst_function_measured != UINT_MAX)
		lkst_function_count = (int)lkst_function_measured - (int)PREEMPT_DISABLE_OFFSET;
}

/* Whether a function can be probed shows when it is. */
static void __init lkst_source_find_functions(void)
{
	struct lkst_source *source;
	unsigned int list;

	lkst_function_find_count();
	for_each_lkst_source(list, source) {
		if (!source->function || !lkst_function_register(source))
			continue;
		lkst_function_unregister(source);
		source->probed = true;
	}
}
#else
static bool lkst_function_register(struct lkst_source *source)
{
	return false;
}

static void lkst_function_unregister(struct lkst_source *source)
{
}

static void __init lkst_source_find_functions(void)
{
}
#endif

/*
 * Find the tracepoints, by name, as many of them are not exported to modules; the functions, and
 * the hooks.
 */
void __init lkst_source_init(void)
{
	int etype;

	for_each_kernel_tracepoint(lkst_source_match, NULL);
	lkst_source_find_functions();
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_source_hooks[etype])
			__set_bit(etype, lkst_source_hooked);
}

/* There are processes now: the next lkst_source_enable() takes the late sources, too. */
void __init lkst_source_allow_late(void)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_late_allowed = true;
	mutex_unlock(&lkst_source_mutex);
}

/* A module brings a hook for its event type. */
void lkst_source_add_hook(int etype, struct hook *hook)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_hooks[etype] = hook;
	__set_bit(etype, lkst_source_hooked);
	mutex_unlock(&lkst_source_mutex);
}

/* The module takes it away again; no maskset records the type any more. */
void lkst_source_remove_hook(int etype)
{
	mutex_lock(&lkst_source_mutex);
	if (lkst_source_hooks[etype])
		static_branch_disable(&lkst_source_hooks[etype]->key);
	lkst_source_hooks[etype] = NULL;
	__clear_bit(etype, lkst_source_hooked);
	mutex_unlock(&lkst_source_mutex);
}

/* A tracepoint or a function may be missing in this kernel. */
static bool lkst_source_usable(const struct lkst_source *source)
{
	return source->function ? source->probed : !source->probe || source->tp;
}

/**
 * lkst_source_present() - whether an event can occur on this kernel
 * @etype: a registered event type
 *
 * One that has several sources needs one of them. What LKST itself records is always there, and so
 * is what modules have registered.
 */
bool lkst_source_present(int etype)
{
	struct lkst_source *source;
	unsigned int list;

	if (etype == LKST_ETYPE_LKST_KERNEL_DUMP && !IS_ENABLED(CONFIG_PRINTK))
		return false;
	if (etype >= LKST_ETYPE_USER_MIN)
		return true;
	for_each_lkst_source(list, source)
		if (lkst_source_serves(source, etype) && lkst_source_usable(source))
			return true;
	return false;
}

/* An event's sources, as /proc/lkst_etypes has them: those that are there, separated by commas. */
void lkst_source_show(struct seq_file *m, int etype)
{
	struct lkst_source *source;
	const char *comma = "";
	unsigned int list;

	if (etype >= LKST_ETYPE_LKST_MIN) {
		seq_puts(m, "lkst");
		comma = ",";
	}
	for_each_lkst_source(list, source) {
		if (!lkst_source_serves(source, etype) || !lkst_source_usable(source))
			continue;
		seq_printf(m, "%s%s", comma, source->kind);
		if (source->name)
			seq_printf(m, ":%s", source->name);
		comma = ",";
	}
	if (!*comma)
		seq_putc(m, '-');
}

static bool lkst_source_wanted(const struct lkst_source *source,
			       const struct lkst_maskset *maskset)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(source->etypes); i++)
		if (source->etypes[i] && maskset->handler[source->etypes[i]])
			return true;
	return false;
}

/* Whether there is something to be turned on and off. */
static bool lkst_source_has_probe(const struct lkst_source *source)
{
	return source->tp || source->probed;
}

static bool lkst_source_register(struct lkst_source *source)
{
	if (source->tp)
		return !tracepoint_probe_register(source->tp, source->probe, NULL);
	return lkst_function_register(source);
}

static void lkst_source_unregister(struct lkst_source *source)
{
	if (source->tp)
		tracepoint_probe_unregister(source->tp, source->probe, NULL);
	else
		lkst_function_unregister(source);
}

static void lkst_source_enable_probes(const struct lkst_maskset *maskset)
{
	struct lkst_source *source;
	unsigned int list;

	for_each_lkst_source(list, source) {
		if (!lkst_source_has_probe(source) || source->on ||
		    !lkst_source_wanted(source, maskset))
			continue;
		if (source->late && !lkst_source_late_allowed)
			continue;
		source->on = lkst_source_register(source);
		if (!source->on)
			lkst_error(LKST_ERROR_SOURCE, source->etypes[0]);
	}
}

static void lkst_source_disable_probes(const struct lkst_maskset *maskset,
				       const struct lkst_maskset *next)
{
	struct lkst_source *source;
	unsigned int list;

	for_each_lkst_source(list, source) {
		if (!source->on || lkst_source_wanted(source, maskset) ||
		    lkst_source_wanted(source, next))
			continue;
		lkst_source_unregister(source);
		source->on = false;
	}
}

/* Turn hooks on that are wanted, or off that are not. Those that are as they should be stay. */
static void lkst_source_switch_hooks(const struct lkst_maskset *maskset,
				     const struct lkst_maskset *next, bool on)
{
	int etype;

	for_each_set_bit(etype, lkst_source_hooked, LKST_ETYPE_NUM) {
		bool wanted = maskset->handler[etype] != LKST_EVHANDLER_ID_NONE ||
			      next->handler[etype] != LKST_EVHANDLER_ID_NONE;
		struct hook *hook = lkst_source_hooks[etype];

		if (wanted != on || static_key_enabled(&hook->key) == on)
			continue;
		if (on)
			static_branch_enable(&hook->key);
		else
			static_branch_disable(&hook->key);
	}
}

/**
 * lkst_source_enable() - turn on what a maskset records
 * @maskset: about to be selected
 *
 * In the order of the lists: a probe that another one depends on stands before it.
 *
 * Context: may sleep.
 */
void lkst_source_enable(const struct lkst_maskset *maskset)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_enable_probes(maskset);
	lkst_source_switch_hooks(maskset, maskset, true);
	mutex_unlock(&lkst_source_mutex);
}

/**
 * lkst_source_disable() - turn off what neither of two masksets records
 * @maskset: is selected
 * @next: about to be selected, or the same
 *
 * Events of these sources may still be under way.
 *
 * Context: may sleep.
 */
void lkst_source_disable(const struct lkst_maskset *maskset, const struct lkst_maskset *next)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_disable_probes(maskset, next);
	lkst_source_switch_hooks(maskset, next, false);
	mutex_unlock(&lkst_source_mutex);
}
