// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts for a CPU with buffers: shifts that interrupt events, events that interrupt shifts, and
 * readers that interrupt both, before each instruction.
 */
#include <stdio.h>

#include "cpu_world.h"

#define NUM(array) (sizeof(array) / sizeof(*(array)))
#define LISTS_MAX  14
#define FOUR(ops)  ops ops ops ops
#define SIX(ops)   ops ops ops ops ops ops

static const struct cpu_start quiet5 = { "2 buffers of 5, own events masked", 2, 5, 1,
					 RECORD_OWN_MASKED };
static const struct cpu_start quiet3 = { "2 buffers of 3, own events masked", 2, 3, 1,
					 RECORD_OWN_MASKED };

/*
 * From each state, and after each script of @befores, run @op with each script of @ops as its
 * interrupt.
 */
static void all_interrupted(char op, const char *const befores[LISTS_MAX],
			    const char *const ops[LISTS_MAX])
{
	const struct cpu_start *start;

	for (unsigned int n = 0; (start = cpu_start(n)); n++)
		for (unsigned int i = 0; befores[i]; i++)
			for (unsigned int k = 0; ops[k]; k++)
				cpu_try(start, "%s%c<%s>", befores[i], op, ops[k]);
}

static void all(const char *script)
{
	const struct cpu_start *start;

	for (unsigned int n = 0; (start = cpu_start(n)); n++)
		cpu_try(start, "%s", script);
}

void record_case_shift_in_event(void)
{
	all_interrupted('e', (const char *[LISTS_MAX]){ "", "eee", "u", "fse", "eserse", "ffe" },
			(const char *[LISTS_MAX]){ "b", "s", "ss", "srs", "se", "eses", "serse",
						   "sesrseb", "srsrses", "fs", "srfb", "srsrsrs",
						   "t" });
	/* LKST's own events are masked here and take no slots, so no event may be lost. */
	cpu_try(&quiet5, "e<srs>");
	cpu_try(&quiet5, "eeee<srs>");
	cpu_try(&quiet5, "ee<srsersrs>");
}

void record_case_event_in_shift(void)
{
	all_interrupted('s', (const char *[LISTS_MAX]){ "e", "fse", "eserse", "ffe" },
			(const char *[LISTS_MAX]){ "b", "l", "e", "s", "re", "eseb", "serse", "f",
						   "ej" });
	/*
	 * These scripts record so few events that none is overwritten, because stopping does not
	 * report overwritten events as lost.
	 */
	all_interrupted('n', (const char *[LISTS_MAX]){ "e", "ese" },
			(const char *[LISTS_MAX]){ "e", "s", "j", "serje" });
}

void record_case_shifts_in_event(void)
{
	static const char *const ops[] = { "<s><s>", "<s><rse>", "<sr><ses>", "<srs><ese>",
					   "<srs><srs>" };

	for (unsigned int n = 0; n < 3; n++)
		for (unsigned int i = 0; i < NUM(ops); i++)
			cpu_try(cpu_start(n), "%s%s", n == 1 ? "eeee" : "ee", ops[i]);
}

/*
 * The machine dies before any instruction of an event, a shift or an update of the header pages, or
 * in an interrupt that occurs there. The records must be readable in its memory.
 */
void record_case_image(void)
{
	for (const char *op = "eso"; *op; op++)
		all_interrupted(*op, (const char *[LISTS_MAX]){ "", "u", "fse", "eserse" },
				(const char *[LISTS_MAX]){ "i", "ei", "serei" });
}

/*
 * The machine dies after a shift that an event interrupted. If the event went to the old buffer,
 * the shift must correct the first recid that it has stored for the new session.
 */
void record_case_image_after_shift(void)
{
	all("es<e>i");
}

/*
 * The machine dies after a buffer has wrapped many times while one of its writers was interrupted:
 * more than half as many times as there are laps that a record can distinguish. On 32-bit, the
 * index has no more lap bits than a record, so not even the ring can distinguish that many laps.
 */
void record_case_image_laps(void)
{
	if (record_lap_max() >> LKST_RECORD_LAP_BITS)
		cpu_try(&quiet3, "ue<%uf>id", (1u << LKST_RECORD_LAP_BITS) / 2 + 8);
}

void record_case_shift_in_nested(void)
{
	static const char *const scripts[] = { "ee<e<s>>", "ee<e<srs>>", "ee<fe<s>>", "ee<s<e>>",
					       "ee<s<s>>" };

	for (unsigned int i = 0; i < NUM(scripts); i++)
		cpu_try(cpu_start(0), "%s", scripts[i]);
	cpu_try(cpu_start(3), "ee<e<srs>>");
}

/* A reader is interrupted by events and shifts. */
void record_case_shift_in_reader(void)
{
	all("eeeseb<f>");
	all("eeeseb<eseres>");
	all("ffeeel<f>");
	all("ffeeel<srsrsr>");
}

/* A reader interrupts an event, and is itself interrupted by events and shifts. */
void record_case_shift_and_reader(void)
{
	cpu_try(cpu_start(2), "ee<b<srse>>");
	cpu_try(cpu_start(2), "ee<b<f>>");
}

void record_case_random_shifts(void)
{
	/* 'i' reads the memory of a machine that is dead, so nothing interrupts it. */
	static const struct record_random random = { .rounds = 3000,
						     .ops = 8,
						     .letters = "eeeeeeeesssrrblitf",
						     .atomic = "i",
						     .place = 60 };
	const struct cpu_start *start;

	for (unsigned int n = 0; (start = cpu_start(n)); n++)
		record_script_random(&cpu_world, start, start->name, &random);
}

/*
 * A reader interrupts a writer whose slot still holds a very old record with the same lap bits. The
 * reader must not return the old record. To get an old record, the CPU shifts four times until it
 * is back in the first buffer, which each time has advanced by many laps in the meantime.
 */
void record_case_old_records(void)
{
	const struct cpu_start *start;
	char back[32];

	for (unsigned int n = 0; (start = cpu_start(n)); n++) {
		snprintf(back, sizeof(back), "%s%uasr", start->buffers == 3 ? "srsr" : "sr",
			 (1u << LKST_RECORD_LAP_BITS) / 4 - 1);
		cpu_try(start, "eeee" FOUR("%s") "e<b>", back, back, back, back);
	}
}

/*
 * When an event or LKST_SYNC_TIME uses the first slot of a full buffer again, the CPU must leave
 * the buffer, no matter at which instruction another event interrupts it.
 */
void record_case_full(void)
{
	const struct cpu_start *start;

	for (unsigned int n = 0; (start = cpu_start(n)); n++) {
		if (start->own != RECORD_OWN_SHIFT)
			continue;
		cpu_try(start, "ue<e>q");
		cpu_try(start, "ut<e>q");
	}
}

/*
 * The reader is slower than the events. While it reads the next buffer, the CPU cannot shift, and
 * the current buffer wraps.
 */
void record_case_slow_reader(void)
{
	all(FOUR(SIX("eshffr")));
	all(FOUR(SIX("eshfeeefr")));
	all(FOUR(SIX("eesfshffers")));
}

/* The CPU uses its buffers until the lap in the index wraps. */
void record_case_many_shifts(void)
{
	u64 all = record_lap_max() + 1, laps[] = { 1, all / 2 - 2, all / 4, 3 * (all / 8), 2 };
	const struct cpu_start *start;
	char jumps[256], *to = jumps;

	for (unsigned int i = 0; i < NUM(laps); i++)
		to += sprintf(to, "e%lluasreebl", laps[i]);
	for (unsigned int n = 0; (start = cpu_start(n)); n++)
		cpu_try(start, FOUR("%s"), jumps, jumps, jumps, jumps);
}
