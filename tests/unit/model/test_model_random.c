// SPDX-License-Identifier: GPL-2.0
/*
 * Feeds random events to the model. They come from a small simulated machine, which knows for how
 * long each of its threads ran. Most tests first damage or drop some of the events.
 */
#include "history_check.h"
#include "lib/model/state.h"
#include "invariants.h"
#include "must.h"
#include "sample.h"
#include "tap.h"

#define CPUS	4
#define THREADS 12
#define STACK	3
#define STEPS	2000
#define SEEDS	60
#define FIRST	101 /* the first tid */

enum place { READY, SLEEPING, ON_CPU };

/* What a CPU of the simulated machine does */
struct machine_cpu {
	int thread; /* index, or -1: idle */
	int depth;
	enum lkst_context_kind stack[STACK];
	uint64_t recid;
};

struct machine {
	uint32_t random;
	int64_t now_ns;
	struct machine_cpu cpu[CPUS];
	enum place place[THREADS];
	bool in_call[THREADS];
	int64_t ran_since_ns[THREADS];
	int64_t run_ns[THREADS];
	size_t events;
	struct lkst_event event[2 * STEPS];
};

static struct machine machine;

static uint32_t pick(uint32_t limit)
{
	machine.random = machine.random * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)machine.random * limit) >> 32);
}

static uint32_t tid_of(int thread)
{
	return thread < 0 ? 0 : FIRST + (uint32_t)thread;
}

static struct lkst_event *record(int cpu, uint32_t type)
{
	struct machine_cpu *c = &machine.cpu[cpu];
	struct lkst_event *event = &machine.event[machine.events++];

	*event = (struct lkst_event){
		.time_ns = machine.now_ns, .recid = c->recid++, .type = type,
		.tid = tid_of(c->thread), .tgid = tid_of(c->thread), .cpu = cpu,
		.machine = LKST_MACHINE_X86_64,
	};
	for (int i = 0; i < c->depth; i++)
		event->flags |= c->stack[i] == LKST_CONTEXT_SOFTIRQ ? LKST_LOG_SOFTIRQ :
								       LKST_LOG_HARDIRQ;
	return event;
}

static void step_enter(int cpu, enum lkst_context_kind kind)
{
	static const uint32_t type[] = { LKST_ETYPE_INT_HARDWARE_ENTRY, LKST_ETYPE_INT_TIMER_ENTRY,
					 LKST_ETYPE_INT_IPI_ENTRY, LKST_ETYPE_INT_SOFTIRQ_ENTRY };
	struct machine_cpu *c = &machine.cpu[cpu];

	c->stack[c->depth++] = kind;
	record(cpu, type[kind])->arg[0] = (uint64_t)kind + 1;
}

static void step_leave(int cpu)
{
	static const uint32_t type[] = { LKST_ETYPE_INT_HARDWARE_EXIT, LKST_ETYPE_INT_TIMER_EXIT,
					 LKST_ETYPE_INT_IPI_EXIT, LKST_ETYPE_INT_SOFTIRQ_EXIT };
	struct machine_cpu *c = &machine.cpu[cpu];
	enum lkst_context_kind kind = c->stack[c->depth - 1];

	record(cpu, type[kind])->arg[0] = (uint64_t)kind + 1;
	c->depth--;
}

static void step_switch(int cpu)
{
	struct machine_cpu *c = &machine.cpu[cpu];
	int next = -1, start = (int)pick(THREADS), prev = c->thread;
	struct lkst_event *event;
	char letter = pick(2) ? 'S' : 'R';

	for (int i = 0; i < THREADS && next < 0; i++)
		if (machine.place[(start + i) % THREADS] == READY)
			next = (start + i) % THREADS;
	if (next == prev)
		return;
	event = record(cpu, LKST_ETYPE_PROCESS_CONTEXTSWITCH);
	event->arg[0] = pack(tid_of(prev), (uint32_t)letter);
	event->arg[1] = pack(tid_of(next), 120);
	if (prev >= 0) {
		machine.place[prev] = letter == 'R' ? READY : SLEEPING;
		machine.run_ns[prev] += machine.now_ns - machine.ran_since_ns[prev];
	}
	if (next >= 0) {
		machine.place[next] = ON_CPU;
		machine.ran_since_ns[next] = machine.now_ns;
	}
	c->thread = next;
}

static void step_call(int cpu)
{
	int thread = machine.cpu[cpu].thread;

	record(cpu, machine.in_call[thread] ? LKST_ETYPE_SYSCALL_EXIT : LKST_ETYPE_SYSCALL_ENTRY)
		->arg[0] = pack((uint32_t)thread, 0);
	machine.in_call[thread] = !machine.in_call[thread];
}

static void step_wake(int cpu)
{
	int thread = (int)pick(THREADS), target = (int)pick(CPUS);
	struct lkst_event *event;

	if (machine.place[thread] != SLEEPING)
		return;
	record(cpu, LKST_ETYPE_PROCESS_WAKING)->arg[0] = pack(tid_of(thread), 120);
	event = record(target, LKST_ETYPE_PROCESS_WAKEUP);
	event->arg[0] = pack(tid_of(thread), 120);
	event->arg[1] = pack((uint32_t)target, 0);
	machine.place[thread] = READY;
}

static void step(void)
{
	int cpu = (int)pick(CPUS);
	struct machine_cpu *c = &machine.cpu[cpu];
	bool hard = c->depth && c->stack[c->depth - 1] != LKST_CONTEXT_SOFTIRQ;

	machine.now_ns += pick(4) ? pick(1000) : 0;
	switch (pick(7)) {
	case 0:
		if (!hard)
			step_enter(cpu, (enum lkst_context_kind)pick(3));
		break;
	case 1:
		if (!c->depth)
			step_enter(cpu, LKST_CONTEXT_SOFTIRQ);
		break;
	case 2:
	case 3:
		if (c->depth)
			step_leave(cpu);
		break;
	case 4:
		if (!c->depth)
			step_switch(cpu);
		break;
	case 5:
		if (!c->depth && c->thread >= 0)
			step_call(cpu);
		break;
	default:
		step_wake(cpu);
	}
}

static void simulate(uint32_t seed)
{
	machine = (struct machine){ .random = seed, .now_ns = SAMPLE_NS };
	for (int i = 0; i < CPUS; i++) {
		machine.cpu[i].thread = -1;
		machine.cpu[i].recid = pick(1000);
	}
	for (int i = 0; i < CPUS; i++)
		record(i, LKST_ETYPE_CPU_IDLE_EXIT);
	for (int i = 0; i < STEPS - CPUS; i++)
		step();
	for (int i = 0; i < THREADS; i++)
		if (machine.place[i] == ON_CPU)
			machine.run_ns[i] += machine.now_ns - machine.ran_since_ns[i];
}

/* ---- damage ---- */

/* Event types that the model handles, and one that it ignores */
static const uint32_t types[] = {
	LKST_ETYPE_PROCESS_CONTEXTSWITCH, LKST_ETYPE_PROCESS_WAKEUP, LKST_ETYPE_PROCESS_WAKING,
	LKST_ETYPE_PROCESS_FORK, LKST_ETYPE_PROCESS_EXEC, LKST_ETYPE_PROCESS_EXIT,
	LKST_ETYPE_PROCESS_MIGRATE, LKST_ETYPE_PROCESS_RENAME, LKST_ETYPE_PROCESS_STATE,
	LKST_ETYPE_INT_HARDWARE_ENTRY, LKST_ETYPE_INT_HARDWARE_EXIT,
	LKST_ETYPE_INT_SOFTIRQ_ENTRY, LKST_ETYPE_INT_SOFTIRQ_EXIT, LKST_ETYPE_INT_SOFTIRQ_RAISE,
	LKST_ETYPE_INT_TASKLET_ENTRY, LKST_ETYPE_INT_TASKLET_EXIT, LKST_ETYPE_INT_TIMER_ENTRY,
	LKST_ETYPE_INT_TIMER_EXIT, LKST_ETYPE_INT_IPI_ENTRY, LKST_ETYPE_INT_IPI_EXIT,
	LKST_ETYPE_EXCEPTION_ENTRY, LKST_ETYPE_EXCEPTION_EXIT, LKST_ETYPE_SYSCALL_ENTRY,
	LKST_ETYPE_SYSCALL_EXIT, LKST_ETYPE_TIMER_RUN_ENTRY, LKST_ETYPE_TIMER_RUN_EXIT,
	LKST_ETYPE_TIMER_HR_RUN_ENTRY, LKST_ETYPE_TIMER_HR_RUN_EXIT, LKST_ETYPE_CPU_IDLE_ENTRY,
	LKST_ETYPE_CPU_ONLINE, LKST_ETYPE_CPU_OFFLINE, LKST_ETYPE_CPU_SUSPEND,
	LKST_ETYPE_WORK_ENTRY, LKST_ETYPE_WORK_EXIT, LKST_ETYPE_LKST_INIT,
	LKST_ETYPE_LKST_TRC_START, LKST_ETYPE_LKST_TRC_STOP, LKST_ETYPE_LKST_MASKSET_SET,
	LKST_ETYPE_USER_MARK,
};

/* Return either a number that is likely to be valid, or an extreme one. */
static uint64_t any_number(void)
{
	static const uint64_t extremes[] = { 0, 2, UINT32_MAX, INT64_MAX, 1ull << 63, UINT64_MAX };

	switch (pick(4)) {
	case 0:
		return extremes[pick(NUM(extremes))];
	case 1:
		return pick(8);
	case 2:
		return pack(FIRST + pick(4), (uint32_t)"RSZXDR"[pick(6)] | pick(2) << 8);
	default:
		return pack(FIRST + pick(THREADS), FIRST + pick(THREADS));
	}
}

static void damage_value(struct lkst_event *event)
{
	switch (pick(8)) {
	case 0:
		event->time_ns = pick(8) ? event->time_ns + (int64_t)pick(10000) - 5000 :
					   (int64_t)any_number();
		break;
	case 1:
		event->recid = pick(2) ? event->recid + pick(5) : any_number();
		break;
	case 2:
		event->cpu = pick(8) ? (int32_t)pick(CPUS) : (int32_t)any_number();
		break;
	case 3:
		event->tid = pick(2) ? tid_of((int)pick(THREADS) - 1) : (uint32_t)any_number();
		break;
	case 4:
		event->flags = pick(8) << 8;
		break;
	case 5:
		event->buffer = LKST_BUFFER_ID_VOID;
		break;
	case 6:
		event->source = pick(3);
		break;
	default:
		event->type = pick(16) ? types[pick(NUM(types))] : (uint32_t)any_number();
	}
}

enum damage { NONE, LOST, FILTERED, CHANGED, RANDOM, DAMAGES };

/* Damage an event, or return false to drop it. */
static bool damage_event(enum damage damage, struct lkst_event *event)
{
	if (damage == LOST || damage == FILTERED)
		return pick(20);
	if (damage == CHANGED && !pick(20))
		damage_value(event);
	if (damage == RANDOM) {
		event->type = types[pick(NUM(types))];
		for (int i = 0; i < 4; i++)
			event->arg[i] = any_number();
		if (!pick(4))
			damage_value(event);
	}
	return true;
}

/* Damage the events and feed them to a model. Return how many were not dropped. */
static uint64_t feed(struct lkst_model *model, struct invariants *inv, enum damage damage)
{
	uint64_t fed = 0;

	for (size_t i = 0; i < machine.events; i++) {
		struct lkst_event event = machine.event[i];

		if (!damage_event(damage, &event))
			continue;
		invariants_event(inv, &event);
		assert_ok(lkst_model_event(model, &event, &err));
		fed++;
		if (damage != NONE && !pick(200)) {
			int64_t time_ns = event.time_ns + (int64_t)pick(500);

			invariants_cut(inv, time_ns);
			assert_ok(lkst_model_cut(model, time_ns, &err));
			invariants_after_cut(inv);
		}
	}
	return fed;
}

TEST_LOOP(test_model_random, SEEDS * DAMAGES)
{
	enum damage damage = (enum damage)(_i % DAMAGES);
	struct lkst_model *model = lkst_model_new(damage == FILTERED, &err);
	struct invariants *inv;
	const struct lkst_model_counts *counts;
	struct lkst_history *history;
	struct history_check *check;
	uint64_t fed;

	assert_made(model);
	inv = invariants_new(model);
	/* If the memory limit is small, old spans are dropped. */
	history = lkst_history_new(model, _i % 2 ? 48 << 10 : 0, &err);
	assert_made(history);
	check = history_check_new(model, history);
	simulate((uint32_t)_i + 1);
	if (damage != NONE && _i % 3 == 0) {
		int64_t time_ns = SAMPLE_NS + (int64_t)pick(200000);

		invariants_window(inv, time_ns);
		lkst_model_open_window(model, time_ns);
	}
	fed = feed(model, inv, damage);
	if (damage != NONE)
		machine.now_ns += pick(100000);
	invariants_cut(inv, machine.now_ns);
	if (damage != NONE && _i % 4 == 1) {
		/* The last records of some CPUs are missing. */
		invariants_lose_end(inv);
		recording_lose_end(model, 0, (uint64_t[MODEL_CPUS / 64]){ pick(1u << CPUS) },
				   machine.now_ns);
	}
	assert_ok(lkst_model_cut(model, machine.now_ns, &err));
	invariants_after_cut(inv);
	history_check_all(check, (uint64_t)_i);
	ck_assert_uint_le(lkst_history_bytes(history), _i % 2 ? 48 << 10 : LKST_HISTORY_BYTES);
	counts = lkst_model_counts(model);
	ck_assert_uint_le(counts->events, fed);
	/* An event mentions at most three threads: its own, and two in its arguments. */
	ck_assert_uint_le(lkst_model_threads(model), 3 * fed);
	if (damage == FILTERED)
		ck_assert_uint_eq(counts->lost, 0);
	if (damage == NONE) {
		ck_assert_uint_eq(counts->events, machine.events);
		ck_assert_uint_eq(counts->lost + counts->begins + counts->ends + counts->reordered,
				  0);
		ck_assert_uint_eq(lkst_model_cpus(model), CPUS);
		for (int i = 0; i < THREADS; i++) {
			const struct lkst_thread *thread =
				lkst_model_find(model, 0, tid_of(i));

			ck_assert_int_eq(thread ? invariants_run_ns(inv, thread->index) : 0,
					 machine.run_ns[i]);
		}
	}
	history_check_free(check);
	lkst_history_free(history);
	invariants_free(inv);
	lkst_model_free(model);
}
