// SPDX-License-Identifier: GPL-2.0
/* ftrace, which records trace events of the kernel in its ring buffer. */
#include "tap.h"
#include "tracers.h"

static enum events current;

static void enable(const char *text)
{
	unsigned int i;

	for (i = 0; tracepoints[current][i]; i++)
		write_tracefs(text, "events/%s/enable", tracepoints[current][i]);
}

static void ftrace_on(enum events events)
{
	current = events;
	enable("1");
}

static void ftrace_off(void)
{
	enable("0");
}

static uint64_t number(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	if (!at)
		bail_out(key);
	return strtoull(at + strlen(key), NULL, 10);
}

/*
 * Returns the number of recorded events. Reads both counts in one read(), because reading the file
 * may itself be recorded.
 */
static uint64_t ftrace_recorded(void)
{
	char text[512];

	read_tracefs(text, sizeof(text), "per_cpu/cpu0/stats");
	return number(text, "entries: ") + number(text, "\noverrun: ");
}

const struct tracer ftrace_tracer = { "ftrace", ftrace_on, ftrace_off, ftrace_recorded };
