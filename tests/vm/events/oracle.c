// SPDX-License-Identifier: GPL-2.0
/*
 * Let LKST and ftrace record the same workload at the same time, and compare their records.
 *
 *	oracle GROUP COMMAND [ARG...]	record the events of GROUP while the workload COMMAND runs
 */
#include <signal.h>
#include <sys/syscall.h>

#include "buffers.h"
#include "oracle.h"

/* The name of each group, and the minimum number of events to compare: fewer prove little. */
static const struct {
	const char *name;
	size_t events_min;
} groups[GROUPS] = {
	[PROCESSES] = { "processes", 50000 },
	[MEMORY] = { "memory", 30000 },
	[NETWORK] = { "network", 30000 },
	[DEVICES] = { "devices", 10000 },
};

const struct kind_info kinds[KINDS] = {
#define KIND(kind, group, flags, mnemonic, plural, ...) [kind] = { mnemonic, plural, group, flags },
#include "oracle_kinds.h"
#undef KIND
};

/* The group of event kinds that this run records. All results begin with its name. */
static enum group group;

#define ok_group(good, text, ...) ok(good, "%s: " text, groups[group].name, ##__VA_ARGS__)

void trace_add(struct trace *trace, const struct event *event)
{
	if (trace->num == trace->room) {
		trace->room += trace->room / 2 + 65536;
		trace->events = realloc(trace->events, trace->room * sizeof(*trace->events));
		bail_if(!trace->events, "memory");
	}
	trace->events[trace->num++] = *event;
}

void trace_clean(struct trace *trace)
{
	size_t kept = 0;

	for (size_t i = 0; i < trace->num; i++)
		if (trace->events[i].kind < KINDS)
			trace->events[kept++] = trace->events[i];
	trace->num = kept;
}

static void mark_on_each_cpu(enum mark mark)
{
	siginfo_t info = { .si_signo = MARK_SIGNAL, .si_code = mark };
	cpu_set_t all;

	sched_getaffinity(0, sizeof(all), &all);
	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		pin(cpu);
		bail_if(syscall(SYS_rt_sigqueueinfo, getpid(), MARK_SIGNAL, &info),
			"rt_sigqueueinfo");
	}
	sched_setaffinity(0, sizeof(all), &all);
}

static int run(char **argv)
{
	pid_t pid = vfork();
	int status;

	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	bail_if(pid < 0 || waitpid(pid, &status, 0) != pid, argv[0]);
	return status;
}

static void report_kinds(const struct verdict *verdict)
{
	size_t total = 0;

	for (int kind = 0; kind < KINDS; kind++) {
		size_t n = verdict->equal[kind], bad = differences(verdict, kind);

		total += n;
		if (!n && !bad && (kinds[kind].flags & KIND_RARE || !in_group(kind, group)))
			continue;
		if (ok_group(n && !bad, "%zu %s are equal", n, kinds[kind].plural))
			continue;
		diag("%zu missing, %zu extra, %zu different; the first:", verdict->missing[kind],
		     verdict->extra[kind], verdict->changed[kind]);
		diag("%s", verdict->reason[kind]);
	}
	ok_group(total >= groups[group].events_min,
		 "%zu events were compared, at least %zu are required", total,
		 groups[group].events_min);
}

static void report_order(const struct verdict *verdict)
{
	if (!ok_group(!verdict->misplaced,
		      "same order, except for %zu pairs of which one interrupted the other",
		      verdict->moved))
		diag("%s", verdict->order_reason);
}

/*
 * Check that ftrace's times are a little later than LKST's. In an emulated machine recording takes
 * some microseconds, and longer if it is interrupted.
 */
static void report_times(const struct verdict *verdict)
{
	if (!ok_group(!verdict->early && verdict->soon > verdict->timed / 2,
		      "LKST's times precede ftrace's by the time that recording takes"))
		diag("of %zu, %zu are later by more than %d ns, and %zu earlier by less than %d ns",
		     verdict->timed, verdict->early, TIME_EARLY_NS, verdict->soon, TIME_SOON_NS);
}

/*
 * Check the credentials and process group in the records of the system calls that
 * work_credentials() makes. ftrace does not record these values.
 */
static void report_credentials(const struct trace *traces)
{
	size_t num = 0, bad = 0;

	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (size_t i = 0; i < traces[cpu].num; i++) {
			const struct event *event = &traces[cpu].events[i];

			if (event->kind != SYSCALL_ENTRY || event->arg[1] != ORACLE_CRED_MAGIC)
				continue;
			bad += event->uid != ORACLE_CRED_UID || event->gid != ORACLE_CRED_GID ||
			       event->pgrp != event->process;
			num++;
		}
	ok_group(num && !bad, "%zu records have the right effective ids and process group",
		 num);
}

static enum group group_called(const char *name)
{
	for (int i = 0; i < GROUPS; i++)
		if (!strcmp(groups[i].name, name))
			return i;
	fprintf(stderr, "oracle: no group \"%s\"\n", name);
	exit(2);
}

static void report_selftest(bool noticed, const char *damage)
{
	ok_group(noticed, "self-test: %s", damage);
}

int main(int argc, char **argv)
{
	static struct trace lkst[ORACLE_CPUS], ftrace[ORACLE_CPUS];
	static struct verdict verdict;
	const char *problem;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: oracle GROUP COMMAND [ARG...]\n");
		return 2;
	}
	group = group_called(argv[1]);
	signal(MARK_SIGNAL, SIG_IGN);

	lkst_begin(group);
	ftrace_begin(group);
	mark_on_each_cpu(MARK_BEGIN);
	status = run(argv + 2);
	mark_on_each_cpu(MARK_END);
	ftrace_end();
	lkst_end();
	ok_group(!status, "the workload succeeds");

	problem = ftrace_load(ftrace);
	if (!ok_group(!problem, "ftrace's buffers had room for all records"))
		diag("%s", problem);
	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		problem = lkst_load(cpu, &lkst[cpu]);
		if (!ok_group(!problem, "LKST's buffer had room for all records on CPU %d: %zu", cpu,
			lkst[cpu].num))
			diag("%s", problem);
	}
	ftrace_restore();
	lkst_restore();
	if (probes_are_preempted())
		diag("%zu records of ftrace were put back to where their thread was preempted",
		     put_back_preempted(lkst, ftrace));

	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++)
		compare(&verdict, cpu, &lkst[cpu], &ftrace[cpu]);
	report_kinds(&verdict);
	report_order(&verdict);
	report_times(&verdict);
	if (group == PROCESSES)
		report_credentials(lkst);
	selftest(lkst, ftrace, report_selftest);
	return done_testing();
}
