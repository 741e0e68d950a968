/* SPDX-License-Identifier: GPL-2.0 */
/* Decodes what lkstla html writes, for its tests. */
#ifndef _HTML_READER_H
#define _HTML_READER_H

#include "lkstla/html/html_bytes.h"

struct html_reader {
	const uint8_t *data;
	size_t len;
	size_t at;
};

uint64_t html_read_number(struct html_reader *reader);
int64_t html_read_signed(struct html_reader *reader);
struct html_reader html_read_part(struct html_reader *reader, size_t len);

#endif
