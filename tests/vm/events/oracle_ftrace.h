/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the source files of the oracle's ftrace side share. oracle_ftrace.c controls
 * ftrace and decodes its ring buffers, oracle_sources.c has the table of ftrace's events, and
 * oracle_complete.c sets the members of an event that come from other records.
 */
#ifndef ORACLE_FTRACE_H
#define ORACLE_FTRACE_H

#include "oracle.h"

/*
 * An additional kind, which LKST does not have: an event of ftrace that has the protocol of a
 * packet. complete() uses these events, and removes them from the trace.
 */
#define PACKET_PROTOCOL	KINDS

/* A source is an event of ftrace. Source i of a kind has number kind * SOURCES_PER_KIND + i. */
#define SOURCES_PER_KIND	5
#define SOURCES			((KINDS + 1) * SOURCES_PER_KIND)

/* In oracle_ftrace.c */

/* Return the contents of a file in tracefs, which are valid until the next call. */
char *ftrace_get(const char *path);

/* In oracle_sources.c */

/*
 * Look up the event of source @n in the running kernel, and set @id to ftrace's id of the event. @n
 * must be less than SOURCES. Return the event's name, or NULL if this machine has no source @n.
 */
const char *source_enable(unsigned int n, unsigned int *id);

/* Whether source @n belongs to a group. */
bool source_in_group(unsigned int n, enum group group);

/*
 * Set the members kind, arg and unknown of @event to what LKST should have recorded for @data, a
 * record of source @n on @cpu.
 */
void source_decode(unsigned int n, struct event *event, const unsigned char *data, int cpu);

/* In oracle_complete.c */

/* Note which threads exist. Must be called before recording begins. */
void complete_begin(void);

/* Set those members of ftrace's events that must be taken from other records. */
void complete(struct trace traces[ORACLE_CPUS]);

#endif
