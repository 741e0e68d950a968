/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print test results in TAP from C programs. tests/tap.sh does the same for scripts.
 */
#ifndef TAP_H
#define TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Weak, so that all source files of a program share one definition. */
__attribute__((weak)) unsigned int tap_count, tap_failed;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Print a result: @name says what must be true, and @good whether it is. Return @good. */
static inline bool vok(bool good, const char *name, va_list args)
{
	tap_count++;
	tap_failed += !good;
	printf("%sok %u - ", good ? "" : "not ", tap_count);
	vprintf(name, args);
	putchar('\n');
	fflush(stdout);
	return good;
}

static inline bool __attribute__((format(printf, 2, 3))) ok(bool good, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	vok(good, name, args);
	va_end(args);
	return good;
}

/* Print a comment that explains the last result. */
#define diag(text, ...) (printf("# " text "\n", ##__VA_ARGS__), fflush(stdout))

/* End the test because the rest of it would make no sense. Print @why and errno. */
static inline void __attribute__((noreturn)) bail_out(const char *why)
{
	printf("Bail out! %s: %s\n", why, strerror(errno));
	exit(1);
}

#define bail_if(failed, why)           \
	do {                           \
		if (failed)            \
			bail_out(why); \
	} while (0)

/* Call fork(), and end the test if it fails. */
static inline pid_t start_child(void)
{
	pid_t pid = fork();

	bail_if(pid < 0, "fork");
	return pid;
}

static inline int done_testing(void)
{
	printf("1..%u\n", tap_count);
	return tap_failed ? 1 : 0;
}

#endif
