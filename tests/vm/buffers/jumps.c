// SPDX-License-Identifier: GPL-2.0
/*
 * Check that CPUs can make each other switch buffers. Every CPU but the last records events whose
 * handler is buffer_jump, while the target of buffer_jump changes all the time. With more than two
 * CPUs, two of them may make a third one switch at the same time.
 *
 *	jumps SECONDS
 */
#include "processes.h"

#define MAX_CPUS  64
#define SENDERS	  100 /* id of this test's maskset */
#define MIN_JUMPS 400

static const int ids[] = { 8, 9 };

static void send_to(int id)
{
	struct lkst_evhandler_value value = { .set = 1, .value = id };
	struct lkst_evhandler_ctrl_param param = { .id = LKST_EVHANDLER_ID_BUFFER_JUMP,
						   .buf = (uintptr_t)&value,
						   .bufsize = sizeof(value) };

	need(lkst(LKST_IOC_EVHANDLER_CTRL, &param), "EVHANDLER_CTRL");
}

/* Record marks on @cpu until this process is killed. Each mark makes all CPUs switch buffers. */
static void record(int cpu, volatile unsigned long *marks)
{
	pin(cpu);
	for (;; (*marks)++)
		need(mark(*marks, 0, 0, 0), "ENTRY_LOG");
}

/* Wait up to 30 s for all CPUs to switch to buffer @id. Return whether they have. */
static bool all_write(int cpus, int id)
{
	int cpu = 0;

	for (int tries = 0; tries < 1500; tries++, sleep_ms(20)) {
		for (cpu = 0; cpu < cpus && written_buffer(cpu) == id; cpu++)
			;
		if (cpu == cpus)
			return true;
	}
	diag("CPU %d has buffer %d", cpu, written_buffer(cpu));
	return false;
}

int main(int argc, char **argv)
{
	static const struct mask mask = { USER_MARK, LKST_EVHANDLER_ID_BUFFER_JUMP };
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), seconds = argc > 1 ? atoi(argv[1]) : 10, i;
	volatile unsigned long *marks = map(MAX_CPUS * sizeof(*marks));
	unsigned long total = 0;
	pid_t senders[MAX_CPUS];
	int before;
	time_t end;

	open_lkst();
	if (!ok(cpus > 2 && cpus <= MAX_CPUS, "there are %d CPUs", cpus))
		return done_testing();
	before = get_status().current_maskset_id;
	for (i = 0; i < 2; i++)
		need(create(-1, ids[i], VOID, 64 * 1024), "CREATE");
	need(write_maskset(SENDERS, "senders", &mask, 1) ?: set_maskset(SENDERS), "maskset");

	/* The last CPU records no marks. It only changes the target. */
	pin(cpus - 1);
	for (int cpu = 0; cpu < cpus - 1; cpu++)
		senders[cpu] = spawn(record(cpu, &marks[cpu]));
	end = time(NULL) + seconds;
	for (i = 0; time(NULL) < end || i <= MIN_JUMPS; i++) {
		send_to(ids[i % 2]);
		sched_yield();
	}
	for (int cpu = 0; cpu < cpus - 1; cpu++) {
		kill(senders[cpu], SIGKILL);
		need(exit_status(senders[cpu]) == 255 ? 0 : EIO, "sender on CPU %d", cpu);
		total += marks[cpu];
	}
	diag("%d buffer switches, %lu events", i, total);
	ok(i > MIN_JUMPS, "the CPUs have switched buffers many times");

	/* Check that CPUs 0 and 1 can still make all others switch. */
	for (i = 0; i < 2; i++) {
		send_to(ids[i]);
		pin(i);
		need(mark(0, 0, 0, 0), "ENTRY_LOG");
		ok(all_write(cpus, ids[i]), "CPU %d makes all CPUs switch to buffer %d", i, ids[i]);
	}
	send_to(VOID);
	need(set_maskset(before), "maskset");
	delete_maskset(SENDERS);
	for (int cpu = 0; cpu < cpus; cpu++)
		delete_buffers(cpu);
	return done_testing();
}
