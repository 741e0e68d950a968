/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel tracers for bench/record-guest. Each one has its default settings, records on CPU 0, and
 * overwrites the oldest records.
 */
#ifndef TRACERS_H
#define TRACERS_H

#include <stddef.h>
#include <stdint.h>

enum events {
	EVENTS_HOOK, /* the LKST_HOOK of record-hook.ko */
	EVENTS_RULE_1, /* the same, under a condition that is always met: one comparison */
	EVENTS_RULE_2, /* the same, two comparisons */
	EVENTS_RULE_3, /* the same, three comparisons */
	EVENTS_GETPPID, /* entry and exit of getppid(); for LKST, of all system calls */
	EVENTS_WATCH, /* the same, and a watch pairs the two */
	EVENTS_SYSCALLS, /* entry and exit of all system calls */
	EVENTS_SWITCH, /* context switch */
	EVENTS_NUM,
};

struct tracer {
	const char *name;
	void (*on)(enum events events); /* record only these events */
	void (*off)(void);
	/* Returns the number of events since on(), or the number of bytes if @in_bytes. */
	uint64_t (*recorded)(void);
	int in_bytes;
};

extern const struct tracer lkst_tracer, ftrace_tracer, perf_tracer;

/* Weak, because lttng.c is linked only if LTTng's modules are available. */
extern const struct tracer lttng_tracer __attribute__((weak));

/* The tracepoints of each set of events, "SYSTEM/NAME", terminated by NULL. */
#define TRACEPOINTS_MAX 2
extern const char *const tracepoints[EVENTS_NUM][TRACEPOINTS_MAX + 1];

/* Write and read a file of tracefs. @name is relative to its mount point. */
void write_tracefs(const char *text, const char *name, ...) __attribute__((format(printf, 2, 3)));
void read_tracefs(char *text, size_t size, const char *name, ...)
	__attribute__((format(printf, 3, 4)));

#endif
