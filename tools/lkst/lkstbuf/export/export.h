/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files of lkstbuf export.
 *
 * export.c evaluates the command line. formats.c lists the formats. feed.c reads the trace and
 * passes its events to the writer of a format. losses.c finds out where records are missing.
 */
#ifndef _LKSTBUF_EXPORT_H
#define _LKSTBUF_EXPORT_H

#include "cli/trace_input.h"
#include "lib/lkst.h"
#include "lib/model.h"
#include "lib/text/out.h"
#include "lib/trace/select.h"
#include "lkstbuf/select.h"

struct print_types;

/**
 * struct export - an export, passed to the writer of a format
 * @trace: trace, of one boot. open() may read it once. To read it again, or in another order, a
 *	writer uses lkst_trace_view_new()
 * @all: event types of all files of the trace
 * @types: event types of the file that the current event is from; in open(), @all
 * @context: names and symbols of the kernel that recorded the current event; in open(), the names
 *	and symbols of the first file
 * @selection: which events are exported
 * @selects: some events may be left out
 * @out: output. A writer appends with out_room() and out_end()
 * @path: name of the output, for messages
 */
struct export {
	struct lkst_trace *trace;
	const struct lkst_etypes *all;
	const struct lkst_etypes *types;
	const struct lkst_context *context;
	const struct lkst_selection *selection;
	bool selects;
	struct lkst_out out;
	const char *path;
};

/**
 * struct export_format - an output format
 * @name: argument of --format
 * @suffix: end of the name of an output file, from which the format is guessed
 * @text: whether the output is text, which may be written to a terminal
 * @no_events: whether the output lacks events, in which case -e, --where and --longer are refused
 * @open: begin the output. Returns the argument @writer of the other functions
 * @observe: called for each event of the trace, selected or not, oldest first; may be NULL. A state
 *	model must see all events
 * @loss: called if records of a CPU are missing before the next event; may be NULL. @loss->source
 *	is 0. After the last event, also called for each CPU whose last records may be missing, with
 *	@loss->number 0
 * @event: called for each selected event, oldest first, after @observe
 * @end: called after the last event; may be NULL
 * @close: free the writer, after success or failure
 *
 * Functions that return int return 0, or -1 with @err set. They need not check for failed writes to
 * @export->out.
 */
struct export_format {
	const char *name;
	const char *suffix;
	bool text;
	bool no_events;
	void *(*open)(struct export *export, struct lkst_error *err);
	int (*observe)(void *writer, const struct lkst_event *event, struct lkst_error *err);
	int (*loss)(void *writer, const struct lkst_loss *loss, struct lkst_error *err);
	int (*event)(void *writer, const struct lkst_event *event, struct lkst_error *err);
	int (*end)(void *writer, struct lkst_error *err);
	void (*close)(void *writer);
};

/* formats.c */
const struct export_format *export_format_find(const char *name, struct lkst_error *err);
const struct export_format *export_format_of(const char *path);
void export_format_names(char *text, size_t size);

/* feed.c */
int export_feed(struct export *export, const struct export_format *format,
		const struct print_types *types, uint64_t max, const volatile int *stop,
		uint64_t *exported, struct lkst_error *err);

/* losses.c */
struct export_losses;

struct export_losses *export_losses_new(const struct lkst_trace *trace, struct lkst_error *err);
bool export_losses_before(struct export_losses *losses, const struct lkst_event *event,
			  struct lkst_loss *loss);
bool export_losses_end(const struct export_losses *losses, int32_t number, struct lkst_loss *loss);
void export_losses_free(struct export_losses *losses);

#endif
