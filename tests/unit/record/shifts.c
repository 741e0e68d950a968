// SPDX-License-Identifier: GPL-2.0
/*
 * Scripts for a CPU with buffers: shifts that interrupt events, events that interrupt shifts, and
 * readers that interrupt both, before each instruction.
 */
#include "cpu_world.h"

#define FOUR(ops) ops ops ops ops
#define SIX(ops)  ops ops ops ops ops ops
/* two interrupts of one operation */
#define PAIRS "{<s><s>,<s><rse>,<sr><ses>,<srs><ese>,<srs><srs>}"

static const struct cpu_start starts[] = {
	{ "2 buffers of 7 from lap 0 that wrap", 2, 7, 0, RECORD_OWN },
	{ "3 buffers of 7 from lap 1 that wrap", 3, 7, 1, RECORD_OWN },
	{ "2 buffers of 8 from the last lap that wrap", 2, 8, RECORD_LAST_LAP, RECORD_OWN },
	{ "2 buffers of 16 from lap 1 that are left", 2, 16, 1, RECORD_OWN_SHIFT },
	{ "3 buffers of 16 from lap 0 that are left", 3, 16, 0, RECORD_OWN_SHIFT },
	{ "3 buffers of 17 from the last lap that are left", 3, 17, RECORD_LAST_LAP,
	  RECORD_OWN_SHIFT },
	{ "2 buffers of 24 from lap 1 that wrap", 2, 24, 1, RECORD_OWN },
	{ "2 buffers of 5, own events masked", 2, 5, 1, RECORD_OWN_MASKED },
	{ "2 buffers of 3, own events masked", 2, 3, 1, RECORD_OWN_MASKED },
};

#define STARTS (sizeof(starts) / sizeof(*starts))

/* A bit for each state */
enum {
	TWO_OF_7 = 1 << 0,
	THREE_OF_7 = 1 << 1,
	TWO_OF_8 = 1 << 2,
	TWO_OF_16 = 1 << 3,
	THREE_OF_16 = 1 << 4,
	THREE_OF_17 = 1 << 5,
	TWO_OF_24 = 1 << 6,
	MASKED_5 = 1 << 7,
	MASKED_3 = 1 << 8,
	WIDE = 1 << 9, /* not a state, but a condition: an index has more bits for the lap than a record */
	TWO = TWO_OF_7 | TWO_OF_8 | TWO_OF_16 | TWO_OF_24,
	LEFT = TWO_OF_16 | THREE_OF_16 | THREE_OF_17, /* the CPU leaves a full buffer */
	ALL = TWO | THREE_OF_7 | THREE_OF_16 | THREE_OF_17, /* LKST's own events are recorded */
};

/* Each script runs from all states in @from. */
static const struct record_script scripts[] = {
	{ "shift-in-event", ALL,
	  "{,eee,u,fse,eserse,ffe}e<{b,s,ss,srs,se,eses,serse,sesrseb,srsrses,fs,srfb,srsrsrs,t}>" },
	/* LKST's own events are masked here and take no slots, so the test expects no losses. */
	{ "shift-in-event", MASKED_5, "{e<srs>,eeee<srs>,ee<srsersrs>}" },
	{ "event-in-shift", ALL, "{e,fse,eserse,ffe}s<{b,l,e,s,re,eseb,serse,f,ej}>" },
	/*
	 * Stopping does not report overwritten events as lost. So this script records too few
	 * events to overwrite any.
	 */
	{ "event-in-shift", ALL, "{e,ese}n<{e,s,j,serje}>" },
	{ "shifts-in-event", TWO_OF_7 | TWO_OF_8, "ee" PAIRS },
	{ "shifts-in-event", THREE_OF_7, "eeee" PAIRS },
	/*
	 * An event, a shift or an update of the header pages is interrupted, and the machine dies
	 * in the interrupt, which may record events and shift first. The records must be readable
	 * in the machine's memory.
	 */
	{ "image", ALL, "{,u,fse,eserse}{e,s,o}<{i,ei,serei}>" },
	/* The same test for a chain: the machine dies at each of its parts. */
	{ "image", ALL, "{,u,fse}{3k,4k,8k}<{i,4ki,s5ki}>" },
	/*
	 * The machine dies after a shift that an event interrupted. If the event went to the old
	 * buffer, the shift must correct the first recid that it has stored for the new session.
	 */
	{ "image-after-shift", ALL, "es<e>i" },
	/*
	 * A record can distinguish 2048 laps. While a writer is interrupted, its buffer wraps more
	 * than 1024 times, and then the machine dies. On 32-bit, not even the ring can distinguish
	 * that many laps.
	 */
	{ "image-laps", MASKED_3 | WIDE, "ue<1032f>id" },
	{ "shift-in-nested", TWO_OF_7, "ee<{e<s>,e<srs>,fe<s>,s<e>,s<s>}>" },
	{ "shift-in-nested", TWO_OF_16, "ee<e<srs>>" },
	/* Events and shifts interrupt a reader. */
	{ "shift-in-reader", ALL, "eeeseb<{f,eseres}>" },
	{ "shift-in-reader", ALL, "ffeeel<{f,srsrsr}>" },
	/* A reader interrupts an event, and is itself interrupted by events and shifts. */
	{ "shift-and-reader", TWO_OF_8, "ee<b<{srse,f}>>" },
	/*
	 * A reader interrupts a writer whose slot still holds a very old record with the same lap
	 * bits. The reader must not return the old record. To make a record so old, the CPU leaves
	 * the first buffer and shifts until it is back there, four times. Each time, the buffer
	 * advances by 511 laps before the CPU is back.
	 */
	{ "old-records", TWO, "eeee" FOUR("sr511asr") "e<b>" },
	{ "old-records", ALL & ~TWO, "eeee" FOUR("srsr511asr") "e<b>" },
	/*
	 * When an event or LKST_SYNC_TIME uses the first slot of a full buffer again, the CPU must
	 * leave the buffer, no matter at which instruction another event interrupts it.
	 */
	{ "full", LEFT, "u{e,t}<e>q" },
	/*
	 * The reader is slower than the events. While it reads the next buffer, the CPU cannot
	 * shift, and the current buffer wraps.
	 */
	{ "slow-reader", ALL, FOUR(SIX("eshffr")) },
	{ "slow-reader", ALL, FOUR(SIX("eshfeeefr")) },
	{ "slow-reader", ALL, FOUR(SIX("eesfshffers")) },
	/* The CPU uses its buffers until the lap in the index wraps. */
	{ "many-shifts", ALL, FOUR("easreebleL/2-2asreebleL/4asreeble3L/8asreeble2asreebl") },
	/*
	 * A chain of one, two or three records is interrupted by events, shifts and other chains,
	 * which may fill the buffer. Each number is the length of a payload in words.
	 */
	{ "chains", ALL, "{,u}{3k,4k,8k}<{5k,s,ske,f}>" },
	/*
	 * The scheduler moves the thread before, during or after a chain. The thread then records
	 * another chain.
	 */
	{ "chains", ALL, "{,u}{3k,4k,8k}<m>4k" },
	{ "chains", TWO_OF_24, "4k<5k><5k>" },
	{ "chains", TWO_OF_24, "4k<4k<4k>>" },
	{ "chains", TWO_OF_24, "s<4k>4k<s>" },
};

void record_case_cpu_scripts(void)
{
	bool wide = record_lap_max() >> LKST_RECORD_LAP_BITS;

	for (unsigned int i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		for (unsigned int n = 0; n < STARTS; n++)
			if (scripts[i].from >> n & 1 && (wide || !(scripts[i].from & WIDE)))
				record_script_try(&cpu_world, &starts[n], starts[n].name,
						  &scripts[i]);
}

void record_case_random_shifts(void)
{
	/* 'i' reads the memory of a machine that is dead, so nothing interrupts it. */
	static const struct record_random random = { .rounds = 3000,
						     .ops = 8,
						     .letters = "eeeeeeeesssrrblitf",
						     .atomic = "i",
						     .place = 60 };

	for (unsigned int n = 0; n < STARTS; n++)
		if (ALL >> n & 1)
			record_script_random(&cpu_world, &starts[n], starts[n].name, &random);
}
