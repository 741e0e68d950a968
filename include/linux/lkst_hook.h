/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST trace points: LKST_HOOK, and event types that modules bring (specification 4.6,
 * 4.7.2.5). A hook whose event is not recorded is one no-op.
 */
#ifndef _LINUX_LKST_HOOK_H
#define _LINUX_LKST_HOOK_H

#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/kconfig.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <uapi/linux/lkst.h>
#include <linux/lkst_etypes.h>

/* On while the current maskset records the event. */
struct hook {
	struct static_key_false key;
};

/* Kernel Hooks kept its own data here; there is none any more. */
struct hook_rec {
};

/**
 * struct lkst_etype_info - an event type that a module brings (4.7.2.5.1)
 * @etype: event type, LKST_ETYPE_USER_MIN to LKST_ETYPE_USER_MAX
 * @hook: what its trace points look at, or NULL: it has none
 * @hook_rec: not used
 * @mnemonic: of letters, digits and "_"
 * @name: event name, may contain blanks, but no quotation mark, backslash, or control character
 * @args: what each argument is, as linux/lkst_etypes.h says, of the same characters as @name;
 *	"": not used
 * @hook_type: "NORMAL", "MODULE" or "INLINE", as /proc/lkst_etypes shows it; NULL: "MODULE". Not
 *	looked at without a @hook, which is "UNDEF"
 *
 * A text has 255 bytes at most.
 */
struct lkst_etype_info {
	int etype;
	struct hook *hook;
	struct hook_rec hook_rec;
	const char *mnemonic;
	const char *name;
	const char *args[4];
	const char *hook_type;
};

/* The hook and the description of an event type. */
#define LKST_ETYPE_HEADER(_mnemonic)	LKST_ETYPE_##_mnemonic##_HEADER
#define LKST_ETYPE_INFO(_mnemonic)	lkst_einfo_##_mnemonic

/*
 * The definitions below stand on their own, with or without a semicolon after them. What a
 * definition is made of gets finished names: a mnemonic may be a macro elsewhere.
 */
#define __LKST_ETYPE_INFO_DEF(_info, _etype, _mnemonic, _name, _arg1, _arg2, _arg3, _arg4, _hook, \
			      _hook_type)						\
	static struct lkst_etype_info _info = {						\
		.etype = (_etype),							\
		.hook = (_hook),							\
		.mnemonic = (_mnemonic),						\
		.name = (_name),							\
		.args = { _arg1, _arg2, _arg3, _arg4 },					\
		.hook_type = (_hook_type),						\
	};

/*
 * Where the trace points of an event type are decides who must see its hook. NORMAL: in one
 * file, or, if it is in linux/lkst_etypes.h, in the kernel itself. MODULE, INLINE: in modules,
 * too. UNDEF: there is none, the event is recorded in another way.
 */
#define __LKST_HOOK_DEF_NORMAL(_hook)							\
	static struct hook _hook = { STATIC_KEY_FALSE_INIT };
#define __LKST_HOOK_DEF_MODULE(_hook)							\
	extern struct hook _hook;							\
	struct hook _hook = { STATIC_KEY_FALSE_INIT };					\
	EXPORT_SYMBOL_GPL(_hook);
#define __LKST_HOOK_DEF_INLINE(_hook)		__LKST_HOOK_DEF_MODULE(_hook)
#define __LKST_HOOK_DEF_UNDEF(_hook)

#define __LKST_HOOK_ADDRESS_NORMAL(_hook)	(&(_hook))
#define __LKST_HOOK_ADDRESS_MODULE(_hook)	(&(_hook))
#define __LKST_HOOK_ADDRESS_INLINE(_hook)	(&(_hook))
#define __LKST_HOOK_ADDRESS_UNDEF(_hook)	NULL

/**
 * LKST_ETYPE_INFO_DEF() - the description of an event type, for who has its hook (4.7.2.5.1)
 * @_etype: event type
 * @_mnemonic: its mnemonic, not a string
 * @_name: event name
 * @_arg1: what the argument is
 * @_arg2: likewise
 * @_arg3: likewise
 * @_arg4: likewise
 * @_hook: address of its hook, or NULL
 */
#define LKST_ETYPE_INFO_DEF(_etype, _mnemonic, _name, _arg1, _arg2, _arg3, _arg4, _hook)	\
	__LKST_ETYPE_INFO_DEF(lkst_einfo_##_mnemonic, _etype, #_mnemonic, _name,	\
			      _arg1, _arg2, _arg3, _arg4, _hook, NULL)

/**
 * LKST_ETYPE_DEF_MODULE() - an event type of a module's own (4.6, 4.7.2.5.1)
 * @_etype: event type
 * @_hook_type: NORMAL: all trace points are in this file; MODULE or INLINE: other files or
 *	modules have some, and LKST_ETYPE_DECLARE_MODULE() of the event; UNDEF: there are none
 * @_mnemonic: its mnemonic, not a string
 * @_name: event name
 * @_arg1: what the argument is
 * @_arg2: likewise
 * @_arg3: likewise
 * @_arg4: likewise
 *
 * The number LKST_ETYPE_mnemonic, the hook LKST_ETYPE_mnemonic_HEADER, and the description
 * LKST_ETYPE_INFO(mnemonic), which lkst_hook_etype_register() takes.
 */
#define LKST_ETYPE_DEF_MODULE(_etype, _hook_type, _mnemonic, _name,			\
			      _arg1, _arg2, _arg3, _arg4)				\
	enum { LKST_ETYPE_##_mnemonic = (_etype) };					\
	__LKST_HOOK_DEF_##_hook_type(LKST_ETYPE_##_mnemonic##_HEADER)			\
	__LKST_ETYPE_INFO_DEF(lkst_einfo_##_mnemonic, _etype, #_mnemonic, _name,	\
			      _arg1, _arg2, _arg3, _arg4,				\
			      __LKST_HOOK_ADDRESS_##_hook_type(LKST_ETYPE_##_mnemonic##_HEADER), \
			      #_hook_type)

/**
 * LKST_ETYPE_DECLARE_MODULE() - an event type that another file or module defines
 * @_etype: event type
 * @_mnemonic: its mnemonic
 */
#define LKST_ETYPE_DECLARE_MODULE(_etype, _mnemonic)					\
	enum { LKST_ETYPE_##_mnemonic = (_etype) };					\
	extern struct hook LKST_ETYPE_##_mnemonic##_HEADER;

/* An argument: any integer with its sign, two 32-bit halves, a pointer. */
#ifdef CONFIG_DEBUG_LKST_DONOT_EXPAND_ARGBITS
#define LKST_ARG(data)		(data)
#else
#define LKST_ARG(data)		((lkst_arg_t)(data))
#endif
#define LKST_ARG32(high, low)	((lkst_arg_t)(u32)(high) << 32 | (u32)(low))
#define LKST_ARGP(pointer)	((lkst_arg_t)(unsigned long)(pointer))

/* LKST is a module, and the kernel has trace points for it. */
#define LKST_HOOKS_APART	(IS_MODULE(CONFIG_LKST) && IS_ENABLED(CONFIG_LKST_HOOKS))

#if IS_ENABLED(CONFIG_LKST)
void lkst_hook(unsigned long event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
	       lkst_arg_t log_arg3, lkst_arg_t log_arg4);
int lkst_hook_etype_register(struct lkst_etype_info *einfo);
void lkst_hook_etype_unregister(struct lkst_etype_info *einfo);

#define __LKST_HOOK_ON(_hook)	static_branch_unlikely(&(_hook).key)
#else
static inline void lkst_hook(unsigned long event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			     lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
}

/* A module need not know whether there is somebody who listens. */
static inline int lkst_hook_etype_register(struct lkst_etype_info *einfo)
{
	return einfo->etype;
}

static inline void lkst_hook_etype_unregister(struct lkst_etype_info *einfo)
{
}

#define __LKST_HOOK_ON(_hook)	false
#endif

/*
 * What a trace point is made of. Without CONFIG_LKST the compiler does not even see the call: what
 * it has seen, and be it behind "if (false)", it may lay out other code for.
 */
#if IS_ENABLED(CONFIG_LKST)
#define __LKST_HOOK_CALL(_hook, _call)							\
do {											\
	if (__LKST_HOOK_ON(_hook))							\
		_call;									\
} while (0)
#else
#define __LKST_HOOK_CALL(_hook, _call)	do { } while (0)
#endif

/**
 * LKST_HOOK() - a trace point (4.6)
 * @event: mnemonic of the event type
 * @arg1: argument: LKST_ARG(), LKST_ARG32() or LKST_ARGP() of what is to be recorded
 * @arg2: likewise
 * @arg3: likewise
 * @arg4: likewise
 *
 * The arguments are evaluated only if the event is recorded.
 *
 * Context: any, NMI included, also where RCU does not watch.
 */
#define LKST_HOOK(event, arg1, arg2, arg3, arg4)					\
	__LKST_HOOK_CALL(LKST_ETYPE_##event##_HEADER,					\
			 lkst_hook(LKST_ETYPE_##event, arg1, arg2, arg3, arg4))

/* A trace point in an inline function or a macro, or one of several of its event. */
#define LKST_HOOK_INLINE	LKST_HOOK

/*
 * A trace point whose event takes more than a line: @call records it. @call is made only if the
 * event is recorded.
 */
#define LKST_HOOK_CALL(event, call)	__LKST_HOOK_CALL(LKST_ETYPE_##event##_HEADER, call)

/*
 * For code in which a trace point would make the compiler keep values over a call that is rarely
 * made: @recorded does what @plain does, and records it. Masked, it is @plain and the no-op.
 */
#define LKST_HOOK_CHOICE(event, recorded, plain)					\
	(__LKST_HOOK_ON(LKST_ETYPE_##event##_HEADER) ? (recorded) : (plain))

/* The hooks of the event types in linux/lkst_etypes.h that have one. */
#define __LKST_HOOK_DECLARE_NORMAL(_hook)	extern struct hook _hook;
#define __LKST_HOOK_DECLARE_MODULE(_hook)	extern struct hook _hook;
#define __LKST_HOOK_DECLARE_INLINE(_hook)	extern struct hook _hook;
#define __LKST_HOOK_DECLARE_UNDEF(_hook)
#define LKST_ETYPE_DEF(_etype, _hook_type, _mnemonic, ...)				\
	__LKST_HOOK_DECLARE_##_hook_type(LKST_ETYPE_##_mnemonic##_HEADER)
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF

/* What LKST_HOOK_CALL() calls. */
struct pt_regs;
struct list_head;
struct wait_queue_entry;
struct wait_queue_head;
struct work_struct;

void lkst_kthread(int (*function)(void *data), void *data);
unsigned long lkst_wq_added(struct wait_queue_head *head, struct wait_queue_entry *entry,
			    unsigned long caller, unsigned long flags);
unsigned long lkst_wq_add(struct wait_queue_head *head, struct wait_queue_entry *entry,
			  unsigned long caller, unsigned long flags);
unsigned long lkst_wq_rem(struct wait_queue_head *head, struct wait_queue_entry *entry,
			  unsigned long caller, unsigned long flags);
int lkst_wq_wake(struct list_head *head, struct wait_queue_entry *entry,
		 struct wait_queue_entry *next, unsigned int mode, int wake_flags, void *key);
void lkst_lock(int etype, unsigned long caller, const void *lock);
void lkst_vfree(const void *addr, unsigned long caller, void (*late)(struct work_struct *work));
void lkst_panic_called(unsigned long caller);
void lkst_panic(const char *message, unsigned long caller);
void lkst_lockup(enum lkst_lockup kind, struct pt_regs *regs);
void lkst_hard_lockup(unsigned int cpu, struct pt_regs *regs);
void lkst_printk(int level, const char *line, unsigned int length);

#endif
