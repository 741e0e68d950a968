// SPDX-License-Identifier: GPL-2.0
/*
 * Shifts in events, events in shifts, and readers among both: at each instruction.
 */
#include <stddef.h>

#include "record_cpu_world.h"

#define SLOW_ROUNDS 24

#define NUM(array) (sizeof(array) / sizeof(*(array)))

/* One interrupt at each instruction of @op. */
static void interrupted(const struct cpu_start *start, const char *before, enum cpu_op op,
			const char *ops)
{
	struct record_interrupt interrupt = { 1, cpu_interrupt, (char *)ops, true };

	for (; interrupt.ran; interrupt.at++) {
		record_note("%s, '%s', then %c with '%s' before instruction %ld", start->name,
			    before, op, ops, interrupt.at);
		cpu_begin(start);
		cpu_run(before);
		interrupt.ran = false;
		cpu_do(op, &interrupt, 1);
		cpu_end();
	}
}

static void all_interrupted(enum cpu_op op, const char *const *befores, const char *const *ops)
{
	const struct cpu_start *start;
	const char *const *before;
	const char *const *each;
	unsigned int n;

	for (n = 0; (start = cpu_start(n)); n++)
		for (before = befores; *before; before++)
			for (each = ops; *each; each++)
				interrupted(start, *before, op, *each);
}

void record_case_shift_in_event(void)
{
	static const struct cpu_start quiet = { "2 buffers of 5, own events masked", 2, 5, 1,
						RECORD_OWN_MASKED };
	static const char *const befores[] = { "", "eee", "u", "fse", "eserse", "ffe", NULL };
	static const char *const ops[] = { "b",	   "s",	      "ss",	 "srs",	    "se",
					   "eses", "serse",   "sesrseb", "srsrses", "fs",
					   "srfb", "srsrsrs", "t",	 NULL };

	all_interrupted(CPU_EVENT, befores, ops);
	/* Nothing comes to a buffer but events, and none of them may be lost. */
	interrupted(&quiet, "", CPU_EVENT, "srs");
	interrupted(&quiet, "eee", CPU_EVENT, "srs");
	interrupted(&quiet, "e", CPU_EVENT, "srsersrs");
}

void record_case_event_in_shift(void)
{
	static const char *const befores[] = { "e", "fse", "eserse", "ffe", NULL };
	static const char *const ops[] = { "b",	   "l",	    "e", "s",  "re",
					   "eseb", "serse", "f", "ej", NULL };

	all_interrupted(CPU_SHIFT, befores, ops);
	/* What has been overwritten then is not told. */
	all_interrupted(CPU_STOP, (const char *const[]){ "e", "ese", NULL },
			(const char *const[]){ "e", "s", "j", "serje", NULL });
}

/* Two interrupts, at each pair of instructions. */
static void twice(const struct cpu_start *start, const char *before, enum cpu_op op,
		  const char *first, const char *second)
{
	struct record_interrupt both[2] = { { .ran = true } };
	long at, then;

	for (at = 1; both[0].ran; at++) {
		both[1].ran = true;
		for (then = at + 1; both[1].ran; then++) {
			record_note(
				"%s, '%s', then %c with '%s' before instruction %ld and '%s' before %ld",
				start->name, before, op, first, at, second, then);
			both[0] = (struct record_interrupt){ at, cpu_interrupt, (char *)first,
							     false };
			both[1] = (struct record_interrupt){ then, cpu_interrupt, (char *)second,
							     false };
			cpu_begin(start);
			cpu_run(before);
			cpu_do(op, both, 2);
			cpu_end();
		}
	}
}

void record_case_shifts_in_event(void)
{
	static const char *const ops[][2] = {
		{ "s", "s" }, { "s", "rse" }, { "sr", "ses" }, { "srs", "ese" }, { "srs", "srs" },
	};
	const struct cpu_start *start;
	unsigned int n, i;

	for (n = 0; n < 3 && (start = cpu_start(n)); n++)
		for (i = 0; i < NUM(ops); i++)
			twice(start, n == 1 ? "eee" : "e", CPU_EVENT, ops[i][0], ops[i][1]);
}

/* The machine dies at any instruction of an event, a shift or a note, or in what interrupted it. */
void record_case_image(void)
{
	static const char *const befores[] = { "", "u", "fse", "eserse", NULL };
	static const char *const ops[] = { "i", "ei", "serei", NULL };

	all_interrupted(CPU_EVENT, befores, ops);
	all_interrupted(CPU_SHIFT, befores, ops);
	all_interrupted(CPU_NOTE, befores, ops);
}

/* What was noted when a shift began does not hold any more when it ends. */
void record_case_image_after_shift(void)
{
	struct record_interrupt interrupt = { 1, cpu_interrupt, "e", true };
	const struct cpu_start *start;
	unsigned int n;

	for (n = 0; (start = cpu_start(n)); n++) {
		for (interrupt.at = 1, interrupt.ran = true; interrupt.ran; interrupt.at++) {
			record_note("%s, an event before instruction %ld", start->name,
				    interrupt.at);
			cpu_begin(start);
			cpu_run("e");
			interrupt.ran = false;
			cpu_do(CPU_SHIFT, &interrupt, 1);
			cpu_run("i");
			cpu_end();
		}
	}
}

/* More laps than half of what the bits in the records tell apart. */
static void many_laps(void *unused)
{
	unsigned int laps;

	(void)unused;
	for (laps = 0; laps < (1u << LKST_RECORD_LAP_BITS) / 2 + 8; laps++)
		cpu_run("f");
}

/* The machine dies after so many laps in a buffer, whoever was interrupted by those who began them. */
void record_case_image_laps(void)
{
	static const struct cpu_start start = { "2 buffers of 3, own events masked", 2, 3, 1,
						RECORD_OWN_MASKED };
	struct record_interrupt interrupt = { 1, many_laps, NULL, true };

	/* On 32-bit the ring's own laps have no more bits: it cannot tell so many apart either. */
	if (!(record_lap_max() >> LKST_RECORD_LAP_BITS))
		return;
	for (; interrupt.ran; interrupt.at++) {
		record_note("%s, before instruction %ld many laps", start.name, interrupt.at);
		cpu_begin(&start);
		cpu_run("u");
		interrupt.ran = false;
		cpu_do(CPU_EVENT, &interrupt, 1);
		cpu_run("i");
	}
}

/* An interrupt of an operation that is itself interrupted. */
struct nest {
	const char *before; /* what the interrupt does before it */
	enum cpu_op op;
	struct record_interrupt inner;
};

static void nest(void *arg)
{
	struct nest *this = arg;

	cpu_run(this->before);
	cpu_do(this->op, &this->inner, 1);
}

static void nested(const struct cpu_start *start, enum cpu_op outer, const char *before,
		   enum cpu_op inner, const char *ops)
{
	struct nest nested = { before, inner, { .run = cpu_interrupt, .arg = (char *)ops } };
	struct record_interrupt interrupt = { 1, nest, &nested, true };

	for (; interrupt.ran; interrupt.at++) {
		nested.inner.at = 1;
		for (nested.inner.ran = true; nested.inner.ran; nested.inner.at++) {
			record_note(
				"%s, %c, before instruction %ld '%s' and %c, before its instruction %ld '%s'",
				start->name, outer, interrupt.at, before, inner, nested.inner.at,
				ops);
			cpu_begin(start);
			cpu_run("e");
			interrupt.ran = nested.inner.ran = false;
			cpu_do(outer, &interrupt, 1);
			cpu_end();
		}
	}
}

void record_case_shift_in_nested(void)
{
	const struct cpu_start *start = cpu_start(0);

	nested(start, CPU_EVENT, "", CPU_EVENT, "s");
	nested(start, CPU_EVENT, "", CPU_EVENT, "srs");
	nested(start, CPU_EVENT, "f", CPU_EVENT, "s");
	nested(start, CPU_EVENT, "", CPU_SHIFT, "e");
	nested(start, CPU_EVENT, "", CPU_SHIFT, "s");
	nested(cpu_start(3), CPU_EVENT, "", CPU_EVENT, "srs");
}

/* A reader with interrupts. */
void record_case_shift_in_reader(void)
{
	all_interrupted(CPU_LOOK, (const char *const[]){ "eeese", NULL },
			(const char *const[]){ "f", "eseres", NULL });
	all_interrupted(CPU_LOG, (const char *const[]){ "ffeee", NULL },
			(const char *const[]){ "f", "srsrsr", NULL });
}

/* A reader in an event or a shift, itself interrupted. */
void record_case_shift_and_reader(void)
{
	const struct cpu_start *start = cpu_start(2);

	nested(start, CPU_EVENT, "", CPU_LOOK, "srse");
	nested(start, CPU_EVENT, "", CPU_LOOK, "f");
}

/* At random places, up to four deep. */
static u64 state;

static unsigned int random_below(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 33) % limit;
}

static void random_interrupt(void *arg);

static void random_op(unsigned int depth)
{
	static const char ops[] = "eeeeeeeesssrrblitf";
	enum cpu_op op = (enum cpu_op)ops[random_below(NUM(ops) - 1)];
	struct record_interrupt interrupts[4];
	/* A machine that has died is not interrupted. */
	unsigned int i, num = depth < 4 && op != CPU_IMAGE ? random_below(4) : 0;
	long at = 0;

	for (i = 0; i < num; i++) {
		at += 1 + random_below(60);
		interrupts[i] = (struct record_interrupt){
			.at = at,
			.run = random_interrupt,
			.arg = (void *)(unsigned long)(depth + 1),
		};
	}
	cpu_do(op, interrupts, num);
}

static void random_interrupt(void *arg)
{
	unsigned int num = random_below(4);

	while (num--)
		random_op((unsigned int)(unsigned long)arg);
}

void record_case_random_shifts(void)
{
	const struct cpu_start *start;
	unsigned int n, round, ops;

	for (n = 0; (start = cpu_start(n)); n++) {
		state = 0x5eed + n;
		for (round = 0; round < 3000; round++) {
			record_note("%s, round %u", start->name, round);
			cpu_begin(start);
			for (ops = random_below(8); ops; ops--)
				random_op(1);
			cpu_end();
		}
	}
}

/* To the next buffer, after so many laps, which is empty until then. */
static void shift_after(u64 laps)
{
	record_buffers_age(laps);
	cpu_run("sr");
}

/* Back to the first buffer, from itself or another one, after so many laps. */
static void come_back(const struct cpu_start *start, u64 laps)
{
	do
		cpu_run("sr");
	while ((record_buffers_current() + 1) % start->buffers);
	shift_after(laps);
}

/*
 * In a slot that is about to be written lies a record of so many laps ago that the bits of the
 * lap are the same.
 */
void record_case_old_records(void)
{
	struct record_interrupt interrupt = { 1, cpu_interrupt, "b", true };
	const struct cpu_start *start;
	unsigned int n, i, times = 4;

	for (n = 0; (start = cpu_start(n)); n++) {
		for (interrupt.at = 1, interrupt.ran = true; interrupt.ran; interrupt.at++) {
			record_note("%s, a reader before instruction %ld", start->name,
				    interrupt.at);
			cpu_begin(start);
			cpu_run("eeee");
			for (i = 0; i < times; i++)
				come_back(start, (1u << LKST_RECORD_LAP_BITS) / times - 1);
			interrupt.ran = false;
			cpu_do(CPU_EVENT, &interrupt, 1);
			cpu_end();
		}
	}
}

/* Whatever takes the first slot again, and whatever interrupts it: the buffer is full, and left. */
static void fill(const struct cpu_start *start, enum cpu_op op)
{
	struct record_interrupt interrupt = { 1, cpu_interrupt, "e", true };

	for (; interrupt.ran; interrupt.at++) {
		record_note("%s, %c, before instruction %ld an event", start->name, op,
			    interrupt.at);
		cpu_begin(start);
		cpu_run("u");
		interrupt.ran = false;
		cpu_do(op, &interrupt, 1);
		if (!record_buffers_current())
			record_fail("a buffer that is full was not left");
		cpu_end();
	}
}

void record_case_full(void)
{
	const struct cpu_start *start;
	unsigned int n;

	for (n = 0; (start = cpu_start(n)); n++) {
		if (start->own != RECORD_OWN_SHIFT)
			continue;
		fill(start, CPU_EVENT);
		fill(start, CPU_TIME);
	}
}

/*
 * A reader that is slower than the events: each time that the CPU comes to the buffer that is being
 * read, the one before it wraps in place.
 */
void record_case_slow_reader(void)
{
	static const char *const rounds[] = { "eshffr", "eshfeeefr", "eesfshffers" };
	const struct cpu_start *start;
	unsigned int n, i, round;

	for (n = 0; (start = cpu_start(n)); n++) {
		for (i = 0; i < NUM(rounds); i++) {
			record_note("%s, '%s' over and over", start->name, rounds[i]);
			cpu_begin(start);
			for (round = 0; round < SLOW_ROUNDS; round++)
				cpu_run(rounds[i]);
			cpu_end();
		}
	}
}

/* However often the CPU has come to a buffer. */
void record_case_many_shifts(void)
{
	u64 all = record_lap_max() + 1, laps[] = { 1, all / 2 - 2, all / 4, 3 * (all / 8), 2 };
	const struct cpu_start *start;
	unsigned int n, i;

	for (n = 0; (start = cpu_start(n)); n++) {
		cpu_begin(start);
		for (i = 0; i < 4 * NUM(laps); i++) {
			record_note("%s, %u of the jumps", start->name, i);
			cpu_run("e");
			shift_after(laps[i % NUM(laps)]);
			cpu_run("eebl");
		}
		cpu_end();
	}
}
