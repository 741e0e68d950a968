/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of event types. The kernel, the tools and the documentation all use
 * this table.
 *
 *	LKST_ETYPE_DEF(number, hook type, mnemonic, name, arg1, arg2, arg3, arg4)
 *
 * If LKST_ETYPE_DEF is defined, this file expands to the table. Otherwise it
 * defines the constants LKST_ETYPE_<mnemonic>. If only one architecture has a
 * type, the type is in the asm/lkst_etypes.h of this architecture. Numbers are
 * never reused (Documentation/lkst/events.rst; specification 4.6).
 *
 * Hook types: an event of type NORMAL, MODULE or INLINE is recorded by an
 * LKST_HOOK. An event of type UNDEF has no hook: LKST records it in another
 * way, for instance from a tracepoint.
 *
 * Each event type below LKST_ETYPE_USER_MIN also needs a source: an entry in a
 * list in kernel/lkst/probes/, which is LKST_SOURCE_HOOK() for a type with a
 * hook. A type without a source is absent: no maskset can record it, and its
 * hook stays off.
 *
 * An argument is described by "label:format", an argument of two packed 32-bit
 * halves by "label:format,label:format" with the high half first, and an unused
 * argument by "". If the format is missing, or a tool does not know it, the
 * tool prints the value in hexadecimal.
 *
 * If a line of the list below has several formats, their descriptions follow in
 * the same order, separated by semicolons. A prefix such as GFP_ means the
 * kernel's constants with this prefix.
 *
 *	dec udec hex	signed number of the field's width; unsigned number;
 *			number in hexadecimal
 *	ptr sym		kernel address; code address, shown as a symbol
 *	text		up to 8 bytes of a string, continued in the next
 *			argument if that has the same label
 *	tid		thread ID: 0 is the idle thread, -1 is unknown
 *	state		letter of a task's state, plus 0x100 if the task was
 *			preempted
 *	sig err sys	signal number; result or negative errno; system call
 *			number
 *	abi		system call ABI: 0 native, 1 ia32, 2 x32, 3 a 32-bit
 *			program on an architecture other than x86
 *	clone wstatus	clone flags; exit status as in wait()
 *	irq vec trap	interrupt number; vector of a local interrupt; exception
 *	softirq		softirq number
 *	pfcode		error code of a page fault on x86
 *	fault gfp	FAULT_FLAG_; GFP_
 *	migrate		page mobility type: 0xffffffff is unknown
 *	dev blkop	block device, as dev_t in the kernel; REQ_OP_
 *	etype drop	EtherType of a packet; SKB_DROP_REASON_
 *	tcp af ipproto	TCP_ (a state of the connection); AF_; IPPROTO_
 *	ipcflg		flags of semget() and msgget()
 *	msgflg shmflg	flags of msgsnd() and msgrcv(); of shmget() and shmat()
 *	lcb		kind of a contended lock: LCB_F_
 *	level		log level of a message: KERN_
 *	detector	enum error_detector
 *	lockup		enum lkst_lockup
 *	reg		register of a CPU at an oops, see
 *			Documentation/lkst/events.rst
 *	dump		enum kmsg_dump_reason
 *	cpu clock	CPU number; enum lkst_clock
 *	sec nsec	seconds; nanoseconds of a wall-clock time
 *	mset evh buf	maskset id; event handler id; buffer id
 *	code		internal error: enum lkst_error_code
 *	chain		first argument of the head of a chain, see
 *			linux/lkst_buffer.h. The other arguments describe the
 *			first 24 bytes of the payload. The last of them also
 *			describes what the parts of the chain hold: a string if
 *			its format is text, code addresses of 8 bytes each if it
 *			is sym
 *
 * For the formats gfp, fault, migrate, vec, blkop, drop, tcp, lcb, detector,
 * dump and softirq, the names of the values differ between kernels.
 * /proc/lkst_values lists the names of the running kernel.
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
LKST_ETYPE_DEF(0x008, NORMAL, PROCESS_LTHREADGEN, "process_lthreadgen",
	       "function:sym", "data:ptr", "name:text", "name:text")
LKST_ETYPE_DEF(0x009, UNDEF, PROCESS_MIGRATE, "process_migrate",
	       "thread:tid", "from:cpu,to:cpu", "", "")
LKST_ETYPE_DEF(0x00a, UNDEF, PROCESS_RENAME, "process_rename",
	       "thread:tid", "name:text", "name:text", "")
LKST_ETYPE_DEF(0x00b, NORMAL, PROCESS_INIT_WQH, "process_init_wqh",
	       "queue:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x00c, NORMAL, PROCESS_ADD_WQ, "process_add_wq",
	       "queue:ptr", "entry:ptr", "caller:sym", "")
LKST_ETYPE_DEF(0x00d, NORMAL, PROCESS_REM_WQ, "process_rem_wq",
	       "queue:ptr", "entry:ptr", "caller:sym", "")
LKST_ETYPE_DEF(0x00e, UNDEF, PROCESS_STATE, "process_state",
	       "thread:tid,tgid:dec", "parent:tid,state:state", "name:text", "name:text")
LKST_ETYPE_DEF(0x00f, UNDEF, PROCESS_WAKING, "process_waking",
	       "thread:tid,prio:dec", "cpu:cpu", "name:text", "name:text")

/* 0x010: interrupts */
LKST_ETYPE_DEF(0x010, UNDEF, INT_HARDWARE_ENTRY, "int_hardware_entry",
	       "irq:irq", "name:text", "name:text", "name:text")
LKST_ETYPE_DEF(0x011, UNDEF, INT_HARDWARE_EXIT, "int_hardware_exit",
	       "irq:irq", "handled:dec", "", "")
LKST_ETYPE_DEF(0x012, UNDEF, INT_SOFTIRQ_ENTRY, "int_softirq_entry",
	       "vector:softirq", "", "", "")
LKST_ETYPE_DEF(0x013, UNDEF, INT_SOFTIRQ_EXIT, "int_softirq_exit",
	       "vector:softirq", "", "", "")
LKST_ETYPE_DEF(0x014, UNDEF, INT_SOFTIRQ_RAISE, "int_softirq_raise",
	       "vector:softirq", "", "", "")
LKST_ETYPE_DEF(0x015, UNDEF, INT_TASKLETHI_ENTRY, "int_tasklethi_entry",
	       "tasklet:ptr", "function:sym", "", "")
LKST_ETYPE_DEF(0x016, UNDEF, INT_TASKLETHI_EXIT, "int_tasklethi_exit",
	       "tasklet:ptr", "function:sym", "", "")
LKST_ETYPE_DEF(0x017, UNDEF, INT_TASKLET_ENTRY, "int_tasklet_entry",
	       "tasklet:ptr", "function:sym", "", "")
LKST_ETYPE_DEF(0x018, UNDEF, INT_TASKLET_EXIT, "int_tasklet_exit",
	       "tasklet:ptr", "function:sym", "", "")

/* 0x030: system calls */
LKST_ETYPE_DEF(0x030, NORMAL, SYSCALL_ENTRY, "system_call_entry",
	       "number:sys,abi:abi", "arg1:hex", "arg2:hex", "arg3:hex")
LKST_ETYPE_DEF(0x031, NORMAL, SYSCALL_EXIT, "system_call_exit",
	       "number:sys,abi:abi", "result:err", "", "")
LKST_ETYPE_DEF(0x032, UNDEF, SYSCALL_PATH, "system_call_path",
	       "chain:chain", "number:sys,abi:abi", "argument:udec,directory:dec", "path:text")

/* 0x040: memory */
LKST_ETYPE_DEF(0x040, UNDEF, MEM_KMALLOC, "mem_kmalloc",
	       "caller:sym", "object:ptr", "requested:udec,allocated:udec", "gfp:gfp,node:dec")
LKST_ETYPE_DEF(0x041, UNDEF, MEM_KFREE, "mem_kfree",
	       "caller:sym", "object:ptr", "", "")
LKST_ETYPE_DEF(0x042, UNDEF, MEM_CACHEALLOC, "mem_cachealloc",
	       "caller:sym", "object:ptr", "size:udec", "gfp:gfp,node:dec")
LKST_ETYPE_DEF(0x043, UNDEF, MEM_CACHEFREE, "mem_cachefree",
	       "caller:sym", "object:ptr", "cache:text", "cache:text")
LKST_ETYPE_DEF(0x044, UNDEF, MEM_PAGEALLOC, "mem_pagealloc",
	       "pfn:dec", "order:udec,migratetype:migrate", "gfp:gfp", "")
LKST_ETYPE_DEF(0x045, UNDEF, MEM_PAGEFREE, "mem_pagefree",
	       "pfn:dec", "order:udec", "", "")
LKST_ETYPE_DEF(0x046, NORMAL, MEM_NOPAGE, "mem_nopage",
	       "address:hex", "flags:fault", "mm:ptr", "")
LKST_ETYPE_DEF(0x047, INLINE, MEM_WPPAGE, "mem_wppage",
	       "address:hex", "flags:fault", "mm:ptr", "")
LKST_ETYPE_DEF(0x048, UNDEF, MEM_RECLAIM_ENTRY, "mem_reclaim_entry",
	       "order:udec", "gfp:gfp", "", "")
LKST_ETYPE_DEF(0x049, UNDEF, MEM_RECLAIM_EXIT, "mem_reclaim_exit",
	       "reclaimed:udec", "", "", "")
LKST_ETYPE_DEF(0x04a, UNDEF, MEM_KSWAPD_WAKE, "mem_kswapd_wake",
	       "node:dec", "order:udec", "", "")
LKST_ETYPE_DEF(0x04b, UNDEF, MEM_OOMKILL, "mem_oomkill",
	       "thread:tid", "", "", "")
LKST_ETYPE_DEF(0x04c, NORMAL, MEM_VMALLOC, "mem_vmalloc",
	       "address:ptr", "size:udec", "caller:sym", "")
LKST_ETYPE_DEF(0x04d, NORMAL, MEM_VFREE, "mem_vfree",
	       "address:ptr", "size:udec", "caller:sym", "")

/* 0x060: network */
LKST_ETYPE_DEF(0x060, UNDEF, NET_PKTSEND, "net_pktsend",
	       "skb:ptr", "length:udec,result:dec", "device:text", "device:text")
LKST_ETYPE_DEF(0x061, UNDEF, NET_PKTSENDQ, "net_pktsendq",
	       "skb:ptr", "length:udec,protocol:etype", "device:text", "device:text")
LKST_ETYPE_DEF(0x062, UNDEF, NET_PKTRECV, "net_pktrecv",
	       "skb:ptr", "length:udec,protocol:etype", "device:text", "device:text")
LKST_ETYPE_DEF(0x063, UNDEF, NET_PKTRECVQ, "net_pktrecvq",
	       "skb:ptr", "length:udec,protocol:etype", "device:text", "device:text")
LKST_ETYPE_DEF(0x064, UNDEF, NET_DROP, "net_drop",
	       "skb:ptr", "location:sym", "protocol:etype,reason:drop", "")
LKST_ETYPE_DEF(0x065, UNDEF, NET_SOCKSTATE, "net_sockstate",
	       "socket:ptr", "old:tcp,new:tcp", "sport:udec,dport:udec",
	       "family:af,protocol:ipproto")

/* 0x070: System V IPC */
LKST_ETYPE_DEF(0x070, NORMAL, IPC_SEMGET, "ipc_semget",
	       "key:hex", "count:udec,flags:ipcflg", "id:err", "")
LKST_ETYPE_DEF(0x071, NORMAL, IPC_SEMOP, "ipc_semop",
	       "id:dec", "count:udec", "result:err", "")
LKST_ETYPE_DEF(0x072, NORMAL, IPC_MSGGET, "ipc_msgget",
	       "key:hex", "flags:ipcflg", "id:err", "")
LKST_ETYPE_DEF(0x073, NORMAL, IPC_MSGSND, "ipc_msgsnd",
	       "id:dec", "size:udec,flags:msgflg", "result:err", "")
LKST_ETYPE_DEF(0x074, NORMAL, IPC_MSGRCV, "ipc_msgrcv",
	       "id:dec", "size:udec,flags:msgflg", "result:err", "")
LKST_ETYPE_DEF(0x075, NORMAL, IPC_SHMGET, "ipc_shmget",
	       "key:hex", "size:udec", "flags:shmflg", "id:err")
LKST_ETYPE_DEF(0x076, NORMAL, IPC_SHMAT, "ipc_shmat",
	       "id:dec", "flags:shmflg", "result:err", "address:hex")
LKST_ETYPE_DEF(0x077, NORMAL, IPC_SHMDT, "ipc_shmdt",
	       "address:hex", "result:err", "", "")

/* 0x080: locks */
LKST_ETYPE_DEF(0x080, INLINE, LOCK_SPIN_LOCK, "spin_lock",
	       "lock:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x081, INLINE, LOCK_SPIN_TRYLOCK, "spin_trylock",
	       "lock:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x082, INLINE, LOCK_SPIN_UNLOCK, "spin_unlock",
	       "lock:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x083, INLINE, LOCK_READ_LOCK, "read_lock",
	       "lock:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x084, INLINE, LOCK_READ_UNLOCK, "read_unlock",
	       "lock:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x085, INLINE, LOCK_WRITE_LOCK, "write_lock",
	       "lock:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x086, INLINE, LOCK_WRITE_UNLOCK, "write_unlock",
	       "lock:ptr", "caller:sym", "", "")
LKST_ETYPE_DEF(0x088, UNDEF, LOCK_CONTENTION_BEGIN, "lock_contention_begin",
	       "lock:ptr", "flags:lcb", "owner:tid", "")
LKST_ETYPE_DEF(0x089, UNDEF, LOCK_CONTENTION_END, "lock_contention_end",
	       "lock:ptr", "result:err", "", "")

/* 0x090: timers */
LKST_ETYPE_DEF(0x090, UNDEF, TIMER_ADD, "timer_add",
	       "timer:ptr", "function:sym", "expires:udec", "")
LKST_ETYPE_DEF(0x091, UNDEF, TIMER_DEL, "timer_del",
	       "timer:ptr", "function:sym", "expires:udec", "")
LKST_ETYPE_DEF(0x092, UNDEF, TIMER_RUN_ENTRY, "timer_run_entry",
	       "timer:ptr", "function:sym", "", "")
LKST_ETYPE_DEF(0x093, UNDEF, TIMER_RUN_EXIT, "timer_run_exit",
	       "timer:ptr", "function:sym", "", "")
LKST_ETYPE_DEF(0x094, UNDEF, TIMER_HR_ADD, "timer_hr_add",
	       "timer:ptr", "function:sym", "expires_ns:dec", "")
LKST_ETYPE_DEF(0x095, UNDEF, TIMER_HR_DEL, "timer_hr_del",
	       "timer:ptr", "function:sym", "expires_ns:dec", "")
LKST_ETYPE_DEF(0x096, UNDEF, TIMER_HR_RUN_ENTRY, "timer_hr_run_entry",
	       "timer:ptr", "function:sym", "expires_ns:dec", "")
LKST_ETYPE_DEF(0x097, UNDEF, TIMER_HR_RUN_EXIT, "timer_hr_run_exit",
	       "timer:ptr", "function:sym", "", "")

/* 0x0a0: block */
LKST_ETYPE_DEF(0x0a0, UNDEF, BLOCK_ISSUE, "block_issue",
	       "device:dev", "sector:udec", "bytes:udec,operation:blkop",
	       "queue_ns:udec")
LKST_ETYPE_DEF(0x0a1, UNDEF, BLOCK_COMPLETE, "block_complete",
	       "device:dev", "sector:udec", "bytes:udec,operation:blkop", "error:err")

/* 0x0b0: oops */
LKST_ETYPE_DEF(0x0b0, UNDEF, OOPS_DIE, "oops_die",
	       "trap:trap,error_code:hex", "ip:sym", "signal:sig", "")
LKST_ETYPE_DEF(0x0b1, NORMAL, OOPS_PANIC, "oops_panic",
	       "message:text", "message:text", "message:text", "message:text")
LKST_ETYPE_DEF(0x0b2, UNDEF, OOPS_WARN, "oops_warn",
	       "detector:detector", "id:sym", "", "")
LKST_ETYPE_DEF(0x0b3, INLINE, OOPS_LOCKUP, "oops_lockup",
	       "thread:tid", "kind:lockup", "", "")
LKST_ETYPE_DEF(0x0b4, UNDEF, OOPS_REGS, "oops_regs",
	       "r1:reg", "r2:reg", "r3:reg", "r4:reg")
LKST_ETYPE_DEF(0x0b5, UNDEF, OOPS_STACK, "oops_stack",
	       "at1:sym", "at2:sym", "at3:sym", "at4:sym")
LKST_ETYPE_DEF(0x0b7, NORMAL, OOPS_PRINTK, "oops_printk",
	       "level:level,length:udec", "line:text", "line:text", "line:text")
LKST_ETYPE_DEF(0x0b8, NORMAL, OOPS_MESSAGE, "oops_message",
	       "chain:chain", "level:level,length:udec", "text:text", "text:text")

/* 0x0c0: CPU and power */
LKST_ETYPE_DEF(0x0c0, UNDEF, CPU_IDLE_ENTRY, "cpu_idle_entry",
	       "state:dec", "", "", "")
LKST_ETYPE_DEF(0x0c1, UNDEF, CPU_IDLE_EXIT, "cpu_idle_exit",
	       "", "", "", "")
LKST_ETYPE_DEF(0x0c2, UNDEF, CPU_ONLINE, "cpu_online",
	       "cpu:cpu", "", "", "")
LKST_ETYPE_DEF(0x0c3, UNDEF, CPU_OFFLINE, "cpu_offline",
	       "cpu:cpu", "", "", "")
LKST_ETYPE_DEF(0x0c4, UNDEF, CPU_FREQUENCY, "cpu_frequency",
	       "khz:udec", "cpu:cpu", "", "")
LKST_ETYPE_DEF(0x0c5, UNDEF, CPU_SUSPEND, "cpu_suspend",
	       "action:text", "action:text", "value:dec", "start:dec")
LKST_ETYPE_DEF(0x0c6, UNDEF, CPU_IPI_SEND, "cpu_ipi_send",
	       "target_cpu:cpu", "caller:sym", "callback:sym", "")

/* 0x0d0: modules and work */
LKST_ETYPE_DEF(0x0d0, UNDEF, MODULE_LOAD, "module_load",
	       "name:text", "name:text", "name:text", "")
LKST_ETYPE_DEF(0x0d1, UNDEF, MODULE_FREE, "module_free",
	       "name:text", "name:text", "name:text", "")
LKST_ETYPE_DEF(0x0d2, UNDEF, WORK_ENTRY, "work_entry",
	       "work:ptr", "function:sym", "", "")
LKST_ETYPE_DEF(0x0d3, UNDEF, WORK_EXIT, "work_exit",
	       "work:ptr", "function:sym", "", "")

/* 0x0e0: user programs */
LKST_ETYPE_DEF(0x0e0, UNDEF, USER_MARK, "user_mark",
	       "arg1:hex", "arg2:hex", "arg3:hex", "arg4:hex")
LKST_ETYPE_DEF(0x0e1, UNDEF, USER_TEXT, "user_text",
	       "text:text", "text:text", "text:text", "text:text")
LKST_ETYPE_DEF(0x0e2, UNDEF, USER_LONG_TEXT, "user_long_text",
	       "chain:chain", "text:text", "text:text", "text:text")

/* 0x0f0: stacks of threads */
LKST_ETYPE_DEF(0x0f0, UNDEF, PROCESS_BLOCK, "process_block",
	       "chain:chain", "stack:sym", "stack:sym", "stack:sym")
LKST_ETYPE_DEF(0x0f1, UNDEF, RULE_STACK, "rule_stack",
	       "chain:chain", "stack:sym", "stack:sym", "stack:sym")

/*
 * 0x200 to 0xefe: events of programs, see linux/lkst_user_events.h. An event
 * that a program registers later gets the maskset's entry for USER_EVENTS_NEW.
 */
LKST_ETYPE_DEF(0xeff, UNDEF, USER_EVENTS_NEW, "user_events_new", "", "", "", "")

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
LKST_ETYPE_DEF(0xf07, UNDEF, LKST_KERNEL_DUMP, "lkst_kernel_dump",
	       "reason:dump", "", "", "")
LKST_ETYPE_DEF(0xf08, UNDEF, LKST_ERROR, "lkst_error",
	       "code:code", "detail:dec", "", "")
LKST_ETYPE_DEF(0xf09, UNDEF, LKST_CLOCK, "lkst_clock",
	       "from:clock", "to:clock", "", "")
LKST_ETYPE_DEF(0xf0a, UNDEF, LKST_MORE, "lkst_more",
	       "serial:udec,part:hex", "data1:hex", "data2:hex", "data3:hex")
LKST_ETYPE_DEF(0xf0b, UNDEF, LKST_WATCH, "lkst_watch",
	       "ns:udec", "key:udec", "key2:udec", "name:text")
LKST_ETYPE_DEF(0xf0c, UNDEF, LKST_SNAPSHOT, "lkst_snapshot",
	       "cause:hex", "buffer:buf", "number:udec", "missed:udec")
LKST_ETYPE_DEF(0xf0d, UNDEF, LKST_DIGEST, "lkst_digest",
	       "ms:udec,left_out:udec", "user_ms:udec,system_ms:udec",
	       "irq_ms:udec,steal_ms:udec", "idle_ms:dec,iowait_ms:dec")
LKST_ETYPE_DEF(0xf0e, UNDEF, LKST_DIGEST_SYSTEM, "lkst_digest_system",
	       "running:dec,iowait:dec", "free_kb:udec,available_kb:udec",
	       "cpu_pressure:dec,memory_pressure:dec", "io_pressure:dec,load:dec")

#include <asm/lkst_etypes.h>

#elif !defined(_LINUX_LKST_ETYPES_H)
#define _LINUX_LKST_ETYPES_H

enum lkst_etype {
#define LKST_ETYPE_DEF(number, hook, mnemonic, ...) LKST_ETYPE_##mnemonic = number,
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF
};

#endif
