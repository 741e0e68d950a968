/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions that the hooks call, and how the hooks reach these functions if
 * LKST is a module.
 */
#ifndef _LKST_HOOKS_HOOK_H
#define _LKST_HOOKS_HOOK_H

#include <linux/static_call.h>
#include <linux/types.h>
#include <linux/lkst_hook.h>

struct pt_regs;

/* Functions that the hooks call. Context: preemption disabled by LKST. */
#if LKST_HOOKS_SEPARATE
void lkst_event_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);
#endif
void lkst_event_rare_nopreempt(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4);
void lkst_oops_panic(const char *message, unsigned long caller);
void lkst_oops_lockup(enum lkst_lockup kind, struct pt_regs *regs, unsigned long caller);
void lkst_event_message(int level, unsigned int length, const char *text, unsigned int bytes);

#if LKST_HOOKS_SEPARATE
/**
 * struct lkst_hooks - functions of the LKST module that the hooks call
 * @event: lkst_event_nopreempt()
 * @panic: lkst_oops_panic()
 * @lockup: lkst_oops_lockup()
 * @message: lkst_event_message()
 * @rare: lkst_event_rare_nopreempt()
 */
struct lkst_hooks {
	typeof(lkst_event_nopreempt) *event;
	typeof(lkst_oops_panic) *panic;
	typeof(lkst_oops_lockup) *lockup;
	typeof(lkst_event_message) *message;
	typeof(lkst_event_rare_nopreempt) *rare;
};

DECLARE_STATIC_CALL(lkst_event_nopreempt, lkst_event_nopreempt);
DECLARE_STATIC_CALL(lkst_event_rare_nopreempt, lkst_event_rare_nopreempt);
DECLARE_STATIC_CALL(lkst_oops_panic, lkst_oops_panic);
DECLARE_STATIC_CALL(lkst_oops_lockup, lkst_oops_lockup);
DECLARE_STATIC_CALL(lkst_event_message, lkst_event_message);

#define lkst_hook_call(function)	static_call_cond(function)

void lkst_hooks_connect(const struct lkst_hooks *hooks);
#else
#define lkst_hook_call(function)	function
#endif

#endif
