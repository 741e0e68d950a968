/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST hooks: LKST_HOOK, and event types that modules define (specification
 * 4.6, 4.7.2.5). While its event is not recorded, a hook is a single no-op
 * instruction.
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

/*
 * A hook. @key is enabled while the current maskset records the event.
 *
 * The names struct hook and struct hook_rec come from the LKST 2.01
 * specification, and modules that were written for it use them. The kernel has
 * no other structures of these names.
 */
struct hook {
	struct static_key_false key;
};

/*
 * In the specification, this structure holds data of the Kernel Hooks patch.
 * Here it is empty, because hooks are static keys.
 */
struct hook_rec {
};

/**
 * struct lkst_etype_info - an event type that a module defines (4.7.2.5.1)
 * @etype: event type, LKST_ETYPE_USER_MIN to LKST_ETYPE_USER_MAX
 * @hook: the hook that LKST enables and disables, or NULL if the type has none
 * @hook_rec: unused
 * @mnemonic: letters, digits and "_"
 * @name: event name; may contain spaces, but no quotation mark, backslash, or
 *	control character
 * @args: description of each argument in the syntax of linux/lkst_etypes.h and
 *	with the same characters as @name; "" if unused
 * @hook_type: "NORMAL", "MODULE" or "INLINE", for /proc/lkst_etypes; NULL means
 *	"MODULE". If @hook is NULL, this is ignored, and /proc/lkst_etypes shows
 *	"UNDEF"
 *
 * Each string is at most 255 bytes long. Registration copies the strings. The
 * caller owns the structure and its hook, and keeps both until it has
 * unregistered the type.
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

/* Names of the hook and of the struct lkst_etype_info of an event type. */
#define LKST_ETYPE_HEADER(_mnemonic)	LKST_ETYPE_##_mnemonic##_HEADER
#define LKST_ETYPE_INFO(_mnemonic)	lkst_einfo_##_mnemonic

/*
 * The definitions below may be followed by a semicolon, but do not need one.
 * The outer macros pass complete names to the inner ones, not the mnemonic from
 * which these names are made. If a macro had the same name as the mnemonic, the
 * preprocessor would replace the mnemonic when it is passed on.
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
 * The hook type says how visible the hook must be:
 *
 *	NORMAL		all uses are in one file or, for a type of
 *			linux/lkst_etypes.h, in the kernel image
 *	MODULE, INLINE	modules also use the hook, which is exported
 *	UNDEF		there is no hook; the event is recorded in another way
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
 * LKST_ETYPE_INFO_DEF() - define the description of an event type whose hook is
 *	defined elsewhere (4.7.2.5.1)
 * @_etype: event type number
 * @_mnemonic: mnemonic, without quotation marks
 * @_name: event name, a string
 * @_arg1: description of argument 1, see struct lkst_etype_info
 * @_arg2: description of argument 2
 * @_arg3: description of argument 3
 * @_arg4: description of argument 4
 * @_hook: address of the hook, or NULL
 */
#define LKST_ETYPE_INFO_DEF(_etype, _mnemonic, _name, _arg1, _arg2, _arg3, _arg4, _hook)	\
	__LKST_ETYPE_INFO_DEF(lkst_einfo_##_mnemonic, _etype, #_mnemonic, _name,	\
			      _arg1, _arg2, _arg3, _arg4, _hook, NULL)

/**
 * LKST_ETYPE_DEF_MODULE() - define an event type in a module (4.6, 4.7.2.5.1)
 * @_etype: event type number
 * @_hook_type: NORMAL if all hooks are in this file; MODULE or INLINE if other
 *	files or modules also have hooks, and use LKST_ETYPE_DECLARE_MODULE();
 *	UNDEF if the event type has no hook
 * @_mnemonic: mnemonic, without quotation marks
 * @_name: event name, a string
 * @_arg1: description of argument 1, see struct lkst_etype_info
 * @_arg2: description of argument 2
 * @_arg3: description of argument 3
 * @_arg4: description of argument 4
 *
 * Defines the number LKST_ETYPE_mnemonic, the hook LKST_ETYPE_mnemonic_HEADER,
 * and the description LKST_ETYPE_INFO(mnemonic), which is passed to
 * lkst_hook_etype_register().
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
 * LKST_ETYPE_DECLARE_MODULE() - declare an event type that another file or
 *	module defines
 * @_etype: event type number
 * @_mnemonic: mnemonic, without quotation marks
 */
#define LKST_ETYPE_DECLARE_MODULE(_etype, _mnemonic)					\
	enum { LKST_ETYPE_##_mnemonic = (_etype) };					\
	extern struct hook LKST_ETYPE_##_mnemonic##_HEADER;

/*
 * Conversions to the type of an argument: LKST_ARG() for an integer, which is
 * sign-extended; LKST_ARG32() for two 32-bit halves; LKST_ARGP() for a pointer.
 */
#ifdef CONFIG_DEBUG_LKST_DONOT_EXPAND_ARGBITS
#define LKST_ARG(data)		(data)
#else
#define LKST_ARG(data)		((lkst_arg_t)(data))
#endif
#define LKST_ARG32(high, low)	((lkst_arg_t)(u32)(high) << 32 | (u32)(low))
#define LKST_ARGP(pointer)	((lkst_arg_t)(unsigned long)(pointer))

/*
 * Whether LKST is a module and the kernel that loads it has LKST hooks built
 * in.
 */
#define LKST_HOOKS_SEPARATE	(IS_MODULE(CONFIG_LKST) && IS_ENABLED(CONFIG_LKST_HOOKS))

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

/* Return success, so that a module with events also loads without LKST. */
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
 * The body of a hook. Without CONFIG_LKST the preprocessor removes the call:
 * even a call behind "if (false)" can change how the compiler lays out the code
 * around it.
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
 * LKST_HOOK() - record an event here (4.6)
 * @event: mnemonic of the event type
 * @arg1: argument 1, converted by LKST_ARG(), LKST_ARG32() or LKST_ARGP()
 * @arg2: argument 2, converted in the same way
 * @arg3: argument 3, converted in the same way
 * @arg4: argument 4, converted in the same way
 *
 * The arguments are evaluated only if the event is recorded.
 *
 * Context: any, including NMI and places where RCU is not watching.
 */
#define LKST_HOOK(event, arg1, arg2, arg3, arg4)					\
	__LKST_HOOK_CALL(LKST_ETYPE_##event##_HEADER,					\
			 lkst_hook(LKST_ETYPE_##event, arg1, arg2, arg3, arg4))

/*
 * The same as LKST_HOOK(). Used for a hook in an inline function or a macro, or
 * for an event that has several hooks.
 */
#define LKST_HOOK_INLINE	LKST_HOOK

/*
 * Record an event with the function call @call, which is made only if the
 * maskset records the event. Used for an event whose arguments cannot be
 * written as simple expressions.
 */
#define LKST_HOOK_CALL(event, call)	__LKST_HOOK_CALL(LKST_ETYPE_##event##_HEADER, call)

/*
 * Evaluate @recorded if the maskset records the event, else @plain. @recorded
 * must do what @plain does and also record the event. While the event is
 * masked, this costs a no-op in addition to @plain. Use it where a hook before
 * or after the operation would force the compiler to preserve values across a
 * call that is rarely made.
 */
#define LKST_HOOK_CHOICE(event, recorded, plain)					\
	(__LKST_HOOK_ON(LKST_ETYPE_##event##_HEADER) ? (recorded) : (plain))

/* Declare the hooks of the event types in linux/lkst_etypes.h. */
#define __LKST_HOOK_DECLARE_NORMAL(_hook)	extern struct hook _hook;
#define __LKST_HOOK_DECLARE_MODULE(_hook)	extern struct hook _hook;
#define __LKST_HOOK_DECLARE_INLINE(_hook)	extern struct hook _hook;
#define __LKST_HOOK_DECLARE_UNDEF(_hook)
#define LKST_ETYPE_DEF(_etype, _hook_type, _mnemonic, ...)				\
	__LKST_HOOK_DECLARE_##_hook_type(LKST_ETYPE_##_mnemonic##_HEADER)
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF

/* Functions that hooks call to record an event, as in LKST_HOOK_CALL(). */
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
void lkst_message(int level, const char *line, unsigned int length);

#endif
