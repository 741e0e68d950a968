/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of events that both tracers record: KIND(kind, group, flags, mnemonic, plural,
 * source...). Each file that includes this list defines KIND() to get the members that it needs.
 *
 * @kind: member of enum kind
 * @group: group of the kind, member of enum group
 * @flags: KIND_ALWAYS and other flags, see oracle.h
 * @mnemonic: LKST's identifier of the event type, as in /proc/lkst_etypes
 * @plural: name of the events in messages
 * @source: an event of ftrace that is of this kind, as an initializer of struct source
 *
 * For a kind without a source, the events come from the source of another kind. That source's
 * finish() changes the kind of the event.
 */

/* Processes */
KIND(SWITCH, PROCESSES, KIND_ALWAYS, "PROCESS_CONTEXTSWITCH", "context switches",
     { "sched/sched_switch", { "prev_pid,prev_state", "next_pid,next_prio", "prev_comm@0", "next_comm@0" },
       finish_switch })
KIND(WAKEUP, PROCESSES, 0, "PROCESS_WAKEUP", "wakeups",
     { "sched/sched_wakeup", { "pid,prio", "target_cpu,", "comm@0", "comm@8" } },
     { "sched/sched_wakeup_new", { "pid,prio", "target_cpu,=1", "comm@0", "comm@8" } })
KIND(WAKING, PROCESSES, 0, "PROCESS_WAKING", "threads to wake up",
     { "sched/sched_waking", { "pid,prio", "target_cpu", "comm@0", "comm@8" } })
KIND(SIGSEND, PROCESSES, KIND_ALWAYS, "PROCESS_SIGSEND", "signals sent",
     { "signal/signal_generate", { "sig,code", "pid,result", "group", "comm@0" } })
KIND(SIGRECV, PROCESSES, 0, "PROCESS_SIGRECV", "signals received",
     { "signal/signal_deliver", { "sig,code", "sa_handler", "sa_flags" } })
KIND(FORK, PROCESSES, KIND_ALWAYS, "PROCESS_FORK", "forks",
     { "task/task_newtask", { "pid,?", "clone_flags", "comm@0", "comm@8" } })
KIND(EXEC, PROCESSES, KIND_ALWAYS, "PROCESS_EXEC", "executed programs",
     { "sched/sched_process_exec", { "pid,old_pid" }, finish_exec, "filename" })
KIND(EXIT, PROCESSES, KIND_ALWAYS, "PROCESS_EXIT", "exits",
     { "sched/sched_process_exit", { "pid,prio", "?", "comm@0" } })
KIND(MIGRATE, PROCESSES, 0, "PROCESS_MIGRATE", "migrations",
     { "sched/sched_migrate_task", { "pid", "orig_cpu,dest_cpu" } })
KIND(RENAME, PROCESSES, 0, "PROCESS_RENAME", "renamed threads",
     { "task/task_rename", { "pid", "newcomm@0", "newcomm@8" } })

/* Interrupts and system calls */
KIND(HARDWARE_ENTRY, PROCESSES, KIND_BEGINS, "INT_HARDWARE_ENTRY", "hardware interrupt entries",
     { "irq/irq_handler_entry", { "irq", "name@0", "name@8", "name@16" } })
KIND(HARDWARE_EXIT, PROCESSES, KIND_ENDS, "INT_HARDWARE_EXIT", "hardware interrupt exits",
     { "irq/irq_handler_exit", { "irq", "ret" } })
KIND(SOFTIRQ_ENTRY, PROCESSES, KIND_BEGINS, "INT_SOFTIRQ_ENTRY", "softirq entries",
     { "irq/softirq_entry", { "vec" }, finish_softirq_entry })
KIND(SOFTIRQ_EXIT, PROCESSES, KIND_ENDS, "INT_SOFTIRQ_EXIT", "softirq exits",
     { "irq/softirq_exit", { "vec" } })
KIND(SOFTIRQ_RAISE, PROCESSES, 0, "INT_SOFTIRQ_RAISE", "raised softirqs",
     { "irq/softirq_raise", { "vec" } })
KIND(TASKLETHI_ENTRY, PROCESSES, KIND_BEGINS | KIND_RARE,
     "INT_TASKLETHI_ENTRY", "high-priority tasklet entries",
     { "irq/tasklet_entry", { "tasklet", "func" }, finish_tasklet })
KIND(TASKLETHI_EXIT, PROCESSES, KIND_ENDS | KIND_RARE,
     "INT_TASKLETHI_EXIT", "high-priority tasklet exits",
     { "irq/tasklet_exit", { "tasklet", "func" }, finish_tasklet })
KIND(TASKLET_ENTRY, PROCESSES, KIND_BEGINS | KIND_RARE, "INT_TASKLET_ENTRY", "tasklet entries")
KIND(TASKLET_EXIT, PROCESSES, KIND_ENDS | KIND_RARE, "INT_TASKLET_EXIT", "tasklet exits")
KIND(TIMER_ENTRY, PROCESSES, KIND_BEGINS | KIND_X86, "INT_TIMER_ENTRY", "timer interrupt entries",
     { "irq_vectors/local_timer_entry", { "vector", "?" } })
KIND(TIMER_EXIT, PROCESSES, KIND_ENDS | KIND_X86, "INT_TIMER_EXIT", "timer interrupt exits",
     VECTOR("local_timer_exit"))
KIND(IPI_ENTRY, PROCESSES, KIND_BEGINS | KIND_X86,
     "INT_IPI_ENTRY", "inter-processor interrupt entries",
     VECTOR("reschedule_entry"), VECTOR("call_function_entry"),
     VECTOR("call_function_single_entry"), VECTOR("irq_work_entry"),
     VECTOR("x86_platform_ipi_entry"))
KIND(IPI_EXIT, PROCESSES, KIND_ENDS | KIND_X86, "INT_IPI_EXIT", "inter-processor interrupt exits",
     VECTOR("reschedule_exit"), VECTOR("call_function_exit"), VECTOR("call_function_single_exit"),
     VECTOR("irq_work_exit"), VECTOR("x86_platform_ipi_exit"))
KIND(NMI, PROCESSES, KIND_X86, "INT_NMI", "NMI handler calls",
     { "nmi/nmi_handler", { "handler", "delta_ns", "handled" } })
KIND(SYSCALL_ENTRY, PROCESSES, 0, "SYSCALL_ENTRY", "system call entries",
     { "raw_syscalls/sys_enter", { "id,", "args[0]", "args[1]", "args[2]" }, finish_syscall_entry })
KIND(SYSCALL_EXIT, PROCESSES, 0, "SYSCALL_EXIT", "system call exits",
     { "raw_syscalls/sys_exit", { "id,?", "ret" } })

/* Memory */
KIND(PGFAULT, MEMORY, KIND_X86, "EXCEPTION_PGFAULT", "page faults",
     { "exceptions/page_fault_user", { "address", "ip", "error_code,=1" } },
     { "exceptions/page_fault_kernel", { "address", "ip", "error_code,=0" } })
KIND(KMALLOC, MEMORY, 0, "MEM_KMALLOC", "kmallocs",
     { "kmem/kmalloc", { "call_site", "ptr", "bytes_req,bytes_alloc", "gfp_flags,node" } })
KIND(KFREE, MEMORY, 0, "MEM_KFREE", "kfrees", { "kmem/kfree", { "call_site", "ptr" } })
KIND(CACHEALLOC, MEMORY, 0, "MEM_CACHEALLOC", "allocations from caches",
     { "kmem/kmem_cache_alloc", { "call_site", "ptr", "bytes_req", "gfp_flags,node" } })
KIND(CACHEFREE, MEMORY, 0, "MEM_CACHEFREE", "objects freed to caches",
     { "kmem/kmem_cache_free", { "call_site", "ptr", "name@0", "name@8" } })
KIND(PAGEALLOC, MEMORY, 0, "MEM_PAGEALLOC", "page allocations",
     { "kmem/mm_page_alloc", { "pfn", "order,migratetype", "gfp_flags" } })
KIND(PAGEFREE, MEMORY, 0, "MEM_PAGEFREE", "freed pages",
     { "kmem/mm_page_free", { "pfn", "order" } })
KIND(RECLAIM_ENTRY, MEMORY, 0, "MEM_RECLAIM_ENTRY", "direct reclaim entries",
     { "vmscan/mm_vmscan_direct_reclaim_begin", { "order", "gfp_flags" } })
KIND(RECLAIM_EXIT, MEMORY, 0, "MEM_RECLAIM_EXIT", "direct reclaim exits",
     { "vmscan/mm_vmscan_direct_reclaim_end", { "nr_reclaimed" } })
KIND(KSWAPD_WAKE, MEMORY, 0, "MEM_KSWAPD_WAKE", "kswapd wakeups",
     { "vmscan/mm_vmscan_kswapd_wake", { "nid", "order" } })
KIND(OOMKILL, MEMORY, 0, "MEM_OOMKILL", "OOM kills", { "oom/mark_victim", { "pid" } })

/* Network, and contended locks */
KIND(PKTSEND, NETWORK, 0, "NET_PKTSEND", "packets sent",
     { "net/net_dev_xmit", { "skbaddr", "len,rc", "name@0", "name@8" } })
KIND(PKTSENDQ, NETWORK, 0, "NET_PKTSENDQ", "packets queued to be sent",
     { "net/net_dev_queue", { "skbaddr", "len,?", "name@0", "name@8" } })
KIND(PKTRECV, NETWORK, 0, "NET_PKTRECV", "packets received",
     { "net/netif_receive_skb", { "skbaddr", "len,?", "name@0", "name@8" } })
KIND(PKTRECVQ, NETWORK, 0, "NET_PKTRECVQ", "packets queued when received",
     { "net/netif_rx", { "skbaddr", "len,?", "name@0", "name@8" } })
KIND(DROP, NETWORK, 0, "NET_DROP", "dropped packets",
     { "skb/kfree_skb", { "skbaddr", "location", "protocol,reason" } })
KIND(SOCKSTATE, NETWORK, 0, "NET_SOCKSTATE", "socket state changes",
     { "sock/inet_sock_set_state", { "skaddr", "oldstate,newstate", "sport,dport",
         "family,protocol" } })
KIND(CONTENTION_BEGIN, NETWORK, 0, "LOCK_CONTENTION_BEGIN", "lock contention begins",
     { "lock/contention_begin", { "lock_addr", "flags", "?" } })
KIND(CONTENTION_END, NETWORK, 0, "LOCK_CONTENTION_END", "lock contention ends",
     { "lock/contention_end", { "lock_addr", "ret" } })

/* Timers, devices, and the work done for them */
KIND(TIMER_ADD, DEVICES, 0, "TIMER_ADD", "timers added",
     { "timer/timer_start", { "timer", "function", "expires" } })
KIND(TIMER_DEL, DEVICES, 0, "TIMER_DEL", "timers deleted",
     { "timer/timer_cancel", { "timer", "?", "?" } })
KIND(TIMER_RUN_ENTRY, DEVICES, KIND_BEGINS, "TIMER_RUN_ENTRY", "timer function entries",
     { "timer/timer_expire_entry", { "timer", "function" } })
KIND(TIMER_RUN_EXIT, DEVICES, KIND_ENDS, "TIMER_RUN_EXIT", "timer function exits",
     { "timer/timer_expire_exit", { "timer", "?" } })
KIND(HR_ADD, DEVICES, 0, "TIMER_HR_ADD", "high-resolution timers added",
     { "timer/hrtimer_start", { "hrtimer", "function", "expires" } })
KIND(HR_DEL, DEVICES, 0, "TIMER_HR_DEL", "high-resolution timers deleted",
     { "timer/hrtimer_cancel", { "hrtimer", "?", "?" } })
KIND(HR_RUN_ENTRY, DEVICES, KIND_BEGINS, "TIMER_HR_RUN_ENTRY", "high-resolution timer function entries",
     { "timer/hrtimer_expire_entry", { "hrtimer", "function", "?" } })
KIND(HR_RUN_EXIT, DEVICES, KIND_ENDS, "TIMER_HR_RUN_EXIT", "high-resolution timer function exits",
     { "timer/hrtimer_expire_exit", { "hrtimer", "?" } })
KIND(BLOCK_ISSUE, DEVICES, 0, "BLOCK_ISSUE", "block requests issued",
     { "block/block_rq_issue", { "dev", "sector", "bytes,", "?" }, finish_block, "rwbs" })
KIND(BLOCK_COMPLETE, DEVICES, 0, "BLOCK_COMPLETE", "block requests completed",
     { "block/block_rq_complete", { "dev", "sector", "nr_sector,", "error" },
       finish_block_complete, "rwbs" })
KIND(MCE, DEVICES, KIND_RARE | KIND_X86, "OOPS_MCE", "machine checks",
     { "mce/mce_record", { "bank,cpu", "status", "addr", "misc" } })
KIND(IDLE_ENTRY, DEVICES, 0, "CPU_IDLE_ENTRY", "CPU idle entries",
     { "power/cpu_idle", { "state" }, finish_idle })
KIND(IDLE_EXIT, DEVICES, 0, "CPU_IDLE_EXIT", "CPU idle exits")
KIND(FREQUENCY, DEVICES, KIND_RARE, "CPU_FREQUENCY", "CPU frequency changes",
     { "power/cpu_frequency", { "state", "cpu_id" } })
KIND(SUSPEND, DEVICES, 0, "CPU_SUSPEND", "suspend steps",
     { "power/suspend_resume", { "", "", "val", "start" }, finish_suspend, "action" })
KIND(MODULE_LOAD, DEVICES, 0, "MODULE_LOAD", "modules loaded",
     { "module/module_load", { "name@0", "name@8", "name@16" } })
KIND(MODULE_FREE, DEVICES, 0, "MODULE_FREE", "modules freed",
     { "module/module_free", { "name@0", "name@8", "name@16" } })
KIND(WORK_ENTRY, DEVICES, 0, "WORK_ENTRY", "work function entries",
     { "workqueue/workqueue_execute_start", { "work", "function" } })
KIND(WORK_EXIT, DEVICES, 0, "WORK_EXIT", "work function exits",
     { "workqueue/workqueue_execute_end", { "work", "function" } })
