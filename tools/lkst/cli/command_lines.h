/* SPDX-License-Identifier: GPL-2.0 */
/* Finds processes by the arguments in their command lines. */
#ifndef _COMMAND_LINES_H
#define _COMMAND_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lkst_files;

#define COMMAND_LINES_FOUND 3

/**
 * struct command_word - an argument of a process
 * @tgid: process
 * @text: the argument
 * @base: its part after the last slash; points into @text
 */
struct command_word {
	uint32_t tgid;
	const char *text;
	const char *base;
};

/**
 * struct command_lines - the arguments of processes
 * @word: the arguments
 * @num: number of arguments
 * @text: strings that contain the arguments, one for each process
 * @texts: number of texts
 */
struct command_lines {
	struct command_word *word;
	size_t num;
	char **text;
	size_t texts;
};

int command_lines_add(struct command_lines *lines, const struct lkst_files *files);
void command_lines_free(struct command_lines *lines);
size_t command_lines_find(const struct command_lines *lines, const char *word, bool similar,
			  const struct command_word *found[COMMAND_LINES_FOUND]);

#endif
