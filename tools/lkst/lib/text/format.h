/* SPDX-License-Identifier: LGPL-2.1 */
/* Declarations that all output formats share. */
#ifndef _LKST_LIB_TEXT_FORMAT_H
#define _LKST_LIB_TEXT_FORMAT_H

#include "lib/lkst.h"

struct lkst_out;

enum lkst_time_style {
	LKST_TIME_LOCAL,	/* time of day; the date is on a separate line */
	LKST_TIME_UTC,
	LKST_TIME_RELATIVE,	/* seconds since @zero_ns */
	LKST_TIME_DELTA,	/* seconds since the previous event that was printed */
	LKST_TIME_RAW,		/* nanoseconds since the epoch */
};

struct lkst_format_options {
	bool verbose;		/* print all arguments */
	bool color;
	bool epoch;		/* CSV: seconds and microseconds since the epoch */
	enum lkst_time_style time;
	int64_t zero_ns;
	unsigned int width;	/* text: columns of the terminal; 0: do not wrap */
};

#define LKST_FORMAT_SPANS_MAX 4

/**
 * struct lkst_format_span - an operation that an event begins or ends
 * @name: name, such as "took"
 * @ns: duration in nanoseconds
 * @ended: false: the operation had not ended after this time
 */
struct lkst_format_span {
	const char *name;
	uint64_t ns;
	bool ended;
};

struct lkst_format {
	struct lkst_out *out;
	const struct lkst_etypes *types;
	const struct lkst_context *context;
	struct lkst_format_options opt;
	const struct format_layout *layout;
	struct lkst_format_span span[LKST_FORMAT_SPANS_MAX]; /* printed with the next event */
	size_t spans;
	int64_t second_ns;	/* start of the second that the strings below describe */
	bool valid;		/* the strings are valid */
	bool any;		/* an event was printed, with time @before_ns */
	int64_t before_ns;
	uint8_t clock_len;
	char clock_text[16];	/* HH:MM:SS. */
	char csv_date[64];
	char date_text[64];
	char json_date[16];	/* YYYY-MM-DDT */
	char json_zone[8];	/* +HH:MM */
};

void lkst_format_init(struct lkst_format *format, struct lkst_out *out,
		      const struct lkst_etypes *types, const struct lkst_context *context,
		      const struct lkst_format_options *opt);
void lkst_format_header(struct lkst_format *format);
void lkst_format_event(struct lkst_format *format, const struct lkst_event *event);
void lkst_format_csv(struct lkst_format *format, const struct lkst_event *event);
void lkst_format_json(struct lkst_format *format, const struct lkst_event *event);
bool lkst_format_json_fields(struct lkst_format *format, const struct lkst_event *event);

uint32_t format_split_time(int64_t time_ns, int64_t *second);
uint32_t format_next_second(struct lkst_format *format, int64_t time_ns);
char *format_argument_number(char *p, unsigned int arg);
char *format_unnamed(char *p, uint32_t type);

/*
 * Return whether the strings describe the second that contains @time_ns. If so, set @ns to the
 * nanoseconds within that second.
 */
static inline bool format_same_second(const struct lkst_format *format, int64_t time_ns,
				      uint32_t *ns)
{
	uint64_t since = (uint64_t)time_ns - (uint64_t)format->second_ns;

	*ns = (uint32_t)since;
	return format->valid && since < 1000000000;
}

/*
 * Prepare the strings for the second that contains @time_ns. Returns the nanoseconds within that
 * second.
 */
static inline uint32_t format_set_time(struct lkst_format *format, int64_t time_ns)
{
	uint32_t ns;

	return format_same_second(format, time_ns, &ns) ? ns : format_next_second(format, time_ns);
}

#endif
