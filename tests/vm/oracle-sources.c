// SPDX-License-Identifier: GPL-2.0
/*
 * The events of ftrace's that LKST has too, and how LKST's arguments are put together from their
 * fields. Every field is found where the kernel's description of the event says it is.
 */
#include <limits.h>

#include "oracle-ftrace.h"
#include "tap.h"

struct field {
	unsigned int offset;
	unsigned int size;
	bool is_signed;
	bool elsewhere;		/* __data_loc: offset and length of what the field holds */
};

/* One record in ftrace's buffer, and the field that its event's finish() needs in addition. */
struct raw {
	const unsigned char *data;
	const struct field *extra;
	int cpu;
};

/**
 * struct source - an event of ftrace's
 * @name: its directory in events/
 * @kind: what it is for LKST
 * @args: LKST's arguments. "FIELD" is a number, "HIGH,LOW" are the two halves, and each of these
 *	three may be "?", ftrace does not say, "=NUMBER", or "". "FIELD@N" are eight bytes of a text from
 *	the Nth on, "FIELD[N]" is the Nth number of several
 * @finish: what cannot be said that way
 * @extra: a field for it
 */
struct source {
	const char *name;
	enum kind kind;
	const char *args[4];
	void (*finish)(struct event *event, const struct raw *raw);
	const char *extra;
};

/* Reading fields */

static int64_t number_in(const unsigned char *data, const struct field *field)
{
	const unsigned char *at = data + field->offset;
	int64_t value = 0;

	memcpy(&value, at, field->size);
	if (field->is_signed && field->size < 8 && at[field->size - 1] & 0x80)
		value |= (int64_t)(UINT64_MAX << (field->size * 8));
	return value;
}

static const char *text_in(const unsigned char *data, const struct field *field)
{
	uint32_t place;

	if (!field->elsewhere)
		return (const char *)data + field->offset;
	memcpy(&place, data + field->offset, sizeof(place));
	return (const char *)data + (place & 0xffff);
}

/* Eight bytes of a string, in memory order, the rest 0. */
static uint64_t text_at(const char *string, size_t from)
{
	size_t len = strlen(string);
	uint64_t value = 0;

	if (from < len)
		memcpy(&value, string + from, len - from < 8 ? len - from : 8);
	return value;
}

static uint32_t low(uint64_t arg)
{
	return arg;
}

static void set_low(uint64_t *arg, uint32_t value)
{
	*arg = pack(*arg >> 32, value);
}

/* What a row of the table cannot say */

/* From prev_state as sched_switch has it, a bit for each state but the first, to LKST's. */
static void finish_switch(struct event *event, const struct raw *raw)
{
	static const char letters[] = "RSDTtXZPI";
	uint32_t state = event->arg[0];

	(void)raw;
	set_low(&event->arg[0], state & 0x100 ? 'R' | 0x100 : letters[__builtin_ffs(state & 0xff)]);
}

/* The last 24 bytes. */
static void finish_exec(struct event *event, const struct raw *raw)
{
	const char *path = text_in(raw->data, raw->extra);
	size_t len = strlen(path), from = len > 24 ? len - 24 : 0;
	unsigned int i;

	for (i = 0; i < 3; i++)
		event->arg[1 + i] = text_at(path, from + 8 * i);
}

/* Which of the two tasklet softirqs a CPU runs. */
static bool tasklet_hi[ORACLE_CPUS];

static void finish_softirq_entry(struct event *event, const struct raw *raw)
{
	tasklet_hi[raw->cpu] = !event->arg[0];
}

static void finish_tasklet(struct event *event, const struct raw *raw)
{
	if (!tasklet_hi[raw->cpu])
		event->kind += TASKLET_ENTRY - TASKLETHI_ENTRY;
}

static void finish_syscall_entry(struct event *event, const struct raw *raw)
{
	(void)raw;
	set_low(&event->arg[0], event->arg[1] == ORACLE_IA32_MAGIC);
}

static void finish_idle(struct event *event, const struct raw *raw)
{
	(void)raw;
	if (low(event->arg[0]) != UINT32_MAX)
		return;
	event->kind = IDLE_EXIT;
	event->arg[0] = 0;
}

/*
 * The operation of a block request is the first letter, or the second one when the cache is flushed
 * before it: then that is an 'F' in front of it. Numbers as in enum req_op.
 */
static void finish_block(struct event *event, const struct raw *raw)
{
	static const char letters[] = "RWFD";
	const char *flags = text_in(raw->data, raw->extra), *letter;

	if (flags[0] == 'F' && flags[1] && strchr("RWFDN", flags[1]))
		flags++;
	letter = *flags ? strchr(letters, *flags) : NULL;
	if (letter && flags[1] == 'E')
		set_low(&event->arg[2], 5 /* secure erase */);
	else if (letter && flags[0] == 'W' && flags[1] == 'Z')
		set_low(&event->arg[2], 9 /* write zeroes */);
	else if (letter)
		set_low(&event->arg[2], letter - letters);
	else
		event->unknown |= 1 << 4;
}

#define SECTOR_LEN	512

/* What has no sector is at the last one here, and at the first one for LKST and when issued. */
static void finish_block_complete(struct event *event, const struct raw *raw)
{
	if (event->arg[1] == UINT64_MAX)
		event->arg[1] = 0;
	event->arg[2] = pack((event->arg[2] >> 32) * SECTOR_LEN, 0);
	finish_block(event, raw);
}

/* A pointer to a text that the kernel has told, in a line such as 0xffffffff81000000 : "text". */
static void finish_suspend(struct event *event, const struct raw *raw)
{
	uint64_t action = number_in(raw->data, raw->extra), address;
	char *line = ftrace_get("printk_formats"), text[64];

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "%lx : \"%63[^\"]", &address, text) != 2 || address != action)
			continue;
		event->arg[0] = text_at(text, 0);
		event->arg[1] = text_at(text, 8);
		return;
	}
	bail_out("printk_formats: an action is missing");
}

/* The table */

#define VECTOR(tracepoint, kind)	{ "irq_vectors/" tracepoint, kind, { "vector" } }

#define IPI_SOURCES(tracepoint)                                                                    \
	VECTOR(tracepoint "_entry", IPI_ENTRY), VECTOR(tracepoint "_exit", IPI_EXIT)

/* clang-format off: a row is a row */
static const struct source sources[] = {
	/* Processes */
	{ "sched/sched_switch", SWITCH,
	  { "prev_pid,prev_state", "next_pid,next_prio", "prev_comm@0", "next_comm@0" },
	  finish_switch },
	{ "sched/sched_wakeup", WAKEUP, { "pid,prio", "target_cpu,", "comm@0", "comm@8" } },
	{ "sched/sched_wakeup_new", WAKEUP, { "pid,prio", "target_cpu,=1", "comm@0", "comm@8" } },
	{ "signal/signal_generate", SIGSEND, { "sig,code", "pid,result", "group", "comm@0" } },
	{ "signal/signal_deliver", SIGRECV, { "sig,code", "sa_handler", "sa_flags" } },
	{ "task/task_newtask", FORK, { "pid,?", "clone_flags", "comm@0", "comm@8" } },
	{ "sched/sched_process_exec", EXEC, { "pid,old_pid" }, finish_exec, "filename" },
	{ "sched/sched_process_exit", EXIT, { "pid,prio", "?", "comm@0" } },
	{ "sched/sched_migrate_task", MIGRATE, { "pid", "orig_cpu,dest_cpu" } },
	{ "task/task_rename", RENAME, { "pid", "newcomm@0", "newcomm@8" } },

	/* Interrupts and system calls */
	{ "irq/irq_handler_entry", HARDWARE_ENTRY, { "irq", "name@0", "name@8", "name@16" } },
	{ "irq/irq_handler_exit", HARDWARE_EXIT, { "irq", "ret" } },
	{ "irq/softirq_entry", SOFTIRQ_ENTRY, { "vec" }, finish_softirq_entry },
	{ "irq/softirq_exit", SOFTIRQ_EXIT, { "vec" } },
	{ "irq/softirq_raise", SOFTIRQ_RAISE, { "vec" } },
	{ "irq/tasklet_entry", TASKLETHI_ENTRY, { "tasklet", "func" }, finish_tasklet },
	{ "irq/tasklet_exit", TASKLETHI_EXIT, { "tasklet", "func" }, finish_tasklet },
	VECTOR("local_timer_entry", TIMER_ENTRY),
	VECTOR("local_timer_exit", TIMER_EXIT),
	IPI_SOURCES("reschedule"),
	IPI_SOURCES("call_function"),
	IPI_SOURCES("call_function_single"),
	IPI_SOURCES("irq_work"),
	IPI_SOURCES("x86_platform_ipi"),
	{ "nmi/nmi_handler", NMI, { "handler", "delta_ns", "handled" } },
	{ "raw_syscalls/sys_enter", SYSCALL_ENTRY, { "id,", "args[0]", "args[1]", "args[2]" },
	  finish_syscall_entry },
	{ "raw_syscalls/sys_exit", SYSCALL_EXIT, { "id,?", "ret" } },

	/* Memory */
	{ "exceptions/page_fault_user", PGFAULT, { "address", "ip", "error_code,=1" } },
	{ "exceptions/page_fault_kernel", PGFAULT, { "address", "ip", "error_code,=0" } },
	{ "kmem/kmalloc", KMALLOC, { "call_site", "ptr", "bytes_req,bytes_alloc", "gfp_flags,node" } },
	{ "kmem/kfree", KFREE, { "call_site", "ptr" } },
	{ "kmem/kmem_cache_alloc", CACHEALLOC, { "call_site", "ptr", "bytes_req", "gfp_flags,node" } },
	{ "kmem/kmem_cache_free", CACHEFREE, { "call_site", "ptr", "name@0", "name@8" } },
	{ "kmem/mm_page_alloc", PAGEALLOC, { "pfn", "order,migratetype", "gfp_flags" } },
	{ "kmem/mm_page_free", PAGEFREE, { "pfn", "order" } },
	{ "vmscan/mm_vmscan_direct_reclaim_begin", RECLAIM_ENTRY, { "order", "gfp_flags" } },
	{ "vmscan/mm_vmscan_direct_reclaim_end", RECLAIM_EXIT, { "nr_reclaimed" } },
	{ "vmscan/mm_vmscan_kswapd_wake", KSWAPD_WAKE, { "nid", "order" } },
	{ "oom/mark_victim", OOMKILL, { "pid" } },

	/* Network, and the locks that others hold */
	{ "net/net_dev_xmit", PKTSEND, { "skbaddr", "len,rc", "name@0", "name@8" } },
	{ "net/net_dev_queue", PKTSENDQ, { "skbaddr", "len,?", "name@0", "name@8" } },
	{ "net/netif_receive_skb", PKTRECV, { "skbaddr", "len,?", "name@0", "name@8" } },
	{ "net/netif_rx", PKTRECVQ, { "skbaddr", "len,?", "name@0", "name@8" } },
	{ "net/net_dev_start_xmit", NOTE_PROTOCOL, { "skbaddr", "protocol" } },
	{ "net/netif_rx_entry", NOTE_PROTOCOL, { "skbaddr", "protocol" } },
	{ "net/netif_receive_skb_entry", NOTE_PROTOCOL, { "skbaddr", "protocol" } },
	{ "skb/kfree_skb", DROP, { "skbaddr", "location", "protocol,reason" } },
	{ "sock/inet_sock_set_state", SOCKSTATE,
	  { "skaddr", "oldstate,newstate", "sport,dport", "family,protocol" } },
	{ "lock/contention_begin", CONTENTION_BEGIN, { "lock_addr", "flags" } },
	{ "lock/contention_end", CONTENTION_END, { "lock_addr", "ret" } },

	/* Timers, devices and what works for them */
	{ "timer/timer_start", TIMER_ADD, { "timer", "function", "expires" } },
	{ "timer/timer_cancel", TIMER_DEL, { "timer", "?", "?" } },
	{ "timer/timer_expire_entry", TIMER_RUN_ENTRY, { "timer", "function" } },
	{ "timer/timer_expire_exit", TIMER_RUN_EXIT, { "timer", "?" } },
	{ "timer/hrtimer_start", HR_ADD, { "hrtimer", "function", "expires" } },
	{ "timer/hrtimer_cancel", HR_DEL, { "hrtimer", "?", "?" } },
	{ "timer/hrtimer_expire_entry", HR_RUN_ENTRY, { "hrtimer", "function", "?" } },
	{ "timer/hrtimer_expire_exit", HR_RUN_EXIT, { "hrtimer", "?" } },
	{ "block/block_rq_issue", BLOCK_ISSUE, { "dev", "sector", "bytes," }, finish_block, "rwbs" },
	{ "block/block_rq_complete", BLOCK_COMPLETE, { "dev", "sector", "nr_sector,", "error" },
	  finish_block_complete, "rwbs" },
	{ "mce/mce_record", MCE, { "bank,cpu", "status", "addr", "misc" } },
	{ "power/cpu_idle", IDLE_ENTRY, { "state" }, finish_idle },
	{ "power/cpu_frequency", FREQUENCY, { "state", "cpu_id" } },
	{ "power/suspend_resume", SUSPEND, { "", "", "val", "start" }, finish_suspend, "action" },
	{ "module/module_load", MODULE_LOAD, { "name@0", "name@8", "name@16" } },
	{ "module/module_free", MODULE_FREE, { "name@0", "name@8", "name@16" } },
	{ "workqueue/workqueue_execute_start", WORK_ENTRY, { "work", "function" } },
	{ "workqueue/workqueue_execute_end", WORK_EXIT, { "work", "function" } },
};
/* clang-format on */

#define SOURCES		(sizeof(sources) / sizeof(sources[0]))

/* Understanding the table */

/* A part of an argument: how it is read, and where. */
struct part {
	enum { NOTHING, NUMBER, CONSTANT, TEXT, ELEMENT, UNKNOWN } what;
	struct field field;
	unsigned int n;
};

static struct layout {
	struct part part[4][2];	/* the upper half, or all of it, and the lower one */
	bool halves[4];
	struct field extra;
} layouts[SOURCES];

/* A line such as "field:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;" */
static bool parse_field(const char *line, const char *name, size_t len, struct field *field)
{
	const char *end = strchr(line, ';'), *start, *stop = end;
	int is_signed;

	if (!end)
		return false;
	if (end[-1] == ']')
		while (*stop != '[')
			stop--;
	start = stop;
	while (start[-1] != ' ')
		start--;
	if (end[-1] == ']' && stop == start)
		return false;
	if ((size_t)(stop - start) != len || strncmp(start, name, len))
		return false;
	if (sscanf(end, "; offset:%u; size:%u; signed:%d;", &field->offset, &field->size,
		   &is_signed) != 3)
		return false;
	field->is_signed = is_signed;
	field->elsewhere = !strncmp(line, "field:__data_loc", 16);
	return true;
}

static void find_field(const char *format, const char *name, size_t len, struct field *field)
{
	const char *line;

	for (line = format; (line = strstr(line, "field:")); line++)
		if (parse_field(line, name, len, field))
			return;
	diag("no field %.*s in%s", (int)len, name, format);
	bail_out("ftrace");
}

static void parse_part(const char *format, const char *text, size_t len, struct part *part)
{
	size_t name_len = strcspn(text, "@[,");

	if (!len)
		part->what = NOTHING;
	else if (*text == '?')
		part->what = UNKNOWN;
	else if (*text == '=')
		part->what = CONSTANT;
	else if (name_len >= len)
		part->what = NUMBER;
	else
		part->what = text[name_len] == '@' ? TEXT : ELEMENT;

	if (part->what == CONSTANT)
		part->n = atoi(text + 1);
	if (part->what == TEXT || part->what == ELEMENT)
		part->n = atoi(text + name_len + 1);
	if (part->what == NUMBER || part->what == TEXT || part->what == ELEMENT)
		find_field(format, text, name_len, &part->field);
}

static void parse_arg(const char *format, const char *text, struct layout *layout, unsigned int i)
{
	size_t len = strcspn(text, ",");

	parse_part(format, text, len, &layout->part[i][0]);
	layout->halves[i] = text[len] == ',';
	if (layout->halves[i])
		parse_part(format, text + len + 1, strlen(text + len + 1), &layout->part[i][1]);
}

const char *source_enable(unsigned int n, unsigned int *id)
{
	const struct source *source = &sources[n];
	char path[PATH_MAX], *format, *line;
	unsigned int i;

	if (n >= SOURCES)
		return NULL;
	if (source->kind < KINDS && !is_here(source->kind))
		return source->name;
	snprintf(path, sizeof(path), "events/%s/format", source->name);
	format = ftrace_get(path);
	line = strstr(format, "\nID: ");
	if (!line || sscanf(line, "\nID: %u", id) != 1)
		bail_out(path);
	for (i = 0; i < 4 && source->args[i]; i++)
		parse_arg(format, source->args[i], &layouts[n], i);
	if (source->extra)
		find_field(format, source->extra, strlen(source->extra), &layouts[n].extra);
	return source->name;
}

bool source_in_group(unsigned int n, enum group group)
{
	enum kind kind = sources[n].kind;

	return kind == NOTE_PROTOCOL ? group == NETWORK : in_group(kind, group);
}

/* Decoding */

static uint64_t decode_part(const struct part *part, const unsigned char *data)
{
	uint64_t value;

	switch (part->what) {
	case NUMBER:
		return number_in(data, &part->field);
	case CONSTANT:
		return part->n;
	case TEXT:
		return text_at(text_in(data, &part->field), part->n);
	case ELEMENT:
		memcpy(&value, data + part->field.offset + part->n * sizeof(value), sizeof(value));
		return value;
	default:
		return 0;
	}
}

void source_decode(unsigned int n, struct event *event, const unsigned char *data, int cpu)
{
	const struct layout *layout = &layouts[n];
	struct raw raw = { .data = data, .extra = &layout->extra, .cpu = cpu };
	unsigned int i;

	event->kind = sources[n].kind;
	for (i = 0; i < 4; i++) {
		const struct part *part = layout->part[i];

		event->arg[i] = decode_part(&part[0], data);
		if (part[0].what == UNKNOWN)
			event->unknown |= (layout->halves[i] ? 2 : 3) << 2 * i;
		if (layout->halves[i])
			event->arg[i] = pack(event->arg[i], decode_part(&part[1], data));
		if (part[1].what == UNKNOWN)
			event->unknown |= 1 << 2 * i;
	}
	if (sources[n].finish)
		sources[n].finish(event, &raw);
}
