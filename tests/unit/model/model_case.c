// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdarg.h>

#include "lib/model/state.h"
#include "lib/model/trim.h"
#include "model_case.h"
#include "sample.h"

#define CPUS	4
#define SOURCES 2
#define NO_TID	UINT32_MAX

struct lkst_model *model;

static char report[16384];
static unsigned int shown;
static uint32_t current[SOURCES][CPUS];
static uint64_t next_recid[SOURCES][CPUS];

/* ---- reports ---- */

static void __attribute__((format(printf, 1, 2))) put(const char *format, ...)
{
	size_t len = strlen(report);
	va_list args;

	va_start(args, format);
	vsnprintf(report + len, sizeof(report) - len, format, args);
	va_end(args);
}

static const char *thread_text(const struct lkst_thread *thread)
{
	static char text[4][16];
	static int i;
	char *t = text[i++ % 4];

	if (!thread)
		return "-";
	if (thread->tid > 100 && thread->tid <= 126)
		snprintf(t, 16, "%c", (char)('a' + thread->tid - 101));
	else
		snprintf(t, 16, "%u", thread->tid);
	return t;
}

static void put_times(int64_t begin_ns, bool begin_known, int64_t end_ns, bool end_known)
{
	put(" %s%lld-%lld%s", begin_known ? "" : "~", (long long)begin_ns, (long long)end_ns,
	    end_known ? "" : "~");
}

static const char *const context_names[LKST_CONTEXT_NUM] = {
	"irq", "tick", "ipi", "softirq", "tasklet", "timer", "hrtimer", "work", "exception",
};
static const char *const mode_names[LKST_MODE_NUM] = {
	"unknown", "idle", "user", "kernel", "thread", "softirq", "hardirq",
};
static const char *const state_names[LKST_STATE_NUM] = { "unknown", "run", "wait", "block" };

static void put_wake(const struct lkst_wake *wake)
{
	if (!wake->known) {
		put(" by ?");
		return;
	}
	put(" by %s", thread_text(wake->thread));
	if (wake->context >= 0)
		put("/%s %llu", context_names[wake->context], (unsigned long long)wake->number);
	if (*wake->name)
		put(" %s", wake->name);
}

static void on_thread(void *ctx, const struct lkst_thread_span *span)
{
	static const char *const ends[] = { " cut", "", " preempted", " exit" };

	(void)ctx;
	if (!(shown & SHOW_THREADS))
		return;
	put("%s %s", thread_text(span->thread), state_names[span->state]);
	put_times(span->begin_ns, span->begin_known || span->state == LKST_STATE_UNKNOWN,
		  span->end_ns, true);
	if (span->state == LKST_STATE_RUNNING || span->state == LKST_STATE_RUNNABLE)
		put(" cpu%d", span->cpu);
	for (int i = 0; i < LKST_MODE_NUM; i++)
		if (span->mode_ns[i])
			put(" %s %lld", mode_names[i], (long long)span->mode_ns[i]);
	if (span->state == LKST_STATE_RUNNABLE) {
		if (span->preempted)
			put(" again");
		else
			put_wake(&span->wake);
		if (span->behind)
			put(" behind %s", thread_text(span->behind));
	}
	if (span->letter)
		put(" %c", span->letter);
	if (span->syscall != LKST_SYSCALL_NONE)
		put(" in %d", span->syscall);
	if (span->state == LKST_STATE_BLOCKED && span->context >= 0)
		put(" at %s %llu", context_names[span->context], (unsigned long long)span->number);
	put("%s\n", ends[span->end]);
}

static void on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	(void)ctx;
	if (!(shown & SHOW_CPUS))
		return;
	put("cpu%d %s", span->cpu, mode_names[span->mode]);
	if (span->thread)
		put(" %s", thread_text(span->thread));
	put_times(span->begin_ns, true, span->end_ns, true);
	put("\n");
}

static void on_context(void *ctx, const struct lkst_context_span *span)
{
	(void)ctx;
	if (!(shown & SHOW_CONTEXTS))
		return;
	put("cpu%d %s %llu", span->cpu, context_names[span->kind],
	    (unsigned long long)span->number);
	if (*span->name)
		put(" %s", span->name);
	put_times(span->begin_ns, span->begin_known, span->end_ns, span->end_known);
	put(" own %lld", (long long)span->own_ns);
	if (span->thread)
		put(" of %s", thread_text(span->thread));
	if (span->raised_ns)
		put(" raised %lld", (long long)span->raised_ns);
	if (span->expires_ns)
		put(" expires %lld", (long long)span->expires_ns);
	if (span->ip)
		put(" ip %llu", (unsigned long long)span->ip);
	put("\n");
}

static void on_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	(void)ctx;
	if (!(shown & SHOW_CALLS))
		return;
	put("%s call %d", thread_text(span->thread), span->number);
	if (span->arg[0])
		put("(%llu)", (unsigned long long)span->arg[0]);
	put_times(span->begin_ns, span->begin_known, span->end_ns, span->end_known);
	if (span->end_known)
		put(" = %lld", (long long)span->result);
	for (int i = 0; i < LKST_STATE_NUM; i++)
		if (span->state_ns[i])
			put(" %s %lld", state_names[i], (long long)span->state_ns[i]);
	put("%s\n", span->exited ? " exit" : "");
}

static void put_begin(int64_t begin_ns, bool begin_known)
{
	put(" begins %s%lld\n", begin_known ? "" : "~", (long long)begin_ns);
}

static void on_context_begin(void *ctx, const struct lkst_context_span *span)
{
	(void)ctx;
	if (!(shown & SHOW_BEGINS))
		return;
	put("cpu%d %s %llu", span->cpu, context_names[span->kind],
	    (unsigned long long)span->number);
	if (*span->name)
		put(" %s", span->name);
	if (span->thread)
		put(" of %s", thread_text(span->thread));
	if (span->expires_ns)
		put(" expires %lld", (long long)span->expires_ns);
	if (span->ip)
		put(" ip %llu", (unsigned long long)span->ip);
	put_begin(span->begin_ns, span->begin_known);
}

static void on_syscall_begin(void *ctx, const struct lkst_syscall_span *span)
{
	(void)ctx;
	if (!(shown & SHOW_BEGINS))
		return;
	put("%s call %d", thread_text(span->thread), span->number);
	if (span->arg[0])
		put("(%llu)", (unsigned long long)span->arg[0]);
	put_begin(span->begin_ns, span->begin_known);
}

static void on_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake)
{
	(void)ctx;
	if (!(shown & SHOW_WAKES))
		return;
	put("wake %s", thread_text(thread));
	put_wake(wake);
	put(" cpu%d %lld #%llu\n", wake->cpu, (long long)wake->time_ns,
	    (unsigned long long)thread->wakes);
}

static void on_migrate(void *ctx, const struct lkst_thread *thread, int32_t from, int32_t to,
		       int64_t time_ns)
{
	(void)ctx;
	if (shown & SHOW_WAKES)
		put("move %s %d>%d %lld\n", thread_text(thread), from, to, (long long)time_ns);
}

static void on_loss(void *ctx, const struct lkst_loss *loss)
{
	(void)ctx;
	if (!(shown & SHOW_LOSSES))
		return;
	put("loss cpu%d %llu", loss->cpu, (unsigned long long)loss->number);
	put_times(loss->begin_ns, true, loss->end_ns, true);
	put("\n");
}

static void put_counts(void)
{
	const struct lkst_model_counts *counts = lkst_model_counts(model);

	put("events %llu", (unsigned long long)counts->events);
	if (counts->lost)
		put(" lost %llu", (unsigned long long)counts->lost);
	if (counts->begins)
		put(" begins %llu", (unsigned long long)counts->begins);
	if (counts->ends)
		put(" ends %llu", (unsigned long long)counts->ends);
	if (counts->reordered)
		put(" reordered %llu", (unsigned long long)counts->reordered);
	if (counts->nested)
		put(" nested %llu by %lld", (unsigned long long)counts->nested,
		    (long long)counts->nested_ns);
	put("\n");
}

static const struct lkst_model_ops ops = {
	.thread = on_thread, .cpu = on_cpu, .context = on_context, .syscall = on_syscall,
	.wake = on_wake, .migrate = on_migrate, .loss = on_loss,
	.context_begin = on_context_begin, .syscall_begin = on_syscall_begin,
};

/* ---- scripts ---- */

/* How the arguments of a word are stored in the event */
enum form {
	NOTHING,
	NUMBER,		/* a number: arg0; a second number: arg1 */
	NUMBER_HIGH,	/* a number: high half of arg0; a second number: arg1 */
	FUNCTION,	/* a number: arg1; a second number: arg2 */
	IRQ,		/* a number and a name */
	THREAD,		/* a thread, and a number: see set_arguments() */
	SWITCH,		/* two threads and the state of the first one: a>b S */
	MIGRATE,	/* a thread and two CPUs: a 0>1 */
	FORK,		/* a thread, and flags of clone() */
	STATE,		/* a thread, its parent, and the state of the thread */
	RENAME,		/* a name */
	SUSPEND,	/* an action, and whether it begins */
	BLOCK,		/* a write to device 1: sector, bytes, time in the queue or error */
	SIGNAL,		/* a signal and its target */
	IPI,		/* a CPU and a function */
	TEXT,		/* a text */
	LOCK,		/* a lock, its kind, and the thread that owns it */
	VICTIM,		/* a thread and a number */
	RAW,		/* the first three arguments */
};

static const struct {
	const char *word;
	uint32_t type;
	enum form form;
} words[] = {
	{ "switch", LKST_ETYPE_PROCESS_CONTEXTSWITCH, SWITCH },
	{ "wakeup", LKST_ETYPE_PROCESS_WAKEUP, THREAD },
	{ "wakenew", LKST_ETYPE_PROCESS_WAKEUP, THREAD },
	{ "waking", LKST_ETYPE_PROCESS_WAKING, THREAD },
	{ "migrate", LKST_ETYPE_PROCESS_MIGRATE, MIGRATE },
	{ "fork", LKST_ETYPE_PROCESS_FORK, FORK },
	{ "exit", LKST_ETYPE_PROCESS_EXIT, THREAD },
	{ "exec", LKST_ETYPE_PROCESS_EXEC, THREAD },
	{ "rename", LKST_ETYPE_PROCESS_RENAME, RENAME },
	{ "state", LKST_ETYPE_PROCESS_STATE, STATE },
	{ "sys", LKST_ETYPE_SYSCALL_ENTRY, NUMBER_HIGH },
	{ "ret", LKST_ETYPE_SYSCALL_EXIT, NUMBER_HIGH },
	{ "irq", LKST_ETYPE_INT_HARDWARE_ENTRY, IRQ },
	{ "irqx", LKST_ETYPE_INT_HARDWARE_EXIT, NUMBER },
	{ "tick", LKST_ETYPE_INT_TIMER_ENTRY, NUMBER },
	{ "tickx", LKST_ETYPE_INT_TIMER_EXIT, NUMBER },
	{ "ipi", LKST_ETYPE_INT_IPI_ENTRY, NUMBER },
	{ "ipix", LKST_ETYPE_INT_IPI_EXIT, NUMBER },
	{ "soft", LKST_ETYPE_INT_SOFTIRQ_ENTRY, NUMBER },
	{ "softx", LKST_ETYPE_INT_SOFTIRQ_EXIT, NUMBER },
	{ "raise", LKST_ETYPE_INT_SOFTIRQ_RAISE, NUMBER },
	{ "tasklet", LKST_ETYPE_INT_TASKLET_ENTRY, FUNCTION },
	{ "taskletx", LKST_ETYPE_INT_TASKLET_EXIT, FUNCTION },
	{ "hi", LKST_ETYPE_INT_TASKLETHI_ENTRY, FUNCTION },
	{ "hix", LKST_ETYPE_INT_TASKLETHI_EXIT, FUNCTION },
	{ "timer", LKST_ETYPE_TIMER_RUN_ENTRY, FUNCTION },
	{ "timerx", LKST_ETYPE_TIMER_RUN_EXIT, FUNCTION },
	{ "hr", LKST_ETYPE_TIMER_HR_RUN_ENTRY, FUNCTION },
	{ "hrx", LKST_ETYPE_TIMER_HR_RUN_EXIT, FUNCTION },
	{ "work", LKST_ETYPE_WORK_ENTRY, FUNCTION },
	{ "workx", LKST_ETYPE_WORK_EXIT, FUNCTION },
	{ "trap", LKST_ETYPE_EXCEPTION_ENTRY, NUMBER_HIGH },
	{ "trapx", LKST_ETYPE_EXCEPTION_EXIT, NUMBER_HIGH },
	{ "idle", LKST_ETYPE_CPU_IDLE_ENTRY, NUMBER },
	{ "idlex", LKST_ETYPE_CPU_IDLE_EXIT, NOTHING },
	{ "online", LKST_ETYPE_CPU_ONLINE, NUMBER },
	{ "offline", LKST_ETYPE_CPU_OFFLINE, NUMBER },
	{ "suspend", LKST_ETYPE_CPU_SUSPEND, SUSPEND },
	{ "freq", LKST_ETYPE_CPU_FREQUENCY, NUMBER },
	{ "mark", LKST_ETYPE_USER_MARK, NUMBER },
	{ "text", LKST_ETYPE_USER_TEXT, TEXT },
	{ "issue", LKST_ETYPE_BLOCK_ISSUE, BLOCK },
	{ "done", LKST_ETYPE_BLOCK_COMPLETE, BLOCK },
	{ "hradd", LKST_ETYPE_TIMER_HR_ADD, FUNCTION },
	{ "timeradd", LKST_ETYPE_TIMER_ADD, FUNCTION },
	{ "signal", LKST_ETYPE_PROCESS_SIGSEND, SIGNAL },
	{ "send", LKST_ETYPE_CPU_IPI_SEND, IPI },
	{ "packet", LKST_ETYPE_NET_PKTRECV, TEXT },
	{ "die", LKST_ETYPE_OOPS_DIE, NUMBER_HIGH },
	{ "mce", LKST_ETYPE_OOPS_MCE, NUMBER_HIGH },
	{ "drop", LKST_ETYPE_NET_DROP, RAW },
	{ "kmalloc", LKST_ETYPE_MEM_KMALLOC, RAW },
	{ "kfree", LKST_ETYPE_MEM_KFREE, RAW },
	{ "start", LKST_ETYPE_LKST_TRC_START, NUMBER },
	{ "stop", LKST_ETYPE_LKST_TRC_STOP, NUMBER },
	{ "maskset", LKST_ETYPE_LKST_MASKSET_SET, NUMBER },
	{ "init", LKST_ETYPE_LKST_INIT, NUMBER },
	{ "overflow", LKST_ETYPE_LKST_BUFF_OVFLOW, NUMBER },
	{ "contend", LKST_ETYPE_LOCK_CONTENTION_BEGIN, LOCK },
	{ "contended", LKST_ETYPE_LOCK_CONTENTION_END, NUMBER },
	{ "panic", LKST_ETYPE_OOPS_PANIC, TEXT },
	{ "panic_raw", LKST_ETYPE_OOPS_PANIC, RAW },
	{ "warn", LKST_ETYPE_OOPS_WARN, NUMBER },
	{ "lockup", LKST_ETYPE_OOPS_LOCKUP, VICTIM },
	{ "printk", LKST_ETYPE_OOPS_PRINTK, TEXT },
	{ "oomkill", LKST_ETYPE_MEM_OOMKILL, VICTIM },
	{ "reclaim", LKST_ETYPE_MEM_RECLAIM_ENTRY, NUMBER },
	{ "reclaimx", LKST_ETYPE_MEM_RECLAIM_EXIT, NUMBER },
};

static uint32_t tid_of(const char *text)
{
	if (!strcmp(text, "idle"))
		return 0;
	if (!strcmp(text, "?"))
		return NO_TID;
	return isdigit((unsigned char)*text) ? (uint32_t)strtoul(text, NULL, 0) :
					       101u + (uint32_t)(*text - 'a');
}

/* Cut the text at the first @c, and return the part after that, or "". */
static char *split_at(char *text, char c)
{
	char *at = strchr(text, c);

	if (!at)
		return text + strlen(text);
	*at = 0;
	return at + 1;
}

static void set_arguments(struct lkst_event *event, enum form form, char *arg[3])
{
	unsigned long long number = strtoull(arg[0], NULL, 0), second = strtoull(arg[1], NULL, 0);
	char *rest;

	switch (form) {
	case NOTHING:
		break;
	case NUMBER:
		event->arg[0] = number;
		event->arg[1] = second;
		break;
	case NUMBER_HIGH:
		event->arg[0] = pack((uint32_t)strtol(arg[0], NULL, 0), 0);
		event->arg[1] = second;
		break;
	case FUNCTION:
		event->arg[1] = number;
		event->arg[2] = second;
		break;
	case IRQ:
		event->arg[0] = number;
		event->arg[1] = text8(arg[1]);
		break;
	case THREAD:
		event->arg[0] = pack(*arg[0] ? tid_of(arg[0]) : event->tid,
				     *arg[1] ? tid_of(arg[1]) : event->tid);
		event->arg[1] = event->type == LKST_ETYPE_PROCESS_WAKEUP ?
					pack((uint32_t)second, !!*arg[2]) :
					second;
		break;
	case SWITCH:
		rest = split_at(arg[0], '>');
		event->arg[0] = pack(tid_of(arg[0]),
				     (uint32_t)(uint8_t)*arg[1] | (arg[1][1] == '+' ? 0x100 : 0));
		event->arg[1] = pack(tid_of(rest), 120);
		break;
	case MIGRATE:
		rest = split_at(arg[1], '>');
		event->arg[0] = tid_of(arg[0]);
		event->arg[1] = pack((uint32_t)atoi(arg[1]), (uint32_t)atoi(rest));
		break;
	case FORK:
		event->arg[0] = pack(tid_of(arg[0]), tid_of(arg[0]));
		event->arg[1] = second;
		break;
	case STATE:
		event->arg[0] = pack(tid_of(arg[0]), tid_of(arg[0]));
		event->arg[1] = pack(tid_of(arg[1]), (uint8_t)*arg[2]);
		event->arg[2] = text8("dumped");
		break;
	case RENAME:
		event->arg[0] = event->tid;
		event->arg[1] = text8(arg[0]);
		event->arg[2] = strlen(arg[0]) > 8 ? text8(arg[0] + 8) : 0;
		break;
	case BLOCK:
		event->arg[0] = 1;
		event->arg[1] = number;
		event->arg[2] = pack((uint32_t)second, 1);
		event->arg[3] = (uint64_t)strtoll(arg[2], NULL, 0);
		break;
	case SIGNAL:
		event->arg[0] = pack((uint32_t)number, 0);
		event->arg[1] = pack(tid_of(arg[1]), 0);
		break;
	case IPI:
		event->arg[0] = number;
		event->arg[2] = second;
		break;
	case TEXT:
		event->arg[event->type == LKST_ETYPE_NET_PKTRECV  ? 2 :
			   event->type == LKST_ETYPE_OOPS_PRINTK ? 1 :
								   0] = text8(arg[0]);
		break;
	case LOCK:
		event->arg[0] = number;
		event->arg[1] = second;
		event->arg[2] = *arg[2] ? tid_of(arg[2]) : 0;
		break;
	case VICTIM:
		event->arg[0] = tid_of(arg[0]);
		event->arg[1] = second;
		break;
	case RAW:
		event->arg[0] = number;
		event->arg[1] = second;
		event->arg[2] = strtoull(arg[2], NULL, 0);
		break;
	case SUSPEND:
		event->arg[0] = text8(arg[0]);
		event->arg[1] = strlen(arg[0]) > 8 ? text8(arg[0] + 8) : 0;
		event->arg[3] = second;
		break;
	}
}

static struct lkst_event event_of(char *place, const char *time, const char *word, char *arg[3])
{
	struct lkst_event event = { .time_ns = strtoll(time, NULL, 0),
				    .machine = LKST_MACHINE_X86_64,
				    .monotonic_ns = INT64_MIN };
	char *dot = strchr(place, '.'), *end, *thread;
	uint32_t *now;
	int i = 0;

	if (dot)
		event.source = (uint32_t)strtoul(place, NULL, 10);
	event.cpu = (int32_t)strtol(dot ? dot + 1 : place, &end, 10);
	ck_assert(event.source < SOURCES && event.cpu >= 0 && event.cpu < CPUS);
	now = &current[event.source][event.cpu];
	thread = strchr(end, '/');
	for (; *end && *end != '/'; end++)
		if (*end == 'v')
			event.buffer = LKST_BUFFER_ID_VOID;
		else
			event.flags |= *end == 'h' ? LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT :
				       *end == 's' ? LKST_LOG_SOFTIRQ :
						     LKST_LOG_NMI | LKST_LOG_HARDIRQ;
	event.tid = *now = thread ? tid_of(thread + 1) : *now;
	event.tgid = event.tid;
	while (i < NUM(words) && strcmp(words[i].word, word))
		i++;
	ck_assert_msg(i < NUM(words), "unknown word \"%s\"", word);
	event.type = words[i].type;
	set_arguments(&event, words[i].form, arg);
	if (event.type == LKST_ETYPE_PROCESS_CONTEXTSWITCH) {
		if (event.tid == NO_TID)
			event.tid = event.tgid = (uint32_t)(event.arg[0] >> 32);
		*now = (uint32_t)(event.arg[1] >> 32);
	}
	event.recid = event.buffer == LKST_BUFFER_ID_VOID ? 77 : next_recid[event.source][event.cpu]++;
	return event;
}

static void run_line(char *line)
{
	char word[6][32] = { "" };
	char *arg[3] = { word[2], word[3], word[4] };
	struct lkst_event event;
	char *time;

	if (sscanf(line, "%31s %31s %31s %31s %31s", word[0], word[1], word[2], word[3], word[4]) < 1)
		return;
	if (!strcmp(word[0], "open")) {
		lkst_model_open_window(model, strtoll(word[1], NULL, 0));
	} else if (!strcmp(word[0], "cut")) {
		assert_ok(lkst_model_cut(model, strtoll(word[1], NULL, 0), &err));
	} else if (!strcmp(word[0], "end")) { /* records after TIME may be missing, except on CPU */
		uint64_t known[MODEL_CPUS / 64] = { *word[2] ? 1ull << atoi(word[2]) : 0 };

		recording_lose_end(model, 0, known, strtoll(word[1], NULL, 0));
	} else if (!strcmp(word[0], "trim")) {
		lkst_model_trim(model);
	} else if (!strcmp(word[0], "lose")) { /* "lose CPU NUMBER": that many records are lost */
		next_recid[0][atoi(word[1])] += strtoull(word[2], NULL, 0);
	} else if (!strcmp(word[0], "rewind")) { /* the recids of all CPUs restart at 0 */
		memset(next_recid, 0, sizeof(next_recid));
	} else if (!strcmp(word[0], "after")) { /* CPU:TIME: an event after the window */
		time = split_at(word[1], ':');
		event = event_of(word[1], time, "mark", arg);
		lkst_model_after(model, &event);
	} else {
		time = split_at(word[0], ':');
		event = event_of(word[0], time, word[1], arg);
		assert_ok(lkst_model_event(model, &event, &err));
	}
}

/* Feed the model, which must be new, with the events of a script. */
void model_script(const char *script)
{
	char *copy = strdup(script), *save, *line;

	memset(next_recid, 0, sizeof(next_recid));
	memset(current, 0xff, sizeof(current));
	for (line = strtok_r(copy, ";", &save); line; line = strtok_r(NULL, ";", &save))
		run_line(line);
	free(copy);
}

/* Run a script, and collect the reports of the model in the text that model_check() compares. */
void model_run(const char *script, unsigned int show, bool selected)
{
	report[0] = 0;
	shown = show;
	model = lkst_model_new(selected, &err);
	assert_made(model);
	assert_ok(lkst_model_add(model, &ops, NULL, &err));
	model_script(script);
	if (show & SHOW_COUNTS)
		put_counts();
}

void model_check(const struct model_case *c)
{
	model_run(c->script, c->show, false);
	ck_assert_msg(!strcmp(report, c->expected), "\"%s\" reports\n%snot\n%s", c->script, report,
		      c->expected);
}

void model_done(void)
{
	lkst_model_free(model);
	model = NULL;
}
