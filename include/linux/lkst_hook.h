/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST trace points: LKST_HOOK, and event types that modules bring (specification 4.6,
 * 4.7.2.5). A hook whose event is not recorded is one no-op.
 */
#ifndef _LINUX_LKST_HOOK_H
#define _LINUX_LKST_HOOK_H

#include <linux/jump_label.h>
#include <linux/stringify.h>
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
 * @name: event name, may contain blanks, but no quotation mark and no line end
 * @args: what each argument is, as linux/lkst_etypes.h says; "": not used
 */
struct lkst_etype_info {
	int etype;
	struct hook *hook;
	struct hook_rec hook_rec;
	const char *mnemonic;
	const char *name;
	const char *args[4];
};

#define LKST_ETYPE_HEADER(_mnemonic)	LKST_ETYPE_##_mnemonic##_HEADER
#define LKST_ETYPE_INFO(_mnemonic)	lkst_einfo_##_mnemonic

/* Only the description: the caller has the hook. */
#define LKST_ETYPE_INFO_DEF(_etype, _mnemonic, _name, _arg1, _arg2, _arg3, _arg4, _hook)	\
	static struct lkst_etype_info LKST_ETYPE_INFO(_mnemonic) = {			\
		.etype = (_etype),							\
		.hook = (_hook),							\
		.mnemonic = #_mnemonic,							\
		.name = (_name),							\
		.args = { _arg1, _arg2, _arg3, _arg4 },					\
	}

/*
 * Where the trace points of an event type are decides who must see its hook. NORMAL: in this
 * file. MODULE, INLINE: other modules have them too, and LKST_ETYPE_DECLARE_MODULE() of
 * the event. UNDEF: there is none, the event is recorded in another way.
 */
#define __LKST_ETYPE_HOOK_NORMAL(_mnemonic)						\
	static struct hook LKST_ETYPE_HEADER(_mnemonic) = { STATIC_KEY_FALSE_INIT };
#define __LKST_ETYPE_HOOK_MODULE(_mnemonic)						\
	struct hook LKST_ETYPE_HEADER(_mnemonic) = { STATIC_KEY_FALSE_INIT };		\
	EXPORT_SYMBOL_GPL(LKST_ETYPE_##_mnemonic##_HEADER);
#define __LKST_ETYPE_HOOK_INLINE(_mnemonic)	__LKST_ETYPE_HOOK_MODULE(_mnemonic)
#define __LKST_ETYPE_HOOK_UNDEF(_mnemonic)

#define __LKST_ETYPE_HOOK_PTR_NORMAL(_mnemonic)	(&LKST_ETYPE_HEADER(_mnemonic))
#define __LKST_ETYPE_HOOK_PTR_MODULE(_mnemonic)	(&LKST_ETYPE_HEADER(_mnemonic))
#define __LKST_ETYPE_HOOK_PTR_INLINE(_mnemonic)	(&LKST_ETYPE_HEADER(_mnemonic))
#define __LKST_ETYPE_HOOK_PTR_UNDEF(_mnemonic)	NULL

/* In a file that has trace points of an event which another module defines. */
#define LKST_ETYPE_DECLARE_MODULE(_etype, _mnemonic)					\
	enum { LKST_ETYPE_##_mnemonic = (_etype) };					\
	extern struct hook LKST_ETYPE_HEADER(_mnemonic)

/* An event type of a module's own: number, hook, and description. */
#define LKST_ETYPE_DEF_MODULE(_etype, _hook_type, _mnemonic, _name,			\
			      _arg1, _arg2, _arg3, _arg4)				\
	enum { LKST_ETYPE_##_mnemonic = (_etype) };					\
	__LKST_ETYPE_HOOK_##_hook_type(_mnemonic)					\
	LKST_ETYPE_INFO_DEF(_etype, _mnemonic, _name, _arg1, _arg2, _arg3, _arg4,	\
			    __LKST_ETYPE_HOOK_PTR_##_hook_type(_mnemonic))

/* An argument: any integer with its sign, two 32-bit halves, a pointer. */
#ifdef CONFIG_DEBUG_LKST_DONOT_EXPAND_ARGBITS
#define LKST_ARG(data)		(data)
#else
#define LKST_ARG(data)		((lkst_arg_t)(data))
#endif
#define LKST_ARG32(high, low)	((lkst_arg_t)(u32)(high) << 32 | (u32)(low))
#define LKST_ARGP(pointer)	((lkst_arg_t)(unsigned long)(pointer))

#ifdef CONFIG_LKST
void lkst_hook(int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2, lkst_arg_t log_arg3,
	       lkst_arg_t log_arg4);

/**
 * LKST_HOOK() - a trace point
 * @event: mnemonic of the event type, without LKST_ETYPE_
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
do {											\
	if (static_branch_unlikely(&LKST_ETYPE_HEADER(event).key))			\
		lkst_hook(LKST_ETYPE_##event, arg1, arg2, arg3, arg4);			\
} while (0)

int lkst_hook_etype_register(struct lkst_etype_info *einfo);
void lkst_hook_etype_unregister(struct lkst_etype_info *einfo);
#else
#define LKST_HOOK(event, arg1, arg2, arg3, arg4)	do { } while (0)
#endif

/* A trace point in an inline function or a macro, or one of several of its event. */
#define LKST_HOOK_INLINE(event, arg1, arg2, arg3, arg4)					\
	LKST_HOOK(event, arg1, arg2, arg3, arg4)

/* The hooks of the event types in linux/lkst_etypes.h that have one. */
#define __LKST_ETYPE_EXTERN_NORMAL(_mnemonic)	extern struct hook LKST_ETYPE_HEADER(_mnemonic);
#define __LKST_ETYPE_EXTERN_MODULE(_mnemonic)	extern struct hook LKST_ETYPE_HEADER(_mnemonic);
#define __LKST_ETYPE_EXTERN_INLINE(_mnemonic)	extern struct hook LKST_ETYPE_HEADER(_mnemonic);
#define __LKST_ETYPE_EXTERN_UNDEF(_mnemonic)
#define LKST_ETYPE_DEF(_etype, _hook_type, _mnemonic, ...)				\
	__LKST_ETYPE_EXTERN_##_hook_type(_mnemonic)
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF

#endif
