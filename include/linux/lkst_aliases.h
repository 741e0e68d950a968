/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names that the kernel's own tracing gives to the events that LKST also
 * records, and to their fields. The kernel and the tools both use this table.
 * Define LKST_ALIAS_DEF before including this file:
 *
 *	LKST_ALIAS_DEF(mnemonic, system, name, fields)
 *
 * The fields are separated by semicolons, in the order in which the kernel
 * prints them. "KERNEL=LKST" gives the kernel's name, and then the name in
 * linux/lkst_etypes.h, or "tid" or "comm" for the running thread. A single word
 * is the same name in both. A field that only the kernel or only LKST has is
 * left out.
 */
LKST_ALIAS_DEF(PROCESS_CONTEXTSWITCH, "sched", "sched_switch",
	       "prev_comm=prev_name; prev_pid=prev; prev_state; "
	       "next_comm=next_name; next_pid=next; next_prio")
LKST_ALIAS_DEF(PROCESS_WAKEUP, "sched", "sched_wakeup",
	       "comm=name; pid=thread; prio; target_cpu")
LKST_ALIAS_DEF(PROCESS_WAKING, "sched", "sched_waking",
	       "comm=name; pid=thread; prio; target_cpu=cpu")
LKST_ALIAS_DEF(PROCESS_FORK, "sched", "sched_process_fork",
	       "parent_comm=comm; parent_pid=tid; child_comm=name; "
	       "child_pid=child")
LKST_ALIAS_DEF(PROCESS_EXEC, "sched", "sched_process_exec",
	       "filename=path; pid=thread; old_pid=old")
LKST_ALIAS_DEF(PROCESS_EXIT, "sched", "sched_process_exit",
	       "comm=name; pid=thread; prio")
LKST_ALIAS_DEF(PROCESS_MIGRATE, "sched", "sched_migrate_task",
	       "pid=thread; orig_cpu=from; dest_cpu=to")
LKST_ALIAS_DEF(PROCESS_RENAME, "task", "task_rename",
	       "pid=thread; newcomm=name")
LKST_ALIAS_DEF(PROCESS_SIGSEND, "signal", "signal_generate",
	       "sig=signal; code; comm=name; pid=target; group; result")
LKST_ALIAS_DEF(PROCESS_SIGRECV, "signal", "signal_deliver",
	       "sig=signal; code; sa_handler=handler; sa_flags")

LKST_ALIAS_DEF(INT_HARDWARE_ENTRY, "irq", "irq_handler_entry", "irq; name")
LKST_ALIAS_DEF(INT_HARDWARE_EXIT, "irq", "irq_handler_exit", "irq; ret=handled")
LKST_ALIAS_DEF(INT_SOFTIRQ_ENTRY, "irq", "softirq_entry", "vec=vector")
LKST_ALIAS_DEF(INT_SOFTIRQ_EXIT, "irq", "softirq_exit", "vec=vector")
LKST_ALIAS_DEF(INT_SOFTIRQ_RAISE, "irq", "softirq_raise", "vec=vector")
LKST_ALIAS_DEF(INT_TASKLET_ENTRY, "irq", "tasklet_entry",
	       "tasklet; func=function")
LKST_ALIAS_DEF(INT_TASKLET_EXIT, "irq", "tasklet_exit",
	       "tasklet; func=function")

LKST_ALIAS_DEF(SYSCALL_ENTRY, "raw_syscalls", "sys_enter",
	       "id=number; arg1; arg2; arg3")
LKST_ALIAS_DEF(SYSCALL_EXIT, "raw_syscalls", "sys_exit",
	       "id=number; ret=result")

LKST_ALIAS_DEF(MEM_KMALLOC, "kmem", "kmalloc",
	       "call_site=caller; ptr=object; bytes_req=requested; "
	       "bytes_alloc=allocated; gfp_flags=gfp; node")
LKST_ALIAS_DEF(MEM_KFREE, "kmem", "kfree", "call_site=caller; ptr=object")
LKST_ALIAS_DEF(MEM_CACHEALLOC, "kmem", "kmem_cache_alloc",
	       "call_site=caller; ptr=object; bytes_req=size; gfp_flags=gfp; "
	       "node")
LKST_ALIAS_DEF(MEM_CACHEFREE, "kmem", "kmem_cache_free",
	       "call_site=caller; ptr=object; name=cache")
LKST_ALIAS_DEF(MEM_PAGEALLOC, "kmem", "mm_page_alloc",
	       "pfn; order; gfp_flags=gfp; migratetype")
LKST_ALIAS_DEF(MEM_PAGEFREE, "kmem", "mm_page_free", "pfn; order")
LKST_ALIAS_DEF(MEM_RECLAIM_ENTRY, "vmscan", "mm_vmscan_direct_reclaim_begin",
	       "order; gfp_flags=gfp")
LKST_ALIAS_DEF(MEM_RECLAIM_EXIT, "vmscan", "mm_vmscan_direct_reclaim_end",
	       "nr_reclaimed=reclaimed")
LKST_ALIAS_DEF(MEM_KSWAPD_WAKE, "vmscan", "mm_vmscan_kswapd_wake",
	       "nid=node; order")
LKST_ALIAS_DEF(MEM_OOMKILL, "oom", "mark_victim", "pid=thread")

LKST_ALIAS_DEF(NET_PKTSEND, "net", "net_dev_xmit",
	       "skbaddr=skb; len=length; rc=result; name=device")
LKST_ALIAS_DEF(NET_PKTSENDQ, "net", "net_dev_queue",
	       "skbaddr=skb; len=length; name=device; protocol")
LKST_ALIAS_DEF(NET_PKTRECV, "net", "netif_receive_skb",
	       "skbaddr=skb; len=length; name=device; protocol")
LKST_ALIAS_DEF(NET_PKTRECVQ, "net", "netif_rx",
	       "skbaddr=skb; len=length; name=device; protocol")
LKST_ALIAS_DEF(NET_DROP, "skb", "kfree_skb",
	       "skbaddr=skb; location; protocol; reason")
LKST_ALIAS_DEF(NET_SOCKSTATE, "sock", "inet_sock_set_state",
	       "skaddr=socket; oldstate=old; newstate=new; sport; dport; "
	       "family; protocol")

LKST_ALIAS_DEF(LOCK_CONTENTION_BEGIN, "lock", "contention_begin",
	       "lock_addr=lock; flags")
LKST_ALIAS_DEF(LOCK_CONTENTION_END, "lock", "contention_end",
	       "lock_addr=lock; ret=result")

LKST_ALIAS_DEF(TIMER_ADD, "timer", "timer_start", "timer; function; expires")
LKST_ALIAS_DEF(TIMER_DEL, "timer", "timer_cancel", "timer")
LKST_ALIAS_DEF(TIMER_RUN_ENTRY, "timer", "timer_expire_entry",
	       "timer; function")
LKST_ALIAS_DEF(TIMER_RUN_EXIT, "timer", "timer_expire_exit", "timer")
LKST_ALIAS_DEF(TIMER_HR_ADD, "timer", "hrtimer_start",
	       "hrtimer=timer; function; expires=expires_ns")
LKST_ALIAS_DEF(TIMER_HR_DEL, "timer", "hrtimer_cancel", "hrtimer=timer")
LKST_ALIAS_DEF(TIMER_HR_RUN_ENTRY, "timer", "hrtimer_expire_entry",
	       "hrtimer=timer; function")
LKST_ALIAS_DEF(TIMER_HR_RUN_EXIT, "timer", "hrtimer_expire_exit",
	       "hrtimer=timer")

LKST_ALIAS_DEF(BLOCK_ISSUE, "block", "block_rq_issue",
	       "dev=device; sector; bytes")
LKST_ALIAS_DEF(BLOCK_COMPLETE, "block", "block_rq_complete",
	       "dev=device; sector; error")

LKST_ALIAS_DEF(CPU_IDLE_ENTRY, "power", "cpu_idle", "state")
LKST_ALIAS_DEF(CPU_FREQUENCY, "power", "cpu_frequency", "state=khz; cpu_id=cpu")
LKST_ALIAS_DEF(CPU_SUSPEND, "power", "suspend_resume",
	       "action; val=value; start")
LKST_ALIAS_DEF(CPU_IPI_SEND, "ipi", "ipi_send_cpu",
	       "cpu=target_cpu; callsite=caller; callback")

LKST_ALIAS_DEF(MODULE_LOAD, "module", "module_load", "name")
LKST_ALIAS_DEF(MODULE_FREE, "module", "module_free", "name")
LKST_ALIAS_DEF(WORK_ENTRY, "workqueue", "workqueue_execute_start",
	       "work; function")
LKST_ALIAS_DEF(WORK_EXIT, "workqueue", "workqueue_execute_end",
	       "work; function")
