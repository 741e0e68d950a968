// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that send each other from buffer to buffer, all at once: each event of all but one of them is
 * handled by buffer_jump, whose buffer changes all the time. Two of them may ask a third one at the
 * same moment, which is what there must be more than two CPUs for.
 *
 *	jumps SECONDS
 */
#include <pthread.h>

#include "buffers.h"

#define MAX_CPUS  64
#define SENDERS	  100 /* the maskset */
#define SIZE	  (64 * 1024ULL)
#define MIN_JUMPS 400

static const int ids[] = { 8, 9 };
static volatile bool stop;

/**
 * struct sender - a CPU that records
 * @thread: that does so
 * @cpu: where
 * @marks: recorded there
 */
struct sender {
	pthread_t thread;
	int cpu;
	unsigned long marks;
};

static void send_to(int id)
{
	struct lkst_evhandler_value value = { .set = 1, .value = id };
	struct lkst_evhandler_ctrl_param param = { .id = LKST_EVHANDLER_ID_BUFFER_JUMP,
						   .buf = (uintptr_t)&value,
						   .bufsize = sizeof(value) };

	need(lkst(LKST_IOC_EVHANDLER_CTRL, &param), "EVHANDLER_CTRL");
}

static void *record(void *arg)
{
	struct sender *sender = arg;

	pin(sender->cpu);
	for (; !stop; sender->marks++)
		need(mark(sender->marks, 0, 0, 0), "ENTRY_LOG");
	return NULL;
}

/* Whether all CPUs get there. */
static bool all_write(int cpus, int id)
{
	int cpu, tries;

	for (tries = 0; tries < 100; tries++) {
		for (cpu = 0; cpu < cpus && written_buffer(cpu) == id; cpu++)
			;
		if (cpu == cpus)
			return true;
		sleep_ms(20);
	}
	diag("CPU %d has buffer %d", cpu, written_buffer(cpu));
	return false;
}

int main(int argc, char **argv)
{
	static const struct mask mask = { USER_MARK, LKST_EVHANDLER_ID_BUFFER_JUMP };
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), seconds = argc > 1 ? atoi(argv[1]) : 10, cpu, i;
	static struct sender senders[MAX_CPUS];
	unsigned long marks = 0;
	int before;
	time_t end;

	open_lkst();
	if (!ok(cpus > 2 && cpus <= MAX_CPUS, "there are %d CPUs", cpus))
		return done_testing();
	before = get_status().current_maskset_id;
	for (i = 0; i < 2; i++)
		need(create(-1, ids[i], VOID, SIZE), "CREATE");
	need(write_maskset(SENDERS, "senders", &mask, 1) ?: set_maskset(SENDERS), "maskset");

	/* The last one sleeps, but for the time that it takes to change the buffer. */
	pin(cpus - 1);
	for (cpu = 0; cpu < cpus - 1; cpu++) {
		senders[cpu].cpu = cpu;
		if (pthread_create(&senders[cpu].thread, NULL, record, &senders[cpu]))
			bail_out("pthread_create");
	}
	end = time(NULL) + seconds;
	for (i = 0; time(NULL) < end || i <= MIN_JUMPS; i++) {
		send_to(ids[i % 2]);
		sched_yield();
	}
	stop = true;
	for (cpu = 0; cpu < cpus - 1; cpu++) {
		pthread_join(senders[cpu].thread, NULL);
		marks += senders[cpu].marks;
	}
	diag("%d times elsewhere, %lu events", i, marks);
	ok(i > MIN_JUMPS, "they were sent elsewhere again and again");

	/* All of them still do what they are asked for. */
	for (i = 0; i < 2; i++) {
		send_to(ids[i]);
		pin(i);
		need(mark(0, 0, 0, 0), "ENTRY_LOG");
		ok(all_write(cpus, ids[i]), "sent by CPU %d: all are in buffer %d", i, ids[i]);
	}
	send_to(VOID);
	need(set_maskset(before) ?: lkst_number(LKST_IOC_MASKSET_DELETE, SENDERS), "maskset");
	for (cpu = 0; cpu < cpus; cpu++) {
		need(jump(cpu, 0), "JUMP");
		for (i = 0; i < 2; i++)
			need(delete_buffer(cpu, ids[i]), "DELETE");
	}
	return done_testing();
}
