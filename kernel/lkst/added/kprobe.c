// SPDX-License-Identifier: GPL-2.0
/*
 * The kprobes and kretprobes of added events. While an event is not recorded,
 * its probe is registered, but disabled, and costs nothing.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "../base/ksyms.h"
#include "../ring/context.h"
#include "probe.h"

/* The registers with a function's arguments, return value and stack pointer. */
#if defined(CONFIG_X86_64)
static const u16 lkst_added_args[] = {
	offsetof(struct pt_regs, di), offsetof(struct pt_regs, si), offsetof(struct pt_regs, dx),
	offsetof(struct pt_regs, cx), offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
};

#define LKST_ADDED_RETVAL	offsetof(struct pt_regs, ax)
#define LKST_ADDED_STACK	offsetof(struct pt_regs, sp)
#elif defined(CONFIG_ARM64)
static const u16 lkst_added_args[] = {
	offsetof(struct pt_regs, regs[0]), offsetof(struct pt_regs, regs[1]),
	offsetof(struct pt_regs, regs[2]), offsetof(struct pt_regs, regs[3]),
	offsetof(struct pt_regs, regs[4]), offsetof(struct pt_regs, regs[5]),
	offsetof(struct pt_regs, regs[6]), offsetof(struct pt_regs, regs[7]),
};

#define LKST_ADDED_RETVAL	offsetof(struct pt_regs, regs[0])
#define LKST_ADDED_STACK	offsetof(struct pt_regs, sp)
#endif

/*
 * The amount that the breakpoint of a kprobe adds to the preempt count of the
 * probed function, minus the amount that one preempt_disable() adds. x86 treats
 * a breakpoint as an NMI, unless ftrace calls the probe, or the kernel has
 * replaced the breakpoint with a jump. In these two cases, and for a breakpoint
 * on other architectures, preemption is disabled once, so the result is 0.
 */
static __always_inline unsigned int lkst_added_count(const struct kprobe *probe)
{
	if (!IS_ENABLED(CONFIG_X86) || probe->flags & KPROBE_FLAG_FTRACE ||
	    !(preempt_count() & NMI_MASK))
		return 0;
	return NMI_OFFSET + HARDIRQ_OFFSET - PREEMPT_DISABLE_OFFSET;
}

/*
 * Record the event with the preempt count of the probed function, as
 * lkst_function_begins() in source/source.c does.
 */
static notrace int lkst_added_begins(struct kprobe *probe, struct pt_regs *regs)
{
	struct lkst_added *added = container_of(probe, struct lkst_added, ret.kp);
	unsigned int count = lkst_added_count(probe);

	this_cpu_inc(*added->hits);
	__preempt_count_sub(count);
	lkst_added_record(added, regs);
	__preempt_count_add(count);
	return 0;
}

/**
 * struct lkst_added_return - what a kretprobe fetches from, if it fetches
 *	arguments
 * @regs: the registers at the return of the function
 * @args: the arguments at its entry
 */
struct lkst_added_return {
	struct pt_regs regs;
	u64 args[LKST_ADDED_ARGS];
};

/* Save the arguments at the entry of a function for its return. */
static notrace int lkst_added_enters(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	u64 args[LKST_ADDED_ARGS];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(args); i++)
		args[i] = *(const unsigned long *)((const char *)regs + lkst_added_args[i]);
	memcpy(instance->data, args, sizeof(args));
	return 0;
}

static noinline notrace void lkst_added_return(struct lkst_added *added,
					       const struct kretprobe_instance *instance,
					       const struct pt_regs *regs)
{
	struct lkst_added_return from = { .regs = *regs };

	memcpy(from.args, instance->data, sizeof(from.args));
	lkst_added_record(added, &from);
}

/* Record a return. The kernel calls this with preemption disabled once. */
static notrace int lkst_added_returns(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *probe = get_kretprobe(instance);
	struct lkst_added *added;

	/* NULL: the probe is being unregistered. */
	if (!probe)
		return 0;
	added = container_of(probe, struct lkst_added, ret);
	this_cpu_inc(*added->hits);
	if (added->entry_args)
		lkst_added_return(added, instance, regs);
	else
		lkst_added_record(added, regs);
	return 0;
}

/*
 * Whether the kernel allows tracing the probed function. Some functions of the
 * kernel must not be traced, although a breakpoint in them is possible. ftrace
 * knows all other functions, so a kprobe at the beginning of one of them uses
 * ftrace.
 */
static bool lkst_added_is_traced(const struct lkst_added *added)
{
	struct kprobe probe = { .symbol_name = added->symbol, .flags = KPROBE_FLAG_DISABLED };
	bool traced;

	if (!IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) || !added->symbol)
		return true;
	if (!added->offset)
		return added->ret.kp.flags & KPROBE_FLAG_FTRACE;
	if (register_kprobe(&probe))
		return false;
	traced = probe.flags & KPROBE_FLAG_FTRACE;
	unregister_kprobe(&probe);
	return traced;
}

static int lkst_added_register(struct lkst_added *added)
{
	struct kretprobe *ret = &added->ret;

	memset(ret, 0, sizeof(*ret));
	ret->kp.symbol_name = added->symbol;
	ret->kp.addr = added->symbol ? NULL : (void *)(unsigned long)added->address;
	ret->kp.offset = added->offset;
	ret->kp.flags = KPROBE_FLAG_DISABLED;
	if (added->probe == LKST_FETCH_KPROBE) {
		ret->kp.pre_handler = lkst_added_begins;
		return register_kprobe(&ret->kp);
	}
	ret->handler = lkst_added_returns;
	if (added->entry_args) {
		ret->entry_handler = lkst_added_enters;
		ret->data_size = LKST_ADDED_ARGS * sizeof(u64);
	}
	ret->maxactive = added->maxactive;
	return register_kretprobe(ret);
}

/**
 * lkst_added_kprobe_register() - register a probe, which is disabled at first
 * @added: the event
 *
 * Context: process, may sleep.
 *
 * Return: 0 or a negative errno: -ENOENT if the function does not exist;
 * -EADDRNOTAVAIL if there are several functions with its name; -EPERM if it
 * must not be traced; -EINVAL or -EILSEQ if the kernel does not allow a probe
 * there; -EOPNOTSUPP if the kernel has no kprobes.
 */
int lkst_added_kprobe_register(struct lkst_added *added)
{
	int ret;

	/* The kernel would take any of the functions. */
	if (added->symbol && lkst_count_symbols(added->symbol) > 1)
		return -EADDRNOTAVAIL;
	ret = lkst_added_register(added);
	if (ret)
		return ret;
	added->registered = true;
	if (lkst_added_is_traced(added))
		return 0;
	lkst_added_kprobe_unregister(added);
	return -EPERM;
}

/*
 * Unregister a probe. Afterwards, no call of the probe is in progress. Context:
 * process, may sleep.
 */
void lkst_added_kprobe_unregister(struct lkst_added *added)
{
	if (!added->registered)
		return;
	if (added->probe == LKST_FETCH_KPROBE)
		unregister_kprobe(&added->ret.kp);
	else
		unregister_kretprobe(&added->ret);
	atomic_long_add(added->ret.kp.nmissed + added->ret.nmissed, &added->missed);
	added->registered = false;
}

/* Enable or disable a registered probe. Returns 0 or a negative errno. */
int lkst_added_kprobe_turn(struct lkst_added *added, bool on)
{
	return on ? enable_kprobe(&added->ret.kp) : disable_kprobe(&added->ret.kp);
}

/*
 * The number of calls of the probe that the kernel has missed since the probe
 * was registered.
 */
unsigned long lkst_added_kprobe_missed(const struct lkst_added *added)
{
	return added->registered ? added->ret.kp.nmissed + added->ret.nmissed : 0;
}

/* Whether a registered probe is in a module. */
bool lkst_added_kprobe_in(const struct lkst_added *added, const struct module *module)
{
	return added->registered && within_module((unsigned long)added->ret.kp.addr, module);
}

/* ---- registers ---- */

/*
 * Return the position of the value with which the fetching of a field begins,
 * in bytes: in struct pt_regs, or for a kretprobe that fetches arguments in
 * struct lkst_added_return, which begins with struct pt_regs.
 */
unsigned int lkst_added_position(const struct lkst_added *added,
				 const struct lkst_fetch_field *field)
{
	BUILD_BUG_ON(ARRAY_SIZE(lkst_added_args) != LKST_ADDED_ARGS);
	BUILD_BUG_ON(offsetof(struct lkst_added_return, regs));
	switch (field->source) {
	case LKST_FETCH_ARG:
		if (added->probe == LKST_FETCH_KRETPROBE)
			return offsetof(struct lkst_added_return, args) +
			       field->value * sizeof(u64);
		return lkst_added_args[field->value];
	case LKST_FETCH_RETVAL:
		return LKST_ADDED_RETVAL;
	case LKST_FETCH_STACK:
		return LKST_ADDED_STACK;
	default:
		return field->value;
	}
}

#define LKST_REGISTER(_name, _member)	{ _name, offsetof(struct pt_regs, _member) }

static const struct {
	const char *name;
	unsigned int offset;
} lkst_added_registers[] = {
#ifdef CONFIG_X86_64
	LKST_REGISTER("r15", r15), LKST_REGISTER("r14", r14), LKST_REGISTER("r13", r13),
	LKST_REGISTER("r12", r12), LKST_REGISTER("bp", bp), LKST_REGISTER("bx", bx),
	LKST_REGISTER("r11", r11), LKST_REGISTER("r10", r10), LKST_REGISTER("r9", r9),
	LKST_REGISTER("r8", r8), LKST_REGISTER("ax", ax), LKST_REGISTER("cx", cx),
	LKST_REGISTER("dx", dx), LKST_REGISTER("si", si), LKST_REGISTER("di", di),
	LKST_REGISTER("orig_ax", orig_ax), LKST_REGISTER("ip", ip), LKST_REGISTER("cs", cs),
	LKST_REGISTER("flags", flags), LKST_REGISTER("sp", sp), LKST_REGISTER("ss", ss),
#elif defined(CONFIG_ARM64)
	LKST_REGISTER("x0", regs[0]), LKST_REGISTER("x1", regs[1]),
	LKST_REGISTER("x2", regs[2]), LKST_REGISTER("x3", regs[3]),
	LKST_REGISTER("x4", regs[4]), LKST_REGISTER("x5", regs[5]),
	LKST_REGISTER("x6", regs[6]), LKST_REGISTER("x7", regs[7]),
	LKST_REGISTER("x8", regs[8]), LKST_REGISTER("x9", regs[9]),
	LKST_REGISTER("x10", regs[10]), LKST_REGISTER("x11", regs[11]),
	LKST_REGISTER("x12", regs[12]), LKST_REGISTER("x13", regs[13]),
	LKST_REGISTER("x14", regs[14]), LKST_REGISTER("x15", regs[15]),
	LKST_REGISTER("x16", regs[16]), LKST_REGISTER("x17", regs[17]),
	LKST_REGISTER("x18", regs[18]), LKST_REGISTER("x19", regs[19]),
	LKST_REGISTER("x20", regs[20]), LKST_REGISTER("x21", regs[21]),
	LKST_REGISTER("x22", regs[22]), LKST_REGISTER("x23", regs[23]),
	LKST_REGISTER("x24", regs[24]), LKST_REGISTER("x25", regs[25]),
	LKST_REGISTER("x26", regs[26]), LKST_REGISTER("x27", regs[27]),
	LKST_REGISTER("x28", regs[28]), LKST_REGISTER("x29", regs[29]),
	LKST_REGISTER("x30", regs[30]), LKST_REGISTER("sp", sp), LKST_REGISTER("pc", pc),
	LKST_REGISTER("pstate", pstate),
#endif
};

/*
 * Return the offset of a register in struct pt_regs, or -ENOENT. The kernel's
 * own function for this is not exported.
 */
int lkst_added_register_offset(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_added_registers); i++)
		if (strlen(lkst_added_registers[i].name) == len &&
		    !memcmp(lkst_added_registers[i].name, name, len))
			return lkst_added_registers[i].offset;
	return -ENOENT;
}
