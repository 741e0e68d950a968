/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test results in TAP, for the C programs here: what tests/tap.sh is for scripts.
 */
#ifndef TAP_H
#define TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weak: one of each, however many files a program is made of. */
__attribute__((weak)) unsigned int tap_count, tap_failed;

/* A row: what must be true, and whether it is. Returns whether. */
static inline bool __attribute__((format(printf, 2, 3))) ok(bool good, const char *name, ...)
{
	va_list args;

	tap_count++;
	tap_failed += !good;
	printf("%sok %u - ", good ? "" : "not ", tap_count);
	va_start(args, name);
	vprintf(name, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	return good;
}

/* What goes with the last row. */
static inline void __attribute__((format(printf, 1, 2))) diag(const char *text, ...)
{
	va_list args;

	printf("# ");
	va_start(args, text);
	vprintf(text, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* The rest makes no sense. */
static inline void __attribute__((noreturn)) bail_out(const char *why)
{
	printf("Bail out! %s: %s\n", why, strerror(errno));
	exit(1);
}

static inline int done_testing(void)
{
	printf("1..%u\n", tap_count);
	return tap_failed ? 1 : 0;
}

#endif
