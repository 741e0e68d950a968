/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the texts and the blocks of data of the page. */
#ifndef _LKSTLA_HTML_OUTPUT_H
#define _LKSTLA_HTML_OUTPUT_H

#include <zlib.h>

#include "html_bytes.h"
#include "lib/base/replacement.h"

/**
 * struct html_output - the page that is being written
 * @file: the output file
 * @name: name of the file, for messages
 * @zip: compresses the blocks
 * @packed: a compressed block
 * @text: text that has not been written yet
 * @written: number of bytes written
 * @error: errno of the first failed write, or ENOMEM
 */
struct html_output {
	struct replacement file;
	const char *name;
	z_stream zip;
	struct html_bytes packed;
	struct html_bytes text;
	uint64_t written;
	int error;
};

int html_output_open(struct html_output *output, const char *path, struct lkst_error *err);
void html_output_text(struct html_output *output, const char *text, size_t len);
void html_output_block(struct html_output *output, const char *id, const struct html_bytes *block);
int html_output_check(const struct html_output *output, struct lkst_error *err);
int html_output_commit(struct html_output *output, struct lkst_error *err);
void html_output_abort(struct html_output *output);

#endif
