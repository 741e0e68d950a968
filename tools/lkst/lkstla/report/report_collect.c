// SPDX-License-Identifier: GPL-2.0
/* Finds delays of threads, and long interrupts and softirqs, in the spans of the model. */
#include <stdio.h>
#include <string.h>

#include "lkstla/contexts.h"
#include "lkstla/tally.h"
#include "report.h"

/* Find the other CPU that was idle longest during an occurrence, if this is known. */
static void report_find_idle(struct report *report, uint32_t source, struct report_case *found)
{
	struct lkst_cpu_span now;
	struct blame blame;

	for (int32_t cpu = 0; cpu < report->cpus; cpu++) {
		if (cpu == found->cpu || !lkst_model_cpu(report->run->model, source, cpu, &now))
			continue;
		blame_find(&report->history, &now, found->begin_ns, found->at_ns, &blame);
		if (blame.ns[BLAME_IDLE] <= found->idle_ns)
			continue;
		found->idle_ns = blame.ns[BLAME_IDLE];
		found->idle_cpu = cpu;
	}
}

/*
 * Find out what kept the CPU busy for most of a wait: one thread, or interrupts and softirqs. If
 * neither did, note the thread that ran longest.
 */
static void report_find_holder(struct report *report, uint32_t source, struct report_case *found)
{
	struct lkst_cpu_span now;
	struct blame blame;
	int64_t irqs;

	if (!lkst_model_cpu(report->run->model, source, found->cpu, &now))
		return;
	blame_find(&report->history, &now, found->begin_ns, found->at_ns, &blame);
	irqs = blame.ns[BLAME_IRQ] + blame.ns[BLAME_SOFTIRQ];
	if (irqs > found->value / 2)
		report_value(UNIT_TIME, irqs, found->detail);
	else if (blame.thread && blame.thread_ns > found->value / 2)
		found->other = blame.thread;
	else if (blame.thread && blame.ns[BLAME_UNKNOWN] <= found->value / 2)
		run_thread_name(report->run, blame.thread, found->name);
}

/*
 * Return whether a wait may have ended long before the end that the trace shows. The buffer of one
 * CPU may reach back further than the buffer of another. So a thread may seem to wait for a CPU
 * although the CPU has already run it, at a time before the oldest record of that CPU.
 */
static bool report_is_doubtful(const struct report *report, const struct lkst_thread_span *span)
{
	return span->cpu >= 0 && (size_t)span->cpu < report->firsts &&
	       report->first[span->cpu].seen &&
	       span->thread->since_ns < report->first[span->cpu].time_ns;
}

static void report_wait(struct report *report, const struct lkst_thread_span *span)
{
	struct report_case found = report_case_at(span->begin_ns, span->end_ns, span->cpu);

	found.value = tally_length(span->begin_ns, span->end_ns);
	found.thread = span->thread;
	/*
	 * An empty span means that records were lost before the window opened, so the wait may have
	 * ended before the window.
	 */
	if (!found.value || report_is_doubtful(report, span))
		return;
	/* If neither end of the wait is known, the thread has probably run on another CPU. */
	if (!span->begin_known && span->end == LKST_END_CUT)
		return;
	if (report_is_worst(report, RULE_CPU_WAIT, found.value)) {
		report_find_holder(report, span->thread->source, &found);
		report_find_idle(report, span->thread->source, &found);
	}
	report_add(report, RULE_CPU_WAIT, &found);
}

/**
 * report_thread_of() - get the data about a thread
 * @report: report
 * @thread: thread
 *
 * Return: the thread; NULL if an allocation failed, which is reported.
 */
struct report_thread *report_thread_of(struct report *report, const struct lkst_thread *thread)
{
	struct report_thread *of =
		tally_cover(report->thread, &report->threads, thread->index, sizeof(*of));

	if (!of) {
		run_out_of_memory(report->run);
		return NULL;
	}
	report->thread = of;
	return &of[thread->index];
}

/* Note what woke up a thread. */
static void report_woken(struct report *report, const struct lkst_thread_span *span)
{
	struct report_thread *thread = report_thread_of(report, span->thread);

	if (!thread || span->preempted)
		return;
	thread->waker = span->wake.known && span->wake.context < 0 ? span->wake.thread : NULL;
	thread->woken_ns = span->begin_ns;
}

static void report_name_call(const struct lkst_thread *thread, int32_t number,
			     char text[REPORT_NAME_SIZE])
{
	char name[32];

	if (number != LKST_SYSCALL_NONE)
		snprintf(text, REPORT_NAME_SIZE, "%s",
			 run_syscall_name(thread, number, thread->abi, name));
}

/*
 * Note an uninterruptible sleep. If a kernel thread was already asleep when the trace began, it may
 * just wait for work.
 */
static void report_sleep(struct report *report, const struct lkst_thread_span *span)
{
	struct report_case found = report_case_at(span->begin_ns, span->end_ns, span->cpu);
	struct report_thread *thread = report_thread_of(report, span->thread);

	found.value = tally_length(span->begin_ns, span->end_ns);
	if (!thread || !found.value || (span->thread->kernel && !span->begin_known))
		return;
	if (span->syscall != LKST_SYSCALL_NONE)
		thread->d_ns = tally_sum(thread->d_ns, found.value);
	if (!context_selects(report->run, span->cpu, span->thread))
		return;
	found.thread = span->thread;
	report_name_call(span->thread, span->syscall, found.detail);
	report_add(report, RULE_D_WAIT, &found);
}

void report_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct report *report = ctx;

	if (span->state == LKST_STATE_RUNNABLE) {
		report_woken(report, span);
		if (context_selects(report->run, span->cpu, span->thread))
			report_wait(report, span);
	} else if (span->state == LKST_STATE_BLOCKED && span->letter == 'D') {
		report_sleep(report, span);
	}
}

/* Return whether a system call should not wait, because programs do not use it for waiting. */
static bool report_should_not_wait(const char *name)
{
	static const char *const names[] = {
		"access",     "brk",	    "chdir",	"chmod",      "chown",	    "close",
		"creat",      "execve",	    "execveat", "faccessat",  "faccessat2", "fallocate",
		"fchmod",     "fchmodat",   "fchown",	"fchownat",   "fdatasync",  "fstat",
		"fsync",      "ftruncate",  "getdents", "getdents64", "link",	    "linkat",
		"lseek",      "lstat",	    "madvise",	"mkdir",      "mkdirat",    "mlock",
		"mmap",	      "mount",	    "mprotect", "mremap",     "msync",	    "munmap",
		"newfstatat", "open",	    "openat",	"openat2",    "pread64",    "pwrite64",
		"readlink",   "readlinkat", "rename",	"renameat",   "renameat2",  "rmdir",
		"stat",	      "statfs",	    "statx",	"symlink",    "symlinkat",  "sync",
		"syncfs",     "truncate",   "umount2",	"unlink",     "unlinkat",   "utimensat",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

void report_on_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct report *report = ctx;
	struct report_case found = report_case_at(span->begin_ns, span->end_ns, span->thread->cpu);
	struct report_thread *thread = report_thread_of(report, span->thread);
	char name[32];

	if (!thread)
		return;
	found.value = span->state_ns[LKST_STATE_BLOCKED] - thread->d_ns;
	found.thread = span->thread;
	thread->d_ns = 0;
	if (found.value <= 0 || !context_selects(report->run, span->thread->cpu, span->thread))
		return;
	run_syscall_name(span->thread, span->number, span->abi, name);
	if (!report_should_not_wait(name))
		return;
	snprintf(found.name, sizeof(found.name), "%s", name);
	report_add(report, RULE_CALL_SLOW, &found);
}

void report_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct report *report = ctx;

	if (span->cpu >= report->cpus && span->cpu < CONTEXT_CPUS_MAX)
		report->cpus = span->cpu + 1;
	if (blame_add(&report->history, span))
		run_out_of_memory(report->run);
}

/* Note a hard interrupt that has ended. */
static void report_note_irq(struct report *report, const struct lkst_context_span *span)
{
	struct report_irqs *irqs;
	size_t i;

	if (span->cpu < 0 || span->cpu >= CONTEXT_CPUS_MAX)
		return;
	irqs = tally_cover(report->irqs, &report->irq_cpus, (size_t)span->cpu, sizeof(*irqs));
	if (!irqs) {
		run_out_of_memory(report->run);
		return;
	}
	report->irqs = irqs;
	irqs += span->cpu;
	i = irqs->num++ % REPORT_IRQS;
	irqs->begin_ns[i] = span->begin_ns;
	irqs->end_ns[i] = span->end_ns;
}

/**
 * report_first_irq() - find out when a CPU took its first hard interrupt after a time
 * @report: report
 * @cpu: CPU
 * @since_ns: time
 * @now_ns: result if no hard interrupt has ended since then
 *
 * Return: the time; @since_ns if the CPU was in a hard interrupt at that time, or if there were too
 * many hard interrupts to tell.
 */
int64_t report_first_irq(const struct report *report, int32_t cpu, int64_t since_ns, int64_t now_ns)
{
	const struct report_irqs *irqs;
	int64_t first = now_ns;
	uint64_t oldest, n;

	if ((size_t)cpu >= report->irq_cpus)
		return now_ns;
	irqs = &report->irqs[cpu];
	oldest = irqs->num > REPORT_IRQS ? irqs->num - REPORT_IRQS : 0;
	for (n = irqs->num; n > oldest; n--) {
		size_t i = (n - 1) % REPORT_IRQS;

		if (irqs->end_ns[i] <= since_ns)
			return first;
		if (irqs->begin_ns[i] <= since_ns)
			return since_ns;
		if (irqs->begin_ns[i] < first)
			first = irqs->begin_ns[i];
	}
	return oldest ? since_ns : first;
}

void report_on_context(void *ctx, const struct lkst_context_span *span)
{
	struct report *report = ctx;
	bool soft = span->kind == LKST_CONTEXT_SOFTIRQ;
	struct report_case found = report_case_at(span->begin_ns, span->end_ns, span->cpu);
	const struct context_row row = { .id = context_id(span) };
	char name[CONTEXT_NAME_SIZE];

	if (!soft && span->kind != LKST_CONTEXT_IRQ && span->kind != LKST_CONTEXT_TIMER_IRQ &&
	    span->kind != LKST_CONTEXT_IPI)
		return;
	if (!soft)
		report_note_irq(report, span);
	if (!context_selects(report->run, span->cpu, span->thread))
		return;
	found.value = span->own_ns;
	found.thread = span->thread;
	if (report_is_worst(report, soft ? RULE_SOFTIRQ_LONG : RULE_IRQ_LONG, found.value))
		snprintf(found.name, sizeof(found.name), "%s",
			 context_name(report->run, &row, name));
	report_add(report, soft ? RULE_SOFTIRQ_LONG : RULE_IRQ_LONG, &found);
}
