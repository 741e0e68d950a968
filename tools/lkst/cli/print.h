/* SPDX-License-Identifier: GPL-2.0 */
/* Prints events from any source. */
#ifndef _PRINT_H
#define _PRINT_H

#include "lib/lkst.h"
#include "lib/text/format.h"
#include "lib/text/out.h"
#include "lib/trace/select.h"

struct image_arguments;
struct kmemtrace_files;
struct lkst_capture;

enum print_form {
	PRINT_TEXT,
	PRINT_CSV,
	PRINT_JSON,
};

/**
 * struct print_options - what to print and how
 * @selection: which events
 * @max: maximum number of events; 0: all
 * @order: oldest or newest first
 * @form: output format
 * @format: passed to lkst_format_init()
 */
struct print_options {
	struct lkst_selection selection;
	uint64_t max;
	enum lkst_order order;
	enum print_form form;
	struct lkst_format_options format;
};

/**
 * struct printer - prints events on standard output
 * @opt: output options
 * @out: output buffer
 * @format: formatter; the caller may replace its event types and context between events
 * @shown: number of events printed
 */
struct printer {
	const struct print_options *opt;
	struct lkst_out out;
	struct lkst_format format;
	uint64_t shown;
};

int printer_start(struct printer *printer, const struct print_options *opt,
		  const struct lkst_etypes *types, const struct lkst_context *context,
		  struct lkst_error *err);
bool printer_put(struct printer *printer, const struct lkst_event *event);
int printer_flush(struct printer *printer, struct lkst_error *err);
int printer_end(struct printer *printer, struct lkst_error *err);

extern const struct lkst_trace_hooks print_hooks;
extern const struct lkst_trace_hooks print_hooks_long; /* for the long rings */

/**
 * struct print_types - the event types of a trace
 * @num: number of files of the trace; 1 if the event types come from a file that the user named
 * @source: event types of each file of the trace, or of the file that the user named
 * @all: union of the event types of all files; its entries belong to @source
 */
struct print_types {
	size_t num;
	struct lkst_etypes **source;
	struct lkst_etypes *all;
};

int print_types_load(struct print_types *types, struct lkst_trace *trace, const char *path,
		     struct lkst_error *err);
const struct lkst_etypes *print_types_of(const struct print_types *types, uint32_t source);
void print_types_free(struct print_types *types);

int print_trace(struct lkst_trace *trace, const struct print_types *types,
		const struct print_options *opt, uint64_t *shown, struct lkst_error *err);
int print_newest(struct lkst_trace *trace, struct lkst_error *err);
struct lkst_trace *print_capture(const struct lkst_capture *options,
				 const struct lkst_trace_hooks *hooks, int *fd,
				 struct lkst_error *err);
struct lkst_trace *print_image(const struct image_arguments *args,
			       const struct lkst_trace_hooks *hooks, int *fd,
			       struct lkst_error *err);
struct lkst_trace *print_kmemtrace(const struct kmemtrace_files *files, int *fd,
				   struct lkst_error *err);

#endif
