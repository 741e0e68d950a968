/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of an analysis: the common options, and the options of the analysis. */
#ifndef _LKSTLA_ARGUMENTS_H
#define _LKSTLA_ARGUMENTS_H

#include <stddef.h>
#include <string.h>

#include "analysis.h"

#define ARGUMENTS_ROWS 64

/**
 * struct arguments - the command line of an analysis
 * @common: the common options
 * @own: options of the analysis, a structure of the size @own_size in struct analysis
 */
struct arguments {
	struct common_arguments common;
	max_align_t own[];
};

/**
 * struct arguments_form - the syntax of an analysis
 * @syntax: syntax, which refers to the other members
 * @row: options of the analysis, followed by the common ones
 * @usage: usage
 */
struct arguments_form {
	struct syntax syntax;
	struct option_row row[ARGUMENTS_ROWS];
	char usage[160];
};

struct arguments *arguments_new(const struct analysis *analysis, struct lkst_error *err);
void arguments_free(struct arguments *args);
void arguments_form(const struct analysis *analysis, struct arguments_form *form);
int arguments_split(const struct trace_input *input, struct trace_input side[2],
		    struct lkst_error *err);
int arguments_take(const struct analysis *analysis, struct arguments *args, char **operands,
		   struct lkst_error *err);

/* operands.c */
bool operand_is_file(const char *operand);
void operands_hint(const struct analysis *analysis, char **operands, struct lkst_error *err);

/**
 * arguments_tid() - find the thread ID in an operand of the form NUMBER or NAME-NUMBER
 * @operand: operand
 *
 * Return: the number, which is at the end of @operand; NULL if @operand has another form.
 */
static inline const char *arguments_tid(const char *operand)
{
	const char *dash = strrchr(operand, '-');
	const char *number = dash && dash > operand ? dash + 1 : operand;

	return *number && !number[strspn(number, "0123456789")] ? number : NULL;
}

#endif
