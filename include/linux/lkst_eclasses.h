/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of event classes, which are ranges of event types (see
 * Documentation/lkst/events.rst). The kernel and the tools both use this table.
 * Define LKST_ECLASS_DEF before including this file:
 *
 *	LKST_ECLASS_DEF(first, last, name, title, recorded by the default maskset)
 */
LKST_ECLASS_DEF(0x000, 0x00f, "process", "processes", IS_ENABLED(CONFIG_LKST_DEFAULT_PROCESSES))
LKST_ECLASS_DEF(0x010, 0x01f, "interrupt", "interrupts",
		IS_ENABLED(CONFIG_LKST_DEFAULT_INTERRUPTS))
LKST_ECLASS_DEF(0x020, 0x02f, "exception", "exceptions",
		IS_ENABLED(CONFIG_LKST_DEFAULT_EXCEPTIONS))
LKST_ECLASS_DEF(0x030, 0x03f, "syscall", "system calls", IS_ENABLED(CONFIG_LKST_DEFAULT_SYSCALLS))
LKST_ECLASS_DEF(0x040, 0x05f, "memory", "memory", IS_ENABLED(CONFIG_LKST_DEFAULT_MEMORY))
LKST_ECLASS_DEF(0x060, 0x06f, "network", "network", IS_ENABLED(CONFIG_LKST_DEFAULT_NETWORK))
LKST_ECLASS_DEF(0x070, 0x07f, "ipc", "System V IPC", IS_ENABLED(CONFIG_LKST_DEFAULT_IPC))
LKST_ECLASS_DEF(0x080, 0x08f, "lock", "locks", IS_ENABLED(CONFIG_LKST_DEFAULT_LOCKS))
LKST_ECLASS_DEF(0x090, 0x09f, "timer", "timers", IS_ENABLED(CONFIG_LKST_DEFAULT_TIMERS))
LKST_ECLASS_DEF(0x0a0, 0x0af, "block", "block", IS_ENABLED(CONFIG_LKST_DEFAULT_BLOCK))
LKST_ECLASS_DEF(0x0b0, 0x0bf, "oops", "oops", IS_ENABLED(CONFIG_LKST_DEFAULT_OOPS))
LKST_ECLASS_DEF(0x0c0, 0x0cf, "cpu", "CPU and power", IS_ENABLED(CONFIG_LKST_DEFAULT_CPU))
LKST_ECLASS_DEF(0x0d0, 0x0df, "module", "modules and work", IS_ENABLED(CONFIG_LKST_DEFAULT_WORK))
LKST_ECLASS_DEF(0x0e0, 0x0ef, "mark", "user programs", true)
LKST_ECLASS_DEF(0x0f0, 0x0ff, "stack", "stacks of threads", false)
LKST_ECLASS_DEF(0x100, 0x1ff, "user", "user-defined", false)
LKST_ECLASS_DEF(0x200, 0xeff, "user_events", "events of programs", false)
LKST_ECLASS_DEF(0xf00, 0xfff, "lkst", "LKST itself", true)
