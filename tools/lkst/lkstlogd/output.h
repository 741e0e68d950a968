/* SPDX-License-Identifier: GPL-2.0 */
/* Runs a command, and collects its output. */
#ifndef _LKSTLOGD_OUTPUT_H
#define _LKSTLOGD_OUTPUT_H

#include <stddef.h>

#include "lib/lkst.h"

#define LOGD_OUTPUT_MAX ((size_t)256 * 1024)

/**
 * struct logd_output - output of a command that has exited
 * @text: standard output, with a terminating 0
 * @len: length of @text
 * @messages: the beginning of standard error, with a terminating 0
 * @messages_len: length of @messages
 * @status: exit status
 */
struct logd_output {
	char text[LOGD_OUTPUT_MAX + 1];
	size_t len;
	char messages[2048];
	size_t messages_len;
	int status;
};

int logd_output_collect(const char *const argv[], int64_t limit_ms, const volatile int *stop,
			struct logd_output *output, struct lkst_error *err);

#endif
