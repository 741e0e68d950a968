// SPDX-License-Identifier: GPL-2.0
/*
 * Event sources. While the current maskset masks an event, LKST turns off the
 * source of the event: it attaches no probe to the event's tracepoint, which
 * then costs no more than without LKST, and makes the event's hooks no-ops.
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

#include "../buffer/buffer.h"
#include "etype.h"
#include "../dispatch/event.h"
#include "../dispatch/maskset.h"
#include "source.h"
#include "../memory/static_buffer.h"

/* Sources that need not be turned on. */
static struct lkst_source lkst_sources_own[] = {
	LKST_SOURCE_ON_REQUEST(dump, LKST_ETYPE_PROCESS_STATE),
	LKST_SOURCE_ON_REQUEST(user, LKST_ETYPE_USER_MARK, LKST_ETYPE_USER_TEXT,
			       LKST_ETYPE_USER_LONG_TEXT),
	LKST_SOURCE_ON_REQUEST(program, LKST_ETYPE_USER_EVENTS_NEW),
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
	lkst_sources_path,
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
#ifdef CONFIG_STACKTRACE
	lkst_sources_stack,
#endif
};

/* The hook of each event type, or NULL. Protected by lkst_source_mutex. */
static struct hook *lkst_source_hooks[LKST_ETYPE_NUM] = {
#ifdef CONFIG_LKST_HOOKS
#define LKST_ETYPE_DEF(number, hook, mnemonic, ...)					\
	[number] = __LKST_HOOK_ADDRESS_##hook(LKST_ETYPE_##mnemonic##_HEADER),
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF
#endif
};

/*
 * The event types that have a hook, so that lkst_source_switch_hooks() need not
 * search the whole array. Protected by lkst_source_mutex.
 */
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
 * The amount that a kprobe adds to the preempt count of the probed function
 * before it calls the handler, minus the amount that one preempt_disable()
 * adds. It depends on the architecture and the kernel: x86 treats a breakpoint
 * as an NMI, with interrupts off, while other architectures and ftrace disable
 * preemption.
 */
static int lkst_function_count __ro_after_init;

static int lkst_function_begins(struct kprobe *probe, struct pt_regs *regs)
{
	struct lkst_function *function = container_of(probe, struct lkst_function, probe.kp);

	/*
	 * Record as if the function had called preempt_disable() once: with its
	 * own preempt count plus the amount that one preempt_disable() adds.
	 * The context cannot be passed as an argument instead: event handlers
	 * may be functions of other modules, and the arguments that the
	 * specification gives them do not include it. So preempt_count() itself
	 * must be right. Preemption stays off, and the count is restored before
	 * the breakpoint ends.
	 */
	__preempt_count_sub(lkst_function_count);
	function->begins(regs);
	__preempt_count_add(lkst_function_count);
	return 0;
}

/*
 * Empty post handler. It keeps the kernel from optimizing the kprobe, that is,
 * from replacing the breakpoint with a jump: a jump adds a different amount to
 * the preempt count. The handler is not needed with KPROBES_ON_FTRACE: ftrace
 * then calls the probe without a breakpoint if it can trace the function.
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

/*
 * Register the probe of a function. Reset the kprobe first: register_kprobe()
 * fails if fields still have the values from an earlier registration.
 */
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

/*
 * Unregister the probe of a function, and count missed calls as lost events. A
 * call is missed if it is made within another probe, or if too many calls have
 * not returned yet.
 */
static void lkst_function_unregister(struct lkst_source *source)
{
	struct lkst_function *function = source->function;

	if (function->begins)
		unregister_kprobe(&function->probe.kp);
	else
		unregister_kretprobe(&function->probe);
	this_cpu_add(lkst_buffer_lost, function->probe.kp.nmissed + function->probe.nmissed);
}

/*
 * The task that calls the probed function to measure the preempt count, and the
 * lowest count that the probe saw while this task was current. An interrupt
 * handler that calls the function has a higher count.
 */
static struct task_struct *lkst_function_measures;
static unsigned int lkst_function_measured;

static int lkst_function_measure(struct kprobe *probe, struct pt_regs *regs)
{
	if (current == READ_ONCE(lkst_function_measures))
		lkst_function_measured = min_t(unsigned int, lkst_function_measured,
					       preempt_count());
	return 0;
}

/*
 * Measure lkst_function_count, by probing a call that has no effect. Context:
 * preempt count 0.
 */
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

/*
 * Find out which functions can be probed: register and unregister each probe.
 */
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
 * Find the tracepoints, the functions and the hooks of this kernel. Tracepoints
 * are found by name, because many of them are not exported to modules.
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

/*
 * Allow lkst_source_enable() to turn on late sources, too. Called as soon as
 * there are processes.
 */
void __init lkst_source_allow_late(void)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_late_allowed = true;
	mutex_unlock(&lkst_source_mutex);
}

/* Add the hook of a module's event type. */
void lkst_source_add_hook(int etype, struct hook *hook)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_hooks[etype] = hook;
	__set_bit(etype, lkst_source_hooked);
	mutex_unlock(&lkst_source_mutex);
}

/*
 * Remove the hook of a module's event type, after all masksets have masked it.
 */
void lkst_source_remove_hook(int etype)
{
	mutex_lock(&lkst_source_mutex);
	if (lkst_source_hooks[etype])
		static_branch_disable(&lkst_source_hooks[etype]->key);
	lkst_source_hooks[etype] = NULL;
	__clear_bit(etype, lkst_source_hooked);
	mutex_unlock(&lkst_source_mutex);
}

/*
 * Whether this kernel has the tracepoint or function that the source needs, if
 * any.
 */
static bool lkst_source_usable(const struct lkst_source *source)
{
	return source->function ? source->probed : !source->probe || source->tp;
}

/**
 * lkst_source_present() - whether an event can occur on this kernel
 * @etype: a registered event type
 *
 * An event type with several sources is present if at least one is available.
 * LKST's own events are always present, except for LKST_KERNEL_DUMP, which
 * needs CONFIG_PRINTK. The events of modules and programs are always present.
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

/* List the available sources of an event type, separated by commas. */
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

static bool lkst_source_is_needed(const struct lkst_source *source,
				  const struct lkst_maskset *maskset)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(source->etypes); i++)
		if (source->etypes[i] && maskset->handler[source->etypes[i]])
			return true;
	return false;
}

/* Whether the source has a probe to turn on and off. */
static bool lkst_source_has_probe(const struct lkst_source *source)
{
	return source->tp || source->probed;
}

static bool lkst_source_register(struct lkst_source *source)
{
	if (source->prepare && !source->prepare())
		return false;
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
		    !lkst_source_is_needed(source, maskset))
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
		if (!source->on || lkst_source_is_needed(source, maskset) ||
		    lkst_source_is_needed(source, next))
			continue;
		lkst_source_unregister(source);
		source->on = false;
	}
}

/*
 * If @on is true, turn on the hooks that at least one of the two masksets
 * needs. If it is false, turn off the hooks that neither maskset needs.
 */
static void lkst_source_switch_hooks(const struct lkst_maskset *maskset,
				     const struct lkst_maskset *next, bool on)
{
	int etype;

	for_each_set_bit(etype, lkst_source_hooked, LKST_ETYPE_NUM) {
		bool needed = maskset->handler[etype] != LKST_EVHANDLER_ID_NONE ||
			      next->handler[etype] != LKST_EVHANDLER_ID_NONE;
		struct hook *hook = lkst_source_hooks[etype];

		if (needed != on || static_key_enabled(&hook->key) == on)
			continue;
		if (on)
			static_branch_enable(&hook->key);
		else
			static_branch_disable(&hook->key);
	}
}

/**
 * lkst_source_enable() - turn on the sources of a maskset
 * @maskset: the selected maskset, or one that is about to be selected
 *
 * Sources are turned on in the order of the lists. So in a list, a probe must
 * come after the probes that it depends on.
 *
 * Context: may sleep.
 */
void lkst_source_enable(const struct lkst_maskset *maskset)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_enable_probes(maskset);
	lkst_source_switch_hooks(maskset, maskset, true);
	mutex_unlock(&lkst_source_mutex);
	lkst_source_client.enable(maskset);
}

/**
 * lkst_source_disable() - turn off sources that neither maskset needs
 * @maskset: the selected maskset
 * @next: the maskset that is about to be selected, or @maskset again
 *
 * Events of these sources may still be in progress afterwards.
 *
 * This function is called after each change of the selected maskset, so it also
 * makes programs learn which of their events are recorded now.
 *
 * Context: may sleep.
 */
void lkst_source_disable(const struct lkst_maskset *maskset, const struct lkst_maskset *next)
{
	mutex_lock(&lkst_source_mutex);
	lkst_source_disable_probes(maskset, next);
	lkst_source_switch_hooks(maskset, next, false);
	mutex_unlock(&lkst_source_mutex);
	lkst_source_client.disable(maskset, next);
	lkst_source_client.selected();
}

const struct lkst_maskset_client lkst_maskset_client = {
	.registered = lkst_etype_registered,
	.known = lkst_etype_known,
	.present = lkst_etype_present,
	.find = lkst_etype_find,
	.enable = lkst_source_enable,
	.disable = lkst_source_disable,
};
