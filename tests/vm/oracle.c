// SPDX-License-Identifier: GPL-2.0
/*
 * LKST and ftrace record the same workload at the same time. Do they say the same?
 *
 *	oracle GROUP COMMAND [ARG...]	what is recorded, and the workload
 */
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle.h"
#include "tap.h"

/* Most of ftrace's times are later than LKST's by up to 2 to the power of this in ns. */
#define TIME_SOON_LOG2	16

/* What this run is about, and what its results begin with. */
static enum group group;

#define ok_group(good, text, ...) ok(good, "%s: " text, groups[group].name, ##__VA_ARGS__)

void trace_add(struct trace *trace, const struct event *event)
{
	if (trace->num == trace->room) {
		trace->room += trace->room / 2 + 65536;
		trace->events = realloc(trace->events, trace->room * sizeof(*trace->events));
		if (!trace->events)
			bail_out("memory");
	}
	trace->events[trace->num++] = *event;
}

static void mark_on_each_cpu(enum mark mark)
{
	siginfo_t info = { .si_signo = MARK_SIGNAL, .si_code = mark };
	cpu_set_t all, one;
	int cpu;

	sched_getaffinity(0, sizeof(all), &all);
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			bail_out("sched_setaffinity");
		if (syscall(SYS_rt_sigqueueinfo, getpid(), MARK_SIGNAL, &info))
			bail_out("rt_sigqueueinfo");
	}
	sched_setaffinity(0, sizeof(all), &all);
}

static int run(char **argv)
{
	int status;
	pid_t pid;

	pid = vfork();
	if (!pid) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		bail_out(argv[0]);
	return status;
}

static void report_kinds(const struct verdict *verdict)
{
	size_t total = 0;
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		size_t n = verdict->equal[kind], bad = differences(verdict, kind);

		total += n;
		if (!n && !bad && (kinds[kind].rare || !in_group(kind, group)))
			continue;
		if (ok_group(n && !bad, "%zu %s are equal", n, kinds[kind].plural))
			continue;
		diag("%zu missing, %zu extra, %zu different; the first", verdict->missing[kind],
		     verdict->extra[kind], verdict->changed[kind]);
		diag("%s", verdict->reason[kind]);
	}
	ok_group(total >= groups[group].events_min, "%zu events were compared, at least %zu", total,
	   groups[group].events_min);
}

/* What only LKST says. */
static void report_unknown(const struct trace *traces)
{
	uint8_t unknown[KINDS];
	unsigned int half;
	size_t i;
	int cpu, kind;

	memset(unknown, 0xff, sizeof(unknown));
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (i = 0; i < traces[cpu].num; i++)
			unknown[traces[cpu].events[i].kind] &= traces[cpu].events[i].unknown;
	for (kind = 0; kind < KINDS; kind++)
		for (half = 0; half < 8 && unknown[kind] != 0xff; half++)
			if (kinds[kind].group == group && unknown[kind] & 1 << half)
				diag("not compared: %s, %s half of argument %u",
				     kinds[kind].mnemonic, half % 2 ? "upper" : "lower",
				     half / 2 + 1);
}

static void report_order(const struct verdict *verdict)
{
	if (!ok_group(!verdict->misplaced,
		"in the same order; %zu pairs changed places, of which one interrupted the other",
		verdict->moved))
		diag("%s", verdict->order_reason);
}

/* Recording takes some microseconds in an emulated machine, and longer when interrupted. */
static void report_times(const struct verdict *verdict)
{
	size_t total = 0, soon = 0;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		total += verdict->time_diffs[i];
		if (i <= TIME_SOON_LOG2)
			soon += verdict->time_diffs[i];
	}
	if (ok_group(!verdict->early && soon > total / 2,
	       "LKST's times are as much before ftrace's as recording takes"))
		return;
	diag("%zu are later by more than %d ns", verdict->early, TIME_EARLY_NS);
	for (i = 0; i < 64; i++)
		if (verdict->time_diffs[i])
			diag("%zu are earlier by less than 2^%u ns", verdict->time_diffs[i], i);
}

/* The workload has a process of which more is known than ftrace says. */
static void report_credentials(const struct trace *traces)
{
	size_t good = 0, bad = 0, i;
	int cpu;

	for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (i = 0; i < traces[cpu].num; i++) {
			const struct event *event = &traces[cpu].events[i];

			if (event->kind != SYSCALL_ENTRY || event->arg[1] != ORACLE_CRED_MAGIC)
				continue;
			if (event->uid == ORACLE_CRED_UID && event->gid == ORACLE_CRED_GID &&
			    event->pgrp == event->process)
				good++;
			else
				bad++;
		}
	ok_group(good && !bad, "%zu records name effective user and group, and process group", good);
}

static enum group group_called(const char *name)
{
	int i;

	for (i = 0; i < GROUPS; i++)
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
	int cpu, status;

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
	if (!ok_group(!problem, "ftrace had room for everything"))
		diag("%s", problem);
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++) {
		problem = lkst_load(cpu, &lkst[cpu]);
		if (!ok_group(!problem, "LKST had room for everything on CPU %d: %zu records", cpu,
			lkst[cpu].num))
			diag("%s", problem);
	}
	ftrace_restore();
	lkst_restore();
	if (probes_are_preempted())
		diag("%zu records of ftrace's were put back to where their thread was preempted",
		     put_back_preempted(lkst, ftrace));

	for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
		compare(&verdict, cpu, &lkst[cpu], &ftrace[cpu]);
	report_kinds(&verdict);
	report_unknown(ftrace);
	report_order(&verdict);
	report_times(&verdict);
	if (group == PROCESSES)
		report_credentials(lkst);
	selftest(lkst, ftrace, report_selftest);
	return done_testing();
}
