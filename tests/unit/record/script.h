/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scripts of operations and of the interrupts in them:
 *
 *	script    = { operation }
 *	operation = [ number ] letter { "<" [ place ":" ] script ">" }
 *
 * The letters are the operations of a world: a ring (nest.c) or a CPU with buffers (cpu_world.h).
 * The number is the argument of the operation, 1 by default. An interrupt in "<...>" occurs during
 * the operation in front of it, before that operation's instruction number "place", counted from 1.
 * "w<2w<r>>" is a writer that is interrupted by two writers, the second of which is interrupted by
 * a reader.
 */
#ifndef _RECORD_SCRIPT_H
#define _RECORD_SCRIPT_H

#include <stdarg.h>
#include <stddef.h>

#include "shim/kernel.h"
#include "step.h"

struct record_world {
	void (*begin)(const void *start);
	void (*run)(char op, u64 number, struct record_interrupt *interrupts);
	void (*end)(void); /* checks everything; no operation is in progress */
};

/*
 * Run a script with its interrupts at all combinations of places: each interrupt occurs before each
 * instruction in turn. The script itself must not contain places.
 */
void record_script_try(const struct record_world *world, const void *start, const char *name,
		       const char *format, va_list args);

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

/* Store the places of the interrupts in the script that is running, as text. */
void record_script_places(char *text, size_t size);

/* Run a script without interrupts. @script is a string. */
void record_script_run(const struct record_world *world, const char *script);

#endif
