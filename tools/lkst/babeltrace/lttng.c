// SPDX-License-Identifier: LGPL-2.1
#include "lttng.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/constants.h"
#include "lib/text/context.h"
#include "lib/text/values.h"

#define VALUE(name, from)	{ name, LTTNG_VALUE, from }
#define TEXT(name, from)	{ name, LTTNG_TEXT, from }
#define COMM(name, from)	{ name, LTTNG_COMM, from }
#define PRIO(name, from)	{ name, LTTNG_PRIO, from }

/* Fields that several events have. */
#define VECTOR	  { VALUE("vec", "vector") }
#define WAKEUP(cpu)							\
	{ COMM("comm", "thread"), VALUE("tid", "thread"), PRIO("prio", "prio"),	\
	  VALUE("target_cpu", cpu) }
#define REQUEST								\
	VALUE("dev", "device"), VALUE("sector", "sector"),		\
	{ "nr_sector", LTTNG_SECTORS, "bytes" }, { "rwbs", LTTNG_RWBS, "operation" }
#define PACKET								\
	VALUE("skbaddr", "skb"), VALUE("len", "length"), TEXT("name", "device")

/* Sorted by type. */
static const struct lttng_event events[] = {
	{ LKST_ETYPE_PROCESS_CONTEXTSWITCH, "sched_switch",
	  { COMM("prev_comm", "prev"), VALUE("prev_tid", "prev"),
	    { "prev_prio", LTTNG_PREV_PRIO, "prev" }, { "prev_state", LTTNG_STATE, "prev_state" },
	    COMM("next_comm", "next"), VALUE("next_tid", "next"),
	    PRIO("next_prio", "next_prio") } },
	{ LKST_ETYPE_PROCESS_WAKEUP, "sched_wakeup", WAKEUP("target_cpu") },
	{ LKST_ETYPE_PROCESS_SIGSEND, "signal_generate",
	  { VALUE("sig", "signal"), VALUE("code", "code"), COMM("comm", "target"),
	    VALUE("pid", "target"), VALUE("group", "group"), VALUE("result", "result") } },
	{ LKST_ETYPE_PROCESS_SIGRECV, "signal_deliver",
	  { VALUE("sig", "signal"), VALUE("code", "code"), VALUE("sa_handler", "handler"),
	    VALUE("sa_flags", "sa_flags") } },
	{ LKST_ETYPE_PROCESS_FORK, "sched_process_fork",
	  { { "parent_comm", LTTNG_OWN_COMM, NULL }, { "parent_tid", LTTNG_OWN_TID, NULL },
	    { "parent_pid", LTTNG_OWN_PID, NULL }, COMM("child_comm", "child"),
	    VALUE("child_tid", "child"), VALUE("child_pid", "tgid") } },
	{ LKST_ETYPE_PROCESS_EXEC, "sched_process_exec",
	  { TEXT("filename", "path"), VALUE("tid", "thread"), VALUE("old_tid", "old") } },
	{ LKST_ETYPE_PROCESS_EXIT, "sched_process_exit",
	  { COMM("comm", "thread"), VALUE("tid", "thread"), PRIO("prio", "prio") } },
	{ LKST_ETYPE_PROCESS_MIGRATE, "sched_migrate_task",
	  { COMM("comm", "thread"), VALUE("tid", "thread"), VALUE("orig_cpu", "from"),
	    VALUE("dest_cpu", "to") } },
	{ LKST_ETYPE_PROCESS_STATE, "lttng_statedump_process_state",
	  { VALUE("tid", "thread"), VALUE("pid", "tgid"), VALUE("ppid", "parent"),
	    COMM("name", "thread"), { "status", LTTNG_STATUS, "state" } } },
	{ LKST_ETYPE_PROCESS_WAKING, "sched_waking", WAKEUP("cpu") },
	{ LKST_ETYPE_INT_HARDWARE_ENTRY, "irq_handler_entry",
	  { VALUE("irq", "irq"), TEXT("name", "name") } },
	{ LKST_ETYPE_INT_HARDWARE_EXIT, "irq_handler_exit",
	  { VALUE("irq", "irq"), VALUE("ret", "handled") } },
	{ LKST_ETYPE_INT_SOFTIRQ_ENTRY, "irq_softirq_entry", VECTOR },
	{ LKST_ETYPE_INT_SOFTIRQ_EXIT, "irq_softirq_exit", VECTOR },
	{ LKST_ETYPE_INT_SOFTIRQ_RAISE, "irq_softirq_raise", VECTOR },
	{ LKST_ETYPE_INT_TIMER_ENTRY, "x86_irq_vectors_local_timer_entry",
	  { VALUE("vector", "vector") } },
	{ LKST_ETYPE_INT_TIMER_EXIT, "x86_irq_vectors_local_timer_exit",
	  { VALUE("vector", "vector") } },
	{ LKST_ETYPE_INT_IPI_ENTRY, "x86_irq_vectors_ipi_entry", { VALUE("vector", "vector") } },
	{ LKST_ETYPE_INT_IPI_EXIT, "x86_irq_vectors_ipi_exit", { VALUE("vector", "vector") } },
	{ LKST_ETYPE_EXCEPTION_PGFAULT, "x86_exceptions_page_fault_kernel",
	  { VALUE("address", "address"), VALUE("ip", "ip"), VALUE("error_code", "error_code") } },
	{ LKST_ETYPE_SYSCALL_ENTRY, "syscall_entry_", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_SYSCALL_EXIT, "syscall_exit_", { VALUE("ret", "result") } },
	{ LKST_ETYPE_MEM_KMALLOC, "kmem_kmalloc",
	  { VALUE("call_site", "caller"), VALUE("ptr", "object"), VALUE("bytes_req", "requested"),
	    VALUE("bytes_alloc", "allocated"), VALUE("gfp_flags", "gfp"), VALUE("node", "node") } },
	{ LKST_ETYPE_MEM_KFREE, "kmem_kfree",
	  { VALUE("call_site", "caller"), VALUE("ptr", "object") } },
	{ LKST_ETYPE_MEM_CACHEALLOC, "kmem_cache_alloc",
	  { VALUE("call_site", "caller"), VALUE("ptr", "object"), VALUE("bytes_req", "size"),
	    VALUE("gfp_flags", "gfp"), VALUE("node", "node") } },
	{ LKST_ETYPE_MEM_CACHEFREE, "kmem_cache_free",
	  { VALUE("call_site", "caller"), VALUE("ptr", "object"), TEXT("name", "cache") } },
	{ LKST_ETYPE_MEM_PAGEALLOC, "kmem_mm_page_alloc",
	  { VALUE("pfn", "pfn"), VALUE("order", "order"), VALUE("gfp_flags", "gfp"),
	    VALUE("migratetype", "migratetype") } },
	{ LKST_ETYPE_MEM_PAGEFREE, "kmem_mm_page_free",
	  { VALUE("pfn", "pfn"), VALUE("order", "order") } },
	{ LKST_ETYPE_MEM_RECLAIM_ENTRY, "mm_vmscan_direct_reclaim_begin",
	  { VALUE("order", "order"), VALUE("gfp_flags", "gfp") } },
	{ LKST_ETYPE_MEM_RECLAIM_EXIT, "mm_vmscan_direct_reclaim_end",
	  { VALUE("nr_reclaimed", "reclaimed") } },
	{ LKST_ETYPE_MEM_KSWAPD_WAKE, "mm_vmscan_kswapd_wake",
	  { VALUE("nid", "node"), VALUE("order", "order") } },
	{ LKST_ETYPE_NET_PKTSEND, "net_dev_xmit", { PACKET, VALUE("rc", "result") } },
	{ LKST_ETYPE_NET_PKTSENDQ, "net_dev_queue", { PACKET } },
	{ LKST_ETYPE_NET_PKTRECV, "net_if_receive_skb", { PACKET } },
	{ LKST_ETYPE_NET_PKTRECVQ, "net_if_rx", { PACKET } },
	{ LKST_ETYPE_NET_DROP, "skb_kfree",
	  { VALUE("skbaddr", "skb"), VALUE("location", "location"),
	    VALUE("protocol", "protocol") } },
	{ LKST_ETYPE_TIMER_ADD, "timer_start", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_TIMER_DEL, "timer_cancel", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_TIMER_RUN_ENTRY, "timer_expire_entry", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_TIMER_RUN_EXIT, "timer_expire_exit", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_TIMER_HR_ADD, "timer_hrtimer_start",
	  { VALUE("hrtimer", "timer"), VALUE("function", "function"),
	    VALUE("expires", "expires_ns") } },
	{ LKST_ETYPE_TIMER_HR_DEL, "timer_hrtimer_cancel", { VALUE("hrtimer", "timer") } },
	{ LKST_ETYPE_TIMER_HR_RUN_ENTRY, "timer_hrtimer_expire_entry",
	  { VALUE("hrtimer", "timer") } },
	{ LKST_ETYPE_TIMER_HR_RUN_EXIT, "timer_hrtimer_expire_exit",
	  { VALUE("hrtimer", "timer") } },
	{ LKST_ETYPE_BLOCK_ISSUE, "block_rq_issue", { REQUEST } },
	{ LKST_ETYPE_BLOCK_COMPLETE, "block_rq_complete", { REQUEST } },
	{ LKST_ETYPE_CPU_IDLE_ENTRY, "power_cpu_idle",
	  { { "state", LTTNG_U32, "state" }, { "cpu_id", LTTNG_OWN_CPU, NULL } } },
	{ LKST_ETYPE_CPU_IDLE_EXIT, "power_cpu_idle",
	  { { "state", LTTNG_MINUS_1, NULL }, { "cpu_id", LTTNG_OWN_CPU, NULL } } },
	{ LKST_ETYPE_CPU_FREQUENCY, "power_cpu_frequency",
	  { { "state", LTTNG_U32, "khz" }, VALUE("cpu_id", "cpu") } },
	{ LKST_ETYPE_MODULE_LOAD, "module_load", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_MODULE_FREE, "module_free", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_WORK_ENTRY, "workqueue_execute_start", { { NULL, 0, NULL } } },
	{ LKST_ETYPE_WORK_EXIT, "workqueue_execute_end", { { NULL, 0, NULL } } },
};

/**
 * lttng_event_find() - find the name that LTTng gives to an event
 * @type: event type of LKST
 *
 * Return: the event; NULL if LTTng has none that means the same.
 */
const struct lttng_event *lttng_event_find(uint32_t type)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (events[i].type == type)
			return &events[i];
	return NULL;
}

/* ---- variants: events of one type of LKST that have several names in LTTng ---- */

/* Interrupts from other CPUs, by the name of the vector. Variant 0 has the name in @events. */
static const struct {
	const char *vector;
	const char *name;
} interrupts[] = {
	{ "X86_PLATFORM_IPI", "ipi" },
	{ "RESCHEDULE", "reschedule" },
	{ "CALL_FUNCTION", "call_function" },
	{ "CALL_FUNCTION_SINGLE", "call_function_single" },
	{ "IRQ_WORK", "irq_work" },
};

static uint32_t lttng_interrupt(const struct lkst_context *context, const struct lkst_event *event)
{
	const char *vector = lkst_values_name(context->values, LKST_FMT_VEC, event->arg[0]);

	for (uint32_t i = 0; vector && i < sizeof(interrupts) / sizeof(*interrupts); i++)
		if (!strcmp(vector, interrupts[i].vector))
			return i;
	return 0;
}

/*
 * Variants of system calls: the table that lists the call, its index in the table, and whether the
 * ABI belongs to another architecture. All calls that no table lists have the index CALL_UNKNOWN.
 */
#define CALL_UNKNOWN		(CONSTANT_CALL_TABLES * CONSTANT_CALLS_MAX)
#define CALL_COMPAT		0x2000

_Static_assert(CALL_UNKNOWN < CALL_COMPAT && 2 * CALL_COMPAT <= LTTNG_VARIANTS_MAX,
	       "variants of system calls");

static uint32_t lttng_call(const struct lkst_event *event)
{
	uint64_t number = event->arg[0] >> 32, abi = (uint32_t)event->arg[0];
	int table = constant_call_table(event->machine, abi, &number);
	uint32_t variant = table < 0 ? CALL_UNKNOWN :
				       (uint32_t)table * CONSTANT_CALLS_MAX + (uint32_t)number;

	return variant | (abi ? CALL_COMPAT : 0);
}

/**
 * lttng_variant() - find out which of several names LTTng gives to an event
 * @context: names of the kernel that recorded the event
 * @event: event
 *
 * Return: variant, less than LTTNG_VARIANTS_MAX; 0 if all events of the type have the same name.
 */
uint32_t lttng_variant(const struct lkst_context *context, const struct lkst_event *event)
{
	switch (event->type) {
	case LKST_ETYPE_PROCESS_WAKEUP:
		return (uint32_t)event->arg[1] != 0;
	case LKST_ETYPE_EXCEPTION_PGFAULT:
		return (uint32_t)event->arg[2] != 0;
	case LKST_ETYPE_INT_IPI_ENTRY:
	case LKST_ETYPE_INT_IPI_EXIT:
		return lttng_interrupt(context, event);
	case LKST_ETYPE_SYSCALL_ENTRY:
	case LKST_ETYPE_SYSCALL_EXIT:
		return lttng_call(event);
	}
	return 0;
}

static void lttng_call_name(const struct lttng_event *known, uint32_t variant,
			    char name[LTTNG_NAME_MAX])
{
	uint32_t index = variant & (CALL_COMPAT - 1);
	const char *call = NULL;

	if (index < CALL_UNKNOWN)
		call = constant_call((int)(index / CONSTANT_CALLS_MAX), index % CONSTANT_CALLS_MAX);
	snprintf(name, LTTNG_NAME_MAX, "%s%s%s", variant & CALL_COMPAT ? "compat_" : "",
		 known->name, call ? call : "unknown");
}

/**
 * lttng_event_name() - get the name of a variant
 * @known: from lttng_event_find()
 * @variant: from lttng_variant()
 * @name: result
 */
void lttng_event_name(const struct lttng_event *known, uint32_t variant, char name[LTTNG_NAME_MAX])
{
	snprintf(name, LTTNG_NAME_MAX, "%s", known->name);
	switch (known->type) {
	case LKST_ETYPE_SYSCALL_ENTRY:
	case LKST_ETYPE_SYSCALL_EXIT:
		lttng_call_name(known, variant, name);
		return;
	case LKST_ETYPE_PROCESS_WAKEUP:
		if (variant)
			snprintf(name, LTTNG_NAME_MAX, "sched_wakeup_new");
		return;
	case LKST_ETYPE_EXCEPTION_PGFAULT:
		if (variant)
			snprintf(name, LTTNG_NAME_MAX, "x86_exceptions_page_fault_user");
		return;
	case LKST_ETYPE_INT_IPI_ENTRY:
	case LKST_ETYPE_INT_IPI_EXIT:
		snprintf(name, LTTNG_NAME_MAX, "x86_irq_vectors_%s_%s", interrupts[variant].name,
			 known->type == LKST_ETYPE_INT_IPI_ENTRY ? "entry" : "exit");
	}
}

/* ---- values ---- */

/**
 * lttng_state() - convert the state of a thread that stops running
 * @state: letter of the state, as in an argument with the format "state"
 *
 * The bits have the values of kernels before Linux 4.14, because Trace Compass uses these values
 * for all kernels. A thread that ends has the state TASK_DEAD, as in LTTng's traces.
 *
 * Return: bits of the kernel's task state; 0: the thread is runnable.
 */
uint64_t lttng_state(uint64_t state)
{
	switch ((char)state) {
	case 'R':
		return 0;
	case 'S':
		return 1;
	case 'D':
		return 2;
	case 'T':
		return 4;
	case 't':
		return 8;
	case 'X':
	case 'Z':
		return 64;
	case 'P':
		return 512;
	case 'I':
		return 2 | 1024;
	}
	return 256; /* unknown: neither runnable nor one of the above */
}

/**
 * lttng_status() - convert the state of a thread in a state dump
 * @state: letter of the state, as in an argument with the format "state"
 *
 * Return: value of LTTng's enum lttng_process_status.
 */
uint64_t lttng_status(uint64_t state)
{
	switch ((char)state) {
	case 'R':
		return 2; /* WAIT_CPU: it waits for a CPU, or runs */
	case 'Z':
		return 4; /* ZOMBIE */
	case 'S':
	case 'D':
	case 'I':
		return 5; /* WAIT */
	case 'X':
		return 7; /* DEAD */
	}
	return 0; /* UNNAMED */
}

/**
 * lttng_rwbs() - convert the operation of a request to a block device
 * @operation: its name in the kernel, without REQ_OP_; NULL if unknown
 * @number: its number, which is used if the name is unknown
 *
 * Return: bits as in LTTng's RWBS_FLAG_; 0 if LTTng has no bits for the operation.
 */
uint64_t lttng_rwbs(const char *operation, uint64_t number)
{
	static const struct {
		const char *name;
		uint64_t number;
		uint64_t flags;
	} known[] = {
		{ "READ", 0, 1 << 2 },	  { "WRITE", 1, 1 << 0 },
		{ "FLUSH", 2, 1 << 8 },	  { "DISCARD", 3, 1 << 1 },
		{ "SECURE_ERASE", 5, 1 << 1 | 1 << 7 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (operation ? !strcmp(operation, known[i].name) : number == known[i].number)
			return known[i].flags;
	return 0;
}
