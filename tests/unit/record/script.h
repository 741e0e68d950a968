/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scripts of operations and of the interrupts in them:
 *
 *	script    = { operation }
 *	operation = [ number ] letter { "<" [ place ":" ] script ">" }
 *	number    = digits | [ digits ] ( "N" | "L" ) [ "/" digits ] [ ( "+" | "-" ) digits ]
 *
 * The letters are the operations of a world: a ring (nest.c) or a CPU with buffers (cpu_world.h).
 * The number is the argument of the operation, 1 by default. N is the number of slots, and L is the
 * number of laps that an index can count. An interrupt in "<...>" occurs during the operation in
 * front of it, before that operation's instruction number "place", counted from 1. "w<2w<r>>" is a
 * writer that is interrupted by two writers, the second of which is interrupted by a reader.
 */
#ifndef _RECORD_SCRIPT_H
#define _RECORD_SCRIPT_H

#include <stddef.h>

#include "shim/kernel.h"
#include "step.h"

struct record_world {
	unsigned long (*begin)(const void *start); /* returns N */
	void (*run)(char op, u64 number, struct record_interrupt *interrupts);
	void (*end)(void); /* checks everything; no operation is in progress */
};

/* A row of a table of scripts. */
struct record_script {
	const char *test; /* the test that runs it */
	unsigned int from; /* the states from which it runs */
	const char *script;
};

/*
 * Run a script once for each combination of places at which its interrupts can occur. A place is in
 * front of an instruction. This function chooses the places, so the script must not name any. It
 * may contain alternatives, as in a shell: "{e,s}<{b,r}>" is four scripts. If the script is not
 * part of the test that is running (record_test), do nothing.
 */
void record_script_try(const struct record_world *world, const void *start, const char *name,
		       const struct record_script *script);

/* The properties of random scripts. */
struct record_random {
	/* number of scripts; each has fewer than @ops outermost operations */
	unsigned int rounds, ops;
	const char *letters;
	const char *atomic; /* letters of operations that are never interrupted */
	unsigned int number; /* all numbers are below this; 0: no numbers */
	unsigned int place; /* maximum distance between interrupts, in instructions */
};

/*
 * Run random scripts, with interrupts nested up to three deep. The scripts are the same on every
 * machine.
 */
void record_script_random(const struct record_world *world, const void *start, const char *name,
			  const struct record_random *random);

/* Write to @text the places at which the running script has its interrupts. */
void record_script_places(char *text, size_t size);

#endif
