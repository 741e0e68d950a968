// SPDX-License-Identifier: GPL-2.0
/*
 * The static keys of the hooks: one key for each event type in
 * linux/lkst_etypes.h that has hooks. The hooks themselves are spread all over
 * the kernel. If LKST is a module, this file also connects the hooks to the
 * module.
 */
#include <linux/export.h>
#include <linux/preempt.h>

#include "hook.h"

/*
 * If LKST is a module, export every key, so that the module can turn the hooks
 * on and off.
 */
#if LKST_HOOKS_SEPARATE
#define LKST_HOOK_EXPORT(_hook)	EXPORT_SYMBOL_GPL(_hook);
#else
#define LKST_HOOK_EXPORT(_hook)
#endif
#define LKST_HOOK_DEFINE_NORMAL(_hook)							\
	struct hook _hook = { STATIC_KEY_FALSE_INIT };					\
	LKST_HOOK_EXPORT(_hook)
#define LKST_HOOK_DEFINE_MODULE(_hook)							\
	struct hook _hook = { STATIC_KEY_FALSE_INIT };					\
	EXPORT_SYMBOL_GPL(_hook);
#define LKST_HOOK_DEFINE_INLINE(_hook)	LKST_HOOK_DEFINE_MODULE(_hook)
#define LKST_HOOK_DEFINE_UNDEF(_hook)
#define LKST_ETYPE_DEF(number, hook, mnemonic, ...)					\
	LKST_HOOK_DEFINE_##hook(LKST_ETYPE_##mnemonic##_HEADER)
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF

#if LKST_HOOKS_SEPARATE
DEFINE_STATIC_CALL_NULL(lkst_event_nopreempt, lkst_event_nopreempt);
DEFINE_STATIC_CALL_NULL(lkst_event_rare_nopreempt, lkst_event_rare_nopreempt);
DEFINE_STATIC_CALL_NULL(lkst_oops_panic, lkst_oops_panic);
DEFINE_STATIC_CALL_NULL(lkst_oops_lockup, lkst_oops_lockup);
DEFINE_STATIC_CALL_NULL(lkst_event_message, lkst_event_message);

/**
 * lkst_hooks_connect() - connect the hooks to the LKST module
 * @hooks: functions that the hooks call, with preemption off; or NULL to
 *	disconnect the hooks
 *
 * Before the module is unloaded, it must turn all hooks off and then call
 * lkst_synchronize(). After that, no CPU is executing any of the functions, and
 * no CPU can call them.
 *
 * Context: may sleep.
 */
void lkst_hooks_connect(const struct lkst_hooks *hooks)
{
	static_call_update(lkst_event_nopreempt, hooks ? hooks->event : NULL);
	static_call_update(lkst_event_rare_nopreempt, hooks ? hooks->rare : NULL);
	static_call_update(lkst_oops_panic, hooks ? hooks->panic : NULL);
	static_call_update(lkst_oops_lockup, hooks ? hooks->lockup : NULL);
	static_call_update(lkst_event_message, hooks ? hooks->message : NULL);
}
EXPORT_SYMBOL_GPL(lkst_hooks_connect);

/*
 * Pass an event from a hook to the LKST module. If LKST is built in,
 * lkst_hook() is in dispatch/event.c instead.
 */
notrace void lkst_hook(unsigned long event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
		       lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	preempt_disable_notrace();
	static_call_cond(lkst_event_nopreempt)(event_type, log_arg1, log_arg2, log_arg3, log_arg4);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(lkst_hook);
#endif
