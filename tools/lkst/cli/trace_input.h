/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens what a command line names as input: trace files, directories of them, standard input, a
 * memory image, files of kmemtrace, a previous boot, or the buffers of the running kernel.
 */
#ifndef _TRACE_INPUT_H
#define _TRACE_INPUT_H

#include "lib/lkst.h"
#include "options.h"
#include "trace_files.h"

struct lkst_capture;

/**
 * struct trace_input - options that name the input
 * @files: arguments of -f
 * @from: files to read, from -f and operands; if empty, @previous or the kernel's buffers are read
 * @previous: --previous
 * @boot: argument of --boot
 * @symbols: argument of --symbols
 * @long_rings: whether to read the long rings instead of the buffers
 * @kmemtrace: whether the command reads files of kmemtrace
 */
struct trace_input {
	struct option_words files;
	struct trace_files from;
	bool previous;
	const char *boot;
	const char *symbols;
	bool long_rings;
	bool kmemtrace;
};

/* Option rows; @type must have a member @input of type struct trace_input. */
#define OPT_INPUT(type)									\
	OPT_WORDS('f', NULL, "FILE", type, input.files,					\
		  "trace, directory, \"-\" or memory image; default: kernel"),	\
	OPT_FLAG(0, "previous", type, input.previous, "records of a previous boot"),	\
	OPT_TEXT(0, "boot", "BOOT", type, input.boot,					\
		 "of an image: its id or the start of it; default: newest"),		\
	OPT_TEXT(0, "symbols", "FILE", type, input.symbols,				\
		 "of an image: symbols as in /proc/kallsyms or System.map")

/* Return whether the input consists of the buffers of the running kernel. */
static inline bool trace_input_live(const struct trace_input *input)
{
	return !input->from.num && !input->previous;
}

int trace_input_take(struct trace_input *input, char **operands, const char *hint,
		     struct lkst_error *err);
int trace_input_take_standard(struct trace_input *input, struct lkst_error *err);
const char *trace_input_conflict(const struct trace_input *input);
struct lkst_trace *trace_input_open(const struct trace_input *input,
				    const struct lkst_capture *live, int *fd,
				    struct lkst_error *err);
void trace_input_close(struct lkst_trace *trace, int fd);
void trace_input_free(struct trace_input *input);

#endif
