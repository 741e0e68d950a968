/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of event types: the one place that the kernel, the tools and the
 * documentation take them from.
 *
 *	LKST_ETYPE_DEF(number, hook type, mnemonic, name, arg1, arg2, arg3, arg4)
 *
 * Included on its own it defines the constants LKST_ETYPE_<mnemonic>; included
 * with LKST_ETYPE_DEF defined it expands to the table. Types that only one
 * architecture has are in its asm/lkst_etypes.h. Numbers are never reused
 * (shared/events.md; specification 4.6).
 *
 * Hook types: NORMAL, MODULE and INLINE are for LKST_HOOK; UNDEF is a type that
 * LKST records itself, from a tracepoint or otherwise.
 *
 * An argument is described by "label:format", two packed 32-bit halves by
 * "high:format,low:format", an unused one by "". Without a format, or with one
 * that a tool does not know, the value is printed in hexadecimal. Formats:
 *
 *	dec udec hex	a number (dec: signed, of the field's width)
 *	ptr		a kernel address
 *	text		up to 8 bytes of a string; goes on in the next argument where
 *			that has the same label
 *	tid		a thread, 0 is the idle thread
 *	state		a task state letter, 0x100 added when it was preempted
 *	sig err sys	signal number; result, negative is an error; system call
 *	abi		of a system call: 0 native, 1 ia32, 2 x32
 *	clone wstatus	clone flags; exit status as in wait()
 *	softirq		softirq number
 *	cpu clock	CPU number; enum lkst_clock
 *	sec nsec	parts of a wall-clock time
 *	mset evh buf	ids of maskset, event handler, buffer
 *	code		of an internal error: enum lkst_error_code
 */
#ifdef LKST_ETYPE_DEF

/* 0x000: processes */
LKST_ETYPE_DEF(0x001, UNDEF, PROCESS_CONTEXTSWITCH, "process_contextswitch",
	       "prev:tid,prev_state:state", "next:tid,next_prio:dec",
	       "prev_name:text", "next_name:text")
LKST_ETYPE_DEF(0x002, UNDEF, PROCESS_WAKEUP, "process_wakeup",
	       "thread:tid,prio:dec", "target_cpu:cpu,new:dec", "name:text", "name:text")
LKST_ETYPE_DEF(0x003, UNDEF, PROCESS_SIGSEND, "process_sigsend",
	       "signal:sig,code:dec", "target:tid,result:dec", "group:dec", "name:text")
LKST_ETYPE_DEF(0x004, UNDEF, PROCESS_SIGRECV, "process_sigrecv",
	       "signal:sig,code:dec", "handler:hex", "sa_flags:hex", "")
LKST_ETYPE_DEF(0x005, UNDEF, PROCESS_FORK, "process_fork",
	       "child:tid,tgid:dec", "flags:clone", "name:text", "name:text")
LKST_ETYPE_DEF(0x006, UNDEF, PROCESS_EXEC, "process_exec",
	       "thread:tid,old:dec", "path:text", "path:text", "path:text")
LKST_ETYPE_DEF(0x007, UNDEF, PROCESS_EXIT, "process_exit",
	       "thread:tid,prio:dec", "status:wstatus", "name:text", "")
LKST_ETYPE_DEF(0x009, UNDEF, PROCESS_MIGRATE, "process_migrate",
	       "thread:tid", "from:cpu,to:cpu", "", "")
LKST_ETYPE_DEF(0x00a, UNDEF, PROCESS_RENAME, "process_rename",
	       "thread:tid", "name:text", "name:text", "")
LKST_ETYPE_DEF(0x00e, UNDEF, PROCESS_STATE, "process_state",
	       "thread:tid,tgid:dec", "parent:tid,state:state", "name:text", "name:text")

/* 0x010: interrupts */
LKST_ETYPE_DEF(0x010, UNDEF, INT_HARDWARE_ENTRY, "int_hardware_entry",
	       "irq:dec", "name:text", "name:text", "name:text")
LKST_ETYPE_DEF(0x011, UNDEF, INT_HARDWARE_EXIT, "int_hardware_exit",
	       "irq:dec", "handled:dec", "", "")
LKST_ETYPE_DEF(0x012, UNDEF, INT_SOFTIRQ_ENTRY, "int_softirq_entry",
	       "vector:softirq", "", "", "")
LKST_ETYPE_DEF(0x013, UNDEF, INT_SOFTIRQ_EXIT, "int_softirq_exit",
	       "vector:softirq", "", "", "")
LKST_ETYPE_DEF(0x014, UNDEF, INT_SOFTIRQ_RAISE, "int_softirq_raise",
	       "vector:softirq", "", "", "")
LKST_ETYPE_DEF(0x015, UNDEF, INT_TASKLETHI_ENTRY, "int_tasklethi_entry",
	       "tasklet:ptr", "function:ptr", "", "")
LKST_ETYPE_DEF(0x016, UNDEF, INT_TASKLETHI_EXIT, "int_tasklethi_exit",
	       "tasklet:ptr", "function:ptr", "", "")
LKST_ETYPE_DEF(0x017, UNDEF, INT_TASKLET_ENTRY, "int_tasklet_entry",
	       "tasklet:ptr", "function:ptr", "", "")
LKST_ETYPE_DEF(0x018, UNDEF, INT_TASKLET_EXIT, "int_tasklet_exit",
	       "tasklet:ptr", "function:ptr", "", "")

/* 0x030: system calls */
LKST_ETYPE_DEF(0x030, UNDEF, SYSCALL_ENTRY, "system_call_entry",
	       "number:sys,abi:abi", "arg1:hex", "arg2:hex", "arg3:hex")
LKST_ETYPE_DEF(0x031, UNDEF, SYSCALL_EXIT, "system_call_exit",
	       "number:sys,abi:abi", "result:err", "", "")

/* 0x0e0: user programs */
LKST_ETYPE_DEF(0x0e0, UNDEF, USER_MARK, "user_mark",
	       "arg1:hex", "arg2:hex", "arg3:hex", "arg4:hex")

/* 0xf00: LKST itself */
LKST_ETYPE_DEF(0xf00, UNDEF, LKST_INIT, "lkst_init",
	       "version:dec", "cpus:dec", "", "")
LKST_ETYPE_DEF(0xf01, UNDEF, LKST_BUFF_OVFLOW, "lkst_buff_ovflow",
	       "buffer:buf", "overwritten:udec", "first_recid:udec", "")
LKST_ETYPE_DEF(0xf02, UNDEF, LKST_BUFF_SHIFT, "lkst_buff_shift",
	       "from:buf", "to:buf", "first_recid:udec", "")
LKST_ETYPE_DEF(0xf03, UNDEF, LKST_SYNC_TIME, "lkst_sync_time",
	       "time_s:sec,time_ns:nsec", "clock:udec", "freq_khz:udec", "monotonic_ns:dec")
LKST_ETYPE_DEF(0xf04, UNDEF, LKST_TRC_START, "lkst_trc_start",
	       "maskset:mset", "", "", "")
LKST_ETYPE_DEF(0xf05, UNDEF, LKST_TRC_STOP, "lkst_trc_stop",
	       "maskset:mset", "", "", "")
LKST_ETYPE_DEF(0xf06, UNDEF, LKST_MASKSET_SET, "lkst_maskset_set",
	       "from:mset", "to:mset", "", "")
LKST_ETYPE_DEF(0xf08, UNDEF, LKST_ERROR, "lkst_error",
	       "code:code", "detail:dec", "", "")
LKST_ETYPE_DEF(0xf09, UNDEF, LKST_CLOCK, "lkst_clock",
	       "from:clock", "to:clock", "", "")

#include <asm/lkst_etypes.h>

#elif !defined(_LINUX_LKST_ETYPES_H)
#define _LINUX_LKST_ETYPES_H

enum lkst_etype {
#define LKST_ETYPE_DEF(number, hook, mnemonic, ...) LKST_ETYPE_##mnemonic = number,
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF
};

#endif
