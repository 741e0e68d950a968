// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "image_reading.h"
#include "lib/base/error.h"
#include "lib/base/temporary.h"
#include "lib/live/capture.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/format.h"
#include "lib/text/kallsyms.h"
#include "lib/text/out.h"
#include "lib/text/symbols.h"
#include "lib/trace/kmemtrace.h"
#include "lib/trace/select.h"
#include "lib/trace/trace.h"
#include "lib/trace/write.h"
#include "pager.h"
#include "print.h"

static void printer_report(void *ctx, const char *text)
{
	(void)ctx;
	print_note(text);
}

const struct lkst_trace_hooks print_hooks = {
	.ctx = (void *)"reading",
	.report = printer_report,
	.progress = progress_show,
};

const struct lkst_trace_hooks print_hooks_long = {
	.ctx = (void *)"reading",
	.report = printer_report,
	.progress = progress_show,
	.flags = LKST_TRACE_LONG_RINGS,
};

/**
 * printer_start() - set up a printer
 * @printer: result; must be passed to printer_end() unless printer_start() fails
 * @opt: output options
 * @types: event types
 * @context: names and symbols of the kernel that recorded the events
 * @err: set if an allocation fails
 */
int printer_start(struct printer *printer, const struct print_options *opt,
		  const struct lkst_etypes *types, const struct lkst_context *context,
		  struct lkst_error *err)
{
	printer->opt = opt;
	printer->shown = 0;
	if (lkst_out_open(&printer->out, STDOUT_FILENO, err))
		return -1;
	lkst_format_init(&printer->format, &printer->out, types, context, &opt->format);
	if (opt->form == PRINT_TEXT)
		lkst_format_header(&printer->format);
	return 0;
}

/**
 * printer_put() - print an event if it is selected
 * @printer: printer
 * @event: event
 *
 * Return: false if enough events were printed, or if the output is closed or full.
 */
bool printer_put(struct printer *printer, const struct lkst_event *event)
{
	static void (*const put[])(struct lkst_format * format, const struct lkst_event *event) = {
		[PRINT_TEXT] = lkst_format_event,
		[PRINT_CSV] = lkst_format_csv,
		[PRINT_JSON] = lkst_format_json,
	};
	const struct print_options *opt = printer->opt;

	if (!lkst_selected(&opt->selection, printer->format.context, event))
		return true;
	if (opt->selection.longer)
		printer->format.spans = lkst_longer_spans(opt->selection.longer, event,
							  printer->format.span);
	put[opt->form](&printer->format, event);
	return ++printer->shown != opt->max && !printer->out.error;
}

/**
 * printer_flush() - write buffered output
 * @printer: printer
 * @err: set on failure
 *
 * Return: 0; 1 if the reader has closed the pipe, which is not a failure; -1 on error.
 */
int printer_flush(struct printer *printer, struct lkst_error *err)
{
	int error = lkst_out_flush(&printer->out);

	if (!error)
		return 0;
	if (error == EPIPE)
		return 1;
	lkst_error_system(err, error, "standard output", "write");
	return -1;
}

/**
 * printer_end() - write buffered output, and free the printer
 * @printer: printer
 * @err: set on failure
 */
int printer_end(struct printer *printer, struct lkst_error *err)
{
	int ret = printer_flush(printer, err);

	lkst_out_close(&printer->out);
	return ret < 0 ? -1 : 0;
}

/**
 * print_trace() - print the events of a trace on standard output
 * @trace: trace
 * @types: event types
 * @opt: output options
 * @shown: set to the number of printed events
 * @err: set on failure
 */
int print_trace(struct lkst_trace *trace, const struct print_types *types,
		const struct print_options *opt, uint64_t *shown, struct lkst_error *err)
{
	uint32_t source = UINT32_MAX;
	struct printer printer;
	struct lkst_event event;
	int ret;

	progress_clear();
	if (lkst_trace_rewind(trace, opt->order, err) ||
	    printer_start(&printer, opt, types->all, lkst_trace_context(trace), err))
		return -1;
	while ((ret = lkst_trace_next(trace, &event, err)) > 0) {
		if (event.source != source) {
			source = event.source;
			printer.format.types = print_types_of(types, source);
			printer.format.context = lkst_trace_source_context(trace, source);
		}
		if (!printer_put(&printer, &event))
			break;
	}
	*shown = printer.shown;
	if (ret < 0) {
		/* Print the events that precede the error. @err keeps the first error. */
		printer_end(&printer, NULL);
		return -1;
	}
	return printer_end(&printer, err);
}

/**
 * print_newest() - print a whole trace as text, newest event first
 * @trace: trace
 * @err: set on failure
 */
int print_newest(struct lkst_trace *trace, struct lkst_error *err)
{
	struct print_options opt = {
		.order = LKST_NEWEST_FIRST,
		.format.color = color_enabled(),
		.format.width = terminal_width(),
	};
	struct print_types types;
	uint64_t shown;
	int ret;

	lkst_selection_init(&opt.selection);
	ret = print_types_load(&types, trace, NULL, err);
	if (!ret) {
		progress_clear();
		pager_start();
		ret = print_trace(trace, &types, &opt, &shown, err);
		if (pager_end(ret ? NULL : err))
			ret = -1;
	}
	print_types_free(&types);
	return ret;
}

/* Make a temporary trace, which exists only while it is printed. */
static struct lkst_trace *
temporary_trace(int (*fill)(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err),
		void *ctx, const char *name, const struct lkst_trace_hooks *hooks, int *fd,
		struct lkst_error *err)
{
	struct lkst_trace_writer *writer = NULL;
	struct lkst_trace *trace = NULL;

	*fd = lkst_temporary_file(err);
	if (*fd >= 0)
		writer = lkst_trace_writer_temporary(*fd, err);
	if (writer && fill(ctx, writer, err)) {
		lkst_trace_writer_abort(writer);
		writer = NULL;
	}
	if (writer && !lkst_trace_writer_commit(writer, err))
		trace = lkst_trace_open_fd(*fd, name, hooks, err);
	if (!trace && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return trace;
}

struct capturing {
	struct lkst_device *dev;
	const struct lkst_capture *options;
};

static int print_fill_capture(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err)
{
	const struct capturing *capturing = ctx;

	return lkst_capture(capturing->dev, capturing->options, writer, err);
}

/*
 * Capture the buffers into a temporary trace without symbols. Symbols are loaded only if an address
 * is printed, because loading them takes longer than everything else.
 */
static struct lkst_trace *print_without_symbols(const struct lkst_capture *options,
						const struct lkst_trace_hooks *hooks,
						struct lkst_device *dev, int *fd,
						struct lkst_error *err)
{
	struct lkst_capture without_symbols = *options;
	struct capturing capturing = { .dev = dev, .options = &without_symbols };
	struct lkst_symbols *symbols = lkst_symbols_of_list(LKST_SYMBOLS_PATH, err);
	struct lkst_trace *trace = NULL;

	without_symbols.no_symbols = true;
	if (symbols)
		trace = temporary_trace(print_fill_capture, &capturing, "kernel", hooks, fd, err);
	if (trace)
		lkst_trace_set_symbols(trace, symbols);
	else
		lkst_symbols_free(symbols);
	return trace;
}

/**
 * print_capture() - read the kernel's buffers into a temporary trace
 * @options: which buffers
 * @hooks: print_hooks or print_hooks_long
 * @fd: result; close it after the trace
 * @err: set on failure
 */
struct lkst_trace *print_capture(const struct lkst_capture *options,
				 const struct lkst_trace_hooks *hooks, int *fd,
				 struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	struct lkst_trace *trace;

	*fd = -1;
	if (!dev)
		return NULL;
	trace = print_without_symbols(options, hooks, dev, fd, err);
	lkst_device_close(dev);
	return trace;
}

static int print_fill_image(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err)
{
	return image_reading_write(ctx, writer, err);
}

/**
 * print_image() - read a memory image into a temporary trace
 * @args: which image and buffers
 * @hooks: print_hooks or print_hooks_long
 * @fd: result; close it after the trace
 * @err: set on failure
 */
struct lkst_trace *print_image(const struct image_arguments *args,
			       const struct lkst_trace_hooks *hooks, int *fd,
			       struct lkst_error *err)
{
	struct image_reading *reading = image_reading_open(args, err);
	struct lkst_trace *trace = NULL;

	*fd = -1;
	if (reading)
		trace = temporary_trace(print_fill_image, reading,
					args->path ? args->path : "previous boot", hooks, fd, err);
	image_reading_close(reading);
	return trace;
}

static int print_fill_kmemtrace(void *ctx, struct lkst_trace_writer *writer, struct lkst_error *err)
{
	return kmemtrace_trace(ctx, writer, err);
}

/**
 * print_kmemtrace() - read files of kmemtrace into a temporary trace
 * @files: files; their hooks are print_hooks or print_hooks_long
 * @fd: result; close it after the trace
 * @err: set on failure
 */
struct lkst_trace *print_kmemtrace(const struct kmemtrace_files *files, int *fd,
				   struct lkst_error *err)
{
	return temporary_trace(print_fill_kmemtrace, (void *)files,
			       files->num == 1 ? files->path[0] : "kmemtrace", files->hooks, fd,
			       err);
}
