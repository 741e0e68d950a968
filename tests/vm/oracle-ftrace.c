// SPDX-License-Identifier: GPL-2.0
/*
 * The oracle's view of ftrace: record the events that LKST has too, and read ftrace's ring
 * buffers, page by page, in their binary form. Every field is found where the kernel's
 * description of the event says it is.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "oracle.h"
#include "tap.h"

#define TRACING		"/sys/kernel/tracing/"
#define BUFFER_KB	"65536"
#define PAGE_LEN	4096
#define FIELDS_MAX	7
#define PIDS		(4 << 20)
#define EVENT_TYPES	4096

#define NR_EXIT		60
#define NR_EXIT_GROUP	231

/* common_flags and common_preempt_count */
#define FTRACE_NEED_RESCHED	0x04
#define FTRACE_HARDIRQ		0x08
#define FTRACE_SOFTIRQ		0x10
#define FTRACE_NMI		0x40
#define FTRACE_PREEMPT_COUNT	0x0f

struct field {
	unsigned int offset;
	unsigned int size;
	bool is_signed;
	bool elsewhere;		/* __data_loc: offset and length of what the field holds */
};

/* One record in ftrace's buffer, and how to read it. */
struct raw {
	const unsigned char *data;
	const struct field *fields;
	int cpu;
};

/*
 * An event of ftrace's, and how it becomes LKST's arguments. @fields are the names that
 * @decode knows by number.
 */
struct source {
	const char *name;
	enum kind kind;
	void (*decode)(struct event *event, const struct raw *raw);
	const char *fields[FIELDS_MAX];
};

/* Reading fields */

static int64_t num(const struct raw *raw, unsigned int i)
{
	const struct field *field = &raw->fields[i];
	const unsigned char *at = raw->data + field->offset;
	int64_t value = 0;

	memcpy(&value, at, field->size);
	if (field->is_signed && field->size < 8 && at[field->size - 1] & 0x80)
		value |= (int64_t)(UINT64_MAX << (field->size * 8));
	return value;
}

static const char *text(const struct raw *raw, unsigned int i)
{
	const struct field *field = &raw->fields[i];
	uint32_t place;

	if (!field->elsewhere)
		return (const char *)raw->data + field->offset;
	memcpy(&place, raw->data + field->offset, sizeof(place));
	return (const char *)raw->data + (place & 0xffff);
}

/* The first @words * 8 bytes of a string, in memory order, the rest 0. */
static void copy_text(uint64_t *args, unsigned int words, const char *string)
{
	memset(args, 0, words * sizeof(*args));
	memcpy(args, string, strnlen(string, words * sizeof(*args)));
}

/* From prev_state as sched_switch has it, a bit for each state but the first, to LKST's. */
static uint32_t state_letter(uint64_t state)
{
	static const char letters[] = "RSDTtXZPI";

	if (state & 0x100)
		return 'R' | 0x100;
	return letters[__builtin_ffs(state & 0xff)];
}

/* Decoding events */

static void decode_switch(struct event *event, const struct raw *raw)
{
	event->arg[0] = pack(num(raw, 0), state_letter(num(raw, 1)));
	event->arg[1] = pack(num(raw, 2), num(raw, 3));
	copy_text(&event->arg[2], 1, text(raw, 4));
	copy_text(&event->arg[3], 1, text(raw, 5));
}

static void decode_wakeup(struct event *event, const struct raw *raw)
{
	event->arg[0] = pack(num(raw, 0), num(raw, 1));
	event->arg[1] = pack(num(raw, 2), 0);
	copy_text(&event->arg[2], 2, text(raw, 3));
}

static void decode_wakeup_new(struct event *event, const struct raw *raw)
{
	decode_wakeup(event, raw);
	event->arg[1] |= 1;
}

static void decode_sigsend(struct event *event, const struct raw *raw)
{
	event->arg[0] = pack(num(raw, 0), num(raw, 1));
	event->arg[1] = pack(num(raw, 2), num(raw, 3));
	event->arg[2] = num(raw, 4);
	copy_text(&event->arg[3], 1, text(raw, 5));
}

static void decode_sigrecv(struct event *event, const struct raw *raw)
{
	event->arg[0] = pack(num(raw, 0), num(raw, 1));
	event->arg[1] = num(raw, 2);
	event->arg[2] = num(raw, 3);
}

/* The child's process is left to complete(). */
static void decode_fork(struct event *event, const struct raw *raw)
{
	event->arg[0] = pack(num(raw, 0), 0);
	event->arg[1] = num(raw, 1);
	copy_text(&event->arg[2], 2, text(raw, 2));
}

static void decode_exec(struct event *event, const struct raw *raw)
{
	const char *path = text(raw, 2);
	size_t len = strlen(path);

	event->arg[0] = pack(num(raw, 0), num(raw, 1));
	copy_text(&event->arg[1], 3, path + (len > 24 ? len - 24 : 0));
}

/* The status is left to complete(). */
static void decode_exit(struct event *event, const struct raw *raw)
{
	event->arg[0] = pack(num(raw, 0), num(raw, 1));
	copy_text(&event->arg[2], 1, text(raw, 2));
}

static void decode_migrate(struct event *event, const struct raw *raw)
{
	event->arg[0] = num(raw, 0);
	event->arg[1] = pack(num(raw, 1), num(raw, 2));
}

static void decode_rename(struct event *event, const struct raw *raw)
{
	event->arg[0] = num(raw, 0);
	copy_text(&event->arg[1], 2, text(raw, 1));
}

static void decode_hardware_entry(struct event *event, const struct raw *raw)
{
	event->arg[0] = num(raw, 0);
	copy_text(&event->arg[1], 3, text(raw, 1));
}

static void decode_hardware_exit(struct event *event, const struct raw *raw)
{
	event->arg[0] = num(raw, 0);
	event->arg[1] = num(raw, 1);
}

/* Vectors of all sorts. */
static void decode_vector(struct event *event, const struct raw *raw)
{
	event->arg[0] = num(raw, 0);
}

/* Which of the two tasklet softirqs a CPU runs. */
static bool tasklet_hi[ORACLE_CPUS];

static void decode_softirq_entry(struct event *event, const struct raw *raw)
{
	event->arg[0] = num(raw, 0);
	tasklet_hi[raw->cpu] = !num(raw, 0);
}

static void decode_tasklet(struct event *event, const struct raw *raw)
{
	if (!tasklet_hi[raw->cpu])
		event->kind += TASKLET_ENTRY - TASKLETHI_ENTRY;
	event->arg[0] = num(raw, 0);
	event->arg[1] = num(raw, 1);
}

static void decode_nmi(struct event *event, const struct raw *raw)
{
	event->arg[0] = num(raw, 0);
	event->arg[1] = num(raw, 1);
	event->arg[2] = num(raw, 2);
}

static void decode_syscall_entry(struct event *event, const struct raw *raw)
{
	const uint64_t *args = (const uint64_t *)(raw->data + raw->fields[1].offset);

	event->arg[0] = pack(num(raw, 0), args[0] == ORACLE_IA32_MAGIC);
	memcpy(&event->arg[1], args, 3 * sizeof(*args));
}

/* The ABI is left to complete(). */
static void decode_syscall_exit(struct event *event, const struct raw *raw)
{
	event->arg[0] = pack(num(raw, 0), 0);
	event->arg[1] = num(raw, 1);
}

#define VECTOR_SOURCE(tracepoint, kind)                                                            \
	{                                                                                          \
		"irq_vectors/" tracepoint, kind, decode_vector, { "vector" }                       \
	}

#define IPI_SOURCES(tracepoint)                                                                    \
	VECTOR_SOURCE(tracepoint "_entry", IPI_ENTRY), VECTOR_SOURCE(tracepoint "_exit", IPI_EXIT)

static const struct source sources[] = {
	{ "sched/sched_switch",
	  SWITCH,
	  decode_switch,
	  { "prev_pid", "prev_state", "next_pid", "next_prio", "prev_comm", "next_comm" } },
	{ "sched/sched_wakeup", WAKEUP, decode_wakeup, { "pid", "prio", "target_cpu", "comm" } },
	{ "sched/sched_wakeup_new",
	  WAKEUP,
	  decode_wakeup_new,
	  { "pid", "prio", "target_cpu", "comm" } },
	{ "signal/signal_generate",
	  SIGSEND,
	  decode_sigsend,
	  { "sig", "code", "pid", "result", "group", "comm" } },
	{ "signal/signal_deliver",
	  SIGRECV,
	  decode_sigrecv,
	  { "sig", "code", "sa_handler", "sa_flags" } },
	{ "task/task_newtask", FORK, decode_fork, { "pid", "clone_flags", "comm" } },
	{ "sched/sched_process_exec", EXEC, decode_exec, { "pid", "old_pid", "filename" } },
	{ "sched/sched_process_exit", EXIT, decode_exit, { "pid", "prio", "comm" } },
	{ "sched/sched_migrate_task", MIGRATE, decode_migrate, { "pid", "orig_cpu", "dest_cpu" } },
	{ "task/task_rename", RENAME, decode_rename, { "pid", "newcomm" } },
	{ "irq/irq_handler_entry", HARDWARE_ENTRY, decode_hardware_entry, { "irq", "name" } },
	{ "irq/irq_handler_exit", HARDWARE_EXIT, decode_hardware_exit, { "irq", "ret" } },
	{ "irq/softirq_entry", SOFTIRQ_ENTRY, decode_softirq_entry, { "vec" } },
	{ "irq/softirq_exit", SOFTIRQ_EXIT, decode_vector, { "vec" } },
	{ "irq/softirq_raise", SOFTIRQ_RAISE, decode_vector, { "vec" } },
	{ "irq/tasklet_entry", TASKLETHI_ENTRY, decode_tasklet, { "tasklet", "func" } },
	{ "irq/tasklet_exit", TASKLETHI_EXIT, decode_tasklet, { "tasklet", "func" } },
	VECTOR_SOURCE("local_timer_entry", TIMER_ENTRY),
	VECTOR_SOURCE("local_timer_exit", TIMER_EXIT),
	IPI_SOURCES("reschedule"),
	IPI_SOURCES("call_function"),
	IPI_SOURCES("call_function_single"),
	IPI_SOURCES("irq_work"),
	IPI_SOURCES("x86_platform_ipi"),
	{ "nmi/nmi_handler", NMI, decode_nmi, { "handler", "delta_ns", "handled" } },
	{ "raw_syscalls/sys_enter", SYSCALL_ENTRY, decode_syscall_entry, { "id", "args" } },
	{ "raw_syscalls/sys_exit", SYSCALL_EXIT, decode_syscall_exit, { "id", "ret" } },
};

#define SOURCES		(sizeof(sources) / sizeof(sources[0]))

/* Where the fields are. */
static struct field fields[SOURCES][FIELDS_MAX];

/* By ftrace's number for the event: the source's, and 1. */
static unsigned char source_of[EVENT_TYPES];

/* Wall clock less CLOCK_MONOTONIC, which is ftrace's clock here. */
static int64_t wall_offset;

/*
 * What ftrace does not say about a thread: its process, its other id, the status it ends
 * with and whether its process ever had another thread. By thread.
 */
static uint32_t *process_of;
static uint32_t *alias_of;
static int *status_of;
static bool *has_threads;

#define STATUS_UNKNOWN	(-1)

/* Setting ftrace up */

static void put(const char *path, const char *value)
{
	char full[PATH_MAX];
	int fd;

	snprintf(full, sizeof(full), TRACING "%s", path);
	fd = open(full, O_WRONLY | O_TRUNC);
	if (fd < 0 || (*value && write(fd, value, strlen(value)) < 0))
		bail_out(full);
	close(fd);
}

static char *get(const char *path)
{
	static char buffer[16384];
	char full[PATH_MAX];
	size_t len = 0;
	ssize_t n;
	int fd;

	snprintf(full, sizeof(full), TRACING "%s", path);
	fd = open(full, O_RDONLY);
	if (fd < 0)
		bail_out(full);
	while ((n = read(fd, buffer + len, sizeof(buffer) - 1 - len)) > 0)
		len += n;
	close(fd);
	buffer[len] = 0;
	return buffer;
}

/* A line such as "field:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;" */
static bool parse_field(const char *line, const char *name, struct field *field)
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
	if ((size_t)(stop - start) != strlen(name) || strncmp(start, name, stop - start))
		return false;
	if (sscanf(end, "; offset:%u; size:%u; signed:%d;", &field->offset, &field->size,
		   &is_signed) != 3)
		return false;
	field->is_signed = is_signed;
	field->elsewhere = !strncmp(line, "field:__data_loc", 16);
	return true;
}

static void parse_format(unsigned int n)
{
	const struct source *source = &sources[n];
	char path[PATH_MAX], *format, *line;
	unsigned int i, id;

	snprintf(path, sizeof(path), "events/%s/format", source->name);
	format = get(path);
	line = strstr(format, "\nID: ");
	if (!line || sscanf(line, "\nID: %u", &id) != 1 || id >= EVENT_TYPES)
		bail_out(path);
	source_of[id] = n + 1;
	for (i = 0; i < FIELDS_MAX && source->fields[i]; i++) {
		for (line = format; (line = strstr(line, "field:")); line++)
			if (parse_field(line, source->fields[i], &fields[n][i]))
				break;
		if (!line) {
			diag("no field %s", source->fields[i]);
			bail_out(path);
		}
	}
}

/* The processes of the threads there are already. */
static void note_processes(void)
{
	DIR *proc = opendir("/proc"), *tasks;
	struct dirent *process, *task;
	char path[PATH_MAX];

	while ((process = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%s/task", process->d_name);
		if (!atoi(process->d_name) || !(tasks = opendir(path)))
			continue;
		while ((task = readdir(tasks))) {
			if (atoi(task->d_name) == atoi(process->d_name) || !atoi(task->d_name))
				continue;
			process_of[atoi(task->d_name)] = atoi(process->d_name);
			has_threads[atoi(process->d_name)] = true;
		}
		closedir(tasks);
	}
	closedir(proc);
}

static int64_t ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* One clock between two readings of the other; of many tries the closest. */
static void note_wall_offset(void)
{
	int64_t best = INT64_MAX;
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		int64_t before = ns(CLOCK_MONOTONIC), wall = ns(CLOCK_REALTIME);
		int64_t took = ns(CLOCK_MONOTONIC) - before;

		if (took >= best)
			continue;
		best = took;
		wall_offset = wall - before - took / 2;
	}
}

void ftrace_begin(void)
{
	char path[PATH_MAX];
	unsigned int i;

	process_of = calloc(PIDS, sizeof(*process_of));
	alias_of = calloc(PIDS, sizeof(*alias_of));
	status_of = malloc(PIDS * sizeof(*status_of));
	has_threads = calloc(PIDS, sizeof(*has_threads));
	if (!process_of || !alias_of || !status_of || !has_threads)
		bail_out("memory");
	memset(status_of, STATUS_UNKNOWN, PIDS * sizeof(*status_of));
	note_processes();
	note_wall_offset();

	put("tracing_on", "0");
	put("current_tracer", "nop");
	put("trace_clock", "mono");
	put("buffer_size_kb", BUFFER_KB);
	put("events/enable", "0");
	for (i = 0; i < SOURCES; i++) {
		parse_format(i);
		snprintf(path, sizeof(path), "events/%s/enable", sources[i].name);
		put(path, "1");
	}
	put("trace", "");
	put("tracing_on", "1");
}

void ftrace_end(void)
{
	put("tracing_on", "0");
}

void ftrace_restore(void)
{
	put("events/enable", "0");
	put("trace", "");
	put("buffer_size_kb", "1408");
	put("trace_clock", "local");
	put("tracing_on", "1");
}

/* Reading ftrace's buffers */

static void decode(struct trace *trace, const unsigned char *data, uint64_t time, int cpu)
{
	uint8_t flags = data[2], preempt_count = data[3] & FTRACE_PREEMPT_COUNT;
	struct raw raw = { .data = data, .cpu = cpu };
	struct event event = {};
	const struct source *source;
	int32_t thread;
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	memcpy(&thread, data + 4, sizeof(thread));
	if (type >= EVENT_TYPES || !source_of[type])
		return;
	source = &sources[source_of[type] - 1];
	raw.fields = fields[source_of[type] - 1];
	event.time = time + wall_offset;
	event.thread = thread;
	event.kind = source->kind;
	event.context = flags & FTRACE_NMI ? IN_NMI :
			flags & FTRACE_HARDIRQ ? IN_HARDIRQ :
			flags & FTRACE_SOFTIRQ ? IN_SOFTIRQ : IN_TASK;
	event.preempt_off = preempt_count;
	event.need_resched = flags & FTRACE_NEED_RESCHED;
	source->decode(&event, &raw);

	/* From the first mark to the second. */
	if (!trace->num && !is_mark(&event, MARK_BEGIN))
		return;
	if (trace->num && is_mark(&trace->events[trace->num - 1], MARK_END))
		return;
	trace_add(trace, &event);
}

/* A page: time, length of the data, and the data, as events/header_page says. */
static const char *decode_page(struct trace *trace, const unsigned char *page, int cpu)
{
	const unsigned char *data = page + 16, *end;
	uint64_t time, commit;

	memcpy(&time, page, sizeof(time));
	memcpy(&commit, page + 8, sizeof(commit));
	if (commit & (3UL << 30))
		return "ftrace lost events";
	end = data + (commit & 0xfffff);
	while (data < end) {
		uint32_t header, first;
		unsigned int type;

		memcpy(&header, data, sizeof(header));
		memcpy(&first, data + 4, sizeof(first));
		data += 4;
		type = header & 0x1f;
		switch (type) {
		case 29:	/* padding; without a time the rest of the page */
			if (!(header >> 5))
				return NULL;
			time += header >> 5;
			data += first;
			break;
		case 30:	/* time extension */
			time += (header >> 5) + ((uint64_t)first << 27);
			data += 4;
			break;
		case 31:	/* time stamp, but for the bits that do not change in years */
			time = (time & ~((1UL << 59) - 1)) |
			       ((header >> 5) + ((uint64_t)first << 27));
			data += 4;
			break;
		case 0:
			time += header >> 5;
			decode(trace, data + 4, time, cpu);
			data += first;
			break;
		default:
			time += header >> 5;
			decode(trace, data, time, cpu);
			data += type * 4;
		}
	}
	return NULL;
}

static const char *check_room(int cpu)
{
	static const char *const counters[] = { "\noverrun: ", "\ncommit overrun: ",
						"\ndropped events: " };
	char path[PATH_MAX], *stats;
	unsigned int i;

	snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
	stats = get(path);
	for (i = 0; i < 3; i++) {
		const char *value = strstr(stats, counters[i]);

		if (!value || atol(value + strlen(counters[i])))
			return "ftrace's buffer was too small or lost events otherwise";
	}
	return NULL;
}

static const char *load_cpu(int cpu, struct trace *trace)
{
	static unsigned char page[PAGE_LEN] __attribute__((aligned(8)));
	const char *problem = check_room(cpu);
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), TRACING "per_cpu/cpu%d/trace_pipe_raw", cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		bail_out(path);
	while (!problem && read(fd, page, sizeof(page)) > 0)
		problem = decode_page(trace, page, cpu);
	close(fd);
	if (problem)
		return problem;
	if (!trace->num || !is_mark(&trace->events[trace->num - 1], MARK_END))
		return "ftrace has not both marks";
	return NULL;
}

/* What ftrace does not say */

static uint32_t process(uint32_t thread)
{
	return process_of[thread] ?: thread;
}

/* First which threads there were, and how they meant to end. */
static void note_thread(const struct event *event)
{
	uint32_t id = event->arg[0] >> 32, other = event->arg[0];

	if (event->kind == SYSCALL_ENTRY &&
	    (event->arg[0] == pack(NR_EXIT, 0) || event->arg[0] == pack(NR_EXIT_GROUP, 0)))
		status_of[event->thread] = (event->arg[1] & 0xff) << 8;
	if (event->kind == EXEC && id != other) {
		alias_of[other] = id;
		alias_of[id] = other;
	}
	if (event->kind != FORK || !(event->arg[1] & 0x10000 /* CLONE_THREAD */))
		return;
	/* The creator, not its process: that may not be known yet. */
	process_of[id] = event->thread;
}

/* From a thread to the process's first one, over those who created it. */
static void resolve_threads(void)
{
	uint32_t thread;

	for (thread = 1; thread < PIDS; thread++) {
		if (!process_of[thread])
			continue;
		while (process_of[process_of[thread]])
			process_of[thread] = process_of[process_of[thread]];
		has_threads[process_of[thread]] = true;
	}
}

/*
 * The status of a thread that another one or a signal may have ended is not known; nor
 * is that of the kernel's own. When a thread other than the first executes a program, it
 * exchanges ids with the first one, which has ended, but maybe not switched away yet.
 */
static void complete(struct event *event, bool *in_ia32)
{
	uint32_t thread = event->thread;

	event->process = process(thread);
	event->alias = alias_of[thread];
	switch (event->kind) {
	case FORK:
		event->arg[0] |= process(event->arg[0] >> 32);
		break;
	case EXIT:
		if (has_threads[process(thread)] || status_of[thread] == STATUS_UNKNOWN)
			event->unknown |= 3 << 2;
		else
			event->arg[1] = status_of[thread];
		break;
	case SYSCALL_ENTRY:
		in_ia32[thread] = event->arg[0] & 1;
		break;
	case SYSCALL_EXIT:
		event->arg[0] |= in_ia32[thread];
		break;
	}
}

const char *ftrace_load(struct trace traces[ORACLE_CPUS])
{
	const char *problem;
	size_t i;
	int cpu;

	for (cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		problem = load_cpu(cpu, &traces[cpu]);
		if (problem)
			return problem;
	}
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (i = 0; i < traces[cpu].num; i++)
			note_thread(&traces[cpu].events[i]);
	resolve_threads();
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		/* A thread that makes ia32 calls stays on its CPU. */
		bool *in_ia32 = calloc(PIDS, sizeof(*in_ia32));

		for (i = 0; i < traces[cpu].num; i++)
			complete(&traces[cpu].events[i], in_ia32);
		free(in_ia32);
	}
	return NULL;
}
