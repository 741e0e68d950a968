/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracers of the kernel, as bench/record-guest turns them on and off: each as it comes, overwriting
 * the oldest, on CPU 0.
 */
#ifndef TRACERS_H
#define TRACERS_H

#include <stddef.h>
#include <stdint.h>

enum events {
	EVENTS_HOOK, /* the LKST_HOOK of record-hook.ko */
	EVENTS_GETPPID, /* entry and exit of getppid(); LKST's are of all system calls */
	EVENTS_SYSCALLS, /* entry and exit of all system calls */
	EVENTS_SWITCH, /* context switch */
	EVENTS_NUM,
};

struct tracer {
	const char *name;
	void (*on)(enum events events); /* nothing else is recorded */
	void (*off)(void);
	/* Since it was turned on; in events or, if it does not say how many, in bytes. */
	uint64_t (*recorded)(void);
	int in_bytes;
};

extern const struct tracer lkst_tracer, ftrace_tracer, perf_tracer;

/* Weak: it is linked only if there are modules of it. */
extern const struct tracer lttng_tracer __attribute__((weak));

/* The events of a set as tracepoints, "SYSTEM/NAME"; NULL after the last. */
#define TRACEPOINTS_MAX 2
extern const char *const tracepoints[EVENTS_NUM][TRACEPOINTS_MAX + 1];

/* A file of tracefs, by its name below it. */
void write_tracefs(const char *text, const char *name, ...) __attribute__((format(printf, 2, 3)));
void read_tracefs(char *text, size_t size, const char *name, ...)
	__attribute__((format(printf, 3, 4)));

#endif
