/* SPDX-License-Identifier: GPL-2.0 */
/* Runs main() of a command on damaged traces. */
#ifndef _COMMAND_MAIN_H
#define _COMMAND_MAIN_H

#include <stddef.h>
#include <stdint.h>

/* Return the descriptor of a file with this content, after the checksums have been corrected. */
int signed_file(const uint8_t *data, size_t size);
/*
 * Run lkstla with these words, which begin with the name of an analysis and end with NULL. The
 * output is discarded. @says is the beginning of an error that must not occur, or NULL if any error
 * may occur.
 */
void run_lkstla(const char *const *words, const char *says);
/* Run lkstbuf with these words, which begin with the name of a subcommand and end with NULL. */
void run_lkstbuf(const char *const *words);

#endif
