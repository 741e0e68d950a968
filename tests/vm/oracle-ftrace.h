/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the parts of the oracle's view of ftrace: the table of its events, the ring buffers they
 * are read from, and what only several of them together say.
 */
#ifndef ORACLE_FTRACE_H
#define ORACLE_FTRACE_H

#include "oracle.h"

/*
 * No kind of LKST's, but worth knowing: which protocol a packet has. Stays in a trace until
 * complete().
 */
#define NOTE_PROTOCOL	KINDS

/* oracle-ftrace.c */

/* What a file of ftrace's holds, until the next call. */
char *ftrace_get(const char *path);

/* oracle-sources.c */

/**
 * source_enable() - make an event known
 * @n: which
 * @id: gets ftrace's number for it
 *
 * Return: its name; NULL: there is no such event in the table, it is too short.
 */
const char *source_enable(unsigned int n, unsigned int *id);

/* Whether an event is for that group. */
bool source_in_group(unsigned int n, enum group group);

/**
 * source_decode() - put LKST's arguments together from ftrace's fields
 * @n: which event
 * @event: gets kind, arguments, and which of them are not known
 * @data: ftrace's record
 * @cpu: that wrote it
 */
void source_decode(unsigned int n, struct event *event, const unsigned char *data, int cpu);

/* oracle-complete.c */

/* Note which threads there are. */
void complete_begin(void);

/**
 * complete() - add what ftrace says in other records than the one in question
 * @traces: of all CPUs
 */
void complete(struct trace traces[ORACLE_CPUS]);

#endif
