// SPDX-License-Identifier: GPL-2.0
/* What an analysis may have to know about the input of a run. */
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "lib/trace/kmemtrace.h"
#include "lib/trace/trace.h"

/* Write a word, quoted for a shell if necessary. */
static void input_put_word(const char *word, FILE *to)
{
	size_t plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./+:=@,-");

	if (*word && !word[plain]) {
		fputs(word, to);
		return;
	}
	putc('\'', to);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\'", to);
		putc(*word, to);
	}
	putc('\'', to);
}

/**
 * run_put_input() - write the options that select the input, each with a blank before it
 * @run: run
 * @to: output
 */
void run_put_input(const struct run *run, FILE *to)
{
	const struct trace_input *input = &run->args->input;

	for (size_t i = 0; i < input->from.num; i++) {
		fputs(" -f ", to);
		input_put_word(input->from.path[i], to);
	}
	if (input->previous)
		fputs(" --previous", to);
	if (input->boot) {
		fputs(" --boot ", to);
		input_put_word(input->boot, to);
	}
	if (input->symbols) {
		fputs(" --symbols ", to);
		input_put_word(input->symbols, to);
	}
}

/**
 * run_is_kmemtrace() - find out whether the input of a run consists of files of kmemtrace
 * @run: run
 */
bool run_is_kmemtrace(const struct run *run)
{
	size_t len;

	return run->trace && lkst_trace_system(run->trace, KMEMTRACE_SYSTEM, &len);
}
