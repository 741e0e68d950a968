/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Encodes the levels of detail: what each row of the timeline shows when the page is zoomed out.
 *
 * A level divides the window into bins of equal width. For each row and bin, it stores the values
 * of the row in the bin, and the share of the time of each value. The bins of a level have about a
 * quarter of the width of the bins of the previous level. A bin is encoded as soon as it is
 * complete, so memory depends on the number of bins that differ from their neighbours, and not on
 * the number of spans.
 */
#ifndef _LKSTLA_HTML_LEVELS_H
#define _LKSTLA_HTML_LEVELS_H

#include "html_bytes.h"

#define HTML_LEVELS_MAX	  6
#define HTML_LEVEL_BINS	  4096 /* bins of the coarsest level; finer levels have more */
#define HTML_BIN_VALUES	  8 /* values in a bin; those with the smallest shares are dropped */
#define HTML_SHARE_WHOLE  15 /* share of a value that fills the bin */
#define HTML_LEVELS_BYTES ((size_t)128 << 20) /* if more are needed, the finest level is dropped */

/* A value in a bin, and for how long the row has this value in the bin */
struct html_share {
	uint32_t value;
	int64_t ns;
};

/**
 * struct html_pen - a row at one level, up to the bin that is being filled
 * @bin: number of that bin
 * @shares: number of elements of @share
 * @share: values in that bin
 * @run: number of bins just before @bin that have not been encoded yet. They all have only the
 *	value @run_value
 * @run_value: value of these bins
 * @done: encoded data of the bins before these
 * @sharing: shares of the values in the encoded bins. They are stored separately, because they
 *	compress badly
 */
struct html_pen {
	uint64_t bin;
	unsigned int shares;
	struct html_share share[HTML_BIN_VALUES];
	uint64_t run;
	uint32_t run_value;
	struct html_bytes done;
	struct html_bytes sharing;
};

/**
 * struct html_level_row - a row
 * @end_ns: end of its latest span. The spans of a row are added in order of time, and do not
 *	overlap
 * @pen: the row at each level
 */
struct html_level_row {
	int64_t end_ns;
	struct html_pen *pen;
};

/**
 * struct html_levels - all levels
 * @length_ns: length of the window
 * @num: number of levels
 * @width_ns: width of the bins of each level
 * @row: rows
 * @rows: number of rows
 * @room: number of rows that fit into @row
 * @bytes: number of encoded bytes of all rows and levels
 */
struct html_levels {
	int64_t length_ns;
	unsigned int num;
	int64_t width_ns[HTML_LEVELS_MAX];
	struct html_level_row *row;
	size_t rows;
	size_t room;
	size_t bytes;
};

void html_levels_init(struct html_levels *levels, int64_t length_ns, uint64_t spans);
void html_levels_free(struct html_levels *levels);
int64_t html_levels_add_row(struct html_levels *levels);
int html_levels_add(struct html_levels *levels, size_t row, uint32_t value, int64_t begin_ns,
		    int64_t end_ns);
uint64_t html_levels_bins(const struct html_levels *levels, unsigned int level);
void html_levels_finish(struct html_levels *levels);
void html_levels_put(const struct html_levels *levels, unsigned int level, struct html_bytes *to);

#endif
